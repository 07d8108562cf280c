package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Rejoin is a node at which two ways come together that both run in one
// execution: n8n runs it, and what hangs behind it, once for each.
type Rejoin struct {
	// Fork is where the ways part, Join where they meet.
	Fork, Join *graph.Node
	// Ways are the edges of both ways, from the fork to the join.
	Ways [2][]*graph.Edge
	// Effect is done once for each way: the join's own, or the first behind it.
	Effect *Effect
	// Behind are the nodes from the join to the effect.
	Behind []*graph.Node
	// Sometimes: a branch on one of the ways decides whether it runs.
	Sometimes bool
	// Content says in how far the two runs do the same.
	Content Content
}

// Content compares what an effect does on two ways.
type Content int

const (
	// Same: nothing that the effect uses was made on the ways.
	Same Content = iota
	// Answers: the effect uses the answer of what acts on one of the ways.
	Answers
	// Different: the ways make what the effect uses, as when each writes a text of
	// its own or reads a list of its own.
	Different
)

// longestSearch is the number of edges that the search for rejoins looks at in
// one workflow.
const longestSearch = 1_000_000

// rejoins is the search for ways that come together in one workflow.
type rejoins struct {
	*model
	effects map[*graph.Node]*Effect
	unsure  map[*graph.Edge]bool
	left    int
	// after are the nodes behind the join, which are on no way to it.
	after map[*graph.Node]bool
	// plain: Merge nodes are not looked through.
	plain bool
}

// Rejoins are the nodes that an execution runs once for each of two ways,
// each effect once, where both runs may do the same (N8N.md section 6).
func (f *Facts) Rejoins() (list []Rejoin) {
	s := &rejoins{model: f.model, effects: map[*graph.Node]*Effect{}, unsure: map[*graph.Edge]bool{}, left: longestSearch}
	for _, e := range f.Effects {
		if e.Agent == nil && !e.Key.Protects() && !tellsOfFailure(e) {
			s.effects[e.Node] = e
		}
	}
	seen := map[*graph.Node]bool{}
	for _, n := range f.Workflow.Nodes {
		if r, ok := s.at(n); ok && !seen[r.Effect.Node] {
			seen[r.Effect.Node] = true
			list = append(list, r)
		}
	}
	return list
}

// tellsOfFailure reports whether an effect is only reached behind errors and
// goes to an operator.
func tellsOfFailure(e *Effect) bool {
	if e.Impact != catalog.Notice && !e.Fixed {
		return false
	}
	return !slices.ContainsFunc(e.Exposures, func(x Exposure) bool { return !x.Failed })
}

// at finds the best evidence that a node is run twice.
func (s *rejoins) at(join *graph.Node) (best Rejoin, found bool) {
	if len(s.reached[join]) == 0 || waitsForAll(join) || len(join.MainIn()) < 2 {
		return best, false
	}
	chains := s.chains(join)
	if len(chains) == 0 {
		return best, false
	}
	before := graph.CanReach(join)
	after := graph.Reachable(join, func(e *graph.Edge) bool { return e.To.Type == loopNode })
	for _, fork := range s.workflow.Nodes {
		if s.left <= 0 || fork == join || !before[fork] || len(s.reached[fork]) == 0 || len(fork.Out) < 2 {
			continue
		}
		for _, together := range s.together(fork) {
			for _, r := range s.pairs(fork, join, together, after) {
				s.judge(&r, chains)
				if r.Content != Different && !s.stops(r) && (!found || r.rank() < best.rank()) {
					best, found = r, true
				}
			}
		}
	}
	return best, found
}

// stops reports whether the run fails on the way, at a node that reads one which
// the workflow does not have: that is what its owner has to hear first.
func (s *rejoins) stops(r Rejoin) bool {
	way := slices.Clone(r.Behind)
	for _, e := range slices.Concat(r.Ways[0], r.Ways[1]) {
		way = append(way, e.From, e.To)
	}
	return slices.ContainsFunc(way, func(n *graph.Node) bool {
		return !n.Disabled && n.OnError == graph.StopWorkflow && slices.ContainsFunc(s.needs(n), func(name string) bool { return s.workflow.Node(name) == nil })
	})
}

