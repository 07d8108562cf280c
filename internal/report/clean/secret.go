package clean

import (
	"regexp"
	"strings"
)

// Secrets are masked by shape, so a value that no list knows is caught as well:
// what follows the word of an authorization scheme, the value under a key that
// says secret, and long runs that mix letters and digits like a generated token.
var (
	bearer = regexp.MustCompile(`(?i)\bbearer[ +]+([A-Za-z0-9_\-.~+/=]{6,})`)
	basic  = regexp.MustCompile(`(?i)\bbasic[ +]+([A-Za-z]*[0-9+/=][A-Za-z0-9+/=]*)`)
	member = regexp.MustCompile(`(?i)"[^"\\]*(?:password|passwd|secret|token|api[_-]?key|authorization|private[_-]?key)[^"\\]*"\s*:\s*"((?:[^"\\]|\\.)*)"?`)
	run    = regexp.MustCompile(`[A-Za-z0-9]{20,}`)
)

// Mask replaces what looks like a secret in a piece of a workflow file by
// asterisks, one a byte, so that offsets stay what they are. n8n expressions
// are code and stay.
func Mask(s string) string {
	var places [][2]int
	for _, scheme := range []*regexp.Regexp{bearer, basic} {
		for _, m := range scheme.FindAllStringSubmatchIndex(s, -1) {
			places = append(places, [2]int{m[2], m[3]})
		}
	}
	for _, m := range member.FindAllStringSubmatchIndex(s, -1) {
		if !isExpression(s[m[2]:m[3]]) {
			places = append(places, [2]int{m[2], m[3]})
		}
	}
	for _, m := range run.FindAllStringIndex(s, -1) {
		if isToken(s[m[0]:m[1]]) {
			places = append(places, [2]int{m[0], m[1]})
		}
	}
	if len(places) == 0 {
		return s
	}
	masked := []byte(s)
	for _, p := range places {
		for i := p[0]; i < p[1]; i++ {
			masked[i] = '*'
		}
	}
	return string(masked)
}

func isExpression(s string) bool { return strings.HasPrefix(s, "=") && strings.Contains(s, "{{") }

// isToken tells generated tokens from words: several digits scattered between
// letters. UUIDs and slugs are no such runs, because of their hyphens.
func isToken(s string) bool {
	digits, turns := 0, 0
	for i := range len(s) {
		if isDigit(s[i]) {
			digits++
		}
		if i > 0 && isDigit(s[i]) != isDigit(s[i-1]) {
			turns++
		}
	}
	return digits >= 3 && turns >= 4
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
