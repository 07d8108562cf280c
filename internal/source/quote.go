package source

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// unquote decodes a JSON string literal. Lone surrogates and bytes that are not
// UTF-8 become U+FFFD.
func unquote(raw []byte) string {
	if simple(raw) {
		return string(raw[1 : len(raw)-1])
	}
	out, _ := jsontext.AppendUnquote(nil, raw) // the error only tells of replaced bytes
	return string(out)
}

func simple(raw []byte) bool {
	for _, b := range raw {
		if b == '\\' || b >= utf8.RuneSelf {
			return false
		}
	}
	return len(raw) >= 2
}

// rawOffset finds the byte of the literal at which the decoded byte want begins.
// Offset 0 is the byte behind the opening quote.
func rawOffset(raw []byte, want int) int {
	i, decoded := 1, 0
	for i < len(raw)-1 && decoded < want {
		in, out := unit(raw[i:])
		if decoded+out > want && out == in { // inside a plain character
			return i + want - decoded
		}
		i += in
		decoded += out
	}
	return min(i, max(len(raw)-1, 0))
}

// unit gives the length of the first character in the literal and decoded.
func unit(b []byte) (in, out int) {
	if b[0] != '\\' {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size <= 1 {
			return 1, 3
		}
		return size, size
	}
	if len(b) < 2 || b[1] != 'u' {
		return min(2, len(b)), 1
	}
	r := hex4(b)
	switch {
	case r >= 0xD800 && r < 0xDC00 && len(b) >= 12 && b[6] == '\\' && b[7] == 'u':
		if low := hex4(b[6:]); low >= 0xDC00 && low < 0xE000 {
			return 12, 4
		}
		return 6, 3
	case r >= 0xD800 && r < 0xE000:
		return 6, 3
	}
	return min(6, len(b)), utf8.RuneLen(r)
}

func hex4(b []byte) rune {
	var r rune
	for i := 2; i < 6 && i < len(b); i++ {
		c := b[i] | 0x20
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		}
	}
	return r
}
