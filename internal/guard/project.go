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

// Taken is a claim with the effects that only its winner comes to.
type Taken struct {
	Facts *Facts
	Guard *Guard
	Held  []Held
	// Row is what the claim writes; nil for counters and called workflows.
	Row *RowAccess
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
		f.taken = f.findTaken()
		for _, t := range f.taken {
			if key := tableKey(t.Guard.Target); key != "" {
				p.claims[key] = append(p.claims[key], t)
			}
		}
	}
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

// findTaken collects the claims, and the effects that their winners come to.
func (f *Facts) findTaken() (list []*Taken) {
	for _, g := range f.Guards {
		if g.Kind != Claim {
			continue
		}
		held := f.HeldBy(g, Winner)
		if len(held) == 0 {
			continue
		}
		list = append(list, &Taken{Facts: f, Guard: g, Held: held, Row: f.claimRow(g)})
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
