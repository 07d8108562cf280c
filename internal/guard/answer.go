package guard

import (
	"github.com/n8nlint/n8nlint/internal/graph"
)

const (
	respondNode = "n8n-nodes-base.respondToWebhook"
	waitNode    = "n8n-nodes-base.wait"
)

// The response modes of a Webhook node (N8N.md section 3).
const (
	OnReceived   = "onReceived"
	LastNode     = "lastNode"
	ResponseNode = "responseNode"
	Streaming    = "streaming"
)

// ResponseMode says when a Webhook node answers, OnReceived where the export
// leaves it out. ok is false where the mode is an expression.
func ResponseMode(webhook *graph.Node) (mode string, ok bool) {
	switch mode = webhook.Parameter("responseMode").Str(); mode {
	case "":
		return OnReceived, true
	case OnReceived, LastNode, ResponseNode, Streaming:
		return mode, true
	}
	return mode, false
}

// Responders are the Respond to Webhook nodes that are connected behind a
// webhook, disabled ones included, in the order of the file. Those that answer
// a later request, because a Wait that is resumed from outside stands before
// them, are left out.
func (f *Facts) Responders(webhook *graph.Node) []*graph.Node { return responders(webhook) }

func responders(webhook *graph.Node) (list []*graph.Node) {
	for _, n := range inOrder(graph.Reachable(webhook, func(e *graph.Edge) bool { return answersItself(e.From) })) {
		if n.Type == respondNode {
			list = append(list, n)
		}
	}
	return list
}

// answersItself reports whether a node is a Wait whose own request is answered
// by a Respond to Webhook node behind it.
func answersItself(n *graph.Node) bool {
	if n.Type != waitNode || n.Disabled || n.Parameter("responseMode").Str() != ResponseNode {
		return false
	}
	resume := n.Parameter("resume").Str()
	return resume == "webhook" || resume == "form"
}

// Refused reports whether n8n refuses every delivery of a webhook before any
// node runs, because its response mode and the Respond to Webhook nodes behind
// it do not fit, and says why in half a sentence (N8N.md section 3). The check
// is made from typeVersion 2 on. A disabled Respond node is no evidence either
// way.
func (f *Facts) Refused(webhook *graph.Node) (reason string, ok bool) { return refused(webhook) }

func refused(webhook *graph.Node) (reason string, ok bool) {
	mode, known := ResponseMode(webhook)
	if webhook.Type != webhookNode || webhook.TypeVersion < 2 || webhook.Disabled || !known {
		return "", false
	}
	behind := responders(webhook)
	if mode == ResponseNode {
		return "it is to answer by a Respond to Webhook node, and none is connected behind it", len(behind) == 0
	}
	if mode == Streaming {
		return "", false
	}
	for _, n := range behind {
		if !n.Disabled {
			return "the Respond to Webhook node \"" + n.Name + "\" behind it is not allowed in the response mode " + mode, true
		}
	}
	return "", false
}
