package retry

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed swallowed_error.md
var swallowedErrorDoc string

// SwallowedError reports effects whose failure nobody learns of.
func SwallowedError() *lint.Rule {
	return &lint.Rule{
		ID:         "swallowed-error",
		Title:      "a failed side effect that counts as done",
		Family:     "retry",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        swallowedErrorDoc,
		Check:      checkSwallowed,
	}
}

func checkSwallowed(p *lint.Pass) error {
	for _, s := range p.Facts.Swallows() {
		p.Report(swallowed(s))
	}
	return nil
}

func swallowed(s guard.Swallowed) lint.Finding {
	n := s.Effect.Node
	f := lint.Finding{
		At: s.Outcome.At, Node: n, Severity: weight(s.Effect), Confidence: certainty(s.Effect),
		Message: fmt.Sprintf("the error output of %q is switched on and leads nowhere: when it fails, the run ends green and nobody learns of it; connect it, or let the failure stop the run", n.Name),
		Fix:     fmt.Sprintf("Connect the error output of %q to a node that sets a review state and tells somebody, or set On Error back to \"Stop Workflow\".", n.Name),
	}
	if s.Done == nil {
		return f
	}
	f.Severity = lint.Error
	if s.Effect.Impact == catalog.Notice {
		f.Severity = lint.Warning
	}
	f.Message = fmt.Sprintf("when %q fails, the run goes on to %q, which writes %s as if it had succeeded; ask for the error before, or lead it to review", n.Name, s.Done.Name, stateText(s.State))
	f.Flow = steps(s.Outcome.Way(s.Outcome.Failed, s.Done), "fails", "says that it was done")
	f.Related = []lint.Related{{At: s.State.At, Node: s.Done, Message: "says that it was done"}}
	f.Fix = fmt.Sprintf("Set On Error of %q to \"Continue (using error output)\", leave the first output as it is, and lead the error output to a node that writes 'review'%s.", n.Name, onwards(n))
	return f
}

// onwards: in a loop the next item has to come all the same.
func onwards(n *graph.Node) string {
	for _, e := range n.MainOut() {
		if graph.Reachable(e.To, nil)[n] {
			return " and from there back into the loop"
		}
	}
	return ""
}

func stateText(s guard.State) string {
	if s.Known {
		return fmt.Sprintf("%s %q", s.Column, s.Text)
	}
	return s.Column
}
