package place

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/n8nlint/n8nlint/internal/source"
)

// Bytes that are no UTF-8 are left out: a mark inside such a run may split what
// a decoder would take together, and exports are UTF-8.
func TestColumnsAgreeWithTheSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]source.Unit{source.Bytes, source.Runes, source.UTF16}).Draw(t, "unit")
		piece := rapid.SampledFrom([]string{"a", "ü", "€", "😀", "a😀", "ab\n"}).Draw(t, "piece")
		text := strings.Repeat(piece, rapid.IntRange(0, 5000).Draw(t, "times")) + "\nx"
		f := source.NewFile("f", []byte(text))
		columns := NewColumns(unit)
		for range 5 {
			offset := rapid.IntRange(0, len(text)).Draw(t, "offset")
			start, _ := columns.Range(source.Span{File: f, Start: offset, End: offset})
			want := f.Position(offset, unit)
			if aligned(text, offset) && start != want {
				t.Fatalf("offset %d is %v, want %v", offset, start, want)
			}
		}
	})
}

func aligned(text string, offset int) bool {
	return offset == len(text) || text[offset]&0xC0 != 0x80
}

func TestSpansThatAreNoPlace(t *testing.T) {
	start, end := NewColumns(source.Runes).Range(source.Span{})
	require.Equal(t, source.Position{Line: 1, Column: 1}, start)
	require.Equal(t, start, end)
	f := source.NewFile("f", []byte(strings.Repeat("\x80", 3*stride)))
	start, _ = NewColumns(source.UTF16).Range(source.Span{File: f, Start: 3*stride + 9, End: 3})
	require.Equal(t, source.Position{Line: 1, Column: 3*stride + 1}, start)
}

func BenchmarkManySpansOnOneLine(b *testing.B) {
	f := source.NewFile("f", []byte(strings.Repeat("ü", 1<<20)))
	for b.Loop() {
		columns := NewColumns(source.UTF16)
		for offset := 0; offset < f.Len(); offset += 400 {
			columns.Range(source.Span{File: f, Start: offset, End: offset})
		}
	}
}
