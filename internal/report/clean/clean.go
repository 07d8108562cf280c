// Package clean makes text out of workflows harmless. A workflow comes from a
// stranger: its names may hold terminal escapes, line breaks, commands for a CI
// runner, letters that turn the reading direction, or a megabyte of text.
package clean

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name is the number of runes that a name keeps in a heading or a message.
const Name = 200

// Message is the number of runes that a whole sentence keeps.
const Message = 4000

// Text is s in one line, with everything escaped that would not show as itself:
// control and format characters (\n, \x1b, \u202e), bytes that are not UTF-8
// (\xff), and what CI runners take for commands ("::" at the start, "##[" and
// "##vso[" anywhere). The rest stays as it is, backslashes included.
func Text(s string) string {
	if harmless(s) {
		return s
	}
	var b strings.Builder
	for _, shown := range Pieces(s) {
		b.WriteString(shown)
	}
	return b.String()
}

// Clip is Text of at most limit runes of s; a cut shows as an ellipsis.
func Clip(s string, limit int) string { return Text(Cut(s, limit)) }

// Cut shortens s to limit runes, the ellipsis at its end included.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	last, n := 0, 0
	for i := range s {
		if n == limit-1 {
			last = i
		}
		if n == limit {
			return s[:last] + "…"
		}
		n++
	}
	return s
}

// Pieces takes s apart into characters and gives for each the raw bytes and
// what Text shows in their place.
func Pieces(s string) iter.Seq2[string, string] {
	return func(yield func(raw, shown string) bool) {
		atStart := true
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRuneInString(s[i:])
			shown := show(s, i, r, size)
			if atStart && strings.HasPrefix(s[i:], "::") {
				shown = `\x3a`
			}
			atStart = atStart && unicode.IsSpace(r)
			if !yield(s[i:i+size], shown) {
				return
			}
			i += size
		}
	}
}

func show(s string, i int, r rune, size int) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf(`\x%02x`, s[i])
	case r == '#' && i > 0 && s[i-1] == '#' && opensCommand(s[i+1:]):
		return `\x23`
	case hidden(r):
		return escape(r)
	}
	return s[i : i+size]
}

// opensCommand reports whether s goes on like the runner commands that are read
// anywhere in a line: ##[error], ##vso[task…], ##teamcity[…].
func opensCommand[T string | []byte](s T) bool {
	for i := range len(s) {
		if c := s[i]; c == '[' {
			return true
		} else if (c|0x20) < 'a' || (c|0x20) > 'z' {
			return false
		}
	}
	return false
}

// hidden reports whether r does not show as itself. The joiners stay: emoji and
// several scripts are written with them.
func hidden(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	if r == nonJoiner || r == joiner {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

func escape(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	switch {
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xFFFF:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

func harmless(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '#' || c == ':' || c >= 0x7F {
			return false
		}
	}
	return true
}
