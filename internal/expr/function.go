package expr

import (
	"math"
	"strconv"
	"strings"
)

// native is a function that the package evaluates itself.
type native func(e *evaluator, c call) Value

// functionOf gives the language's and n8n's functions by their path.
func functionOf(path string) native {
	switch path {
	case "Object.keys":
		return func(e *evaluator, c call) Value { return e.keys(c.argument(0)) }
	case "Object.values":
		return func(e *evaluator, c call) Value { return e.fieldValues(c.argument(0)) }
	case "Object.entries":
		return func(e *evaluator, c call) Value { return e.entries(c.argument(0)) }
	case "Object.assign":
		return objectAssign
	case "Object.fromEntries":
		return fromEntries
	case "Object.freeze", "Object.seal", "structuredClone", "Promise.resolve", "Promise.all", "Promise.allSettled":
		return func(_ *evaluator, c call) Value { return c.argument(0) }
	case "Array.isArray":
		return func(_ *evaluator, c call) Value { return isArray(c.argument(0)) }
	case "Array.from":
		return arrayFrom
	case "Array.of":
		return func(e *evaluator, c call) Value { return c.list.array(e) }
	case "Number", "parseFloat", "Number.parseFloat", "parseInt", "Number.parseInt":
		return func(e *evaluator, c call) Value { return parseNumberCall(e, path, c) }
	case "isNaN", "Number.isNaN", "isFinite", "Number.isFinite", "Number.isInteger", "Number.isSafeInteger":
		return func(e *evaluator, c call) Value { return numberTest(e, path, c.argument(0)) }
	case "String":
		return func(e *evaluator, c call) Value {
			if len(c.values) == 0 {
				return String("")
			}
			return e.toString(c.argument(0))
		}
	case "Boolean":
		return func(_ *evaluator, c call) Value {
			return Truth(c.argument(0)).value().WithOrigins(c.argument(0).Origins()...)
		}
	case "BigInt":
		return func(e *evaluator, c call) Value { return toNumber(e.toPrimitive(c.argument(0))) }
	case "JSON.stringify":
		return stringify
	case "JSON.parse":
		return parseJSON
	case "encodeURIComponent", "encodeURI", "decodeURIComponent", "decodeURI", "escape", "unescape", "btoa", "atob":
		return func(e *evaluator, c call) Value { return e.textFrom(c.argument(0)) }
	}
	return hostFunction(path)
}

// hostFunction gives what n8n and its sandbox add to the language.
func hostFunction(path string) native {
	switch path {
	case "$if":
		return ifCall
	case "$ifEmpty":
		return func(e *evaluator, c call) Value { return e.ifEmpty(c.argument(0), c.argument(1)) }
	case "$min", "$max", "Math.min", "Math.max", "Math.floor", "Math.round", "Math.ceil", "Math.trunc", "Math.abs",
		"Math.pow", "Math.sqrt", "Math.log", "Math.log10", "Math.log2", "Math.sign":
		return func(e *evaluator, c call) Value { return mathCall(e, path, c) }
	case "$jmespath", "$jmesPath":
		return func(e *evaluator, c call) Value { return e.unknownFrom(c.argument(0)) }
	case "console.log", "console.error", "console.warn", "console.info", "console.debug", "console.table":
		return func(*evaluator, call) Value { return Undefined() }
	case "require":
		return requireCall
	case "$getWorkflowStaticData", "getWorkflowStaticData", "this.getWorkflowStaticData":
		return func(e *evaluator, c call) Value { return e.staticData(path, c) }
	case "$item":
		return func(e *evaluator, c call) Value {
			return Value{truthy: true, proxy: &proxy{kind: proxyCurrent, start: e.start(c.node), end: e.end(c.node)}}
		}
	case "$evaluateExpression":
		return nil
	case "setTimeout", "setImmediate", "setInterval", "queueMicrotask":
		return func(e *evaluator, c call) Value {
			e.callBack(c.values, Origin{Kind: OriginUnknown, Name: path, Start: e.start(c.node), End: e.end(c.node)})
			return Value{truthy: true}
		}
	case "Buffer.from", "RegExp", "Symbol", "Date.parse", "Date.UTC", "DateTime.fromISO", "DateTime.fromFormat",
		"DateTime.fromMillis", "DateTime.fromSeconds", "DateTime.fromJSDate", "DateTime.fromSQL", "DateTime.fromObject",
		"DateTime.local", "DateTime.utc", "moment", "dayjs", "URL.canParse":
		return func(e *evaluator, c call) Value {
			v := e.unknownFrom(c.values...)
			v.truthy = path != "Date.parse"
			return v
		}
	case "Error", "TypeError", "RangeError":
		return func(e *evaluator, c call) Value {
			return e.newObject(&content{open: true, fields: []Field{{Name: "message", Value: c.argument(0)}}})
		}
	}
	return nil
}

