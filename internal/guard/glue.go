package guard

import (
	"strings"

	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/source"
)

// The marks stand for the variable parts of a key while it is put together; no
// real text holds them.
const (
	markStart = "\x01"
	markEnd   = "\x02"
)

// Glue is the text between two variable parts of a key that are put together to
// one string; ok is false where the key has one part, or keeps its parts apart
// as a JSON array, an object or a hash does.
func (f *Facts) Glue(use KeyUse) (glue string, ok bool) {
	text, ok := f.model.marked(use)
	if !ok {
		return "", false
	}
	first := strings.Index(text, markEnd)
	if first < 0 {
		return "", false
	}
	next := strings.Index(text[first:], markStart)
	if next < 0 {
		return "", false
	}
	glue = text[first+len(markEnd) : first+next]
	return glue, !strings.ContainsAny(glue, `"{}[]`)
}

// marked puts a key together with marks for its fields.
func (m *model) marked(use KeyUse) (string, bool) {
	if use.Parameter.Kind() != source.String {
		return "", false
	}
	parts := expr.ParseResolved(use.Parameter.Str()).Parts
	if use.Element < 0 {
		parts = m.eval.template(use.Parameter.Str()).Parts
	} else if len(parts) != 1 {
		return "", false // the string form, which mangled-dedup-key judges
	}
	var b strings.Builder
	for _, p := range parts {
		text, ok := p.Text, true
		if p.Code {
			text, ok = markedCode(p, use.Element)
		}
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

func markedCode(p expr.Part, element int) (string, bool) {
	if p.Program == nil {
		return "", false
	}
	v := p.Eval(marksFor(p))
	if elements, ok := v.Elements(); ok && element >= 0 && element < len(elements) {
		v = elements[element]
	}
	return v.AsString()
}

// marksFor is the scope in which every field that an expression reads is a mark.
func marksFor(p expr.Part) missing {
	m := missing{}
	for _, o := range p.Eval(expr.Symbolic{}).AllOrigins() {
		if o.Kind == expr.OriginReference && len(o.Path) > 0 {
			m.add(o.Name, o.Path).text = markStart + strings.Join(o.Path, ".") + markEnd
		}
	}
	return m
}
