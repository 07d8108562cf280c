package ingress

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed unverified_webhook.md
var unverifiedDoc string

// UnverifiedWebhook reports webhooks at which anybody can start the effects.
func UnverifiedWebhook() *lint.Rule {
	return &lint.Rule{
		ID:         "unverified-webhook",
		Title:      "a webhook at which anybody can start the side effects",
		Family:     "ingress",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        unverifiedDoc,
		Check:      checkUnverified,
	}
}

func checkUnverified(p *lint.Pass) error {
	for _, root := range webhooks(p) {
		if guard.Authenticated(root.Trigger) {
			continue
		}
		checks := p.Facts.Checks(root.Trigger)
		held := acts(p.Facts, root)
		open := p.Facts.Open(root.Trigger, checks)
		exposed := unchecked(p.Facts, held, open, checks)
		if len(exposed) > 0 {
			p.Report(unverified(p.Facts, root, exposed, checks))
		} else if c := unsure(checks); c != nil && len(held) > 0 {
			p.NotJudged(root.Trigger, fmt.Sprintf("whether %q verifies the request cannot be seen from the file", c.Node.Name))
		}
	}
	return nil
}

// act is something that a stranger could start.
type act struct {
	node *graph.Node
	held guard.Held // its Effect is nil for a change that is the same when done twice
}

// acts are the effects behind a webhook and the changes that are no effect to a
// repeat, such as an update or a deletion, which a stranger may want as well.
func acts(facts *guard.Facts, root guard.Root) (list []act) {
	for _, h := range effects(facts, root) {
		list = append(list, act{place(h, root.Trigger.Workflow), h})
	}
	for _, n := range facts.Nodes() {
		if facts.Operation(n).Kind == catalog.Idempotent && visited(facts, root, n) {
			list = append(list, act{node: n})
		}
	}
	return list
}

func visited(facts *guard.Facts, root guard.Root, n *graph.Node) bool {
	return slices.ContainsFunc(facts.Visits(n), func(v guard.Visit) bool { return v.Root.Trigger == root.Trigger })
}

// unchecked are the acts that a request comes to unverified. Where a check
// follows on the way, it comes too late, and that is another rule's finding.
func unchecked(facts *guard.Facts, held []act, open map[*graph.Node]bool, checks []guard.Check) (list []act) {
	for _, a := range held {
		isCheck := slices.ContainsFunc(checks, func(c guard.Check) bool { return c.Node == a.node })
		if open[a.node] && !isCheck && lateCheck(facts, a.node, checks, open) == nil {
			list = append(list, a)
		}
	}
	return list
}

// lateCheck is a check that runs behind a node that runs unverified.
func lateCheck(facts *guard.Facts, n *graph.Node, checks []guard.Check, open map[*graph.Node]bool) *guard.Check {
	for _, c := range checks {
		if c.Sure && open[c.Node] && facts.RunsBehind(n, c.Node) {
			return &c
		}
	}
	return nil
}

func unsure(checks []guard.Check) *guard.Check {
	for _, c := range checks {
		if !c.Sure {
			return &c
		}
	}
	return nil
}

func unverified(facts *guard.Facts, root guard.Root, exposed []act, checks []guard.Check) lint.Finding {
	w := root.Trigger
	missing := "nothing checks a login, a token or a signature before it"
	if len(checks) > 0 {
		missing = fmt.Sprintf("a request comes to it that %q has not accepted", checks[0].Node.Name)
	}
	f := lint.Finding{
		At: setting(w, "authentication", "path"), Node: w, Severity: strangers(exposed), Confidence: lint.High,
		Message: fmt.Sprintf("%q takes requests from anybody who knows its address, and %q acts on them: %s; set Authentication", w.Name, exposed[0].node.Name, missing),
		Fix:     fmt.Sprintf("Set Authentication of %q to Header Auth and give the sender the header; a sender that signs its requests is checked by an HMAC over the raw body (option Raw Body) in the first node, which throws when it does not match.", w.Name),
		Related: related(exposed),
	}
	if s, ok := facts.Sender(w); ok && s.Signature != "-" {
		f.Message = fmt.Sprintf("%q takes requests from anybody who knows its address, and %q acts on them: %s proves its requests by %s, and %s", w.Name, exposed[0].node.Name, s.Name, s.Signature, missing)
	}
	if facts.ForBrowsers(w) {
		f.Severity, f.Confidence = f.Severity.Lower(), lint.Medium
		f.Message = fmt.Sprintf("%q takes requests from anybody who knows its address, and %q acts on them: %s; a page cannot keep a secret, so limit what a request can do by a captcha, a one-time token in the link or a limit per sender", w.Name, exposed[0].node.Name, missing)
		f.Fix = fmt.Sprintf("Put a check behind %q: a captcha token asked of the captcha's service, a token that the link carries once and a table remembers, and limits on what the fields may hold.", w.Name)
	}
	return f
}

// strangers is the severity of what anybody can start.
func strangers(exposed []act) lint.Severity {
	var held []guard.Held
	for _, a := range exposed {
		if a.held.Effect != nil {
			held = append(held, a.held)
		}
	}
	return weight(held)
}

func related(exposed []act) (list []lint.Related) {
	seen := map[*graph.Node]bool{}
	for _, a := range exposed {
		if !seen[a.node] {
			seen[a.node] = true
			list = append(list, lint.Related{At: a.node.Place(), Node: a.node, Message: "anybody can start this"})
		}
	}
	return list
}
