package guard

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// tester is a test of testing or of rapid.
type tester interface {
	require.TestingT
	Helper()
}

// object is JSON that a test writes.
type object = map[string]any

// spec is a workflow under construction.
type spec struct {
	id, name string
	file     string
	nodes    []object
	edges    []string
}

// node makes a node of n8n's own package, or of another where the type names it.
// settings are keys of the node itself, such as onError.
func node(name, kind string, version float64, parameters object, settings ...object) object {
	if !strings.Contains(kind, ".") {
		kind = "n8n-nodes-base." + kind
	}
	if parameters == nil {
		parameters = object{}
	}
	n := object{"name": name, "type": kind, "typeVersion": version, "parameters": parameters, "position": []int{0, 0}}
	for _, s := range settings {
		for k, v := range s {
			n[k] = v
		}
	}
	return n
}

// workflow puts nodes (objects) and edges (strings) together. An edge is
// "A -> B", "A:1 -> B" for output 1, "A -> B:1" for input 1, a chain
// "A -> B -> C", or "A =ai_tool> B" for a part of an agent.
func workflow(parts ...any) *spec {
	s := &spec{id: "w", name: "Test", file: "test.json"}
	for _, p := range parts {
		switch p := p.(type) {
		case object:
			s.nodes = append(s.nodes, p)
		case []object:
			s.nodes = append(s.nodes, p...)
		case string:
			s.edges = append(s.edges, p)
		case []string:
			s.edges = append(s.edges, p...)
		default:
			panic(fmt.Sprintf("a workflow is made of nodes and edges, not of %T", p))
		}
	}
	return s
}

// called names a workflow, so that others can call it.
func (s *spec) called(id, name, file string) *spec {
	s.id, s.name, s.file = id, name, file
	return s
}

func (s *spec) json(t tester) []byte {
	t.Helper()
	connections := map[string]map[string][][]object{}
	for _, e := range s.edges {
		addEdges(t, connections, e)
	}
	text, err := json.Marshal(object{"id": s.id, "name": s.name, "nodes": s.nodes, "connections": connections})
	require.NoError(t, err)
	return text
}

func addEdges(t tester, connections map[string]map[string][][]object, chain string) {
	t.Helper()
	kind, arrow := "main", " -> "
	if i := strings.Index(chain, " ="); i >= 0 {
		arrow = chain[i : strings.Index(chain, "> ")+2]
		kind = strings.Trim(arrow, " =>")
	}
	names := strings.Split(chain, arrow)
	require.Greater(t, len(names), 1, "%q is no edge", chain)
	for i := 1; i < len(names); i++ {
		from, output := port(names[i-1], i == 1)
		to, input := port(names[i], i == len(names)-1)
		if connections[from] == nil {
			connections[from] = map[string][][]object{}
		}
		outputs := connections[from][kind]
		for len(outputs) <= output {
			outputs = append(outputs, []object{})
		}
		outputs[output] = append(outputs[output], object{"node": to, "type": kind, "index": input})
		connections[from][kind] = outputs
	}
}

// port splits "A:1"; only the ends of a chain may name a port.
func port(s string, end bool) (name string, index int) {
	name, number, ok := strings.Cut(s, ":")
	if !ok {
		return s, 0
	}
	index, err := strconv.Atoi(number)
	if err != nil || !end {
		panic(fmt.Sprintf("%q names no port here", s))
	}
	return name, index
}

func (s *spec) read(t tester) *graph.Workflow {
	t.Helper()
	list, err := graph.Read(source.NewFile(s.file, s.json(t)))
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Empty(t, list[0].Odd, "the test's own workflow has edges to nowhere")
	return list[0]
}

// analyze gives the facts of the workflows, which n8nlint would see in one run.
func analyze(t tester, specs ...*spec) []*Facts {
	t.Helper()
	var list []*graph.Workflow
	for _, s := range specs {
		list = append(list, s.read(t))
	}
	facts := Analyze(catalog.New(), list, InOrder)
	for _, f := range facts {
		require.NoError(t, f.Err)
	}
	return facts
}

