package lint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/lint"
)

// TestGrade holds the table cell by cell: a row an impact, a column what starts
// the workflow, a dash where a repeat is no finding.
func TestGrade(t *testing.T) {
	classes := []catalog.Class{catalog.Event, catalog.Form, catalog.Poll, catalog.Schedule, catalog.Called, catalog.Manual, catalog.Failure, ""}
	for impact, row := range map[catalog.Impact]string{
		catalog.Money:   "error   error   warning warning warning - - -",
		catalog.Message: "warning warning note    note    note    - - -",
		catalog.Record:  "warning note    note    -       note    - - -",
		catalog.Notice:  "note    note    note    -       -       - - -",
		"":              "-       -       -       -       -       - - -",
	} {
		for i, want := range strings.Fields(row) {
			got, ok := lint.Grade(impact, classes[i])
			require.Equal(t, want != "-", ok, "%q by %q", impact, classes[i])
			if ok {
				require.Equal(t, want, got.String(), "%q by %q", impact, classes[i])
			}
		}
	}
}

func TestSeverities(t *testing.T) {
	for _, s := range []lint.Severity{lint.Note, lint.Warning, lint.Error} {
		got, ok := lint.ParseSeverity(s.String())
		require.True(t, ok)
		require.Equal(t, s, got)
	}
	for _, word := range []string{"", "Error", "fatal", "never"} {
		_, ok := lint.ParseSeverity(word)
		require.False(t, ok, word)
	}
	require.Equal(t, lint.Warning, lint.Error.Lower())
	require.Equal(t, lint.Note, lint.Warning.Lower())
	require.Equal(t, lint.Note, lint.Note.Lower())
	require.Equal(t, "low medium high", lint.Low.String()+" "+lint.Medium.String()+" "+lint.High.String())
}
