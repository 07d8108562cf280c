// Package ingress holds the rules about the door: when a sender gets its answer,
// and who may knock.
package ingress

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

const webhookNode = "n8n-nodes-base.webhook"

// webhooks are the Webhook nodes that n8n lets events in by: those that it
// refuses are another rule's finding.
func webhooks(p *lint.Pass) (list []guard.Root) {
	for _, root := range p.Facts.Triggers {
		if root.Trigger.Type != webhookNode {
			continue
		}
		if _, refused := p.Facts.Refused(root.Trigger); !refused {
			list = append(list, root)
		}
	}
	return list
}

// effects are what the events of a webhook do, called workflows and an agent's
// tools included, one each; what tells an operator of a failure is none.
func effects(facts *guard.Facts, root guard.Root) (list []guard.Held) {
	set := []*guard.Facts{facts}
	if slices.ContainsFunc(facts.Nodes(), func(n *graph.Node) bool { _, known := facts.Callee(n); return known }) {
		set = facts.Set
	}
	for _, other := range set {
		for _, e := range other.Effects {
			if x, ok := exposure(other, e, root); ok {
				list = append(list, guard.Held{Effect: e, Exposure: x})
			}
		}
	}
	return list
}

func exposure(facts *guard.Facts, e *guard.Effect, root guard.Root) (guard.Exposure, bool) {
	for _, x := range e.Exposures {
		if x.Root.Trigger == root.Trigger && !lint.IsAlert(e, x) {
			return x, true
		}
	}
	if e.Agent == nil || facts.Workflow != root.Trigger.Workflow {
		return guard.Exposure{}, false
	}
	for _, v := range facts.Visits(e.Agent) {
		if v.Root.Trigger == root.Trigger {
			return guard.Exposure{Root: v.Root, Standing: v.Standing, Guard: v.Guard, Path: v.Path}, true
		}
	}
	return guard.Exposure{}, false
}

// place is the node of the webhook's own workflow at which an effect happens:
// itself, or the agent or call that does it.
func place(h guard.Held, w *graph.Workflow) *graph.Node {
	if h.Effect.Agent != nil {
		return h.Effect.Agent
	}
	if h.Effect.Node.Workflow == w {
		return h.Effect.Node
	}
	for _, n := range slices.Backward(h.Exposure.Path) {
		if n.Workflow == w {
			return n
		}
	}
	return h.Effect.Node
}

// weight is the severity of a fault at the door: an error where money is behind
// it, a warning otherwise.
func weight(held []guard.Held) lint.Severity {
	if slices.ContainsFunc(held, func(h guard.Held) bool { return h.Effect.Impact == catalog.Money }) {
		return lint.Error
	}
	return lint.Warning
}

// repeated reports whether a second delivery would do an effect again: no claim
// and no key at an enforcing service keeps it from that.
func repeated(held []guard.Held) bool {
	return slices.ContainsFunc(held, func(h guard.Held) bool {
		return h.Exposure.Standing != guard.Winner && !h.Effect.Key.Protects()
	})
}

// setting is the place of a parameter of a node, or of the next one that the
// export has, or the node's name.
func setting(n *graph.Node, keys ...string) source.Span {
	for _, key := range keys {
		if v := n.Parameter(key); v.Exists() {
			return v.Span()
		}
	}
	return n.Place()
}

// waitingPerson reports whether somebody looks at the answer.
func waitingPerson(facts *guard.Facts, webhook *graph.Node) bool { return facts.ForBrowsers(webhook) }

// event reports whether a webhook's payload matters: one that nobody reads is a
// button.
func event(root guard.Root) bool { return root.Class == catalog.Event }
