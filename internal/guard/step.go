package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// departure is an item that leaves a node at one output.
type departure struct {
	output int
	token  token
}

// step gives what leaves node n when an item of token t has come in, the node
// being no guard for it.
func (m *model) step(n *graph.Node, t token) []departure {
	switch {
	case n.Disabled:
		return []departure{{0, t}}
	case n.Type == stopNode:
		return nil
	}
	s := m.scope(n, t)
	if answers := m.eval.branches(n, s); answers != nil {
		return m.withError(n, t, m.branch(n, t, answers))
	}
	if code, mode := catalog.CodeOf(n); code.Exists() {
		return m.withError(n, t, m.runCode(n, t, s, code, mode))
	}
	out := m.outgoing(n, t, s)
	if n.Type == codeNode {
		out = m.unread(n, t, t.derived) // Python
	}
	var departures []departure
	for _, o := range mainOutputs(n) {
		if o != errorOutput(n) {
			departures = append(departures, departure{o, out})
		}
	}
	return m.withError(n, t, departures)
}

// mainOutputs are the first output and those that something hangs on.
func mainOutputs(n *graph.Node) []int {
	list := []int{0}
	last := 0
	for _, e := range n.Out {
		if e.Kind == graph.Main && e.Output != last {
			list, last = append(list, e.Output), e.Output
		}
	}
	return list
}

func (m *model) scope(n *graph.Node, t token) scope {
	s := scope{token: t, node: n, model: m}
	if t.guard != nil {
		s.behind = m.behind(t.guard.Node)
		s.answer = m.answer(t)
	}
	return s
}

// answer is the item that this party got from its guard.
func (m *model) answer(t token) expr.Value {
	list := t.guard.winner
	if t.lost {
		list = t.guard.loser
	}
	for _, e := range list {
		if !t.lost || e.cause == t.cause {
			return e.item
		}
	}
	return dependent(t.guard)
}

// branch sends the item to the outputs that its answers name.
func (m *model) branch(n *graph.Node, t token, answers []answer) []departure {
	var out []departure
	ways := 0
	for output, a := range answers {
		next, goes := m.judged(t, a)
		if !goes {
			continue
		}
		if next.standing == Unsure && t.standing != Unsure {
			next.open = &openBranch{node: n, before: t, way: ways}
		}
		ways++
		if n.Type == filterNode && output > 0 {
			continue // one output, the discarded items leave the workflow (N8N.md section 7)
		}
		out = append(out, departure{output, next})
	}
	for _, d := range out {
		if d.token.open != nil {
			d.token.open.ways = ways
		}
	}
	if len(out) == 0 && n.AlwaysOutputData {
		t.item = expr.Object()
		return []departure{{0, t}}
	}
	if n.AlwaysOutputData && t.guard != nil && !leaves(out, 0) {
		// n8n looks at the first output only; what it does for a branch node was
		// not measured.
		out = append(out, departure{0, unsure(t, t.guard)})
	}
	return out
}

func leaves(out []departure, output int) bool {
	for _, d := range out {
		if d.output == output {
			return true
		}
	}
	return false
}

// judged decides whether a token takes a way of which a says if. A way that
// depends on the guard and cannot be decided makes the token unsure.
func (m *model) judged(t token, a answer) (token, bool) {
	if t.guard == nil {
		// A condition that is the same for every event is a switch of the owner's.
		if a.truth != expr.Maybe {
			return t, a.truth == expr.True || !asksExecuted(a.value)
		}
	} else if a.truth != expr.Maybe {
		return t, a.truth == expr.True
	}
	if t.guard != nil && t.standing != Winner && expr.DependsOn(a.value, t.guard.Node.Name) {
		return unsure(t, t.guard), true
	}
	if s := m.suspect(a.value); s != nil && t.standing < Unsure {
		return unsure(t, s), true
	}
	return t, true
}

func unsure(t token, g *Guard) token {
	t.standing, t.guard = Unsure, g
	return t
}

