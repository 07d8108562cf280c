package flow

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// modelItem is a line of models.tsv: what the item of a model's node holds.
type modelItem struct {
	fields []string // at its top; none where they are not known
	shaped []string // where a schema's fields stand, "*" at the top
	schema string   // whose schema it is: schemaOfParser, schemaOfNode
}

const (
	schemaOfParser = "parser"
	schemaOfNode   = "own"
)

// modelAnswer ends a walk at a model's answer, or finds that the answer certainly
// has no such field.
func (t *Tracer) modelAnswer(n *graph.Node, path []string) step {
	held, loose := t.holds(n, path)
	if !held {
		return ending(Origin{Kind: Missing, Node: n, Path: path})
	}
	return ending(Origin{Kind: Model, Node: n, Path: path, loose: loose})
}

// holds reports whether a model's item may have a field; loose where nothing in
// the file says that it has.
func (t *Tracer) holds(n *graph.Node, path []string) (held, loose bool) {
	item := t.tables.models[n.Type]
	if len(path) == 0 || path[0] == "*" {
		return true, len(item.fields) == 0
	}
	if len(item.fields) == 0 {
		return true, true
	}
	top := slices.Contains(item.shaped, "*")
	fields, shaped := outputSchema(n, item)
	switch {
	case slices.Contains(item.fields, path[0]):
		if !shaped || !slices.Contains(item.shaped, path[0]) {
			return true, len(path) > 1
		}
		held, known := fields.has(path[1:])
		if !held && top {
			held, known = fields.has(path) // the schema may name the field around its own
		}
		return held, !known
	case shaped && top:
		held, known := fields.has(path)
		return held, !known
	}
	return false, false
}

// outputSchema is what describes the answer of a model's node; shaped is false
// where nothing does.
func outputSchema(n *graph.Node, item modelItem) (fields *schemaFields, shaped bool) {
	switch item.schema {
	case schemaOfNode:
		return extractorFields(n), true
	case schemaOfParser:
		wanted := n.Parameter("hasOutputParser")
		for _, p := range n.Uses("ai_outputParser") {
			if p.Disabled || wanted.Kind() == source.Bool && !wanted.IsTrue() {
				continue
			}
			return parserFields(p, 0), true
		}
	}
	return nil, false
}

const (
	structuredParser = "@n8n/n8n-nodes-langchain.outputParserStructured"
	fixingParser     = "@n8n/n8n-nodes-langchain.outputParserAutofixing"
)

// parserFields are the fields that an output parser lets through; nil where they
// cannot be read.
func parserFields(p *graph.Node, depth int) *schemaFields {
	switch p.Type {
	case structuredParser:
		return describedFields(p)
	case fixingParser:
		if inner := p.Uses("ai_outputParser"); len(inner) == 1 && depth < maxNesting {
			return parserFields(inner[0], depth+1)
		}
	}
	return nil
}

// extractorFields are the fields that an Information Extractor asks for.
func extractorFields(n *graph.Node) *schemaFields {
	if kind := n.Parameter("schemaType"); kind.Exists() && kind.Str() != "fromAttributes" {
		return describedFields(n)
	}
	attributes := n.Parameter("attributes", "attributes")
	if attributes.Len() == 0 {
		return nil
	}
	fields := &schemaFields{inside: map[string]*schemaFields{}}
	for a := range attributes.Children() {
		name := a.Get("name").Str()
		if name == "" || name[0] == '=' {
			return nil
		}
		fields.inside[name] = nil
	}
	return fields
}

// describedFields reads a schema, or an example of an answer, among the
// parameters.
func describedFields(n *graph.Node) *schemaFields {
	if n.Parameter("schemaType").Str() == "manual" {
		return schemaIn(n.Parameter("inputSchema"), readSchema)
	}
	if v := n.Parameter("jsonSchema"); v.Exists() && !n.Parameter("jsonSchemaExample").Exists() {
		return schemaIn(v, readSchema)
	}
	return schemaIn(n.Parameter("jsonSchemaExample"), readExample)
}

func schemaIn(v source.Value, read func(v gjson.Result, depth int) *schemaFields) *schemaFields {
	text := v.Str()
	if text == "" || text[0] == '=' || !gjson.Valid(text) {
		return nil
	}
	return read(gjson.Parse(text), 0)
}

// schemaFields are the fields of an object that a schema describes, or of the
// elements of a list of such objects. nil is anything.
type schemaFields struct {
	inside map[string]*schemaFields
	list   bool
}

// has reports whether a value may have a field; known where the schema names it.
func (f *schemaFields) has(path []string) (held, known bool) {
	for len(path) > 0 {
		if f == nil {
			return true, false
		}
		if f.list && (path[0] == "*" || isIndex(path[0])) {
			path = path[1:]
			if len(path) == 0 {
				break
			}
		} else if f.list {
			return true, false
		}
		if path[0] == "*" {
			return true, false
		}
		next, ok := f.inside[path[0]]
		if !ok {
			return false, false
		}
		f, path = next, path[1:]
		if f == nil {
			return true, true
		}
	}
	return true, true
}

func isIndex(name string) bool {
	for _, c := range name {
		if c < '0' || c > '9' {
			return false
		}
	}
	return name != ""
}

// readExample takes the fields of an example for those of the answer.
func readExample(v gjson.Result, depth int) *schemaFields {
	if depth > maxNesting {
		return nil
	}
	if v.IsArray() {
		if f := readExample(v.Get("0"), depth+1); f != nil && !f.list {
			return &schemaFields{inside: f.inside, list: true}
		}
		return nil
	}
	return fieldsIn(v, depth, readExample)
}

// fieldsIn reads the members of an object; nil where there are none.
func fieldsIn(v gjson.Result, depth int, read func(v gjson.Result, depth int) *schemaFields) *schemaFields {
	if !v.IsObject() {
		return nil
	}
	f := &schemaFields{inside: map[string]*schemaFields{}}
	v.ForEach(func(name, member gjson.Result) bool {
		f.inside[name.Str] = read(member, depth+1)
		return true
	})
	if len(f.inside) == 0 {
		return nil
	}
	return f
}

// combining are the words of JSON Schema under which further fields may stand.
var combining = []string{`\$ref`, "anyOf", "oneOf", "allOf", "if", "patternProperties"}

// readSchema reads the properties of a JSON Schema.
func readSchema(v gjson.Result, depth int) *schemaFields {
	if depth > maxNesting || !v.IsObject() {
		return nil
	}
	if slices.ContainsFunc(combining, func(word string) bool { return v.Get(word).Exists() }) {
		return nil
	}
	if items := v.Get("items"); items.Exists() {
		if f := readSchema(items, depth+1); f != nil && !f.list {
			return &schemaFields{inside: f.inside, list: true}
		}
		return nil
	}
	if more := v.Get("additionalProperties"); more.Exists() && more.Type != gjson.False {
		return nil
	}
	return fieldsIn(v.Get("properties"), depth, readSchema)
}