func numericConstant(path string) (float64, bool) {
	switch path {
	case "Math.PI":
		return math.Pi, true
	case "Math.E":
		return math.E, true
	case "Number.MAX_SAFE_INTEGER":
		return 1<<53 - 1, true
	case "Number.MIN_SAFE_INTEGER":
		return -(1<<53 - 1), true
	case "Number.MAX_VALUE":
		return math.MaxFloat64, true
	}
	return 0, false
}

// keys gives an object's field names, or an array's indexes.
func (e *evaluator) keys(v Value) Value {
	origins := v.Origins()
	if v.object == nil {
		return e.manyOf(NonEmptyString().WithOrigins(origins...), 0, Unbounded).WithOrigins(origins...)
	}
	c := e.contentOf(v.object)
	if v.kind == KindArray {
		low, high := c.count()
		return e.manyOf(NonEmptyString(), low, high).WithOrigins(origins...)
	}
	names := make([]Value, 0, len(c.fields))
	for _, field := range c.fields {
		names = append(names, String(field.Name).WithOrigins(origins...))
	}
	return e.perField(c, names, NonEmptyString().WithOrigins(c.rest.Origins()...))
}

func (e *evaluator) fieldValues(v Value) Value {
	if v.kind == KindArray {
		return v
	}
	if v.object == nil {
		return e.manyOf(e.extend(v, "*"), 0, Unbounded).WithOrigins(v.Origins()...)
	}
	c := e.contentOf(v.object)
	values := make([]Value, 0, len(c.fields))
	for _, field := range c.fields {
		values = append(values, field.Value)
	}
	return e.perField(c, values, e.extend(c.rest, "*"))
}

func (e *evaluator) entries(v Value) Value {
	if v.kind != KindObject {
		pair := e.listOf([]Value{NonEmptyString().WithOrigins(v.Origins()...), e.anyElement(v)})
		return e.manyOf(pair, 0, Unbounded).WithOrigins(v.Origins()...)
	}
	c := e.contentOf(v.object)
	pairs := make([]Value, 0, len(c.fields))
	for _, field := range c.fields {
		pairs = append(pairs, e.listOf([]Value{String(field.Name), field.Value}))
	}
	rest := Undefined()
	if c.open {
		rest = e.listOf([]Value{NonEmptyString().WithOrigins(c.rest.Origins()...), e.extend(c.rest, "*")})
	}
	return e.perField(c, pairs, rest)
}

// perField is an array with one element for each field.
func (e *evaluator) perField(c *content, values []Value, rest Value) Value {
	required := 0
	for _, field := range c.fields {
		if !field.Optional {
			required++
		}
	}
	if !c.open && required == len(values) {
		return e.listOf(values)
	}
	high := len(values)
	if c.open {
		high = Unbounded
		values = append(values, rest)
	}
	return e.manyOf(e.summary(values, 0), required, high)
}

func objectAssign(e *evaluator, c call) Value {
	target := c.argument(0)
	if target.kind != KindObject {
		return e.unknownFrom(c.values...)
	}
	next := *e.contentOf(target.object)
	next.fields = append([]Field(nil), next.fields...)
	builder := objectBuilder{e: e, content: &next}
	for _, source := range c.values[1:] {
		builder.spread(source)
	}
	e.writeObject(target.object, &next)
	return target
}

func fromEntries(e *evaluator, c call) Value {
	builder := objectBuilder{e: e, content: &content{}}
	source := c.argument(0)
	if source.kind != KindArray || e.contentOf(source.object).many {
		builder.openWith(e.unknownFrom(source))
		return builder.value()
	}
	for _, pair := range e.contentOf(source.object).elements {
		key, value := e.readField(pair, "0"), e.readField(pair, "1")
		if name, ok := propertyName(key); ok {
			builder.set(name, value)
			continue
		}
		builder.openWith(value)
	}
	return builder.value()
}

