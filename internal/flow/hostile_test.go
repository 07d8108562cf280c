package flow

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// inTime fails the test when its work takes very much longer than it should; a
// busy machine takes longer than the second that BenchmarkHostile shows.
func inTime(t *testing.T, work func()) {
	t.Helper()
	start := time.Now()
	work()
	require.Less(t, time.Since(start), 20*time.Second)
}

func traceAll(w *graph.Workflow) {
	tr := New(catalog.New(), []*graph.Workflow{w}, nil, nil)
	for _, n := range w.Nodes {
		tr.Value(n, n.Parameters)
		tr.Field(n, "a", "b")
		tr.Passes(n)
	}
}

func longChain(t testing.TB) *graph.Workflow {
	parts := []any{webhook()}
	last := "Webhook"
	for i := range 5_000 {
		name := fmt.Sprintf("N%d", i)
		switch i % 4 {
		case 0:
			parts = append(parts, set(name, true, "k", "={{ $json.k }}x"))
		case 1:
			parts = append(parts, node(name, "if", 2.2, object{"x": "={{ $('" + last + "').item.json.body.id }}"}))
		case 2:
			parts = append(parts, node(name, "noOp", 1, object{"x": "={{ $json.body.id }}"}))
		default:
			parts = append(parts, node(name, "renameKeys", 1, object{"keys": object{"key": list{object{"currentKey": "a", "newKey": "b"}}}}))
		}
		parts = append(parts, last+" -> "+name)
		last = name
	}
	return build(t, parts...)
}

func TestLongChain(t *testing.T) {
	w := longChain(t)
	inTime(t, func() { traceAll(w) })
	trace := tracer(w).Field(w.Node("N4999"), "body", "id")
	require.False(t, trace.Incomplete)
	require.Equal(t, "trigger field Webhook body.id", shown(trace.Origins))
	hops := trace.Origins[0].Hops
	require.Len(t, hops, maxHops)
	require.Equal(t, "N4998", hops[0].Node.Name)
	require.Equal(t, "N0", hops[len(hops)-1].Node.Name)
}

func completeGraph(t testing.TB) *graph.Workflow {
	parts := []any{webhook(), "Webhook -> N0"}
	for i := range 100 {
		parts = append(parts, set(fmt.Sprintf("N%d", i), true, fmt.Sprintf("k%d", i), fmt.Sprintf("={{ $json.k%d }}{{ $('N%d').item.json.k%d }}", i, (i*7)%100, (i*3)%100)))
		for j := range 100 {
			parts = append(parts, fmt.Sprintf("N%d -> N%d", i, j))
		}
	}
	return build(t, parts...)
}

func TestCompleteGraph(t *testing.T) {
	w := completeGraph(t)
	inTime(t, func() { traceAll(w) })
	require.Equal(t, "trigger field Webhook body.id", shown(tracer(w).Field(w.Node("N50"), "body", "id").Origins))
}

func TestCycles(t *testing.T) {
	grows := build(t, webhook(), node("S", "splitOut", 1, object{"fieldToSplitOut": "a"}), "Webhook -> S -> S", use("={{ $json.x }}"), "S -> Use")
	require.True(t, key(t, grows).Incomplete, "a path that grows on every turn")
	self := build(t, webhook(), set("A", true, "k", "={{ $('A').item.json.k }}"), use("={{ $json.k }}"), "Webhook -> A -> A", "A -> Use")
	require.Equal(t, "unknown Use", shown(key(t, self).Origins))
	alone := build(t, use("={{ $json.k }}"), set("A", true, "x", "1"), "A -> Use -> A")
	require.Equal(t, "response Use k", shown(key(t, alone).Origins))
	nothing := build(t, node("B", "noOp", 1, nil), set("A", true, "x", "1"), "A -> B -> A", use("={{ $json.k }}"), "B -> Use")
	require.Equal(t, "unknown Use", shown(key(t, nothing).Origins))
}

func TestCallsInCircles(t *testing.T) {
	a := buildAs(t, "a", "", node("T", "executeWorkflowTrigger", 1, nil), node("Use", "executeWorkflow", 1, object{"workflowId": "b", "key": "={{ $json.x }}"}), "T -> Use")
	b := buildAs(t, "b", "", node("T", "executeWorkflowTrigger", 1, nil), node("Use", "executeWorkflow", 1, object{"workflowId": "a", "key": "={{ $json.x }}"}), "T -> Use")
	require.Equal(t, "unknown Use", shown(key(t, a, b).Origins))
	require.Equal(t, "unknown Use", shown(tracer(a, b).walkLeaving(a.Node("Use"), "x")))
}

func (t *Tracer) walkLeaving(n *graph.Node, path ...string) []Origin {
	found, _ := t.walk(n, []step{{to: place{node: n, side: leaving, path: joinPath(path)}}})
	return found
}

func manyNames(t testing.TB) *graph.Workflow {
	parts := []any{webhook()}
	for i := range 3_000 {
		name := fmt.Sprintf("N%d", i)
		parts = append(parts, set(name, false, "k", fmt.Sprintf("={{ $('N%d').item.json.k }}", max(i-1, 0))))
		if i == 0 {
			parts = append(parts, "Webhook -> N0")
		} else {
			parts = append(parts, fmt.Sprintf("N%d -> %s", i-1, name))
		}
	}
	return build(t, parts...)
}

