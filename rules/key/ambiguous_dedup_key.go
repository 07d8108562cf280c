package key

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed ambiguous_dedup_key.md
var ambiguousDoc string

// AmbiguousDedupKey reports keys of several parts that run into each other.
func AmbiguousDedupKey() *lint.Rule {
	return &lint.Rule{
		ID:         "ambiguous-dedup-key",
		Title:      "a key whose parts run into each other",
		Family:     "key",
		Severity:   lint.Note,
		Confidence: lint.Medium,
		Default:    false,
		Doc:        ambiguousDoc,
		Check:      checkAmbiguous,
	}
}

func checkAmbiguous(p *lint.Pass) error {
	for _, use := range p.Facts.Keys() {
		glue, ok := p.Facts.Glue(use)
		if !ok {
			continue
		}
		how := "glued together"
		if glue != "" {
			how = fmt.Sprintf("joined by %q, which a part may hold as well", glue)
		}
		p.Report(lint.Finding{
			At: use.At, Node: use.Node, Severity: lint.Note, Confidence: lint.Medium,
			Message: fmt.Sprintf("the parts of the key of %q (%s) are %s: two different events can get one key; keep the parts apart", use.Node.Name, use.Position, how),
			Fix:     "Use one unique column for each part, or {{ JSON.stringify([a, b]) }}, or a hash of that.",
			Key:     use.Position,
		})
	}
	return nil
}
