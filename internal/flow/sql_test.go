package flow

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func postgres(version float64, query string, replacement any) object {
	options := object{}
	if replacement != nil {
		options["queryReplacement"] = replacement
	}
	return node("Q", "postgres", version, object{"operation": "executeQuery", "query": query, "options": options})
}

func TestAnswersOfQueries(t *testing.T) {
	const claim = "INSERT INTO claims (event_id, at) VALUES ($1, now()) ON CONFLICT DO NOTHING RETURNING event_id, at, created"
	tests := []struct {
		name string
		node object
		key  string
		want string
	}{
		{"array", postgres(2.6, claim, "={{ [$json.body.id] }}"), "={{ $json.event_id }}", "trigger field Webhook body.id"},
		{"string", postgres(2.6, claim, "={{ $json.body.id }}"), "={{ $json.event_id }}", "trigger field Webhook body.id"},
		{"string without an equals sign", postgres(2.6, claim, "{{ $json.body.id }}"), "={{ $json.event_id }}", "trigger field Webhook body.id"},
		{"volatile parameter", postgres(2.6, claim, "={{ [$execution.id] }}"), "={{ $json.event_id }}", "volatile Q $execution.id"},
		{"function of the database", postgres(2.6, claim, "={{ [$json.body.id] }}"), "={{ $json.at }}", "volatile Q now() (SQL)"},
		{"column of the database", postgres(2.6, claim, "={{ [$json.body.id] }}"), "={{ $json.created }}", "row Q created"},
		{"column that is not returned", postgres(2.6, claim, "={{ [$json.body.id] }}"), "={{ $json.other }}", "row Q other"},
		{"no value", postgres(2.6, claim, nil), "={{ $json.event_id }}", "missing Q no value for $1"},
		{"each expression is a parameter", postgres(2.6, "INSERT INTO c (a, b) VALUES ($1, $2) RETURNING b", "={{ $json.body.a }},{{ $json.body.b }}"), "={{ $json.b }}", "trigger field Webhook body.b"},
		{"a glued key is cut", postgres(2.6, claim, "={{ $json.body.a }}:{{ $now }}"), "={{ $json.event_id }}", "trigger field Webhook body.a"},
		{"a literal parameter", postgres(2.6, claim, "abc"), "={{ $json.event_id }}", "constant Q"},
		{"in the text", postgres(2.6, "=INSERT INTO c (a) VALUES ('{{ $json.body.id }}') RETURNING a", nil), "={{ $json.a }}", "trigger field Webhook body.id"},
		{"returning all", postgres(2.6, "INSERT INTO c (a, b) VALUES ($1, 'x') RETURNING *", "={{ [$now] }}"), "={{ $json.a }}{{ $json.b }}{{ $json.id }}", "volatile Q $now, constant Q, row Q id"},
		{"renamed", postgres(2.6, "INSERT INTO c (a) VALUES ($1) RETURNING a AS k", "={{ [$json.body.id] }}"), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"update", postgres(2.6, "UPDATE c SET a = $1 WHERE b = $2 RETURNING a, b", "={{ [$now, $json.body.id] }}"), "={{ $json.a }}{{ $json.b }}", "volatile Q $now, row Q b"},
		{"do update", postgres(2.6, "INSERT INTO c (a) VALUES ($1) ON CONFLICT (a) DO UPDATE SET a = $2 RETURNING a", "={{ [$json.body.id, $now] }}"), "={{ $json.a }}", "volatile Q $now, trigger field Webhook body.id"},
		{"with", postgres(2.6, "WITH c AS (INSERT INTO t (k) VALUES ($1) RETURNING k) SELECT k FROM c", "={{ [$json.body.id] }}"), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"select", postgres(2.6, "SELECT id, gen_random_uuid() AS u, current_date AS d, 1 AS one FROM t", nil), "={{ $json.id }}{{ $json.u }}{{ $json.d }}{{ $json.one }}",
			"row Q id, volatile Q gen_random_uuid() (SQL), volatile Q current_date() (SQL) day, constant Q"},
		{"cut by the database", postgres(2.6, "SELECT date_trunc('day', now()) AS d", nil), "={{ $json.d }}", "volatile Q now() (SQL) day"},
		{"no rows are returned", postgres(2.6, "INSERT INTO c (a) VALUES (1)", nil), "={{ $json.success }}{{ $json.a }}", "constant Q, missing Q a"},
		{"made when it runs", postgres(2.6, "={{ $json.body.query }}", nil), "={{ $json.a }}", "row Q a"},
		{"old parameters are names", node("Q", "postgres", 1, object{"operation": "executeQuery", "query": "INSERT INTO c (a, b) VALUES ($1, $2) RETURNING a, b", "additionalFields": object{"queryParams": "body.id, query"}}),
			"={{ $json.a }}{{ $json.b }}", "trigger field Webhook body.id, trigger field Webhook query"},
		{"mysql keeps the text", node("Q", "mySql", 2.4, object{"operation": "executeQuery", "query": "SELECT ? AS k, ? AS l", "options": object{"queryReplacement": "={{ $json.body.a }}:{{ $now }},{{ $json.body.b }}"}}),
			"={{ $json.k }}{{ $json.l }}", "volatile Q $now, trigger field Webhook body.a, trigger field Webhook body.b"},
		{"row insert", node("Q", "postgres", 2.6, object{"operation": "insert", "columns": object{"mappingMode": "defineBelow", "value": object{"k": "={{ $json.body.id }}"}}}),
			"={{ $json.k }}{{ $json.id }}", "trigger field Webhook body.id, row Q id"},
		{"row select", node("Q", "postgres", 2.6, object{"operation": "select"}), "={{ $json.k }}", "row Q k"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := build(t, webhook(), test.node, use(test.key), "Webhook -> Q -> Use")
			require.Equal(t, test.want, shown(key(t, w).Origins))
		})
	}
}

func TestValuesInQueries(t *testing.T) {
	w := build(t, webhook(), postgres(2.6, "INSERT INTO c (a, b, c) VALUES ($1, now(), 'x') RETURNING a", "={{ [$json.body.id] }}"), "Webhook -> Q")
	tr, n := tracer(w), w.Node("Q")
	s := tr.operation(n).Script.Statements[0]
	for column, want := range map[string]string{"a": "trigger field Webhook body.id", "b": "volatile Q now() (SQL) try", "c": "constant Q"} {
		v, ok := s.ValueOf(column)
		require.True(t, ok)
		trace := tr.SQL(n, v)
		require.Equal(t, want, shown(trace.Origins))
		require.Equal(t, column == "c", trace.Literal)
	}
	v, _ := s.ValueOf("b")
	require.Equal(t, "now()", tr.SQL(n, v).Origins[0].At.Text())
	require.Equal(t, "trigger field Webhook body.id", shown(tr.Placeholder(n, 1).Origins))
	require.Equal(t, "missing Q 6", shown(tr.Placeholder(n, 7).Origins[:1]))
	require.Empty(t, tr.SQL(w.Node("Webhook"), v).Origins)
}
