package key

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/flow"
)

// looksLikeExpression reports whether a literal text was meant as an expression
// and lost its "=".
func looksLikeExpression(text string) bool {
	open := strings.Index(text, "{{")
	return open >= 0 && strings.Contains(text[open:], "}}")
}

// sameValue reports whether two values have the same literal text and are made
// of the same fields of the same nodes.
func sameValue(a, b flow.Trace) bool {
	if a.Incomplete || b.Incomplete || a.Text != b.Text || len(a.Origins) == 0 {
		return false
	}
	return slices.EqualFunc(a.Origins, b.Origins, func(x, y flow.Origin) bool {
		return x.Kind == y.Kind && x.Node == y.Node && x.Name == y.Name && slices.Equal(x.Path, y.Path) && x.Kind != flow.Unknown
	})
}
