package state

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed early_done.md
var earlyDoneDoc string

// EarlyDone reports final states that are written before the effect.
func EarlyDone() *lint.Rule {
	return &lint.Rule{
		ID:         "early-done",
		Title:      "the work is marked as done before it is done",
		Family:     "state",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        earlyDoneDoc,
		Check:      checkEarly,
	}
}

func checkEarly(p *lint.Pass) error {
	for _, m := range p.Facts.EarlyMarks() {
		if severity, ok := grade([]guard.Held{m.Effect}); ok {
			p.Report(early(m, severity))
		}
	}
	return nil
}

func early(m guard.EarlyMark, severity lint.Severity) lint.Finding {
	name, effect := m.Row.Node.Name, m.Effect.Effect
	how := fmt.Sprintf("%q writes the final state %q before %q runs", name, m.State.Text, effect.Node.Name)
	if !m.State.Known {
		how = fmt.Sprintf("%q fills %q before %q runs", name, m.State.Column, effect.Node.Name)
	}
	fix := fmt.Sprintf("Move %q behind %q, to the output of its success.", name, effect.Node.Name)
	if m.Row == m.Claim.Row {
		fix = fmt.Sprintf("Let %q write 'pending', and set the row to its final state behind %q.", name, effect.Node.Name)
	}
	return lint.Finding{
		At: m.State.At, Node: m.Row.Node, Severity: severity, Confidence: lint.High,
		Message: how + ": when the run fails or dies in between, the row says that it was done, and nobody does it; write it behind the effect",
		Flow:    lint.Way(m.Effect.Exposure, "starts for each event", "happens after its row says that it is done"),
		Related: []lint.Related{{At: effect.At, Node: effect.Node, Message: does(effect) + " afterwards"}},
		Fix:     fix,
	}
}
