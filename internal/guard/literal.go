package guard

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed data/texts.tsv
var textsTSV string

type textTables struct {
	// meant are the parameters that may hold {{ }} as text, by node type.
	meant map[string]map[string]bool
	// references are the names by which expressions take n8n's data.
	references map[string]bool
}

var textFacts = sync.OnceValue(func() textTables {
	t := textTables{meant: map[string]map[string]bool{}, references: map[string]bool{}}
	for _, f := range catalog.Rows(textsTSV) {
		if f[0] == "reference" {
			t.references[f[2]] = true
			continue
		}
		if t.meant[f[1]] == nil {
			t.meant[f[1]] = map[string]bool{}
		}
		t.meant[f[1]][f[2]] = true
	}
	return t
})

// means reports whether a parameter of a node may hold {{ }} without "=".
func (t textTables) means(nodeType, parameter string) bool {
	family, _, _ := strings.Cut(nodeType, ".")
	for _, key := range []string{nodeType, family + ".*", "*"} {
		if t.meant[key][parameter] || t.meant[key]["*"] {
			return true
		}
	}
	return false
}

// Unevaluated is a text with an expression in it that n8n takes as it stands,
// because the "=" before it is missing (N8N.md section 8).
type Unevaluated struct {
	Value source.Value
	// At is the first expression, Text its text with the braces.
	At   source.Span
	Text string
	// Condition: a branch compares the text.
	Condition bool
	// Parameter names the parameter that holds it; of a pair of name and value it
	// is the name.
	Parameter string
}

// Unevaluated lists such texts in the parameters of a node that a branch asks,
// or that a service gets. Nodes that work inside n8n only and texts in key
// positions are left out.
func (f *Facts) Unevaluated(n *graph.Node) (list []Unevaluated) {
	m := f.model
	condition := n.Type == ifNode || n.Type == filterNode || n.Type == switchNode
	if !condition && !m.sends(n) {
		return nil
	}
	keys := sync.OnceValue(func() []source.Span { return f.ownKeys(n) })
	m.eachLiteral(n, n.Parameters, "", 0, func(v source.Value, parameter string) {
		if at, text, ok := m.reference(v); ok && !overlap(keys(), at) {
			list = append(list, Unevaluated{Value: v, At: at, Text: text, Condition: condition, Parameter: placed(v, parameter)})
		}
	})
	return list
}

// sends reports whether the parameters of a node leave n8n.
func (m *model) sends(n *graph.Node) bool {
	op := m.ops[n]
	switch op.Kind {
	case catalog.Read, catalog.Ephemeral, catalog.Idempotent, catalog.Repeatable, catalog.Query, catalog.HTTP:
		code, _ := catalog.CodeOf(n)
		return !code.Exists()
	case catalog.Compute:
		code, _ := catalog.CodeOf(n)
		return op.HTTP != nil && !code.Exists()
	case catalog.Unknown:
		_, why := m.catalog.Row(n)
		return op.HTTP != nil || why == ""
	}
	return op.Approval || n.Type == respondNode
}

// deepest is how far into a parameter texts are looked for.
const deepest = 30

// eachLiteral visits the texts below a parameter that are no expressions.
// parameter is the nearest name that is not just a place in a list.
func (m *model) eachLiteral(n *graph.Node, v source.Value, parameter string, depth int, visit func(source.Value, string)) {
	if depth > deepest {
		return
	}
	if v.Kind() == source.String {
		if raw := v.Raw(); len(raw) > 6 && raw[1] != '=' && strings.Contains(string(raw), "{{") {
			visit(v, parameter)
		}
		return
	}
	for c := range v.Children() {
		name := c.Key()
		if name == "" {
			name = parameter
		}
		if !textFacts().means(n.Type, name) && !strings.HasPrefix(name, "cached") {
			m.eachLiteral(n, c, name, depth+1, visit)
		}
	}
}

// placed names where a text stands: by the pair that it is the value of, or by
// the parameter.
func placed(v source.Value, parameter string) string {
	if name := v.Parent().Get("name").Str(); name != "" && v.Key() == "value" {
		return name
	}
	return parameter
}

// reference finds the first {{ }} in a text that takes data of n8n's.
func (m *model) reference(v source.Value) (at source.Span, text string, ok bool) {
	s := v.Str()
	for _, p := range expr.ParseResolved(s).Parts {
		if !p.Code || p.Program == nil || p.End+2 > len(s) || p.Start < 2 {
			continue
		}
		for _, r := range p.Program.References() {
			if r.Kind == expr.NameNode || textFacts().references[r.Name] || r.Kind == expr.NameItem && strings.HasPrefix(p.Text[max(r.Start-p.Start, 0):], "$") {
				return v.Inner(p.Start-2, p.End+2), s[p.Start-2 : p.End+2], true
			}
		}
	}
	return at, "", false
}

// ownKeys are the places of a node's keys that a rule on keys speaks of: a key
// that is the same for every event is that rule's fault to find.
func (f *Facts) ownKeys(n *graph.Node) (list []source.Span) {
	for _, use := range f.keysOf(n) {
		if g := use.Guard; g != nil && (g.Kind == LookUp || g.Kind == Claim && !g.Proven) {
			continue
		}
		list = append(list, use.At)
	}
	return list
}

func overlap(spans []source.Span, at source.Span) bool {
	return slices.ContainsFunc(spans, func(s source.Span) bool { return s.Start < at.End && at.Start < s.End })
}
