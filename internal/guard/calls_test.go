package guard

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
)

func startNode() object {
	return node("Start", "executeWorkflowTrigger", 1.1, object{"inputSource": "passthrough"})
}

// call is an Execute Workflow node that names the workflow by its id.
func call(id string, more ...object) object {
	p := object{"workflowId": object{"__rl": true, "mode": "list", "value": id}, "options": object{}}
	for _, m := range more {
		for k, v := range m {
			p[k] = v
		}
	}
	return node("Call", "executeWorkflow", 1.2, p)
}

// callerOf is Hook → Call → Send.
func callerOf(c object) *spec {
	return workflow(hook(), c, mail("Send"), "Hook -> Call -> Send").called("caller", "Caller", "caller.json")
}

// calleeOf is Start → parts.
func calleeOf(parts ...any) *spec {
	return workflow(append([]any{startNode()}, parts...)...).called("callee", "Claim event", "claim-event.json")
}

func claimingCallee() *spec {
	return calleeOf(claimAndGate(), noOp("Done"), "Start -> Claim -> Won? -> Done")
}

// The ways to name a called workflow: by id, by the name that the editor showed,
// by file.
func TestCallByName(t *testing.T) {
	by := func(id, cached string) object {
		return call("", object{"workflowId": object{"__rl": true, "mode": "list", "value": id, "cachedResultName": cached}})
	}
	v1 := node("Call", "executeWorkflow", 1, object{"workflowId": "callee"})
	for _, c := range []struct {
		name string
		call object
		want string
	}{
		{"id", call("callee"), isClaimed},
		{"id as text, version 1", v1, isClaimed},
		{"other id, cached name", by("of-another-instance", "Claim event"), isClaimed},
		{"cached name with its project", by("of-another-instance", "My project — Claim event"), isClaimed},
		{"file", call("", object{"source": "localFile", "workflowPath": "/data/claim-event.json"}), isClaimed},
		{"id of nobody", by("of-another-instance", ""), isUnclaimed},
		{"expression", by("={{ $json.body.workflow }}", ""), isUnclaimed},
		{"workflow inside the node", call("", object{"source": "parameter", "workflowJson": "{}"}), isUnclaimed},
		{"disabled", func() object { n := call("callee"); n["disabled"] = true; return n }(), isUnclaimed},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := outcomeOf(t, analyze(t, callerOf(c.call), claimingCallee())[0], "Send")
			if c.want == isClaimed {
				require.Contains(t, []string{isClaimed, isUnsure}, got)
				return
			}
			require.Equal(t, c.want, got)
		})
	}
	t.Run("two workflows of one name are none", func(t *testing.T) {
		twin := claimingCallee().called("twin", "Claim event", "twin.json")
		got := outcomeOf(t, analyze(t, callerOf(by("of-another-instance", "Claim event")), claimingCallee(), twin)[0], "Send")
		require.Equal(t, isUnclaimed, got)
	})
	t.Run("three as well", func(t *testing.T) {
		a, b := claimingCallee().called("a", "Claim event", "a.json"), claimingCallee().called("b", "Claim event", "b.json")
		got := outcomeOf(t, analyze(t, callerOf(by("of-another-instance", "Claim event")), claimingCallee(), a, b)[0], "Send")
		require.Equal(t, isUnclaimed, got)
	})
}

