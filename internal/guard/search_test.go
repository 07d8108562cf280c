package guard

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// claimAndGate are the nodes and edges Claim → Won?, to be led to and from.
func claimAndGate() []object { return []object{claim(insertReturning), keyGate()} }

func requireStandings(t *testing.T, s *spec, want map[string]string) *Facts {
	t.Helper()
	f := analyze(t, s)[0]
	got := map[string]string{}
	for name := range want {
		got[name] = outcomeOf(t, f, name)
	}
	require.Equal(t, want, got)
	return f
}

// N8N.md section 6: only a path claim → … → effect is a gate.
func TestBranches(t *testing.T) {
	t.Run("a claim on a parallel branch", func(t *testing.T) {
		requireStandings(t, workflow(hook(), claimAndGate(), mail("Behind"), mail("Beside"),
			"Hook -> Claim -> Won? -> Behind", "Hook -> Beside"),
			map[string]string{"Behind": isClaimed, "Beside": isUnclaimed})
	})
	t.Run("effect before the claim", func(t *testing.T) {
		requireStandings(t, workflow(hook(), claimAndGate(), mail("Before"), mail("Behind"), "Hook -> Before -> Claim -> Won? -> Behind"),
			map[string]string{"Before": isUnclaimed, "Behind": isClaimed})
	})
	t.Run("a way around the claim", func(t *testing.T) {
		requireStandings(t, workflow(hook(), claimAndGate(), gate("VIP?", condition("={{ $json.body.vip }}", "boolean", "true")), mail("Send"),
			"Hook -> VIP? -> Claim -> Won? -> Send", "VIP?:1 -> Send"), map[string]string{"Send": isUnclaimed})
	})
	t.Run("both outputs of the gate rejoin", func(t *testing.T) {
		requireStandings(t, workflow(hook(), claimAndGate(), noOp("Join"), mail("Send"), "Hook -> Claim -> Won? -> Join -> Send", "Won?:1 -> Join"),
			map[string]string{"Send": isLeaked})
	})
	t.Run("the effect on the losing side", func(t *testing.T) {
		f := requireStandings(t, workflow(hook(), claimAndGate(), mail("Send"), "Hook -> Claim -> Won?", "Won?:1 -> Send"), map[string]string{"Send": isLeaked})
		require.Len(t, effectOf(f, "Send").Exposures, 1, "the winner never comes there")
	})
	t.Run("nodes in between", func(t *testing.T) {
		requireStandings(t, workflow(hook(), claimAndGate(), noOp("A"), node("Look", "httpRequest", 4.2, object{"url": "https://example.com/x"}), noOp("B"), mail("Send"),
			"Hook -> A -> Claim -> Won? -> Look -> B -> Send"), map[string]string{"Send": isClaimed})
	})
	t.Run("another node between claim and gate drops the answer", func(t *testing.T) {
		lookNode := node("Look", "httpRequest", 4.2, object{"url": "https://example.com/x"})
		requireStandings(t, workflow(hook(), claimAndGate(), lookNode, mail("Send"), "Hook -> Claim -> Look -> Won? -> Send"), map[string]string{"Send": isLeaked})
		byName := gate("Won?", condition("={{ $('Claim').item.json.event_key }}", "string", "exists"))
		requireStandings(t, workflow(hook(), claim(insertReturning), lookNode, byName, mail("Send"), "Hook -> Claim -> Look -> Won? -> Send"), map[string]string{"Send": isClaimed})
	})
	t.Run("stop and error ends the loser", func(t *testing.T) {
		requireStandings(t, workflow(hook(), claimAndGate(), node("Stop", "stopAndError", 1, object{"errorMessage": "seen"}), mail("Send"), mail("After"),
			"Hook -> Claim -> Won? -> Send", "Won?:1 -> Stop -> After"), map[string]string{"Send": isClaimed, "After": isUnreached})
	})
	t.Run("a second claim catches the loser of the first", func(t *testing.T) {
		second := node("Second", "postgres", 2.6, query(insertReturning))
		retryOn := gate("Again?", condition("={{ $json.event_key }}", "string", "exists"))
		requireStandings(t, workflow(hook(), claim(insertReturning), second, retryOn, mail("Between"), mail("Send"),
			"Hook -> Claim -> Second -> Again? -> Send", "Claim -> Between"), map[string]string{"Between": isLeaked, "Send": isClaimed})
	})
	t.Run("two branches that cannot be decided come together", func(t *testing.T) {
		// What cannot be evaluated stops nothing where all its ways meet again.
		for name, more := range map[string][]any{
			"directly":              {"Ask -> Send", "Ask:1 -> Send"},
			"by one node":           {noOp("A"), "Ask -> A -> Send", "Ask:1 -> Send"},
			"by a node on each way": {noOp("A"), noOp("B"), "Ask -> A -> Send", "Ask:1 -> B -> Send"},
		} {
			t.Run(name, func(t *testing.T) {
				call := claim("SELECT * FROM claim_event($1)")
				ask := gate("Ask", condition("={{ $json.claimed }}", "boolean", "true"))
				parts := append([]any{hook(), call, ask, mail("Send"), "Hook -> Claim -> Ask"}, more...)
				requireStandings(t, workflow(parts...), map[string]string{"Send": isUnclaimed})
			})
		}
	})
	t.Run("one of two undecided ways", func(t *testing.T) {
		call := claim("SELECT * FROM claim_event($1)")
		ask := gate("Ask", condition("={{ $json.claimed }}", "boolean", "true"))
		requireStandings(t, workflow(hook(), call, ask, mail("Yes"), mail("No"), "Hook -> Claim -> Ask -> Yes", "Ask:1 -> No"),
			map[string]string{"Yes": isUnsure, "No": isUnsure})
	})
}

