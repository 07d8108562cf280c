package key

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed llm_dedup_key.md
var llmDoc string

// LLMDedupKey reports keys that come from a model's output.
func LLMDedupKey() *lint.Rule {
	return &lint.Rule{
		ID:         "llm-dedup-key",
		Title:      "a key that a language model makes",
		Family:     "key",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        llmDoc,
		Check:      checkLLM,
	}
}

func checkLLM(p *lint.Pass) error {
	for _, use := range p.Facts.Keys() {
		if _, ok := volatileSource(p.Facts, use); ok || p.Facts.IsTool(use.Node) || !judged(p.Facts, use) {
			continue // the model fills a tool's fields by purpose
		}
		for _, o := range use.Trace.Origins {
			if o.Kind != flow.Model || o.Fallback {
				continue
			}
			model := "a model"
			if o.Node != nil {
				model = fmt.Sprintf("the model in %q", o.Node.Name)
			}
			f := lint.Finding{
				At: use.At, Node: use.Node, Severity: severity(p.Facts, use), Confidence: lint.High,
				Message: fmt.Sprintf("the key of %q (%s) comes from %s: asked again it may answer otherwise, and a repeat gets another key; make the key of what names the event", use.Node.Name, use.Position, model),
				Flow:    origin(use, o),
				Fix:     stableFix(p.Facts, use),
				Key:     use.Position,
			}
			if use.Named {
				f.Confidence = lint.Medium
			}
			if ofRecord(use) {
				// The model may name what the record is about, word for word.
				f.Severity, f.Confidence = f.Severity.Lower(), lint.Medium
			}
			p.Report(f)
			break
		}
	}
	return nil
}
