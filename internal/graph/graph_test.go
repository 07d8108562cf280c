package graph

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/source"
)

func read(t *testing.T, text string) []*Workflow {
	t.Helper()
	ws, err := Read(source.NewFile("f.json", []byte(text)))
	require.NoError(t, err)
	return ws
}

const two = `{"id":"7","name":"N","nodes":[
 {"name":"A","type":"n8n-nodes-base.webhook","typeVersion":2,"parameters":{},"position":[0.5,1]},
 {"name":"B","type":"n8n-nodes-base.noOp","retryOnFail":true,"maxTries":9}],
 "connections":{"A":{"main":[[{"node":"B","type":"main","index":0}]]}}}`

func TestShapes(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"object":              {two, 1},
		"array":               {"[" + two + "," + two + "]", 2},
		"api list":            {`{"data":[` + two + `],"nextCursor":null}`, 1},
		"api one":             {`{"data":` + two + `}`, 1},
		"template":            {`{"workflow":{"id":1,"workflow":` + two + `}}`, 1},
		"workflows":           {`{"workflows":[` + two + "," + two + `]}`, 2},
		"clipboard":           {`{"nodes":[{"name":"A","type":"n8n-nodes-base.set"}],"connections":{},"pinData":{},"meta":{}}`, 1},
		"empty":               {`{"nodes":[],"connections":{}}`, 1},
		"active version once": {`{"nodes":[],"connections":{},"activeVersion":` + two + `}`, 1},
		"null connections":    {`{"nodes":[{"type":"a.b"}],"connections":null}`, 1},
	} {
		t.Run(name, func(t *testing.T) { require.Len(t, read(t, c.text), c.want) })
	}
}

func TestOtherJSONIsNoWorkflow(t *testing.T) {
	for name, text := range map[string]string{
		"package.json": `{"name":"x","dependencies":{}}`,
		"react flow":   `{"nodes":[{"type":"input","id":"1"}],"edges":[],"connections":[]}`,
		"number":       `7`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(source.NewFile("f.json", []byte(text)))
			var none *ErrNoWorkflow
			require.ErrorAs(t, err, &none)
			require.Empty(t, none.Reason)
		})
	}
	_, err := Read(source.NewFile("f.json", []byte(`{"workflow":"{\"nodes\":[],\"connections\":{}}"}`)))
	require.ErrorContains(t, err, `under "workflow" as a JSON string`)
}

func TestNodesRunAsN8nRunsThem(t *testing.T) {
	w := read(t, two)[0]
	require.Equal(t, "7", w.ID)
	a, b := w.Node("A"), w.Node("B")
	require.InDelta(t, 0.5, a.X, 0)
	require.True(t, b.RetryOnFail)
	require.Equal(t, 5, b.MaxTries)
	require.InDelta(t, 1, b.TypeVersion, 0)
	require.Len(t, a.MainOut(), 1)
	require.Same(t, b, a.MainOut()[0].To)
	require.Equal(t, `"B"`, b.Place().Text())
	require.True(t, Reachable(a, nil)[b])
	require.False(t, Reachable(b, nil)[a])
	require.True(t, CanReach(b)[a])
}

func TestErrorModes(t *testing.T) {
	for text, want := range map[string]OnError{
		``:                                 StopWorkflow,
		`"continueOnFail":true,`:           ContinueRegularOutput,
		`"onError":"continueErrorOutput",`: ContinueErrorOutput,
		`"onError":"stopWorkflow","continueOnFail":true,`: StopWorkflow,
		`"onError":"continueRegularOutput",`:              ContinueRegularOutput,
	} {
		w := read(t, `{"nodes":[{`+text+`"name":"A","type":"x.y"}],"connections":{}}`)[0]
		require.Equal(t, want, w.Node("A").OnError, text)
	}
}

func TestOddPartsAreLeftOutAndNamed(t *testing.T) {
	node := func(name string) string { return `{"name":` + name + `,"type":"x.y"}` }
	for name, c := range map[string]struct {
		nodes, connections string
		edges              int
		odd                string
	}{
		"null group":       {node(`"A"`) + "," + node(`"B"`), `{"A":{"main":[null,[{"node":"B"}]]}}`, 1, ""},
		"missing index":    {node(`"A"`) + "," + node(`"B"`), `{"A":{"main":[[{"node":"B","type":"main"}]]}}`, 1, ""},
		"edge to nowhere":  {node(`"A"`), `{"A":{"main":[[{"node":"Z"}]]}}`, 0, `leads to "Z"`},
		"from nowhere":     {node(`"A"`), `{"Z":{"main":[[{"node":"A"}]]}}`, 0, `start at "Z"`},
		"edge is a string": {node(`"A"`), `{"A":{"main":[["B"]]}}`, 0, "not an object"},
		"group is an edge": {node(`"A"`), `{"A":{"main":[{"node":"A"}]}}`, 0, "not a list of edges"},
		"array":            {node(`"A"`), `[1]`, 0, "connections is not an object"},
		"entry is array":   {node(`"A"`), `{"A":[[{"node":"A"}]]}`, 0, "are not an object"},
		"error port":       {node(`"A"`), `{"A":{"error":[[{"node":"A"}]]}}`, 0, "no kind of connection"},
		"number name":      {node(`42`) + "," + node(`"B"`), `{"42":{"main":[[{"node":"B"}]]}}`, 1, ""},
		"proto":            {node(`"__proto__"`), `{"__proto__":{"main":[[{"node":"__proto__"}]]}}`, 1, ""},
		"same name":        {node(`"A"`) + "," + node(`"A"`), `{"A":{"main":[[{"node":"A"}]]}}`, 1, "two nodes are called"},
		"no type":          {node(`"A"`) + `,{"name":"C"}`, `{}`, 0, "has no type"},
		"node is a number": {node(`"A"`) + `,7`, `{}`, 0, "node 1 is not an object"},
		"duplicate key":    {node(`"A"`), `{"A":{"main":[[{"node":"A"}]]},"A":{"main":[[]]}}`, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := read(t, `{"nodes":[`+c.nodes+`],"connections":`+c.connections+`}`)[0]
			edges := 0
			for _, n := range w.Nodes {
				edges += len(n.Out)
			}
			require.Equal(t, c.edges, edges)
			if c.odd == "" {
				require.Empty(t, w.Odd)
				return
			}
			require.Len(t, w.Odd, 1)
			require.Contains(t, w.Odd[0].Reason, c.odd)
			require.NotEmpty(t, w.Odd[0].At.Text())
		})
	}
}

func TestBrokenJSONIsASyntaxError(t *testing.T) {
	_, err := Read(source.NewFile("f.json", []byte(`{"nodes":[`)))
	var syntax *source.SyntaxError
	require.True(t, errors.As(err, &syntax))
}

func TestBlankedExport(t *testing.T) {
	require.True(t, read(t, `{"nodes":[{"name":"A","type":"x.y","parameters":{}},{"name":"B","type":"x.y","parameters":{}}],"connections":{}}`)[0].Blank())
	require.False(t, read(t, two[:len(two)-1]+`,"x":1}`)[0].Node("A") == nil)
}
