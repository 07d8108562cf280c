package guard

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/graph"
)

//go:embed data/slow.tsv
var slowTSV string

type slowRow struct{ operation, class, what string }

var slowTypes = sync.OnceValue(func() map[string]slowRow {
	m := map[string]slowRow{}
	for _, f := range catalog.Rows(slowTSV) {
		m[f[0]] = slowRow{f[1], f[2], f[3]}
	}
	return m
})

// Cost is how long a node keeps whoever waits for the run, in steps.
type Cost int

// The costs: milliseconds; one call of a service, quick enough alone; seconds
// and more.
const (
	Quick Cost = iota
	OneCall
	Slow
)

// Delay is what a node costs and, in half a sentence, why: "asks a model".
type Delay struct {
	Node *graph.Node
	Cost Cost
	What string
	// Fallible: what it does may fail or never end by itself.
	Fallible bool
}

// Delay says how long a node takes.
func (f *Facts) Delay(n *graph.Node) Delay { return f.model.delay(n) }

func (m *model) delay(n *graph.Node) Delay {
	d := Delay{Node: n}
	if n.Disabled {
		return d
	}
	op := m.ops[n]
	row, listed := slowTypes()[n.Type]
	switch {
	case op.HTTP != nil:
		d.Cost, d.What, d.Fallible = OneCall, "calls a service", true
		if op.HTTP.Verdict.Kind == httpcall.KindCompute {
			d.Cost, d.What = Slow, "asks a service to compute"
		}
	case listed:
		return m.listedDelay(n, op, row)
	case slices.Contains([]catalog.Kind{catalog.Read, catalog.Idempotent, catalog.Repeatable, catalog.Ephemeral, catalog.Unknown}, op.Kind):
		d.Cost, d.What, d.Fallible = OneCall, "calls a service", true
	}
	return d
}

func (m *model) listedDelay(n *graph.Node, op catalog.Operation, row slowRow) Delay {
	d := Delay{Node: n, What: row.what}
	switch row.class {
	case "quick":
	case "call":
		d.Cost, d.Fallible = OneCall, true
	case "mail":
		d.Cost, d.Fallible = OneCall, true
		if op.Impact == catalog.Message {
			d.Cost = Slow
		}
	case "wait":
		if !briefWait(n) {
			d.Cost, d.Fallible = Slow, true
		}
	case "workflow":
		if waits(n) {
			d.Cost = Slow
		}
	case "loop":
		if m.loopCalls(n) {
			d.Cost = Slow
		}
	default:
		d.Cost, d.Fallible = Slow, true
	}
	return d
}

// briefSeconds is what a sender does not notice.
const briefSeconds = 2

func briefWait(n *graph.Node) bool {
	if resume := n.Parameter("resume").Str(); resume != "" && resume != "timeInterval" {
		return false
	}
	amount, ok := n.Parameter("amount").Float()
	return ok && amount <= briefSeconds && strings.HasPrefix(n.Parameter("unit").Str(), "second")
}

// loopCalls reports whether the body of a loop calls out.
func (m *model) loopCalls(loop *graph.Node) bool {
	batch, _ := loopOutputs(loop)
	for _, e := range loop.MainOut() {
		if e.Output != batch {
			continue
		}
		for _, n := range inOrder(graph.Reachable(e.To, func(e *graph.Edge) bool { return e.To == loop })) {
			if n != loop && m.inBody(loop, n) && slowTypes()[n.Type].class != "loop" && m.delay(n).Cost > Quick {
				return true
			}
		}
	}
	return false
}

// mostChained bounds the nodes that InARow compares.
const mostChained = 200

// InARow is the longest row of the nodes that one execution runs one after the
// other.
func (f *Facts) InARow(list []Delay) []Delay {
	list = list[:min(len(list), mostChained)]
	var longest []Delay
	rows := make([][]Delay, len(list))
	for range list {
		changed := false
		for i, d := range list {
			row := f.rowTo(list, rows, i)
			changed = changed || len(row) >= len(rows[i])
			if rows[i] = append(row, d); len(rows[i]) > len(longest) {
				longest = rows[i]
			}
		}
		if !changed {
			break
		}
	}
	return longest
}

// rowTo is the longest of the rows so far that leads to a node.
func (f *Facts) rowTo(list []Delay, rows [][]Delay, i int) (longest []Delay) {
	behind := f.model.behind
	for j := range list {
		if i != j && len(rows[j]) > len(longest) && behind(list[j].Node).Has(list[i].Node) && !behind(list[i].Node).Has(list[j].Node) {
			longest = rows[j]
		}
	}
	return slices.Clone(longest)
}
