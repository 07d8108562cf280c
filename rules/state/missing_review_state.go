package state

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed missing_review_state.md
var missingReviewDoc string

// MissingReviewState reports claims whose row a failure leaves open for ever.
func MissingReviewState() *lint.Rule {
	return &lint.Rule{
		ID:         "missing-review-state",
		Title:      "a failure that leaves its claim open for ever",
		Family:     "state",
		Severity:   lint.Error,
		Confidence: lint.Medium,
		Default:    true,
		Doc:        missingReviewDoc,
		Check:      checkReview,
	}
}

func checkReview(p *lint.Pass) error {
	early := earlyClaims(p.Facts)
	swallowed := map[*guard.Effect]bool{}
	for _, s := range p.Facts.Swallows() {
		swallowed[s.Effect] = true
	}
	for _, t := range p.Facts.Claims() {
		if done, _ := p.Facts.Finished(t); !done || early[t] {
			continue // missing-done-mark and early-done speak first
		}
		stuck, hidden := p.Facts.StuckBehind(t)
		if hidden != "" {
			p.NotJudged(t.Guard.Node, fmt.Sprintf("what %s does with a failure is not in the linted files", hidden))
		}
		if f, ok := stuckFinding(p.Facts, t, stuck, swallowed); ok {
			p.Report(f)
		}
	}
	return nil
}

func stuckFinding(facts *guard.Facts, t *guard.Taken, stuck []guard.Stuck, swallowed map[*guard.Effect]bool) (f lint.Finding, ok bool) {
	var held []guard.Held
	of := map[*guard.Effect]guard.Stuck{}
	for _, s := range stuck {
		if !swallowed[s.Held.Effect] && !lint.IsAlert(s.Held.Effect, s.Held.Exposure) {
			held = append(held, s.Held)
			of[s.Held.Effect] = s
		}
	}
	severity, ok := grade(held)
	if !ok {
		return f, false
	}
	named := strongest(held)
	for _, h := range held {
		if of[h.Effect].Released != nil {
			named = h
		}
	}
	return lint.Finding{
		At: claimPlace(t.Guard), Node: t.Guard.Node, Severity: severity, Confidence: confidence(facts),
		Message: stuckMessage(t, of[named.Effect]),
		Flow:    lint.Way(named.Exposure, "starts for each event", "may fail, or succeed without an answer"),
		Related: lint.Behind(held, "its failure leads to no review"),
		Fix:     stuckFix(t, named.Effect),
	}, true
}

func stuckMessage(t *guard.Taken, s guard.Stuck) string {
	claim, effect := t.Guard.Node.Name, s.Held.Effect.Node.Name
	if s.Released != nil {
		return fmt.Sprintf("when %q fails, %q takes the claim of %q back: the next delivery does it again, although the first may have been accepted; set the row to review instead", effect, s.Released.Name, claim)
	}
	return fmt.Sprintf("when %q fails or its answer is lost, the row of %q stays open for ever: no redelivery is worked on, and no list shows that a person must look; lead the failure to a review state", effect, claim)
}

func stuckFix(t *guard.Taken, e *guard.Effect) string {
	return fmt.Sprintf("Set On Error of %q to \"Continue (using error output)\" and connect that output to a node that runs\n  UPDATE %s SET status = 'review' WHERE %s = $1 AND status = 'pending';\nFor runs that die, let a scheduled workflow move rows that are pending for too long to review, and tell somebody.",
		e.Node.Name, table(t.Target), keyColumn(t.Guard))
}
