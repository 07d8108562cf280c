package flow

import (
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// input leads from a called workflow's trigger to what its callers give it.
func (t *Tracer) input(n *graph.Node, path []string) []step {
	names, closed := declaredInputs(n)
	if closed && len(path) > 0 && path[0] != "*" && !names[path[0]] {
		return []step{ending(Origin{Kind: Missing, Node: n, Path: path})}
	}
	var steps []step
	for _, call := range t.callers(n.Workflow) {
		if !call.Disabled {
			steps = append(steps, t.given(call, path)...)
		}
	}
	if len(steps) == 0 {
		return []step{answer(Input, n, path)}
	}
	return steps
}

// declaredInputs are the inputs that a called workflow lists; closed where it
// takes no others. Version 1 takes whatever comes.
func declaredInputs(n *graph.Node) (names map[string]bool, closed bool) {
	names = map[string]bool{}
	if n.TypeVersion < 1.1 {
		return names, false
	}
	switch n.Parameter("inputSource").Str() {
	case "passthrough":
		return names, false
	case "jsonExample":
		text := n.Parameter("jsonExample")
		doc, err := source.ParseJSON(source.NewFile("example", []byte(text.Str())))
		if err != nil {
			return names, false
		}
		for c := range doc.Root().Children() {
			names[c.Key()] = true
		}
		return names, true
	}
	for v := range n.Parameter("workflowInputs", "values").Children() {
		names[v.Get("name").Text()] = true
	}
	return names, len(names) > 0
}

// given leads to what one call gives for a field of the called workflow's input.
func (t *Tracer) given(call *graph.Node, path []string) []step {
	values := call.Parameter("workflowInputs", "value")
	mapped := call.Parameter("workflowInputs", "mappingMode").Str() != "autoMapInputData" && values.Len() > 0
	tool := isTool(call)
	switch {
	case mapped && len(path) == 0:
		return t.read(call, values, nil, "calls with the item")
	case mapped && path[0] == "*":
		return t.read(call, values, path, "calls with a field")
	case mapped:
		v := values.Get(path[0])
		if v.Exists() {
			return t.read(call, v, path[1:], "calls with "+path[0])
		}
		return []step{ending(Origin{Kind: Missing, Node: call, Path: path, At: values.Span()})}
	case tool:
		return t.givenByTool(call, path)
	}
	return []step{back(call, path, Hop{Node: call, At: call.Place(), What: "calls with the item"})}
}

func isTool(n *graph.Node) bool {
	for _, e := range n.Out {
		if e.Kind != graph.Main {
			return true
		}
	}
	return false
}

// givenByTool is for calls as a tool of old versions: the model writes the query,
// and fields may be set beside it.
func (t *Tracer) givenByTool(call *graph.Node, path []string) []step {
	for f := range call.Parameter("fields", "values").Children() {
		if len(path) > 0 && f.Get("name").Text() == path[0] {
			return t.read(call, typedValue(f), path[1:], "calls with "+path[0])
		}
	}
	return []step{ending(Origin{Kind: Model, Node: call, Path: path, At: call.Place()})}
}

// called leads from the answer of a call to the last nodes of the called workflow.
func (t *Tracer) called(n *graph.Node, path []string) []step {
	w := t.callee(n)
	if w == nil {
		return []step{answer(Response, n, path)}
	}
	var steps []step
	for _, last := range t.lastNodes(w) {
		hop := Hop{Node: n, At: n.Place(), What: "gives the answer of " + quoted(w.Name)}
		steps = append(steps, step{to: place{node: last, side: leaving, path: joinPath(path)}, hop: hop})
	}
	if len(steps) == 0 {
		return []step{answer(Response, n, path)}
	}
	return steps
}

func quoted(name string) string {
	if strings.TrimSpace(name) == "" {
		return "the called workflow"
	}
	return name
}

// lastNodes are the nodes at which a called workflow can end. Where all of them
// stop with an error there are none.
func (t *Tracer) lastNodes(w *graph.Workflow) []*graph.Node {
	var starts []*graph.Node
	for _, n := range w.Nodes {
		if n.Type == calledTrigger && !n.Disabled {
			starts = append(starts, n)
		}
	}
	var last []*graph.Node
	for _, n := range w.Nodes {
		if len(n.MainOut()) > 0 || isTool(n) || n.Disabled && len(n.MainIn()) == 0 {
			continue
		}
		for _, s := range starts {
			if s == n || t.behind(s).Has(n) {
				last = append(last, n)
				break
			}
		}
	}
	return last
}
