package expr

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is the sort of an abstract value.
type Kind uint8

const (
	// KindUnknown may be anything.
	KindUnknown Kind = iota
	KindUndefined
	KindNull
	KindBool
	KindNumber
	KindString
	KindObject
	KindArray
	KindFunction
	// KindReference is a symbolic leaf: a field of a node, of unknown content.
	KindReference
)

func (k Kind) String() string {
	names := [...]string{"unknown", "undefined", "null", "boolean", "number", "string", "object", "array", "function", "reference"}
	if int(k) >= len(names) {
		return names[0]
	}
	return names[k]
}

// Value is an abstract JavaScript value: what is known of the values that a
// piece of code can yield. The zero Value is unknown. Values given to and
// returned by this package never change.
type Value struct {
	kind    Kind
	known   bool // a primitive whose content is known
	truthy  bool // not known, but certainly truthy
	weak    bool // one of several elements that an array summarises
	absent  bool // an object or array that may be undefined or null instead
	boolean bool
	number  float64
	low     float64 // bounds of an unknown number
	high    float64
	text    string // a string's content; of an external value its path ("this.helpers")
	object  *object
	code    *closure
	leaf    *reference
	proxy   *proxy
	origins []Origin
}

type reference struct {
	node       string
	path       []string
	start, end int
}

// object is the identity of an object or array. The content it was made with
// never changes; writes go to the evaluator's overlay.
type object struct {
	content *content
	born    int  // evaluator's clock at creation, 0 for values from outside
	summary bool // stands for every element of an array
}

// content is what an object or array holds. It is never changed after it is built.
type content struct {
	fields     []Field
	open       bool
	many       bool // an array of any number of elements
	collection collectionKind
	rest       Value // what unlisted fields of an open object or the elements of such an array hold
	elements   []Value
	min, max   int // number of elements of such an array
}

// Field is a named field of an object.
type Field struct {
	Name  string
	Value Value
	// Optional is true if the field may be absent.
	Optional bool
}

// Anything is a value of which nothing is known.
func Anything() Value { return Value{} }

// Undefined is JavaScript's undefined.
func Undefined() Value { return Value{kind: KindUndefined} }

// Null is JavaScript's null.
func Null() Value { return Value{kind: KindNull} }

// Bool is a known boolean.
func Bool(b bool) Value { return Value{kind: KindBool, known: true, boolean: b} }

// SomeBool is true or false.
func SomeBool() Value { return Value{kind: KindBool} }

// Number is a known number.
func Number(n float64) Value { return Value{kind: KindNumber, known: true, number: n} }

// SomeNumber is any number, NaN included.
func SomeNumber() Value {
	return Value{kind: KindNumber, low: math.Inf(-1), high: math.Inf(1)}
}

// NumberBetween is a number, never NaN, from low to high inclusive.
func NumberBetween(low, high float64) Value {
	if low == high {
		return Number(low)
	}
	return Value{kind: KindNumber, low: low, high: high, truthy: low > 0 || high < 0}
}

// String is a known string.
func String(s string) Value { return Value{kind: KindString, known: true, text: s} }

// SomeString is any string, also the empty one.
func SomeString() Value { return Value{kind: KindString} }

// NonEmptyString is any string but the empty one.
func NonEmptyString() Value { return Value{kind: KindString, truthy: true} }

// Object is an object with these fields and no others.
func Object(fields ...Field) Value {
	return newObject(&content{fields: distinct(fields)})
}

// OpenObject is an object with these fields and any others, whose values are like rest.
func OpenObject(rest Value, fields ...Field) Value {
	return newObject(&content{fields: distinct(fields), open: true, rest: rest})
}

func newObject(c *content) Value {
	return Value{kind: KindObject, object: &object{content: c}}
}

// distinct keeps the last field of each name, in the order of the first.
func distinct(fields []Field) []Field {
	result := make([]Field, 0, len(fields))
	for _, field := range fields {
		at := slices.IndexFunc(result, func(f Field) bool { return f.Name == field.Name })
		if at < 0 {
			result = append(result, field)
			continue
		}
		result[at] = field
	}
	return result
}

// Array is an array of exactly these elements.
func Array(elements ...Value) Value {
	return newArray(&content{elements: slices.Clone(elements)})
}

// ArrayOf is an array of least to most elements, each like element. most may be Unbounded.
func ArrayOf(element Value, least, most int) Value {
	if most <= 0 {
		return Array()
	}
	if least == most && most == 1 {
		return Array(element)
	}
	return newArray(&content{many: true, rest: element, min: least, max: most})
}

func newArray(c *content) Value {
	return Value{kind: KindArray, object: &object{content: c}}
}

// Ref is a symbolic leaf: the field under path of the node's item. The name ""
// stands for the current item.
func Ref(node string, path ...string) Value {
	return Value{kind: KindReference, leaf: &reference{node: node, path: slices.Clone(path)}}
}

