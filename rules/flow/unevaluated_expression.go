package flow

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed unevaluated_expression.md
var unevaluatedDoc string

// UnevaluatedExpression reports expressions that n8n takes as plain text.
func UnevaluatedExpression() *lint.Rule {
	return &lint.Rule{
		ID:         "unevaluated-expression",
		Title:      "an expression that n8n takes as plain text",
		Family:     "flow",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        unevaluatedDoc,
		Check:      checkUnevaluated,
	}
}

func checkUnevaluated(p *lint.Pass) error {
	for _, n := range p.Facts.Nodes() {
		for _, u := range p.Facts.Unevaluated(n) {
			p.Report(unevaluatedFinding(p.Facts, n, u))
		}
	}
	return nil
}

func unevaluatedFinding(facts *guard.Facts, n *graph.Node, u guard.Unevaluated) lint.Finding {
	f := lint.Finding{
		At: u.At, Node: n, Severity: lint.Warning, Confidence: lint.High, Key: u.Value.Pointer(),
		Message: fmt.Sprintf("%q of %q holds the text %q itself, not its value: without a leading \"=\" n8n evaluates nothing; make the field an expression", u.Parameter, n.Name, short(u.Text)),
		Fix:     "Switch the field from Fixed to Expression in the editor, or put a \"=\" in front of its text in the file.",
	}
	switch {
	case u.Condition:
		f.Severity = lint.Error
		f.Message = fmt.Sprintf("%q compares the text %q itself, not its value, so every item goes the same way: without a leading \"=\" n8n evaluates nothing; make the field an expression", n.Name, short(u.Text))
		if kind := strictKind(n, u); kind != "" {
			f.Message = fmt.Sprintf("%q takes the text %q itself for a %s, which its strict type validation refuses, so the run stops here: without a leading \"=\" n8n evaluates nothing; make the field an expression", n.Name, short(u.Text), kind)
		}
	case isMoney(facts, n):
		f.Severity = lint.Error
	}
	return f
}

// strictKind is the type that a condition wants of its value, where the node
// validates types strictly and a text is none (N8N.md section 6).
func strictKind(n *graph.Node, u guard.Unevaluated) string {
	list := n.Parameter("conditions")
	if list.Get("options", "typeValidation").Str() != "strict" {
		return ""
	}
	for c := range list.Get("conditions").Children() {
		if kind := c.Get("operator", "type").Str(); kind != "string" && kind != "any" && c.Span().Start <= u.At.Start && u.At.End <= c.Span().End {
			return kind
		}
	}
	return ""
}

// isMoney reports whether a node moves money.
func isMoney(facts *guard.Facts, n *graph.Node) bool {
	for _, e := range facts.Effects {
		if e.Node == n {
			return e.Impact == catalog.Money
		}
	}
	return false
}

const longestQuote = 60

// short cuts a text for a message.
func short(text string) string {
	r := []rune(text)
	if len(r) <= longestQuote {
		return text
	}
	return string(r[:longestQuote-1]) + "…"
}
