package catalog

import (
	"strings"

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
func (h *holes) fields(list source.Value) (out []httpcall.Field) {
	for p := range list.Children() {
		out = append(out, httpcall.Field{Name: h.text(p.Get("name")), Value: h.text(p.Get("value"))})
	}
	return out
}

// json reads the fields of a JSON object that a parameter holds as text or as
// an object.
func (h *holes) json(v source.Value) (out []httpcall.Field) {
	if v.Kind() != source.Object {
		if fields, _ := h.members(v); len(fields) > 0 {
			return fields
		}
		out, _ = httpcall.JSONFields(h.text(v))
		return out
	}
	for m := range v.Children() {
		out = append(out, httpcall.Field{Name: httpcall.Literal(m.Key()), Value: h.text(m)})
	}
	return out
}

// jsonBody reads a parameter that holds JSON text, or one expression that makes it.
func (h *holes) jsonBody(v source.Value) httpcall.Body {
	if fields, closed := h.members(v); len(fields) > 0 {
		return httpcall.Body{Kind: httpcall.BodyJSON, Fields: fields, Open: !closed}
	}
	return httpcall.Body{Kind: httpcall.BodyJSON, Text: h.text(v)}
}

// members are the fields of an object that one expression writes out, as in
// {{ JSON.stringify({ amount: $json.total }) }}.
func (h *holes) members(v source.Value) (fields []httpcall.Field, closed bool) {
	if v.Kind() != source.String {
		return nil, false
	}
	var code expr.Part
	for _, p := range expr.ParseTemplate(v.Str()).Parts {
		switch {
		case p.Code && !code.Code:
			code = p
		case p.Code || strings.TrimSpace(p.Text) != "":
			return nil, false
		}
	}
	members, closed := code.Members()
	for _, m := range members {
		f := httpcall.Field{Name: httpcall.Literal(m.Name)}
		if text, ok := m.Part.Eval(expr.Symbolic{}).AsString(); ok {
			f.Value = httpcall.Literal(text)
		} else {
			*h = append(*h, Hole{Value: v, Part: m.Part})
			f.Value.Parts = []httpcall.Part{{Hole: len(*h)}}
		}
		fields = append(fields, f)
	}
	return fields, closed
}
