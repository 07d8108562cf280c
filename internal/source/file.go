// Package source holds the bytes of a file and finds the way back to them:
// spans, lines and columns, JSON values with their offsets, and offsets inside
// JSON strings behind their escapes.
package source

import (
	"bytes"
	"encoding/binary"
	"sort"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// File is one input. Its bytes are UTF-8 without a byte order mark; offsets
// count from there.
type File struct {
	// Name is the path as it is reported, with forward slashes.
	Name string

	data  []byte
	once  sync.Once
	lines []int // offset of the first byte of every line
}

// NewFile wraps data. A UTF-8 byte order mark is dropped and UTF-16 with a byte
// order mark (what a PowerShell redirect writes) is turned into UTF-8.
func NewFile(name string, data []byte) *File {
	return &File{Name: name, data: toUTF8(data)}
}

func toUTF8(data []byte) []byte {
	switch {
	case bytes.HasPrefix(data, []byte{0xEF, 0xBB, 0xBF}):
		return data[3:]
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return fromUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return fromUTF16(data[2:], binary.BigEndian)
	}
	return data
}

func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	out := make([]byte, 0, len(data))
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// Bytes are the file's bytes. They must not be changed.
func (f *File) Bytes() []byte { return f.data }

// Len is the number of bytes.
func (f *File) Len() int { return len(f.data) }

// Unit says what a column counts.
type Unit int

// The units of the formats: SARIF and LSP count UTF-16 code units, text counts
// runes, rdjson counts bytes.
const (
	Bytes Unit = iota
	Runes
	UTF16
)

// Position is a line and a column, both from 1.
type Position struct{ Line, Column int }

func (f *File) index() []int {
	f.once.Do(func() {
		f.lines = append(f.lines, 0)
		for i, b := range f.data {
			if b == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	})
	return f.lines
}

// LineOf is the line, from 1, that offset lies in.
func (f *File) LineOf(offset int) int {
	lines := f.index()
	return sort.Search(len(lines), func(i int) bool { return lines[i] > offset })
}

// Lines is the number of lines.
func (f *File) Lines() int { return len(f.index()) }

// Position converts a byte offset. An offset behind the end counts as the end.
func (f *File) Position(offset int, unit Unit) Position {
	offset = max(0, min(offset, len(f.data)))
	line := f.LineOf(offset)
	start := f.index()[line-1]
	return Position{Line: line, Column: 1 + count(f.data[start:offset], unit)}
}

func count(b []byte, unit Unit) int {
	switch unit {
	case Runes:
		return utf8.RuneCount(b)
	case UTF16:
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
	return len(b)
}

// Line is the span of line n (from 1) without its line break.
func (f *File) Line(n int) Span {
	lines := f.index()
	if n < 1 || n > len(lines) {
		return Span{File: f, Start: len(f.data), End: len(f.data)}
	}
	end := len(f.data)
	if n < len(lines) {
		end = lines[n] - 1
	}
	if end > lines[n-1] && f.data[end-1] == '\r' {
		end--
	}
	return Span{File: f, Start: lines[n-1], End: end}
}

// Span is a range of bytes in a file; End is exclusive. The zero Span is no place.
type Span struct {
	File       *File
	Start, End int
}

// IsZero reports whether the span names no place.
func (s Span) IsZero() bool { return s.File == nil }

// Text is what the file has there.
func (s Span) Text() string {
	if s.File == nil || s.Start < 0 || s.End > len(s.File.data) || s.Start > s.End {
		return ""
	}
	return string(s.File.data[s.Start:s.End])
}

// Range gives the positions of start and end.
func (s Span) Range(unit Unit) (start, end Position) {
	if s.File == nil {
		return Position{1, 1}, Position{1, 1}
	}
	return s.File.Position(s.Start, unit), s.File.Position(s.End, unit)
}
