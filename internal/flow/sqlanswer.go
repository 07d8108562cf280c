package flow

import (
	"strconv"
	"strings"

	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// query is the SQL of a node and the values of its placeholders.
type query struct {
	node        *graph.Node
	text        source.Value
	template    *expr.Template
	script      *sql.Script
	replacement source.Value
}

func (t *Tracer) queryOf(n *graph.Node) *query {
	q := t.queries[n]
	if q == nil {
		q = &query{node: n, script: t.operation(n).Script}
		q.text, q.replacement = t.catalog.QueryParameters(n)
		if n.Type == postgresNode && n.TypeVersion < 2 {
			q.replacement = n.Parameter("additionalFields", "queryParams")
		}
		q.template = t.template(q.text, true)
		t.queries[n] = q
	}
	return q
}

const postgresNode = "n8n-nodes-base.postgres"

// SQL traces a value in the SQL text of a query node: the placeholders and
// expressions in it, and the functions that give something new in every run.
func (t *Tracer) SQL(n *graph.Node, v sql.Value) Trace {
	var tr Trace
	q := t.queryOf(n)
	if q.script == nil {
		return tr
	}
	origins, incomplete := t.walk(n, t.sqlValue(q, nil, v, 0))
	tr.include(origins)
	tr.Incomplete = incomplete
	tr.Literal = v.Fixed()
	return tr
}

// Placeholder traces the value that the n-th placeholder ($1, the first ?) of a
// query node gets, counted from 1.
func (t *Tracer) Placeholder(n *graph.Node, number int) Trace {
	var tr Trace
	origins, incomplete := t.walk(n, t.placeholder(t.queryOf(n), number))
	tr.include(origins)
	tr.Incomplete = incomplete
	return tr
}

// sqlAnswer leads from a column of a query's answer to what went into it.
func (t *Tracer) sqlAnswer(n *graph.Node, path []string) []step {
	q := t.queryOf(n)
	row := answer(Row, n, path)
	if q.script == nil || q.script.Opaque || len(path) == 0 || path[0] == "*" {
		return []step{row}
	}
	result := q.script.Result()
	if result == nil {
		return []step{row}
	}
	if silent(q, result) {
		if path[0] == "success" {
			return []step{constant(n, q.text.Span())}
		}
		return []step{ending(Origin{Kind: Missing, Node: n, Path: path})}
	}
	if steps := t.column(q, result, path[0], 0); len(steps) > 0 {
		return steps
	}
	return []step{row}
}

// silent reports whether the node gives {success: true} alone: a Postgres query
// that changes rows and returns none (N8N.md 1a).
func silent(q *query, result *sql.Statement) bool {
	if q.node.Type != postgresNode || q.node.TypeVersion < 2 || q.script.Incomplete || len(q.script.Statements) != 1 {
		return false
	}
	switch result.Verb {
	case sql.Insert, sql.Update, sql.Delete:
		return !result.HasReturning
	}
	return false
}

// column leads to what a named column of a statement's rows is made of; no steps
// where the rows are those of a table.
func (t *Tracer) column(q *query, s *sql.Statement, name string, depth int) []step {
	if depth > maxNesting || s == nil {
		return nil
	}
	list := s.Projections
	if s.HasReturning {
		list = s.Returning
	}
	for _, p := range list {
		if p.Name != "" && (p.Name == name || strings.EqualFold(p.Name, name)) {
			return t.sqlValue(q, s, p.Expr, depth+1)
		}
	}
	for _, p := range list {
		if p.Star {
			return t.stored(q, s, name, depth+1)
		}
	}
	return nil
}

// stored leads to what a statement wrote into a column, or to the part of WITH
// that it reads.
func (t *Tracer) stored(q *query, s *sql.Statement, column string, depth int) []step {
	if s == nil || depth > maxNesting {
		return nil
	}
	for _, name := range []string{column, strings.ToLower(column)} {
		v, ok := s.ValueOf(name)
		if !ok {
			continue
		}
		steps := t.sqlValue(q, nil, v, depth+1)
		if s.Conflict != nil && s.Conflict.Action == sql.DoUpdate {
			steps = append(steps, t.assigned(q, s.Conflict.Assignments, name, depth)...)
		}
		return steps
	}
	for _, from := range s.From {
		if from.Subquery != nil {
			return t.column(q, from.Subquery, column, depth+1)
		}
		if cte, ok := t.with(q, from.Name); ok {
			return t.column(q, cte, column, depth+1)
		}
	}
	return nil
}

func (t *Tracer) assigned(q *query, list []sql.Assignment, column string, depth int) []step {
	for _, a := range list {
		if a.Column == column && a.Value.Qualifier != "excluded" {
			return t.sqlValue(q, nil, a.Value, depth+1)
		}
	}
	return nil
}

// with finds a part of WITH anywhere in the script.
func (t *Tracer) with(q *query, name string) (*sql.Statement, bool) {
	for s := range q.script.All() {
		if cte, ok := s.CTE(name); ok && cte.Statement != nil {
			return cte.Statement, true
		}
	}
	return nil, false
}

// sqlValue leads to what an SQL value is made of; its columns are those of s,
// nil where they are rows that were there before.
func (t *Tracer) sqlValue(q *query, s *sql.Statement, v sql.Value, depth int) []step {
	if depth > maxNesting {
		return []step{unknown(q.node, "SQL nested too deeply")}
	}
	at := q.text.Inner(v.Start, v.End)
	var steps []step
	for _, name := range v.Volatile(q.script.Dialect) {
		made := ending(Origin{Kind: Volatile, Node: q.node, Name: name + "() (SQL)", At: at, PerTry: true})
		made.day = sqlDay(v, name)
		steps = append(steps, made)
	}
	for _, number := range v.Placeholders() {
		steps = append(steps, t.placeholder(q, number)...)
	}
	for _, i := range v.Interpolations() {
		steps = append(steps, t.interpolation(q, i)...)
	}
	for _, name := range v.Columns() {
		found := t.stored(q, s, name, depth+1)
		if len(found) == 0 {
			found = []step{ending(Origin{Kind: Row, Node: q.node, Path: []string{name}, At: at})}
		}
		steps = append(steps, found...)
	}
	switch {
	case len(steps) > 0:
		return steps
	case v.Fixed():
		return []step{ending(Origin{Kind: Constant, Node: q.node, Name: "literal", At: at})}
	}
	return []step{ending(Origin{Kind: Row, Node: q.node, Name: strings.Join(v.Calls(), ", "), At: at})}
}

// sqlDay reports whether a value cuts the current time to a day.
func sqlDay(v sql.Value, function string) bool {
	if function == "current_date" || function == "curdate" || v.Cast == "date" {
		return true
	}
	return v.Kind == sql.CallValue && (v.Call == "date" || v.Call == "date_trunc" && len(v.Args) > 0 && longUnit(v.Args[0].Literal))
}

func (t *Tracer) interpolation(q *query, i int) []step {
	if i < 0 || i >= len(q.script.Interpolations) {
		return nil
	}
	for _, p := range q.template.Parts {
		if p.Code && p.Start == q.script.Interpolations[i].Start+2 {
			return t.partSteps(q.node, q.text, p, nil, "goes into the query")
		}
	}
	return []step{unknown(q.node, "an expression in the query")}
}

// placeholder leads to the value of a placeholder, counted from 1 (N8N.md 1c).
func (t *Tracer) placeholder(q *query, number int) []step {
	v, what := q.replacement, "goes into the query as $"+strconv.Itoa(number)
	if number < 1 || !v.Exists() {
		return []step{ending(Origin{Kind: Missing, Node: q.node, Name: "no value for $" + strconv.Itoa(number), At: q.text.Span()})}
	}
	if v.Kind() != source.String {
		return t.read(q.node, v, []string{strconv.Itoa(number - 1)}, what)
	}
	if namesProperties(q) {
		return t.property(q, number, what)
	}
	template := t.template(v, true)
	if p, ok := template.Single(); ok && isList(p) {
		return t.partSteps(q.node, v, p, []string{strconv.Itoa(number - 1)}, what)
	}
	return t.listedValue(q, template, number, what)
}

// isList reports whether an expression gives an array.
func isList(p expr.Part) bool {
	return p.Program != nil && p.Eval(expr.Symbolic{}).Kind() == expr.KindArray
}

// namesProperties: the old nodes list names of the item's fields, no values.
func namesProperties(q *query) bool {
	return !strings.Contains(q.replacement.Str(), "{{") && q.replacement.Parent().Key() == "additionalFields"
}

func (t *Tracer) property(q *query, number int, what string) []step {
	names := listed(q.replacement.Str())
	if number > len(names) {
		return []step{ending(Origin{Kind: Missing, Node: q.node, Name: "no value for $" + strconv.Itoa(number), At: q.replacement.Span()})}
	}
	return []step{back(q.node, dotted(names[number-1]), Hop{Node: q.node, At: q.replacement.Span(), What: what})}
}

// listedValue is for values in one string. Postgres takes each {{ }} for a
// parameter and drops the text around; the others split the text at commas. A
// single expression may give several values, which cannot be told apart.
func (t *Tracer) listedValue(q *query, template *expr.Template, number int, what string) []step {
	groups := perExpression(template)
	if q.node.Type != postgresNode || len(groups) == 0 {
		groups = perComma(template)
	}
	if number > len(groups) {
		if len(groups) != 1 || len(groups[0]) == 0 {
			return []step{ending(Origin{Kind: Missing, Node: q.node, Name: "no value for $" + strconv.Itoa(number), At: q.replacement.Span()})}
		}
		number = 1
	}
	var steps []step
	for _, p := range groups[number-1] {
		steps = append(steps, t.partSteps(q.node, q.replacement, p, nil, what)...)
	}
	if len(steps) == 0 {
		return []step{constant(q.node, q.replacement.Span())}
	}
	return steps
}

func perExpression(template *expr.Template) (groups [][]expr.Part) {
	for _, p := range template.Parts {
		if p.Code {
			groups = append(groups, []expr.Part{p})
		}
	}
	return groups
}

// perComma gives the expressions of each comma-separated value.
func perComma(template *expr.Template) [][]expr.Part {
	groups := [][]expr.Part{nil}
	for _, p := range template.Parts {
		if p.Code {
			groups[len(groups)-1] = append(groups[len(groups)-1], p)
			continue
		}
		for range strings.Count(p.Text, ",") {
			groups = append(groups, nil)
		}
	}
	return groups
}
