package sql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// only parses a text of one statement.
func only(t *testing.T, text string, dialect Dialect) *Statement {
	t.Helper()
	script := Parse(text, dialect)
	require.Len(t, script.Statements, 1, text)
	require.False(t, script.Incomplete, text)
	return script.Statements[0]
}

func TestVerbAndTable(t *testing.T) {
	tests := []struct {
		text    string
		dialect Dialect
		verb    Verb
		schema  string
		table   string
	}{
		{"INSERT INTO idem (k) VALUES ($1)", Postgres, Insert, "", "idem"},
		{"=INSERT INTO App.Idem (k) VALUES ($1)", Postgres, Insert, "app", "idem"},
		{`insert into "App"."Id""em" values (1)`, Postgres, Insert, "App", `Id"em`},
		{"INSERT INTO {{ $json.table }} VALUES (1)", Postgres, Insert, "", "{{ $json.table }}"},
		{"INSERT INTO log_{{ $json.m }} VALUES (1)", Postgres, Insert, "", "log_{{ $json.m }}"},
		{"INSERT IGNORE INTO `Shop`.`Orders` SET a = 1", MySQL, Insert, "shop", "orders"},
		{"INSERT INTO `shop` . `orders` (a) VALUES (1)", MySQL, Insert, "shop", "orders"},
		{"INSERT idem (k) VALUES (?)", MySQL, Insert, "", "idem"},
		{"REPLACE INTO t (a) VALUES (1)", MySQL, Replace, "", "t"},
		{"INSERT OR IGNORE INTO t (a) VALUES (1)", Other, Insert, "", "t"},
		{"INSERT OR REPLACE INTO t (a) VALUES (1)", Other, Replace, "", "t"},
		{"INSERT INTO [dbo].[My Table] (a) VALUES (1)", SQLServer, Insert, "dbo", "my table"},
		{"INSERT INTO shop..orders (a) VALUES (1)", SQLServer, Insert, "shop", "orders"},
		{"INSERT OVERWRITE INTO db.s.t SELECT 1", Snowflake, Insert, "s", "t"},
		{"UPDATE ONLY tasks AS t SET a = 1", Postgres, Update, "", "tasks"},
		{"UPDATE t SET a = 1 FROM dbo.tasks t WHERE t.id = 1", SQLServer, Update, "dbo", "tasks"},
		{"UPDATE TOP (10) tasks WITH (READPAST) SET a = 1", SQLServer, Update, "", "tasks"},
		{"UPDATE orders o JOIN items i ON i.o = o.id SET o.a = 1", MySQL, Update, "", "orders"},
		{"UPDATE OR IGNORE t SET a = 1", Other, Update, "", "t"},
		{"DELETE FROM idem WHERE a = 1", Postgres, Delete, "", "idem"},
		{"DELETE t FROM tasks t JOIN u ON u.id = t.u", MySQL, Delete, "", "tasks"},
		{"DELETE TOP (5) FROM tasks", SQLServer, Delete, "", "tasks"},
		{"MERGE INTO idem i USING x ON i.k = x.k WHEN NOT MATCHED THEN INSERT (k) VALUES (x.k)", Postgres, Merge, "", "idem"},
		{"MERGE idem WITH (HOLDLOCK) AS i USING x ON i.k = x.k WHEN NOT MATCHED THEN INSERT (k) VALUES (x.k)", SQLServer, Merge, "", "idem"},
		{"TRUNCATE TABLE ONLY idem", Postgres, Truncate, "", "idem"},
		{"truncate idem", MySQL, Truncate, "", "idem"},
		{"CALL app.work($1)", Postgres, Call, "app", "work"},
		{"EXEC dbo.claim @key = 'a', @n = 1", SQLServer, Call, "dbo", "claim"},
		{"EXEC @r = claim 'a'", SQLServer, Call, "", "claim"},
		{"DO $$ BEGIN DELETE FROM t; END $$", Postgres, Call, "", ""},
		{"SELECT 1", Postgres, Select, "", ""},
		{"TABLE idem", Postgres, Select, "", "idem"},
		{"(((SELECT a FROM t)))", Postgres, Select, "", "t"},
		{"SELECT * FROM idem -- the rest\n", Postgres, Select, "", "idem"},
		{"/* a /* b */ c */ SELECT * FROM idem", Postgres, Select, "", "idem"},
		{"CREATE TABLE IF NOT EXISTS x.idem (k text)", Postgres, DDL, "x", "idem"},
		{"DROP TABLE IF EXISTS idem", Postgres, DDL, "", "idem"},
		{"BEGIN", Postgres, Transaction, "", ""},
		{"START TRANSACTION", MySQL, Transaction, "", ""},
		{"SET search_path = a", Postgres, Set, "", ""},
		{"DECLARE @a int = 1", SQLServer, Set, "", ""},
		{"SHOW TABLES", MySQL, Show, "", ""},
		{"EXPLAIN SELECT 1", Postgres, Show, "", ""},
		{"VACUUM t", Postgres, Unknown, "", ""},
		{"{{ $json.verb }} INTO t", Postgres, Unknown, "", ""},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			statement := only(t, test.text, test.dialect)
			require.Equal(t, test.verb, statement.Verb)
			require.Equal(t, test.schema, statement.Table.Schema)
			require.Equal(t, test.table, statement.Table.Name)
			if !statement.Table.Dynamic {
				return
			}
			require.Contains(t, test.text[statement.Table.Start:statement.Table.End], "{{")
		})
	}
}

