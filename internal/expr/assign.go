package expr

import (
	"slices"
	"strconv"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

func (e *evaluator) assign(node *ast.AssignExpression, env *environment) Value {
	switch node.Operator {
	case token.ASSIGN:
		v := e.eval(node.Right, env)
		if len(e.missing) > 0 && slices.Contains(e.missing, e.text(node.Left)) {
			v = e.fallback(v)
		}
		if !e.thrown {
			e.assignTo(node.Left, v, env)
		}
		return v
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		v := e.logical(&ast.BinaryExpression{Operator: node.Operator, Left: node.Left, Right: node.Right}, env)
		if !e.thrown {
			e.assignTo(node.Left, v, env)
		}
		return v
	}
	left := e.eval(node.Left, env)
	right := e.eval(node.Right, env)
	if e.thrown {
		return Undefined()
	}
	v := e.operate(node.Operator, left, right)
	e.assignTo(node.Left, v, env)
	return v
}

func (e *evaluator) increment(node *ast.UnaryExpression, env *environment) Value {
	old := toNumber(e.eval(node.Operand, env))
	if e.thrown {
		return Undefined()
	}
	operator := token.PLUS
	if node.Operator == token.DECREMENT {
		operator = token.MINUS
	}
	next := arithmetic(operator, old, Number(1))
	e.assignTo(node.Operand, next, env)
	if node.Postfix {
		return old
	}
	return next
}

// assignTo writes a value to what stands left of =.
func (e *evaluator) assignTo(target ast.Expression, v Value, env *environment) {
	e.bind(target, v, env, func(name string, v Value) {
		if b := env.find(name); b != nil {
			e.writeVariable(b, v)
			return
		}
		root := env
		for root != nil && root.parent != nil {
			root = root.parent
		}
		if root != nil {
			e.declare(root, name, v)
		}
	})
}

// bind takes a value apart along a pattern; define receives each name.
func (e *evaluator) bind(target ast.Expression, v Value, env *environment, define func(string, Value)) {
	if !e.step() {
		return
	}
	e.depth++
	defer func() { e.depth-- }()
	if e.depth > maxDepth {
		e.exhaust()
		return
	}
	switch target := target.(type) {
	case *ast.Identifier:
		define(target.Name.String(), v)
	case *ast.Binding:
		e.bind(target.Target, e.withDefault(v, target.Initializer, env), env, define)
	case *ast.AssignExpression:
		e.bind(target.Left, e.withDefault(v, target.Right, env), env, define)
	case *ast.ObjectPattern:
		e.bindObject(target, v, env, define)
	case *ast.ArrayPattern:
		e.bindArray(target, v, env, define)
	case *ast.DotExpression:
		base := e.eval(target.Left, env)
		e.writeMember(target.Left, base, target.Identifier.Name.String(), v, env)
	case *ast.BracketExpression:
		e.bindBracket(target, v, env)
	}
}

func (e *evaluator) bindBracket(target *ast.BracketExpression, v Value, env *environment) {
	base := e.eval(target.Left, env)
	key := e.eval(target.Member, env)
	if name, ok := propertyName(key); ok {
		e.writeMember(target.Left, base, name, v, env)
		return
	}
	e.writeUnknownKey(base, key, v)
}

// withDefault gives the value, or the default where it is undefined.
func (e *evaluator) withDefault(v Value, initializer ast.Expression, env *environment) Value {
	if initializer == nil {
		return v
	}
	switch {
	case v.kind == KindUndefined:
		return e.eval(initializer, env)
	case nullish(v) != Maybe:
		return v
	}
	v.absent = false
	return e.join(v, e.fallback(e.eval(initializer, env)))
}

func (e *evaluator) bindObject(pattern *ast.ObjectPattern, v Value, env *environment, define func(string, Value)) {
	if nullish(v) == True {
		e.throw(Anything())
		return
	}
	var taken []string
	for _, property := range pattern.Properties {
		switch property := property.(type) {
		case *ast.PropertyShort:
			name := property.Name.Name.String()
			taken = append(taken, name)
			define(name, e.withDefault(e.member(v, name, &property.Name), property.Initializer, env))
		case *ast.PropertyKeyed:
			name, ok := propertyName(e.eval(property.Key, env))
			if !ok {
				e.bind(property.Value, e.unknownFrom(v), env, define)
				continue
			}
			taken = append(taken, name)
			e.bind(property.Value, e.member(v, name, property.Key), env, define)
		}
	}
	if pattern.Rest != nil {
		e.bind(pattern.Rest, e.without(v, taken), env, define)
	}
}

// without copies an object but for some fields.
func (e *evaluator) without(v Value, names []string) Value {
	builder := objectBuilder{e: e, content: &content{}}
	builder.spread(v)
	for _, name := range names {
		builder.content = removeField(builder.content, name)
	}
	return builder.value()
}

func (e *evaluator) bindArray(pattern *ast.ArrayPattern, v Value, env *environment, define func(string, Value)) {
	if nullish(v) == True {
		e.throw(Anything())
		return
	}
	for i, element := range pattern.Elements {
		if element == nil {
			continue
		}
		e.bind(element, e.readField(v, strconv.Itoa(i)), env, define)
	}
	if pattern.Rest != nil {
		e.bind(pattern.Rest, e.slice(v, len(pattern.Elements)), env, define)
	}
}

// writeMember writes a field. A value of unknown content becomes an open object
// in the place that it was read from, so that the field can be read again.
func (e *evaluator) writeMember(place ast.Expression, base Value, name string, v Value, env *environment) {
	switch {
	case base.object != nil:
		e.writeField(base, name, v)
	case nullish(base) == True:
		e.throw(Anything())
	case isOpaque(base) && base.proxy == nil && base.text == "":
		opened := e.newObject(&content{open: true, rest: base, fields: []Field{{Name: name, Value: v}}})
		switch place.(type) {
		case *ast.Identifier, *ast.DotExpression, *ast.BracketExpression:
			e.assignTo(place, opened, env)
		}
	}
}

func (e *evaluator) writeField(base Value, name string, v Value) {
	c := e.contentOf(base.object)
	if base.kind == KindArray {
		e.writeIndex(base, name, v)
		return
	}
	next := *c
	next.fields = append(make([]Field, 0, len(c.fields)+1), c.fields...)
	field := next.field(name)
	switch {
	case field == nil && len(next.fields) >= maxFields:
		e.writeUnknownKey(base, NonEmptyString(), v)
		return
	case field == nil:
		next.fields = append(next.fields, Field{Name: name, Value: v, Optional: base.weak})
	case base.weak:
		field.Value = e.join(field.Value, v)
	default:
		field.Value, field.Optional = v, false
	}
	e.writeObject(base.object, &next)
}

func (e *evaluator) writeIndex(base Value, name string, v Value) {
	c := e.contentOf(base.object)
	index, err := strconv.Atoi(name)
	switch {
	case name == "length" && v.known && v.number == 0:
		e.writeObject(base.object, &content{})
	case err != nil || index < 0:
		return
	case !c.many && index < len(c.elements):
		next := &content{elements: append([]Value(nil), c.elements...)}
		next.elements[index] = v
		if base.weak {
			next.elements[index] = e.join(c.elements[index], v)
		}
		e.writeObject(base.object, next)
	case !c.many && index == len(c.elements) && index < maxElements && !base.weak:
		e.writeObject(base.object, &content{elements: append(c.elements[:index:index], v)})
	default:
		e.writeUnknownKey(base, Number(float64(index)), v)
	}
}

// writeUnknownKey writes a field whose name is not known.
func (e *evaluator) writeUnknownKey(base, key, v Value) {
	if base.object == nil {
		return
	}
	v.origins = union(v.origins, key.Origins()...)
	c := e.contentOf(base.object)
	if base.kind == KindArray {
		low, _ := c.count()
		next := &content{many: true, min: low, max: Unbounded}
		next.rest = e.summary(append(e.samples(c), v), 0)
		e.writeObject(base.object, next)
		return
	}
	next := *c
	next.fields = append([]Field(nil), c.fields...)
	builder := objectBuilder{e: e, content: &next}
	builder.openWith(v)
	e.writeObject(base.object, &next)
}

func removeField(c *content, name string) *content {
	next := *c
	next.fields = nil
	for _, field := range c.fields {
		if field.Name != name {
			next.fields = append(next.fields, field)
		}
	}
	if c.open {
		next.fields = append(next.fields, Field{Name: name, Value: Undefined()})
	}
	return &next
}

func (e *evaluator) deleteField(operand ast.Expression, env *environment) Value {
	if chain, ok := operand.(*ast.OptionalChain); ok {
		operand = chain.Expression
	}
	switch operand := operand.(type) {
	case *ast.DotExpression:
		e.removeFrom(operand.Left, e.eval(operand.Left, env), String(operand.Identifier.Name.String()), env)
	case *ast.BracketExpression:
		base := e.eval(operand.Left, env)
		e.removeFrom(operand.Left, base, e.eval(operand.Member, env), env)
	}
	return Bool(true)
}

func (e *evaluator) removeFrom(place ast.Expression, base, key Value, env *environment) {
	name, known := propertyName(key)
	if known && base.object == nil {
		e.writeMember(place, base, name, Undefined(), env)
		return
	}
	if base.kind != KindObject {
		return
	}
	c := e.contentOf(base.object)
	if known && !base.weak {
		e.writeObject(base.object, removeField(c, name))
		return
	}
	next := *c
	next.fields = append([]Field(nil), c.fields...)
	for i := range next.fields {
		if !known || next.fields[i].Name == name {
			next.fields[i].Optional = true
		}
	}
	e.writeObject(base.object, &next)
}