// Each trigger is judged by itself (RULES: one fault, one finding).
func TestSeveralTriggers(t *testing.T) {
	clock := node("Clock", "scheduleTrigger", 1.2, object{"rule": object{}})
	f := requireStandings(t, workflow(hook(), clock, claimAndGate(), mail("Send"), "Hook -> Claim -> Won? -> Send", "Clock -> Send"),
		map[string]string{"Send": isUnclaimed})
	x := effectOf(f, "Send").Exposures
	require.Len(t, x, 2)
	require.Equal(t, "Clock", x[0].Root.Trigger.Name)
	require.Equal(t, catalog.Schedule, x[0].Root.Class)
	require.Equal(t, Winner, x[1].Standing)
	require.Equal(t, "Hook", x[1].Root.Trigger.Name)

	f = requireStandings(t, workflow(hook(), clock, claimAndGate(), mail("Send"), "Hook -> Claim", "Clock -> Claim -> Won? -> Send"), map[string]string{"Send": isClaimed})
	require.Len(t, effectOf(f, "Send").Exposures, 2)

	off := node("Hook 2", "webhook", 2, object{"path": "x"}, object{"disabled": true})
	requireStandings(t, workflow(hook(), off, claimAndGate(), mail("Send"), "Hook -> Claim -> Won? -> Send", "Hook 2 -> Send"), map[string]string{"Send": isClaimed})

	requireStandings(t, workflow(hook(), noOp("A"), mail("Send"), mail("Alone"), "A -> Send"), map[string]string{"Send": isUnreached, "Alone": isUnreached})
}

// The path of an exposure leads from the trigger to the effect along edges.
func TestPath(t *testing.T) {
	f := requireStandings(t, workflow(hook(), claimAndGate(), noOp("A"), noOp("B"), mail("Send"),
		"Hook -> Claim -> Won? -> A -> Send", "Won?:1 -> B -> Send"), map[string]string{"Send": isLeaked})
	var names []string
	for _, n := range effectOf(f, "Send").Exposures[0].Path {
		names = append(names, n.Name)
	}
	require.Equal(t, []string{"Hook", "Claim", "Won?", "B", "Send"}, names)
}

