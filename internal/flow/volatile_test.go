package flow

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

func TestVolatileFields(t *testing.T) {
	tests := []struct {
		kind string
		path string
		want string // a part of the reason; empty: kept by a redelivery
	}{
		{"webhook", "", "whole delivery"},
		{"webhook", "headers", "all headers"},
		{"webhook", "headers.x-request-id", "each request"},
		{"webhook", "headers.X-Request-Id", "each request"},
		{"webhook", "headers.x-forwarded-for", "the way"},
		{"webhook", "headers.date", "time of the delivery"},
		{"webhook", "headers.x-slack-retry-num", "counts"},
		{"webhook", "headers.x-github-delivery", ""},
		{"webhook", "headers.idempotency-key", ""},
		{"webhook", "body", ""},
		{"webhook", "body.id", ""},
		{"webhook", "body.date", ""},
		{"webhook", "body.0.attemptNumber", "counts"},
		{"webhook", "body.attempt_number", "counts"},
		{"webhook", "body.meta.attempt", "counts"},
		{"webhook", "attempt", ""},
		{"githubTrigger", "headers.x-github-delivery", ""},
		{"githubTrigger", "headers.x-request-id", "each request"},
		{"hubspotTrigger", "attemptNumber", "counts"},
		{"stripeTrigger", "", ""},
		{"stripeTrigger", "id", ""},
		{"formTrigger", "submittedAt", "time"},
		{"scheduleTrigger", "timestamp", "time of this run"},
		{"scheduleTrigger", "Day of week", ""},
	}
	for _, test := range tests {
		o := Origin{Kind: TriggerField, Node: &graph.Node{Type: "n8n-nodes-base." + test.kind}}
		if test.path != "" {
			o.Path = strings.Split(test.path, ".")
		}
		reason, ok := VolatileField(o)
		require.Equal(t, test.want != "", ok, "%s %s: %s", test.kind, test.path, reason)
		require.Contains(t, reason, test.want)
		require.Equal(t, ok, VolatileFieldConfidence(o) != "")
		o.Kind = Response
		_, ok = VolatileField(o)
		require.False(t, ok, "only fields of an event")
	}
	_, ok := VolatileField(Origin{Kind: TriggerField})
	require.False(t, ok)
}

// The tables may name only shapes that the code knows and types that exist.
func TestTables(t *testing.T) {
	c := catalog.New()
	known := map[string]bool{
		shapePass: true, shapeSet: true, shapeMerge: true, shapeLoop: true, shapeRename: true, shapeSplit: true, shapeAggregate: true, shapeFigures: true,
		shapeMake: true, shapeVolatile: true, shapeRow: true, shapeEcho: true, shapeCall: true, shapeResponse: true, shapeModel: true, shapeFile: true,
		shapeMakesFile: true, shapeUnion: true, shapeScript: true, shapeNone: true,
	}
	exists := func(nodeType string) {
		_, why := c.Row(&graph.Node{Type: nodeType, TypeVersion: -1})
		require.NotContains(t, why, "is not one of n8n's own", nodeType)
	}
	for _, f := range catalog.Rows(itemsTSV) {
		require.Len(t, f, 9, f)
		require.True(t, known[f[3]], f)
		exists(f[0])
	}
	for _, f := range catalog.Rows(triggerItemsTSV) {
		require.Len(t, f, 6, f)
		require.Contains(t, []string{"open", "closed"}, f[2])
		require.NotEmpty(t, f[5])
		exists(f[0])
	}
	for _, f := range catalog.Rows(modelsTSV) {
		require.Len(t, f, 5, f)
		require.Contains(t, []string{"-", schemaOfParser, schemaOfNode}, f[3])
		exists(f[0])
	}
	for _, f := range catalog.Rows(volatileFieldsTSV) {
		require.Len(t, f, 5, f)
		require.Contains(t, []string{"high", "medium", "low"}, f[3])
		require.NotEmpty(t, f[4])
		exists(f[0])
	}
	for _, f := range catalog.Rows(callsTSV) {
		require.Len(t, f, 3, f)
		require.Contains(t, []string{string(callPure), string(callResponse), string(callMemory)}, f[1])
		require.NotEmpty(t, f[2])
	}
	forms := []dayForm{dayCall, dayProperty, dayUnit, dayFormat, dayFirstTen, dayBeforeT, dayAround}
	for _, f := range catalog.Rows(dayBucketsTSV) {
		require.Len(t, f, 3, f)
		require.Contains(t, forms, dayForm(f[1]))
	}
}

func TestVersionRanges(t *testing.T) {
	for text, fits := range map[string][3]bool{"-": {true, true, true}, "2": {false, true, false}, "2-": {false, true, true}, "1-2": {true, true, false}, "-2": {true, true, false}} {
		r := readRange(text)
		require.Equal(t, fits, [3]bool{r.has(1), r.has(2), r.has(3.4)}, text)
	}
}
