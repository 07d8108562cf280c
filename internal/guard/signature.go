package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

const cryptoNode = "n8n-nodes-base.crypto"

// ParsedSignature finds, in a node that checks a webhook's signature, the keyed
// hash that is computed over the parsed body written out anew instead of over
// the bytes that arrived. Data that come from the raw bytes where there are
// some are none.
func (f *Facts) ParsedSignature(n *graph.Node) (at source.Span, ok bool) {
	if code, _ := catalog.CodeOf(n); code.Exists() {
		return f.model.parsedInCode(n, code)
	}
	if n.Type != cryptoNode || n.Parameter("action").Str() != "hmac" || n.Parameter("binaryData").IsTrue() {
		return at, false
	}
	value := n.Parameter("value")
	part, single := f.model.eval.template(value.Str()).Single()
	if !single || part.Program == nil || !f.model.signatureRead(n) {
		return at, false
	}
	whole := slices.ContainsFunc(part.Eval(expr.Symbolic{}).AllOrigins(), func(o expr.Origin) bool {
		return o.Kind == expr.OriginReference && len(o.Path) == 1 && o.Path[0] == "body"
	})
	return codeOf(value, part), whole
}

func (m *model) parsedInCode(n *graph.Node, code source.Value) (at source.Span, ok bool) {
	p := m.program(code.Str())
	if p == nil {
		return at, false
	}
	for _, d := range p.Digests() {
		if d.ParsedEnd > d.ParsedStart && !d.Raw && m.verifiedFrom(n) {
			return code.Inner(d.ParsedStart, d.ParsedEnd), true
		}
	}
	return at, false
}

// verifiedFrom reports whether a node, or one behind it, checks a request.
func (m *model) verifiedFrom(n *graph.Node) bool {
	return slices.ContainsFunc(inOrder(graph.Reachable(n, nil)), func(other *graph.Node) bool {
		c := m.checkOf(other)
		return c != nil && c.Sure
	})
}

// signatureRead reports whether the node, or one behind it, reads a header by
// which the sender proves itself.
func (m *model) signatureRead(n *graph.Node) bool {
	for _, other := range inOrder(graph.Reachable(n, nil)) {
		if slices.ContainsFunc(m.origins(other), func(o expr.Origin) bool {
			return slices.Contains(o.Path, "headers") && slices.ContainsFunc(o.Path, provesBy)
		}) {
			return true
		}
	}
	return false
}
