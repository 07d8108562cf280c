package guard

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed data/rowverbs.tsv
var rowVerbsTSV string

//go:embed data/rowfilters.tsv
var rowFiltersTSV string

type rowVerbWords struct {
	verb  RowVerb
	words string
}

var rowVerbs = sync.OnceValue(func() (list []rowVerbWords) {
	verbs := map[string]RowVerb{"read": ReadsRows, "insert": InsertsRows, "upsert": UpsertsRows, "update": UpdatesRows, "delete": DeletesRows}
	for _, f := range catalog.Rows(rowVerbsTSV) {
		list = append(list, rowVerbWords{verbs[f[0]], " " + f[1] + " "})
	}
	return list
})

func rowVerb(operation string) (RowVerb, bool) {
	text := " " + strings.Join(catalog.Words(operation), " ") + " "
	for _, v := range rowVerbs() {
		if strings.Contains(text, v.words) {
			return v.verb, true
		}
	}
	return ReadsRows, false
}

type rowFilter struct {
	operations        []string
	shape             string
	parameter         []string
	column, condition string
	values            []string
}

var rowFilters = sync.OnceValue(func() map[string][]rowFilter {
	m := map[string][]rowFilter{}
	for _, f := range catalog.Rows(rowFiltersTSV) {
		m[f[0]] = append(m[f[0]], rowFilter{
			operations: strings.Fields(f[1]), shape: f[2], parameter: strings.Split(f[3], "."),
			column: f[4], condition: f[5], values: strings.Fields(f[6]),
		})
	}
	return m
})

// rowAccess reads a node that works on rows without SQL.
func (m *model) rowAccess(n *graph.Node, op catalog.Operation) []*RowAccess {
	if op.Target.Store == "" || n.Type == redisNode {
		return nil
	}
	verb, ok := rowVerb(op.Name)
	if !ok {
		return nil
	}
	a := &RowAccess{Node: n, At: op.At, Verb: verb, Target: op.Target}
	columns := m.catalog.RowValues(n)
	for _, c := range columns {
		name, _, _ := strings.Cut(c.Name, "|") // Notion: "Status|status"
		a.written = append(a.written, columnWrite{column: name, value: c.Value})
		a.Columns = append(a.Columns, name)
	}
	a.Open = verb != ReadsRows && verb != DeletesRows && len(columns) == 0
	m.filter(a, op)
	a.Keyed = a.Keyed || verb == UpdatesRows && !a.Asking
	return []*RowAccess{a}
}

// filter reads the conditions of a row operation.
func (m *model) filter(a *RowAccess, op catalog.Operation) {
	for _, f := range rowFilters()[strings.TrimSuffix(a.Node.Type, "Tool")] {
		if !slices.Contains(f.operations, op.Name) {
			continue
		}
		a.Asking = true
		v := a.Node.Parameter(f.parameter...)
		if f.shape == "list" {
			for c := range v.Children() {
				m.filterOne(a, f, c)
			}
			continue
		}
		m.filterText(a, v.Str())
	}
}

func (m *model) filterOne(a *RowAccess, f rowFilter, c source.Value) {
	column, _, _ := strings.Cut(c.Get(f.column).Str(), "|")
	var value source.Value
	for _, key := range f.values {
		if v := c.Get(key); v.Exists() {
			value = v
			break
		}
	}
	m.condition(a, column, strings.ToLower(c.Get(f.condition).Str()), value)
}

// condition takes one comparison of a filter; without a word for it it is
// equality.
func (m *model) condition(a *RowAccess, column, comparison string, value source.Value) {
	switch {
	case holdsState(column):
		text, known := plainText(m.eval.value(value, constants{m, a.Node}))
		if comparison == "is_null" || comparison == "isempty" {
			text, known = "null", true
		}
		s := stateOf(column, text, known, false)
		s.At = value.Span()
		s.Negated = comparison == "neq" || strings.Contains(comparison, "not") || strings.Contains(comparison, "!=")
		a.Asks = append(a.Asks, s)
	case strings.HasPrefix(comparison, "lt") || strings.HasPrefix(comparison, "gt") || strings.ContainsAny(comparison, "<>") || strings.Contains(comparison, "before") || strings.Contains(comparison, "after"):
		a.Aged = true
	default:
		a.Keyed = a.Keyed || column != ""
		if comparison == "" || comparison == "eq" || comparison == "equals" {
			a.asked = append(a.asked, columnWrite{column: column, value: value})
		}
	}
}

