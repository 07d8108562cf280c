package expr

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
)

// Mode says how a text is read.
type Mode int

const (
	// Expression is the code of a template: the first statement counts (N8N.md 8).
	Expression Mode = iota
	// Body is the body of a Code or Function node: `return` and `await` are allowed.
	Body
)

// ErrTooComplex is the error for a text that is too large, too deeply nested or
// too slow to parse. It is no statement about the text's correctness.
var ErrTooComplex = errors.New("too complex to parse")

// SyntaxError says that a text is not valid JavaScript. n8n's own parser
// forgives some faults, so it does not follow that n8n fails.
type SyntaxError struct {
	// Offset is the byte offset of the fault.
	Offset int
	// Message is the parser's own word for it.
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not valid JavaScript: %s", e.Message)
}

// Program is a parsed text. It is immutable and may be evaluated any number of
// times, by several goroutines at once.
type Program struct {
	mode       Mode
	source     string
	shift      int // source offset = goja index - shift
	base       int // where source starts in the string that offsets refer to
	expression ast.Expression
	body       []ast.Statement
	variables  []string // declared by var anywhere in the body

	symbolic *[codeModes]keptResult // of a body
}

// keptResult is what a body gives for items of which nothing is known.
type keptResult struct {
	once   sync.Once
	result CodeResult
}

const (
	bodyPrefix = "(async function(){\n"
	bodySuffix = "\n})"
)

// Parse parses one text. The error is a *SyntaxError or ErrTooComplex.
func Parse(code string, mode Mode) (*Program, error) {
	return parseAt(code, mode, 0)
}

func parseAt(code string, mode Mode, base int) (*Program, error) {
	shape := scanShape(code)
	if shape.tooComplex(mode) {
		return nil, ErrTooComplex
	}
	program := &Program{mode: mode, source: code, base: base, shift: 1}
	wrapped := code
	switch {
	case mode == Body:
		program.symbolic = new([codeModes]keptResult)
		wrapped = bodyPrefix + code + bodySuffix
		program.shift += len(bodyPrefix)
	case strings.HasPrefix(strings.TrimLeft(code, " \t\r\n"), "{"):
		wrapped = "(" + code + "\n)"
		program.shift++
	}
	tree, err := parseJavaScript(wrapped, shape.ambiguousArrows > maxAmbiguousArrows)
	if err != nil {
		return nil, program.syntaxError(wrapped, err)
	}
	return program, program.take(tree)
}

// take picks the part of the tree that counts: the function's statements, or
// the first statement's expression.
func (p *Program) take(tree *ast.Program) error {
	if p.mode == Body {
		function := wrappedFunction(tree)
		if function == nil {
			return &SyntaxError{Offset: p.base + len(p.source), Message: "unbalanced braces"}
		}
		p.body = function.Body.List
		p.variables = hoisted(function.DeclarationList)
		return nil
	}
	for _, statement := range tree.Body {
		switch statement := statement.(type) {
		case *ast.EmptyStatement:
			continue
		case *ast.ExpressionStatement:
			p.expression = statement.Expression
			return nil
		}
		break
	}
	return &SyntaxError{Offset: p.base, Message: "no expression"}
}

// hoisted gives the names that var declares: they live in the whole function.
func hoisted(declarations []*ast.VariableDeclaration) []string {
	var names []string
	for _, declaration := range declarations {
		for _, declared := range declaration.List {
			if name, ok := declared.Target.(*ast.Identifier); ok {
				names = append(names, name.Name.String())
			}
		}
	}
	return names
}

// wrappedFunction gives the wrapper's function, nil if the code has closed it
// and gone on behind it.
func wrappedFunction(tree *ast.Program) *ast.FunctionLiteral {
	if len(tree.Body) != 1 {
		return nil
	}
	statement, ok := tree.Body[0].(*ast.ExpressionStatement)
	if !ok {
		return nil
	}
	function, _ := statement.Expression.(*ast.FunctionLiteral)
	return function
}

func (p *Program) syntaxError(wrapped string, err error) error {
	if errors.Is(err, ErrTooComplex) {
		return ErrTooComplex
	}
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		offset := lineStart(wrapped, list[0].Position.Line) + list[0].Position.Column - 1
		return &SyntaxError{Offset: p.clamp(offset + 1 - p.shift), Message: list[0].Message}
	}
	return &SyntaxError{Offset: p.base, Message: err.Error()}
}

func lineStart(s string, line int) int {
	at := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(s[at:], '\n')
		if next < 0 {
			return at
		}
		at += next + 1
	}
	return at
}

func (p *Program) clamp(offset int) int {
	return p.base + max(0, min(offset, len(p.source)))
}

// offset turns goja's 1-based index in the wrapped text into an offset in the
// string the caller gave.
func (p *Program) offset(index file.Idx) int {
	return p.clamp(int(index) - p.shift)
}

type parseResult struct {
	tree *ast.Program
	err  error
}

// parseJavaScript parses wrapped text. Where the shape leaves room for goja's
// exponential case, it waits no longer than parseTimeLimit; goja cannot be
// stopped, so the scan in shape.go refuses all such texts that it recognises.
func parseJavaScript(wrapped string, limitTime bool) (*ast.Program, error) {
	if !limitTime {
		return parseGuarded(wrapped)
	}
	done := make(chan parseResult, 1)
	go func() {
		tree, err := parseGuarded(wrapped)
		done <- parseResult{tree, err}
	}()
	timer := time.NewTimer(parseTimeLimit)
	defer timer.Stop()
	select {
	case result := <-done:
		return result.tree, result.err
	case <-timer.C:
		return nil, ErrTooComplex
	}
}

func parseGuarded(wrapped string) (tree *ast.Program, err error) {
	defer func() {
		if recover() != nil {
			tree, err = nil, ErrTooComplex
		}
	}()
	return parser.ParseFile(nil, "", wrapped, parser.IgnoreRegExpErrors, parser.WithDisableSourceMaps)
}
