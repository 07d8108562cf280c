package flow

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed loop_outputs_swapped.md
var loopOutputsDoc string

// LoopOutputsSwapped reports loops whose work hangs at an output that never fires.
func LoopOutputsSwapped() *lint.Rule {
	return &lint.Rule{
		ID:         "loop-outputs-swapped",
		Title:      "a loop whose work hangs at the output that never fires",
		Family:     "flow",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        loopOutputsDoc,
		Check:      checkLoopOutputs,
	}
}

func checkLoopOutputs(p *lint.Pass) error {
	for _, n := range p.Facts.Nodes() {
		s, ok := p.Facts.Swapped(n)
		if !ok {
			continue
		}
		p.Report(lint.Finding{
			At: versionPlace(n), Node: n, Severity: lint.Error, Confidence: lint.High,
			Message: fmt.Sprintf("%s never runs: in version %g of Loop Over Items the batches leave %q by output %d, and the work hangs at output %d, which fires only when they have come back; move it to output %d",
				hanging(n, s.Wired), n.TypeVersion, n.Name, s.Loop, s.Wired, s.Loop),
			Related: []lint.Related{{At: s.Edge.At, Node: s.Edge.To, Message: "hangs at the output that never fires"}},
			Fix:     fmt.Sprintf("Connect output %d (loop) of %q to %s and lead the end of the work back to %q; what comes after the last batch belongs on the other output (done).", s.Loop, n.Name, hanging(n, s.Wired), n.Name),
		})
	}
	return nil
}

// hanging names the nodes at an output.
func hanging(loop *graph.Node, output int) string {
	var names []string
	for _, e := range loop.MainOut() {
		if e.Output == output {
			names = append(names, strconv.Quote(e.To.Name))
		}
	}
	return strings.Join(names, " and ")
}

// versionPlace is the version, which decides what the outputs mean.
func versionPlace(n *graph.Node) source.Span {
	if v := n.Setting("typeVersion"); v.Exists() {
		return v.Span()
	}
	return n.Place()
}
