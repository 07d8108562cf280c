package state

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed missing_done_guard.md
var missingDoneGuardDoc string

// MissingDoneGuard reports done marks that do not ask for the state they expect.
func MissingDoneGuard() *lint.Rule {
	return &lint.Rule{
		ID:         "missing-done-guard",
		Title:      "a done mark that does not ask which state it replaces",
		Family:     "state",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        missingDoneGuardDoc,
		Check:      checkDoneGuard,
	}
}

func checkDoneGuard(p *lint.Pass) error {
	for _, m := range p.Facts.DoneMarks() {
		if severity, ok := grade(m.Claim.Held); ok && !m.Guarded {
			p.Report(unguarded(m, severity))
		}
	}
	return nil
}

func unguarded(m guard.DoneMark, severity lint.Severity) lint.Finding {
	g := m.Claim.Guard
	return lint.Finding{
		At: rowPlace(m.Row), Node: m.Row.Node, Severity: severity, Confidence: lint.High,
		Message: unguardedMessage(m),
		Related: []lint.Related{{At: claimPlace(g), Node: g.Node, Message: "fills the row"}},
		Fix:     unguardedFix(m),
	}
}

func unguardedMessage(m guard.DoneMark) string {
	name, text := m.Row.Node.Name, written(m.State)
	switch {
	case m.Wide:
		return fmt.Sprintf("%q asks only that the row is not done, so it turns a row in review to %s as well; ask for the one state that it expects", name, text)
	case !m.Row.Asking:
		return fmt.Sprintf("the row update of %q cannot ask for a state, so a late run turns a row in review to %s; use Execute Query, whose WHERE can", name, text)
	}
	return fmt.Sprintf("%q sets the row to %s whatever its state is, so a late run turns one in review back; ask for the state that it expects", name, text)
}

// written is a state as a message names it.
func written(s guard.State) string {
	if s.Known {
		return fmt.Sprintf("%q", s.Text)
	}
	return fmt.Sprintf("%q", s.Column)
}

func unguardedFix(m guard.DoneMark) string {
	name, column, expected := m.Row.Node.Name, m.State.Column, "pending"
	for _, s := range m.Claim.Row.Writes {
		if s.Column == column && s.Known {
			expected = s.Text
		}
	}
	switch {
	case m.Row.Statement != nil:
		return fmt.Sprintf("In %q add to the condition:\n  AND %s = '%s'", name, column, expected)
	case m.Row.Asking:
		return fmt.Sprintf("In %q add a filter, all of which must match: %s equals %s.", name, column, expected)
	}
	return fmt.Sprintf("Make %q an Execute Query:\n  UPDATE %s SET %s = '%s' WHERE %s = $1 AND %s = '%s';\nThe Supabase and the Data Table node can ask for a state in their filters.",
		name, table(m.Row.Target), column, m.State.Text, keyColumn(m.Claim.Guard), column, expected)
}