// The outcomes of an effect, by the weakest way to it.
const (
	isClaimed   = "claimed"   // only winners come to it
	isLeaked    = "leaks"     // a loser comes to it
	isUnsure    = "silent"    // the file does not show
	isGuarded   = "guarded"   // behind a guard that is not atomic
	isUnclaimed = "unclaimed" // nothing on the way
	isUnreached = "unreached" // no execution comes to it
)

var outcomeNames = map[Standing]string{Winner: isClaimed, Loser: isLeaked, Unsure: isUnsure, Guarded: isGuarded, Plain: isUnclaimed}

// outcomeOf is how the weakest way comes to the effect.
func outcomeOf(t tester, f *Facts, effect string) string {
	t.Helper()
	require.NotNil(t, f.Workflow.Node(effect), "the workflow has no node %q", effect)
	weakest := ""
	for _, x := range effectOf(f, effect).exposures() {
		if weakest == "" {
			weakest = outcomeNames[x.Standing]
		}
	}
	if weakest == "" {
		return isUnreached
	}
	return weakest
}

// exposures of an effect that may be nil, for the facts leave out effects that
// no execution comes to.
func (e *Effect) exposures() []Exposure {
	if e == nil {
		return nil
	}
	return e.Exposures
}

func effectOf(f *Facts, name string) *Effect {
	for _, e := range f.Effects {
		if e.Node.Name == name {
			return e
		}
	}
	return nil
}

// causeOf is the cause by which the loser comes to the effect.
func causeOf(t tester, f *Facts, effect string) Cause {
	t.Helper()
	for _, x := range effectOf(f, effect).exposures() {
		if x.Standing == Loser {
			return x.Cause
		}
	}
	require.Fail(t, "no loser comes to "+effect)
	return 0
}

func guardOf(f *Facts, name string) *Guard {
	for _, g := range f.Guards {
		if g.Node.Name == name {
			return g
		}
	}
	return nil
}

// The nodes that most tests need.

func hook() object { return node("Hook", "webhook", 2, object{"path": "in", "httpMethod": "POST"}) }

func mail(name string) object {
	return node(name, "gmail", 2.1, object{"sendTo": "={{ $json.body.mail }}", "subject": "Hello", "message": "Hello"})
}

func noOp(name string) object { return node(name, "noOp", 1, nil) }

func query(sql string) object {
	return object{
		"operation": "executeQuery", "query": sql,
		"options": object{"queryReplacement": "={{ [ $json.body.id ] }}"},
	}
}

const (
	insertReturning = "INSERT INTO claims (event_key, status) VALUES ($1, 'pending') ON CONFLICT (event_key) DO NOTHING RETURNING event_key"
	insertSelected  = "WITH c AS (" + insertReturning + ") SELECT event_key FROM c"
	insertAsked     = "WITH c AS (" + insertReturning + ") SELECT EXISTS(SELECT 1 FROM c) AS claimed"
)

// claim is a Postgres claim of the current version.
func claim(sql string, settings ...object) object {
	return node("Claim", "postgres", 2.6, query(sql), settings...)
}

// condition is one condition of IF 2, Filter 2 or a Switch 3 rule.
func condition(left any, kind, operation string, right ...any) object {
	c := object{"id": "1", "leftValue": left, "rightValue": "", "operator": object{"type": kind, "operation": operation}}
	if len(right) > 0 {
		c["rightValue"] = right[0]
	} else {
		c["operator"].(object)["singleValue"] = true
	}
	return c
}

func conditions(combinator string, list ...object) object {
	return object{
		"options":    object{"caseSensitive": true, "leftValue": "", "typeValidation": "strict", "version": 2},
		"conditions": list, "combinator": combinator,
	}
}

// gate is IF 2 with conditions that all must hold.
func gate(name string, list ...object) object {
	return node(name, "if", 2.2, object{"conditions": conditions("and", list...)})
}

// keyGate is the right gate behind insertReturning.
func keyGate() object { return gate("Won?", condition("={{ $json.event_key }}", "string", "exists")) }
