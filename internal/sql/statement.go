package sql

import "iter"

// Verb is what a statement does.
type Verb int

// The verbs. Conditional is T-SQL's IF, whose branches are in Body. Show covers
// SHOW, EXPLAIN and DESCRIBE, which read only. Unknown is text that no rule fits.
const (
	Unknown Verb = iota
	Select
	Insert
	Update
	Delete
	Merge
	Truncate
	Replace
	Call
	DDL
	Transaction
	Set
	Show
	Conditional
)

var verbNames = [...]string{"unknown", "select", "insert", "update", "delete", "merge", "truncate", "replace", "call", "ddl", "transaction", "set", "show", "conditional"}

// String returns the verb in lower case.
func (v Verb) String() string {
	if v < 0 || int(v) >= len(verbNames) {
		return verbNames[Unknown]
	}
	return verbNames[v]
}

// Script is the parsed text of one node.
type Script struct {
	Text           string
	Dialect        Dialect
	Statements     []*Statement
	Interpolations []Interpolation
	// Opaque: the text is empty, only an interpolation or too long, or its first
	// word is an interpolation; nothing can be said about what it does.
	Opaque bool
	// Incomplete: a string, comment or bracket is not closed, or the nesting is
	// deeper than is looked into. What was recognised stands.
	Incomplete bool
}

// Statement is one statement, a CTE body or a sub-select.
type Statement struct {
	Verb       Verb
	Start, End int
	With       []CTE
	// Table is the target: of INSERT, UPDATE, DELETE, MERGE, TRUNCATE, REPLACE, the
	// table of CREATE/ALTER/DROP TABLE or of an index, the routine of CALL and EXEC,
	// and for SELECT the first item of FROM.
	Table TableName
	// Targets are the further tables of TRUNCATE, DROP and MySQL's multi-table UPDATE and DELETE.
	Targets []TableName
	From    []TableName
	JoinOn  []*Predicate

	Columns      []Column
	Rows         [][]Value // INSERT … VALUES, and the rows of VALUES used as a query
	InsertSelect *Statement
	DefaultRow   bool // INSERT … DEFAULT VALUES
	Assignments  []Assignment
	Ignore       bool // INSERT IGNORE, INSERT OR IGNORE, UPDATE IGNORE
	Conflict     *Conflict
	DuplicateKey []Assignment
	MergeOn      *Predicate

	HasReturning bool // RETURNING, or OUTPUT of SQL Server
	Returning    []Projection
	Projections  []Projection
	Where        *Predicate
	Having       *Predicate
	Lock         Lock
	Limit        bool // LIMIT, FETCH FIRST or TOP
	GroupBy      bool
	OrderBy      bool
	Distinct     bool
	// Others are the further arms of UNION, INTERSECT and EXCEPT.
	Others []*Statement

	CreateTable *CreateTable
	CallArgs    []Value      // CALL and EXEC
	Body        []*Statement // branches of Conditional

	dialect Dialect
}

// CTE is one entry of WITH.
type CTE struct {
	Name       string // folded
	Statement  *Statement
	Start, End int // the name
}

// TableName is a table, a function or a subquery in a position where a table may stand.
type TableName struct {
	Schema, Name string // unquoted and folded as the dialect compares them
	Alias        string // folded
	Start, End   int    // of the qualified name, alias not included
	Dynamic      bool   // an interpolation or a placeholder is part of it
	Function     bool   // Name is a function, Args its arguments
	Args         []Value
	Subquery     *Statement // then Name is empty
}

// Is reports whether both name the same table. An absent schema fits any schema;
// dynamic names are equal only if they are written alike.
func (t TableName) Is(other TableName) bool {
	if t.Name == "" || t.Name != other.Name || t.Function != other.Function {
		return false
	}
	return t.Schema == "" || other.Schema == "" || t.Schema == other.Schema
}

// Column is a column in a column list.
type Column struct {
	Name       string // folded
	Start, End int
	Dynamic    bool
}

// Assignment is Column = Value.
type Assignment struct {
	Column     string // folded
	Dynamic    bool   // the column's name has an interpolation or placeholder
	Value      Value
	Start, End int
}

// ConflictAction is what ON CONFLICT does.
type ConflictAction int

// The actions of ON CONFLICT.
const (
	DoNothing ConflictAction = iota
	DoUpdate
)

