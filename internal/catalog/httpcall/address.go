package httpcall

import (
	"strings"
)

// maxHost is the length of the longest name that DNS has, in bytes.
const maxHost = 253

// maxSegments bounds the path; of a longer one the beginning and the end are kept.
const maxSegments = 64

// address is a URL taken apart, holes included.
type address struct {
	// host is in lower case, without user, port and final dot. Empty: not known.
	host string
	// cut is true when an expression follows the host directly and may bring more of it.
	cut bool
	// segments are the parts of the path; empty ones are left out.
	segments []segment
	query    []Field
}

type segment struct {
	s    string
	text Text
}

// parseAddress reads a URL as a WHATWG parser does where that decides about the host: backslashes are slashes,
// a user before @ is no host, any number of slashes follows the scheme.
func parseAddress(t Text) address {
	f := flatten(t)
	f.s = strings.ReplaceAll(f.s, `\`, `/`)
	start, end := trimmed(f.s)

	var a address
	if i := strings.IndexByte(f.s[start:end], '#'); i >= 0 {
		end = start + i
	}
	if i := strings.IndexByte(f.s[start:end], '?'); i >= 0 {
		a.query = queryFields(f, start+i+1, end)
		end = start + i
	}

	start, hasScheme := skipScheme(f.s, start, end)
	authorityEnd := end
	if i := strings.IndexByte(f.s[start:end], '/'); i >= 0 {
		authorityEnd = start + i
	}
	var pathStart int
	a.host, a.cut, pathStart = authority(f.s, start, authorityEnd, hasScheme)
	a.segments = pathSegments(f, pathStart, end)
	return a
}

func trimmed(s string) (start, end int) {
	end = len(s)
	for start < end && s[start] <= ' ' && s[start] != hole {
		start++
	}
	for end > start && s[end-1] <= ' ' && s[end-1] != hole {
		end--
	}
	return start, end
}

// skipScheme returns where the authority begins and whether a scheme or // stood before it.
func skipScheme(s string, start, end int) (int, bool) {
	i := strings.Index(s[start:end], "://")
	if i < 0 {
		if strings.HasPrefix(s[start:end], "//") {
			return start + 2, true
		}
		return start, false
	}
	if strings.ContainsAny(s[start:start+i], "/?#@.") {
		return start, false
	}
	start += i + 3
	for start < end && s[start] == '/' {
		start++
	}
	return start, true
}

// authority reads the host between start and end. Where there is none, the path begins at start.
func authority(s string, start, end int, hasScheme bool) (host string, cut bool, pathStart int) {
	raw := s[start:end]
	if i := strings.LastIndexByte(raw, '@'); i >= 0 {
		raw = raw[i+1:]
	}
	if !hasScheme {
		// An expression with the base URL, directly followed by the path: {{ base }}api/v1.
		if strings.HasPrefix(raw, string(hole)) && !strings.ContainsAny(raw, ".:") {
			return "", false, start + 1
		}
		if !strings.Contains(raw, ".") {
			return "", false, start
		}
	}
	host = strings.ToLower(raw)
	if !strings.HasPrefix(host, "[") {
		if i := strings.IndexByte(host, ':'); i >= 0 {
			host = host[:i]
		}
	}
	if before, found := strings.CutSuffix(host, string(hole)); found && completeHost(before) {
		host, cut = before, true
	}
	host = strings.TrimSuffix(host, ".")
	if host == string(hole) || len(host) > maxHost {
		host, cut = "", false
	}
	return host, cut, end
}

// completeHost reports a host that an expression behind it hardly continues: https://api.example.com{{ path }}.
func completeHost(s string) bool {
	return strings.Contains(s, ".") && !hasHole(s) && !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "-")
}

func pathSegments(f flat, start, end int) []segment {
	var all []segment
	for start < end {
		next := strings.IndexByte(f.s[start:end], '/')
		stop := end
		if next >= 0 {
			stop = start + next
		}
		if stop > start {
			all = append(all, segment{s: f.s[start:stop], text: f.text(start, stop)})
		}
		start = stop + 1
	}
	if len(all) <= maxSegments {
		return all
	}
	half := maxSegments / 2
	kept := append([]segment{}, all[:half]...)
	kept = append(kept, segment{s: string(hole)})
	return append(kept, all[len(all)-half:]...)
}

func queryFields(f flat, start, end int) []Field {
	var fields []Field
	for start < end && len(fields) < maxFields {
		stop := end
		if i := strings.IndexByte(f.s[start:end], '&'); i >= 0 {
			stop = start + i
		}
		name, value := stop, stop
		if i := strings.IndexByte(f.s[start:stop], '='); i >= 0 {
			name, value = start+i, start+i+1
		}
		if stop > start {
			fields = append(fields, Field{Name: f.text(start, name), Value: f.text(value, stop)})
		}
		start = stop + 1
	}
	return fields
}
