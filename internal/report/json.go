package report

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/report/clean"
	"github.com/n8nlint/n8nlint/internal/report/place"
	"github.com/n8nlint/n8nlint/internal/source"
)

// JSONVersion is the version of the document that JSON writes. It rises when a
// key is renamed, removed or changes its meaning; new keys do not raise it.
const JSONVersion = 1

// longName and longPointer bound what a hostile file can multiply by its
// findings: runes of a name, bytes of a pointer.
const (
	longName    = 1000
	longPointer = 4096
)

// JSON writes one document for scripts. Lines and columns count from 1, columns
// in runes; endLine and endColumn are exclusive. pointer is the RFC 6901 pointer,
// in the file, of the smallest JSON value around the finding. Lists are never
// null; workflow, workflowId, node, nodeId and pointer are "" where there is
// none. Names and texts are as in the file, except that names over 1,000 runes
// and texts over 4,000 are cut and end in an ellipsis.
func JSON(w io.Writer, r *lint.Result, o Options) error {
	b := builder{columns: place.NewColumns(source.Runes)}
	t := count(r)
	doc := document{
		Version: JSONVersion,
		Tool:    tool{Name: o.Info.Tool, Version: o.Info.Version, InformationURI: o.Info.InformationURI},
		Summary: totals{
			Errors: t.bySeverity[lint.Error], Warnings: t.bySeverity[lint.Warning], Notes: t.bySeverity[lint.Note],
			Files: r.Files, Workflows: r.Workflows, WorkflowsWithFindings: t.workflows, SkippedFiles: len(r.Skipped),
		},
		Findings:  make([]finding, 0, len(r.Findings)),
		NotJudged: make([]notJudged, 0, len(r.NotJudged)),
		Errors:    make([]problem, 0, len(r.Problems)),
	}
	for i := range r.Findings {
		doc.Findings = append(doc.Findings, b.finding(&r.Findings[i]))
	}
	for _, n := range r.NotJudged {
		doc.NotJudged = append(doc.NotJudged, notJudged{fileName(n.File), nodeName(n.Node), clean.Cut(n.Reason, clean.Message)})
	}
	for _, p := range r.Problems {
		doc.Errors = append(doc.Errors, problem{p.File, p.Line, p.Column, clean.Cut(p.Message, clean.Message)})
	}
	return write(w, doc)
}

func write(w io.Writer, doc document) error {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(doc); err != nil {
		return err
	}
	_, err := w.Write(clean.JSON(buffer.Bytes()))
	return err
}

type document struct {
	Version   int         `json:"version"`
	Tool      tool        `json:"tool"`
	Summary   totals      `json:"summary"`
	Findings  []finding   `json:"findings"`
	NotJudged []notJudged `json:"notJudged"`
	Errors    []problem   `json:"errors"`
}

type tool struct {
	Name           string `json:"name"`
	Version        string `json:"version"`
	InformationURI string `json:"informationUri"`
}

type totals struct {
	Errors                int `json:"errors"`
	Warnings              int `json:"warnings"`
	Notes                 int `json:"notes"`
	Files                 int `json:"files"`
	Workflows             int `json:"workflows"`
	WorkflowsWithFindings int `json:"workflowsWithFindings"`
	SkippedFiles          int `json:"skippedFiles"`
}

type region struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

type finding struct {
	Rule       string `json:"rule"`
	Severity   string `json:"severity"`
	Confidence string `json:"confidence"`
	Message    string `json:"message"`
	Fix        string `json:"fix"`
	region
	Workflow    string `json:"workflow"`
	WorkflowID  string `json:"workflowId"`
	Node        string `json:"node"`
	NodeID      string `json:"nodeId"`
	Pointer     string `json:"pointer"`
	Flow        []stop `json:"flow"`
	Related     []stop `json:"related"`
	Fingerprint string `json:"fingerprint"`
}

// stop is one place of a flow or a related place.
type stop struct {
	Message string `json:"message"`
	Node    string `json:"node"`
	region
}

type notJudged struct {
	File   string `json:"file"`
	Node   string `json:"node"`
	Reason string `json:"reason"`
}

type problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type builder struct{ columns *place.Columns }

func (b builder) finding(f *lint.Finding) finding {
	out := finding{
		Rule:        ruleID(f),
		Severity:    f.Severity.String(),
		Confidence:  f.Confidence.String(),
		Message:     clean.Cut(f.Message, clean.Message),
		Fix:         clean.Cut(f.Fix, clean.Message),
		region:      b.region(f.At, f.Node),
		Node:        nodeName(f.Node),
		Pointer:     pointer(placeOf(f.At, f.Node), f.Node),
		Flow:        make([]stop, 0, len(f.Flow)),
		Related:     make([]stop, 0, len(f.Related)),
		Fingerprint: f.Fingerprint,
	}
	if f.Node != nil {
		out.NodeID = clean.Cut(f.Node.ID, longName)
	}
	if w := workflowOf(f.Node); w != nil {
		out.Workflow, out.WorkflowID = clean.Cut(w.Name, longName), clean.Cut(w.ID, longName)
	}
	for _, s := range f.Flow {
		out.Flow = append(out.Flow, stop{clean.Cut(s.Message, clean.Message), nodeName(s.Node), b.region(s.At, s.Node)})
	}
	for _, r := range f.Related {
		out.Related = append(out.Related, stop{clean.Cut(r.Message, clean.Message), nodeName(r.Node), b.region(r.At, r.Node)})
	}
	return out
}

func (b builder) region(at source.Span, n *graph.Node) region {
	start, end := b.columns.Range(placeOf(at, n))
	return region{
		File: fileName(fileOf(at, n)),
		Line: start.Line, Column: start.Column, EndLine: end.Line, EndColumn: end.Column,
	}
}

func nodeName(n *graph.Node) string {
	if n == nil {
		return ""
	}
	return clean.Cut(n.Name, longName)
}

// pointer leads to the smallest value around a place; where keys are so long
// that nobody could use it, to a value further out.
func pointer(at source.Span, n *graph.Node) string {
	w := workflowOf(n)
	if w == nil {
		return ""
	}
	v := w.Value.Around(at)
	for ; v.Exists(); v = v.Parent() {
		if p := v.Pointer(); len(p) <= longPointer {
			return p
		}
	}
	return ""
}
