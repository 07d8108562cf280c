package sqloracle

import (
	_ "embed"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/sql"
)

//go:embed statements.txt
var statementsText string

// property is one thing both parsers say, and the share on which they must agree.
type property struct {
	name      string
	threshold float64
	of        func(Shape) any // nil: the statement has nothing to compare
}

var properties = []property{
	{"verb", 1, func(s Shape) any { return s.Verb }},
	{"table", 1, func(s Shape) any { return text(s.Table) }},
	{"columns", 1, func(s Shape) any { return list(s.Columns) }},
	{"values", 0.99, func(s Shape) any { return list(s.Values) }},
	{"conflict action", 1, func(s Shape) any { return text(s.ConflictAction) }},
	{"conflict columns", 1, func(s Shape) any { return list(s.Conflict) }},
	{"returning", 1, func(s Shape) any { return s.Returning }},
	{"lock", 1, func(s Shape) any { return text(s.Lock) }},
	{"equalities", 0.97, func(s Shape) any { return list(s.Equalities) }},
	{"projections", 0.99, func(s Shape) any { return s.Projections }},
	{"clauses", 0.99, func(s Shape) any { return s.Clauses }},
	{"from", 0.99, func(s Shape) any { return list(s.From) }},
	{"all locks", 1, func(s Shape) any { return list(s.AllLocks) }},
	{"all equalities", 0.97, func(s Shape) any { return list(s.AllEqualities) }},
	{"unique", 1, func(s Shape) any { return list(s.Unique) }},
}

func text(value string) any {
	if value == "" {
		return nil
	}
	return value
}

func list(values []string) any {
	if len(values) == 0 {
		return nil
	}
	return values
}

func TestOwnStatements(t *testing.T) {
	_, body, _ := strings.Cut(statementsText, "\n")
	texts := strings.Split(body, "\n----\n")
	require.GreaterOrEqual(t, len(texts), 60)
	compare(t, texts, true)
}

func TestCorpus(t *testing.T) {
	folder := os.Getenv("N8NLINT_CORPUS")
	if folder == "" {
		folder = "../../../shared/corpus/workflows"
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no corpus of workflows; set N8NLINT_CORPUS")
	}
	texts := corpusQueries(t, folder)
	require.NotEmpty(t, texts)
	compare(t, texts, false)
}

// compare parses every text both ways and holds the agreement against the thresholds.
// Texts that PostgreSQL refuses are left out, unless all must parse.
func compare(t *testing.T, texts []string, allParse bool) {
	t.Helper()
	agreed, compared := map[string]int{}, map[string]int{}
	accepted := 0
	for _, query := range texts {
		theirs, err := PostgresShapes(query)
		if err != nil {
			require.False(t, allParse, "%v: %s", err, query)
			continue
		}
		accepted++
		ours := OurShapes(sql.Parse(query, sql.Postgres))
		compared["statements"]++
		if len(ours) != len(theirs) {
			t.Errorf("%d statements, PostgreSQL has %d: %s\nours %+v\ntheirs %+v", len(ours), len(theirs), query, ours, theirs)
			continue
		}
		agreed["statements"]++
		for k := range ours {
			count(t, query, ours[k], theirs[k], agreed, compared)
		}
	}
	t.Logf("%d of %d texts accepted by PostgreSQL", accepted, len(texts))
	for _, p := range append([]property{{name: "statements", threshold: 1}}, properties...) {
		t.Logf("%-17s %4d of %4d", p.name, agreed[p.name], compared[p.name])
		require.GreaterOrEqual(t, float64(agreed[p.name]), p.threshold*float64(compared[p.name]), p.name)
	}
}

func count(t *testing.T, query string, ours, theirs Shape, agreed, compared map[string]int) {
	t.Helper()
	for _, p := range properties {
		our, their := p.of(ours), p.of(theirs)
		if our == nil && their == nil {
			continue
		}
		compared[p.name]++
		if reflect.DeepEqual(our, their) {
			agreed[p.name]++
			continue
		}
		t.Logf("%s: ours %v, PostgreSQL's %v in %s", p.name, our, their, query)
	}
}

// corpusQueries lists the different queries of the Postgres nodes in a folder.
func corpusQueries(t *testing.T, folder string) []string {
	t.Helper()
	seen := map[string]bool{}
	var texts []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var document any
		if json.Unmarshal(content, &document) != nil {
			return nil
		}
		eachQuery(document, func(query string) {
			if !seen[query] {
				seen[query] = true
				texts = append(texts, query)
			}
		})
		return nil
	})
	require.NoError(t, err)
	return texts
}

func eachQuery(value any, yield func(string)) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			eachQuery(item, yield)
		}
	case map[string]any:
		parameters, _ := value["parameters"].(map[string]any)
		query, _ := parameters["query"].(string)
		if value["type"] == "n8n-nodes-base.postgres" && parameters["operation"] == "executeQuery" && query != "" {
			yield(query)
		}
		for _, item := range value {
			eachQuery(item, yield)
		}
	}
}
