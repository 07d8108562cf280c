package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Round is a scheduled look for rows of a state, and what is done for them.
type Round struct {
	// Row is the read, or the update that gives the rows back.
	Row  *RowAccess
	Root Root
	// Asked are the states that it looks for.
	Asked []State
	// Filler is a claim of the run that fills the table and acts itself: then the
	// round is a sweep of what was left over. nil for a worker's table.
	Filler *Taken
	// Acts are the effects behind it that one of the rounds alone must do.
	Acts []Held
	// Mark is the update behind it that says that the work was done; nil for none.
	// Marked is set for one that gives the rows to a person, too.
	Mark   *RowAccess
	Marked bool
}

// Rounds are the scheduled looks for open rows in the workflow.
func (f *Facts) Rounds() []*Round {
	if !f.roundsKnown {
		f.roundsKnown = true
		f.rounds = f.findRounds()
	}
	return f.rounds
}

func (f *Facts) findRounds() (list []*Round) {
	for _, a := range f.rows {
		if a.Keyed || a.Counts || a.Verb != ReadsRows && a.Verb != UpdatesRows {
			continue
		}
		asked := append(open(a.Asks), f.replaced(a)...)
		if len(a.Asks) == 0 && a.Verb == ReadsRows {
			asked = f.askedBehind(a)
		}
		root, scheduled := f.scheduled(a.Node)
		if len(asked) == 0 || !scheduled {
			continue
		}
		r := &Round{Row: a, Root: root, Asked: asked, Filler: f.filler(a, asked)}
		r.Acts = f.acts(r)
		f.marksOf(r)
		f.dropNews(r)
		list = append(list, r)
	}
	return list
}

// open keeps the states that mean "still to do".
func open(asks []State) (list []State) {
	for _, s := range asks {
		if !s.Negated && s.Role == OpenState || s.Negated && s.Role == DoneState || s.Negated && s.Role == OpenState && !s.Known {
			list = append(list, s)
		}
	}
	return list
}

// replaced are the states of which the words say nothing, and which an update
// behind the read turns into a done one: they are open by that.
func (f *Facts) replaced(a *RowAccess) (list []State) {
	behind := f.model.behind(a.Node)
	for _, s := range a.Asks {
		if s.Role != OtherState || !s.Known || s.Negated {
			continue
		}
		if slices.ContainsFunc(f.rows, func(u *RowAccess) bool {
			return u.Verb == UpdatesRows && behind.Has(u.Node) && sameRows(a, u) && slices.ContainsFunc(u.Writing(DoneState), func(w State) bool { return w.Column == s.Column })
		}) {
			list = append(list, s)
		}
	}
	return list
}

// askedBehind are the states by which a branch directly behind a read picks rows
// out.
func (f *Facts) askedBehind(a *RowAccess) (list []State) {
	for _, e := range a.Node.MainOut() {
		if !e.To.Disabled && (e.To.Type == filterNode || e.To.Type == ifNode) {
			list = append(list, open(f.model.branchAsks(e.To))...)
		}
	}
	return list
}

// branchAsks are the states that a branch compares fields of its item with.
func (m *model) branchAsks(n *graph.Node) (list []State) {
	for c := range n.Parameter("conditions", "conditions").Children() {
		operation := c.Get("operator", "operation").Str()
		column := m.fieldOf(c.Get("leftValue").Str())
		if !holdsState(column) {
			continue
		}
		right := c.Get("rightValue")
		text, known := plainText(m.eval.value(right, constants{m, n}))
		switch operation {
		case "equals", "notEquals":
		case "empty", "notExists", "false":
			text, known = "", true
		default:
			continue
		}
		s := stateOf(column, text, known, false)
		s.Negated, s.At = operation == "notEquals", c.Span()
		list = append(list, s)
	}
	return list
}

// fieldOf is the field of the current item that an expression is.
func (m *model) fieldOf(text string) string {
	p, single := m.eval.template(text).Single()
	if !single {
		return ""
	}
	node, path, ok := p.Eval(expr.Symbolic{}).AsReference()
	if !ok || node != "" || len(path) == 0 {
		return ""
	}
	return path[len(path)-1]
}

// scheduled is the schedule that leads to a node.
func (f *Facts) scheduled(n *graph.Node) (Root, bool) {
	for _, v := range f.model.reached[n] {
		if v.root.Class == catalog.Schedule {
			return *v.root, true
		}
	}
	return Root{}, false
}

// filler is a claim that leaves rows in one of the states, and has effects of its
// own behind it.
func (f *Facts) filler(a *RowAccess, asked []State) *Taken {
	for _, t := range f.ClaimsIn(a.Target) {
		if t.Guard.Node == a.Node || t.Row == nil {
			continue
		}
		for _, s := range t.Row.Writes {
			if slices.ContainsFunc(asked, func(q State) bool { return q.Column == s.Column && (q.Negated || q.Known && q.Text == s.Text) }) {
				return t
			}
		}
	}
	return nil
}

// acts are the effects behind a round, from its schedule, that its rows lead to.
// Of a sweep only those of the claim's own kind are: telling somebody is none.
func (f *Facts) acts(r *Round) (list []Held) {
	behind := f.model.behind(r.Row.Node)
	for _, e := range f.Effects {
		if e.Agent != nil || !behind.Has(e.Node) || e.Key.Protects() || f.model.sameStore(r.Row.Node, e.Node) {
			continue
		}
		for _, x := range e.Exposures {
			if x.Root != r.Root || x.Failed || !r.takes(e, x) {
				continue
			}
			list = append(list, Held{e, x})
			break
		}
	}
	return list
}

