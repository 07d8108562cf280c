package flow

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

var (
	//go:embed data/items.tsv
	itemsTSV string
	//go:embed data/triggeritems.tsv
	triggerItemsTSV string
	//go:embed data/models.tsv
	modelsTSV string
	//go:embed data/volatilefields.tsv
	volatileFieldsTSV string
	//go:embed data/daybuckets.tsv
	dayBucketsTSV string
	//go:embed data/calls.tsv
	callsTSV string
)

// tables are the embedded facts, parsed. They are never changed.
type tables struct {
	shapes   map[string][]shape
	triggers map[string][]triggerItem
	models   map[string]modelItem
	volatile map[string][]volatileField
	days     map[string]dayForm
	calls    map[string]callKind
}

var embedded = sync.OnceValue(func() *tables {
	t := &tables{
		shapes: map[string][]shape{}, triggers: map[string][]triggerItem{}, models: map[string]modelItem{},
		volatile: map[string][]volatileField{}, days: map[string]dayForm{}, calls: map[string]callKind{},
	}
	for _, f := range catalog.Rows(itemsTSV) {
		t.shapes[f[0]] = append(t.shapes[f[0]], readShape(f))
	}
	for _, f := range catalog.Rows(triggerItemsTSV) {
		t.triggers[f[0]] = append(t.triggers[f[0]], triggerItem{versions: readRange(f[1]), closed: f[2] == "closed", fields: words(f[3])})
	}
	for _, f := range catalog.Rows(modelsTSV) {
		t.models[f[0]] = modelItem{fields: words(f[1]), shaped: words(f[2]), schema: f[3]}
	}
	for _, f := range catalog.Rows(volatileFieldsTSV) {
		t.volatile[f[0]] = append(t.volatile[f[0]], readVolatileField(f))
	}
	for _, f := range catalog.Rows(dayBucketsTSV) {
		t.days[f[0]] = dayForm(f[1])
	}
	for _, f := range catalog.Rows(callsTSV) {
		t.calls[f[0]] = callKind(f[1])
	}
	return t
})

// words splits a list; "-" is none.
func words(s string) []string {
	if s == "-" {
		return nil
	}
	return listed(s)
}

// listed splits a list as n8n's nodes do: at commas, without the spaces around.
func listed(s string) []string {
	var out []string
	for w := range strings.SplitSeq(s, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// versionRange holds typeVersions from low up to and including high; zero is no bound.
type versionRange struct{ low, high float64 }

// readRange reads "-", "2", "1-2", "3-", "-2".
func readRange(s string) versionRange {
	if s == "-" {
		return versionRange{}
	}
	low, high, isRange := strings.Cut(s, "-")
	r := versionRange{}
	r.low, _ = strconv.ParseFloat(low, 64)
	r.high, _ = strconv.ParseFloat(high, 64)
	if !isRange {
		r.high = r.low
	}
	return r
}

func (r versionRange) has(version float64) bool {
	return version >= r.low && (r.high == 0 || version <= r.high)
}

// setting is a parameter and its default, written "name" or "name:default".
type setting struct {
	path  []string
	value string // the default
}

func readSetting(s string) setting {
	if s == "-" {
		return setting{}
	}
	name, value, _ := strings.Cut(s, ":")
	return setting{path: strings.Split(name, "."), value: value}
}

func (s setting) none() bool { return len(s.path) == 0 }

// of is the parameter's text at a node, or its default.
func (s setting) of(n *graph.Node) string {
	if s.none() {
		return ""
	}
	if v := n.Parameter(s.path...); v.Exists() {
		return v.Text()
	}
	return s.value
}

// shape is one line of items.tsv: what a node's items are made of.
type shape struct {
	versions  versionRange
	when      setting // with want: the line holds where the parameter has this value
	want      []string
	operation []string // or: where the catalog gives this operation
	name      string
	value     setting
	from      setting
	to        setting
	keeps     string
	note      string
}

func readShape(f []string) shape {
	s := shape{
		versions: readRange(f[1]), name: f[3], value: readSetting(f[4]), from: readSetting(f[5]), to: readSetting(f[6]), keeps: f[7], note: f[8],
	}
	when, want, isParameter := strings.Cut(f[2], "=")
	switch {
	case f[2] == "-":
	case isParameter:
		s.when, s.want = readSetting(when), listed(want)
	default:
		s.operation = listed(f[2])
	}
	return s
}
