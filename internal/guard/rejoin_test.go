package guard

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// fixedMail is a mail that takes nothing from the item which arrives.
func fixedMail(name string) object {
	return node(name, "gmail", 2.1, object{"sendTo": "={{ $('Hook').item.json.body.mail }}", "message": "Hello"})
}

func setting(name, field, value string) object {
	return node(name, "set", 3.4, object{"includeOtherFields": true,
		"assignments": object{"assignments": []object{{"name": field, "value": value, "type": "string"}}}})
}

func TestRejoins(t *testing.T) {
	ask := gate("Ask", condition("={{ $json.body.x }}", "string", "notEmpty"))
	read := func(name string) object {
		return node(name, "httpRequest", 4.2, object{"url": "https://example.com/" + name})
	}
	for name, c := range map[string]struct {
		parts []any
		want  string // effect, content, sometimes; "" for none
	}{
		"two ways of one output":      {[]any{fixedMail("Send"), noOp("A"), noOp("B"), "Hook -> A -> Send", "Hook -> B -> Send"}, "Send 0 false"},
		"directly and by a node":      {[]any{fixedMail("Send"), noOp("A"), "Hook -> A -> Send", "Hook -> Send"}, "Send 0 false"},
		"the same edge twice":         {[]any{fixedMail("Send"), "Hook -> Send", "Hook -> Send"}, "Send 0 false"},
		"one way":                     {[]any{fixedMail("Send"), noOp("A"), "Hook -> A -> Send"}, ""},
		"a common node behind a fork": {[]any{fixedMail("Send"), noOp("A"), noOp("B"), noOp("C"), "Hook -> A -> C -> Send", "Hook -> B"}, ""},
		"both outputs of a branch":    {[]any{fixedMail("Send"), ask, noOp("A"), noOp("B"), "Hook -> Ask -> A -> Send", "Ask:1 -> B -> Send"}, ""},
		"one way behind a branch":     {[]any{fixedMail("Send"), ask, "Hook -> Ask -> Send", "Hook -> Send"}, "Send 0 true"},
		"both ways behind branches": {[]any{fixedMail("Send"), ask, gate("Other", condition("={{ $json.body.y }}", "string", "notEmpty")),
			"Hook -> Ask -> Send", "Hook -> Other -> Send"}, ""},
		"a Merge of both":            {[]any{fixedMail("Send"), noOp("A"), node("Both", "merge", 3, object{"mode": "append"}), "Hook -> A -> Both", "Hook -> Both:1", "Both -> Send"}, ""},
		"a disabled join passes on":  {[]any{fixedMail("Send"), node("Off", "merge", 3, nil, object{"disabled": true}), noOp("A"), "Hook -> A -> Off", "Hook -> Off", "Off -> Send"}, "Send 0 false"},
		"fields of the ways":         {[]any{mail("Send"), setting("A", "body", "a"), setting("B", "body", "b"), "Hook -> A -> Send", "Hook -> B -> Send"}, ""},
		"other fields of the ways":   {[]any{mail("Send"), setting("A", "note", "a"), setting("B", "note", "b"), "Hook -> A -> Send", "Hook -> B -> Send"}, "Send 0 false"},
		"lists that the ways read":   {[]any{mail("Send"), read("A"), read("B"), "Hook -> A -> Send", "Hook -> B -> Send"}, ""},
		"lists that nobody uses":     {[]any{fixedMail("Send"), read("A"), read("B"), "Hook -> A -> Send", "Hook -> B -> Send"}, "Send 0 false"},
		"the answer of an act":       {[]any{mail("Send"), fixedMail("A"), read("B"), "Hook -> A -> Send", "Hook -> B -> Send"}, "Send 1 false"},
		"a way reads a missing node": {[]any{fixedMail("Send"), setting("A", "note", "={{ $('Gone').item.json.x }}"), noOp("B"), "Hook -> A -> Send", "Hook -> B -> Send"}, ""},
		"a reminder later":           {[]any{fixedMail("Send"), node("Later", "wait", 1.1, nil), "Hook -> Later -> Send", "Hook -> Send"}, ""},
		"code that may give nothing": {[]any{fixedMail("Send"), node("A", "code", 2, object{"jsCode": "return $json.x ? [{json: {}}] : [];"}), "Hook -> A -> Send", "Hook -> Send"}, "Send 0 true"},
		"a claim behind the join":    {[]any{fixedMail("Send"), claimAndGate(), noOp("A"), noOp("B"), "Hook -> A -> Claim", "Hook -> B -> Claim -> Won? -> Send"}, ""},
		"a way around a loop": {[]any{fixedMail("Send"), node("Loop", "splitInBatches", 3, nil), noOp("A"), noOp("B"),
			"Hook -> Loop", "Loop:1 -> A -> Send", "A -> B -> Loop"}, ""},
		"a circle back to the join": {[]any{fixedMail("Send"), ask, "Hook -> Send -> Ask", "Ask:1 -> Send"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := analyze(t, workflow(append([]any{hook()}, c.parts...)...))[0]
			got := ""
			for _, r := range f.Rejoins() {
				got += fmt.Sprintf("%s %d %t", r.Effect.Node.Name, r.Content, r.Sometimes)
			}
			require.Equal(t, c.want, got)
		})
	}
}

