package flow

import "github.com/n8nlint/n8nlint/internal/graph"

// before reports whether items of a node can come to another one, or to the
// agent that it is a part of, so that the one may have run when the other does.
func (t *Tracer) before(from, to *graph.Node) bool {
	reached := t.behind(from)
	seen := map[*graph.Node]bool{}
	todo := []*graph.Node{to}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached.Has(n) {
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
func (t *Tracer) behind(n *graph.Node) graph.NodeSet {
	set, ok := t.reaches[n]
	if !ok {
		set = graph.Behind(n)
		t.reaches[n] = set
	}
	return set
}
