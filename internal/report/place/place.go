// Package place turns spans into lines and columns fast enough for many
// findings on one long line, as minified exports have them.
package place

import (
	"sort"
	"unicode/utf8"

	"github.com/n8nlint/n8nlint/internal/source"
)

// stride is the distance of the marks on a long line, in bytes.
const stride = 1024

// Columns counts columns in one unit and remembers marks on long lines. It is
// for one goroutine.
type Columns struct {
	unit  source.Unit
	lines map[lineKey][]mark
}

type lineKey struct {
	file *source.File
	line int
}

// mark says how many units of its line come before a byte offset.
type mark struct{ offset, units int }

// NewColumns counts in the given unit.
func NewColumns(unit source.Unit) *Columns {
	return &Columns{unit: unit, lines: map[lineKey][]mark{}}
}

// Range gives the positions of a span's start and of its exclusive end. A span
// that is no place begins and ends at line 1, column 1.
func (c *Columns) Range(s source.Span) (start, end source.Position) {
	if s.IsZero() {
		return source.Position{Line: 1, Column: 1}, source.Position{Line: 1, Column: 1}
	}
	return c.position(s.File, s.Start), c.position(s.File, max(s.Start, s.End))
}

func (c *Columns) position(f *source.File, offset int) source.Position {
	offset = max(0, min(offset, f.Len()))
	line := f.LineOf(offset)
	span := f.Line(line)
	if offset-span.Start <= stride || c.unit == source.Bytes {
		return f.Position(offset, c.unit)
	}
	marks := c.marks(f, line, span)
	i := sort.Search(len(marks), func(i int) bool { return marks[i].offset > offset }) - 1
	return source.Position{Line: line, Column: 1 + marks[i].units + c.count(f.Bytes()[marks[i].offset:offset])}
}

func (c *Columns) marks(f *source.File, line int, span source.Span) []mark {
	key := lineKey{f, line}
	if marks, ok := c.lines[key]; ok {
		return marks
	}
	marks := []mark{{offset: span.Start}}
	for {
		last := marks[len(marks)-1]
		next := last.offset + stride
		if next >= span.End {
			break
		}
		for next > last.offset && !utf8.RuneStart(f.Bytes()[next]) {
			next--
		}
		if next == last.offset { // a run of bytes that are no UTF-8
			next += stride
		}
		marks = append(marks, mark{next, last.units + c.count(f.Bytes()[last.offset:next])})
	}
	c.lines[key] = marks
	return marks
}

func (c *Columns) count(b []byte) int {
	if c.unit == source.Runes {
		return utf8.RuneCount(b)
	}
	n := 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		n++
		if r > 0xFFFF {
			n++
		}
		b = b[size:]
	}
	return n
}
