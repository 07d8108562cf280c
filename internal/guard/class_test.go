package guard

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
)

// RULES, severity: who starts the workflow decides how an event can come twice.
func TestTriggerClass(t *testing.T) {
	for _, c := range []struct {
		trigger object
		want    catalog.Class
	}{
		{node("T", "webhook", 2, object{"path": "x"}), catalog.Event},
		{node("T", "stripeTrigger", 1, object{"events": []string{"charge.succeeded"}}), catalog.Event},
		{node("T", "formTrigger", 2.2, object{"formTitle": "x"}), catalog.Form},
		{node("T", "@n8n/n8n-nodes-langchain.chatTrigger", 1.1, object{"options": object{}}), catalog.Form},
		{node("T", "gmailTrigger", 1.2, object{"pollTimes": object{}}), catalog.Poll},
		{node("T", "scheduleTrigger", 1.2, object{"rule": object{}}), catalog.Schedule},
		{node("T", "redisTrigger", 1, object{"channels": "x"}), catalog.Schedule},
		{node("T", "executeWorkflowTrigger", 1.1, object{"inputSource": "passthrough"}), catalog.Called},
		{node("T", "manualTrigger", 1, nil), catalog.Manual},
		{node("T", "errorTrigger", 1, nil), catalog.Failure},
	} {
		t.Run(c.trigger["type"].(string), func(t *testing.T) {
			f := analyze(t, workflow(c.trigger, mail("Send"), "T -> Send"))[0]
			require.Equal(t, []Root{{Trigger: f.Workflow.Node("T"), Class: c.want}}, f.Triggers)
		})
	}
	t.Run("disabled", func(t *testing.T) {
		off := hook()
		off["disabled"] = true
		f := analyze(t, workflow(off, mail("Send"), "Hook -> Send"))[0]
		require.Empty(t, f.Triggers)
		require.Empty(t, f.Effects)
	})
}

// A webhook whose payload nobody reads is a button (RULES: severity).
func TestWebhookAsButton(t *testing.T) {
	fixed := func(name string) object {
		return node(name, "gmail", 2.1, object{"sendTo": "boss@example.com", "subject": "Go", "message": "Go"})
	}
	set := func(more object, value string) object {
		p := object{"assignments": object{"assignments": []object{{"id": "1", "name": "x", "type": "string", "value": value}}}}
		for k, v := range more {
			p[k] = v
		}
		return node("Set", "set", 3.4, p)
	}
	read := node("Read", "googleSheets", 4.5, sheet("read"))
	delete(read["parameters"].(object), "filtersUI")
	delete(read["parameters"].(object), "columns")
	for _, c := range []struct {
		name  string
		parts []any
		want  catalog.Class
	}{
		{"nobody reads", []any{fixed("Send"), "Hook -> Send"}, catalog.Form},
		{"read at once", []any{mail("Send"), "Hook -> Send"}, catalog.Event},
		{"read behind a node that passes", []any{noOp("A"), mail("Send"), "Hook -> A -> Send"}, catalog.Event},
		{"read by the trigger's name", []any{read, node("Send", "gmail", 2.1, object{"sendTo": "={{ $('Hook').item.json.body.mail }}"}), "Hook -> Read -> Send"}, catalog.Event},
		{"the item is another one by then", []any{read, mail("Send"), "Hook -> Read -> Send"}, catalog.Form},
		{"set drops it", []any{set(nil, "fixed"), mail("Send"), "Hook -> Set -> Send"}, catalog.Form},
		{"set keeps it", []any{set(object{"includeOtherFields": true}, "fixed"), mail("Send"), "Hook -> Set -> Send"}, catalog.Event},
		{"set reads it", []any{set(nil, "={{ $json.body.id }}"), fixed("Send"), "Hook -> Set -> Send"}, catalog.Event},
		{"code reads it", []any{code("return [{ json: { a: $input.first().json.body.a } }];", nil), fixed("Send"), "Hook -> Won? -> Send"}, catalog.Event},
		{"code does not", []any{code("return [{ json: { a: 1 } }];", nil), fixed("Send"), "Hook -> Won? -> Send"}, catalog.Form},
		{"all fields are mapped", []any{node("Send", "postgres", 2.6, object{"operation": "insert", "table": object{"value": "orders"}, "columns": object{"mappingMode": "autoMapInputData"}}), "Hook -> Send"}, catalog.Event},
		{"another workflow gets it", []any{call("elsewhere"), fixed("Send"), "Hook -> Call -> Send"}, catalog.Event},
		{"only a disabled node reads it", []any{func() object { n := mail("Off"); n["disabled"] = true; return n }(), fixed("Send"), "Hook -> Off -> Send"}, catalog.Form},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := analyze(t, workflow(append([]any{hook()}, c.parts...)...))[0]
			require.Equal(t, c.want, f.Triggers[0].Class)
		})
	}
}
