package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseTemplateParts(t *testing.T) {
	tests := []struct {
		name, text string
		expression bool
		parts      []string // code in angle brackets
	}{
		{"no equals sign", "a {{ 1 }}", false, []string{"a {{ 1 }}"}},
		{"empty", "", false, []string{""}},
		{"only equals sign", "=", true, nil},
		{"text only", "=abc", true, []string{"abc"}},
		{"single code", "={{ $json.a }}", true, []string{"< $json.a >"}},
		{"mixed", "=a{{b}}c{{d}}", true, []string{"a", "<b>", "c", "<d>"}},
		{"adjacent", "={{a}}{{b}}", true, []string{"<a>", "<b>"}},
		{"first closing braces end the code, also in a string", "={{ '}}'.length }}", true, []string{"< '>", "'.length }}"}},
		{"first closing braces end the code, also in an object", "={{ {a:{b:1}}.a }}", true, []string{"< {a:{b:1>", ".a }}"}},
		{"escaped closing braces", `={{ '\}}' }}`, true, []string{`< '\}}' >`}},
		{"escaped opening braces", `=\{{ a }}`, true, []string{`\{{ a }}`}},
		{"unclosed", "=a{{ b", true, []string{"a", "< b>"}},
		{"second equals sign is text", "=={{ a }}", true, []string{"=", "< a >"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			template := ParseTemplate(test.text)
			require.Equal(t, test.expression, template.Expression)
			var parts []string
			for _, part := range template.Parts {
				require.Equal(t, part.Text, test.text[part.Start:part.End])
				text := part.Text
				if part.Code {
					text = "<" + text + ">"
				}
				parts = append(parts, text)
			}
			require.Equal(t, test.parts, parts)
		})
	}
}

func TestParseResolvedNeedsNoEqualsSign(t *testing.T) {
	for text, want := range map[string]int{"{{ a }},{{ b }}": 3, "={{ a }},{{ b }}": 3, "plain": 1} {
		template := ParseResolved(text)
		require.True(t, template.Expression, text)
		require.Len(t, template.Parts, want, text)
	}
}

func TestTemplateValues(t *testing.T) {
	scope := Item(Object(
		Field{Name: "n", Value: Number(3)},
		Field{Name: "list", Value: Array(String("a"), Number(2))},
		Field{Name: "nothing", Value: Null()},
	))
	tests := map[string]string{
		"a {{ 1 }}":                       `"a {{ 1 }}"`,
		"=":                               `""`,
		"={{ $json.n }}":                  `3`,
		"={{ $json.n; 5 }}":               `3`,
		"={{ ;$json.n }}":                 `3`,
		"=n is {{ $json.n }}!":            `"n is 3!"`,
		"=={{ $json.n }}":                 `"=3"`,
		"= {{ $json.n }}":                 `" 3"`,
		"=x:{{ $json.missing }}":          `"x:"`,
		"=x:{{ $json.nothing }}":          `"x:"`,
		"={{ 'x:' + $json.missing }}":     `"x:undefined"`,
		"=x:{{ $json.list }}":             `"x:a,2"`,
		"={{ }}":                          `undefined`,
		`={{ '\}}' }}`:                    `"}}"`,
		`={{ {a: {b: 1\}} }}`:             `{a: {b: 1}}`,
		"={{ {a: 1} }}":                   `{a: 1}`,
		"={{ $json.missing.deeper }}":     `undefined`,
		"={{ ({...$json, n: 4}).n }}":     `4`,
		"={{ '" + `\u00e9` + "'.length}}": `1`,
		"={{ 'żółw'.toUpperCase() }}":     `"ŻÓŁW"`,
	}
	for text, want := range tests {
		require.Equal(t, want, Eval(text, scope).String(), text)
	}
}

func TestTemplateErrors(t *testing.T) {
	template := ParseTemplate("=ok {{ 1 + }} {{ 2 }}")
	require.Error(t, template.Err())
	var syntax *SyntaxError
	require.ErrorAs(t, template.Err(), &syntax)
	require.ErrorContains(t, template.Err(), "not valid JavaScript")
	require.Equal(t, KindString, template.Eval(Symbolic{}).Kind())
	require.NoError(t, ParseTemplate("={{ 1 }}").Err())
	require.Equal(t, KindUnknown, Eval("={{ 1 + }}", Symbolic{}).Kind())
}

func TestSyntaxErrorOffset(t *testing.T) {
	tests := []struct {
		code   string
		mode   Mode
		offset int
	}{
		{"a b", Expression, 2},
		{"\n  a b", Expression, 5},
		{"const a = 1\nreturn a b", Body, 21},
		{"})(); (function(){", Body, 18},
	}
	for _, test := range tests {
		_, err := Parse(test.code, test.mode)
		var syntax *SyntaxError
		require.ErrorAs(t, err, &syntax, test.code)
		require.Equal(t, test.offset, syntax.Offset, test.code)
	}
	_, err := Parse("}, function(){ return 1", Body)
	require.Error(t, err)
}
