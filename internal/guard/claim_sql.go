package guard

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// sqlClaim recognises a claim in the SQL of a query node. meant is false where
// only a gate that asks the result shows that it is one.
func sqlClaim(n *graph.Node, op catalog.Operation) (g *Guard, meant bool) {
	if op.Script == nil || op.Script.Opaque {
		return nil, false
	}
	for _, outer := range op.Script.Statements {
		for _, st := range outer.Changes() {
			form, key := claimForm(st)
			if form == NoForm {
				continue
			}
			g = &Guard{
				Node: n, Kind: Claim, Form: form, At: op.At, Statement: st, Key: key,
				Target: op.Target, Proven: form != InsertPlain,
			}
			rowsOfClaim(g, op.Script, outer)
			return g, isMeant(st, form)
		}
	}
	return nil, false
}

func claimForm(st *sql.Statement) (Form, []string) {
	switch {
	case st.Verb == sql.Insert && st.Conflict != nil && st.Conflict.Action == sql.DoNothing:
		return InsertDoNothing, conflictKey(st)
	case st.Verb == sql.Insert && st.Conflict != nil:
		return InsertDoUpdate, conflictKey(st)
	case st.Verb == sql.Insert && st.Ignore:
		return InsertIgnore, keyColumns(st)
	case st.Verb == sql.Insert && len(st.DuplicateKey) == 0 && st.GuardedByNotExists() == nil && st.InsertSelect == nil && hasKeyAndState(st):
		return InsertPlain, keyColumns(st)
	case st.Verb == sql.Update:
		return updateForm(st)
	}
	return NoForm, nil
}

func conflictKey(st *sql.Statement) []string {
	if len(st.Conflict.Columns) > 0 {
		return st.Conflict.Columns
	}
	return keyColumns(st)
}

// keyColumns are the columns whose name says key; without one, the first.
func keyColumns(st *sql.Statement) []string {
	var keys []string
	for _, c := range st.Columns {
		if says(c.Name, keyWord) {
			keys = append(keys, c.Name)
		}
	}
	if len(keys) == 0 && len(st.Columns) > 0 {
		keys = []string{st.Columns[0].Name}
	}
	return keys
}

// hasKeyAndState recognises the insert of a key and a state, which is a claim
// where the key is unique.
func hasKeyAndState(st *sql.Statement) bool {
	key := says(st.Table.Name, tableWord)
	for _, c := range st.Columns {
		key = key || says(c.Name, keyWord)
	}
	return key && writesOpenState(st)
}

func writesOpenState(st *sql.Statement) bool {
	for _, c := range st.Columns {
		if v, ok := st.ValueOf(c.Name); ok && says(c.Name, stateWord) && v.Kind == sql.Literal && says(v.Literal, openState) {
			return true
		}
	}
	return false
}

// updateForm recognises UPDATE … WHERE key AND state = … RETURNING, and the
// worker's UPDATE … WHERE id IN (SELECT … FOR UPDATE SKIP LOCKED) RETURNING.
func updateForm(st *sql.Statement) (Form, []string) {
	if !st.HasReturning || len(st.Assignments) == 0 {
		return NoForm, nil
	}
	for inner := range st.All() {
		if inner != st && inner.Lock.ForUpdate && inner.Lock.SkipLocked {
			return WorkerUpdate, nil
		}
	}
	if !excludes(st, st.Where) {
		return NoForm, nil
	}
	var key []string
	for _, leaf := range st.Where.Leaves() {
		if _, changed := assignment(st, leaf.Left.Column); !changed && leaf.Left.Column != "" && leaf.Kind == sql.Comparison && leaf.Op == "=" {
			key = append(key, leaf.Left.Column)
		}
	}
	return ConditionalUpdate, key
}

// excludes reports whether a row that the UPDATE has changed no longer fits the
// condition. Of alternatives none may be left as it was.
func excludes(st *sql.Statement, p *sql.Predicate) bool {
	if p == nil {
		return false
	}
	contradicted := func(c *sql.Predicate) bool { return excludes(st, c) }
	switch p.Kind {
	case sql.And:
		return slices.ContainsFunc(p.Children, contradicted)
	case sql.Or:
		return slices.ContainsFunc(p.Children, contradicted) && !slices.ContainsFunc(p.Children, func(c *sql.Predicate) bool { return !touches(st, c) })
	case sql.Not:
		return len(p.Children) == 1 && touchedAlike(st, p.Children[0])
	}
	written, ok := assignment(st, p.Left.Column)
	return ok && leafContradicts(p, written)
}

