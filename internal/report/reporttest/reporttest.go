// Package reporttest makes up results for the tests of the formats: ordinary
// ones, and ones with everything in them that a stranger's workflow could use
// against a terminal, a log or a parser.
package reporttest

import (
	"fmt"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

const orderMail = `{
  "id": "wf1",
  "name": "Order mail",
  "nodes": [
    {
      "id": "n1",
      "name": "Webhook",
      "type": "n8n-nodes-base.webhook",
      "typeVersion": 2,
      "position": [0, 0],
      "parameters": { "path": "orders" }
    },
    {
      "id": "n2",
      "name": "Claim event",
      "type": "n8n-nodes-base.postgres",
      "typeVersion": 2.5,
      "position": [200, 0],
      "parameters": {
        "operation": "executeQuery",
        "query": "INSERT INTO events (id)\nVALUES ($1)\nON CONFLICT DO NOTHING\nRETURNING id"
      }
    },
    {
      "id": "n3",
      "name": "Create payment",
      "type": "n8n-nodes-base.httpRequest",
      "typeVersion": 4.2,
      "position": [400, 0],
      "parameters": {
        "method": "POST",
        "url": "https://api.pay.example/v1/charges",
        "sendHeaders": true,
		"headerParameters": {	"parameters": [{ "name": "Authorization", "value": "Bearer made-up.4f6a" }] }
      }
    },
    {
      "id": "n4",
      "name": "Bestätigung 送信 🎉",
      "type": "n8n-nodes-base.emailSend",
      "typeVersion": 2.1,
      "position": [600, 0],
      "parameters": { "subject": "Danke 🎉", "toEmail": "={{ $json.email }}" }
    }
  ],
  "connections": {
    "Webhook": { "main": [[{ "node": "Claim event", "type": "main", "index": 0 }]] },
    "Claim event": { "main": [[{ "node": "Create payment", "type": "main", "index": 0 }]] },
    "Create payment": { "main": [[{ "node": "Bestätigung 送信 🎉", "type": "main", "index": 0 }]] }
  }
}
`

// minified is one line, with characters outside the BMP before the places that
// are reported, and names that try to do harm.
const minified = `[{"name":"::stop-commands::x\n::error::owned","nodes":[` +
	`{"id":"m1","name":"##[error]\u001b[31mred\u202egpj.exe","type":"n8n-nodes-base.webhook","typeVersion":2,"position":[0,0],"parameters":{"path":"a","notice":"😀😀😀 <script>alert(1)</script> & more filler text before the node that matters"}},` +
	`{"id":"m2","name":"[free](https://evil.example/)","type":"n8n-nodes-base.slack","typeVersion":2.2,"position":[200,0],"parameters":{"text":"={{ $json.text }}","channelId":{"__rl":true,"mode":"id","value":"C1"},"note":"😀 filler, filler, filler, filler, filler, filler, filler, filler, filler"}}` +
	`],"connections":{"##[error]\u001b[31mred\u202egpj.exe":{"main":[[{"node":"[free](https://evil.example/)","type":"main","index":0}]]}}},` +
	`{"id":"quiet","name":"Nothing to say","nodes":[{"name":"Start","type":"n8n-nodes-base.manualTrigger","typeVersion":1,"position":[0,0],"parameters":{}}],"connections":{}}]`

// Rules are three made-up rules, not sorted by id.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		{
			ID: "unclaimed-side-effect", Title: "a side effect that every delivery repeats", Family: "claim",
			Severity: lint.Error, Confidence: lint.High, Default: true,
			Doc: "# unclaimed-side-effect\n\nThe trigger can deliver an event again, and nothing\nstops the *effect* from happening twice. See [claims](https://example.com/claims).\n\n" +
				"## Example\n\n- one `node` that sends,\n  with a soft break\n- another\n\n```sql\nINSERT INTO events (id) VALUES ($1)\n  ON CONFLICT DO NOTHING\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n",
		},
		{ID: "leaky-claim", Title: "a claim whose loser goes on", Family: "claim", Severity: lint.Error, Confidence: lint.Medium, Default: true,
			Doc: "# leaky-claim\n\nThe loser of the claim reaches the effect as well.\n"},
		{ID: "ack-before-record", Title: "an answer before the event is stored", Family: "ingress", Severity: lint.Note, Confidence: lint.Low},
	}
}

