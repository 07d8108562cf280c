package expr

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestValueReading(t *testing.T) {
	v := ValueOf(map[string]any{"a": []any{1.0, "x", nil, true}, "b": map[string]any{"c": 2}})
	require.Equal(t, `{a: [1, "x", null, true], b: {c: 2}}`, v.String())
	require.Equal(t, KindUndefined, v.Field("missing").Kind())
	require.Equal(t, KindUndefined, v.Path("missing", "deeper").Kind())
	number, ok := v.Path("b", "c").AsNumber()
	require.True(t, ok)
	require.InDelta(t, 2, number, 0)
	elements, ok := v.Field("a").Elements()
	require.True(t, ok)
	require.Len(t, elements, 4)
	require.Len(t, v.Fields(), 2)
	require.False(t, v.Open())

	open := OpenObject(Ref("Webhook"), Field{Name: "a", Value: String("x")})
	require.True(t, open.Open())
	text, ok := open.Field("a").AsString()
	require.True(t, ok)
	require.Equal(t, "x", text)
	node, path, ok := open.Path("body", "id").AsReference()
	require.True(t, ok)
	require.Equal(t, "Webhook", node)
	require.Equal(t, []string{"body", "id"}, path)

	many := ArrayOf(Number(1), 2, Unbounded)
	low, high := many.Count()
	require.Equal(t, []int{2, Unbounded}, []int{low, high})
	require.Equal(t, "1", many.Element().String())
	require.Equal(t, "1", many.Field("0").String())
	require.Equal(t, KindUnknown, many.Field("5").Kind())
	require.Equal(t, "[]", ArrayOf(Number(1), 0, 0).String())
	require.True(t, ArrayOf(Object(), 0, 3).Field("1").MayBeAbsent())
}

func TestTruthOfValues(t *testing.T) {
	tests := []struct {
		value Value
		want  Tri
	}{
		{Undefined(), False}, {Null(), False}, {Bool(true), True}, {Bool(false), False}, {SomeBool(), Maybe},
		{Number(0), False}, {Number(math.NaN()), False}, {Number(-1), True}, {SomeNumber(), Maybe},
		{NumberBetween(1, 5), True}, {NumberBetween(-1, 5), Maybe}, {String(""), False}, {String("0"), True},
		{SomeString(), Maybe}, {NonEmptyString(), True}, {Object(), True}, {Array(), True}, {Ref("X"), Maybe},
		{Anything(), Maybe}, {Anything().Truthy(), True}, {Ref("X").Truthy(), True}, {SomeString().Truthy(), True},
	}
	for _, test := range tests {
		require.Equal(t, test.want, Truth(test.value), test.value.String())
	}
}

// jsonValue draws decoded JSON.
func jsonValue(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.IntRange(-1000, 1000), func(n int) any { return float64(n) }),
		rapid.Map(rapid.StringMatching(`[a-z"\\ é]{0,6}`), func(s string) any { return s }),
	}
	if depth == 0 {
		return rapid.OneOf(leaves...)
	}
	inner := rapid.Deferred(func() *rapid.Generator[any] { return jsonValue(depth - 1) })
	return rapid.OneOf(append(leaves,
		rapid.Map(rapid.SliceOfN(inner, 0, 4), func(list []any) any { return list }),
		rapid.Map(rapid.MapOfN(rapid.StringMatching(`[a-z]{1,3}`), inner, 0, 4), func(m map[string]any) any { return m }),
	)...)
}

// TestJSONRoundTrip writes known values as JSON through the evaluator and reads them back.
func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decoded := jsonValue(3).Draw(t, "value")
		scope := Item(Object(Field{Name: "v", Value: ValueOf(decoded)}))
		text, ok := Eval("={{ JSON.stringify($json.v) }}", scope).AsString()
		require.True(t, ok)
		raw, err := json.Marshal(decoded)
		require.NoError(t, err)
		require.JSONEq(t, string(raw), text)
		require.Equal(t, ValueOf(decoded).String(), Eval("={{ JSON.parse(JSON.stringify($json.v)) }}", scope).String())
	})
}

