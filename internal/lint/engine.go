package lint

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Input is one file of a run: its bytes, or why they could not be read.
type Input struct {
	File *source.File
	Err  error
	// Named files were given one by one: that such a file is no workflow is a
	// problem, and not only a file to skip.
	Named bool
}

// Run lints a set of files as one project. The result is the same for the same
// input, whatever the order of the work. It ends early, with what is known so
// far and a problem that says so, when ctx is done.
func Run(ctx context.Context, rules []*Rule, inputs []Input) *Result {
	r := &Result{Rules: slices.Clone(rules)}
	read := parallel(ctx, len(inputs), func(i int) fileResult { return readInput(inputs[i]) })
	project := &Project{}
	for i := range read {
		project.Workflows = append(project.Workflows, read[i].workflows...)
		r.take(inputs[i], read[i])
	}
	facts := guard.Analyze(catalog.New(), project.Workflows, func(n int, work func(int)) {
		parallel(ctx, n, func(i int) struct{} { work(i); return struct{}{} })
	})
	facts = slices.DeleteFunc(facts, func(f *guard.Facts) bool { return f == nil }) // cut off by ctx
	checked := parallel(ctx, len(facts), func(i int) checkResult { return check(rules, project, facts[i]) })
	for i := range checked {
		r.Findings = append(r.Findings, checked[i].findings...)
		r.NotJudged = append(r.NotJudged, checked[i].unjudged...)
		r.Problems = append(r.Problems, checked[i].problems...)
	}
	if ctx.Err() != nil {
		r.Problems = append(r.Problems, Problem{Message: "the run was interrupted; the results are not complete"})
	}
	r.sort()
	return r
}

type fileResult struct {
	read      bool // false where the run ended before
	workflows []*graph.Workflow
	problem   *Problem
	skipped   bool
}

// readInput reads one file. A fault in reading is a problem of that file.
func readInput(in Input) (out fileResult) {
	defer func() {
		if x := recover(); x != nil {
			out = fileResult{problem: &Problem{File: in.File.Name, Message: fmt.Sprintf("reading the file failed: %v; please report it with the file", x)}}
		}
	}()
	if in.Err != nil {
		return fileResult{read: true, problem: &Problem{File: in.File.Name, Message: in.Err.Error()}}
	}
	workflows, err := graph.Read(in.File)
	if err == nil {
		return fileResult{read: true, workflows: workflows}
	}
	if !in.Named && otherJSON(in.File, err) {
		return fileResult{read: true, skipped: true}
	}
	return fileResult{read: true, problem: readProblem(in.File, err)}
}

// otherJSON reports whether a file of a folder scan is no export that went
// wrong, but something else that is called .json, such as a settings file with
// comments.
func otherJSON(f *source.File, err error) bool {
	var none *graph.ErrNoWorkflow
	if errors.As(err, &none) {
		return none.Reason == ""
	}
	text := bytes.TrimSpace(f.Bytes())
	return len(text) > 0 && !bytes.Contains(text, []byte(`"nodes"`)) && (text[0] == '{' || text[0] == '[' || text[0] == '/')
}

func readProblem(f *source.File, err error) *Problem {
	var syntax *source.SyntaxError
	if errors.As(err, &syntax) {
		p := f.Position(syntax.Offset, source.Runes)
		return &Problem{File: f.Name, Line: p.Line, Column: p.Column, Message: syntax.Reason}
	}
	return &Problem{File: f.Name, Line: 1, Column: 1, Message: strings.TrimPrefix(err.Error(), f.Name+":1:1: ")}
}

func (r *Result) take(in Input, f fileResult) {
	switch {
	case !f.read && f.problem == nil:
		return
	case f.problem != nil:
		r.Problems = append(r.Problems, *f.problem)
		return
	case f.skipped:
		r.Skipped = append(r.Skipped, in.File.Name)
		return
	}
	r.Files++
	r.Workflows += len(f.workflows)
	for _, w := range f.workflows {
		for _, odd := range w.Odd {
			r.NotJudged = append(r.NotJudged, NotJudged{File: w.File, At: odd.At, Reason: odd.Reason})
		}
	}
}

type checkResult struct {
	findings []Finding
	unjudged []NotJudged
	problems []Problem
}

func check(rules []*Rule, project *Project, facts *guard.Facts) (out checkResult) {
	if facts.Err != nil {
		out.problems = []Problem{problemOf(facts.Workflow, facts.Err)}
		return out
	}
	for _, rule := range rules {
		p := &Pass{Rule: rule, Workflow: facts.Workflow, Project: project, Facts: facts}
		if err := runRule(p); err != nil {
			out.problems = append(out.problems, problemOf(facts.Workflow, fmt.Errorf("rule %s failed: %w", rule.ID, err)))
			continue
		}
		out.findings = append(out.findings, p.findings...)
		out.unjudged = append(out.unjudged, p.unjudged...)
	}
	for _, u := range facts.Unknown {
		out.unjudged = append(out.unjudged, NotJudged{File: facts.Workflow.File, At: u.Node.Place(), Node: u.Node, Reason: u.Reason})
	}
	return out
}

func problemOf(w *graph.Workflow, err error) Problem {
	at := w.File.Position(w.Value.Span().Start, source.Runes)
	return Problem{File: w.File.Name, Line: at.Line, Column: at.Column, Message: fmt.Sprintf("workflow %q: %v; please report it with the workflow", w.Name, err)}
}

func runRule(p *Pass) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v", x)
		}
	}()
	return p.Rule.Check(p)
}

// sort brings everything into its fixed order, drops what two rules' passes said
// twice, and numbers the fingerprints.
func (r *Result) sort() {
	slices.SortStableFunc(r.Rules, func(a, b *Rule) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.At.File.Name, b.At.File.Name), cmp.Compare(a.Node.Workflow.Index, b.Node.Workflow.Index),
			cmp.Compare(a.At.Start, b.At.Start), cmp.Compare(a.At.End, b.At.End),
			cmp.Compare(a.Rule.ID, b.Rule.ID), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Message, b.Message),
		)
	})
	seen := map[string]int{}
	for i := range r.Findings {
		if i > 0 && r.Findings[i].At.File != r.Findings[i-1].At.File {
			seen = map[string]int{} // what other files are linted changes no fingerprint
		}
		r.Findings[i].Fingerprint = fingerprint(&r.Findings[i], seen)
	}
	slices.SortStableFunc(r.NotJudged, func(a, b NotJudged) int {
		return cmp.Or(cmp.Compare(a.File.Name, b.File.Name), cmp.Compare(a.At.Start, b.At.Start), cmp.Compare(a.Reason, b.Reason))
	})
	r.NotJudged = slices.CompactFunc(r.NotJudged, func(a, b NotJudged) bool {
		return a.File == b.File && a.At == b.At && a.Reason == b.Reason
	})
	slices.SortStableFunc(r.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	slices.Sort(r.Skipped)
}

// parallel calls work for 0 to n-1 on all cores and gives the results in order;
// what ctx cuts off stays zero.
func parallel[T any](ctx context.Context, n int, work func(int) T) []T {
	out := make([]T, n)
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := range next {
				out[i] = work(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}
