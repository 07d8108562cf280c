package sql

import "strconv"

// Outcome says what a projection is for the winner and for the loser of a claim.
type Outcome struct {
	Won, Lost Value // Literal or Null; booleans are the literals true and false
}

// Differs reports whether the two can be told apart.
func (o Outcome) Differs() bool {
	return o.Won.Kind != o.Lost.Kind || o.Won.Literal != o.Lost.Literal
}

// ClaimOutcome evaluates the value twice: the claim changed one row, and it changed
// none. claim is the folded name of the CTE that holds the claim; empty where the
// claim is the statement before (ROW_COUNT(), @@ROWCOUNT, changes()). ok is false
// where the value depends on anything else.
func (v Value) ClaimOutcome(claim string) (outcome Outcome, ok bool) {
	won, wonKnown := evaluation{claim: claim, rows: 1}.value(v)
	lost, lostKnown := evaluation{claim: claim, rows: 0}.value(v)
	return Outcome{Won: won, Lost: lost}, wonKnown && lostKnown
}

// InsertedOutcome evaluates a value of RETURNING behind DO UPDATE: xmax is 0 in the
// row that was inserted and not 0 in one that was there before.
func (v Value) InsertedOutcome() (outcome Outcome, ok bool) {
	won, wonKnown := evaluation{xmax: "0", rows: -1}.value(v)
	lost, lostKnown := evaluation{xmax: "1", rows: -1}.value(v)
	return Outcome{Won: won, Lost: lost}, wonKnown && lostKnown
}

// evaluation is one of the two worlds.
type evaluation struct {
	claim string
	rows  int    // rows of the claim; -1 where that is not the question
	xmax  string // of the returned row; empty where that is not the question
}

func truth(holds bool) Value { return Value{Kind: Literal, Literal: strconv.FormatBool(holds)} }

func number(n int) Value { return Value{Kind: Literal, Literal: strconv.Itoa(n)} }

func (e evaluation) value(v Value) (Value, bool) {
	switch v.Kind {
	case Literal, Null:
		return v, true
	case ColumnRef:
		if v.Column == "xmax" && e.xmax != "" {
			return Value{Kind: Literal, Literal: e.xmax}, true
		}
	case Subquery:
		return e.subquery(v)
	case CallValue:
		return e.call(v)
	case Variable:
		if v.Name == "rowcount" && e.rows >= 0 {
			return number(e.rows), true
		}
	case Case:
		return e.caseOf(v)
	case Expression:
		return e.expression(v)
	}
	return Value{}, false
}

func (e evaluation) call(v Value) (Value, bool) {
	switch v.Call {
	case "row_count", "changes", "rowcount_big":
		return number(e.rows), e.rows >= 0
	case "coalesce", "ifnull", "isnull", "nvl":
		return e.coalesce(v.Args)
	case "if", "iif", "iff":
		if len(v.Args) == 3 {
			return e.caseOf(v)
		}
	}
	return Value{}, false
}

func (e evaluation) coalesce(args []Value) (Value, bool) {
	for _, argument := range args {
		value, known := e.value(argument)
		if !known || value.Kind != Null {
			return value, known
		}
	}
	return Value{Kind: Null}, len(args) > 0
}

// subquery evaluates EXISTS (SELECT … FROM claim), (SELECT count(*) FROM claim) and
// (SELECT literal FROM claim).
func (e evaluation) subquery(v Value) (Value, bool) {
	if !e.readsOnlyClaim(v.Sub) {
		return Value{}, false
	}
	if v.Call == "exists" {
		return truth(e.rows > 0), true
	}
	if len(v.Sub.Projections) != 1 {
		return Value{}, false
	}
	if value, known := e.overRows(v.Sub.Projections[0].Expr); known {
		return value, true
	}
	if e.rows == 0 {
		return Value{Kind: Null}, true
	}
	return e.value(v.Sub.Projections[0].Expr)
}

func (e evaluation) readsOnlyClaim(s *Statement) bool {
	return e.rows >= 0 && e.claim != "" && s != nil && s.Verb == Select && len(s.From) == 1 &&
		s.From[0].Name == e.claim && s.From[0].Subquery == nil && s.Where == nil && s.Having == nil && !s.GroupBy && len(s.Others) == 0
}

