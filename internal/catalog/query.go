package catalog

import (
	"fmt"
	"slices"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// query looks into the SQL of a node.
func (c *Catalog) query(n *graph.Node, op *Operation) {
	q, ok := c.data.queries[baseType(n.Type)]
	text := n.Parameter(q.query...)
	if !ok || text.Kind() != source.String {
		op.Kind, op.Why = Unknown, "the query is not in the export"
		return
	}
	op.Script = sql.Parse(text.Str(), q.dialect)
	op.At = text.Span()
	op.Kind, op.Impact, op.Why = Script(op.Script)
}

// kindOrder is how much a statement's kind matters for its script.
var kindOrder = []Kind{Read, Idempotent, Unknown, Repeatable}

// Script says what a whole script does: the kind of its weightiest statement.
func Script(s *sql.Script) (Kind, Impact, string) {
	if s.Opaque {
		return Unknown, "", "the SQL is made when the workflow runs"
	}
	kind, why := Read, ""
	for st := range s.All() {
		k, w := statement(st)
		if slices.Index(kindOrder, k) > slices.Index(kindOrder, kind) {
			kind, why = k, w
		}
	}
	if kind == Idempotent || kind == Repeatable {
		return kind, Record, why
	}
	return kind, "", why
}

func statement(s *sql.Statement) (Kind, string) {
	switch s.Verb {
	case sql.Insert:
		return insert(s)
	case sql.Update:
		if accumulates(s.Assignments) {
			return Repeatable, "the UPDATE adds to what is there"
		}
		return Idempotent, "an UPDATE that sets values"
	case sql.Delete, sql.Truncate, sql.Replace, sql.Merge, sql.DDL:
		return Idempotent, ""
	case sql.Select, sql.Show, sql.Set, sql.Transaction, sql.Conditional:
		return selects(s)
	}
	return Unknown, "what the SQL does cannot be told from its text"
}

func insert(s *sql.Statement) (Kind, string) {
	switch {
	case s.Conflict != nil && accumulates(s.Conflict.Assignments), accumulates(s.DuplicateKey):
		return Repeatable, "the upsert adds to what is there"
	case s.Conflict != nil, len(s.DuplicateKey) > 0, s.Ignore:
		return Idempotent, "an INSERT that a unique key makes once only"
	case s.GuardedByNotExists() != nil:
		return Idempotent, "an INSERT that looks first"
	}
	return Repeatable, "a plain INSERT"
}

// accumulates reports whether an assignment makes its value from the row that
// is there, such as n = n + 1: done twice is not done once. COALESCE, GREATEST
// and the like keep or choose a value.
func accumulates(assignments []sql.Assignment) bool {
	for _, a := range assignments {
		if a.Value.Kind == sql.Expression && slices.Contains(a.Value.Columns(), a.Column) && len(a.Value.Operators) > 0 && !ownExcluded(a) {
			return true
		}
		if a.Value.Kind == sql.CallValue && slices.Contains(appendingCalls, a.Value.Call) && slices.Contains(a.Value.Columns(), a.Column) {
			return true
		}
	}
	return false
}

// counts reports whether all that a script writes is UPDATEs that count uses, such
// as n = n + 1: one more each time is what a counter is for (RULES.md, Severity).
func counts(script *sql.Script) bool {
	counted := false
	for st := range script.All() {
		switch kind, _ := statement(st); {
		case kind == Read || kind == Idempotent:
		case st.Verb == sql.Update && onlyCounts(st.Assignments):
			counted = true
		default:
			return false
		}
	}
	return counted
}

func onlyCounts(assignments []sql.Assignment) bool {
	for _, a := range assignments {
		one := slices.ContainsFunc(a.Value.Args, func(v sql.Value) bool { return v.Literal == "1" && !v.String })
		if accumulates([]sql.Assignment{a}) && !(one && slices.Equal(a.Value.Operators, []string{"+"})) {
			return false
		}
	}
	return true
}

var appendingCalls = []string{"array_append", "array_prepend", "array_cat", "concat", "json_array_append", "jsonb_insert"}

// ownExcluded reports whether every mention of the column is excluded.column,
// the new value itself.
func ownExcluded(a sql.Assignment) bool {
	for _, arg := range a.Value.Args {
		if arg.Kind == sql.ColumnRef && arg.Column == a.Column && arg.Qualifier != "excluded" {
			return false
		}
	}
	return true
}

func selects(s *sql.Statement) (Kind, string) {
	if calls := s.StoredCalls(); len(calls) > 0 {
		return Unknown, fmt.Sprintf("the stored function %s may write", calls[0].Call)
	}
	return Read, ""
}
