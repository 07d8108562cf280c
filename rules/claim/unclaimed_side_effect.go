// Package claim holds the rules about claims: the one statement that decides
// which execution may act.
package claim

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed unclaimed_side_effect.md
var unclaimedDoc string

// UnclaimedSideEffect reports effects that a trigger can reach without crossing
// a claim's winning edge.
func UnclaimedSideEffect() *lint.Rule {
	return &lint.Rule{
		ID:         "unclaimed-side-effect",
		Title:      "a side effect that a repeated event repeats",
		Family:     "claim",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        unclaimedDoc,
		Check:      checkUnclaimed,
	}
}

func checkUnclaimed(p *lint.Pass) error {
	for _, e := range p.Facts.Effects {
		if e.Agent != nil || silencedByKey(e) {
			continue
		}
		if e.HTTP != nil && e.HTTP.AddressUnknown() {
			p.NotJudged(e.Node, "where its request goes is an expression, so it may as well only read")
			continue
		}
		if x, severity, ok := worst(p.Facts, e); ok {
			p.Report(unclaimed(p.Facts, e, x, severity))
		}
	}
	return nil
}

// silencedByKey: a stable key at an enforcing service protects; a volatile,
// constant or ignored one is another rule's finding.
func silencedByKey(e *guard.Effect) bool {
	return e.Key != nil && (e.Key.Enforced != guard.UnknownHost || e.Key.Volatile != "" || e.Key.Constant)
}

// worst finds the trigger that an unprotected way leads from and that weighs most.
func worst(facts *guard.Facts, e *guard.Effect) (worst guard.Exposure, severity lint.Severity, found bool) {
	for _, x := range e.Exposures {
		if x.Standing != guard.Plain || lint.IsAlert(e, x) || facts.Spoken(e, x) || facts.Parted(e, x) {
			continue
		}
		s, ok := grade(e, x)
		if ok && (!found || s > severity) {
			worst, severity, found = x, s, true
		}
	}
	return worst, severity, found
}

func grade(e *guard.Effect, x guard.Exposure) (lint.Severity, bool) {
	s, ok := lint.EffectGrade(e, x)
	if e.Key != nil {
		s = s.Lower()
	}
	return s, ok
}

func unclaimed(facts *guard.Facts, e *guard.Effect, x guard.Exposure, s lint.Severity) lint.Finding {
	f := lint.Finding{
		At: e.At, Node: e.Node, Severity: s, Confidence: lint.High,
		Message: fmt.Sprintf("%q %s once more for %s from %q: nothing on the way recognises a repeat; claim the event before it",
			e.Node.Name, does(e), repeats(x.Root), x.Root.Trigger.Name),
		Flow: lint.Way(x, "starts for each event", does(e)+" again"),
		Fix:  claimFix(facts, e, x),
	}
	switch {
	case e.Key != nil:
		f.Confidence = lint.Low
		f.Message = fmt.Sprintf("%q %s once more for %s from %q, unless the service honours the key that it sends; claim the event before it where the service does not say so",
			e.Node.Name, does(e), repeats(x.Root), x.Root.Trigger.Name)
	case e.MaybeUnique:
		f.Confidence = lint.Medium
		f.Message = fmt.Sprintf("%q %s once more for %s from %q, unless the table has a unique key that refuses it; claim the event by that key before everything else",
			e.Node.Name, does(e), repeats(x.Root), x.Root.Trigger.Name)
	case e.Unsure, facts.Contested(e, x):
		f.Confidence = lint.Medium
	}
	return f
}

// does says what a repeat does, as a verb with its object.
func does(e *guard.Effect) string {
	host := ""
	if e.HTTP != nil {
		host = e.HTTP.Host()
	}
	switch {
	case e.Impact == catalog.Money:
		return "makes its " + moneyWord(e)
	case e.Impact == catalog.Message:
		return "sends its message"
	case e.Impact == catalog.Notice:
		return "posts its notice"
	case host != "":
		return "calls " + host
	case e.HTTP != nil:
		return "makes its request"
	case slices.ContainsFunc(catalog.Words(e.Name), func(w string) bool { return slices.Contains(starting, w) }):
		return "starts its job"
	}
	return "writes its record"
}

