package catalog

import (
	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Hole is one expression inside a parameter.
type Hole struct {
	Value source.Value
	Part  expr.Part
}

// holes collects the expressions of a request while its texts are read.
type holes []Hole

// text reads a parameter as n8n reads it: literal text and holes.
func (h *holes) text(v source.Value) httpcall.Text {
	if v.Kind() != source.String {
		return httpcall.Literal(v.Text())
	}
	var t httpcall.Text
	for _, p := range expr.ParseTemplate(v.Str()).Parts {
		if !p.Code {
			t.Parts = append(t.Parts, httpcall.Part{Literal: p.Text})
			continue
		}
		*h = append(*h, Hole{Value: v, Part: p})
		t.Parts = append(t.Parts, httpcall.Part{Hole: len(*h)})
	}
	return t
}

// fields reads a list of {name, value} parameters.
func (h *holes) fields(list source.Value, name, value string) (out []httpcall.Field) {
	for p := range list.Children() {
		out = append(out, httpcall.Field{Name: h.text(p.Get(name)), Value: h.text(p.Get(value))})
	}
	return out
}

// json reads the fields of a JSON object that a parameter holds as text or as
// an object.
func (h *holes) json(v source.Value) (out []httpcall.Field) {
	if v.Kind() != source.Object {
		out, _ = httpcall.JSONFields(h.text(v))
		return out
	}
	for m := range v.Children() {
		out = append(out, httpcall.Field{Name: httpcall.Literal(m.Key()), Value: h.text(m)})
	}
	return out
}
