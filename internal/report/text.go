package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/report/clean"
	"github.com/n8nlint/n8nlint/internal/report/place"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Text writes for people: findings grouped by file and workflow, each with the
// line it is on, its path, related places and the fix; then problems and a
// summary line. Lines and columns count from 1, columns in runes. Text from
// workflows is made harmless and cut. A quiet run prints findings and problems
// only, and nothing when there are none.
func Text(w io.Writer, r *lint.Result, o Options) error {
	t := &text{
		out:       bufio.NewWriter(w),
		style:     newStyle(o.Color),
		columns:   place.NewColumns(source.Runes),
		verbose:   o.Verbose,
		explained: map[string]bool{},
	}
	t.tool = o.Info.Tool
	if t.tool == "" {
		t.tool = "n8nlint"
	}
	t.findings(r.Findings)
	t.problems(r.Problems)
	if o.Verbose && !o.Quiet {
		t.notJudged(r.NotJudged)
		t.skipped(r.Skipped)
	}
	if !o.Quiet {
		t.line("%s", summary(r))
	}
	return t.out.Flush()
}

type text struct {
	out       *bufio.Writer
	style     style
	columns   *place.Columns
	tool      string
	verbose   bool
	explained map[string]bool // rules whose page has been named
}

// line prints one line. Write errors stay in the writer until Flush.
func (t *text) line(format string, args ...any) {
	fmt.Fprintf(t.out, format+"\n", args...)
}

type group struct {
	file     *source.File
	workflow *graph.Workflow
}

func (t *text) findings(findings []lint.Finding) {
	var last group
	for i := range findings {
		f := &findings[i]
		g := group{fileOf(f.At, f.Node), workflowOf(f.Node)}
		if i == 0 || g != last {
			t.line("%s\n", t.header(g))
			last = g
		}
		t.finding(f)
	}
}

func (t *text) header(g group) string {
	file := "(no file)"
	if g.file != nil {
		file = clean.Clip(g.file.Name, clean.Message)
	}
	header := t.style.heading.Sprint(file)
	if g.workflow == nil {
		return header
	}
	return header + " · workflow " + t.style.heading.Sprint(workflowName(g.workflow))
}

func workflowName(w *graph.Workflow) string {
	switch {
	case w.Name != "":
		return quote(w.Name)
	case w.ID != "":
		return clean.Clip(w.ID, clean.Name)
	}
	return "without a name"
}

func quote(name string) string { return `"` + clean.Clip(name, clean.Name) + `"` }

func (t *text) finding(f *lint.Finding) {
	at := placeOf(f.At, f.Node)
	color := t.style.severity[f.Severity]
	start, _ := t.columns.Range(at)
	t.line("  %d:%d  %s  %s  %s", start.Line, start.Column, color.Sprint(f.Severity),
		clean.Clip(f.Message, clean.Message), t.style.faint.Sprint("["+ruleID(f)+"]"))
	t.excerpt(at, start.Line, f.Severity)
	t.flow(f)
	t.related(f)
	t.fix(f.Fix)
	if f.Confidence == lint.Low {
		t.detail("sure:", "low confidence; the file alone does not settle it")
	}
	t.explain(ruleID(f))
	t.line("")
}

func (t *text) excerpt(at source.Span, line int, severity lint.Severity) {
	e, ok := excerptOf(at)
	if !ok {
		return
	}
	color := t.style.severity[severity]
	indent, carets := e.carets()
	gutter := fmt.Sprintf("%6d", line)
	t.line("%s %s%s%s", t.style.faint.Sprint(gutter+" │"), e.before, color.Sprint(e.marked), e.after)
	t.line("%s %s%s", t.style.faint.Sprint(strings.Repeat(" ", len(gutter))+" │"), indent, color.Sprint(carets))
}

// detail prints a labelled entry; further lines stand below the first.
func (t *text) detail(label string, lines ...string) {
	for i, line := range lines {
		if i > 0 {
			label = ""
		}
		line = t.style.faint.Sprintf("    %-5s", label) + " " + line
		t.line("%s", strings.TrimRight(line, " "))
	}
}

// longestPath is the number of nodes that a path shows before it is cut.
const longestPath = 12

func (t *text) flow(f *lint.Finding) {
	var stops []string
	for _, step := range f.Flow {
		stop := t.stop(f, step)
		if n := len(stops); n == 0 || stops[n-1] != stop {
			stops = append(stops, stop)
		}
	}
	if n := len(stops); n > longestPath && !t.verbose {
		const end = longestPath / 2
		middle := fmt.Sprintf("… %d more …", n-2*end)
		stops = append(append(append([]string{}, stops[:end]...), middle), stops[n-end:]...)
	}
	if len(stops) > 0 {
		t.detail("path:", strings.Join(stops, " → "))
	}
	if t.verbose {
		t.steps(f)
	}
}

