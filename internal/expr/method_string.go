package expr

import (
	"math"
	"strings"

	"github.com/dop251/goja/token"
)

func stringMethod(name string) native {
	switch name {
	case "trim", "trimStart", "trimEnd", "toLowerCase", "toUpperCase", "toLocaleLowerCase", "toLocaleUpperCase":
		return func(_ *evaluator, c call) Value { return changeCase(name, c.receiver) }
	case "includes", "startsWith", "endsWith":
		return func(e *evaluator, c call) Value { return contains(e, name, c.receiver, c.argument(0)) }
	case "indexOf", "lastIndexOf", "search":
		return indexOf
	case "slice", "substring", "substr":
		return func(e *evaluator, c call) Value { return cut(e, name, c) }
	case "split":
		return split
	case "replace", "replaceAll":
		return replace
	case "padStart", "padEnd", "repeat", "concat", "normalize":
		return func(e *evaluator, c call) Value { return lengthen(e, name, c) }
	case "charAt", "at":
		return func(e *evaluator, c call) Value {
			return derivedString(e.originsOf(c.receiver, c.argument(0)))
		}
	case "match", "matchAll":
		return matchText
	case "localeCompare":
		return func(e *evaluator, c call) Value {
			return SomeNumber().WithOrigins(e.originsOf(c.receiver, c.argument(0))...)
		}
	case "parseJson":
		return func(e *evaluator, c call) Value {
			return parseJSON(e, call{node: c.node, values: []Value{c.receiver}})
		}
	case "base64Decode", "urlEncode", "urlDecode", "extractDomain", "extractEmail", "extractUrl", "extractUrlPath",
		"toTitleCase", "toSentenceCase", "toSnakeCase", "toCamelCase", "removeMarkdown", "removeTags", "replaceSpecialChars", "quote":
		return func(e *evaluator, c call) Value { return derivedString(e.allOrigins(c.receiver)) }
	case "isEmail", "isUrl", "isDomain", "isNumeric":
		return func(e *evaluator, c call) Value { return SomeBool().WithOrigins(c.receiver.origins...) }
	}
	return nil
}

// opaqueTextMethod gives the methods of a value of unknown content that only strings have.
func opaqueTextMethod(name string) native {
	switch name {
	case "includes", "concat", "indexOf", "lastIndexOf", "slice", "at":
		return nil
	}
	m := stringMethod(name)
	if m == nil {
		return nil
	}
	return func(e *evaluator, c call) Value {
		e.mightThrow()
		c.receiver = derivedString(c.receiver.Origins())
		return m(e, c)
	}
}

func changeCase(name string, v Value) Value {
	if !v.known {
		text := derivedString(v.origins)
		text.truthy = v.truthy && !strings.HasPrefix(name, "trim")
		return text
	}
	text := v.text
	switch name {
	case "trim":
		text = strings.TrimSpace(text)
	case "trimStart":
		text = strings.TrimLeft(text, " \t\r\n")
	case "trimEnd":
		text = strings.TrimRight(text, " \t\r\n")
	case "toLowerCase", "toLocaleLowerCase":
		text = strings.ToLower(text)
	default:
		text = strings.ToUpper(text)
	}
	return String(text).WithOrigins(v.origins...)
}

func contains(e *evaluator, name string, v, part Value) Value {
	origins := e.originsOf(v, part)
	if !isOpaque(part) && part.kind != KindString {
		part = e.toString(part)
	}
	if part.known && part.kind == KindString && part.text == "" {
		return Bool(true).WithOrigins(origins...)
	}
	if !v.known || !part.known || part.kind != KindString {
		return SomeBool().WithOrigins(origins...)
	}
	var found bool
	switch name {
	case "includes":
		found = strings.Contains(v.text, part.text)
	case "startsWith":
		found = strings.HasPrefix(v.text, part.text)
	default:
		found = strings.HasSuffix(v.text, part.text)
	}
	return Bool(found).WithOrigins(origins...)
}

func indexOf(e *evaluator, c call) Value {
	origins := e.originsOf(c.receiver, c.argument(0))
	part, ok := c.argument(0).AsString()
	if !ok || !c.receiver.known || len(c.values) > 1 || c.method == "search" {
		return NumberBetween(-1, math.Inf(1)).WithOrigins(origins...)
	}
	at := strings.Index(c.receiver.text, part)
	if c.method == "lastIndexOf" {
		at = strings.LastIndex(c.receiver.text, part)
	}
	if at > 0 {
		at = len(utf16Of(c.receiver.text[:at]))
	}
	return Number(float64(at)).WithOrigins(origins...)
}

