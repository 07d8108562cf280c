package catalog

import (
	_ "embed"
	"strings"

	"github.com/n8nlint/n8nlint/internal/sql"
)

var (
	//go:embed data/queries.tsv
	queriesTSV string
	//go:embed data/targets.tsv
	targetsTSV string
	//go:embed data/destinations.tsv
	destinationsTSV string
	//go:embed data/logwords.tsv
	logWordsTSV string
	//go:embed data/codecalls.tsv
	codeCallsTSV string
	//go:embed data/rpc.tsv
	rpcTSV string
	//go:embed data/eventids.tsv
	eventIDsTSV string
)

// tables are the small tables beside the node table.
type tables struct {
	queries      map[string]queryNode
	targets      map[string]targetNode
	destinations map[string][]string
	logWords     map[string]bool
	codeCalls    map[string]codeCall
	rowShapes    map[string][]rowShape
	eventIDs     map[string]eventID
	// operationFields name what a call does; readingWords begin what only reads,
	// settingWords what brings one thing into a state.
	operationFields, readingWords, settingWords map[string]bool
}

type queryNode struct {
	dialect            sql.Dialect
	query, replacement []string
}

type targetNode struct {
	store      string
	parameters [][]string
}

type codeCall struct {
	shape  []string
	method string
}

func readTables() tables {
	t := tables{
		queries: map[string]queryNode{}, targets: map[string]targetNode{}, destinations: map[string][]string{},
		logWords: map[string]bool{}, codeCalls: map[string]codeCall{}, rowShapes: readRowShapes(), eventIDs: map[string]eventID{},
		operationFields: map[string]bool{}, readingWords: map[string]bool{}, settingWords: map[string]bool{},
	}
	for _, f := range Rows(queriesTSV) {
		t.queries[f[0]] = queryNode{dialect: dialects[f[1]], query: path(f[2]), replacement: path(f[3])}
	}
	for _, f := range Rows(targetsTSV) {
		n := targetNode{store: f[1]}
		for p := range strings.FieldsSeq(f[2]) {
			n.parameters = append(n.parameters, path(p))
		}
		t.targets[f[0]] = n
	}
	for _, f := range Rows(destinationsTSV) {
		if dash(f[1]) != "" {
			t.destinations[f[0]] = strings.Fields(f[1])
		}
	}
	for _, f := range Rows(logWordsTSV) {
		t.logWords[f[0]] = true
	}
	for _, f := range Rows(rpcTSV) {
		switch f[0] {
		case "field":
			t.operationFields[f[1]] = true
		case "reads":
			t.readingWords[f[1]] = true
		case "sets":
			t.settingWords[f[1]] = true
		}
	}
	for _, f := range Rows(eventIDsTSV) {
		t.eventIDs[f[0]] = eventID{field: f[1], when: dash(f[2])}
	}
	for _, f := range Rows(codeCallsTSV) {
		t.codeCalls[f[0]] = codeCall{shape: strings.Split(f[1], ","), method: dash(f[2])}
	}
	return t
}

var dialects = map[string]sql.Dialect{"postgres": sql.Postgres, "mysql": sql.MySQL, "sqlserver": sql.SQLServer, "other": sql.Other}

func path(dotted string) []string {
	if dash(dotted) == "" {
		return nil
	}
	return strings.Split(dotted, ".")
}

// Rows gives the rows below the header of a table of facts; lines that begin with
// # are comments.
func Rows(text string) [][]string {
	var rows [][]string
	header := true
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if header {
			header = false
			continue
		}
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}
