package guard

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
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
	for _, f := range rows(textsTSV) {
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
	// Parameter is the name of the parameter that holds it.
	Parameter string
}

// Unevaluated lists such texts in the parameters of a node that a branch asks,
// or that a service gets. Nodes that work inside n8n only and texts in key
// positions are left out.
func (f *Facts) Unevaluated(n *graph.Node) (list []Unevaluated) {
	m := f.model
	condition := n.Type == ifNode || n.Type == filterNode || n.Type == switchNode
	if !condition && !m.sends(n) || n.Type == dedupNode || f.Guard(n) != nil {
		return nil
	}
	keys := m.keyTexts(n)
	m.eachLiteral(n, n.Parameters, "", 0, func(v source.Value, parameter string) {
		if keys[v.Str()] || isMatched(n, v) {
			return
		}
		if at, text, ok := m.reference(v); ok {
			list = append(list, Unevaluated{Value: v, At: at, Text: text, Condition: condition, Parameter: parameter})
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
	case catalog.Compute, catalog.Unknown:
		code, _ := catalog.CodeOf(n)
		return op.HTTP != nil && !code.Exists()
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

// keyTexts are the literal texts that stand where a key belongs; a key that is
// the same for every event is another fault.
func (m *model) keyTexts(n *graph.Node) map[string]bool {
	texts := map[string]bool{}
	op := m.ops[n]
	if p, ok := nodeKeys()[n.Type+" "+op.Resource+" "+op.Name]; ok {
		texts[n.Parameter(strings.Split(p[0], ".")...).Str()] = true
	}
	if op.HTTP == nil {
		return texts
	}
	keys := append(httpcall.KeyFields(op.HTTP.Verdict.Provider, op.HTTP.Request), httpcall.NamedKeys(op.HTTP.Request)...)
	for _, k := range keys {
		if text, known := k.Value.Known(); known && text != "" {
			texts[text] = true
		}
	}
	return texts
}

// isMatched reports whether a value is that of a column by which an upsert finds
// its row.
func isMatched(n *graph.Node, v source.Value) bool {
	if v.Key() == "valueToMatchOn" {
		return true
	}
	for c := range n.Parameter("columns", "matchingColumns").Children() {
		if c.Str() == v.Key() {
			return true
		}
	}
	return false
}
