package claim

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed non_atomic_dedup.md
var nonAtomicDoc string

// NonAtomicDedup reports Remove Duplicates as the only guard before an effect.
func NonAtomicDedup() *lint.Rule {
	return &lint.Rule{
		ID:         "non-atomic-dedup",
		Title:      "a Remove Duplicates node as the only guard of a side effect",
		Family:     "claim",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        nonAtomicDoc,
		Check:      checkNonAtomic,
	}
}

func checkNonAtomic(p *lint.Pass) error {
	for _, g := range p.Facts.Guards {
		if g.Kind != guard.Dedup {
			continue
		}
		held := p.Facts.HeldBy(g, guard.Guarded)
		severity, ok := lint.GuardGrade(held)
		if !ok {
			continue
		}
		p.Report(lint.Finding{
			At: g.At, Node: g.Node, Severity: severity, Confidence: lint.High,
			Message: fmt.Sprintf("%q is all that keeps a repeat from %q: two deliveries at the same time both pass it, and one whose effect then fails is dropped when it comes again; claim the event in a database behind it",
				g.Node.Name, held[0].Effect.Node.Name),
			Flow:    lint.Way(held[0].Exposure, "starts for each event", "runs twice for two deliveries at once"),
			Related: lint.Behind(held, "nothing else guards this"),
			Fix:     fmt.Sprintf("Keep %q as a filter if you like, and put a claim%s", g.Node.Name, claimSQL(p.Facts, held[0].Effect.Node.Name, held[0].Exposure)),
		})
	}
	return nil
}