// What a called workflow's claim does for its caller, and the caller's for it.
func TestCallsBothWays(t *testing.T) {
	t.Run("the callee claims and gives only the winner back", func(t *testing.T) {
		require.Equal(t, isClaimed, outcomeOf(t, analyze(t, callerOf(call("callee")), claimingCallee())[0], "Send"))
	})
	t.Run("the callee claims with version 1", func(t *testing.T) {
		c := calleeOf(node("Claim", "postgres", 1, query(insertReturning)), "Start -> Claim")
		require.Equal(t, isClaimed, outcomeOf(t, analyze(t, callerOf(call("callee")), c)[0], "Send"))
	})
	t.Run("the callee gives the answer back, the caller asks", func(t *testing.T) {
		c := calleeOf(claim(insertReturning), "Start -> Claim")
		s := workflow(hook(), call("callee"), keyGate(), mail("Send"), "Hook -> Call -> Won? -> Send").called("caller", "", "caller.json")
		require.Contains(t, []string{isClaimed, isUnsure}, outcomeOf(t, analyze(t, s, c)[0], "Send"))
	})
	t.Run("the callee does not claim", func(t *testing.T) {
		c := calleeOf(noOp("Work"), "Start -> Work")
		require.Equal(t, isUnclaimed, outcomeOf(t, analyze(t, callerOf(call("callee")), c)[0], "Send"))
	})
	t.Run("the callee's effect behind its own claim", func(t *testing.T) {
		c := calleeOf(claimAndGate(), mail("Inner"), "Start -> Claim -> Won? -> Inner")
		require.Equal(t, isClaimed, outcomeOf(t, analyze(t, callerOf(call("callee")), c)[1], "Inner"))
	})
	t.Run("the callee's effect without claim takes the caller's trigger", func(t *testing.T) {
		c := calleeOf(mail("Inner"), "Start -> Inner")
		f := analyze(t, callerOf(call("callee")), c)[1]
		require.Equal(t, isUnclaimed, outcomeOf(t, f, "Inner"))
		x := effectOf(f, "Inner").Exposures
		require.Len(t, x, 1)
		require.Equal(t, "Hook", x[0].Root.Trigger.Name)
		require.Equal(t, catalog.Event, x[0].Root.Class)
		require.Equal(t, "Hook", x[0].Path[0].Name)
		require.Equal(t, "Inner", x[0].Path[len(x[0].Path)-1].Name)
	})
	t.Run("the caller claims for the callee", func(t *testing.T) {
		s := workflow(hook(), claimAndGate(), call("callee"), "Hook -> Claim -> Won? -> Call").called("caller", "", "caller.json")
		c := calleeOf(mail("Inner"), "Start -> Inner")
		require.Equal(t, isClaimed, outcomeOf(t, analyze(t, s, c)[1], "Inner"))
	})
	t.Run("two callers, one claims", func(t *testing.T) {
		s := workflow(hook(), claimAndGate(), call("callee"), "Hook -> Claim -> Won? -> Call").called("caller", "", "caller.json")
		other := callerOf(call("callee")).called("other", "", "other.json")
		c := calleeOf(mail("Inner"), "Start -> Inner")
		f := analyze(t, s, other, c)[2]
		require.Equal(t, isUnclaimed, outcomeOf(t, f, "Inner"))
		require.Len(t, effectOf(f, "Inner").Exposures, 2)
	})
	t.Run("the caller's loser comes to the callee", func(t *testing.T) {
		s := workflow(hook(), claim(insertReturning), call("callee"), "Hook -> Claim -> Call").called("caller", "", "caller.json")
		c := calleeOf(mail("Inner"), "Start -> Inner")
		require.Equal(t, isLeaked, outcomeOf(t, analyze(t, s, c)[1], "Inner"))
	})
	t.Run("the callee asks for the caller's answer", func(t *testing.T) {
		s := workflow(hook(), claim(insertReturning), call("callee"), "Hook -> Claim -> Call").called("caller", "", "caller.json")
		c := calleeOf(keyGate(), mail("Inner"), "Start -> Won? -> Inner")
		require.Contains(t, []string{isClaimed, isUnsure}, outcomeOf(t, analyze(t, s, c)[1], "Inner"))
	})
	t.Run("nobody in the set calls it", func(t *testing.T) {
		f := analyze(t, calleeOf(mail("Inner"), "Start -> Inner"))[0]
		require.Equal(t, isUnclaimed, outcomeOf(t, f, "Inner"))
		require.Equal(t, catalog.Called, effectOf(f, "Inner").Exposures[0].Root.Class)
	})
	t.Run("only a manual trigger calls it", func(t *testing.T) {
		s := workflow(node("By hand", "manualTrigger", 1, nil), call("callee"), "By hand -> Call").called("caller", "", "caller.json")
		f := analyze(t, s, calleeOf(mail("Inner"), "Start -> Inner"))[1]
		require.Equal(t, catalog.Manual, effectOf(f, "Inner").Exposures[0].Root.Class)
		require.Len(t, effectOf(f, "Inner").Exposures, 1)
	})
	t.Run("through two calls", func(t *testing.T) {
		middle := workflow(startNode(), call("callee"), noOp("After"), "Start -> Call -> After").called("middle", "", "middle.json")
		f := analyze(t, callerOf(call("middle")), middle, claimingCallee())
		require.Contains(t, []string{isClaimed, isUnsure}, outcomeOf(t, f[0], "Send"))
		c := calleeOf(mail("Inner"), "Start -> Inner")
		f = analyze(t, callerOf(call("middle")), middle, c)
		require.Equal(t, isUnclaimed, outcomeOf(t, f[2], "Inner"))
		require.Equal(t, "Hook", effectOf(f[2], "Inner").Exposures[0].Root.Trigger.Name)
	})
	t.Run("the order of the files does not count", func(t *testing.T) {
		f := analyze(t, claimingCallee(), callerOf(call("callee")))
		require.Equal(t, isClaimed, outcomeOf(t, f[1], "Send"))
	})
}

