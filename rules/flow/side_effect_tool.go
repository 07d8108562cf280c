package flow

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed side_effect_tool.md
var sideEffectToolDoc string

// SideEffectTool reports tools by which a model acts.
func SideEffectTool() *lint.Rule {
	return &lint.Rule{
		ID:         "side-effect-tool",
		Title:      "a model may cause a side effect any number of times",
		Family:     "flow",
		Severity:   lint.Note,
		Confidence: lint.High,
		Default:    true,
		Doc:        sideEffectToolDoc,
		Check:      checkSideEffectTool,
	}
}

func checkSideEffectTool(p *lint.Pass) error {
	for _, u := range p.Facts.ToolUsers() {
		for _, n := range u.Unclear {
			if p.Facts.Operation(n).Kind == catalog.Call {
				p.NotJudged(n, "the workflow that the tool calls is not in the linted set")
			}
		}
		if len(u.Uses) > 0 {
			p.Report(toolFinding(u))
		}
	}
	return nil
}

func toolFinding(u guard.ToolUser) lint.Finding {
	worst := u.Uses[0]
	for _, use := range u.Uses {
		if use.Effect.Impact.Stronger(worst.Effect.Impact) {
			worst = use
		}
	}
	f := lint.Finding{
		Node: worst.Tool, At: worst.Effect.At, Severity: lint.Note, Confidence: lint.High,
		Fix: "Give the tool a claim of its own (a called workflow that claims the key of the task first), or a human review in front of it; or let the agent only say what to do, and do it behind the agent, once.",
	}
	if worst.Effect.Node != worst.Tool {
		f.At = worst.Tool.Place()
		f.Related = append(f.Related, lint.Related{At: worst.Effect.At, Node: worst.Effect.Node, Message: "this is what the tool does"})
	}
	if worst.Effect.Unsure {
		f.Confidence = lint.Medium
	}
	var others []string
	for _, use := range u.Uses {
		if use.Tool != worst.Tool {
			others = append(others, fmt.Sprintf("%q", use.Tool.Name))
			f.Related = append(f.Related, lint.Related{At: use.Tool.Place(), Node: use.Tool, Message: "acts as well"})
		}
	}
	also := ""
	if len(others) > 0 {
		also = " (as " + does(len(others)) + listed(others) + ")"
	}
	f.Message = fmt.Sprintf("%q acts%s whenever a model calls it by %q, any number of times for one event; put a claim or a human review in front of the act", worst.Tool.Name, also, u.Node.Name)
	return f
}

func does(n int) string {
	if n == 1 {
		return "does "
	}
	return "do "
}

// listed writes at most three names.
func listed(names []string) string {
	if len(names) > 3 {
		return strings.Join(names[:3], ", ") + fmt.Sprintf(" and %d more", len(names)-3)
	}
	return strings.Join(names, ", ")
}