func (r *Rejoin) rank() int {
	rank := 2 * int(r.Content)
	if r.Sometimes {
		rank++
	}
	return rank
}

// waitsForAll reports whether a node takes what comes on several inputs in one
// run, or takes a second arrival as the end of a round: Merge and its kin, Loop.
func waitsForAll(n *graph.Node) bool {
	if n.Disabled {
		return false
	}
	if n.Type == mergeNode || n.Type == loopNode {
		return true
	}
	return slices.ContainsFunc(n.MainIn(), func(e *graph.Edge) bool { return e.Input > 0 })
}

// together are the groups of edges of a node that run in one execution: those of
// one output, both outputs of a loop, the outputs of a branch that takes an item
// to all that match.
func (s *rejoins) together(fork *graph.Node) (groups [][]*graph.Edge) {
	at := map[int]int{}
	all := !fork.Disabled && (fork.Type == loopNode || matchesSeveral(fork))
	for _, e := range fork.MainOut() {
		if !s.fires(e) {
			continue
		}
		output := e.Output
		if all && output != errorOutput(fork) {
			output = -1
		}
		i, ok := at[output]
		if !ok {
			i = len(groups)
			at[output] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return slices.DeleteFunc(groups, func(g []*graph.Edge) bool { return len(g) < 2 })
}

// matchesSeveral reports whether one item may leave a branch by several outputs.
// Rules that ask the same value can seldom hold together.
func matchesSeveral(n *graph.Node) bool {
	if n.Type == classifierNode {
		return n.Parameter("options", "multiClass").IsTrue()
	}
	if n.Type != switchNode || !n.Parameter("options", "allMatchingOutputs").IsTrue() {
		return false
	}
	asked := map[string]bool{}
	for _, r := range switchRules(n) {
		for c := range r.Get("conditions", "conditions").Children() {
			asked[c.Get("leftValue").Text()] = true
		}
	}
	return len(asked) > 1
}

// pairs are pairs of ways from a fork to a join that share no node between, one
// for each first edge, at least one of each pair without a branch.
// What comes from the join itself (after) is no way to it.
func (s *rejoins) pairs(fork, join *graph.Node, starts []*graph.Edge, after map[*graph.Node]bool) (list []Rejoin) {
	if after[fork] {
		return nil
	}
	s.after = after
	defer func() { s.after = nil }()
	for i, start := range starts {
		first := s.way(fork, join, []*graph.Edge{start}, nil, false)
		if first == nil {
			continue
		}
		others := slices.Delete(slices.Clone(starts), i, i+1)
		taken := map[*graph.Node]bool{}
		for _, e := range first[:len(first)-1] {
			taken[e.To] = true
		}
		r := Rejoin{Fork: fork, Join: join, Sometimes: matchesSeveral(fork)}
		second := s.way(fork, join, others, taken, false)
		if second == nil {
			r.Sometimes = true
			second = s.way(fork, join, others, taken, true)
		}
		if second != nil {
			r.Ways = [2][]*graph.Edge{first, second}
			list = append(list, r)
		}
	}
	return list
}

// way is a shortest way from the start edges to the join, nil for none. It goes
// through no node twice, and a way around a loop is none.
func (s *rejoins) way(fork, join *graph.Node, starts []*graph.Edge, taken map[*graph.Node]bool, branches bool) []*graph.Edge {
	from := map[*graph.Node]*graph.Edge{fork: nil}
	todo := slices.Clone(starts)
	for len(todo) > 0 && s.left > 0 {
		e := todo[0]
		todo = todo[1:]
		s.left--
		if _, seen := from[e.To]; seen || (taken[e.To] || s.after[e.To]) && e.To != join || !s.fires(e) {
			continue
		}
		if e.From != fork && !branches && (s.decides(e) || !s.complete(fork, e.From)) || e.To.Type == loopNode && s.inBody(e.To, e.From) {
			continue
		}
		from[e.To] = e
		if e.To == join {
			return back(from, fork, e)
		}
		todo = append(todo, e.To.MainOut()...)
	}
	return nil
}

// complete reports whether a Merge that waits for all its inputs gets each of
// them whenever the fork runs.
func (s *rejoins) complete(fork, n *graph.Node) bool {
	if s.plain || !needsAllInputs(n) {
		return true
	}
	s.plain = true
	defer func() { s.plain = false }()
	fed := map[int]bool{}
	for _, e := range n.MainIn() {
		fed[e.Input] = fed[e.Input] || s.always(fork, e)
	}
	for _, ok := range fed {
		if !ok {
			return false
		}
	}
	return true
}

// always reports whether an edge gets items whenever the fork runs.
func (s *rejoins) always(fork *graph.Node, e *graph.Edge) bool {
	if e.From == fork {
		return true
	}
	return !s.decides(e) && s.way(fork, e.From, fork.MainOut(), nil, false) != nil
}

func back(from map[*graph.Node]*graph.Edge, fork *graph.Node, last *graph.Edge) (way []*graph.Edge) {
	for e := last; e != nil; e = from[e.From] {
		way = append(way, e)
		if e.From == fork {
			break
		}
	}
	slices.Reverse(way)
	return way
}

// decides reports whether a node may keep an item from an edge: a branch, a
// claim, an error output, code that may give nothing.
func (s *rejoins) decides(e *graph.Edge) bool {
	known, ok := s.unsure[e]
	if !ok {
		known = s.mayStop(e)
		s.unsure[e] = known
	}
	return known
}

func (s *rejoins) mayStop(e *graph.Edge) bool {
	n := e.From
	switch {
	case n.Disabled:
		return false
	case e.Output == errorOutput(n), s.guards[n] != nil, s.ops[n].Approval:
		return true
	}
	switch n.Type {
	case ifNode, filterNode, switchNode, dedupNode, compareNode, sentimentNode, classifierNode, guardrailsNode:
		return true
	}
	code, mode := catalog.CodeOf(n)
	if !code.Exists() {
		return false
	}
	p := s.eval.code(code.Str())
	if p == nil {
		return false
	}
	items := p.RunCode(expr.Symbolic{}, mode).Items
	low, _ := items.Count()
	return low == 0
}

// chain leads from a join to an effect; need is what the effect uses of the items
// that arrive at the join.
type chain struct {
	nodes []*graph.Node
	need  need
}

// chains are the ways from a join to the first effects behind it, nearest first.
// A guard on the way stops the second run, a Merge or a loop takes it up.
func (s *rejoins) chains(join *graph.Node) (list []chain) {
	seen := map[*graph.Node]bool{join: true}
	todo := [][]*graph.Node{{join}}
	for len(todo) > 0 && s.left > 0 {
		way := todo[0]
		todo = todo[1:]
		s.left--
		n := way[len(way)-1]
		if s.guards[n] != nil && !n.Disabled || n != join && waitsForAll(n) {
			continue
		}
		if s.effects[n] != nil {
			list = append(list, chain{nodes: way, need: s.needOfChain(way)})
			continue
		}
		if len(way) > longestChain {
			continue
		}
		for _, e := range n.MainOut() {
			if !seen[e.To] && s.fires(e) && e.Output != errorOutput(n) {
				seen[e.To] = true
				todo = append(todo, append(slices.Clone(way), e.To))
			}
		}
	}
	return list
}

const longestChain = 40

// judge chooses the effect that is most surely done twice.
func (s *rejoins) judge(r *Rejoin, chains []chain) {
	r.Content = Different
	for _, c := range chains {
		content := together(s.madeOn(r.Ways[0], c.need), s.madeOn(r.Ways[1], c.need))
		effect := s.effects[c.nodes[len(c.nodes)-1]]
		if content == Answers && effect.Log {
			content = Different // one row for each act is what a log is for
		}
		if r.Effect == nil || content < r.Content {
			r.Effect, r.Behind, r.Content = effect, c.nodes, content
		}
	}
}

// together compares two ways. What acts on one of them makes its answer as a
// by-product, whatever the other one makes.
func together(a, b Content) Content {
	if a == Answers || b == Answers {
		return min(max(a, b), Answers)
	}
	return max(a, b)
}
