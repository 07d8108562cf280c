package clean

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON escapes inside the strings of an encoded JSON document what Text
// escapes, in JSON's own way: the document means the same afterwards, and shows
// in a terminal or a log without doing anything. Line breaks between values and
// bytes that are not UTF-8 stay.
func JSON(document []byte) []byte {
	out := make([]byte, 0, len(document)+len(document)/64)
	done := 0 // the bytes before are in out
	for i := 0; i < len(document); {
		c := document[i]
		if c < 0x7F && c != '#' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(document[i:])
		command := r == '#' && i > 0 && document[i-1] == '#' && opensCommand(document[i+1:])
		if command || (r != '#' && r != utf8.RuneError && hidden(r)) {
			out = appendEscape(append(out, document[done:i]...), r)
			done = i + size
		}
		i += size
	}
	return append(out, document[done:]...)
}

func appendEscape(out []byte, r rune) []byte {
	if r > 0xFFFF {
		high, low := utf16.EncodeRune(r)
		return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
