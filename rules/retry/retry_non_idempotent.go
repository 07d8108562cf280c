// Package retry holds the rules about doing again what may have been done.
package retry

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed retry_non_idempotent.md
var nonIdempotentDoc string

// NonIdempotent reports Retry On Fail on nodes whose effect a second try repeats.
func NonIdempotent() *lint.Rule {
	return &lint.Rule{
		ID:         "retry-non-idempotent",
		Title:      "a retry that repeats the side effect",
		Family:     "retry",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        nonIdempotentDoc,
		Check:      checkRetry,
	}
}

func checkRetry(p *lint.Pass) error {
	for _, r := range p.Facts.Retried {
		if r.Effect.Key.SurvivesRetry() {
			continue
		}
		p.Report(finding(r))
	}
	return nil
}

func finding(r guard.Retry) lint.Finding {
	n := r.Node
	f := lint.Finding{
		At: pair(n.Setting("retryOnFail")), Node: n,
		Severity: severity(r), Confidence: lint.High,
		Message: message(r),
		Fix:     fix(r),
	}
	if r.Effect.Node != n {
		f.Related = []lint.Related{{At: r.Effect.At, Node: r.Effect.Node, Message: "this is done again"}}
	}
	switch {
	case r.Effect.Key != nil && r.Effect.Key.Enforced == guard.UnknownHost && r.Effect.Key.Volatile == "",
		r.Effect.HTTP != nil && r.Effect.HTTP.AddressUnknown():
		f.Confidence = lint.Low
	case r.Effect.Unsure:
		f.Confidence = lint.Medium
	}
	return f
}

// severity is an error for money and a warning else, and a note where the
// effect itself is worth a note at most (RULES.md, Severity).
func severity(r guard.Retry) lint.Severity {
	worst := lint.Note
	for _, class := range r.Classes {
		if s, ok := lint.Grade(r.Effect.Impact, class); ok && !r.Effect.Log {
			worst = max(worst, s)
		}
	}
	switch {
	case worst == lint.Note:
		return lint.Note
	case r.Effect.Impact == catalog.Money:
		return lint.Error
	}
	return lint.Warning
}

func message(r guard.Retry) string {
	n, e := r.Node, r.Effect
	what := repeats(e)
	if e.Node != n {
		what = fmt.Sprintf("each try may run %q again", e.Node.Name)
	}
	switch {
	case e.Key != nil && e.Key.PerTry != "":
		what += fmt.Sprintf(", because its key is made anew each time (%s)", e.Key.PerTry)
	case e.Key != nil && e.Key.Enforced == guard.UnknownHost:
		what += ", unless the service honours the key that it sends"
	}
	items := " with all its items"
	if n.ExecuteOnce {
		items = ""
	}
	return fmt.Sprintf("%q is tried up to %d times%s: when an answer is lost after the service has acted, %s; switch Retry On Fail off here, whatever another linter said about it", n.Name, n.MaxTries, items, what)
}

func repeats(e *guard.Effect) string {
	switch {
	case e.Impact == catalog.Money:
		return "each try may move money again"
	case e.Impact == catalog.Message:
		return "each try may send the message again"
	case e.Impact == catalog.Notice:
		return "each try may post the notice again"
	case e.HTTP != nil:
		return "each try may make the request again"
	}
	return "each try may write the record again"
}

// failing says what a failure should lead to instead of a retry.
func failing(n *graph.Node) string {
	text := fmt.Sprintf("In the settings of %q switch Retry On Fail off", n.Name)
	switch {
	case loops(n):
		return text + " and set On Error to \"Continue (using error output)\"; lead the error output to a review state, because the outcome is not known, and from there back into the loop."
	case n.Workflow.Settings.ErrorWorkflow != "":
		return text + " and leave On Error at \"Stop Workflow\": the outcome is not known, and the error workflow says so."
	}
	return text + " and set On Error to \"Continue (using error output)\"; lead the error output to a review state, because the outcome is not known."
}

// loops reports whether a way leads from a node back to it.
func loops(n *graph.Node) bool {
	for _, e := range n.MainOut() {
		if e.To == n || graph.Reachable(e.To, nil)[n] {
			return true
		}
	}
	return false
}

func fix(r guard.Retry) string {
	text := failing(r.Node)
	if r.Effect.HTTP == nil || r.Effect.Node != r.Node {
		return text
	}
	if p := r.Effect.HTTP.Verdict.Provider; p != nil && p.Class == httpcall.ClassEnforcing && len(p.Names) > 0 {
		return text + fmt.Sprintf("\nOr keep the retry and send the %s %s with a value made from the event, not from $now or a random value: %s recognises the repeat.", p.Mechanism, p.Names[0], p.Service)
	}
	return text + "\nA retry is safe only where the service honours an idempotency key made from the event, not from $now or a random value."
}

// pair is a key with its value.
func pair(v source.Value) source.Span {
	s := v.KeySpan()
	s.End = v.Span().End
	return s
}
