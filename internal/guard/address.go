package guard

import (
	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// resolveAddress looks for the address of a request whose export writes it as
// an expression: the constants of the workflow's own Set nodes, and the literal
// that an expression falls back to.
func (m *model) resolveAddress(n *graph.Node, op *catalog.Operation) {
	if op.HTTP == nil || !op.HTTP.AddressUnknown() {
		return
	}
	for _, s := range []expr.Scope{constants{m, n}, missingFor(op.HTTP)} {
		if url, ok := op.HTTP.Evaluate(s); ok {
			op.Judge(url)
			return
		}
	}
}

// missing is a scope in which the fields that a request's address asks for are
// absent, so that an expression gives what it falls back to. It maps a node's
// name, "" for the current item, to the objects on the way to those fields.
type missing map[string]*branching

// branching is an object with the objects inside it.
type branching struct {
	// text is what a leaf holds, "" for an object.
	text     string
	names    []string
	children map[string]*branching
}

func missingFor(r *catalog.Request) missing {
	m := missing{}
	for _, h := range r.Holes {
		if h.Part.Program == nil {
			continue
		}
		for _, o := range h.Part.Eval(expr.Symbolic{}).AllOrigins() {
			if o.Kind == expr.OriginReference && len(o.Path) > 0 {
				m.add(o.Name, o.Path[:len(o.Path)-1])
			}
		}
	}
	return m
}

func (m missing) add(node string, path []string) *branching {
	if m[node] == nil {
		m[node] = &branching{children: map[string]*branching{}}
	}
	at := m[node]
	for _, name := range path {
		if at.children[name] == nil {
			at.children[name] = &branching{children: map[string]*branching{}}
			at.names = append(at.names, name)
		}
		at = at.children[name]
	}
	return at
}

func (b *branching) value() expr.Value {
	if b != nil && b.text != "" {
		return expr.String(b.text)
	}
	var fields []expr.Field
	if b != nil {
		for _, name := range b.names {
			fields = append(fields, expr.Field{Name: name, Value: b.children[name].value()})
		}
	}
	return expr.Object(fields...)
}

func (m missing) CurrentItem() expr.Value { return m[""].value() }

func (m missing) CurrentItems() expr.Value {
	return expr.Array(expr.Object(expr.Field{Name: "json", Value: m.CurrentItem()}))
}

func (m missing) NodeItem(name string) expr.Value { return m[name].value() }

func (m missing) Global(string) (expr.Value, bool) { return expr.Value{}, false }

// constants is the scope in which only what Set nodes write as literals is known.
type constants struct {
	model *model
	node  *graph.Node
}

func (c constants) CurrentItem() expr.Value {
	in := c.node.MainIn()
	if len(in) != 1 {
		return expr.Ref("")
	}
	return c.model.literals(in[0].From, 0)
}

func (c constants) CurrentItems() expr.Value {
	return expr.Array(expr.Object(expr.Field{Name: "json", Value: c.CurrentItem()}))
}

func (c constants) NodeItem(name string) expr.Value {
	if n := c.model.workflow.Node(name); n != nil {
		return c.model.literals(n, 0)
	}
	return expr.Ref(name)
}

func (c constants) Global(string) (expr.Value, bool) { return expr.Value{}, false }

// literals is the item of a node as far as Set nodes write constants into it.
func (m *model) literals(n *graph.Node, depth int) expr.Value {
	if depth > longestConfigWay {
		return expr.Ref(n.Name)
	}
	upstream := func() expr.Value {
		if in := n.MainIn(); len(in) == 1 {
			return m.literals(in[0].From, depth+1)
		}
		return expr.Ref(n.Name)
	}
	switch {
	case m.passes(n):
		return upstream()
	case n.Type == setNode:
		item := expr.Ref(n.Name)
		if flow.KeepsFields(n) {
			item = upstream()
		}
		return m.set(n, scope{token: token{item: item}, node: n})
	}
	return expr.Ref(n.Name)
}
