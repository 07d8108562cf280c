package ingress

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed duplicate_webhook_path.md
var duplicatePathDoc string

// DuplicateWebhookPath reports active webhooks that listen at one address.
func DuplicateWebhookPath() *lint.Rule {
	return &lint.Rule{
		ID:         "duplicate-webhook-path",
		Title:      "two active webhooks with one method and path",
		Family:     "ingress",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        duplicatePathDoc,
		Check:      checkDuplicatePath,
	}
}

func checkDuplicatePath(p *lint.Pass) error {
	for _, n := range p.Workflow.Nodes {
		if rival, method := p.Facts.Rival(n); rival != nil {
			path, _, _ := guard.WebhookAddress(n)
			p.Report(duplicate(n, rival, method, path))
		}
	}
	return nil
}

func duplicate(n, other *graph.Node, method, path string) lint.Finding {
	where := fmt.Sprintf("%q", other.Name)
	if other.Workflow != n.Workflow {
		where += fmt.Sprintf(" of the workflow %q", other.Workflow.Name)
	}
	at := setting(n, "path")
	if v := n.Parameter("options", "path"); v.Exists() && !n.Parameter("path").Exists() {
		at = v.Span()
	}
	return lint.Finding{
		At: at, Node: n, Severity: lint.Error, Confidence: lint.High,
		Message: fmt.Sprintf("%q listens to %s %q as %s does, and both are active: n8n registers one of them, the other never runs; give it a path of its own", n.Name, method, path, where),
		Related: []lint.Related{{At: setting(other, "path"), Node: other, Message: "listens at the same address"}},
		Fix:     "Change the path of one of the two, tell its sender, and deactivate what is no longer meant to run. n8n knows a webhook by method and path alone.",
	}
}
