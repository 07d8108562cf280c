package expr

import "math"

// A Map or Set is an object whose content is a collection: rest covers its
// values, its only field covers the keys of a Map, and open says that something
// may have been added.

const collectionKeys = "keys"

type collectionKind uint8

const (
	noCollection collectionKind = iota
	setCollection
	mapCollection
)

func (e *evaluator) newCollection(name string, arguments list) Value {
	kind := setCollection
	if name == "Map" || name == "WeakMap" {
		kind = mapCollection
	}
	v := e.newObject(&content{collection: kind})
	if len(arguments.values) == 0 || nullish(arguments.values[0]) == True {
		return v
	}
	source := arguments.values[0]
	if source.kind == KindArray {
		if _, high := e.contentOf(source.object).count(); high == 0 {
			return v
		}
	}
	element := e.anyElement(source)
	if kind == mapCollection {
		e.collect(v, e.readField(element, "0"), e.readField(element, "1"))
		return v
	}
	e.collect(v, element, element)
	return v
}

// collect adds a value under a key.
func (e *evaluator) collect(collection, key, value Value) {
	old := e.contentOf(collection.object)
	next := &content{collection: old.collection, open: true, rest: value}
	keys := key
	if old.open {
		next.rest = e.join(old.rest, value)
		keys = e.join(old.field(collectionKeys).Value, key)
	}
	next.fields = []Field{{Name: collectionKeys, Value: keys}}
	e.writeObject(collection.object, next)
}

// collected gives the array of a collection's values, keys or pairs.
func (e *evaluator) collected(collection Value, name string) Value {
	c := e.contentOf(collection.object)
	if !c.open {
		return e.listOf(nil)
	}
	keys := c.field(collectionKeys).Value
	element := c.rest
	switch name {
	case "keys":
		element = keys
	case "entries":
		element = e.listOf([]Value{keys, c.rest})
	}
	return e.manyOf(element, 0, Unbounded).WithOrigins(collection.origins...)
}

// iterable gives the array that a spread or for-of of a collection goes over;
// other values stay as they are.
func (e *evaluator) iterable(v Value) Value {
	if v.kind != KindObject {
		return v
	}
	switch e.contentOf(v.object).collection {
	case setCollection:
		return e.collected(v, "values")
	case mapCollection:
		return e.collected(v, "entries")
	}
	return v
}

func collectionMethod(name string) native {
	switch name {
	case "add", "set":
		return func(e *evaluator, c call) Value {
			value := c.argument(0)
			if name == "set" {
				value = c.argument(1)
			}
			e.collect(c.receiver, c.argument(0), value)
			return c.receiver
		}
	case "get":
		return func(e *evaluator, c call) Value {
			held := e.contentOf(c.receiver.object)
			if !held.open {
				return Undefined()
			}
			return e.join(held.rest, Undefined()).WithOrigins(c.argument(0).Origins()...)
		}
	case "has", "delete":
		return func(e *evaluator, c call) Value {
			held := e.contentOf(c.receiver.object)
			return triOf(held.open).And(Maybe).value().WithOrigins(e.originsOf(c.argument(0))...)
		}
	case "values", "keys", "entries":
		return func(e *evaluator, c call) Value { return e.collected(c.receiver, name) }
	case "clear":
		return func(e *evaluator, c call) Value {
			e.writeObject(c.receiver.object, &content{collection: c.receiver.object.content.collection})
			return Undefined()
		}
	case "forEach":
		return func(e *evaluator, c call) Value {
			c.receiver = e.collected(c.receiver, "values")
			return arrayForEach(e, c)
		}
	}
	return nil
}

func (e *evaluator) collectionSize(v Value) Value {
	if !e.contentOf(v.object).open {
		return Number(0)
	}
	return NumberBetween(0, math.Inf(1))
}
