package sql

import (
	"strings"
)

// isOperatorWord tells the words that connect operands.
func isOperatorWord(word string) bool {
	switch strings.ToUpper(word) {
	case "AND", "OR", "NOT", "IN", "LIKE", "ILIKE", "RLIKE", "REGEXP", "SIMILAR", "TO", "IS", "ISNULL", "NOTNULL",
		"BETWEEN", "DISTINCT", "FROM", "AT", "COLLATE", "ESCAPE", "DIV", "XOR", "OVERLAPS", "SYMMETRIC", "BINARY", "GLOB", "MEMBER", "OF":
		return true
	}
	return false
}

// value reads the whole of [i, j) as one value.
func (p *parser) value(i, j int) Value {
	value, next := p.expression(i, j)
	for next < j { // what an expression cannot contain: keep the operands all the same
		rest, after := p.expression(next, j)
		if after <= next {
			after = p.next(next)
		}
		next = after
		value = p.joined(value, rest)
	}
	value.Start, value.End = p.span(i, j)
	value.Text = p.script.Text[value.Start:value.End]
	return value
}

func (p *parser) joined(value, rest Value) Value {
	if value.Kind == Expression && value.Call == "" {
		value.Args = append(value.Args, rest)
		return value
	}
	return Value{Kind: Expression, Args: []Value{value, rest}}
}

// expression reads operands and operators from i on and stops at j or at what
// cannot continue it, such as an alias.
func (p *parser) expression(i, j int) (Value, int) {
	begin := i
	if !p.enter() {
		return p.unread(i, j), j
	}
	defer p.leave()
	var args []Value
	var operators []string
	for i < j {
		for i < j && p.connects(i, j) {
			operators = append(operators, p.operatorText(i))
			i++
		}
		if i >= j || !p.startsOperand(i) {
			break
		}
		var operand Value
		operand, i = p.operand(i, j)
		args = append(args, operand)
		if i >= j || !p.connects(i, j) {
			break
		}
	}
	if len(args) == 1 && len(operators) == 0 {
		return args[0], i
	}
	value := Value{Kind: Expression, Args: args, Operators: operators}
	value.Start, value.End = p.span(begin, i)
	value.Text = p.script.Text[value.Start:value.End]
	return value, i
}

// unread is a value that is nested too deep to look into.
func (p *parser) unread(i, j int) Value {
	start, end := p.span(i, j)
	return Value{
		Kind: Expression, Text: p.script.Text[start:end], Start: start, End: end,
		interpolations: interpolationsWithin(p.script.Interpolations, start, end),
	}
}

// connects reports whether token i is an operator between operands.
func (p *parser) connects(i, j int) bool {
	t := p.tokens[i]
	if t.kind == operatorToken {
		return true
	}
	if t.kind != wordToken || !isOperatorWord(p.text[t.start:t.end]) {
		return false
	}
	return p.connectsHere(i, j)
}

// connectsHere tells an operator from a column or function of that name by what
// stands beside it: at, to, of and the like are common names of columns.
func (p *parser) connectsHere(i, j int) bool {
	switch p.keyword(i) {
	case "AT":
		return p.words(i+1, j, "TIME", "ZONE") || p.is(i+1, "LOCAL")
	case "TO":
		return p.is(i-1, "SIMILAR")
	case "OF":
		return p.is(i-1, "MEMBER")
	case "MEMBER":
		return p.is(i+1, "OF")
	case "SYMMETRIC":
		return p.is(i-1, "BETWEEN")
	case "DISTINCT":
		return p.isAny(i-1, "IS", "NOT")
	case "FROM":
		return p.is(i-1, "DISTINCT")
	case "ESCAPE":
		return i+1 < j && p.tokens[i+1].kind == stringToken
	case "DIV", "XOR", "RLIKE", "REGEXP", "BINARY":
		return p.dialect == MySQL || p.dialect == Snowflake || p.dialect == Other
	case "GLOB":
		return p.dialect == Other
	case "ISNULL", "NOTNULL":
		return !p.punctuation(i+1, '(')
	}
	return true
}

func (p *parser) operatorText(i int) string { return strings.ToUpper(p.raw(i)) }

