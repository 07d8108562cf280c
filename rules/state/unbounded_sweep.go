package state

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed unbounded_sweep.md
var unboundedSweepDoc string

// UnboundedSweep reports sweeps that take rows on which their claim is working.
func UnboundedSweep() *lint.Rule {
	return &lint.Rule{
		ID:         "unbounded-sweep",
		Title:      "a sweep that takes work in progress",
		Family:     "state",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        unboundedSweepDoc,
		Check:      checkUnbounded,
	}
}

func checkUnbounded(p *lint.Pass) error {
	for _, r := range p.Facts.Rounds() {
		if !r.Unbounded() {
			continue
		}
		if severity, ok := grade(r.Filler.Held); ok {
			p.Report(unbounded(r, severity))
		}
	}
	return nil
}

func unbounded(r *guard.Round, severity lint.Severity) lint.Finding {
	g, h := r.Filler.Guard, strongest(r.Filler.Held)
	return lint.Finding{
		At: rowPlace(r.Row), Node: r.Row.Node, Severity: severity, Confidence: lint.High,
		Message: fmt.Sprintf("%q takes every row that is still open, also one that %q has claimed a moment ago and %q is working on; ask for an age as well", r.Row.Node.Name, g.Node.Name, h.Effect.Node.Name),
		Related: []lint.Related{
			{At: claimPlace(g), Node: g.Node, Message: "claims the row"},
			{At: h.Effect.At, Node: h.Effect.Node, Message: does(h.Effect) + " while the row is open"},
		},
		Fix: fmt.Sprintf("In %q add an age that is longer than any run takes:\n  AND claimed_at < now() - interval '15 minutes'\nand let %q write claimed_at.", r.Row.Node.Name, g.Node.Name),
	}
}
