package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	factsFolder = "../../../shared/facts"
	tableFile   = "../../internal/catalog/data/nodes.tsv"
)

func TestTableIsUpToDate(t *testing.T) {
	if _, err := os.Stat(factsFolder); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the list of nodes is not here")
	}
	rows, err := load(os.DirFS(factsFolder), os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := write(&want, rows); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	if line := firstDifference(string(got), want.String()); line != "" {
		t.Fatalf("%s is not what its sources give; run the generator. First difference: %s", tableFile, line)
	}
}

func firstDifference(got, want string) string {
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i, line := range wantLines {
		if i >= len(gotLines) || gotLines[i] != line {
			return line
		}
	}
	if len(gotLines) > len(wantLines) {
		return gotLines[len(wantLines)]
	}
	return ""
}

func TestEveryRowIsJudged(t *testing.T) {
	file, err := os.Open(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := readTable(tableFile, file, columns...)
	if err != nil {
		t.Fatal(err)
	}
	if len(records) < 4000 {
		t.Fatalf("only %d rows", len(records))
	}
	seen := make(map[string]bool, len(records))
	unknown, before := 0, ""
	for _, rec := range records {
		// internal/catalog finds a type by binary search over the lines.
		if at := rec.get("type") + "\t"; at < before {
			t.Error(rec.errorf("out of order"))
		} else {
			before = at
		}
		v, err := verdictOf(rec, rec.get("basis"))
		if err != nil {
			t.Error(err)
		}
		if !slices.Contains([]string{"verb", "group", "service", "source"}, v.basis) {
			t.Error(rec.errorf("basis %q", v.basis))
		}
		if v.note == unreviewed {
			t.Error(rec.errorf("%s %s %s: %s", rec.get("type"), rec.get("resource"), rec.get("operation"), unreviewed))
		}
		if v.kind == "unknown" {
			unknown++
		}
		for version := range strings.SplitSeq(rec.get("versions"), ",") {
			key := strings.Join([]string{rec.get("type"), version, rec.get("resource"), rec.get("operation")}, " ")
			if seen[key] {
				t.Error(rec.errorf("%s is there twice", key))
			}
			seen[key] = true
		}
	}
	if share := float64(unknown) / float64(len(records)); share > 0.02 {
		t.Errorf("%d of %d rows are unknown, %.1f %%", unknown, len(records), 100*share)
	}
}

// TestKnownVerdicts holds the verdicts that the rules lean on most.
func TestKnownVerdicts(t *testing.T) {
	file, err := os.Open(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := readTable(tableFile, file, columns...)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string, len(records))
	for _, rec := range records {
		place := strings.Join([]string{strings.TrimPrefix(rec.get("type"), "n8n-nodes-base."), rec.values["resource"], rec.values["operation"]}, " ")
		got[place] = strings.TrimSpace(rec.get("kind") + " " + rec.get("impact") + rec.get("trigger"))
	}
	for place, want := range map[string]string{
		"webhook - -":                        "trigger event",
		"formTrigger - -":                    "trigger form",
		"emailReadImap - -":                  "trigger poll",
		"scheduleTrigger - -":                "trigger schedule",
		"redisTrigger - -":                   "trigger schedule",
		"executeWorkflowTrigger - -":         "trigger called",
		"manualTrigger - -":                  "trigger manual",
		"errorTrigger - -":                   "trigger error",
		"stripe charge create":               "repeatable money",
		"stripe customer create":             "repeatable record",
		"payPal payout create":               "repeatable money",
		"wooCommerce order create":           "repeatable money",
		"emailSend email send":               "repeatable message",
		"gmail message send":                 "repeatable message",
		"gmail draft create":                 "repeatable record",
		"twilio sms send":                    "repeatable message",
		"slack message post":                 "repeatable notice",
		"slack message update":               "idempotent notice",
		"telegram message sendMessage":       "repeatable notice",
		"telegram message sendChatAction":    "ephemeral",
		"googleSheets sheet append":          "repeatable record",
		"googleSheets sheet appendOrUpdate":  "idempotent record",
		"airtable record upsert":             "idempotent record",
		"googleDrive file upload":            "repeatable record",
		"awsS3 file upload":                  "idempotent record",
		"postgres database executeQuery":     "query",
		"postgres database insert":           "repeatable record",
		"redis - incr":                       "repeatable record",
		"redis - set":                        "idempotent record",
		"httpRequest - -":                    "http",
		"code - -":                           "code",
		"executeWorkflow - call_workflow":    "call",
		"respondToWebhook - -":               "logic",
		"executeCommand - -":                 "unknown",
		"@n8n/n8n-nodes-langchain.agent - -": "compute",
		"@n8n/n8n-nodes-langchain.vectorStorePinecone - mode=insert":   "repeatable record",
		"@n8n/n8n-nodes-langchain.vectorStorePinecone - mode=retrieve": "read",
	} {
		if got[place] != want {
			t.Errorf("%s is %q, want %q", place, got[place], want)
		}
	}
}

// sample is a small world: facts, verbs and one review file.
func sample(reviewRows string) (facts, rules fs.FS) {
	facts = fstest.MapFS{"n8n-nodes.tsv": {Data: []byte(
		"type\tdisplayName\tversions\tgroup\tflags\tresource\toperation\tactionLabel\tisDefault\n" +
			"base.shop\tShop\t1,2\toutput\tusableAsTool\torder\tcreate\tCreate\t1R\n" +
			"base.shop\tShop\t1,2\toutput\tusableAsTool\torder\tgetAll\tList\t0R\n" +
			"base.shop\tShop\t1,2\toutput\tusableAsTool\ttag\tcreate\tCreate\t1\n" +
			"base.shop\tShop\t1,2\toutput\tusableAsTool\ttag\tdeleteMany\tDelete\t0\n" +
			"base.shopTrigger\tShop\t1\ttrigger\ttrigger,webhook\t-\t-\t-\t0\n" +
			"base.store\tStore\t1\ttransform\t\t-\t-\t-\t0\n" +
			"base.hive\tHive\t1\ttransform\t\talert\t-\t-\tR\n" +
			"base.clock\tClock\t1\ttrigger+schedule\ttrigger\t-\t-\t-\t0\n" +
			"base.box\tBox\t1\ttrigger\ttrigger,polling\t-\t-\t-\t0\n")}}
	rules = fstest.MapFS{
		"verbs.tsv": {Data: []byte("verb\tkind\timpact\tflags\tnote\n" +
			"create\trepeatable\trecord\t-\t-\nget\tread\t-\t-\t-\ndelete\tidempotent\trecord\t-\t-\n")},
		"review/a.tsv": {Data: []byte("type\tresource\toperation\tkind\timpact\ttrigger\tflags\tnote\n" + reviewRows)},
	}
	return facts, rules
}

// verdictsOf renders the rows as "resource operation default kind impact trigger flags basis".
func verdictsOf(t *testing.T, reviewRows, typeName string) []string {
	t.Helper()
	rows, err := load(sample(reviewRows))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		if row.typeName == typeName {
			got = append(got, strings.Join(row.cells()[2:10], " "))
		}
	}
	return got
}

