package expr

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func nested(open, middle, shut string, count int) string {
	return strings.Repeat(open, count) + middle + strings.Repeat(shut, count)
}

// TestHostileTexts holds the parser's known traps and the evaluator's likely ones.
func TestHostileTexts(t *testing.T) {
	growing := "let a = {}; let b = [a];\n" + strings.Repeat("b = [b, b, b, b]; a.x = b;\n", 200) + "return [{ json: a }]"
	branches := strings.Repeat("if ($json.a) { n += 1 } else { s.push(n) }\n", 300)
	tests := map[string]string{
		"nested arrow defaults":              nested("(a=", "1", ")=>1", 30),
		"nested pattern defaults":            nested("({a=", "1", "})=>1", 30),
		"arrow defaults behind a comment":    nested("(a=", "1", ")/**/=>1", 30),
		"arrow defaults behind a regexp":     "/[/'\"]/;" + nested("(a=", "1", ")=>1", 16),
		"async arrow defaults":               nested("async(a=", "1", ")=>1", 30),
		"parentheses":                        nested("(", "1", ")", 100_000),
		"brackets":                           nested("[", "1", "]", 100_000),
		"a million brackets":                 strings.Repeat("[", 1_000_000),
		"braces":                             nested("{", "", "}", 100_000),
		"brackets that strings unbalance":    nested("(')'+", "1", ")", 60_000),
		"arrow chain":                        strings.Repeat("a=>", 100_000) + "1",
		"not chain":                          strings.Repeat("!", 200_000) + "1",
		"typeof chain":                       strings.Repeat("typeof ", 30_000) + "1",
		"assignment chain":                   strings.Repeat("a=", 100_000) + "1",
		"sum":                                strings.Repeat("1+", 100_000) + "1",
		"ternary chain":                      strings.Repeat("a?1:", 50_000) + "1",
		"member chain":                       "a" + strings.Repeat(".b", 100_000),
		"call chain":                         "a" + strings.Repeat("()", 9_000),
		"else-if chain":                      strings.Repeat("if(a){}else ", 9_000) + "{}",
		"nested templates":                   nested("`${", "1", "}`", 5_000),
		"label chain":                        strings.Repeat("a:", 100_000) + "1",
		"if chain":                           strings.Repeat("if(1)", 15_000) + "1",
		"comma":                              strings.Repeat("1,", 100_000) + "1",
		"source map":                         "1\n//# sourceMappingURL=/etc/passwd",
		"source map data":                    "1\n//# sourceMappingURL=data:application/json;base64,AAAA",
		"empty case":                         "switch (a) { case 1: }",
		"empty switch":                       "switch (a) { }",
		"regular expression":                 "return /(?<=a)(b+)+c[/\"']/.test('x')",
		"endless loops":                      "for (;;) { while (true) { do { x++ } while (true) } }",
		"endless recursion":                  "function f() { return [f(), f(), f()] } return f()",
		"mutual recursion":                   "const f = n => g(n) + g(n), g = n => f(n) + f(n); return f(1)",
		"exponential calls":                  "const a = () => 1; " + doubling(40) + "return z40()",
		"long strings":                       "let s = 'aaaaaaaaaaaaaaaa';" + strings.Repeat("s = s + s;", 60) + "return [{ json: { s } }]",
		"repeat":                             "return [{ json: { s: 'a'.repeat(1e9), p: 'a'.padStart(1e9), t: 'ab'.repeat(4096).repeat(4096) } }]",
		"large array":                        "const a = []; for (let i = 0; i < 1e9; i++) { a.push(a) } return a",
		"array index":                        "const a = []; a[1e9] = 1; a.length = 4e9; return a",
		"object that contains itself":        "const a = {}; a.a = a; a.b = [a]; return [{ json: a }]",
		"object that contains itself, twice": "const a = {}, b = { a }; a.b = b; JSON.stringify(a); String([a]); return [{ json: { ...a } }, a]",
		"growing object":                     growing,
		"many branches":                      "let n = 0; const s = [];\n" + branches + "return [{ json: { n, s } }]",
		"nested branches":                    strings.Repeat("if ($json.a) { if (!$json.b) { x = 1 } else { ", 20) + strings.Repeat("} }", 20),
		"nested loops":                       "const o = {}; " + nested("for (const i of items) { o[i.json.a] = [o, i]; ", "", "}", 12) + "return items",
		"many fields":                        "const o = {}; for (let i = 0; i < 20; i++) { o['a' + i] = { ...o, o } } return [{ json: o }]",
		"joined JSON":                        "let t = '[]'; for (const i of [1,2,3,4,5,6,7,8,9]) { t = JSON.stringify([JSON.parse(t), JSON.parse(t)]) } return t",
		"null bytes":                         "\x00\x00return\x00",
		"invalid UTF-8":                      "return '\xff\xfe' + \xff",
		"lone surrogates":                    "return '\\ud800'.length + '\\udc00'",
		"unclosed":                           "return [{ json: { a: `${",
		"proto":                              "const o = { __proto__: null, constructor: 1 }; return [{ json: o.__proto__.x }]",
		"generators and classes":             "class A { #x = 1; static y = () => A; get z() { return this.#x } } function* g() { yield* g() } return [new A().z, ...g()]",
		"await in a loop":                    "for (const i of items) { await (async () => { throw i })().catch(e => e).then(() => 1) } return items",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			for _, mode := range []Mode{Expression, Body} {
				start := time.Now()
				program, err := Parse(text, mode)
				if err == nil {
					for _, codeMode := range []CodeMode{AllItems, EachItem, FunctionItem} {
						program.RunCode(Symbolic{}, codeMode)
					}
					Truth(program.Eval(Symbolic{}))
					program.References()
				} else {
					var syntax *SyntaxError
					require.True(t, errors.Is(err, ErrTooComplex) || errors.As(err, &syntax))
				}
				require.Less(t, time.Since(start), raceFactor*time.Second)
			}
			Eval("={{ "+text+" }}", Symbolic{})
		})
	}
}

