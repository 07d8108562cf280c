package sql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestResult(t *testing.T) {
	require.Equal(t, Insert, Parse("BEGIN; INSERT INTO t (a) VALUES (1) RETURNING a; COMMIT", Postgres).Result().Verb)
	require.Equal(t, Select, Parse("INSERT IGNORE INTO t VALUES (1); SELECT ROW_COUNT() AS claimed;", MySQL).Result().Verb)
	require.Equal(t, DDL, Parse("CREATE TABLE t (a int)", Postgres).Result().Verb)
	require.Nil(t, Parse("", Postgres).Result())
}

func TestReadsFromCTE(t *testing.T) {
	statement := only(t, "WITH c AS (INSERT INTO t (a) SELECT a FROM other ON CONFLICT DO NOTHING RETURNING a) SELECT EXISTS (SELECT 1 FROM C) AS claimed", Postgres)
	cte, ok := statement.CTE("c")
	require.True(t, ok)
	require.Equal(t, Insert, cte.Statement.Verb)
	require.True(t, statement.ReadsFrom("c"))
	require.False(t, statement.ReadsFrom("other"))
	_, ok = statement.CTE("d")
	require.False(t, ok)
}

func TestValueOf(t *testing.T) {
	tests := []struct {
		text string
		want string
	}{
		{"INSERT INTO t (a, k) VALUES (1, $1), (2, $2)", "$1"},
		{"INSERT INTO t (a, k) SELECT 1, md5($1) FROM u", "md5($1)"},
		{"INSERT INTO t (k) (VALUES (upper($1)))", "upper($1)"},
		{"UPDATE t SET a = 1, K = now()", "now()"},
		{"INSERT INTO t (k, a) SELECT * FROM u", ""},
		{"INSERT INTO t (a, k) VALUES (1)", ""},
		{"INSERT INTO t VALUES (1)", ""},
	}
	for _, test := range tests {
		value, ok := only(t, test.text, Postgres).ValueOf("k")
		require.Equal(t, test.want != "", ok, test.text)
		require.Equal(t, test.want, value.Text, test.text)
	}
}

func TestGuardedByNotExists(t *testing.T) {
	guarded := []string{
		"INSERT INTO t (a) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM t WHERE a = $1)",
		"INSERT INTO t (a) SELECT $1 FROM u WHERE u.id = 1 AND NOT (EXISTS (SELECT 1 FROM t WHERE a = $1)) RETURNING a",
		"INSERT INTO t (a) SELECT $1 WHERE (SELECT count(*) FROM t WHERE a = $1) = 0",
	}
	for _, text := range guarded {
		sub := only(t, text, Postgres).GuardedByNotExists()
		require.NotNil(t, sub, text)
		require.Equal(t, "t", sub.Table.Name)
	}
	for _, text := range []string{
		"INSERT INTO t (a) SELECT $1 WHERE EXISTS (SELECT 1 FROM t)",
		"INSERT INTO t (a) SELECT $1 WHERE b OR NOT EXISTS (SELECT 1 FROM t)",
		"INSERT INTO t (a) VALUES ($1)",
		"UPDATE t SET a = 1 WHERE NOT EXISTS (SELECT 1 FROM t)",
	} {
		require.Nil(t, only(t, text, Postgres).GuardedByNotExists(), text)
	}
}

func TestFunctionClasses(t *testing.T) {
	tests := []struct {
		dialect Dialect
		name    string
		class   FunctionClass
	}{
		{Postgres, "NOW", Volatile}, {Postgres, "current_timestamp", Volatile}, {Postgres, "clock_timestamp", Volatile},
		{Postgres, "gen_random_uuid", Volatile}, {Postgres, "uuid_generate_v4", Volatile}, {Postgres, "nextval", Volatile},
		{Postgres, "random", Volatile}, {Postgres, "uuid_generate_v5", Pure}, {Postgres, "count", Pure}, {Postgres, "coalesce", Pure},
		{Postgres, "json_build_object", Pure}, {Postgres, "pg_notify", Writing}, {Postgres, "pg_try_advisory_lock", Locking},
		{Postgres, "claim_event", UserDefined}, {Postgres, "newid", UserDefined},
		{MySQL, "uuid", Volatile}, {MySQL, "sysdate", Volatile}, {MySQL, "rand", Volatile}, {MySQL, "row_count", Context}, {MySQL, "concat", Pure},
		{SQLServer, "newid", Volatile}, {SQLServer, "getdate", Volatile}, {SQLServer, "next value for", Volatile},
		{Snowflake, "uuid_string", Volatile}, {Snowflake, "nextval", Volatile},
		{Other, "randomblob", Volatile}, {Other, "changes", Context}, {Other, "getutcdate", Volatile}, {Other, "mine", UserDefined},
	}
	for _, test := range tests {
		require.Equal(t, test.class, test.dialect.Function(test.name), "%s %s", test.dialect, test.name)
	}
}

