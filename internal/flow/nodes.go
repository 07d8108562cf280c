package flow

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Passes reports whether a node gives on the item that it got, with all its
// fields: a disabled node, a branch, a Wait, a Merge that appends.
func (t *Tracer) Passes(n *graph.Node) bool {
	if n.Disabled {
		return true
	}
	s, ok := t.shape(n)
	switch {
	case !ok:
		return false
	case s.name == shapeMerge:
		return mergeOf(n) == mergeAppend
	}
	return s.name == shapePass || s.name == shapeLoop
}

// The shapes of items.tsv, which the code gives a meaning.
const (
	shapePass      = "pass"      // the item that came in
	shapeSet       = "set"       // fields written into the item or into a new one
	shapeMerge     = "merge"     // items of several inputs
	shapeLoop      = "loop"      // Loop Over Items
	shapeRename    = "rename"    // fields under new names
	shapeSplit     = "split"     // the elements of a list
	shapeAggregate = "aggregate" // lists of all items
	shapeFigures   = "figures"   // figures of all items
	shapeMake      = "make"      // one field made of a value or of a field
	shapeVolatile  = "volatile"  // one field made anew
	shapeRow       = "row"       // one field, or the item, read from a store
	shapeEcho      = "echo"      // the row that was written
	shapeCall      = "call"      // the answer of a called workflow
	shapeResponse  = "response"  // the answer of a service or a person
	shapeModel     = "model"     // a model's output, the item beside it
	shapeFile      = "file"      // what a file of the item holds
	shapeMakesFile = "makesFile" // a file made of the item
	shapeUnion     = "union"     // the inputs in a form of the node's own
	shapeScript    = "script"    // what code of another language makes
	shapeNone      = "none"      // nothing goes on
)

// shape finds the line of the table for a node.
func (t *Tracer) shape(n *graph.Node) (shape, bool) {
	for _, s := range t.tables.shapes[n.Type] {
		if !s.versions.has(n.TypeVersion) {
			continue
		}
		if len(s.want) > 0 && !slices.Contains(s.want, s.when.of(n)) {
			continue
		}
		if len(s.operation) > 0 && !slices.Contains(s.operation, t.operation(n).Name) {
			continue
		}
		return s, true
	}
	return shape{}, false
}

// arriving leads to the items that come in to a node.
func (t *Tracer) arriving(n *graph.Node, path []string) []step {
	var steps []step
	for _, e := range n.In {
		if e.Kind == graph.Main {
			steps = addOnce(steps, t.along(e, path))
		}
	}
	if len(steps) > 0 {
		return steps
	}
	// A tool or another part sees the item of the agent that uses it.
	for _, e := range n.Out {
		if e.Kind != graph.Main {
			steps = addOnce(steps, step{to: place{node: e.To, side: arriving, path: joinPath(path)}})
		}
	}
	return steps
}

func addOnce(steps []step, s step) []step {
	for i := range steps {
		if steps[i].origin == nil && s.origin == nil && steps[i].to == s.to {
			return steps
		}
	}
	return append(steps, s)
}

// along leads to the items that travel on an edge.
func (t *Tracer) along(e *graph.Edge, path []string) step {
	from, at := e.From, leaving
	s, known := t.shape(from)
	switch {
	case from.Disabled:
	case known && s.name == shapeLoop:
		at = loopSide(from, e.Output)
	case from.OnError == graph.ContinueErrorOutput && e.Output > 0 && (!known || s.name != shapePass):
		at = failing
	}
	return step{to: place{node: from, side: at, path: joinPath(path)}}
}

// failing leads to the items on a node's error output: those that came in, with
// the error beside them (N8N.md 6).
func (t *Tracer) failing(n *graph.Node, path []string) []step {
	failure := ending(Origin{Kind: Response, Node: n, Path: path, Name: "error"})
	input := back(n, path, passing(n))
	switch {
	case len(path) == 0:
		return []step{input, failure}
	case path[0] == "error" || path[0] == "message":
		return []step{failure}
	}
	return []step{input}
}

