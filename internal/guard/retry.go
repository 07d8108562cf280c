package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Retry is a node with Retry On Fail and the strongest effect that a second try
// does again: its own, or one of the tools or workflows that it runs.
type Retry struct {
	Node   *graph.Node
	Effect *Effect
	// ByHand: only manual and test triggers start the workflow.
	ByHand bool
}

// retried finds the retries of a workflow. Claims are left out: what a second
// try does to a claim is another matter.
func (m *model) retried(f *Facts) (list []Retry) {
	for _, n := range m.workflow.Nodes {
		if !n.RetryOnFail || !f.Reached(n) || m.guards[n] != nil {
			continue
		}
		if e := m.repeats(n, map[*graph.Node]bool{}); e != nil {
			list = append(list, Retry{Node: n, Effect: e, ByHand: m.byHand(n)})
		}
	}
	return list
}

// byHand reports whether only manual triggers reach a node, or the agent that
// uses it.
func (m *model) byHand(n *graph.Node) bool {
	visits := m.reached[n]
	if user := m.user(n); len(visits) == 0 && user != nil {
		visits = m.reached[user]
	}
	return !slices.ContainsFunc(visits, func(v *visit) bool { return v.root.Class != catalog.Manual })
}

// repeats is the strongest effect that a run of the node has, nil for none.
func (m *model) repeats(n *graph.Node, seen map[*graph.Node]bool) *Effect {
	if seen[n] || n.Disabled {
		return nil
	}
	seen[n] = true
	best, _ := m.effect(n)
	take := func(e *Effect) {
		if e != nil && (best == nil || e.Impact.Stronger(best.Impact)) {
			best = e
		}
	}
	for _, part := range n.Uses("ai_tool") {
		take(m.repeats(part, seen))
	}
	if callee := m.callees[n]; callee != nil {
		for _, start := range callee.calledTriggers() {
			for _, other := range inOrder(graph.Reachable(start, nil)) {
				take(callee.repeats(other, seen))
			}
		}
	}
	return best
}

func inOrder(set map[*graph.Node]bool) []*graph.Node {
	list := make([]*graph.Node, 0, len(set))
	for n := range set {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b *graph.Node) int { return a.Index - b.Index })
	return list
}
