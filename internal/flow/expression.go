package flow

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// read leads to what a field of a parameter's value is made of. What says what
// the parameter does, for the hops; an empty path is the whole value.
func (t *Tracer) read(n *graph.Node, v source.Value, path []string, what string) []step {
	return t.readAs(n, v, path, what, false)
}

func (t *Tracer) readAs(n *graph.Node, v source.Value, path []string, what string, resolved bool) []step {
	r := reader{tracer: t, node: n, what: what, resolved: resolved}
	r.value(v, path, 0)
	return r.steps
}

type reader struct {
	tracer   *Tracer
	node     *graph.Node
	what     string
	resolved bool
	pieces   int
	steps    []step
}

func (r *reader) value(v source.Value, path []string, depth int) {
	r.pieces++
	if r.pieces > maxPieces || depth > maxNesting {
		r.steps = append(r.steps, unknown(r.node, "too much inside one parameter"))
		return
	}
	switch v.Kind() {
	case source.Object, source.Array:
		r.inside(v, path, depth)
	case source.String:
		r.text(v, path)
	case source.Absent:
		r.steps = append(r.steps, ending(Origin{Kind: Missing, Node: r.node, Path: path}))
	default:
		r.steps = append(r.steps, constant(r.node, v.Span()))
	}
}

func (r *reader) inside(v source.Value, path []string, depth int) {
	if len(path) > 0 && path[0] != "*" {
		child := v.Get(path[0])
		if v.Kind() == source.Array {
			child = element(v, path[0])
		}
		r.value(child, path[1:], depth+1)
		return
	}
	if len(path) > 0 {
		path = path[1:]
	}
	for c := range v.Children() {
		r.value(c, path, depth+1)
	}
	if v.Len() == 0 {
		r.steps = append(r.steps, constant(r.node, v.Span()))
	}
}

// element is the element of an array under an index that is written as a field.
func element(v source.Value, index string) source.Value {
	n := 0
	for _, c := range index {
		if c < '0' || c > '9' || n > 1<<20 {
			return source.Value{}
		}
		n = n*10 + int(c-'0')
	}
	return v.Index(n)
}

func (r *reader) text(v source.Value, path []string) {
	template := r.tracer.template(v, r.resolved)
	p, single := template.Single()
	switch {
	case !template.Expression && (len(path) == 0 || !likeJSON(v.Str())):
		r.steps = append(r.steps, constant(r.node, v.Span()))
	case single:
		r.steps = append(r.steps, r.tracer.partSteps(r.node, v, p, path, r.what)...)
	case len(path) > 0 && likeJSON(strings.TrimPrefix(v.Str(), "=")):
		r.steps = append(r.steps, r.tracer.jsonField(r.node, v, template, path, r.what)...)
	default:
		r.parts(v, template)
	}
}

func (r *reader) parts(v source.Value, template *expr.Template) {
	code := false
	for _, p := range template.Parts {
		if p.Code {
			code = true
			r.steps = append(r.steps, r.tracer.partSteps(r.node, v, p, nil, r.what)...)
		}
	}
	if !code {
		r.steps = append(r.steps, constant(r.node, v.Span()))
	}
}

func likeJSON(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && (s[0] == '{' || s[0] == '[')
}

func constant(n *graph.Node, at source.Span) step {
	return ending(Origin{Kind: Constant, Node: n, Name: "literal", At: at})
}

// jsonField leads to a field of a JSON text that has expressions inside.
func (t *Tracer) jsonField(n *graph.Node, v source.Value, template *expr.Template, path []string, what string) []step {
	var text httpcall.Text
	for i, p := range template.Parts {
		if p.Code {
			text.Parts = append(text.Parts, httpcall.Part{Hole: i + 1})
		} else {
			text.Parts = append(text.Parts, httpcall.Part{Literal: p.Text})
		}
	}
	fields, complete := httpcall.JSONFields(text)
	var steps []step
	for _, f := range fields {
		name, known := f.Name.Known()
		if !known {
			complete = false
			continue
		}
		if rest, ok := within(strings.Split(name, "."), path); ok {
			steps = append(steps, t.jsonValue(n, v, template, f.Value, rest, what)...)
		}
	}
	switch {
	case !complete:
		return append(steps, unknown(n, "JSON that an expression makes"))
	case len(steps) == 0:
		return []step{ending(Origin{Kind: Missing, Node: n, Path: path})}
	}
	return steps
}

func (t *Tracer) jsonValue(n *graph.Node, v source.Value, template *expr.Template, value httpcall.Text, rest []string, what string) []step {
	holes := value.Holes()
	if len(holes) == 0 {
		return []step{constant(n, v.Span())}
	}
	if len(value.Parts) > 1 {
		rest = nil
	}
	var steps []step
	for _, hole := range holes {
		steps = append(steps, t.partSteps(n, v, template.Parts[hole-1], rest, what)...)
	}
	return steps
}

// within tells whether a written field is, or is inside, or holds the one that is
// asked for; rest is what is left to read inside the written field.
func within(written, asked []string) (rest []string, ok bool) {
	for i := range written {
		if i >= len(asked) {
			return nil, true
		}
		if asked[i] != "*" && written[i] != asked[i] {
			return nil, false
		}
	}
	return asked[len(written):], true
}

