package httpcall

import "testing"

func TestTools(t *testing.T) {
	requireVerdicts(t, []classifyCase{
		{"POST https://api.openai.com/v1/chat/completions", "", KindCompute, ImpactNone},
		{"POST https://api.anthropic.com/v1/messages", "", KindCompute, ImpactNone},
		{"POST https://generativelanguage.googleapis.com/v1beta/models/x:generateContent", "", KindCompute, ImpactNone},
		{"POST https://openrouter.ai/api/v1/chat/completions", "", KindCompute, ImpactNone},
		{"POST http://ollama:11434/api/generate", "", KindCompute, ImpactNone},
		{"POST {}/v1/chat/completions", "", KindCompute, ImpactNone},
		{"POST https://api.firecrawl.dev/v1/scrape", "", KindCompute, ImpactNone},
		{"POST https://api.apify.com/v2/acts/x~y/run-sync-get-dataset-items", "", KindCompute, ImpactNone},
		{"POST https://api.hubapi.com/crm/v3/objects/contacts/search", "", KindRead, ImpactNone},
		{"POST https://api.hubapi.com/crm/v3/objects/deals", "", KindRepeatable, ImpactRecord},
		{"POST https://api.hubapi.com/crm/v3/objects/contacts/batch/upsert", "", KindIdempotent, ImpactRecord},
		{"POST https://api.notion.com/v1/databases/{}/query", "", KindRead, ImpactNone},
		{"POST https://api.notion.com/v1/pages", "", KindRepeatable, ImpactRecord},
		{"PATCH https://api.notion.com/v1/blocks/{}/children", "", KindRepeatable, ImpactRecord},
		{"POST https://api.airtable.com/v0/{}/{}", "", KindRepeatable, ImpactRecord},
		{"PATCH https://api.airtable.com/v0/{}/{}", `{"performUpsert": {"fieldsToMergeOn": ["a"]}}`, KindIdempotent, ImpactRecord},
		{"POST https://sheets.googleapis.com/v4/spreadsheets/{}/values/A1:append", "", KindRepeatable, ImpactRecord},
		{"POST https://www.googleapis.com/calendar/v3/calendars/primary/events", "", KindRepeatable, ImpactRecord},
		{"POST https://oauth2.googleapis.com/token", "", KindCompute, ImpactNone},
		{"POST https://x.supabase.co/rest/v1/orders", `{"id": 1}`, KindRepeatable, ImpactRecord},
		{"POST https://x.supabase.co/rest/v1/rpc/claim", "", KindUnknown, ImpactNone},
		{"POST https://api.github.com/repos/o/r/issues", "", KindRepeatable, ImpactRecord},
		{"POST https://graph.microsoft.com/v1.0/me/sendMail", "", KindRepeatable, ImpactMessage},
		{"POST https://es.example/idx/_search", "", KindRead, ImpactNone},
		{"POST https://n8n.example.com/webhook/x", "", KindRepeatable, ImpactRecord},
		{"PUT http://qdrant:6333/collections/c/points", "", KindIdempotent, ImpactRecord},
		{"POST https://api.example.com/v1/payments", "", KindRepeatable, ImpactMoney},
		{"POST https://api.example.com/v1/orders", "", KindRepeatable, ImpactRecord},
		{"POST https://api.example.com/v1/invoices", "", KindRepeatable, ImpactRecord},
		{"POST https://api.example.com/payments/settings", "", KindRepeatable, ImpactRecord},
		{"POST https://api.example.com/v1/searches", "", KindRepeatable, ImpactRecord},
		{"POST https://search.example.com/v1/things", "", KindRepeatable, ImpactRecord},
		{"POST https://api.example.com/search/7/notes", "", KindRepeatable, ImpactRecord},
	})
}
