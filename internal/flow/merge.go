package flow

import (
	"strconv"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
)

// mergeKind says what a Merge node does with its inputs.
type mergeKind int

const (
	// mergeAppend gives the items of all inputs one after the other, or those of
	// one input.
	mergeAppend mergeKind = iota
	// mergeCombine puts the fields of several inputs into one item.
	mergeCombine
	// mergeQuery gives the rows of an SQL query over the inputs.
	mergeQuery
)

// mergeOf reads the mode. Version 1: append, keepKeyMatches, mergeByIndex,
// mergeByKey, multiplex, passThrough, removeKeyMatches, wait; 2 and 3: append,
// combine, chooseBranch, and combineBySql from 3 on.
func mergeOf(n *graph.Node) mergeKind {
	switch n.Parameter("mode").Str() {
	case "combine", "mergeByIndex", "mergeByKey", "multiplex":
		return mergeCombine
	case "combineBySql":
		return mergeQuery
	}
	return mergeAppend
}

// merge leads to the inputs of a Merge node that may have the field.
func (t *Tracer) merge(n *graph.Node, path []string) []step {
	switch mergeOf(n) {
	case mergeQuery:
		return []step{ending(Origin{Kind: Unknown, Node: n, Path: path, Name: "a query over the inputs"})}
	case mergeCombine:
		return t.combine(n, path)
	}
	input, only := chosenInput(n)
	return t.inputs(n, path, func(e *graph.Edge) bool { return !only || e.Input == input }, false)
}

// chosenInput is the input whose items alone go on.
func chosenInput(n *graph.Node) (input int, only bool) {
	chosen := ""
	switch n.Parameter("mode").Str() {
	case "chooseBranch":
		chosen = n.Parameter("useDataOfInput").Text()
		if chosen == "" {
			chosen = n.Parameter("output").Text()
		}
	case "passThrough":
		chosen = n.Parameter("output").Text()
	}
	chosen = strings.TrimPrefix(chosen, "input")
	if chosen == "" && n.Parameter("mode").Str() != "append" && n.Parameter("mode").Exists() {
		return 0, n.Parameter("mode").Str() == "chooseBranch" || n.Parameter("mode").Str() == "passThrough"
	}
	i, err := strconv.Atoi(chosen)
	return i - 1, err == nil && i > 0
}

func (t *Tracer) combine(n *graph.Node, path []string) []step {
	suffixed := n.Parameter("options", "clashHandling", "values", "resolveClash").Str() == "addSuffix"
	if suffixed && len(path) > 0 {
		if i := strings.LastIndexByte(path[0], '_'); i > 0 {
			if number, err := strconv.Atoi(path[0][i+1:]); err == nil && number > 0 {
				from := append([]string{path[0][:i]}, path[1:]...)
				return t.inputs(n, from, func(e *graph.Edge) bool { return e.Input == number-1 }, true)
			}
		}
	}
	return t.inputs(n, path, func(*graph.Edge) bool { return true }, true)
}

func (t *Tracer) inputs(n *graph.Node, path []string, wanted func(*graph.Edge) bool, either bool) []step {
	var steps []step
	for _, e := range n.MainIn() {
		if !wanted(e) {
			continue
		}
		s := t.along(e, path)
		s.either = either
		s.hop = Hop{Node: n, At: n.Place(), What: "merges its inputs"}
		steps = addOnce(steps, s)
	}
	return steps
}
