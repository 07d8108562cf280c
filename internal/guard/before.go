package guard

import "github.com/n8nlint/n8nlint/internal/graph"

// Before reports whether an execution can come from a to b.
func (f *Facts) Before(a, b *graph.Node) bool { return f.model.behind(a).Has(b) }