// Loop Over Items: 3 has done at 0 and loop at 1, 2 the other way round, 1 has
// no done (N8N.md section 7).
func TestLoops(t *testing.T) {
	loop := func(version float64) object { return node("Loop", "splitInBatches", version, nil) }
	out := func(version float64) (batch, done int) {
		if version >= 3 {
			return 1, 0
		}
		return 0, 1
	}
	for _, version := range []float64{2, 3} {
		batch, done := out(version)
		t.Run(fmt.Sprintf("%v/claim inside, effect inside and behind done", version), func(t *testing.T) {
			f := requireStandings(t, workflow(hook(), loop(version), claimAndGate(), mail("Inside"), mail("Behind"),
				"Hook -> Loop", fmt.Sprintf("Loop:%d -> Claim", batch), "Claim -> Won? -> Inside -> Loop", "Won?:1 -> Loop", fmt.Sprintf("Loop:%d -> Behind", done)),
				map[string]string{"Inside": isClaimed, "Behind": isUnclaimed})
			require.Len(t, effectOf(f, "Behind").Exposures, 1, "what a claim decides inside is over with its item")
		})
		t.Run(fmt.Sprintf("%v/claim before the loop", version), func(t *testing.T) {
			requireStandings(t, workflow(hook(), claimAndGate(), loop(version), mail("Inside"), mail("Behind"),
				"Hook -> Claim -> Won? -> Loop", fmt.Sprintf("Loop:%d -> Inside", batch), "Inside -> Loop", fmt.Sprintf("Loop:%d -> Behind", done)),
				map[string]string{"Inside": isClaimed, "Behind": isClaimed})
		})
		t.Run(fmt.Sprintf("%v/the loser skips to the next item", version), func(t *testing.T) {
			requireStandings(t, workflow(hook(), loop(version), claim(insertReturning), mail("Inside"),
				"Hook -> Loop", fmt.Sprintf("Loop:%d -> Claim", batch), "Claim -> Inside -> Loop"), map[string]string{"Inside": isLeaked})
		})
		t.Run(fmt.Sprintf("%v/no way back: done never fires", version), func(t *testing.T) {
			requireStandings(t, workflow(hook(), loop(version), mail("Inside"), mail("Behind"),
				"Hook -> Loop", fmt.Sprintf("Loop:%d -> Inside", batch), fmt.Sprintf("Loop:%d -> Behind", done)),
				map[string]string{"Inside": isUnclaimed, "Behind": isUnreached})
		})
		t.Run(fmt.Sprintf("%v/work at done that leads back", version), func(t *testing.T) {
			// The outputs are swapped: nothing hangs on the output that fires.
			requireStandings(t, workflow(hook(), loop(version), mail("Behind"),
				"Hook -> Loop", fmt.Sprintf("Loop:%d -> Behind", done), "Behind -> Loop"), map[string]string{"Behind": isUnreached})
		})
		t.Run(fmt.Sprintf("%v/a disabled loop passes on", version), func(t *testing.T) {
			off := loop(version)
			off["disabled"] = true
			requireStandings(t, workflow(hook(), off, mail("Send"), "Hook -> Loop -> Send"), map[string]string{"Send": isUnclaimed})
		})
	}
	t.Run("1/has no done", func(t *testing.T) {
		requireStandings(t, workflow(hook(), loop(1), claimAndGate(), mail("Inside"), "Hook -> Loop -> Claim -> Won? -> Inside -> Loop", "Won?:1 -> Loop"),
			map[string]string{"Inside": isClaimed})
	})
	t.Run("a loop in a loop", func(t *testing.T) {
		inner := node("Inner", "splitInBatches", 3, nil)
		requireStandings(t, workflow(hook(), loop(3), inner, claimAndGate(), mail("Inside"), mail("Each"), mail("Behind"),
			"Hook -> Loop", "Loop:1 -> Inner", "Inner:1 -> Claim", "Claim -> Won? -> Inside -> Inner", "Won?:1 -> Inner", "Inner:0 -> Each", "Each -> Loop", "Loop:0 -> Behind"),
			map[string]string{"Inside": isClaimed, "Each": isUnclaimed, "Behind": isUnclaimed})
	})
}

// Cycles of ordinary nodes, such as polling with a Wait.
func TestCycles(t *testing.T) {
	wait := node("Wait", "wait", 1.1, object{"amount": 1})
	ready := gate("Ready?", condition("={{ $json.status }}", "string", "equals", "done"))
	job := node("Job", "httpRequest", 4.2, object{"url": "https://example.com/job"})
	requireStandings(t, workflow(hook(), claimAndGate(), job, ready, wait, mail("Send"), mail("Other"),
		"Hook -> Claim -> Won? -> Job -> Ready? -> Send", "Ready?:1 -> Wait -> Job"), map[string]string{"Send": isClaimed, "Other": isUnreached})
	requireStandings(t, workflow(hook(), job, ready, wait, mail("Send"), "Hook -> Job -> Ready? -> Send", "Ready?:1 -> Wait -> Job"), map[string]string{"Send": isUnclaimed})
	requireStandings(t, workflow(hook(), noOp("A"), mail("Send"), "Hook -> A -> Send -> A"), map[string]string{"Send": isUnclaimed})
	requireStandings(t, workflow(hook(), claim(insertReturning), mail("Send"), "Hook -> Claim -> Claim", "Claim -> Send"), map[string]string{"Send": isLeaked})
}