// RowOutcome evaluates a projection of a statement that reads only the claim's CTE
// and aggregates it, such as SELECT count(*) > 0 AS claimed FROM claim.
func (s *Statement) RowOutcome(projection Projection, claim string) (outcome Outcome, ok bool) {
	won, lost := evaluation{claim: claim, rows: 1}, evaluation{claim: claim, rows: 0}
	if !won.readsOnlyClaim(s) {
		if len(s.From) > 0 || s.Where != nil {
			return Outcome{}, false
		}
		return projection.Expr.ClaimOutcome(claim)
	}
	wonValue, wonKnown := won.overRows(projection.Expr)
	lostValue, lostKnown := lost.overRows(projection.Expr)
	return Outcome{Won: wonValue, Lost: lostValue}, wonKnown && lostKnown
}

// overRows evaluates an aggregate over the claim's rows, and comparisons of it.
func (e evaluation) overRows(v Value) (Value, bool) {
	if v.Kind == CallValue && v.Call == "count" {
		return number(e.rows), true
	}
	if v.Kind != Expression && v.Kind != Case || !aggregates(v) {
		return Value{}, false
	}
	inner := v
	inner.Args = make([]Value, len(v.Args))
	for k, argument := range v.Args {
		inner.Args[k] = argument
		if value, known := e.overRows(argument); known {
			inner.Args[k] = value
		}
	}
	return e.value(inner)
}

func aggregates(v Value) bool {
	if v.Kind == CallValue && v.Call == "count" {
		return true
	}
	for _, argument := range v.Args {
		if aggregates(argument) {
			return true
		}
	}
	return false
}

// caseOf evaluates CASE and IF(condition, then, else).
func (e evaluation) caseOf(v Value) (Value, bool) {
	k := 0
	for ; k+1 < len(v.Args); k += 2 {
		condition, known := e.value(v.Args[k])
		if !known {
			return Value{}, false
		}
		if isTrue(condition) {
			return e.value(v.Args[k+1])
		}
	}
	if k < len(v.Args) {
		return e.value(v.Args[k])
	}
	return Value{Kind: Null}, true
}

func isTrue(v Value) bool {
	return v.Kind == Literal && !v.String && v.Literal != "false" && v.Literal != "0"
}

// expression evaluates NOT x and comparisons of two operands.
func (e evaluation) expression(v Value) (Value, bool) {
	switch {
	case len(v.Args) == 1 && len(v.Operators) == 1 && v.Operators[0] == "NOT":
		inner, known := e.value(v.Args[0])
		return truth(!isTrue(inner)), known
	case len(v.Args) == 2 && len(v.Operators) > 0:
		return e.comparison(v)
	}
	return Value{}, false
}

func (e evaluation) comparison(v Value) (Value, bool) {
	left, leftKnown := e.value(v.Args[0])
	right, rightKnown := e.value(v.Args[1])
	if !leftKnown || !rightKnown {
		return Value{}, false
	}
	if v.Operators[0] == "IS" {
		return isComparison(v.Operators, left, right)
	}
	if len(v.Operators) != 1 || left.Kind == Null || right.Kind == Null {
		return Value{}, false
	}
	return compare(v.Operators[0], left, right)
}

// isComparison evaluates IS [NOT] NULL, TRUE and FALSE.
func isComparison(operators []string, left, right Value) (Value, bool) {
	same := left.Kind == right.Kind && left.Literal == right.Literal
	switch {
	case len(operators) == 1:
		return truth(same), true
	case len(operators) == 2 && operators[1] == "NOT":
		return truth(!same), true
	}
	return Value{}, false
}

func compare(operator string, left, right Value) (Value, bool) {
	a, aError := strconv.ParseFloat(left.Literal, 64)
	b, bError := strconv.ParseFloat(right.Literal, 64)
	numeric := aError == nil && bError == nil
	switch operator {
	case "=", "==":
		return truth(left.Literal == right.Literal || numeric && a == b), true
	case "<>", "!=":
		return truth(left.Literal != right.Literal && !(numeric && a == b)), true
	}
	if !numeric {
		return Value{}, false
	}
	switch operator {
	case "<":
		return truth(a < b), true
	case ">":
		return truth(a > b), true
	case "<=":
		return truth(a <= b), true
	case ">=":
		return truth(a >= b), true
	}
	return Value{}, false
}
