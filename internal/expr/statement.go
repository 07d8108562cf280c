package expr

import (
	"math"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// label is a statement that break and continue can leave.
type label struct {
	names []string
	block bool // a block, which only a break with its name leaves
	exit  *region
	next  *region // of an iteration, nil for a switch or block
}

// block runs statements in order. It tells whether execution goes on behind them.
func (e *evaluator) block(statements []ast.Statement, env *environment) bool {
	for _, statement := range statements {
		if declaration, ok := statement.(*ast.FunctionDeclaration); ok && declaration.Function.Name != nil {
			e.hoist(declaration.Function, env)
		}
	}
	for _, statement := range statements {
		if !e.exec(statement, env, nil) {
			return false
		}
	}
	return true
}

func (e *evaluator) hoist(function *ast.FunctionLiteral, env *environment) {
	name := function.Name.Name.String()
	c := &closure{parameters: function.ParameterList, block: function.Body, env: env, variables: hoisted(function.DeclarationList)}
	e.declare(env, name, Value{kind: KindFunction, code: c})
}

// exec runs one statement; names are the labels in front of it.
func (e *evaluator) exec(statement ast.Statement, env *environment, names []string) bool {
	if !e.step() {
		return false
	}
	e.depth++
	defer func() { e.depth-- }()
	if e.depth > maxDepth {
		e.exhaust()
		return false
	}
	switch statement := statement.(type) {
	case *ast.ExpressionStatement:
		e.eval(statement.Expression, env)
	case *ast.VariableStatement:
		e.declareVar(statement.List, env)
	case *ast.LexicalDeclaration:
		e.declareLexical(statement.List, env)
	case *ast.ReturnStatement:
		return e.returnStatement(statement, env)
	case *ast.IfStatement:
		return e.ifStatement(statement, env)
	case *ast.BlockStatement:
		return e.labelled(names, func() bool { return e.block(statement.List, &environment{parent: env}) })
	case *ast.ThrowStatement:
		e.throw(e.eval(statement.Argument, env))
	case *ast.LabelledStatement:
		return e.exec(statement.Statement, env, append(names, statement.Label.Name.String()))
	case *ast.BranchStatement:
		return e.branch(statement)
	case *ast.TryStatement:
		return e.tryStatement(statement, env)
	case *ast.SwitchStatement:
		return e.switchStatement(statement, env, names)
	default:
		return e.execLoop(statement, env, names)
	}
	return !e.thrown
}

func (e *evaluator) execLoop(statement ast.Statement, env *environment, names []string) bool {
	switch statement := statement.(type) {
	case *ast.ForOfStatement:
		return e.forOf(statement, env, names)
	case *ast.ForInStatement:
		return e.forIn(statement, env, names)
	case *ast.ForStatement:
		return e.forStatement(statement, env, names)
	case *ast.WhileStatement:
		test := func() Tri { return Truth(e.eval(statement.Test, env)) }
		return e.loop(names, loop{test: test, body: func() bool { return e.exec(statement.Body, env, nil) }})
	case *ast.DoWhileStatement:
		return e.doWhile(statement, env, names)
	case *ast.ClassDeclaration:
		if statement.Class.Name != nil {
			e.declare(env, statement.Class.Name.Name.String(), Value{truthy: true})
		}
	}
	return !e.thrown
}

// labelled runs a block that `break name` can leave.
func (e *evaluator) labelled(names []string, run func() bool) bool {
	if len(names) == 0 {
		return run()
	}
	return e.within(&label{names: names, block: true}, run)
}

// within runs something that break can leave.
func (e *evaluator) within(l *label, run func() bool) bool {
	l.exit = e.open()
	e.labels = append(e.labels, l)
	alive := run()
	e.labels = e.labels[:len(e.labels)-1]
	alive = e.close(l.exit, alive)
	if alive {
		e.thrown = false
	}
	return alive
}

func (e *evaluator) declareVar(bindings []*ast.Binding, env *environment) {
	for _, declared := range bindings {
		if declared.Initializer != nil {
			e.assignTo(declared.Target, e.eval(declared.Initializer, env), env)
		} else if name, ok := declared.Target.(*ast.Identifier); ok && env.find(name.Name.String()) == nil {
			e.declare(env, name.Name.String(), Undefined())
		}
	}
}

func (e *evaluator) declareLexical(bindings []*ast.Binding, env *environment) {
	define := func(name string, v Value) { e.declare(env, name, v) }
	for _, declared := range bindings {
		e.bind(declared.Target, e.eval(declared.Initializer, env), env, define)
	}
}

func (e *evaluator) returnStatement(statement *ast.ReturnStatement, env *environment) bool {
	v := e.eval(statement.Argument, env)
	if e.thrown || e.exhausted {
		return false
	}
	if e.function != nil {
		e.leave(e.function, v)
		return false
	}
	if len(e.returns) >= maxReturns {
		e.exhaust()
		return false
	}
	e.returns = append(e.returns, e.freeze(v))
	e.partial = true
	return false
}

func (e *evaluator) ifStatement(statement *ast.IfStatement, env *environment) bool {
	test := e.eval(statement.Test, env)
	if e.thrown {
		return false
	}
	yes := func() bool { return e.exec(statement.Consequent, env, nil) }
	no := func() bool { return statement.Alternate == nil || e.exec(statement.Alternate, env, nil) }
	switch Truth(test) {
	case True:
		return yes()
	case False:
		return no()
	}
	missing := len(e.missing)
	defer func() { e.missing = e.missing[:missing] }()
	return e.fork(
		func() bool { e.narrow(statement.Test, True, env); return yes() },
		func() bool { e.missing = e.missing[:missing]; e.narrow(statement.Test, False, env); return no() },
	)
}

// narrow writes what the outcome of a condition says of the variables it tests.
func (e *evaluator) narrow(test ast.Expression, outcome Tri, env *environment) {
	switch test := test.(type) {
	case *ast.Identifier:
		b := env.find(test.Name.String())
		if b != nil && outcome == True && Truth(b.value) == Maybe {
			e.writeVariable(b, b.value.Truthy())
		}
		e.noteMissing(test, outcome)
	case *ast.DotExpression, *ast.BracketExpression, *ast.OptionalChain:
		e.noteMissing(test, outcome)
	case *ast.UnaryExpression:
		if test.Operator == token.NOT {
			e.narrow(test.Operand, outcome.Not(), env)
		}
	case *ast.BinaryExpression:
		if test.Operator == token.LOGICAL_AND && outcome == True || test.Operator == token.LOGICAL_OR && outcome == False {
			e.narrow(test.Left, outcome, env)
			e.narrow(test.Right, outcome, env)
		}
		if isEquality(test.Operator) && isEmptyLiteral(test.Right) {
			equal := test.Operator == token.EQUAL || test.Operator == token.STRICT_EQUAL
			if equal == (outcome == True) {
				e.noteMissing(test.Left, False)
			}
		}
	}
}

// noteMissing remembers a place that the path has found empty: what is assigned
// to it there is a fallback.
func (e *evaluator) noteMissing(place ast.Expression, outcome Tri) {
	if outcome == False {
		e.missing = append(e.missing, e.text(place))
	}
}

func (e *evaluator) branch(statement *ast.BranchStatement) bool {
	for i := len(e.labels) - 1; i >= 0; i-- {
		l := e.labels[i]
		if statement.Label != nil && !l.named(statement.Label.Name.String()) {
			continue
		}
		if statement.Token == token.BREAK {
			if statement.Label == nil && l.block {
				continue
			}
			e.leave(l.exit, Value{})
			return false
		}
		if l.next != nil {
			e.leave(l.next, Value{})
			return false
		}
	}
	return false
}

func (l *label) named(name string) bool {
	for _, own := range l.names {
		if own == name {
			return true
		}
	}
	return false
}

func (e *evaluator) tryStatement(statement *ast.TryStatement, env *environment) bool {
	outer := e.try
	r := e.open()
	// The body may throw before its first write.
	start := e.capture(r.mark)
	if statement.Catch != nil {
		e.try = r
	}
	alive := e.block(statement.Body.List, &environment{parent: env})
	e.try = outer
	thrown := r.pending
	r.pending = nil
	if r.may {
		thrown = append(thrown, path{state: start, value: Value{truthy: true}})
		if alive {
			thrown = append(thrown, path{state: e.capture(r.mark), value: Value{truthy: true}})
		}
	}
	if statement.Catch != nil {
		alive = e.catchWays(statement.Catch, r, thrown, alive, env)
	} else {
		alive = e.close(r, alive)
	}
	if statement.Finally == nil {
		return alive
	}
	return e.finally(statement.Finally, alive, env)
}

// catchWays joins the way without an exception with the ways into the catch block.
func (e *evaluator) catchWays(catch *ast.CatchStatement, r *region, thrown []path, alive bool, env *environment) bool {
	if len(thrown) == 0 {
		return e.close(r, alive)
	}
	e.thrown = false
	normal := e.capture(r.mark)
	e.rollback(r.mark)
	if alive {
		e.branches++
	}
	value := thrown[0].value
	states := make([]state, 0, len(thrown))
	for _, p := range thrown {
		value = e.join(value, p.value)
		states = append(states, p.state)
	}
	e.joinStates(states, r.clock)
	inner := &environment{parent: env}
	if catch.Parameter != nil {
		e.bind(catch.Parameter, value, inner, func(name string, v Value) { e.declare(inner, name, v) })
	}
	caught := e.block(catch.Body.List, inner)
	if alive {
		e.branches--
		r.pending = append(r.pending, path{state: normal})
	}
	ended := e.close(r, caught)
	if ended {
		e.thrown = false
	}
	return ended
}

// finally runs the block on whatever state the statement left; it cannot revive a path.
func (e *evaluator) finally(block *ast.BlockStatement, alive bool, env *environment) bool {
	thrown := e.thrown
	e.thrown = false
	through := e.block(block.List, &environment{parent: env})
	e.thrown = thrown || e.thrown
	return alive && through
}

func (e *evaluator) switchStatement(statement *ast.SwitchStatement, env *environment, names []string) bool {
	subject := e.eval(statement.Discriminant, env)
	if e.thrown {
		return false
	}
	inner := &environment{parent: env}
	var ways []func() bool
	decided := false
	for i, clause := range statement.Body {
		if clause.Test == nil || decided {
			continue
		}
		equal := strictEqual(subject, e.eval(clause.Test, inner))
		if equal == False {
			continue
		}
		ways = append(ways, e.clausesFrom(statement, i, inner))
		decided = equal == True
	}
	if !decided {
		start := statement.Default
		if start < 0 {
			start = len(statement.Body)
		}
		ways = append(ways, e.clausesFrom(statement, start, inner))
	}
	return e.within(&label{names: names}, func() bool {
		if len(ways) == 1 {
			return ways[0]()
		}
		return e.fork(ways...)
	})
}

// clausesFrom runs the clauses of a switch from one on, as without break they fall through.
func (e *evaluator) clausesFrom(statement *ast.SwitchStatement, start int, env *environment) func() bool {
	return func() bool {
		for _, clause := range statement.Body[start:] {
			for _, inner := range clause.Consequent {
				if !e.exec(inner, env, nil) {
					return false
				}
			}
		}
		return true
	}
}

func (e *evaluator) forOf(statement *ast.ForOfStatement, env *environment, names []string) bool {
	source := e.eval(statement.Source, env)
	if e.thrown {
		return false
	}
	return e.elements(names, source, func(element, _ Value) bool {
		inner := &environment{parent: env}
		e.bindInto(statement.Into, element, inner)
		return !e.thrown && e.exec(statement.Body, inner, nil)
	})
}

func (e *evaluator) forIn(statement *ast.ForInStatement, env *environment, names []string) bool {
	source := e.eval(statement.Source, env)
	if e.thrown {
		return false
	}
	return e.elements(names, e.keys(source), func(element, _ Value) bool {
		inner := &environment{parent: env}
		e.bindInto(statement.Into, element, inner)
		return !e.thrown && e.exec(statement.Body, inner, nil)
	})
}

func (e *evaluator) bindInto(into ast.ForInto, v Value, env *environment) {
	switch into := into.(type) {
	case *ast.ForDeclaration:
		e.bind(into.Target, v, env, func(name string, v Value) { e.declare(env, name, v) })
	case *ast.ForIntoVar:
		e.assignTo(into.Binding.Target, v, env)
	case *ast.ForIntoExpression:
		e.assignTo(into.Expression, v, env)
	}
}

func (e *evaluator) forStatement(statement *ast.ForStatement, env *environment, names []string) bool {
	inner := &environment{parent: env}
	switch first := statement.Initializer.(type) {
	case *ast.ForLoopInitializerExpression:
		e.eval(first.Expression, inner)
	case *ast.ForLoopInitializerVarDeclList:
		e.declareVar(first.List, inner)
	case *ast.ForLoopInitializerLexicalDecl:
		e.declareLexical(first.LexicalDeclaration.List, inner)
	}
	if e.thrown {
		return false
	}
	l := loop{
		test: func() Tri {
			if statement.Test == nil {
				return True
			}
			return Truth(e.eval(statement.Test, inner))
		},
		body:   func() bool { return e.exec(statement.Body, inner, nil) },
		update: func() { e.eval(statement.Update, inner) },
	}
	return e.loop(names, l)
}

func (e *evaluator) doWhile(statement *ast.DoWhileStatement, env *environment, names []string) bool {
	first := true
	l := loop{
		test: func() Tri {
			if first {
				first = false
				return True
			}
			return Truth(e.eval(statement.Test, env))
		},
		body: func() bool { return e.exec(statement.Body, env, nil) },
	}
	return e.loop(names, l)
}

// elements runs a visit for each element of a value, with its index.
func (e *evaluator) elements(names []string, source Value, visit func(element, index Value) bool) bool {
	source = e.iterable(source)
	if nullish(source) == True {
		e.throw(Anything())
		return false
	}
	if source.kind == KindArray && !e.contentOf(source.object).many {
		return e.knownElements(names, source, visit)
	}
	low, high := 0, Unbounded
	if source.kind == KindArray {
		low, high = e.contentOf(source.object).count()
	}
	l := loop{
		test: func() Tri { return Maybe },
		body: func() bool {
			index := NumberBetween(0, math.Inf(1))
			return visit(e.anyElement(source), index)
		},
		certain: low > 0,
		once:    high == 1,
	}
	return e.loop(names, l)
}

func (e *evaluator) knownElements(names []string, source Value, visit func(element, index Value) bool) bool {
	elements := e.contentOf(source.object).elements
	index := 0
	l := loop{
		test: func() Tri { return triOf(index < len(elements)) },
		body: func() bool {
			element := elements[min(index, len(elements)-1)]
			element.origins = union(element.origins, source.origins...)
			number := Number(float64(index))
			index++
			return visit(element, number)
		},
		counted: true,
	}
	return e.loop(names, l)
}

// loop is a loop's parts.
type loop struct {
	test    func() Tri
	body    func() bool
	update  func() // may be nil
	certain bool   // runs at least once though the test is unknown
	once    bool   // runs at most once
	counted bool   // ends by itself after at most maxElements iterations
}

func (e *evaluator) loop(names []string, l loop) bool {
	own := &label{names: names}
	own.next = &region{}
	e.loops++
	defer func() { e.loops-- }()
	return e.within(own, func() bool { return e.iterate(own, l) })
}

// iterate follows the loop exactly while its test is known to be true.
func (e *evaluator) iterate(own *label, l loop) bool {
	if l.certain {
		return e.iterateAny(own, l, Maybe)
	}
	for n := 0; n < maxUnroll || l.counted; n++ {
		test := l.test()
		switch {
		case e.thrown || e.exhausted:
			return false
		case test == False:
			return true
		case test == Maybe:
			return e.iterateAny(own, l, Maybe)
		}
		if !e.iteration(own, l) {
			return false
		}
	}
	return e.iterateAny(own, l, True)
}

func (e *evaluator) iteration(own *label, l loop) bool {
	own.next = e.open()
	alive := l.body()
	alive = e.close(own.next, alive)
	if alive {
		e.thrown = false
	}
	if alive && l.update != nil {
		l.update()
	}
	return alive && !e.thrown && !e.exhausted
}

// iterateAny covers any number of iterations: one to see what an iteration
// changes, and one from a state in which that may have changed any number of times.
func (e *evaluator) iterateAny(own *label, l loop, test Tri) bool {
	base := e.open()
	defer e.close(base, true)
	if !l.certain {
		e.branches++
		defer func() { e.branches-- }()
	}
	if test == Maybe && !l.certain {
		e.leave(own.exit, Value{})
		own.exit.pending[len(own.exit.pending)-1].state.untouched = true
	}
	if !e.iteration(own, l) {
		return false
	}
	if l.once || !e.changed(base) {
		return test == Maybe
	}
	after := e.capture(base.mark)
	e.rollback(base.mark)
	e.widenTo(after, base.clock)
	if !e.iteration(own, l) {
		return false
	}
	return l.test() != True && !e.thrown
}

func (e *evaluator) widenTo(after state, clock int) {
	for o, c := range after.objects {
		if o.summary {
			continue // the next iteration works on another element
		}
		if o.born <= clock {
			c = e.widenContent(e.contentOf(o), c)
		}
		e.writeObject(o, c)
	}
	for b, v := range after.variables {
		if b.born <= clock {
			v = e.widen(b.value, v)
		}
		e.writeVariable(b, v)
	}
}
