package claim

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/internal/sql"
)

//go:embed check_then_insert.md
var checkThenInsertDoc string

// CheckThenInsert reports a look-up, a branch on its emptiness and an insert
// into the same store.
func CheckThenInsert() *lint.Rule {
	return &lint.Rule{
		ID:         "check-then-insert",
		Title:      "a look-up and an insert that two executions can pass at once",
		Family:     "claim",
		Severity:   lint.Error,
		Confidence: lint.Medium,
		Default:    true,
		Doc:        checkThenInsertDoc,
		Check:      checkCheckThenInsert,
	}
}

func checkCheckThenInsert(p *lint.Pass) error {
	for _, n := range p.Facts.Nodes() {
		if p.Facts.Reusable(n) {
			continue
		}
		if look, held, ok := racing(p.Facts, n); ok {
			report(p, n, look, held)
		}
	}
	return nil
}

// racing finds the look-up that an insert stands behind, and the effects that
// the pair of them guards.
func racing(facts *guard.Facts, n *graph.Node) (look *guard.Guard, held []guard.Held, ok bool) {
	if g := facts.Guard(n); g != nil && g.Kind == guard.LookUp && g.OneNode && facts.Races(g, n) {
		held = events(facts.HeldBy(g, guard.Guarded))
		return g, held, len(held) > 0
	}
	if !facts.MakesRow(n) || !facts.PlainInsert(n) {
		return nil, nil, false
	}
	for _, v := range facts.Visits(n) {
		g := v.Guard
		if v.Standing != guard.Guarded || g.Kind != guard.LookUp || clocked(v.Root) || !facts.Races(g, n) {
			continue
		}
		return g, events(facts.HeldBy(g, guard.Guarded)), true
	}
	return nil, nil, false
}

// events leaves out what only a clock starts: two runs of a schedule do not meet
// over one event.
func events(held []guard.Held) (list []guard.Held) {
	for _, h := range held {
		if !clocked(h.Exposure.Root) {
			list = append(list, h)
		}
	}
	return list
}

func clocked(r guard.Root) bool {
	return r.Class == catalog.Schedule || r.Class == catalog.Manual || r.Class == catalog.Failure
}

func report(p *lint.Pass, n *graph.Node, look *guard.Guard, held []guard.Held) {
	op := p.Facts.Operation(n)
	severity, ok := lint.GuardGrade(held)
	if !ok {
		severity = lint.Warning
	}
	f := lint.Finding{
		At: insertPlace(p.Facts, n, look), Node: n, Severity: severity, Confidence: lint.Medium,
		Message: message(n, look, op, held),
		Related: lint.Behind(held, "runs for both"),
		Fix:     raceFix(n, op, look, held),
	}
	if look.Node != n {
		f.Related = append([]lint.Related{{At: look.At, Node: look.Node, Message: "looks whether it is there"}}, f.Related...)
	}
	if len(held) > 0 {
		f.Flow = lint.Way(held[0].Exposure, "starts for each event", "runs for two deliveries at once")
	}
	p.Report(f)
}

func message(n *graph.Node, look *guard.Guard, op catalog.Operation, held []guard.Held) string {
	then := "both insert"
	for _, h := range held {
		if h.Effect.Node != n {
			then = fmt.Sprintf("both go on to %q", h.Effect.Node.Name)
			break
		}
	}
	switch {
	case look.Target.Store == "static data":
		return fmt.Sprintf("%q remembers events in static data, which two executions do not share: both find nothing and %s; claim the event in a database", n.Name, then)
	case look.Node == n:
		return fmt.Sprintf("%q looks and inserts in one statement, but two executions can both find nothing and %s; put a unique key on the column and use ON CONFLICT DO NOTHING", n.Name, then)
	}
	return fmt.Sprintf("between %q and %q a second execution can look as well: both find nothing and %s; %s", look.Node.Name, n.Name, then, atomicWay(op))
}

// insertPlace is the INSERT inside a query, the use of static data in code, or
// the operation.
func insertPlace(facts *guard.Facts, n *graph.Node, look *guard.Guard) source.Span {
	op := facts.Operation(n)
	if look.Node == n && look.Statement == nil {
		return look.At
	}
	if op.Script != nil {
		for st := range op.Script.All() {
			if st.Verb == sql.Insert {
				return n.Parameter("query").Inner(st.Start, st.End)
			}
		}
	}
	return op.At
}

// atomicWay is the cure in half a sentence, by store.
func atomicWay(op catalog.Operation) string {
	switch op.Target.Store {
	case "postgres", "mysql", "sqlserver", "supabase", "oracle", "cratedb":
		return "put a unique key on the column and let one INSERT decide"
	case "mongodb":
		return "put a unique index on the field and let the insert decide"
	case "redis":
		return "let INCR on a key of its own decide"
	case "dynamodb":
		return "let a conditional put decide"
	}
	return "this store has no atomic claim, so the claim must live elsewhere"
}

func raceFix(n *graph.Node, op catalog.Operation, look *guard.Guard, held []guard.Held) string {
	if only(n, held) {
		switch op.Target.Store {
		case "postgres", "cratedb":
			return "Give the column a unique key and insert with ON CONFLICT (…) DO NOTHING, or DO UPDATE where the newer values count; who needs the row reads it behind the insert."
		case "mysql":
			return "Give the column a unique key and insert with INSERT IGNORE, or ON DUPLICATE KEY UPDATE where the newer values count; who needs the row reads it behind the insert."
		}
	}
	switch op.Target.Store {
	case "supabase":
		return "Give the column a unique key in the database: the second insert then fails. Lead its error output to where a row that was found goes, away from the side effects."
	case "postgres", "cratedb":
		return "Give the column a unique key, then replace look-up and insert by one statement,\n  INSERT INTO … VALUES ($1) ON CONFLICT (…) DO NOTHING RETURNING …;\nand an IF node behind it that asks whether the returned column exists."
	case "mysql":
		return "Give the column a unique key, then replace look-up and insert by INSERT IGNORE with the option Detailed Output,\nand an IF node behind it: {{ $json.data.affectedRows }} is equal to 1."
	case "redis":
		return "Put the operation Increment before the look-up, on a key of its own made from the same value (such as claim:…), with an expiry,\nand an IF node behind it: {{ Object.values($json)[0] }} is equal to 1."
	case "mongodb":
		return "Create a unique index on the field and drop the look-up: the insert of the second execution fails. Lead its error output away from the effects."
	case "dynamodb":
		return "Drop the look-up and put the item with the condition attribute_not_exists(<key>); the second execution fails there."
	}
	if look.Target.Store == "static data" {
		return "Replace the static data by a claim in a database: INSERT … ON CONFLICT DO NOTHING RETURNING in a Postgres node and an IF behind it, or Redis INCR and an IF that asks for 1."
	}
	return "Keep the sheet or table as the record, and claim the event before it in a store that can decide: INSERT … ON CONFLICT DO NOTHING RETURNING in a Postgres node with an IF behind it, or Redis INCR with an IF that asks for 1."
}

// only reports whether the insert itself is all that happens twice.
func only(n *graph.Node, held []guard.Held) bool {
	return !slices.ContainsFunc(held, func(h guard.Held) bool { return h.Effect.Node != n })
}
