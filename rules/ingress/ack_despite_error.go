package ingress

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed ack_despite_error.md
var ackDespiteErrorDoc string

// AckDespiteError reports records that may fail while the sender hears that all
// is well.
func AckDespiteError() *lint.Rule {
	return &lint.Rule{
		ID:         "ack-despite-error",
		Title:      "a failed record that is acknowledged all the same",
		Family:     "ingress",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        ackDespiteErrorDoc,
		Check:      checkAckDespiteError,
	}
}

func checkAckDespiteError(p *lint.Pass) error {
	seen := map[*graph.Node]bool{}
	for _, root := range webhooks(p) {
		for _, u := range despite(p.Facts, root) {
			if !seen[u.record] {
				seen[u.record] = true
				p.Report(u.finding())
			}
		}
	}
	return nil
}

// unkept is a record that may fail, and the answer that says otherwise.
type unkept struct {
	record  *graph.Node
	answer  guard.Answer
	effects []guard.Held
}

func despite(facts *guard.Facts, root guard.Root) (list []unkept) {
	if !event(root) {
		return nil
	}
	held := effects(facts, root)
	for _, a := range facts.Answers(root.Trigger) {
		if a.Code < 200 || a.Code >= 300 || facts.CarriesResult(a) {
			continue
		}
		for _, n := range a.Before {
			if keepsEvent(facts, n) && acknowledged(facts, n, a) && !keptElsewhere(facts, n, a) {
				list = append(list, unkept{n, a, held})
			}
		}
	}
	return list
}

// keepsEvent reports whether a node is the event's record: a claim, or a row
// that is there afterwards and was not before.
func keepsEvent(facts *guard.Facts, n *graph.Node) bool {
	op := facts.Operation(n)
	if op.HTTP != nil && op.Unsure {
		return false
	}
	return facts.Records(n) && (facts.MakesRow(n) || facts.Guard(n) != nil)
}

// acknowledged reports whether an execution in which the node failed gets this
// answer.
func acknowledged(facts *guard.Facts, n *graph.Node, a guard.Answer) bool {
	responders, ends := facts.FailsInto(n)
	if a.Node == a.Webhook {
		return ends
	}
	return slices.Contains(responders, a.Node)
}

// keptElsewhere reports whether another record must have succeeded before the
// answer.
func keptElsewhere(facts *guard.Facts, n *graph.Node, a guard.Answer) bool {
	return slices.ContainsFunc(a.Before, func(other *graph.Node) bool {
		return other != n && other.OnError == graph.StopWorkflow && facts.Records(other)
	})
}

func (u unkept) finding() lint.Finding {
	where := fmt.Sprintf("%q answers %d all the same", u.answer.Node.Name, u.answer.Code)
	related := []lint.Related{{At: setting(u.answer.Node, "responseMode", "respondWith"), Node: u.answer.Node, Message: "the sender hears that the event was taken"}}
	return lint.Finding{
		At: continues(u.record), Node: u.record, Severity: weight(u.effects), Confidence: lint.High,
		Message: fmt.Sprintf("%q may fail and the run goes on: %s, so the sender does not deliver again and nothing has kept the event; answer 500 when the record fails",
			u.record.Name, where),
		Related: related,
		Fix: fmt.Sprintf("Set On Error of %q to \"Stop Workflow\", which makes n8n answer 500; or to \"Continue (using error output)\", and lead that output to a Respond to Webhook node with the response code 500.",
			u.record.Name),
	}
}

// continues is the setting that lets a node's failure go on.
func continues(n *graph.Node) source.Span {
	for _, key := range []string{"onError", "continueOnFail"} {
		if v := n.Setting(key); v.Exists() {
			s := v.KeySpan()
			s.End = v.Span().End
			return s
		}
	}
	return n.Place()
}
