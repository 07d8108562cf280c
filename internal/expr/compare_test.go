package expr

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDigests(t *testing.T) {
	for _, c := range []struct {
		name, code, parsed string
		raw                bool
		count              int
	}{
		{"over the parsed body", `const body = JSON.stringify($json.body);
const want = require('crypto').createHmac('sha256', 'k').update(body).digest('hex');`, "JSON.stringify($json.body)", false, 1},
		{"over the raw bytes", `const raw = Buffer.from($input.first().binary.data.data, 'base64');
const want = crypto.createHmac('sha256', 'k').update(raw).digest();`, "", true, 1},
		{"in two steps, with a time", `const h = crypto.createHmac('sha256', 'k'); const { body, headers } = $json;
h.update(` + "`v0:${headers.time}:${JSON.stringify(body)}`" + `);`, "JSON.stringify(body)", false, 1},
		{"raw with a fallback", `const raw = item.binary ? item.binary.data.data : JSON.stringify(item.json.body || {});
crypto.createHmac('sha256', 'k').update(raw);`, "JSON.stringify(item.json.body || {})", true, 1},
		{"over a text of its own", `crypto.createHmac('sha256', 'k').update(JSON.stringify({ id: $json.body.id }));`, "", false, 1},
		{"a plain hash", `crypto.createHash('sha256').update(JSON.stringify($json.body));`, "", false, 0},
		{"another library", `CryptoJS.HmacSHA256(JSON.stringify($json['body']), 'k')`, "JSON.stringify($json['body'])", false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse(c.code, Body)
			require.NoError(t, err)
			digests := p.Digests()
			require.Len(t, digests, c.count)
			if c.count == 0 {
				return
			}
			require.Equal(t, c.parsed, c.code[digests[0].ParsedStart:digests[0].ParsedEnd])
			require.Equal(t, c.raw, digests[0].Raw)
		})
	}
}

func TestCompared(t *testing.T) {
	p, err := Parse(`const { token } = $json.query; const want = $vars.SECRET;
if (token !== want) throw new Error('no');
if ($json.headers['x-kind'] === '') return [];
if (allowed.includes($json.body.key)) return items;
const t = "token === secret";`, Body)
	require.NoError(t, err)
	list := p.Compared()
	require.Len(t, list, 2, "a test against an empty text is none, nor is one inside a text")
	require.Contains(t, list[0].Names, "token")
	require.Contains(t, list[0].Names, "SECRET")
	require.Contains(t, list[1].Names, "key")
	require.True(t, p.Throws())
}

// A chain of variables that name each other many times must not take long.
func TestFollowingIsBounded(t *testing.T) {
	var b strings.Builder
	for range 60 {
		b.WriteString("a = a + a + b + a; b = b + a + a + b;\n")
	}
	b.WriteString("crypto.createHmac('sha256', a).update(a); if (a === b) throw a;")
	p, err := Parse(b.String(), Body)
	require.NoError(t, err)
	require.Len(t, p.Digests(), 1)
	require.Len(t, p.Compared(), 1)
}
