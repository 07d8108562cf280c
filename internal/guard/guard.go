// Package guard knows what protects the side effects of a workflow: the claims
// and gates on the way from each trigger to each effect, and idempotency keys.
package guard

import (
	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// Kind is what a guard is.
type Kind int

const (
	// Claim is one atomic statement of which exactly one execution is the winner.
	Claim Kind = iota
	// Dedup is a Remove Duplicates node over earlier executions: not atomic.
	Dedup
	// LookUp is a read whose emptiness is asked before the same store is written:
	// not atomic.
	LookUp
	// Approval waits for a person's answer.
	Approval
	// Call is a stored function or a called workflow that may claim.
	Call
)

// Form is the kind of statement that claims.
type Form int

// The forms of claims (N8N.md sections 1 and 4).
const (
	NoForm Form = iota
	InsertDoNothing
	InsertDoUpdate
	InsertPlain
	InsertIgnore
	SkipOnConflict
	ConditionalUpdate
	WorkerUpdate
	RowUpsert
	RedisIncrement
	ConditionalPut
	IgnoreDuplicates
)

// Guard is a node that may keep a repeated event from an effect.
type Guard struct {
	Node *graph.Node
	Kind Kind
	Form Form
	// At is the text that makes it a guard: the query, the operation.
	At source.Span
	// Target is the table or key space that remembers the event.
	Target catalog.Target
	// Statement is the claiming statement; nil where it is no SQL.
	Statement *sql.Statement
	// Key are the columns by which a repeat is recognised.
	Key []string
	// Proven is false where the file does not show that the key is unique: an
	// insert of a key and a state.
	Proven bool
	// OneNode: the node looks and writes by itself, in one statement or in code.
	OneNode bool
	// Returns are the columns that the winner gets back.
	Returns []string

	winner, loser []emission
}

// Cause says how a loser comes past its claim.
type Cause int

// The causes.
const (
	// GivesItem: the node gives the loser an item, and nothing asks what it is.
	GivesItem Cause = iota
	// GivesRow: the statement returns a row to winner and loser alike.
	GivesRow
	// NothingReturned: winner and loser get the same answer.
	NothingReturned
	// AlwaysOutput: alwaysOutputData turns "no item" into an empty one.
	AlwaysOutput
	// ErrorGoesOn: the claim's failure travels on as an item.
	ErrorGoesOn
	// Unasked: a counter whose value nobody asks for.
	Unasked
)

// emission is what one party gets from a guard's node.
type emission struct {
	output int
	// emits is Maybe where n8n versions differ and the file does not tell.
	emits expr.Tri
	item  expr.Value
	cause Cause
}