func TestStatementsOfAScript(t *testing.T) {
	tests := []struct {
		text    string
		dialect Dialect
		verbs   string
	}{
		{"", Postgres, ""},
		{";;  ;", Postgres, ""},
		{"BEGIN; INSERT INTO t VALUES (';'); COMMIT;", Postgres, "transaction insert transaction"},
		{"INSERT IGNORE INTO t VALUES ($1); SELECT ROW_COUNT() AS claimed", MySQL, "insert select"},
		{"SELECT 'a;b', \"c;d\", $x$ e;f $x$ -- ;\n; SELECT /* ; */ 2", Postgres, "select select"},
		{"INSERT INTO t (a) VALUES (1) SELECT SCOPE_IDENTITY() AS id", SQLServer, "insert select"},
		{"INSERT INTO t (a) SELECT a FROM u UNION ALL SELECT b FROM v UPDATE t SET a = 1 DELETE FROM u", SQLServer, "insert update delete"},
		{"DECLARE @n int SET @n = 1 UPDATE t SET a = @n SELECT @@ROWCOUNT AS n", SQLServer, "set set update select"},
		{"WITH c AS (SELECT 1 AS a) UPDATE c SET a = 2", SQLServer, "update"},
		{"MERGE t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = 1 WHEN NOT MATCHED THEN INSERT (a) VALUES (1);", SQLServer, "merge"},
		{"IF NOT EXISTS (SELECT 1 FROM t WHERE a = 1) BEGIN INSERT INTO t VALUES (1) END ELSE UPDATE t SET b = 1 SELECT 1", SQLServer, "conditional select"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			var verbs []string
			for _, statement := range Parse(test.text, test.dialect).Statements {
				verbs = append(verbs, statement.Verb.String())
			}
			require.Equal(t, test.verbs, strings.Join(verbs, " "))
		})
	}
}

func TestConditionalHoldsItsBranches(t *testing.T) {
	statement := only(t, "IF NOT EXISTS (SELECT 1 FROM t WHERE a = @p1) BEGIN INSERT INTO t (a) VALUES (@p1); SELECT 1 END ELSE UPDATE u SET b = 1", SQLServer)
	require.Len(t, statement.Body, 3)
	require.Equal(t, []Verb{Insert, Select, Update}, []Verb{statement.Body[0].Verb, statement.Body[1].Verb, statement.Body[2].Verb})
	require.Equal(t, "t", statement.GuardedByNotExists().Table.Name)
	require.True(t, statement.MayWrite())
}

func TestOpaque(t *testing.T) {
	tests := map[string]bool{
		"":                                        true,
		"  -- only a comment":                     true,
		"={{ $json.query }}":                      true,
		"{{ $json.query }};":                      true,
		"{{ $json.a }} {{ $json.b }}":             true,
		"SELECT {{ $json.columns }} FROM t":       false,
		"WITH c AS ({{ $json.q }}) SELECT 1":      false,
		"LISTEN channel":                          false,
		"SELECT 1; {{ $json.more }}":              false,
		strings.Repeat("SELECT 1; ", 200_000):     true,
		"{{ $json.prefix }} INSERT INTO t (a) VA": true,
	}
	for text, opaque := range tests {
		require.Equal(t, opaque, Parse(text, Postgres).Opaque, "%.60s", text)
	}
}