// Merge: which inputs must have data (DESIGN: "Claimed").
// A Merge that combines gives nothing where one of its inputs has no connection.
func TestMergeWithAnOpenInput(t *testing.T) {
	for mode, want := range map[string]string{"combine": isUnreached, "append": isUnclaimed, "chooseBranch": isUnclaimed} {
		merge := node("Merge", "merge", 3, object{"mode": mode, "combineBy": "combineAll"})
		requireStandings(t, workflow(hook(), noOp("A"), noOp("B"), merge, mail("Send"), "Hook -> A -> Merge -> Send", "Hook -> B -> Merge"), map[string]string{"Send": want})
	}
}

func TestMerge(t *testing.T) {
	merge := func(version float64, p object) object { return node("Merge", "merge", version, p) }
	for _, c := range []struct {
		name  string
		merge object
		all   bool // it waits for both inputs
	}{
		{"3 append is the default", merge(3, nil), false},
		{"3 append", merge(3, object{"mode": "append"}), false},
		{"3 combine by fields is the default", merge(3, object{"mode": "combine"}), true},
		{"3 by fields, keep matches", merge(3, object{"mode": "combine", "combineBy": "combineByFields", "joinMode": "keepMatches"}), true},
		{"3 by fields, keep everything", merge(3, object{"mode": "combine", "combineBy": "combineByFields", "joinMode": "keepEverything"}), false},
		{"3 by fields, enrich", merge(3, object{"mode": "combine", "combineBy": "combineByFields", "joinMode": "enrichInput1"}), false},
		{"3 by position", merge(3, object{"mode": "combine", "combineBy": "combineByPosition"}), true},
		{"3 by position with the unpaired", merge(3, object{"mode": "combine", "combineBy": "combineByPosition", "options": object{"includeUnpaired": true}}), false},
		{"3 all", merge(3, object{"mode": "combine", "combineBy": "combineAll"}), true},
		{"3 choose branch", merge(3, object{"mode": "chooseBranch"}), true},
		{"2 append is the default", merge(2, nil), false},
		{"2 combine is by fields", merge(2, object{"mode": "combine"}), true},
		{"2.1 by position", merge(2.1, object{"mode": "combine", "combinationMode": "mergeByPosition"}), true},
		{"2.1 multiplex", merge(2.1, object{"mode": "combine", "combinationMode": "multiplex"}), true},
		{"2.1 choose branch", merge(2.1, object{"mode": "chooseBranch"}), true},
		{"1 append is the default", merge(1, nil), false},
		{"1 multiplex", merge(1, object{"mode": "multiplex"}), true},
		{"1 keep matches", merge(1, object{"mode": "keepKeyMatches"}), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := isUnclaimed
			if c.all {
				want = isClaimed
			}
			for _, inputs := range [][]string{
				{"Hook -> Claim", "Claim -> Won?", "Won? -> Merge", "Hook -> Merge:1", "Merge -> Send"},
				{"Hook -> Merge:1", "Hook -> Claim", "Claim -> Won?", "Won? -> Merge", "Merge -> Send"},
				{"Hook -> Merge", "Hook -> Claim", "Claim -> Won?", "Won? -> Merge:1", "Merge -> Send"},
			} {
				requireStandings(t, workflow(hook(), claimAndGate(), c.merge, mail("Send"), inputs), map[string]string{"Send": want})
			}
			other := isUnclaimed
			if c.all {
				other = isUnreached // its other input can never have data
			}
			requireStandings(t, workflow(hook(), noOp("Never"), c.merge, mail("Send"), "Hook -> Merge", "Never -> Merge:1", "Merge -> Send"), map[string]string{"Send": other})
			requireStandings(t, workflow(hook(), claim(insertReturning), c.merge, mail("Send"), "Hook -> Claim -> Merge", "Hook -> Merge:1", "Merge -> Send"),
				map[string]string{"Send": map[bool]string{true: isLeaked, false: isUnclaimed}[c.all]})
		})
	}
	t.Run("a disabled merge passes each item on", func(t *testing.T) {
		off := merge(3, object{"mode": "chooseBranch"})
		off["disabled"] = true
		requireStandings(t, workflow(hook(), claimAndGate(), off, mail("Send"), "Hook -> Claim -> Won? -> Merge -> Send", "Hook -> Merge:1"), map[string]string{"Send": isUnclaimed})
	})
	t.Run("one input only", func(t *testing.T) {
		requireStandings(t, workflow(hook(), claimAndGate(), merge(3, object{"mode": "chooseBranch"}), mail("Send"), "Hook -> Claim -> Won? -> Merge -> Send"),
			map[string]string{"Send": isClaimed})
	})
}

