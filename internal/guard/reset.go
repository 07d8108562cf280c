package guard

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// Reset is a node that empties a memory of events.
type Reset struct {
	At source.Span
	// What is emptied, in words.
	What string
	// History is set for the history of Remove Duplicates.
	History bool

	node   *graph.Node
	target catalog.Target
}

// Affects reports whether a guard relies on the memory. The history of Remove
// Duplicates is kept for each node unless its scope is the workflow, and then
// for this workflow (N8N.md section 4).
func (r Reset) Affects(g *Guard) bool {
	if r.History {
		return g.Kind == Dedup && g.Node.Workflow == r.node.Workflow && workflowScope(g.Node) && workflowScope(r.node)
	}
	return g.Kind == Claim && g.Target.Same(r.target)
}

func workflowScope(n *graph.Node) bool { return n.Parameter("options", "scope").Str() == "workflow" }

// Empties recognises the clearing of a deduplication history, TRUNCATE and
// DELETE without a date.
func (f *Facts) Empties(n *graph.Node) (Reset, bool) {
	op := f.model.ops[n]
	if n.Type == dedupNode && n.Parameter("operation").Str() == "clearDeduplicationHistory" {
		return Reset{At: op.At, History: true, node: n}, true
	}
	r := Reset{At: op.At, node: n, target: op.Target, What: "its table"}
	if len(op.Target.Names) > 0 {
		r.What = "the table " + op.Target.Names[len(op.Target.Names)-1]
	}
	if op.Script != nil {
		for st := range op.Script.All() {
			if emptiesTable(st) {
				r.At = n.Parameter("query").Inner(st.Start, st.End)
				r.target = catalog.TableTarget(op.Target.Store, st.Table)
				r.What = "the table " + st.Table.Name
				return r, true
			}
		}
		return r, false
	}
	return r, emptiesRows(n, op)
}

func emptiesTable(st *sql.Statement) bool {
	switch st.Verb {
	case sql.Truncate:
		return true
	case sql.Delete:
		return !dated(st.Where) && len(st.Where.Equalities()) == 0 || st.Where != nil && !dated(st.Where) && onlyStates(st.Where)
	}
	return false
}

// dated reports whether a condition asks for an age.
func dated(p *sql.Predicate) bool {
	return slices.ContainsFunc(p.Leaves(), func(l *sql.Predicate) bool {
		return l.Kind == sql.Between || l.Kind == sql.Comparison && strings.ContainsAny(l.Op, "<>") && l.Op != "<>"
	})
}

// onlyStates reports whether a condition asks for nothing but literal states:
// such a DELETE takes all rows of a state, whatever their age.
func onlyStates(p *sql.Predicate) bool {
	return !slices.ContainsFunc(p.Leaves(), func(l *sql.Predicate) bool {
		return l.Kind != sql.Comparison || l.Op != "=" || l.Value.Kind != sql.Literal || !says(l.Column, stateWord)
	})
}

// emptiesRows recognises the row operations that delete without a condition.
func emptiesRows(n *graph.Node, op catalog.Operation) bool {
	if op.Name != "deleteTable" && op.Name != "clear" {
		return false
	}
	command := n.Parameter("deleteCommand").Str()
	return command != "delete" || n.Parameter("where", "values").Len() == 0
}
