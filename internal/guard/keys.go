package guard

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// KeyUse is a key position: a value by which a repeat is recognised.
type KeyUse struct {
	Node *graph.Node
	// Position says in words where the value stands, such as "conflict column
	// event_key" or "header Idempotency-Key".
	Position string
	// At is the parameter, or the part of it, that holds the value.
	At    source.Span
	Trace flow.Trace
	// Guard is the guard whose key it is, Effect the effect that carries it; both
	// are nil for the matching column of an upsert.
	Guard  *Guard
	Effect *Effect
	// PerRun: the row is one for each run by purpose, a register of runs.
	PerRun bool
	// Log: the table or sheet is a log by its name.
	Log bool
	// Parameter is the parameter that the value stands in, Element the element of
	// the array that it gives, -1 where it gives the value itself.
	Parameter source.Value
	Element   int
	// Named: only the field's name says that it is a key.
	Named bool
	// Column is the column of a row that is found by the value; "" elsewhere.
	Column string
}

// tracer follows values of this workflow.
func (m *model) tracer() *flow.Tracer {
	if m.trace == nil {
		m.trace = flow.New(m.catalog, []*graph.Workflow{m.workflow}, func(w *graph.Workflow) []*graph.Node {
			if other := m.all[w]; other != nil {
				return other.callers
			}
			return nil
		}, func(call *graph.Node) *graph.Workflow {
			other := m.all[call.Workflow]
			if other == nil || other.callees[call] == nil {
				return nil
			}
			return other.callees[call].workflow
		})
	}
	return m.trace
}

// passes reports whether a node gives on the items that it got, unchanged.
func (m *model) passes(n *graph.Node) bool { return m.tracer().Passes(n) }

// Trace follows the value of a parameter to where it comes from.
func (f *Facts) Trace(n *graph.Node, v source.Value) flow.Trace { return f.model.tracer().Value(n, v) }

// Keys are the key positions of the nodes that executions reach, in the order
// of the file.
func (f *Facts) Keys() []KeyUse {
	if f.keysKnown {
		return f.keys
	}
	f.keysKnown = true
	for _, n := range f.Nodes() {
		for _, use := range f.keysOf(n) {
			use.Position = strings.Join(strings.Fields(use.Position), " ")
			f.keys = append(f.keys, use)
		}
	}
	return f.keys
}

func (f *Facts) keysOf(n *graph.Node) (uses []KeyUse) {
	m := f.model
	op := m.ops[n]
	g := m.guards[n]
	switch {
	case op.Script != nil:
		uses = m.sqlKeys(n, op.Script, g)
	case n.Type == dedupNode && seenBefore(n):
		uses = m.valueKey(n, "value to compare", n.Parameter("dedupeValue"))
	case n.Type == redisNode && g != nil:
		uses = m.valueKey(n, "Redis key", n.Parameter("key"))
	default:
		uses = m.rowKeys(n, op, g)
	}
	for i := range uses {
		uses[i].Guard = g
		uses[i].PerRun, uses[i].Log = says(uses[i].Position, runWord), op.Log
	}
	return append(uses, f.requestKeys(n)...)
}

func (m *model) valueKey(n *graph.Node, position string, v source.Value) []KeyUse {
	if !v.Exists() {
		return nil
	}
	return []KeyUse{{Node: n, Position: position, At: v.Span(), Trace: m.tracer().Value(n, v), Parameter: v, Element: -1}}
}

