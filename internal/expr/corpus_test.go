package expr

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// corpusVariable names the environment variable with the folder of workflow
// exports that TestCorpus reads.
const corpusVariable = "N8NLINT_CORPUS"

type corpusCount struct {
	strings, expressions, parsed       int
	bodies, bodiesParsed, bodiesRun    int
	incomplete                         int
	unknownItems, noReturn, withCalls  int
	slowest                            time.Duration
	slowestText                        string
	parseTime, runTime, expressionTime time.Duration
}

func TestCorpus(t *testing.T) {
	folder := os.Getenv(corpusVariable)
	if folder == "" {
		t.Skip(corpusVariable + " is not set")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	require.NoError(t, err)
	var count corpusCount
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var decoded any
		if json.Unmarshal(raw, &decoded) != nil {
			continue
		}
		count.walk(t, "", decoded, filepath.Base(file))
	}
	t.Logf("strings %d, code parts %d, parsed %d (%.2f %%), slow evaluations none above %v", count.strings, count.expressions,
		count.parsed, 100*float64(count.parsed)/float64(max(1, count.expressions)), count.slowest)
	t.Logf("bodies %d, parsed %d, run %d, incomplete %d, unknown items %d, never returning %d, with calls %d",
		count.bodies, count.bodiesParsed, count.bodiesRun, count.incomplete, count.unknownItems, count.noReturn, count.withCalls)
	t.Logf("time: expressions %v, body parse %v, body run %v; slowest %q", count.expressionTime, count.parseTime, count.runTime, count.slowestText)
	require.GreaterOrEqual(t, count.parsed*100, count.expressions*99)
	require.GreaterOrEqual(t, count.bodiesRun*100, count.bodies*98)
}

func (c *corpusCount) walk(t *testing.T, key string, node any, file string) {
	switch node := node.(type) {
	case map[string]any:
		for key, child := range node {
			c.walk(t, key, child, file)
		}
	case []any:
		for _, child := range node {
			c.walk(t, key, child, file)
		}
	case string:
		c.text(t, key, node, file)
	}
}

func (c *corpusCount) text(t *testing.T, key, text, file string) {
	if strings.HasPrefix(text, "=") {
		c.expression(t, text, file)
	}
	if key == "jsCode" || key == "functionCode" {
		c.body(t, text, file)
	}
}

func (c *corpusCount) expression(t *testing.T, text, file string) {
	c.strings++
	start := time.Now()
	template := ParseTemplate(text)
	value := template.Eval(Symbolic{})
	Truth(value)
	c.took(start, text, &c.expressionTime)
	for _, part := range template.Parts {
		if !part.Code {
			continue
		}
		c.expressions++
		if part.Err == nil {
			c.parsed++
			continue
		}
		t.Logf("%s: %v: %.100q", file, part.Err, part.Text)
	}
}

func (c *corpusCount) body(t *testing.T, text, file string) {
	c.bodies++
	start := time.Now()
	program, err := Parse(text, Body)
	c.took(start, text, &c.parseTime)
	if err != nil {
		t.Logf("%s: %v: %.100q", file, err, text)
		require.False(t, errors.Is(err, ErrTooComplex))
		return
	}
	c.bodiesParsed++
	for _, mode := range []CodeMode{AllItems, EachItem} {
		start = time.Now()
		result := program.RunCode(Symbolic{}, mode)
		c.took(start, text, &c.runTime)
		if mode == EachItem {
			continue
		}
		c.bodiesRun++
		switch {
		case result.Incomplete:
			c.incomplete++
			t.Logf("%s: incomplete: %.80q", file, text)
		case result.Items.Kind() != KindArray:
			c.unknownItems++
			t.Logf("%s: unknown items: %.80q", file, text)
		case len(result.Values) == 0:
			c.noReturn++
			t.Logf("%s: no return: %.80q", file, text)
		}
		if len(result.Calls) > 0 {
			c.withCalls++
		}
	}
}

func (c *corpusCount) took(start time.Time, text string, total *time.Duration) {
	took := time.Since(start)
	*total += took
	if took > c.slowest {
		c.slowest, c.slowestText = took, text[:min(len(text), 80)]
	}
}
