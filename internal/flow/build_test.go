package flow

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// object is JSON that a test writes, list a JSON array.
type (
	object = map[string]any
	list   = []any
)

// node makes a node of n8n's own package, or of another where the type names it.
func node(name, kind string, version float64, parameters object, settings ...object) object {
	if !strings.Contains(kind, ".") {
		kind = "n8n-nodes-base." + kind
	}
	if parameters == nil {
		parameters = object{}
	}
	n := object{"name": name, "type": kind, "typeVersion": version, "parameters": parameters}
	for _, s := range settings {
		for k, v := range s {
			n[k] = v
		}
	}
	return n
}

func webhook() object { return node("Webhook", "webhook", 2.1, object{"path": "x"}) }

// set makes a Set node of the newest version from names and values in turn.
func set(name string, keeps bool, pairs ...string) object {
	var fields list
	for i := 0; i+1 < len(pairs); i += 2 {
		fields = append(fields, object{"name": pairs[i], "value": pairs[i+1], "type": "string"})
	}
	return node(name, "set", 3.4, object{"assignments": object{"assignments": fields}, "includeOtherFields": keeps})
}

func code(name, text string) object { return node(name, "code", 2, object{"jsCode": text}) }

// use is the node whose parameter "key" the tests trace.
func use(key string) object { return node("Use", "httpRequest", 4.2, object{"key": key}) }

// build reads a workflow of nodes (objects) and edges (strings): "A -> B -> C",
// "A:1 -> B", "A -> B:1", "A =ai_tool> B".
func build(t testing.TB, parts ...any) *graph.Workflow {
	t.Helper()
	return buildAs(t, "w", "", parts...)
}

func buildAs(t testing.TB, id, indent string, parts ...any) *graph.Workflow {
	t.Helper()
	var nodes list
	edges := map[string]map[string][][]object{}
	for _, p := range parts {
		if edge, ok := p.(string); ok {
			addEdges(t, edges, edge)
			continue
		}
		nodes = append(nodes, p)
	}
	export := object{"id": id, "name": "Workflow " + id, "nodes": nodes, "connections": edges}
	text, err := json.Marshal(export)
	if indent != "" {
		text, err = json.MarshalIndent(export, "", indent)
	}
	require.NoError(t, err)
	list, err := graph.Read(source.NewFile(id+".json", text))
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Empty(t, list[0].Odd)
	return list[0]
}

func addEdges(t testing.TB, edges map[string]map[string][][]object, chain string) {
	t.Helper()
	kind, arrow := "main", " -> "
	if i := strings.Index(chain, " ="); i >= 0 {
		arrow = chain[i : strings.Index(chain, "> ")+2]
		kind = strings.Trim(arrow, " =>")
	}
	names := strings.Split(chain, arrow)
	require.Greater(t, len(names), 1, "%q is no edge", chain)
	for i := 1; i < len(names); i++ {
		from, output := port(names[i-1])
		to, input := port(names[i])
		if i > 1 {
			output = 0
		}
		if edges[from] == nil {
			edges[from] = map[string][][]object{}
		}
		outputs := edges[from][kind]
		for len(outputs) <= output {
			outputs = append(outputs, []object{})
		}
		outputs[output] = append(outputs[output], object{"node": to, "type": kind, "index": input})
		edges[from][kind] = outputs
	}
}

func port(s string) (name string, index int) {
	name, number, ok := strings.Cut(s, ":")
	if !ok {
		return s, 0
	}
	index, err := strconv.Atoi(number)
	if err != nil {
		panic(fmt.Sprintf("%q names no port", s))
	}
	return name, index
}

// tracer makes a tracer whose calls are joined by workflow id.
func tracer(workflows ...*graph.Workflow) *Tracer {
	callee := func(n *graph.Node) *graph.Workflow {
		id, _ := n.Locator("workflowId")
		for _, w := range workflows {
			if w.ID == id.Text() {
				return w
			}
		}
		return nil
	}
	callers := func(w *graph.Workflow) (calls []*graph.Node) {
		for _, other := range workflows {
			for _, n := range other.Nodes {
				if n.Parameter("workflowId").Exists() && callee(n) == w {
					calls = append(calls, n)
				}
			}
		}
		return calls
	}
	return New(catalog.New(), workflows, callers, callee)
}

// key traces the parameter "key" of the node "Use".
func key(t testing.TB, w *graph.Workflow, others ...*graph.Workflow) Trace {
	t.Helper()
	n := w.Node("Use")
	require.NotNil(t, n)
	return tracer(append(slices.Clone(others), w)...).Value(n, n.Parameter("key"))
}

// shown writes origins as "kind node path/name" with "?" for a fallback, "day"
// for a day bucket and "try" for what a retry makes anew.
func shown(origins []Origin) string {
	var out []string
	for _, o := range origins {
		s := o.Kind.String()
		if o.Node != nil {
			s += " " + o.Node.Name
		}
		if len(o.Path) > 0 {
			s += " " + strings.Join(o.Path, ".")
		}
		if o.Name != "" && o.Name != "literal" && o.Kind != Unknown {
			s += " " + o.Name
		}
		if o.PerTry {
			s += " try"
		}
		if o.DayBucket {
			s += " day"
		}
		if o.Fallback {
			s += "?"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// way writes the hops of an origin as "node: text".
func way(o Origin) string {
	var out []string
	for _, h := range o.Hops {
		out = append(out, h.Node.Name+": "+h.At.Text())
	}
	return strings.Join(out, " | ")
}
