package flow

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
)

//go:embed wait_as_queue.md
var waitAsQueueDoc string

// WaitAsQueue reports long waits between an event and an effect that nothing but
// the execution knows of.
func WaitAsQueue() *lint.Rule {
	return &lint.Rule{
		ID:         "wait-as-queue",
		Title:      "a long wait holds the work in the execution only",
		Family:     "flow",
		Severity:   lint.Note,
		Confidence: lint.Medium,
		Default:    true,
		Doc:        waitAsQueueDoc,
		Check:      checkWaitAsQueue,
	}
}

func checkWaitAsQueue(p *lint.Pass) error {
	for _, w := range p.Facts.LongWaits() {
		effect := w.Effects[0]
		f := lint.Finding{
			At: w.At, Node: w.Node, Severity: lint.Note, Confidence: lint.Medium,
			Message: fmt.Sprintf("%q waits %s before %q, and until then the work lives in this execution only: pruned or deleted with it, it is lost without a trace; write a task row with a due time, and let a scheduled workflow do it",
				w.Node.Name, length(w), effect.Node.Name),
			Flow: visitWay(w.Visit, "brings the work"),
			Fix:  "INSERT INTO tasks (task_key, due_at, status) VALUES ($1, $2, 'pending') ON CONFLICT (task_key) DO NOTHING; a workflow on a schedule claims the due rows and does the work.",
		}
		for _, e := range w.Effects {
			f.Related = append(f.Related, lint.Related{At: e.At, Node: e.Node, Message: "waits for it"})
		}
		p.Report(f)
	}
	return nil
}

// length says how long a Wait may take.
func length(w guard.LongWait) string {
	switch {
	case w.Outside:
		return "for a request from outside"
	case w.For == 0:
		return "for a date"
	case w.For%(24*time.Hour) == 0:
		return plural(int(w.For/(24*time.Hour)), "day")
	case w.For%time.Hour == 0:
		return plural(int(w.For/time.Hour), "hour")
	}
	return plural(int(w.For/time.Minute), "minute")
}

func plural(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func visitWay(v guard.Visit, first string) (steps []lint.Step) {
	for _, n := range v.Path {
		steps = append(steps, lint.Step{At: n.Place(), Node: n, Message: n.Name})
	}
	if len(steps) > 0 {
		steps[0].Message += ": " + first
	}
	return steps
}
