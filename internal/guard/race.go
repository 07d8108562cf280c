package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Races reports whether two executions can pass a look-up together and both go on
// to a write into the store that it asked: not where no branch asks what it
// found, where it asks for what its own run has made or for another row, nor
// where a second row is meant.
func (f *Facts) Races(look *Guard, write *graph.Node) bool {
	if look.Node == write { // one statement, or one Code node, looks and writes
		return !f.ownBusiness(look, write)
	}
	return f.model.sameStore(look.Node, write) && !f.unasked(look, write) && !f.ownBusiness(look, write) && !f.otherRow(look.Node, write) && !newest(look.Node)
}

// unasked reports whether executions whose look-up has found something come to a
// node as well, and no branch on the way asks what it found.
func (f *Facts) unasked(look *Guard, n *graph.Node) bool {
	found := slices.ContainsFunc(f.model.reached[n], func(v *visit) bool {
		return v.guard == look && v.lost && v.standing < Guarded
	})
	return found && !slices.ContainsFunc(f.model.askers(look), func(branch *graph.Node) bool { return f.model.behind(branch).Has(n) })
}

// ownBusiness reports whether a look-up asks only for what its own execution has
// made: by the answer of a create call, what it has written on the round before,
// or, in static data on a cycle, how far a loop has come. Two executions do not meet there.
func (f *Facts) ownBusiness(look *Guard, write *graph.Node) bool {
	m := f.model
	if cycle(write, look.Node) {
		return true
	}
	if look.Target.Store == "static data" {
		return m.behind(look.Node).Has(look.Node)
	}
	own, shared := false, false
	m.eachStringValue(look.Node.Parameters, 0, func(v source.Value) {
		for _, o := range m.tracer().Value(look.Node, v).Origins {
			switch {
			case o.Is(flow.Constant, flow.Environment, flow.Missing):
			case o.Is(flow.Response) && m.ops[o.Node].Kind == catalog.Repeatable:
				own = true
			default:
				shared = true
			}
		}
	})
	return own && !shared
}

// newest reports whether a read takes the newest of several rows: its table is a
// history, in which a second row for one thing is meant.
func newest(read *graph.Node) bool {
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

// otherRow reports whether a read asks for rows with a literal in a column into
// which a write puts another literal.
func (f *Facts) otherRow(read, write *graph.Node) bool {
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
