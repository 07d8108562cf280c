package ingress

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed slow_ack.md
var slowAckDoc string

// SlowAck reports answers that wait for slow work.
func SlowAck() *lint.Rule {
	return &lint.Rule{
		ID:         "slow-ack",
		Title:      "a sender that waits for slow work and delivers again",
		Family:     "ingress",
		Severity:   lint.Error,
		Confidence: lint.Medium,
		Default:    true,
		Doc:        slowAckDoc,
		Check:      checkSlowAck,
	}
}

func checkSlowAck(p *lint.Pass) error {
	for _, root := range webhooks(p) {
		if _, known := guard.ResponseMode(root.Trigger); !known {
			p.NotJudged(root.Trigger, "when it answers is an expression")
			continue
		}
		for _, s := range slowAnswers(p.Facts, root) {
			if len(despite(p.Facts, root)) == 0 {
				p.Report(s.finding(p.Facts))
			}
		}
	}
	return nil
}

// slowAnswer is an answer with the work that its sender waits for.
type slowAnswer struct {
	guard.Answer
	root    guard.Root
	work    []guard.Delay
	effects []guard.Held
}

// slowAnswers are the answers of a webhook that come too late: not those that a
// person or a caller waits for because they hold what the work has made.
func slowAnswers(facts *guard.Facts, root guard.Root) (list []slowAnswer) {
	if !event(root) || waitingPerson(facts, root.Trigger) {
		return nil
	}
	held := effects(facts, root)
	if len(held) == 0 {
		return nil
	}
	for _, a := range facts.Answers(root.Trigger) {
		work := slowWork(facts, a.Before)
		if len(work) == 0 || a.Failed || a.Code >= 400 || facts.CarriesResult(a) {
			continue
		}
		list = append(list, slowAnswer{Answer: a, root: root, work: work, effects: held})
	}
	return list
}

// The number of calls of services that are slow together: of HTTP requests to
// servers of any kind, and of all calls.
const (
	slowRequests = 2
	slowCalls    = 3
)

// slowWork are the nodes that make an answer slow, nil where it is quick.
func slowWork(facts *guard.Facts, before []*graph.Node) (slow []guard.Delay) {
	var calls, requests []guard.Delay
	for _, n := range before {
		d := facts.Delay(n)
		switch {
		case d.Cost == guard.Slow:
			slow = append(slow, d)
		case d.Cost == guard.OneCall && facts.Operation(n).HTTP != nil:
			calls, requests = append(calls, d), append(requests, d)
		case d.Cost == guard.OneCall:
			calls = append(calls, d)
		}
	}
	switch {
	case len(slow) > 0:
		return slow
	case len(facts.InARow(requests)) >= slowRequests:
		return facts.InARow(requests)
	case len(facts.InARow(calls)) >= slowCalls:
		return facts.InARow(calls)
	}
	return nil
}

func (s slowAnswer) finding(facts *guard.Facts) lint.Finding {
	severity := weight(s.effects)
	if !repeated(s.effects) {
		severity = lint.Note
	}
	f := lint.Finding{
		At: setting(s.Node, "responseMode", "respondWith"), Node: s.Node, Severity: severity, Confidence: lint.Medium,
		Flow: lint.Way(s.effects[0].Exposure, "the sender waits from here", "may be done once more for the second delivery"),
		Fix:  s.fix(),
	}
	sender, wait := "the sender", "may give up and deliver the event again"
	if known, ok := facts.Sender(s.root.Trigger); ok {
		sender = known.Name
		if known.Patience != "" {
			wait = fmt.Sprintf("gives up after %s and delivers the event again", known.Patience)
		}
		f.Confidence = lint.High
		if !known.Redelivers {
			wait, f.Severity = "gives up and takes the delivery as failed", f.Severity.Lower()
		}
	}
	f.Message = fmt.Sprintf("%q answers only behind %s: %s %s while this run still works; record the event, answer, then work",
		s.Node.Name, named(s.work), sender, wait)
	for _, d := range s.work {
		f.Related = append(f.Related, lint.Related{At: d.Node.Place(), Node: d.Node, Message: "the sender waits for this: it " + d.What})
	}
	return f
}

// named lists nodes with what they do, three at the most.
func named(work []guard.Delay) string {
	const most = 3
	var parts []string
	for _, d := range work[:min(len(work), most)] {
		parts = append(parts, fmt.Sprintf("%q, which %s", d.Node.Name, d.What))
	}
	if len(work) > most {
		return strings.Join(parts, ", ") + fmt.Sprintf(", and %d more", len(work)-most)
	}
	return strings.Join(parts, ", and ")
}

func (s slowAnswer) fix() string {
	first := s.work[0].Node.Name
	if s.Node == s.Webhook {
		return fmt.Sprintf("Set Respond of %q to \"Using 'Respond to Webhook' Node\". Write the event into a table first, by INSERT … ON CONFLICT DO NOTHING RETURNING and an IF on the returned key, put a Respond to Webhook node with status 200 behind it, and %q behind that.", s.Webhook.Name, first)
	}
	return fmt.Sprintf("Move %q in front of %q: write the event into a table (INSERT … ON CONFLICT DO NOTHING RETURNING), answer 200, then go on. What fails behind the answer needs a state in that table, because the sender will not deliver again.", s.Node.Name, first)
}

// slow reports whether a webhook has a finding of slow-ack.
func slow(facts *guard.Facts, root guard.Root) bool {
	return len(slowAnswers(facts, root)) > 0
}