// sqlKeys are the conflict columns of inserts, the key columns of claims and
// what a look-up asks for.
func (m *model) sqlKeys(n *graph.Node, script *sql.Script, g *Guard) (uses []KeyUse) {
	add := func(what, column string, v sql.Value) {
		query, replacement := m.catalog.QueryParameters(n)
		use := KeyUse{Node: n, Position: what + " " + column, At: query.Inner(v.Start, v.End), Trace: m.tracer().SQL(n, v), Element: -1, Column: column}
		if v.Kind == sql.Placeholder && v.Placeholder > 0 && replacement.Exists() {
			use.At, use.Parameter, use.Element = replacement.Span(), replacement, v.Placeholder-1
		}
		uses = append(uses, use)
	}
	for st := range script.All() {
		switch {
		case st.Verb == sql.Insert && st.Conflict != nil:
			for _, c := range st.Conflict.Columns {
				if v, ok := st.ValueOf(c); ok {
					add("conflict column", c, v)
				}
			}
			if len(st.Conflict.Columns) == 0 && g != nil && g.Statement == st {
				claimColumns(st, g, add)
			}
		case g != nil && g.Statement == st && st.Verb == sql.Insert:
			claimColumns(st, g, add)
		case g != nil && g.Statement == st:
			for _, leaf := range st.Where.Equalities() {
				if !says(leaf.Column, stateWord) && !leaf.Value.Fixed() {
					add("column", leaf.Column, leaf.Value)
				}
			}
		}
	}
	return uses
}

func claimColumns(st *sql.Statement, g *Guard, add func(what, column string, v sql.Value)) {
	for _, c := range g.Key {
		if v, ok := st.ValueOf(c); ok {
			add("key column", c, v)
		}
	}
}

// rowKeys are the matching columns of upserts and the key columns of claims that
// row operations make.
func (m *model) rowKeys(n *graph.Node, op catalog.Operation, g *Guard) (uses []KeyUse) {
	if strings.TrimSuffix(n.Type, "Tool") == dataTableNode {
		return m.conditionKeys(n, op)
	}
	what, columns := "matching column", matchingColumns(n)
	if len(columns) == 0 && g != nil && g.Kind == Claim {
		what, columns = "key column", g.Key
	}
	if !op.Writes() || op.Kind == catalog.Repeatable && g == nil {
		return nil
	}
	if g == nil && !makesRow(op) {
		return nil // the columns of an update say which row, not whether it is there
	}
	values := m.catalog.RowValues(n)
	for _, c := range columns {
		i := slices.IndexFunc(values, func(v catalog.ColumnValue) bool { return v.Name == c })
		if i >= 0 {
			v := values[i].Value
			uses = append(uses, KeyUse{Node: n, Position: what + " " + c, At: v.Span(), Trace: m.tracer().Value(n, v), Parameter: v, Element: -1, Column: c})
			continue
		}
		if at := n.Parameter("columns", "matchingColumns"); at.Exists() && n.Parameter("columns", "mappingMode").Str() == "autoMapInputData" {
			uses = append(uses, KeyUse{Node: n, Position: what + " " + c, At: at.Span(), Trace: m.tracer().Mapped(n, c), Element: -1, Column: c})
		}
	}
	return uses
}

// conditionKeys are the columns by which a data table's upsert finds the row that
// is there: it asks for them by conditions and has no unique column (N8N.md 4).
func (m *model) conditionKeys(n *graph.Node, op catalog.Operation) (uses []KeyUse) {
	if op.Name != "upsert" {
		return nil
	}
	for c := range n.Parameter("filters", "conditions").Children() {
		name, v := c.Get("keyName").Str(), c.Get("keyValue")
		if how := c.Get("condition").Str(); name == "" || !v.Exists() || how != "" && how != "eq" {
			continue
		}
		uses = append(uses, KeyUse{Node: n, Position: "matching column " + name, At: v.Span(), Trace: m.tracer().Value(n, v), Parameter: v, Element: -1, Column: name})
	}
	return uses
}

// matchingColumns are the columns by which an upsert finds the row that is there.
func matchingColumns(n *graph.Node) (list []string) {
	for c := range n.Parameter("columns", "matchingColumns").Children() {
		list = append(list, c.Str())
	}
	if v, _ := n.Locator("columnToMatchOn"); v.Str() != "" { // older versions of the sheet nodes
		list = append(list, v.Str())
	}
	return list
}

// requestKeys are the idempotency keys that requests and nodes send.
func (f *Facts) requestKeys(n *graph.Node) (uses []KeyUse) {
	m := f.model
	op := m.ops[n]
	i := slices.IndexFunc(f.Effects, func(e *Effect) bool { return e.Node == n })
	if p, ok := nodeKeys()[n.Type+" "+op.Resource+" "+op.Name]; ok {
		uses = m.valueKey(n, "parameter "+p[0], n.Parameter(strings.Split(p[0], ".")...))
	}
	if op.HTTP != nil && op.Writes() {
		uses = append(uses, m.httpKeys(n, op.HTTP)...)
	}
	for k := range uses {
		if i >= 0 {
			uses[k].Effect = f.Effects[i]
		}
	}
	return uses
}

