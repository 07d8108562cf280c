package expr

import (
	"math"
	"strings"
)

// methodOf gives a method of the language or n8n by name for the kind of its
// receiver; nil if the package does not know it.
func methodOf(receiver Value, name string) native {
	switch receiver.kind {
	case KindObject:
		if receiver.object.content.collection != noCollection {
			if m := collectionMethod(name); m != nil {
				return m
			}
		}
	case KindArray:
		if m := arrayMethod(name); m != nil {
			return m
		}
	case KindString:
		if m := stringMethod(name); m != nil {
			return m
		}
	case KindReference, KindUnknown:
		if m := opaqueArrayMethod(name); m != nil {
			return m
		}
		if receiver.kind == KindReference || receiver.text == "" {
			if m := opaqueTextMethod(name); m != nil {
				return m
			}
		}
	}
	return commonMethod(name)
}

// commonMethod gives methods that every value has, or that say by their name
// what they yield.
func commonMethod(name string) native {
	switch name {
	case "toString", "toLocaleString":
		return func(e *evaluator, c call) Value {
			if len(c.values) > 0 && c.receiver.kind == KindNumber {
				return NonEmptyString().WithOrigins(c.receiver.Origins()...)
			}
			return e.toString(c.receiver)
		}
	case "valueOf", "bind":
		return func(_ *evaluator, c call) Value { return c.receiver }
	case "isEmpty", "isNotEmpty":
		return func(e *evaluator, c call) Value {
			empty := e.emptiness(c.receiver)
			if name == "isNotEmpty" {
				empty = empty.Not()
			}
			return empty.value().WithOrigins(c.receiver.Origins()...)
		}
	case "ifEmpty":
		return func(e *evaluator, c call) Value { return e.ifEmpty(c.receiver, c.argument(0)) }
	case "hash", "base64Encode", "toISOString", "toISO", "toISODate", "toISOTime", "toFormat", "format", "toFixed",
		"toPrecision", "toJsonString", "toJSON", "toSQL", "toDateString", "toLocaleDateString", "toLocaleTimeString",
		"toTimeString", "toUTCString", "toHTTP", "digest", "randomUUID":
		return textOfReceiver
	case "toNumber", "toInt", "toFloat", "round", "floor", "ceil", "abs":
		return func(e *evaluator, c call) Value { return numberOfReceiver(e, name, c) }
	case "toMillis", "toSeconds", "toUnixInteger", "getTime", "getFullYear", "getMonth", "getDate", "getDay", "getHours",
		"getMinutes", "getSeconds", "getMilliseconds", "getUTCFullYear", "getUTCMonth", "getUTCDate", "getUTCDay",
		"getUTCHours", "getUTCMinutes", "getUTCSeconds", "getTimezoneOffset", "extract", "unix", "charCodeAt", "codePointAt":
		return func(e *evaluator, c call) Value { return SomeNumber().WithOrigins(e.allOrigins(c.receiver)...) }
	case "toBoolean":
		return toBoolean
	case "plus", "minus", "startOf", "endOf", "setZone", "toUTC", "toLocal", "setLocale", "toDateTime", "toJSDate":
		return func(e *evaluator, c call) Value {
			v := e.unknownFrom(append([]Value{c.receiver}, c.values...)...)
			v.truthy = true
			return v
		}
	}
	return objectMethod(name)
}

func objectMethod(name string) native {
	switch name {
	case "hasOwnProperty", "hasField":
		return func(e *evaluator, c call) Value { return e.in(c.argument(0), c.receiver) }
	case "keys":
		return func(e *evaluator, c call) Value { return e.keys(c.receiver) }
	case "values":
		return func(e *evaluator, c call) Value { return e.fieldValues(c.receiver) }
	case "removeField", "compact", "removeFieldsContaining", "keepFieldsContaining", "merge", "parseJson", "urlEncode":
		return func(e *evaluator, c call) Value { return e.unknownFrom(append([]Value{c.receiver}, c.values...)...) }
	case "then":
		return thenCall
	case "catch", "finally":
		return func(e *evaluator, c call) Value {
			e.callBack(c.values, Origin{Kind: OriginUnknown, Name: name, Start: e.start(c.node), End: e.end(c.node)})
			return c.receiver
		}
	case "call", "apply":
		return functionCall
	case "has", "get", "set", "add", "clear", "test", "exec", "update", "append", "setDate", "setHours", "setMinutes",
		"setMonth", "setFullYear", "setUTCHours":
		return func(e *evaluator, c call) Value {
			if c.receiver.text != "" {
				return e.callUnknown("", c)
			}
			return e.unknownFrom(append([]Value{c.receiver}, c.values...)...)
		}
	}
	return nil
}

func textOfReceiver(e *evaluator, c call) Value {
	v := NonEmptyString().WithOrigins(e.allOrigins(c.receiver)...)
	return v.WithOrigins(e.originsOf(c.values...)...)
}

func numberOfReceiver(e *evaluator, name string, c call) Value {
	n := toNumber(e.toPrimitive(c.receiver))
	if !n.known {
		return SomeNumber().WithOrigins(n.origins...)
	}
	switch name {
	case "toInt", "floor":
		n.number = math.Floor(n.number)
	case "ceil":
		n.number = math.Ceil(n.number)
	case "abs":
		n.number = math.Abs(n.number)
	case "round":
		if len(c.values) > 0 {
			return SomeNumber().WithOrigins(n.origins...)
		}
		n.number = math.Floor(n.number + 0.5)
	}
	return n
}

// toBoolean is n8n's: the texts "false", "0" and "no" are false.
func toBoolean(_ *evaluator, c call) Value {
	v := c.receiver
	if text, ok := v.AsString(); ok {
		switch strings.ToLower(text) {
		case "", "false", "0", "no":
			return Bool(false).WithOrigins(v.origins...)
		}
		return Bool(true).WithOrigins(v.origins...)
	}
	if v.kind == KindString || isOpaque(v) {
		return SomeBool().WithOrigins(v.Origins()...)
	}
	return Truth(v).value().WithOrigins(v.Origins()...)
}

// thenCall treats a promise as its value.
func thenCall(e *evaluator, c call) Value {
	e.mightThrow()
	callback := c.argument(0)
	if callback.code == nil {
		return c.receiver
	}
	var arguments list
	arguments.add(c.receiver)
	return e.callClosure(callback.code, nil, arguments)
}

func functionCall(e *evaluator, c call) Value {
	if c.receiver.code == nil {
		return e.callUnknown("", c)
	}
	arguments := c.list
	switch {
	case c.method == "apply":
		arguments = list{}
		arguments.spread(e, c.argument(1))
	case len(c.values) > 0 && !c.list.many:
		arguments.values = c.values[1:]
	}
	this := c.argument(0)
	return e.callClosure(c.receiver.code, &this, arguments)
}