// doubling declares functions z1 … zn, each of which calls the one before twice.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString("const z0 = a; ")
	for i := 1; i <= n; i++ {
		b.WriteString("const z" + formatNumber(float64(i)) + " = () => z" + formatNumber(float64(i-1)) + "() + z" + formatNumber(float64(i-1)) + "(); ")
	}
	return b.String()
}

func TestHostileTemplates(t *testing.T) {
	for name, text := range map[string]string{
		"many parts":    "=" + strings.Repeat("{{ $json.a }}", 4_000),
		"many openings": "=" + strings.Repeat("{{", 50_000),
		"backslashes":   "=" + strings.Repeat(`\`, 50_000) + "{{ a }}",
		"escapes":       "=" + strings.Repeat(`\{{`, 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			template := ParseTemplate(text)
			template.Eval(Symbolic{})
			template.References()
			require.Less(t, time.Since(start), raceFactor*time.Second)
		})
	}
}

func TestTooComplexIsAnError(t *testing.T) {
	for _, text := range []string{nested("(", "1", ")", 5_000), nested("(a=", "1", ")=>1", 30), strings.Repeat("a=>", 5_000) + "1", strings.Repeat("x", maxBodyBytes+1)} {
		_, err := Parse(text, Body)
		require.ErrorIs(t, err, ErrTooComplex)
	}
	_, err := Parse(nested("(", "1", ")", maxBracketDepth/2), Expression)
	require.NoError(t, err)
}

// TestOrdinaryCodeIsNotTooComplex keeps the scan from mistaking usual code for hostile.
func TestOrdinaryCodeIsNotTooComplex(t *testing.T) {
	for name, text := range map[string]string{
		"large body":        strings.Repeat("const a = items.map((i) => ({ json: { ...i.json, x: (i.json.y || []).filter((z) => z) } }));\n", 800),
		"quotes in regexps": strings.Repeat("s = s.replace(/[\"'`(]/g, '').split(/\\//);\n", 500),
		"html":              "return [{ json: { html: `" + strings.Repeat("<p>${items[0].json.a} it's (fine</p>\n", 500) + "` } }]",
		"nested callbacks":  nested("items.map((a) => ", "1", ")", 40),
	} {
		_, err := Parse(text, Body)
		require.False(t, errors.Is(err, ErrTooComplex), name)
	}
}
