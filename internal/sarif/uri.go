package sarif

import (
	"fmt"
	"path"
	"strings"
)

// fileURI is the URI of a file as it is reported, and whether it is relative to
// the root of the sources. Everything but letters, digits and -._~/ is percent
// encoded: a colon in a name would read as a scheme.
func fileURI(name string) (uri string, relative bool) {
	name = strings.ReplaceAll(name, `\`, "/")
	switch {
	case name == "":
		return "stdin", true
	case strings.HasPrefix(name, "/"):
		return "file://" + escapePath(path.Clean(name)), false
	case len(name) > 2 && name[1] == ':' && name[2] == '/' && isLetter(name[0]):
		return "file:///" + name[:2] + escapePath(path.Clean(name[2:])), false
	}
	return escapePath(path.Clean(name)), true
}

func escapePath(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		c := p[i]
		if isLetter(c) || (c >= '0' && c <= '9') || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func isLetter(c byte) bool { return (c|0x20) >= 'a' && (c|0x20) <= 'z' }
