package guard

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
)

// WebhookAddress is where a trigger listens: the path and the methods, upper
// case. ok is false for other triggers and where the path is an expression.
// Source: n8n-nodes-base 2.41.1, webhook descriptions; N8N.md section 3.
func WebhookAddress(n *graph.Node) (path string, methods []string, ok bool) {
	switch n.Type {
	case webhookNode:
		path = n.Parameter("path").Str()
		methods = webhookMethods(n)
	case "n8n-nodes-base.formTrigger":
		methods = []string{"GET", "POST"}
		if path = n.Parameter("path").Str(); path == "" {
			path = n.Parameter("options", "path").Str()
		}
	default:
		return "", nil, false
	}
	if path == "" {
		path = n.Value.Get("webhookId").Str()
	}
	path = strings.Trim(path, "/")
	return path, methods, path != "" && !strings.HasPrefix(path, "=")
}

func webhookMethods(n *graph.Node) (methods []string) {
	v := n.Parameter("httpMethod")
	if n.Parameter("multipleMethods").IsTrue() {
		for m := range v.Children() {
			methods = append(methods, strings.ToUpper(m.Str()))
		}
		if len(methods) == 0 {
			methods = []string{"GET", "POST"}
		}
		return methods
	}
	if v.Str() == "" {
		return []string{"GET"}
	}
	return []string{strings.ToUpper(v.Str())}
}

// listening is what n8n knows a webhook by.
type listening struct{ method, path string }

// listeners are the triggers of active workflows by where they listen.
type listeners map[listening][]*graph.Node

func listenersOf(workflows []*graph.Workflow) listeners {
	l := listeners{}
	for _, w := range workflows {
		if !w.Active || w.Archived || w.Blank() {
			continue
		}
		for _, n := range w.Nodes {
			path, methods, ok := WebhookAddress(n)
			if !ok || n.Disabled || !registered(n) {
				continue
			}
			for _, m := range methods {
				l[listening{m, path}] = append(l[listening{m, path}], n)
			}
		}
	}
	return l
}

// Rival is another trigger of an active workflow of the run at an address of
// this one, and the method they share; nil for none. A second file with the
// same workflow, as a backup has, is none.
func (f *Facts) Rival(n *graph.Node) (rival *graph.Node, method string) {
	path, methods, ok := WebhookAddress(n)
	if !ok || n.Disabled {
		return nil, ""
	}
	for _, m := range methods {
		at := f.listeners[listening{m, path}]
		if !slices.Contains(at, n) {
			return nil, ""
		}
		for _, other := range at {
			if other != n && !copies(other.Workflow, n.Workflow) {
				return other, m
			}
		}
	}
	return nil, ""
}

// registered reports whether n8n knows a webhook by its path alone: one without
// an id has its workflow and its own name in front of the path (N8N.md section 3).
func registered(n *graph.Node) bool { return n.Value.Get("webhookId").Str() != "" }

// copies reports whether two files hold the same workflow.
func copies(a, b *graph.Workflow) bool { return a != b && a.ID != "" && a.ID == b.ID }
