package guard

import "github.com/n8nlint/n8nlint/internal/graph"

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
	return a.Type == redisNode && b.Type == redisNode && m.tracer().Value(a, a.Parameter("key")).Same(m.tracer().Value(b, b.Parameter("key")))
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
		if !m.passes(n) {
			return n.Name
		}
	}
	return ""
}
