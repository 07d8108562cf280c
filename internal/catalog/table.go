// Package catalog knows what n8n's nodes do: which read, compute or act, what a
// repeated act costs, what starts a workflow. The facts are the tables under
// data, made by tools/catalog from n8n's own node descriptions and reviewed
// service by service; the code only looks up.
package catalog

import (
	_ "embed"
	"slices"
	"sort"
	"strconv"
	"strings"
)

//go:embed data/nodes.tsv
var nodesTSV string

// Kind is what a node does to the world when it runs.
type Kind string

// The kinds. Query, HTTP, Code and Call are decided from the node's parameters.
const (
	Read       Kind = "read"
	Compute    Kind = "compute"
	Ephemeral  Kind = "ephemeral"  // typing, read marks, reactions: no effect
	Idempotent Kind = "idempotent" // done twice is done once
	Repeatable Kind = "repeatable" // done twice is there twice
	Trigger    Kind = "trigger"
	Logic      Kind = "logic" // passes, splits or routes items inside n8n
	Query      Kind = "query"
	HTTP       Kind = "http"
	Code       Kind = "code"
	Call       Kind = "call"
	Unknown    Kind = "unknown"
)

// Impact is what a repeated write costs.
type Impact string

// The impacts, strongest first.
const (
	Money   Impact = "money"
	Message Impact = "message" // to a person
	Record  Impact = "record"
	Notice  Impact = "notice" // to a team channel
)

var impactOrder = []Impact{Notice, Record, Message, Money}

// Stronger reports whether i costs more than j.
func (i Impact) Stronger(j Impact) bool {
	return slices.Index(impactOrder, i) > slices.Index(impactOrder, j)
}

// Row is one line of the node table: one operation of one node type in some versions.
type Row struct {
	Type                string
	Resource, Operation string // "-" where the node has none
	Default             bool   // the default operation of its resource
	DefaultResource     bool
	Kind                Kind
	Impact              Impact
	Trigger             Class
	Flags               []string
	Note                string

	versions string
}

// Has reports whether the row carries a flag, such as "approval".
func (r Row) Has(flag string) bool { return slices.Contains(r.Flags, flag) }

func (r Row) fits(version float64) bool {
	for v := range strings.SplitSeq(r.versions, ",") {
		if f, err := strconv.ParseFloat(v, 64); err == nil && f == version {
			return true
		}
	}
	return false
}

// rowsOf parses only the lines of one type: the table is sorted by type, and a
// hook has no time to read all of it.
func rowsOf(nodeType string) []Row {
	prefix := nodeType + "\t"
	body := nodesTSV
	at := sort.Search(len(body), func(i int) bool { return lineAt(body, i) >= prefix })
	at = lineStart(body, at)
	var rows []Row
	for at < len(body) && strings.HasPrefix(body[at:], prefix) {
		line, _, _ := strings.Cut(body[at:], "\n")
		rows = append(rows, parseRow(line))
		at += len(line) + 1
	}
	return rows
}

// lineStart is the start of the line that begins at or after offset i.
func lineStart(s string, i int) int {
	if i == 0 || i >= len(s) || s[i-1] == '\n' {
		return i
	}
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(s)
}

// lineAt is the line that begins at or after offset i, as the search compares
// it. Comments and the header sort before every type.
func lineAt(s string, i int) string {
	i = lineStart(s, i)
	if i >= len(s) {
		return "\xff"
	}
	line, _, _ := strings.Cut(s[i:], "\n")
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "type\t") {
		return ""
	}
	return line
}

const columns = 11

func parseRow(line string) Row {
	f := strings.SplitN(line, "\t", columns)
	for len(f) < columns {
		f = append(f, "-")
	}
	return Row{
		Type: f[0], versions: f[1], Resource: f[2], Operation: f[3],
		Default: strings.HasPrefix(f[4], "1"), DefaultResource: strings.HasSuffix(f[4], "R"),
		Kind: Kind(f[5]), Impact: Impact(dash(f[6])), Trigger: Class(dash(f[7])),
		Flags: list(f[8]), Note: dash(f[10]),
	}
}

func dash(s string) string {
	if s == "-" {
		return ""
	}
	return s
}

func list(s string) []string {
	if s == "-" || s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
