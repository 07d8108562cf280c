package ingress

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed ack_before_record.md
var ackBeforeRecordDoc string

// AckBeforeRecord reports events that are acknowledged before anything keeps
// them.
func AckBeforeRecord() *lint.Rule {
	return &lint.Rule{
		ID:         "ack-before-record",
		Title:      "an event that is acknowledged before anything keeps it",
		Family:     "ingress",
		Severity:   lint.Note,
		Confidence: lint.Medium,
		Default:    true,
		Doc:        ackBeforeRecordDoc,
		Check:      checkAckBeforeRecord,
	}
}

func checkAckBeforeRecord(p *lint.Pass) error {
	for _, root := range webhooks(p) {
		if !event(root) || waitingPerson(p.Facts, root.Trigger) || slow(p.Facts, root) || len(despite(p.Facts, root)) > 0 {
			continue
		}
		for _, answer := range early(p.Facts, root.Trigger) {
			if d, lost := p.Facts.Unrecorded(root.Trigger, answer); lost {
				p.Report(unrecorded(root, answer, d))
			}
		}
	}
	return nil
}

// early are the nodes that answer before the work: the webhook itself in the
// mode onReceived, or Respond nodes that nothing durable stands before. An
// answer with a result is a caller's, who sees that something is missing.
func early(facts *guard.Facts, webhook *graph.Node) (list []*graph.Node) {
	mode, _ := guard.ResponseMode(webhook)
	if mode == guard.OnReceived {
		return []*graph.Node{webhook}
	}
	if mode != guard.ResponseNode {
		return nil
	}
	for _, a := range facts.Answers(webhook) {
		if !a.Failed && a.Code < 400 && !slices.ContainsFunc(a.Before, func(n *graph.Node) bool { return facts.Operation(n).Writes() }) && !facts.CarriesResult(a) {
			list = append(list, a.Node)
		}
	}
	return list
}

func unrecorded(root guard.Root, answer *graph.Node, d guard.Delay) lint.Finding {
	return lint.Finding{
		At: setting(answer, "responseMode", "respondWith", "path"), Node: answer, Severity: lint.Note, Confidence: lint.Medium,
		Message: fmt.Sprintf("%q acknowledges the event before anything keeps it, and %q %s next: a crash there loses the event, because the sender will not deliver it again; write it down first",
			answer.Name, d.Node.Name, d.What),
		Related: []lint.Related{{At: d.Node.Place(), Node: d.Node, Message: "runs before the event is recorded: it " + d.What}},
		Fix: fmt.Sprintf("Make a row for the event the first step behind %q: the event's id, its body and the state 'pending'. Answer 200 behind that row, by a Respond to Webhook node, and set the row to 'done' at the end; a scheduled workflow looks for rows that stay pending.",
			root.Trigger.Name),
	}
}
