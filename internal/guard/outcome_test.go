package guard

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOutcome: where the failure of "Send" goes, certainly (a name) or perhaps (a
// name with a question mark).
func TestOutcome(t *testing.T) {
	regular, output := object{"onError": "continueRegularOutput"}, object{"onError": "continueErrorOutput"}
	send := func(settings ...object) object {
		return node("Send", "gmail", 2.1, object{"sendTo": "={{ $json.body.email }}"}, settings...)
	}
	ask := func(left, kind, operation string, right any) object {
		c := object{"leftValue": left, "operator": object{"type": kind, "operation": operation}}
		if right != nil {
			c["rightValue"] = right
		}
		return node("Ask", "if", 2.2, object{"conditions": object{"combinator": "and", "conditions": []object{c}}})
	}
	done, bad := node("Good", "noOp", 1, nil), node("Bad", "noOp", 1, nil)
	branches := []string{"Start -> Send -> Ask", "Ask -> Good", "Ask:1 -> Bad"}
	failing := []string{"Start -> Send", "Send:1 -> Ask", "Ask -> Good", "Ask:1 -> Bad"}
	cases := []struct {
		name           string
		parts          []any
		stops, nowhere bool
		failed         []string
	}{
		{"stops by default", []any{send(), done, "Start -> Send -> Good"}, true, false, nil},
		{"goes on", []any{send(regular), done, "Start -> Send -> Good"}, false, false, []string{"Good"}},
		{"legacy setting", []any{send(object{"continueOnFail": true}), done, "Start -> Send -> Good"}, false, false, []string{"Good"}},
		{"error output", []any{send(output), done, bad, "Start -> Send -> Good", "Send:1 -> Bad"}, false, false, []string{"Bad"}},
		{"error output to nowhere", []any{send(output), done, "Start -> Send -> Good"}, false, true, nil},
		{"error asked for", []any{send(regular), ask("={{ $json.error }}", "string", "exists", nil), done, bad, branches}, false, false, []string{"Ask", "Good"}},
		{"error asked for by name", []any{send(regular), ask("={{ $('Send').item.json.error }}", "string", "exists", nil), done, bad, branches}, false, false, []string{"Ask", "Good"}},
		{"a field that a failure has not", []any{send(regular), ask("={{ $json.id }}", "string", "exists", nil), done, bad, branches}, false, false, []string{"Ask", "Bad"}},
		{"a status that is not known", []any{send(output), ask("={{ $json.error.status }}", "number", "equals", 422), done, bad, failing}, false, false, []string{"Ask", "Good?", "Bad?"}},
		{"something else is asked", []any{send(output), ask("={{ $json.attempts }}", "number", "lt", 3), done, bad, failing}, false, false, []string{"Ask", "Good", "Bad"}},
		{"every status is an answer", []any{node("Send", "httpRequest", 4.2, object{"method": "POST", "url": "https://a.example.com/x", "options": object{"response": object{"response": object{"neverError": true}}}}),
			ask("={{ $json.statusCode }}", "number", "lt", 300), done, bad, branches}, false, false, []string{"Ask", "Good?", "Bad?"}},
		{"a disabled node passes it on", []any{send(regular), node("Off", "set", 3.4, nil, object{"disabled": true}), done, "Start -> Send -> Off -> Good"}, false, false, []string{"Off", "Good"}},
		{"the loop goes on with the next item", []any{node("Each", "splitInBatches", 3, nil), send(regular), done, "Start -> Each", "Each:1 -> Send", "Send -> Each", "Each -> Good"}, false, false, []string{"Each", "Good"}},
		{"a circle of its own", []any{send(output), node("Wait", "wait", 1.1, nil), done, "Start -> Send -> Good", "Send:1 -> Wait -> Send"}, false, false, []string{"Wait", "Send"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			facts := analyze(t, workflow(append([]any{node("Start", "webhook", 2, object{"path": "x"})}, c.parts...)...))[0]
			o := facts.Outcome(facts.Workflow.Node("Send"))
			require.Equal(t, c.stops, o.Stops)
			require.Equal(t, c.nowhere, o.Nowhere)
			var failed []string
			for _, a := range o.Failed {
				name := a.Node.Name
				if !a.Certain {
					name += "?"
				}
				failed = append(failed, name)
			}
			require.Equal(t, c.failed, failed)
		})
	}
}

func TestOutcomeWay(t *testing.T) {
	facts := analyze(t, workflow(
		node("Start", "webhook", 2, object{"path": "x"}),
		node("Send", "gmail", 2.1, object{"sendTo": "a@example.com"}, object{"onError": "continueRegularOutput"}),
		node("One", "noOp", 1, nil), node("Two", "noOp", 1, nil), "Start -> Send -> One -> Two"))[0]
	o := facts.Outcome(facts.Workflow.Node("Send"))
	var names []string
	for _, n := range o.Way(o.Failed, facts.Workflow.Node("Two")) {
		names = append(names, n.Name)
	}
	require.Equal(t, []string{"Send", "One", "Two"}, names)
	require.Nil(t, To(o.Failed, facts.Workflow.Node("Start")))
}

// TestOutcomeOfTangledWorkflow: many branches that lead everywhere end in good time.
func TestOutcomeOfTangledWorkflow(t *testing.T) {
	const size = 120
	parts := []any{node("Start", "webhook", 2, object{"path": "x"}), node("Send", "gmail", 2.1, object{"sendTo": "a@example.com"}, object{"onError": "continueErrorOutput"}), "Start -> Send", "Send:1 -> N0"}
	for i := range size {
		parts = append(parts, node(fmt.Sprintf("N%d", i), "if", 2.2, nil))
		for j := range size {
			if (i*7+j*3)%5 == 0 {
				parts = append(parts, fmt.Sprintf("N%d:%d -> N%d", i, j%2, j))
			}
		}
	}
	facts := analyze(t, workflow(parts...))[0]
	o := facts.Outcome(facts.Workflow.Node("Send"))
	require.NotEmpty(t, o.Failed)
	require.LessOrEqual(t, len(o.Failed), 2*size+2)
	require.False(t, slices.ContainsFunc(o.Failed, func(a Arrival) bool { return a.Node.Name == "Start" }))
}
