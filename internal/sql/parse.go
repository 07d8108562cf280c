package sql

import (
	"strconv"
	"strings"
)

// maxDepth bounds how deep brackets, sub-selects and CASE are looked into.
const maxDepth = 100

// Parse recognises the statements of text. A leading =, which marks an n8n
// expression, is skipped. Parse never fails; see Script.Opaque and Script.Incomplete.
func Parse(text string, dialect Dialect) *Script {
	script := &Script{Text: text, Dialect: dialect}
	if len(text) > maxTextBytes {
		script.Opaque, script.Incomplete = true, true
		return script
	}
	interpolations, closed := findInterpolations(text)
	script.Interpolations = interpolations
	start := 0
	if strings.HasPrefix(text, "=") {
		start = 1
	}
	masked := maskInterpolations(text, interpolations)
	tokens, broken := tokenize(masked, start, dialect)
	matchBrackets(masked, tokens)
	script.Incomplete = broken || !closed || hasOpenBracket(masked, tokens)
	p := &parser{script: script, text: masked, tokens: tokens, dialect: dialect}
	p.numberQuestionMarks()
	script.Statements = p.statements(0, len(tokens))
	script.Opaque = p.opaque()
	return script
}

func hasOpenBracket(text string, tokens []token) bool {
	for _, t := range tokens {
		if t.kind == punctuationToken && text[t.start] == '(' && t.match < 0 {
			return true
		}
	}
	return false
}

// parser reads ranges [i, j) of tokens; nothing in it moves a shared cursor.
type parser struct {
	script   *Script
	text     string // masked
	tokens   []token
	dialect  Dialect
	depth    int
	ordinals map[int]int // token index of a ? → its ordinal
}

func (p *parser) numberQuestionMarks() {
	for i, t := range p.tokens {
		if t.kind != placeholderToken || p.text[t.start] != '?' {
			continue
		}
		if p.ordinals == nil {
			p.ordinals = map[int]int{}
		}
		p.ordinals[i] = len(p.ordinals) + 1
	}
}

// opaque: nothing recognised, and what stands at a statement's start is an interpolation.
func (p *parser) opaque() bool {
	if len(p.tokens) == 0 {
		return true
	}
	for _, statement := range p.script.Statements {
		if statement.Verb != Unknown {
			return false
		}
	}
	return len(interpolationsWithin(p.script.Interpolations, p.tokens[0].start, p.tokens[0].end)) > 0
}

// enter bounds recursion; every true needs a leave.
func (p *parser) enter() bool {
	if p.depth >= maxDepth {
		p.script.Incomplete = true
		return false
	}
	p.depth++
	return true
}

func (p *parser) leave() { p.depth-- }

// raw is a token's text with interpolations as they are written.
func (p *parser) raw(i int) string { return p.script.Text[p.tokens[i].start:p.tokens[i].end] }

// is reports whether token i is the keyword, given in upper case.
func (p *parser) is(i int, keyword string) bool {
	if i < 0 || i >= len(p.tokens) {
		return false
	}
	t := p.tokens[i]
	return t.kind == wordToken && t.end-t.start == len(keyword) && strings.EqualFold(p.text[t.start:t.end], keyword)
}

// isAny reports whether token i is one of the keywords.
func (p *parser) isAny(i int, keywords ...string) bool {
	for _, keyword := range keywords {
		if p.is(i, keyword) {
			return true
		}
	}
	return false
}

// words reports whether the tokens from i on, all before j, are the keywords.
func (p *parser) words(i, j int, keywords ...string) bool {
	if i+len(keywords) > j {
		return false
	}
	for offset, keyword := range keywords {
		if !p.is(i+offset, keyword) {
			return false
		}
	}
	return true
}

func (p *parser) punctuation(i int, character byte) bool {
	return i >= 0 && i < len(p.tokens) && p.tokens[i].kind == punctuationToken && p.text[p.tokens[i].start] == character
}

func (p *parser) operator(i int, operator string) bool {
	if i < 0 || i >= len(p.tokens) || p.tokens[i].kind != operatorToken {
		return false
	}
	return p.text[p.tokens[i].start:p.tokens[i].end] == operator
}

// next is the token behind i at the same level: brackets and CASE are stepped over.
func (p *parser) next(i int) int {
	if match := p.tokens[i].match; match > i {
		return match + 1
	}
	return i + 1
}

// group returns the range inside the bracket at i, if it closes before j.
func (p *parser) group(i, j int) (from, to int, ok bool) {
	if i >= j || !p.punctuation(i, '(') {
		return 0, 0, false
	}
	match := p.tokens[i].match
	if match < 0 || match >= j {
		return 0, 0, false
	}
	return i + 1, match, true
}

// find returns the first token in [i, j) at this level for which accept holds, or j.
func (p *parser) find(i, j int, accept func(int) bool) int {
	for ; i < j; i = p.next(i) {
		if accept(i) {
			return i
		}
	}
	return j
}

func (p *parser) findWord(i, j int, keyword string) int {
	return p.find(i, j, func(k int) bool { return p.is(k, keyword) })
}

// list splits [i, j) at its commas; empty parts are kept out.
func (p *parser) list(i, j int) [][2]int {
	var parts [][2]int
	start := i
	for ; i < j; i = p.next(i) {
		if !p.punctuation(i, ',') {
			continue
		}
		if start < i {
			parts = append(parts, [2]int{start, i})
		}
		start = i + 1
	}
	if start < j {
		parts = append(parts, [2]int{start, j})
	}
	return parts
}

