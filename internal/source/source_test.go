package source

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func mustParse(t testing.TB, text string) Value {
	t.Helper()
	doc, err := ParseJSON(NewFile("f.json", []byte(text)))
	require.NoError(t, err)
	return doc.Root()
}

func TestReadsValuesWithTheirPlaces(t *testing.T) {
	text := `{"a": [1, {"b\u0062": "x\ny", "a/b~": true}], "a": null, "n": "2.5", "a":[1,{"bb":"last"}]}`
	v := mustParse(t, text)
	require.Equal(t, "last", v.Get("a").Index(1).Get("bb").Str(), "of duplicate keys the last counts")
	first := func() Value {
		for c := range v.Children() {
			return c
		}
		return Value{}
	}()
	bb := first.Index(1).Get("bb")
	require.Equal(t, "x\ny", bb.Str())
	require.Equal(t, `"x\ny"`, bb.Span().Text())
	require.Equal(t, "y", bb.Inner(2, 3).Text())
	require.Equal(t, `\n`, bb.Inner(1, 2).Text())
	require.Equal(t, "/a/1/a~1b~0", first.Index(1).Get("a/b~").Pointer())
	require.True(t, first.Index(1).Get("a/b~").IsTrue())
	require.Equal(t, `"n"`, v.Get("n").KeySpan().Text())
	n, ok := v.Get("n").Float()
	require.True(t, ok)
	require.InDelta(t, 2.5, n, 0)
	require.False(t, v.Get("a", "zz", "y").Index(3).Get("k").Exists())
	require.Equal(t, 0, Value{}.Len())
}

func TestEveryPointerLeadsBack(t *testing.T) {
	v := mustParse(t, `{"nodes":[{"parameters":{"x":{"y":[0,[],{"":1}]}}},7]}`)
	var walk func(Value)
	seen := map[string]bool{}
	walk = func(v Value) {
		require.False(t, seen[v.Pointer()])
		seen[v.Pointer()] = true
		for c := range v.Children() {
			walk(c)
		}
	}
	walk(v)
	require.True(t, seen["/nodes/0/parameters/x/y/2/"])
	require.Len(t, seen, 11)
}

func TestPositionsCountWhatIsAsked(t *testing.T) {
	f := NewFile("f", []byte("ab\r\n\"ü😀x\"\n"))
	at := strings.Index(string(f.Bytes()), "x")
	require.Equal(t, Position{2, 8}, f.Position(at, Bytes))
	require.Equal(t, Position{2, 4}, f.Position(at, Runes))
	require.Equal(t, Position{2, 5}, f.Position(at, UTF16))
	require.Equal(t, "ab", f.Line(1).Text())
	require.Equal(t, 3, f.Lines())
	require.Equal(t, "", f.Line(3).Text())
	require.Equal(t, Position{3, 1}, f.Position(1<<30, Runes))
}

func TestByteOrderMarks(t *testing.T) {
	require.Equal(t, `{"a":1}`, string(NewFile("f", []byte("\xef\xbb\xbf{\"a\":1}")).Bytes()))
	require.Equal(t, `{"ü":1}`, string(NewFile("f", []byte("\xff\xfe{\x00\"\x00\xfc\x00\"\x00:\x001\x00}\x00")).Bytes()))
	require.Equal(t, `{"ü":1}`, string(NewFile("f", []byte("\xfe\xff\x00{\x00\"\x00\xfc\x00\"\x00:\x001\x00}")).Bytes()))
}

func TestSyntaxErrorsSayWhereAndWhat(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":         {"", "f.json:1:1: the file is empty; export the workflow again"},
		"blank":         {" \n", "f.json:1:1: the file is empty; export the workflow again"},
		"missing comma": {"{\"a\":1\n \"b\":2}", "f.json:2:2: not valid JSON: invalid character '\"' after object value (expecting ',' or '}')"},
		"cut off":       {`{"a":[1,`, `f.json:1:9: the JSON ends in the middle; the file is cut off (in "/a")`},
		"tail":          {"{}\n{}", "f.json:2:1: more text after the end of the JSON value; remove it or split the file"},
		"lfs":           {"version https://git-lfs.github.com/spec/v1", "f.json:1:1: a Git LFS pointer stands in place of the file; run git lfs pull"},
		"control":       {"{\"a\":\"x\ny\"}", "f.json:1:8: a raw control character inside a JSON string; write it as an escape such as \\n (in \"/a\")"},
		"depth":         {strings.Repeat("[", 20000), "f.json:1:10001: nested deeper than 10,000 levels"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseJSON(NewFile("f.json", []byte(c.text)))
			require.EqualError(t, err, c.want)
		})
	}
}

func TestInnerOffsetsSurviveEscapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		v := mustParse(&testing.T{}, string(raw))
		decoded := v.Str()
		for i := range decoded {
			end := i + len(string([]rune(decoded[i:])[0]))
			part := v.Inner(i, end).Text()
			if got := unquote([]byte(`"` + part + `"`)); got != decoded[i:end] {
				t.Fatalf("%q: %d-%d is %q, want %q", raw, i, end, got, decoded[i:end])
			}
		}
	})
}

func TestLoneSurrogatesKeepOffsetsRight(t *testing.T) {
	v := mustParse(t, `"a\ud83d b\udc00c\ud83d\ude00d"`)
	require.Equal(t, "a\uFFFD b\uFFFDc😀d", v.Str())
	for _, want := range []string{"b", "c", "d"} {
		i := strings.Index(v.Str(), want)
		require.Equal(t, want, v.Inner(i, i+1).Text())
	}
}

func FuzzParseJSON(f *testing.F) {
	f.Add([]byte(`{"nodes":[{"a":"\ud800"}],"x":[1,2,{"y":null}]}`))
	f.Add([]byte("\xff\xfe{\x00}\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := ParseJSON(NewFile("f", data))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		for i := range doc.nodes {
			v := Value{doc, int32(i)}
			s := v.Span()
			require.LessOrEqual(t, s.Start, s.End)
			_ = v.Text()
			_, _ = v.Inner(0, len(v.Str())).Range(UTF16)
		}
	})
}

func BenchmarkParseJSON(b *testing.B) {
	text := `{"nodes":[` + strings.Repeat(`{"parameters":{"url":"https://example.com","options":{}},"id":"x","position":[0,0]},`, 2000) + `{}]}`
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ParseJSON(NewFile("f", []byte(text))); err != nil {
			b.Fatal(err)
		}
	}
}
