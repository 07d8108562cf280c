package claim

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed late_claim.md
var lateClaimDoc string

// LateClaim reports records that are written only behind the effect that they
// were to guard.
func LateClaim() *lint.Rule {
	return &lint.Rule{
		ID:         "late-claim",
		Title:      "a claim that is written only after the side effect",
		Family:     "claim",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        lateClaimDoc,
		Check:      checkLate,
	}
}

func checkLate(p *lint.Pass) error {
	for _, n := range p.Facts.Nodes() {
		if !p.Facts.MakesRow(n) || p.Facts.PlainInsert(n) {
			continue // a plain insert is check-then-insert's finding
		}
		if look, late := lateFor(p.Facts, n); len(late) > 0 {
			reportLate(p, n, look, late)
		}
	}
	return nil
}

// lateFor finds the look-up that asks for a record, and the effects between
// look-up and record.
func lateFor(facts *guard.Facts, n *graph.Node) (*guard.Guard, []guard.Held) {
	for _, v := range facts.Visits(n) {
		g := v.Guard
		if v.Standing != guard.Guarded || g.Kind != guard.LookUp || clocked(v.Root) || !facts.SameStore(g.Node, n) {
			continue
		}
		late := slices.DeleteFunc(events(facts.HeldBy(g, guard.Guarded)), func(h guard.Held) bool {
			at := slices.Index(v.Path, h.Effect.Node)
			return h.Effect.Node == n || at < 0 || recorded(facts, g, v.Path[:at+1])
		})
		if len(late) > 0 {
			return g, late
		}
	}
	return nil, nil
}

func reportLate(p *lint.Pass, n *graph.Node, look *guard.Guard, late []guard.Held) {
	severity, _ := lint.GuardGrade(late)
	first := late[0].Effect.Node.Name
	p.Report(lint.Finding{
		At: insertPlace(p.Facts, n, look), Node: n, Severity: severity, Confidence: lint.High,
		Message: fmt.Sprintf("%q is written only after %q: until then a second delivery passes %q and does it again; claim the event first", n.Name, first, look.Node.Name),
		Flow:    lint.Way(late[0].Exposure, "starts for each event", "happens before the record is there"),
		Related: append([]lint.Related{{At: look.At, Node: look.Node, Message: "looks for the record"}}, lint.Behind(late, "happens before the record is there")...),
		Fix:     fmt.Sprintf("Write the record with the state 'pending' before %q, by a statement that only one execution wins (INSERT … ON CONFLICT DO NOTHING RETURNING, and an IF on the returned key), and set it to 'done' where %q is now.", first, n.Name),
	})
}

// recorded reports whether a node on a way writes the record that the look-up asks for.
func recorded(facts *guard.Facts, look *guard.Guard, way []*graph.Node) bool {
	return slices.ContainsFunc(way, func(n *graph.Node) bool { return facts.MakesRow(n) && facts.SameStore(look.Node, n) })
}
