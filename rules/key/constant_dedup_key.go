package key

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed constant_dedup_key.md
var constantDoc string

// ConstantDedupKey reports keys that are the same for every event.
func ConstantDedupKey() *lint.Rule {
	return &lint.Rule{
		ID:         "constant-dedup-key",
		Title:      "a key that is the same for every event",
		Family:     "key",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        constantDoc,
		Check:      checkConstant,
	}
}

func checkConstant(p *lint.Pass) error {
	// The parts of one key are judged together: one part that varies is enough.
	for _, uses := range together(p.Facts.Keys()) {
		if f, ok := constantFinding(p.Facts, uses); ok {
			p.Report(f)
		}
	}
	return nil
}

// together groups the positions of one guard or one request.
func together(all []guard.KeyUse) (groups [][]guard.KeyUse) {
	for _, use := range all {
		if n := len(groups); n > 0 && groups[n-1][0].Node == use.Node && groups[n-1][0].Guard == use.Guard && use.Guard != nil {
			groups[n-1] = append(groups[n-1], use)
			continue
		}
		groups = append(groups, []guard.KeyUse{use})
	}
	return groups
}

func constantFinding(facts *guard.Facts, uses []guard.KeyUse) (lint.Finding, bool) {
	use := uses[0]
	if use.Guard == nil && use.Effect == nil || use.Guard != nil && (use.Guard.Kind == guard.LookUp || use.Guard.Kind == guard.Claim && !use.Guard.Proven) || use.Named && use.Effect == nil {
		return lint.Finding{}, false // a row that is one of its kind by purpose
	}
	if facts.ByHand(use.Node) {
		return lint.Finding{}, false
	}
	missing := false
	for _, u := range uses {
		constant, without := isConstant(u.Trace)
		if !constant {
			return lint.Finding{}, false
		}
		missing = missing || without
	}
	return lint.Finding{
		At: use.At, Node: use.Node, Severity: severity(facts, use), Confidence: lint.High,
		Message: constantMessage(use, missing),
		Fix:     fmt.Sprintf("Make the %s of what names the event, as an expression: it begins with = and reads the event's id, such as ={{ $json.body.id }} behind a Webhook.", use.Position),
		Key:     use.Position,
	}, true
}

// isConstant reports whether a value is the same for every event, and whether
// that is because the field it reads cannot exist.
func isConstant(t flow.Trace) (constant, missing bool) {
	if t.Incomplete {
		return false, false
	}
	if t.Literal {
		return true, false
	}
	for _, o := range t.Origins {
		switch o.Kind {
		case flow.Missing:
			missing = true
		case flow.Constant:
		default:
			return false, false
		}
	}
	return len(t.Origins) > 0, missing
}

func constantMessage(use guard.KeyUse, missing bool) string {
	why := "the same text for every event"
	switch {
	case missing:
		why = "made of a field that the item does not have there"
	case looksLikeExpression(use.Trace.Text):
		why = "the text itself, because an expression begins with ="
	}
	what := "everything after the first event is taken for a repeat and dropped"
	if use.Effect != nil && use.Guard == nil {
		what = "the service takes every request after the first for a repeat"
	}
	return fmt.Sprintf("the key of %q (%s) is %s: %s; make it of what names the event", use.Node.Name, use.Position, why, what)
}
