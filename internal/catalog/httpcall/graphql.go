package httpcall

import (
	"slices"
	"strings"
)

// operation is one operation of a GraphQL document.
type operation struct {
	// kind is query, mutation or subscription.
	kind string
	name string
	// fields are the names of the top-level fields, without aliases; "" for one that is an expression or a spread.
	fields []string
	// directives stand on the top-level fields.
	directives []directive
}

// directive is a directive with its arguments.
type directive struct {
	name      string
	arguments []argument
}

// argument is an argument of a directive; its value is the document from start to end.
type argument struct {
	name       string
	start, end int
}

// parseOperations reads the operations of a GraphQL document. ok is false where the text is no document or an
// expression stands between the definitions, so that any operation may come from it.
func parseOperations(document string) (operations []operation, ok bool) {
	s := graphqlScanner{s: document}
	for {
		token := s.next()
		switch token {
		case "":
			return operations, len(operations) > 0
		case "fragment":
			if !s.skipTo("{") || !s.skipBraces() {
				return operations, false
			}
		case "{":
			op := operation{kind: "query"}
			s.selection(&op)
			operations = append(operations, op)
		case "query", "mutation", "subscription":
			op, complete := s.operation(token)
			if !complete {
				return operations, false
			}
			operations = append(operations, op)
		default:
			return operations, false
		}
	}
}

type graphqlScanner struct {
	s  string
	at int
}

func (s *graphqlScanner) operation(kind string) (operation, bool) {
	op := operation{kind: kind}
	token := s.next()
	if isName(token) {
		op.name = token
		token = s.next()
	}
	for token != "{" {
		switch token {
		case "":
			return op, false
		case "(":
			if !s.skipParentheses() {
				return op, false
			}
		}
		token = s.next()
	}
	s.selection(&op)
	return op, true
}

// selection reads up to the brace that closes the one just read and notes the field names and directives of the
// outermost level.
func (s *graphqlScanner) selection(op *operation) {
	last := ""
	flush := func() {
		if last != "" {
			op.fields = append(op.fields, last)
		}
		last = ""
	}
	defer flush()
	for {
		token := s.next()
		switch {
		case token == "" || token == "}":
			return
		case token == "{":
			if !s.skipBraces() {
				return
			}
		case token == "(":
			if !s.skipParentheses() {
				return
			}
		case token == "@":
			op.directives = append(op.directives, s.directive())
		case token == ":":
			// The name before was an alias.
			last = ""
		case token == "..." || token[0] == hole:
			flush()
			op.fields = append(op.fields, "")
			if token == "..." {
				s.spread()
			}
		case isName(token):
			flush()
			last = token
		}
	}
}

// directive reads a directive whose @ was just read.
func (s *graphqlScanner) directive() directive {
	d := directive{name: s.next()}
	before := s.at
	if s.next() != "(" {
		s.at = before
		return d
	}
	for {
		name := s.next()
		if name == "" || name == ")" {
			return d
		}
		if !isName(name) || s.next() != ":" {
			continue
		}
		s.skipIgnored()
		start := s.at
		if !s.skipValue() {
			return d
		}
		d.arguments = append(d.arguments, argument{name: name, start: start, end: s.at})
	}
}

// skipValue skips one value of an argument.
func (s *graphqlScanner) skipValue() bool {
	switch s.next() {
	case "":
		return false
	case "$":
		return s.next() != ""
	case "{":
		return s.skipBraces()
	case "[":
		return s.skipNested("[", "]")
	}
	return true
}

// spread skips the name of a fragment, or "on Type" of an inline one.
func (s *graphqlScanner) spread() {
	before := s.at
	token := s.next()
	if token == "on" {
		s.next()
		return
	}
	if !isName(token) {
		s.at = before
	}
}

func (s *graphqlScanner) skipTo(wanted string) bool {
	for {
		switch s.next() {
		case wanted:
			return true
		case "":
			return false
		}
	}
}

func (s *graphqlScanner) skipBraces() bool { return s.skipNested("{", "}") }

