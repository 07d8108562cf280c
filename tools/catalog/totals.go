package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// printTotals says how many rows there are by kind, impact, trigger class and
// basis, and how large the unknown part is.
func printTotals(out io.Writer, rows []judged) {
	counts := make(map[string]int)
	for _, row := range rows {
		counts[strings.TrimSpace("kind "+row.kind+" "+row.impact+row.trigger)]++
		counts["basis "+row.basis]++
	}
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(out, "%6d  %s\n", counts[name], name)
	}
	fmt.Fprintf(out, "%6d  rows, %.2f %% unknown\n", len(rows), 100*float64(counts["kind unknown"])/float64(max(len(rows), 1)))
}
