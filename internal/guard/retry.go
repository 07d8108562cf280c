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
	// Classes are those of the triggers that lead to the node.
	Classes []catalog.Class
}

// retried finds the retries of a workflow. Claims are left out: what a second
// try does to a claim is another matter.
func (m *model) retried(f *Facts) (list []Retry) {
	for _, n := range m.workflow.Nodes {
		if !n.RetryOnFail || !f.Reached(n) || m.guards[n] != nil {
			continue
		}
		if e := m.repeats(n, map[*graph.Node]bool{}); e != nil {
			list = append(list, Retry{Node: n, Effect: e, Classes: m.classes(n)})
		}
	}
	return list
}

// classes are those of the triggers that reach a node, or the agent that uses it.
func (m *model) classes(n *graph.Node) (list []catalog.Class) {
	visits := m.reached[n]
	if user := m.user(n); len(visits) == 0 && user != nil {
		visits = m.reached[user]
	}
	for _, v := range visits {
		if !slices.Contains(list, v.root.Class) {
			list = append(list, v.root.Class)
		}
	}
	return list
}

// repeats is the strongest effect that a run of the node has, nil for none. One
// whose key makes a second try harmless counts only where there is no other.
func (m *model) repeats(n *graph.Node, seen map[*graph.Node]bool) *Effect {
	if seen[n] || n.Disabled {
		return nil
	}
	seen[n] = true
	best, _ := m.effect(n)
	take := func(e *Effect) {
		if e != nil && (best == nil || best.weighsLess(e)) {
			best = e
		}
	}
	for _, part := range n.Uses("ai_tool") {
		take(m.repeats(part, seen))
	}
	callee := m.callees[n]
	if callee == nil {
		return best
	}
	for _, start := range callee.calledTriggers() {
		for _, other := range inOrder(graph.Reachable(start, nil)) {
			if !callee.claims(other) {
				take(inNewExecution(callee.repeats(other, seen)))
			}
		}
	}
	return best
}

func (e *Effect) weighsLess(other *Effect) bool {
	if safe := e.Key.SurvivesRetry(); safe != other.Key.SurvivesRetry() {
		return safe
	}
	return other.Impact.Stronger(e.Impact)
}

// claims reports whether every way to a node leads past a claim of its own
// workflow, which a second run of the workflow loses.
func (m *model) claims(n *graph.Node) bool {
	visits := m.reached[n]
	return len(visits) > 0 && !slices.ContainsFunc(visits, func(v *visit) bool {
		return v.standing != Winner || v.guard.Node.Workflow != m.workflow
	})
}

// inNewExecution is an effect of a called workflow: each try of the call runs it
// under another execution id (N8N.md section 2).
func inNewExecution(e *Effect) *Effect {
	if e == nil || e.Key == nil || e.Key.Volatile == "" || e.Key.PerTry != "" {
		return e
	}
	inner, key := *e, *e.Key
	key.PerTry = key.Volatile
	inner.Key = &key
	return &inner
}

func inOrder(set map[*graph.Node]bool) []*graph.Node {
	list := make([]*graph.Node, 0, len(set))
	for n := range set {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b *graph.Node) int { return a.Index - b.Index })
	return list
}