func (m *model) httpKeys(n *graph.Node, r *catalog.Request) (uses []KeyUse) {
	seen := map[string]bool{}
	take := func(p httpcall.KeyPosition, named bool) {
		id := string(p.Place) + " " + p.Name
		if seen[id] {
			return
		}
		seen[id] = true
		if use, ok := m.positionKey(n, r, p, named); ok {
			uses = append(uses, use)
		}
	}
	for _, p := range httpcall.KeyFields(r.Verdict.Provider, r.Request) {
		if p.Provider == nil || p.Provider.Class == httpcall.ClassEnforcing {
			take(p, false)
		}
	}
	for _, p := range httpcall.NamedKeys(r.Request) {
		take(p, true)
	}
	return uses
}

// positionKey traces the value at a place of a request; ok is false where the
// value stands inside code.
func (m *model) positionKey(n *graph.Node, r *catalog.Request, p httpcall.KeyPosition, named bool) (KeyUse, bool) {
	use := KeyUse{Node: n, Position: placeName(p.Place) + " " + p.Name, At: m.ops[n].At, Named: named, Element: -1}
	use.Trace = flow.Trace{Literal: true}
	if v := namedParameter(n, p); v.Exists() {
		use.At = v.Span()
	}
	for _, part := range p.Value.Parts {
		if part.Hole == 0 {
			use.Trace.Text += part.Literal
			use.Trace.Parts = append(use.Trace.Parts, flow.TracePart{Text: part.Literal})
			continue
		}
		if part.Hole > len(r.Holes) {
			return use, false
		}
		h := r.Holes[part.Hole-1]
		t := m.tracer().Part(n, h.Value, h.Part)
		use.At = trimmed(h)
		use.Trace.Literal = false
		use.Trace.Incomplete = use.Trace.Incomplete || t.Incomplete
		use.Trace.Origins = append(use.Trace.Origins, t.Origins...)
		use.Trace.Parts = append(use.Trace.Parts, t.Parts...)
	}
	return use, true
}

// trimmed is the place of an expression's code without the blanks around it.
func trimmed(h catalog.Hole) source.Span {
	left := len(h.Part.Text) - len(strings.TrimLeft(h.Part.Text, " \t\r\n"))
	right := len(h.Part.Text) - len(strings.TrimRight(h.Part.Text, " \t\r\n"))
	if left == len(h.Part.Text) {
		left, right = 0, 0
	}
	return h.Value.Inner(h.Part.Start+left, h.Part.End-right)
}

// namedParameter is the value of a name and value pair among the parameters.
func namedParameter(n *graph.Node, p httpcall.KeyPosition) source.Value {
	list := map[httpcall.Place]string{httpcall.PlaceHeader: "headerParameters", httpcall.PlaceQuery: "queryParameters", httpcall.PlaceBody: "bodyParameters"}[p.Place]
	for pair := range n.Parameter(list, "parameters").Children() {
		if pair.Get("name").Str() == p.Name {
			return pair.Get("value")
		}
	}
	return source.Value{}
}

func placeName(p httpcall.Place) string {
	switch p {
	case httpcall.PlaceHeader:
		return "header"
	case httpcall.PlaceQuery:
		return "query parameter"
	case httpcall.PlacePath:
		return "path segment"
	}
	return "body field"
}

// ByHand reports whether only people at the editor, tests and failures of other
// workflows start what comes to a node: no event of the world is repeated there.
func (f *Facts) ByHand(n *graph.Node) bool {
	classes := f.model.classes(n)
	return len(classes) > 0 && !slices.ContainsFunc(classes, func(c catalog.Class) bool {
		return c != catalog.Manual && c != catalog.Failure
	})
}