func TestIncomplete(t *testing.T) {
	tests := map[string]bool{
		"SELECT 1":                    false,
		"SELECT 'a":                   true,
		`SELECT "a`:                   true,
		"SELECT (1":                   true,
		"SELECT 1 /* a":               true,
		"SELECT 1 /* /* */":           true,
		"SELECT {{ $json.a":           true,
		"SELECT '{{ $json[\"'\"] }}'": false,
		"SELECT $a$ b":                false, // $ is an operator then
	}
	for text, incomplete := range tests {
		require.Equal(t, incomplete, Parse(text, Postgres).Incomplete, text)
	}
}

func TestInsert(t *testing.T) {
	text := "INSERT INTO idem (idem_key, \"Status\", claimed_at, payload, note) VALUES\n ('evt:{{ $json.id }}', 'pen''ding', now(), $2::jsonb, '{{ $json.note }}'), ($1, DEFAULT, NULL, '{}', 'x') ON CONFLICT (idem_key) DO NOTHING RETURNING idem_key AS k, *"
	statement := only(t, text, Postgres)
	require.Equal(t, []string{"idem_key", "Status", "claimed_at", "payload", "note"}, columnsToNames(statement.Columns))
	require.Equal(t, `"Status"`, text[statement.Columns[1].Start:statement.Columns[1].End])
	require.Len(t, statement.Rows, 2)
	row := statement.Rows[0]
	require.Equal(t, []ValueKind{Template, Literal, CallValue, Placeholder, InterpolationValue}, kinds(row))
	require.Equal(t, []ValueKind{Placeholder, Default, Null, Literal, Literal}, kinds(statement.Rows[1]))
	require.Equal(t, "evt:", row[0].Literal)
	require.Equal(t, []int{0}, row[0].Interpolations())
	require.Equal(t, "pen'ding", row[1].Literal)
	require.Equal(t, "now", row[2].Call)
	require.Equal(t, 2, row[3].Placeholder)
	require.Equal(t, "jsonb", row[3].Cast)
	require.Equal(t, "$2::jsonb", row[3].Text)
	require.Equal(t, []int{1}, row[4].Interpolations())
	for _, value := range row {
		require.Equal(t, value.Text, text[value.Start:value.End])
	}
	require.Equal(t, DoNothing, statement.Conflict.Action)
	require.Equal(t, []string{"idem_key"}, statement.Conflict.Columns)
	require.Equal(t, "ON CONFLICT (idem_key) DO NOTHING", text[statement.Conflict.Start:statement.Conflict.End])
	require.True(t, statement.HasReturning)
	require.Equal(t, "k", statement.Returning[0].Name)
	require.True(t, statement.Returning[1].Star)
}

func kinds(values []Value) []ValueKind {
	var found []ValueKind
	for _, value := range values {
		found = append(found, value.Kind)
	}
	return found
}

func TestInsertForms(t *testing.T) {
	statement := only(t, "INSERT INTO t SET a = ?, `b` = NOW()", MySQL)
	require.Equal(t, []string{"a", "b"}, columnsToNames(statement.Columns))
	require.Equal(t, []ValueKind{Placeholder, CallValue}, kinds(statement.Rows[0]))

	statement = only(t, "INSERT INTO t (a, b) VALUES (?, ?) AS new ON DUPLICATE KEY UPDATE b = new.b, c = VALUES(c), n = n + 1", MySQL)
	require.Equal(t, 2, statement.Rows[0][1].Placeholder)
	require.Len(t, statement.DuplicateKey, 3)
	require.Equal(t, "b", statement.DuplicateKey[0].Column)
	require.Equal(t, "new", statement.DuplicateKey[0].Value.Qualifier)
	require.Equal(t, "values", statement.DuplicateKey[1].Value.Call)
	require.Equal(t, []string{"+"}, statement.DuplicateKey[2].Value.Operators)
	require.Nil(t, statement.Conflict)

	statement = only(t, "INSERT IGNORE INTO t (a) VALUES ($1) RETURNING a", MySQL)
	require.True(t, statement.Ignore)
	require.True(t, statement.HasReturning)

	statement = only(t, "INSERT INTO t (a) OUTPUT INSERTED.Id, inserted.[State] AS st INTO @out VALUES (@p1)", SQLServer)
	require.True(t, statement.HasReturning)
	require.Equal(t, []string{"Id", "st"}, []string{statement.Returning[0].Name, statement.Returning[1].Name})
	require.Equal(t, "inserted", statement.Returning[0].Expr.Qualifier)
	require.Equal(t, "p1", statement.Rows[0][0].Name)

	statement = only(t, "INSERT INTO t WITH (TABLOCKX) (a) SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM t WITH (UPDLOCK, HOLDLOCK) WHERE a = 1)", SQLServer)
	require.Equal(t, []string{"a"}, columnsToNames(statement.Columns))
	require.True(t, statement.GuardedByNotExists().Lock.ForUpdate)

	statement = only(t, "INSERT INTO t (a) (SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM t WHERE a = $1))", Postgres)
	require.NotNil(t, statement.InsertSelect)
	require.Equal(t, "t", statement.GuardedByNotExists().Table.Name)

	statement = only(t, "INSERT INTO $1:name ($2:name) VALUES ($3:csv)", Postgres)
	require.True(t, statement.Table.Dynamic)
	require.True(t, statement.Columns[0].Dynamic)
	require.Equal(t, "csv", statement.Rows[0][0].Modifier)
	require.Equal(t, 3, statement.Rows[0][0].Placeholder)

	statement = only(t, "INSERT INTO t ({{ $json.columns }}) VALUES ({{ $json.values }})", Postgres)
	require.True(t, statement.Columns[0].Dynamic)
	require.Equal(t, InterpolationValue, statement.Rows[0][0].Kind)

	require.True(t, only(t, "INSERT INTO t DEFAULT VALUES", Postgres).DefaultRow)
}

