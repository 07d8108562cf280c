package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Finished reports whether something in the run writes a final state for a claim:
// an update of its row, a deletion, or for counters and keys without a state a
// mark behind the effects. hidden is a node behind the effects that may do it
// out of sight.
func (f *Facts) Finished(t *Taken) (done bool, hidden *graph.Node) {
	for _, a := range f.RowsIn(t.Target) {
		if a.Node != t.Guard.Node && !f.closesOther(t, a) && f.finishes(t, a) {
			return true, nil
		}
	}
	if t.Target.Store == "" {
		return false, t.Guard.Node
	}
	stateless := t.Row == nil || len(t.Row.Writes) == 0
	for _, h := range t.Held {
		for _, at := range f.Outcome(h.Effect.Node).Succeeded {
			if stateless && f.marks(t, at) {
				return true, nil
			}
			if hidden == nil && f.Hidden(at.Node) && f.model.ops[at.Node].HTTP == nil {
				hidden = at.Node
			}
		}
	}
	return false, hidden
}

// closesOther reports whether an access stands in another workflow that claims in
// the same table itself: what it writes is about its own events.
func (f *Facts) closesOther(t *Taken, a *RowAccess) bool {
	return a.Node.Workflow != f.Workflow && slices.ContainsFunc(f.ClaimsIn(t.Target), func(other *Taken) bool {
		return other.Facts.Workflow == a.Node.Workflow
	})
}

// finishes reports whether an access writes a final state into the claim's table.
func (f *Facts) finishes(t *Taken, a *RowAccess) bool {
	switch a.Verb {
	case DeletesRows:
		return true
	case UpdatesRows, UpsertsRows:
	default:
		return false
	}
	if a.Open || slices.ContainsFunc(a.Writes, func(s State) bool {
		return s.Role == DoneState || s.Role == OtherState && flagRole(s.Column) != ReviewState
	}) {
		return true
	}
	// A result that is kept with the row, such as the provider's id.
	return len(a.Writes) == 0 && slices.ContainsFunc(t.Held, func(h Held) bool {
		return To(f.Outcome(h.Effect.Node).Succeeded, a.Node) != nil
	})
}

// marks reports whether an arrival leaves a mark for a claim that has no state:
// a done state anywhere, or a key of its own in the claim's Redis.
func (f *Facts) marks(t *Taken, at Arrival) bool {
	if t.Guard.Node.Type == redisNode && at.Node.Type == redisNode {
		return !at.Node.Disabled && f.model.ops[at.Node].Writes()
	}
	return slices.ContainsFunc(f.StatesAt(at), func(s State) bool { return s.Role == DoneState })
}

// EarlyMark is a done state that is written before the effect: in the claim, or
// between claim and effect.
type EarlyMark struct {
	Row    *RowAccess
	State  State
	Claim  *Taken
	Effect Held
}

// EarlyMarks finds the final states that are written too early.
func (f *Facts) EarlyMarks() (list []EarlyMark) {
	for _, t := range f.taken {
		if m, ok := f.earlyClaim(t); ok {
			list = append(list, m)
			continue
		}
		list = append(list, f.earlyBetween(t)...)
	}
	return list
}

// earlyClaim: the claim itself writes the final state. In a column of its own,
// such as sent, only a claim that asks for the same column says so.
func (f *Facts) earlyClaim(t *Taken) (m EarlyMark, ok bool) {
	if t.Row == nil {
		return m, false
	}
	for _, s := range t.Row.Writing(DoneState) {
		asked := slices.ContainsFunc(t.Row.Asks, func(q State) bool { return q.Column == s.Column })
		if !asked && (!says(s.Column, stateWord) && s.Text != "true") || f.goesOn(t, s) {
			continue
		}
		for _, h := range t.Held {
			if h.Effect.Impact != catalog.Notice && !h.Effect.Log {
				return EarlyMark{Row: t.Row, State: s, Claim: t, Effect: h}, true
			}
		}
	}
	return m, false
}

// goesOn reports whether a later statement of the run writes another final state
// into the column, so that this one is a step on the way.
func (f *Facts) goesOn(t *Taken, s State) bool {
	return slices.ContainsFunc(f.RowsIn(t.Target), func(a *RowAccess) bool {
		return a.Verb != InsertsRows && slices.ContainsFunc(a.Writes, func(w State) bool {
			return w.Column == s.Column && w.Text != s.Text && (w.Role == DoneState || w.Role == OtherState)
		})
	})
}

