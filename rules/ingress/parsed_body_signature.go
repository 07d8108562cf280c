package ingress

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed parsed_body_signature.md
var parsedBodyDoc string

// ParsedBodySignature reports signatures that are computed over a body that was
// parsed and written out anew.
func ParsedBodySignature() *lint.Rule {
	return &lint.Rule{
		ID:         "parsed-body-signature",
		Title:      "a signature over the parsed body instead of the bytes that arrived",
		Family:     "ingress",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        parsedBodyDoc,
		Check:      checkParsedBody,
	}
}

func checkParsedBody(p *lint.Pass) error {
	seen := map[*graph.Node]bool{}
	for _, root := range webhooks(p) {
		for _, n := range p.Facts.Nodes() {
			at, parsed := p.Facts.ParsedSignature(n)
			if !parsed || seen[n] || !visited(p.Facts, root, n) {
				continue
			}
			seen[n] = true
			p.Report(lint.Finding{
				At: at, Node: n, Severity: lint.Error, Confidence: lint.High,
				Message: fmt.Sprintf("%q computes the signature over the parsed body written out anew: spaces, key order and numbers may differ from the bytes that were signed, and real events are refused; hash the raw body", n.Name),
				Related: []lint.Related{{At: root.Trigger.Place(), Node: root.Trigger, Message: "gives the raw body where its option Raw Body is on"}},
				Fix: fmt.Sprintf(`Switch the option Raw Body of %q on and hash what arrived: a Crypto node with the action HMAC, Binary File on and the property data,
or in a Code node directly behind the webhook
  const raw = await this.helpers.getBinaryDataBuffer(0, 'data');`, root.Trigger.Name),
			})
		}
	}
	return nil
}
