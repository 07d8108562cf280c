package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// empty is how an absent value is written in every table.
const empty = "-"

// record is one line of a table: its values by column name, and where it stood.
type record struct {
	file   string
	line   int
	values map[string]string
}

// get returns the value of a column, "" where the table has "-" or nothing.
func (r record) get(column string) string {
	value := r.values[column]
	if value == empty {
		return ""
	}
	return value
}

// errorf returns an error that names the line.
func (r record) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, r.line, fmt.Sprintf(format, args...))
}

// readTable reads tab separated values whose first line names the columns.
// Blank lines and lines that start with "#" are skipped. Every wanted column
// must exist; a line may leave out columns at its end but has no extra ones.
func readTable(file string, in io.Reader, wanted ...string) ([]record, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	var columns []string
	var records []record
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimRight(lines.Text(), "\r\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if columns == nil {
			columns = cells
			if err := checkColumns(file, columns, wanted); err != nil {
				return nil, err
			}
			continue
		}
		rec := record{file: file, line: number, values: make(map[string]string, len(columns))}
		if len(cells) > len(columns) {
			return nil, rec.errorf("%d columns, the header has %d", len(cells), len(columns))
		}
		for i, cell := range cells {
			rec.values[columns[i]] = strings.TrimSpace(cell)
		}
		records = append(records, rec)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return records, nil
}

func checkColumns(file string, columns, wanted []string) error {
	have := make(map[string]bool, len(columns))
	for _, column := range columns {
		have[column] = true
	}
	for _, column := range wanted {
		if !have[column] {
			return fmt.Errorf("%s: column %q is missing", file, column)
		}
	}
	return nil
}
