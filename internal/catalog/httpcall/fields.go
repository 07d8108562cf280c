package httpcall

import (
	"strconv"
	"strings"
)

const (
	// maxFields bounds the fields of a body or a query string.
	maxFields = 2000
	// maxDepth bounds the nesting of a JSON body.
	maxDepth = 64
)

// JSONFields reads a JSON body that may have expressions inside strings, in the place of values, or anywhere
// else, and returns its leaves with dotted names. complete is false when there may be more fields than those: an
// expression stands where members could be, or the text is no JSON.
func JSONFields(t Text) (fields []Field, complete bool) {
	r := jsonReader{f: flatten(t), complete: true}
	r.space()
	if r.peek() != '{' && r.peek() != '[' {
		return nil, false
	}
	r.value("", 0)
	r.space()
	if r.at < len(r.f.s) {
		r.complete = false
	}
	return r.fields, r.complete
}

type jsonReader struct {
	f        flat
	at       int
	fields   []Field
	complete bool
}

func (r *jsonReader) peek() byte {
	if r.at >= len(r.f.s) {
		return ' '
	}
	return r.f.s[r.at]
}

func (r *jsonReader) space() {
	for r.at < len(r.f.s) && (r.f.s[r.at] == ' ' || r.f.s[r.at] == '\n' || r.f.s[r.at] == '\r' || r.f.s[r.at] == '\t') {
		r.at++
	}
}

// stop gives up: what was read so far stays, the rest is not known.
func (r *jsonReader) stop() {
	r.complete = false
	r.at = len(r.f.s)
}

func (r *jsonReader) add(name string, value Text) {
	if len(r.fields) >= maxFields {
		r.stop()
		return
	}
	r.fields = append(r.fields, Field{Name: Literal(name), Value: value})
}

func (r *jsonReader) value(name string, depth int) {
	if depth > maxDepth {
		r.stop()
		return
	}
	switch r.peek() {
	case '{':
		r.object(name, depth)
	case '[':
		r.array(name, depth)
	case '"':
		text, _ := r.quoted()
		r.add(name, text)
	default:
		r.bare(name)
	}
}

func (r *jsonReader) object(name string, depth int) {
	r.at++
	for empty := true; ; empty = false {
		r.space()
		if r.peek() == '}' {
			r.at++
			if empty && name != "" {
				r.add(name, Text{})
			}
			return
		}
		if r.peek() == hole {
			// Members from an expression.
			r.complete = false
			r.at++
			r.comma()
			continue
		}
		if r.peek() != '"' {
			r.stop()
			return
		}
		key, known := r.quoted()
		r.space()
		if r.peek() != ':' {
			r.stop()
			return
		}
		r.at++
		r.space()
		member, isLiteral := key.Known()
		if !known || !isLiteral {
			r.complete = false
			member = "?"
		}
		r.value(joinName(name, member), depth+1)
		r.comma()
	}
}

func (r *jsonReader) array(name string, depth int) {
	r.at++
	for i := 0; ; i++ {
		r.space()
		if r.peek() == ']' {
			r.at++
			if i == 0 && name != "" {
				r.add(name, Text{})
			}
			return
		}
		if r.at >= len(r.f.s) {
			r.stop()
			return
		}
		r.value(joinName(name, strconv.Itoa(i)), depth+1)
		r.comma()
	}
}

func (r *jsonReader) comma() {
	r.space()
	if r.peek() == ',' {
		r.at++
	}
}

// bare reads a number, a word or an expression up to the next delimiter.
func (r *jsonReader) bare(name string) {
	start := r.at
	for r.at < len(r.f.s) && strings.IndexByte(",]}\n{[:\"", r.f.s[r.at]) < 0 {
		r.at++
	}
	end := r.at
	for end > start && r.f.s[end-1] == ' ' {
		end--
	}
	if end == start {
		r.stop()
		return
	}
	if name == "" {
		r.complete = false
		return
	}
	r.add(name, r.f.text(start, end))
}

// quoted reads a string. Raw line breaks are taken as they are; n8n sends them or fails, which is not decided here.
func (r *jsonReader) quoted() (Text, bool) {
	r.at++
	var parts []Part
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			parts = append(parts, Part{Literal: literal.String()})
			literal.Reset()
		}
	}
	for r.at < len(r.f.s) {
		c := r.f.s[r.at]
		switch {
		case c == '"':
			r.at++
			flush()
			return Text{Parts: parts}, true
		case c == hole:
			flush()
			parts = append(parts, r.f.text(r.at, r.at+1).Parts...)
			r.at++
		case c == '\\' && r.at+1 < len(r.f.s):
			literal.WriteString(r.escape())
		default:
			literal.WriteByte(c)
			r.at++
		}
	}
	r.complete = false
	flush()
	return Text{Parts: parts}, false
}

func (r *jsonReader) escape() string {
	c := r.f.s[r.at+1]
	if c == hole {
		r.at++
		return ""
	}
	r.at += 2
	switch c {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case 'r':
		return "\r"
	case 'b', 'f':
		return " "
	case 'u':
		if r.at+4 > len(r.f.s) {
			return "u"
		}
		code, err := strconv.ParseUint(r.f.s[r.at:r.at+4], 16, 16)
		if err != nil {
			return "u"
		}
		r.at += 4
		if code == 0 {
			return "\uFFFD"
		}
		return string(rune(code))
	}
	return string([]byte{c})
}

func joinName(outer, inner string) string {
	if outer == "" {
		return inner
	}
	return outer + "." + inner
}

// nameParts splits "a.b", "a[b]" and "a.0.b" into a and b; numbers and empty brackets of arrays are left out.
func nameParts(name string) []string {
	parts := strings.FieldsFunc(name, func(c rune) bool { return c == '.' || c == '[' || c == ']' })
	kept := parts[:0]
	for _, part := range parts {
		if _, err := strconv.Atoi(part); err != nil {
			kept = append(kept, part)
		}
	}
	return kept
}

// underName reports that a field's name is the wanted one or lies inside it. "*" stands for one part. Case counts
// only where fold is false.
func underName(name, wanted string, fold bool) bool {
	have, want := nameParts(name), nameParts(wanted)
	if len(have) < len(want) || len(want) == 0 {
		return false
	}
	for i := range want {
		if want[i] == "*" || have[i] == want[i] || fold && strings.EqualFold(have[i], want[i]) {
			continue
		}
		return false
	}
	return true
}
