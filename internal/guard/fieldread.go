package guard

import (
	"regexp"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/expr"
)

// readPatterns are the texts behind a name that gives items, up to the field
// that is read, by the name; changed is what follows a field that is set or called.
type readPatterns struct {
	tails   map[string]*regexp.Regexp
	byName  *regexp.Regexp // behind $('Node')
	old     *regexp.Regexp // behind $node["Node"]
	changed *regexp.Regexp
}

var reading = sync.OnceValue(func() readPatterns {
	const (
		field = `(?:\??\.([A-Za-z_$][\w$]*)|(?:\?\.)?\[\s*['"]([^'"\\]+)['"]\s*\])`
		json  = `\??\.json` + field
		of    = `\??\.(?:item|(?:first|last)\(\)|all\(\)\[\d+\])`
	)
	behind := func(pattern string) *regexp.Regexp { return regexp.MustCompile(`^` + pattern) }
	return readPatterns{
		tails:   map[string]*regexp.Regexp{"$json": behind(field), "$input": behind(of + json), "items": behind(`\[\d+\]` + json), "item": behind(json)},
		byName:  behind(of + json),
		old:     behind(json),
		changed: behind(`\s*(?:=[^=>]|[-+*/|&?]{1,2}=[^=]|\()`),
	}
})

// mostReads is the number of reads that are looked at in one text.
const mostReads = 200

// plainReads are the fields that code reads directly behind a name of an item,
// also where the value only decides and goes nowhere. A field that the same code
// takes from anywhere else, or sets, is left out.
func plainReads(text string, offset int, p *expr.Program) (list []expr.Origin) {
	reads := map[string]int{}
	for _, r := range p.References() {
		start, end := r.Start-offset, r.End-offset
		if start < 0 || end > len(text) || start >= end {
			continue
		}
		if len(list) == mostReads {
			break
		}
		tail, name := tailOf(r, text[start:end])
		if tail == nil {
			continue
		}
		m := tail.FindStringSubmatchIndex(text[end:])
		if m == nil {
			continue
		}
		field := submatch(text[end:], m)
		if reading().changed.MatchString(text[end+m[1]:]) {
			continue
		}
		reads[field]++
		list = append(list, expr.Origin{Kind: expr.OriginReference, Name: name, Path: []string{field}, Start: r.Start, End: r.End + m[1]})
	}
	kept := list[:0]
	for _, o := range list {
		if occurrences(text, o.Path[0]) == reads[o.Path[0]] {
			kept = append(kept, o)
		}
	}
	return kept
}

func tailOf(r expr.Name, text string) (tail *regexp.Regexp, node string) {
	switch {
	case r.Kind == expr.NameItem:
		return reading().tails[text], ""
	case r.Kind == expr.NameNode && strings.HasPrefix(text, "$node"):
		return reading().old, r.Name
	case r.Kind == expr.NameNode && strings.HasPrefix(text, "$("):
		return reading().byName, r.Name
	}
	return nil, ""
}

func submatch(text string, m []int) string {
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			return text[m[i]:m[i+1]]
		}
	}
	return ""
}

// occurrences counts where a text names a field: behind a dot, in quotes, or where
// it takes an object apart.
func occurrences(text, field string) (n int) {
	for at := 0; ; {
		i := strings.Index(text[at:], field)
		if i < 0 {
			return n
		}
		i += at
		at = i + len(field)
		if isWordByte(text, i-1) || isWordByte(text, at) {
			continue
		}
		if i > 0 && strings.ContainsRune(".'\"`", rune(text[i-1])) || takenApart(text[at:]) {
			n++
		}
	}
}

// takenApart reports whether a text begins inside the braces of a destructuring.
func takenApart(rest string) bool {
	end := strings.IndexAny(rest, "{}")
	if end < 0 || rest[end] != '}' {
		return false
	}
	after := strings.TrimLeft(rest[end+1:], " \t\r\n")
	return strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") && !strings.HasPrefix(after, "=>")
}

func isWordByte(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
