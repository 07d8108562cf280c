package key

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed missing_idempotency_key.md
var missingDoc string

// MissingIdempotencyKey reports requests behind a claim that could carry a key
// which their service enforces.
func MissingIdempotencyKey() *lint.Rule {
	return &lint.Rule{
		ID:         "missing-idempotency-key",
		Title:      "a request without the key that its service honours",
		Family:     "key",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        missingDoc,
		Check:      checkMissing,
	}
}

func checkMissing(p *lint.Pass) error {
	for _, e := range p.Facts.Effects {
		k, ok := p.Facts.KeyOffered(e)
		if !ok || e.Key != nil || e.Agent != nil || e.Node.RetryOnFail || p.Facts.ByHand(e.Node) || !behindClaim(e) {
			continue // without a claim, or with a retry, another rule speaks
		}
		f := lint.Finding{
			At: e.At, Node: e.Node, Severity: lint.Warning, Confidence: lint.High,
			Message: fmt.Sprintf("%q sends no %s, by which %s recognises a request that is sent again: after a lost answer nobody can repeat it safely; send one made from the event", e.Node.Name, k.Position, k.Service),
			Fix:     fmt.Sprintf("Send the %s with a value made from the event and the operation%s.", k.Position, suchAs(p.Facts, e)),
		}
		if k.NativeNode {
			f.Message = fmt.Sprintf("n8n's own node for %s cannot send the %s by which the service recognises a request that is sent again: after a lost answer nobody can repeat %q safely; use an HTTP Request node and send one made from the event", k.Service, k.Position, e.Node.Name)
			f.Fix = fmt.Sprintf("Replace the node by an HTTP Request node with the same credential (Predefined Credential Type), and send the %s with a value made from the event.", k.Position)
		}
		if !k.Sure {
			f.Confidence = lint.Medium
		} else if e.Impact == catalog.Money && !k.NativeNode {
			f.Severity = lint.Error
		}
		p.Report(f)
	}
	return nil
}

// suchAs writes the identity of the workflow's own event as an example.
func suchAs(facts *guard.Facts, e *guard.Effect) string {
	if id := eventID(facts, e.Node); id != "" {
		return ", such as {{ " + id + " }} with the operation behind it"
	}
	return ""
}

// behindClaim: every way to the effect leads through a claim.
func behindClaim(e *guard.Effect) bool {
	for _, x := range e.Exposures {
		if x.Standing != guard.Winner {
			return false
		}
	}
	return len(e.Exposures) > 0
}
