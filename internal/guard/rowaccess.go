package guard

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// RowVerb is what an access does to the rows of a table.
type RowVerb int

// The verbs.
const (
	ReadsRows RowVerb = iota
	InsertsRows
	UpsertsRows
	UpdatesRows
	DeletesRows
)

// RowAccess is one statement or row operation on a table, and what it writes to
// and asks of the states of its rows.
type RowAccess struct {
	Node *graph.Node
	// At is the statement, or the parameter that names the operation.
	At     source.Span
	Verb   RowVerb
	Target catalog.Target
	Writes []State
	Asks   []State
	// Open: it may write columns that the file does not list.
	Open bool
	// Columns are the columns that it writes.
	Columns []string
	// Keyed: it asks for a row by a value that is no state.
	Keyed bool
	// Aged: it asks for an age.
	Aged bool
	// Counts: it gives numbers and no rows.
	Counts bool
	// Asking: an operation of this kind can ask for a state.
	Asking bool
	// Statement is the statement; nil for row operations.
	Statement *sql.Statement

	written []columnWrite
	asked   []columnWrite // the columns that have to be equal to a value
}

// columnWrite is a value on its way into a column.
type columnWrite struct {
	column    string
	statement *sql.Value
	value     source.Value
	request   *catalog.Request
	text      httpcall.Text // of a request
}

// Writing lists the states of a role that the access writes.
func (a *RowAccess) Writing(r StateRole) (list []State) {
	for _, s := range a.Writes {
		if s.Role == r {
			list = append(list, s)
		}
	}
	return list
}

// accesses are what a node does to the rows of tables.
func (m *model) accesses(n *graph.Node) []*RowAccess {
	op := m.ops[n]
	var list []*RowAccess
	switch {
	case op.Script != nil:
		list = m.statementAccesses(n, op)
	case op.HTTP != nil:
		list = m.restAccess(n, op.HTTP)
	default:
		list = m.rowAccess(n, op)
	}
	for _, a := range list {
		a.Writes = m.statesWritten(a, constants{m, n})
	}
	return list
}

// statesWritten are the states that an access writes, as they are seen in a scope.
func (m *model) statesWritten(a *RowAccess, s expr.Scope) (list []State) {
	for _, w := range a.written {
		if !holdsState(w.column) {
			continue
		}
		text, known, set := m.textOf(a.Node, w, s)
		state := stateOf(w.column, text, known, set)
		if state.At = a.At; w.statement != nil {
			state.At = a.Node.Parameter("query").Inner(w.statement.Start, w.statement.End)
		} else if w.value.Exists() {
			state.At = w.value.Span()
		}
		list = append(list, state)
	}
	return list
}

// textOf is what is written: its text where it is known, and whether it is
// certainly something.
func (m *model) textOf(n *graph.Node, w columnWrite, s expr.Scope) (text string, known, set bool) {
	switch {
	case w.request != nil:
		text, known = requestText(w, s)
	case w.statement == nil && !w.value.Exists():
		// The table of the catalog does not say where the value stands.
	case w.statement == nil:
		v := m.eval.value(w.value, s)
		text, known = plainText(v)
		set = expr.Truth(v) == expr.True
	default:
		text, known = m.sqlText(n, *w.statement, s)
		set = w.statement.Kind == sql.CallValue
	}
	return text, known, set
}

// sqlText is what a value in SQL is, through parameters and {{ }}.
func (m *model) sqlText(n *graph.Node, v sql.Value, s expr.Scope) (string, bool) {
	switch v.Kind {
	case sql.Literal:
		return v.Literal, true
	case sql.Null:
		return "null", true
	case sql.Placeholder:
		return plainText(m.queryParameter(n, v.Placeholder, s))
	case sql.InterpolationValue:
		for _, i := range v.Interpolations() {
			part := m.ops[n].Script.Interpolations[i]
			return plainText(m.eval.template("={{" + part.Code + "}}").Eval(s))
		}
	}
	return "", false
}

