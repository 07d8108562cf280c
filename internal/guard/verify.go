package guard

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed data/secrets.tsv
var secretsTSV string

//go:embed data/verifiers.tsv
var verifiersTSV string

var secretWords = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, f := range catalog.Rows(secretsTSV) {
		m[f[0]] = append(m[f[0]], " "+f[1]+" ")
	}
	return m
})

var verifiers = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, f := range catalog.Rows(verifiersTSV) {
		m[f[0]] = append(m[f[0]], f[1])
	}
	return m
})

// Check is a node that asks whether a request is what it says it is.
type Check struct {
	Node *graph.Node
	// At is the text that compares, or that hands the question on.
	At source.Span
	// Sure is false where another workflow, service or table decides, of which
	// the file does not show what it asks.
	Sure bool
	// Stops: a request that fails the check ends at this node.
	Stops bool
}

// Authenticated reports whether the Webhook node itself refuses strangers: by
// an authentication setting, also one that is an expression, or by a list of
// allowed addresses (N8N.md section 3).
func Authenticated(webhook *graph.Node) bool {
	auth := webhook.Parameter("authentication").Str()
	return auth != "" && auth != "none" || webhook.Parameter("options", "ipWhitelist").Str() != ""
}

// Checks are the nodes behind a webhook that verify its requests, in the order
// of the file.
func (f *Facts) Checks(webhook *graph.Node) (list []Check) {
	for _, n := range f.model.run(webhook) {
		if c := f.model.checkOf(n); c != nil {
			list = append(list, *c)
		}
	}
	return list
}

func (m *model) checkOf(n *graph.Node) *Check {
	known, ok := m.ingress.checks[n]
	if !ok {
		if c, found := m.check(n); found {
			known = &c
		}
		if m.ingress.checks == nil {
			m.ingress.checks = map[*graph.Node]*Check{}
		}
		m.ingress.checks[n] = known
	}
	return known
}

func (m *model) check(n *graph.Node) (Check, bool) {
	op := m.ops[n]
	if code, mode := catalog.CodeOf(n); code.Exists() {
		if c, ok := m.codeCheck(n, code, mode); ok {
			return c, true
		}
	}
	if at, ok := m.comparesSecret(n); ok {
		return Check{Node: n, At: at, Sure: true}, true
	}
	if slices.Contains(verifiers()["node"], n.Type+" "+n.Parameter("operation").Str()) {
		return Check{Node: n, At: op.At, Sure: true, Stops: n.OnError == graph.StopWorkflow}, true
	}
	if op.Kind == catalog.Call && m.sendsSecret(n) || m.asksService(n, op) || m.looksUpSecret(n, op) {
		return Check{Node: n, At: op.At}, true
	}
	if op.Kind == catalog.Unknown && provesBy(n.Type) {
		return Check{Node: n, At: n.Place()}, true
	}
	return Check{}, false
}

// codeCheck recognises code that compares something a request proves itself by.
func (m *model) codeCheck(n *graph.Node, code source.Value, mode expr.CodeMode) (Check, bool) {
	p := m.program(code.Str())
	if p == nil {
		return Check{Node: n, At: code.Span()}, provesBy(code.Str()) && strings.Contains(strings.ToLower(code.Str()), "hmac")
	}
	for _, c := range p.Compared() {
		if !slices.ContainsFunc(c.Names, provesBy) && !proofKey(c.Names) {
			continue
		}
		low, _ := p.RunCode(expr.Symbolic{}, mode).Items.Count()
		return Check{Node: n, At: code.Inner(c.Start, c.End), Sure: true, Stops: (p.Throws() || c.Throws) && n.OnError == graph.StopWorkflow || low == 0}, true
	}
	return Check{}, false
}

// proofKey: a field that is called key and the like, in a header or a query.
func proofKey(names []string) bool {
	return (slices.Contains(names, "headers") || slices.Contains(names, "query")) &&
		slices.ContainsFunc(names, func(s string) bool { return named(s, "key") })
}

