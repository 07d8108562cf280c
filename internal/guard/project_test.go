package guard

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

func claimer(id string, table string, behind ...any) *spec {
	parts := []any{hook(), node("Claim", "postgres", 2.6, query(fmt.Sprintf("INSERT INTO %s (event_key, status) VALUES ($1, 'pending') ON CONFLICT (event_key) DO NOTHING RETURNING event_key", table))), keyGate(), mail("Send"), "Hook -> Claim -> Won? -> Send"}
	return workflow(append(parts, behind...)...).called(id, id, id+".json")
}

func finished(f *Facts) bool {
	done, _ := f.Finished(f.Claims()[0])
	return done
}

func TestFinishedByOthers(t *testing.T) {
	mark := func(text string) []any {
		return []any{node("Mark", "postgres", 2.6, query(text)), "Send -> Mark"}
	}
	other := func(id, text string) *spec {
		return workflow(hook(), node("Mark", "postgres", 2.6, query(text)), "Hook -> Mark").called(id, id, id+".json")
	}
	cases := []struct {
		name  string
		specs []*spec
		want  bool
	}{
		{"nothing", []*spec{claimer("a", "claims")}, false},
		{"own mark", []*spec{claimer("a", "claims", mark("UPDATE claims SET status = 'done' WHERE event_key = $1")...)}, true},
		{"only review", []*spec{claimer("a", "claims", mark("UPDATE claims SET status = 'review' WHERE event_key = $1")...)}, false},
		{"another table", []*spec{claimer("a", "claims", mark("UPDATE orders SET status = 'done' WHERE id = $1")...)}, false},
		{"another workflow", []*spec{claimer("a", "claims"), other("b", "UPDATE public.claims SET status = 'done' WHERE event_key = $1")}, true},
		{"another workflow, another schema", []*spec{claimer("a", "claims"), other("b", "UPDATE audit.claims SET status = 'done' WHERE event_key = $1")}, false},
		{"another claimer's own mark", []*spec{claimer("a", "claims"), claimer("b", "claims", mark("UPDATE claims SET status = 'done' WHERE event_key = $1")...)}, false},
		{"deleted", []*spec{claimer("a", "claims"), other("b", "DELETE FROM claims WHERE event_key = $1")}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, finished(analyze(t, c.specs...)[0])) })
	}
}

func TestFinishedOutOfSight(t *testing.T) {
	for name, behind := range map[string]object{
		"stored function":  node("Mark", "postgres", 2.6, query("SELECT finish($1)")),
		"unknown workflow": node("Mark", "executeWorkflow", 1.2, object{"workflowId": "elsewhere"}),
	} {
		t.Run(name, func(t *testing.T) {
			f := analyze(t, claimer("a", "claims", behind, "Send -> Mark"))[0]
			done, hidden := f.Finished(f.Claims()[0])
			require.False(t, done)
			require.NotNil(t, hidden)
			require.Equal(t, "Mark", hidden.Name)
		})
	}
}

func TestErrorWorkflow(t *testing.T) {
	f := analyze(t, claimer("a", "claims"))[0]
	_, named := f.ErrorWorkflow()
	require.False(t, named)
	require.True(t, f.Alone())
}

// manyWorkflows makes n workflows: claims in a table of their own each, and a
// sweep for each.
func manyWorkflows(t tester, n int) (list []*graph.Workflow) {
	for i := range n / 2 {
		table := fmt.Sprintf("claims_%d", i)
		list = append(list, claimer(fmt.Sprintf("w%d", i), table, node("Mark", "postgres", 2.6, query("UPDATE "+table+" SET status = 'done' WHERE event_key = $1")), "Send -> Mark").read(t))
		list = append(list, workflow(node("Clock", "scheduleTrigger", 1.2, nil), node("Sweep", "postgres", 2.6, object{"operation": "executeQuery", "query": "SELECT event_key FROM " + table + " WHERE status = 'pending'"}), "Clock -> Sweep").called(fmt.Sprintf("s%d", i), fmt.Sprintf("s%d", i), "s.json").read(t))
	}
	return list
}

func askAll(facts []*Facts) {
	for _, f := range facts {
		for _, c := range f.Claims() {
			f.Finished(c)
			f.StuckBehind(c)
		}
		f.EarlyMarks()
		f.DoneMarks()
		f.Rounds()
		f.UnwrittenStates()
		f.Resends()
		f.Swallows()
		f.Batches()
	}
}

// TestProjectGrowsLinearly: eight times the workflows take about eight times as
// long, and not sixty-four.
func TestProjectGrowsLinearly(t *testing.T) {
	if testing.Short() || raceFactor > 1 {
		t.Skip("measures time")
	}
	measure := func(n int) time.Duration {
		list := manyWorkflows(t, n)
		best := time.Hour
		for range 3 {
			start := time.Now()
			askAll(Analyze(catalog.New(), list, InOrder))
			best = min(best, time.Since(start))
		}
		return best
	}
	small, large := measure(100), measure(800)
	require.Less(t, large, 24*small, "%v for 100, %v for 800", small, large)
}

func BenchmarkProjectOf2000(b *testing.B) {
	list := manyWorkflows(b, 2000)
	for b.Loop() {
		askAll(Analyze(catalog.New(), list, InOrder))
	}
}
