package expr

import (
	"math"
	"strconv"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// closure is a function: one of the code's own, or one that the package knows.
type closure struct {
	parameters *ast.ParameterList
	block      *ast.BlockStatement // nil for an arrow function with an expression
	expression ast.Expression
	variables  []string // declared by var anywhere in the block
	env        *environment
	arrow      bool
	native     func(e *evaluator, c call) Value
}

// node identifies the function's code.
func (c *closure) node() ast.Node {
	if c.block != nil {
		return c.block
	}
	return c.expression
}

func (e *evaluator) eval(node ast.Expression, env *environment) Value {
	if node == nil {
		return Undefined()
	}
	if !e.step() {
		return Anything()
	}
	if e.depth >= maxDepth {
		e.exhaust()
		return Anything()
	}
	e.depth++
	v := e.evalCommon(node, env)
	e.depth--
	return v
}

func (e *evaluator) evalCommon(node ast.Expression, env *environment) Value {
	switch node := node.(type) {
	case *ast.Identifier:
		return e.identifier(node, env)
	case *ast.DotExpression:
		return e.dot(node, env)
	case *ast.BracketExpression:
		return e.bracket(node, env)
	case *ast.CallExpression:
		return e.call(node, env)
	case *ast.StringLiteral:
		return String(node.Value.String())
	case *ast.NumberLiteral:
		return numberLiteral(node)
	case *ast.BooleanLiteral:
		return Bool(node.Value)
	case *ast.NullLiteral:
		return Null()
	case *ast.OptionalChain:
		return e.optionalChain(node, env)
	case *ast.Optional:
		return e.optional(node, env)
	case *ast.BinaryExpression:
		return e.binary(node, env)
	case *ast.UnaryExpression:
		return e.unary(node, env)
	case *ast.ConditionalExpression:
		return e.conditional(node, env)
	case *ast.TemplateLiteral:
		return e.template(node, env)
	case *ast.ObjectLiteral:
		return e.objectLiteral(node, env)
	case *ast.ArrayLiteral:
		return e.arrayLiteral(node, env)
	case *ast.AssignExpression:
		return e.assign(node, env)
	case *ast.ArrowFunctionLiteral:
		return arrowFunction(node, env)
	case *ast.FunctionLiteral:
		return e.functionLiteral(node, env)
	}
	return e.evalRare(node, env)
}

func (e *evaluator) evalRare(node ast.Expression, env *environment) Value {
	switch node := node.(type) {
	case *ast.NewExpression:
		return e.newExpression(node, env)
	case *ast.AwaitExpression:
		e.mightThrow()
		return e.eval(node.Argument, env)
	case *ast.SequenceExpression:
		return e.sequence(node, env)
	case *ast.ThisExpression:
		return e.this(env)
	case *ast.RegExpLiteral:
		return Value{truthy: true, text: ""}
	case *ast.YieldExpression:
		e.eval(node.Argument, env)
		return Anything()
	case *ast.SpreadElement:
		return e.eval(node.Expression, env)
	case *ast.ClassLiteral:
		return Value{truthy: true}
	}
	return Anything()
}

func (e *evaluator) this(env *environment) Value {
	if b := env.find("this"); b != nil {
		return b.value
	}
	return Value{text: "this", truthy: true}
}

func numberLiteral(node *ast.NumberLiteral) Value {
	switch n := node.Value.(type) {
	case int64:
		return Number(float64(n))
	case int:
		return Number(float64(n))
	case float64:
		return Number(n)
	}
	return SomeNumber()
}

func arrowFunction(node *ast.ArrowFunctionLiteral, env *environment) Value {
	c := &closure{parameters: node.ParameterList, env: env, arrow: true, variables: hoisted(node.DeclarationList)}
	switch body := node.Body.(type) {
	case *ast.BlockStatement:
		c.block = body
	case *ast.ExpressionBody:
		c.expression = body.Expression
	}
	return Value{kind: KindFunction, code: c}
}

func (e *evaluator) functionLiteral(node *ast.FunctionLiteral, env *environment) Value {
	c := &closure{parameters: node.ParameterList, block: node.Body, env: env, variables: hoisted(node.DeclarationList)}
	v := Value{kind: KindFunction, code: c}
	if node.Name == nil {
		return v
	}
	c.env = &environment{parent: env}
	e.declare(c.env, node.Name.Name.String(), v)
	return v
}

func (e *evaluator) sequence(node *ast.SequenceExpression, env *environment) Value {
	result := Undefined()
	for _, part := range node.Sequence {
		result = e.eval(part, env)
	}
	return result
}

func (e *evaluator) identifier(node *ast.Identifier, env *environment) Value {
	name := node.Name.String()
	if b := env.find(name); b != nil {
		return b.value
	}
	switch name {
	case "undefined":
		return Undefined()
	case "NaN":
		return Number(math.NaN())
	case "Infinity":
		return Number(math.Inf(1))
	}
	start := e.start(node)
	return e.global(name, start, start+len(name))
}

func (e *evaluator) dot(node *ast.DotExpression, env *environment) Value {
	base := e.eval(node.Left, env)
	if e.shorted || e.thrown {
		return Undefined()
	}
	return e.member(base, node.Identifier.Name.String(), node)
}

// member reads a named field and lengthens the span of a leaf.
func (e *evaluator) member(base Value, name string, node ast.Expression) Value {
	if base.proxy != nil {
		return e.proxyMember(base, name, node)
	}
	if base.kind == KindUnknown && base.text != "" {
		return e.externalMember(base, name, node)
	}
	if nullish(base) == Maybe && base.kind != KindReference {
		e.mightThrow()
		base.absent = false
	}
	if nullish(base) == True {
		e.throw(Anything())
		return base
	}
	result := e.readField(base, name)
	if result.kind == KindReference {
		result = e.spanned(result, base, node)
	}
	return result
}

// spanned gives a field of a leaf its span: longer by this member where the leaf
// stands right before it, the member itself where a variable holds the leaf.
func (e *evaluator) spanned(v, base Value, node ast.Expression) Value {
	left := leftOf(node)
	leaf := *v.leaf
	switch {
	case leaf.end == 0:
		leaf.start, leaf.end = e.start(node), e.end(node)
	case left != nil && leaf.end == e.end(left):
		leaf.end = e.end(node)
	case base.leaf != nil && isIdentifier(left):
		leaf.start, leaf.end = e.start(node), e.end(node)
	default:
		return v
	}
	v.leaf = &leaf
	return v
}

func leftOf(node ast.Expression) ast.Expression {
	switch node := node.(type) {
	case *ast.DotExpression:
		return node.Left
	case *ast.BracketExpression:
		return node.Left
	}
	return nil
}

func isIdentifier(node ast.Expression) bool {
	if optional, ok := node.(*ast.Optional); ok {
		node = optional.Expression
	}
	_, ok := node.(*ast.Identifier)
	return ok
}

func (e *evaluator) bracket(node *ast.BracketExpression, env *environment) Value {
	base := e.eval(node.Left, env)
	if e.shorted || e.thrown {
		return Undefined()
	}
	key := e.eval(node.Member, env)
	if name, ok := propertyName(key); ok {
		return e.member(base, name, node)
	}
	if base.proxy != nil {
		return e.proxyAny(base, key)
	}
	if nullish(base) == True {
		e.throw(Anything())
		return base
	}
	return e.readUnknownKey(base, key)
}

// propertyName gives the name under which a known value addresses a field.
func propertyName(key Value) (string, bool) {
	switch {
	case key.kind == KindString && key.known:
		return key.text, true
	case key.kind == KindNumber && key.known:
		return formatNumber(key.number), true
	case key.kind == KindBool && key.known:
		return strconv.FormatBool(key.boolean), true
	case key.kind == KindUndefined:
		return "undefined", true
	case key.kind == KindNull:
		return "null", true
	}
	return "", false
}

// readField reads a named field without regard to spans.
func (e *evaluator) readField(base Value, name string) Value {
	switch base.kind {
	case KindObject:
		return e.objectField(base, name)
	case KindArray:
		return e.arrayField(base, name)
	case KindString:
		return stringField(base, name)
	case KindReference:
		return e.extend(base, name)
	case KindUnknown:
		return Value{origins: base.origins}
	case KindUndefined, KindNull:
		return Undefined().WithOrigins(base.origins...)
	}
	return Undefined()
}

// extend gives the field under a reference, or an unknown value of the same origins.
func (e *evaluator) extend(base Value, name string) Value {
	if base.kind != KindReference {
		return Value{origins: base.Origins()}
	}
	if len(base.leaf.path) >= maxPath {
		return Value{origins: base.Origins()}
	}
	leaf := *base.leaf
	leaf.path = append(leaf.path[:len(leaf.path):len(leaf.path)], name)
	return Value{kind: KindReference, leaf: &leaf, origins: base.origins}
}

func (e *evaluator) objectField(base Value, name string) Value {
	c := e.contentOf(base.object)
	if c.collection != noCollection {
		if name == "size" {
			return e.collectionSize(base)
		}
		return Undefined()
	}
	field := c.field(name)
	if field == nil {
		if c.open {
			return e.extend(c.rest, name).WithOrigins(base.origins...)
		}
		return Undefined().WithOrigins(base.origins...)
	}
	v := field.Value
	if field.Optional {
		v = joinKinds(v, Undefined())
		if c.open {
			v = v.WithOrigins(c.rest.Origins()...)
		}
	}
	if base.weak && v.object != nil {
		v.weak = true
	}
	if len(base.origins) > 0 {
		v.origins = union(v.origins, base.origins...)
	}
	return v
}

func (e *evaluator) arrayField(base Value, name string) Value {
	c := e.contentOf(base.object)
	if name == "length" {
		low, high := c.count()
		return lengthBetween(low, high).WithOrigins(base.origins...)
	}
	index, err := strconv.Atoi(name)
	if err != nil || index < 0 {
		return Undefined()
	}
	v := e.elementAt(c, index)
	if len(base.origins) > 0 {
		v.origins = union(v.origins, base.origins...)
	}
	if base.weak && v.object != nil {
		v.weak = true
	}
	return v
}

func lengthBetween(low, high int) Value {
	if high >= Unbounded {
		return NumberBetween(float64(low), math.Inf(1))
	}
	return NumberBetween(float64(low), float64(high))
}

func (e *evaluator) elementAt(c *content, index int) Value {
	if !c.many {
		if index < len(c.elements) {
			return c.elements[index]
		}
		return Undefined()
	}
	if index >= c.max {
		return Undefined()
	}
	v := c.rest
	if v.object != nil && c.max != 1 && e.loops == 0 {
		v.weak = true
	}
	if index >= c.min {
		return joinKinds(v, Undefined())
	}
	return v
}

func stringField(base Value, name string) Value {
	if name == "length" {
		return stringLength(base)
	}
	index, err := strconv.Atoi(name)
	if err != nil || index < 0 {
		return Undefined()
	}
	if !base.known {
		return Value{origins: base.origins}
	}
	units := utf16Of(base.text)
	if index >= len(units) {
		return Undefined().WithOrigins(base.origins...)
	}
	return String(textOf(units[index : index+1])).WithOrigins(base.origins...)
}

func stringLength(v Value) Value {
	switch {
	case v.known:
		return Number(float64(len(utf16Of(v.text)))).WithOrigins(v.origins...)
	case v.truthy:
		return NumberBetween(1, math.Inf(1)).WithOrigins(v.origins...)
	}
	return NumberBetween(0, math.Inf(1)).WithOrigins(v.origins...)
}

// readUnknownKey reads a field whose name is not known.
func (e *evaluator) readUnknownKey(base, key Value) Value {
	var v Value
	switch base.kind {
	case KindArray:
		v = e.anyElement(base)
	case KindObject:
		v = e.anyField(base)
	case KindReference:
		v = e.extend(base, "*")
	case KindUnknown:
		v = Value{origins: base.origins}
	default:
		v = Value{origins: base.Origins()}
	}
	v.origins = union(v.origins, key.Origins()...)
	return v
}

// anyElement stands for an element at an index that is not known but exists.
func (e *evaluator) anyElement(v Value) Value {
	switch v.kind {
	case KindArray:
		c := e.contentOf(v.object)
		element := e.summary(e.samples(c), 0)
		element.origins = union(element.origins, v.origins...)
		return element
	case KindReference:
		return e.extend(v, "*")
	case KindString:
		return derivedString(v.origins)
	}
	return Value{origins: v.Origins()}
}

// anyField stands for a field under a name that is not known and may not exist.
func (e *evaluator) anyField(v Value) Value {
	c := e.contentOf(v.object)
	result := Undefined()
	for _, field := range c.fields {
		result = e.join(result, field.Value)
	}
	if c.open {
		result = e.join(result, e.extend(c.rest, "*"))
	}
	return result
}

func (e *evaluator) optionalChain(node *ast.OptionalChain, env *environment) Value {
	shorted, mayShort := e.shorted, e.mayShort
	e.shorted, e.mayShort = false, false
	v := e.eval(node.Expression, env)
	switch {
	case e.shorted:
		v = Undefined().WithOrigins(v.Origins()...)
	case e.mayShort && v.proxy == nil:
		v = e.join(v, Undefined())
	}
	e.shorted, e.mayShort = shorted, mayShort
	return v
}

func (e *evaluator) optional(node *ast.Optional, env *environment) Value {
	v := e.eval(node.Expression, env)
	if e.shorted {
		return v
	}
	switch nullish(v) {
	case True:
		e.shorted = true
	case Maybe:
		e.mayShort = true
		v.absent = false // behind ?. it is there; otherwise the chain has ended
	}
	return v
}

func (e *evaluator) conditional(node *ast.ConditionalExpression, env *environment) Value {
	test := e.eval(node.Test, env)
	if e.thrown {
		return Undefined()
	}
	switch Truth(test) {
	case True:
		return e.eval(node.Consequent, env)
	case False:
		return e.eval(node.Alternate, env)
	}
	missing := len(e.missing)
	defer func() { e.missing = e.missing[:missing] }()
	var yes, no Value
	yesAlive, noAlive := false, false
	alive := e.fork(
		func() bool {
			yes = e.evalNarrowed(node.Test, node.Consequent, True, env)
			yesAlive = !e.thrown
			return true
		},
		func() bool {
			no = e.evalNarrowed(node.Test, node.Alternate, False, env)
			noAlive = !e.thrown
			return true
		},
	)
	switch {
	case !alive:
		e.thrown = true
		return Undefined()
	case !yesAlive:
		return no
	case !noAlive:
		return yes
	}
	// `a ? a : b` is a fallback like `a || b`.
	switch tested := e.tested(node.Test); {
	case tested == "":
	case tested == e.text(node.Consequent):
		no = e.fallback(no)
	case tested == e.text(node.Alternate):
		yes = e.fallback(yes)
	}
	return e.join(yes, no)
}

// tested gives the text of the place whose emptiness a condition tests.
func (e *evaluator) tested(test ast.Expression) string {
	switch test := test.(type) {
	case *ast.Identifier, *ast.DotExpression, *ast.BracketExpression, *ast.OptionalChain:
		return e.text(test)
	case *ast.UnaryExpression:
		if test.Operator == token.NOT {
			return e.tested(test.Operand)
		}
	case *ast.BinaryExpression:
		if isEquality(test.Operator) && isEmptyLiteral(test.Right) {
			return e.tested(test.Left)
		}
	}
	return ""
}

func isEquality(operator token.Token) bool {
	switch operator {
	case token.EQUAL, token.NOT_EQUAL, token.STRICT_EQUAL, token.STRICT_NOT_EQUAL:
		return true
	}
	return false
}

func isEmptyLiteral(node ast.Expression) bool {
	switch node := node.(type) {
	case *ast.NullLiteral:
		return true
	case *ast.StringLiteral:
		return node.Literal == "''" || node.Literal == `""`
	case *ast.Identifier:
		return node.Name == "undefined"
	}
	return false
}

// evalNarrowed evaluates one side of a condition with what the condition says
// of the variables it tests.
func (e *evaluator) evalNarrowed(test, node ast.Expression, outcome Tri, env *environment) Value {
	e.narrow(test, outcome, env)
	return e.eval(node, env)
}

func (e *evaluator) logical(node *ast.BinaryExpression, env *environment) Value {
	left := e.eval(node.Left, env)
	if e.thrown {
		return Undefined()
	}
	goesOn := Truth(left)
	outcome := True
	switch node.Operator {
	case token.LOGICAL_OR:
		goesOn = goesOn.Not()
		outcome = False
	case token.COALESCE:
		goesOn = nullish(left)
	}
	switch goesOn {
	case False:
		return left
	case True:
		return e.withLostLeft(node, left, e.eval(node.Right, env))
	}
	right := Undefined()
	rightAlive := false
	e.fork(
		func() bool { return true },
		func() bool {
			if node.Operator != token.COALESCE {
				e.narrow(node.Left, outcome, env)
			}
			right = e.eval(node.Right, env)
			rightAlive = !e.thrown
			return true
		},
	)
	if !rightAlive {
		return e.leftOnly(node.Operator, left)
	}
	return e.joinLogical(node.Operator, left, right)
}

// withLostLeft gives the right side's value; the left side decided, so its origins stay.
func (e *evaluator) withLostLeft(node *ast.BinaryExpression, left, right Value) Value {
	if node.Operator == token.LOGICAL_AND {
		return right
	}
	right.origins = union(right.origins, left.Origins()...)
	return right
}

func (e *evaluator) leftOnly(operator token.Token, left Value) Value {
	if operator == token.LOGICAL_AND {
		return left
	}
	return left.Truthy()
}

func (e *evaluator) joinLogical(operator token.Token, left, right Value) Value {
	if operator == token.LOGICAL_AND {
		if Truth(right) == False {
			return Bool(false).WithOrigins(union(left.Origins(), right.Origins()...)...)
		}
		joined := e.join(left, right)
		joined.truthy = false
		return joined
	}
	if left.leaf != nil && e.empty(right) {
		return left // reading a field of {} gives what reading a missing field gives
	}
	if operator == token.LOGICAL_OR {
		left = left.Truthy()
	}
	return e.join(left, e.fallback(right))
}

// empty reports whether a value is an object without fields.
func (e *evaluator) empty(v Value) bool {
	return v.kind == KindObject && v.object.content != nil && len(v.object.content.fields) == 0 && !v.object.content.open
}

// fallback marks the origins of a value that is taken only where another is missing.
func (e *evaluator) fallback(v Value) Value {
	if v.leaf != nil {
		return Value{truthy: v.truthy, origins: asFallback(v.Origins())}
	}
	v.origins = asFallback(v.origins)
	if v.object == nil || len(e.allOrigins(v)) == 0 {
		return v
	}
	return e.freeze(v).mapOrigins(func(o *Origin) { o.Fallback = true })
}

func (e *evaluator) template(node *ast.TemplateLiteral, env *environment) Value {
	if node.Tag != nil {
		values := []Value{e.eval(node.Tag, env)}
		for _, part := range node.Expressions {
			values = append(values, e.eval(part, env))
		}
		return e.unknownFrom(values...)
	}
	result := String("")
	for i, element := range node.Elements {
		result = e.add(result, String(element.Parsed.String()))
		if i < len(node.Expressions) {
			result = e.add(result, e.toString(e.eval(node.Expressions[i], env)))
		}
	}
	return result
}

func (e *evaluator) objectLiteral(node *ast.ObjectLiteral, env *environment) Value {
	builder := objectBuilder{e: e, content: &content{}}
	for _, property := range node.Value {
		switch property := property.(type) {
		case *ast.PropertyKeyed:
			builder.keyed(property, env)
		case *ast.PropertyShort:
			builder.set(property.Name.Name.String(), e.identifier(&property.Name, env))
		case *ast.SpreadElement:
			builder.spread(e.eval(property.Expression, env))
		}
	}
	return builder.value()
}

// objectBuilder builds an object's content field by field.
type objectBuilder struct {
	e       *evaluator
	content *content
	origins []Origin
}

func (b *objectBuilder) keyed(property *ast.PropertyKeyed, env *environment) {
	key := b.e.eval(property.Key, env)
	value := b.e.eval(property.Value, env)
	if property.Kind == ast.PropertyKindGet || property.Kind == ast.PropertyKindSet {
		value = Anything()
	}
	name, ok := propertyName(key)
	if !ok {
		value.origins = union(value.origins, key.Origins()...)
		b.openWith(value)
		return
	}
	b.set(name, value)
}

func (b *objectBuilder) set(name string, value Value) {
	if field := b.content.field(name); field != nil {
		field.Value, field.Optional = value, false
		return
	}
	if len(b.content.fields) >= maxFields {
		b.openWith(value)
		return
	}
	b.content.fields = append(b.content.fields, Field{Name: name, Value: value})
}

// openWith notes a field under a name that is not known.
func (b *objectBuilder) openWith(value Value) {
	for i := range b.content.fields {
		b.content.fields[i].Value = b.e.join(b.content.fields[i].Value, value)
	}
	if !b.content.open {
		b.content.open = true
		b.content.rest = Value{origins: b.e.allOrigins(value)}
		return
	}
	b.content.rest = Value{origins: union(b.content.rest.Origins(), b.e.allOrigins(value)...)}
}

// spread copies the fields of a value over those that are there.
func (b *objectBuilder) spread(v Value) {
	switch v.kind {
	case KindUndefined, KindNull, KindBool, KindNumber:
		return
	case KindObject:
		b.spreadContent(b.e.contentOf(v.object), v)
		return
	}
	rest := v
	if v.kind == KindArray || v.kind == KindString {
		rest = Value{origins: b.e.allOrigins(v)}
	}
	b.spreadContent(&content{open: true, rest: rest}, Value{})
}

func (b *objectBuilder) spreadContent(c *content, from Value) {
	if c.open {
		b.cover(c)
	}
	for _, field := range c.fields {
		value := field.Value
		value.origins = union(value.origins, from.origins...)
		if !field.Optional && !from.absent {
			b.set(field.Name, value)
			continue
		}
		b.setOptional(field.Name, value)
	}
}

// cover lets the unlisted fields of a spread object hide what was there.
func (b *objectBuilder) cover(c *content) {
	for i := range b.content.fields {
		field := &b.content.fields[i]
		if c.field(field.Name) == nil {
			field.Value = b.e.join(b.e.extend(c.rest, field.Name), field.Value)
		}
	}
	if !b.content.open {
		b.content.open, b.content.rest = true, c.rest
		return
	}
	b.content.rest = b.e.join(b.content.rest, c.rest)
}

func (b *objectBuilder) setOptional(name string, value Value) {
	if field := b.content.field(name); field != nil {
		field.Value = b.e.join(field.Value, value)
		return
	}
	b.set(name, value)
	b.content.field(name).Optional = true
}

func (b *objectBuilder) value() Value {
	v := b.e.newObject(b.content)
	v.origins = b.origins
	return v
}

func (e *evaluator) arrayLiteral(node *ast.ArrayLiteral, env *environment) Value {
	return e.listFrom(node.Value, env).array(e)
}

// list is a sequence of values that may contain a spread of unknown length.
type list struct {
	values []Value
	many   bool // values are samples; the number is between min and max
	min    int
	max    int
}

func (e *evaluator) listFrom(nodes []ast.Expression, env *environment) list {
	var l list
	if len(nodes) > 0 {
		l.values = make([]Value, 0, len(nodes))
	}
	for _, node := range nodes {
		if spread, ok := node.(*ast.SpreadElement); ok {
			l.spread(e, e.eval(spread.Expression, env))
			continue
		}
		l.add(e.eval(node, env))
	}
	return l
}

func (l *list) add(v Value) {
	l.values = append(l.values, v)
	l.min++
	l.max = min(l.max+1, Unbounded)
}

func (l *list) spread(e *evaluator, v Value) {
	v = e.iterable(v)
	if v.kind == KindArray && !e.contentOf(v.object).many {
		for _, element := range e.contentOf(v.object).elements {
			element.origins = union(element.origins, v.origins...)
			l.add(element)
		}
		return
	}
	l.many = true
	l.values = append(l.values, e.anyElement(v))
	low, high := 0, Unbounded
	if v.kind == KindArray {
		low, high = e.contentOf(v.object).count()
	}
	l.min += low
	l.max = min(l.max+high, Unbounded)
}

func (l list) array(e *evaluator) Value {
	if !l.many {
		return e.listOf(l.values)
	}
	return e.manyOf(e.summary(l.values, 0), l.min, l.max)
}
