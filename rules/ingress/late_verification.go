package ingress

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed late_verification.md
var lateVerificationDoc string

// LateVerification reports signatures that are checked only behind a claim or an
// effect.
func LateVerification() *lint.Rule {
	return &lint.Rule{
		ID:         "late-verification",
		Title:      "a request that is verified after it has acted",
		Family:     "ingress",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        lateVerificationDoc,
		Check:      checkLateVerification,
	}
}

func checkLateVerification(p *lint.Pass) error {
	seen := map[*graph.Node]bool{}
	for _, root := range webhooks(p) {
		if guard.Authenticated(root.Trigger) {
			continue
		}
		checks := p.Facts.Checks(root.Trigger)
		open := p.Facts.Open(root.Trigger, checks)
		for _, e := range earlier(p.Facts, root) {
			c := lateCheck(p.Facts, e.node, checks, open)
			if !open[e.node] || c == nil || seen[c.Node] {
				continue
			}
			seen[c.Node] = true
			p.Report(late(p.Facts, root, e, c))
		}
	}
	return nil
}

// taken is what a forged request has done when it is found out.
type taken struct {
	node  *graph.Node
	claim bool
	held  []guard.Held
}

// earlier are the claims and effects of a webhook, rows that keep every request
// for the record left out.
func earlier(facts *guard.Facts, root guard.Root) (list []taken) {
	for _, g := range facts.Guards {
		if (g.Kind == guard.Claim || g.Kind == guard.Dedup) && visited(facts, root, g.Node) {
			list = append(list, taken{node: g.Node, claim: true})
		}
	}
	for _, h := range effects(facts, root) {
		if !h.Effect.Log {
			list = append(list, taken{node: place(h, root.Trigger.Workflow), held: []guard.Held{h}})
		}
	}
	return list
}

func late(facts *guard.Facts, root guard.Root, e taken, c *guard.Check) lint.Finding {
	f := lint.Finding{
		At: c.At, Node: c.Node, Confidence: lint.High,
		Message: fmt.Sprintf("%q checks the request only behind %q, which has acted by then: a forged request gets that far; check it directly behind %q", c.Node.Name, e.node.Name, root.Trigger.Name),
		Related: []lint.Related{{At: facts.Operation(e.node).At, Node: e.node, Message: "runs for forged requests too"}},
		Fix:     fmt.Sprintf("Move %q between %q and %q.", c.Node.Name, root.Trigger.Name, e.node.Name),
	}
	if e.claim {
		f.Message = fmt.Sprintf("%q checks the request only behind %q: a forged request takes the key of a real event, which is then dropped as a repeat; check it directly behind %q", c.Node.Name, e.node.Name, root.Trigger.Name)
		e.held = effects(facts, root)
	}
	f.Severity = weight(e.held)
	return f
}