func (p *parser) startsOperand(i int) bool {
	if p.tokens[i].kind == punctuationToken {
		return p.punctuation(i, '(') || p.punctuation(i, '[')
	}
	return !p.isAny(i, "AS", "WHEN", "THEN", "ELSE", "END")
}

// operand reads one operand with its casts, subscripts and fields.
func (p *parser) operand(i, j int) (Value, int) {
	value, next := p.atom(i, j)
	if next <= i {
		next = i + 1
	}
	for next < j {
		after := p.postfix(&value, next, j)
		if after == next {
			break
		}
		next = after
	}
	value.Start, value.End = p.span(i, next)
	value.Text = p.script.Text[value.Start:value.End]
	return value, next
}

// postfix reads one cast, subscript, field or clause of an aggregate at i.
func (p *parser) postfix(value *Value, i, j int) int {
	switch {
	case p.operator(i, "::"):
		name, next := p.typeName(i+1, j)
		value.Cast = name
		return next
	case p.punctuation(i, '[') && p.tokens[i].match > i && p.tokens[i].match < j:
		inner := p.value(i+1, p.tokens[i].match)
		*value = Value{Kind: Expression, Args: []Value{*value, inner}, Operators: []string{"[]"}}
		return p.tokens[i].match + 1
	case p.punctuation(i, '.') && i+1 < j && value.Kind != ColumnRef: // (row).field, f(x).*
		return i + 2
	case value.Kind == CallValue && p.isAny(i, "OVER", "FILTER") && i+1 < j:
		return p.next(i + 1)
	case value.Kind == CallValue && p.words(i, j, "WITHIN", "GROUP") && i+2 < j:
		return p.next(i + 2)
	case value.Kind == CallValue && p.words(i, j, "IGNORE", "NULLS"), value.Kind == CallValue && p.words(i, j, "RESPECT", "NULLS"):
		return i + 2
	case p.words(i, j, "TIME", "ZONE") && i > 0 && p.is(i-1, "AT"):
		return i + 2
	}
	return i
}

// typeName reads a type at i: double precision, timestamp with time zone,
// numeric(10,2), text[].
func (p *parser) typeName(i, j int) (string, int) {
	parts, next := p.qualified(i, j)
	if len(parts) == 0 {
		return "", i
	}
	name := strings.ToLower(p.raw(parts[len(parts)-1]))
	if (name == "double" && p.is(next, "PRECISION") || name == "character" && p.is(next, "VARYING")) && next < j {
		name += " " + strings.ToLower(p.raw(next))
		next++
	}
	if p.punctuation(next, '(') && next < j {
		next = min(p.next(next), j)
	}
	if p.isAny(next, "WITH", "WITHOUT") && p.words(next+1, j, "TIME", "ZONE") {
		name += " " + strings.ToLower(p.raw(next)) + " time zone"
		next += 3
	}
	for next+1 < j && p.punctuation(next, '[') && p.tokens[next].match > next && p.tokens[next].match < j {
		name += "[]"
		next = p.tokens[next].match + 1
	}
	return name, next
}

// atom reads one operand without what may follow it.
func (p *parser) atom(i, j int) (Value, int) {
	t := p.tokens[i]
	switch t.kind {
	case numberToken:
		return p.fixedOrTemplate(i, Value{Kind: Literal, Literal: p.raw(i)}), i + 1
	case stringToken:
		return p.stringLiteral(i), i + 1
	case placeholderToken:
		var value Value
		p.placeholderOf(i, &value)
		if value.Modifier == "name" && i+1 < j && (p.punctuation(i+1, '.') || p.punctuation(i+1, '(')) {
			return p.name(i, j)
		}
		return value, i + 1
	case punctuationToken:
		return p.bracketed(i, j)
	case wordToken:
		if value, next, ok := p.keywordAtom(i, j); ok {
			return value, next
		}
	}
	return p.name(i, j)
}

// fixedOrTemplate turns a value into an interpolation or template where its token
// contains {{ }}.
func (p *parser) fixedOrTemplate(i int, value Value) Value {
	t := p.tokens[i]
	return p.withInterpolations(t.start, t.end, t.start, t.end, value)
}

