package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Batch is an effect that runs for many items behind one claim.
type Batch struct {
	Held  Held
	Claim *Taken
	// Splits is the node that makes many items of one.
	Splits *graph.Node
}

// Batches finds the effects that one claim covers many of.
func (f *Facts) Batches() (list []Batch) {
	for _, t := range f.taken {
		if t.Guard.Form == WorkerUpdate {
			continue // each row that it takes is claimed by itself
		}
		for _, h := range t.Held {
			if n := f.splitBetween(t, h); n != nil && !h.Effect.Key.Protects() {
				list = append(list, Batch{Held: h, Claim: t, Splits: n})
			}
		}
	}
	return list
}

// splitBetween is the last node between claim and effect that makes many items
// of one, with no guard for the single item behind it.
func (f *Facts) splitBetween(t *Taken, h Held) (splits *graph.Node) {
	path := h.Exposure.Path
	for _, n := range path[slices.Index(path, t.Guard.Node)+1:] {
		switch {
		case n == h.Effect.Node, n.Disabled:
		case f.Guard(n) != nil && f.Guard(n).Kind != LookUp:
			splits = nil
		case f.model.splits(n) || f.readsMany(n):
			splits = n
		case f.model.gathers(n):
			splits = nil
		}
	}
	if h.Effect.Node.ExecuteOnce {
		return nil
	}
	return splits
}

// readsMany reports whether a node gives the rows of a whole table or group.
func (f *Facts) readsMany(n *graph.Node) bool {
	return slices.ContainsFunc(f.RowsOf(n), func(a *RowAccess) bool {
		return a.Verb == ReadsRows && !a.Keyed && !a.Counts && (a.Statement == nil || !a.Statement.Limit) && !n.ExecuteOnce
	})
}

// gathers reports whether a node makes one item of many.
func (m *model) gathers(n *graph.Node) bool {
	switch n.Type {
	case "n8n-nodes-base.aggregate", "n8n-nodes-base.summarize", "n8n-nodes-base.limit":
		return true
	}
	code, mode := catalog.CodeOf(n)
	return code.Exists() && mode != expr.EachItem
}

const splitOutNode = "n8n-nodes-base.splitOut"

// splits reports whether a node makes many items of one.
func (m *model) splits(n *graph.Node) bool {
	switch n.Type {
	case splitOutNode:
		return true
	case "n8n-nodes-base.itemLists":
		op := n.Parameter("operation").Str()
		return op == "" || op == "splitOutItems"
	}
	code, mode := catalog.CodeOf(n)
	if !code.Exists() || mode == expr.EachItem {
		return false
	}
	p := m.eval.code(code.Str())
	if p == nil {
		return false
	}
	items := p.RunCode(scope{token: token{item: tied(n)}, node: n}, mode).Items
	if items.Kind() != expr.KindArray {
		return false
	}
	_, high := items.Count()
	return high > 1
}