func TestConflict(t *testing.T) {
	statement := only(t, "INSERT INTO t AS x (a, b) VALUES (1, 2) ON CONFLICT (lower(a), b) WHERE live DO UPDATE SET b = EXCLUDED.b, (c, d) = (1, $3) WHERE x.state = 'failed' RETURNING (xmax = 0) AS inserted", Postgres)
	conflict := statement.Conflict
	require.Equal(t, DoUpdate, conflict.Action)
	require.Equal(t, []string{"lower(a)", "b"}, conflict.Columns)
	require.NotNil(t, conflict.TargetWhere)
	require.Len(t, conflict.Assignments, 3)
	require.Equal(t, "excluded", conflict.Assignments[0].Value.Qualifier)
	require.Equal(t, "d", conflict.Assignments[2].Column)
	require.Equal(t, 3, conflict.Assignments[2].Value.Placeholder)
	value, ok := conflict.Where.Equality("state")
	require.True(t, ok)
	require.Equal(t, "failed", value.Literal)
	require.Equal(t, "x", statement.Table.Alias)

	require.Equal(t, "idem_pkey", only(t, "INSERT INTO t (a) VALUES (1) ON CONFLICT ON CONSTRAINT idem_pkey DO NOTHING", Postgres).Conflict.Constraint)
	require.Empty(t, only(t, "INSERT INTO t (a) VALUES (1) ON CONFLICT DO NOTHING", Postgres).Conflict.Columns)
	require.Nil(t, only(t, "INSERT INTO t (a) VALUES (1)", Postgres).Conflict)
}

func TestUpdate(t *testing.T) {
	statement := only(t, "UPDATE tasks t SET state = 'claimed', n = t.n + 1, (a, b) = (SELECT x, y FROM z), {{ $json.rest }} FROM owners o WHERE t.id IN (SELECT id FROM tasks WHERE state = 'pending' LIMIT 5 FOR UPDATE SKIP LOCKED) AND o.id = t.owner RETURNING t.id, state", Postgres)
	require.Len(t, statement.Assignments, 5)
	require.Equal(t, "claimed", statement.Assignments[0].Value.Literal)
	require.Equal(t, []string{"n"}, statement.Assignments[1].Value.Columns())
	require.Equal(t, Subquery, statement.Assignments[3].Value.Kind)
	require.True(t, statement.Assignments[4].Dynamic)
	require.Equal(t, "owners", statement.From[0].Name)
	worker := statement.Where.Conjuncts()[0]
	require.Equal(t, In, worker.Kind)
	require.Equal(t, "id", worker.Column)
	require.Equal(t, Lock{ForUpdate: true, SkipLocked: true}, worker.Sub.Lock)
	require.True(t, worker.Sub.Limit)
	require.Equal(t, []string{"id", "state"}, []string{statement.Returning[0].Name, statement.Returning[1].Name})

	statement = only(t, "UPDATE TOP (1) q WITH (UPDLOCK, READPAST) SET state = 1 OUTPUT inserted.id, deleted.state AS before FROM queue q WHERE q.state = 0", SQLServer)
	require.Equal(t, "queue", statement.Table.Name)
	require.True(t, statement.Lock.SkipLocked)
	require.True(t, statement.Limit)
	require.Len(t, statement.Returning, 2)
	require.Len(t, statement.Where.Equalities(), 1)
}