// partSteps leads from one expression of a template; path is the field of its
// value that is wanted.
func (t *Tracer) partSteps(n *graph.Node, v source.Value, p expr.Part, path []string, what string) []step {
	if p.Program == nil {
		if p.Err != nil {
			return []step{ending(Origin{Kind: Unknown, Node: n, Name: "code that cannot be read", At: v.Inner(p.Start, p.End)})}
		}
		return []step{constant(n, v.Inner(p.Start, p.End))}
	}
	text := origins{tracer: t, node: n, value: v, code: v.Str(), what: what, whole: v.Inner(p.Start, p.End)}
	return text.steps(p.Eval(expr.Symbolic{}), path)
}

// origins turns the origins of an abstract value into steps. Their spans are
// offsets in code, which is the decoded text of value.
type origins struct {
	tracer *Tracer
	node   *graph.Node
	value  source.Value
	code   string
	what   string
	whole  source.Span
}

func (o origins) steps(v expr.Value, path []string) []step {
	ends := descend(v, path)
	var steps []step
	for _, e := range ends {
		found := o.ending(e, path)
		for i := range found {
			found[i].either = found[i].either || len(ends) > 1
			if e.spread == nil {
				continue
			}
			found[i].whole = true
			if e.value.Kind() != expr.KindReference {
				found[i].asked = joinPath(e.spread) // several were spread: the name is not in the origins
			}
		}
		steps = append(steps, found...)
	}
	return steps
}

func (o origins) ending(e end, path []string) []step {
	if list := withoutWholes(e.value.AllOrigins()); len(list) > 0 {
		var steps []step
		for _, origin := range list {
			steps = append(steps, o.step(origin)...)
		}
		for i := range steps {
			steps[i].either = steps[i].either || e.spread != nil && len(steps) > 1
		}
		if len(steps) > 0 {
			return steps
		}
	}
	switch {
	case e.value.Kind() == expr.KindUndefined && e.exact && len(path) > 0:
		return []step{ending(Origin{Kind: Missing, Node: o.node, Path: path, At: o.whole})}
	case allKnown(e.value, 0):
		return []step{ending(Origin{Kind: Constant, Node: o.node, Name: "literal", At: o.whole})}
	}
	return []step{ending(Origin{Kind: Unknown, Node: o.node, Name: "a value that cannot be followed", At: o.whole})}
}

// end is a value at the end of a path; exact is false where the value ended
// before the path did; spread is the rest of the path from the object on into
// which something was spread whose fields are not listed.
type end struct {
	value  expr.Value
	exact  bool
	spread []string
}

// descend reads a field as far as the value has fields. Of a field that is there
// on some runs only, an open object gives both what was written and what else it
// may hold under the name.
func descend(v expr.Value, path []string) []end {
	var spread []string
	for i, name := range path {
		switch v.Kind() {
		case expr.KindObject:
			if name == "*" {
				return []end{{value: v, spread: spread}}
			}
			if f, ok := sometimes(v, name); ok {
				return append(descend(f.WithOrigins(v.Origins()...), path[i+1:]), spreading(descend(v.Rest().Field(name), path[i+1:]), path[i:])...)
			}
			if spread == nil && v.Open() && !lists(v, name) {
				spread = path[i:]
			}
			v = v.Field(name)
		case expr.KindArray:
			if name == "*" {
				return anyElement(v, path[i+1:])
			}
			v = v.Field(name)
		case expr.KindReference, expr.KindUnknown:
			v = v.Field(name)
		default:
			return []end{{value: v, spread: spread}}
		}
	}
	return []end{{value: v, exact: true, spread: spread}}
}

func spreading(ends []end, spread []string) []end {
	for i := range ends {
		ends[i].spread = spread
	}
	return ends
}

// lists reports whether an object names a field itself.
func lists(v expr.Value, name string) bool {
	return slices.ContainsFunc(v.Fields(), func(f expr.Field) bool { return f.Name == name })
}

// anyElement reads a field of every element.
func anyElement(v expr.Value, path []string) []end {
	elements, ok := v.Elements()
	if !ok || len(elements) == 0 || len(elements) > maxElements {
		return descend(v.Element(), path)
	}
	var ends []end
	for _, e := range elements {
		ends = append(ends, descend(e.WithOrigins(v.Origins()...), path)...)
	}
	return ends
}

// sometimes finds a field of an open object that may be absent.
func sometimes(v expr.Value, name string) (expr.Value, bool) {
	if !v.Open() {
		return expr.Value{}, false
	}
	for _, f := range v.Fields() {
		if f.Name == name {
			return f.Value, f.Optional
		}
	}
	return expr.Value{}, false
}

// allKnown reports whether everything in a value is known.
func allKnown(v expr.Value, depth int) bool {
	if depth > maxNesting {
		return false
	}
	switch v.Kind() {
	case expr.KindObject:
		if v.Open() {
			return false
		}
		for _, f := range v.Fields() {
			if !allKnown(f.Value, depth+1) {
				return false
			}
		}
		return true
	case expr.KindArray:
		elements, ok := v.Elements()
		for _, e := range elements {
			ok = ok && allKnown(e, depth+1)
		}
		return ok
	}
	return v.Known()
}

