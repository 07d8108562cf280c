package catalog

import (
	_ "embed"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed data/rowvalues.tsv
var rowValuesTSV string

type rowShape struct {
	list        bool
	parameter   []string
	name, value string
}

// ColumnValue is one column that a row operation writes.
type ColumnValue struct {
	Name  string
	Value source.Value
}

func readRowShapes() map[string][]rowShape {
	m := map[string][]rowShape{}
	for _, f := range Rows(rowValuesTSV) {
		m[f[0]] = append(m[f[0]], rowShape{list: f[1] == "list", parameter: path(f[2]), name: f[3], value: f[4]})
	}
	return m
}

// RowValues are the columns that a row operation writes and their values; nil
// where it takes them from the item or the table does not know the node.
func (c *Catalog) RowValues(n *graph.Node) (out []ColumnValue) {
	for _, shape := range c.data.rowShapes[baseType(n.Type)] {
		p := n.Parameter(shape.parameter...)
		for v := range p.Children() {
			switch {
			case shape.list && v.Get(shape.name).Str() != "":
				out = append(out, ColumnValue{Name: v.Get(shape.name).Str(), Value: v.Get(shape.value)})
			case !shape.list && v.Key() != "":
				out = append(out, ColumnValue{Name: v.Key(), Value: v})
			}
		}
	}
	return out
}
