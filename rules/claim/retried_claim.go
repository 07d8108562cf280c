package claim

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed retried_claim.md
var retriedClaimDoc string

// RetriedClaim reports claims with Retry On Fail: the second try loses to the
// first.
func RetriedClaim() *lint.Rule {
	return &lint.Rule{
		ID:         "retried-claim",
		Title:      "a retry by which a claim loses to itself",
		Family:     "claim",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        retriedClaimDoc,
		Check:      checkRetriedClaim,
	}
}

func checkRetriedClaim(p *lint.Pass) error {
	for _, g := range p.Facts.Guards {
		if g.Kind != guard.Claim || !g.Proven || !g.Node.RetryOnFail || g.KnowsOwner() {
			continue
		}
		won := p.Facts.HeldBy(g, guard.Winner)
		severity, ok := lint.GuardGrade(won)
		if !ok {
			continue
		}
		first := won[0].Effect.Node.Name
		p.Report(lint.Finding{
			At: pair(g.Node.Setting("retryOnFail")), Node: g.Node, Severity: severity, Confidence: lint.High,
			Message: fmt.Sprintf("%q loses to itself when it is tried again: the first try has taken the key and only its answer was lost, so %q never runs for this event; switch Retry On Fail off", g.Node.Name, first),
			Flow:    lint.Way(won[0].Exposure, "starts for each event", "is never reached"),
			Related: lint.Behind(won, "never runs for this event"),
			Fix:     fmt.Sprintf("In the settings of %q switch Retry On Fail off: the execution fails, the sender delivers again or a sweep of old pending rows finds the event.\nOr let the claim know its owner: write the execution's id with the key, and return whether the row belongs to this execution.", g.Node.Name),
		})
	}
	return nil
}
