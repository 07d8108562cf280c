package guard

import (
	"regexp"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// rowClaim recognises a claim in a node that writes rows without SQL.
func rowClaim(c *catalog.Catalog, n *graph.Node, op catalog.Operation) (g *Guard, meant bool) {
	g = &Guard{Node: n, Kind: Claim, At: op.At, Target: op.Target, Proven: true}
	columns := c.RowValues(n)
	switch n.Type {
	case postgresNode, mySQLNode:
		return databaseRow(g, op, columns)
	case supabaseNode, mongoNode:
		return storeRow(g, op, columns)
	case dynamoNode:
		return dynamoPut(g, op)
	case redisNode:
		return redisIncrement(g, op)
	}
	if op.HTTP != nil {
		return httpClaim(g, op.HTTP)
	}
	return nil, false
}

func databaseRow(g *Guard, op catalog.Operation, columns []catalog.ColumnValue) (*Guard, bool) {
	n := g.Node
	switch op.Name {
	case "insert":
		if skip := n.Parameter("options", "skipOnConflict"); skip.IsTrue() {
			g.Form, g.At = SkipOnConflict, skip.Span()
			g.Key = keysOf(columns)
			g.winner, g.loser = alike(n, "1"), alike(n, "0")
			withFailure(g)
			return g, keyed(op.Target, columns)
		}
		return plainRow(g, op, columns)
	case "upsert":
		g.Form = RowUpsert
		g.Key = keysOf(columns)
		row := expr.OpenObject(expr.Ref(n.Name))
		g.winner, g.loser = given(row), given(row)
		g.loser[0].cause = GivesRow
		withFailure(g)
		return g, false
	}
	return nil, false
}

// plainRow is the insert of a key and a state, which is a claim where the key is
// unique; the file does not show whether it is.
func plainRow(g *Guard, op catalog.Operation, columns []catalog.ColumnValue) (*Guard, bool) {
	if !keyed(op.Target, columns) || !opens(columns) {
		return nil, false
	}
	g.Form, g.Key, g.Proven = InsertPlain, keysOf(columns), false
	g.winner = given(expr.OpenObject(expr.Ref(g.Node.Name)))
	withFailure(g)
	return g, true
}

// storeRow: an insert into Supabase, or into MongoDB, whose _id is unique always.
func storeRow(g *Guard, op catalog.Operation, columns []catalog.ColumnValue) (*Guard, bool) {
	if op.Kind != catalog.Repeatable {
		return nil, false
	}
	if g.Node.Type == mongoNode {
		fields := g.Node.Parameter("fields").Str()
		for f := range strings.SplitSeq(fields, ",") {
			columns = append(columns, catalog.ColumnValue{Name: strings.TrimSpace(f)})
		}
		if hasColumn(columns, "_id") {
			g.Form, g.Key = InsertPlain, []string{"_id"}
			g.winner = given(expr.OpenObject(expr.Ref(g.Node.Name)))
			withFailure(g)
			return g, len(g.loser) == 0 || keyed(op.Target, columns) || opens(columns)
		}
	}
	return plainRow(g, op, columns)
}

func hasColumn(columns []catalog.ColumnValue, name string) bool {
	for _, c := range columns {
		if c.Name == name {
			return true
		}
	}
	return false
}

func keysOf(columns []catalog.ColumnValue) (keys []string) {
	for _, c := range columns {
		if says(c.Name, keyWord) {
			keys = append(keys, c.Name)
		}
	}
	return keys
}

// keyed reports whether the row is there to recognise an event: by a column or
// by its table.
func keyed(t catalog.Target, columns []catalog.ColumnValue) bool {
	return len(keysOf(columns)) > 0 || anySays(t.Names, tableWord)
}

func opens(columns []catalog.ColumnValue) bool {
	for _, c := range columns {
		if says(c.Name, stateWord) && c.Value.Kind() == source.String && says(c.Value.Str(), openState) && !strings.HasPrefix(c.Value.Str(), "=") {
			return true
		}
	}
	return false
}

// notExists recognises the DynamoDB condition that makes a put a claim.
var notExists = regexp.MustCompile(`(?i)\battribute_not_exists\s*\(`)

func dynamoPut(g *Guard, op catalog.Operation) (*Guard, bool) {
	condition := g.Node.Parameter("additionalFields", "conditionExpression")
	if op.Name != "upsert" || !notExists.MatchString(condition.Str()) {
		return nil, false
	}
	g.Form, g.At = ConditionalPut, condition.Span()
	g.winner = given(expr.OpenObject(expr.Ref(g.Node.Name)))
	withFailure(g)
	return g, true
}

// redisIncrement: INCR gives each execution another number under the key's own
// name (N8N.md section 4); 1 is the winner's.
func redisIncrement(g *Guard, op catalog.Operation) (*Guard, bool) {
	if op.Name != "incr" {
		return nil, false
	}
	key := g.Node.Parameter("key")
	g.Form, g.At = RedisIncrement, op.At
	if key.Exists() {
		g.Key = []string{key.Str()}
	}
	name := key.Str()
	g.winner = given(counter(g.Node, name, 1))
	g.loser = given(counter(g.Node, name, 2))
	g.loser[0].cause = Unasked
	withFailure(g)
	return g, false
}

// counter is the item of INCR: one field, called as the key. Where the key is an
// expression its text stands for the name.
func counter(node *graph.Node, key string, n float64) expr.Value {
	from := expr.Origin{Kind: expr.OriginReference, Name: node.Name}
	return expr.Object(expr.Field{Name: key, Value: expr.Number(n).WithOrigins(from)}).WithOrigins(from)
}

// httpClaim recognises an insert through PostgREST that ignores duplicates, and
// a DynamoDB put with a condition.
func httpClaim(g *Guard, r *catalog.Request) (*Guard, bool) {
	n := g.Node
	for _, h := range r.Headers {
		name, _ := h.Name.Known()
		value, _ := h.Value.Known()
		if strings.EqualFold(name, "prefer") && strings.Contains(value, "resolution=ignore-duplicates") && r.Method == "POST" {
			g.Form = IgnoreDuplicates
			g.winner = given(expr.OpenObject(expr.Ref(n.Name)))
			// PostgREST answers the loser with an empty list when it returns rows;
			// what the node makes of it was not measured.
			g.loser = []emission{{emits: expr.Maybe, item: expr.Object()}}
			if !strings.Contains(value, "return=representation") {
				g.winner, g.loser = given(tied(n)), given(expr.Object())
				g.loser[0].cause = NothingReturned
			}
			withFailure(g)
			return g, bodyOpens(r)
		}
	}
	if p := r.Verdict.Provider; p != nil && p.Service == "DynamoDB" && bodyHas(r, notExists) {
		g.Form = ConditionalPut
		g.winner = given(tied(n))
		withFailure(g)
		return g, true
	}
	return nil, false
}

func bodyOpens(r *catalog.Request) bool {
	for _, f := range r.BodyFields() {
		name, _ := f.Name.Known()
		value, known := f.Value.Known()
		if says(name, keyWord) || (says(name, stateWord) && known && says(value, openState)) {
			return true
		}
	}
	return false
}

func bodyHas(r *catalog.Request, pattern *regexp.Regexp) bool {
	for _, f := range r.BodyFields() {
		if v, known := f.Value.Known(); known && pattern.MatchString(v) {
			return true
		}
	}
	return false
}
