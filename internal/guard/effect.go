package guard

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// Effect is a node that changes something outside the workflow again each time
// it runs.
type Effect struct {
	Node *graph.Node
	catalog.Operation
	// Impact is the catalog's, lifted to a message where the destination of a
	// notice comes from the item.
	Impact catalog.Impact
	// Fixed: the destination is the same for every event, an operator's channel.
	Fixed bool
	// MaybeUnique: the row has a column that identifies an event, which a unique
	// key of the table would make once only.
	MaybeUnique bool
	// Key is the idempotency key that the request carries; nil where it has none.
	Key *Key
	// Agent is the agent or server that may use the node as a tool; nil for a
	// node on the main way.
	Agent *graph.Node
	// Exposures say how executions reach the effect, one a root and standing,
	// weakest first.
	Exposures []Exposure
}

// Exposure is one way to reach an effect.
type Exposure struct {
	Root     Root
	Standing Standing
	Guard    *Guard
	Cause    Cause
	// Failed: only behind an error output.
	Failed bool
	Path   []*graph.Node
}

// Key is an idempotency key on a request.
type Key struct {
	At source.Span
	// Enforced says what the service does with it.
	Enforced Enforcement
	Service  string
	// Volatile is the source that makes the key anew each time, "" for none.
	Volatile string
	// PerTry is a source that gives something new on every try of one node.
	PerTry string
	// Unreadable: the service enforces a key, but the place where it would stand
	// is an expression as a whole.
	Unreadable bool
	// Constant: the key is the same for every event.
	Constant bool
}

// Enforcement says what a service does with a key.
type Enforcement int

const (
	// Enforcing services refuse or replay a second request.
	Enforcing Enforcement = iota
	// UnknownHost may or may not honour it.
	UnknownHost
	// Ignoring services take the key as a note, or not at all.
	Ignoring
)

// Protects reports whether the key makes a repeat harmless.
func (k *Key) Protects() bool {
	return k != nil && k.Enforced == Enforcing && k.Volatile == "" && !k.Constant
}

// SurvivesRetry reports whether the key makes a second try of the node harmless:
// unlike a redelivery, a retry keeps the execution id (N8N.md section 2).
func (k *Key) SurvivesRetry() bool {
	return k != nil && k.Enforced == Enforcing && k.PerTry == ""
}

//go:embed data/nodekeys.tsv
var nodeKeysTSV string

var nodeKeys = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, f := range catalog.Rows(nodeKeysTSV) {
		resource := f[1]
		if resource == "-" {
			resource = ""
		}
		m[f[0]+" "+resource+" "+f[2]] = []string{f[3], f[4]}
	}
	return m
})

// effect describes a node that acts; ok is false for all others.
func (m *model) effect(n *graph.Node) (*Effect, bool) {
	op := m.ops[n]
	if n.Disabled || op.Kind != catalog.Repeatable {
		return nil, false
	}
	if g := m.guards[n]; g != nil && g.Kind == Claim {
		return nil, false // its row is the claim itself
	}
	if n.Type == redisNode && op.Name == "incr" && m.asked(&Guard{Node: n}) {
		return nil, false // a counter that a branch asks is a limit, and holds no record
	}
	e := &Effect{Node: n, Operation: op, Impact: op.Impact, Key: m.key(n, op)}
	e.MaybeUnique = m.holdsKey(n, op)
	e.Fixed = !m.fromItem(n, op.Destinations)
	if op.Impact == catalog.Notice && len(op.Destinations) > 0 && !e.Fixed {
		e.Impact = catalog.Message
	}
	return e, true
}

// holdsKey reports whether a row that the node inserts into a database has a
// column whose name says that it identifies an event.
func (m *model) holdsKey(n *graph.Node, op catalog.Operation) bool {
	if op.Script != nil {
		for st := range op.Script.All() {
			if st.Verb == sql.Insert && anySays(names(st.Columns), keyWord) {
				return true
			}
		}
		return false
	}
	return (n.Type == postgresNode || n.Type == mySQLNode || n.Type == supabaseNode) && len(keysOf(m.catalog.RowValues(n))) > 0
}

// fromItem reports whether one of the values comes from what the event brought.
func (m *model) fromItem(n *graph.Node, values []source.Value) bool {
	for _, v := range values {
		if v.Kind() != source.String || !strings.HasPrefix(v.Str(), "=") {
			continue
		}
		for _, o := range m.eval.value(v, expr.Symbolic{}).AllOrigins() {
			if o.Kind == expr.OriginReference && !m.configured(n, o, 0) {
				return true
			}
		}
	}
	return false
}

const longestConfigWay = 12

