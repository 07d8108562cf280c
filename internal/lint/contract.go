// Package lint is the contract between rules and the engine that runs them.
package lint

import (
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Severity says how bad a finding is.
type Severity int

// Note is worth knowing; Warning duplicates or loses when an event is repeated
// or a run crashes; Error will duplicate, lose or block on evidence in the file.
const (
	Note Severity = iota
	Warning
	Error
)

func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// ParseSeverity reads the word that String writes.
func ParseSeverity(word string) (Severity, bool) {
	for _, s := range []Severity{Note, Warning, Error} {
		if s.String() == word {
			return s, true
		}
	}
	return Note, false
}

// Confidence says how sure the evidence is; it is a second axis beside Severity.
type Confidence int

// The confidences.
const (
	Low Confidence = iota
	Medium
	High
)

func (c Confidence) String() string { return [...]string{"low", "medium", "high"}[c] }

// Family groups rules by what they are about; it is the folder under rules/.
type Family string

// Rule is one check: data and one function. Rules hold no state.
type Rule struct {
	// ID is kebab-case and names the problem. It never changes.
	ID string
	// Title is one line, lower case, without a full stop.
	Title  string
	Family Family
	// Severity is the strongest that the rule reports.
	Severity Severity
	// Confidence is what most of its findings have; SARIF calls it precision.
	Confidence Confidence
	// Default rules run unless they are deselected.
	Default bool
	// Doc is the rule's page in Markdown.
	Doc string
	// Check reports findings. An error means that it could not work; it is
	// never a finding.
	Check func(*Pass) error
}

// Project is every workflow of a run.
type Project struct {
	Workflows []*graph.Workflow
}

// Pass is one rule on one workflow, used by one goroutine.
type Pass struct {
	Rule     *Rule
	Workflow *graph.Workflow
	Project  *Project
	// Facts are what the analyses know of the workflow: effects, claims, gates
	// and the protection of every effect.
	Facts *guard.Facts

	findings []Finding
	unjudged []NotJudged
}

// Report adds a finding of this rule.
func (p *Pass) Report(f Finding) {
	f.Rule = p.Rule
	p.findings = append(p.findings, f)
}

// NotJudged says that the rule could not decide about a node from the file.
func (p *Pass) NotJudged(n *graph.Node, reason string) {
	p.unjudged = append(p.unjudged, NotJudged{File: n.Workflow.File, At: n.Place(), Node: n, Reason: reason})
}

// Finding is one fault at one place.
type Finding struct {
	// At is the narrowest text that shows the fault, never a whole node.
	At source.Span
	// Node is the node that the fault is in.
	Node *graph.Node
	// Message states the fact, then the cure, in one line. Text from the file is
	// quoted; secrets never appear.
	Message    string
	Severity   Severity
	Confidence Confidence
	// Flow leads from the source to the sink: trigger to effect, or where a
	// value was made to where it is a key.
	Flow    []Step
	Related []Related
	// Fix is one concrete next step, in several lines where code is the answer.
	Fix string
	// Key tells two findings of one rule on one node apart.
	Key string

	// Rule and Fingerprint are set by the engine. The fingerprint holds no
	// positions, so it survives reformatting and moved nodes.
	Rule        *Rule
	Fingerprint string
}

// Step is one stop on a finding's flow.
type Step struct {
	At      source.Span
	Node    *graph.Node
	Message string
}

// Related is another place that belongs to a finding.
type Related struct {
	At      source.Span
	Node    *graph.Node
	Message string
}

// NotJudged is something that cannot be decided from the file: no finding.
type NotJudged struct {
	File   *source.File
	At     source.Span
	Node   *graph.Node // nil where a whole file or edge is meant
	Reason string
}

// Problem is what kept the run from being complete: a file that cannot be read
// or is no workflow, or a rule that failed.
type Problem struct {
	// File is the name as given; Line and Column are 0 where there is no place.
	File         string
	Line, Column int
	Message      string
}

// Result is everything a run has to say, in a fixed order.
type Result struct {
	Findings  []Finding
	NotJudged []NotJudged
	Problems  []Problem
	// Rules are the rules that ran.
	Rules []*Rule
	// Files were read, Workflows found in them; Skipped are files of a folder
	// scan that hold no workflow.
	Files, Workflows int
	Skipped          []string
}
