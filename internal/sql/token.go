package sql

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/DataDog/go-sqllexer"
)

type tokenKind uint8

const (
	wordToken        tokenKind = iota // unquoted, may be a keyword
	nameToken                         // quoted, or unquoted beside a dot: never a keyword
	stringToken                       // quotes and prefix included
	numberToken                       // with its sign where that is part of the literal
	operatorToken                     // one operator
	punctuationToken                  // one of ( ) [ ] , ; .
	placeholderToken                  // $1, $1:name, ?, :name, @name, @@name
)

type token struct {
	kind       tokenKind
	quoted     bool
	start, end int
	match      int // index of the closing partner of ( [ CASE, or -1
}

const (
	// maxTextBytes and maxTokens bound what one text may cost; the longest query
	// of 2,077 real workflows has 14 kB.
	maxTextBytes = 1 << 20
	maxTokens    = 50_000
	// rescanBudget bounds the bytes that are read again because a token of the
	// lexer had to be cut and the lexer started anew behind the cut.
	rescanBudget = 16 << 20
)

// tokenizer turns the lexer's tokens into ours. The lexer is lossless, but its
// identifiers swallow / ! @ ? and quotes, its operators swallow comments and
// signs, "a""b" is two tokens and nested comments end too early: such tokens are
// cut here, and the lexer goes on behind the cut.
type tokenizer struct {
	text    string // masked
	dialect Dialect
	lexer   *sqllexer.Lexer
	tokens  []token
	rescan  int
	broken  bool // an unterminated string, comment or name, or a limit
}

func tokenize(text string, start int, dialect Dialect) ([]token, bool) {
	t := &tokenizer{text: text, dialect: dialect, rescan: rescanBudget}
	t.tokens = make([]token, 0, len(text)/5+8)
	t.run(start)
	return t.tokens, t.broken
}

func (t *tokenizer) run(position int) {
	t.restart(position)
	for position < len(t.text) {
		if len(t.tokens) >= maxTokens || t.rescan < 0 {
			t.broken = true
			return
		}
		lexed := t.lexer.Scan()
		end := position + len(lexed.Value)
		compacted := end > len(t.text) || t.text[position:end] != lexed.Value
		if compacted {
			end = t.endOfCompacted(position, lexed.Value)
		}
		if end <= position { // a NUL byte looks like the end to the lexer
			position++
			t.restart(position)
			continue
		}
		next := t.accept(lexed.Type, position, end)
		if next != end || compacted {
			t.rescan -= end - position + 1
			t.restart(next)
		}
		position = next
	}
}

func (t *tokenizer) restart(position int) {
	t.lexer = sqllexer.New(t.text[position:], sqllexer.WithDBMS(t.dialect.lexerDBMS()))
}

// endOfCompacted finds the end of a MySQL name whose inner blanks the lexer dropped.
func (t *tokenizer) endOfCompacted(position int, value string) int {
	for i := 0; i < len(value) && position < len(t.text); {
		if t.text[position] == value[i] {
			i++
		}
		position++
	}
	return position
}

// accept stores the lexer's token [start, end) and returns where to go on.
func (t *tokenizer) accept(kind sqllexer.TokenType, start, end int) int {
	switch kind {
	case sqllexer.SPACE, sqllexer.COMMENT:
		return end
	case sqllexer.MULTILINE_COMMENT:
		return t.comment(start)
	case sqllexer.STRING:
		t.string(start, end)
		return end
	case sqllexer.INCOMPLETE_STRING:
		t.broken = true
		t.string(start, end)
		return end
	case sqllexer.NUMBER:
		t.number(start, end)
		return end
	case sqllexer.DOLLAR_QUOTED_STRING, sqllexer.DOLLAR_QUOTED_FUNCTION:
		return t.dollarQuoted(start, end)
	case sqllexer.POSITIONAL_PARAMETER, sqllexer.BIND_PARAMETER, sqllexer.SYSTEM_VARIABLE:
		t.add(placeholderToken, start, end)
		return end
	case sqllexer.ERROR:
		return t.unterminated(start, end)
	case sqllexer.UNKNOWN:
		return t.unknown(start, end)
	default:
		return t.cut(start, end, kind == sqllexer.QUOTED_IDENT)
	}
}

