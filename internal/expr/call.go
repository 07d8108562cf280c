package expr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
)

// Call is a call in the code of a function that is neither the code's own nor
// one of the language's: a request, n8n's helpers, a module's function.
type Call struct {
	// Callee is the function's path, aliases resolved: "this.helpers.httpRequest",
	// "fetch", "axios.post", "$getWorkflowStaticData"; the source text where there
	// is no path.
	Callee string
	// Receiver is the object that a method was called on.
	Receiver Value
	// Arguments are the argument values; where the call may be reached several
	// times, each covers all of them.
	Arguments []Value
	// Start and End are the byte offsets of the call expression.
	Start, End int
	// Conditional is true if some executions do not reach the call.
	Conditional bool
	// InLoop is true if the call stands in a loop or in a callback that runs for
	// each element of an array.
	InLoop bool
}

type callKey struct {
	start, end int
	callee     string
}

// call is a call under evaluation.
type call struct {
	node     *ast.CallExpression
	receiver Value
	method   string
	list     list
	values   []Value
	env      *environment
}

func (c call) argument(i int) Value {
	if i >= len(c.values) {
		return Undefined()
	}
	return c.values[i]
}

func (e *evaluator) call(node *ast.CallExpression, env *environment) Value {
	c := call{node: node, env: env}
	callee := node.Callee
	if optional, ok := callee.(*ast.Optional); ok {
		callee = optional.Expression
	}
	var function Value
	switch callee := callee.(type) {
	case *ast.DotExpression:
		c.receiver = e.eval(callee.Left, env)
		c.method = callee.Identifier.Name.String()
	case *ast.BracketExpression:
		c.receiver = e.eval(callee.Left, env)
		if !e.shorted && !e.thrown {
			c.method = e.methodName(callee, env)
		}
	default:
		function = e.eval(callee, env)
	}
	if e.shorted || e.thrown {
		return Undefined()
	}
	c.list = e.listFrom(node.ArgumentList, env)
	c.values = c.list.values
	if e.thrown || e.exhausted {
		return Anything()
	}
	if c.method != "" {
		return e.callMethod(c, callee)
	}
	return e.callFunction(function, c)
}

func (e *evaluator) methodName(callee *ast.BracketExpression, env *environment) string {
	if name, ok := propertyName(e.eval(callee.Member, env)); ok {
		return name
	}
	return "*"
}

// callFunction calls a value that is no method.
func (e *evaluator) callFunction(function Value, c call) Value {
	switch {
	case function.proxy != nil:
		return e.proxyCall(function.proxy, "", c)
	case function.code != nil:
		return e.callClosure(function.code, nil, c.list)
	case function.External() != "":
		return e.callExternal(function, function.text, c)
	case nullish(function) == True:
		e.throw(Anything())
		return Undefined().WithOrigins(function.origins...)
	}
	c.receiver = function
	return e.callUnknown("", c)
}

func (e *evaluator) callMethod(c call, callee ast.Expression) Value {
	receiver := c.receiver
	if receiver.proxy != nil {
		return e.proxyMethod(c, callee)
	}
	if path := receiver.External(); path != "" && len(receiver.origins) == 0 {
		return e.callExternal(receiver, path+"."+c.method, c)
	}
	if source, ok := findSource("method", c.method); ok && e.takesNoReference(c) {
		return e.sourceCall(source, "."+c.method+"()", c)
	}
	if nullish(receiver) == True {
		return e.callOnNothing(c)
	}
	if nullish(receiver) == Maybe && receiver.kind != KindReference {
		e.mightThrow()
		c.receiver.absent = false
	}
	if function := e.ownMethod(c); function.code != nil {
		return e.callClosure(function.code, &c.receiver, c.list)
	}
	if method := methodOf(c.receiver, c.method); method != nil {
		return method(e, c)
	}
	return e.callUnknown("", c)
}

// takesNoReference is false for a moment library's method that compares with a
// given time and not with now.
func (e *evaluator) takesNoReference(c call) bool {
	if c.method == "toRelative" || c.method == "fromNow" {
		return len(c.values) == 0 || c.values[0].kind != KindObject || e.hasField(c.values[0], "base") == False
	}
	return true
}

// proxyMethod calls a method of an item object, or of what its member is.
func (e *evaluator) proxyMethod(c call, callee ast.Expression) Value {
	switch c.method {
	case "first", "last", "all", "itemMatching", "pairedItem", "item", "getBinaryDataBuffer":
		return e.proxyCall(c.receiver.proxy, c.method, c)
	}
	return e.callFunction(e.proxyMember(c.receiver, c.method, callee), c)
}

func (e *evaluator) ownMethod(c call) Value {
	if c.receiver.kind != KindObject {
		return Value{}
	}
	field := e.contentOf(c.receiver.object).field(c.method)
	if field == nil || field.Optional {
		return Value{}
	}
	return field.Value
}

