package sql

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var dialects = []Dialect{Other, Postgres, MySQL, SQLServer, Snowflake}

// samples are queries of every form; they are cut, shuffled and used as fuzz seeds.
var samples = []string{
	"=INSERT INTO \"a\".\"b\"\"c\" AS t (x, y) VALUES ($1::int, '{{ $json.a }}'), (E'\\'', $q$ ; $q$) ON CONFLICT (lower(x)) WHERE y DO UPDATE SET (x, y) = (1, excluded.y) WHERE t.x IS NOT DISTINCT FROM 2 RETURNING *, (xmax = 0) AS new",
	"WITH RECURSIVE c (a) AS MATERIALIZED (SELECT 1 UNION ALL SELECT a + 1 FROM c WHERE a < 5), d AS (DELETE FROM q WHERE id = (SELECT id FROM q ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING *) SELECT EXISTS (SELECT 1 FROM d) AS claimed, CASE x WHEN 1 THEN 'a' ELSE 'b' END FROM c, LATERAL f(1) WITH ORDINALITY AS g (h) LEFT JOIN (e CROSS JOIN k) USING (z) ON 1 = 1",
	"INSERT IGNORE INTO `s` . `t` SET a = ?, b = DATE_ADD(NOW(), INTERVAL 3 DAY) ON DUPLICATE KEY UPDATE a = VALUES(a); SELECT ROW_COUNT() AS n # end",
	"IF NOT EXISTS (SELECT 1 FROM [dbo].[t] WITH (UPDLOCK, HOLDLOCK) WHERE a = @p1) BEGIN INSERT INTO t (a) OUTPUT inserted.id INTO @o VALUES (N'x') END ELSE UPDATE TOP (1) u SET b = 1 OUTPUT deleted.* FROM t u DECLARE @z int SELECT @@ROWCOUNT",
	"MERGE INTO a USING (SELECT $1:name AS k) s ON a.k = s.k WHEN MATCHED AND a.b BETWEEN 1 AND 2 THEN UPDATE SET b = b + 1 WHEN NOT MATCHED THEN INSERT (k) VALUES (s.k)",
	"CREATE TABLE IF NOT EXISTS t (a text PRIMARY KEY, b int[] UNIQUE, CONSTRAINT c UNIQUE (a, b)); CREATE UNIQUE INDEX i ON t (lower(a) DESC) WHERE b; ALTER TABLE t ADD COLUMN d int, ADD UNIQUE (d)",
	"SELECT ARRAY[1,2][1], a->>'b', c @> '{}', d::timestamp with time zone e, x NOT BETWEEN SYMMETRIC 1 AND 2, sum(y) FILTER (WHERE z) OVER (ORDER BY w) FROM t FOR UPDATE OF t NOWAIT",
	"SELECT s.nextval, \u00e4\u00f6 FROM \u0442\u0430\u0431\u043b\u0438\u0446\u0430 WHERE \u00e9 = '\u4f60' AND {{ $json['}'] }} = :name",
}

func TestTruncatedAtEveryByte(t *testing.T) {
	for _, dialect := range dialects {
		for _, sample := range samples {
			for end := range len(sample) {
				checkSpans(t, sample[:end], dialect)
				checkSpans(t, sample[end:], dialect)
			}
		}
	}
}

// checkSpans parses the text and walks all of it; every span must lie in the text.
func checkSpans(t require.TestingT, text string, dialect Dialect) {
	script := Parse(text, dialect)
	inside := func(start, end int) {
		if start < 0 || start > end || end > len(text) {
			require.FailNow(t, "span outside the text", "[%d, %d) of %d: %q", start, end, len(text), text)
		}
	}
	script.Result()
	for statement := range script.All() {
		inside(statement.Start, statement.End)
		inside(statement.Table.Start, statement.Table.End)
		for _, value := range statement.values() {
			value.walk(func(inner Value) { inside(inner.Start, inner.End) })
			value.ClaimOutcome("c")
			value.InsertedOutcome()
		}
		for _, leaf := range statement.Where.Leaves() {
			inside(leaf.Start, leaf.End)
		}
		statement.GuardedByNotExists()
		statement.ValueOf("a")
	}
	for _, statement := range script.Statements {
		statement.MayWrite()
		statement.StoredCalls()
	}
}