func TestDeleteAndMerge(t *testing.T) {
	statement := only(t, "DELETE FROM tasks t USING owners o WHERE o.id = t.owner AND t.id = $1 RETURNING *", Postgres)
	require.Equal(t, "t", statement.Table.Alias)
	require.Equal(t, "owners", statement.From[0].Name)
	require.True(t, statement.Returning[0].Star)

	statement = only(t, "MERGE INTO idem AS i USING (SELECT $1 AS k) s ON i.k = s.k WHEN MATCHED AND i.state = 'failed' THEN UPDATE SET state = 'pending' WHEN NOT MATCHED THEN INSERT (k, state) VALUES (s.k, 'pending') RETURNING merge_action()", Postgres)
	require.Equal(t, "k", statement.MergeOn.Column)
	require.Equal(t, []string{"k", "state"}, columnsToNames(statement.Columns))
	require.Equal(t, "pending", statement.Rows[0][1].Literal)
	require.Equal(t, "state", statement.Assignments[0].Column)
	require.NotNil(t, statement.From[0].Subquery)
	require.True(t, statement.HasReturning)

	statement = only(t, "TRUNCATE a, b", Postgres)
	require.Equal(t, "b", statement.Targets[0].Name)
}

func TestSelect(t *testing.T) {
	statement := only(t, "SELECT DISTINCT a.id, b.Name \"The Name\", count(*) total, $1::int, (SELECT max(x) FROM m) FROM a LEFT JOIN s.b AS bb ON bb.a = a.id AND EXISTS (SELECT 1 FROM j), (SELECT id FROM inner_table) i, unnest($2::int[]) u WHERE a.id = $3 GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 LIMIT 3 FOR UPDATE NOWAIT", Postgres)
	var names []string
	for _, projection := range statement.Projections {
		names = append(names, projection.Name)
	}
	require.Equal(t, []string{"id", "The Name", "total", "int4", "max"}, names)
	require.Equal(t, []string{"a", "b", "", "unnest"}, tableNames(statement.From))
	require.Equal(t, "bb", statement.From[1].Alias)
	require.Equal(t, "s", statement.From[1].Schema)
	require.Equal(t, "i", statement.From[2].Alias)
	require.Equal(t, "inner_table", statement.From[2].Subquery.Table.Name)
	require.True(t, statement.From[3].Function)
	require.Equal(t, []int{2}, statement.From[3].Args[0].Placeholders())
	require.True(t, statement.Distinct && statement.GroupBy && statement.OrderBy && statement.Limit)
	require.NotNil(t, statement.Having)
	require.Equal(t, Lock{ForUpdate: true, NoWait: true}, statement.Lock)
	require.Len(t, statement.JoinOn, 1)
	var tables []string
	for inner := range statement.All() {
		tables = append(tables, inner.Table.Name)
	}
	require.ElementsMatch(t, []string{"a", "m", "j", "inner_table"}, tables)
}

func tableNames(tables []TableName) []string {
	var names []string
	for _, table := range tables {
		names = append(names, table.Name)
	}
	return names
}

func TestProjectionNames(t *testing.T) {
	tests := []struct {
		text    string
		dialect Dialect
		name    string
	}{
		{"SELECT Id FROM t", Postgres, "id"},
		{"SELECT Id FROM t", MySQL, "Id"},
		{"SELECT t.Id FROM t", SQLServer, "Id"},
		{"SELECT id FROM t", Snowflake, "ID"},
		{`SELECT "Id" FROM t`, Postgres, "Id"},
		{"SELECT id::text FROM t", Postgres, "id"},
		{"SELECT now()", Postgres, "now"},
		{"SELECT EXISTS (SELECT 1 FROM t)", Postgres, "exists"},
		{"SELECT CASE WHEN a THEN 1 ELSE 2 END FROM t", Postgres, "case"},
		{"SELECT 1 + 1", Postgres, ""},
		{"SELECT output FROM t", Postgres, "output"},
		{"SELECT x AS limit FROM t", Postgres, "limit"},
		{"SELECT at FROM t", Postgres, "at"},
		{"SELECT offset FROM t", MySQL, "offset"},
		{"SELECT ROW_COUNT()", MySQL, "ROW_COUNT()"},
		{"SELECT count(*)", SQLServer, ""},
		{"SELECT n = count(*) FROM t", SQLServer, "n"},
		{"SELECT a AS 'b c'", MySQL, "b c"},
		{"SELECT a::timestamp with time zone b FROM t", Postgres, "b"},
		{"SELECT now() AT TIME ZONE 'utc' AS day", Postgres, "day"},
		{"SELECT extract(epoch FROM a) FROM t", Postgres, "extract"},
		{"SELECT NOT EXISTS (SELECT 1 FROM c) AS duplicate", Postgres, "duplicate"},
	}
	for _, test := range tests {
		statement := only(t, test.text, test.dialect)
		require.Len(t, statement.Projections, 1, test.text)
		require.Equal(t, test.name, statement.Projections[0].Name, test.text)
	}
}