// suspect finds a node that may claim in ways the file does not show, and whose
// answer the value was made from.
func (m *model) suspect(v expr.Value) *Guard {
	for _, o := range v.AllOrigins() {
		switch {
		case o.Kind == expr.OriginReference && m.suspects[o.Name] != nil:
			return m.suspects[o.Name]
		case o.Kind == expr.OriginCall && o.Name == staticData:
			return m.anyMemory()
		}
	}
	return nil
}

// staticData is how code reaches the workflow's static data, which concurrent
// executions do not share (N8N.md section 4).
const staticData = "$getWorkflowStaticData"

// unread is a token behind code that cannot be followed: where the code may ask
// for the guard's answer, it may be the gate.
func (m *model) unread(n *graph.Node, t token, asks bool) token {
	t.item, t.derived = m.made(n, t, asks), asks
	if asks && t.guard != nil && t.standing < Unsure {
		return unsure(t, t.guard)
	}
	return t
}

// runCode follows the items through a Code node.
func (m *model) runCode(n *graph.Node, t token, s scope, code source.Value, mode expr.CodeMode) []departure {
	p := m.eval.code(code.Str())
	asks := t.derived && readsItem(p) || m.namesGuard(p, t)
	if p == nil {
		return []departure{{0, m.unread(n, t, asks)}}
	}
	r := p.RunCode(s, mode)
	low, high := r.Items.Count()
	if high == 0 && r.Items.Kind() == expr.KindArray {
		return m.nothing(n, t)
	}
	next := t
	next.item = r.Items.Element().Field("json")
	next.derived = asks
	if low > 0 && !(r.MayThrow && asks && t.standing == Loser) {
		return []departure{{0, next}}
	}
	if low == 0 && t.standing < Guarded && callsStaticData(r.Calls) {
		next.standing, next.guard = Guarded, m.remembered(n)
	}
	if asks && t.guard != nil && t.standing < Unsure {
		next = unsure(next, t.guard)
	} else if g := m.suspect(r.Items); g != nil && next.standing < Unsure {
		next = unsure(next, g)
	}
	return []departure{{0, next}}
}

func callsStaticData(calls []expr.Call) bool {
	return slices.ContainsFunc(calls, func(c expr.Call) bool { return c.Callee == staticData })
}

// remembered is the guard of a Code node that keeps what it has seen in static
// data.
func (m *model) remembered(n *graph.Node) *Guard {
	g := m.memories[n]
	if g == nil {
		g = &Guard{Node: n, Kind: LookUp, At: m.staticDataPlace(n), Target: catalog.Target{Store: "static data"}, OneNode: true}
		m.memories[n] = g
	}
	return g
}

// staticDataPlace is the name of the helper in the node's code.
func (m *model) staticDataPlace(n *graph.Node) source.Span {
	code, _ := catalog.CodeOf(n)
	if p := m.eval.code(code.Str()); p != nil {
		for _, r := range p.References() {
			if r.Name == staticData {
				return code.Inner(r.Start, r.End)
			}
		}
	}
	return m.ops[n].At
}

// anyMemory is the first Code node that works with static data.
func (m *model) anyMemory() *Guard {
	for _, n := range m.workflow.Nodes {
		code, _ := catalog.CodeOf(n)
		if !code.Exists() {
			continue
		}
		if p := m.eval.code(code.Str()); p != nil && slices.ContainsFunc(p.References(), func(r expr.Name) bool { return r.Name == staticData }) {
			return m.remembered(n)
		}
	}
	return nil
}

func (m *model) nothing(n *graph.Node, t token) []departure {
	if !n.AlwaysOutputData {
		return nil
	}
	t.item = expr.Object()
	return []departure{{0, t}}
}

func readsItem(p *expr.Program) bool {
	if p == nil {
		return true
	}
	for _, r := range p.References() {
		if r.Kind == expr.NameItem {
			return true
		}
	}
	return false
}

func (m *model) namesGuard(p *expr.Program, t token) bool {
	if p == nil || t.guard == nil {
		return false
	}
	behind := m.behind(t.guard.Node)
	for _, r := range p.References() {
		if r.Kind != expr.NameNode {
			continue
		}
		if other := t.guard.Node.Workflow.Node(r.Name); other == t.guard.Node || behind.Has(other) {
			return true
		}
	}
	return false
}

