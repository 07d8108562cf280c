package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Outcome is what becomes of a node's failure, and of its success, as far as the
// graph tells (N8N.md sections 2 and 6).
type Outcome struct {
	Node *graph.Node
	// Stops: a failure ends the execution.
	Stops bool
	// Nowhere: the error output is switched on and nothing hangs on it.
	Nowhere bool
	// At is the setting by which a failure goes on.
	At source.Span
	// Failed and Succeeded are the nodes that the item of a failure, and of a
	// success, comes to, in the order in which they are met.
	Failed, Succeeded []Arrival
}

// Arrival is a node that the item of a failure or success comes to.
type Arrival struct {
	Node *graph.Node
	// Certain is false behind a branch that asks for the outcome in a way that
	// cannot be decided.
	Certain bool

	token token
	from  int // the arrival before it, -1 for the first
}

// Outcome follows what a node makes of failure and success. Of a node of another
// workflow nothing is known here.
func (f *Facts) Outcome(n *graph.Node) *Outcome {
	if n.Workflow != f.Workflow {
		return &Outcome{Node: n}
	}
	if o := f.outcomes[n]; o != nil {
		return o
	}
	o := f.model.outcome(n)
	if f.outcomes == nil {
		f.outcomes = map[*graph.Node]*Outcome{}
	}
	f.outcomes[n] = o
	return o
}

// To is the arrival at a node, a certain one where there is one, nil for none.
func To(arrivals []Arrival, n *graph.Node) *Arrival {
	if i := arrivalAt(arrivals, n); i >= 0 {
		return &arrivals[i]
	}
	return nil
}

func arrivalAt(arrivals []Arrival, n *graph.Node) int {
	if i := slices.IndexFunc(arrivals, func(a Arrival) bool { return a.Node == n && a.Certain }); i >= 0 {
		return i
	}
	return slices.IndexFunc(arrivals, func(a Arrival) bool { return a.Node == n })
}

// Way are the nodes from the effect to an arrival.
func (o *Outcome) Way(arrivals []Arrival, n *graph.Node) []*graph.Node {
	way := []*graph.Node{}
	for i := arrivalAt(arrivals, n); i >= 0; i = arrivals[i].from {
		way = append(way, arrivals[i].Node)
	}
	way = append(way, o.Node)
	slices.Reverse(way)
	return way
}

func (m *model) outcome(n *graph.Node) *Outcome {
	o := &Outcome{Node: n}
	failed := m.failure(n, o)
	party := m.standIn(n)
	for _, output := range mainOutputs(n) {
		if output != errorOutput(n) {
			o.Succeeded = append(o.Succeeded, m.followed(n, output, partyOf(party, Winner, succeeded(n)))...)
		}
	}
	if o.Stops || o.Nowhere {
		return o
	}
	output := 0
	if n.OnError == graph.ContinueErrorOutput {
		output = errorOutput(n)
	}
	o.Failed = m.followed(n, output, partyOf(party, Loser, failed))
	return o
}

// failure says where the failure of a node goes, and what its item holds.
func (m *model) failure(n *graph.Node, o *Outcome) expr.Value {
	message := expr.Field{Name: "message", Value: expr.Ref(n.Name, "message").Truthy()}
	problem := expr.Field{Name: "error", Value: expr.OpenObject(expr.Ref(n.Name, "error"), message)}
	switch n.OnError {
	case graph.ContinueRegularOutput:
		o.At = settingPair(n, "onError", "continueOnFail")
		return expr.Object(problem, message)
	case graph.ContinueErrorOutput:
		o.At = settingPair(n, "onError")
		o.Nowhere = !slices.ContainsFunc(n.MainOut(), func(e *graph.Edge) bool { return e.Output >= errorOutput(n) })
		// The item that came in goes on with the error in it: what else is in it
		// says nothing of the outcome.
		return expr.OpenObject(expr.Ref("the item before "+n.Name), problem)
	}
	if at, ok := neverError(n); ok {
		o.At = at
		return expr.OpenObject(expr.Ref(n.Name))
	}
	o.Stops = true
	return expr.Anything()
}

