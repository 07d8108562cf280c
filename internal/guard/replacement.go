package guard

import (
	"strings"

	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Replacement is how the string form of a Postgres node's query parameters is
// cut up (N8N.md 1c): all text outside {{ }} is dropped, each {{ }} is a
// parameter of its own, and from version 2.5 on a value is split on commas.
type Replacement struct {
	Value source.Value
	// Parts are the expressions, Texts the literal texts between them that are
	// more than separators.
	Parts []expr.Part
	Texts []expr.Part
	// Used is the highest placeholder in the query.
	Used int
	// Split: a comma inside the value cuts it.
	Split bool
}

// Replacement reads the parameters of a query node; ok is false where they are
// not in the string form, or the node keeps the text.
func (f *Facts) Replacement(n *graph.Node) (r Replacement, ok bool) {
	if n.Type != postgresNode || n.TypeVersion < 2 {
		return r, false
	}
	_, value := f.model.catalog.QueryParameters(n)
	if value.Kind() != source.String || f.model.ops[n].Script == nil {
		return r, false
	}
	r = Replacement{Value: value, Split: n.TypeVersion >= 2.5, Used: highest(f.model.ops[n].Script.Text)}
	for _, p := range expr.ParseResolved(value.Str()).Parts {
		switch {
		case p.Code:
			r.Parts = append(r.Parts, p)
		case strings.Trim(p.Text, ", \t\r\n=") != "":
			r.Texts = append(r.Texts, p)
		}
	}
	if len(r.Parts) == 0 || len(r.Parts) == 1 && len(r.Texts) == 0 && isArray(r.Parts[0]) {
		return r, false
	}
	return r, true
}

// isArray reports whether an expression gives an array, whose elements are the
// parameters as they are.
func isArray(p expr.Part) bool {
	return p.Program != nil && p.Eval(expr.Symbolic{}).Kind() == expr.KindArray
}

// highest is the highest number of $1, $2 … in a query.
func highest(query string) (n int) {
	for i := 0; i+1 < len(query); i++ {
		if query[i] != '$' {
			continue
		}
		number := 0
		for j := i + 1; j < len(query) && query[j] >= '0' && query[j] <= '9' && number < 1000; j++ {
			number = number*10 + int(query[j]-'0')
		}
		n = max(n, number)
	}
	return n
}