// queryParameter is the value that a placeholder gets. The array form gives its
// elements; in the string form of a Postgres node each {{ }} is a parameter of
// its own (N8N.md 1c).
func (m *model) queryParameter(n *graph.Node, number int, s expr.Scope) expr.Value {
	_, replacement := m.catalog.QueryParameters(n)
	if number < 1 || replacement.Kind() != source.String {
		return expr.Anything()
	}
	var code []expr.Part
	for _, p := range expr.ParseResolved(replacement.Str()).Parts {
		if p.Code {
			code = append(code, p)
		}
	}
	if len(code) == 0 {
		texts := strings.Split(strings.TrimPrefix(replacement.Str(), "="), ",")
		if number <= len(texts) {
			return expr.String(strings.TrimSpace(texts[number-1]))
		}
		return expr.Anything()
	}
	if len(code) == 1 {
		if v := code[0].Eval(s); v.Kind() == expr.KindArray {
			elements, _ := v.Elements()
			if number <= len(elements) {
				return elements[number-1]
			}
			return expr.Anything()
		}
	}
	if n.Type == postgresNode && number <= len(code) {
		return code[number-1].Eval(s)
	}
	return expr.Anything()
}

// plainText is the text of a known value.
func plainText(v expr.Value) (string, bool) {
	if s, ok := v.AsString(); ok {
		return s, true
	}
	if b, ok := v.AsBool(); ok {
		return map[bool]string{true: "true", false: "false"}[b], true
	}
	switch v.Kind() {
	case expr.KindNull, expr.KindUndefined:
		return "null", true
	case expr.KindNumber:
		if v.Known() {
			return v.String(), true
		}
	}
	return "", false
}

// statementAccesses reads the statements of a query node. What a sub-select or a
// CTE asks of the table that a statement changes, that statement asks.
func (m *model) statementAccesses(n *graph.Node, op catalog.Operation) (list []*RowAccess) {
	for _, outer := range op.Script.Statements {
		changes := outer.Changes()
		for _, st := range changes {
			list = append(list, m.changeAccess(n, op, outer, st))
		}
		if len(changes) > 0 {
			continue
		}
		for st := range outer.All() {
			if st.Verb == sql.Select && st.Table.Name != "" && !st.Table.Function {
				list = append(list, m.selectAccess(n, op, st))
			}
		}
	}
	return list
}

var statementVerbs = map[sql.Verb]RowVerb{
	sql.Insert: InsertsRows, sql.Replace: UpsertsRows, sql.Merge: UpsertsRows, sql.Update: UpdatesRows, sql.Delete: DeletesRows, sql.Truncate: DeletesRows,
}

func (m *model) statementAccess(n *graph.Node, op catalog.Operation, st *sql.Statement) *RowAccess {
	store := op.Target.Store
	if store == "" {
		store = n.Type
	}
	return &RowAccess{
		Node: n, At: n.Parameter("query").Inner(st.Start, st.End), Verb: statementVerbs[st.Verb],
		Target: catalog.TableTarget(store, st.Table), Statement: st, Asking: true,
	}
}

func (m *model) changeAccess(n *graph.Node, op catalog.Operation, outer, st *sql.Statement) *RowAccess {
	a := m.statementAccess(n, op, st)
	assignments := st.Assignments
	if st.Verb == sql.Insert && (st.Conflict != nil && st.Conflict.Action == sql.DoUpdate || len(st.DuplicateKey) > 0) {
		a.Verb = UpsertsRows
		assignments = append(assignments[:len(assignments):len(assignments)], st.DuplicateKey...)
		if st.Conflict != nil {
			assignments = append(assignments, st.Conflict.Assignments...)
		}
	}
	for _, c := range st.Columns {
		if v, ok := st.ValueOf(c.Name); ok {
			a.written = append(a.written, columnWrite{column: c.Name, statement: &v})
		} else {
			a.Open = true
		}
		a.Columns = append(a.Columns, c.Name)
	}
	for _, s := range assignments {
		a.written = append(a.written, columnWrite{column: s.Column, statement: &s.Value})
		a.Columns = append(a.Columns, s.Column)
		a.Open = a.Open || s.Dynamic
	}
	a.Open = a.Open || st.Verb == sql.Merge || st.Verb == sql.Insert && len(st.Columns) == 0
	m.ask(a, st.Where)
	for inner := range outer.All() {
		if inner != st && inner.Verb == sql.Select && inner.Table.Is(st.Table) {
			m.ask(a, inner.Where)
		}
	}
	return a
}