// Conflict is an ON CONFLICT clause.
type Conflict struct {
	Action      ConflictAction
	Columns     []string // folded; an expression as it is written
	Constraint  string
	Assignments []Assignment
	Where       *Predicate // of DO UPDATE
	TargetWhere *Predicate // of the index
	Start, End  int
}

// Projection is one item of a SELECT list, RETURNING or OUTPUT.
type Projection struct {
	// Name is the key in the item that the node emits; empty for a star and where
	// the database makes one up.
	Name       string
	Expr       Value
	Star       bool // * or t.*
	Start, End int
}

// Lock is what FOR UPDATE and the lock hints of SQL Server ask for.
type Lock struct {
	ForUpdate  bool // FOR UPDATE, FOR NO KEY UPDATE, UPDLOCK, XLOCK
	Share      bool // FOR SHARE, FOR KEY SHARE, LOCK IN SHARE MODE
	SkipLocked bool // SKIP LOCKED, READPAST
	NoWait     bool
}

// CreateTable holds what CREATE TABLE, CREATE UNIQUE INDEX or ALTER TABLE … ADD
// says about a table.
type CreateTable struct {
	Table   TableName
	Columns []Column
	// Unique are the column sets that are unique for all rows: primary keys, UNIQUE
	// and unique indexes. An expression stands as it is written.
	Unique [][]string
	// PartialUnique are the sets of unique indexes that have a WHERE.
	PartialUnique [][]string
}

// All yields the statement and every statement inside it: CTE bodies, sub-selects,
// arms of UNION, the SELECT of an INSERT, branches. Outer ones come first.
func (s *Statement) All() iter.Seq[*Statement] {
	return func(yield func(*Statement) bool) { s.each(yield) }
}

// All yields every statement of the script, outer ones first.
func (s *Script) All() iter.Seq[*Statement] {
	return func(yield func(*Statement) bool) {
		for _, statement := range s.Statements {
			if !statement.each(yield) {
				return
			}
		}
	}
}

func (s *Statement) each(yield func(*Statement) bool) bool {
	if s == nil {
		return true
	}
	if !yield(s) {
		return false
	}
	for _, inner := range s.inner() {
		if !inner.each(yield) {
			return false
		}
	}
	return true
}

// inner lists the statements directly inside s.
func (s *Statement) inner() []*Statement {
	var found []*Statement
	for _, cte := range s.With {
		found = append(found, cte.Statement)
	}
	for _, table := range s.tables() {
		if table.Subquery != nil {
			found = append(found, table.Subquery)
		}
		found = append(found, subqueriesOf(table.Args)...)
	}
	for _, value := range s.values() {
		found = value.subqueries(found)
	}
	for _, predicate := range s.predicates() {
		found = predicate.subqueries(found)
	}
	if s.InsertSelect != nil {
		found = append(found, s.InsertSelect)
	}
	found = append(found, s.Others...)
	return append(found, s.Body...)
}

func (s *Statement) tables() []TableName {
	if len(s.Targets) == 0 {
		return s.From
	}
	return append(append([]TableName{}, s.Targets...), s.From...)
}

// values lists the values that stand directly in the statement's clauses.
func (s *Statement) values() []Value {
	var found []Value
	for _, projection := range s.Projections {
		found = append(found, projection.Expr)
	}
	for _, row := range s.Rows {
		found = append(found, row...)
	}
	found = appendAssigned(found, s.Assignments)
	found = appendAssigned(found, s.DuplicateKey)
	if s.Conflict != nil {
		found = appendAssigned(found, s.Conflict.Assignments)
	}
	for _, projection := range s.Returning {
		found = append(found, projection.Expr)
	}
	return append(found, s.CallArgs...)
}

func appendAssigned(values []Value, assignments []Assignment) []Value {
	for _, assignment := range assignments {
		values = append(values, assignment.Value)
	}
	return values
}

func (s *Statement) predicates() []*Predicate {
	found := append([]*Predicate{}, s.JoinOn...)
	found = append(found, s.Where, s.Having, s.MergeOn)
	if s.Conflict != nil {
		found = append(found, s.Conflict.Where, s.Conflict.TargetWhere)
	}
	return found
}

func subqueriesOf(values []Value) []*Statement {
	var found []*Statement
	for _, value := range values {
		found = value.subqueries(found)
	}
	return found
}
