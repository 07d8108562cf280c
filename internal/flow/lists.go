package flow

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// rename leads through Rename Keys.
func (t *Tracer) rename(n *graph.Node, path []string) []step {
	if n.Parameter("additionalOptions", "regexReplacement", "replacements").Len() > 0 {
		return []step{back(n, path, passing(n)), unknown(n, "keys renamed by a pattern")}
	}
	keys := slices.Collect(n.Parameter("keys", "key").Children())
	slices.Reverse(keys)
	var steps []step
	for _, key := range keys {
		from, to := dotted(key.Get("currentKey").Str()), dotted(key.Get("newKey").Str())
		if key.Get("newKey").Str() == "" || len(path) == 0 {
			continue
		}
		if rest, ok := within(to, path); ok {
			hop := Hop{Node: n, At: key.Get("newKey").Span(), What: "renames " + strings.Join(from, ".")}
			s := back(n, append(slices.Clone(from), rest...), hop)
			// A key that the item lacks is not renamed, and what it had stays.
			return append(steps, s, either(back(n, path, passing(n))))
		}
		if covers(from, path) {
			steps = append(steps, either(ending(Origin{Kind: Missing, Node: n, Path: path})))
			return steps
		}
	}
	return append(steps, back(n, path, passing(n)))
}

func either(s step) step {
	s.either = true
	return s
}

// split leads from the items of Split Out to the lists that they were elements of.
func (t *Tracer) split(n *graph.Node, path []string) []step {
	fields := listed(n.Parameter("fieldToSplitOut").Str())
	names := listed(n.Parameter("options", "destinationFieldName").Str())
	if len(fields) == 0 || strings.Contains(n.Parameter("fieldToSplitOut").Str(), "{{") {
		return []step{unknown(n, "a list that an expression names")}
	}
	include := n.Parameter("include").Str()
	alone := include == "" || include == "noOtherFields"
	flat := n.Parameter("options", "disableDotNotation").IsTrue()
	hop := Hop{Node: n, At: n.Parameter("fieldToSplitOut").Span(), What: "splits " + strings.Join(fields, ", ")}

	var steps []step
	for i, field := range fields {
		field = strings.TrimPrefix(field, "$json.")
		element := append(fieldPath(field, flat), "*")
		name := field
		if i < len(names) {
			name = names[i]
		}
		switch {
		case len(path) == 0:
			steps = append(steps, back(n, element, hop))
		case path[0] == name || path[0] == lastOf(name) && i >= len(names):
			// A simple element stands under the field's name, an object's own field
			// may have that name too.
			steps = append(steps, either(back(n, append(element, path[1:]...), hop)))
			if alone && len(fields) == 1 && len(names) == 0 {
				steps = append(steps, either(back(n, append(slices.Clone(element), path...), hop)))
			}
		case alone && len(fields) == 1 && len(names) == 0:
			steps = append(steps, back(n, append(element, path...), hop))
		}
	}
	if !alone && (len(path) == 0 || len(steps) == 0) {
		return append(steps, t.besideSplit(n, path, include)...)
	}
	if len(steps) == 0 {
		return []step{ending(Origin{Kind: Missing, Node: n, Path: path})}
	}
	return steps
}

func (t *Tracer) besideSplit(n *graph.Node, path []string, include string) []step {
	if include != "selectedOtherFields" || len(path) == 0 {
		return []step{back(n, path, passing(n))}
	}
	for _, name := range listed(n.Parameter("fieldsToInclude").Text() + nestedNames(n)) {
		if path[0] == name || path[0] == lastOf(name) {
			return []step{back(n, append(dotted(name), path[1:]...), passing(n))}
		}
	}
	return []step{ending(Origin{Kind: Missing, Node: n, Path: path})}
}

// nestedNames are the fields to include as the old Item Lists node lists them.
func nestedNames(n *graph.Node) string {
	var b strings.Builder
	for f := range n.Parameter("fieldsToInclude", "fields").Children() {
		b.WriteString("," + f.Get("fieldName").Str())
	}
	return b.String()
}

func fieldPath(name string, flat bool) []string {
	if flat {
		return []string{name}
	}
	return dotted(name)
}

func lastOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// aggregate leads from a list of all items to their fields.
func (t *Tracer) aggregate(n *graph.Node, s shape, path []string) []step {
	if !s.to.none() {
		return t.aggregateItems(n, s.to.of(n), path)
	}
	flat := n.Parameter("options", "disableDotNotation").IsTrue()
	var steps []step
	for f := range n.Parameter("fieldsToAggregate", "fieldToAggregate").Children() {
		field := f.Get("fieldToAggregate").Str()
		if field == "" {
			continue
		}
		name := f.Get("outputFieldName").Str()
		if name == "" {
			name = lastOf(field)
		}
		rest, ok := within(fieldPath(name, flat), path)
		if !ok {
			continue
		}
		steps = append(steps, back(n, append(fieldPath(field, flat), withoutIndex(rest)...), aggregates(n, f.Get("fieldToAggregate"))))
	}
	if len(steps) == 0 {
		return []step{ending(Origin{Kind: Missing, Node: n, Path: path})}
	}
	return steps
}

func aggregates(n *graph.Node, v source.Value) Hop {
	at := v.Span()
	if at.IsZero() {
		at = n.Place()
	}
	return Hop{Node: n, At: at, What: "aggregates the items"}
}

func (t *Tracer) aggregateItems(n *graph.Node, name string, path []string) []step {
	rest, ok := within(dotted(name), path)
	if !ok {
		return []step{ending(Origin{Kind: Missing, Node: n, Path: path})}
	}
	return []step{back(n, withoutIndex(rest), aggregates(n, n.Parameter("destinationFieldName")))}
}

// withoutIndex drops the index into the list that an aggregation made.
func withoutIndex(path []string) []string {
	if len(path) == 0 {
		return nil
	}
	if path[0] == "*" || strings.Trim(path[0], "0123456789") == "" {
		return path[1:]
	}
	return path
}

// figures leads from figures of all items to the fields that they are made of.
func (t *Tracer) figures(n *graph.Node, path []string) []step {
	for _, name := range listed(n.Parameter("fieldsToSplitBy").Str()) {
		if len(path) > 0 && (path[0] == name || path[0] == strings.ReplaceAll(name, ".", "_")) {
			return []step{back(n, append(dotted(name), path[1:]...), passing(n))}
		}
	}
	var steps []step
	for f := range n.Parameter("fieldsToSummarize", "values").Children() {
		field := f.Get("field").Str()
		if field == "" || len(path) > 0 && !strings.HasSuffix(path[0], "_"+strings.ReplaceAll(field, ".", "_")) && !strings.HasSuffix(path[0], "_"+field) {
			continue
		}
		hop := Hop{Node: n, At: f.Get("field").Span(), What: "summarises " + field}
		steps = append(steps, back(n, dotted(field), hop))
	}
	if len(steps) == 0 {
		return []step{unknown(n, "a figure that cannot be followed")}
	}
	return steps
}
