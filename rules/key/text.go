package key

import "strings"

// looksLikeExpression reports whether a literal text was meant as an expression
// and lost its "=".
func looksLikeExpression(text string) bool {
	open := strings.Index(text, "{{")
	return open >= 0 && strings.Contains(text[open:], "}}")
}
