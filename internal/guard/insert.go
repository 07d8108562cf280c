package guard

import (
	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// PlainInsert reports whether a node leaves a row without an atomic decision: an
// INSERT that takes whatever comes, an append, a Redis SET. An upsert, and an
// INSERT that a unique key decides, are none.
func (f *Facts) PlainInsert(n *graph.Node) bool {
	op := f.model.ops[n]
	if g := f.model.guards[n]; g != nil && g.Kind == Claim {
		return false
	}
	if op.Script != nil {
		for st := range op.Script.All() {
			if st.Verb == sql.Insert && st.Conflict == nil && !st.Ignore && len(st.DuplicateKey) == 0 {
				return true
			}
		}
		return false
	}
	if n.Type == redisNode {
		return op.Name == "set" || op.Name == "push"
	}
	return op.Kind == catalog.Repeatable
}

// Reusable reports whether what the node does is no record of an event: it has
// no store that a look-up could ask.
func (f *Facts) Reusable(n *graph.Node) bool {
	op := f.model.ops[n]
	return op.Target.Store == "" && op.HTTP == nil && f.Guard(n) == nil
}

// KnowsOwner reports whether a claim can tell its own row from another's, so
// that a second try wins what the first has taken: DO UPDATE … WHERE compares
// an owner, or the answer says whose the row is.
func (g *Guard) KnowsOwner() bool {
	if g.Statement == nil || g.Statement.Conflict == nil {
		return false
	}
	c := g.Statement.Conflict
	if c.Action == sql.DoUpdate && c.Where != nil {
		return true
	}
	for _, p := range g.Statement.Returning {
		if p.Expr.Kind == sql.Expression && len(p.Expr.Placeholders())+len(p.Expr.Interpolations()) > 0 {
			return true
		}
	}
	return false
}