func (t *text) stop(f *lint.Finding, step lint.Step) string {
	if step.Node == nil {
		return clean.Clip(step.Message, clean.Name)
	}
	name := clean.Clip(step.Node.Name, clean.Name)
	if w := workflowOf(step.Node); w != workflowOf(f.Node) && w != nil {
		name += " (in " + workflowName(w) + ")"
	}
	return name
}

func (t *text) steps(f *lint.Finding) {
	for _, step := range f.Flow {
		if step.Message != "" {
			t.detail("", t.where(f, placeOf(step.At, step.Node))+" "+clean.Clip(step.Message, clean.Message))
		}
	}
}

// fewRelated is the number of related places that are shown.
const fewRelated = 5

func (t *text) related(f *lint.Finding) {
	var lines []string
	for i, related := range f.Related {
		if i == fewRelated && len(f.Related) > fewRelated+1 && !t.verbose {
			lines = append(lines, fmt.Sprintf("and %d more", len(f.Related)-i))
			break
		}
		line := t.where(f, placeOf(related.At, related.Node))
		if related.Node != nil {
			line += " " + quote(related.Node.Name)
		}
		if related.Message != "" {
			line += " " + clean.Clip(related.Message, clean.Message)
		}
		lines = append(lines, line)
	}
	t.detail("see:", lines...)
}

// where names a place seen from a finding: the file only where it is another.
func (t *text) where(f *lint.Finding, at source.Span) string {
	start, _ := t.columns.Range(at)
	where := fmt.Sprintf("%d:%d", start.Line, start.Column)
	if at.IsZero() || at.File == fileOf(f.At, f.Node) {
		return where
	}
	return clean.Clip(at.File.Name, clean.Message) + ":" + where
}

func (t *text) fix(fix string) {
	fix = strings.Trim(strings.ReplaceAll(fix, "\r\n", "\n"), "\n")
	if fix == "" {
		return
	}
	var lines []string
	for line := range strings.SplitSeq(fix, "\n") {
		line = strings.ReplaceAll(line, "\t", "    ")
		lines = append(lines, clean.Clip(line, clean.Message))
	}
	t.detail("fix:", lines...)
}

// explain names the rule's page once a run.
func (t *text) explain(rule string) {
	if rule == "" || t.explained[rule] {
		return
	}
	t.explained[rule] = true
	t.detail("more:", t.tool+" explain "+rule)
}

func (t *text) problems(problems []lint.Problem) {
	for _, p := range problems {
		where := ""
		if p.File != "" {
			where = clean.Clip(p.File, clean.Message) + ":"
		}
		if p.Line > 0 {
			where += fmt.Sprintf("%d:%d:", p.Line, max(p.Column, 1))
		}
		if where != "" {
			where = t.style.heading.Sprint(where) + " "
		}
		t.line("%s%s", where, clean.Clip(p.Message, clean.Message))
	}
	if len(problems) > 0 {
		t.line("")
	}
}

func (t *text) notJudged(entries []lint.NotJudged) {
	if len(entries) == 0 {
		return
	}
	t.line("%s", t.style.heading.Sprint("Not judged"))
	for _, e := range entries {
		at := placeOf(e.At, e.Node)
		start, _ := t.columns.Range(at)
		name := ""
		if e.Node != nil {
			name = " " + quote(e.Node.Name)
		}
		t.line("  %s:%d:%d%s %s", clean.Clip(fileName(e.File), clean.Message), start.Line, start.Column,
			name, clean.Clip(e.Reason, clean.Message))
	}
	t.line("")
}

func (t *text) skipped(files []string) {
	if len(files) > 0 {
		t.line("%s skipped: no n8n workflow in %s", plural(len(files), "file"), itOrThem(len(files)))
	}
}

func itOrThem(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func summary(r *lint.Result) string {
	t := count(r)
	var counts []string
	for _, s := range []lint.Severity{lint.Error, lint.Warning, lint.Note} {
		if n := t.bySeverity[s]; n > 0 {
			counts = append(counts, plural(n, s.String()))
		}
	}
	all := fmt.Sprintf("%s (%s)", plural(r.Workflows, "workflow"), plural(r.Files, "file"))
	line := "no findings in " + all
	if len(counts) > 0 {
		line = fmt.Sprintf("%s in %d of %s", strings.Join(counts, ", "), t.workflows, all)
	}
	if n := len(r.Problems); n > 0 {
		line += "; " + plural(n, "problem") + " kept the run from being complete"
	}
	return line
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