func TestFunctionsTableIsWellFormed(t *testing.T) {
	require.Greater(t, len(functions().classes), 900)
	dialects := map[string]bool{}
	for _, name := range dialectNames {
		dialects[name] = true
	}
	for key, class := range functions().classes {
		require.True(t, dialects[key.dialect], key)
		require.NotEqual(t, UserDefined, class, key)
	}
}

func TestStoredCalls(t *testing.T) {
	tests := []struct {
		text    string
		dialect Dialect
		want    []string
	}{
		{"SELECT * FROM claim_event($1)", Postgres, []string{"claim_event"}},
		{"SELECT claim_event($1) AS ok, now()", Postgres, []string{"claim_event"}},
		{"SELECT c.id FROM app.claim_jobs($1, 10) c", Postgres, []string{"claim_jobs"}},
		{"SELECT app.lower(a) FROM t", Postgres, []string{"lower"}},
		{"SELECT 1 FROM t WHERE claim(id)", Postgres, []string{"claim"}},
		{"WITH c AS (SELECT take($1) AS x) SELECT x FROM c", Postgres, []string{"take"}},
		{"CALL work($1)", MySQL, []string{"work"}},
		{"EXEC dbo.work @a = 1", SQLServer, []string{"work"}},
		{"SELECT count(*), coalesce(max(a), 0), json_build_object('a', b) FROM t, generate_series(1, 2) g", Postgres, nil},
		{"SELECT a FROM t WHERE b IN (1) AND c = ANY($1) AND d > now() - interval '1 day'", Postgres, nil},
		{"SELECT CAST(a AS int), extract(epoch FROM b), count(*) FILTER (WHERE c), row_number() OVER (PARTITION BY d) FROM t", Postgres, nil},
	}
	for _, test := range tests {
		statement := only(t, test.text, test.dialect)
		var names []string
		for _, call := range statement.StoredCalls() {
			names = append(names, call.Call)
		}
		require.Equal(t, test.want, names, test.text)
		require.Equal(t, test.want != nil, statement.MayWrite(), test.text)
	}
}

func TestMayWrite(t *testing.T) {
	tests := map[string]bool{
		"SELECT 1 FROM t": false,
		"WITH d AS (DELETE FROM t RETURNING a) SELECT a FROM d": true,
		"INSERT INTO t VALUES (1)":                              true,
		"DO $$ BEGIN END $$":                                    true,
		"SHOW search_path":                                      false,
		"SELECT a INTO b FROM c":                                true,
		"SELECT nextval('s')":                                   false,
		"SELECT setval('s', 1)":                                 true,
		"REFRESH MATERIALIZED VIEW v":                           true,
	}
	for text, writes := range tests {
		require.Equal(t, writes, only(t, text, Postgres).MayWrite(), text)
	}
}

func TestClaimOutcome(t *testing.T) {
	tests := []struct {
		projection string
		won, lost  string
	}{
		{"EXISTS (SELECT 1 FROM c) AS v", "true", "false"},
		{"NOT EXISTS (SELECT 1 FROM c) AS v", "false", "true"},
		{"(SELECT count(*) FROM c) AS v", "1", "0"},
		{"(SELECT count(*) FROM c)::int = 1 AS v", "true", "false"},
		{"(SELECT count(*) > 0 FROM c) AS v", "true", "false"},
		{"COALESCE((SELECT true FROM c), false) AS v", "true", "false"},
		{"(SELECT true FROM c) IS NOT NULL AS v", "true", "false"},
		{"CASE WHEN EXISTS (SELECT 1 FROM c) THEN 'new' ELSE 'seen' END AS v", "new", "seen"},
		{"'same' AS v", "same", "same"},
	}
	for _, test := range tests {
		statement := only(t, "WITH c AS (INSERT INTO t (a) VALUES ($1) ON CONFLICT DO NOTHING RETURNING a) SELECT "+test.projection, Postgres)
		outcome, ok := statement.RowOutcome(statement.Projections[0], "c")
		require.True(t, ok, test.projection)
		require.Equal(t, test.won, outcome.Won.Literal, test.projection)
		require.Equal(t, test.lost, outcome.Lost.Literal, test.projection)
		require.Equal(t, test.won != test.lost, outcome.Differs())
	}
	for _, projection := range []string{"EXISTS (SELECT 1 FROM other)", "EXISTS (SELECT 1 FROM c WHERE a = 2)", "a", "now()", "random() > 0"} {
		_, ok := only(t, "SELECT "+projection, Postgres).Projections[0].Expr.ClaimOutcome("c")
		require.False(t, ok, projection)
	}
}

