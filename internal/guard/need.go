package guard

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed data/itemuse.tsv
var itemUseTSV string

type itemUse struct {
	parameters []string
	operations map[string]bool
}

var itemUses = sync.OnceValue(func() itemUse {
	u := itemUse{operations: map[string]bool{}}
	for _, f := range catalog.Rows(itemUseTSV) {
		if f[0] == "operation" {
			u.operations[f[1]] = true
		} else {
			u.parameters = append(u.parameters, strings.ToLower(f[1]))
		}
	}
	return u
})

// need is what a node uses of the items that it gets: some fields, or all.
type need struct {
	all    bool
	fields map[string]bool
}

func (d need) none() bool { return !d.all && len(d.fields) == 0 }

func (d *need) add(field string) {
	if d.fields == nil {
		d.fields = map[string]bool{}
	}
	d.fields[field] = true
}

func (d *need) include(other need) {
	d.all = d.all || other.all
	for f := range other.fields {
		d.add(f)
	}
}

// needOf is what a node itself uses of its items.
func (m *model) needOf(n *graph.Node) (d need) {
	op := m.ops[n]
	if code, _ := catalog.CodeOf(n); code.Exists() {
		d.all = readsItem(m.eval.code(code.Str()))
		return d
	}
	d = m.needOfText(n.Parameters)
	switch {
	case op.Kind == catalog.Code, op.Kind == catalog.Call, m.takesItem(n) && d.none():
		d.all = true
	case len(m.references(n)) == 0 && op.Kind != catalog.Read && op.Kind != catalog.Query && op.Script == nil && op.HTTP == nil:
		d.all = true // works on the items as they come
	case itemUses().operations[op.Name], takesFile(n.Parameters, 0):
		d.all = true
	}
	return d
}

// takesFile reports whether a parameter says that the item's file is used.
func takesFile(v source.Value, depth int) bool {
	if depth > deepest {
		return false
	}
	for c := range v.Children() {
		name := strings.ToLower(c.Key())
		for _, word := range itemUses().parameters {
			if strings.Contains(name, word) && (c.IsTrue() || c.Str() != "" || c.Len() > 0) {
				return true
			}
		}
		if takesFile(c, depth+1) {
			return true
		}
	}
	return false
}

// needOfText is what the expressions of a parameter use of the current item.
func (m *model) needOfText(v source.Value) (d need) {
	m.eachString(v, func(s string) {
		for _, p := range m.eval.template(s).Parts {
			if p.Program == nil {
				continue
			}
			found := false
			for _, o := range p.Eval(expr.Symbolic{}).AllOrigins() {
				if o.Kind != expr.OriginReference || o.Name != "" {
					continue
				}
				found = true
				if len(o.Path) == 0 || o.Path[0] == "*" {
					d.all = true
				} else {
					d.add(o.Path[0])
				}
			}
			d.all = d.all || !found && readsItem(p.Program)
		}
	})
	return d
}

// needBefore turns what is used behind a node into what is used before it.
func (m *model) needBefore(n *graph.Node, d need) need {
	switch {
	case d.none(), m.passes(n):
		return d
	case n.Type == setNode && n.Parameter("mode").Str() != "raw":
		return m.needBeforeSet(n, d)
	}
	return m.needOf(n)
}

func (m *model) needBeforeSet(n *graph.Node, d need) (before need) {
	set := map[string]bool{}
	for _, a := range flow.SetFields(n) {
		field := a.Path()[0]
		set[field] = true
		if d.all || d.fields[field] {
			before.include(m.needOfText(a.Value))
		}
	}
	if !flow.KeepsFields(n) {
		return before
	}
	before.all = before.all || d.all
	for f := range d.fields {
		if !set[f] {
			before.add(f)
		}
	}
	return before
}

// needOfChain is what the effect at the end of a chain of nodes uses of the items
// that arrive at the beginning.
func (m *model) needOfChain(chain []*graph.Node) need {
	d := m.needOf(chain[len(chain)-1])
	for i := len(chain) - 2; i >= 0; i-- {
		d = m.needBefore(chain[i], d)
	}
	return d
}

// madeOn says whether the nodes on a way make what is used behind it.
func (m *model) madeOn(way []*graph.Edge, d need) Content {
	for i := len(way) - 1; i > 0; i-- {
		n := way[i].From
		switch {
		case n.Type == waitNode && !n.Disabled:
			return Different // again, later
		case d.none():
			continue
		case m.passes(n):
			continue
		case n.Type == setNode && n.Parameter("mode").Str() != "raw" && !setsAny(n, d):
			if !flow.KeepsFields(n) {
				return Same // the fields are not there on this way
			}
		case m.ops[n].Writes():
			return Answers
		default:
			return Different
		}
	}
	return Same
}

func setsAny(n *graph.Node, d need) (sets bool) {
	for _, a := range flow.SetFields(n) {
		sets = sets || d.all || d.fields[a.Path()[0]]
	}
	return sets
}