// callOnNothing calls a method of undefined or null. n8n's own emptiness tests
// accept that; everything else is an exception.
func (e *evaluator) callOnNothing(c call) Value {
	switch c.method {
	case "isEmpty":
		return Bool(true).WithOrigins(c.receiver.Origins()...)
	case "isNotEmpty":
		return Bool(false).WithOrigins(c.receiver.Origins()...)
	}
	e.throw(Anything())
	return Undefined().WithOrigins(c.receiver.Origins()...)
}

func (e *evaluator) callExternal(base Value, path string, c call) Value {
	if source, ok := findSource("call", path); ok {
		return e.sourceCall(source, path+"()", c)
	}
	if source, ok := findSource("call0", path); ok && len(c.values) == 0 {
		return e.sourceCall(source, path+"()", c)
	}
	if function := functionOf(path); function != nil {
		return function(e, c)
	}
	if len(base.origins) > 0 {
		return e.unknownFrom(append([]Value{base}, c.values...)...)
	}
	return e.callUnknown(path, c)
}

func (e *evaluator) sourceCall(source knownSource, name string, c call) Value {
	origin := Origin{Kind: source.kind, Name: name, Start: e.start(c.node), End: e.end(c.node)}
	v := source.value(origin)
	if source.kind == OriginModel {
		return v // the arguments describe what the model shall fill in
	}
	v.origins = union(v.origins, e.receiverOrigins(c)...)
	return v
}

// callUnknown calls a function of unknown content: functions given to it may be
// called by it, its answer may be anything.
func (e *evaluator) callUnknown(path string, c call) Value {
	e.mightThrow()
	name := path
	if name == "" {
		name = e.calleePath(c)
	}
	e.record(name, c)
	e.callBack(c.values, Origin{Kind: OriginCall, Name: name, Start: e.start(c.node), End: e.end(c.node)})
	origins := union(e.originsOf(c.values...), e.receiverOrigins(c)...)
	return Value{origins: union(origins, Origin{Kind: OriginCall, Name: name, Start: e.start(c.node), End: e.end(c.node)})}
}

// receiverOrigins gives the origins of what a method is called on; a bare name
// of a module is part of the callee's path and no origin of its own.
func (e *evaluator) receiverOrigins(c call) []Origin {
	if c.receiver.External() != "" {
		return c.receiver.origins
	}
	return e.allOrigins(c.receiver)
}

// calleePath is the callee's text; a receiver that is a module's or n8n's is
// named by its path.
func (e *evaluator) calleePath(c call) string {
	if base := c.receiver.External(); base != "" && c.method != "" {
		return base + "." + c.method
	}
	return trimName(e.text(c.node.Callee))
}

// callBack runs functions that were handed to an unknown one, which may or may not call them.
func (e *evaluator) callBack(values []Value, origin Origin) {
	for _, v := range values {
		for _, function := range e.functionsIn(v) {
			e.fork(
				func() bool { return true },
				func() bool { e.callClosure(function, nil, unknownArguments(function, origin)); return true },
			)
		}
	}
}

func (e *evaluator) functionsIn(v Value) []*closure {
	if v.code != nil && v.code.native == nil {
		return []*closure{v.code}
	}
	if v.object == nil {
		return nil
	}
	var found []*closure
	c := e.contentOf(v.object)
	for _, field := range c.fields {
		if field.Value.code != nil && field.Value.code.native == nil {
			found = append(found, field.Value.code)
		}
	}
	return found
}

func unknownArguments(function *closure, origin Origin) list {
	var l list
	if function.parameters == nil {
		return l
	}
	for range function.parameters.List {
		l.add(Anything().WithOrigins(origin))
	}
	return l
}

func (e *evaluator) record(name string, c call) {
	key := callKey{start: e.start(c.node), end: e.end(c.node), callee: name}
	conditional := e.branches > 0 || e.partial
	arguments := make([]Value, len(c.values))
	for i, v := range c.values {
		arguments[i] = e.freeze(v)
	}
	if known := e.callIndex[key]; known != nil {
		known.Conditional = known.Conditional && conditional
		known.InLoop = known.InLoop || e.loops > 0
		known.Arguments = e.joinArguments(known.Arguments, arguments)
		return
	}
	if len(e.calls) >= maxCalls {
		return
	}
	recorded := &Call{
		Callee: name, Receiver: e.freeze(c.receiver), Arguments: arguments,
		Start: key.start, End: key.end, Conditional: conditional, InLoop: e.loops > 0,
	}
	if e.callIndex == nil {
		e.callIndex = map[callKey]*Call{}
	}
	e.callIndex[key] = recorded
	e.calls = append(e.calls, recorded)
}

func (e *evaluator) joinArguments(known, more []Value) []Value {
	for i := range known {
		if i < len(more) {
			known[i] = e.freeze(e.join(known[i], more[i]))
		}
	}
	if len(more) > len(known) {
		known = append(known, more[len(known):]...)
	}
	return known
}

