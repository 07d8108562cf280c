package lint_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

// flow is a workflow whose nodes have the names given.
func flow(id string, nodes ...string) string {
	var parts []string
	for _, name := range nodes {
		parts = append(parts, fmt.Sprintf(`{"name":%q,"type":"n8n-nodes-base.noOp","parameters":{"a":1,"b":2}}`, name))
	}
	return fmt.Sprintf(`{"id":%q,"name":"N","nodes":[%s],"connections":{}}`, id, strings.Join(parts, ","))
}

func file(name, text string) lint.Input {
	return lint.Input{File: source.NewFile(name, []byte(text)), Named: true}
}

func run(rules []*lint.Rule, inputs ...lint.Input) *lint.Result {
	return lint.Run(context.Background(), rules, inputs)
}

func rule(id string, check func(*lint.Pass) error) *lint.Rule {
	return &lint.Rule{ID: id, Title: "a title", Family: "test", Severity: lint.Error, Default: true, Doc: "# " + id + "\n", Check: check}
}

// everyNode reports each node at its name.
func everyNode(id string) *lint.Rule {
	return rule(id, func(p *lint.Pass) error {
		for _, n := range p.Workflow.Nodes {
			p.Report(lint.Finding{At: n.Place(), Node: n, Message: "here is " + n.Name, Severity: lint.Warning})
		}
		return nil
	})
}

func messages(r *lint.Result) (out []string) {
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%s/%d %s %s", f.At.File.Name, f.Node.Workflow.Index, f.Rule.ID, f.Node.Name))
	}
	return out
}

func TestFindingsCarryTheirRule(t *testing.T) {
	r := run([]*lint.Rule{everyNode("z-last"), everyNode("a-first")}, file("b.json", flow("1", "B", "A")), file("a.json", flow("2", "C")))
	require.Empty(t, r.Problems)
	require.Equal(t, []string{
		"a.json/0 a-first C", "a.json/0 z-last C",
		"b.json/0 a-first B", "b.json/0 z-last B", "b.json/0 a-first A", "b.json/0 z-last A",
	}, messages(r), "by file, place and rule")
	require.Equal(t, 2, r.Files)
	require.Equal(t, 2, r.Workflows)
}

func TestRunLeavesTheListOfRulesAlone(t *testing.T) {
	list := []*lint.Rule{everyNode("z-last"), everyNode("a-first")}
	r := run(list, file("a.json", flow("1", "A")))
	require.Equal(t, "z-last", list[0].ID)
	require.Equal(t, []string{"a-first", "z-last"}, []string{r.Rules[0].ID, r.Rules[1].ID})
}

func TestAFailingRuleIsNamedAndTheOthersGoOn(t *testing.T) {
	for name, c := range map[string]struct {
		check func(*lint.Pass) error
		want  string
	}{
		"error": {func(*lint.Pass) error { return errors.New("no luck") }, "no luck"},
		"panic": {func(*lint.Pass) error { panic("boom") }, "panic: boom"},
		"nil": {func(p *lint.Pass) error {
			var n *graph.Node
			p.Report(lint.Finding{Message: n.Name})
			return nil
		}, "panic: runtime error: invalid memory address or nil pointer dereference"},
		"after a finding": {func(p *lint.Pass) error {
			p.Report(lint.Finding{At: p.Workflow.Nodes[0].Place(), Node: p.Workflow.Nodes[0], Message: "half done"})
			p.NotJudged(p.Workflow.Nodes[0], "half done")
			return errors.New("no luck")
		}, "no luck"},
	} {
		t.Run(name, func(t *testing.T) {
			only := func(p *lint.Pass) error {
				if p.Workflow.ID != "bad" {
					return nil
				}
				return c.check(p)
			}
			r := run([]*lint.Rule{rule("fails-here", only), everyNode("works-well")},
				file("a.json", flow("good", "A")), file("b.json", "[\n"+flow("good", "B")+",\n"+flow("bad", "C")+"]"))
			require.Equal(t, []string{"a.json/0 works-well A", "b.json/0 works-well B", "b.json/1 works-well C"}, messages(r))
			require.Equal(t, []lint.Problem{{
				File: "b.json", Line: 3, Column: 1, Message: `workflow "N": rule fails-here failed: ` + c.want + "; please report it with the workflow",
			}}, r.Problems)
			require.Empty(t, r.NotJudged)
		})
	}
}

func TestWhatBecomesOfInputs(t *testing.T) {
	for name, c := range map[string]struct {
		in      lint.Input
		problem lint.Problem
		skipped bool
	}{
		"unreadable":                  {in: lint.Input{File: source.NewFile("f", nil), Err: errors.New("cannot be read")}, problem: lint.Problem{File: "f", Message: "cannot be read"}},
		"broken":                      {in: lint.Input{File: source.NewFile("f", []byte("{\"nodes\":\n x"))}, problem: lint.Problem{File: "f", Line: 2, Column: 2, Message: `not valid JSON: invalid character 'x' at start of value (in "/nodes")`}},
		"broken, and no workflow":     {in: lint.Input{File: source.NewFile("f", []byte("{\n x"))}, skipped: true},
		"broken behind wide text":     {in: file("f", `{"ü": }`), problem: lint.Problem{File: "f", Line: 1, Column: 7, Message: `not valid JSON: missing value after object name (in "/ü")`}},
		"other JSON, named":           {in: file("f", "{}"), problem: lint.Problem{File: "f", Line: 1, Column: 1, Message: "no n8n workflow in this JSON (an object with nodes and connections)"}},
		"other JSON, of a folder":     {in: lint.Input{File: source.NewFile("f", []byte("{}"))}, skipped: true},
		"a lost shape, of a folder":   {in: lint.Input{File: source.NewFile("f", []byte(`{"data":"{\"nodes\":[],\"connections\":{}}"}`))}, problem: lint.Problem{File: "f", Line: 1, Column: 1, Message: `the workflow stands under "data" as a JSON string; save the text of that string as the file`}},
		"a workflow without any node": {in: file("f", `{"nodes":[],"connections":{}}`)},
	} {
		t.Run(name, func(t *testing.T) {
			r := run([]*lint.Rule{everyNode("every-node")}, c.in, file("good.json", flow("1", "A")))
			require.Equal(t, []string{"good.json/0 every-node A"}, messages(r))
			switch {
			case c.skipped:
				require.Equal(t, []string{"f"}, r.Skipped)
				require.Empty(t, r.Problems)
			case c.problem.Message != "":
				require.Equal(t, []lint.Problem{c.problem}, r.Problems)
				require.Empty(t, r.Skipped)
			default:
				require.Empty(t, r.Problems)
				require.Equal(t, 2, r.Files)
				return
			}
			require.Equal(t, 1, r.Files)
			require.Equal(t, 1, r.Workflows)
		})
	}
}

