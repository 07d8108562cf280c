package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Root is where an execution starts.
type Root struct {
	Trigger *graph.Node
	Class   catalog.Class
}

// visit is a token's arrival at a node, with the way back to its root.
type visit struct {
	node *graph.Node
	token
	from *visit
	root *Root
}

// kind tells tokens apart, their items left out.
type kind struct {
	standing Standing
	guard    *Guard
	cause    Cause
	lost     bool
	failed   bool
}

// place is a node to which tokens of one kind have come.
type place struct {
	node *graph.Node
	kind int
}

// meeting is a node at which the ways of an open branch may come together.
type meeting struct {
	node, branch *graph.Node
	standing     Standing // in front of the branch
	guard        *Guard
}

// variants is how many different items of one standing are followed through a
// node before the rest is taken as seen.
const variants = 8

// search follows one root through a workflow and the workflows that it calls.
type search struct {
	all  map[*graph.Workflow]*model
	root *Root
	todo []*visit
	// seen are the items that have come to a place, by what is known of them.
	seen map[place][]string
	// kinds number the kinds of tokens, from 1.
	kinds  map[kind]int
	crowds map[*graph.Node]*crowd
	// arrivals are the weakest tokens at each input of the Merge nodes that need
	// all their inputs.
	arrivals map[*graph.Node]map[int]*visit
	// rejoined are the ways of an open branch that have come to a node.
	rejoined map[meeting]uint64
	// exits are collected when a called workflow is summed up.
	exits *[]token
}

func newSearch(all map[*graph.Workflow]*model, root *Root) *search {
	return &search{all: all, root: root, seen: map[place][]string{}, kinds: map[kind]int{}, crowds: map[*graph.Node]*crowd{}, arrivals: map[*graph.Node]map[int]*visit{}, rejoined: map[meeting]uint64{}}
}

func (s *search) run(start *graph.Node) {
	t := token{item: tied(start)}
	if s.root != nil {
		t.started = start
	}
	s.arrive(start, t, nil)
	for len(s.todo) > 0 {
		v := s.todo[0]
		s.todo = s.todo[1:]
		s.pass(v)
	}
}

func (s *search) arrive(n *graph.Node, t token, from *visit) {
	s.rejoin(n, t, from)
	if t.text == "" {
		s.label(&t)
	}
	p := place{node: n, kind: t.kind}
	items := s.seen[p]
	if len(items) >= variants || len(items) == 0 && s.crowded(n, t) {
		return
	}
	if slices.Contains(items, t.text) {
		return
	}
	s.seen[p] = append(items, t.text)
	v := &visit{node: n, token: t, from: from, root: s.root}
	s.todo = append(s.todo, v)
	if m := s.all[n.Workflow]; s.root != nil && !m.fails(n, t.started) {
		m.reached[n] = append(m.reached[n], v)
	}
}

// How many kinds of tokens are followed through a node: of those that may act
// twice, and of the others.
const (
	mostAtRisk = 256
	mostSafe   = 64
)

// crowd counts the kinds of tokens that have come to a node.
type crowd struct{ atRisk, safe int }

// crowded reports whether too many kinds of tokens have come to a node: hundreds
// of claims in front of one node say no more than the first of them.
func (s *search) crowded(n *graph.Node, t token) bool {
	c := s.crowds[n]
	if c == nil {
		c = &crowd{}
		s.crowds[n] = c
	}
	if t.standing < Unsure {
		c.atRisk++
		return c.atRisk > mostAtRisk
	}
	c.safe++
	return c.safe > mostSafe
}

// label prepares a token for the edges that it moves along.
func (s *search) label(t *token) {
	k := kind{standing: t.standing, guard: t.guard, cause: t.cause, lost: t.lost, failed: t.failed}
	if s.kinds[k] == 0 {
		s.kinds[k] = len(s.kinds) + 1
	}
	t.kind, t.text = s.kinds[k], t.item.String()
}

// rejoin takes an open branch back where all its ways have come together.
func (s *search) rejoin(n *graph.Node, t token, from *visit) {
	b := t.open
	if b == nil || b.ways > 64 {
		return
	}
	at := meeting{node: n, branch: b.node, standing: b.before.standing, guard: b.before.guard}
	s.rejoined[at] |= 1 << b.way
	if s.rejoined[at] != 1<<b.ways-1 {
		return
	}
	failed := t.failed
	t = b.before
	t.failed = failed
	if t.item, t.text = tied(n), ""; t.guard != nil && t.derived {
		t.item = dependent(t.guard)
	}
	s.arrive(n, t, from)
}

