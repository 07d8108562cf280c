package state

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed state_mismatch.md
var stateMismatchDoc string

// Mismatch reports sweeps and guards that wait for a state nobody writes.
func Mismatch() *lint.Rule {
	return &lint.Rule{
		ID:         "state-mismatch",
		Title:      "a state that is asked for and never written",
		Family:     "state",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        stateMismatchDoc,
		Check:      checkMismatch,
	}
}

func checkMismatch(p *lint.Pass) error {
	for _, u := range p.Facts.UnwrittenStates() {
		p.Report(mismatch(u))
	}
	return nil
}

func mismatch(u guard.Unwritten) lint.Finding {
	g := u.Claim.Guard
	return lint.Finding{
		At: u.State.At, Node: u.Row.Node, Severity: lint.Error, Confidence: lint.High, Key: u.State.Column,
		Message: fmt.Sprintf("%q asks for rows whose %s is %q, and nothing writes that into %s (what is written: %s): it never finds one; use one word for one state",
			u.Row.Node.Name, u.State.Column, u.State.Text, table(u.Row.Target), quoted(u.Written)),
		Related: []lint.Related{{At: claimPlace(g), Node: g.Node, Message: "fills the table"}},
		Fix:     fmt.Sprintf("In %q ask for the state that %q writes, or let %q write %q.", u.Row.Node.Name, g.Node.Name, g.Node.Name, u.State.Text),
	}
}

// quoted lists states, each once.
func quoted(states []string) string {
	list := slices.Compact(slices.Sorted(slices.Values(states)))
	for i := range list {
		list[i] = strconv.Quote(list[i])
	}
	return strings.Join(list, ", ")
}
