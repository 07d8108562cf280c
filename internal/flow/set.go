package flow

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Assigned is one field that a Set node writes.
type Assigned struct {
	// Name is the field; dots go into objects unless Flat.
	Name string
	Flat bool
	// Value is the parameter that holds the value.
	Value source.Value
}

// Path is the field's path in the item.
func (a Assigned) Path() []string {
	if a.Flat {
		return []string{a.Name}
	}
	return dotted(a.Name)
}

// dotted splits a field name as lodash's set and get do: at dots, and at brackets
// around an index or a quoted name.
func dotted(name string) []string {
	if !strings.Contains(name, "[") {
		return strings.Split(name, ".")
	}
	name = brackets.Replace(name)
	return strings.Split(strings.TrimPrefix(name, "."), ".")
}

var brackets = strings.NewReplacer("['", ".", "']", "", `["`, ".", `"]`, "", "[", ".", "]", "")

// setFieldTypes are the keys under which Set 3.0 to 3.2 keep a value, by its type.
var setFieldTypes = []string{"stringValue", "numberValue", "booleanValue", "arrayValue", "objectValue"}

// SetFields are the fields that a Set node (Edit Fields) writes, in the order in
// which it writes them: a later one of the same name wins. Raw JSON mode has none.
func SetFields(n *graph.Node) []Assigned {
	if rawMode(n) {
		return nil
	}
	flat := n.Parameter("options", "dotNotation").Exists() && !n.Parameter("options", "dotNotation").IsTrue()
	var fields []Assigned
	add := func(name string, v source.Value) {
		if name != "" {
			fields = append(fields, Assigned{Name: name, Flat: flat, Value: v})
		}
	}
	if n.TypeVersion >= 3 {
		for a := range n.Parameter("assignments", "assignments").Children() {
			add(a.Get("name").Text(), a.Get("value"))
		}
		for a := range n.Parameter("fields", "values").Children() {
			add(a.Get("name").Text(), typedValue(a))
		}
		return fields
	}
	for _, kind := range []string{"boolean", "number", "string"} {
		for a := range n.Parameter("values", kind).Children() {
			add(a.Get("name").Text(), a.Get("value"))
		}
	}
	return fields
}

// typedValue is the value of one entry of Set 3.0 to 3.2.
func typedValue(entry source.Value) source.Value {
	if kind := entry.Get("type").Str(); kind != "" {
		return entry.Get(kind)
	}
	for _, kind := range setFieldTypes {
		if v := entry.Get(kind); v.Exists() {
			return v
		}
	}
	return source.Value{}
}

func rawMode(n *graph.Node) bool { return n.TypeVersion >= 3 && n.Parameter("mode").Str() == "raw" }

// KeepsFields reports whether a Set node gives on other fields than those that
// it writes: versions 1 and 2 unless told not to, 3.0 to 3.2 unless "include" is
// none, from 3.3 on only when asked.
func KeepsFields(n *graph.Node) bool {
	switch {
	case n.TypeVersion < 3:
		return !n.Parameter("keepOnlySet").IsTrue()
	case n.TypeVersion < 3.3:
		return n.Parameter("include").Str() != "none"
	}
	kept := n.Parameter("includeOtherFields")
	return kept.Exists() && (kept.Kind() != source.Bool || kept.IsTrue())
}

// set leads to what a Set node wrote into a field, and to the input for what it
// kept.
func (t *Tracer) set(n *graph.Node, path []string) []step {
	if rawMode(n) {
		return t.setRaw(n, path)
	}
	var steps []step
	fields := SetFields(n)
	for i := len(fields) - 1; i >= 0; i-- {
		f := fields[i]
		rest, ok := within(f.Path(), path)
		if !ok {
			continue
		}
		steps = append(steps, t.read(n, f.Value, rest, "sets "+f.Name)...)
		if covers(f.Path(), path) {
			return steps // written as a whole: nothing below or before shows through
		}
	}
	return t.withKept(n, path, steps)
}

// covers reports whether a written field is the asked one or one around it.
func covers(written, asked []string) bool {
	return len(asked) >= len(written) && slices.Equal(asked[:len(written)], written)
}

// withKept adds the other fields of the input, where the node keeps this one.
func (t *Tracer) withKept(n *graph.Node, path []string, steps []step) []step {
	from, kept := keptField(n, path)
	switch {
	case kept:
		return append(steps, back(n, from, passing(n)))
	case len(steps) > 0:
		return steps
	case len(path) == 0:
		return []step{constant(n, n.Place())} // an empty item
	}
	return []step{ending(Origin{Kind: Missing, Node: n, Path: path})}
}

// keptField says where in the input a kept field of the output stands.
func keptField(n *graph.Node, path []string) (from []string, kept bool) {
	if !KeepsFields(n) {
		return nil, false
	}
	if n.TypeVersion < 3 || len(path) == 0 {
		return path, true
	}
	switch n.Parameter("include").Str() {
	case "selected":
		for _, name := range listed(n.Parameter("includeFields").Str()) {
			names := dotted(name)
			if last := names[len(names)-1]; path[0] == last || path[0] == "*" {
				return append(slices.Clone(names), path[1:]...), true
			}
		}
		return nil, strings.Contains(n.Parameter("includeFields").Str(), "{{")
	case "except":
		for _, name := range listed(n.Parameter("excludeFields").Str()) {
			if covers(dotted(name), path) {
				return nil, false
			}
		}
	}
	return path, true
}

func (t *Tracer) setRaw(n *graph.Node, path []string) []step {
	v := n.Parameter("jsonOutput")
	if !v.Exists() {
		return t.withKept(n, path, nil)
	}
	steps := t.read(n, v, path, "sets "+described(path))
	if missing(steps) {
		steps = nil
	}
	if len(path) > 0 && len(steps) > 0 && !uncertain(steps) {
		return steps
	}
	return t.withKept(n, path, steps)
}

func described(path []string) string {
	if len(path) == 0 {
		return "the item"
	}
	return strings.Join(path, ".")
}

// missing reports whether steps say only that a field is not there.
func missing(steps []step) bool {
	for _, s := range steps {
		if s.origin == nil || s.origin.Kind != Missing {
			return false
		}
	}
	return true
}

func uncertain(steps []step) bool {
	return slices.ContainsFunc(steps, func(s step) bool { return s.origin != nil && s.origin.Kind == Unknown })
}
