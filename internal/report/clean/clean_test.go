package clean

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTextEscapesWhatWouldAct(t *testing.T) {
	for in, want := range map[string]string{
		"Send mail":                      "Send mail",
		"Größe 日本 👩\u200d💻 é":            "Größe 日本 👩\u200d💻 é",
		"a\nb\r\tc":                      `a\nb\r\tc`,
		"\x1b[31mred\x07\x7f":            `\x1b[31mred\x07\x7f`,
		"\u009b31m":                      `\u009b31m`,
		"x\u202ey\u2066\u200f\ufeff":     `x\u202ey\u2066\u200f\ufeff`,
		"a\u2028b":                       `a\u2028b`,
		"\U000e0041":                     `\U000e0041`,
		"a\xffb":                         `a\xffb`,
		"::error::x":                     `\x3a:error::x`,
		"  ::error":                      `  \x3a:error`,
		"\n::error":                      `\n\x3a:error`,
		"a::b":                           "a::b",
		"##[error]":                      `#\x23[error]`,
		"x ##vso[task.setvariable]":      `x #\x23vso[task.setvariable]`,
		"###[x]":                         `##\x23[x]`,
		"## Heading [link]":              "## Heading [link]",
		"\u00adhidden \u200b\u2063 text": `\u00adhidden \u200b\u2063 text`,
	} {
		require.Equal(t, want, Text(in))
	}
}

func TestTextIsAlwaysOneHarmlessLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := string(rapid.SliceOf(rapid.Byte()).Draw(t, "raw"))
		got := Text(raw + rapid.String().Draw(t, "text"))
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\n\r\x1b") || strings.Contains(got, "##[") {
			t.Fatalf("%q", got)
		}
		if again := Text(got); again != got {
			t.Fatalf("not stable: %q, then %q", got, again)
		}
	})
}

func TestCut(t *testing.T) {
	require.Equal(t, "abc", Cut("abc", 3))
	require.Equal(t, "ab…", Cut("abcd", 3))
	require.Equal(t, "äöü", Cut("äöü", 3), "runes count, not bytes")
	require.Equal(t, "äö…", Cut("äöüß", 3))
	require.Equal(t, 200, utf8.RuneCountInString(Clip(strings.Repeat("n", 1<<20), Name)))
}

func TestJSONMeansTheSame(t *testing.T) {
	require.Equal(t, `{"a":"## Heading"}`, string(JSON([]byte(`{"a":"## Heading"}`))))
	require.Equal(t, `{"a":"\u202e#\u0023[x]\u009b\udb40\udc41"}`, string(JSON([]byte("{\"a\":\"\u202e##[x]\u009b\U000e0041\"}"))))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s") + rapid.SampledFrom([]string{"", "##[x", "###", "\u202e", "\U000e0041"}).Draw(t, "tail")
		raw, _ := json.Marshal(s)
		var got string
		if err := json.Unmarshal(JSON(raw), &got); err != nil || got != s {
			t.Fatalf("%q became %q (%v)", s, got, err)
		}
	})
}

func TestMask(t *testing.T) {
	for in, want := range map[string]string{
		`"value": "Bearer abc.def-1"`:                                 `"value": "Bearer *********"`,
		`"value": "Basic dXNlcjpwYXNz="`:                              `"value": "Basic *************"`,
		`"note": "basic settings, token expired"`:                     `"note": "basic settings, token expired"`,
		`"x": "ab_live_k1ve9zq8w7e6r5t4y3u2"`:                         `"x": "ab_live_********************"`,
		`"model": "some-model-2.5-preview-05-20"`:                     `"model": "some-model-2.5-preview-05-20"`,
		`"password": "hunter2", "name": "x"`:                          `"password": "*******", "name": "x"`,
		`"apiKey": "={{ $json.key }}"`:                                `"apiKey": "={{ $json.key }}"`,
		`"clientSecret": "cut o`:                                      `"clientSecret": "*****`,
		`"x": "k1ve9zq8w7e6r5t4y3u2i1"`:                               `"x": "**********************"`,
		`"id": "3f2a0b1c-9d8e-4f70-a1b2-c3d4e5f60718"`:                `"id": "3f2a0b1c-9d8e-4f70-a1b2-c3d4e5f60718"`,
		`"url": "https://api.example.com/v1/orders/20240101/lines"`:   `"url": "https://api.example.com/v1/orders/20240101/lines"`,
		`"type": "n8n-nodes-base.httpRequest", "typeVersion": 4.2`:    `"type": "n8n-nodes-base.httpRequest", "typeVersion": 4.2`,
		`INSERT INTO processed_events_2024_v2 (event_id) VALUES ($1)`: `INSERT INTO processed_events_2024_v2 (event_id) VALUES ($1)`,
	} {
		got := Mask(in)
		require.Equal(t, want, got)
		require.Len(t, got, len(in))
	}
}