func (s *graphqlScanner) skipParentheses() bool { return s.skipNested("(", ")") }

func (s *graphqlScanner) skipNested(open, shut string) bool {
	for depth := 1; depth > 0; {
		switch s.next() {
		case open:
			depth++
		case shut:
			depth--
		case "":
			return false
		}
	}
	return true
}

// next returns the next token: a name, a punctuator, a hole, or a whole string as `"`. At the end it is empty.
func (s *graphqlScanner) next() string {
	s.skipIgnored()
	if s.at >= len(s.s) {
		return ""
	}
	start := s.at
	c := s.s[s.at]
	switch {
	case nameByte(c):
		for s.at < len(s.s) && nameByte(s.s[s.at]) {
			s.at++
		}
		return s.s[start:s.at]
	case c == '"':
		s.skipString()
		return `"`
	case strings.HasPrefix(s.s[s.at:], "..."):
		s.at += 3
		return "..."
	}
	s.at++
	return s.s[start:s.at]
}

// skipIgnored skips white space, commas, comments and a byte order mark, which GraphQL ignores between tokens.
func (s *graphqlScanner) skipIgnored() {
	for s.at < len(s.s) {
		switch c := s.s[s.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',':
			s.at++
		case c == '#':
			end := strings.IndexAny(s.s[s.at:], "\r\n")
			if end < 0 {
				s.at = len(s.s)
				return
			}
			s.at += end
		case strings.HasPrefix(s.s[s.at:], "\uFEFF"):
			s.at += len("\uFEFF")
		default:
			return
		}
	}
}

func (s *graphqlScanner) skipString() {
	if strings.HasPrefix(s.s[s.at:], blockQuote) {
		s.skipBlockString()
		return
	}
	for s.at++; s.at < len(s.s); s.at++ {
		switch s.s[s.at] {
		case '\\':
			s.at++
		case '"', '\n':
			s.at++
			return
		}
	}
	s.at = min(s.at, len(s.s))
}

// blockQuote begins and ends a block string, in which a backslash before it makes it text.
const blockQuote = `"""`

func (s *graphqlScanner) skipBlockString() {
	s.at += len(blockQuote)
	for {
		end := strings.Index(s.s[s.at:], blockQuote)
		if end < 0 {
			s.at = len(s.s)
			return
		}
		escaped := end > 0 && s.s[s.at+end-1] == '\\'
		s.at += end + len(blockQuote)
		if !escaped {
			return
		}
	}
}

func nameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isName(token string) bool {
	return token != "" && nameByte(token[0])
}

// byGraphQL decides a request to a GraphQL endpoint by the operation in its body or query.
func (t *tables) byGraphQL(v view, row *endpointRow) Verdict {
	verdict := Verdict{Kind: KindUnknown, Confidence: row.confidence, Basis: BasisGraphQL, Service: row.service}
	_, operations, failure := v.operations()
	if failure != "" {
		verdict.Why = failure
		return verdict
	}
	verdict.Kind, verdict.Why = KindRead, "a GraphQL query"
	for _, op := range operations {
		if op.kind == "mutation" {
			t.byMutation(v, op, &verdict)
			return verdict
		}
	}
	return verdict
}

// operations reads the request's GraphQL document and returns the operations that may run. failure says why it is not
// readable.
func (v view) operations() (document flat, operations []operation, failure string) {
	document, ok := v.document()
	if !ok {
		return document, nil, "the GraphQL document is not readable"
	}
	operations, ok = parseOperations(document.s)
	if !ok {
		return document, nil, "the GraphQL document does not show its operation"
	}
	operations, ok = v.chosen(operations)
	if !ok {
		return document, nil, "the operation name does not show which operation runs"
	}
	return document, operations, ""
}

// document returns the GraphQL text of a request, holes kept.
func (v view) document() (flat, bool) {
	found, _ := v.find("param", "query")
	for _, position := range found {
		if position.Name == "query" {
			return flatten(position.Value), true
		}
	}
	text := flatten(v.bodyText)
	plain := strings.TrimSpace(text.s)
	if len(v.body) == 0 && plain != "" && plain != string(hole) {
		return text, true
	}
	return flat{}, false
}

