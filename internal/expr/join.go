package expr

import "math"

// join gives a value that covers both: what is equal stays known.
func (e *evaluator) join(a, b Value) Value {
	return e.joinAt(a, b, 0)
}

func (e *evaluator) joinAt(a, b Value, depth int) Value {
	e.steps++
	if depth > maxValueDepth || e.steps > maxSteps {
		return Value{origins: union(a.Origins(), b.Origins()...)}
	}
	if a.kind != b.kind {
		return joinKinds(a, b)
	}
	origins := union(a.origins, b.origins...)
	switch a.kind {
	case KindUndefined, KindNull:
		a.origins = origins
		return a
	case KindBool, KindNumber, KindString:
		return joinPrimitives(a, b, origins)
	case KindObject, KindArray:
		return e.joinObjects(a, b, origins, depth)
	case KindFunction:
		if a.code == b.code {
			a.origins = origins
			return a
		}
	case KindReference:
		if a.leaf == b.leaf || a.leaf.origin().same(b.leaf.origin()) {
			a.truthy = a.truthy && b.truthy
			a.origins = origins
			return a
		}
	case KindUnknown:
		if a.proxy == b.proxy && a.text == b.text {
			a.truthy = a.truthy && b.truthy
			a.origins = origins
			return a
		}
	}
	return joinKinds(a, b)
}

func joinKinds(a, b Value) Value {
	if nullish(a) == True && b.object != nil {
		a, b = b, a
	}
	if nullish(b) == True && a.object != nil {
		a.absent = true
		a.origins = union(a.origins, b.origins...)
		return a
	}
	if nullish(a) == True && b.kind == KindReference {
		a, b = b, a
	}
	if nullish(b) == True && a.kind == KindReference {
		// A reference may be undefined anyway.
		a.truthy = false
		a.origins = union(a.origins, b.origins...)
		return a
	}
	return Value{
		truthy:  Truth(a) == True && Truth(b) == True,
		origins: union(a.Origins(), b.Origins()...),
	}
}

func joinPrimitives(a, b Value, origins []Origin) Value {
	if a.known && b.known && sameKnown(a, b) {
		a.origins = origins
		return a
	}
	result := Value{kind: a.kind, origins: origins, truthy: Truth(a) == True && Truth(b) == True}
	if a.kind == KindNumber {
		aLow, aHigh := bounds(a)
		bLow, bHigh := bounds(b)
		result.low, result.high = math.Min(aLow, bLow), math.Max(aHigh, bHigh)
	}
	return result
}

func sameKnown(a, b Value) bool {
	switch a.kind {
	case KindBool:
		return a.boolean == b.boolean
	case KindNumber:
		return a.number == b.number || math.IsNaN(a.number) && math.IsNaN(b.number)
	}
	return a.text == b.text
}

// bounds gives the range of a number; NaN and anything else have no bounds.
func bounds(v Value) (low, high float64) {
	switch {
	case v.kind != KindNumber, v.known && math.IsNaN(v.number):
		return math.Inf(-1), math.Inf(1)
	case v.known:
		return v.number, v.number
	}
	return v.low, v.high
}

func (e *evaluator) joinObjects(a, b Value, origins []Origin, depth int) Value {
	if a.object == b.object {
		a.origins = origins
		a.weak = a.weak || b.weak
		a.absent = a.absent || b.absent
		return a
	}
	joined := e.joinContent(e.contentOf(a.object), e.contentOf(b.object), depth)
	return Value{
		kind:    a.kind,
		origins: origins,
		absent:  a.absent || b.absent,
		object:  &object{content: joined, born: e.tick(), summary: a.object.summary || b.object.summary},
	}
}

func (e *evaluator) joinContent(a, b *content, depth int) *content {
	if a == b {
		return a
	}
	if a.many || b.many || len(a.elements) != len(b.elements) {
		return e.joinMany(a, b, depth)
	}
	result := &content{open: a.open || b.open, collection: max(a.collection, b.collection)}
	if len(a.elements) > 0 {
		result.elements = make([]Value, len(a.elements))
		for i := range a.elements {
			result.elements[i] = e.joinAt(a.elements[i], b.elements[i], depth+1)
		}
	}
	switch {
	case a.open && b.open:
		result.rest = e.joinAt(a.rest, b.rest, depth+1)
	case a.open:
		result.rest = a.rest
	case b.open:
		result.rest = b.rest
	}
	e.joinFields(result, a, b, depth)
	return result
}

func (e *evaluator) joinFields(result, a, b *content, depth int) {
	if len(a.fields)+len(b.fields) == 0 {
		return
	}
	result.fields = make([]Field, 0, max(len(a.fields), len(b.fields)))
	for _, field := range a.fields {
		result.fields = append(result.fields, e.joinField(field, b, depth))
	}
	for _, field := range b.fields {
		if a.field(field.Name) == nil {
			result.fields = append(result.fields, e.joinField(field, a, depth))
		}
	}
}

// joinField joins a field with what the other object has under its name.
func (e *evaluator) joinField(field Field, other *content, depth int) Field {
	if found := other.field(field.Name); found != nil {
		field.Value = e.joinAt(field.Value, found.Value, depth+1)
		field.Optional = field.Optional || found.Optional
		return field
	}
	field.Optional = true
	if other.open {
		field.Value = e.joinAt(field.Value, e.extend(other.rest, field.Name), depth+1)
	}
	return field
}

func (c *content) field(name string) *Field {
	for i := range c.fields {
		if c.fields[i].Name == name {
			return &c.fields[i]
		}
	}
	return nil
}

// joinMany joins arrays of different length into one of any number of elements.
func (e *evaluator) joinMany(a, b *content, depth int) *content {
	aMin, aMax := a.count()
	bMin, bMax := b.count()
	result := &content{many: true, min: min(aMin, bMin), max: max(aMax, bMax)}
	result.rest = e.summary(append(e.samples(a), e.samples(b)...), depth)
	return result
}

// samples gives the values that an array's elements can have.
func (e *evaluator) samples(c *content) []Value {
	if c.many {
		return []Value{c.rest}
	}
	return c.elements[:len(c.elements):len(c.elements)]
}

func (e *evaluator) summary(samples []Value, depth int) Value {
	if len(samples) == 0 {
		return Undefined()
	}
	result := samples[0]
	for _, sample := range samples[1:] {
		result = e.joinAt(result, sample, depth+1)
	}
	return result
}

// widen joins the states before and after one iteration so that a second
// iteration covers all later ones: what changed may have changed any number of times.
func (e *evaluator) widen(before, after Value) Value {
	joined := e.join(before, after)
	switch joined.kind {
	case KindNumber:
		if !joined.known {
			joined.low, joined.high = widenBounds(before, joined)
			joined.truthy = joined.low > 0 || joined.high < 0
		}
	case KindString:
		if !joined.known {
			joined.known, joined.text = false, ""
		}
	}
	return joined
}

// widenBounds keeps the bound that did not move.
func widenBounds(before, joined Value) (low, high float64) {
	beforeLow, beforeHigh := bounds(before)
	low, high = math.Inf(-1), math.Inf(1)
	if joined.low == beforeLow {
		low = joined.low
	}
	if joined.high == beforeHigh {
		high = joined.high
	}
	return low, high
}

func (e *evaluator) widenContent(before, after *content) *content {
	joined := e.joinContent(before, after, 0)
	if !joined.many {
		return joined
	}
	_, beforeMax := before.count()
	if joined.max <= beforeMax {
		return joined
	}
	wider := *joined
	wider.max = Unbounded
	return &wider
}
