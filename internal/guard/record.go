package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Records reports whether a node leaves something durable that shows that the
// event was there: a row, a ticket, a file, a message in a queue.
func (f *Facts) Records(n *graph.Node) bool { return f.model.records(n) }

func (m *model) records(n *graph.Node) bool {
	op := m.ops[n]
	return !n.Disabled && op.Writes() && (op.Impact == catalog.Record || m.guards[n] != nil && m.guards[n].Kind == Claim)
}

// Unrecorded finds the first slow or fallible node that runs behind an answer,
// the webhook itself or a Respond node, while nothing durable and no effect has
// happened yet, and an effect hangs on it: a crash in it loses the event.
func (f *Facts) Unrecorded(webhook, answer *graph.Node) (Delay, bool) {
	w := unrecorded{model: f.model, seen: map[*graph.Node]bool{}}
	recorded := w.behind(answer, false)
	if answer != webhook {
		w.besides(webhook, answer, recorded)
	}
	return w.found, w.found.Node != nil
}

type unrecorded struct {
	model *model
	seen  map[*graph.Node]bool
	found Delay
}

// behind walks the branches behind a node in n8n's order and reports whether
// they have recorded something.
func (w *unrecorded) behind(n *graph.Node, recorded bool) bool {
	found := recorded
	for _, edges := range w.model.branches(n) {
		done := recorded
		for _, e := range edges {
			done = w.at(e.To, done) || done
		}
		found = found || done
	}
	return found
}

// besides walks the branches that n8n takes after the one with the answer.
func (w *unrecorded) besides(webhook, answer *graph.Node, recorded bool) {
	back := graph.CanReach(answer)
	for _, n := range inOrder(w.model.unanswered(webhook)) {
		if !back[n] || n == answer {
			continue
		}
		for _, edges := range w.model.branches(n) {
			answered := false
			for _, e := range edges {
				if answered && !back[e.To] {
					recorded = w.at(e.To, recorded) || recorded
				}
				answered = answered || back[e.To]
			}
		}
	}
}

func (w *unrecorded) at(n *graph.Node, recorded bool) bool {
	if w.seen[n] || recorded {
		return recorded
	}
	w.seen[n] = true
	op := w.model.ops[n]
	switch {
	case n.Disabled:
		return w.behind(n, false)
	case op.Writes(), op.Kind == catalog.Call, op.Kind == catalog.Unknown:
		return true // a called workflow and an unknown node may record it
	}
	if d := w.model.delay(n); d.Fallible && w.found.Node == nil && w.model.actsBehind(n) {
		w.found = d
		return true
	}
	return w.behind(n, false)
}

func (m *model) actsBehind(n *graph.Node) bool {
	return slices.ContainsFunc(m.writes(), func(other *graph.Node) bool { return m.behind(n).Has(other) })
}

// FailsInto are the Respond nodes that answer an execution in which a node has
// failed and went on, and ends tells whether such an execution comes to an end
// without an error. An error path that leads to another record or effect, or a
// branch that may ask for the failure, is not followed.
func (f *Facts) FailsInto(n *graph.Node) (responders []*graph.Node, ends bool) {
	if n.OnError == graph.StopWorkflow || n.Disabled {
		return nil, false
	}
	m := f.model
	g := &Guard{Node: n, Kind: Claim, At: m.ops[n].At}
	output := 0
	item := expr.Object(expr.Field{Name: "error", Value: expr.NonEmptyString()}, expr.Field{Name: "message", Value: expr.NonEmptyString(), Optional: true})
	if n.OnError == graph.ContinueErrorOutput {
		output = errorOutput(n)
		item = expr.Anything().WithOrigins(expr.Origin{Kind: expr.OriginReference, Name: n.Name})
	}
	g.loser = []emission{{output: output, emits: expr.True, item: item}}
	w := failing{model: m, seen: map[*graph.Node]bool{n: true}, errorPath: output > 0}
	w.send(n, output, token{standing: Loser, guard: g, lost: true, derived: true, item: item})
	return w.responders, w.ends
}

type failing struct {
	model      *model
	seen       map[*graph.Node]bool
	errorPath  bool
	responders []*graph.Node
	ends       bool
}

func (w *failing) send(n *graph.Node, output int, t token) {
	sent := false
	for _, e := range n.MainOut() {
		if e.Output != output || !w.model.fires(e) {
			continue
		}
		sent = true
		if !w.seen[e.To] {
			w.seen[e.To] = true
			w.arrive(e.To, t)
		}
	}
	w.ends = w.ends || !sent
}

func (w *failing) arrive(n *graph.Node, t token) {
	op := w.model.ops[n]
	switch {
	case n.Disabled:
	case n.Type == respondNode:
		w.responders = append(w.responders, n)
		return
	case n.Type == stopNode, n.OnError != graph.StopWorkflow && w.model.records(n):
		return
	case op.Writes() && (w.errorPath || w.model.records(n)):
		return // what could not be recorded here is recorded or told elsewhere
	case op.Kind == catalog.Call, op.Kind == catalog.Unknown:
		return
	}
	for _, d := range w.model.step(n, t) {
		if d.token.standing == Loser && d.output != errorOutput(n) {
			w.send(n, d.output, d.token)
		}
	}
}
