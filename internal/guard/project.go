package guard

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// project is where the workflows of a run meet: by the tables that they name and
// by their ids.
type project struct {
	tables map[string][]*RowAccess
	claims map[string][]*Taken
	byID   map[string]*Facts
}

// shared is the part of a workflow's facts that others of the run may see, and
// what is worked out from it.
type shared struct {
	rows        []*RowAccess
	taken       []*Taken
	project     *project
	outcomes    map[*graph.Node]*Outcome
	rounds      []*Round
	roundsKnown bool
}

// Taken is a claim with the effects that only its winner comes to.
type Taken struct {
	Facts *Facts
	Guard *Guard
	Held  []Held
	// Row is what the claim writes; nil for counters.
	Row *RowAccess
	// Target is the table or key space that remembers the event.
	Target catalog.Target
}

// share lets the workflows of a run see one another.
func share(facts []*Facts) {
	p := &project{tables: map[string][]*RowAccess{}, claims: map[string][]*Taken{}, byID: map[string]*Facts{}}
	for _, f := range facts {
		if f == nil {
			continue
		}
		f.project = p
		if f.Workflow.ID != "" && p.byID[f.Workflow.ID] == nil {
			p.byID[f.Workflow.ID] = f
		}
		for _, a := range f.rows {
			if key := tableKey(a.Target); key != "" {
				p.tables[key] = append(p.tables[key], a)
			}
		}
	}
	held := heldByGuard(facts)
	for _, f := range facts {
		if f == nil {
			continue
		}
		f.taken = f.findTaken(held)
		for _, t := range f.taken {
			if key := tableKey(t.Target); key != "" {
				p.claims[key] = append(p.claims[key], t)
			}
		}
	}
}

// heldByGuard are the effects that only the winner of a claim comes to, in all
// workflows of the run.
func heldByGuard(facts []*Facts) map[*Guard][]Held {
	m := map[*Guard][]Held{}
	for _, f := range facts {
		if f == nil {
			continue
		}
		for _, e := range f.Effects {
			for _, x := range e.Exposures {
				if e.Agent == nil && x.Standing == Winner && x.Guard != nil && !e.weaker(x) {
					m[x.Guard] = append(m[x.Guard], Held{e, x})
				}
			}
		}
	}
	return m
}

// tableKey names a table across the workflows of a run. Supabase is a Postgres
// database, and a workflow may use both nodes for one table.
func tableKey(t catalog.Target) string {
	if t.Store == "" || len(t.Parts) == 0 {
		return ""
	}
	store := t.Store
	if store == "supabase" {
		store = "postgres"
	}
	return store + "\x00" + strings.Join(t.Parts, "\x00")
}

// Rows are what the nodes of the workflow do to tables, in the order of the
// file; disabled nodes are left out.
func (f *Facts) Rows() []*RowAccess { return f.rows }

// RowsOf are what one node does to tables.
func (f *Facts) RowsOf(n *graph.Node) (list []*RowAccess) {
	for _, a := range f.rows {
		if a.Node == n {
			list = append(list, a)
		}
	}
	return list
}

// RowsIn are what all workflows of the run do to a table.
func (f *Facts) RowsIn(t catalog.Target) []*RowAccess { return f.project.tables[tableKey(t)] }

// ClaimsIn are the claims of the run that fill a table.
func (f *Facts) ClaimsIn(t catalog.Target) []*Taken { return f.project.claims[tableKey(t)] }

// SameTable reports whether two accesses work on one table.
func SameTable(a, b catalog.Target) bool { return tableKey(a) != "" && tableKey(a) == tableKey(b) }

// Alone reports whether the run holds no other workflow, so that a partner may
// be where nobody looked.
func (f *Facts) Alone() bool { return len(f.Set) < 2 }

// ErrorWorkflow is the workflow of the run that starts when this one fails;
// named tells whether there is one at all.
func (f *Facts) ErrorWorkflow() (other *Facts, named bool) {
	id := f.Workflow.Settings.ErrorWorkflow
	return f.project.byID[id], id != ""
}

// Claims are the claims of the workflow that have effects behind their winner.
func (f *Facts) Claims() []*Taken { return f.taken }

// findTaken collects the claims, and the effects that their winners come to, in
// this workflow and those that it calls.
func (f *Facts) findTaken(held map[*Guard][]Held) (list []*Taken) {
	for _, g := range f.Guards {
		if g.Kind != Claim {
			continue
		}
		if len(held[g]) == 0 {
			continue
		}
		t := &Taken{Facts: f, Guard: g, Held: held[g], Row: f.claimRow(g), Target: g.Target}
		if t.Row != nil {
			t.Target = t.Row.Target
		}
		list = append(list, t)
	}
	return list
}

func (f *Facts) claimRow(g *Guard) *RowAccess {
	own := f.RowsOf(g.Node)
	i := slices.IndexFunc(own, func(a *RowAccess) bool { return a.Statement == g.Statement })
	if i < 0 {
		return nil
	}
	return own[i]
}

// findRows reads what every enabled node does to tables.
func (m *model) findRows() (list []*RowAccess) {
	for _, n := range m.workflow.Nodes {
		if !n.Disabled {
			list = append(list, m.accesses(n)...)
		}
	}
	return list
}