// Whatever the graph: the ways of a finding are edges in a row, they begin at
// one fork by two edges, end at one join by two edges, and share no node between.
func TestRejoinsAreTwoWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := []any{hook()}
		names := []string{"Hook"}
		for i := range rapid.IntRange(1, 8).Draw(t, "nodes") {
			name := fmt.Sprintf("N%d", i)
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				parts = append(parts, fixedMail(name))
			case 1:
				parts = append(parts, gate(name, condition("={{ $json.x }}", "string", "notEmpty")))
			case 2:
				parts = append(parts, node(name, "splitInBatches", 3, nil))
			case 3:
				parts = append(parts, node(name, "merge", 3, object{"mode": "chooseBranch"}))
			default:
				parts = append(parts, noOp(name))
			}
			names = append(names, name)
		}
		for range rapid.IntRange(1, 24).Draw(t, "edges") {
			from, to := rapid.SampledFrom(names).Draw(t, "from"), rapid.SampledFrom(names[1:]).Draw(t, "to")
			parts = append(parts, fmt.Sprintf("%s:%d -> %s:%d", from, rapid.IntRange(0, 1).Draw(t, "output"), to, rapid.IntRange(0, 1).Draw(t, "input")))
		}
		for _, r := range analyze(t, workflow(parts...))[0].Rejoins() {
			require.NotSame(t, r.Ways[0][0], r.Ways[1][0])
			between := map[string]bool{}
			for _, way := range r.Ways {
				require.Same(t, r.Fork, way[0].From)
				require.Same(t, r.Join, way[len(way)-1].To)
				for i, e := range way[:len(way)-1] {
					require.Same(t, e.To, way[i+1].From)
					require.False(t, between[e.To.Name])
					between[e.To.Name] = true
				}
			}
			require.Same(t, r.Join, r.Behind[0])
			require.Same(t, r.Effect.Node, r.Behind[len(r.Behind)-1])
		}
	})
}

// A mesh of many nodes ends in time.
func TestRejoinsOfAMesh(t *testing.T) {
	const layers, width = 30, 12
	parts := []any{hook()}
	name := func(layer, i int) string { return fmt.Sprintf("L%d-%d", layer, i) }
	for l := range layers {
		for i := range width {
			parts = append(parts, setting(name(l, i), "body", "x"))
			for j := range width {
				if l > 0 {
					parts = append(parts, name(l-1, j)+" -> "+name(l, i))
				}
			}
			if l == 0 {
				parts = append(parts, "Hook -> "+name(0, i))
			}
		}
	}
	parts = append(parts, mail("Send"))
	for i := range width {
		parts = append(parts, name(layers-1, i)+" -> Send")
	}
	f := analyze(t, workflow(parts...))[0]
	start := time.Now()
	require.Len(t, f.Rejoins(), 1)
	require.Less(t, time.Since(start), 5*time.Second)
}
