package retry

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed blind_resend.md
var blindResendDoc string

// BlindResend reports second sends after an outcome that is not known.
func BlindResend() *lint.Rule {
	return &lint.Rule{
		ID:         "blind-resend",
		Title:      "an unknown outcome is treated as not sent",
		Family:     "retry",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        blindResendDoc,
		Check:      checkResend,
	}
}

func checkResend(p *lint.Pass) error {
	seen := map[*graph.Node]bool{}
	for _, r := range p.Facts.Resends() {
		if !seen[r.Second.Node] {
			seen[r.Second.Node] = true
			p.Report(resend(r))
		}
	}
	for _, r := range p.Facts.Rounds() {
		for _, h := range r.Acts {
			if r.Resends() && !seen[h.Effect.Node] {
				seen[h.Effect.Node] = true
				p.Report(sweepResend(r, h))
			}
		}
	}
	return nil
}

func resend(r guard.Resend) lint.Finding {
	first, second := r.First.Node.Name, r.Second.Node.Name
	f := lint.Finding{
		At: r.Second.At, Node: r.Second.Node, Severity: weight(r.Second), Confidence: certainty(r.First),
		Message: fmt.Sprintf("%q runs when %q has failed, but a failure may be an answer that was lost after the service has acted: then it is sent twice; ask first for a definite refusal, or lead the failure to review", second, first),
		Flow:    steps(r.Way, "may fail after it has acted", "sends again"),
		Fix:     fmt.Sprintf("Connect the failure of %q to a node that sets the row to 'review'. Send again only behind an IF that asks for a definite refusal:\n  {{ $json.error.status }}  number  is equal to  422\nor send a key that the service enforces.", first),
	}
	if r.First == r.Second {
		f.Message = fmt.Sprintf("the failure of %q leads back to it, but a failure may be an answer that was lost after the service has acted: then it is sent again each time; lead the failure to review", first)
	} else {
		f.Related = []lint.Related{{At: r.Outcome.At, Node: r.First.Node, Message: "its failure goes on"}}
	}
	return f
}

func steps(way []*graph.Node, first, last string) []lint.Step {
	list := make([]lint.Step, len(way))
	for i, n := range way {
		list[i] = lint.Step{At: n.Place(), Node: n, Message: n.Name}
	}
	if len(list) > 0 {
		list[0].Message += ": " + first
		list[len(list)-1].Message += ": " + last
	}
	return list
}

func certainty(e *guard.Effect) lint.Confidence {
	if e.Unsure || e.HTTP != nil && e.HTTP.AddressUnknown() {
		return lint.Medium
	}
	return lint.High
}

func sweepResend(r *guard.Round, h guard.Held) lint.Finding {
	return lint.Finding{
		At: h.Effect.At, Node: h.Effect.Node, Severity: weight(h.Effect), Confidence: lint.High,
		Message: fmt.Sprintf("%q sends for every row that %q finds too old, but such a row may have been sent before its run died; set it to review, or repeat only with a key that the service enforces", h.Effect.Node.Name, r.Row.Node.Name),
		Flow:    lint.Way(h.Exposure, "starts on its schedule", "sends again"),
		Related: []lint.Related{
			{At: r.Row.At, Node: r.Row.Node, Message: "looks for rows that were left over"},
			{At: r.Filler.Guard.At, Node: r.Filler.Guard.Node, Message: "claims the row before the first send"},
		},
		Fix: fmt.Sprintf("Replace %q by a node that sets the row to 'review' where it is still pending, and tell somebody who can look at the service.", h.Effect.Node.Name),
	}
}

// weight is the severity of an effect that is sent twice or never.
func weight(e *guard.Effect) lint.Severity {
	switch {
	case e.Log || e.Impact == catalog.Notice:
		return lint.Note
	case e.Impact == catalog.Money:
		return lint.Error
	}
	return lint.Warning
}
