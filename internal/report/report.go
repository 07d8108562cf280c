// Package report writes results in the formats that people and scripts read.
package report

import (
	"io"
	"slices"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Info says which tool speaks.
type Info struct {
	Tool, Version, InformationURI string
}

// Options are what all formats can be told.
type Options struct {
	Info Info
	// Color writes terminal colours. It is the caller's to know whether there is
	// a terminal.
	Color bool
	// Verbose adds what was not judged, the steps of a path and all related places.
	Verbose bool
	// Quiet leaves out everything but findings and problems.
	Quiet bool
}

// Format writes a result. The error is the writer's.
type Format func(w io.Writer, r *lint.Result, o Options) error

type named struct {
	name   string
	format Format
}

func formats() []named {
	return []named{
		{"text", Text},
		{"json", JSON},
	}
}

// ByName finds a format by the name that --output takes.
func ByName(name string) (Format, bool) {
	for _, f := range formats() {
		if f.name == name {
			return f.format, true
		}
	}
	return nil, false
}

// Names are the names that ByName knows, in the order of the help text.
func Names() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return slices.Clip(names)
}

func ruleID(f *lint.Finding) string {
	if f.Rule == nil {
		return ""
	}
	return f.Rule.ID
}

func workflowOf(n *graph.Node) *graph.Workflow {
	if n == nil {
		return nil
	}
	return n.Workflow
}

// fileOf is the file that a place lies in; a span that is no place takes the
// file of its node.
func fileOf(at source.Span, n *graph.Node) *source.File {
	if !at.IsZero() {
		return at.File
	}
	if w := workflowOf(n); w != nil {
		return w.File
	}
	return nil
}

// placeOf is the span itself, or the node's name where the span is no place.
func placeOf(at source.Span, n *graph.Node) source.Span {
	if !at.IsZero() || n == nil {
		return at
	}
	return n.Place()
}

func fileName(f *source.File) string {
	if f == nil {
		return ""
	}
	return f.Name
}

// tally counts findings by severity and the workflows that have any.
type tally struct {
	bySeverity map[lint.Severity]int
	workflows  int
}

func count(r *lint.Result) tally {
	t := tally{bySeverity: map[lint.Severity]int{}}
	seen := map[*graph.Workflow]bool{}
	for i := range r.Findings {
		t.bySeverity[r.Findings[i].Severity]++
		if w := workflowOf(r.Findings[i].Node); w != nil && !seen[w] {
			seen[w] = true
			t.workflows++
		}
	}
	return t
}