func TestClaimOutcomeOfCounts(t *testing.T) {
	tests := []struct {
		text      string
		dialect   Dialect
		won, lost string
	}{
		{"SELECT count(*) AS n FROM c", Postgres, "1", "0"},
		{"SELECT count(*) > 0 AS n FROM c", Postgres, "true", "false"},
		{"SELECT CASE WHEN count(a) = 0 THEN 'seen' ELSE 'new' END AS n FROM c", Postgres, "new", "seen"},
		{"SELECT ROW_COUNT() AS n", MySQL, "1", "0"},
		{"SELECT ROW_COUNT() = 1 AS n", MySQL, "true", "false"},
		{"SELECT IF(ROW_COUNT() > 0, 'new', 'seen') AS n", MySQL, "new", "seen"},
		{"SELECT @@ROWCOUNT AS n", SQLServer, "1", "0"},
		{"SELECT changes() AS n", Other, "1", "0"},
	}
	for _, test := range tests {
		statement := only(t, test.text, test.dialect)
		outcome, ok := statement.RowOutcome(statement.Projections[0], "c")
		require.True(t, ok, test.text)
		require.Equal(t, []string{test.won, test.lost}, []string{outcome.Won.Literal, outcome.Lost.Literal}, test.text)
	}
	statement := only(t, "SELECT a FROM c", Postgres)
	_, ok := statement.RowOutcome(statement.Projections[0], "c")
	require.False(t, ok)
}

func TestInsertedOutcome(t *testing.T) {
	tests := []struct {
		projection string
		won, lost  string
	}{
		{"(xmax = 0) AS inserted", "true", "false"},
		{"xmax = 0", "true", "false"},
		{"t.xmax::text::int = 0", "true", "false"},
		{"xmax::text = '0'", "true", "false"},
		{"xmax <> 0 AS updated", "false", "true"},
		{"NOT (xmax = 0)", "false", "true"},
		{"xmax::text::int > 0", "false", "true"},
		{"CASE WHEN xmax = 0 THEN 'inserted' ELSE 'updated' END AS operation", "inserted", "updated"},
	}
	for _, test := range tests {
		statement := only(t, "INSERT INTO t (a) VALUES ($1) ON CONFLICT (a) DO UPDATE SET b = 1 RETURNING "+test.projection, Postgres)
		outcome, ok := statement.Returning[0].Expr.InsertedOutcome()
		require.True(t, ok, test.projection)
		require.Equal(t, []string{test.won, test.lost}, []string{outcome.Won.Literal, outcome.Lost.Literal}, test.projection)
	}
	_, ok := only(t, "INSERT INTO t (a) VALUES ($1) RETURNING a", Postgres).Returning[0].Expr.InsertedOutcome()
	require.False(t, ok)
}

func TestTableNameIs(t *testing.T) {
	require.True(t, TableName{Name: "a"}.Is(TableName{Schema: "s", Name: "a"}))
	require.False(t, TableName{Schema: "r", Name: "a"}.Is(TableName{Schema: "s", Name: "a"}))
	require.False(t, TableName{}.Is(TableName{}))
	require.False(t, TableName{Name: "a", Function: true}.Is(TableName{Name: "a"}))
}

func TestEveryFunctionNamesItsSource(t *testing.T) {
	seen := map[string]bool{}
	for k, line := range strings.Split(strings.TrimSuffix(functionsTable, "\n"), "\n") {
		fields := strings.Split(line, "\t")
		require.Len(t, fields, 5, line)
		if k == 0 {
			continue
		}
		require.Equal(t, strings.ToLower(fields[0]), fields[0])
		require.Contains(t, []string{"call", "word", "phrase"}, fields[2])
		require.True(t, strings.HasPrefix(fields[4], "https://"), line)
		key := strings.Join(fields[:3], " ")
		require.False(t, seen[key], "twice: %s", key)
		seen[key] = true
		require.LessOrEqual(t, len(fields[0]), longestBareFunction)
	}
}