func passing(n *graph.Node) Hop { return Hop{Node: n, At: n.Place(), What: "passes the item on"} }

// leaving leads to what a node's items are made of.
func (t *Tracer) leaving(n *graph.Node, path []string) []step {
	if n.Disabled {
		return []step{back(n, path, passing(n))}
	}
	steps := t.made(n, path)
	if n.OnError != graph.StopWorkflow && len(path) > 0 && path[0] == "error" {
		failure := ending(Origin{Kind: Response, Node: n, Path: path, Name: "error"})
		failure.either = true
		for i := range steps {
			steps[i].either = true
		}
		steps = append(steps, failure)
	}
	return steps
}

func (t *Tracer) made(n *graph.Node, path []string) []step {
	if ofFile(path) {
		return t.file(n, path)
	}
	if code, mode := catalog.CodeOf(n); code.Exists() {
		return t.code(n, code, mode, path)
	}
	s, ok := t.shape(n)
	if !ok {
		return t.byKind(n, path)
	}
	switch s.name {
	case shapePass, shapeLoop:
		return []step{back(n, path, passing(n))}
	case shapeSet:
		return t.set(n, path)
	case shapeMerge:
		return t.merge(n, path)
	case shapeRename:
		return t.rename(n, path)
	case shapeSplit:
		return t.split(n, path)
	case shapeAggregate:
		return t.aggregate(n, s, path)
	case shapeFigures:
		return t.figures(n, path)
	case shapeCall:
		return t.called(n, path)
	case shapeEcho:
		return t.echo(n, path, s)
	case shapeUnion:
		return t.union(n, path)
	case shapeMakesFile:
		return []step{unknown(n, "what stands beside a file")}
	case shapeScript:
		return []step{unknown(n, "code of a language that is not read")}
	case shapeNone:
		return nil
	case shapeResponse:
		return []step{answer(Response, n, path)}
	}
	return t.oneField(n, s, path)
}

// byKind is for nodes that the table does not name: the catalog says what they do.
func (t *Tracer) byKind(n *graph.Node, path []string) []step {
	row, why := t.catalog.Row(n)
	if row.Kind == catalog.HTTP {
		return []step{answer(Response, n, path)} // whatever the request does
	}
	op := t.operation(n)
	switch op.Kind {
	case catalog.Trigger:
		return t.trigger(n, path)
	case catalog.Query:
		return t.sqlAnswer(n, path)
	case catalog.Logic:
		return []step{back(n, path, passing(n))}
	case catalog.Compute:
		if _, ok := t.tables.models[n.Type]; ok {
			return []step{t.modelAnswer(n, path)}
		}
	case catalog.Unknown:
		if query, _ := t.catalog.QueryParameters(n); query.Kind() == source.String && op.Script != nil {
			return t.sqlAnswer(n, path)
		}
		if why != "" && op.HTTP == nil && !ownNode(n) {
			return []step{ending(Origin{Kind: Unknown, Node: n, Path: path, Name: "the answer of a node that is not known"})}
		}
	}
	if op.Script != nil {
		return t.sqlAnswer(n, path)
	}
	if op.Kind == catalog.Read && op.Target.Store != "" {
		return []step{answer(Row, n, path)}
	}
	return []step{answer(Response, n, path)}
}

// ownNode tells n8n's own packages from those of its community, whose nodes may
// do anything with an item.
func ownNode(n *graph.Node) bool {
	return strings.HasPrefix(n.Type, "n8n-nodes-base.") || strings.HasPrefix(n.Type, "@n8n/n8n-nodes-langchain.")
}

func answer(k Kind, n *graph.Node, path []string) step {
	return ending(Origin{Kind: k, Node: n, Path: path})
}

// union is for nodes that give the items of all inputs in a form of their own.
func (t *Tracer) union(n *graph.Node, path []string) []step {
	return []step{back(n, path, passing(n))}
}
