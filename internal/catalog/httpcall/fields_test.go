package httpcall

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestJSONFields(t *testing.T) {
	for _, c := range []struct {
		body     string
		names    []string
		complete bool
	}{
		{`{"a": 1, "b": {"c": "x", "d": []}, "e": [{"f": null}]}`, []string{"a", "b.c", "b.d", "e.0.f"}, true},
		{`{"a": "{}", "b": {}, "c": "x {} y"}`, []string{"a", "b", "c"}, true},
		{`{"a": 1, {}}`, []string{"a"}, false},
		{`{"{}": 1}`, []string{"?"}, false},
		{`{"a": 1`, []string{"a"}, false},
		{`{"a": 1} trailing`, []string{"a"}, false},
		{`{"a": "\u0041\n\"", "b": 2,}`, []string{"a", "b"}, true},
		{"not json", nil, false},
		{"{}", nil, false},
		{"", nil, false},
	} {
		fields, complete := JSONFields(template(c.body))
		var names []string
		for _, field := range fields {
			name, known := field.Name.Known()
			require.True(t, known, c.body)
			names = append(names, name)
		}
		require.Equal(t, c.names, names, c.body)
		require.Equal(t, c.complete, complete, c.body)
	}
}

func TestJSONFieldsAreBounded(t *testing.T) {
	_, complete := JSONFields(Literal(strings.Repeat(`{"a":`, 100_000)))
	require.False(t, complete)
	fields, complete := JSONFields(Literal("[" + strings.Repeat("1,", 100_000) + "1]"))
	require.False(t, complete)
	require.LessOrEqual(t, len(fields), maxFields)
}

// Every document that encoding/json writes is read completely, with the value of every leaf.
func TestJSONFieldsReadWhatJSONWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOfN(rapid.StringMatching(`[a-z_]{1,8}`), rapid.StringMatching(`[ -~äé\n\t"\\]{0,12}`), 1, 6).Draw(t, "object")
		encoded, err := json.Marshal(map[string]any{"outer": object})
		require.NoError(t, err)
		fields, complete := JSONFields(Literal(string(encoded)))
		require.True(t, complete)
		got := map[string]string{}
		for _, field := range fields {
			name, _ := field.Name.Known()
			value, known := field.Value.Known()
			require.True(t, known)
			got[strings.TrimPrefix(name, "outer.")] = value
		}
		require.Equal(t, object, got)
	})
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		condition, body string
		want            answer
	}{
		{"body:a", `{"a": 1}`, yes},
		{"body:a", `{"b": 1}`, no},
		{"body:a", `{"b": 1, {}}`, maybe},
		{"body:a", "{}", maybe},
		{"!body:a", `{"a": 1}`, no},
		{"!body:a", "{}", maybe},
		{"body:a=x|y", `{"a": "Y"}`, yes},
		{"body:a=x", `{"a": "{}"}`, maybe},
		{"body:a=x", `{"a": "z"}`, no},
		{"body:a & body:b", `{"a": 1}`, no},
		{"body:a & !body:b", `{"a": 1}`, yes},
		{"body:a~x", `{"a": "y, x;z"}`, yes},
		{"bodyname:a|b", `{"c": [{"b": 1}]}`, yes},
		{"bodyname:a", `{"c": {"ab": 1}}`, no},
		{"param:a", `{"a": 1}`, yes},
	} {
		condition, err := parseCondition(c.condition)
		require.NoError(t, err)
		got := condition.holds(newView(call("POST https://h.example/", c.body)))
		require.Equal(t, c.want, got, fmt.Sprintf("%s for %s", c.condition, c.body))
	}
}