func isArray(v Value) Value {
	result := triOf(v.kind == KindArray)
	if isOpaque(v) {
		result = Maybe
	}
	return result.value().WithOrigins(v.Origins()...)
}

func arrayFrom(e *evaluator, c call) Value {
	source := e.iterable(c.argument(0))
	if source.kind != KindArray {
		element := e.anyElement(source)
		if source.kind == KindObject {
			element = e.anyField(source)
		}
		source = e.manyOf(element, 0, Unbounded).WithOrigins(source.Origins()...)
	} else {
		copied := *e.contentOf(source.object)
		source = e.newArray(&copied).WithOrigins(source.origins...)
	}
	if c.argument(1).code == nil {
		return source
	}
	return arrayMap(e, call{receiver: source, values: c.values[1:], list: c.list, node: c.node})
}

func parseNumberCall(e *evaluator, path string, c call) Value {
	v := e.toPrimitive(c.argument(0))
	text, isText := v.AsString()
	switch {
	case len(c.values) == 0:
		return Number(0)
	case strings.HasSuffix(path, "parseInt") && v.known:
		if isText {
			return Number(leadingInteger(text, c.argument(1))).WithOrigins(v.Origins()...)
		}
		return Number(leadingInteger(formatNumber(toNumber(v).number), c.argument(1))).WithOrigins(v.Origins()...)
	case strings.HasSuffix(path, "parseFloat") && isText:
		return Number(leadingFloat(text)).WithOrigins(v.Origins()...)
	}
	return toNumber(v)
}

func leadingInteger(s string, radix Value) float64 {
	if base, ok := radix.AsNumber(); ok && base != 10 && base != 0 {
		n, err := strconv.ParseInt(strings.TrimSpace(s), int(math.Max(2, math.Min(36, base))), 64)
		if err != nil {
			return math.NaN()
		}
		return float64(n)
	}
	s = strings.TrimSpace(s)
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || end == 0 && (s[end] == '-' || s[end] == '+')) {
		end++
	}
	return floatOf(s[:end])
}

func leadingFloat(s string) float64 {
	s = strings.TrimSpace(s)
	for end := min(len(s), 40); end > 0; end-- {
		if n := floatOf(s[:end]); !math.IsNaN(n) {
			return n
		}
	}
	return math.NaN()
}

