package httpcall

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed data/*.tsv
var data embed.FS

// tables are all facts of this package, read once and never changed.
type tables struct {
	endpoints endpointTable
	segments  []segmentRow
	words     []wordRow
	methods   []methodRow
	mutations []mutationRow
	providers []providerRow
	keyNames  map[string]Place // the only place where a name counts, "" for any
}

// endpointRow is what one endpoint does. A line of an endpoints table makes one for each of its hosts and paths, which are
// lists with commas.
type endpointRow struct {
	file        string
	line        int
	host        hostPattern
	path        pathPattern
	methods     []string
	kind        Kind
	impact      Impact
	service     string
	condition   condition
	destination []string
	confidence  Confidence
	note        string
	source      string
}

// kindGraphQL is the kind of rows whose requests are decided by the operation in the body.
const kindGraphQL Kind = "graphql"

// endpointTable holds the rows by how exactly they name the host; in each part the order of the file counts.
type endpointTable struct {
	exact    map[string][]*endpointRow
	wildcard []*endpointRow
	anyHost  []*endpointRow
}

// segmentRow is one line of segments.tsv: what the end of a path says at any host.
type segmentRow struct {
	path       pathPattern
	methods    []string
	kind       Kind
	confidence Confidence
	note       string
}

// wordRow is one line of words.tsv: the impact that the last segment of a path gives a write at an unknown host.
type wordRow struct {
	word   string
	impact Impact
	note   string
}

// methodRow is one line of methods.tsv: what a method does by its definition.
type methodRow struct {
	method     string
	kind       Kind
	impact     Impact
	confidence Confidence
	note       string
}

// mutationRow is one line of mutations.tsv: what a field of a GraphQL mutation does.
type mutationRow struct {
	host       hostPattern
	field      string
	kind       Kind
	impact     Impact
	confidence Confidence
	note       string
}

type providerRow struct {
	paths     []pathPattern
	methods   []string
	condition condition
	Provider
}

var loaded = sync.OnceValue(func() *tables {
	t, err := load()
	if err != nil {
		// The tables are part of the program and a test reads every line.
		panic(err)
	}
	return t
})

// tableFile is one table: its name, its number of columns and what takes its lines.
type tableFile struct {
	name    string
	columns int
	add     func(line int, cells []string) error
}

// load reads every table. The endpoints stand in all files named endpoints*.tsv, read in the order of their names.
func load() (*tables, error) {
	t := &tables{endpoints: endpointTable{exact: map[string][]*endpointRow{}}}
	files := []tableFile{
		{"segments.tsv", 6, t.addSegment},
		{"words.tsv", 4, t.addWord},
		{"methods.tsv", 6, t.addMethod},
		{"mutations.tsv", 7, t.addMutation},
		{"providers.tsv", 14, t.addProvider},
		{"key-names.tsv", 3, t.addKeyName},
	}
	endpointFiles, err := fs.Glob(data, "data/endpoints*.tsv")
	if err != nil {
		return nil, fmt.Errorf("listing the endpoint tables: %w", err)
	}
	// Glob's order is not part of its contract, the order of the rows is of ours.
	slices.Sort(endpointFiles)
	for _, name := range endpointFiles {
		files = append(files, tableFile{path.Base(name), 11, t.endpointsOf(path.Base(name))})
	}
	for _, file := range files {
		if err := readTable(file.name, file.columns, file.add); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// readTable gives every line of a table but its head to add. Lines that begin with # are comments.
func readTable(name string, columns int, add func(line int, cells []string) error) error {
	content, err := data.ReadFile("data/" + name)
	if err != nil {
		return fmt.Errorf("reading the table %s: %w", name, err)
	}
	head := true
	for i, line := range strings.Split(string(content), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != columns {
			return fmt.Errorf("%s:%d: %d columns, want %d", name, i+1, len(cells), columns)
		}
		if head {
			head = false
			continue
		}
		if err := add(i+1, cells); err != nil {
			return fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
	}
	return nil
}

func (t *tables) endpointsOf(file string) func(line int, cells []string) error {
	return func(line int, cells []string) error { return t.addEndpoint(file, line, cells) }
}

func (t *tables) addEndpoint(file string, line int, cells []string) error {
	conditions, err := parseCondition(cells[6])
	if err != nil {
		return err
	}
	for _, host := range strings.Split(cells[0], ",") {
		for _, path := range strings.Split(cells[1], ",") {
			row := &endpointRow{
				file: file, line: line, host: hostPattern(host), path: parsePath(path), methods: strings.Split(cells[2], ","),
				kind: Kind(cells[3]), impact: Impact(cells[4]), service: cells[5], condition: conditions,
				destination: fieldList(cells[7]), confidence: Confidence(cells[8]), note: cells[9], source: cells[10],
			}
			if err := checkVerdict(row.kind, row.impact, row.confidence); err != nil {
				return err
			}
			t.endpoints.add(row)
		}
	}
	return nil
}

func (e *endpointTable) add(row *endpointRow) {
	switch {
	case row.host.any():
		e.anyHost = append(e.anyHost, row)
	case row.host.exact():
		e.exact[string(row.host)] = append(e.exact[string(row.host)], row)
	default:
		e.wildcard = append(e.wildcard, row)
	}
}

func (t *tables) addSegment(_ int, cells []string) error {
	row := segmentRow{
		path: parsePath(cells[0]), methods: strings.Split(cells[1], ","), kind: Kind(cells[2]),
		confidence: Confidence(cells[3]), note: cells[4],
	}
	t.segments = append(t.segments, row)
	return checkVerdict(row.kind, ImpactNone, row.confidence)
}

func (t *tables) addWord(_ int, cells []string) error {
	row := wordRow{word: cells[0], impact: Impact(cells[1]), note: cells[2]}
	t.words = append(t.words, row)
	return checkVerdict(KindRepeatable, row.impact, Low)
}

func (t *tables) addMethod(_ int, cells []string) error {
	row := methodRow{method: cells[0], kind: Kind(cells[1]), impact: Impact(cells[2]), confidence: Confidence(cells[3]), note: cells[4]}
	t.methods = append(t.methods, row)
	return checkVerdict(row.kind, row.impact, row.confidence)
}

func (t *tables) addMutation(_ int, cells []string) error {
	row := mutationRow{
		host: hostPattern(cells[0]), field: cells[1], kind: Kind(cells[2]), impact: Impact(cells[3]),
		confidence: Confidence(cells[4]), note: cells[5],
	}
	t.mutations = append(t.mutations, row)
	return checkVerdict(row.kind, row.impact, row.confidence)
}

func (t *tables) addProvider(_ int, cells []string) error {
	conditions, err := parseCondition(cells[3])
	if err != nil {
		return err
	}
	row := providerRow{methods: strings.Split(cells[2], ","), condition: conditions}
	for _, path := range strings.Split(cells[1], ",") {
		row.paths = append(row.paths, parsePath(path))
	}
	row.Provider = Provider{
		Host: cells[0], Path: cells[1], Service: cells[4], Class: Class(cells[5]), Mechanism: Mechanism(cells[6]),
		Names: fieldList(cells[7]), Retention: cells[8], Scope: cells[9], Confidence: Confidence(cells[10]),
		NativeNode: cells[11], Note: cells[12], Source: cells[13],
	}
	t.providers = append(t.providers, row)
	return row.check()
}

func (t *tables) addKeyName(_ int, cells []string) error {
	if t.keyNames == nil {
		t.keyNames = map[string]Place{}
	}
	if cells[1] == "-" {
		cells[1] = ""
	}
	t.keyNames[plainName(cells[0])] = Place(cells[1])
	return nil
}

func fieldList(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}

func checkVerdict(kind Kind, impact Impact, confidence Confidence) error {
	writes := false
	switch kind {
	case KindIdempotent, KindRepeatable:
		writes = true
	case KindRead, KindCompute, KindEphemeral, KindUnknown, kindGraphQL:
	default:
		return fmt.Errorf("unknown kind %q", kind)
	}
	switch impact {
	case ImpactMoney, ImpactMessage, ImpactRecord, ImpactNotice:
		if !writes {
			return fmt.Errorf("kind %q with the impact %q", kind, impact)
		}
	case ImpactNone:
		if writes {
			return fmt.Errorf("kind %q without an impact", kind)
		}
	default:
		return fmt.Errorf("unknown impact %q", impact)
	}
	switch confidence {
	case High, Medium, Low:
		return nil
	}
	return fmt.Errorf("unknown confidence %q", confidence)
}
