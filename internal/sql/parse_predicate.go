package sql

import "strings"

// predicate reads [i, j) as a condition; nil if it is empty.
func (p *parser) predicate(i, j int) *Predicate {
	if i >= j {
		return nil
	}
	if !p.enter() {
		return p.rawPredicate(i, j, p.unread(i, j))
	}
	defer p.leave()
	i, j = p.peel(i, j)
	if parts := p.splitCondition(i, j, "OR"); len(parts) > 1 {
		return p.combined(Or, i, j, parts)
	}
	if parts := p.splitCondition(i, j, "AND"); len(parts) > 1 {
		return p.combined(And, i, j, parts)
	}
	if p.is(i, "NOT") {
		return p.negated(i, j)
	}
	return p.leaf(i, j)
}

// peel drops brackets around a whole condition.
func (p *parser) peel(i, j int) (int, int) {
	for i+1 < j-1 && p.punctuation(i, '(') && p.tokens[i].match == j-1 && !p.startsQuery(i+1, j-1) {
		i, j = i+1, j-1
	}
	return i, j
}

// splitCondition splits at AND or OR; the AND of BETWEEN … AND … is none.
func (p *parser) splitCondition(i, j int, keyword string) [][2]int {
	var parts [][2]int
	start, betweens := i, 0
	for k := i; k < j; k = p.next(k) {
		if p.is(k, "BETWEEN") {
			betweens++
		}
		if !p.is(k, keyword) {
			continue
		}
		if keyword == "AND" && betweens > 0 {
			betweens--
			continue
		}
		parts = append(parts, [2]int{start, k})
		start = k + 1
	}
	return append(parts, [2]int{start, j})
}

func (p *parser) combined(kind PredicateKind, i, j int, parts [][2]int) *Predicate {
	combined := &Predicate{Kind: kind}
	combined.Start, combined.End = p.span(i, j)
	for _, part := range parts {
		if child := p.predicate(part[0], part[1]); child != nil {
			combined.Children = append(combined.Children, child)
		}
	}
	return combined
}

// negated reads NOT …; a row of NOTs costs no depth.
func (p *parser) negated(i, j int) *Predicate {
	begin, negations := i, 0
	for i < j && p.is(i, "NOT") {
		negations++
		i++
	}
	inner := p.predicate(i, j)
	if inner == nil {
		return p.rawPredicate(begin, j, Value{})
	}
	if negations%2 == 0 {
		return inner
	}
	not := &Predicate{Kind: Not, Children: []*Predicate{inner}}
	not.Start, not.End = p.span(begin, j)
	return not
}

func (p *parser) rawPredicate(i, j int, left Value) *Predicate {
	leaf := &Predicate{Kind: Raw, Left: left, Column: left.Column, Qualifier: left.Qualifier}
	leaf.Start, leaf.End = p.span(i, j)
	return leaf
}

// leaf reads a condition without AND, OR and a leading NOT.
func (p *parser) leaf(i, j int) *Predicate {
	if p.is(i, "EXISTS") {
		if from, to, ok := p.group(i+1, j); ok && to == j-1 {
			leaf := &Predicate{Kind: Exists, Sub: p.statement(from, to)}
			leaf.Start, leaf.End = p.span(i, j)
			return leaf
		}
	}
	at := p.find(i, j, func(k int) bool { return p.compares(k) })
	if at >= j || at == i {
		return p.rawPredicate(i, j, p.value(i, j))
	}
	end, negated := at, false
	if p.is(at-1, "NOT") {
		end, negated = at-1, true
	}
	leaf := p.comparison(i, end, at, j)
	leaf.Negated = leaf.Negated != negated
	leaf.Start, leaf.End = p.span(i, j)
	return leaf
}

// compares reports whether token k is an operator that makes a condition.
func (p *parser) compares(k int) bool {
	t := p.tokens[k]
	switch t.kind {
	case wordToken:
		return p.isAny(k, "IN", "BETWEEN", "IS", "ISNULL", "NOTNULL", "LIKE", "ILIKE", "RLIKE", "REGEXP", "SIMILAR", "GLOB") && p.connectsHere(k, len(p.tokens))
	case operatorToken:
		return isComparisonOperator(p.text[t.start:t.end])
	}
	return false
}

func isComparisonOperator(operator string) bool {
	switch operator {
	case "=", "==", "<>", "!=", "<", ">", "<=", ">=", "<=>", "~", "~*", "!~", "!~*", "~~", "~~*", "!~~", "!~~*",
		"@>", "<@", "?", "?|", "?&", "&&", "@@", "@?", "^@":
		return true
	}
	return false
}

