package guard

import (
	_ "embed"
	"strings"
	"sync"
	"time"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed data/waits.tsv
var waitsTSV string

// pause is what a Wait node does when its parameters are left out, by version.
type pause struct {
	amount float64
	unit   string
}

type waitTables struct {
	units    map[string]time.Duration
	defaults map[string]pause
}

var waitFacts = sync.OnceValue(func() waitTables {
	t := waitTables{units: map[string]time.Duration{}, defaults: map[string]pause{}}
	for _, f := range catalog.Rows(waitsTSV) {
		length, _ := time.ParseDuration(f[2])
		switch f[0] {
		case "unit":
			t.units[f[1]] = length
		case "default":
			amount, unit, _ := strings.Cut(f[2], " ")
			t.defaults[f[1]] = pause{amount: parsed(amount), unit: unit}
		}
	}
	return t
})

func parsed(number string) float64 {
	d, _ := time.ParseDuration(number + "s")
	return d.Seconds()
}

const (
	// longPause is how long work may reasonably stay in an execution only.
	longPause = 5 * time.Minute
	// longRound is the same for a pause inside a cycle, which paces or polls.
	longRound = time.Hour
)

// LongWait is a Wait between an event and an effect, long enough for the
// instance to be restarted meanwhile, where nothing but the execution knows of
// the work.
type LongWait struct {
	Node *graph.Node
	// At shows how long it waits: the amount, the time, the way it is resumed.
	At source.Span
	// For is the length of the pause, 0 where a date or a request ends it.
	For time.Duration
	// Outside: a request or a form ends it.
	Outside bool
	// Visit is how executions come to it.
	Visit Visit
	// Effects are those behind it.
	Effects []*Effect
}

// LongWaits are the waits of a workflow that hold work for long.
func (f *Facts) LongWaits() (list []LongWait) {
	for _, n := range f.Nodes() {
		if n.Type != waitNode {
			continue
		}
		w, ok := f.model.longWait(n)
		if !ok {
			continue
		}
		if w.Effects = f.effectsBehind(n); len(w.Effects) == 0 {
			continue
		}
		if w.Visit, ok = f.unrecorded(n); ok {
			list = append(list, w)
		}
	}
	return list
}

// longWait reads how a Wait ends. An amount that is an expression tells nothing.
func (m *model) longWait(n *graph.Node) (w LongWait, ok bool) {
	w = LongWait{Node: n, At: n.Place()}
	resume := n.Parameter("resume")
	switch resume.Str() {
	case "webhook", "form":
		w.At, w.Outside = resume.Span(), true
		return w, true
	case "specificTime":
		date := n.Parameter("dateTime")
		w.At = resume.Span()
		return w, date.Str() != "" && !strings.Contains(date.Str(), "$now")
	case "", "timeInterval":
	default:
		return w, false
	}
	w.For, ok = pauseOf(n)
	if amount := n.Parameter("amount"); amount.Exists() {
		w.At = amount.Span()
	}
	limit := longPause
	if m.behind(n).Has(n) {
		limit = longRound
	}
	return w, ok && w.For >= limit
}

// pauseOf is the length of a Wait for a time.
func pauseOf(n *graph.Node) (time.Duration, bool) {
	t := waitFacts()
	preset := t.defaults["1.1"]
	if n.TypeVersion < 1.1 {
		preset = t.defaults["1"]
	}
	amount, unit := preset.amount, preset.unit
	if v := n.Parameter("amount"); v.Exists() {
		var known bool
		if amount, known = v.Float(); !known {
			return 0, false
		}
	}
	if v := n.Parameter("unit"); v.Exists() {
		unit = v.Str()
	}
	length, known := t.units[unit]
	return time.Duration(min(amount, 1e5) * float64(length)), known && amount > 0
}

// effectsBehind are the effects that items of n come to, those of tools where
// their agents stand.
func (f *Facts) effectsBehind(n *graph.Node) (list []*Effect) {
	behind := f.model.behind(n)
	for _, e := range f.Effects {
		place := e.Node
		if e.Agent != nil {
			place = e.Agent
		}
		if behind.Has(place) && (e.Agent != nil || !tellsOfFailure(e)) {
			list = append(list, e)
		}
	}
	return list
}

// unrecorded finds a way by which an event comes to the node, and no row is left
// before it. A row on a branch beside it counts: it survives as well.
func (f *Facts) unrecorded(n *graph.Node) (Visit, bool) {
	m := f.model
	behind := m.behind(n)
	for _, v := range f.Visits(n) {
		if !brings(v.Root.Class) {
			continue
		}
		started := m.behind(v.Root.Trigger)
		recorded := false
		for _, other := range f.Workflow.Nodes {
			recorded = recorded || started.Has(other) && !behind.Has(other) && m.keepsTask(other)
		}
		if !recorded {
			return v, true
		}
	}
	return Visit{}, false
}

// brings reports whether a trigger brings work from outside that only it knows of.
func brings(c catalog.Class) bool {
	return c == catalog.Event || c == catalog.Form || c == catalog.Poll
}

// keepsTask reports whether a node leaves a row from which the work could be
// taken up again.
func (m *model) keepsTask(n *graph.Node) bool {
	op := m.ops[n]
	return !n.Disabled && op.Writes() && op.Target.Store != "" && !op.Log
}
