package report

import (
	"strings"
	"unicode/utf8"

	"github.com/n8nlint/n8nlint/internal/report/clean"
	"github.com/n8nlint/n8nlint/internal/source"
)

const (
	excerptColumns = 100 // of text in one excerpt
	excerptBefore  = 40  // of them before the span, where the line is cut
	maskBytes      = 256 // read on both sides, so that a cut secret is known as one
)

// excerpt is a piece of a line, made harmless, in three parts: what stands
// before the marked text, the marked text, and what follows.
type excerpt struct {
	before, marked, after string
}

// excerptOf shows the line that a span begins on. Indentation is dropped; a line
// that is too wide becomes a window around the span, with an ellipsis at each
// cut; of a span over several lines the first is shown.
func excerptOf(at source.Span) (excerpt, bool) {
	if at.IsZero() || at.Start < 0 || at.Start > at.File.Len() || at.End < at.Start {
		return excerpt{}, false
	}
	data := at.File.Bytes()
	line := at.File.Line(at.File.LineOf(at.Start))
	from, to := line.Start, line.End
	for from < min(at.Start, to) && (data[from] == ' ' || data[from] == '\t') {
		from++
	}
	start, end := min(at.Start, to), min(max(at.End, at.Start+1), to)

	e := excerpt{}
	text := maskedAround(data, from, to, start)
	e.before = tail(text(from, start), excerptBefore, fits(text(from, to)))
	room := excerptColumns - columns(e.before)
	e.marked = head(text(start, end), room)
	e.after = head(text(end, to), max(room-columns(e.marked), 1))
	return e, true
}

// maskedAround gives pieces of data[from:to] with secrets masked. Only the
// surroundings of the span are looked at: a minified file is one line.
func maskedAround(data []byte, from, to, start int) func(a, b int) string {
	const reach = excerptColumns*utf8.UTFMax + maskBytes
	low := max(from, start-reach)
	high := min(to, start+reach)
	masked := clean.Mask(string(data[low:high]))
	clamp := func(i int) int { return max(low, min(i, high)) - low }
	return func(a, b int) string { return masked[clamp(a):clamp(b)] }
}

func fits(s string) bool {
	return len(s) <= excerptColumns*utf8.UTFMax && columns(shown(s)) <= excerptColumns
}

// shown is s made harmless, with tabs left for the alignment.
func shown(s string) string {
	var b strings.Builder
	for raw, shown := range clean.Pieces(s) {
		if raw == "\t" {
			shown = raw
		}
		b.WriteString(shown)
	}
	return b.String()
}

// head is the beginning of s in at most limit columns.
func head(s string, limit int) string {
	var b strings.Builder
	used := 0
	for raw, piece := range clean.Pieces(s) {
		if raw == "\t" {
			piece = raw
		}
		if used+columns(piece) > limit {
			return cutEnd(b.String())
		}
		used += columns(piece)
		b.WriteString(piece)
	}
	return b.String()
}

// cutEnd makes room for the ellipsis.
func cutEnd(s string) string {
	_, size := utf8.DecodeLastRuneInString(s)
	return s[:len(s)-size] + "…"
}

// tail is the end of s in at most limit columns, or all of it.
func tail(s string, limit int, all bool) string {
	var pieces []string
	for raw, piece := range clean.Pieces(s) {
		if raw == "\t" {
			piece = raw
		}
		pieces = append(pieces, piece)
	}
	if all {
		return strings.Join(pieces, "")
	}
	used, first := 0, len(pieces)
	for first > 0 && used+columns(pieces[first-1]) <= limit {
		first--
		used += columns(pieces[first])
	}
	if first == 0 {
		return strings.Join(pieces, "")
	}
	return "…" + strings.Join(pieces[min(first+1, len(pieces)):], "")
}

// carets underlines the marked text.
func (e excerpt) carets() (indent, carets string) {
	var b strings.Builder
	for _, r := range e.before {
		b.WriteString(blank(string(r)))
	}
	return b.String(), strings.Repeat("^", max(1, columns(e.marked)))
}
