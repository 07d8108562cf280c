package httpcall

import "strings"

// hostPattern is a host with wildcards: "*" is any host, a leading "*." stands for one or more labels, any other
// "*" inside a label for characters of that label.
type hostPattern string

func (p hostPattern) any() bool { return p == "*" }

func (p hostPattern) exact() bool { return !strings.Contains(string(p), "*") }

func (p hostPattern) matches(host string) bool {
	if p.any() {
		return true
	}
	if host == "" {
		return false
	}
	want, have := string(p), host
	for {
		w, h := want[strings.LastIndexByte(want, '.')+1:], have[strings.LastIndexByte(have, '.')+1:]
		want, have = want[:len(want)-len(w)], have[:len(have)-len(h)]
		switch {
		case h == "" || !globMatches(w, h):
			return false
		case want == "" && w == "*":
			return true
		case want == "" || have == "":
			return want == have
		}
		want, have = want[:len(want)-1], have[:len(have)-1] // the dots
	}
}

// pathPattern is a path of segments: "*" is one segment, "{name}" one segment that a destination can name, "**"
// any number of segments, "a*b" one segment with something in between.
type pathPattern []string

func parsePath(s string) pathPattern {
	s = strings.Trim(s, "/")
	if s == "" {
		return nil
	}
	return strings.Split(s, "/")
}

// match returns whether the path fits and which segment each name stands for.
func (p pathPattern) match(path []segment) (map[string]segment, bool) {
	var names map[string]segment
	if !p.matchInto(path, &names) {
		return nil, false
	}
	return names, true
}

// matchInto makes the map only where the pattern has names: most patterns are tried in vain.
func (p pathPattern) matchInto(path []segment, names *map[string]segment) bool {
	if len(p) == 0 {
		return len(path) == 0
	}
	if p[0] == "**" {
		for i := 0; i <= len(path); i++ {
			if p[1:].matchInto(path[i:], names) {
				return true
			}
		}
		return false
	}
	if len(path) == 0 || !segmentMatches(p[0], path[0].s) {
		return false
	}
	if !p[1:].matchInto(path[1:], names) {
		return false
	}
	if name, ok := segmentName(p[0]); ok {
		if *names == nil {
			*names = map[string]segment{}
		}
		(*names)[name] = path[0]
	}
	return true
}

func segmentName(pattern string) (string, bool) {
	if len(pattern) < 3 || pattern[0] != '{' || pattern[len(pattern)-1] != '}' {
		return "", false
	}
	return pattern[1 : len(pattern)-1], true
}

func segmentMatches(pattern, s string) bool {
	if _, ok := segmentName(pattern); ok {
		return true
	}
	return globMatches(pattern, s)
}

// globMatches compares with "*" for any characters. A hole is a character that no literal equals.
func globMatches(pattern, s string) bool {
	first, rest, found := strings.Cut(pattern, "*")
	if !found {
		return pattern == s
	}
	if !strings.HasPrefix(s, first) {
		return false
	}
	s = s[len(first):]
	for {
		next, more, found := strings.Cut(rest, "*")
		if !found {
			return strings.HasSuffix(s, rest)
		}
		i := strings.Index(s, next)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(next):], more
	}
}
