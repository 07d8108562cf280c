package expr

import "strings"

// Template is a parameter string split into literal text and code.
type Template struct {
	// Expression is true if n8n evaluates the string: it starts with '=', or
	// the node resolves it itself (N8N.md 8).
	Expression bool
	// Parts cover the string in order, without the leading '=' and without the
	// braces around code.
	Parts []Part
}

// Part is a piece of a template.
type Part struct {
	// Code tells JavaScript from literal text.
	Code bool
	// Text is the literal text, or the code.
	Text string
	// Start and End are the byte offsets of the piece in the string; for code
	// they lie inside the braces.
	Start, End int
	// Program is the parsed code; nil for text, for blank code and where Err is set.
	Program *Program
	// Err is why the code could not be parsed: a *SyntaxError or ErrTooComplex.
	Err error
}

const (
	openBraces    = "{{"
	closeBraces   = "}}"
	escapedBraces = `\}}`
)

// ParseTemplate splits a parameter string as it is stored in an export. Only a
// string with a leading '=' is an expression; any other is one literal part
// (N8N.md 8).
func ParseTemplate(s string) *Template {
	if !strings.HasPrefix(s, "=") {
		return literalTemplate(s)
	}
	return parseParts(s, 1)
}

// ParseResolved splits a string which its node resolves itself, so that
// `{{ }}` is code even without a leading '=' (N8N.md 8, 1c). One leading '=' is
// allowed.
func ParseResolved(s string) *Template {
	if strings.HasPrefix(s, "=") {
		return parseParts(s, 1)
	}
	return parseParts(s, 0)
}

func literalTemplate(s string) *Template {
	return &Template{Parts: []Part{{Text: s, End: len(s)}}}
}

func parseParts(s string, at int) *Template {
	t := &Template{Expression: true}
	for at < len(s) {
		open := findUnescaped(s, openBraces, at)
		if open < 0 {
			break
		}
		if open > at {
			t.Parts = append(t.Parts, textPart(s, at, open))
		}
		start := open + len(openBraces)
		end, next := len(s), len(s)
		if shut := findUnescaped(s, closeBraces, start); shut >= 0 {
			end, next = shut, shut+len(closeBraces)
		}
		t.Parts = append(t.Parts, codePart(s, start, end))
		at = next
	}
	if at < len(s) {
		t.Parts = append(t.Parts, textPart(s, at, len(s)))
	}
	return t
}

// findUnescaped gives the offset of the first braces that no backslash
// precedes: n8n's splitter looks at the text only, so braces inside a string or
// an object literal count (N8N.md 8).
func findUnescaped(s, braces string, from int) int {
	for from < len(s) {
		found := strings.Index(s[from:], braces)
		if found < 0 {
			return -1
		}
		found += from
		if found == 0 || s[found-1] != '\\' || isEscapedBackslash(s, found-1) {
			return found
		}
		from = found + len(braces)
	}
	return -1
}

func isEscapedBackslash(s string, at int) bool {
	count := 0
	for at >= 0 && s[at] == '\\' {
		count++
		at--
	}
	return count%2 == 0
}

func textPart(s string, start, end int) Part {
	return Part{Text: s[start:end], Start: start, End: end}
}

func codePart(s string, start, end int) Part {
	part := Part{Code: true, Text: s[start:end], Start: start, End: end}
	if strings.TrimSpace(part.Text) == "" {
		return part
	}
	part.Program, part.Err = parseAt(part.Text, Expression, start)
	if part.Err != nil && strings.Contains(part.Text, escapedBraces) {
		// n8n takes the backslash away; in a string JavaScript does so itself, and
		// elsewhere a space keeps the offsets.
		part.Program, part.Err = parseAt(strings.ReplaceAll(part.Text, escapedBraces, " }}"), Expression, start)
	}
	return part
}

// Single gives the only code part of a template which is exactly one `{{ }}`:
// such a template yields the code's value with its type, every other one a string.
func (t *Template) Single() (Part, bool) {
	if !t.Expression || len(t.Parts) != 1 || !t.Parts[0].Code {
		return Part{}, false
	}
	return t.Parts[0], true
}

// Err gives the first error of the template's code parts, nil if all of them parsed.
func (t *Template) Err() error {
	for _, part := range t.Parts {
		if part.Err != nil {
			return part.Err
		}
	}
	return nil
}

// Eval gives the value of the template: the text itself if it is no expression,
// the code's value with its type if it is exactly one `{{ }}`, and the joined
// string otherwise. Origins have spans in the template's string.
func (t *Template) Eval(scope Scope) Value {
	if !t.Expression {
		return String(t.literal())
	}
	if part, ok := t.Single(); ok {
		return part.Eval(scope)
	}
	result := String("")
	for _, part := range t.Parts {
		result = concatenate(result, part.Eval(scope))
	}
	return result
}

// Eval gives the value of one part: its text, or its code's value.
func (p Part) Eval(scope Scope) Value {
	switch {
	case !p.Code:
		return String(p.Text)
	case p.Err != nil:
		return Anything().WithOrigins(Origin{Kind: OriginUnknown, Name: p.Err.Error(), Start: p.Start, End: p.End})
	case p.Program == nil:
		return Undefined()
	}
	return p.Program.Eval(scope)
}

func (t *Template) literal() string {
	if len(t.Parts) == 0 {
		return ""
	}
	return t.Parts[0].Text
}

// Eval parses and evaluates a parameter string in one step; see ParseTemplate.
func Eval(s string, scope Scope) Value {
	return ParseTemplate(s).Eval(scope)
}