func TestUnion(t *testing.T) {
	statement := only(t, "WITH ins AS (INSERT INTO t (a) VALUES ($1) ON CONFLICT DO NOTHING RETURNING a) SELECT a, true AS won FROM ins UNION ALL SELECT a, false FROM t WHERE a = $1 LIMIT 1", Postgres)
	require.Len(t, statement.Others, 1)
	require.True(t, statement.Limit)
	require.Equal(t, "ins", statement.Table.Name)
	require.Equal(t, "t", statement.Others[0].Table.Name)
	require.True(t, statement.ReadsFrom("ins"))
	require.True(t, statement.ReadsFrom("t"))
	require.Len(t, statement.Changes(), 1)
}

func TestPredicates(t *testing.T) {
	tests := []struct {
		where string
		want  string
	}{
		{"a = $1", "a = $1"},
		{"$1 = t.a", "a = $1"},
		{"5 < a", "a > 5"},
		{"a = 1 AND (b = 2 OR c = 3)", "(a = 1 and (b = 2 or c = 3))"},
		{"a BETWEEN 1 AND 2 AND b = 3", "(a between 1,2 and b = 3)"},
		{"NOT (a = 1)", "not(a = 1)"},
		{"a NOT IN (1, $2)", "a !in 1,$2"},
		{"a = ANY($1)", "a in $1"},
		{"a = ANY($1::text[])", "a in $1::text[]"},
		{"a <> ALL(ARRAY['x'])", "a !in ARRAY['x']"},
		{"a IN (SELECT b FROM c)", "a in (select c)"},
		{"EXISTS (SELECT 1 FROM c) AND NOT EXISTS (SELECT 1 FROM d)", "(exists(select c) and not(exists(select d)))"},
		{"a IS NULL AND b IS NOT NULL", "(a null and b !null)"},
		{"a IS NOT DISTINCT FROM $1", "a IS NOT DISTINCT FROM $1"},
		{"a IS TRUE", "a IS TRUE"},
		{"a LIKE 'x%' AND b NOT ILIKE 'y'", "(a LIKE 'x%' and b !ILIKE 'y')"},
		{"(a, b) = (1, $2)", "(a = 1 and b = $2)"},
		{"active", "raw active"},
		{"at < now() AND regexp = 'x' AND glob = 1", "(at < now() and regexp = 'x' and glob = 1)"},
		{"at AT TIME ZONE 'utc' = $1", "? = $1"},
		{"isnull(a, 1) = 2", "? = 2"},
		{"a ISNULL AND b NOTNULL", "(a null and b !null)"},
		{"a SIMILAR TO 'x' ESCAPE '!'", "a SIMILAR 'x' ESCAPE '!'"},
		{"lower(a) = 'x'", "? = 'x'"},
		{"a = {{ $json.id }}", "a = {{ $json.id }}"},
		{"{{ $json.filter }} AND a = 1", "(raw ? and a = 1)"},
		{"a < now() - interval '10 minutes'", "a < now() - interval '10 minutes'"},
		{"a->>'id' = $1", "? = $1"},
		{"CASE WHEN a = 1 OR b THEN true ELSE false END AND c = 1", "(raw ? and c = 1)"},
	}
	for _, test := range tests {
		statement := only(t, "SELECT 1 FROM t WHERE "+test.where, Postgres)
		require.Equal(t, test.want, render(statement.Where), test.where)
	}
}