// A node of a claim's error output and the operator's alert there.
func TestFailedExposure(t *testing.T) {
	send := mail("Send")
	send["onError"] = "continueErrorOutput"
	f := requireStandings(t, workflow(hook(), send, mail("Alert"), mail("After"), "Hook -> Send -> After", "Send:1 -> Alert"),
		map[string]string{"Send": isUnclaimed, "Alert": isUnclaimed, "After": isUnclaimed})
	require.True(t, effectOf(f, "Alert").Exposures[0].Failed)
	require.False(t, effectOf(f, "After").Exposures[0].Failed)
	f = requireStandings(t, workflow(hook(), send, mail("Alert"), "Hook -> Send -> Alert", "Send:1 -> Alert"), map[string]string{"Alert": isUnclaimed})
	require.Len(t, effectOf(f, "Alert").Exposures, 1)
	require.False(t, effectOf(f, "Alert").Exposures[0].Failed, "it also hangs on the way of success")
}

// executeOnce drops the other items and protects nothing (N8N.md section 6).
func TestExecuteOnceOnTheEffect(t *testing.T) {
	send := mail("Send")
	send["executeOnce"] = true
	requireStandings(t, workflow(hook(), send, "Hook -> Send"), map[string]string{"Send": isUnclaimed})
}

// busyMachine is how much longer the tests may take on a busy machine.
const busyMachine = 3

func finishWithin(t *testing.T, limit time.Duration, run func()) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes a while")
	}
	startNode := time.Now()
	run()
	require.Less(t, time.Since(startNode), limit*busyMachine*raceFactor)
}

func TestDeepChain(t *testing.T) {
	const length = 5000 / sizeDivisor
	parts := []any{hook(), claimAndGate(), mail("Send"), "Hook -> Claim -> Won? -> N0", fmt.Sprintf("N%d -> Send", length-1)}
	for i := range length {
		parts = append(parts, noOp(fmt.Sprintf("N%d", i)))
		if i > 0 {
			parts = append(parts, fmt.Sprintf("N%d -> N%d", i-1, i))
		}
	}
	s := workflow(parts...)
	finishWithin(t, 2*time.Second, func() { requireStandings(t, s, map[string]string{"Send": isClaimed}) })
}

func TestCompleteGraph(t *testing.T) {
	const size = 120 / sizeDivisor
	twoOutputs := map[string]bool{"branches": true, "loops": true, "undecided things": true}
	for name, made := range map[string]func(i int) object{
		"nodes that pass": func(i int) object { return noOp(fmt.Sprintf("N%d", i)) },
		"branches": func(i int) object {
			return gate(fmt.Sprintf("N%d", i), condition("={{ $json.x }}", "string", "exists"))
		},
		"nodes that make": func(i int) object {
			return node(fmt.Sprintf("N%d", i), "httpRequest", 4.2, object{"url": "https://example.com"})
		},
		"claims": func(i int) object { return node(fmt.Sprintf("N%d", i), "postgres", 2.6, query(insertReturning)) },
		"code": func(i int) object {
			n := code("return $input.all().map(i => ({json: {...i.json, a: i.json.b}}));", nil)
			n["name"] = fmt.Sprintf("N%d", i)
			return n
		},
		"sets": func(i int) object {
			return node(fmt.Sprintf("N%d", i), "set", 1, object{"values": object{"string": []object{{"name": fmt.Sprintf("f%d", i), "value": "={{ $json.x }}"}}}})
		},
		"merges": func(i int) object { return node(fmt.Sprintf("N%d", i), "merge", 3, object{"mode": "chooseBranch"}) },
		"mails":  func(i int) object { return mail(fmt.Sprintf("N%d", i)) },
		"loops":  func(i int) object { return node(fmt.Sprintf("N%d", i), "splitInBatches", 3, nil) },
		"undecided things": func(i int) object {
			return node(fmt.Sprintf("N%d", i), "if", 2, object{"conditions": conditions("and", condition("={{ $('N0').item.json.x }}", "string", "regex", "a"))})
		},
	} {
		t.Run(name, func(t *testing.T) {
			parts := []any{hook(), mail("Send"), "Hook -> N0"}
			for i := range size {
				parts = append(parts, made(i), fmt.Sprintf("N%d -> Send", i))
				for j := range size {
					if i != j {
						parts = append(parts, fmt.Sprintf("N%d -> N%d", i, j))
					}
					if i != j && twoOutputs[name] {
						parts = append(parts, fmt.Sprintf("N%d:1 -> N%d", i, j))
					}
				}
			}
			s := workflow(parts...)
			finishWithin(t, 2*time.Second, func() { analyze(t, s) })
		})
	}
}