// Result is a result with findings of every severity in two files, flows,
// related places, fixes, problems and things not judged.
func Result() *lint.Result {
	rules := Rules()
	order := Workflows("flows/order mail.json", orderMail)
	hostile := Workflows("flows/HTTP: ::error::a#1%.json", minified)
	w, h := order[0], hostile[0]
	webhook, claim, payment, mail := w.Nodes[0], w.Nodes[1], w.Nodes[2], w.Nodes[3]
	red, free := h.Nodes[0], h.Nodes[1]
	query := claim.Parameter("query")
	return &lint.Result{
		Findings: []lint.Finding{
			{
				At: span(query.Inner(0, 6), query.Inner(24, 30)), Node: claim, Rule: rules[1], Severity: lint.Warning, Confidence: lint.Medium,
				Message: `"Claim event" gives the loser an item as well; put a gate behind it`,
				Related: []lint.Related{
					{At: payment.Place(), Node: payment, Message: "charges for the loser, too"},
					{At: mail.Place(), Node: mail},
				},
				Fix: "Add an If node behind \"Claim event\" that tests {{ $json.id }}", Fingerprint: "f1",
			},
			{
				At: payment.Parameter("url").Span(), Node: payment, Rule: rules[0], Severity: lint.Error, Confidence: lint.High,
				Message: `"Create payment" charges again for each delivery of "Webhook"; claim the event first`,
				Flow: []lint.Step{
					{At: webhook.Place(), Node: webhook, Message: "the event arrives"},
					{At: claim.Place(), Node: claim, Message: "both deliveries pass"},
					{At: payment.Place(), Node: payment, Message: "the charge"},
				},
				Fix:         "Claim the event in Postgres and go on only with the row:\nINSERT INTO events (id) VALUES ($1)\n\tON CONFLICT DO NOTHING\n\tRETURNING id",
				Fingerprint: "f2",
			},
			{
				At: payment.Parameter("headerParameters", "parameters").Index(0).Get("value").Span(), Node: payment, Rule: rules[0],
				Severity: lint.Note, Confidence: lint.Low, Message: "the header holds no idempotency key", Fingerprint: "f3",
			},
			{
				At: mail.Parameter("toEmail").Span(), Node: mail, Rule: rules[0], Severity: lint.Warning, Confidence: lint.High,
				Message: `"Bestätigung 送信 🎉" mails again for each delivery of "Webhook"`, Fingerprint: "f4",
			},
			{
				At: free.Parameter("text").Span(), Node: free, Rule: rules[0], Severity: lint.Note, Confidence: lint.Medium,
				Message: `"[free](https://evil.example/)" posts again for each delivery of ` + fmt.Sprintf("%q", red.Name),
				Flow:    []lint.Step{{At: red.Place(), Node: red, Message: "\x1b[2Jarrives"}, {At: free.Place(), Node: free}},
				Related: []lint.Related{{At: query.Span(), Node: claim, Message: "is how [it](1) is done\n::error::x"}},
				Fix:     "::add-mask::x\n##[command]y", Fingerprint: "f5",
			},
			{
				At: red.Place(), Node: red, Rule: rules[2], Severity: lint.Note, Confidence: lint.Medium,
				Message: "the answer leaves before anything is stored", Fingerprint: "f6",
			},
			{
				At: red.Parameter("path").Span(), Node: red, Rule: rules[2], Severity: lint.Note, Confidence: lint.Medium,
				Message: "the path is short", Fingerprint: "f7",
			},
		},
		NotJudged: []lint.NotJudged{
			{File: w.File, At: query.Span(), Node: claim, Reason: "the stored function may claim"},
			{File: h.File, Reason: "a whole\nfile"},
		},
		Problems: []lint.Problem{
			{File: "flows/bröken file.json", Line: 3, Column: 7, Message: "cannot read the JSON: it ends in the middle"},
			{File: "missing.json", Message: "cannot open the file\x1b[2J"},
			{Message: "cannot run rule x: it failed"},
		},
		Rules: rules, Files: 4, Workflows: len(order) + len(hostile), Skipped: []string{"package.json"},
	}
}

// Clean is a result without findings.
func Clean() *lint.Result {
	return &lint.Result{Rules: Rules(), Files: 12, Workflows: 12}
}

// Large is a result with n findings in files of 100 nodes each.
func Large(n int) *lint.Result {
	const nodes = 100
	r := &lint.Result{Rules: Rules()}
	for len(r.Findings) < n {
		w := Workflows(fmt.Sprintf("flows/%d.json", r.Files), manyNodes(nodes))[0]
		r.Files, r.Workflows = r.Files+1, r.Workflows+1
		for i := 0; i < nodes && len(r.Findings) < n; i++ {
			r.Findings = append(r.Findings, largeFinding(w, i, r.Rules[0], len(r.Findings)))
		}
	}
	return r
}

func largeFinding(w *graph.Workflow, i int, rule *lint.Rule, serial int) lint.Finding {
	n := w.Nodes[i]
	f := lint.Finding{
		At: n.Parameter("url").Span(), Node: n, Rule: rule, Severity: lint.Severity(serial % 3), Confidence: lint.High,
		Message:     fmt.Sprintf("%q charges again for each delivery; claim the event first", n.Name),
		Fix:         "Claim the event in Postgres first.",
		Related:     []lint.Related{{At: w.Nodes[0].Place(), Node: w.Nodes[0], Message: "is where it starts"}},
		Fingerprint: fmt.Sprintf("%016x", serial),
	}
	if serial%10 == 0 {
		f.Flow = []lint.Step{{At: w.Nodes[0].Place(), Node: w.Nodes[0]}, {At: n.Place(), Node: n}}
	}
	return f
}

func manyNodes(n int) string {
	var b strings.Builder
	b.WriteString("{\n  \"id\": \"w\", \"name\": \"Large\", \"nodes\": [\n")
	for i := range n {
		comma := ","
		if i == n-1 {
			comma = ""
		}
		fmt.Fprintf(&b, "    {\n      \"id\": \"n%d\",\n      \"name\": \"Node %d\",\n      \"type\": \"n8n-nodes-base.httpRequest\",\n"+
			"      \"parameters\": {\n        \"method\": \"POST\",\n        \"url\": \"https://api.example/%d\"\n      }\n    }%s\n", i, i, i, comma)
	}
	b.WriteString("  ],\n  \"connections\": {}\n}\n")
	return b.String()
}

// Workflows reads text as a file of the given name. It panics where the text is
// no export: its callers wrote the text themselves.
func Workflows(name, text string) []*graph.Workflow {
	workflows, err := graph.Read(source.NewFile(name, []byte(text)))
	if err != nil {
		panic(err)
	}
	return workflows
}

// span reaches from the start of one place to the end of another.
func span(first, last source.Span) source.Span {
	first.End = last.End
	return first
}