// withoutWholes leaves out an object of which a field under an unknown name is
// read: it is that field that goes on, not the whole.
func withoutWholes(list []expr.Origin) []expr.Origin {
	var kept []expr.Origin
	for _, o := range list {
		if o.Kind != expr.OriginReference || !oneOf(list, o) {
			kept = append(kept, o)
		}
	}
	return kept
}

func oneOf(list []expr.Origin, whole expr.Origin) bool {
	for _, o := range list {
		if o.Kind != expr.OriginReference || o.Name != whole.Name || len(o.Path) <= len(whole.Path) || o.Path[len(whole.Path)] != "*" {
			continue
		}
		if _, ok := within(whole.Path, o.Path); ok {
			return true
		}
	}
	return false
}

func (o origins) step(origin expr.Origin) []step {
	at := o.value.Inner(origin.Start, origin.End)
	if origin.End <= origin.Start {
		at = o.whole
	}
	ends := func(k Kind) []step {
		s := ending(Origin{Kind: k, Node: o.node, Path: origin.Path, Name: origin.Name, At: at})
		s.fallback = origin.Fallback
		return []step{s}
	}
	switch origin.Kind {
	case expr.OriginReference:
		return []step{o.reference(origin, at)}
	case expr.OriginVolatile:
		s := ends(Volatile)
		s[0].origin.Path = nil
		s[0].origin.PerTry = perTry(origin.Name)
		s[0].day = strings.HasPrefix(origin.Name, "$today") || o.tracer.cutToDay(o.code, origin.Start, origin.End)
		return s
	case expr.OriginModel:
		return ends(Model)
	case expr.OriginStable:
		return ends(Constant)
	case expr.OriginEnvironment:
		s := ends(Environment)
		s[0].origin.Name = strings.Join(append([]string{origin.Name}, origin.Path...), ".")
		s[0].origin.Path = nil
		return s
	case expr.OriginCall:
		return o.call(origin, ends)
	}
	return ends(Unknown)
}

// perTry tells what is evaluated anew on each try from what belongs to the
// execution (N8N.md 2).
func perTry(name string) bool {
	return !strings.HasPrefix(name, "$execution") && !strings.HasPrefix(name, "$prevNode") && name != "$position"
}

// callKind says what a function's answer is, by calls.tsv.
type callKind string

const (
	callPure     callKind = "pure"     // made of its arguments alone
	callResponse callKind = "response" // the answer of a service
	callMemory   callKind = "memory"   // what the workflow has kept
)

func (o origins) call(origin expr.Origin, ends func(Kind) []step) []step {
	switch o.tracer.tables.callOf(origin.Name) {
	case callPure:
		return nil
	case callResponse:
		return ends(Response)
	case callMemory:
		return ends(Row)
	}
	return ends(Unknown)
}

// callOf knows a function by its whole path, or by its last name as a method.
func (t *tables) callOf(callee string) callKind {
	if k, ok := t.calls[callee]; ok {
		return k
	}
	if i := strings.LastIndexByte(callee, '.'); i >= 0 {
		return t.calls["*"+callee[i:]]
	}
	return ""
}

// reference leads to the item that an expression reads: the current one, or
// that of a node that has run.
func (o origins) reference(origin expr.Origin, at source.Span) step {
	s := step{hop: Hop{Node: o.node, At: at, What: o.saying(origin)}, fallback: origin.Fallback}
	s.day = o.tracer.cutToDay(o.code, origin.Start, origin.End)
	if len(origin.Path) == 1 && origin.Path[0] == "isExecuted" && !strings.Contains(at.Text(), "json") {
		s.origin = &Origin{Kind: Unknown, Node: o.node, Name: "whether a node has run", At: at}
		return s
	}
	if origin.Name == "" {
		s.to = place{node: o.node, side: arriving, path: joinPath(origin.Path)}
		return s
	}
	from := o.node.Workflow.Node(origin.Name)
	if from == nil || !o.tracer.before(from, o.node) {
		why := "the node has not run"
		if from == nil {
			why = "no node has this name"
		}
		s.origin = &Origin{Kind: Unknown, Node: o.node, Path: origin.Path, Name: why, At: at}
		return s
	}
	s.to = place{node: from, side: o.tracer.sideSeen(from, o.node), path: joinPath(origin.Path)}
	return s
}

// sideSeen is the output of a node that another one, which names it, is behind:
// inside a loop that is the item of the loop.
func (t *Tracer) sideSeen(from, user *graph.Node) side {
	if s, ok := t.shape(from); ok && s.name == shapeLoop && !from.Disabled && t.behind(user).Has(from) {
		return looping
	}
	return leaving
}

func (o origins) saying(origin expr.Origin) string {
	if o.what != "" {
		return o.what
	}
	if len(origin.Path) == 0 {
		return "reads the item"
	}
	return "reads " + strings.Join(origin.Path, ".")
}
