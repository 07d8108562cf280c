package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAtFindsTheSmallestValue(t *testing.T) {
	text := `{"nodes": [{"name": "A"}, {"a/b": [1, 22], "": null}]}`
	v := mustParse(t, text)
	for part, want := range map[string]string{
		`A"`:     "/nodes/0/name",
		`name`:   "/nodes/0/name",
		`: "A"`:  "/nodes/0/name",
		`}, {`:   "/nodes/0",
		`, {"a`:  "/nodes",
		`2]`:     "/nodes/1/a~1b/1",
		`, 22`:   "/nodes/1/a~1b",
		`"": nu`: "/nodes/1/",
		`nodes`:  "/nodes",
		`]}`:     "/nodes",
	} {
		at := v.At(strings.LastIndex(text, part))
		require.True(t, at.Exists(), part)
		require.Equal(t, want, at.Pointer(), part)
	}
	require.Equal(t, "", v.At(0).Pointer())
	require.True(t, v.At(0).Exists())
	require.False(t, v.At(len(text)).Exists())
	require.False(t, v.At(-1).Exists())
	require.False(t, Value{}.At(0).Exists())
}

func TestAroundHoldsTheWholeSpan(t *testing.T) {
	v := mustParse(t, `{"a": ["x", "y"], "b": 1}`)
	a := v.Get("a")
	first, second := a.Index(0).Span(), a.Index(1).Span()
	both := Span{File: first.File, Start: first.Start, End: second.End}
	require.Equal(t, "/a", v.Around(both).Pointer())
	require.Equal(t, "/a/1", v.Around(second).Pointer())
	require.Equal(t, "/a/1", v.Around(a.Index(1).Inner(1, 1)).Pointer(), "an empty span in a string")
	require.False(t, a.Around(v.Get("b").Span()).Exists(), "outside")
	require.False(t, v.Around(Span{}).Exists())
	require.False(t, v.Around(Span{File: NewFile("g", nil), Start: 1, End: 2}).Exists(), "another file")
}

func TestAroundFindsEveryValueByItsOwnSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := mustParse(&testing.T{}, drawJSON(t, 3))
		var walk func(Value)
		walk = func(c Value) {
			if got := v.Around(c.Span()); got != c {
				t.Fatalf("%q found at %q", c.Pointer(), got.Pointer())
			}
			for inner := range c.Children() {
				walk(inner)
			}
		}
		walk(v)
	})
}

func drawJSON(t *rapid.T, depth int) string {
	kinds := []string{"1", `"ü\n"`, "null", "[]", "{}", "array", "object"}
	if depth == 0 {
		kinds = kinds[:5]
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "kind")
	if len(kind) < 5 || kind[0] == '"' || kind == "null" {
		return kind
	}
	var parts []string
	for range rapid.IntRange(1, 3).Draw(t, "count") {
		part := drawJSON(t, depth-1)
		if kind == "object" {
			part = rapid.SampledFrom([]string{`"a"`, `"b/c"`, `""`}).Draw(t, "key") + " : " + part
		}
		parts = append(parts, part)
	}
	if kind == "object" {
		return "{ " + strings.Join(parts, " , ") + " }"
	}
	return "[ " + strings.Join(parts, " , ") + " ]"
}