func (f *Facts) earlyBetween(t *Taken) (list []EarlyMark) {
	seen := map[*RowAccess]bool{}
	for _, h := range t.Held {
		if h.Effect.Impact == catalog.Notice || h.Effect.Log {
			continue // a last notice may follow the mark
		}
		if a, s, ok := f.markBefore(t, h); ok && !seen[a] {
			seen[a] = true
			list = append(list, EarlyMark{Row: a, State: s, Claim: t, Effect: h})
		}
	}
	return list
}

// markBefore is the done mark on the way from the claim to an effect, with no
// other effect before it.
func (f *Facts) markBefore(t *Taken, h Held) (*RowAccess, State, bool) {
	path := h.Exposure.Path
	for i := slices.Index(path, t.Guard.Node) + 1; i > 0 && i < len(path); i++ {
		nodes, last := before(path[i-1], path[i]), path[i] == h.Effect.Node || heldAt(t, path[i])
		if !last {
			nodes = append(nodes, path[i])
		}
		for _, n := range nodes {
			if a, s, ok := f.doneAt(t, n); ok {
				return a, s, true
			}
		}
		if last {
			break
		}
	}
	return nil, State{}, false
}

// doneAt is the final state that a node writes into the claim's table.
func (f *Facts) doneAt(t *Taken, n *graph.Node) (*RowAccess, State, bool) {
	for _, a := range f.RowsOf(n) {
		if !SameTable(a.Target, t.Target) || a.Verb != UpdatesRows && a.Verb != UpsertsRows {
			continue
		}
		for _, s := range a.Writing(DoneState) {
			if !f.goesOn(t, s) {
				return a, s, true
			}
		}
	}
	return nil, State{}, false
}

// before are the nodes beside n on one output that run before it: the upper one
// goes first, then the left one, and without execution order v1 the first in the
// file (N8N.md section 6).
func before(from, n *graph.Node) (list []*graph.Node) {
	v1 := n.Workflow.Settings.ExecutionOrder == "v1"
	output := -1
	for _, e := range from.MainOut() {
		if e.To == n {
			output = e.Output
			break
		}
	}
	for _, e := range from.MainOut() {
		if e.Output != output {
			continue
		}
		if e.To == n && !v1 {
			break
		}
		if e.To != n && (!v1 || e.To.Y < n.Y || e.To.Y == n.Y && e.To.X < n.X) {
			list = append(list, e.To)
		}
	}
	return list
}

func heldAt(t *Taken, n *graph.Node) bool {
	return slices.ContainsFunc(t.Held, func(h Held) bool {
		return h.Effect.Node == n && h.Effect.Impact != catalog.Notice && !h.Effect.Log
	})
}

// DoneMark is an update behind an effect that closes the row of its claim.
type DoneMark struct {
	Row   *RowAccess
	State State
	Claim *Taken
	// Guarded: it asks for the state that it expects.
	Guarded bool
	// Wide: it asks only that the row is not done, and rows may be in review.
	Wide bool
}

// DoneMarks are the updates that close the rows of the workflow's claims.
func (f *Facts) DoneMarks() (list []DoneMark) {
	for _, a := range f.rows {
		if a.Verb != UpdatesRows || !f.Reached(a.Node) {
			continue
		}
		for _, s := range a.Writing(DoneState) {
			if t := f.closes(a); t != nil {
				m := DoneMark{Row: a, State: s, Claim: t}
				m.Guarded, m.Wide = f.guarded(a)
				list = append(list, m)
				break
			}
		}
	}
	return list
}

// closes is the claim whose effects a mark follows, nil for none.
func (f *Facts) closes(a *RowAccess) *Taken {
	for _, t := range f.taken {
		if t.Row == nil || len(t.Row.Writes) == 0 || a.Node == t.Guard.Node || !SameTable(a.Target, t.Target) {
			continue
		}
		for _, h := range t.Held {
			if To(f.Outcome(h.Effect.Node).Succeeded, a.Node) != nil {
				return t
			}
		}
	}
	return nil
}

func (f *Facts) guarded(a *RowAccess) (guarded, wide bool) {
	negated := false
	for _, s := range a.Asks {
		if !s.Negated && s.Role != DoneState {
			return true, false
		}
		negated = negated || s.Negated
	}
	if !negated {
		return false, false
	}
	review := slices.ContainsFunc(f.RowsIn(a.Target), func(other *RowAccess) bool { return len(other.Writing(ReviewState)) > 0 })
	excluded := slices.ContainsFunc(a.Asks, func(s State) bool { return s.Negated && s.Role == ReviewState })
	return !review || excluded, review && !excluded
}
