package flow

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each case is a chain of nodes from the Webhook to the node that uses the key.
func TestOriginsThroughNodes(t *testing.T) {
	crypto := func(parameters object) object { return node("N", "crypto", 1, parameters) }
	date := func(version float64, parameters object) object { return node("N", "dateTime", version, parameters) }
	tests := []struct {
		name string
		node object
		key  string
		want string
	}{
		{"webhook body", nil, "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"webhook has no such field", nil, "={{ $json.id }}", "missing Webhook id"},
		{"whole delivery", nil, "={{ JSON.stringify($json) }}", "trigger field Webhook"},
		{"volatile in place", nil, "={{ $now.toMillis() }}", "volatile Use $now try"},
		{"execution id in place", nil, "={{ $execution.id }}", "volatile Use $execution.id"},
		{"fallback", nil, "={{ $json.body.id || 'r' + Date.now() }}", "trigger field Webhook body.id, volatile Use Date.now() try?"},
		{"workflow id", nil, "={{ $workflow.id }}", "constant Use $workflow.id"},
		{"environment", nil, "={{ $env.KEY }}", "environment Use $env.KEY"},
		{"model's parameter", nil, "={{ $fromAI('key') }}", "model Use $fromAI()"},
		{"literal", nil, "abc", "constant Use"},
		{"literal code", nil, "={{ 'abc' }}", "constant Use"},
		{"text that is no expression", nil, "{{ $now }}", "constant Use"},
		{"not readable", nil, "={{ $json. }}", "unknown Use"},
		{"node that is not there", nil, "={{ $('X').item.json.a }}", "unknown Use a"},

		{"set", set("N", false, "k", "={{ $json.body.id }}"), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"set volatile", set("N", true, "k", "={{ $execution.id }}"), "={{ $json.k }}", "volatile N $execution.id"},
		{"set's other field", set("N", true, "k", "={{ $execution.id }}"), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"set drops others", set("N", false, "k", "={{ $now }}"), "={{ $json.body.id }}", "missing N body.id"},
		{"set literal", set("N", true, "k", "abc"), "={{ $json.k }}", "constant N"},
		{"set nested", set("N", true, "a.b", "={{ $now }}", "a.c", "={{ $json.body.id }}"), "={{ $json.a.c }}", "trigger field Webhook body.id"},
		{"set nested, whole", set("N", false, "a.b", "={{ $now }}", "a.c", "={{ $json.body.id }}"), "={{ JSON.stringify($json.a) }}", "volatile N $now, trigger field Webhook body.id"},
		{"set object, deeper", set("N", true, "a", "={{ $json.body }}"), "={{ $json.a.x.id }}", "trigger field Webhook body.x.id"},
		{"set twice, the last", set("N", true, "k", "={{ $now }}", "k", "={{ $json.body.id }}"), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"set object by text", set("N", true, "a", "={\"id\": \"{{ $json.body.id }}\", \"t\": \"{{ $now }}\"}"), "={{ $json.a.id }}", "trigger field Webhook body.id"},
		{"set flat", node("N", "set", 3.4, object{"options": object{"dotNotation": false}, "assignments": object{"assignments": list{object{"name": "a.b", "value": "={{ $now }}"}}}}),
			"={{ $json['a.b'] }}", "volatile N $now"},
		{"set flat is not nested", node("N", "set", 3.4, object{"options": object{"dotNotation": false}, "assignments": object{"assignments": list{object{"name": "a.b", "value": "={{ $now }}"}}}}),
			"={{ $json.a.b }}", "missing N a.b"},
		{"set raw", node("N", "set", 3.4, object{"mode": "raw", "jsonOutput": "={ \"k\": \"{{ $json.body.id }}\", \"t\": {{ $now.toMillis() }}, \"c\": 1 }"}),
			"={{ $json.k }}", "trigger field Webhook body.id"},
		{"set raw, bare", node("N", "set", 3.4, object{"mode": "raw", "jsonOutput": "={ \"k\": \"{{ $json.body.id }}\", \"t\": {{ $now.toMillis() }}, \"c\": 1 }"}),
			"={{ $json.t }}", "volatile N $now"},
		{"set raw, literal", node("N", "set", 3.4, object{"mode": "raw", "jsonOutput": "{ \"k\": \"x\" }"}), "={{ $json.k }}", "constant N"},
		{"set raw, missing", node("N", "set", 3.4, object{"mode": "raw", "jsonOutput": "{ \"k\": \"x\" }"}), "={{ $json.body.id }}", "missing N body.id"},
		{"set raw, kept", node("N", "set", 3.4, object{"mode": "raw", "includeOtherFields": true, "jsonOutput": "{ \"k\": \"x\" }"}), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"set raw by one expression", node("N", "set", 3.4, object{"mode": "raw", "jsonOutput": "={{ { k: $json.body.id, t: $now } }}"}), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"set 3.4 selected", node("N", "set", 3.4, object{"includeOtherFields": true, "include": "selected", "includeFields": "query, body.id"}), "={{ $json.id }}", "trigger field Webhook body.id"},
		{"set 3.4 not selected", node("N", "set", 3.4, object{"includeOtherFields": true, "include": "selected", "includeFields": "query"}), "={{ $json.body.id }}", "missing N body.id"},
		{"set 3.4 excepted", node("N", "set", 3.4, object{"includeOtherFields": true, "include": "except", "excludeFields": "body"}), "={{ $json.body.id }}", "missing N body.id"},
		{"set 3", node("N", "set", 3, object{"fields": object{"values": list{object{"name": "k", "stringValue": "={{ $json.body.id }}"}}}, "include": "none"}), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"set 3 keeps", node("N", "set", 3, object{"fields": object{"values": list{object{"name": "k", "type": "numberValue", "numberValue": "={{ $now }}"}}}}), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"set 2", node("N", "set", 2, object{"values": object{"string": list{object{"name": "k", "value": "={{ $now }}"}}}}), "={{ $json.k }}{{ $json.body.id }}", "volatile N $now, trigger field Webhook body.id"},
		{"set 1 only", node("N", "set", 1, object{"keepOnlySet": true, "values": object{"number": list{object{"name": "k", "value": 7}}}}), "={{ $json.k }}{{ $json.body.id }}", "constant N, missing N body.id"},

		{"code", code("N", "return items.map(i => ({ json: { k: i.json.body.id, t: Date.now() } }))"), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"code volatile", code("N", "return items.map(i => ({ json: { k: i.json.body.id, t: Date.now() } }))"), "={{ $json.t }}", "volatile N Date.now()"},
		{"code closed", code("N", "return items.map(i => ({ json: { k: i.json.body.id } }))"), "={{ $json.x }}", "missing N x"},
		{"code writes into the item", code("N", "for (const i of $input.all()) { i.json.k = $execution.id }\nreturn $input.all()"), "={{ $json.k }}{{ $json.body.id }}", "volatile N $execution.id, trigger field Webhook body.id"},
		{"code for each item", node("N", "code", 2, object{"mode": "runOnceForEachItem", "jsCode": "$json.k = Math.random(); return $json"}), "={{ $json.k }}{{ $json.body.id }}", "volatile N Math.random(), trigger field Webhook body.id"},
		{"old function item", node("N", "functionItem", 1, object{"functionCode": "item.k = new Date().getTime(); return item;"}), "={{ $json.k }}", "volatile N new Date()"},
		{"old function", node("N", "function", 1, object{"functionCode": "items[0].json.k = items[0].json.body.id; return items;"}), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"code hashes", code("N", "const c = require('crypto'); return [{ json: { k: c.createHash('md5').update($json.body.id).digest('hex') } }]"), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"code asks a service", code("N", "const r = await this.helpers.httpRequest({ url: 'https://example.com' }); return [{ json: { k: r.id } }]"), "={{ $json.k }}", "response N this.helpers.httpRequest"},
		{"code keeps", code("N", "const s = $getWorkflowStaticData('global'); return [{ json: { k: s.last } }]"), "={{ $json.k }}", "row N $getWorkflowStaticData"},
		{"code, whole", code("N", "return [{ json: { a: $json.body.id, t: Date.now() } }]"), "={{ JSON.stringify($json) }}", "volatile N Date.now(), trigger field Webhook body.id"},
		{"python", node("N", "code", 2, object{"language": "python", "pythonCode": "return items"}), "={{ $json.k }}", "unknown N"},
		{"code that cannot be read", code("N", "return ((("), "={{ $json.k }}", "unknown N"},

		{"uuid", crypto(object{"action": "generate", "dataPropertyName": "k"}), "={{ $json.k }}", "volatile N uuid (Crypto)"},
		{"uuid's other field", crypto(object{"action": "generate", "dataPropertyName": "k"}), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"random bytes", crypto(object{"action": "generate", "encodingType": "hex"}), "={{ $json.data }}", "volatile N hex (Crypto)"},
		{"hash", crypto(object{"value": "={{ $json.body.id }}", "dataPropertyName": "k"}), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"hash of a time", crypto(object{"action": "hmac", "value": "={{ $json.body.id }}{{ $now }}"}), "={{ $json.data }}", "volatile N $now, trigger field Webhook body.id"},

		{"current date", date(2, object{"operation": "getCurrentDate"}), "={{ $json.currentDate }}", "volatile N current date (Date Time)"},
		{"current day", date(2, object{"operation": "getCurrentDate", "includeTime": false, "outputFieldName": "d"}), "={{ $json.d }}", "volatile N current date (Date Time) day"},
		{"date drops the item", date(2, object{"operation": "getCurrentDate"}), "={{ $json.body.id }}", "missing N body.id"},
		{"date keeps the item", date(2, object{"operation": "getCurrentDate", "options": object{"includeInputFields": true}}), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"formatted date", date(2, object{"operation": "formatDate", "date": "={{ $json.body.at }}"}), "={{ $json.formattedDate }}", "trigger field Webhook body.at"},
		{"formatted now", date(2, object{"operation": "formatDate", "date": "={{ $now }}", "format": "yyyy-MM-dd"}), "={{ $json.formattedDate }}", "volatile N $now day"},
		{"formatted now with time", date(2, object{"operation": "formatDate", "date": "={{ $now }}", "format": "custom", "customFormat": "yyyyMMddHH"}), "={{ $json.formattedDate }}", "volatile N $now"},
		{"rounded now", date(2, object{"operation": "roundDate", "date": "={{ $now }}", "toNearest": "month"}), "={{ $json.roundedDate }}", "volatile N $now day"},
		{"between", date(2, object{"operation": "getTimeBetweenDates", "startDate": "={{ $json.body.a }}", "endDate": "={{ $now }}"}), "={{ $json.timeDifference.days }}", "volatile N $now, trigger field Webhook body.a"},
		{"old date", date(1, object{"value": "={{ $json.body.at }}", "dataPropertyName": "d"}), "={{ $json.d }}{{ $json.body.id }}", "trigger field Webhook body.at, trigger field Webhook body.id"},

		{"renamed", node("N", "renameKeys", 1, object{"keys": object{"key": list{object{"currentKey": "body.id", "newKey": "k"}}}}), "={{ $json.k }}", "trigger field Webhook body.id"},
		{"renamed away", node("N", "renameKeys", 1, object{"keys": object{"key": list{object{"currentKey": "body", "newKey": "k"}}}}), "={{ $json.body.id }}", "missing N body.id"},
		{"not renamed", node("N", "renameKeys", 1, object{"keys": object{"key": list{object{"currentKey": "query", "newKey": "k"}}}}), "={{ $json.body.id }}", "trigger field Webhook body.id"},

		{"split", node("N", "splitOut", 1, object{"fieldToSplitOut": "body.items"}), "={{ $json.id }}", "trigger field Webhook body.items.*.id"},
		{"split, simple elements", node("N", "splitOut", 1, object{"fieldToSplitOut": "body.ids"}), "={{ $json['body.ids'] }}", "trigger field Webhook body.ids.*, trigger field Webhook body.ids.*.body.ids"},
		{"split, named", node("N", "splitOut", 1, object{"fieldToSplitOut": "body.items", "options": object{"destinationFieldName": "i"}}), "={{ $json.i.id }}", "trigger field Webhook body.items.*.id"},
		{"split drops others", node("N", "splitOut", 1, object{"fieldToSplitOut": "body.items", "options": object{"destinationFieldName": "i"}}), "={{ $json.body.id }}", "missing N body.id"},
		{"split keeps others", node("N", "splitOut", 1, object{"fieldToSplitOut": "body.items", "include": "allOtherFields"}), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"split keeps some", node("N", "splitOut", 1, object{"fieldToSplitOut": "body.items", "include": "selectedOtherFields", "fieldsToInclude": "query"}), "={{ $json.query.a }}{{ $json.headers.b }}", "trigger field Webhook query.a, missing N headers.b"},
		{"old split", node("N", "itemLists", 3, object{"fieldToSplitOut": "body.items"}), "={{ $json.id }}", "trigger field Webhook body.items.*.id"},
		{"old limit", node("N", "itemLists", 3, object{"operation": "limit"}), "={{ $json.body.id }}", "trigger field Webhook body.id"},

		{"aggregate", node("N", "aggregate", 1, object{"fieldsToAggregate": object{"fieldToAggregate": list{object{"fieldToAggregate": "body.id"}}}}), "={{ $json.id.join() }}", "trigger field Webhook body.id"},
		{"aggregate, renamed", node("N", "aggregate", 1, object{"fieldsToAggregate": object{"fieldToAggregate": list{object{"fieldToAggregate": "body.id", "renameField": true, "outputFieldName": "ids"}}}}), "={{ $json.ids[0] }}", "trigger field Webhook body.id"},
		{"aggregate, other", node("N", "aggregate", 1, object{"fieldsToAggregate": object{"fieldToAggregate": list{object{"fieldToAggregate": "body.id"}}}}), "={{ $json.x }}", "missing N x"},
		{"aggregate all", node("N", "aggregate", 1, object{"aggregate": "aggregateAllItemData"}), "={{ $json.data[0].body.id }}", "trigger field Webhook body.id"},
		{"aggregate all, other", node("N", "aggregate", 1, object{"aggregate": "aggregateAllItemData", "destinationFieldName": "all"}), "={{ $json.data }}", "missing N data"},
		{"figures", node("N", "summarize", 1.1, object{"fieldsToSummarize": object{"values": list{object{"aggregation": "sum", "field": "body.n"}}}, "fieldsToSplitBy": "body.id"}), "={{ $json.sum_body_n }}{{ $json.body_id }}", "trigger field Webhook body.n, trigger field Webhook body.id"},

		{"markdown", node("N", "markdown", 1, object{"html": "={{ $json.body.html }}"}), "={{ $json.data }}{{ $json.body.id }}", "trigger field Webhook body.html, trigger field Webhook body.id"},
		{"xml", node("N", "xml", 1, object{"dataPropertyName": "body"}), "={{ $json.order.id }}", "trigger field Webhook body"},
		{"html", node("N", "html", 1.2, object{"operation": "extractHtmlContent", "dataPropertyName": "body.page"}), "={{ $json.title }}", "trigger field Webhook body.page"},
		{"html template", node("N", "html", 1.2, object{"html": "<b>{{ $json.body.name }}</b>"}), "={{ $json.html }}", "trigger field Webhook body.name"},
		{"file", node("N", "extractFromFile", 1, nil), "={{ $json.a }}", "trigger field Webhook $binary"},
		{"made file", node("N", "convertToFile", 1.1, nil), "={{ $json.a }}", "unknown N"},

		{"if", node("N", "if", 2.2, nil), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"wait", node("N", "wait", 1.1, nil), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"wait for a call", node("N", "wait", 1.1, object{"resume": "webhook"}), "={{ $json.body.id }}", "response N body.id"},
		{"remove duplicates", node("N", "removeDuplicates", 2, nil), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"disabled", node("N", "httpRequest", 4.2, nil, object{"disabled": true}), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"loop", node("N", "splitInBatches", 1, nil), "={{ $json.body.id }}", "trigger field Webhook body.id"},

		{"http", node("N", "httpRequest", 4.2, object{"url": "https://example.com"}), "={{ $json.id }}", "response N id"},
		{"service", node("N", "slack", 2.3, object{"resource": "message", "operation": "post"}), "={{ $json.ts }}", "response N ts"},
		{"chain", node("N", "@n8n/n8n-nodes-langchain.chainLlm", 1.7, nil), "={{ $json.text }}", "model N text"},
		{"agent", node("N", "@n8n/n8n-nodes-langchain.agent", 2.2, nil), "={{ $json.output }}", "model N output"},
		{"extractor", node("N", "@n8n/n8n-nodes-langchain.informationExtractor", 1.2, nil), "={{ $json.output.id }}", "model N output.id"},
		{"classifier", node("N", "@n8n/n8n-nodes-langchain.textClassifier", 1, nil), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"sentiment", node("N", "@n8n/n8n-nodes-langchain.sentimentAnalysis", 1, nil), "={{ $json.body.id }}{{ $json.sentimentAnalysis.category }}", "trigger field Webhook body.id, model N sentimentAnalysis.category"},
		{"model of OpenAI", node("N", "@n8n/n8n-nodes-langchain.openAi", 1.8, object{"modelId": "gpt"}), "={{ $json.message.content }}", "model N message.content"},
		{"file of OpenAI is no text of a model", node("N", "@n8n/n8n-nodes-langchain.openAi", 1.8, object{"resource": "file", "operation": "upload"}), "={{ $json.id }}", "response N id"},
		{"operation that is not known", node("N", "slack", 2.3, object{"resource": "moon", "operation": "land"}), "={{ $json.ts }}", "response N ts"},
		{"community", node("N", "n8n-nodes-other.thing", 1, nil), "={{ $json.id }}", "unknown N id"},
		{"nothing goes on", node("N", "stopAndError", 1, nil), "={{ $json.id }}", "unknown Use"},

		{"sheet read", node("N", "googleSheets", 4.7, object{"operation": "read"}), "={{ $json.id }}", "row N id"},
		{"sheet append", node("N", "googleSheets", 4.7, object{"operation": "append", "columns": object{"mappingMode": "defineBelow", "value": object{"id": "={{ $json.body.id }}", "at": "={{ $now }}"}}}), "={{ $json.id }}", "trigger field Webhook body.id"},
		{"sheet append of the item", node("N", "googleSheets", 4.7, object{"operation": "append", "columns": object{"mappingMode": "autoMapInputData"}}), "={{ $json.body }}", "row N body, trigger field Webhook body"},
		{"airtable", node("N", "airtable", 2.1, object{"operation": "create", "columns": object{"mappingMode": "defineBelow", "value": object{"Key": "={{ $now }}"}}}), "={{ $json.Key }}{{ $json.id }}", "volatile N $now, row N id"},
		{"redis get", node("N", "redis", 1, object{"operation": "get", "propertyName": "seen"}), "={{ $json.seen }}{{ $json.body }}", "row N seen, missing N body"},
		{"redis set", node("N", "redis", 1, object{"operation": "set"}), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"data table", node("N", "dataTable", 1, object{"operation": "rowNotExists"}), "={{ $json.body.id }}", "trigger field Webhook body.id"},
		{"error of a call", node("N", "httpRequest", 4.2, nil, object{"onError": "continueRegularOutput"}), "={{ $json.error }}", "response N error, response N error error"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			parts := []any{webhook(), use(test.key), "Webhook -> Use"}
			if test.node != nil {
				parts = []any{webhook(), test.node, use(test.key), "Webhook -> N -> Use"}
			}
			require.Equal(t, test.want, shown(key(t, build(t, parts...)).Origins))
		})
	}
}
