package flow

import (
	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// files is the name under which a path has the files of an item, which n8n keeps
// beside its fields; it is the name that n8n's own nodes use for them.
const files = "$binary"

func ofFile(path []string) bool { return len(path) > 0 && path[0] == files }

// file leads to where the files of a node's items come from. Most nodes give on
// the files that came in.
func (t *Tracer) file(n *graph.Node, path []string) []step {
	op := t.operation(n)
	s, known := t.shape(n)
	switch {
	case n.Type == calledTrigger && len(t.callers(n.Workflow)) > 0:
		return t.calls(n, path)
	case op.Trigger != "":
		return []step{answer(TriggerField, n, path)}
	case known && s.name == shapeMakesFile:
		return []step{back(n, []string{"*"}, Hop{Node: n, At: n.Place(), What: "makes a file"})}
	case known && s.name == shapeMerge:
		return t.inputs(n, path, func(*graph.Edge) bool { return true }, true)
	case known && (s.name == shapeResponse || s.name == shapeCall), !known && op.Kind != catalog.Code && op.Kind != catalog.Logic:
		return []step{answer(Response, n, path)}
	}
	return []step{back(n, path, passing(n))}
}

// calls leads to the items that a called workflow's callers had.
func (t *Tracer) calls(n *graph.Node, path []string) []step {
	var steps []step
	for _, call := range t.callers(n.Workflow) {
		steps = append(steps, back(call, path, Hop{Node: call, At: call.Place(), What: "calls with the item"}))
	}
	return steps
}