// The property behind the search: with claims whose loser stops, an effect is
// claimed exactly if no way from the trigger avoids every claim.
func TestSearchAgainstReachability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(2, 12).Draw(t, "size")
		claims := map[string]bool{}
		parts := []any{hook(), mail("Send")}
		names := []string{"Hook", "Send"}
		for i := range size {
			name := fmt.Sprintf("N%d", i)
			names = append(names, name)
			if rapid.IntRange(0, 3).Draw(t, "claim") == 0 {
				claims[name] = true
				// Version 1 gives the loser no item (N8N.md 1a).
				parts = append(parts, node(name, "postgres", 1, query(insertReturning)))
				continue
			}
			parts = append(parts, noOp(name))
		}
		for range rapid.IntRange(1, 3*size).Draw(t, "edges") {
			from := rapid.SampledFrom(names).Draw(t, "from")
			to := rapid.SampledFrom(names[1:]).Draw(t, "to")
			parts = append(parts, from+" -> "+to)
		}
		w := workflow(parts...).read(t)
		f := Analyze(catalog.New(), []*graph.Workflow{w}, InOrder)[0]
		require.NoError(t, f.Err)
		trigger, send := w.Node("Hook"), w.Node("Send")
		all := graph.Reachable(trigger, nil)
		around := graph.Reachable(trigger, func(e *graph.Edge) bool { return claims[e.From.Name] })
		e := effectOf(f, "Send")
		require.Equal(t, all[send], len(e.exposures()) > 0)
		if all[send] {
			isPlain := slices.ContainsFunc(e.Exposures, func(x Exposure) bool { return x.Standing == Plain })
			require.Equal(t, around[send], isPlain)
			require.False(t, slices.ContainsFunc(e.Exposures, func(x Exposure) bool { return x.Standing == Loser }))
		}
	})
}

// Where triggers share a branch on a field that only the schedule brings, the
// weaker trigger's way counts.
func TestParted(t *testing.T) {
	clock := node("Clock", "scheduleTrigger", 1.2, object{"rule": object{}})
	read := node("Read", "httpRequest", 4.2, object{"url": "https://example.com/x"})
	for value, want := range map[string]bool{
		`={ "daily": {{ $json["Day of week"] ? true : false }} }`: true,
		`={ "daily": {{ $json.daily ? true : false }} }`:          false,
		`={ "daily": true }`: false,
	} {
		kind := node("Kind", "set", 3.4, object{"mode": "raw", "jsonOutput": value})
		f := analyze(t, workflow(hook(), clock, read, kind, gate("Daily?", condition("={{ $json.daily }}", "boolean", "true")), mail("Remind"), mail("Before"),
			"Hook -> Before -> Read -> Kind -> Daily? -> Remind", "Clock -> Kind"))[0]
		for _, e := range f.Effects {
			for _, x := range e.Exposures {
				require.Equal(t, want && e.Node.Name == "Remind" && x.Root.Trigger.Name == "Hook", f.Parted(e, x), "%s %s from %s", value, e.Node.Name, x.Root.Trigger.Name)
			}
		}
	}
}