// touches reports whether the UPDATE writes something else into a column that
// the condition asks for.
func touches(st *sql.Statement, p *sql.Predicate) bool {
	return slices.ContainsFunc(p.Leaves(), func(leaf *sql.Predicate) bool {
		_, ok := assignment(st, leaf.Left.Column)
		return ok && !touchedAlike(st, leaf)
	})
}

// touchedAlike reports whether the UPDATE writes the very value that is asked for.
func touchedAlike(st *sql.Statement, leaf *sql.Predicate) bool {
	written, ok := assignment(st, leaf.Left.Column)
	return ok && leaf.Kind == sql.Comparison && leaf.Op == "=" && leaf.Value.Kind == sql.Literal &&
		written.Kind == sql.Literal && written.Literal == leaf.Value.Literal
}

func assignment(st *sql.Statement, column string) (sql.Value, bool) {
	for _, a := range st.Assignments {
		if a.Column == column && column != "" {
			return a.Value, true
		}
	}
	return sql.Value{}, false
}

// leafContradicts reports whether the row no longer fits the condition once the
// value is written: WHERE status = 'pending' … SET status = 'claimed', WHERE
// sent_at IS NULL … SET sent_at = now(). Only then can one execution win.
func leafContradicts(leaf *sql.Predicate, written sql.Value) bool {
	switch leaf.Kind {
	case sql.IsNull:
		return written.Kind != sql.Null && !leaf.Negated
	case sql.Comparison:
		fixed := leaf.Value.Kind == sql.Literal && written.Kind == sql.Literal
		if leaf.Op == "=" {
			return fixed && leaf.Value.Literal != written.Literal
		}
		if leaf.Op == "<>" || leaf.Op == "!=" || strings.Contains(strings.ToUpper(leaf.Op), "DISTINCT") {
			return fixed && leaf.Value.Literal == written.Literal
		}
	case sql.In:
		if leaf.Negated || written.Kind != sql.Literal {
			return false
		}
		return !slices.ContainsFunc(leaf.Values, func(v sql.Value) bool { return v.Kind != sql.Literal || v.Literal == written.Literal })
	}
	return false
}

// isMeant reports whether the statement itself shows that it is there to
// recognise an event. Plain upserts, get-or-create and counters are not.
func isMeant(st *sql.Statement, form Form) bool {
	switch form {
	case InsertPlain, ConditionalUpdate, WorkerUpdate:
		return true
	case InsertDoNothing, InsertIgnore, SkipOnConflict:
		return says(st.Table.Name, tableWord) || writesOpenState(st) || anySays(conflictColumns(st), keyWord)
	}
	// DO UPDATE … RETURNING: only with columns of a claim (RULES: leaky-claim).
	return st.HasReturning && (writesOpenState(st) || anySays(names(st.Columns), claimedWord)) &&
		(says(st.Table.Name, tableWord) || anySays(conflictColumns(st), keyWord))
}

func conflictColumns(st *sql.Statement) []string {
	if st.Conflict != nil && len(st.Conflict.Columns) > 0 {
		return st.Conflict.Columns
	}
	return names(st.Columns)
}

func names(columns []sql.Column) (out []string) {
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return out
}

func anySays(list []string, r role) bool {
	return slices.ContainsFunc(list, func(s string) bool { return says(s, r) })
}

// rowsOfClaim works out what winner and loser get, from the statement whose
// rows the node gives on.
func rowsOfClaim(g *Guard, script *sql.Script, outer *sql.Statement) {
	result := script.Result()
	st := g.Statement
	switch {
	case result != outer:
		twoStatements(g, result)
	case g.Form == InsertPlain:
		g.winner = given(rowItem(g, st, nil))
	case st == outer && g.Form == InsertDoUpdate:
		doUpdate(g)
	case st == outer:
		returning(g, outer)
	default:
		throughCTE(g, outer)
	}
	withFailure(g)
}

