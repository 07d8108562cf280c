// Package httpcall says what an HTTP request does when it is sent twice: whether it reads, computes, sets
// something or makes something again, how bad the repetition is, and which idempotency key its provider takes.
// Everything it knows about services stands in the tables under data; the code only matches.
package httpcall

import "strings"

// Request is one HTTP request as far as a workflow's text shows it. Expressions are holes in its texts.
type Request struct {
	// Method is in upper case. The empty method is GET, as in an export that leaves the parameter out.
	Method string
	// MethodKnown is false when the method is an expression.
	MethodKnown bool
	// URL is the whole address, with a query string where the user wrote one there.
	URL     Text
	Headers []Field
	// Query holds the query parameters that are set beside the URL.
	Query []Field
	Body  Body
}

// Text is a string of which some parts are only known when the workflow runs.
type Text struct {
	Parts []Part
}

// Part is a literal piece of a text, or a hole where the text has an expression.
type Part struct {
	Literal string
	// Hole is the number of the expression, counted from 1; 0 marks a literal.
	Hole int
}

// Literal makes a text without holes.
func Literal(text string) Text {
	return Text{Parts: []Part{{Literal: text}}}
}

// Hole makes a text that is one expression and nothing else. Numbers count from 1.
func Hole(number int) Text {
	return Text{Parts: []Part{{Hole: number}}}
}

// Holes lists the numbers of the expressions in the text, in order.
func (t Text) Holes() []int {
	var holes []int
	for _, part := range t.Parts {
		if part.Hole > 0 {
			holes = append(holes, part.Hole)
		}
	}
	return holes
}

// Known returns the text and true when it has no holes.
func (t Text) Known() (string, bool) {
	var whole strings.Builder
	for _, part := range t.Parts {
		if part.Hole > 0 {
			return "", false
		}
		whole.WriteString(part.Literal)
	}
	return whole.String(), true
}

// Empty reports a text without any character and without holes.
func (t Text) Empty() bool {
	for _, part := range t.Parts {
		if part.Hole > 0 || part.Literal != "" {
			return false
		}
	}
	return true
}

// Field is a header, a query parameter or a field of a body.
type Field struct {
	Name  Text
	Value Text
}

// BodyKind says how a body is written.
type BodyKind string

// The kinds of bodies.
const (
	BodyNone    BodyKind = ""
	BodyJSON    BodyKind = "json"
	BodyForm    BodyKind = "form"
	BodyRaw     BodyKind = "raw"
	BodyUnknown BodyKind = "unknown"
)

// Body is what a request sends.
type Body struct {
	Kind BodyKind
	// Fields are the fields of a JSON or form body. Inner fields have dotted names, array elements their number:
	// "a.b", "records.0.fields.Name". The form style "a[b]" means the same.
	Fields []Field
	// Open is true when the body may have more fields than the listed ones.
	Open bool
	// Text is the body as text. It is read as JSON where Fields is empty and it looks like JSON.
	Text Text
}
