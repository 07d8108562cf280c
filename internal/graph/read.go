package graph

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/n8nlint/n8nlint/internal/source"
)

// ErrNoWorkflow is the reason for a JSON file that holds no n8n workflow.
type ErrNoWorkflow struct {
	File *source.File
	// Reason is empty for ordinary JSON and says more where the file looks like
	// an export that lost its shape.
	Reason string
}

func (e *ErrNoWorkflow) Error() string {
	reason := e.Reason
	if reason == "" {
		reason = "no n8n workflow in this JSON (an object with nodes and connections)"
	}
	return fmt.Sprintf("%s:1:1: %s", e.File.Name, reason)
}

// Read finds every workflow in a file, in any of the shapes that n8n, its API
// and its template site write (N8N.md section 9). The error is a
// *source.SyntaxError or an *ErrNoWorkflow.
func Read(f *source.File) ([]*Workflow, error) {
	doc, err := source.ParseJSON(f)
	if err != nil {
		return nil, err
	}
	var out []*Workflow
	find(doc.Root(), 0, func(v source.Value) {
		w := readWorkflow(f, v)
		w.Index = len(out)
		out = append(out, w)
	})
	if len(out) == 0 {
		return nil, &ErrNoWorkflow{File: f, Reason: lostShape(doc.Root())}
	}
	return out, nil
}

// wrappers are the keys under which a workflow or a list of them may stand.
// activeVersion is not among them: it is the published copy of the workflow
// around it, not a second one.
var wrappers = []string{"data", "workflow", "workflows", "templates"}

const deepestWrapper = 8

func find(v source.Value, depth int, found func(source.Value)) {
	if depth > deepestWrapper {
		return
	}
	switch v.Kind() {
	case source.Array:
		for c := range v.Children() {
			find(c, depth+1, found)
		}
	case source.Object:
		if isWorkflow(v) {
			found(v)
			return
		}
		for _, k := range wrappers {
			find(v.Get(k), depth+1, found)
		}
	}
}

// isWorkflow tells n8n workflows from other documents with nodes: n8n's types
// are package.name, and its edges live under connections.
func isWorkflow(v source.Value) bool {
	nodes := v.Get("nodes")
	if nodes.Kind() != source.Array || !v.Get("connections").Exists() {
		return false
	}
	for n := range nodes.Children() {
		if strings.Contains(n.Get("type").Str(), ".") {
			return true
		}
	}
	return nodes.Len() == 0 && v.Get("connections").Kind() != source.Array
}

func lostShape(v source.Value) string {
	for _, k := range wrappers {
		if s := v.Get(k).Str(); strings.Contains(s, `"nodes"`) && strings.Contains(s, `"connections"`) {
			return fmt.Sprintf("the workflow stands under %q as a JSON string; save the text of that string as the file", k)
		}
	}
	return ""
}

func readWorkflow(f *source.File, v source.Value) *Workflow {
	w := &Workflow{
		File: f, Value: v,
		ID: v.Get("id").Text(), Name: v.Get("name").Text(),
		Active: v.Get("active").IsTrue(), Archived: v.Get("isArchived").IsTrue(),
		Settings: readSettings(v.Get("settings")),
		byName:   map[string]*Node{},
	}
	i := 0
	for c := range v.Get("nodes").Children() {
		w.addNode(c, i)
		i++
	}
	w.connect(v.Get("connections"))
	return w
}

func readSettings(v source.Value) Settings {
	return Settings{ErrorWorkflow: v.Get("errorWorkflow").Text(), ExecutionOrder: v.Get("executionOrder").Text()}
}

func (w *Workflow) odd(at source.Span, format string, args ...any) {
	w.Odd = append(w.Odd, Oddity{At: at, Reason: fmt.Sprintf(format, args...)})
}

const stickyNote = "n8n-nodes-base.stickyNote"

func (w *Workflow) addNode(v source.Value, index int) {
	if v.Kind() != source.Object {
		w.odd(v.Span(), "node %d is not an object and was left out", index)
		return
	}
	n := readNode(w, v, index)
	if n.Type == stickyNote {
		w.Stickies = append(w.Stickies, n)
		return
	}
	if n.Type == "" {
		w.odd(n.Place(), "node %q has no type and was left out", n.Name)
		return
	}
	if _, taken := w.byName[n.Name]; taken && n.Name != "" {
		w.odd(n.Place(), "two nodes are called %q; n8n joins edges by name, so all edges belong to the last one", n.Name)
	}
	w.byName[n.Name] = n
	w.Nodes = append(w.Nodes, n)
}

