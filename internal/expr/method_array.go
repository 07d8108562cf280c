package expr

import "math"

func arrayMethod(name string) native {
	switch name {
	case "map", "flatMap":
		return arrayMap
	case "filter":
		return arrayFilter
	case "forEach":
		return arrayForEach
	case "some", "every":
		return func(e *evaluator, c call) Value { return someEvery(e, name, c) }
	case "find", "findLast":
		return arrayFind
	case "findIndex":
		return func(e *evaluator, c call) Value {
			arrayFind(e, c)
			return NumberBetween(-1, math.Inf(1)).WithOrigins(e.allOrigins(c.receiver)...)
		}
	case "includes":
		return arrayIncludes
	case "indexOf", "lastIndexOf":
		return func(e *evaluator, c call) Value {
			return NumberBetween(-1, math.Inf(1)).WithOrigins(e.originsOf(c.receiver, c.argument(0))...)
		}
	case "join":
		return func(e *evaluator, c call) Value {
			separator := c.argument(0)
			if separator.kind == KindUndefined {
				separator = String(",")
			}
			return e.joinElements(c.receiver, separator)
		}
	case "slice":
		return arraySlice
	case "concat":
		return arrayConcat
	case "push", "unshift":
		return func(e *evaluator, c call) Value { return arrayPush(e, name, c) }
	case "pop", "shift":
		return func(e *evaluator, c call) Value { return arrayPop(e, name, c) }
	case "reduce", "reduceRight":
		return arrayReduce
	case "flat":
		return arrayFlat
	case "sort", "reverse", "toSorted", "toReversed":
		return arraySort
	case "at":
		return arrayAt
	case "fill", "splice", "copyWithin":
		return arrayScramble
	case "entries":
		return func(e *evaluator, c call) Value { return e.entries(c.receiver) }
	}
	return arrayExtension(name)
}

// arrayExtension gives the methods that n8n adds to arrays.
func arrayExtension(name string) native {
	switch name {
	case "first", "last":
		return func(e *evaluator, c call) Value {
			v := e.edgeElement(c.receiver, name == "last")
			v.weak = v.weak && e.inCode()
			return v
		}
	case "unique", "removeDuplicates", "compact", "chunk", "randomItem", "shuffle":
		return func(e *evaluator, c call) Value {
			low, high := e.contentOf(c.receiver.object).count()
			return e.manyOf(e.anyElement(c.receiver), min(low, 1), high).WithOrigins(c.receiver.origins...)
		}
	case "sum", "average", "min", "max":
		return func(e *evaluator, c call) Value { return SomeNumber().WithOrigins(e.allOrigins(c.receiver)...) }
	case "pluck":
		return func(e *evaluator, c call) Value {
			low, high := e.contentOf(c.receiver.object).count()
			element := e.unknownFrom(c.receiver)
			if field, ok := c.argument(0).AsString(); ok && len(c.values) == 1 {
				element = e.readField(e.anyElement(c.receiver), field)
			}
			return e.manyOf(element, low, high).WithOrigins(c.receiver.origins...)
		}
	}
	return nil
}

// opaqueArrayMethod gives the methods of a value of unknown content that only
// arrays have: it is taken for an array of any number of its elements.
func opaqueArrayMethod(name string) native {
	switch name {
	case "map", "flatMap", "filter", "forEach", "some", "every", "find", "findIndex", "reduce", "join", "push", "pop",
		"shift", "unshift", "sort", "reverse", "flat", "splice", "pluck", "first", "last", "sum", "unique", "removeDuplicates":
		m := arrayMethod(name)
		return func(e *evaluator, c call) Value {
			if c.receiver.text != "" {
				return e.callUnknown("", c)
			}
			e.mightThrow()
			c.receiver = e.manyOf(e.anyElement(c.receiver), 0, Unbounded).WithOrigins(c.receiver.Origins()...)
			return m(e, c)
		}
	}
	return nil
}

// joinElements is JavaScript's join.
func (e *evaluator) joinElements(v, separator Value) Value {
	c := e.contentOf(v.object)
	origins := e.originsOf(v, separator)
	if c.many {
		return derivedString(origins)
	}
	result := String("")
	for i, element := range c.elements {
		if i > 0 {
			result = concatenateStrings(result, e.toString(separator))
		}
		if nullish(element) != True {
			result = concatenateStrings(result, e.toString(element))
		}
		if !e.step() {
			break
		}
	}
	return result.WithOrigins(origins...)
}

// visit calls the callback for each element. Results are one for each element,
// or, where many is true, one that stands for all.
func (e *evaluator) visit(c call, stop func(result Value) bool) (results []Value, many bool) {
	callback := c.argument(0)
	many = e.contentOf(c.receiver.object).many
	e.elements(nil, c.receiver, func(element, index Value) bool {
		v := e.callOn(callback, element, index, c)
		if many {
			results = []Value{v}
		} else {
			results = append(results, v)
		}
		if stop != nil && stop(v) {
			return false
		}
		return !e.thrown
	})
	return results, many
}