// equality recognises comparisons in the filter languages of services:
// {Status}='Pending', (Status,eq,pending), status=eq.pending.
var equality = regexp.MustCompile(`\{([^{}]+)\}\s*(!?=)\s*["']([^"']*)["']|\(([^(),]+),(eq|neq),([^(),]+)\)|(?:^|&|=)\s*(\w+)=(eq|neq)\.([\w-]+)`)

// ages are the ways in which those languages bound a time.
var ages = regexp.MustCompile(`(?i)IS_BEFORE|IS_AFTER|DATETIME_DIFF|NOW\(\)|=(?:lt|gt|lte|gte)\.|,(?:lt|gt|lte|gte),`)

func (m *model) filterText(a *RowAccess, text string) {
	for _, g := range equality.FindAllStringSubmatch(text, -1) {
		for i := 1; i+2 < len(g); i += 3 {
			if g[i] == "" {
				continue
			}
			if !holdsState(g[i]) {
				a.Keyed = true
				continue
			}
			s := stateOf(g[i], g[i+2], true, false)
			s.At = a.At
			s.Negated = g[i+1] == "!=" || g[i+1] == "neq"
			a.Asks = append(a.Asks, s)
		}
	}
	a.Aged = a.Aged || ages.MatchString(text)
}

// restPath is where PostgREST, and Supabase with it, has its tables.
var restPath = regexp.MustCompile(`/rest/v1/([A-Za-z_][\w]*)(?:\?|$)`)

var restVerbs = map[string]RowVerb{"": ReadsRows, "GET": ReadsRows, "POST": InsertsRows, "PATCH": UpdatesRows, "DELETE": DeletesRows}

// restAccess reads a request to a table behind PostgREST.
func (m *model) restAccess(n *graph.Node, r *catalog.Request) []*RowAccess {
	var url strings.Builder
	for _, p := range r.URL.Parts {
		if p.Hole != 0 {
			url.WriteString("*")
			continue
		}
		url.WriteString(p.Literal)
	}
	table := restPath.FindStringSubmatch(url.String())
	verb, ok := restVerbs[r.Method]
	if table == nil || !ok {
		return nil
	}
	a := &RowAccess{
		Node: n, At: m.ops[n].At, Verb: verb, Asking: true,
		Target: catalog.Target{Store: "supabase", Parts: []string{strings.ToLower(table[1])}, Names: []string{table[1]}},
	}
	_, query, _ := strings.Cut(url.String(), "?")
	m.filterText(a, strings.ReplaceAll(query, "=eq.*", "=eq.x"))
	for _, f := range r.Query {
		name, _ := f.Name.Known()
		value, known := f.Value.Known()
		if !known {
			value = "eq.x"
		}
		m.filterText(a, name+"="+value)
	}
	m.restColumns(a, r)
	return []*RowAccess{a}
}

func (m *model) restColumns(a *RowAccess, r *catalog.Request) {
	if a.Verb == ReadsRows || a.Verb == DeletesRows {
		return
	}
	fields := r.BodyFields()
	for _, f := range fields {
		name, _ := f.Name.Known()
		a.Columns = append(a.Columns, name)
		a.written = append(a.written, columnWrite{column: name, request: r, text: f.Value})
	}
	a.Open = len(fields) == 0 || r.Body.Open
	for _, h := range r.Headers {
		name, _ := h.Name.Known()
		value, _ := h.Value.Known()
		if strings.EqualFold(name, "prefer") && strings.Contains(value, "resolution=merge-duplicates") {
			a.Verb = UpsertsRows
		}
	}
}

// requestText is a text of a request as it is in a scope.
func requestText(w columnWrite, s expr.Scope) (string, bool) {
	if text, known := w.text.Known(); known {
		return text, true
	}
	if holes := w.text.Holes(); len(w.text.Parts) == 1 && len(holes) == 1 && holes[0] <= len(w.request.Holes) {
		return plainText(w.request.Holes[holes[0]-1].Part.Eval(s))
	}
	return "", false
}