// withInterpolations classifies a token [start, end) whose content, without quotes,
// is [from, to).
func (p *parser) withInterpolations(start, end, from, to int, value Value) Value {
	indexes := interpolationsWithin(p.script.Interpolations, start, end)
	if len(indexes) == 0 {
		return value
	}
	value.interpolations = indexes
	first := p.script.Interpolations[indexes[0]]
	if len(indexes) == 1 && strings.TrimSpace(p.script.Text[from:max(from, min(first.Start, to))]) == "" &&
		strings.TrimSpace(p.script.Text[min(max(first.End, from), to):to]) == "" {
		value.Kind, value.Literal = InterpolationValue, ""
		return value
	}
	value.Kind = Template
	value.Literal = p.aroundInterpolations(from, to, indexes)
	return value
}

// aroundInterpolations is the text of [from, to) without its interpolations.
func (p *parser) aroundInterpolations(from, to int, indexes []int) string {
	var around strings.Builder
	position := from
	for _, index := range indexes {
		hole := p.script.Interpolations[index]
		if hole.Start > position {
			around.WriteString(p.script.Text[position:min(hole.Start, to)])
		}
		position = max(position, hole.End)
	}
	if position < to {
		around.WriteString(p.script.Text[position:to])
	}
	return around.String()
}

// stringLiteral reads '…', E'…', "…" of MySQL and $tag$…$tag$.
func (p *parser) stringLiteral(i int) Value {
	t := p.tokens[i]
	from, to := p.stringContent(t)
	content := p.script.Text[from:to]
	value := Value{Kind: Literal, String: true, Literal: p.decodeString(t, content)}
	value = p.withInterpolations(t.start, t.end, from, to, value)
	if p.dialect == Postgres && value.Kind == Literal {
		p.formattedPlaceholders(content, &value)
	}
	return value
}

// stringContent is the byte range between the quotes.
func (p *parser) stringContent(t token) (from, to int) {
	text := p.text[t.start:t.end]
	if text[0] == '$' {
		tag := strings.IndexByte(text[1:], '$') + 2
		if len(text) >= 2*tag {
			return t.start + tag, t.end - tag
		}
		return t.end, t.end
	}
	quote := strings.IndexAny(text, `'"`)
	if quote < 0 {
		return t.end, t.end
	}
	from, to = t.start+quote+1, t.end
	if to > from && p.text[to-1] == text[quote] {
		to--
	}
	return from, to
}

