package guard

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// otherTrigger reports whether a node is a trigger that did not start this
// execution: it has not run.
func (m *model) otherTrigger(n, started *graph.Node) bool {
	return n != nil && started != nil && n != started && n.Workflow == started.Workflow && m.ops[n].Kind == catalog.Trigger
}

// fails reports whether a node must fail in executions that a trigger starts,
// because an expression reads the item of another trigger. Expressions that
// choose between several sources are left out.
func (m *model) fails(n, started *graph.Node) bool {
	if n.Disabled || n.OnError != graph.StopWorkflow {
		return false
	}
	return slices.ContainsFunc(m.needs(n), func(name string) bool {
		return m.otherTrigger(m.workflow.Node(name), started)
	})
}

// needs are the nodes whose items the node's expressions read in any case.
func (m *model) needs(n *graph.Node) []string {
	names, ok := m.needsOf[n]
	if ok {
		return names
	}
	m.eachString(n.Parameters, func(s string) {
		for _, p := range m.eval.template(s).Parts {
			if p.Program == nil || strings.ContainsAny(p.Text, "?|&") {
				continue
			}
			for _, o := range p.Eval(expr.Symbolic{}).AllOrigins() {
				if o.Kind == expr.OriginReference && o.Name != "" && !o.Fallback && !slices.Contains(o.Path, executedField) {
					names = append(names, o.Name)
				}
			}
		}
	})
	m.needsOf[n] = names
	return names
}

// executedField is how expr names the answer of $('X').isExecuted.
const executedField = "isExecuted"

// asksExecuted reports whether a value is made from $('X').isExecuted.
func asksExecuted(v expr.Value) bool {
	return slices.ContainsFunc(v.AllOrigins(), func(o expr.Origin) bool {
		return o.Kind == expr.OriginReference && slices.Contains(o.Path, executedField)
	})
}

// IsExecuted knows that of several triggers only the one that started the
// execution has run.
func (s scope) IsExecuted(name string) expr.Tri {
	switch {
	case s.started == nil:
		return expr.Maybe
	case name == s.started.Name && s.node.Workflow == s.started.Workflow:
		return expr.True
	case s.model.otherTrigger(s.node.Workflow.Node(name), s.started):
		return expr.False
	}
	return expr.Maybe
}
