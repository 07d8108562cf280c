package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Held is an effect that one guard, and nothing better, keeps from a repeat.
type Held struct {
	Effect   *Effect
	Exposure Exposure
}

// HeldBy lists the effects that executions reach past a guard in a standing, one
// exposure each, and that no way around the guard reaches from the same
// trigger.
func (f *Facts) HeldBy(g *Guard, s Standing) (list []Held) {
	for _, e := range f.Effects {
		if e.Agent != nil {
			continue
		}
		for _, x := range e.Exposures {
			if x.Guard == g && x.Standing == s && !e.weaker(x) {
				list = append(list, Held{e, x})
			}
		}
	}
	return list
}

// weaker reports whether the same trigger reaches the effect in a standing that
// another rule speaks of: around every guard, or as the loser of a claim.
func (e *Effect) weaker(x Exposure) bool {
	for _, other := range e.Exposures {
		if other.Root == x.Root && other.Standing < x.Standing {
			return true
		}
	}
	return false
}

// Visit is an arrival of executions at a node.
type Visit struct {
	Root     Root
	Standing Standing
	Guard    *Guard
	Path     []*graph.Node
}

// Visits are the arrivals at a node, one a root, standing and guard, weakest
// standing first.
func (f *Facts) Visits(n *graph.Node) (list []Visit) {
	for _, x := range exposures(f.model.reached[n]) {
		list = append(list, Visit{Root: x.Root, Standing: x.Standing, Guard: x.Guard, Path: x.Path})
	}
	return list
}

// MakesRow reports whether a node leaves a row, a record or a key where there
// was none.
func (f *Facts) MakesRow(n *graph.Node) bool {
	op := f.model.ops[n]
	return !n.Disabled && op.Writes() && makesRow(op)
}

// Guard is the guard that a node is, nil for none.
func (f *Facts) Guard(n *graph.Node) *Guard {
	if g := f.model.guards[n]; g != nil {
		return g
	}
	return f.model.memories[n]
}

// Nodes are the nodes that an execution reaches, in the order of the file.
func (f *Facts) Nodes() (list []*graph.Node) {
	for _, n := range f.Workflow.Nodes {
		if f.Reached(n) {
			list = append(list, n)
		}
	}
	return list
}

// SameStore reports whether two nodes work on one table, sheet or key, or on one
// address.
func (f *Facts) SameStore(a, b *graph.Node) bool { return f.model.sameStore(a, b) }

func (m *model) sameStore(a, b *graph.Node) bool {
	x, y := m.ops[a], m.ops[b]
	if x.Target.Same(y.Target) || sameAddress(x, y) {
		return true
	}
	// A Redis key is the thing itself, and may be written in two ways.
	return a.Type == redisNode && b.Type == redisNode && m.sameValue(a, a.Parameter("key"), b, b.Parameter("key"))
}

// sameValue reports whether two parameters have the same text and take the same
// fields of the same nodes.
func (m *model) sameValue(a *graph.Node, x source.Value, b *graph.Node, y source.Value) bool {
	p, q := m.eval.template(x.Str()).Parts, m.eval.template(y.Str()).Parts
	return len(p) > 0 && slices.EqualFunc(p, q, func(p, q expr.Part) bool {
		if p.Code != q.Code {
			return false
		}
		if !p.Code {
			return p.Text == q.Text
		}
		return slices.EqualFunc(m.fieldsOf(a, p), m.fieldsOf(b, q), func(x, y expr.Origin) bool {
			return x.Kind == y.Kind && x.Name == y.Name && slices.Equal(x.Path, y.Path)
		})
	})
}

// fieldsOf are the sources of one expression, the current item named by the
// node that made it.
func (m *model) fieldsOf(n *graph.Node, p expr.Part) []expr.Origin {
	origins := slices.Clone(p.Eval(expr.Symbolic{}).AllOrigins())
	for i := range origins {
		if origins[i].Kind == expr.OriginReference && origins[i].Name == "" {
			origins[i].Name = m.producer(n)
		}
	}
	return origins
}

// producer is the name of the node that made the item which arrives at n, ""
// where there are several.
func (m *model) producer(n *graph.Node) string {
	for range longestConfigWay {
		in := n.MainIn()
		if len(in) != 1 {
			return ""
		}
		n = in[0].From
		if !n.Disabled && !passes()[n.Type] {
			return n.Name
		}
	}
	return ""
}
