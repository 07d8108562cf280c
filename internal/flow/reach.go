package flow

import "github.com/n8nlint/n8nlint/internal/graph"

// bits is a set of the nodes of one workflow, by index.
type bits []uint64

func (b bits) has(n *graph.Node) bool {
	i := n.Index
	return i>>6 < len(b) && b[i>>6]&(1<<(i&63)) != 0
}

func (b bits) add(n *graph.Node) { b[n.Index>>6] |= 1 << (n.Index & 63) }

// before reports whether items of a node can come to another one, or to the
// agent that it is a part of, so that the one may have run when the other does.
func (t *Tracer) before(from, to *graph.Node) bool {
	reached := t.behind(from)
	seen := map[*graph.Node]bool{}
	todo := []*graph.Node{to}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached.has(n) {
			return true
		}
		if seen[n] {
			continue
		}
		seen[n] = true
		for _, e := range n.Out {
			if e.Kind != graph.Main {
				todo = append(todo, e.To)
			}
		}
	}
	return false
}

// behind are the nodes that items of a node can come to; the node itself only
// on a cycle.
func (t *Tracer) behind(n *graph.Node) bits {
	set, ok := t.reaches[n]
	if ok {
		return set
	}
	last := 0
	for _, other := range n.Workflow.Nodes {
		last = max(last, other.Index)
	}
	set = make(bits, last>>6+1)
	todo := []*graph.Node{n}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range at.Out {
			if e.Kind == graph.Main && !set.has(e.To) {
				set.add(e.To)
				todo = append(todo, e.To)
			}
		}
	}
	t.reaches[n] = set
	return set
}
