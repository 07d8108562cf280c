package guard

import (
	"iter"
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Held is an effect that one guard, and nothing better, keeps from a repeat.
type Held struct {
	Effect   *Effect
	Exposure Exposure
}

// HeldBy lists the effects that executions reach past a guard in a standing, one
// exposure each, and that no way around the guard reaches from the same
// trigger.
func (f *Facts) HeldBy(g *Guard, s Standing) (list []Held) {
	for _, e := range f.Effects {
		if e.Agent != nil {
			continue
		}
		for _, x := range e.Exposures {
			if x.Guard == g && x.Standing == s && !e.weaker(x) {
				list = append(list, Held{e, x})
			}
		}
	}
	return list
}

// weaker reports whether the same trigger reaches the effect in a standing that
// another rule speaks of: around every guard, or as the loser of a claim.
func (e *Effect) weaker(x Exposure) bool {
	for _, other := range e.Exposures {
		if other.Root == x.Root && other.Standing < x.Standing {
			return true
		}
	}
	return false
}

// Visit is an arrival of executions at a node.
type Visit struct {
	Root     Root
	Standing Standing
	Guard    *Guard
	Path     []*graph.Node
}

// Visits are the arrivals at a node, one a root, standing and guard, weakest
// standing first.
func (f *Facts) Visits(n *graph.Node) (list []Visit) {
	for _, x := range exposures(f.model.reached[n]) {
		list = append(list, Visit{Root: x.Root, Standing: x.Standing, Guard: x.Guard, Path: x.Path})
	}
	return list
}

// Contested reports whether a way to an effect leads through a branch at which the
// runs of a schedule may part from those of the way's own trigger: both come to
// it, and which of them goes on to the effect the file does not show.
func (f *Facts) Contested(e *Effect, x Exposure) bool {
	if x.Root.Class != catalog.Event && x.Root.Class != catalog.Form {
		return false
	}
	for _, y := range e.Exposures {
		if y.Root.Class != catalog.Schedule || y.Root.Trigger.Workflow != x.Root.Trigger.Workflow {
			continue
		}
		if slices.ContainsFunc(x.Path, func(n *graph.Node) bool {
			return (n.Type == ifNode || n.Type == switchNode) && !n.Disabled && slices.Contains(y.Path, n)
		}) {
			return true
		}
	}
	return false
}

// Parted reports whether a way leads through a branch that asks, itself or by the
// Set nodes in front of it, for a field that only a schedule of the workflow
// brings, and behind which the schedule's runs come to the effect too: by the
// branch the triggers' runs part, and the weaker trigger's is the way to judge.
func (f *Facts) Parted(e *Effect, x Exposure) bool {
	for _, y := range e.Exposures {
		if y.Root == x.Root || y.Root.Class != catalog.Schedule || y.Root.Trigger.Workflow != x.Root.Trigger.Workflow {
			continue
		}
		for i, n := range x.Path {
			if (n.Type == ifNode || n.Type == switchNode) && slices.Contains(y.Path, n) && f.model.asksFieldsOf(y.Root.Trigger, x.Root.Trigger, x.Path[:i+1]) {
				return true
			}
		}
	}
	return false
}

// asksFieldsOf reports whether the last node of a way, or the Set nodes and those
// that pass items on directly in front of it, read a field that one trigger's
// item has and another one's has not.
func (m *model) asksFieldsOf(one, other *graph.Node, way []*graph.Node) bool {
	for i := len(way) - 1; i >= 0; i-- {
		n := way[i]
		if i < len(way)-1 && n.Type != setNode && !m.passes(n) {
			return false
		}
		for v := range textsIn(n.Parameters) {
			if slices.ContainsFunc(m.itemReads(v.Str()), func(field string) bool { return m.tracer().Has(one, field) && !m.tracer().Has(other, field) }) {
				return true
			}
		}
	}
	return false
}

// itemReads are the fields of the current item that a parameter reads.
func (m *model) itemReads(text string) (fields []string) {
	for _, p := range m.eval.template(text).Parts {
		if p.Program == nil {
			continue
		}
		for _, o := range plainReads(p.Text, p.Start, p.Program) {
			if o.Name == "" {
				fields = append(fields, o.Path[0])
			}
		}
	}
	return fields
}

// Unasked reports whether executions whose look-up has found something come to a
// node as well, and no branch on the way asks what it found.
func (f *Facts) Unasked(look *Guard, n *graph.Node) bool {
	found := slices.ContainsFunc(f.model.reached[n], func(v *visit) bool {
		return v.guard == look && v.lost && v.standing < Guarded
	})
	return found && !slices.ContainsFunc(f.model.askers(look), func(branch *graph.Node) bool { return f.model.behind(branch).Has(n) })
}

// OwnBusiness reports whether a look-up asks only for what its own execution has
// made: by the answer of a create call, what it has written on the round before,
// or, in static data on a cycle, how far a loop has come. Two executions do not meet there.
func (f *Facts) OwnBusiness(look *Guard, write *graph.Node) bool {
	m := f.model
	if cycle(write, look.Node) {
		return true
	}
	if look.Target.Store == "static data" {
		return m.behind(look.Node).Has(look.Node)
	}
	own := false
	for v := range textsIn(look.Node.Parameters) {
		for _, o := range m.tracer().Value(look.Node, v).Origins {
			switch {
			case o.Is(flow.Constant, flow.Environment, flow.Missing):
			case o.Is(flow.Response) && m.ops[o.Node].Kind == catalog.Repeatable:
				own = true
			default:
				return false
			}
		}
	}
	return own
}

// Newest reports whether a read takes the newest of several rows: its table is a
// history, in which a second row for one thing is meant.
func Newest(read *graph.Node) bool {
	if read.Parameter("limit").Text() != "1" {
		return false
	}
	for s := range read.Parameter("sort", "values").Children() {
		if s.Get("direction").Str() == "DESC" {
			return true
		}
	}
	return false
}

// OtherRow reports whether a read asks for rows with a literal in a column into
// which a write puts another literal.
func (f *Facts) OtherRow(read, write *graph.Node) bool {
	m := f.model
	for _, r := range m.accesses(read) {
		for _, asked := range r.asked {
			for _, w := range m.accesses(write) {
				if slices.ContainsFunc(w.written, func(c columnWrite) bool { return c.column == asked.column && m.differ(read, asked, write, c) }) {
					return true
				}
			}
		}
	}
	return false
}

func (m *model) differ(a *graph.Node, x columnWrite, b *graph.Node, y columnWrite) bool {
	first, known, _ := m.textOf(a, x, constants{m, a})
	second, alsoKnown, _ := m.textOf(b, y, constants{m, b})
	return known && alsoKnown && first != second
}

// cycle reports whether a way leads from a write back to the look-up in front of
// it, other than by the next item of a loop.
func cycle(write, look *graph.Node) bool {
	return write != look && graph.Reachable(write, func(e *graph.Edge) bool { return e.From.Type == loopNode })[look]
}

// textsIn are the texts inside a value.
func textsIn(v source.Value) iter.Seq[source.Value] {
	return func(yield func(source.Value) bool) { visitTexts(v, yield) }
}

func visitTexts(v source.Value, yield func(source.Value) bool) bool {
	if v.Kind() == source.String {
		return yield(v)
	}
	for child := range v.Children() {
		if !visitTexts(child, yield) {
			return false
		}
	}
	return true
}

// MakesRow reports whether a node leaves a row, a record or a key where there
// was none.
func (f *Facts) MakesRow(n *graph.Node) bool {
	op := f.model.ops[n]
	return !n.Disabled && op.Writes() && makesRow(op)
}

// Guard is the guard that a node is, nil for none.
func (f *Facts) Guard(n *graph.Node) *Guard {
	if g := f.model.guards[n]; g != nil {
		return g
	}
	return f.model.memories[n]
}

// Nodes are the nodes that an execution reaches, in the order of the file.
func (f *Facts) Nodes() (list []*graph.Node) {
	for _, n := range f.Workflow.Nodes {
		if f.Reached(n) {
			list = append(list, n)
		}
	}
	return list
}

// SameStore reports whether two nodes work on one table, sheet or key, or on one
// address.
func (f *Facts) SameStore(a, b *graph.Node) bool { return f.model.sameStore(a, b) }

func (m *model) sameStore(a, b *graph.Node) bool {
	x, y := m.ops[a], m.ops[b]
	if x.Target.Same(y.Target) || sameAddress(x, y) {
		return true
	}
	// A Redis key is the thing itself, and may be written in two ways.
	return a.Type == redisNode && b.Type == redisNode && m.tracer().Value(a, a.Parameter("key")).Same(m.tracer().Value(b, b.Parameter("key")))
}

// producer is the name of the node that made the item which arrives at n, ""
// where there are several.
func (m *model) producer(n *graph.Node) string {
	for range longestConfigWay {
		in := n.MainIn()
		if len(in) != 1 {
			return ""
		}
		n = in[0].From
		if !m.passes(n) {
			return n.Name
		}
	}
	return ""
}
