package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// model is one workflow with what its nodes do, and the caches of its analysis.
// It is used by one goroutine at a time.
type model struct {
	workflow *graph.Workflow
	catalog  *catalog.Catalog
	eval     *evaluator
	ops      map[*graph.Node]catalog.Operation
	guards   map[*graph.Node]*Guard
	// suspects may claim in ways the file does not show, by node name.
	suspects map[string]*Guard
	// memories are the Code nodes that guard with static data.
	memories map[*graph.Node]*Guard
	// callees are the workflows of the set that nodes call.
	callees map[*graph.Node]*model
	// callers are the call nodes of the set that call this workflow.
	callers []*graph.Node
	// reached are the visits of every root, by node.
	reached map[*graph.Node][]*visit

	all          map[*graph.Workflow]*model
	trace        *flow.Tracer
	behindOf     map[*graph.Node]graph.NodeSet
	writers      []*graph.Node
	referencesOf map[*graph.Node][]expr.Name
	ingress      ingressMemory
	exits        []token
	exitsKnown   bool
	needsOf      map[*graph.Node][]string
	err          error
}

func newModel(c *catalog.Catalog, w *graph.Workflow) *model {
	m := &model{
		workflow: w, catalog: c, eval: newEvaluator(),
		ops: map[*graph.Node]catalog.Operation{}, guards: map[*graph.Node]*Guard{}, suspects: map[string]*Guard{}, memories: map[*graph.Node]*Guard{},
		callees: map[*graph.Node]*model{}, reached: map[*graph.Node][]*visit{},
		behindOf: map[*graph.Node]graph.NodeSet{}, referencesOf: map[*graph.Node][]expr.Name{}, needsOf: map[*graph.Node][]string{},
	}
	return m
}

func (m *model) readOperations() {
	for _, n := range m.workflow.Nodes {
		op := m.catalog.Of(n)
		m.resolveAddress(n, &op)
		m.ops[n] = op
	}
}

// references are the nodes and items that the node's expressions name.
func (m *model) references(n *graph.Node) []expr.Name {
	refs, ok := m.referencesOf[n]
	if !ok {
		m.eachString(n.Parameters, func(s string) {
			for _, p := range m.eval.template(s).Parts {
				if p.Program != nil {
					refs = append(refs, p.Program.References()...)
				}
			}
		})
		m.referencesOf[n] = refs
	}
	return refs
}

func (m *model) eachString(v source.Value, visit func(string)) {
	if v.Kind() == source.String {
		if raw := v.Raw(); len(raw) > 2 && raw[1] == '=' {
			visit(v.Str())
		}
		return
	}
	for c := range v.Children() {
		m.eachString(c, visit)
	}
}

// findGuards recognises what may keep a repeated event from going on. It needs
// the whole model, because some claims show only by the gate behind them.
func (m *model) findGuards() {
	for _, n := range m.workflow.Nodes {
		if n.Disabled {
			continue
		}
		if g := m.suspected(n); g != nil {
			m.suspects[n.Name] = g
		}
	}
	for _, n := range m.workflow.Nodes {
		if n.Disabled {
			continue
		}
		if g := m.recognise(n); g != nil {
			m.guards[n] = g
		}
	}
}

func (m *model) suspected(n *graph.Node) *Guard {
	op := m.ops[n]
	switch {
	case op.Approval:
		return &Guard{Node: n, Kind: Approval, At: op.At}
	case op.Kind == catalog.Unknown && (op.Script != nil || op.HTTP != nil),
		op.Kind == catalog.Call && m.callees[n] == nil:
		return &Guard{Node: n, Kind: Call, At: op.At}
	}
	return nil
}

func (m *model) recognise(n *graph.Node) *Guard {
	op := m.ops[n]
	if n.Type == dedupNode && seenBefore(n) {
		return &Guard{Node: n, Kind: Dedup, At: op.At}
	}
	if g := m.lookUp(n); g != nil {
		m.suspects[n.Name] = g
		if g.Kind != LookUp {
			return nil
		}
		return g
	}
	if g := insertIfMissing(n, op); g != nil {
		return g
	}
	g, meant := sqlClaim(n, op)
	if g == nil {
		g, meant = rowClaim(m.catalog, n, op)
	}
	if g == nil || !meant && !m.shown(g) {
		return nil
	}
	return g
}

// shown reports whether the way behind the node shows that it is a claim: a
// gate that asks its answer, and for answers that tell everyone the same or
// count, a gate that tells the winner from the loser.
func (m *model) shown(g *Guard) bool {
	switch g.Form {
	case InsertDoNothing, InsertIgnore, SkipOnConflict, IgnoreDuplicates:
		return m.asked(g) || m.separated(g)
	case RedisIncrement:
		if m.separated(g) || !m.asked(g) && m.countsEvents(g) {
			return true
		}
		g.Proven = false
		return m.undecided(g)
	}
	return m.separated(g)
}

// asked reports whether a branch behind the guard asks for its answer.
func (m *model) asked(g *Guard) bool { return len(m.askers(g)) > 0 }

