package expr

import (
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
)

// evaluator runs one program once on abstract values. The zero evaluator can
// read values but runs nothing.
type evaluator struct {
	program *Program
	scope   Scope
	mode    CodeMode

	steps     int
	depth     int
	callDepth int
	active    map[ast.Node]int // running calls of each function
	exhausted bool             // a limit was reached: every further value is unknown

	clock     int
	overlay   map[*object]*content
	log       []undo
	recording int // open regions
	branches  int // open forks: code that runs only if an unknown condition holds

	thrown   bool // the path ended with an exception
	shorted  bool // an optional chain met undefined or null
	mayShort bool // it may have
	mayThrow bool // an exception may leave the program
	partial  bool // some path has already left the program

	function *region // the innermost function's, for return
	try      *region // the innermost try block's, for throw
	returns  []Value // what the program itself returns, frozen
	labels   []*label
	loops    int      // running loops
	missing  []string // places that a condition has found empty on this path

	calls     []*Call
	callIndex map[callKey]*Call

	items     *Value
	current   *Value
	item      *Value
	nodeItems map[string]Value
	nodeLists map[string]Value
}

// Eval gives the value of an expression, or of the last statement's return for
// a body. Values from outside come from the scope.
func (p *Program) Eval(scope Scope) (result Value) {
	if p.mode == Body {
		return p.Run(scope).Returns
	}
	e := &evaluator{program: p, scope: scope}
	defer func() {
		if recover() != nil || e.exhausted {
			result = tooComplex(p.base, p.base+len(p.source))
		}
	}()
	result = e.eval(p.expression, nil)
	if e.thrown && !e.exhausted {
		// n8n turns an exception in an expression into an empty value (N8N.md 8).
		return Undefined().WithOrigins(result.Origins()...)
	}
	return e.freeze(result)
}

// tooComplex is the value of code whose evaluation reached a limit.
func tooComplex(start, end int) Value {
	return Anything().WithOrigins(Origin{Kind: OriginUnknown, Name: "too complex to evaluate", Start: start, End: end})
}

// exhaust gives up: from now on every value is unknown.
func (e *evaluator) exhaust() {
	e.exhausted = true
}

// step counts work; false means that the budget is used up.
func (e *evaluator) step() bool {
	e.steps++
	if e.steps > maxSteps {
		e.exhaust()
	}
	return !e.exhausted
}

// throw ends the path with an exception.
func (e *evaluator) throw(v Value) {
	if e.thrown {
		return
	}
	if e.try != nil {
		e.leave(e.try, v)
	} else {
		e.mayThrow = true
	}
	e.thrown = true
}

// mightThrow notes that the exception is possible but not certain.
func (e *evaluator) mightThrow() {
	if e.try != nil {
		e.try.may = true
		return
	}
	e.mayThrow = true
}

func (e *evaluator) start(node ast.Node) int { return e.program.offset(node.Idx0()) }

func (e *evaluator) end(node ast.Node) int {
	return e.program.offset(endOf(node))
}

// endOf is Idx1 without goja's gaps: `new Date()` ends at its parenthesis, and
// the length of a name is that of its bytes.
func endOf(node ast.Node) file.Idx {
	switch node := node.(type) {
	case *ast.NewExpression:
		if node.RightParenthesis > 0 {
			return node.RightParenthesis + 1
		}
	case *ast.Identifier:
		return node.Idx + file.Idx(len(node.Name.String()))
	case *ast.DotExpression:
		return endOf(&node.Identifier)
	case *ast.Optional:
		return endOf(node.Expression)
	case *ast.OptionalChain:
		return endOf(node.Expression)
	}
	return node.Idx1()
}

func (e *evaluator) text(node ast.Node) string {
	start, end := e.start(node)-e.program.base, e.end(node)-e.program.base
	if start < 0 || end > len(e.program.source) || start >= end {
		return ""
	}
	return e.program.source[start:end]
}

