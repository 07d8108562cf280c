package state

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed missing_done_mark.md
var missingDoneMarkDoc string

// MissingDoneMark reports claims that nothing ever sets to done.
func MissingDoneMark() *lint.Rule {
	return &lint.Rule{
		ID:         "missing-done-mark",
		Title:      "a claim that is never marked as done",
		Family:     "state",
		Severity:   lint.Error,
		Confidence: lint.Medium,
		Default:    true,
		Doc:        missingDoneMarkDoc,
		Check:      checkDoneMark,
	}
}

func checkDoneMark(p *lint.Pass) error {
	early := earlyClaims(p.Facts)
	for _, t := range p.Facts.Claims() {
		severity, ok := grade(t.Held)
		if !ok || early[t] {
			continue
		}
		done, hidden := p.Facts.Finished(t)
		switch {
		case done:
		case hidden != nil:
			p.NotJudged(hidden, "whether it marks the claim as done is not in the linted files")
		default:
			p.Report(neverDone(p.Facts, t, severity))
		}
	}
	return nil
}

// earlyClaims are the claims of which early-done speaks.
func earlyClaims(f *guard.Facts) map[*guard.Taken]bool {
	m := map[*guard.Taken]bool{}
	for _, e := range f.EarlyMarks() {
		m[e.Claim] = true
	}
	return m
}

func neverDone(f *guard.Facts, t *guard.Taken, severity lint.Severity) lint.Finding {
	g, h := t.Guard, strongest(t.Held)
	message := fmt.Sprintf("%q claims the event before %q, and nothing writes afterwards that it was done: a run that dies in between looks like a finished one, and the event is dropped when it comes again; set the row to done behind the effect",
		g.Node.Name, h.Effect.Node.Name)
	if g.Form == guard.RedisIncrement {
		message = fmt.Sprintf("the counter of %q has no room for a state: a run that dies before %q has acted looks like a finished one, and the event is dropped when it comes again; claim in a table with a state, or set a second key when it is done",
			g.Node.Name, h.Effect.Node.Name)
	}
	return lint.Finding{
		At: claimPlace(g), Node: g.Node, Severity: severity, Confidence: confidence(f), Message: message,
		Flow:    lint.Way(h.Exposure, "starts for each event", "nothing is written behind it"),
		Related: lint.Behind(t.Held, "may have happened or not"),
		Fix:     doneFix(t, h.Effect.Node.Name),
	}
}

func doneFix(t *guard.Taken, effect string) string {
	g := t.Guard
	switch {
	case g.Form == guard.RedisIncrement:
		return fmt.Sprintf("Behind %q add a Redis node, Set, whose key is the counter's with \":done\" behind it; a sweep can then tell finished events from lost ones.\nBetter: claim in a table that has a state.", effect)
	case g.Statement == nil:
		return fmt.Sprintf("Behind %q set the claim's row to 'done'.", effect)
	}
	return fmt.Sprintf("Behind %q add a node that runs\n  UPDATE %s SET status = 'done' WHERE %s = $1 AND status = 'pending';\nand let the claim write 'pending' (the table needs a column for it).", effect, table(t.Target), keyColumn(g))
}
