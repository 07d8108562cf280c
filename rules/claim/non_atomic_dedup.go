package claim

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
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
			Message: nonAtomic(g, held[0]),
			Flow:    lint.Way(held[0].Exposure, "starts for each event", "runs twice for two deliveries at once"),
			Related: lint.Behind(held, "nothing else guards this"),
			Fix:     fmt.Sprintf("Keep %q as a filter if you like, and put a claim%s", g.Node.Name, claimOf(remembered(g.Node), "behind it", "what stood behind it", fmt.Sprintf("the item as $('%s').item", g.Node.Name))),
		})
	}
	return nil
}

// nonAtomic: runs of a schedule seldom meet, but they lose what failed.
func nonAtomic(g *guard.Guard, h guard.Held) string {
	if clocked(h.Exposure.Root) {
		return fmt.Sprintf("%q marks an item as seen before %q has acted on it: when that fails the item never comes again, and runs that overlap both pass; claim it in a database, with a state that says how far it came",
			g.Node.Name, h.Effect.Node.Name)
	}
	return fmt.Sprintf("%q is all that keeps a repeat from %q: two deliveries at the same time both pass it, and one whose effect then fails is dropped when it comes again; claim the event in a database behind it",
		g.Node.Name, h.Effect.Node.Name)
}

// remembered is the code of the value that a Remove Duplicates node remembers.
func remembered(n *graph.Node) string {
	text := strings.TrimSpace(strings.TrimPrefix(n.Parameter("dedupeValue").Str(), "="))
	code, ok := strings.CutPrefix(text, "{{")
	if code, closed := strings.CutSuffix(code, "}}"); ok && closed && !strings.Contains(code, "}}") {
		return strings.TrimSpace(code)
	}
	return "<the value that the node compares>"
}
