package httpcall

import (
	"sort"
	"strings"
)

// hole is the byte that stands for an expression in a flat text.
const hole = '\x00'

// maxText bounds how much of a text is looked at, in bytes.
const maxText = 1 << 20

// flat is a text in one string, every expression one hole byte, so that it can be searched and cut.
type flat struct {
	s string
	// at and numbers hold the offset in s and the number of every hole.
	at      []int
	numbers []int
}

func flatten(t Text) flat {
	var out strings.Builder
	var f flat
	for _, part := range t.Parts {
		if out.Len() > maxText {
			break
		}
		if part.Hole > 0 {
			f.at = append(f.at, out.Len())
			f.numbers = append(f.numbers, part.Hole)
			out.WriteByte(hole)
			continue
		}
		out.WriteString(strings.ReplaceAll(part.Literal[:min(len(part.Literal), maxText)], string(hole), "\uFFFD"))
	}
	f.s = out.String()
	return f
}

// text makes the bytes from start to end a text again.
func (f flat) text(start, end int) Text {
	var t Text
	literal := start
	for i := sort.SearchInts(f.at, start); i < len(f.at) && f.at[i] < end; i++ {
		if f.at[i] > literal {
			t.Parts = append(t.Parts, Part{Literal: f.s[literal:f.at[i]]})
		}
		t.Parts = append(t.Parts, Part{Hole: f.numbers[i]})
		literal = f.at[i] + 1
	}
	if literal < end {
		t.Parts = append(t.Parts, Part{Literal: f.s[literal:end]})
	}
	return t
}

func hasHole(s string) bool {
	return strings.IndexByte(s, hole) >= 0
}