// neverError finds the option that makes an ordinary item of every status.
func neverError(n *graph.Node) (source.Span, bool) {
	for _, path := range [][]string{{"options", "response", "response", "neverError"}, {"options", "ignoreResponseCode"}} {
		if v := n.Parameter(path...); v.IsTrue() {
			return keyAndValue(v), true
		}
	}
	return source.Span{}, false
}

func settingPair(n *graph.Node, keys ...string) source.Span {
	for _, key := range keys {
		if v := n.Setting(key); v.Exists() {
			return keyAndValue(v)
		}
	}
	return n.Place()
}

func keyAndValue(v source.Value) source.Span {
	s := v.KeySpan()
	s.End = v.Span().End
	return s
}

func succeeded(n *graph.Node) expr.Value {
	return expr.OpenObject(expr.Ref(n.Name), expr.Field{Name: "error", Value: expr.Undefined()})
}

// partyOf is a token that stands for the outcome of a node, so that conditions on
// it are asked as those on a claim's answer are.
func partyOf(n *graph.Node, s Standing, item expr.Value) token {
	g := &Guard{Node: n, Kind: Call}
	g.winner, g.loser = given(item), given(item)
	return token{standing: s, guard: g, lost: s == Loser, item: item, derived: true}
}

// standIn is a copy of a node that has only those nodes behind it whose items the
// outcome can go into: a loop that goes on with the next item, and what lies
// before it, knows nothing of this one.
func (m *model) standIn(n *graph.Node) *graph.Node {
	s := *n
	set := graph.NewNodeSet(n.Workflow)
	set.Add(n)
	todo := []*graph.Node{n}
	for len(todo) > 0 {
		from := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		around := from.Type == loopNode && !from.Disabled && m.inBody(from, n)
		for _, e := range from.MainOut() {
			if around && e.Output == firstOutput(from) || set.Has(e.To) {
				continue
			}
			if e.To.Type != loopNode || !m.inBody(e.To, n) {
				set.Add(e.To)
			}
			todo = append(todo, e.To)
		}
	}
	m.behindOf[&s] = set
	return &s
}

// mostArrivals bounds one walk; a workflow has no more nodes than that.
const mostArrivals = 2000

// followed walks from an output of n and collects where the item comes to, each
// node once, or twice where it is not certain at first.
func (m *model) followed(n *graph.Node, output int, t token) (list []Arrival) {
	type seenAt struct {
		node    *graph.Node
		certain bool
	}
	seen := map[seenAt]bool{}
	enter := func(from int, at *graph.Node, output int, t token) {
		for _, e := range at.Out {
			if e.Kind != graph.Main || e.Output != output || !m.fires(e) {
				continue
			}
			a := Arrival{Node: e.To, Certain: t.standing != Unsure, token: t, from: from}
			if seen[seenAt{e.To, a.Certain}] || seen[seenAt{e.To, true}] || len(list) > mostArrivals {
				continue
			}
			seen[seenAt{e.To, a.Certain}] = true
			list = append(list, a)
		}
	}
	enter(-1, n, output, t)
	for i := 0; i < len(list); i++ {
		at := list[i].Node
		if at == n {
			continue
		}
		for _, d := range m.step(at, list[i].token) {
			if at.Type == loopNode && !at.Disabled && m.inBody(at, n) && d.output == firstOutput(at) {
				continue // the loop goes on with the next item
			}
			enter(i, at, d.output, d.token)
		}
	}
	return list
}

func firstOutput(loop *graph.Node) int {
	batch, _ := loopOutputs(loop)
	return batch
}

// StatesAt are the states that a node writes for the item of an arrival.
func (f *Facts) StatesAt(a Arrival) (list []State) {
	for _, row := range f.RowsOf(a.Node) {
		if row.Verb != ReadsRows && row.Verb != DeletesRows {
			list = append(list, f.model.statesWritten(row, f.model.scope(a.Node, a.token))...)
		}
	}
	return list
}

// Hidden reports whether what a node does to tables does not show: a stored
// function, SQL made at run time, a call of a workflow outside the run, a node
// that the catalog does not know.
func (f *Facts) Hidden(n *graph.Node) bool {
	op := f.model.ops[n]
	return !n.Disabled && (op.Kind == catalog.Unknown || op.Kind == catalog.Call)
}