// hasOperation reports whether the request's GraphQL document runs a mutation with one of the fields, or with a field
// that has one of the directives, written @name.
func (v view) hasOperation(wanted []string) answer {
	_, operations, failure := v.operations()
	if failure != "" {
		return maybe
	}
	for _, op := range operations {
		if op.kind == "mutation" && op.hasOneOf(wanted) {
			return yes
		}
	}
	return no
}

func (op operation) hasOneOf(wanted []string) bool {
	for _, pattern := range wanted {
		name, isDirective := strings.CutPrefix(pattern, "@")
		if isDirective && slices.ContainsFunc(op.directives, func(d directive) bool { return d.name == name }) {
			return true
		}
		if !isDirective && slices.ContainsFunc(op.fields, func(field string) bool { return globMatches(pattern, field) }) {
			return true
		}
	}
	return false
}

// directiveArguments returns the values of the arguments that are named "directive.argument". A variable is followed to
// its value in the body.
func (v view) directiveArguments(names []string) []Position {
	document, operations, _ := v.operations()
	var all []Position
	for _, op := range operations {
		for _, d := range op.directives {
			for _, a := range d.arguments {
				if slices.Contains(names, d.name+"."+a.name) {
					all = append(all, v.argumentValue(document, a)...)
				}
			}
		}
	}
	return all
}

func (v view) argumentValue(document flat, a argument) []Position {
	raw := document.s[a.start:a.end]
	if name, isVariable := strings.CutPrefix(raw, "$"); isVariable {
		found, _ := v.find("param", "variables."+strings.TrimSpace(name))
		return found
	}
	start, end := a.start, a.end
	if len(raw) > 1 && raw[0] == '"' && raw[len(raw)-1] == '"' {
		start, end = start+1, end-1
	}
	return []Position{{Place: PlaceBody, Name: a.name, Index: -1, Value: document.text(start, end)}}
}

// chosen keeps the operation that operationName names; without a name all of them stay.
func (v view) chosen(operations []operation) ([]operation, bool) {
	found, _ := v.find("param", "operationName")
	if len(operations) == 1 || len(found) == 0 {
		return operations, true
	}
	name, known := found[0].Value.Known()
	if !known {
		return nil, false
	}
	for _, op := range operations {
		if op.name == name {
			return []operation{op}, true
		}
	}
	return operations, true
}

// byMutation takes the worst that a field of the mutation does.
func (t *tables) byMutation(v view, op operation, verdict *Verdict) {
	verdict.Kind, verdict.Impact = KindRepeatable, ImpactRecord
	verdict.Confidence, verdict.Why = Medium, "a GraphQL mutation"
	worst := -1
	for _, field := range op.fields {
		row := t.mutation(v.address.host, field)
		if badness := badness(row.kind, row.impact); badness > worst {
			worst = badness
			verdict.Kind, verdict.Impact, verdict.Confidence = row.kind, row.impact, row.confidence
			verdict.Why = "the GraphQL mutation " + field + ": " + row.note
		}
	}
}

func (t *tables) mutation(host, field string) mutationRow {
	if field != "" {
		for _, row := range t.mutations {
			if row.host.matches(host) && globMatches(row.field, field) {
				return row
			}
		}
	}
	return mutationRow{kind: KindRepeatable, impact: ImpactRecord, confidence: Low, note: "not in the table"}
}

// badness orders verdicts by what a repetition costs.
func badness(kind Kind, impact Impact) int {
	order := 0
	switch impact {
	case ImpactMoney:
		order = 4
	case ImpactMessage:
		order = 3
	case ImpactRecord:
		order = 2
	case ImpactNotice:
		order = 1
	}
	switch kind {
	case KindRepeatable:
		return 10 + order
	case KindUnknown:
		return 9
	case KindIdempotent:
		return 1 + order
	}
	return 0
}