// freeze gives the value with the evaluator's writes in it, independent of the evaluator.
func (e *evaluator) freeze(v Value) Value {
	if v.object == nil || len(e.overlay) == 0 {
		return v
	}
	f := freezer{e: e, seen: map[*object]*object{}, nodes: maxValueNodes}
	return f.value(v, 0)
}

type freezer struct {
	e     *evaluator
	seen  map[*object]*object
	nodes int
}

func (f *freezer) value(v Value, depth int) Value {
	if v.object == nil {
		return v
	}
	f.nodes--
	if depth > maxValueDepth || f.nodes < 0 {
		return Value{kind: KindUnknown, truthy: true, origins: v.origins}
	}
	if done := f.seen[v.object]; done != nil {
		if done.content == nil {
			// The object contains itself.
			return Value{kind: KindUnknown, truthy: true, origins: v.origins}
		}
		v.object = done
		return v
	}
	frozen := &object{summary: v.object.summary}
	f.seen[v.object] = frozen
	old := f.e.contentOf(v.object)
	next := &content{open: old.open, many: old.many, collection: old.collection, min: old.min, max: old.max}
	next.rest = f.value(old.rest, depth+1)
	if len(old.fields) > 0 {
		next.fields = make([]Field, 0, len(old.fields))
	}
	for _, field := range old.fields {
		next.fields = append(next.fields, Field{field.Name, f.value(field.Value, depth+1), field.Optional})
	}
	if len(old.elements) > 0 {
		next.elements = make([]Value, 0, len(old.elements))
	}
	for _, element := range old.elements {
		next.elements = append(next.elements, f.value(element, depth+1))
	}
	frozen.content = next
	v.object = frozen
	return v
}

// allOrigins collects the origins of a value and of all it contains.
func (e *evaluator) allOrigins(v Value) []Origin {
	if v.object == nil {
		return v.Origins()
	}
	var set []Origin
	nodes := maxValueNodes / 8
	seen := map[*object]bool{}
	var walk func(v Value, depth int)
	walk = func(v Value, depth int) {
		nodes--
		if depth > maxValueDepth || nodes < 0 {
			return
		}
		set = union(set, v.Origins()...)
		if v.object == nil || seen[v.object] {
			return
		}
		seen[v.object] = true
		c := e.contentOf(v.object)
		for _, field := range c.fields {
			walk(field.Value, depth+1)
		}
		for _, element := range c.elements {
			walk(element, depth+1)
		}
		if c.many || c.open {
			walk(c.rest, depth+1)
		}
	}
	walk(v, 0)
	return set
}

// originsOf collects the origins of several values and all they contain.
func (e *evaluator) originsOf(values ...Value) []Origin {
	var set []Origin
	for _, v := range values {
		set = union(set, e.allOrigins(v)...)
	}
	return set
}

func (e *evaluator) newObject(c *content) Value {
	return Value{kind: KindObject, object: &object{content: c, born: e.tick()}}
}

func (e *evaluator) newArray(c *content) Value {
	return Value{kind: KindArray, object: &object{content: c, born: e.tick()}}
}

func (e *evaluator) listOf(elements []Value) Value {
	if len(elements) > maxElements {
		return e.newArray(&content{many: true, rest: e.summary(elements, 0), min: len(elements), max: len(elements)})
	}
	return e.newArray(&content{elements: elements})
}

func (e *evaluator) manyOf(element Value, low, high int) Value {
	if high <= 0 {
		return e.newArray(&content{})
	}
	return e.newArray(&content{many: true, rest: element, min: low, max: high})
}

// unknownFrom is an unknown value made from others.
func (e *evaluator) unknownFrom(values ...Value) Value {
	return Value{origins: e.originsOf(values...)}
}

func derivedString(origins []Origin) Value {
	return Value{kind: KindString, origins: origins}
}

// trimName shortens a callee's text for a name.
func trimName(s string) string {
	const longest = 120
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}
