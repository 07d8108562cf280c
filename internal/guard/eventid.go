package guard

import (
	"fmt"
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// EventID is an expression for the identity of the event that a root starts
// with, or "" where neither the catalog nor the workflow shows one.
func (f *Facts) EventID(r Root) string {
	m := f.model
	if r.Trigger.Workflow != m.workflow {
		return ""
	}
	if field := m.catalog.EventID(r.Trigger); field != "" {
		return fmt.Sprintf("$('%s').item.json.%s", r.Trigger.Name, field)
	}
	if r.Trigger.Type != webhookNode {
		return ""
	}
	return m.bodyID(r.Trigger)
}

// bodyID is a field of a webhook's body that the workflow reads and whose name
// says that it identifies something.
func (m *model) bodyID(trigger *graph.Node) (id string) {
	for _, n := range m.workflow.Nodes {
		m.eachString(n.Parameters, func(s string) {
			for _, p := range m.eval.template(s).Parts {
				if p.Program == nil || id != "" {
					continue
				}
				for _, o := range p.Eval(expr.Symbolic{}).AllOrigins() {
					if o.Kind == expr.OriginReference && len(o.Path) == 2 && o.Path[0] == "body" && identifies(o.Path[1]) &&
						(o.Name == trigger.Name || o.Name == "" && m.producer(n) == trigger.Name) {
						id = fmt.Sprintf("$('%s').item.json.body.%s", trigger.Name, o.Path[1])
					}
				}
			}
		})
	}
	return id
}

var identifying = []string{"id", "uuid", "guid", "number", "no", "key", "sid", "reference", "ref"}

func identifies(name string) bool {
	words := catalog.Words(name)
	return len(words) > 0 && slices.Contains(identifying, words[len(words)-1])
}