func floatOf(s string) float64 {
	if s == "" || strings.Trim(s, "0123456789+-.eE") != "" {
		return math.NaN()
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

func numberTest(e *evaluator, path string, v Value) Value {
	origins := v.Origins()
	if strings.HasPrefix(path, "Number.") && !isOpaque(v) && v.kind != KindNumber {
		return Bool(false).WithOrigins(origins...)
	}
	n := toNumber(e.toPrimitive(v))
	if !n.known {
		return SomeBool().WithOrigins(origins...)
	}
	finite := !math.IsNaN(n.number) && !math.IsInf(n.number, 0)
	result := finite
	switch path {
	case "isNaN", "Number.isNaN":
		result = math.IsNaN(n.number)
	case "Number.isInteger", "Number.isSafeInteger":
		result = finite && n.number == math.Trunc(n.number)
	}
	return Bool(result).WithOrigins(origins...)
}

func (e *evaluator) textFrom(v Value) Value {
	text := derivedString(e.allOrigins(v))
	text.truthy = v.kind == KindString && Truth(v) == True
	if s, ok := v.AsString(); ok && s == "" {
		return v
	}
	return text
}

func stringify(e *evaluator, c call) Value {
	v := c.argument(0)
	if v.kind == KindUndefined || v.kind == KindFunction {
		return Undefined().WithOrigins(v.origins...)
	}
	var b strings.Builder
	if len(c.values) == 1 && e.encodeJSON(&b, v, 0) {
		// The encoder ends each string with a line feed.
		return String(strings.ReplaceAll(b.String(), "\n", "")).WithOrigins(e.allOrigins(v)...)
	}
	return NonEmptyString().WithOrigins(e.allOrigins(v)...)
}

func parseJSON(e *evaluator, c call) Value {
	v := c.argument(0)
	origins := e.allOrigins(v)
	if text, ok := v.AsString(); ok && strings.TrimSpace(text) != "" {
		if decoded, err := decodeJSON(text); err == nil {
			return decoded.WithOrigins(origins...)
		}
		e.throw(Anything())
		return Undefined()
	}
	e.mightThrow()
	return Value{origins: origins}
}

func ifCall(e *evaluator, c call) Value {
	switch Truth(c.argument(0)) {
	case True:
		return c.argument(1)
	case False:
		return c.argument(2)
	}
	return e.join(c.argument(1), c.argument(2)).WithOrigins()
}

// ifEmpty is n8n's fallback: a value that is undefined, null, an empty string,
// array or object gives way to the second.
func (e *evaluator) ifEmpty(v, other Value) Value {
	switch e.emptiness(v) {
	case True:
		other.origins = union(other.origins, v.Origins()...)
		return other
	case False:
		return v
	}
	v.absent = false
	return e.join(v, e.fallback(other))
}

// emptiness decides n8n's isEmpty.
func (e *evaluator) emptiness(v Value) Tri {
	switch {
	case nullish(v) == True:
		return True
	case v.absent:
		return Maybe
	}
	switch v.kind {
	case KindString:
		return Truth(v).Not()
	case KindArray:
		low, high := e.contentOf(v.object).count()
		return emptyBetween(low, high)
	case KindObject:
		c := e.contentOf(v.object)
		low := 0
		for _, field := range c.fields {
			if !field.Optional {
				low++
			}
		}
		if c.open {
			return emptyBetween(low, Unbounded)
		}
		return emptyBetween(low, len(c.fields))
	case KindNumber, KindBool:
		return False
	}
	return Maybe
}

func emptyBetween(low, high int) Tri {
	switch {
	case high == 0:
		return True
	case low > 0:
		return False
	}
	return Maybe
}

func mathCall(e *evaluator, path string, c call) Value {
	numbers := make([]Value, 0, len(c.values))
	known := !c.list.many
	for _, v := range c.values {
		n := toNumber(e.toPrimitive(v))
		known = known && n.known
		numbers = append(numbers, n)
	}
	origins := e.originsOf(c.values...)
	if !known || len(numbers) == 0 {
		v := SomeNumber().WithOrigins(origins...)
		if path == "Math.floor" && len(numbers) == 1 {
			v.low, v.high = numbers[0].low, numbers[0].high
			v.low = math.Floor(v.low)
		}
		return v
	}
	result := numbers[0].number
	switch path {
	case "$min", "Math.min":
		for _, n := range numbers[1:] {
			result = math.Min(result, n.number)
		}
	case "$max", "Math.max":
		for _, n := range numbers[1:] {
			result = math.Max(result, n.number)
		}
	case "Math.pow":
		if len(numbers) < 2 {
			return Number(math.NaN())
		}
		result = math.Pow(result, numbers[1].number)
	default:
		result = roundCall(path, result)
	}
	return Number(result).WithOrigins(origins...)
}

func roundCall(path string, n float64) float64 {
	switch path {
	case "Math.floor":
		return math.Floor(n)
	case "Math.ceil":
		return math.Ceil(n)
	case "Math.round":
		return math.Floor(n + 0.5)
	case "Math.trunc":
		return math.Trunc(n)
	case "Math.abs":
		return math.Abs(n)
	case "Math.sqrt":
		return math.Sqrt(n)
	case "Math.log":
		return math.Log(n)
	case "Math.log10":
		return math.Log10(n)
	case "Math.log2":
		return math.Log2(n)
	case "Math.sign":
		switch {
		case n > 0:
			return 1
		case n < 0:
			return -1
		}
	}
	return n
}

// requireCall gives a module, named by its path without the node: scheme.
func requireCall(e *evaluator, c call) Value {
	name, ok := c.argument(0).AsString()
	if !ok {
		e.mightThrow()
		return Anything()
	}
	return Value{truthy: true, text: strings.TrimPrefix(name, "node:")}
}

// staticData is an object whose fields an earlier execution may have written.
func (e *evaluator) staticData(path string, c call) Value {
	e.record(path, c)
	origin := Origin{Kind: OriginCall, Name: path, Start: e.start(c.node), End: e.end(c.node)}
	key := path
	if v, ok := e.nodeItems["\x00"+key]; ok {
		return v
	}
	v := newObject(&content{open: true, rest: Value{origins: []Origin{origin}}})
	if e.nodeItems == nil {
		e.nodeItems = map[string]Value{}
	}
	e.nodeItems["\x00"+key] = v
	return v
}
