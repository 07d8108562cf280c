package flow

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/graph"
)

// triggerItem is a line of triggeritems.tsv: what a trigger puts where.
type triggerItem struct {
	versions versionRange
	// closed: the item has no other fields at its top than these.
	closed bool
	fields []string
}

const (
	calledTrigger = "n8n-nodes-base.executeWorkflowTrigger"
	formTrigger   = "n8n-nodes-base.formTrigger"
)

// trigger ends a walk at the event, or goes on to the callers of a called workflow.
func (t *Tracer) trigger(n *graph.Node, path []string) []step {
	if n.Type == calledTrigger {
		return t.input(n, path)
	}
	if len(path) > 0 && path[0] != "*" && t.lacks(n, path[0]) {
		return []step{ending(Origin{Kind: Missing, Node: n, Path: path})}
	}
	return []step{answer(TriggerField, n, path)}
}

// lacks reports whether a trigger's item certainly has no such field.
func (t *Tracer) lacks(n *graph.Node, field string) bool {
	for _, item := range t.tables.triggers[n.Type] {
		if !item.versions.has(n.TypeVersion) || !item.closed {
			continue
		}
		if slices.Contains(item.fields, field) {
			return false
		}
		return n.Type != formTrigger || !formField(n, field)
	}
	return false
}

// Has reports whether a trigger's item, whose fields are all known, has a field at
// its top.
func (t *Tracer) Has(trigger *graph.Node, field string) bool {
	return slices.ContainsFunc(t.tables.triggers[trigger.Type], func(item triggerItem) bool {
		return item.closed && item.versions.has(trigger.TypeVersion) && slices.Contains(item.fields, field)
	})
}

// formField reports whether a form has a field of that name, or one whose name
// cannot be read.
func formField(n *graph.Node, field string) bool {
	fields := n.Parameter("formFields", "values")
	if fields.Len() == 0 {
		return true
	}
	for f := range fields.Children() {
		for _, key := range []string{"fieldName", "fieldLabel", "elementName"} {
			name := f.Get(key).Text()
			if name == field || len(name) > 0 && name[0] == '=' {
				return true
			}
		}
	}
	return n.Parameter("defineForm").Str() == "json"
}
