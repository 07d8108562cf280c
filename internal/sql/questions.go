package sql

// Result is the statement whose rows the node gives on: the last one that gives
// rows or changes some. nil for an empty script.
func (s *Script) Result() *Statement {
	for k := len(s.Statements) - 1; k >= 0; k-- {
		switch s.Statements[k].Verb {
		case Transaction, Set, DDL, Unknown:
			continue
		}
		return s.Statements[k]
	}
	if len(s.Statements) == 0 {
		return nil
	}
	return s.Statements[len(s.Statements)-1]
}

// CTE returns the WITH entry of that folded name.
func (s *Statement) CTE(name string) (CTE, bool) {
	for _, cte := range s.With {
		if cte.Name == name {
			return cte, true
		}
	}
	return CTE{}, false
}

// ReadsFrom reports whether the statement, without the bodies of its own WITH, reads
// the table or CTE of that folded name, in FROM, a sub-select or an arm of UNION.
func (s *Statement) ReadsFrom(name string) bool {
	for _, table := range s.From {
		if table.Subquery == nil && !table.Function && table.Name == name {
			return true
		}
	}
	for _, inner := range s.inner()[len(s.With):] {
		if inner.ReadsFrom(name) {
			return true
		}
	}
	return false
}

// Changes lists the statements inside s, itself included, that change rows: INSERT,
// UPDATE, DELETE, MERGE, REPLACE and TRUNCATE, outer ones first.
func (s *Statement) Changes() []*Statement {
	var found []*Statement
	for statement := range s.All() {
		if statement.Verb.changesRows() {
			found = append(found, statement)
		}
	}
	return found
}

func (v Verb) changesRows() bool {
	switch v {
	case Insert, Update, Delete, Merge, Truncate, Replace:
		return true
	}
	return false
}

// ValueOf returns what goes into the column of that folded name: the first row of an
// INSERT, also of INSERT … SELECT, or the assignment of an UPDATE.
func (s *Statement) ValueOf(column string) (Value, bool) {
	for _, assignment := range s.Assignments {
		if assignment.Column == column {
			return assignment.Value, true
		}
	}
	for k, target := range s.Columns {
		if target.Name == column {
			return s.valueAt(k)
		}
	}
	return Value{}, false
}

// valueAt is the value for the k-th column of an INSERT's list.
func (s *Statement) valueAt(k int) (Value, bool) {
	if len(s.Rows) > 0 {
		return at(s.Rows[0], k)
	}
	if s.InsertSelect == nil {
		return Value{}, false
	}
	if len(s.InsertSelect.Rows) > 0 {
		return at(s.InsertSelect.Rows[0], k)
	}
	for _, projection := range s.InsertSelect.Projections[:min(k+1, len(s.InsertSelect.Projections))] {
		if projection.Star {
			return Value{}, false
		}
	}
	if k >= len(s.InsertSelect.Projections) {
		return Value{}, false
	}
	return s.InsertSelect.Projections[k].Expr, true
}

func at(values []Value, k int) (Value, bool) {
	if k >= len(values) {
		return Value{}, false
	}
	return values[k], true
}

// GuardedByNotExists returns the sub-select of a WHERE NOT EXISTS (…) that decides
// whether an INSERT … SELECT inserts, or of SQL Server's IF NOT EXISTS (…); nil if
// there is none. Such a guard is no claim: two runs can both find nothing.
func (s *Statement) GuardedByNotExists() *Statement {
	where := s.Where
	if s.Verb == Insert || s.Verb == Replace {
		if s.InsertSelect == nil {
			return nil
		}
		where = s.InsertSelect.Where
	} else if s.Verb != Conditional {
		return nil
	}
	for _, conjunct := range where.Conjuncts() {
		if sub := conjunct.notExists(); sub != nil {
			return sub
		}
	}
	return nil
}

// notExists recognises NOT EXISTS (…), NOT (EXISTS (…)) and EXISTS (…) = false.
func (p *Predicate) notExists() *Statement {
	switch {
	case p.Kind == Not && len(p.Children) == 1 && p.Children[0].Kind == Exists:
		return p.Children[0].Sub
	case p.Kind == Comparison && p.Op == "=" && p.Left.Call == "exists" && p.Value.Literal == "false" && !p.Value.String:
		return p.Left.Sub
	case p.Kind == Comparison && p.Op == "=" && isCount(p.Left.Sub) && p.Value.Literal == "0":
		return p.Left.Sub
	}
	return nil
}

// isCount recognises SELECT count(…) … without GROUP BY.
func isCount(s *Statement) bool {
	if s == nil || s.Verb != Select || s.GroupBy || len(s.Projections) != 1 {
		return false
	}
	value := s.Projections[0].Expr
	return value.Kind == CallValue && value.Call == "count"
}

// Volatile lists the functions in the value that give something new in every call or
// run, in lower case, each once.
func (v Value) Volatile(dialect Dialect) []string {
	var found []string
	for _, name := range v.Calls() {
		if dialect.Function(name) == Volatile {
			found = append(found, name)
		}
	}
	return found
}

// StoredCalls lists the calls of functions that are no builtins and so may write: in
// FROM, in the select list, in values and conditions, and the routine of CALL. The
// name is in Call, the arguments in Args.
func (s *Statement) StoredCalls() []Value {
	var found []Value
	for statement := range s.All() {
		found = append(found, statement.ownStoredCalls()...)
	}
	return found
}

func (s *Statement) ownStoredCalls() []Value {
	var found []Value
	if s.Verb == Call {
		found = append(found, s.Table.asCall(s.CallArgs))
	}
	for _, table := range s.From {
		if table.Function && s.dialect.mayWrite(table.Schema, table.Name) {
			found = append(found, table.asCall(table.Args))
		}
	}
	s.walkOwnValues(func(value Value) {
		if value.Kind == CallValue && s.dialect.mayWrite(value.Schema, value.Call) {
			found = append(found, value)
		}
	})
	return found
}

func (t TableName) asCall(args []Value) Value {
	return Value{Kind: CallValue, Call: t.Name, Schema: t.Schema, Args: args, Start: t.Start, End: t.End}
}

// mayWrite: a function in a schema of the user's own is not the builtin of that name.
func (d Dialect) mayWrite(schema, name string) bool {
	switch schema {
	case "", "pg_catalog", "public", "extensions", "sys", "information_schema":
	default:
		return true
	}
	class := d.Function(name)
	return class == UserDefined || class == Writing
}

// MayWrite reports whether the statement, or one inside it, changes anything: rows,
// definitions, or whatever a stored function does. Unknown statements may.
func (s *Statement) MayWrite() bool {
	for statement := range s.All() {
		switch statement.Verb {
		case Select:
			if len(statement.Targets) > 0 {
				return true
			}
		case Show, Set, Transaction, Conditional:
		default:
			return true
		}
		if len(statement.ownStoredCalls()) > 0 {
			return true
		}
	}
	return false
}
