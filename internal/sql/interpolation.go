package sql

import (
	"sort"
	"strings"
)

// Interpolation is one {{ }} of an n8n template inside the SQL text.
type Interpolation struct {
	Start, End int    // byte offsets of the first { and behind the last }
	Code       string // the text between the braces, as written
}

const (
	openingBraces = "{{"
	closingBraces = "}}"
	maskCharacter = '_'
)

// findInterpolations lists the {{ }} of text in order. The first }} that no
// backslash precedes ends the code, whatever stands in it (N8N.md 8). The second
// result is false when the last one is not closed; it then reaches to the end.
func findInterpolations(text string) ([]Interpolation, bool) {
	var found []Interpolation
	position := 0
	for {
		offset := strings.Index(text[position:], openingBraces)
		if offset < 0 {
			return found, true
		}
		start := position + offset
		if start > 0 && text[start-1] == '\\' {
			position = start + len(openingBraces)
			continue
		}
		codeStart := start + len(openingBraces)
		codeEnd := closingOffset(text, codeStart)
		if codeEnd < 0 {
			return append(found, Interpolation{Start: start, End: len(text), Code: text[codeStart:]}), false
		}
		position = codeEnd + len(closingBraces)
		found = append(found, Interpolation{Start: start, End: position, Code: text[codeStart:codeEnd]})
	}
}

func closingOffset(text string, position int) int {
	for {
		offset := strings.Index(text[position:], closingBraces)
		if offset < 0 {
			return -1
		}
		end := position + offset
		if end == 0 || text[end-1] != '\\' {
			return end
		}
		position = end + len(closingBraces)
	}
}

// maskInterpolations replaces every interpolation by an identifier of the same
// byte length, so that a quote inside an expression cannot end a SQL string and
// every offset stays valid.
func maskInterpolations(text string, interpolations []Interpolation) string {
	if len(interpolations) == 0 {
		return text
	}
	masked := []byte(text)
	for _, interpolation := range interpolations {
		for i := interpolation.Start; i < interpolation.End; i++ {
			masked[i] = maskCharacter
		}
	}
	return string(masked)
}

// interpolationsWithin returns the indexes of the interpolations that lie at
// least partly in [start, end).
func interpolationsWithin(interpolations []Interpolation, start, end int) []int {
	first := sort.Search(len(interpolations), func(i int) bool { return interpolations[i].End > start })
	var indexes []int
	for i := first; i < len(interpolations) && interpolations[i].Start < end; i++ {
		indexes = append(indexes, i)
	}
	return indexes
}