func TestNothingToDo(t *testing.T) {
	require.Empty(t, run(nil).Findings)
	require.Empty(t, run(nil).Problems)
	r := run(nil, file("a.json", flow("1", "A")))
	require.Empty(t, r.Findings)
	require.Equal(t, 1, r.Workflows)
	require.Empty(t, run([]*lint.Rule{everyNode("every-node")}).Problems)
}

func TestOdditiesAreNotJudgedOnce(t *testing.T) {
	twice := func(p *lint.Pass) error {
		p.NotJudged(p.Workflow.Nodes[0], "cannot be known")
		p.NotJudged(p.Workflow.Nodes[0], "cannot be known")
		return nil
	}
	text := `{"nodes":[{"name":"A","type":"n8n-nodes-base.noOp"}],"connections":{"A":{"main":[[{"node":"Z"}]]}}}`
	r := run([]*lint.Rule{rule("one-rule", twice), rule("other-rule", twice)}, file("f", text))
	var reasons []string
	for _, n := range r.NotJudged {
		require.NotEmpty(t, n.At.Text())
		reasons = append(reasons, n.Reason)
	}
	require.Equal(t, []string{"cannot be known", `an edge of "A" leads to "Z", but no node has this name; n8n stops there with an error`}, reasons)
}

func TestRulesSeeTheWholeProject(t *testing.T) {
	counts := rule("counts-them", func(p *lint.Pass) error {
		require.Len(t, p.Project.Workflows, 3)
		require.Contains(t, p.Project.Workflows, p.Workflow)
		require.Same(t, p.Workflow, p.Facts.Workflow)
		p.Report(lint.Finding{At: p.Workflow.Nodes[0].Place(), Node: p.Workflow.Nodes[0]})
		return nil
	})
	r := run([]*lint.Rule{counts}, file("a.json", "["+flow("1", "A")+","+flow("2", "A")+"]"), file("b.json", flow("3", "A")))
	require.Empty(t, r.Problems)
	require.Len(t, r.Findings, 3)
}

func TestACancelledRunSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := lint.Run(ctx, []*lint.Rule{everyNode("every-node")}, []lint.Input{file("a.json", flow("1", "A"))})
	require.Empty(t, r.Findings)
	require.Equal(t, []lint.Problem{{Message: "the run was interrupted; the results are not complete"}}, r.Problems)
}

func TestARunThatIsCancelledOnItsWayKeepsWhatItHas(t *testing.T) {
	const files = 500
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var checked atomic.Int32
	every := everyNode("every-node")
	stops := rule("stops-it", func(p *lint.Pass) error {
		checked.Add(1)
		cancel()
		return every.Check(p)
	})
	var inputs []lint.Input
	for i := range files {
		inputs = append(inputs, file(fmt.Sprintf("%03d.json", i), flow("1", "A")))
	}
	r := lint.Run(ctx, []*lint.Rule{stops}, inputs)
	require.Len(t, r.Findings, int(checked.Load()))
	require.NotEmpty(t, r.Findings)
	require.Less(t, len(r.Findings), files)
	require.Len(t, r.Problems, 1)
	require.Contains(t, r.Problems[0].Message, "interrupted")
}

func TestTheOrderOfInputsDoesNotShow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var inputs []lint.Input
		for i := range rapid.IntRange(1, 8).Draw(t, "files") {
			name := fmt.Sprintf("%d.json", i)
			text := rapid.SampledFrom([]string{flow("1", "A", "B"), flow("1", "B"), "[" + flow("2", "A") + "," + flow("2", "A") + "]", "{}", "{", `{"nodes":[],"connections":[]}`}).Draw(t, "text")
			inputs = append(inputs, lint.Input{File: source.NewFile(name, []byte(text)), Named: i%2 == 0})
		}
		rules := []*lint.Rule{everyNode("b-rule"), everyNode("a-rule"), rule("c-fails", func(p *lint.Pass) error { return errors.New(p.Workflow.ID) })}
		want := lint.Run(context.Background(), rules, inputs)
		got := lint.Run(context.Background(), slices.Clone(rules), rapid.Permutation(inputs).Draw(t, "order"))
		if fmt.Sprint(messages(want), prints(want), want.Problems, want.Skipped, want.Files, want.Workflows) !=
			fmt.Sprint(messages(got), prints(got), got.Problems, got.Skipped, got.Files, got.Workflows) {
			t.Fatalf("%v\n%v\nand\n%v\n%v", messages(want), want.Problems, messages(got), got.Problems)
		}
	})
}

func prints(r *lint.Result) (out []string) {
	for _, f := range r.Findings {
		out = append(out, f.Fingerprint)
	}
	return out
}
