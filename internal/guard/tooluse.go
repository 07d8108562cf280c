package guard

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// ToolUse is a tool by which a model acts.
type ToolUse struct {
	Tool *graph.Node
	// Effect is the tool's own, or the strongest of the workflow that it runs.
	Effect *Effect
}

// ToolUser is an agent or an MCP server, and the tools by which it acts.
type ToolUser struct {
	Node *graph.Node
	// Uses are the tools that act without an approval, in the order of the file.
	Uses []ToolUse
	// Unclear are the tools of which the file does not show what they do.
	Unclear []*graph.Node
}

const toolKind = "ai_tool"

// ToolUsers are the reached agents and servers that have tools. A sub-agent is
// one of its own: its tools are not those of the agent above it.
func (f *Facts) ToolUsers() (list []ToolUser) {
	for _, n := range f.Nodes() {
		parts := n.Uses(toolKind)
		if len(parts) == 0 || f.model.asksPerson(n) {
			continue
		}
		slices.SortStableFunc(parts, func(a, b *graph.Node) int { return a.Index - b.Index })
		u := ToolUser{Node: n}
		for _, part := range slices.Compact(parts) {
			f.model.useOf(part, &u)
		}
		list = append(list, u)
	}
	return list
}

func (m *model) useOf(part *graph.Node, u *ToolUser) {
	if part.Disabled || m.asksPerson(part) {
		return
	}
	op := m.ops[part]
	if callee := m.callees[part]; callee != nil {
		if e := callee.unapproved(); e != nil {
			u.Uses = append(u.Uses, ToolUse{Tool: part, Effect: e})
		}
		return
	}
	if e, ok := m.effect(part); ok {
		if !e.Key.Protects() && !e.Log {
			u.Uses = append(u.Uses, ToolUse{Tool: part, Effect: e})
		}
		return
	}
	if op.Kind == catalog.Unknown || op.Kind == catalog.Call {
		u.Unclear = append(u.Unclear, part)
	}
}

// reviewSuffix ends the type of the nodes that n8n puts between an agent and its
// tools, and that ask a person before a tool runs.
const reviewSuffix = "HitlTool"

// asksPerson reports whether a node waits for a person's answer.
func (m *model) asksPerson(n *graph.Node) bool {
	return m.ops[n].Approval || strings.HasSuffix(n.Type, reviewSuffix) || n.Parameter("operation").Str() == sendAndWait
}

const sendAndWait = "sendAndWait"

// unapproved is the strongest effect of a called workflow that it comes to
// without asking a person, nil for none.
func (m *model) unapproved() (best *Effect) {
	for _, start := range m.calledTriggers() {
		open := graph.Reachable(start, func(e *graph.Edge) bool { return m.asksPerson(e.From) && !e.From.Disabled })
		for _, n := range inOrder(open) {
			if e, ok := m.effect(n); ok && !e.Log && !m.asksPerson(n) && (best == nil || e.Impact.Stronger(best.Impact)) {
				best = e
			}
		}
	}
	return best
}
