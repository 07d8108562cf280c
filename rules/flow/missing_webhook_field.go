package flow

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed missing_webhook_field.md
var missingFieldDoc string

// MissingWebhookField reports reads of fields that a webhook's item cannot have.
func MissingWebhookField() *lint.Rule {
	return &lint.Rule{
		ID:         "missing-webhook-field",
		Title:      "a field is read beside the body of a webhook's item",
		Family:     "flow",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        missingFieldDoc,
		Check:      checkMissingField,
	}
}

func checkMissingField(p *lint.Pass) error {
	for _, n := range p.Facts.Nodes() {
		if fields := p.Facts.MissingFields(n); len(fields) > 0 {
			p.Report(missingFieldFinding(p.Facts, n, fields))
		}
	}
	return nil
}

// missingFieldFinding is one for a node: whoever reads one field at the wrong
// level reads all of them there.
func missingFieldFinding(facts *guard.Facts, n *graph.Node, fields []guard.MissingField) lint.Finding {
	m := fields[0]
	where := place(m.Webhook)
	f := lint.Finding{
		At: m.At, Node: n, Severity: lint.Warning, Confidence: lint.High, Key: m.Field,
		Message: fmt.Sprintf("%q reads %q of the item of %q, where it is always undefined: what was sent stands one level down, under %s", n.Name, m.Field, m.Webhook.Name, where),
		Flow: []lint.Step{
			{At: m.Webhook.Place(), Node: m.Webhook, Message: m.Webhook.Name + ": gives headers, params, query, body"},
			{At: m.At, Node: n, Message: n.Name + ": reads " + m.Field},
		},
		Fix: fmt.Sprintf("Read it as $json.%s.%s, or by name: $(%q).item.json.%s.%s.", where, m.Field, m.Webhook.Name, where, m.Field),
	}
	for _, other := range fields[1:] {
		f.Related = append(f.Related, lint.Related{At: other.At, Node: n, Message: fmt.Sprintf("%q is not there either", other.Field)})
	}
	if isMoney(facts, n) {
		f.Severity = lint.Error
	}
	return f
}

// place is where the data of a webhook's requests stands.
func place(webhook *graph.Node) string {
	if m := webhook.Parameter("httpMethod").Str(); m == "" || m == "GET" {
		return "query"
	}
	return "body"
}