// made is the item that a node makes of its own; asks tells whether the guard's
// answer went into it.
func (m *model) made(n *graph.Node, t token, asks bool) expr.Value {
	if asks && t.guard != nil {
		return dependent(t.guard)
	}
	return expr.Ref(n.Name)
}

// outgoing is the token behind an ordinary node.
func (m *model) outgoing(n *graph.Node, t token, s scope) token {
	if m.passes(n) && !(n.Type == mergeNode && needsAllInputs(n)) || n.Type == calledTrigger {
		return t
	}
	if n.Type == setNode {
		t.item = m.set(n, s)
		return t
	}
	inside := m.ops[n].Kind == catalog.Logic || m.ops[n].Kind == catalog.Compute
	asks := t.derived && inside || t.guard != nil && m.asks(n, t)
	t.item, t.derived = m.made(n, t, asks), asks
	return t
}

// asks reports whether a parameter of the node is made from the guard's answer.
func (m *model) asks(n *graph.Node, t token) bool {
	for _, r := range m.references(n) {
		switch r.Kind {
		case expr.NameItem:
			if t.derived {
				return true
			}
		case expr.NameNode:
			if r.Name == t.guard.Node.Name {
				return true
			}
		}
	}
	return false
}

// set follows the fields through a Set node.
func (m *model) set(n *graph.Node, s scope) expr.Value {
	keep := flow.KeepsFields(n)
	if n.Parameter("mode").Str() == "raw" {
		return m.rawItem(n, s, keep)
	}
	return withFields(s, keep, m.setFields(n, s))
}

// rawItem is what Set makes of JSON that is written as a whole. Where it is a
// text with expressions in it only its sources are known.
func (m *model) rawItem(n *graph.Node, s scope, keep bool) expr.Value {
	v := m.eval.value(n.Parameter("jsonOutput"), s)
	if text, ok := v.AsString(); ok {
		if p, err := expr.Parse(text, expr.Expression); err == nil { // n8n reads JSON and the like of JavaScript here
			v = p.Eval(expr.Symbolic{})
		}
	}
	if v.Kind() == expr.KindObject && !v.Open() {
		return withFields(s, keep, v.Fields())
	}
	v = expr.Anything().WithOrigins(v.AllOrigins()...)
	if keep {
		v = v.WithOrigins(s.item.AllOrigins()...)
	}
	if s.guard != nil && m.asks(n, s.token) {
		v = v.WithOrigins(dependent(s.guard).AllOrigins()...)
	}
	return v
}

func withFields(s scope, keep bool, fields []expr.Field) expr.Value {
	if !keep {
		return expr.Object(fields...)
	}
	if s.item.Kind() == expr.KindObject {
		all := append(s.item.Fields(), fields...)
		if s.item.Open() {
			return expr.OpenObject(s.item.Rest(), all...)
		}
		return expr.Object(all...)
	}
	return expr.OpenObject(s.item, fields...)
}

// setFields are the fields that a Set node writes, each a value or an object
// around it.
func (m *model) setFields(n *graph.Node, s scope) (fields []expr.Field) {
	for _, a := range flow.SetFields(n) {
		value := m.eval.value(a.Value, s)
		path := a.Path()
		for i := len(path) - 1; i > 0; i-- {
			value = expr.OpenObject(expr.Anything(), expr.Field{Name: path[i], Value: value})
		}
		fields = append(fields, expr.Field{Name: path[0], Value: value})
	}
	return fields
}

// withError adds the error output: any node that has one may fail.
func (m *model) withError(n *graph.Node, t token, out []departure) []departure {
	o := errorOutput(n)
	if o < 0 {
		return out
	}
	kept := out[:0]
	for _, d := range out {
		if d.output != o {
			kept = append(kept, d)
		}
	}
	t.failed = true
	if t.guard != nil && t.derived {
		t.item = dependent(t.guard)
	} else {
		t.item = expr.Ref(n.Name)
	}
	return append(kept, departure{o, t})
}
