package expr

import (
	"encoding/json"
	"strings"
)

// decodeJSON decodes a known text into a known value.
func decodeJSON(text string) (Value, error) {
	var decoded any
	if err := json.Unmarshal([]byte(text), &decoded); err != nil {
		return Value{}, err
	}
	return ValueOf(decoded), nil
}

// encodeJSON writes a value as JSON.stringify does; false if it is not known to
// the last field or too long.
func (e *evaluator) encodeJSON(b *strings.Builder, v Value, depth int) bool {
	if depth > maxValueDepth || b.Len() > maxTextBytes || v.absent {
		return false
	}
	switch v.kind {
	case KindNull:
		b.WriteString("null")
		return true
	case KindBool, KindNumber:
		b.WriteString(e.toString(v).text)
		return v.known
	case KindString:
		encoder := json.NewEncoder(b)
		encoder.SetEscapeHTML(false)
		return v.known && encoder.Encode(v.text) == nil
	case KindObject, KindArray:
		return e.encodeMembers(b, v, depth)
	}
	return false
}

func (e *evaluator) encodeMembers(b *strings.Builder, v Value, depth int) bool {
	c := e.contentOf(v.object)
	if c.open || c.many {
		return false
	}
	brackets := "{}"
	if v.kind == KindArray {
		brackets = "[]"
	}
	b.WriteByte(brackets[0])
	for i, element := range c.elements {
		if i > 0 {
			b.WriteByte(',')
		}
		if !e.encodeJSON(b, element, depth+1) {
			return false
		}
	}
	for i, field := range c.fields {
		if i > 0 {
			b.WriteByte(',')
		}
		if field.Optional || !e.encodeJSON(b, String(field.Name), depth+1) {
			return false
		}
		b.WriteByte(':')
		if !e.encodeJSON(b, field.Value, depth+1) {
			return false
		}
	}
	b.WriteByte(brackets[1])
	return true
}