func (e *evaluator) callOn(callback, element, index Value, c call) Value {
	var arguments list
	arguments.add(element)
	arguments.add(index)
	arguments.add(c.receiver)
	switch {
	case callback.code != nil:
		return e.callClosure(callback.code, nil, arguments)
	case callback.External() != "":
		arguments.values = arguments.values[:1]
		return e.callExternal(callback, callback.text, call{node: c.node, values: arguments.values, list: arguments})
	}
	return e.unknownFrom(element, callback)
}

func arrayMap(e *evaluator, c call) Value {
	results, many := e.visit(c, nil)
	origins := c.receiver.origins
	if c.method == "flatMap" {
		var l list
		for _, v := range results {
			l.spread(e, v)
		}
		if many {
			return e.manyOf(e.summary(l.values, 0), 0, Unbounded).WithOrigins(origins...)
		}
		return l.array(e).WithOrigins(origins...)
	}
	if !many {
		return e.listOf(results).WithOrigins(origins...)
	}
	low, high := e.contentOf(c.receiver.object).count()
	return e.manyOf(e.summary(results, 0), low, high).WithOrigins(origins...)
}

func arrayForEach(e *evaluator, c call) Value {
	e.visit(c, nil)
	return Undefined()
}

func arrayFilter(e *evaluator, c call) Value {
	results, many := e.visit(c, nil)
	held := e.contentOf(c.receiver.object)
	origins := c.receiver.origins
	if many {
		low, high := held.count()
		switch Truth(e.summary(results, 0)) {
		case False:
			return e.listOf(nil).WithOrigins(origins...)
		case True:
			return e.manyOf(held.rest, low, high).WithOrigins(origins...)
		}
		return e.manyOf(held.rest, 0, high).WithOrigins(origins...)
	}
	var kept []Value
	certain := 0
	for i, v := range results {
		keep := Truth(v)
		if keep != False && i < len(held.elements) {
			kept = append(kept, held.elements[i])
		}
		if keep == True {
			certain++
		}
	}
	if certain == len(kept) {
		return e.listOf(kept).WithOrigins(origins...)
	}
	return e.manyOf(e.summary(kept, 0), certain, len(kept)).WithOrigins(origins...)
}

func someEvery(e *evaluator, name string, c call) Value {
	results, many := e.visit(c, nil)
	origins := e.originsOf(append(results, c.receiver)...)
	low, _ := e.contentOf(c.receiver.object).count()
	outcome := triOf(name == "every")
	for _, v := range results {
		truth := Truth(v)
		if many {
			truth = forSome(truth, name, low)
		}
		if name == "every" {
			outcome = outcome.And(truth)
		} else {
			outcome = outcome.Or(truth)
		}
	}
	return outcome.value().WithOrigins(origins...)
}

// forSome is the truth of a test over an array that may be empty.
func forSome(truth Tri, name string, low int) Tri {
	if low > 0 {
		return truth
	}
	if name == "every" {
		return truth.Or(Maybe)
	}
	return truth.And(Maybe)
}

func arrayFind(e *evaluator, c call) Value {
	results, many := e.visit(c, func(v Value) bool { return Truth(v) == True })
	held := e.contentOf(c.receiver.object)
	if many {
		if len(results) == 0 || Truth(results[0]) == False {
			return Undefined().WithOrigins(c.receiver.origins...)
		}
		found := held.rest
		found.weak = found.object != nil
		return joinKinds(found, Undefined())
	}
	var candidates []Value
	for i, v := range results {
		if Truth(v) == False || i >= len(held.elements) {
			continue
		}
		candidates = append(candidates, held.elements[i])
		if Truth(v) == True {
			return e.summary(candidates, 0)
		}
	}
	return e.summary(append(candidates, Undefined()), 0)
}

func arrayIncludes(e *evaluator, c call) Value {
	held := e.contentOf(c.receiver.object)
	origins := e.originsOf(c.receiver, c.argument(0))
	found := False
	for _, element := range e.samples(held) {
		found = found.Or(strictEqual(element, c.argument(0)))
	}
	if held.many {
		found = found.And(Maybe)
	}
	return found.value().WithOrigins(origins...)
}

// slice is the array from an index on.
func (e *evaluator) slice(v Value, from int) Value {
	if v.kind != KindArray {
		return e.manyOf(e.anyElement(v), 0, Unbounded).WithOrigins(v.Origins()...)
	}
	c := e.contentOf(v.object)
	if !c.many {
		return e.listOf(c.elements[min(from, len(c.elements)):]).WithOrigins(v.origins...)
	}
	high := c.max
	if high < Unbounded {
		high = max(0, high-from)
	}
	return e.manyOf(c.rest, max(0, c.min-from), high).WithOrigins(v.origins...)
}

