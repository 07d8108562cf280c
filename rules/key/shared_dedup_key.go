package key

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed shared_dedup_key.md
var sharedDoc string

// SharedDedupKey reports two operations of one service under one key.
func SharedDedupKey() *lint.Rule {
	return &lint.Rule{
		ID:         "shared-dedup-key",
		Title:      "two operations under one key",
		Family:     "key",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        sharedDoc,
		Check:      checkShared,
	}
}

func checkShared(p *lint.Pass) error {
	keys := p.Facts.Keys()
	for _, later := range keys {
		for _, earlier := range keys {
			if earlier.Node == later.Node || !clash(p.Facts, earlier, later) {
				continue
			}
			p.Report(sharedFinding(earlier, later))
			break
		}
	}
	return nil
}

// clash: both requests go to one service that enforces the key, one runs after
// the other, and the keys are made of the same text and the same fields.
func clash(facts *guard.Facts, a, b guard.KeyUse) bool {
	if a.Effect == nil || b.Effect == nil || a.Named || b.Named || a.Effect.HTTP == nil || b.Effect.HTTP == nil {
		return false
	}
	if a.Effect.Key == nil || b.Effect.Key == nil || a.Effect.Key.Service != b.Effect.Key.Service || a.Effect.Key.Enforced != guard.Enforcing {
		return false
	}
	return facts.Before(a.Node, b.Node) && !facts.Before(b.Node, a.Node) && a.Trace.Same(b.Trace) && !a.Trace.Literal
}

func sharedFinding(earlier, later guard.KeyUse) lint.Finding {
	f := lint.Finding{
		At: later.At, Node: later.Node, Severity: lint.Warning, Confidence: lint.High,
		Message: fmt.Sprintf("%q sends the key that %q has sent before: %s takes it for a repeat and refuses it, or answers with the first result; put the operation into the key", later.Node.Name, earlier.Node.Name, later.Effect.Key.Service),
		Related: []lint.Related{{At: earlier.At, Node: earlier.Node, Message: "the same key is sent here first"}},
		Fix:     "Add the operation to each key, such as {{ … }}:customer and {{ … }}:charge.",
	}
	if later.Effect.Impact == catalog.Money {
		f.Severity = lint.Error
	}
	return f
}