// starting are the words of operations that set something going.
var starting = []string{"trigger", "run", "start", "dispatch", "execute", "launch"}

var moneyWords = []string{"invoice", "payout", "refund", "order", "subscription", "bill", "estimate", "payment", "charge", "transfer", "trade", "receipt", "quote"}

// moneyWord is the thing that costs money, where the node's resource or the end
// of the request's path names it.
func moneyWord(e *guard.Effect) string {
	words := catalog.Words(e.Resource)
	if e.HTTP != nil {
		words = append(words, pathWords(e.HTTP)...)
	}
	for _, w := range words {
		for _, money := range moneyWords {
			if strings.HasSuffix(strings.TrimSuffix(w, "s"), money) { // also salesreceipt
				return money
			}
		}
	}
	return "payment or order"
}

// pathWords are the words of the address's literal text, the last ones first.
func pathWords(r *catalog.Request) (words []string) {
	for _, p := range r.URL.Parts {
		path, _, _ := strings.Cut(p.Literal, "?")
		words = append(words, catalog.Words(path)...)
	}
	slices.Reverse(words)
	return words
}

func repeats(r guard.Root) string {
	switch r.Class {
	case catalog.Event:
		return "a second delivery of the same event"
	case catalog.Form:
		switch r.Trigger.Type {
		case "n8n-nodes-base.webhook":
			return "a second press of the same button"
		case "@n8n/n8n-nodes-langchain.chatTrigger":
			return "the same message sent twice"
		}
		return "a second submission of the same form"
	case catalog.Called:
		return "a second call for the same work"
	}
	return "a second run over the same item"
}

// claimFix is the provider's own key where there is one, or a claim.
func claimFix(facts *guard.Facts, e *guard.Effect, x guard.Exposure) string {
	claim := claimSQL(facts, e.Node.Name, x)
	if r := e.HTTP; r != nil && r.Verdict.Provider != nil && r.Verdict.Provider.Class == httpcall.ClassEnforcing && e.Key == nil {
		p := r.Verdict.Provider
		switch p.Mechanism {
		case httpcall.MechanismHeader, httpcall.MechanismBody, httpcall.MechanismQuery:
			return fmt.Sprintf("%s recognises repeats by the %s %s: send it with a value made from the event, such as an order id, not from $execution or $now.\nOr put a claim%s",
				p.Service, p.Mechanism, p.Names[0], claim)
		}
	}
	return "Put a claim" + claim
}

// claimSQL goes on after "put a claim". A claim behind the trigger covers all
// effects of the event at once; a schedule brings no event, so there each row
// is claimed before what is done for it.
func claimSQL(facts *guard.Facts, effect string, x guard.Exposure) string {
	trigger := x.Root.Trigger.Name
	id := facts.EventID(x.Root)
	if clocked(x.Root) {
		return claimOf("<the row's id, with the date where it is due each day>", "before it", fmt.Sprintf("%q", effect), "the row as $('<the node that brings it>').item")
	}
	if id == "" && x.Root.Class == catalog.Form {
		id = "<what a person may send only once, such as the address>"
	}
	return claimOf(id, fmt.Sprintf("right behind %q, one for all that the event causes", trigger), "what stood behind the trigger", fmt.Sprintf("the event as $('%s').item", trigger))
}

func claimOf(id, place, onwards, item string) string {
	if id == "" {
		id = "<the event's id>"
	}
	return fmt.Sprintf(` %s: a Postgres node, Execute Query,
  INSERT INTO claims (event_key, status) VALUES ($1, 'pending')
  ON CONFLICT (event_key) DO NOTHING RETURNING event_key;
with the query parameter {{ [ %s ] }},
then an IF node that asks whether {{ $json.event_key }} exists, its true output connected to %s.
The IF is needed: the node gives the loser an item as well. Behind it the item is the claim's row: read %s there.`, place, id, onwards, item)
}
