// Package graph turns n8n exports into the graph that n8n would run: workflows,
// nodes with their settings and parameters, and the edges between them.
package graph

import (
	"github.com/n8nlint/n8nlint/internal/source"
)

// Workflow is one workflow of a file.
type Workflow struct {
	File  *source.File
	Value source.Value
	// Index counts the workflows of the file from 0.
	Index    int
	ID, Name string
	// Active is what the export says: published in n8n 2, switched on before.
	// Exports without the field leave it false.
	Active   bool
	Archived bool
	Settings Settings
	Nodes    []*Node
	// Notes are the texts of the sticky notes.
	Stickies []*Node
	// Odd lists what n8n could not use either, such as an edge to nowhere.
	Odd []Oddity

	byName map[string]*Node
}

// Settings are the workflow settings that change what runs.
type Settings struct {
	// ErrorWorkflow is the id of the workflow that starts when this one fails.
	ErrorWorkflow string
	// ExecutionOrder is "v1" (one branch to its end, then the next) or "v0";
	// absent counts as v0 (N8N.md section 6).
	ExecutionOrder string
}

// Oddity is a part of the file that was left out of the graph, and why.
type Oddity struct {
	At     source.Span
	Reason string
}

// OnError is what a node does when it fails (N8N.md section 6).
type OnError int

// StopWorkflow is the default; ContinueRegularOutput puts an error item on the
// first output; ContinueErrorOutput puts it on one more output behind the last.
const (
	StopWorkflow OnError = iota
	ContinueRegularOutput
	ContinueErrorOutput
)

// Node is one node with the settings that it runs with.
type Node struct {
	Workflow *Workflow
	Value    source.Value
	// Index is the node's place in the file's list.
	Index       int
	ID, Name    string
	Type        string
	TypeVersion float64
	Parameters  source.Value
	Notes       string
	// X and Y are the canvas position; n8n orders branches by it.
	X, Y             float64
	Disabled         bool
	OnError          OnError
	RetryOnFail      bool
	MaxTries         int
	AlwaysOutputData bool
	ExecuteOnce      bool

	// Out and In are the edges of all kinds, in the order of the file.
	Out, In []*Edge
}

// Main is the kind of the edges that items travel on.
const Main = "main"

// Edge is one connection. Kind is "main" or one of n8n's ai_* kinds; ai_* edges
// point from the part to the agent or chain that uses it.
type Edge struct {
	From, To      *Node
	Output, Input int
	Kind          string
	At            source.Span
}

// Node finds a node by name; nil where there is none. Of two nodes of one name
// n8n keeps the last.
func (w *Workflow) Node(name string) *Node { return w.byName[name] }

// Place is the narrowest text that stands for the node as a whole: its name,
// or its type where the file gives it no name.
func (n *Node) Place() source.Span {
	for _, key := range []string{"name", "type", "id"} {
		if v := n.Value.Get(key); v.Exists() {
			return v.Span()
		}
	}
	return n.Value.Span()
}

// Setting is the value of a key of the node itself, such as retryOnFail.
func (n *Node) Setting(key string) source.Value { return n.Value.Get(key) }

// Parameter follows keys below the node's parameters.
func (n *Node) Parameter(keys ...string) source.Value { return n.Parameters.Get(keys...) }

// Locator reads a parameter that may be a plain string or one of n8n's resource
// locators ({__rl, mode, value}); cached is the name that the editor showed.
func (n *Node) Locator(keys ...string) (value source.Value, cached string) {
	v := n.Parameter(keys...)
	if v.Kind() == source.Object && v.Get("value").Exists() {
		return v.Get("value"), v.Get("cachedResultName").Str()
	}
	return v, ""
}

// MainOut are the edges that items leave on.
func (n *Node) MainOut() []*Edge { return ofKind(n.Out, Main) }

// MainIn are the edges that items arrive on.
func (n *Node) MainIn() []*Edge { return ofKind(n.In, Main) }

// Uses are the parts (tools, models, memories) that hang on an agent or chain,
// of one ai_* kind.
func (n *Node) Uses(kind string) []*Node {
	var parts []*Node
	for _, e := range ofKind(n.In, kind) {
		parts = append(parts, e.From)
	}
	return parts
}

func ofKind(edges []*Edge, kind string) []*Edge {
	var out []*Edge
	for _, e := range edges {
		if e.Kind == kind {
			out = append(out, e)
		}
	}
	return out
}

// Blank reports whether every node of the workflow that does something has
// empty parameters: an export that was blanked and says nothing.
func (w *Workflow) Blank() bool {
	for _, n := range w.Nodes {
		if n.Parameters.Len() > 0 {
			return false
		}
	}
	return len(w.Nodes) > 1
}