func TestManyNames(t *testing.T) {
	w := manyNames(t)
	inTime(t, func() { traceAll(w) })
	origins := tracer(w).Field(w.Node("N2999"), "k").Origins
	require.Equal(t, "unknown N0 k", shown(origins), "the first one names itself")
}

func BenchmarkHostile(b *testing.B) {
	for name, w := range map[string]*graph.Workflow{"chain of 5000": longChain(b), "complete graph of 100": completeGraph(b), "3000 names": manyNames(b)} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				traceAll(w)
			}
		})
	}
}

func TestDeepParameter(t *testing.T) {
	text := strings.Repeat(`{"a":`, 5_000) + `"={{ $now }}"` + strings.Repeat("}", 5_000)
	w := read(t, `{"nodes":[{"name":"Use","type":"n8n-nodes-base.set","typeVersion":3.4,"parameters":{"key":`+text+`}}],"connections":{}}`)
	require.True(t, key(t, w).Incomplete)
	w = read(t, `{"nodes":[{"name":"Use","type":"n8n-nodes-base.set","typeVersion":3.4,"parameters":{"key":[`+strings.Repeat(`"={{ $now }}",`, 50_000)+`1]}}],"connections":{}}`)
	require.True(t, key(t, w).Incomplete)
}

func read(t *testing.T, text string) *graph.Workflow {
	t.Helper()
	list, err := graph.Read(source.NewFile("w.json", []byte(text)))
	require.NoError(t, err)
	return list[0]
}

// Whatever stands in a node's parameters, a walk ends and says something.
func TestAnyParameters(t *testing.T) {
	types := []string{}
	for _, f := range catalog.Rows(itemsTSV) {
		types = append(types, f[0])
	}
	types = append(types, "n8n-nodes-base.code", "n8n-nodes-base.executeWorkflowTrigger", "n8n-nodes-base.httpRequest", "n8n-nodes-base.postgres", "x.y")
	keys := []string{"a", "assignments", "values", "value", "name", "fields", "jsonOutput", "mode", "operation", "fieldToSplitOut", "options", "keys", "key", "currentKey", "newKey",
		"query", "queryReplacement", "jsCode", "workflowInputs", "fieldsToAggregate", "fieldToAggregate", "columns", "dataPropertyName", "outputFieldName", "destinationFieldName", "include"}
	texts := []string{"", "=", "a", "a.b", "={{ $json.a }}", "={{ $json }}", "={{ $('N1').all() }}", "={{ $now", "raw", "*", ".", "[", "a[0]['b']", "INSERT INTO t (a) VALUES ($1) RETURNING a",
		"SELECT * FROM (SELECT {{ $json.a }} AS a) x", "return $input.all()", "={\"a\": {{ $json.b }}, \"c\": [\"{{ $now }}\"]}", "\x00", "$binary", "generate", "autoMapInputData"}
	rapid.Check(t, func(r *rapid.T) {
		var value func(depth int) any
		value = func(depth int) any {
			switch n := rapid.IntRange(0, 9).Draw(r, "kind"); {
			case n < 5 || depth == 0:
				return rapid.SampledFrom(texts).Draw(r, "text")
			case n < 6:
				return rapid.Bool().Draw(r, "bool")
			case n < 7:
				return list{value(depth - 1), value(depth - 1)}
			}
			o := object{}
			for range rapid.IntRange(0, 4).Draw(r, "members") {
				o[rapid.SampledFrom(keys).Draw(r, "key")] = value(depth - 1)
			}
			return o
		}
		parts := []any{webhook()}
		names := []string{"Webhook"}
		for i := range rapid.IntRange(1, 5).Draw(r, "nodes") {
			name := fmt.Sprintf("N%d", i)
			parameters := object{}
			for range rapid.IntRange(0, 6).Draw(r, "parameters") {
				parameters[rapid.SampledFrom(keys).Draw(r, "key")] = value(4)
			}
			version := rapid.SampledFrom([]float64{1, 2, 2.3, 3, 3.4}).Draw(r, "version")
			parts = append(parts, node(name, rapid.SampledFrom(types).Draw(r, "type"), version, parameters))
			parts = append(parts, rapid.SampledFrom(names).Draw(r, "from")+" -> "+name)
			names = append(names, name)
		}
		w := build(t, parts...)
		tr := tracer(w)
		for _, n := range w.Nodes {
			for _, path := range [][]string{nil, {"a"}, {"a", "0", "b"}, {"*", "b"}, {files}} {
				trace := tr.Field(n, path...)
				if !trace.Incomplete {
					require.NotEmpty(t, trace.Origins, "%s %v", n.Type, path)
				}
			}
			tr.Value(n, n.Parameters)
			tr.Resolved(n, n.Parameters)
		}
	})
}

func FuzzCutToDay(f *testing.F) {
	for _, s := range []string{"$now.toISODate()", "DateTime.fromISO($now).slice(0,10)", "new Date($now)['x'].split('T')", "(($now", "$now.a(b(c[\"]", "new($now)", "$now?.toFormat(`yyyy`)"} {
		f.Add(s, 0, 4)
	}
	tr := tracer()
	f.Fuzz(func(t *testing.T, code string, start, end int) {
		if tr.cutToDay(code, start, end) {
			require.NotEmpty(t, code)
		}
	})
}