func (p *parser) decodeString(t token, content string) string {
	if p.text[t.start] == '$' || !strings.ContainsAny(content, `'"\`) {
		return content
	}
	quote := p.text[t.start]
	escapes := p.dialect == MySQL || p.dialect == Snowflake
	if quote != '\'' && quote != '"' {
		escapes = escapes || quote == 'e' || quote == 'E'
		quote = '\''
	}
	var decoded strings.Builder
	for k := 0; k < len(content); k++ {
		character := content[k]
		switch {
		case character == quote && k+1 < len(content) && content[k+1] == quote:
			k++
		case character == '\\' && escapes && k+1 < len(content):
			k++
			character = unescape(content[k])
		}
		decoded.WriteByte(character)
	}
	return decoded.String()
}

func unescape(character byte) byte {
	switch character {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case '0':
		return 0
	}
	return character
}

// formattedPlaceholders finds $1 inside a string: n8n's Postgres node has pg-promise
// format the whole text, quotes or not.
func (p *parser) formattedPlaceholders(content string, value *Value) {
	for k := 0; k+1 < len(content); k++ {
		if content[k] != '$' || !isDigit(content[k+1]) || content[k+1] == '0' {
			continue
		}
		end := k + 1
		for end < len(content) && isDigit(content[end]) {
			end++
		}
		number, _ := splitPlaceholder(content[k+1 : end])
		value.placeholders = appendOnce(value.placeholders, number)
		if k == 0 && end == len(content) {
			value.Kind, value.Placeholder = Placeholder, number
			return
		}
		value.Kind = Template
		k = end - 1
	}
}

// bracketed reads ( … ) or [ … ] at i: a sub-select, a row or a value in brackets.
func (p *parser) bracketed(i, j int) (Value, int) {
	match := p.tokens[i].match
	if match < 0 || match >= j {
		return Value{Kind: Expression}, i + 1
	}
	// Peel (((x))) without recursion.
	from, to := i+1, match
	for p.punctuation(from, '(') && p.tokens[from].match == to-1 && from < to {
		from, to = from+1, to-1
	}
	if p.startsQuery(from, to) {
		return p.subquery(from, to), match + 1
	}
	parts := p.list(from, to)
	if len(parts) > 1 {
		return Value{Kind: Expression, Args: p.valuesOf(parts), Operators: []string{"ROW"}}, match + 1
	}
	return p.value(from, to), match + 1
}

func (p *parser) valuesOf(parts [][2]int) []Value {
	values := make([]Value, 0, len(parts))
	for _, part := range parts {
		values = append(values, p.value(part[0], part[1]))
	}
	return values
}

func (p *parser) subquery(i, j int) Value {
	return Value{Kind: Subquery, Sub: p.statement(i, j)}
}

// startsQuery reports whether [i, j) is a statement that gives rows.
func (p *parser) startsQuery(i, j int) bool {
	return i < j && p.isAny(i, "SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "MERGE")
}

// keywordAtom reads an operand that begins with a word of SQL's own.
func (p *parser) keywordAtom(i, j int) (Value, int, bool) {
	switch {
	case p.is(i, "NULL"):
		return Value{Kind: Null}, i + 1, true
	case p.isAny(i, "TRUE", "FALSE"):
		return Value{Kind: Literal, Literal: strings.ToLower(p.raw(i))}, i + 1, true
	case p.is(i, "DEFAULT") && !p.punctuation(i+1, '('):
		return Value{Kind: Default}, i + 1, true
	case p.is(i, "CASE") && p.tokens[i].match > i && p.tokens[i].match < j:
		return p.caseValue(i+1, p.tokens[i].match), p.tokens[i].match + 1, true
	case p.is(i, "EXISTS"):
		return p.existsValue(i, j)
	case p.isAny(i, "CAST", "TRY_CAST", "SAFE_CAST"):
		return p.castValue(i, j)
	case p.is(i, "EXTRACT"):
		return p.extractValue(i, j)
	case p.words(i, j, "NEXT", "VALUE", "FOR"):
		_, next := p.qualified(i+3, j)
		return Value{Kind: CallValue, Call: "next value for"}, next, true
	case p.is(i, "ARRAY") && p.punctuation(i+1, '[') && i+1 < j && p.tokens[i+1].match > i && p.tokens[i+1].match < j:
		match := p.tokens[i+1].match
		return Value{Kind: CallValue, Call: "array", Args: p.valuesOf(p.list(i+2, match))}, match + 1, true
	case p.isAny(i, "INTERVAL", "DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIME") && i+1 < j && p.tokens[i+1].kind == stringToken:
		value := p.stringLiteral(i + 1)
		value.Cast = strings.ToLower(p.raw(i))
		return value, i + 2, true
	case p.is(i, "INTERVAL") && i+1 < j && p.startsOperand(i+1): // MySQL: INTERVAL 3 DAY
		value, next := p.operand(i+1, j)
		value.Cast = "interval"
		return value, min(next+1, j), true
	case p.dialect.callsWithoutBrackets(p.raw(i)) && !p.punctuation(i+1, '(') && !p.punctuation(i+1, '.'):
		return Value{Kind: CallValue, Call: strings.ToLower(p.raw(i))}, i + 1, true
	}
	return Value{}, i, false
}

func (p *parser) existsValue(i, j int) (Value, int, bool) {
	from, to, ok := p.group(i+1, j)
	if !ok {
		return Value{}, i, false
	}
	value := p.subquery(from, to)
	value.Call = "exists"
	return value, to + 1, true
}

// castValue reads CAST(x AS type) as x.
func (p *parser) castValue(i, j int) (Value, int, bool) {
	from, to, ok := p.group(i+1, j)
	if !ok {
		return Value{}, i, false
	}
	as := p.findWord(from, to, "AS")
	value := p.value(from, as)
	if as < to {
		value.Cast, _ = p.typeName(as+1, to)
	}
	return value, to + 1, true
}

// extractValue reads EXTRACT(field FROM x).
func (p *parser) extractValue(i, j int) (Value, int, bool) {
	from, to, ok := p.group(i+1, j)
	if !ok {
		return Value{}, i, false
	}
	if source := p.findWord(from, to, "FROM"); source < to {
		from = source + 1
	}
	return Value{Kind: CallValue, Call: "extract", Args: []Value{p.value(from, to)}}, to + 1, true
}

// caseValue reads the inside of CASE … END.
func (p *parser) caseValue(i, j int) Value {
	value := Value{Kind: Case}
	first := p.findWord(i, j, "WHEN")
	var operand *Value
	if first > i {
		compared := p.value(i, first)
		operand = &compared
	}
	for at := first; at < j; {
		if p.is(at, "ELSE") {
			value.Args = append(value.Args, p.value(at+1, j))
			break
		}
		then := p.findWord(at, j, "THEN")
		end := p.find(min(then+1, j), j, func(k int) bool { return p.isAny(k, "WHEN", "ELSE") })
		condition := p.value(at+1, then)
		if operand != nil {
			condition = Value{Kind: Expression, Operators: []string{"="}, Args: []Value{*operand, condition}, Text: condition.Text, Start: condition.Start, End: condition.End}
		}
		value.Args = append(value.Args, condition, p.value(min(then+1, end), end))
		at = end
	}
	return value
}

// name reads a column or a call at i.
func (p *parser) name(i, j int) (Value, int) {
	parts, next := p.qualified(i, j)
	if len(parts) == 0 {
		return Value{Kind: Expression}, i + 1
	}
	if _, _, ok := p.group(next, j); ok {
		return p.call(parts, next, j)
	}
	last := parts[len(parts)-1]
	if p.punctuation(next, '.') && p.operator(next+1, "*") && next+1 < j {
		return Value{Kind: ColumnRef, Column: "*", Qualifier: p.identifier(last)}, next + 2
	}
	if len(parts) == 1 && p.dynamic(last) && !p.tokens[last].quoted {
		return p.fixedOrTemplate(last, Value{}), next
	}
	value := Value{Kind: ColumnRef, Column: p.identifier(last)}
	if len(parts) > 1 {
		value.Qualifier = p.identifier(parts[len(parts)-2])
	}
	if p.dialect == Snowflake && len(parts) > 1 && value.Column == "nextval" {
		return Value{Kind: CallValue, Call: "nextval"}, next
	}
	for _, part := range parts {
		value.interpolations = append(value.interpolations, interpolationsWithin(p.script.Interpolations, p.tokens[part].start, p.tokens[part].end)...)
	}
	return value, next
}

// call reads the arguments of the function whose name's parts are given.
func (p *parser) call(parts []int, open, j int) (Value, int) {
	from, to, _ := p.group(open, j)
	value := Value{Kind: CallValue, Call: p.functionName(parts[len(parts)-1])}
	if len(parts) > 1 {
		value.Schema = p.identifier(parts[len(parts)-2])
	}
	if p.startsQuery(from, to) {
		value.Args = []Value{p.subquery(from, to)}
		return value, to + 1
	}
	if p.isAny(from, "DISTINCT", "ALL") {
		from++
	}
	end := p.find(from, to, func(k int) bool { return p.words(k, to, "ORDER", "BY") || p.is(k, "SEPARATOR") })
	for _, part := range p.list(from, end) {
		value.Args = append(value.Args, p.argument(part[0], part[1]))
	}
	return value, to + 1
}

func (p *parser) functionName(i int) string {
	name, _ := p.written(i)
	return strings.ToLower(name)
}

// argument reads one argument: * of count(*), name => value, a value.
func (p *parser) argument(i, j int) Value {
	if j == i+1 && p.operator(i, "*") {
		start, end := p.span(i, j)
		return Value{Kind: ColumnRef, Column: "*", Text: "*", Start: start, End: end}
	}
	if i+2 < j && (p.operator(i+1, "=>") || p.operator(i+1, ":=")) {
		i += 2
	}
	return p.value(i, j)
}
