package guard

import (
	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
)

const webhookNode = "n8n-nodes-base.webhook"

// class is the trigger's class; a webhook whose payload nobody reads is a
// button, which people press twice as they do forms (RULES: severity).
func (m *model) class(n *graph.Node, op catalog.Operation) catalog.Class {
	if n.Type == webhookNode && !m.payloadRead(n) {
		return catalog.Form
	}
	return op.Trigger
}

// payloadRead reports whether anything behind the trigger uses what the event
// brought, by the trigger's name or as the current item while it is still the
// event's.
func (m *model) payloadRead(trigger *graph.Node) bool {
	for _, n := range m.workflow.Nodes {
		for _, r := range m.allReferences(n) {
			if r.Kind == expr.NameNode && r.Name == trigger.Name {
				return true
			}
		}
	}
	seen := map[*graph.Node]bool{trigger: true}
	todo := []*graph.Node{trigger}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		for _, e := range n.Out {
			if e.Kind != graph.Main || seen[e.To] {
				continue
			}
			seen[e.To] = true
			if m.takesItem(e.To) {
				return true
			}
			if !m.replacesItem(e.To) {
				todo = append(todo, e.To)
			}
		}
	}
	return false
}

func (m *model) allReferences(n *graph.Node) []expr.Name {
	refs := m.references(n)
	if code, _ := catalog.CodeOf(n); code.Exists() {
		if p := m.eval.code(code.Str()); p != nil {
			refs = append(refs[:len(refs):len(refs)], p.References()...)
		}
	}
	return refs
}

// takesItem reports whether a node uses the item that it gets: by an
// expression, in code that cannot be read, by mapping all fields, or by
// passing it on to another workflow.
func (m *model) takesItem(n *graph.Node) bool {
	if n.Disabled {
		return false
	}
	for _, r := range m.allReferences(n) {
		if r.Kind == expr.NameItem {
			return true
		}
	}
	switch m.ops[n].Kind {
	case catalog.Code, catalog.Call, catalog.Unknown:
		return true
	}
	if code, _ := catalog.CodeOf(n); code.Exists() {
		return m.eval.code(code.Str()) == nil
	}
	mapping := n.Parameter("columns", "mappingMode").Str()
	return mapping == "autoMapInputData" || n.Parameter("dataToSend").Str() == "autoMapInputData" || n.Parameter("dataMode").Str() == "autoMapInputData"
}

func (m *model) replacesItem(n *graph.Node) bool {
	if m.passes(n) {
		return false
	}
	if n.Type == setNode {
		return !flow.KeepsFields(n)
	}
	return true
}
