package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/graph"
)

// Answer is one way in which the sender of an event gets its answer.
type Answer struct {
	Webhook *graph.Node
	// Node gives the answer: a Respond to Webhook node, or the webhook itself in
	// the mode lastNode.
	Node *graph.Node
	// Before are the nodes that may run while the sender waits, in the order of
	// the file.
	Before []*graph.Node
	// Code is the status, 0 where it is an expression.
	Code int
	// Failed: only error outputs lead to it.
	Failed bool
}

// Answers are the answers of a webhook that waits for work: none in the modes
// onReceived and streaming, nor where the mode is an expression. A Respond node
// that an earlier one has made useless is left out.
func (f *Facts) Answers(webhook *graph.Node) (list []Answer) {
	m := f.model
	switch mode, _ := ResponseMode(webhook); mode {
	case LastNode:
		return []Answer{{Webhook: webhook, Node: webhook, Before: m.run(webhook), Code: 200}}
	case ResponseNode:
		ahead := m.unanswered(webhook)
		for _, r := range f.Responders(webhook) {
			if ahead[r] && !r.Disabled {
				list = append(list, Answer{
					Webhook: webhook, Node: r, Before: m.before(webhook, r), Code: ResponseCode(r), Failed: !f.reachedUnfailed(webhook, r),
				})
			}
		}
	}
	return list
}

// reachedUnfailed reports whether executions of a trigger come to a node by
// other ways than error outputs alone.
func (f *Facts) reachedUnfailed(trigger, n *graph.Node) bool {
	return slices.ContainsFunc(f.model.reached[n], func(v *visit) bool { return v.root.Trigger == trigger && !v.failed })
}

// unanswered are the nodes that may run before the first Respond node, those
// nodes included.
func (m *model) unanswered(webhook *graph.Node) map[*graph.Node]bool {
	return graph.Reachable(webhook, func(e *graph.Edge) bool {
		return e.From.Type == respondNode && !e.From.Disabled || answersItself(e.From) || !m.fires(e)
	})
}

// run are the nodes that a trigger's executions may run, itself left out.
func (m *model) run(trigger *graph.Node) (list []*graph.Node) {
	for _, n := range inOrder(graph.Reachable(trigger, func(e *graph.Edge) bool { return !m.fires(e) })) {
		if n != trigger && !n.Disabled {
			list = append(list, n)
		}
	}
	return list
}

// before are the nodes that may run between the arrival of the event and a
// Respond node: those on a way to it, and the branches that n8n runs first.
func (m *model) before(webhook, respond *graph.Node) (list []*graph.Node) {
	ahead, back := m.unanswered(webhook), graph.CanReach(respond)
	runs := map[*graph.Node]bool{}
	for n := range ahead {
		if back[n] {
			runs[n] = true
		}
	}
	for _, n := range inOrder(ahead) {
		if back[n] && n != respond {
			m.earlierBranches(n, back, ahead, runs, respond)
		}
	}
	for _, n := range inOrder(runs) {
		if n != webhook && n != respond && !n.Disabled {
			list = append(list, n)
		}
	}
	return list
}

// earlierBranches adds what n8n runs before it takes the way to a Respond node:
// of the branches of one output, in v1 the whole of those above or to the left,
// in v0 of all of them what is fewer steps away (N8N.md section 6).
func (m *model) earlierBranches(n *graph.Node, back, ahead, runs map[*graph.Node]bool, respond *graph.Node) {
	for _, branches := range m.branches(n) {
		last := -1
		for i, e := range branches {
			if back[e.To] {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		within := 0 // steps, 0 for any number
		if m.workflow.Settings.ExecutionOrder != "v1" {
			within = steps(n, 0)[respond]
		} else {
			branches = branches[:last]
		}
		for i, e := range branches {
			if back[e.To] {
				continue
			}
			limit := within
			if within > 0 && i > last {
				limit-- // of two alike the first branch runs first
			}
			for other, step := range steps(e.To, 1) {
				if ahead[other] && other != respond && (within == 0 || step <= limit) {
					runs[other] = true
				}
			}
		}
	}
}

// steps counts the edges from a node to all behind it, from a first count on.
func steps(from *graph.Node, first int) map[*graph.Node]int {
	count := map[*graph.Node]int{from: first}
	todo := []*graph.Node{from}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		for _, e := range n.MainOut() {
			if _, seen := count[e.To]; !seen {
				count[e.To] = count[n] + 1
				todo = append(todo, e.To)
			}
		}
	}
	return count
}

// branches are the edges of each main output in the order in which n8n follows
// them: by canvas position, top first, then left, in v1; as written otherwise
// (N8N.md section 6).
func (m *model) branches(n *graph.Node) (outputs [][]*graph.Edge) {
	last := -1
	for _, e := range n.MainOut() {
		if !m.fires(e) {
			continue
		}
		if e.Output != last {
			outputs, last = append(outputs, nil), e.Output
		}
		outputs[len(outputs)-1] = append(outputs[len(outputs)-1], e)
	}
	if m.workflow.Settings.ExecutionOrder != "v1" {
		return outputs
	}
	for _, edges := range outputs {
		slices.SortStableFunc(edges, func(a, b *graph.Edge) int {
			switch {
			case a.To.Y != b.To.Y:
				return sign(a.To.Y - b.To.Y)
			default:
				return sign(a.To.X - b.To.X)
			}
		})
	}
	return outputs
}

func sign(f float64) int {
	switch {
	case f < 0:
		return -1
	case f > 0:
		return 1
	}
	return 0
}

// ResponseCode is the status that a Respond node answers with: 200 unless it is
// set, 0 where it is an expression.
func ResponseCode(respond *graph.Node) int {
	v := respond.Parameter("options", "responseCode")
	if !v.Exists() {
		return 200
	}
	code, ok := v.Float()
	if !ok {
		return 0
	}
	return int(code)
}
