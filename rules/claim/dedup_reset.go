package claim

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed dedup_reset.md
var dedupResetDoc string

// DedupReset reports nodes that empty the memory by which repeats are recognised.
func DedupReset() *lint.Rule {
	return &lint.Rule{
		ID:         "dedup-reset",
		Title:      "the memory that recognises repeats is emptied",
		Family:     "claim",
		Severity:   lint.Warning,
		Confidence: lint.High,
		Default:    true,
		Doc:        dedupResetDoc,
		Check:      checkReset,
	}
}

func checkReset(p *lint.Pass) error {
	for _, n := range p.Facts.Nodes() {
		reset, ok := p.Facts.Empties(n)
		if !ok {
			continue
		}
		if users := usersOf(p.Facts, n, reset); len(users) > 0 {
			p.Report(resetFinding(n, reset, users))
		}
	}
	return nil
}

// usersOf are the guards of the run that rely on what the node empties.
func usersOf(facts *guard.Facts, n *graph.Node, r guard.Reset) (users []*guard.Guard) {
	for _, other := range facts.Set {
		for _, g := range other.Guards {
			if g.Node != n && r.Affects(g) {
				users = append(users, g)
			}
		}
	}
	return users
}

func resetFinding(n *graph.Node, r guard.Reset, users []*guard.Guard) lint.Finding {
	f := lint.Finding{
		At: r.At, Node: n, Severity: lint.Warning, Confidence: lint.High,
		Message: fmt.Sprintf("%q empties %s, by which %q recognises repeats: an event that comes again after it is worked on again; delete only finished rows that are older than any redelivery",
			n.Name, r.What, users[0].Node.Name),
		Fix: "Delete with a date, for rows in their final state only:\n  DELETE FROM … WHERE status = 'done' AND claimed_at < now() - interval '90 days'",
	}
	if r.History {
		f.Message = fmt.Sprintf("%q clears the history by which %q recognises repeats: an event that comes again after it is worked on again; do not clear it in a running workflow", n.Name, users[0].Node.Name)
		f.Fix = "Take the node out. The history keeps the size that the option History Size sets; for keys that must last claim the event in a database."
	}
	for _, g := range users {
		f.Related = append(f.Related, lint.Related{At: g.At, Node: g.Node, Message: "relies on it"})
	}
	return f
}
