package rules_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/rules"
)

// patternFiles are the workflows of docs/pattern.md.
func patternFiles(t *testing.T) (list []string) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(fixtures, "pattern", "*", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list
}

// TestPatternIsClean: the good form has no finding of any rule, as a whole and
// file by file.
func TestPatternIsClean(t *testing.T) {
	var all []lint.Input
	for _, f := range patternFiles(t) {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		in := lint.Input{File: source.NewFile(f, data), Named: true}
		all = append(all, in)
		r := lint.Run(context.Background(), rules.All(), []lint.Input{in})
		require.Empty(t, r.Problems, f)
		require.Empty(t, describe(r), f)
	}
	r := lint.Run(context.Background(), rules.All(), all)
	require.Empty(t, r.Problems)
	require.Empty(t, describe(r))
}

// TestPatternPageNamesItsFiles: every file of the pattern is in the page.
func TestPatternPageNamesItsFiles(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "pattern.md"))
	require.NoError(t, err)
	for _, pattern := range []string{"*.json", "*.sql", "*.md"} {
		files, err := filepath.Glob(filepath.Join(fixtures, "pattern", "*", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, f := range files {
			require.Contains(t, string(page), "`"+filepath.Base(f)+"`")
			require.Contains(t, string(page), "`"+filepath.Base(filepath.Dir(f))+"/`")
		}
	}
}

// TestPatternNeedsEachOfItsParts: without any one of its parts the pattern is not
// clean any more.
func TestPatternNeedsEachOfItsParts(t *testing.T) {
	cases := []struct {
		file, part, without, rule string
		alone                     bool // the rest of the pattern would make up for it
	}{
		{"postgres/mail.json", `WHERE order_key = $1 AND status = 'pending'",`, `WHERE order_key = $1",`, "missing-done-guard", false},
		{"postgres/mail.json", `"onError": "continueErrorOutput"`, `"onError": "continueRegularOutput"`, "swallowed-error", false},
		{"postgres/mail.json", `"onError": "continueErrorOutput"`, `"onError": "stopWorkflow"`, "missing-review-state", true},
		{"postgres/mail.json", `SET status = 'done', closed_at = now()`, `SET status = 'pending'`, "missing-done-mark", true},
		{"postgres/mail.json", `VALUES ($1, 'pending', $2`, `VALUES ($1, 'claimed', $2`, "state-mismatch", true},
		{"postgres/mail.json", `VALUES ($1, 'pending', $2`, `VALUES ($1, 'done', $2`, "early-done", false},
		{"postgres/mail.json", `"onError": "continueErrorOutput"`, `"onError": "continueErrorOutput", "retryOnFail": true`, "retry-non-idempotent", false},
		{"postgres/mail.json", `={{ $json.order_key }}`, `={{ $json.success }}`, "leaky-claim", false},
		{"postgres/sweep.json", ` AND claimed_at < now() - interval '30 minutes'`, ``, "unbounded-sweep", false},
		{"postgres/sweep.json", `"Idempotency-Key"`, `"X-Note"`, "blind-resend", false},
		{"mysql/mail.json", `={{ $json.data.affectedRows }}`, `={{ 1 }}`, "leaky-claim", false},
		{"redis/mail.json", `"operation": "set"`, `"operation": "get"`, "missing-done-mark", true},
	}
	for _, c := range cases {
		t.Run(c.file+" "+c.rule, func(t *testing.T) {
			var inputs []lint.Input
			for _, f := range patternFiles(t) {
				data, err := os.ReadFile(f)
				require.NoError(t, err)
				text := string(data)
				if strings.HasSuffix(filepath.ToSlash(f), c.file) {
					spaced := strings.ReplaceAll(text, `\n`, " ")
					require.Contains(t, spaced, c.part)
					text = strings.ReplaceAll(spaced, c.part, c.without)
				}
				if c.alone && !strings.HasSuffix(filepath.ToSlash(f), c.file) {
					continue
				}
				inputs = append(inputs, lint.Input{File: source.NewFile(f, []byte(text)), Named: true})
			}
			r := lint.Run(context.Background(), rules.All(), inputs)
			var found []string
			for _, f := range r.Findings {
				found = append(found, f.Rule.ID)
			}
			require.Contains(t, found, c.rule)
		})
	}
}

// TestOutcomes: one workflow in the variants that were run on n8n (N8N.md section
// 5), with what each result deserves.
func TestOutcomes(t *testing.T) {
	want := map[string][]string{
		"done-and-review":              nil,
		"retried-behind-the-claim":     {"retry-non-idempotent Create shipment"},
		"no-review":                    {"missing-review-state Claim order"},
		"retried-with-an-enforced-key": nil,
		"goes-on-after-a-failure":      {"swallowed-error Create shipment"},
		"done-mark-asks-for-nothing":   {"missing-done-guard Mark done"},
	}
	for name, findings := range want {
		t.Run(name, func(t *testing.T) {
			r := lint.Run(context.Background(), rules.All(), inputsOf(t, filepath.Join(fixtures, "outcomes", name+".json")))
			require.Empty(t, r.Problems)
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Rule.ID+" "+f.Node.Name)
			}
			require.Equal(t, findings, got)
		})
	}
}
