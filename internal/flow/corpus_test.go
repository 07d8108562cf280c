package flow

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// corpusVariable names the environment variable with the folder of workflow
// exports that TestCorpus reads.
const corpusVariable = "N8NLINT_CORPUS"

// TestCorpus traces every expression of real workflows: nothing may panic, and
// the log says what could not be followed and why.
func TestCorpus(t *testing.T) {
	folder := os.Getenv(corpusVariable)
	if folder == "" {
		t.Skip(corpusVariable + " is not set")
	}
	var workflows []*graph.Workflow
	files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := graph.Read(source.NewFile(filepath.Base(file), data)); err == nil {
			workflows = append(workflows, found...)
		}
	}
	values, incomplete := 0, 0
	kinds, reasons := map[string]int{}, map[string]int{}
	c := catalog.New()
	start := time.Now()
	var slowest time.Duration
	for _, w := range workflows {
		tracer := New(c, []*graph.Workflow{w}, nil, nil)
		for _, n := range w.Nodes {
			eachExpression(n.Parameters, func(v source.Value) {
				values++
				began := time.Now()
				trace := tracer.Value(n, v)
				slowest = max(slowest, time.Since(began))
				if trace.Incomplete {
					incomplete++
				}
				for _, o := range trace.Origins {
					kinds[o.Kind.String()]++
					if o.Kind == Unknown || o.Kind == Missing {
						reasons[fmt.Sprintf("%s %s: %s", o.Kind, o.Node.Type, o.Name)]++
					}
				}
			})
		}
	}
	took := time.Since(start)
	t.Logf("%d workflows, %d expressions in %v, slowest %v, %d incomplete", len(workflows), values, took, slowest, incomplete)
	t.Log(kinds)
	var lines []string
	for reason, count := range reasons {
		lines = append(lines, fmt.Sprintf("%6d %s", count, reason))
	}
	slices.Sort(lines)
	slices.Reverse(lines)
	t.Log("\n" + strings.Join(lines[:min(len(lines), 70)], "\n"))
}

func eachExpression(v source.Value, visit func(source.Value)) {
	if v.Kind() == source.String {
		if strings.HasPrefix(v.Str(), "=") {
			visit(v)
		}
		return
	}
	for c := range v.Children() {
		eachExpression(c, visit)
	}
}
