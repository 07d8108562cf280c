package flow

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Kind is the sort of thing that a value comes from.
type Kind uint8

// The kinds.
const (
	// Unknown could not be followed.
	Unknown Kind = iota
	// TriggerField is a field of the event that started the run.
	TriggerField
	// Volatile is made anew by a redelivery or a retry.
	Volatile
	// Model is a language model's output.
	Model
	// Response is the answer of a service, or of a node that acts.
	Response
	// Row is read from a database, a table or a sheet.
	Row
	// Constant is the same for every event: a literal, or a property of the
	// workflow such as $workflow.id.
	Constant
	// Environment is an environment variable or an n8n variable.
	Environment
	// Input is a called workflow's input whose caller is not known.
	Input
	// Missing is a field that the item certainly does not have there.
	Missing
)

var kindNames = [...]string{"unknown", "trigger field", "volatile", "model", "response", "row", "constant", "environment", "input", "missing"}

// String is the kind in words.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return kindNames[Unknown]
	}
	return kindNames[k]
}

// Origin is one source that a value was made from.
type Origin struct {
	Kind Kind
	// Node is where the value was made or read: the trigger, the node whose
	// expression makes it, the node whose answer it is.
	Node *graph.Node
	// Path is the field of Node's item, outermost first; "*" is an index or a name
	// that is not known. Empty is the whole item.
	Path []string
	// Name is a volatile source as it is written ("Date.now()", "$execution.id",
	// "uuid (Crypto)"), or what provides the value: a function, a variable; for
	// Unknown the reason.
	Name string
	// At is the exact text that makes or reads the value, behind JSON escapes.
	At source.Span
	// Fallback: the value comes from here only where another one is missing.
	Fallback bool
	// StandsIn: the value comes from here because the ones before it are never
	// there: their origins, of the kind Missing, are in the trace.
	StandsIn bool
	// PerTry: a retry of the node whose parameter was traced makes it anew. n8n
	// evaluates a node's own expressions again on each try; what another node has
	// made stays, and so does $execution.id (N8N.md 2).
	PerTry bool
	// DayBucket: a time that was cut to a day or longer on the way.
	DayBucket bool
	// Hops lead from the use back to the source. The text that makes the value, At,
	// is not among them where the node of the use makes it itself.
	Hops []Hop

	// loose: nothing in the file says that a model's answer has the field.
	loose bool
}

// Hop is one station on the way of a value.
type Hop struct {
	Node *graph.Node
	// At is the text that passes the value on.
	At source.Span
	// What says in a few words what happens there: "sets ref", "reads body.id".
	What string
}

// Trace is what a parameter's value is made of.
type Trace struct {
	// Origins are those of all parts, each once, in the order of the text and for
	// each expression the nearest first. A field that exists on one way to the node and not on another has an origin of the
	// kind Missing beside the others.
	Origins []Origin
	// Literal: no expression at all.
	Literal bool
	// Text is the literal text, without the expressions.
	Text string
	// Parts are the literal texts and the expressions in order.
	Parts []TracePart
	// Incomplete: a limit ended the walk, and there may be more origins.
	Incomplete bool
}

// TracePart is one piece of a parameter.
type TracePart struct {
	// Text is the literal text, or the code of an expression.
	Text string
	// Code tells an expression from literal text.
	Code bool
	// At is the piece's place, for code inside the braces.
	At source.Span
	// Origins are those of an expression; empty for literal text.
	Origins []Origin
}

// Kinds reports whether the trace has origins and all of them are of the given kinds.
func (tr Trace) Kinds(kinds ...Kind) bool {
	for _, o := range tr.Origins {
		if !o.Is(kinds...) {
			return false
		}
	}
	return len(tr.Origins) > 0
}

// Same reports whether two values have the same literal text and are made of the
// same fields of the same nodes.
func (tr Trace) Same(other Trace) bool {
	if tr.Incomplete || other.Incomplete || tr.Text != other.Text || len(tr.Origins) == 0 {
		return false
	}
	return slices.EqualFunc(tr.Origins, other.Origins, Origin.same)
}

// same: what could not be followed is the same only where one text made it.
func (o Origin) same(other Origin) bool {
	return o.Kind == other.Kind && o.Node == other.Node && o.Name == other.Name && slices.Equal(o.Path, other.Path) &&
		(o.Kind != Unknown || o.At == other.At)
}

// Is reports whether the origin is of one of the kinds.
func (o Origin) Is(kinds ...Kind) bool {
	for _, k := range kinds {
		if o.Kind == k {
			return true
		}
	}
	return false
}