func TestVerdicts(t *testing.T) {
	tests := map[string]struct {
		review, typeName string
		want             []string
	}{
		"verbs decide, by whole name or first word": {"", "base.shop", []string{
			"order create 1R repeatable record - tool verb",
			"order getAll 0R read - - tool verb",
			"tag create 1 repeatable record - tool verb",
			"tag deleteMany 0 idempotent record - tool verb",
		}},
		"the most specific review row wins": {
			"base.shop\t*\t*\tcompute\t-\t-\t-\tall\n" +
				"base.shop\t*\tcreate\trepeatable\tmessage\t-\t-\tcreate\n" +
				"base.shop\torder\t*\trepeatable\tmoney\t-\t-\torders\n" +
				"base.shop\torder\tgetAll\tread\t-\t-\t-\tN8N.md 4: list\n",
			"base.shop", []string{
				"order create 1R repeatable money - tool service",
				"order getAll 0R read - - tool source",
				"tag create 1 repeatable message - tool service",
				"tag deleteMany 0 compute - - tool service",
			}},
		"flags are kept":    {"base.shop\ttag\tcreate\tidempotent\trecord\t-\trefused\tunique\n", "base.shop", []string{"order create 1R repeatable record - tool verb", "order getAll 0R read - - tool verb", "tag create 1 idempotent record - refused,tool service", "tag deleteMany 0 idempotent record - tool verb"}},
		"a webhook trigger": {"", "base.shopTrigger", []string{"- - 0 trigger - event - group"}},
		"a timer":           {"", "base.clock", []string{"- - 0 trigger - schedule - group"}},
		"a polling trigger": {"", "base.box", []string{"- - 0 trigger - poll - group"}},
		"nothing known":     {"", "base.store", []string{"- - 0 unknown - - - verb"}},
		"another parameter decides": {
			"base.store\t-\t-\tunknown\t-\t-\t-\tmode decides\n" +
				"base.store\t-\tmode=load\tread\t-\t-\tdefault\tloads\n" +
				"base.store\t*\tmode=insert\trepeatable\trecord\t-\t-\tadds\n",
			"base.store", []string{
				"- - 0 unknown - - - service",
				"- mode=insert 0 repeatable record - - service",
				"- mode=load 1 read - - - service",
			}},
		"operations that the editor loads": {
			"base.hive\talert\toperation=drop\tidempotent\trecord\t-\t-\tdrops\n" +
				"base.hive\talert\toperation=look\tread\t-\t-\tdefault\tlooks\n",
			"base.hive", []string{
				"alert drop 0R idempotent record - - service",
				"alert look 1R read - - - service",
			}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := verdictsOf(t, test.review, test.typeName)
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestFaultsOfReviewRows(t *testing.T) {
	tests := map[string]struct{ row, want string }{
		"matches nothing":            {"base.shop\torder\tsend\tread\t-\t-\t-\tx\n", "match nothing"},
		"parameter of no such node":  {"base.shop\t-\tmode=load\tread\t-\t-\t-\tx\n", "match nothing"},
		"two rows for one place":     {strings.Repeat("base.shop\ttag\tcreate\tread\t-\t-\t-\tx\n", 2), "already at review/a.tsv:2"},
		"write without impact":       {"base.shop\ttag\tcreate\trepeatable\t-\t-\t-\tx\n", "needs an impact"},
		"read with impact":           {"base.shop\ttag\tcreate\tread\trecord\t-\t-\tx\n", "has no impact"},
		"trigger without class":      {"base.shopTrigger\t*\t*\ttrigger\t-\t-\t-\tx\n", "needs a class"},
		"class without trigger":      {"base.shop\ttag\tcreate\tread\t-\tevent\t-\tx\n", "no trigger class"},
		"no kind":                    {"base.shop\ttag\tcreate\t-\t-\t-\t-\tx\n", "no kind"},
		"misspelt kind":              {"base.shop\ttag\tcreate\treed\t-\t-\t-\tx\n", `unknown kind "reed"`},
		"no note":                    {"base.shop\ttag\tcreate\tread\t-\t-\t-\t-\n", "no note"},
		"unknown needs its reason":   {"base.shop\ttag\tcreate\tunknown\t-\t-\t-\t-\n", "without a reason"},
		"more cells than the header": {"base.shop\ttag\tcreate\tread\t-\t-\t-\tx\ty\n", "9 columns"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := load(sample(test.row))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestFirstWord(t *testing.T) {
	for name, want := range map[string]string{
		"getAllRows": "get", "call_workflow": "call", "delete": "delete", "GetAll": "get", "": "", "5DayForecast": "5",
	} {
		if got := firstWord(name); got != want {
			t.Errorf("firstWord(%q) = %q, want %q", name, got, want)
		}
	}
}
