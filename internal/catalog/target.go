package catalog

import (
	"slices"
	"strings"
	"unicode"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// Target is what a row or list operation works on: a table of a database, a
// sheet of a document.
type Target struct {
	Store string
	// Parts identify the thing within the store, in the order of the table
	// targets.tsv; an expression stands as it is written.
	Parts []string
	// Names are what people call it: the parts, and the names that the editor
	// showed for ids.
	Names []string
}

// Same reports whether both are certainly the same thing.
func (t Target) Same(other Target) bool {
	if t.Store == "" || t.Store != other.Store || len(t.Parts) != len(other.Parts) || len(t.Parts) == 0 {
		return false
	}
	for i := range t.Parts {
		if t.Parts[i] != other.Parts[i] {
			return false
		}
	}
	return true
}

func (c *Catalog) target(n *graph.Node, op *Operation) {
	base := baseType(n.Type)
	if op.Script != nil {
		op.Target = scriptTarget(base, op.Script)
	} else if d, ok := c.data.targets[base]; ok {
		op.Target = parameterTarget(n, d)
	}
	op.Log = c.isLog(op.Target) || op.Script != nil && counts(op.Script) || op.HTTP != nil && c.logsByBody(op.HTTP)
	if op.HTTP == nil {
		for _, key := range c.data.destinations[base] {
			if v, _ := n.Locator(key); v.Exists() {
				op.Destinations = append(op.Destinations, v)
			}
		}
	}
}

func baseType(t string) string { return strings.TrimSuffix(t, toolSuffix) }

func parameterTarget(n *graph.Node, d targetNode) Target {
	t := Target{Store: d.store}
	for _, p := range d.parameters {
		v, cached := n.Locator(p...)
		if !v.Exists() {
			continue
		}
		part := strings.ToLower(v.Text())
		if p[len(p)-1] == "schema" {
			if part == "" || part == "public" { // the default of both nodes that have one
				continue
			}
		}
		t.Parts = append(t.Parts, part)
		t.Names = append(t.Names, v.Text())
		if cached != "" {
			t.Names = append(t.Names, cached)
		}
	}
	return t
}

var sqlStores = map[sql.Dialect]string{sql.Postgres: "postgres", sql.MySQL: "mysql", sql.SQLServer: "sqlserver"}

// scriptTarget is the table that the script writes to, or else reads first.
func scriptTarget(nodeType string, s *sql.Script) Target {
	var table *sql.TableName
	for st := range s.All() {
		if st.Table.Name == "" {
			continue
		}
		if table == nil || st.Verb != sql.Select {
			t := st.Table
			table = &t
		}
		if st.Verb != sql.Select {
			break
		}
	}
	if table == nil {
		return Target{}
	}
	store := sqlStores[s.Dialect]
	if store == "" {
		store = nodeType
	}
	return TableTarget(store, *table)
}

// TableTarget is the target of a table named in SQL.
func TableTarget(store string, table sql.TableName) Target {
	t := Target{Store: store, Names: []string{table.Name}}
	if table.Schema != "" && table.Schema != "public" {
		t.Parts = append(t.Parts, strings.ToLower(table.Schema))
	}
	t.Parts = append(t.Parts, strings.ToLower(table.Name))
	return t
}

func (c *Catalog) isLog(t Target) bool {
	if t.Store == "redis" {
		return false
	}
	for _, name := range t.Names {
		if strings.HasPrefix(name, "=") {
			continue
		}
		for _, w := range Words(name) {
			if c.data.logWords[w] {
				return true
			}
		}
		if strings.Contains(strings.Join(Words(name), " "), "dead letter") {
			return true
		}
	}
	return false
}

// logsByBody recognises a request whose body calls itself a log entry.
func (c *Catalog) logsByBody(r *Request) bool {
	for _, f := range r.BodyFields() {
		name, _ := f.Name.Known()
		value, known := f.Value.Known()
		if known && c.data.operationFields[strings.ToLower(name)] && slices.ContainsFunc(Words(value), func(w string) bool { return c.data.logWords[w] }) {
			return true
		}
	}
	return false
}

// Words splits a name at everything that is no letter or digit and where small
// letters turn into capitals, and lowers it.
func Words(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && !unicode.IsUpper(word[len(word)-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// QueryParameters are the SQL text of a query node and the values that its
// placeholders get; absent for other nodes.
func (c *Catalog) QueryParameters(n *graph.Node) (query, replacement source.Value) {
	q, ok := c.data.queries[baseType(n.Type)]
	if !ok {
		return source.Value{}, source.Value{}
	}
	return n.Parameter(q.query...), n.Parameter(q.replacement...)
}