// comparesSecret finds the comparison in a node's conditions and expressions.
func (m *model) comparesSecret(n *graph.Node) (at source.Span, found bool) {
	switch n.Type {
	case ifNode, filterNode, switchNode, setNode:
	default:
		return at, false
	}
	m.eachValue(n.Parameters, false, func(v source.Value, presence bool) {
		if found {
			return
		}
		for _, part := range m.eval.template(v.Str()).Parts {
			if part.Program == nil {
				continue
			}
			if found = m.provesPart(n, part, n.Type != setNode && operand(v) && !presence); found {
				at = codeOf(v, part)
				return
			}
		}
	})
	return at, found
}

// codeOf is the place of an expression's code, the spaces around it left out.
func codeOf(v source.Value, part expr.Part) source.Span {
	start := part.Start + len(part.Text) - len(strings.TrimLeft(part.Text, " \t\n"))
	return v.Inner(start, start+len(strings.TrimSpace(part.Text)))
}

// operand reports whether a value is one side of a condition that compares.
func operand(v source.Value) bool {
	switch v.Key() {
	case "leftValue", "rightValue", "value1", "value2":
		return true
	}
	return false
}

func (m *model) provesPart(n *graph.Node, part expr.Part, compared bool) bool {
	for _, c := range part.Program.Compared() {
		if slices.ContainsFunc(c.Names, provesBy) || proofKey(c.Names) {
			return true
		}
	}
	if !compared {
		return false
	}
	return slices.ContainsFunc(part.Eval(expr.Symbolic{}).AllOrigins(), func(o expr.Origin) bool {
		return m.fromRequest(n, o) && (slices.ContainsFunc(o.Path, provesBy) || proofKey(o.Path))
	})
}

// sendsSecret reports whether a call hands on what the request proves itself by:
// it maps such a field, or passes its whole item.
func (m *model) sendsSecret(n *graph.Node) bool {
	if slices.ContainsFunc(m.origins(n), func(o expr.Origin) bool {
		return slices.ContainsFunc(o.Path, func(s string) bool { return s == "headers" || provesBy(s) })
	}) {
		return true
	}
	inputs := n.Parameter("workflowInputs", "value")
	return inputs.Len() == 0 && m.arrivesWhole(n)
}

// arrivesWhole reports whether the item that comes to a node is still the
// webhook's.
func (m *model) arrivesWhole(n *graph.Node) bool {
	from := m.workflow.Node(m.producer(n))
	return from != nil && from.Type == webhookNode
}

// asksService reports whether a request asks a service to verify, or passes the
// caller's own login on.
func (m *model) asksService(n *graph.Node, op catalog.Operation) bool {
	if op.HTTP == nil {
		return false
	}
	url := strings.TrimRight(n.Parameter("url").Str(), "/ ")
	url, _, _ = strings.Cut(url, "?")
	if slices.ContainsFunc(verifiers()["url"], func(s string) bool { return strings.HasSuffix(url, s) }) {
		return true
	}
	return slices.ContainsFunc(m.origins(n), func(o expr.Origin) bool {
		return m.fromRequest(n, o) && slices.Contains(o.Path, "headers") && slices.ContainsFunc(o.Path, provesBy)
	})
}

// looksUpSecret reports whether a read asks a table for a token of the request.
func (m *model) looksUpSecret(n *graph.Node, op catalog.Operation) bool {
	return op.Kind == catalog.Read && slices.ContainsFunc(m.origins(n), func(o expr.Origin) bool {
		return m.fromRequest(n, o) && (slices.ContainsFunc(o.Path, provesBy) || proofKey(o.Path))
	})
}

// fromRequest reports whether a source is a part of a webhook's request, or a
// field that a Set or Code node made.
func (m *model) fromRequest(n *graph.Node, o expr.Origin) bool {
	if o.Kind != expr.OriginReference || len(o.Path) == 0 {
		return false
	}
	switch o.Path[0] {
	case "headers", "query", "body", "params":
		return true
	}
	name := o.Name
	if name == "" {
		name = m.producer(n)
	}
	from := m.workflow.Node(name)
	return from != nil && (from.Type == setNode || from.Type == codeNode || from.Type == webhookNode)
}

