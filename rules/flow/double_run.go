// Package flow holds the rules about what a workflow's wiring makes of its side
// effects.
package flow

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed double_run.md
var doubleRunDoc string

// DoubleRun reports effects behind two ways that both run in one execution.
func DoubleRun() *lint.Rule {
	return &lint.Rule{
		ID:         "double-run",
		Title:      "two branches that both run lead to one side effect",
		Family:     "flow",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        doubleRunDoc,
		Check:      checkDoubleRun,
	}
}

func checkDoubleRun(p *lint.Pass) error {
	for _, r := range p.Facts.Rejoins() {
		p.Report(doubleRunFinding(r))
	}
	return nil
}

func doubleRunFinding(r guard.Rejoin) lint.Finding {
	effect := r.Effect.Node
	who := feeders(r)
	f := lint.Finding{
		At: r.Effect.At, Node: effect, Severity: lint.Error, Confidence: lint.High,
		Message: fmt.Sprintf("%q is done once for each of the branches that both run: %s lead to %q, and n8n runs it for each; put a Merge that waits for both in front of %q",
			effect.Name, who, r.Join.Name, r.Join.Name),
		Flow: doubleRunWay(r),
		Fix:  fmt.Sprintf("Put a Merge node in front of %q that makes one item of both branches (Combine, or Choose Branch; Append gives the items of both on); or lead only one branch to it.", r.Join.Name),
	}
	for _, e := range []*graph.Edge{r.Ways[0][len(r.Ways[0])-1], r.Ways[1][len(r.Ways[1])-1]} {
		f.Related = append(f.Related, lint.Related{At: e.At, Node: e.From, Message: "leads to it, and runs in the same execution as the other"})
	}
	if r.Sometimes {
		f.Confidence = lint.Medium
		f.Message = fmt.Sprintf("%q is done a second time where an item takes both branches: %s lead to %q, and n8n runs it for each; let the branches exclude each other, or merge them in front of %q",
			effect.Name, who, r.Join.Name, r.Join.Name)
	}
	if r.Content == guard.Answers {
		f.Severity, f.Confidence = lint.Warning, lint.Low
	}
	return f
}

// feeders are the last nodes of both ways.
func feeders(r guard.Rejoin) string {
	a, b := r.Ways[0][len(r.Ways[0])-1].From, r.Ways[1][len(r.Ways[1])-1].From
	if a == b {
		return fmt.Sprintf("two connections of %q", a.Name)
	}
	who := quoted(a, r.Fork) + " and " + quoted(b, r.Fork)
	if more := len(r.Join.MainIn()) - 2; more > 0 {
		who += fmt.Sprintf(", of %d that", more+2)
	}
	return who
}

func quoted(n, fork *graph.Node) string {
	if n == fork {
		return fmt.Sprintf("%q itself", n.Name)
	}
	return fmt.Sprintf("%q", n.Name)
}

// doubleRunWay goes from the fork along the first way to the effect.
func doubleRunWay(r guard.Rejoin) []lint.Step {
	steps := []lint.Step{{At: r.Fork.Place(), Node: r.Fork, Message: r.Fork.Name + ": both branches start here"}}
	for _, e := range r.Ways[0] {
		steps = append(steps, lint.Step{At: e.To.Place(), Node: e.To, Message: e.To.Name})
	}
	for _, n := range r.Behind[1:] {
		steps = append(steps, lint.Step{At: n.Place(), Node: n, Message: n.Name})
	}
	steps[len(steps)-1].Message += ": done once for each branch"
	return steps
}