// N8N.md section 7: waitForSubWorkflow is on by default; without it the caller
// goes on with its own item.
func TestWaitForSubWorkflow(t *testing.T) {
	off := call("callee", object{"options": object{"waitForSubWorkflow": false}})
	require.Equal(t, isUnclaimed, outcomeOf(t, analyze(t, callerOf(off), claimingCallee())[0], "Send"))
	on := call("callee", object{"options": object{"waitForSubWorkflow": true}})
	require.Equal(t, isClaimed, outcomeOf(t, analyze(t, callerOf(on), claimingCallee())[0], "Send"))
	c := calleeOf(claimAndGate(), mail("Inner"), "Start -> Claim -> Won? -> Inner")
	require.Equal(t, isClaimed, outcomeOf(t, analyze(t, callerOf(off), c)[1], "Inner"))
}

// Recursion must end, and a workflow that calls itself is still callable by
// others.
func TestRecursion(t *testing.T) {
	self := calleeOf(mail("Inner"), call("callee"), "Start -> Inner -> Call")
	f := analyze(t, self)[0]
	require.Equal(t, isUnclaimed, outcomeOf(t, f, "Inner"))
	require.Equal(t, catalog.Called, effectOf(f, "Inner").Exposures[0].Root.Class)

	f = analyze(t, callerOf(call("callee")), calleeOf(mail("Inner"), call("callee"), "Start -> Inner -> Call"))[1]
	require.Equal(t, isUnclaimed, outcomeOf(t, f, "Inner"))

	a := workflow(hook(), startNode(), call("b"), mail("A"), "Hook -> Call", "Start -> Call -> A").called("a", "", "a.json")
	b := workflow(startNode(), call("a"), mail("B"), "Start -> Call -> B").called("b", "", "b.json")
	list := analyze(t, a, b)
	require.Equal(t, isUnclaimed, outcomeOf(t, list[0], "A"))
	require.Equal(t, isUnclaimed, outcomeOf(t, list[1], "B"))

	claims := calleeOf(claimAndGate(), call("callee"), noOp("Done"), "Start -> Claim -> Won? -> Call -> Done")
	require.Contains(t, []string{isClaimed, isUnsure}, outcomeOf(t, analyze(t, callerOf(call("callee")), claims)[0], "Send"))
}

// A called workflow that is not in the set may claim: a gate on its answer is of
// unknown quality (RULES: undecidable).
func TestUnknownCallee(t *testing.T) {
	require.Equal(t, isUnclaimed, outcomeOf(t, analyze(t, callerOf(call("elsewhere")))[0], "Send"))
	ask := gate("Won?", condition("={{ $json.claimed }}", "boolean", "true"))
	s := workflow(hook(), call("elsewhere"), ask, mail("Send"), "Hook -> Call -> Won? -> Send")
	require.Equal(t, isUnsure, outcomeOf(t, analyze(t, s)[0], "Send"))
	other := gate("Won?", condition("={{ $('Hook').item.json.body.vip }}", "boolean", "true"))
	s = workflow(hook(), call("elsewhere"), other, mail("Send"), "Hook -> Call -> Won? -> Send")
	require.Equal(t, isUnclaimed, outcomeOf(t, analyze(t, s)[0], "Send"), "the branch asks something else")
}
