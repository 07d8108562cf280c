// Package state holds the rules about what follows a claim: done, review, and the
// sweeps that look for what was left over.
package state

import (
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

// grade is the severity of work that is lost or done twice: an error where money
// is behind it, a note where only notices and logs are.
func grade(held []guard.Held) (s lint.Severity, ok bool) {
	for _, h := range held {
		switch {
		case lint.IsAlert(h.Effect, h.Exposure):
			continue
		case h.Effect.Impact == catalog.Money:
			s = lint.Error
		case h.Effect.Impact != catalog.Notice && !h.Effect.Log:
			s = max(s, lint.Warning)
		}
		ok = true
	}
	return s, ok
}

// strongest is the effect that a message names.
func strongest(held []guard.Held) guard.Held {
	best := held[0]
	for _, h := range held[1:] {
		if lint.IsAlert(h.Effect, h.Exposure) {
			continue
		}
		if h.Effect.Impact.Stronger(best.Effect.Impact) || lint.IsAlert(best.Effect, best.Exposure) {
			best = h
		}
	}
	return best
}

// claimPlace is the text that makes a node a claim.
func claimPlace(g *guard.Guard) source.Span {
	if g.Statement == nil {
		return g.At
	}
	query := g.Node.Parameter("query")
	if c := g.Statement.Conflict; c != nil {
		return query.Inner(c.Start, c.End)
	}
	return query.Inner(g.Statement.Start, g.Statement.End)
}

// rowPlace is the condition of an access, or the operation that has none.
func rowPlace(a *guard.RowAccess) source.Span {
	if s := a.Statement; s != nil && s.Where != nil {
		return a.Node.Parameter("query").Inner(s.Where.Start, s.Where.End)
	}
	return a.At
}

// confidence is lower where the run holds one workflow: another may do it.
func confidence(f *guard.Facts) lint.Confidence {
	if f.Alone() {
		return lint.Medium
	}
	return lint.High
}

// table is what people call a table.
func table(t catalog.Target) string {
	if len(t.Names) == 0 || strings.HasPrefix(t.Names[len(t.Names)-1], "=") {
		return "the table"
	}
	return t.Names[len(t.Names)-1]
}

// keyColumn is the column by which the claim finds its row.
func keyColumn(g *guard.Guard) string {
	if len(g.Key) > 0 && !strings.ContainsAny(g.Key[0], "={} ") {
		return g.Key[0]
	}
	return "event_key"
}

// does says what an effect does.
func does(e *guard.Effect) string {
	switch e.Impact {
	case catalog.Money:
		return "moves money"
	case catalog.Message:
		return "sends its message"
	case catalog.Notice:
		return "posts its notice"
	}
	return "writes its record"
}