// askers are the branches behind a guard that ask for its answer.
func (m *model) askers(g *Guard) (list []*graph.Node) {
	t := token{standing: Winner, guard: g, item: tied(g.Node), derived: true}
	for n, answers := range m.probe(g, t, tied(g.Node)) {
		if slices.ContainsFunc(answers, func(a answer) bool { return a.truth == expr.Maybe && expr.DependsOn(a.value, g.Node.Name) }) {
			list = append(list, n)
		}
	}
	return list
}

// undecided reports whether a branch behind the guard asks for the winner's
// answer in a way that cannot be evaluated. A branch that asks and treats the
// first two numbers alike is a limit: the counter is no claim.
func (m *model) undecided(g *Guard) bool {
	w, l := g.winner[0], g.loser[0]
	asks := m.probe(g, token{standing: Winner, guard: g, item: tied(g.Node), derived: true}, tied(g.Node))
	won := m.probe(g, token{standing: Winner, guard: g, item: w.item, derived: true}, w.item)
	lost := m.probe(g, token{standing: Winner, guard: g, item: l.item, derived: true, lost: true, cause: l.cause}, l.item)
	open := false
	for n, answers := range asks {
		for i, a := range answers {
			if a.truth != expr.Maybe || !expr.DependsOn(a.value, g.Node.Name) || i >= len(won[n]) || i >= len(lost[n]) {
				continue
			}
			if won[n][i].truth != expr.Maybe && won[n][i].truth == lost[n][i].truth {
				return false
			}
			open = open || won[n][i].truth == expr.Maybe && expr.DependsOn(won[n][i].value, g.Node.Name)
		}
	}
	return open
}

// separated reports whether a branch behind the guard lets the winner where it
// does not let the loser.
func (m *model) separated(g *Guard) bool {
	if len(g.winner) == 0 || len(g.loser) == 0 {
		return false
	}
	w, l := g.winner[0], g.loser[0]
	won := m.probe(g, token{standing: Winner, guard: g, item: w.item, derived: true}, w.item)
	lost := m.probe(g, token{standing: Winner, guard: g, item: l.item, derived: true, lost: true, cause: l.cause}, l.item)
	for n, answers := range won {
		for i, a := range answers {
			if a.truth != expr.False && i < len(lost[n]) && lost[n][i].truth == expr.False {
				return true
			}
		}
	}
	return false
}

// probe sends one token behind the guard and collects the answers of the
// branches that it meets, each node once.
func (m *model) probe(g *Guard, t token, got expr.Value) map[*graph.Node][]answer {
	found := map[*graph.Node][]answer{}
	seen := map[*graph.Node]bool{g.Node: true}
	todo := []struct {
		n *graph.Node
		t token
	}{}
	push := func(n *graph.Node, output int, t token) {
		for _, e := range n.Out {
			if e.Kind == graph.Main && e.Output == output && !seen[e.To] {
				seen[e.To] = true
				todo = append(todo, struct {
					n *graph.Node
					t token
				}{e.To, t})
			}
		}
	}
	push(g.Node, 0, t)
	for len(todo) > 0 {
		n, t := todo[0].n, todo[0].t
		todo = todo[1:]
		if !n.Disabled {
			s := m.scope(n, t)
			s.answer = got
			if answers := m.eval.branches(n, s); answers != nil {
				found[n] = answers
			} else if code, mode := catalog.CodeOf(n); code.Exists() {
				found[n] = m.codeAnswer(t, s, code, mode)
			}
		}
		for _, d := range m.step(n, t) {
			push(n, d.output, d.token)
		}
	}
	return found
}

// codeAnswer says whether a Code node gives items for a token.
func (m *model) codeAnswer(t token, s scope, code source.Value, mode expr.CodeMode) []answer {
	p := m.eval.code(code.Str())
	if p == nil {
		return nil
	}
	r := p.RunCode(s, mode)
	low, high := r.Items.Count()
	switch {
	case r.Items.Kind() != expr.KindArray:
		return []answer{{truth: expr.Maybe, value: r.Items}}
	case high == 0:
		return []answer{no}
	case low > 0 && !r.MayThrow:
		return []answer{yes}
	}
	v := expr.Anything().WithOrigins(r.Items.AllOrigins()...)
	if t.derived && readsItem(p) {
		v = dependent(t.guard)
	}
	return []answer{{truth: expr.Maybe, value: v}}
}

// countsEvents reports whether a counter is there to recognise one event: its
// key comes from the item, and an effect follows directly.
func (m *model) countsEvents(g *Guard) bool {
	names := slices.ContainsFunc(m.eval.value(g.Node.Parameter("key"), expr.Symbolic{}).AllOrigins(), func(o expr.Origin) bool {
		return o.Kind == expr.OriginReference && len(o.Path) > 0 && identifies(o.Path[len(o.Path)-1])
	})
	return names && slices.ContainsFunc(g.Node.MainOut(), func(e *graph.Edge) bool {
		return !e.To.Disabled && m.ops[e.To].Kind == catalog.Repeatable
	})
}