func cut(e *evaluator, name string, c call) Value {
	origins := e.originsOf(append([]Value{c.receiver}, c.values...)...)
	start, startOK := wholeNumber(c.argument(0), 0)
	units := utf16Of(c.receiver.text)
	end, endOK := wholeNumber(c.argument(1), len(units))
	if !c.receiver.known || !startOK || !endOK {
		return derivedString(origins)
	}
	switch name {
	case "slice":
		start, end = fromEnd(start, len(units)), fromEnd(end, len(units))
	case "substring":
		start, end = clampIndex(start, len(units)), clampIndex(end, len(units))
		start, end = min(start, end), max(start, end)
	default:
		start = fromEnd(start, len(units))
		if len(c.values) > 1 {
			end = clampIndex(start+clampIndex(end, len(units)), len(units))
		}
	}
	if start >= end {
		return String("").WithOrigins(origins...)
	}
	return String(textOf(units[start:end])).WithOrigins(origins...)
}

// wholeNumber gives an index argument, or its default where it is undefined.
func wholeNumber(v Value, missing int) (int, bool) {
	if v.kind == KindUndefined {
		return missing, true
	}
	n, ok := v.AsNumber()
	if !ok {
		return 0, false
	}
	if math.IsNaN(n) {
		return 0, true
	}
	return int(math.Max(-1e9, math.Min(1e9, math.Trunc(n)))), true
}

func clampIndex(index, length int) int { return max(0, min(index, length)) }

func fromEnd(index, length int) int {
	if index < 0 {
		return max(0, length+index)
	}
	return min(index, length)
}

func split(e *evaluator, c call) Value {
	origins := e.originsOf(c.receiver, c.argument(0))
	separator, ok := c.argument(0).AsString()
	if !ok || !c.receiver.known || len(c.values) > 1 {
		low := 1
		if ok && separator == "" || !ok {
			low = 0
		}
		element := derivedString(origins)
		return e.manyOf(element, low, Unbounded).WithOrigins(origins...)
	}
	if strings.Count(c.receiver.text, separator) > maxElements {
		return e.manyOf(derivedString(origins), maxElements, Unbounded)
	}
	pieces := strings.Split(c.receiver.text, separator)
	elements := make([]Value, 0, len(pieces))
	for _, piece := range pieces {
		elements = append(elements, String(piece).WithOrigins(origins...))
	}
	return e.listOf(elements)
}

func replace(e *evaluator, c call) Value {
	replacement := c.argument(1)
	if replacement.code != nil {
		e.callBack(c.values[1:2], Origin{Kind: OriginUnknown, Name: "match", Start: e.start(c.node), End: e.end(c.node)})
		replacement = Value{}
	}
	origins := e.originsOf(c.receiver, c.argument(0), replacement)
	old, oldOK := c.argument(0).AsString()
	next, nextOK := replacement.AsString()
	if !c.receiver.known || !oldOK || !nextOK || strings.Contains(next, "$") {
		return derivedString(origins)
	}
	count := 1
	if c.method == "replaceAll" {
		count = strings.Count(c.receiver.text, old)
	}
	if len(c.receiver.text)+count*len(next) > maxTextBytes {
		return derivedString(origins)
	}
	return String(strings.Replace(c.receiver.text, old, next, count)).WithOrigins(origins...)
}

func lengthen(e *evaluator, name string, c call) Value {
	origins := e.originsOf(append([]Value{c.receiver}, c.values...)...)
	if name == "concat" {
		v := c.receiver
		for _, part := range c.values {
			v = e.operate(token.PLUS, v, e.toString(part))
		}
		return v
	}
	size, sizeOK := wholeNumber(c.argument(0), 0)
	filler, fillerOK := " ", true
	if len(c.values) > 1 {
		filler, fillerOK = c.argument(1).AsString()
	}
	text := derivedString(origins)
	text.truthy = name != "repeat" && Truth(c.receiver) == True
	if !c.receiver.known || !sizeOK || !fillerOK || size < 0 || size > 4096 || name == "normalize" {
		return text
	}
	if name == "repeat" {
		if size*len(c.receiver.text) > maxTextBytes {
			return text
		}
		return String(strings.Repeat(c.receiver.text, size)).WithOrigins(origins...)
	}
	missing := size - len(utf16Of(c.receiver.text))
	if missing <= 0 || filler == "" {
		return c.receiver.WithOrigins(origins...)
	}
	units := utf16Of(strings.Repeat(filler, missing))
	padding := textOf(units[:missing])
	if name == "padStart" {
		return String(padding + c.receiver.text).WithOrigins(origins...)
	}
	return String(c.receiver.text + padding).WithOrigins(origins...)
}

// matchText gives null or an array of matched pieces.
func matchText(e *evaluator, c call) Value {
	origins := e.originsOf(c.receiver, c.argument(0))
	v := e.manyOf(derivedString(origins), 1, Unbounded).WithOrigins(origins...)
	v.absent = true
	return v
}