// callList gives the calls in the order of the source.
func (e *evaluator) callList() []Call {
	calls := make([]Call, 0, len(e.calls))
	for _, c := range e.calls {
		calls = append(calls, *c)
	}
	slices.SortStableFunc(calls, func(a, b Call) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), strings.Compare(a.Callee, b.Callee))
	})
	return calls
}

// callClosure runs a function of the code on argument values.
func (e *evaluator) callClosure(function *closure, this *Value, arguments list) Value {
	if function.native != nil {
		return function.native(e, call{list: arguments, values: arguments.values})
	}
	if e.callDepth >= maxCallDepth || e.active[function.node()] >= maxRecursion || !e.step() {
		return e.unknownFrom(arguments.values...)
	}
	if e.active == nil {
		e.active = map[ast.Node]int{}
	}
	e.callDepth++
	e.active[function.node()]++
	defer func() {
		e.callDepth--
		e.active[function.node()]--
	}()
	env := &environment{parent: function.env}
	if this != nil && !function.arrow {
		e.declare(env, "this", *this)
	}
	e.bindParameters(function.parameters, arguments, env)
	if e.thrown {
		return Undefined()
	}
	if function.block == nil {
		return e.eval(function.expression, env)
	}
	for _, name := range function.variables {
		if env.vars == nil || (&environment{vars: env.vars}).find(name) == nil {
			e.declare(env, name, Undefined())
		}
	}
	return e.runFunction(function.block, env)
}

func (e *evaluator) runFunction(block *ast.BlockStatement, env *environment) Value {
	outer, labels := e.function, e.labels
	r := e.open()
	e.function, e.labels = r, nil
	alive := e.block(block.List, env)
	e.function, e.labels = outer, labels
	values := make([]Value, 0, len(r.pending)+1)
	for _, p := range r.pending {
		values = append(values, p.value)
	}
	if alive {
		values = append(values, Undefined())
	}
	if !e.close(r, alive) {
		// No path comes back: all of them throw or run for ever.
		e.thrown = true
		return Undefined()
	}
	e.thrown = false
	return e.summary(values, 0)
}

func (e *evaluator) bindParameters(parameters *ast.ParameterList, arguments list, env *environment) {
	if parameters == nil {
		return
	}
	define := func(name string, v Value) { e.declare(env, name, v) }
	for i, parameter := range parameters.List {
		v := Undefined()
		switch {
		case arguments.many:
			v = e.unknownFrom(arguments.values...)
		case i < len(arguments.values):
			v = arguments.values[i]
		}
		if parameter.Initializer != nil {
			v = e.withDefault(v, parameter.Initializer, env)
		}
		e.bind(parameter.Target, v, env, define)
	}
	if parameters.Rest == nil {
		return
	}
	rest := arguments
	if !rest.many {
		rest.values = rest.values[min(len(rest.values), len(parameters.List)):]
	} else {
		rest.min = 0
	}
	e.bind(parameters.Rest, rest.array(e), env, define)
}

func (e *evaluator) newExpression(node *ast.NewExpression, env *environment) Value {
	constructor := e.eval(node.Callee, env)
	arguments := e.listFrom(node.ArgumentList, env)
	name := constructor.External()
	if source, ok := findSource("new0", name); ok && len(arguments.values) == 0 {
		return source.value(Origin{Kind: source.kind, Name: "new " + name + "()", Start: e.start(node), End: e.end(node)})
	}
	origins := union(e.originsOf(arguments.values...), constructor.origins...)
	switch name {
	case "Map", "Set", "WeakMap", "WeakSet":
		return e.newCollection(name, arguments)
	case "Array":
		return e.manyOf(Anything().WithOrigins(origins...), 0, Unbounded)
	case "Promise":
		e.callBack(arguments.values, Origin{Kind: OriginCall, Name: "new Promise()", Start: e.start(node), End: e.end(node)})
		return Value{origins: union(origins, Origin{Kind: OriginCall, Name: "new Promise()", Start: e.start(node), End: e.end(node)})}
	case "Error", "TypeError", "RangeError":
		message := Undefined()
		if len(arguments.values) > 0 {
			message = arguments.values[0]
		}
		return e.newObject(&content{open: true, fields: []Field{{Name: "message", Value: message}}})
	}
	if !standardConstructor(name) {
		origins = union(origins, Origin{Kind: OriginCall, Name: "new " + trimName(e.text(node.Callee)), Start: e.start(node), End: e.end(node)})
	}
	return Value{truthy: true, origins: origins}
}

// standardConstructor is true for constructors of the language and its usual
// hosts whose objects hold nothing but what they were given.
func standardConstructor(name string) bool {
	switch name {
	case "Date", "URL", "URLSearchParams", "RegExp", "Object", "String", "Number", "Boolean", "FormData", "Headers",
		"TextEncoder", "TextDecoder", "Intl.NumberFormat", "Intl.DateTimeFormat", "Uint8Array":
		return true
	}
	return false
}