func readNode(w *Workflow, v source.Value, index int) *Node {
	n := &Node{
		Workflow: w, Value: v, Index: index,
		ID: v.Get("id").Text(), Name: v.Get("name").Text(), Type: v.Get("type").Str(),
		TypeVersion: 1, Parameters: v.Get("parameters"), Notes: v.Get("notes").Str(),
		Disabled:         v.Get("disabled").IsTrue(),
		RetryOnFail:      v.Get("retryOnFail").IsTrue(),
		AlwaysOutputData: v.Get("alwaysOutputData").IsTrue(),
		ExecuteOnce:      v.Get("executeOnce").IsTrue(),
		MaxTries:         maxTries(v.Get("maxTries")),
		OnError:          readOnError(v),
	}
	if version, ok := v.Get("typeVersion").Float(); ok {
		n.TypeVersion = version
	}
	n.X, _ = v.Get("position").Index(0).Float()
	n.Y, _ = v.Get("position").Index(1).Float()
	return n
}

// maxTries is clamped as n8n clamps it: 3 by default, at least 2, at most 5
// (N8N.md section 2).
func maxTries(v source.Value) int {
	tries, ok := v.Float()
	if !ok || tries == 0 {
		return 3
	}
	return min(max(int(tries), 2), 5)
}

// readOnError knows that the old continueOnFail counts only where onError is
// absent (N8N.md section 6).
func readOnError(v source.Value) OnError {
	switch v.Get("onError").Str() {
	case "continueRegularOutput":
		return ContinueRegularOutput
	case "continueErrorOutput":
		return ContinueErrorOutput
	case "":
		if v.Get("continueOnFail").IsTrue() {
			return ContinueRegularOutput
		}
	}
	return StopWorkflow
}

func (w *Workflow) connect(connections source.Value) {
	switch connections.Kind() {
	case source.Object:
	case source.Null, source.Absent:
		return
	default:
		w.odd(connections.Span(), "connections is not an object; no edge could be read")
		return
	}
	// Of duplicate keys the last counts.
	last := map[string]source.Value{}
	var order []string
	for c := range connections.Children() {
		k := c.Key()
		if _, seen := last[k]; !seen {
			order = append(order, k)
		}
		last[k] = c
	}
	for _, name := range order {
		w.connectNode(name, last[name])
	}
}

func (w *Workflow) connectNode(name string, kinds source.Value) {
	from := w.byName[name]
	if kinds.Kind() != source.Object {
		w.odd(kinds.Span(), "the connections of %q are not an object and were left out", name)
		return
	}
	for outputs := range kinds.Children() {
		kind := outputs.Key()
		if kind != Main && !strings.HasPrefix(kind, "ai_") {
			w.odd(outputs.KeySpan(), "%q is no kind of connection in n8n; the edges of %q under it never run", kind, name)
			continue
		}
		if from == nil {
			w.odd(kinds.KeySpan(), "connections start at %q, but no node has this name", name)
			return
		}
		w.connectOutputs(from, kind, outputs)
	}
}

func (w *Workflow) connectOutputs(from *Node, kind string, outputs source.Value) {
	if k := outputs.Kind(); k != source.Array {
		if k != source.Null {
			w.odd(outputs.Span(), "the outputs of %q are not a list and were left out", from.Name)
		}
		return
	}
	output := 0
	for group := range outputs.Children() {
		w.connectGroup(from, kind, output, group)
		output++
	}
}

func (w *Workflow) connectGroup(from *Node, kind string, output int, group source.Value) {
	switch group.Kind() {
	case source.Null:
		return
	case source.Array:
	default:
		w.odd(group.Span(), "output %d of %q is not a list of edges and was left out", output, from.Name)
		return
	}
	for e := range group.Children() {
		if e.Kind() == source.Null {
			continue
		}
		if e.Kind() != source.Object {
			w.odd(e.Span(), "an edge of %q is not an object and was left out", from.Name)
			continue
		}
		w.connectEdge(from, kind, output, e)
	}
}

func (w *Workflow) connectEdge(from *Node, kind string, output int, e source.Value) {
	to := w.byName[e.Get("node").Text()]
	if to == nil {
		w.odd(e.Get("node").Span(), "an edge of %q leads to %q, but no node has this name; n8n stops there with an error", from.Name, e.Get("node").Text())
		return
	}
	edge := &Edge{From: from, To: to, Output: output, Input: inputIndex(e.Get("index")), Kind: kind, At: e.Get("node").Span()}
	from.Out = append(from.Out, edge)
	to.In = append(to.In, edge)
}

func inputIndex(v source.Value) int {
	if i, err := strconv.Atoi(v.Text()); err == nil && i > 0 {
		return i
	}
	return 0
}
