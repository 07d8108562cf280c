package guard

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/sql"
)

//go:embed data/lookups.tsv
var lookupsTSV string

type lookupShape struct {
	operations     []string
	missing, found string
}

var lookups = sync.OnceValue(func() map[string][]lookupShape {
	m := map[string][]lookupShape{}
	for _, f := range catalog.Rows(lookupsTSV) {
		m[f[0]] = append(m[f[0]], lookupShape{operations: strings.Fields(f[1]), missing: f[2], found: f[3]})
	}
	return m
})

// lookUp recognises a read that may be asked whether an event was seen: later
// on the way something is written to the same store. The "winner" of a look-up
// is whoever finds nothing; nothing makes it the only one.
func (m *model) lookUp(n *graph.Node) *Guard {
	op := m.ops[n]
	if op.Kind != catalog.Read || !m.writtenBehind(n) {
		return nil
	}
	g := &Guard{Node: n, Kind: LookUp, At: op.At, Target: op.Target}
	if op.Script != nil {
		return m.queryLookUp(g, op.Script)
	}
	for _, shape := range lookups()[n.Type] {
		if slices.Contains(shape.operations, op.Name) {
			g.winner, g.loser = m.gives(n, shape.missing), m.gives(n, shape.found)
			return g
		}
	}
	g.Kind = Call // what it gives for nothing is not known
	return g
}

// writtenBehind reports whether the store that a node reads gets the record that
// a later look would find: a new row, or, where the read asks about this event,
// a mark on the row that it finds.
func (m *model) writtenBehind(n *graph.Node) bool {
	asksEvent := len(m.references(n)) > 0
	behind := m.behind(n)
	for _, other := range m.writes() {
		if !behind.Has(other) || !m.sameStore(n, other) {
			continue
		}
		if makesRow(m.ops[other]) || asksEvent && !m.behind(other).Has(n) {
			return true
		}
	}
	return false
}

// makesRow reports whether a write leaves a row where there was none.
func makesRow(op catalog.Operation) bool {
	if op.Kind == catalog.Repeatable || says(op.Name, makingWord) {
		return true
	}
	if op.Script == nil {
		return false
	}
	for st := range op.Script.All() {
		if st.Verb == sql.Insert || st.Verb == sql.Replace || st.Verb == sql.Merge {
			return true
		}
	}
	return false
}

// sameAddress reports whether a GET and a later write go to one literal address.
func sameAddress(a, b catalog.Operation) bool {
	if a.HTTP == nil || b.HTTP == nil || b.HTTP.Method == "DELETE" {
		return false
	}
	return address(a.HTTP) != "" && address(a.HTTP) == address(b.HTTP)
}

// address is the literal beginning of a URL up to its query.
func address(r *catalog.Request) string {
	if len(r.URL.Parts) == 0 || r.URL.Parts[0].Hole != 0 {
		return ""
	}
	text, _, _ := strings.Cut(r.URL.Parts[0].Literal, "?")
	if strings.Count(text, "/") < 3 {
		return ""
	}
	return strings.TrimRight(text, "/")
}

func (m *model) gives(n *graph.Node, shape string) []emission {
	word, parameter, _ := strings.Cut(shape, " ")
	switch word {
	case "none":
		return silent(n)
	case "row":
		return given(foundRow(n))
	case "pass":
		return []emission{{emits: expr.True, item: dependent(&Guard{Node: n})}}
	}
	name := n.Parameter(parameter).Str()
	if name == "" {
		name = parameter
	}
	v := expr.Null()
	if word == "value" {
		v = expr.Anything().Truthy().WithOrigins(expr.Origin{Kind: expr.OriginReference, Name: n.Name})
	}
	return given(expr.Object(expr.Field{Name: name, Value: v}))
}

// foundRow is a row whose columns are there, as far as their names are known.
func foundRow(n *graph.Node, columns ...string) expr.Value {
	v := expr.Ref(n.Name).Truthy()
	fields := []expr.Field{{Name: "id", Value: v}}
	for _, c := range columns {
		fields = append(fields, expr.Field{Name: c, Value: v})
	}
	return expr.OpenObject(v, fields...)
}

// queryLookUp works out what a SELECT gives for nothing and for something. What
// COUNT and EXISTS give is decided, other expressions are not.
func (m *model) queryLookUp(g *Guard, script *sql.Script) *Guard {
	st := script.Result()
	if st == nil || st.Verb != sql.Select || len(script.Statements) != 1 {
		return nil
	}
	if missing, found, ok := counted(st); ok {
		g.winner, g.loser = given(missing), given(found)
		return g
	}
	g.winner, g.loser = noRows(g.Node, true), given(foundRow(g.Node, selected(st)...))
	for i := range g.winner {
		g.winner[i].emits = expr.True // in either version an item of no row goes the way of "not found"
	}
	if g.Node.Type == postgresNode && g.Node.TypeVersion >= 2.3 {
		g.winner = silent(g.Node)
	}
	return g
}

func selected(st *sql.Statement) (columns []string) {
	for _, p := range st.Projections {
		if p.Name != "" {
			columns = append(columns, p.Name)
		}
	}
	return columns
}

// counted evaluates a SELECT of counts and EXISTS over rows that are not there,
// and that are.
func counted(st *sql.Statement) (missing, found expr.Value, ok bool) {
	if st.GroupBy || len(st.Projections) == 0 {
		return missing, found, false
	}
	var none, some []expr.Field
	for _, p := range st.Projections {
		lost, won, known := countOutcome(p.Expr)
		if !known || p.Name == "" && p.Expr.Call == "" {
			return missing, found, false
		}
		name := p.Name
		if name == "" {
			name = p.Expr.Call
		}
		none = append(none, expr.Field{Name: name, Value: lost})
		some = append(some, expr.Field{Name: name, Value: won})
	}
	return expr.Object(none...), expr.Object(some...), true
}

// countOutcome: PostgreSQL's count is a bigint, which arrives as text.
func countOutcome(v sql.Value) (missing, found expr.Value, ok bool) {
	switch {
	case v.Call == "count" && v.Kind == sql.CallValue && (v.Cast == "" || v.Cast == "bigint"):
		return expr.String("0"), expr.String("1"), true
	case v.Call == "count" && v.Kind == sql.CallValue:
		return expr.Number(0), expr.Number(1), true
	case v.Call == "exists":
		return expr.Bool(false), expr.Bool(true), true
	case v.Kind == sql.Expression && len(v.Args) == 2 && len(v.Operators) == 1 && v.Args[0].Call == "count" && v.Args[1].Literal == "0":
		switch v.Operators[0] {
		case ">", "<>", "!=":
			return expr.Bool(false), expr.Bool(true), true
		case "=":
			return expr.Bool(true), expr.Bool(false), true
		}
	}
	return expr.Anything(), expr.Anything(), false
}

// insertIfMissing recognises INSERT … WHERE NOT EXISTS: a look-up and an insert
// in one statement, which two executions can pass at once.
func insertIfMissing(n *graph.Node, op catalog.Operation) *Guard {
	if op.Script == nil || len(op.Script.Statements) != 1 {
		return nil
	}
	st := op.Script.Statements[0]
	if st.Verb != sql.Insert || st.Conflict != nil || st.GuardedByNotExists() == nil {
		return nil
	}
	g := &Guard{Node: n, Kind: LookUp, At: op.At, Target: op.Target, Statement: st, OneNode: true}
	g.winner = given(rowItem(g, st, nil))
	g.loser = noRows(n, false)
	if !st.HasReturning {
		g.winner, g.loser = alike(n, "1"), alike(n, "0")
	}
	return g
}