// configured reports whether a referenced field is a constant: a Set node
// upstream writes a literal or an environment value there.
func (m *model) configured(n *graph.Node, o expr.Origin, depth int) bool {
	if depth > longestConfigWay || len(o.Path) == 0 {
		return false
	}
	if o.Name != "" {
		other := m.workflow.Node(o.Name)
		return other != nil && m.writesConstant(other, o, depth+1)
	}
	in := n.MainIn()
	if len(in) == 0 {
		return false
	}
	return !slices.ContainsFunc(in, func(e *graph.Edge) bool { return !m.writesConstant(e.From, o, depth+1) })
}

func (m *model) writesConstant(n *graph.Node, o expr.Origin, depth int) bool {
	upstream := o
	upstream.Name = ""
	if m.passes(n) {
		return m.configured(n, upstream, depth)
	}
	if n.Type != setNode {
		return false
	}
	for _, f := range m.setFields(n, scope{token: token{item: expr.Ref("")}, node: n}) {
		if f.Name != o.Path[0] {
			continue
		}
		for _, inner := range f.Value.AllOrigins() {
			if inner.Kind == expr.OriginReference && !m.configured(n, inner, depth+1) {
				return false
			}
		}
		return true
	}
	return flow.KeepsFields(n) && m.configured(n, upstream, depth)
}

// key finds the idempotency key that a node sends, in the simple cases: the
// value itself says how it is made.
func (m *model) key(n *graph.Node, op catalog.Operation) *Key {
	if p, ok := nodeKeys()[n.Type+" "+op.Resource+" "+op.Name]; ok {
		v := n.Parameter(strings.Split(p[0], ".")...)
		if v.Str() == "" {
			return nil
		}
		k := &Key{At: v.Span(), Service: p[1], Enforced: Enforcing, Constant: sameAlways(m.eval.template(v.Str()))}
		k.madeOf(m.tracer().Value(n, v))
		return k
	}
	if op.HTTP == nil {
		return nil
	}
	return m.requestKey(n, op.HTTP)
}

// sameAlways reports whether a text is the same for every event: nothing in it
// takes a value from anywhere.
func sameAlways(t *expr.Template) bool {
	return !slices.ContainsFunc(t.Parts, func(p expr.Part) bool {
		return p.Code && (p.Program == nil || len(p.Program.References()) > 0)
	})
}

func (m *model) requestKey(n *graph.Node, r *catalog.Request) *Key {
	provider := r.Verdict.Provider
	enforcing := provider != nil && provider.Class == httpcall.ClassEnforcing
	k := &Key{Enforced: UnknownHost}
	if provider != nil {
		k.Service, k.Enforced = provider.Service, Ignoring
	}
	positions := httpcall.KeyFields(provider, r.Request)
	switch {
	case len(positions) > 0 && enforcing:
		k.Enforced = Enforcing
	case len(positions) > 0:
	default:
		positions = namedHeaders(r.Request)
	}
	if len(positions) == 0 {
		if enforcing && provider.Mechanism == httpcall.MechanismBody && unreadable(r) {
			return &Key{Enforced: Enforcing, Service: provider.Service, Unreadable: true}
		}
		return nil
	}
	p := positions[0]
	use, ok := m.positionKey(n, r, p, false)
	if !ok {
		return nil
	}
	k.At = use.At
	k.madeOf(use.Trace)
	return k
}

// namedHeaders are the headers that are called an idempotency key.
func namedHeaders(r httpcall.Request) (list []httpcall.KeyPosition) {
	for _, p := range httpcall.NamedKeys(r) {
		if p.Place == httpcall.PlaceHeader {
			list = append(list, p)
		}
	}
	return list
}

// unreadable reports whether the fields of a request's body cannot be listed.
func unreadable(r *catalog.Request) bool {
	switch {
	case r.Body.Open || r.Body.Kind == httpcall.BodyUnknown:
		return true
	case len(r.Body.Fields) > 0:
		return false
	case r.Body.Kind == httpcall.BodyNone:
		return slices.ContainsFunc(r.Query, func(f httpcall.Field) bool { return len(f.Value.Holes()) > 0 })
	}
	_, complete := httpcall.JSONFields(r.Body.Text)
	return !complete
}

// madeOf takes over what the key's value comes from.
func (k *Key) madeOf(t flow.Trace) {
	k.Constant = t.Literal
	for _, o := range t.Origins {
		if o.Fallback {
			continue
		}
		if _, changes := flow.VolatileField(o); changes && k.Volatile == "" {
			k.Volatile = "the delivery"
		}
		if o.Kind != flow.Volatile {
			continue
		}
		k.Volatile = o.Name
		if o.PerTry {
			k.PerTry = o.Name
		}
	}
}
