package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/report/reporttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

var info = Info{Tool: "n8nlint", Version: "1.2.3", InformationURI: "https://example.com/n8nlint"}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run the test with -update where the change is meant")
}

func render(t testing.TB, f Format, r *lint.Result, o Options) []byte {
	t.Helper()
	o.Info = info
	var b bytes.Buffer
	require.NoError(t, f(&b, r, o))
	return b.Bytes()
}

func TestGoldenFiles(t *testing.T) {
	for name, c := range map[string]struct {
		format  Format
		result  *lint.Result
		options Options
	}{
		"result.txt":         {Text, reporttest.Result(), Options{}},
		"result-verbose.txt": {Text, reporttest.Result(), Options{Verbose: true}},
		"result-quiet.txt":   {Text, reporttest.Result(), Options{Quiet: true, Verbose: true}},
		"result-color.txt":   {Text, reporttest.Result(), Options{Color: true}},
		"clean.txt":          {Text, reporttest.Clean(), Options{}},
		"result.json":        {JSON, reporttest.Result(), Options{}},
		"clean.json":         {JSON, reporttest.Clean(), Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name, render(t, c.format, c.result, c.options))
		})
	}
}
