package expr_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/expr"
)

func TestMembersOfAnObjectThatIsWrittenOut(t *testing.T) {
	for _, c := range []struct {
		name, template string
		want           map[string]string
		closed         bool
	}{
		{"stringified", `={{ JSON.stringify({ a: $json.id, 'b-c': "x", d: { e: [1, $now] } }) }}`, map[string]string{"a": "$json.id", "b-c": `"x"`, "d.e.0": "1", "d.e.1": "$now"}, true},
		{"plain object", `={{ { ä: $json.ö } }}`, map[string]string{"ä": "$json.ö"}, true},
		{"in parentheses", `={{ ({ a: 1 + 2 }) }}`, map[string]string{"a": "1 + 2"}, true},
		{"spread", `={{ JSON.stringify({ ...$json, a: 1 }) }}`, map[string]string{"a": "1"}, false},
		{"computed", `={{ JSON.stringify({ [$json.k]: 2, a: 1 }) }}`, map[string]string{"a": "1"}, false},
		{"list", `={{ JSON.stringify([{ a: 1 }]) }}`, map[string]string{"0.a": "1"}, true},
		{"something else", `={{ JSON.stringify($json) }}`, map[string]string{}, false},
		{"a call inside", `={{ JSON.stringify({ a: f({ b: 1 }) }) }}`, map[string]string{"a": "f({ b: 1 })"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := map[string]string{}
			var members []expr.Member
			closed := false
			for _, p := range expr.ParseTemplate(c.template).Parts {
				if p.Code {
					members, closed = p.Members()
				}
			}
			for _, m := range members {
				got[m.Name] = m.Part.Text
				require.Equal(t, m.Part.Text, c.template[m.Part.Start:m.Part.End])
			}
			require.Equal(t, c.want, got)
			require.Equal(t, c.closed, closed)
		})
	}
}

func TestMembersEvaluateAlone(t *testing.T) {
	for _, p := range expr.ParseTemplate(`={{ JSON.stringify({ a: 'x' + 'y' }) }}`).Parts {
		if members, _ := p.Members(); len(members) > 0 {
			s, ok := members[0].Part.Eval(expr.Symbolic{}).AsString()
			require.True(t, ok)
			require.Equal(t, "xy", s)
			return
		}
	}
	t.Fatal("no members")
}
