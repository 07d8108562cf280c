package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Resend is an effect that the failure of an effect leads to, and its success
// does not.
type Resend struct {
	First, Second *Effect
	// Way are the nodes from the first to the second.
	Way     []*graph.Node
	Outcome *Outcome
}

// Resends finds what is sent again because an outcome is not known.
func (f *Facts) Resends() (list []Resend) {
	for _, e := range f.Effects {
		if e.Agent != nil || e.Key.SurvivesRetry() {
			continue
		}
		o := f.Outcome(e.Node)
		if o.Stops || o.Nowhere {
			continue
		}
		if second := f.again(e, o); second != nil {
			list = append(list, Resend{First: e, Second: second, Way: o.Way(o.Failed, second.Node), Outcome: o})
		}
	}
	return list
}

// again is the first effect of the same kind that only the failure comes to.
func (f *Facts) again(e *Effect, o *Outcome) *Effect {
	for _, a := range o.Failed {
		if !a.Certain || To(o.Succeeded, a.Node) != nil {
			continue
		}
		if second := f.effectAt(a.Node); second != nil && sameKind(e, second) && !isAlert(second) && !f.model.sameStoreOnly(e, second) {
			return second
		}
	}
	return nil
}

// isAlert: behind a failure a notice, or a message to a fixed address, tells an
// operator.
func isAlert(e *Effect) bool {
	return e.Fixed && (e.Impact == catalog.Notice || e.Impact == catalog.Message)
}

// sameStoreOnly: two rows in one table say two things, unless they are the same
// node: the row of a failure beside the row of a success.
func (m *model) sameStoreOnly(a, b *Effect) bool {
	return a.Node != b.Node && a.Impact == catalog.Record && a.HTTP == nil
}

func (f *Facts) effectAt(n *graph.Node) *Effect {
	i := slices.IndexFunc(f.Effects, func(e *Effect) bool { return e.Node == n && e.Agent == nil })
	if i < 0 {
		return nil
	}
	return f.Effects[i]
}

// Swallowed is an effect whose failure nobody learns of.
type Swallowed struct {
	Effect  *Effect
	Outcome *Outcome
	// Done is the node that marks the failed work as done, State what it writes; a
	// nil Done means that the error output leads nowhere.
	Done  *graph.Node
	State State
}

// Swallows finds the failures that end in a done mark, or in nothing.
func (f *Facts) Swallows() (list []Swallowed) {
	for _, e := range f.Effects {
		if e.Agent != nil || e.Log || f.onlyAlerts(e) {
			continue
		}
		o := f.Outcome(e.Node)
		switch {
		case o.Nowhere && e.HTTP != nil && e.HTTP.AddressUnknown():
			// It may as well only read.
		case o.Nowhere && !f.last(e, o):
			list = append(list, Swallowed{Effect: e, Outcome: o})
		case !o.Stops && !o.Nowhere:
			if s, ok := f.falselyDone(e, o); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// onlyAlerts: the effect tells of another failure.
func (f *Facts) onlyAlerts(e *Effect) bool {
	return isAlert(e) && !slices.ContainsFunc(e.Exposures, func(x Exposure) bool { return !x.Failed })
}

// last reports whether an effect is a notice that nothing depends on.
func (f *Facts) last(e *Effect, o *Outcome) bool {
	return e.Impact == catalog.Notice && !slices.ContainsFunc(o.Succeeded, func(a Arrival) bool {
		return len(f.doneStates(a)) > 0
	})
}

func (f *Facts) falselyDone(e *Effect, o *Outcome) (s Swallowed, ok bool) {
	if e.Impact == catalog.Notice && f.followsEffect(e) {
		return s, false
	}
	for _, a := range o.Failed {
		if a.Certain && a.Node == e.Node {
			break
		}
		if states := f.doneStates(a); a.Certain && len(states) > 0 && a.Node != e.Node && f.tells(a.Node, e) && !f.sentAgain(e, o, a.Node) {
			return Swallowed{Effect: e, Outcome: o, Done: a.Node, State: states[0]}, true
		}
	}
	return s, false
}

// sentAgain reports whether another effect of the same kind lies on the way of the
// failure: then the mark speaks of that one.
func (f *Facts) sentAgain(e *Effect, o *Outcome, mark *graph.Node) bool {
	return slices.ContainsFunc(o.Way(o.Failed, mark), func(n *graph.Node) bool {
		second := f.effectAt(n)
		return second != nil && second != e && sameKind(e, second) && !isAlert(second) && To(o.Succeeded, n) == nil
	})
}

// tells reports whether a done mark may speak of an effect: a new row that says
// "sent" speaks of a message, not of another row.
func (f *Facts) tells(mark *graph.Node, e *Effect) bool {
	return e.Impact != catalog.Record || e.HTTP != nil || slices.ContainsFunc(f.RowsOf(mark), func(a *RowAccess) bool {
		return a.Verb == UpdatesRows || a.Verb == UpsertsRows
	})
}

func (f *Facts) doneStates(a Arrival) (list []State) {
	if a.Node.Disabled {
		return nil
	}
	for _, s := range f.StatesAt(a) {
		if s.Role == DoneState && (s.Known || !says(s.Column, stateWord)) {
			list = append(list, s)
		}
	}
	return list
}

// followsEffect reports whether a stronger effect comes before this one: then it
// is only the news of it.
func (f *Facts) followsEffect(e *Effect) bool {
	for _, x := range e.Exposures {
		for _, n := range x.Path {
			if other := f.effectAt(n); other != nil && other != e && other.Impact.Stronger(e.Impact) {
				return true
			}
		}
	}
	return false
}
