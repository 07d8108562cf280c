package guard

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// CarriesResult reports whether an answer holds what the work before it has
// found or made, so that the caller waits for it: an API, no event. An answer
// whose content cannot be followed is taken as a result.
func (f *Facts) CarriesResult(a Answer) bool {
	c := content{model: f.model, seen: map[string]bool{}, work: map[*graph.Node]bool{}, deliberate: a.Node != a.Webhook}
	for _, n := range a.Before {
		c.work[n] = f.model.delay(n).Cost > Quick
	}
	if a.Node == a.Webhook {
		return c.lastItem(a)
	}
	switch a.Node.Parameter("respondWith").Str() {
	case "noData":
		return false
	case "binary", "jwt":
		return true
	case "json", "text":
		body := a.Node.Parameter("responseBody")
		return c.value(a.Node, f.model.eval.value(body, expr.Symbolic{}), 0)
	case "redirect":
		return c.value(a.Node, f.model.eval.value(a.Node.Parameter("redirectURL"), expr.Symbolic{}), 0)
	}
	return c.incoming(a.Node, nil, 0)
}

// content follows what an answer is made of back to the nodes that made it.
type content struct {
	model *model
	work  map[*graph.Node]bool
	seen  map[string]bool
	// deliberate: a Respond node chose the content.
	deliberate bool
}

// lastItem asks for the items of the nodes at which a run ends.
func (c content) lastItem(a Answer) bool {
	if a.Webhook.Parameter("responseData").Str() == "noData" {
		return false
	}
	return slices.ContainsFunc(a.Before, func(n *graph.Node) bool {
		return len(n.MainOut()) == 0 && c.node(n, nil, 0)
	})
}

// longestMaking bounds the way from an answer to where its content was made.
const longestMaking = 24

func (c content) value(at *graph.Node, v expr.Value, depth int) bool {
	return slices.ContainsFunc(v.AllOrigins(), func(o expr.Origin) bool {
		switch {
		case o.Kind == expr.OriginModel:
			return true
		case o.Kind != expr.OriginReference:
			return false
		case o.Name == "":
			return c.incoming(at, o.Path, depth)
		}
		other := c.model.workflow.Node(o.Name)
		return other != nil && c.node(other, o.Path, depth+1)
	})
}

// incoming asks for a field of the items that arrive at a node.
func (c content) incoming(n *graph.Node, path []string, depth int) bool {
	return slices.ContainsFunc(n.MainIn(), func(e *graph.Edge) bool { return c.node(e.From, path, depth+1) })
}

// node asks whether a field of a node's items, all of it where path is empty,
// holds a result.
func (c content) node(n *graph.Node, path []string, depth int) bool {
	key := n.Name + "\x00" + strings.Join(path, "\x00")
	if depth > longestMaking || c.seen[key] {
		return false
	}
	c.seen[key] = true
	op := c.model.ops[n]
	symbolic := scope{token: token{item: expr.Ref("")}, node: n}
	code, mode := catalog.CodeOf(n)
	switch {
	case op.Kind == catalog.Trigger:
		return false
	case c.model.passes(n):
		return c.incoming(n, path, depth)
	case n.Type == setNode:
		return c.value(n, field(c.model.set(n, symbolic), path), depth)
	case op.Writes():
		return c.writes(n, op, path)
	case c.work[n]:
		return true
	case code.Exists():
		return c.code(n, code.Str(), mode, path, depth)
	case op.Kind == catalog.Logic || op.Kind == catalog.Compute:
		return c.incoming(n, nil, depth)
	}
	return false
}

// writes asks whether the answer of a write is a result: a field of it that is
// named, or what a Respond node gives on from a request. The item of another
// write stands there by accident, and a sent message has nothing to tell.
func (c content) writes(n *graph.Node, op catalog.Operation, path []string) bool {
	if !c.work[n] || op.Impact == catalog.Message || op.Impact == catalog.Notice {
		return false
	}
	return len(path) > 0 || c.deliberate && op.HTTP != nil
}

func (c content) code(n *graph.Node, text string, mode expr.CodeMode, path []string, depth int) bool {
	p := c.model.eval.code(text)
	if p == nil {
		return true
	}
	item := p.RunCode(expr.Symbolic{}, mode).Items.Element().Field("json")
	return c.value(n, field(item, path), depth)
}

func field(v expr.Value, path []string) expr.Value {
	for _, name := range path {
		v = v.Field(name)
	}
	return v
}