// ValueOf turns decoded JSON (nil, bool, float64, int, string, []any,
// map[string]any) into a known value; the fields of a map are sorted by name.
func ValueOf(decoded any) Value {
	return valueOf(decoded, 0)
}

func valueOf(decoded any, depth int) Value {
	if depth > maxValueDepth {
		return Anything()
	}
	switch decoded := decoded.(type) {
	case nil:
		return Null()
	case bool:
		return Bool(decoded)
	case float64:
		return Number(decoded)
	case int:
		return Number(float64(decoded))
	case string:
		return String(decoded)
	case []any:
		return valueOfList(decoded, depth)
	case map[string]any:
		return valueOfMap(decoded, depth)
	}
	return Anything()
}

func valueOfList(list []any, depth int) Value {
	if len(list) > maxElements {
		return ArrayOf(Anything(), len(list), len(list))
	}
	elements := make([]Value, len(list))
	for i, element := range list {
		elements[i] = valueOf(element, depth+1)
	}
	return Array(elements...)
}

func valueOfMap(fields map[string]any, depth int) Value {
	if len(fields) > maxFields {
		return OpenObject(Anything())
	}
	c := &content{fields: make([]Field, 0, len(fields))}
	for name, field := range fields {
		c.fields = append(c.fields, Field{Name: name, Value: valueOf(field, depth+1)})
	}
	slices.SortFunc(c.fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return newObject(c)
}

// Kind tells what sort of value it is.
func (v Value) Kind() Kind { return v.kind }

// Known is true for undefined, null and primitives with a known content.
func (v Value) Known() bool {
	return v.known || v.kind == KindUndefined || v.kind == KindNull
}

// AsBool gives a known boolean.
func (v Value) AsBool() (value, ok bool) {
	return v.boolean, v.kind == KindBool && v.known
}

// AsNumber gives a known number.
func (v Value) AsNumber() (float64, bool) {
	return v.number, v.kind == KindNumber && v.known
}

// AsString gives a known string.
func (v Value) AsString() (string, bool) {
	if v.kind != KindString || !v.known {
		return "", false
	}
	return v.text, true
}

// AsReference gives the node and path of a symbolic leaf.
func (v Value) AsReference() (node string, path []string, ok bool) {
	if v.kind != KindReference || v.leaf == nil {
		return "", nil, false
	}
	return v.leaf.node, v.leaf.path, true
}

// External gives the path of a value that comes from outside the language and
// n8n's data, like "this.helpers" or "axios"; "" if it is none.
func (v Value) External() string {
	if v.kind != KindUnknown {
		return ""
	}
	return v.text
}

// Field gives the value of a field as JavaScript reads it: undefined if a
// closed object has no such field.
func (v Value) Field(name string) Value {
	e := evaluator{}
	return e.readField(v, name)
}

// Path reads one field after the other.
func (v Value) Path(names ...string) Value {
	for _, name := range names {
		v = v.Field(name)
	}
	return v
}

// Fields gives the listed fields of an object in order; Open tells if there may be others.
func (v Value) Fields() []Field {
	if v.kind != KindObject {
		return nil
	}
	return slices.Clone(v.object.content.fields)
}

// Open is true if an object may have fields that are not listed.
func (v Value) Open() bool {
	return v.kind == KindObject && v.object.content.open
}

// Rest is what the unlisted fields of an open object hold: a reference if they
// are those of a node's item, otherwise an unknown value with origins.
func (v Value) Rest() Value {
	if !v.Open() {
		return Undefined()
	}
	return v.object.content.rest
}

// Elements gives the elements of an array whose number is known.
func (v Value) Elements() ([]Value, bool) {
	if v.kind != KindArray || v.object.content.many {
		return nil, false
	}
	return slices.Clone(v.object.content.elements), true
}

// Element gives a value that stands for every element of an array.
func (v Value) Element() Value {
	e := evaluator{}
	return e.anyElement(v)
}

// Count gives the bounds of the number of elements of an array.
func (v Value) Count() (least, most int) {
	if v.kind != KindArray {
		return 0, 0
	}
	return v.object.content.count()
}

func (c *content) count() (least, most int) {
	if c.many {
		return c.min, c.max
	}
	return len(c.elements), len(c.elements)
}

// Origins gives the sources of the value itself, not those of an object's
// fields or an array's elements; see AllOrigins.
func (v Value) Origins() []Origin {
	if v.leaf == nil {
		return v.ownOrigins()
	}
	return union(v.origins, v.leaf.origin())
}

// ownOrigins lets a name that nobody knows be an origin, so that what is made of
// it is not taken for a constant.
func (v Value) ownOrigins() []Origin {
	if len(v.origins) > 0 || v.kind != KindUnknown || v.text == "" || v.truthy {
		return v.origins
	}
	return []Origin{{Kind: OriginUnknown, Name: v.text}}
}

func (r *reference) origin() Origin {
	return Origin{Kind: OriginReference, Name: r.node, Path: r.path, Start: r.start, End: r.end}
}

// AllOrigins gives the sources of the value and of everything in it.
func (v Value) AllOrigins() []Origin {
	e := evaluator{}
	return e.allOrigins(v)
}

// WithOrigins gives the value with more origins.
func (v Value) WithOrigins(more ...Origin) Value {
	v.origins = union(v.origins, more...)
	return v
}

// Truthy gives an unknown value with the knowledge that it is truthy; known
// values stay as they are.
func (v Value) Truthy() Value {
	if v.kind == KindUndefined || v.kind == KindNull || v.known {
		return v
	}
	v.truthy = v.object == nil
	v.absent = false
	return v
}

// MayBeAbsent is true for an object or array in whose place there may be
// undefined or null.
func (v Value) MayBeAbsent() bool { return v.absent }

// Located gives the value with the name of the text that its origins' spans
// refer to, for every origin that has none yet. A caller that feeds a result
// back through a Scope uses it to keep spans of different texts apart.
func (v Value) Located(where string) Value {
	return v.mapOrigins(func(o *Origin) {
		if o.Where == "" {
			o.Where = where
		}
	})
}

func (v Value) mapOrigins(change func(*Origin)) Value {
	mapper := originMapper{change: change, seen: map[*object]*object{}, nodes: maxValueNodes}
	return mapper.value(v, 0)
}

type originMapper struct {
	change func(*Origin)
	seen   map[*object]*object
	nodes  int
}

func (m *originMapper) value(v Value, depth int) Value {
	m.nodes--
	if depth > maxValueDepth*2 || m.nodes < 0 {
		return Anything()
	}
	if v.leaf != nil {
		v = v.unlinked()
	}
	v.origins = marked(v.origins, m.change)
	if v.object == nil {
		return v
	}
	if done := m.seen[v.object]; done != nil {
		v.object = done
		return v
	}
	copied := &object{summary: v.object.summary}
	m.seen[v.object] = copied
	old := v.object.content
	next := &content{open: old.open, many: old.many, collection: old.collection, min: old.min, max: old.max}
	next.rest = m.value(old.rest, depth+1)
	for _, field := range old.fields {
		next.fields = append(next.fields, Field{field.Name, m.value(field.Value, depth+1), field.Optional})
	}
	for _, element := range old.elements {
		next.elements = append(next.elements, m.value(element, depth+1))
	}
	copied.content = next
	v.object = copied
	return v
}

// unlinked turns a reference with a span into an unknown value whose origin
// keeps the span. References without a span stay symbolic.
func (v Value) unlinked() Value {
	if v.leaf.end == 0 {
		return v
	}
	return Value{origins: v.Origins()}
}

// String shows the value for tests and messages; it is no JavaScript.
func (v Value) String() string {
	var b strings.Builder
	v.write(&b, 0)
	return b.String()
}

func (v Value) write(b *strings.Builder, depth int) {
	if depth > maxValueDepth || b.Len() > maxTextBytes {
		b.WriteString("…")
		return
	}
	switch v.kind {
	case KindBool:
		v.writePrimitive(b, strconv.FormatBool(v.boolean))
	case KindNumber:
		v.writePrimitive(b, formatNumber(v.number))
	case KindString:
		v.writePrimitive(b, strconv.Quote(v.text))
	case KindObject:
		v.writeObject(b, depth)
	case KindArray:
		v.writeArray(b, depth)
	case KindReference:
		b.WriteString("ref(" + strings.Join(append([]string{v.leaf.node}, v.leaf.path...), ".") + ")")
	default:
		b.WriteString(v.kind.String())
	}
}

func (v Value) writePrimitive(b *strings.Builder, content string) {
	if v.known {
		b.WriteString(content)
		return
	}
	b.WriteString("<" + v.kind.String() + ">")
}

func (v Value) writeObject(b *strings.Builder, depth int) {
	b.WriteByte('{')
	for i, field := range v.object.content.fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(field.Name)
		if field.Optional {
			b.WriteByte('?')
		}
		b.WriteString(": ")
		field.Value.write(b, depth+1)
	}
	if v.object.content.open {
		b.WriteString(", …")
	}
	b.WriteByte('}')
}

func (v Value) writeArray(b *strings.Builder, depth int) {
	c := v.object.content
	b.WriteByte('[')
	for i, element := range c.elements {
		if i > 0 {
			b.WriteString(", ")
		}
		element.write(b, depth+1)
	}
	if c.many {
		c.rest.write(b, depth+1)
		high := "∞"
		if c.max < Unbounded {
			high = strconv.Itoa(c.max)
		}
		b.WriteString(" × " + strconv.Itoa(c.min) + "…" + high)
	}
	b.WriteByte(']')
}
