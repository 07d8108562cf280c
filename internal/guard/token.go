package guard

import (
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Standing is how an item stands to the guards that it has met, weakest first.
type Standing int

const (
	// Plain: no guard has been met.
	Plain Standing = iota
	// Loser: the item belongs to an execution that lost its claim and goes on
	// all the same.
	Loser
	// Guarded: a guard that is not atomic let it on.
	Guarded
	// Unsure: a guard whose quality the file does not show let it on.
	Unsure
	// Winner: the item belongs to the one execution that won.
	Winner
)

// token is what travels: an item of one standing.
type token struct {
	standing Standing
	guard    *Guard // nil for Plain
	cause    Cause  // of a Loser
	// lost: the item is what the loser of guard got; conditions are asked with it.
	lost bool
	item expr.Value
	// kind and text are the number of the token's kind and the item as text,
	// while it moves along edges.
	kind int
	text string
	// started is the trigger of the execution; nil in probes.
	started *graph.Node
	// derived: the item was made from the guard's answer, so a condition that
	// asks for it asks for the guard.
	derived bool
	// open is the branch that could not be decided and made the token unsure.
	open *openBranch
	// failed: the item has left a node by its error output.
	failed bool
}

// scope is what expressions of node n see.
type scope struct {
	token
	model  *model
	node   *graph.Node
	answer expr.Value // the guard's item, as this party got it
	behind graph.NodeSet
}

func (s scope) CurrentItem() expr.Value { return s.item }

func (s scope) CurrentItems() expr.Value {
	return expr.Array(expr.Object(expr.Field{Name: "json", Value: s.item}, expr.Field{Name: "binary", Value: expr.Anything(), Optional: true}))
}

// NodeItem knows the guard's own item; items of nodes between the guard and
// here may hold its answer.
func (s scope) NodeItem(name string) expr.Value {
	if s.guard == nil {
		return expr.Ref(name)
	}
	if name == s.guard.Node.Name {
		return s.answer
	}
	if other := s.node.Workflow.Node(name); s.behind.Has(other) {
		return expr.Anything().WithOrigins(expr.Origin{Kind: expr.OriginReference, Name: s.guard.Node.Name})
	}
	return expr.Ref(name)
}

func (s scope) Global(string) (expr.Value, bool) { return expr.Value{}, false }

// dependent is a value of which only the guard behind it is known.
func dependent(g *Guard) expr.Value {
	return expr.Anything().WithOrigins(expr.Origin{Kind: expr.OriginReference, Name: g.Node.Name})
}

// openBranch is a branch of which the file does not show whether it stops the
// item. Where all its ways come together again it has stopped nothing.
type openBranch struct {
	node   *graph.Node
	before token // the token in front of it
	way    int   // which of its ways this token took
	ways   int   // how many there are
}