// render writes a condition in a form that is easy to compare.
func render(p *Predicate) string {
	column, not := p.Column, ""
	if column == "" {
		column = "?"
	}
	if p.Negated {
		not = "!"
	}
	switch p.Kind {
	case And, Or:
		var parts []string
		for _, child := range p.Children {
			parts = append(parts, render(child))
		}
		return "(" + strings.Join(parts, map[PredicateKind]string{And: " and ", Or: " or "}[p.Kind]) + ")"
	case Not:
		return "not(" + render(p.Children[0]) + ")"
	case Comparison:
		return column + " " + not + p.Op + " " + p.Value.Text
	case In:
		if p.Sub != nil {
			return column + " " + not + "in (" + p.Sub.Verb.String() + " " + p.Sub.Table.Name + ")"
		}
		return column + " " + not + "in " + texts(p.Values)
	case Exists:
		return "exists(" + p.Sub.Verb.String() + " " + p.Sub.Table.Name + ")"
	case IsNull:
		return column + " " + not + "null"
	case Between:
		return column + " " + not + "between " + texts(p.Values)
	}
	return "raw " + column
}

func texts(values []Value) string {
	var found []string
	for _, value := range values {
		found = append(found, value.Text)
	}
	return strings.Join(found, ",")
}

func TestEqualities(t *testing.T) {
	where := only(t, "SELECT 1 FROM t WHERE a = $1 AND (b = $2) AND (c = 3 OR d = 4) AND e <> 5 AND NOT f = 6 AND g = ALL($3)", Postgres).Where
	var columns []string
	for _, equality := range where.Equalities() {
		columns = append(columns, equality.Column)
	}
	require.Equal(t, []string{"a", "b"}, columns)
	_, ok := where.Equality("c")
	require.False(t, ok)
	var none *Predicate
	require.Empty(t, none.Equalities())
	require.Empty(t, none.Leaves())
}

func TestPredicateSpans(t *testing.T) {
	text := "UPDATE t SET a = 1 WHERE ((id = '{{ $json.é }}')) AND state = 'x'"
	for _, leaf := range only(t, text, Postgres).Where.Leaves() {
		require.Contains(t, []string{"id = '{{ $json.é }}'", "state = 'x'"}, text[leaf.Start:leaf.End])
	}
}

