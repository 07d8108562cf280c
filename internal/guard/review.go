package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Stuck is an effect whose failure leaves the row of its claim as it is, or takes
// the claim back.
type Stuck struct {
	Held    Held
	Outcome *Outcome
	// Released is the node that takes the claim back; nil where nothing touches it.
	Released *graph.Node
}

// StuckBehind finds the effects behind a claim whose failure nobody reviews.
// hidden names what may do so out of sight: a node, or the error workflow that
// the run does not hold.
func (f *Facts) StuckBehind(t *Taken) (list []Stuck, hidden string) {
	if f.healed(t) {
		return nil, ""
	}
	for _, h := range t.Held {
		if h.Exposure.Failed || h.Effect.Key.Protects() || h.Effect.Node.Workflow != f.Workflow {
			continue
		}
		s, stuck, out := f.stuck(t, h)
		if out != "" {
			hidden = out
		}
		if stuck {
			list = append(list, s)
		}
	}
	return list, hidden
}

// healed reports whether somebody looks for the rows that were left over: the
// claim itself takes old ones again, or a sweep of the run does.
func (f *Facts) healed(t *Taken) bool {
	if t.Row != nil && t.Row.Aged || t.Guard.Statement != nil && t.Guard.Statement.Conflict != nil && t.Guard.Statement.Conflict.Where != nil {
		return true
	}
	for _, a := range f.RowsIn(t.Target) {
		if a.Node == t.Guard.Node || a.Keyed || a.Counts {
			continue
		}
		if len(open(a.Asks)) > 0 && (a.Verb == ReadsRows || a.Verb == UpdatesRows) {
			return true
		}
	}
	return false
}

func (f *Facts) stuck(t *Taken, h Held) (s Stuck, stuck bool, hidden string) {
	o := f.Outcome(h.Effect.Node)
	s = Stuck{Held: h, Outcome: o}
	switch {
	case o.Nowhere:
		return s, false, "" // swallowed-error's finding
	case o.Stops:
		stuck, hidden = f.unwatched(t)
		return s, stuck, hidden
	}
	for _, a := range o.Failed {
		if a.Node.Disabled {
			continue
		}
		if f.releases(t, a) {
			s.Released = a.Node
			return s, true, ""
		}
		if f.settles(t, a) {
			return s, false, ""
		}
		if f.Hidden(a.Node) && f.model.ops[a.Node].HTTP == nil {
			return s, false, a.Node.Name
		}
		if a.Node.Type == stopNode {
			stuck, hidden = f.unwatched(t)
			return s, stuck, hidden
		}
	}
	return s, true, ""
}

// unwatched reports whether a failed execution changes nothing: no error workflow
// writes to the claim's table.
func (f *Facts) unwatched(t *Taken) (stuck bool, hidden string) {
	other, named := f.ErrorWorkflow()
	switch {
	case !named:
		return true, ""
	case other == nil:
		return false, "the error workflow"
	}
	return !slices.ContainsFunc(other.rows, func(a *RowAccess) bool {
		return a.Verb != ReadsRows && SameTable(a.Target, t.Target)
	}), ""
}

// settles reports whether an arrival ends the matter: a state in the claim's row
// that is not open, or a record of the failure elsewhere.
func (f *Facts) settles(t *Taken, a Arrival) bool {
	op := f.model.ops[a.Node]
	if a.Node.Type == redisNode {
		return op.Writes()
	}
	for _, row := range f.RowsOf(a.Node) {
		switch {
		case row.Verb == ReadsRows:
		case row.Open, !SameTable(row.Target, t.Target):
			return true
		case slices.ContainsFunc(f.StatesAt(a), func(s State) bool { return s.Role != OpenState }):
			return true
		}
	}
	// A ticket or a task is a record too.
	return op.Kind == catalog.Repeatable && op.Impact == catalog.Record
}

// releases reports whether an arrival takes the claim back: the row is deleted or
// set to an open state, the key is deleted.
func (f *Facts) releases(t *Taken, a Arrival) bool {
	if a.Node.Type == redisNode && t.Guard.Node.Type == redisNode {
		return f.model.ops[a.Node].Name == "delete"
	}
	for _, row := range f.RowsOf(a.Node) {
		if !SameTable(row.Target, t.Target) {
			continue
		}
		if row.Verb == DeletesRows {
			return true
		}
		if states := f.StatesAt(a); row.Verb == UpdatesRows && len(states) > 0 && !slices.ContainsFunc(states, func(s State) bool { return s.Role != OpenState }) {
			return true
		}
	}
	return false
}