func (r *Round) takes(e *Effect, x Exposure) bool {
	if r.Filler != nil {
		return e.Impact != catalog.Notice && slices.ContainsFunc(r.Filler.Held, func(h Held) bool { return sameKind(h.Effect, e) })
	}
	return x.Standing < Unsure && slices.Contains(x.Path, r.Row.Node)
}

// sameKind reports whether one effect may stand for another: the same impact,
// and for records also the same service.
func sameKind(a, b *Effect) bool {
	if a.Impact != b.Impact {
		return false
	}
	if a.Impact == catalog.Money || a.Impact == catalog.Message {
		return true
	}
	if a.HTTP != nil && b.HTTP != nil {
		return a == b || a.HTTP.Method == b.HTTP.Method && (sameBody(a, b) ||
			address(a.HTTP) != "" && address(a.HTTP) == address(b.HTTP) && !contradicts(a.HTTP, b.HTTP))
	}
	return a.Node.Type == b.Node.Type && a.Name == b.Name && (a.Target.Store == "" || a.Target.Same(b.Target))
}

// sameBody reports whether two requests send the same, written alike.
func sameBody(a, b *Effect) bool {
	for _, key := range []string{"jsonBody", "body"} {
		if text := a.Node.Parameter(key).Str(); len(text) > 2 && text == b.Node.Parameter(key).Str() {
			return true
		}
	}
	return false
}

// contradicts reports whether two requests to one address ask for different
// things: a field of both, such as the operation, has different fixed values.
func contradicts(a, b *catalog.Request) bool {
	fixed := map[string]string{}
	for _, f := range a.BodyFields() {
		name, _ := f.Name.Known()
		if value, known := f.Value.Known(); known {
			fixed[name] = value
		}
	}
	return slices.ContainsFunc(b.BodyFields(), func(f httpcall.Field) bool {
		name, _ := f.Name.Known()
		value, known := f.Value.Known()
		other, both := fixed[name]
		return known && both && other != value
	})
}

// marksOf finds the update that takes the rows of a round out of their state: one
// behind the effects where there is one.
func (f *Facts) marksOf(r *Round) {
	behind := f.model.behind(r.Row.Node)
	for _, a := range f.rows {
		if a == r.Row || !behind.Has(a.Node) || a.Verb != UpdatesRows && a.Verb != UpsertsRows || !sameRows(r.Row, a) {
			continue
		}
		if !a.Open && len(a.Writes) == 0 {
			continue
		}
		r.Marked = true
		if onlyReviews(a) {
			continue // giving a row to a person is no work on it
		}
		if r.Mark == nil {
			r.Mark = a
		}
		if slices.ContainsFunc(r.Acts, func(h Held) bool { return To(f.Outcome(h.Effect.Node).Succeeded, a.Node) != nil }) {
			r.Mark = a
			return
		}
	}
}

// sameRows reports whether an update works on the rows of a read. Of a page or
// record that is named by its id alone, without its table, the store decides.
func sameRows(read, update *RowAccess) bool {
	return SameTable(read.Target, update.Target) || len(update.Target.Parts) == 0 && update.Target.Store == read.Target.Store
}

// dropNews leaves out the notices that the done mark does not speak of: they tell
// somebody of the round.
func (f *Facts) dropNews(r *Round) {
	r.Acts = slices.DeleteFunc(r.Acts, func(h Held) bool {
		return h.Effect.Impact == catalog.Notice && (r.Mark == nil || To(f.Outcome(h.Effect.Node).Succeeded, r.Mark.Node) == nil)
	})
}

// onlyReviews reports whether an update gives rows to a person and nothing else.
func onlyReviews(a *RowAccess) bool {
	return !a.Open && len(a.Writes) > 0 && !slices.ContainsFunc(a.Writes, func(s State) bool {
		return s.Role != ReviewState && flagRole(s.Column) != ReviewState
	})
}

// Worker reports whether the round is a worker's: it reads open tasks, acts for
// them and marks them.
func (r *Round) Worker() bool {
	return r.Row.Verb == ReadsRows && r.Filler == nil && r.Mark != nil && len(r.Acts) > 0
}

// Resends reports whether the round sends again what a claim has left over.
func (r *Round) Resends() bool { return r.Filler != nil && r.Row.Aged && len(r.Acts) > 0 }

// Unbounded reports whether the round takes rows that their claim may be working
// on at this moment.
func (r *Round) Unbounded() bool {
	return r.Filler != nil && !r.Row.Aged && (r.Row.Verb == UpdatesRows || r.Marked || len(r.Acts) > 0)
}

// Spoken reports whether another rule speaks of what a repeat by the exposure's
// trigger does: a worker without a claim, or a sweep that sends again.
func (f *Facts) Spoken(e *Effect, x Exposure) bool {
	return slices.ContainsFunc(f.Rounds(), func(r *Round) bool {
		return (r.Worker() || r.Resends() || r.Unbounded()) && r.Root == x.Root &&
			slices.ContainsFunc(r.Acts, func(h Held) bool { return h.Effect == e })
	})
}
