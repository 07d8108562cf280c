package flow

import (
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// body is a Code node's JavaScript with what it emits.
type body struct {
	text       string
	item       expr.Value
	emits      bool
	err        error
	incomplete bool
}

func (t *Tracer) bodyOf(n *graph.Node, code source.Value, mode expr.CodeMode) *body {
	b := t.bodies[n]
	if b != nil {
		return b
	}
	b = &body{text: code.Str()}
	t.bodies[n] = b
	p, err := expr.Parse(b.text, expr.Body)
	if err != nil {
		b.err = err
		return b
	}
	r := p.RunCode(expr.Symbolic{}, mode)
	if r.Incomplete {
		b.incomplete = true
		return b
	}
	_, high := r.Items.Count()
	b.emits = high > 0 || r.Items.Kind() != expr.KindArray
	b.item = r.Items.Element().Field("json")
	return b
}

// code leads to what a Code or Function node put into a field of its items.
func (t *Tracer) code(n *graph.Node, code source.Value, mode expr.CodeMode, path []string) []step {
	b := t.bodyOf(n, code, mode)
	switch {
	case b.err != nil:
		return []step{ending(Origin{Kind: Unknown, Node: n, Name: "code that cannot be read", At: code.Span()})}
	case b.incomplete:
		return []step{ending(Origin{Kind: Unknown, Node: n, Name: "code that is too large to follow", At: code.Span()})}
	case !b.emits:
		return nil
	}
	o := origins{tracer: t, node: n, value: code, code: b.text, what: "code makes " + described(path), whole: code.Span()}
	return o.steps(b.item, path)
}
