package flow

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed respond_mode_mismatch.md
var respondModeDoc string

// RespondModeMismatch reports webhooks whose deliveries n8n refuses.
func RespondModeMismatch() *lint.Rule {
	return &lint.Rule{
		ID:         "respond-mode-mismatch",
		Title:      "a webhook whose response mode and Respond node do not fit",
		Family:     "flow",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        respondModeDoc,
		Check:      checkRespondMode,
	}
}

func checkRespondMode(p *lint.Pass) error {
	if p.Facts.Workflow.Blank() {
		return nil
	}
	for _, n := range p.Facts.Workflow.Nodes {
		reason, refused := p.Facts.Refused(n)
		if !refused {
			continue
		}
		f := lint.Finding{
			At: modePlace(n), Node: n, Severity: lint.Error, Confidence: lint.High,
			Message: fmt.Sprintf("n8n refuses every delivery to %q before any node runs: %s; make the mode and the node agree", n.Name, reason),
			Fix:     "Set Respond of the webhook to \"Using 'Respond to Webhook' Node\" where such a node answers, and to \"Immediately\" where none does.",
		}
		if mode, _ := guard.ResponseMode(n); mode != guard.ResponseNode {
			for _, r := range p.Facts.Responders(n) {
				f.Related = append(f.Related, lint.Related{At: r.Place(), Node: r, Message: "is not allowed in this mode"})
			}
		}
		p.Report(f)
	}
	return nil
}

// modePlace is the mode where the export has it.
func modePlace(webhook *graph.Node) source.Span {
	if v := webhook.Parameter("responseMode"); v.Exists() {
		return v.Span()
	}
	return webhook.Place()
}
