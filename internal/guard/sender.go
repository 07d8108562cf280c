package guard

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

//go:embed data/senders.tsv
var sendersTSV string

// Sender is a service that calls webhooks.
type Sender struct {
	Name string
	// Patience is how long it waits for an answer, in words; "" where it does not
	// say.
	Patience string
	// Redelivers: it sends again by itself when it gets no answer.
	Redelivers bool
	// Signature is how it proves that a request is its own.
	Signature string

	marks [][]string
}

var senders = sync.OnceValue(func() (list []Sender) {
	for _, f := range catalog.Rows(sendersTSV) {
		s := Sender{Name: f[0], Redelivers: f[3] == "yes", Signature: f[4]}
		if f[2] != "-" {
			s.Patience = f[2]
		}
		for mark := range strings.FieldsSeq(f[1]) {
			if name, ok := strings.CutPrefix(mark, "header:"); ok {
				s.marks = append(s.marks, []string{"headers", name})
			} else {
				s.marks = append(s.marks, append([]string{"body"}, strings.Split(strings.TrimPrefix(mark, "body:"), ".")...))
			}
		}
		list = append(list, s)
	}
	return list
})

// Sender is who sends to a webhook, where the headers and fields that the
// workflow reads show it.
func (f *Facts) Sender(webhook *graph.Node) (Sender, bool) {
	read := f.model.webhookFields(webhook)
	for _, s := range senders() {
		for _, mark := range s.marks {
			if slices.ContainsFunc(read, func(path []string) bool { return below(path, mark) }) {
				return s, true
			}
		}
	}
	return Sender{}, false
}

// below reports whether a path leads to a field or into it.
func below(path, mark []string) bool {
	if len(path) < len(mark) {
		return false
	}
	for i, name := range mark {
		if path[i] != "*" && !strings.EqualFold(path[i], name) {
			return false
		}
	}
	return true
}

// webhookFields are the fields of a webhook's item that the workflow reads, by
// the webhook's name or as the current item directly behind it.
func (m *model) webhookFields(webhook *graph.Node) (paths [][]string) {
	for _, n := range m.run(webhook) {
		direct := m.producer(n) == webhook.Name
		for _, o := range m.origins(n) {
			if o.Kind == expr.OriginReference && (o.Name == webhook.Name || o.Name == "" && direct) {
				paths = append(paths, o.Path)
			}
		}
	}
	return paths
}

// ingressMemory keeps what the questions about webhooks have found out about
// nodes.
type ingressMemory struct {
	origins map[*graph.Node][]expr.Origin
	checks  map[*graph.Node]*Check
}

// origins are the sources of everything that a node's parameters and code read.
func (m *model) origins(n *graph.Node) []expr.Origin {
	list, ok := m.ingress.origins[n]
	if !ok {
		list = m.readOrigins(n)
		if m.ingress.origins == nil {
			m.ingress.origins = map[*graph.Node][]expr.Origin{}
		}
		m.ingress.origins[n] = list
	}
	return list
}

func (m *model) readOrigins(n *graph.Node) (list []expr.Origin) {
	m.eachString(n.Parameters, func(s string) {
		for _, p := range m.eval.template(s).Parts {
			if p.Program != nil {
				list = append(list, p.Eval(expr.Symbolic{}).AllOrigins()...)
			}
		}
	})
	code, mode := catalog.CodeOf(n)
	if p := m.program(code.Str()); p != nil {
		list = append(list, p.RunCode(expr.Symbolic{}, mode).Items.AllOrigins()...)
	}
	return list
}

func (m *model) program(code string) *expr.Program {
	if code == "" {
		return nil
	}
	return m.eval.code(code)
}