func (m *model) selectAccess(n *graph.Node, op catalog.Operation, st *sql.Statement) *RowAccess {
	a := m.statementAccess(n, op, st)
	a.Verb = ReadsRows
	a.Counts = st.GroupBy || len(st.Projections) > 0
	for _, p := range st.Projections {
		if !aggregates(p.Expr) {
			a.Counts = st.GroupBy
		}
	}
	m.ask(a, st.Where)
	return a
}

// aggregates reports whether a projection is one number over many rows.
func aggregates(v sql.Value) bool {
	return slices.ContainsFunc(v.Calls(), func(c string) bool {
		return slices.Contains([]string{"count", "sum", "min", "max", "avg", "exists", "array_agg", "json_agg", "jsonb_agg", "string_agg", "group_concat", "bool_or", "bool_and"}, c)
	})
}

// ask reads what a condition asks for: states, an age, a key.
func (m *model) ask(a *RowAccess, p *sql.Predicate) {
	a.Aged = a.Aged || slices.ContainsFunc(p.Leaves(), asksAge)
	for _, leaf := range p.Leaves() {
		column := leaf.Column
		if column == "" {
			column = leaf.Left.Column
		}
		switch {
		case column == "":
			// TRUE, EXISTS and the like ask for no column.
		case holdsState(column):
			m.askState(a, leaf, column)
		case leaf.Kind == sql.Comparison && leaf.Op == "=" && leaf.Value.Kind != sql.ColumnRef && leaf.Value.Kind != sql.Literal,
			leaf.Kind == sql.In && leaf.Sub == nil && len(leaf.Values) > 0:
			a.Keyed = true
		}
	}
}

// asksAge reports whether a condition bounds a time: attempts < 5 does not.
func asksAge(leaf *sql.Predicate) bool {
	switch {
	case leaf.Kind == sql.Between:
		return true
	case leaf.Kind != sql.Comparison || !strings.ContainsAny(leaf.Op, "<>") || leaf.Op == "<>":
		return false
	case leaf.Value.Kind == sql.Literal && !leaf.Value.String && len(leaf.Left.Calls()) == 0:
		return false
	}
	return true
}

func (m *model) askState(a *RowAccess, leaf *sql.Predicate, column string) {
	add := func(v sql.Value, negated bool) {
		text, known := m.sqlText(a.Node, v, constants{m, a.Node})
		s := stateOf(column, text, known, false)
		s.Negated, s.At = negated, a.Node.Parameter("query").Inner(leaf.Start, leaf.End)
		a.Asks = append(a.Asks, s)
	}
	switch {
	case leaf.Kind == sql.IsNull:
		s := stateOf(column, "null", true, false)
		s.Negated, s.At = leaf.Negated, a.Node.Parameter("query").Inner(leaf.Start, leaf.End)
		a.Asks = append(a.Asks, s)
	case leaf.Kind == sql.In && leaf.Sub == nil:
		for _, v := range leaf.Values {
			add(v, leaf.Negated)
		}
	case leaf.Kind == sql.Comparison && (leaf.Op == "=" || leaf.Op == "<>" || leaf.Op == "!="):
		add(leaf.Value, leaf.Op != "=" != leaf.Negated)
	case leaf.Kind == sql.Comparison && strings.ContainsAny(leaf.Op, "<>"):
		// An age, such as sent_at < now() - interval '1 day'.
	default:
		a.Asks = append(a.Asks, State{Column: column, Negated: leaf.Negated})
	}
}