func TestValues(t *testing.T) {
	tests := []struct {
		value   string
		dialect Dialect
		kind    ValueKind
		literal string
	}{
		{"'it''s'", Postgres, Literal, "it's"},
		{`'C:\'`, Postgres, Literal, `C:\`},
		{`E'a\'b'`, Postgres, Literal, "a'b"},
		{`'a\'b'`, MySQL, Literal, "a'b"},
		{`"a""b"`, MySQL, Literal, `a"b`},
		{"N'x'", SQLServer, Literal, "x"},
		{"$$it's$$", Postgres, Literal, "it's"},
		{"$q$a$$b$q$", Postgres, Literal, "a$$b"},
		{"-1.5e3", Postgres, Literal, "-1.5e3"},
		{"1_000", Postgres, Literal, "1_000"},
		{"TRUE", Postgres, Literal, "true"},
		{"((('x')))", Postgres, Literal, "x"},
		{"CAST('x' AS text)", Postgres, Literal, "x"},
		{"INTERVAL '1 day'", Postgres, Literal, "1 day"},
		{"NULL::text", Postgres, Null, ""},
		{"{{ $json.id }}", Postgres, InterpolationValue, ""},
		{"'{{ $json.id }}'::int", Postgres, InterpolationValue, ""},
		{"' {{ $json.id }} '", Postgres, InterpolationValue, ""},
		{"'a-{{ $json.id }}-{{ $json.v }}'", Postgres, Template, "a--"},
		{"{{ 1 }}{{ 2 }}", Postgres, Template, ""},
		{"'evt:$1'", Postgres, Template, ""},
		{"'$1'", Postgres, Placeholder, ""},
		{"'$1'", MySQL, Literal, "$1"},
		{"@p1", SQLServer, Placeholder, ""},
		{"@a", MySQL, Variable, ""},
		{"@@ROWCOUNT", SQLServer, Variable, ""},
		{":name", Other, Placeholder, ""},
		{"?", Snowflake, Placeholder, ""},
		{":1", Snowflake, Placeholder, ""},
		{"data:id::string", Snowflake, Expression, ""},
		{"EXCLUDED.a", Postgres, ColumnRef, ""},
		{"current_timestamp", Postgres, CallValue, ""},
		{"NEXT VALUE FOR dbo.s", SQLServer, CallValue, ""},
		{"s.NEXTVAL", Snowflake, CallValue, ""},
		{"a.b.c(1)", Postgres, CallValue, ""},
		{"(SELECT 1)", Postgres, Subquery, ""},
		{"CASE a WHEN 1 THEN 2 END", Postgres, Case, ""},
		{"a || '-' || $1", Postgres, Expression, ""},
		{"now() - INTERVAL 3 DAY", MySQL, Expression, ""},
	}
	for _, test := range tests {
		statement := only(t, "INSERT INTO t (a) VALUES ("+test.value+")", test.dialect)
		require.Len(t, statement.Rows[0], 1, test.value)
		value := statement.Rows[0][0]
		require.Equal(t, test.kind, value.Kind, test.value)
		require.Equal(t, test.value, value.Text)
		if test.kind == Literal || test.kind == Template && test.literal != "" {
			require.Equal(t, test.literal, value.Literal, test.value)
		}
	}
}

func TestValueContents(t *testing.T) {
	text := "INSERT INTO t (a) VALUES (coalesce(md5($2 || ':' || '{{ $json.a }}'), x.b, CASE WHEN $1 = 'q' THEN gen_random_uuid() ELSE (SELECT max(c) FROM u WHERE d = $3 AND e = '{{ $json.b }}') END, 'p$4'))"
	value := only(t, text, Postgres).Rows[0][0]
	require.ElementsMatch(t, []int{1, 2, 3, 4}, value.Placeholders())
	require.Equal(t, []int{0, 1}, value.Interpolations())
	require.ElementsMatch(t, []string{"coalesce", "md5", "gen_random_uuid", "max"}, value.Calls())
	require.ElementsMatch(t, []string{"b", "c", "d", "e"}, value.Columns())
	require.Equal(t, []string{"gen_random_uuid"}, value.Volatile(Postgres))
	require.False(t, value.Fixed())
	require.True(t, only(t, "INSERT INTO t (a) VALUES ('a' || 1)", Postgres).Rows[0][0].Fixed())
	require.False(t, only(t, "INSERT INTO t (a) VALUES ('a' || $1)", Postgres).Rows[0][0].Fixed())
}

func TestQuestionMarksCount(t *testing.T) {
	script := Parse("INSERT INTO t (a, b) VALUES (?, ?); UPDATE t SET c=? WHERE a=?", MySQL)
	require.Equal(t, 2, script.Statements[0].Rows[0][1].Placeholder)
	require.Equal(t, 3, script.Statements[1].Assignments[0].Value.Placeholder)
	require.Equal(t, 4, script.Statements[1].Where.Value.Placeholder)
}

func TestDefinitions(t *testing.T) {
	create := only(t, "CREATE TABLE app.idem (idem_key text PRIMARY KEY, tenant int NOT NULL DEFAULT 0, ref text UNIQUE, \"unique\" int, CONSTRAINT pair UNIQUE (tenant, ref), CHECK (tenant > 0), FOREIGN KEY (tenant) REFERENCES tenants (id))", Postgres).CreateTable
	require.Equal(t, []string{"idem_key", "tenant", "ref", "unique"}, columnsToNames(create.Columns))
	require.Equal(t, [][]string{{"idem_key"}, {"ref"}, {"tenant", "ref"}}, create.Unique)

	create = only(t, "CREATE TABLE `t` (`id` bigint AUTO_INCREMENT, `k` varchar(64) NOT NULL, PRIMARY KEY (`id`), UNIQUE KEY `one` (`k`(32), `id`), KEY `plain` (`id`)) ENGINE=InnoDB", MySQL).CreateTable
	require.Equal(t, []string{"id", "k"}, columnsToNames(create.Columns))
	require.Equal(t, [][]string{{"id"}, {"k", "id"}}, create.Unique)

	create = only(t, "CREATE UNIQUE INDEX one ON t (a DESC, lower(b)) WHERE c", Postgres).CreateTable
	require.Equal(t, [][]string{{"a", "lower(b)"}}, create.PartialUnique)
	require.Empty(t, create.Unique)
	require.Equal(t, [][]string{{"a"}}, only(t, "CREATE UNIQUE INDEX ON t USING btree (a)", Postgres).CreateTable.Unique)
	require.Nil(t, only(t, "CREATE INDEX one ON t (a)", Postgres).CreateTable)
	require.Equal(t, [][]string{{"a", "b"}}, only(t, "ALTER TABLE t ADD CONSTRAINT x UNIQUE (a, b)", Postgres).CreateTable.Unique)
	require.Equal(t, "u", only(t, "CREATE TABLE t AS SELECT * FROM u", Postgres).InsertSelect.Table.Name)
}
