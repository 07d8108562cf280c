package expr

// shape is what the scan before parsing learns of a text. The scan knows
// strings, templates, comments and, by the token before it, regular
// expressions. A text can fool it, but not the caps on size and on the number
// of all brackets, which alone keep goja's stack small.
type shape struct {
	bytes           int
	brackets        int // all opening brackets, also those inside strings
	depth           int // deepest nesting outside strings
	parameterNest   int // arrow functions inside the parameters of arrow functions
	arrowRun        int // a => b => c …
	operatorRun     int // prefix operators and keywords without a bracket or separator between
	ambiguousArrows int // `) =>`, also inside strings
}

func (s shape) tooComplex(mode Mode) bool {
	limit := maxExpressionBytes
	if mode == Body {
		limit = maxBodyBytes
	}
	return s.bytes > limit || s.brackets > maxBrackets || s.depth > maxBracketDepth ||
		s.parameterNest > maxParameterNest || s.arrowRun > maxArrowRun || s.operatorRun > maxOperatorRun
}

type shapeScanner struct {
	code  string
	at    int
	shape shape
	open  []bracket
	last  byte // last byte that is neither space nor comment
}

type bracket struct {
	template  bool  // opened by `${`
	nest      int32 // arrow parameter lists nested in this bracket
	arrows    int32 // arrows since the last separator in this bracket
	operators int32
}

func scanShape(code string) shape {
	var buffer [8]bracket
	scanner := &shapeScanner{code: code, open: buffer[:1]}
	scanner.shape.bytes = len(code)
	if len(code) > maxBodyBytes {
		return scanner.shape
	}
	scanner.countRaw()
	for scanner.at < len(code) {
		scanner.step()
	}
	return scanner.shape
}

func (s *shapeScanner) countRaw() {
	for i := 0; i < len(s.code); i++ {
		switch s.code[i] {
		case '(', '[', '{':
			s.shape.brackets++
		case '>':
			if i > 0 && s.code[i-1] == '=' && endsWithParenthesis(s.code[:i-1]) {
				s.shape.ambiguousArrows++
			}
		}
	}
}

func endsWithParenthesis(s string) bool {
	for i := len(s) - 1; i >= 0; i-- {
		if !isSpace(s[i]) {
			return s[i] == ')' || s[i] == '/'
		}
	}
	return false
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r'
}

func (s *shapeScanner) top() *bracket {
	return &s.open[len(s.open)-1]
}

func (s *shapeScanner) step() {
	c := s.code[s.at]
	switch c {
	case ' ', '\t', '\n', '\r':
		s.at++
		return
	case '"', '\'':
		s.skipString(c)
	case '`':
		s.at++
		s.skipTemplate()
	case '/':
		s.slash()
		return
	case '(', '[', '{':
		s.openBracket(false)
		s.at++
	case ')', ']', '}':
		s.closeBracket()
		return
	case ',', ';':
		s.top().arrows, s.top().operators = 0, 0
		s.at++
	case '=':
		s.equals()
	case '!', '~', '+', '-', '?', ':', '*', '&', '|':
		s.operator()
		s.at++
	default:
		s.word()
	}
	s.last = c
}

// word skips a name or number; a space between two of them is an operator like
// `typeof` or `new` as far as nesting goes.
func (s *shapeScanner) word() {
	start := s.at
	for s.at < len(s.code) && isWordByte(s.code[s.at]) {
		s.at++
	}
	if s.at == start {
		s.at++
		return
	}
	switch s.code[start:s.at] {
	case "typeof", "new", "void", "delete", "await", "yield", "else", "if", "do", "while", "for", "in", "of", "return":
		s.operator()
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func (s *shapeScanner) operator() {
	top := s.top()
	top.operators++
	s.shape.operatorRun = max(s.shape.operatorRun, int(top.operators))
}

func (s *shapeScanner) equals() {
	if s.at+1 < len(s.code) && s.code[s.at+1] == '>' {
		top := s.top()
		top.arrows++
		s.shape.arrowRun = max(s.shape.arrowRun, int(top.arrows))
		s.at += 2
		return
	}
	s.operator()
	s.at++
}

func (s *shapeScanner) openBracket(template bool) {
	s.open = append(s.open, bracket{template: template})
	s.shape.depth = max(s.shape.depth, len(s.open)-1)
}

func (s *shapeScanner) closeBracket() {
	c := s.code[s.at]
	s.at++
	s.last = c
	if len(s.open) == 1 {
		return
	}
	closed := *s.top()
	s.open = s.open[:len(s.open)-1]
	nest := closed.nest
	if c == ')' && s.arrowFollows() {
		nest++
	}
	top := s.top()
	top.nest = max(top.nest, nest)
	s.shape.parameterNest = max(s.shape.parameterNest, int(nest))
	if c == '}' && !closed.template {
		// A block or literal ends here; what follows is not deeper inside it.
		top.operators = 0
	}
	if closed.template && c == '}' {
		s.skipTemplate()
	}
}

// arrowFollows looks behind a closing parenthesis for `=>`.
func (s *shapeScanner) arrowFollows() bool {
	at := s.at
	for at < len(s.code) && isSpace(s.code[at]) {
		at++
	}
	if at < len(s.code) && s.code[at] == '/' {
		return true // a comment may hide the arrow
	}
	return at+1 < len(s.code) && s.code[at] == '=' && s.code[at+1] == '>'
}

func (s *shapeScanner) skipString(quote byte) {
	s.at++
	for s.at < len(s.code) {
		switch s.code[s.at] {
		case '\\':
			s.at++
		case quote:
			s.at++
			return
		case '\n':
			return
		}
		s.at++
	}
}

// skipTemplate skips template text up to its end or its next `${`.
func (s *shapeScanner) skipTemplate() {
	for s.at < len(s.code) {
		switch s.code[s.at] {
		case '\\':
			s.at++
		case '`':
			s.at++
			s.last = '`'
			return
		case '$':
			if s.at+1 < len(s.code) && s.code[s.at+1] == '{' {
				s.at += 2
				s.openBracket(true)
				s.last = '{'
				return
			}
		}
		s.at++
	}
}

func (s *shapeScanner) slash() {
	rest := s.code[s.at:]
	switch {
	case len(rest) > 1 && rest[1] == '/':
		for s.at < len(s.code) && s.code[s.at] != '\n' {
			s.at++
		}
	case len(rest) > 1 && rest[1] == '*':
		s.at += 2
		for s.at < len(s.code) && (s.code[s.at] != '/' || s.code[s.at-1] != '*') {
			s.at++
		}
		s.at++
	case s.regExpMayStart():
		s.skipRegExp()
		s.last = '/'
	default:
		s.at++
		s.last = '/'
	}
}

func (s *shapeScanner) regExpMayStart() bool {
	switch s.last {
	case 0, '(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';', '+', '-', '*', '%', '<', '>', '~', '^':
		return true
	}
	return false
}

func (s *shapeScanner) skipRegExp() {
	s.at++
	class := false
	for s.at < len(s.code) {
		switch c := s.code[s.at]; {
		case c == '\\':
			s.at++
		case c == '\n':
			return
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			s.at++
			return
		}
		s.at++
	}
}
