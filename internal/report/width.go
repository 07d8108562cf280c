package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// columnsOf is the number of terminal columns that a character takes: none for
// combining marks and joiners, two for wide ones.
func columnsOf(r rune) int {
	if r < utf8.RuneSelf {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

// blank is white space as wide as s on the line below it; tabs stay tabs.
func blank(s string) string {
	if s == "\t" {
		return s
	}
	return strings.Repeat(" ", columns(s))
}
