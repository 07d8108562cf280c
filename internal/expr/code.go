package expr

// CodeMode says what a body sees and what it must return.
type CodeMode int

const (
	// AllItems is a Code node that runs once for all items: it returns items.
	AllItems CodeMode = iota
	// EachItem is a Code node that runs once for each item: it returns one item.
	EachItem
	// Function is the old Function node: items in, items out.
	Function
	// FunctionItem is the old FunctionItem node: item is the json itself, and the
	// json is returned.
	FunctionItem

	codeModes = iota
)

// BodyResult is what running a body comes to.
type BodyResult struct {
	// Returns covers all returned values, undefined included where the end of the
	// body is reached.
	Returns Value
	// Values are the returned values one by one.
	Values []Value
	// Returned is whether a return statement, or the end of the body, is reached.
	Returned Tri
	// MayThrow is true if an exception may leave the body; AlwaysThrows if no
	// path ends in another way.
	MayThrow, AlwaysThrows bool
	// Incomplete is true if a limit stopped the analysis: Values is empty then,
	// Returns unknown, and Calls may lack some.
	Incomplete bool
	// Calls are the calls of functions that the body does not define itself, in
	// the order of the source.
	Calls []Call
}

// CodeResult is what a Code or Function node comes to.
type CodeResult struct {
	// Items is the array of emitted items, each {json: …}; empty if none is ever
	// emitted, unknown only if the analysis is incomplete.
	Items Value
	BodyResult
}

// Run runs a body, or evaluates an expression, with the names a Code node sees.
func (p *Program) Run(scope Scope) BodyResult {
	return p.run(scope, AllItems)
}

func (p *Program) run(scope Scope, mode CodeMode) (result BodyResult) {
	e := &evaluator{program: p, scope: scope, mode: mode}
	defer func() {
		if recover() != nil {
			result = e.givenUp()
		}
	}()
	env := &environment{}
	for _, name := range p.variables {
		e.declare(env, name, Undefined())
	}
	alive := true
	if p.mode == Body {
		alive = e.block(p.body, env)
	} else {
		v := e.eval(p.expression, env)
		e.returns = append(e.returns, e.freeze(v))
	}
	if e.exhausted {
		return e.givenUp()
	}
	if alive && p.mode == Body {
		e.returns = append(e.returns, Undefined())
	}
	return e.result()
}

func (e *evaluator) givenUp() BodyResult {
	return BodyResult{
		Returns: tooComplex(e.program.base, e.program.base+len(e.program.source)), Returned: Maybe, MayThrow: true, Incomplete: true, Calls: e.callList(),
	}
}

func (e *evaluator) result() BodyResult {
	r := BodyResult{Values: e.returns, MayThrow: e.mayThrow, Calls: e.callList()}
	switch {
	case len(e.returns) == 0:
		r.Returned = False
		r.AlwaysThrows = e.mayThrow
	case e.mayThrow:
		r.Returned = Maybe
	default:
		r.Returned = True
	}
	fresh := &evaluator{}
	r.Returns = fresh.summary(e.returns, 0)
	return r
}

// RunCode runs the body of a Code or Function node and gives the items it emits.
//
// Items are normalised as n8n does: an object without a json field is wrapped
// into one, a single object stands for an array of one, null and a falsy result
// for each item give no item.
//
// The result for items of which nothing is known is kept, because many ask for it.
func (p *Program) RunCode(scope Scope, mode CodeMode) CodeResult {
	if s, ok := scope.(Symbolic); ok && s.Current == "" && p.symbolic != nil {
		kept := &p.symbolic[mode]
		kept.once.Do(func() { kept.result = p.runCode(scope, mode) })
		return kept.result
	}
	return p.runCode(scope, mode)
}

func (p *Program) runCode(scope Scope, mode CodeMode) CodeResult {
	body := p.run(scope, mode)
	result := CodeResult{BodyResult: body}
	if body.Incomplete {
		return result
	}
	normaliser := normaliser{e: &evaluator{}, mode: mode}
	known := false
	for _, v := range body.Values {
		items, ok := normaliser.items(v)
		if !ok {
			// n8n refuses such a result: the run ends with an error.
			result.MayThrow = true
			continue
		}
		if !known {
			result.Items, known = items, true
			continue
		}
		result.Items = normaliser.e.join(result.Items, items)
	}
	if !known {
		result.Items = Array()
		result.AlwaysThrows = result.MayThrow
	}
	return result
}

type normaliser struct {
	e    *evaluator
	mode CodeMode
}

// items gives the emitted items for one returned value; false if n8n refuses it.
func (n normaliser) items(v Value) (Value, bool) {
	if n.mode == FunctionItem {
		return n.functionItem(v)
	}
	switch v.kind {
	case KindNull:
		return Array().WithOrigins(v.origins...), true
	case KindUndefined, KindBool, KindNumber, KindString, KindFunction:
		return Value{}, false
	case KindArray:
		if n.mode == EachItem {
			return Value{}, false
		}
		return n.list(v), true
	case KindObject:
		item := n.item(v)
		if v.absent {
			return ArrayOf(item, 0, 1), true
		}
		return Array(item), true
	}
	return n.opaque(v), true
}

// opaque is what a value of unknown content emits: one item or none for each
// item, otherwise any number.
func (n normaliser) opaque(v Value) Value {
	if n.mode == EachItem {
		return ArrayOf(n.item(v), 0, 1).WithOrigins(v.origins...)
	}
	return ArrayOf(n.item(n.e.anyElement(v)), 0, Unbounded).WithOrigins(v.origins...)
}

func (n normaliser) functionItem(v Value) (Value, bool) {
	switch v.kind {
	case KindUndefined, KindNull, KindBool, KindNumber, KindString, KindFunction, KindArray:
		return Value{}, false
	}
	return Array(Object(Field{Name: "json", Value: v})), true
}

func (n normaliser) list(v Value) Value {
	c := v.object.content
	if c.many {
		items := ArrayOf(n.item(c.rest), c.min, c.max)
		items.origins, items.absent = v.origins, v.absent
		return items
	}
	elements := make([]Value, 0, len(c.elements))
	for _, element := range c.elements {
		elements = append(elements, n.item(element))
	}
	items := Array(elements...)
	items.origins, items.absent = v.origins, v.absent
	return items
}

// item wraps an object without a json field, as n8n does. An open object could
// have one that is not listed; that is rare enough to be left out.
func (n normaliser) item(v Value) Value {
	switch v.kind {
	case KindObject:
		c := v.object.content
		if c.field("json") != nil {
			return v
		}
		if c.field("binary") != nil || c.field("pairedItem") != nil {
			return v
		}
	case KindReference:
	default:
		v = Value{origins: v.Origins()}
	}
	return Object(Field{Name: "json", Value: v})
}