func arraySlice(e *evaluator, c call) Value {
	held := e.contentOf(c.receiver.object)
	low, high := held.count()
	start, startOK := wholeNumber(c.argument(0), 0)
	end, endOK := wholeNumber(c.argument(1), high)
	if !startOK || !endOK || held.many && (start < 0 || end < 0) {
		return e.manyOf(e.anyElement(c.receiver), 0, high).WithOrigins(c.receiver.origins...)
	}
	if held.many {
		rest := e.slice(c.receiver, start)
		cutLow, cutHigh := e.contentOf(rest.object).count()
		length := max(0, end-start)
		return e.manyOf(held.rest, min(cutLow, length), min(cutHigh, length)).WithOrigins(c.receiver.origins...)
	}
	start, end = fromEnd(start, low), fromEnd(end, low)
	if start >= end {
		return e.listOf(nil).WithOrigins(c.receiver.origins...)
	}
	return e.listOf(held.elements[start:end:end]).WithOrigins(c.receiver.origins...)
}

func arrayConcat(e *evaluator, c call) Value {
	var l list
	l.spread(e, c.receiver)
	for _, v := range c.values {
		switch {
		case v.kind == KindArray:
			l.spread(e, v)
		case isOpaque(v):
			l.spread(e, e.manyOf(e.join(v, e.anyElement(v)), 0, Unbounded))
		default:
			l.add(v)
		}
	}
	return l.array(e).WithOrigins(c.receiver.origins...)
}

func arrayPush(e *evaluator, name string, c call) Value {
	held := e.contentOf(c.receiver.object)
	var l list
	own := Value{kind: KindArray, object: &object{content: held}}
	if name == "push" {
		l.spread(e, own)
	}
	for _, v := range c.values {
		l.add(v)
	}
	l.many = l.many || c.list.many
	if c.list.many {
		l.min, l.max = 0, Unbounded
	}
	if name == "unshift" {
		l.spread(e, own)
	}
	next := *e.contentOf(l.array(e).object)
	if c.receiver.weak {
		next = *e.joinContent(held, &next, 0)
	}
	e.writeObject(c.receiver.object, &next)
	low, high := next.count()
	return lengthBetween(low, high)
}

func arrayPop(e *evaluator, name string, c call) Value {
	held := e.contentOf(c.receiver.object)
	v := e.edgeElement(c.receiver, name == "pop")
	v.weak = false
	next := *held
	switch {
	case held.many:
		next.min, next.max = max(0, held.min-1), held.max
	case len(held.elements) == 0:
		return Undefined()
	case name == "pop":
		next.elements = held.elements[: len(held.elements)-1 : len(held.elements)-1]
	default:
		next.elements = held.elements[1:]
	}
	e.writeObject(c.receiver.object, &next)
	return v
}

// arrayReduce folds known elements one by one; otherwise the accumulator is
// followed through the callback until it is known no better.
func arrayReduce(e *evaluator, c call) Value {
	callback := c.argument(0)
	elements := c.receiver
	accumulator := &binding{value: c.argument(1)}
	if len(c.values) < 2 {
		if e.contentOf(elements.object).many {
			accumulator.value = e.anyElement(elements)
		} else {
			accumulator.value = e.readField(elements, "0")
			elements = e.slice(elements, 1)
		}
	}
	if callback.code == nil {
		return e.unknownFrom(c.receiver, accumulator.value, callback)
	}
	e.elements(nil, elements, func(element, index Value) bool {
		var arguments list
		arguments.add(accumulator.value)
		arguments.add(element)
		arguments.add(index)
		e.writeVariable(accumulator, e.callClosure(callback.code, nil, arguments))
		return !e.thrown
	})
	return accumulator.value
}

func arrayFlat(e *evaluator, c call) Value {
	held := e.contentOf(c.receiver.object)
	if held.many || len(c.values) > 0 {
		return e.manyOf(e.unknownFrom(c.receiver), 0, Unbounded).WithOrigins(c.receiver.origins...)
	}
	var l list
	for _, element := range held.elements {
		if element.kind == KindArray {
			l.spread(e, element)
			continue
		}
		l.add(element)
	}
	return l.array(e).WithOrigins(c.receiver.origins...)
}

// arraySort keeps the elements and forgets their order.
func arraySort(e *evaluator, c call) Value {
	held := e.contentOf(c.receiver.object)
	if held.many || len(held.elements) < 2 {
		return c.receiver
	}
	low, high := held.count()
	sorted := &content{many: true, rest: e.summary(held.elements, 0), min: low, max: high}
	if c.method == "toSorted" || c.method == "toReversed" {
		return e.newArray(sorted).WithOrigins(c.receiver.origins...)
	}
	e.writeObject(c.receiver.object, sorted)
	return c.receiver
}

func arrayAt(e *evaluator, c call) Value {
	index, ok := wholeNumber(c.argument(0), 0)
	held := e.contentOf(c.receiver.object)
	switch {
	case !ok:
		return e.anyElement(c.receiver)
	case index >= 0:
		return e.elementAt(held, index)
	case held.many:
		return e.elementAt(held, -index-1)
	case len(held.elements)+index < 0:
		return Undefined()
	}
	return held.elements[len(held.elements)+index]
}

// arrayScramble forgets what a rarely used method does to an array.
func arrayScramble(e *evaluator, c call) Value {
	samples := append(e.samples(e.contentOf(c.receiver.object)), c.values...)
	e.writeObject(c.receiver.object, &content{many: true, rest: e.summary(samples, 0), max: Unbounded})
	return e.manyOf(e.unknownFrom(c.receiver), 0, Unbounded)
}