func (s *search) pass(v *visit) {
	m := s.all[v.node.Workflow]
	for _, d := range s.depart(m, v) {
		s.send(m, v, d)
	}
}

// depart gives what leaves the node of a visit.
func (s *search) depart(m *model, v *visit) []departure {
	n := v.node
	if n.Disabled {
		return m.step(n, v.token)
	}
	if m.fails(n, v.started) {
		return nil
	}
	if m.ops[n].Approval && v.standing < Unsure {
		// A person has to answer each request: a repeat asks again and acts only if
		// it is answered again.
		return m.step(n, unsure(v.token, m.suspects[n.Name]))
	}
	if g := m.guards[n]; g != nil && v.standing < Unsure {
		return cross(g, v.token)
	}
	if callee := m.callees[n]; callee != nil && n.Type == callNode {
		return s.call(m, callee, v)
	}
	return m.step(n, v.token)
}

// cross splits a token at a guard into winner and loser.
func cross(g *Guard, t token) []departure {
	if g.Kind == Dedup {
		next := t
		next.standing, next.guard, next.lost, next.derived = Guarded, g, false, false
		return []departure{{0, next}, {1, next}}
	}
	if g.Kind == LookUp {
		return lookedUp(g, t)
	}
	var out []departure
	for _, e := range g.winner {
		next := token{standing: Winner, guard: g, item: e.item, derived: true, failed: t.failed, started: t.started}
		if !g.Proven {
			next.standing = Unsure
		}
		out = append(out, departure{e.output, next})
	}
	for _, e := range g.loser {
		next := token{standing: Loser, guard: g, item: e.item, derived: true, lost: true, cause: e.cause, failed: t.failed, started: t.started}
		if e.emits == expr.Maybe {
			next.standing = Unsure
		}
		if e.cause == ErrorGoesOn {
			next.failed = next.failed || e.output == errorOutput(g.Node)
		}
		out = append(out, departure{e.output, next})
	}
	return out
}

// lookedUp splits a token at a look-up: who finds nothing goes on guarded, but
// not alone; who finds something goes on as before, and the branches behind
// decide with what was found.
func lookedUp(g *Guard, t token) []departure {
	var out []departure
	for _, e := range g.winner {
		next := t
		next.standing, next.guard, next.item, next.derived, next.lost = max(t.standing, Guarded), g, e.item, true, false
		out = append(out, departure{e.output, next})
	}
	for _, e := range g.loser {
		next := t
		next.guard, next.item, next.derived, next.lost, next.cause = g, e.item, true, true, e.cause
		out = append(out, departure{e.output, next})
	}
	return out
}

// call enters a called workflow and goes on with what comes back from it.
func (s *search) call(m, callee *model, v *visit) []departure {
	for _, t := range callee.calledTriggers() {
		inner := v.token
		inner.item, inner.text = tied(t), ""
		if inner.derived = v.guard != nil && (v.derived || m.asks(v.node, v.token)); inner.derived {
			inner.item = dependent(v.guard) // the called workflow may ask for the answer
		}
		s.arrive(t, inner, v)
	}
	out := m.step(v.node, v.token)
	if !waits(v.node) {
		return out
	}
	var back []departure
	for _, exit := range callee.summary(s.all) {
		for _, d := range out {
			back = append(back, departure{d.output, returned(m, v, d.token, exit)})
		}
	}
	if len(back) == 0 {
		return out
	}
	return back
}

// returned is the caller's token behind a call: what the called workflow's
// claim made of it counts for the caller too.
func returned(m *model, v *visit, t token, exit token) token {
	if exit.standing <= t.standing {
		return t
	}
	g := &Guard{Node: v.node, Kind: Claim, At: m.ops[v.node].At, Proven: true}
	if exit.guard != nil {
		g.Kind, g.Form, g.Target = exit.guard.Kind, exit.guard.Form, exit.guard.Target
	}
	t.guard, t.item, t.derived = g, dependent(g), true
	if t.standing = exit.standing; t.standing == Loser {
		t.standing = Unsure // whether a later gate asks for it cannot be followed
	}
	return t
}