func TestHostileTextsAreBounded(t *testing.T) {
	const many = 20_000
	repeated := func(part string) string { return "SELECT " + strings.Repeat(part, many/len(part)) }
	texts := []string{
		repeated("("), repeated(")"), repeated("[") + repeated("]"), repeated("CASE "), repeated("CASE ") + repeated(") "), repeated("NOT "),
		"SELECT " + strings.Repeat("(", many/2) + "1" + strings.Repeat(")", many/2),
		"SELECT 1 WHERE " + strings.Repeat("(", many/2) + "a=1" + strings.Repeat(")", many/2),
		"SELECT " + strings.Repeat("(1+", many/4) + "1" + strings.Repeat(")", many/4),
		"SELECT 1 WHERE " + strings.Repeat("(a OR ", many/8) + "b" + strings.Repeat(")", many/8),
		"SELECT " + strings.Repeat("f(", many/4) + strings.Repeat(")", many/4),
		strings.Repeat("SELECT * FROM (", many/16) + "SELECT 1" + strings.Repeat(")", many/16),
		strings.Repeat("WITH a AS (", many/16) + "SELECT 1" + strings.Repeat(") SELECT 1", many/16),
		"SELECT 1 WHERE a IN " + strings.Repeat("(SELECT 1 WHERE a IN ", many/32) + strings.Repeat(")", many/32),
		repeated("a/"), repeated("a\"b\""), repeated("$a"), repeated("$$"), repeated("'"), repeated("\"a\"."), repeated("a."), repeated("::"), repeated("/*"), repeated("-"),
		repeated("{{"), repeated("{{}}"), repeated("\x00"), repeated("\xff"), repeated("`"), repeated("a AND "), repeated("a UNION SELECT "), repeated("IF 1 "), repeated("BEGIN "), repeated("1 SELECT "),
		repeated("CASE WHEN a THEN b END "), repeated("EXISTS("), repeated(",JOIN ON "), repeated("a BETWEEN "), repeated("x IS NOT "),
	}
	texts = append(texts, strings.Repeat("(", 100_000), strings.Repeat("(", 100_000)+strings.Repeat(")", 100_000))
	for _, dialect := range []Dialect{Postgres, MySQL, SQLServer} {
		for _, text := range texts {
			start := time.Now()
			checkSpans(t, text, dialect)
			require.Less(t, time.Since(start), 4*time.Second, "%s: %.40s", dialect, text)
		}
	}
}

func TestRandomWordsAreNoHarm(t *testing.T) {
	words := strings.Fields(strings.Join(samples, " ") + " ( ) , ; . * = ' \" ` { } {{ }} $1 ? :: CASE END [ ]")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 40).Draw(t, "words"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "between"))
		checkSpans(t, text, rapid.SampledFrom(dialects).Draw(t, "dialect"))
	})
}

func FuzzParse(f *testing.F) {
	for _, sample := range samples {
		for _, dialect := range dialects {
			f.Add(sample, int(dialect))
		}
	}
	f.Fuzz(func(t *testing.T, text string, dialect int) {
		checkSpans(t, text, Dialect(((dialect%len(dialects))+len(dialects))%len(dialects)))
	})
}

func BenchmarkParse(b *testing.B) {
	text := "INSERT INTO idem (idem_key, status, claimed_at, payload) VALUES ('{{ $json.body.id }}', 'pending', now(), $2::jsonb) ON CONFLICT (idem_key) DO NOTHING RETURNING idem_key, status"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(text, Postgres)
	}
}