// comparison reads left [i, end), the operator at and what follows it up to j.
func (p *parser) comparison(i, end, at, j int) *Predicate {
	leaf := &Predicate{Left: p.value(i, end)}
	leaf.Column, leaf.Qualifier = leaf.Left.Column, leaf.Left.Qualifier
	switch {
	case p.is(at, "IN"):
		p.in(leaf, at+1, j)
	case p.is(at, "BETWEEN"):
		leaf.Kind = Between
		and := p.findWord(at+1, j, "AND")
		leaf.Values = []Value{p.value(at+1, and), p.value(min(and+1, j), j)}
	case p.isAny(at, "ISNULL", "NOTNULL"):
		leaf.Kind, leaf.Negated = IsNull, p.is(at, "NOTNULL")
	case p.is(at, "IS"):
		p.isCondition(leaf, at+1, j)
	default:
		p.compared(leaf, at, j)
	}
	return leaf
}

func (p *parser) in(leaf *Predicate, i, j int) {
	leaf.Kind = In
	from, to, ok := p.group(i, j)
	switch {
	case !ok:
		leaf.Values = []Value{p.value(i, j)}
	case p.startsQuery(from, to):
		leaf.Sub = p.statement(from, to)
	default:
		leaf.Values = p.valuesOf(p.list(from, to))
	}
}

// isCondition reads what follows IS.
func (p *parser) isCondition(leaf *Predicate, i, j int) {
	negated := p.is(i, "NOT")
	if negated {
		i++
	}
	switch {
	case p.is(i, "NULL") && i < j:
		leaf.Kind, leaf.Negated = IsNull, negated
	case p.words(i, j, "DISTINCT", "FROM"):
		leaf.Kind, leaf.Op = Comparison, "IS DISTINCT FROM"
		if negated {
			leaf.Op = "IS NOT DISTINCT FROM"
		}
		leaf.Value = p.value(i+2, j)
	default:
		leaf.Kind, leaf.Op, leaf.Negated = Comparison, "IS", negated
		leaf.Value = p.value(i, j)
	}
}

// compared reads operator and right side; = ANY(…) is In, a row comparison is And.
func (p *parser) compared(leaf *Predicate, at, j int) {
	operator := strings.ToUpper(p.raw(at))
	right := at + 1
	if operator == "SIMILAR" && p.is(right, "TO") {
		right++
	}
	equal, unequal := operator == "=", operator == "<>" || operator == "!="
	if from, to, ok := p.group(right+1, j); ok && (equal && p.isAny(right, "ANY", "SOME") || unequal && p.is(right, "ALL")) {
		leaf.Kind, leaf.Negated = In, unequal
		leaf.Op = operator + " " + strings.ToUpper(p.raw(right))
		if p.startsQuery(from, to) {
			leaf.Sub = p.statement(from, to)
		} else {
			leaf.Values = p.valuesOf(p.list(from, to))
		}
		return
	}
	leaf.Kind, leaf.Op, leaf.Value = Comparison, operator, p.value(right, j)
	if p.isAny(right, "ANY", "SOME", "ALL") && p.punctuation(right+1, '(') {
		leaf.Op += " " + p.keyword(right)
		return
	}
	if equal && isRow(leaf.Left) && isRow(leaf.Value) && len(leaf.Left.Args) == len(leaf.Value.Args) {
		p.rowComparison(leaf)
		return
	}
	leaf.turnColumnLeft()
}

func isRow(value Value) bool {
	return value.Kind == Expression && len(value.Operators) == 1 && value.Operators[0] == "ROW"
}

func (p *parser) rowComparison(leaf *Predicate) {
	left, right := leaf.Left.Args, leaf.Value.Args
	leaf.Kind, leaf.Op, leaf.Left, leaf.Value = And, "", Value{}, Value{}
	for k := range left {
		part := &Predicate{Kind: Comparison, Op: "=", Left: left[k], Value: right[k], Start: left[k].Start, End: left[k].End}
		part.Column, part.Qualifier = left[k].Column, left[k].Qualifier
		leaf.Children = append(leaf.Children, part)
	}
}

// turnColumnLeft makes $1 = id into id = $1.
func (p *Predicate) turnColumnLeft() {
	if p.Left.Kind == ColumnRef || p.Value.Kind != ColumnRef {
		return
	}
	turned, ok := turnedOperator(p.Op)
	if !ok {
		return
	}
	p.Left, p.Value = p.Value, p.Left
	p.Op = turned
	p.Column, p.Qualifier = p.Left.Column, p.Left.Qualifier
}

func turnedOperator(operator string) (string, bool) {
	switch operator {
	case "=", "==", "<>", "!=", "<=>", "&&":
		return operator, true
	case "<":
		return ">", true
	case ">":
		return "<", true
	case "<=":
		return ">=", true
	case ">=":
		return "<=", true
	case "@>":
		return "<@", true
	case "<@":
		return "@>", true
	}
	return operator, false
}
