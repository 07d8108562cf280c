package sarif

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/n8nlint/n8nlint/internal/source"
)

func TestLineHashesAreGitHubs(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "c129715d7a2bc9a3:1",
		`{"name":"A","nodes":[]}`: "db8bd5d218dace46:1",
		"{\n  \"name\": \"A\",\n  \"nodes\": []\n}\n":      "7076929e1e05deda:1 8b358445e8431389:1 a3a628aeb7d81103:1 32dce9ccfdbc9d3e:1 c129715d7a2bc9a3:1",
		"{\r\n\t\"name\":\"A\",\r\n\"nodes\": []\r\n}\r\n": "7076929e1e05deda:1 8b358445e8431389:1 a3a628aeb7d81103:1 32dce9ccfdbc9d3e:1 c129715d7a2bc9a3:1",
	} {
		var got []string
		for _, line := range hashLines(source.NewFile("f", []byte(text))).lines {
			got = append(got, line.String())
		}
		require.Equal(t, want, strings.Join(got, " "), text)
	}
}

// The rolling hash must be what the polynomial gives for each line by itself.
func TestLineHashesAreThePolynomial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-c {}":\t😀ü]{0,80}`), 1, 6).Draw(t, "lines")
		text := strings.Join(lines, "\n")
		got := hashLines(source.NewFile("f", []byte(text))).lines
		if len(got) != len(lines) {
			t.Fatalf("%d lines, %d hashes", len(lines), len(got))
		}
		seen := map[uint64]int{}
		for i := range lines {
			want := polynomial(strings.Join(lines[i:], "\n"))
			seen[want]++
			if got[i] != (lineHash{want, seen[want]}) {
				t.Fatalf("line %d is %v, want %x:%d", i+1, got[i], want, seen[want])
			}
		}
	})
}

func polynomial(rest string) uint64 {
	units := append(utf16.Encode([]rune(strings.NewReplacer(" ", "", "\t", "").Replace(rest))), hashEnd)
	sum := new(big.Int)
	for i := range hashWindow {
		sum.Mul(sum, big.NewInt(hashMultiplier))
		if i < len(units) {
			sum.Add(sum, big.NewInt(int64(units[i])))
		}
	}
	return sum.And(sum, new(big.Int).SetUint64(^uint64(0))).Uint64()
}

func TestResultsOnOneLineStayApart(t *testing.T) {
	f := source.NewFile("f", []byte("  \"a\",\n  \"a\",\n"+strings.Repeat("x", 200)+"\n"+strings.Repeat("x", 100)+"y"))
	p := newFingerprints()
	long := hashLines(f).lines[2].String()
	require.True(t, strings.HasSuffix(long, ":1"))
	require.Equal(t, long, p.next("r", f, 3))
	require.Equal(t, strings.TrimSuffix(long, "1")+"2", p.next("r", f, 4), "the fourth line starts like the third")
	require.Equal(t, strings.TrimSuffix(long, "1")+"3", p.next("r", f, 3), "counts on behind the file's own")
	require.Equal(t, long, p.next("other", f, 3))
	seen := map[string]bool{}
	for i := range 300 {
		hash := p.next("many", f, 1+i%5)
		require.False(t, seen[hash], hash)
		seen[hash] = true
	}
}

func BenchmarkHashLines(b *testing.B) {
	text := strings.Repeat(`      "url": "https://api.example/`+strconv.Itoa(1)+"\",\n", 20000)
	f := source.NewFile("f", []byte(text))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		hashLines(f)
	}
}
