package flow

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
)

// echo leads from a row that a row operation gives back to the values that went
// into its columns. What the store adds itself, such as an id, is read from it.
func (t *Tracer) echo(n *graph.Node, path []string, s shape) []step {
	column := path
	if to := madeField(n, s); len(to) > 0 {
		if !covers(to, path) {
			return []step{answer(Row, n, path)}
		}
		column = path[len(to):]
	}
	if automatic(n, s) {
		written := either(back(n, column, Hop{Node: n, At: n.Place(), What: "writes the item"}))
		written.whole = true
		return []step{written, either(answer(Row, n, path))}
	}
	var steps []step
	for _, v := range t.catalog.RowValues(n) {
		if len(column) > 0 && v.Name != column[0] && column[0] != "*" {
			continue
		}
		steps = append(steps, t.read(n, v.Value, rest(column), "writes "+v.Name)...)
	}
	if len(steps) == 0 || len(column) == 0 {
		steps = append(steps, answer(Row, n, path))
	}
	return steps
}

func rest(path []string) []string {
	if len(path) == 0 {
		return nil
	}
	return path[1:]
}

// automatic reports whether the node writes the fields of the item as they are.
func automatic(n *graph.Node, s shape) bool {
	v := n.Parameter(s.value.path...)
	return v.IsTrue() || strings.HasPrefix(v.Str(), "autoMap") || slices.Equal(s.value.path, []string{"dataMode"}) && v.Str() == "autoMapInputData"
}