// span returns the byte range of the tokens [i, j).
func (p *parser) span(i, j int) (start, end int) {
	if i >= j || i >= len(p.tokens) {
		position := len(p.text)
		if i < len(p.tokens) {
			position = p.tokens[i].start
		}
		return position, position
	}
	return p.tokens[i].start, p.tokens[j-1].end
}

func (p *parser) textOf(i, j int) string {
	start, end := p.span(i, j)
	return p.script.Text[start:end]
}

// nameable reports whether token i can be (part of) a name.
func (p *parser) nameable(i, j int) bool {
	if i >= j {
		return false
	}
	switch p.tokens[i].kind {
	case wordToken, nameToken:
		return true
	case placeholderToken: // pg-promise's $1:name
		return p.text[p.tokens[i].start] != '?'
	}
	return false
}

// identifier returns the unquoted, folded name of token i.
func (p *parser) identifier(i int) string {
	name, quoted := p.written(i)
	if p.dynamic(i) || p.tokens[i].kind == placeholderToken {
		return name
	}
	return p.dialect.fold(name, quoted)
}

// written returns the unquoted name of token i as it is written.
func (p *parser) written(i int) (name string, quoted bool) {
	text := p.raw(i)
	if !p.tokens[i].quoted || len(text) < 2 {
		return text, p.tokens[i].quoted
	}
	closing := text[len(text)-1]
	opening := text[0]
	if opening != closing && !(opening == '[' && closing == ']') {
		return text[1:], true
	}
	doubled := string([]byte{closing, closing})
	return strings.ReplaceAll(text[1:len(text)-1], doubled, string(closing)), true
}

// dynamic reports whether an interpolation is part of token i.
func (p *parser) dynamic(i int) bool {
	t := p.tokens[i]
	return len(interpolationsWithin(p.script.Interpolations, t.start, t.end)) > 0
}

// qualified reads a dotted name at i and returns the indexes of its parts and the
// index behind it; no parts if there is no name.
func (p *parser) qualified(i, j int) (parts []int, next int) {
	if !p.nameable(i, j) {
		return nil, i
	}
	parts = append(parts, i)
	i++
	for i < j && p.punctuation(i, '.') {
		if p.punctuation(i+1, '.') { // database..table
			i++
		}
		if !p.nameable(i+1, j) {
			break
		}
		parts = append(parts, i+1)
		i += 2
	}
	return parts, i
}

// tableName reads a table's name at i.
func (p *parser) tableName(i, j int) (TableName, int) {
	parts, next := p.qualified(i, j)
	if len(parts) == 0 {
		start, _ := p.span(i, i)
		return TableName{Start: start, End: start}, i
	}
	last := parts[len(parts)-1]
	start, end := p.span(i, next)
	table := TableName{Name: p.identifier(last), Start: start, End: end}
	if len(parts) > 1 {
		table.Schema = p.identifier(parts[len(parts)-2])
	}
	for _, part := range parts {
		table.Dynamic = table.Dynamic || p.dynamic(part) || p.tokens[part].kind == placeholderToken
	}
	return table, next
}

// columnNames reads the names in a column list [i, j). What is not a name, such as
// an expression of an index, is kept as it is written.
func (p *parser) columnNames(i, j int) []Column {
	var columns []Column
	for _, part := range p.list(i, j) {
		columns = append(columns, p.columnName(part[0], part[1]))
	}
	return columns
}

func (p *parser) columnName(i, j int) Column {
	start, end := p.span(i, j)
	column := Column{Start: start, End: end, Dynamic: len(interpolationsWithin(p.script.Interpolations, start, end)) > 0}
	parts, next := p.qualified(i, j)
	if len(parts) == 0 || next < j && !p.columnSuffix(next, j) {
		column.Name = p.textOf(i, j)
		return column
	}
	last := parts[len(parts)-1]
	column.Name = p.identifier(last)
	column.Dynamic = column.Dynamic || p.tokens[last].kind == placeholderToken
	column.Start, column.End = p.span(i, next)
	return column
}

// columnSuffix tells what may follow a column in the list of an index or a key:
// a direction, a collation, an operator class, MySQL's prefix length, a subscript.
func (p *parser) columnSuffix(i, j int) bool {
	if p.punctuation(i, '[') {
		return true
	}
	if from, to, ok := p.group(i, j); ok {
		return to == from+1 && p.tokens[from].kind == numberToken
	}
	return p.tokens[i].kind == wordToken
}

func columnsToNames(columns []Column) []string {
	names := make([]string, 0, len(columns))
	for _, column := range columns {
		names = append(names, column.Name)
	}
	return names
}

// placeholderOf fills in what the placeholder token i stands for.
func (p *parser) placeholderOf(i int, value *Value) {
	text := p.raw(i)
	switch {
	case text[0] == '?':
		value.Kind, value.Placeholder = Placeholder, p.ordinals[i]
	case text[0] == '$':
		value.Kind = Placeholder
		value.Placeholder, value.Modifier = splitPlaceholder(text[1:])
	case strings.HasPrefix(text, "@@"), text[0] == '@' && p.dialect == MySQL:
		value.Kind, value.Name = Variable, strings.ToLower(strings.TrimLeft(text, "@"))
	default:
		value.Kind, value.Name = Placeholder, strings.TrimLeft(text, ":@")
		value.Placeholder, _ = strconv.Atoi(value.Name)
	}
}

// splitPlaceholder splits 1:name.
func splitPlaceholder(text string) (number int, modifier string) {
	digits, modifier, _ := strings.Cut(text, ":")
	number, _ = strconv.Atoi(digits)
	return number, strings.ToLower(modifier)
}