// provesBy reports whether a name is one by which a request proves who sent it.
func provesBy(name string) bool {
	return named(name, "secret") && !named(name, "handshake") && !named(name, "other")
}

func named(name, role string) bool {
	text := " " + strings.Join(catalog.Words(name), " ") + " "
	return slices.ContainsFunc(secretWords()[role], func(w string) bool { return strings.Contains(text, w) })
}

// eachValue visits the expressions below a value. presence is set inside a
// condition that asks only whether something is there.
func (m *model) eachValue(v source.Value, presence bool, visit func(v source.Value, presence bool)) {
	if v.Kind() == source.String {
		if strings.HasPrefix(v.Str(), "=") {
			visit(v, presence)
		}
		return
	}
	presence = presence || asksPresence(v)
	for c := range v.Children() {
		m.eachValue(c, presence, visit)
	}
}

// asksPresence reports whether a condition asks whether its value is there,
// whatever it is.
func asksPresence(condition source.Value) bool {
	operation := condition.Get("operation").Str()
	if v := condition.Get("operator", "operation"); v.Exists() {
		operation = v.Str()
	}
	switch operation {
	case "exists", "notExists", "empty", "notEmpty", "isEmpty", "isNotEmpty":
		return true
	}
	return false
}

// Open are the nodes that requests of a webhook reach although no check has
// accepted them. A check that may stop elsewhere than the file shows counts as
// one that stops.
func (f *Facts) Open(webhook *graph.Node, checks []Check) map[*graph.Node]bool {
	m := f.model
	gates := map[*graph.Node]bool{}
	for _, c := range checks {
		for _, g := range m.gatesOf(c) {
			gates[g] = true
		}
	}
	open := graph.Reachable(webhook, func(e *graph.Edge) bool { return gates[e.From] || !m.fires(e) })
	for _, g := range inOrder(gates) {
		if !open[g] {
			continue
		}
		for n := range m.onEveryWay(g) {
			open[n] = true
		}
	}
	return open
}

// gatesOf are the nodes at which a request that fails a check stops: the
// checking node, or the branches behind it that ask for its answer.
func (m *model) gatesOf(c Check) (list []*graph.Node) {
	switch {
	case c.Stops, !c.Sure, c.Node.Type == ifNode, c.Node.Type == filterNode, c.Node.Type == switchNode:
		return []*graph.Node{c.Node}
	}
	for _, n := range inOrder(graph.Reachable(c.Node, nil)) {
		switch n.Type {
		case ifNode, filterNode, switchNode:
			if n != c.Node && !n.Disabled {
				list = append(list, n)
			}
		case codeNode:
			if n != c.Node && !n.Disabled && m.throwsOn(n) {
				list = append(list, n)
			}
		}
	}
	return list
}

func (m *model) throwsOn(n *graph.Node) bool {
	code, mode := catalog.CodeOf(n)
	p := m.program(code.Str())
	if p == nil {
		return false
	}
	low, _ := p.RunCode(expr.Symbolic{}, mode).Items.Count()
	return low == 0 || p.Throws()
}

// onEveryWay are the nodes that all outputs of a branch lead to: the branch
// keeps nothing from them.
func (m *model) onEveryWay(branch *graph.Node) map[*graph.Node]bool {
	if branch.Type != ifNode && branch.Type != switchNode {
		return nil
	}
	ways := map[int]map[*graph.Node]bool{}
	for _, e := range branch.MainOut() {
		if ways[e.Output] == nil {
			ways[e.Output] = map[*graph.Node]bool{}
		}
		for n := range graph.Reachable(e.To, nil) {
			ways[e.Output][n] = true
		}
	}
	if len(ways) < outputs(branch) || len(ways) < 2 {
		return nil // an output that leads nowhere stops the request
	}
	common := map[*graph.Node]bool{}
	for n := range ways[0] {
		if !slices.ContainsFunc(mainOutputs(branch), func(o int) bool { return !ways[o][n] }) {
			common[n] = true
		}
	}
	return common
}

// RunsBehind reports whether items of one node come to another.
func (f *Facts) RunsBehind(n, other *graph.Node) bool { return f.model.behind(n).Has(other) }
