package flow

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const langchain = "@n8n/n8n-nodes-langchain."

func parser(parameters object) object {
	return node("Shape", langchain+"outputParserStructured", 1.3, parameters)
}

// What a model's answer holds by the node's own parameters and its output parser.
func TestModelFields(t *testing.T) {
	example := parser(object{"jsonSchemaExample": `{"id": "x", "tags": [{"name": "y"}], "more": {}}`})
	schema := parser(object{"schemaType": "manual", "inputSchema": `{"type": "object", "properties": {"id": {"type": "string"}, "list": {"type": "array", "items": {"properties": {"a": {}}}}}}`})
	agent := node("Model", langchain+"agent", 2.2, nil)
	chain := node("Model", langchain+"chainLlm", 1.7, nil)
	extractor := node("Model", langchain+"informationExtractor", 1.2, object{"attributes": object{"attributes": list{object{"name": "mood"}}}})
	for _, c := range []struct {
		name   string
		model  object
		parser object
		read   string
		want   Kind
	}{
		{"an agent gives output", agent, nil, "$json.output", Model},
		{"an agent gives nothing else", agent, nil, "$json.id", Missing},
		{"a field of an agent's text, as somebody wrote it", agent, nil, "$json.output.id", Model},
		{"a chain gives text", chain, nil, "$json.text", Model},
		{"a chain without a parser gives no field", chain, nil, "$json.id", Missing},
		{"an example names the field", agent, example, "$json.output.id", Model},
		{"an example does not", agent, example, "$json.output.name", Missing},
		{"an element of a list", agent, example, "$json.output.tags[0].name", Model},
		{"an element of a list without it", agent, example, "$json.output.tags[0].other", Missing},
		{"an empty object may hold anything", agent, example, "$json.output.more.any", Model},
		{"a chain's parser may stand at the top", chain, example, "$json.id", Model},
		{"a chain's parser does not name it", chain, example, "$json.name", Missing},
		{"a schema names the field", agent, schema, "$json.output.id", Model},
		{"a schema does not", agent, schema, "$json.output.name", Missing},
		{"a schema's list", agent, schema, "$json.output.list[0].a", Model},
		{"a schema that is open", agent, parser(object{"schemaType": "manual", "inputSchema": `{"properties": {"id": {}}, "additionalProperties": true}`}), "$json.output.name", Model},
		{"a schema that refers", agent, parser(object{"schemaType": "manual", "inputSchema": `{"$ref": "#/x", "properties": {"id": {}}}`}), "$json.output.name", Model},
		{"an example that cannot be read", agent, parser(object{"jsonSchemaExample": `{"id": `}), "$json.output.name", Model},
		{"an example that an expression makes", agent, parser(object{"jsonSchemaExample": `={{ $json.x }}`}), "$json.output.name", Model},
		{"a parser that is switched off", node("Model", langchain+"agent", 2.2, object{"hasOutputParser": false}), example, "$json.output.name", Model},
		{"an extractor's attribute", extractor, nil, "$json.output.mood", Model},
		{"no attribute of an extractor", extractor, nil, "$json.output.id", Missing},
		{"spread over a field it has", extractor, nil, "({...$('Webhook').item.json.body, ...$json.output}).mood", Model},
		{"a node whose answer nobody describes", node("Model", langchain+"openAi", 1.8, nil), nil, "$json.id", Model},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts := []any{webhook(), c.model, use("={{ " + c.read + " }}"), "Webhook -> Model -> Use"}
			if c.parser != nil {
				parts = append(parts, c.parser, "Shape =ai_outputParser> Model")
			}
			require.True(t, hasKind(key(t, build(t, parts...)), c.want))
		})
	}
}

// A spread of a model's answer says nothing of the fields that it is not said to
// have.
func TestModelSpread(t *testing.T) {
	extractor := node("Model", langchain+"informationExtractor", 1.2, object{"attributes": object{"attributes": list{object{"name": "mood"}}}})
	unread := node("Model", langchain+"openAi", 1.8, nil)
	for name, c := range map[string]struct {
		model object
		item  string
	}{
		"a named field under a spread":         {extractor, "{id: $('Webhook').item.json.body.id, ...$json.output}"},
		"two spreads":                          {extractor, "{...$('Webhook').item.json.body, ...$json.output}"},
		"two spreads of what nobody describes": {unread, "{...$('Webhook').item.json.body, ...$json}"},
	} {
		t.Run(name, func(t *testing.T) {
			combine := node("Combine", "set", 3.4, object{"mode": "raw", "jsonOutput": "={{ " + c.item + " }}"})
			tr := key(t, build(t, webhook(), c.model, combine, use("={{ $json.id }}"), "Webhook -> Model -> Combine -> Use"))
			require.False(t, hasKind(tr, Model), shown(tr.Origins))
			require.True(t, hasKind(tr, TriggerField), shown(tr.Origins))
		})
	}
}

func TestMapped(t *testing.T) {
	w := build(t, webhook(), node("Model", langchain+"openAi", 1.8, nil), use("x"), "Webhook -> Model -> Use")
	tr := tracer(w)
	require.Equal(t, Unknown, tr.Mapped(w.Node("Use"), "id").Origins[0].Kind, "nobody has named the field")
	require.Equal(t, Model, tr.Field(w.Node("Use"), "id").Origins[0].Kind)
}

func TestStandsIn(t *testing.T) {
	tr := key(t, build(t, webhook(), use("={{ $json.eventId || Date.now() }}"), "Webhook -> Use"))
	for _, o := range tr.Origins {
		require.Equal(t, o.Kind == Volatile, o.StandsIn)
	}
	tr = key(t, build(t, webhook(), use("={{ $json.body.id || Date.now() }}"), "Webhook -> Use"))
	for _, o := range tr.Origins {
		require.False(t, o.StandsIn)
	}
}

func hasKind(tr Trace, k Kind) bool {
	for _, o := range tr.Origins {
		if o.Kind == k {
			return true
		}
	}
	return false
}