// TestUnknownCoversKnown evaluates a condition with a known item and with less
// known ones: a decided answer must agree with the answer for the known item.
func TestUnknownCoversKnown(t *testing.T) {
	conditions := []string{
		"$json.a", "!$json.a", "$json.a && $json.b", "$json.a || $json.b", "$json.a ?? $json.b", "$json.a === $json.b",
		"$json.a == $json.b", "$json.a != null", "$json.a > $json.b", "$json.a <= $json.b", "$json.a + $json.b",
		"$json.a + 1 > 0", "$json.a * 2 === 4", "typeof $json.a === 'string'", "$json.a?.length > 0", "$json.a?.x",
		"String($json.a) === String($json.b)", "Number($json.a) > 0", "[$json.a, $json.b].includes($json.b)",
		"[$json.a, $json.b].filter(Boolean).length", "[$json.a].find(x => x)", "$ifEmpty($json.a, $json.b)", "'a' in $json",
		"Object.keys($json).length > 1", "Object.values($json).some(v => v)", "({ ...$json, a: 1 }).a", "({ a: 1, ...$json }).a",
		"`${$json.a}`.length > 3", "Array.isArray($json.a)", "JSON.stringify($json.a) === '1'", "$json.a ? $json.b : 1",
		"(() => { let n = 0; for (const v of Object.values($json)) { if (v) { n++ } else { n += 2 } } return n > 2 })()",
		"(() => { try { return $json.a.x } catch (e) { return 7 } })()",
		"(() => { const o = {}; if ($json.a) { o.k = $json.b } return o.k })()",
		"(() => { switch ($json.a) { case 1: return 0; case 'x': return 1 } return $json.b })()",
		"(() => { let i = 0; while (i < 3) { if ($json.a === i) { break } i++ } return i === 2 })()",
		"$json.a.isEmpty()", "$json.a.isNotEmpty()", "-$json.a < 0", "$json.a - $json.b > 1", "Math.max(1, $json.a) > 1",
	}
	known := []any{nil, true, false, 0.0, 1.0, 2.0, -3.0, "", "x", "0", "12", []any{}, []any{1.0}, map[string]any{}, map[string]any{"x": 1.0}}
	less := func(v any) []Value {
		value := ValueOf(v)
		covers := []Value{value, Anything(), Ref("X")}
		if Truth(value) == True {
			covers = append(covers, Anything().Truthy(), Ref("X").Truthy())
		}
		switch v := v.(type) {
		case bool:
			covers = append(covers, SomeBool())
		case float64:
			covers = append(covers, SomeNumber(), NumberBetween(v-1, v+2))
		case string:
			covers = append(covers, SomeString())
			if v != "" {
				covers = append(covers, NonEmptyString())
			}
		case []any:
			covers = append(covers, ArrayOf(Anything(), 0, Unbounded), ArrayOf(Number(1), 0, 2))
		case map[string]any:
			covers = append(covers, OpenObject(Anything()), Object(Field{Name: "x", Value: Number(1), Optional: true}))
		}
		return covers
	}
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.SampledFrom(conditions).Draw(t, "code")
		a := rapid.SampledFrom(known).Draw(t, "a")
		b := rapid.SampledFrom(known).Draw(t, "b")
		program, err := Parse(code, Expression)
		require.NoError(t, err)
		item := func(a, b Value) Scope {
			return Item(Object(Field{Name: "a", Value: a}, Field{Name: "b", Value: b}))
		}
		exact := Truth(program.Eval(item(ValueOf(a), ValueOf(b))))
		lessA := rapid.SampledFrom(less(a)).Draw(t, "less a")
		lessB := rapid.SampledFrom(less(b)).Draw(t, "less b")
		covering := Truth(program.Eval(item(lessA, lessB)))
		if exact != Maybe && covering != Maybe {
			require.Equal(t, exact, covering, "%s with a = %v, b = %v as %v, %v", code, a, b, lessA, lessB)
		}
	})
}
