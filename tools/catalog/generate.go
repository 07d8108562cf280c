package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// packages are the versions that n8n-nodes.tsv was extracted from.
const packages = "n8n-nodes-base 2.41.1, @n8n/n8n-nodes-langchain 2.41.1"

var columns = []string{
	"type", "versions", "resource", "operation", "default", "kind", "impact", "trigger", "flags", "basis", "note",
}

// judged is an operation with its verdict.
type judged struct {
	operation
	verdict
}

// judge gives every operation its verdict: the review's, else that of the
// group for triggers, else that of the verb, else unknown.
func judge(operations []operation, byVerb verbs, byReview review) ([]judged, error) {
	rows := make([]judged, 0, len(operations))
	for _, o := range operations {
		one := judged{operation: o, verdict: judgeOne(o, byVerb, byReview)}
		extra := byReview.parameterRows(o)
		if !slices.ContainsFunc(extra, judged.namesOperation) {
			rows = append(rows, one)
		}
		rows = append(rows, extra...)
	}
	if err := byReview.unmatched(); err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b judged) int { return slices.Compare(a.sortKey(), b.sortKey()) })
	return rows, nil
}

func judgeOne(o operation, byVerb verbs, byReview review) verdict {
	if v, ok := byReview.lookup(o); ok {
		return v
	}
	if v, ok := o.triggerVerdict(); ok {
		return v
	}
	if v, ok := byVerb.lookup(o.operation); ok && !o.isTrigger() {
		return v
	}
	return verdict{kind: "unknown", basis: "verb", note: unreviewed}
}

// namesOperation reports whether the row is of a plain operation; such a row
// replaces the one that says there is none.
func (j judged) namesOperation() bool {
	return j.operation.operation != empty && !strings.Contains(j.operation.operation, "=")
}

// unreviewed is the note of an operation that no rule and no review covers.
const unreviewed = "no verb rule and no review"

func (j judged) sortKey() []string {
	return []string{j.typeName, j.resource, j.operation.operation, j.versions, j.standard}
}

// cells returns the row in the order of columns.
func (j judged) cells() []string {
	flags := slices.Clone(j.verdict.flags)
	if slices.Contains(j.operation.flags, "usableAsTool") {
		flags = append(flags, "tool")
	}
	if slices.Contains(j.operation.flags, "hidden") {
		flags = append(flags, "hidden")
	}
	slices.Sort(flags)
	cells := []string{
		j.typeName, j.versions, j.resource, j.operation.operation, j.standard,
		j.kind, j.impact, j.trigger, strings.Join(slices.Compact(flags), ","), j.basis, j.note,
	}
	for i, cell := range cells {
		if cell == "" {
			cells[i] = empty
		}
	}
	return cells
}

// write prints the table with its header.
func write(out io.Writer, rows []judged) error {
	if _, err := fmt.Fprintf(out, "# Made by tools/catalog from %s. Do not edit.\n%s\n", packages, strings.Join(columns, "\t")); err != nil {
		return err
	}
	for _, row := range rows {
		if _, err := fmt.Fprintln(out, strings.Join(row.cells(), "\t")); err != nil {
			return err
		}
	}
	return nil
}
