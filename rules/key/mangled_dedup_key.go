// Package key holds the rules about the values by which repeats are recognised.
package key

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed mangled_dedup_key.md
var mangledDoc string

// MangledDedupKey reports keys that do not reach the database as they are
// written.
func MangledDedupKey() *lint.Rule {
	return &lint.Rule{
		ID:         "mangled-dedup-key",
		Title:      "a key that does not reach the database as it is written",
		Family:     "key",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        mangledDoc,
		Check:      checkMangled,
	}
}

func checkMangled(p *lint.Pass) error {
	for _, g := range p.Facts.Guards {
		if g.Kind != guard.Claim && g.Kind != guard.LookUp || g.OneNode && g.Statement == nil {
			continue
		}
		r, ok := p.Facts.Replacement(g.Node)
		if !ok {
			continue
		}
		if f, ok := mangled(g, r); ok {
			p.Report(f)
		}
	}
	return nil
}

func mangled(g *guard.Guard, r guard.Replacement) (lint.Finding, bool) {
	f := lint.Finding{At: r.Value.Span(), Node: g.Node, Confidence: lint.High, Fix: arrayForm(r)}
	name := g.Node.Name
	switch {
	case len(r.Parts) > r.Used && r.Used > 0:
		f.Severity = lint.Error
		f.Message = fmt.Sprintf("%q binds only the first %s of its query parameters: each {{ }} is a parameter of its own and the text between them is dropped, so different events get one key and are lost; use the array form", name, count(r.Used))
	case len(r.Texts) > 0:
		f.Severity = lint.Warning
		f.Message = fmt.Sprintf("the text %q of the query parameters of %q never reaches the query: the node drops all text outside {{ }}; use the array form", r.Texts[0].Text, name)
	case r.Split && len(r.Parts) == 1 && g.Kind == guard.Claim:
		f.Severity, f.Confidence = lint.Note, lint.Medium
		f.Message = fmt.Sprintf("a comma in the value cuts the key of %q: the Postgres node splits the string form of its query parameters on commas from version 2.5 on; use the array form", name)
	default:
		return f, false
	}
	return f, true
}

func count(n int) string {
	if n == 1 {
		return "expression"
	}
	return fmt.Sprintf("%d expressions", n)
}

// arrayForm writes the parameters as one expression that gives an array.
func arrayForm(r guard.Replacement) string {
	if len(r.Parts) == 1 && len(r.Texts) == 0 {
		return fmt.Sprintf("Query Parameters: {{ [%s] }}", r.Parts[0].Text)
	}
	return "Query Parameters: one expression that gives an array with one element for each $n, such as {{ [ $json.body.order_id + ':' + $json.body.type ] }}. To keep parts apart, use one column for each, or JSON.stringify([a, b])."
}
