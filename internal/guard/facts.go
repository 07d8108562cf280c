package guard

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Facts are what is known of one workflow.
type Facts struct {
	Workflow *graph.Workflow
	// Effects are the nodes that act and that an enabled trigger reaches, in the
	// order of the file.
	Effects []*Effect
	// Guards are the claims and other guards that a trigger reaches.
	Guards []*Guard
	// Triggers are the enabled triggers, without the webhooks that n8n refuses.
	Triggers []Root
	// Retried are the reached nodes with Retry On Fail that act.
	Retried []Retry
	// Set are the facts of all workflows of the run, this one included.
	Set []*Facts
	// Err says why the workflow could not be analysed; the rest is empty then.
	Err error
	// Unknown are reached nodes of which the catalog cannot tell what they do.
	Unknown []Unclear

	model     *model
	keys      []KeyUse
	keysKnown bool
	listeners listeners
	shared
}

// Unclear is a node that could not be judged, and why.
type Unclear struct {
	Node   *graph.Node
	Reason string
}

// Operation is what a node of the workflow does.
func (f *Facts) Operation(n *graph.Node) catalog.Operation { return f.model.ops[n] }

// Reached reports whether an enabled trigger starts an execution that comes to
// the node, on the main way or as a tool.
func (f *Facts) Reached(n *graph.Node) bool {
	return !n.Disabled && (len(f.model.reached[n]) > 0 || f.model.user(n) != nil)
}

// IsTool reports whether an agent may use the node as a tool.
func (f *Facts) IsTool(n *graph.Node) bool {
	return len(f.model.reached[n]) == 0 && f.model.user(n) != nil
}

// Callee are the effects of the workflow that a node calls, where it is in the
// linted set.
func (f *Facts) Callee(n *graph.Node) (*graph.Workflow, bool) {
	if c := f.model.callees[n]; c != nil {
		return c.workflow, true
	}
	return nil, false
}

// Analyze works out the facts of every workflow of a run. The result has the
// order of the input. each calls work for 0 to n-1, in any order and on as many
// goroutines as it likes.
func Analyze(c *catalog.Catalog, workflows []*graph.Workflow, each func(n int, work func(i int))) []*Facts {
	models := make([]*model, len(workflows))
	all := make(map[*graph.Workflow]*model, len(workflows))
	for i, w := range workflows {
		models[i] = newModel(c, w)
		all[w], models[i].all = models[i], all
	}
	each(len(models), func(i int) { models[i].attempt(models[i].readOperations) })
	link(models)
	each(len(models), func(i int) { models[i].attempt(models[i].findGuards) })
	facts := make([]*Facts, len(models))
	place := make(map[*model]int, len(models))
	for i, m := range models {
		place[m] = i
	}
	groups := connected(models)
	each(len(groups), func(i int) {
		for _, m := range groups[i] {
			m.attempt(func() { m.follow(all) })
		}
		for _, m := range groups[i] {
			facts[place[m]] = m.result()
		}
	})
	listeners := listenersOf(workflows)
	for _, f := range facts {
		f.Set, f.listeners = facts, listeners
	}
	share(facts)
	return facts
}

// InOrder is the simplest way to do work for Analyze: one after the other.
func InOrder(n int, work func(i int)) {
	for i := range n {
		work(i)
	}
}

// follow searches from every trigger of the workflow.
func (m *model) follow(all map[*graph.Workflow]*model) {
	for _, r := range m.roots() {
		newSearch(all, &r).run(r.Trigger)
	}
}

func (m *model) result() *Facts {
	f := &Facts{Workflow: m.workflow, model: m}
	m.attempt(func() { f = m.facts() })
	if m.err != nil {
		return &Facts{Workflow: m.workflow, model: m, Err: m.err}
	}
	return f
}

// attempt keeps a fault in the analysis of one workflow from taking the others
// with it.
func (m *model) attempt(work func()) {
	if m.err != nil {
		return
	}
	defer func() {
		if x := recover(); x != nil {
			m.err = fmt.Errorf("the analysis failed: %v", x)
		}
	}()
	work()
}

// roots are the enabled triggers. A workflow that the set calls is not started
// by strangers: its callers' triggers count. A webhook that n8n refuses starts nothing.
func (m *model) roots() (list []Root) {
	if m.workflow.Blank() {
		return nil
	}
	for _, n := range m.workflow.Nodes {
		op := m.ops[n]
		if op.Kind != catalog.Trigger || n.Disabled || n.Type == calledTrigger && len(m.callers) > 0 {
			continue
		}
		if _, never := refused(n); never {
			continue
		}
		list = append(list, Root{Trigger: n, Class: m.class(n, op)})
	}
	return list
}

func (m *model) facts() *Facts {
	f := &Facts{Workflow: m.workflow, model: m, Triggers: m.roots()}
	for _, n := range m.workflow.Nodes {
		reached := len(m.reached[n]) > 0
		agent := m.user(n)
		if !reached && agent == nil || n.Disabled {
			continue
		}
		if op := m.ops[n]; op.Kind == catalog.Unknown {
			f.Unknown = append(f.Unknown, Unclear{n, op.Why})
		}
		if g := m.guards[n]; g != nil {
			f.Guards = append(f.Guards, g)
		} else if g := m.memories[n]; g != nil {
			f.Guards = append(f.Guards, g)
		}
		if e, ok := m.effect(n); ok {
			e.Agent = agent
			e.Exposures = exposures(m.reached[n])
			f.Effects = append(f.Effects, e)
		}
	}
	f.Retried = m.retried(f)
	f.rows = m.findRows()
	return f
}

// user is the reached agent, chain or server that may use a node as a tool,
// also through other tools.
func (m *model) user(n *graph.Node) *graph.Node {
	seen := map[*graph.Node]bool{n: true}
	todo := []*graph.Node{n}
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		for _, e := range part.Out {
			if e.Kind == graph.Main || seen[e.To] || e.To.Disabled {
				continue
			}
			seen[e.To] = true
			if len(m.reached[e.To]) > 0 {
				return e.To
			}
			todo = append(todo, e.To)
		}
	}
	return nil
}

// exposures keep, for every root, the first visit of each standing and guard,
// weakest first; of two alike the one that no error output led to.
func exposures(visits []*visit) (list []Exposure) {
	for _, v := range visits {
		i := slices.IndexFunc(list, func(e Exposure) bool {
			return e.Root == *v.root && e.Standing == v.standing && e.Guard == v.guard
		})
		if i < 0 {
			list = append(list, v.exposure())
		} else if list[i].Failed && !v.failed {
			list[i] = v.exposure()
		}
	}
	slices.SortStableFunc(list, func(a, b Exposure) int {
		return cmp.Compare(a.Standing, b.Standing)
	})
	return list
}

func (v *visit) exposure() Exposure {
	return Exposure{Root: *v.root, Standing: v.standing, Guard: v.guard, Cause: v.cause, Failed: v.failed, Path: v.path()}
}

// path are the nodes from the root to the visit.
func (v *visit) path() (nodes []*graph.Node) {
	for ; v != nil; v = v.from {
		nodes = append(nodes, v.node)
	}
	slices.Reverse(nodes)
	return nodes
}
