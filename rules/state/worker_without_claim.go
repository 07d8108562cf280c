package state

import (
	_ "embed"
	"fmt"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed worker_without_claim.md
var workerDoc string

// WorkerWithoutClaim reports schedules that read open tasks, act and mark them,
// with nothing that keeps a second run from the same tasks.
func WorkerWithoutClaim() *lint.Rule {
	return &lint.Rule{
		ID:         "worker-without-claim",
		Title:      "a worker that takes tasks without claiming them",
		Family:     "state",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        workerDoc,
		Check:      checkWorker,
	}
}

func checkWorker(p *lint.Pass) error {
	for _, r := range p.Facts.Rounds() {
		if severity, ok := grade(r.Acts); ok && r.Worker() {
			p.Report(worker(r, severity))
		}
	}
	return nil
}

func worker(r *guard.Round, severity lint.Severity) lint.Finding {
	h, name := strongest(r.Acts), r.Row.Node.Name
	lock := ""
	if s := r.Row.Statement; s != nil && s.Lock.ForUpdate {
		lock = " (the lock of FOR UPDATE ends with the node)"
	}
	return lint.Finding{
		At: rowPlace(r.Row), Node: r.Row.Node, Severity: severity, Confidence: lint.High,
		Message: fmt.Sprintf("%q reads the open tasks, and %q acts before %q marks them%s: a run that starts while another is at work, or after a crash, takes the same tasks; claim them in the statement that reads them",
			name, h.Effect.Node.Name, r.Mark.Node.Name, lock),
		Flow:    lint.Way(h.Exposure, "starts on its schedule", does(h.Effect)+" again for the same task"),
		Related: append(lint.Behind(r.Acts, "happens again when two runs overlap"), lint.Related{At: r.Mark.At, Node: r.Mark.Node, Message: "the task is marked only here"}),
		Fix:     workerFix(r),
	}
}

func workerFix(r *guard.Round) string {
	const take = "UPDATE %s SET %s = 'claimed' WHERE id IN (SELECT id FROM %s WHERE %s = 'pending' ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED) RETURNING *;"
	if r.Row.Statement == nil {
		return "Let one atomic statement hand out the tasks. Keep them in a database and take them by Execute Query with\n  " +
			fmt.Sprintf(take, "tasks", "status", "tasks", "status") + "\nA row filter reads only, and a sheet cannot claim."
	}
	name, column := table(r.Row.Target), r.Asked[0].Column
	return fmt.Sprintf("Make %q the claim:\n  "+take+"\nwith an IF on the returned id behind it, and let %q ask for 'claimed'.", r.Row.Node.Name, name, column, name, column, r.Mark.Node.Name)
}
