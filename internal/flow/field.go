package flow

import (
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// oneField is for the nodes that make one field, or an item, of something: the
// shapes make, volatile, row, model and file.
func (t *Tracer) oneField(n *graph.Node, s shape, path []string) []step {
	to := madeField(n, s)
	_, made := within(to, path)
	keeps := s.keeps == "yes" || s.keeps != "no" && s.keeps != "-" && n.Parameter(strings.Split(s.keeps, ".")...).IsTrue()
	var steps []step
	if made {
		steps = t.makes(n, s, path)
	}
	switch {
	case keeps && (!made || len(path) < len(to)):
		return append(steps, back(n, path, passing(n)))
	case len(steps) == 0:
		return []step{ending(Origin{Kind: Missing, Node: n, Path: path})}
	}
	return steps
}

// madeField is the path that a node writes; none where it may be any.
func madeField(n *graph.Node, s shape) []string {
	switch {
	case s.to.none() || s.to.path[0] == "*" && s.to.value == "":
		return nil
	case s.to.path[0] == "*":
		return []string{s.to.value}
	}
	name := s.to.of(n)
	if strings.Contains(name, "{{") {
		return nil
	}
	return dotted(name)
}

func (t *Tracer) makes(n *graph.Node, s shape, path []string) []step {
	switch s.name {
	case shapeVolatile:
		return []step{t.generated(n, s)}
	case shapeRow:
		return []step{answer(Row, n, path)}
	case shapeModel:
		return []step{ending(Origin{Kind: Model, Node: n, Path: path, loose: len(madeField(n, s)) == 0})}
	case shapeFile:
		return []step{back(n, []string{files}, Hop{Node: n, At: n.Place(), What: "reads a file"})}
	}
	steps := t.converted(n, s)
	if t.cutsToDay(n) {
		for i := range steps {
			steps[i].day = true
		}
	}
	return steps
}

// generated is a value that the node makes anew each time it runs.
func (t *Tracer) generated(n *graph.Node, s shape) step {
	at := n.Place()
	for _, key := range []string{"action", "operation"} {
		if v := n.Parameter(key); v.Exists() {
			at = v.Span()
		}
	}
	name := s.value.of(n)
	if s.value.path[0] == "operation" {
		name = s.value.value
	}
	made := ending(Origin{Kind: Volatile, Node: n, Name: name + " (" + kindName(n.Type) + ")", At: at, PerTry: true})
	made.day = t.cutsToDay(n)
	return made
}

// kindName is the node type for people: "Crypto", "Date Time".
func kindName(nodeType string) string {
	name := nodeType[strings.LastIndexByte(nodeType, '.')+1:]
	var b strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			b.WriteString(strings.ToUpper(string(r)))
		case r >= 'A' && r <= 'Z':
			b.WriteString(" " + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// converted leads from a made value to the parameters or the field that it is
// made of.
func (t *Tracer) converted(n *graph.Node, s shape) []step {
	what := kindName(n.Type) + " makes " + described(madeField(n, s))
	if !s.value.none() {
		var steps []step
		for name := range strings.SplitSeq(strings.Join(s.value.path, "."), "+") {
			v := n.Parameter(strings.Split(name, ".")...)
			steps = append(steps, t.readAs(n, v, nil, what, s.to.path[0] == "*")...)
		}
		return steps
	}
	var from []string
	at := source.Span{}
	if s.from.path[0] != "*" {
		from = dotted(s.from.of(n))
		at = n.Parameter(s.from.path...).Span()
	}
	if at.IsZero() {
		at = n.Place()
	}
	return []step{back(n, from, Hop{Node: n, At: at, What: what})}
}