func (t *tokenizer) add(kind tokenKind, start, end int) {
	t.tokens = append(t.tokens, token{kind: kind, start: start, end: end, match: -1})
}

func (t *tokenizer) last() *token {
	if len(t.tokens) == 0 {
		return nil
	}
	return &t.tokens[len(t.tokens)-1]
}

// comment skips a block comment; in Postgres and SQL Server they nest.
func (t *tokenizer) comment(start int) int {
	nests := t.dialect == Postgres || t.dialect == SQLServer
	depth := 0
	for i := start; i+1 < len(t.text); i++ {
		switch t.text[i : i+2] {
		case "/*":
			if depth == 0 || nests {
				depth++
			}
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	t.broken = true
	return len(t.text)
}

// string stores a string literal together with the prefix that touches it.
func (t *tokenizer) string(start, end int) {
	previous := t.last()
	if previous != nil && previous.end == start && previous.kind == wordToken && isStringPrefix(t.text[previous.start:previous.end]) {
		previous.kind = stringToken
		previous.end = end
		return
	}
	t.add(stringToken, start, end)
}

func isStringPrefix(word string) bool {
	switch strings.ToLower(word) {
	case "e", "n", "b", "x", "r", "_utf8", "_utf8mb4", "_binary":
		return true
	}
	return false
}

// number stores a number, its sign apart where an operand stands before it.
func (t *tokenizer) number(start, end int) {
	if t.opensNamedPlaceholder(start) { // :1 of Snowflake
		t.last().kind = placeholderToken
		t.last().end = end
		return
	}
	signed := t.text[start] == '-' || t.text[start] == '+'
	if signed && t.last() != nil && t.endsOperand(*t.last()) {
		t.add(operatorToken, start, start+1)
		start++
	}
	if start < end {
		t.add(numberToken, start, end)
	}
}

func (t *tokenizer) endsOperand(previous token) bool {
	switch previous.kind {
	case operatorToken:
		return false
	case punctuationToken:
		return t.text[previous.start] == ')' || t.text[previous.start] == ']'
	case wordToken:
		return !isOperatorWord(t.text[previous.start:previous.end]) && !opensOperand(t.text[previous.start:previous.end])
	}
	return true
}

// opensOperand tells the words behind which a sign belongs to the number.
func opensOperand(word string) bool {
	switch strings.ToUpper(word) {
	case "SELECT", "WHEN", "THEN", "ELSE", "CASE", "LIMIT", "OFFSET", "WHERE", "RETURNING", "ON", "BY", "TOP", "DISTINCT", "VALUES", "SET":
		return true
	}
	return false
}

// dollarQuoted accepts $tag$ … $tag$ with a proper tag only; the lexer takes any
// text up to the next dollar sign for a tag.
func (t *tokenizer) dollarQuoted(start, end int) int {
	tagEnd := strings.IndexByte(t.text[start+1:end], '$')
	if tagEnd < 0 || !isTag(t.text[start+1:start+1+tagEnd]) {
		t.add(operatorToken, start, start+1)
		return start + 1
	}
	t.add(stringToken, start, end)
	return end
}

func isTag(tag string) bool {
	for i, r := range tag {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return true
}

func (t *tokenizer) unterminated(start, end int) int {
	if t.text[start] == '$' {
		t.rescan -= end - start
		t.add(operatorToken, start, start+1)
		return start + 1
	}
	t.broken = true
	if strings.HasPrefix(t.text[start:], "/*") {
		return end
	}
	t.add(nameToken, start, end)
	t.last().quoted = true
	return end
}

func (t *tokenizer) unknown(start, end int) int {
	if t.text[start] == '`' {
		closing := strings.IndexByte(t.text[start+1:], '`')
		if closing < 0 {
			t.broken = true
			return len(t.text)
		}
		return t.cut(start, start+closing+2, true)
	}
	r, _ := utf8.DecodeRuneInString(t.text[start:])
	if unicode.IsSpace(r) || r == '\ufeff' {
		return end
	}
	if r == '\\' || unicode.IsSymbol(r) || unicode.IsPunct(r) {
		t.add(operatorToken, start, end)
		return end
	}
	t.add(nameToken, start, end)
	return end
}

// cut splits [start, end) into words, quoted names, dots, placeholders and
// operators. It returns early where the lexer has to look again.
func (t *tokenizer) cut(start, end int, quotedByLexer bool) int {
	for position := start; position < end; {
		next, again := t.cutOne(position, end, quotedByLexer)
		if again || next <= position {
			return next
		}
		position = next
	}
	return end
}

func (t *tokenizer) cutOne(position, end int, quotedByLexer bool) (next int, again bool) {
	character := t.text[position]
	switch {
	case character == ' ' || character == '\t' || character == '\n' || character == '\r':
		return position + 1, false
	case character == '`' || character == '"' || character == '[' && quotedByLexer:
		if !quotedByLexer && position > 0 {
			return position, true
		}
		return t.quotedName(position, end), false
	case strings.IndexByte("()[],;.{}", character) >= 0:
		t.punctuation(position)
		return position + 1, false
	case character == '$' && position+1 < len(t.text) && isDigit(t.text[position+1]):
		last := position + 1
		for last < end && isDigit(t.text[last]) {
			last++
		}
		t.add(placeholderToken, position, last)
		return last, false
	}
	if wordEnd := t.wordEnd(position, end); wordEnd > position {
		t.word(position, wordEnd)
		return wordEnd, false
	}
	if strings.HasPrefix(t.text[position:], "/*") || strings.HasPrefix(t.text[position:], "--") {
		return position, true
	}
	width := t.operatorWidth(position, end)
	if character == '?' && width == 1 && t.dialect.questionMarkIsPlaceholder() {
		t.add(placeholderToken, position, position+1)
		return position + 1, false
	}
	t.add(operatorToken, position, position+width)
	return position + width, false
}

func (t *tokenizer) punctuation(position int) {
	character := t.text[position]
	if character == '{' || character == '}' {
		t.add(operatorToken, position, position+1)
		return
	}
	previous := t.last()
	// A word beside a dot is a name, whatever it spells: t.order, end.x.
	if character == '.' && previous != nil && previous.kind == wordToken && previous.end == position {
		previous.kind = nameToken
	}
	t.add(punctuationToken, position, position+1)
}

// quotedName stores "a", `a` or [a]; a doubled closing quote, which the lexer
// takes for the start of the next name, continues the name.
func (t *tokenizer) quotedName(position, end int) int {
	closing := t.text[position]
	if closing == '[' {
		closing = ']'
	}
	last := position + 1
	for last < end && t.text[last] != closing {
		last++
	}
	last = min(last+1, end)
	previous := t.last()
	if previous != nil && previous.quoted && previous.end == position && t.text[previous.end-1] == closing {
		previous.end = last
		return last
	}
	t.add(nameToken, position, last)
	t.last().quoted = true
	return last
}

func (t *tokenizer) wordEnd(position, end int) int {
	for position < end {
		r, size := utf8.DecodeRuneInString(t.text[position:])
		ok := r == '_' || r < utf8.RuneSelf && isASCIILetter(byte(r)) || r < utf8.RuneSelf && isDigit(byte(r)) ||
			r > utf8.RuneSelf && r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) ||
			r == '$' || r == '#' && t.dialect == SQLServer
		if !ok {
			break
		}
		position += size
	}
	return position
}

// word stores a word, or joins it to what it touches: 1_000, $1:name, :name.
func (t *tokenizer) word(start, end int) {
	previous := t.last()
	if previous == nil || previous.end != start {
		t.add(wordToken, start, end)
		return
	}
	before := t.text[previous.start:previous.end]
	switch {
	case previous.kind == numberToken:
		previous.end = end
	case before == "." && previous.kind == punctuationToken:
		t.add(nameToken, start, end)
	case before == ":" && t.joinsPlaceholder():
		t.tokens = t.tokens[:len(t.tokens)-1]
		t.last().end = end
	case t.opensNamedPlaceholder(start):
		previous.kind = placeholderToken
		previous.end = end
	case before == "@" && previous.kind == operatorToken && t.dialect != Postgres:
		previous.kind = placeholderToken
		previous.end = end
	default:
		t.add(wordToken, start, end)
	}
}

// opensNamedPlaceholder tells whether the last token is the colon of :name that ends
// at position. A colon that touches an operand is Snowflake's path: data:name.
func (t *tokenizer) opensNamedPlaceholder(position int) bool {
	colon := t.last()
	if t.dialect == Postgres || colon == nil || colon.kind != operatorToken || colon.end != position || t.text[colon.start:colon.end] != ":" {
		return false
	}
	if len(t.tokens) < 2 {
		return true
	}
	operand := t.tokens[len(t.tokens)-2]
	return operand.end != colon.start || !t.endsOperand(operand)
}

// joinsPlaceholder tells whether the last token is the colon of $1:name.
func (t *tokenizer) joinsPlaceholder() bool {
	if len(t.tokens) < 2 {
		return false
	}
	placeholder, colon := t.tokens[len(t.tokens)-2], t.tokens[len(t.tokens)-1]
	return placeholder.kind == placeholderToken && placeholder.end == colon.start
}

// operators are the ones of more than one character, longest first.
var operators = [...]string{
	"!~~*", "->>", "#>>", "~~*", "!~*", "!~~", "<=>", "<->", "::", ":=", "||", "<=", ">=", "<>", "!=", "=>", "->",
	"#>", "#-", "@>", "<@", "?|", "?&", "&&", "~~", "~*", "!~", "<<", ">>", "@@", "@?", "==", "^@",
}

func (t *tokenizer) operatorWidth(position, end int) int {
	for _, operator := range operators {
		if !strings.HasPrefix(t.text[position:end], operator) {
			continue
		}
		if operator[0] == '?' && t.dialect.questionMarkIsPlaceholder() {
			continue
		}
		return len(operator)
	}
	_, size := utf8.DecodeRuneInString(t.text[position:])
	return size
}

func isDigit(b byte) bool       { return b >= '0' && b <= '9' }
func isASCIILetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// matchBrackets fills in the partner of every ( [ and CASE that has one.
func matchBrackets(text string, tokens []token) {
	var open []int
	for i := range tokens {
		opener, closes := bracket(text, tokens[i])
		if opener {
			open = append(open, i)
			continue
		}
		if closes == 0 {
			continue
		}
		open = closeBracket(text, tokens, open, i, closes)
	}
}

func bracket(text string, t token) (opener bool, closes byte) {
	switch {
	case t.kind == punctuationToken:
		switch text[t.start] {
		case '(', '[':
			return true, 0
		case ')':
			return false, '('
		case ']':
			return false, '['
		}
	case t.kind == wordToken && strings.EqualFold(text[t.start:t.end], "CASE"):
		return true, 0
	case t.kind == wordToken && strings.EqualFold(text[t.start:t.end], "END"):
		return false, 'c'
	}
	return false, 0
}

// closeBracket pairs token i with the innermost opener of its kind. An END closes
// only a CASE that is innermost (it also ends blocks); a ) drops what is open in it.
func closeBracket(text string, tokens []token, open []int, i int, closes byte) []int {
	for depth := len(open) - 1; depth >= 0; depth-- {
		opener := tokens[open[depth]]
		same := text[opener.start] == closes || closes == 'c' && opener.kind == wordToken
		if same {
			tokens[open[depth]].match = i
			return open[:depth]
		}
		if closes != '(' || text[opener.start] == '(' {
			return open
		}
	}
	if closes == '(' {
		return open[:0]
	}
	return open
}