// OwnRow finds the node that has put the row there which a key finds: an earlier
// node of the same run wrote the same value into the column. A repeat is, or is
// not, recognised at that node.
func (f *Facts) OwnRow(use KeyUse) (first *graph.Node, ok bool) {
	keys := f.Keys()
	if use.Column == "" || len(use.Trace.Origins) == 0 || f.IsTool(use.Node) || len(keys) > maxKeys {
		return nil, false
	}
	puts := func(n *graph.Node) bool {
		return n != use.Node && !f.IsTool(n) && f.SameStore(n, use.Node) && f.MakesRow(n)
	}
	for _, other := range keys {
		if other.Column == use.Column && puts(other.Node) && other.Trace.Same(use.Trace) && f.precedes(other.Node, use.Node) {
			return other.Node, true
		}
	}
	for _, n := range f.Nodes() {
		if puts(n) && f.always(n, use.Node) && f.writesAlike(n, use) {
			return n, true
		}
	}
	return nil, false
}

// maxKeys is the number of key positions of a workflow among which the first
// write of a row is looked for, far above what people build.
const maxKeys = 200

// writesAlike reports whether a node writes the same value into the column.
func (f *Facts) writesAlike(n *graph.Node, use KeyUse) bool {
	m := f.model
	values := m.catalog.RowValues(n)
	for _, v := range values {
		if v.Name == use.Column && m.tracer().Value(n, v.Value).Same(use.Trace) {
			return true
		}
	}
	if script := m.ops[n].Script; script != nil {
		for st := range script.All() {
			if v, ok := st.ValueOf(use.Column); ok && m.tracer().SQL(n, v).Same(use.Trace) {
				return true
			}
		}
	}
	return len(values) == 0 && n.Parameter("columns", "mappingMode").Str() == "autoMapInputData" && m.tracer().Mapped(n, use.Column).Same(use.Trace)
}

// precedes reports whether one node is the first of two that run in one
// execution: it comes before the other, or both are behind one output, and it is
// the nearer to the trigger.
func (f *Facts) precedes(n, other *graph.Node) bool {
	before, after := f.Before(n, other), f.Before(other, n)
	switch {
	case before && !after:
		return true
	case after && !before:
		return false
	case !before && !f.together(n, other):
		return false
	}
	near, far := f.steps(n), f.steps(other)
	return near < far || near == far && n.Index < other.Index
}

// steps is the number of nodes on the shortest known way from a trigger.
func (f *Facts) steps(n *graph.Node) (least int) {
	for _, v := range f.Visits(n) {
		if least == 0 || len(v.Path) < least {
			least = len(v.Path)
		}
	}
	return least
}

// together reports whether one output of a node leads to both.
func (f *Facts) together(a, b *graph.Node) bool {
	toA, toB := graph.CanReach(a), graph.CanReach(b)
	for from := range toA {
		if toB[from] && forks(from, toA, toB) {
			return true
		}
	}
	return false
}

// forks reports whether two edges of one output lead one each into two sets.
func forks(from *graph.Node, toA, toB map[*graph.Node]bool) bool {
	first := map[int]*graph.Edge{} // of each output, an edge into the first set only
	both := map[int]int{}          // and how many lead into both
	for _, e := range from.MainOut() {
		switch {
		case toA[e.To] && toB[e.To]:
			both[e.Output]++
		case toA[e.To]:
			first[e.Output] = e
		}
	}
	for _, e := range from.MainOut() {
		into := both[e.Output]
		if toA[e.To] && toB[e.To] {
			into--
		}
		if toB[e.To] && (into > 0 || first[e.Output] != nil) {
			return true
		}
	}
	return false
}

// always reports whether every way from a trigger to a node leads past another
// one.
func (f *Facts) always(n, other *graph.Node) bool {
	if !f.Before(n, other) {
		return false
	}
	around := func(e *graph.Edge) bool { return e.From == n || e.To == n }
	return !slices.ContainsFunc(f.Visits(other), func(v Visit) bool {
		start := v.Root.Trigger
		return start.Workflow == n.Workflow && graph.Reachable(start, around)[other]
	})
}

// Under is the field of a trigger's item that holds what the sender has sent,
// where the item has a field of its own for it.
func (f *Facts) Under(trigger *graph.Node) (field string, ok bool) {
	const body = "body"
	return body, f.model.tracer().Has(trigger, body)
}
