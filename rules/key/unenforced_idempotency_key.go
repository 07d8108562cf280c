package key

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed unenforced_idempotency_key.md
var unenforcedDoc string

// UnenforcedIdempotencyKey reports keys that the service ignores, where nothing
// else recognises a repeat.
func UnenforcedIdempotencyKey() *lint.Rule {
	return &lint.Rule{
		ID:         "unenforced-idempotency-key",
		Title:      "a key that the service does not enforce",
		Family:     "key",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        unenforcedDoc,
		Check:      checkUnenforced,
	}
}

func checkUnenforced(p *lint.Pass) error {
	for _, e := range p.Facts.Effects {
		if e.Agent != nil || e.Key == nil || e.Key.Enforced != guard.Ignoring || e.Key.Volatile != "" || e.Key.Constant {
			continue
		}
		x, severity, ok := unguarded(e)
		if !ok {
			continue
		}
		p.Report(lint.Finding{
			At: e.Key.At, Node: e.Node, Severity: severity, Confidence: lint.High,
			Message: fmt.Sprintf("%s does not look at the key that %q sends, and nothing else recognises a repeat: a second delivery of the event from %q does it again; claim the event before it", e.Key.Service, e.Node.Name, x.Root.Trigger.Name),
			Flow:    lint.Way(x, "starts for each event", "does it again"),
			Fix:     fmt.Sprintf("Claim the event in a database before %q (INSERT … ON CONFLICT DO NOTHING RETURNING, and an IF on the returned key). The key may stay as a note.", e.Node.Name),
		})
	}
	return nil
}

// unguarded is the way around every guard that weighs most: a warning, an error
// where money moves, a note where the effect is worth one.
func unguarded(e *guard.Effect) (worst guard.Exposure, severity lint.Severity, found bool) {
	for _, x := range e.Exposures {
		if x.Standing != guard.Plain || lint.IsAlert(e, x) {
			continue
		}
		s, ok := lint.EffectGrade(e, x)
		if !ok {
			continue
		}
		if e.Impact != catalog.Money {
			s = min(s, lint.Warning)
		}
		if !found || s > severity {
			worst, severity, found = x, s, true
		}
	}
	return worst, severity, found
}