func waits(n *graph.Node) bool {
	v := n.Parameter("options", "waitForSubWorkflow")
	return !v.Exists() || v.IsTrue()
}

func (m *model) calledTriggers() (list []*graph.Node) {
	for _, n := range m.workflow.Nodes {
		if n.Type == calledTrigger && !n.Disabled {
			list = append(list, n)
		}
	}
	return list
}

// summary are the standings in which a called workflow gives its items back.
func (m *model) summary(all map[*graph.Workflow]*model) []token {
	if m.exitsKnown {
		return m.exits
	}
	m.exitsKnown = true // a workflow that calls itself adds nothing
	var exits []token
	for _, t := range m.calledTriggers() {
		s := newSearch(all, nil)
		s.exits = &exits
		s.run(t)
	}
	m.exits = exits
	return exits
}

// send moves a departure along the edges of its output.
func (s *search) send(m *model, v *visit, d departure) {
	sent := false
	s.label(&d.token)
	for _, e := range v.node.Out {
		if e.Kind != graph.Main || e.Output != d.output || !m.fires(e) {
			continue
		}
		sent = true
		s.enter(m, v, e, d.token)
	}
	if !sent && d.output == 0 && s.exits != nil && !slices.ContainsFunc(*s.exits, func(t token) bool { return t.standing == d.token.standing }) {
		*s.exits = append(*s.exits, d.token)
	}
}

func (s *search) enter(m *model, v *visit, e *graph.Edge, t token) {
	if e.To.Type == loopNode && !e.To.Disabled && t.guard != nil && m.inBody(e.To, t.guard.Node) && v.metBefore(e.To, t.guard.Node) {
		return // what the claim inside a loop decides is over with its item
	}
	if needsAllInputs(e.To) {
		s.merge(v, e, t)
		return
	}
	s.arrive(e.To, t, v)
}

// merge lets items on when every connected input has some, in the standing of
// the input that is hardest to come by.
func (s *search) merge(v *visit, e *graph.Edge, t token) {
	if starves(e.To) {
		return
	}
	inputs := s.arrivals[e.To]
	if inputs == nil {
		inputs = map[int]*visit{}
		s.arrivals[e.To] = inputs
	}
	if old := inputs[e.Input]; old != nil && old.standing <= t.standing {
		return
	}
	inputs[e.Input] = &visit{node: e.To, token: t, from: v, root: s.root}
	var binding *visit
	for _, in := range e.To.MainIn() {
		arrived := inputs[in.Input]
		if arrived == nil {
			return
		}
		if binding == nil || arrived.standing > binding.standing {
			binding = arrived
		}
	}
	next := binding.token
	next.text = ""
	if next.guard != nil && next.derived {
		next.item = dependent(next.guard)
	} else {
		next.item = tied(e.To)
	}
	s.arrive(e.To, next, binding.from)
}

// fires reports whether items ever travel on an edge: the done output of a loop
// whose work does not lead back never does (N8N.md section 7).
func (m *model) fires(e *graph.Edge) bool {
	if e.From.Type != loopNode || e.From.Disabled {
		return true
	}
	loop, done := loopOutputs(e.From)
	if e.Output != done {
		return true
	}
	for _, out := range e.From.MainOut() {
		if out.Output == loop && (out.To == e.From || m.behind(out.To).Has(e.From)) {
			return true
		}
	}
	return false
}

// inBody reports whether n lies on the way from the loop's batch output back to
// the loop.
func (m *model) inBody(loop, n *graph.Node) bool {
	batch, _ := loopOutputs(loop)
	if n.Workflow != loop.Workflow || !m.behind(n).Has(loop) {
		return false
	}
	for _, e := range loop.MainOut() {
		if e.Output == batch && (e.To == n || m.behind(e.To).Has(n)) {
			return true
		}
	}
	return false
}

// metBefore reports whether the way to here came through the loop before it came
// through the guard: the item goes back into the loop that it is part of.
func (v *visit) metBefore(loop, guard *graph.Node) bool {
	behind := false
	for ; v != nil; v = v.from {
		behind = behind || v.node == guard
		if behind && v.node == loop {
			return true
		}
	}
	return false
}