func given(item expr.Value) []emission {
	return []emission{{emits: expr.True, item: item}}
}

// returning: the winner gets its row, the loser none.
func returning(g *Guard, st *sql.Statement) {
	if !st.HasReturning {
		g.winner, g.loser = alike(g.Node, "1"), alike(g.Node, "0")
		return
	}
	g.winner = given(rowItem(g, st, nil))
	g.loser = noRows(g.Node, false)
}

// alike is the answer of a statement without rows: the same for both, unless
// MySQL's detailed output tells the affected rows (N8N.md 1d).
func alike(n *graph.Node, affected string) []emission {
	switch {
	case n.Type == mySQLNode && n.TypeVersion >= 2 && n.Parameter("options", "detailedOutput").IsTrue():
		count := map[string]float64{"0": 0, "1": 1}[affected]
		data := expr.OpenObject(expr.Anything(), expr.Field{Name: "affectedRows", Value: expr.Number(count)})
		return given(expr.OpenObject(expr.Undefined(), expr.Field{Name: "data", Value: data}))
	case n.Type == mySQLNode && n.TypeVersion < 2:
		return given(tied(n)) // not measured
	case n.Type == postgresNode && n.TypeVersion < 2:
		return nil // no item for either
	}
	e := given(successItem())
	e[0].cause = NothingReturned
	return e
}

func successItem() expr.Value {
	return expr.Object(expr.Field{Name: "success", Value: expr.Bool(true)})
}

// tied is an item of which only its source is known.
func tied(n *graph.Node) expr.Value { return expr.Ref(n.Name) }

// noRows is what a node gives for a statement that returns no row (N8N.md 1a,
// 1d). selects is true for SELECT, and for WITH … SELECT.
func noRows(n *graph.Node, selects bool) []emission {
	switch n.Type {
	case postgresNode:
		switch {
		case n.TypeVersion < 2:
			return silent(n)
		case selects && n.TypeVersion >= 2.3:
			// Older n8n gives {success:true} here as well, and the file does not
			// tell the version of n8n (N8N.md section 0, fact 3). With
			// alwaysOutputData there is an item in every version (N8N.md 1a).
			if n.AlwaysOutputData {
				return silent(n)
			}
			return []emission{{emits: expr.Maybe, item: successItem()}}
		case n.TypeVersion <= 2.2 && nested(n):
			return given(expr.Object(expr.Field{Name: "json", Value: successItem()}))
		}
		return given(successItem())
	case mySQLNode:
		if n.TypeVersion >= 2 {
			return given(successItem())
		}
	}
	return given(tied(n)) // other databases were not measured
}

func nested(n *graph.Node) bool {
	b := n.Parameter("options", "queryBatching").Str()
	return b == "transaction" || b == "independently"
}

// silent: no item, unless alwaysOutputData makes an empty one (N8N.md 1a).
func silent(n *graph.Node) []emission {
	if !n.AlwaysOutputData {
		return nil
	}
	return []emission{{emits: expr.True, item: expr.Object(), cause: AlwaysOutput}}
}

// rowItem is the row that RETURNING gives. values holds what is known of
// columns by name.
func rowItem(g *Guard, st *sql.Statement, values map[string]expr.Value) expr.Value {
	list := st.Returning
	if st.Verb == sql.Select {
		list = st.Projections
	}
	var fields []expr.Field
	open := false
	for _, p := range list {
		if p.Star || p.Name == "" {
			open = true
			continue
		}
		v, known := values[p.Name]
		if !known {
			v = expr.Ref(g.Node.Name, p.Name).Truthy()
		}
		fields = append(fields, expr.Field{Name: p.Name, Value: v})
		g.Returns = append(g.Returns, p.Name)
	}
	switch {
	case len(list) == 0:
		return successItem()
	case open:
		return expr.OpenObject(expr.Ref(g.Node.Name), fields...)
	}
	return expr.Object(fields...)
}

