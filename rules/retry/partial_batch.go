package retry

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed partial_batch.md
var partialBatchDoc string

// PartialBatch reports effects that one claim covers many of.
func PartialBatch() *lint.Rule {
	return &lint.Rule{
		ID:         "partial-batch",
		Title:      "one claim for many side effects",
		Family:     "retry",
		Severity:   lint.Note,
		Confidence: lint.Medium,
		Default:    true,
		Doc:        partialBatchDoc,
		Check:      checkBatch,
	}
}

func checkBatch(p *lint.Pass) error {
	retried := map[*guard.Effect]bool{}
	for _, r := range p.Facts.Retried {
		if !r.Effect.Key.SurvivesRetry() {
			for _, e := range p.Facts.Effects {
				retried[e] = retried[e] || e.Node == r.Node
			}
		}
	}
	seen := map[*guard.Effect]bool{}
	for _, b := range p.Facts.Batches() {
		e := b.Held.Effect
		if seen[e] || retried[e] || lint.IsAlert(e, b.Held.Exposure) {
			continue // retry-non-idempotent says more of a retried one
		}
		seen[e] = true
		p.Report(batch(b))
	}
	return nil
}

func batch(b guard.Batch) lint.Finding {
	e, claim := b.Held.Effect, b.Claim.Guard.Node.Name
	return lint.Finding{
		At: e.At, Node: e.Node, Severity: lint.Note, Confidence: lint.Medium,
		Message: fmt.Sprintf("%q runs for each item of %q, but %q claims the event as one: a run that dies in the middle leaves some done and some not, and nothing tells which; claim each item", e.Node.Name, b.Splits.Name, claim),
		Flow:    lint.Way(b.Held.Exposure, "starts for each event", "runs item by item"),
		Related: []lint.Related{{At: b.Splits.Place(), Node: b.Splits, Message: "makes many items of one"}, {At: b.Claim.Guard.At, Node: b.Claim.Guard.Node, Message: "claims all of them at once"}},
		Fix:     fmt.Sprintf("Behind %q put a Loop Over Items with a batch of 1, claim each item in it by the event's key and the item's own, and set it to done behind %q.", b.Splits.Name, e.Node.Name),
	}
}
