package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

const anything = "*"

// place is what a review row speaks about; resource and operation may be "*".
type place struct{ typeName, resource, operation string }

// reviewRow is one line of a review file.
type reviewRow struct {
	verdict
	record  record
	matched bool
}

// review holds the rows of all review files.
type review map[place]*reviewRow

// read adds the rows of one file and returns the faults of all of them.
func (r review) read(file string, in io.Reader) error {
	records, err := readTable(file, in, "type", "resource", "operation", "kind", "impact", "trigger", "flags", "note")
	if err != nil {
		return err
	}
	var faults []error
	for _, rec := range records {
		faults = append(faults, r.add(rec))
	}
	return errors.Join(faults...)
}

// add takes one line.
func (r review) add(rec record) error {
	at := place{rec.values["type"], rec.values["resource"], rec.values["operation"]}
	if at.typeName == "" || at.resource == "" || at.operation == "" {
		return rec.errorf("type, resource and operation must not be blank")
	}
	if earlier, twice := r[at]; twice {
		return rec.errorf("%s %s %s is already at %s:%d", at.typeName, at.resource, at.operation, earlier.record.file, earlier.record.line)
	}
	v, err := verdictOf(rec, reviewBasis(rec.get("note")))
	if err != nil {
		return err
	}
	if v.note == "" {
		return rec.errorf("no note: a review row says what is known")
	}
	r[at] = &reviewRow{verdict: v, record: rec}
	return nil
}

// reviewBasis tells a measured fact from knowledge of the service: the note of
// the former begins with the section it comes from.
func reviewBasis(note string) string {
	if strings.HasPrefix(note, "N8N.md") {
		return "source"
	}
	return "service"
}

// lookup finds the most specific row for an operation and marks every row that
// speaks about it as matched.
func (r review) lookup(o operation) (verdict, bool) {
	places := []place{
		{o.typeName, o.resource, o.operation},
		{o.typeName, o.resource, anything},
		{o.typeName, anything, o.operation},
		{o.typeName, anything, anything},
	}
	var best *reviewRow
	for _, at := range places {
		row := r[at]
		if row == nil {
			continue
		}
		row.matched = true
		if best == nil {
			best = row
		}
	}
	if best == nil {
		return verdict{}, false
	}
	return best.verdict, true
}

// parameterRows returns the extra rows of a node that has no operation, where
// another parameter decides: a review row whose operation is written
// "mode=insert" becomes a row of its own, with that text as its operation. The
// flag "default" says that the value is the parameter's default. For
// "operation=x" (the editor loads the options at run time) the operation is x.
func (r review) parameterRows(o operation) []judged {
	if o.operation != empty {
		return nil
	}
	var rows []judged
	for at, row := range r {
		parameter, value, found := strings.Cut(at.operation, "=")
		if !found || at.typeName != o.typeName || at.resource != o.resource && at.resource != anything {
			continue
		}
		row.matched = true
		extra := judged{operation: o, verdict: row.verdict}
		extra.operation.operation = at.operation
		if parameter == "operation" {
			extra.operation.operation = value
		}
		standard := "0"
		if i := slices.Index(row.verdict.flags, "default"); i >= 0 {
			standard = "1"
			extra.verdict.flags = slices.Delete(slices.Clone(row.verdict.flags), i, i+1)
		}
		if strings.HasSuffix(o.standard, "R") {
			standard += "R"
		}
		extra.standard = standard
		rows = append(rows, extra)
	}
	return rows
}

// unmatched returns an error that names every row that spoke about nothing.
func (r review) unmatched() error {
	var faults []string
	for _, row := range r {
		if !row.matched {
			faults = append(faults, row.record.errorf("no such type, resource and operation: %s %s %s",
				row.record.values["type"], row.record.values["resource"], row.record.values["operation"]).Error())
		}
	}
	if len(faults) == 0 {
		return nil
	}
	sort.Strings(faults)
	return fmt.Errorf("review rows that match nothing:\n%s", strings.Join(faults, "\n"))
}