// doUpdate: DO UPDATE returns a row to everyone, unless a flag in it tells the
// insert from the update, or its WHERE leaves the loser none.
func doUpdate(g *Guard) {
	st := g.Statement
	if !st.HasReturning {
		g.winner, g.loser = alike(g.Node, "1"), alike(g.Node, "1")
		return
	}
	if st.Conflict.Where != nil {
		returning(g, st)
		return
	}
	won, lost := map[string]expr.Value{}, map[string]expr.Value{}
	for _, p := range st.Returning {
		if o, ok := p.Expr.InsertedOutcome(); ok && p.Name != "" {
			won[p.Name], lost[p.Name] = sqlValue(o.Won), sqlValue(o.Lost)
		}
	}
	g.winner = given(rowItem(g, st, won))
	g.Returns = nil
	g.loser = given(rowItem(g, st, lost))
	g.loser[0].cause = GivesRow
}

// sqlValue is how a literal arrives in an item.
func sqlValue(v sql.Value) expr.Value {
	switch {
	case v.Kind == sql.Null:
		return expr.Null()
	case v.Kind != sql.Literal:
		return expr.Anything()
	case v.String:
		return expr.String(v.Literal)
	case strings.EqualFold(v.Literal, "true"):
		return expr.Bool(true)
	case strings.EqualFold(v.Literal, "false"):
		return expr.Bool(false)
	}
	return expr.Eval("={{ "+v.Literal+" }}", expr.Items{})
}

// throughCTE: the claim is a WITH entry and the outer SELECT reads it.
func throughCTE(g *Guard, outer *sql.Statement) {
	name := ""
	for _, cte := range outer.With {
		for st := range cte.Statement.All() {
			if st == g.Statement {
				name = cte.Name
			}
		}
	}
	won, lost, told := map[string]expr.Value{}, map[string]expr.Value{}, false
	for _, p := range outer.Projections {
		if o, ok := outer.RowOutcome(p, name); ok && p.Name != "" {
			won[p.Name], lost[p.Name], told = sqlValue(o.Won), sqlValue(o.Lost), true
		}
	}
	switch {
	case told:
		g.winner = given(rowItem(g, outer, won))
		g.Returns = nil
		g.loser = given(rowItem(g, outer, lost))
	case outer.Verb == sql.Select && readsOnly(outer, name):
		g.winner = given(rowItem(g, outer, nil))
		g.loser = noRows(g.Node, true)
	default:
		g.winner, g.loser = given(tied(g.Node)), given(tied(g.Node))
	}
}

// readsOnly reports whether every row of the SELECT needs a row of the CTE.
func readsOnly(s *sql.Statement, cte string) bool {
	return cte != "" && s.ReadsFrom(cte) && len(s.From) == 1 && len(s.Others) == 0 && s.From[0].Name == cte
}

// twoStatements: the node gives on the rows of a later statement, such as
// SELECT ROW_COUNT().
func twoStatements(g *Guard, result *sql.Statement) {
	won, lost, told := map[string]expr.Value{}, map[string]expr.Value{}, false
	for _, p := range result.Projections {
		if o, ok := p.Expr.ClaimOutcome(""); ok && o.Differs() && p.Name != "" {
			won[p.Name], lost[p.Name], told = sqlValue(o.Won), sqlValue(o.Lost), true
		}
	}
	if !told {
		g.winner, g.loser = given(tied(g.Node)), given(tied(g.Node))
		return
	}
	g.winner = given(rowItem(g, result, won))
	g.Returns = nil
	g.loser = given(rowItem(g, result, lost))
}

// withFailure adds what the claim's failure makes: a plain insert fails for the
// loser; any claim fails when the database is away (N8N.md 1b, section 6).
func withFailure(g *Guard) {
	n := g.Node
	item := expr.Object(
		expr.Field{Name: "error", Value: expr.Ref(n.Name, "error").Truthy()},
		expr.Field{Name: "message", Value: expr.Ref(n.Name, "message").Truthy()},
	)
	switch n.OnError {
	case graph.ContinueRegularOutput:
		g.loser = append(g.loser, emission{emits: expr.True, item: item, cause: ErrorGoesOn})
	case graph.ContinueErrorOutput:
		g.loser = append(g.loser, emission{output: errorOutput(n), emits: expr.True, item: item, cause: ErrorGoesOn})
		if !slices.ContainsFunc(g.loser, func(e emission) bool { return e.output == 0 }) {
			// The failure leaves the first output empty (N8N.md 1b).
			g.loser = append(g.loser, silent(n)...)
		}
	}
}
