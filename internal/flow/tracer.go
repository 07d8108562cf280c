package flow

import (
	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Tracer follows values back through the workflows of one run. It keeps what it
// has read, and is used by one goroutine at a time.
type Tracer struct {
	catalog *catalog.Catalog
	callers func(*graph.Workflow) []*graph.Node
	callee  func(*graph.Node) *graph.Workflow

	tables     *tables
	operations map[*graph.Node]catalog.Operation
	templates  map[templateKey]*expr.Template
	bodies     map[*graph.Node]*body
	reaches    map[*graph.Node]graph.NodeSet
	leads      map[place][]step
	queries    map[*graph.Node]*query
	results    map[place]*reached
	// spent counts the steps of all searches in a workflow.
	spent map[*graph.Workflow]int
}

type templateKey struct {
	value    source.Value
	resolved bool
}

// New makes a tracer. callers gives the nodes of the run that call a workflow,
// callee the workflow of the run that a node calls; both may be nil, and callee
// may give nil.
func New(c *catalog.Catalog, workflows []*graph.Workflow, callers func(w *graph.Workflow) []*graph.Node, callee func(call *graph.Node) *graph.Workflow) *Tracer {
	nodes := 0
	for _, w := range workflows {
		nodes += len(w.Nodes)
	}
	if callers == nil {
		callers = func(*graph.Workflow) []*graph.Node { return nil }
	}
	if callee == nil {
		callee = func(*graph.Node) *graph.Workflow { return nil }
	}
	return &Tracer{
		catalog: c, callers: callers, callee: callee, tables: embedded(),
		operations: make(map[*graph.Node]catalog.Operation, nodes),
		templates:  map[templateKey]*expr.Template{},
		bodies:     map[*graph.Node]*body{},
		reaches:    map[*graph.Node]graph.NodeSet{},
		leads:      make(map[place][]step, nodes),
		queries:    map[*graph.Node]*query{},
		results:    make(map[place]*reached, nodes),
		spent:      map[*graph.Workflow]int{},
	}
}

// Value traces a parameter of a node as n8n evaluates it there: a string with a
// leading "=" is a template, any other text is itself. For an object or an array
// everything inside counts.
func (t *Tracer) Value(n *graph.Node, v source.Value) Trace { return t.trace(n, v, false) }

// Resolved traces a parameter that the node resolves itself, so that {{ }} is
// code without a leading "=" too: a query, its replacements (N8N.md 1c, 8).
func (t *Tracer) Resolved(n *graph.Node, v source.Value) Trace { return t.trace(n, v, true) }

// Part traces one piece of a parameter's template.
func (t *Tracer) Part(n *graph.Node, v source.Value, p expr.Part) Trace {
	var tr Trace
	tr.add(t.part(n, v, p))
	tr.Literal = !p.Code
	return tr
}

// Field traces a field of the item that arrives at a node; without a path, the
// whole item.
func (t *Tracer) Field(n *graph.Node, path ...string) Trace {
	var tr Trace
	origins, incomplete := t.walk(n, []step{{to: place{node: n, side: arriving, path: joinPath(path)}}})
	tr.include(origins)
	tr.Incomplete = incomplete
	return tr
}

// Mapped traces a field of the item that arrives at a node which takes all that
// are there: nobody has written the field's name as one of the item's.
func (t *Tracer) Mapped(n *graph.Node, field string) Trace {
	var tr Trace
	origins, incomplete := t.walk(n, []step{{to: place{node: n, side: arriving, path: field}, whole: true}})
	tr.include(origins)
	tr.Incomplete = incomplete
	return tr
}

func (t *Tracer) trace(n *graph.Node, v source.Value, resolved bool) Trace {
	tr := Trace{Literal: true}
	pieces := 0
	t.traceInside(n, v, resolved, &tr, &pieces, 0)
	if tr.Literal && v.Exists() {
		tr.include([]Origin{{Kind: Constant, Node: n, Name: "literal", At: v.Span()}})
	}
	return tr
}

func (t *Tracer) traceInside(n *graph.Node, v source.Value, resolved bool, tr *Trace, pieces *int, depth int) {
	*pieces++
	if *pieces > maxPieces || depth > maxNesting {
		tr.Incomplete = true
		return
	}
	switch v.Kind() {
	case source.Object, source.Array:
		for c := range v.Children() {
			t.traceInside(n, c, resolved, tr, pieces, depth+1)
		}
	case source.String:
		for _, p := range t.template(v, resolved).Parts {
			tr.Literal = tr.Literal && !p.Code
			tr.add(t.part(n, v, p))
		}
	case source.Number, source.Bool:
		tr.Parts = append(tr.Parts, TracePart{Text: v.Text(), At: v.Span()})
		tr.Text += v.Text()
	}
}

func (t *Tracer) part(n *graph.Node, v source.Value, p expr.Part) (TracePart, bool) {
	piece := TracePart{Text: p.Text, Code: p.Code, At: v.Inner(p.Start, p.End)}
	if !p.Code {
		return piece, false
	}
	origins, incomplete := t.walk(n, t.partSteps(n, v, p, nil, ""))
	piece.Origins = origins
	return piece, incomplete
}

func (t *Tracer) template(v source.Value, resolved bool) *expr.Template {
	k := templateKey{v, resolved}
	parsed := t.templates[k]
	if parsed == nil {
		parsed = parseTemplate(v.Str(), resolved)
		t.templates[k] = parsed
	}
	return parsed
}

func parseTemplate(s string, resolved bool) *expr.Template {
	if resolved {
		return expr.ParseResolved(s)
	}
	return expr.ParseTemplate(s)
}

func (t *Tracer) operation(n *graph.Node) catalog.Operation {
	op, ok := t.operations[n]
	if !ok {
		op = t.catalog.Of(n)
		t.operations[n] = op
	}
	return op
}

func (tr *Trace) add(p TracePart, incomplete bool) {
	tr.Parts = append(tr.Parts, p)
	if !p.Code {
		tr.Text += p.Text
	}
	tr.include(p.Origins)
	tr.Incomplete = tr.Incomplete || incomplete
}

func (tr *Trace) include(origins []Origin) {
	for _, o := range origins {
		if len(tr.Origins) >= maxOrigins {
			tr.Incomplete = true
			return
		}
		if !tr.has(o) {
			tr.Origins = append(tr.Origins, o)
		}
	}
}

func (tr *Trace) has(o Origin) bool {
	for i := range tr.Origins {
		if same(&tr.Origins[i], &o) {
			tr.Origins[i].Fallback = tr.Origins[i].Fallback && o.Fallback
			return true
		}
	}
	return false
}
