package guard

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed data/webhookitem.tsv
var webhookItemTSV string

var webhookFields = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, f := range catalog.Rows(webhookItemTSV) {
		m[f[0]] = true
	}
	return m
})

// MissingField is a read of a field that a Webhook node's item does not have.
type MissingField struct {
	// At is the text that reads it.
	At source.Span
	// Field is the name of the field.
	Field string
	// Webhook is the node whose item it is.
	Webhook *graph.Node
	// Named: the read names the webhook; otherwise it takes the current item.
	Named bool
}

// MissingFields lists the reads of a node that take a field from a webhook's item
// where no such item has one (N8N.md section 3). Reads that take the right
// field as well, and those for a key, are left out.
func (f *Facts) MissingFields(n *graph.Node) (list []MissingField) {
	r := &itemReads{Facts: f, node: n, keys: sync.OnceValue(func() []source.Span { return f.ownKeys(n) })}
	r.from = f.model.arriving(n, map[*graph.Node]bool{})
	if code, mode := catalog.CodeOf(n); code.Exists() {
		if p := f.model.eval.code(code.Str()); p != nil {
			r.take(code, readsOf(p.RunCode(expr.Symbolic{}, mode)))
			if mode != expr.FunctionItem {
				r.take(code, plainReads(code.Str(), 0, p))
			}
		}
	}
	f.model.eachStringValue(n.Parameters, 0, func(v source.Value) {
		for _, p := range f.model.eval.template(v.Str()).Parts {
			if p.Program != nil {
				r.take(v, p.Eval(expr.Symbolic{}).AllOrigins())
				r.take(v, plainReads(p.Text, p.Start, p.Program))
			}
		}
	})
	return r.found
}

// readsOf are the sources of all that code gives on.
func readsOf(r expr.CodeResult) []expr.Origin {
	origins := slices.Clone(r.Items.AllOrigins())
	for _, c := range r.Calls {
		for _, a := range c.Arguments {
			origins = append(origins, a.AllOrigins()...)
		}
	}
	return origins
}

// itemReads collects what one node reads of a webhook's item.
type itemReads struct {
	*Facts
	node  *graph.Node
	keys  func() []source.Span
	from  arrival
	found []MissingField
}

// take looks through the sources of one text.
func (r *itemReads) take(text source.Value, origins []expr.Origin) {
	for _, o := range origins {
		if o.Kind != expr.OriginReference || o.Fallback || len(o.Path) == 0 || o.Path[0] == "*" || o.Where != "" || webhookFields()[o.Path[0]] {
			continue
		}
		webhook := r.from.webhook
		if o.Name == "" && r.from.made[o.Path[0]] {
			continue
		}
		if o.Name != "" {
			webhook = r.Workflow.Node(o.Name)
		}
		if webhook == nil || webhook.Type != webhookNode || webhook.Disabled || o.Path[0] == executedField || elsewhere(origins, o) {
			continue
		}
		at := text.Inner(o.Start, o.End)
		if overlap(r.keys(), at) || r.has(at) {
			continue
		}
		r.found = append(r.found, MissingField{At: at, Field: o.Path[0], Webhook: webhook, Named: o.Name != ""})
	}
}

func (r *itemReads) has(at source.Span) bool {
	return slices.ContainsFunc(r.found, func(m MissingField) bool { return m.At.Start == at.Start })
}

// elsewhere reports whether the same text takes the field from its right place,
// or the item as a whole.
func elsewhere(origins []expr.Origin, missing expr.Origin) bool {
	last := missing.Path[len(missing.Path)-1]
	for _, o := range origins {
		if o.Kind == expr.OriginReference && o.Name == missing.Name && len(o.Path) > 1 && webhookFields()[o.Path[0]] && slices.Contains(o.Path, last) {
			return true
		}
	}
	return false
}

// arrival is what is known of the items that come to a node: the webhook that
// made all of them, and the fields that were added since.
type arrival struct {
	webhook *graph.Node
	made    map[string]bool
	// other: some come from elsewhere, or are made anew.
	other bool
}

// arriving follows the items back to the webhook that made them, through nodes
// that give them on.
func (m *model) arriving(n *graph.Node, seen map[*graph.Node]bool) (a arrival) {
	if seen[n] || n.Type == webhookNode {
		return a
	}
	seen[n] = true
	a.made = map[string]bool{}
	for _, e := range n.MainIn() {
		if len(m.reached[e.From]) == 0 || !m.fires(e) {
			continue
		}
		b := m.leaving(e, seen)
		a.other = a.other || b.other || a.webhook != nil && b.webhook != nil && a.webhook != b.webhook
		if b.webhook != nil {
			a.webhook = b.webhook
		}
		for f := range b.made {
			a.made[f] = true
		}
	}
	if a.other {
		a.webhook = nil
	}
	return a
}

func (m *model) leaving(e *graph.Edge, seen map[*graph.Node]bool) arrival {
	n := e.From
	switch {
	case n.Type == webhookNode && !n.Disabled:
		return arrival{webhook: n}
	case n.Disabled:
		return m.arriving(n, seen)
	case e.Output == errorOutput(n), n.OnError == graph.ContinueRegularOutput:
		return arrival{other: true}
	case m.passes(n) && !takesRequest(n):
		return m.arriving(n, seen)
	case n.Type == setNode && n.Parameter("mode").Str() != "raw" && flow.KeepsFields(n):
		a := m.arriving(n, seen)
		if a.made == nil {
			return a
		}
		for _, f := range flow.SetFields(n) {
			a.made[f.Path()[0]] = true
		}
		return a
	}
	return arrival{other: true}
}

// takesRequest reports whether a Wait gives on what resumed it, not what it got.
func takesRequest(n *graph.Node) bool {
	resume := n.Parameter("resume").Str()
	return n.Type == waitNode && (resume == "webhook" || resume == "form")
}

// eachStringValue visits the expressions below a parameter.
func (m *model) eachStringValue(v source.Value, depth int, visit func(source.Value)) {
	if v.Kind() == source.String {
		if raw := v.Raw(); len(raw) > 2 && raw[1] == '=' {
			visit(v)
		}
		return
	}
	if depth > deepest {
		return
	}
	for c := range v.Children() {
		m.eachStringValue(c, depth+1, visit)
	}
}
