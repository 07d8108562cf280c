package expr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReferences(t *testing.T) {
	tests := []struct {
		code string
		mode Mode
		want string
	}{
		{"$json.a + $('X').item.json.b", Expression, "item $json=$json, node X=$('X')"},
		{"$node[\"A b\"].json.x", Expression, `node A b=$node["A b"]`},
		{"$node.Webhook.json.x", Expression, "node Webhook=$node.Webhook"},
		{"$items('X', 0)[0].json.y", Expression, "node X=$items('X', 0)"},
		{"$items().length", Expression, "item $items=$items"},
		{"$($json.name).first()", Expression, "global $=$, item $json=$json"},
		{"$input.all()[$itemIndex]", Expression, "item $input=$input, global $itemIndex=$itemIndex"},
		{"'$json' + `${$now}` // $execution", Expression, "global $now=$now"},
		{"{ $json: 1, a: $env.B }", Expression, "global $env=$env"},
		{"$json?.a?.[$runIndex]", Expression, "item $json=$json, global $runIndex=$runIndex"},
		{"items.map(i => i.json)", Expression, "global items=items"},
		{"return items.map(i => i.json)", Body, "item items=items"},
		{"item.json.a = 1; return item", Body, "item item=item, item item=item"},
		{"for (const item of items) { go(item) } return { items }", Body, "item items=items, global go=go, item items=items"},
		{"const { a, b: [c = d] } = $json; function f(g) { return g + a + c } try { f(1) } catch (e) { e() }", Body, "global d=d, item $json=$json"},
		{"class A { m() { return $json } } return new A(Date)", Body, "item $json=$json, global Date=Date"},
		{"outer: for (;;) { break outer }", Body, ""},
		{"switch ($json.a) { case $now: default: return $('É').first() }", Body, "item $json=$json, global $now=$now, node É=$('É')"},
	}
	for _, test := range tests {
		t.Run(test.code, func(t *testing.T) {
			program, err := Parse(test.code, test.mode)
			require.NoError(t, err)
			kinds := map[NameKind]string{NameNode: "node", NameItem: "item", NameGlobal: "global"}
			var got []string
			for _, name := range program.References() {
				got = append(got, fmt.Sprintf("%s %s=%s", kinds[name.Kind], name.Name, test.code[name.Start:name.End]))
			}
			require.Equal(t, test.want, strings.Join(got, ", "))
		})
	}
}

func TestTemplateReferences(t *testing.T) {
	text := "=a {{ $json.x }} b {{ $('Y').item.json.z }}"
	names := ParseTemplate(text).References()
	require.Len(t, names, 2)
	require.Equal(t, "$json", text[names[0].Start:names[0].End])
	require.Equal(t, "$('Y')", text[names[1].Start:names[1].End])
}
