package expr

import (
	"strings"

	"github.com/dop251/goja/ast"
)

// proxy is one of n8n's objects that give access to items.
type proxy struct {
	kind  proxyKind
	node  string // of proxyNode
	start int
	end   int
}

type proxyKind int

const (
	proxyInput   proxyKind = iota + 1 // $input
	proxyNodes                        // $node
	proxyNode                         // $('X'), $node["X"]
	proxySelect                       // $ itself
	proxyItems                        // $items itself
	proxyCurrent                      // $item(i)
)

// global gives the value of a name that the code does not declare.
func (e *evaluator) global(name string, start, end int) Value {
	if v, ok := e.itemGlobal(name, start, end); ok {
		return v
	}
	if e.scope != nil {
		if v, ok := e.scope.Global(name); ok {
			return withSpan(v, start, end)
		}
	}
	return e.external(name, Origin{Name: name, Start: start, End: end})
}

func (e *evaluator) itemGlobal(name string, start, end int) (Value, bool) {
	switch name {
	case "$json", "$data":
		return withSpan(e.currentItem(), start, end), true
	case "$input":
		return Value{truthy: true, proxy: &proxy{kind: proxyInput, start: start, end: end}}, true
	case "$node":
		return Value{truthy: true, proxy: &proxy{kind: proxyNodes, start: start, end: end}}, true
	case "$":
		return Value{truthy: true, proxy: &proxy{kind: proxySelect, start: start, end: end}}, true
	case "$items":
		return Value{truthy: true, proxy: &proxy{kind: proxyItems, start: start, end: end}}, true
	case "item":
		if e.inCode() {
			if e.mode == FunctionItem {
				return withSpan(e.currentItem(), start, end), true
			}
			return e.wholeItem(), true
		}
	case "items":
		if e.inCode() {
			return e.allItems(), true
		}
	}
	return Value{}, false
}

func (e *evaluator) inCode() bool { return e.program.mode == Body }

// withSpan gives a reference without a span the one of its leaf.
func withSpan(v Value, start, end int) Value {
	if v.kind != KindReference || v.leaf.end > 0 {
		return v
	}
	leaf := *v.leaf
	leaf.start, leaf.end = start, end
	v.leaf = &leaf
	return v
}

// allItems is the array of the current items, one object for the whole evaluation.
func (e *evaluator) allItems() Value {
	if e.items != nil {
		return *e.items
	}
	v := Anything()
	if e.scope != nil {
		v = e.scope.CurrentItems()
	}
	v = e.summarised(v)
	e.items = &v
	return v
}

// summarised marks an array's element as one that stands for all, and makes the
// items' json writable.
func (e *evaluator) summarised(v Value) Value {
	if v.kind != KindArray || !e.inCode() {
		return v
	}
	c := *v.object.content
	c.rest = e.ownElement(c.rest, c.many && c.max != 1)
	c.elements = append([]Value(nil), c.elements...)
	for i := range c.elements {
		c.elements[i] = e.ownElement(c.elements[i], false)
	}
	v.object = &object{content: &c}
	return v
}

func (e *evaluator) ownElement(v Value, summary bool) Value {
	if v.kind != KindObject {
		return v
	}
	c := *v.object.content
	c.fields = append([]Field(nil), c.fields...)
	if json := c.field("json"); json != nil {
		json.Value = e.writable(json.Value)
		if json.Value.object != nil {
			json.Value.object = &object{content: json.Value.object.content, summary: summary}
		}
	}
	v.object = &object{content: &c, summary: summary}
	return v
}

// currentItem is the json of the current item.
func (e *evaluator) currentItem() Value {
	if e.current != nil {
		return *e.current
	}
	v := e.itemJSON()
	e.current = &v
	return v
}

// itemJSON shares the object with the array of items, so that a change to one
// is seen in the other.
func (e *evaluator) itemJSON() Value {
	if e.scope == nil {
		return Anything()
	}
	if e.inCode() && (e.mode == AllItems || e.mode == Function) {
		items := e.allItems()
		if items.kind == KindArray {
			first := e.edgeElement(items, false)
			first.weak = false
			if first.kind == KindObject {
				return e.readField(first, "json")
			}
		}
	}
	return e.writable(e.scope.CurrentItem())
}

// writable gives a reference to an item's json as an object that code can write
// to: the fields that are not written are still those of the reference.
func (e *evaluator) writable(json Value) Value {
	if json.kind != KindReference || !e.inCode() {
		return json
	}
	return newObject(&content{open: true, rest: json})
}

// wholeItem is the current item with its json.
func (e *evaluator) wholeItem() Value {
	if e.item == nil {
		v := itemOf(e.currentItem())
		e.item = &v
	}
	return *e.item
}

func (e *evaluator) nodeItem(name string) Value {
	if v, ok := e.nodeItems[name]; ok {
		return v
	}
	v := Anything()
	if e.scope != nil {
		v = e.scope.NodeItem(name)
	}
	v = itemOf(v)
	if e.nodeItems == nil {
		e.nodeItems = map[string]Value{}
	}
	e.nodeItems[name] = v
	return v
}

func (e *evaluator) nodeList(name string) Value {
	if v, ok := e.nodeLists[name]; ok {
		return v
	}
	v := e.manyOf(e.nodeItem(name), 0, Unbounded)
	if scope, ok := e.scope.(NodeItemsScope); ok {
		if given, ok := scope.NodeItems(name); ok {
			v = given
		}
	}
	v = e.summarised(v)
	if e.nodeLists == nil {
		e.nodeLists = map[string]Value{}
	}
	e.nodeLists[name] = v
	return v
}

// proxyMember reads a member of one of n8n's item objects.
func (e *evaluator) proxyMember(base Value, name string, node ast.Expression) Value {
	p := base.proxy
	switch p.kind {
	case proxyNodes:
		return Value{truthy: true, proxy: &proxy{kind: proxyNode, node: name, start: p.start, end: e.end(node)}}
	case proxyNode:
		return e.nodeMember(p, name, node)
	case proxyInput:
		return e.inputMember(p, name, node)
	case proxyCurrent:
		if name == "$node" {
			return Value{truthy: true, proxy: &proxy{kind: proxyNodes, start: p.start, end: p.end}}
		}
	}
	return Anything()
}

func (e *evaluator) nodeMember(p *proxy, name string, node ast.Expression) Value {
	start, end := p.start, e.end(node)
	switch name {
	case "json", "data":
		return withSpan(e.readField(e.nodeItem(p.node), "json"), start, end)
	case "item":
		return e.located(e.nodeItem(p.node), start, end)
	case "isExecuted":
		executed := SomeBool()
		if known, ok := e.scope.(ExecutedScope); ok {
			executed = known.IsExecuted(p.node).value()
		}
		return executed.WithOrigins(Origin{Kind: OriginReference, Name: p.node, Path: []string{"isExecuted"}, Start: start, End: end})
	case "params", "parameter", "context", "binary", "runIndex":
		return Value{}.WithOrigins(Origin{Kind: OriginStable, Name: name, Path: []string{p.node}, Start: start, End: end})
	}
	return Value{origins: []Origin{{Kind: OriginUnknown, Name: p.node, Path: []string{name}, Start: start, End: end}}}
}

func (e *evaluator) inputMember(p *proxy, name string, node ast.Expression) Value {
	switch name {
	case "item":
		return e.located(e.wholeItem(), p.start, e.end(node))
	case "json":
		return withSpan(e.currentItem(), p.start, e.end(node))
	}
	return Anything().WithOrigins(Origin{Kind: OriginUnknown, Name: "$input", Path: []string{name}, Start: p.start, End: e.end(node)})
}

// located gives an item whose json, if it is a bare reference, has a span. Items
// of known content are shared and stay as they are.
func (e *evaluator) located(item Value, start, end int) Value {
	if item.object == nil {
		return withSpan(item, start, end)
	}
	if _, written := e.overlay[item.object]; written {
		return item
	}
	c := item.object.content
	json := c.field("json")
	if json == nil || json.Value.kind != KindReference || json.Value.leaf.end > 0 || e.inCode() {
		return item
	}
	next := *c
	next.fields = append([]Field(nil), c.fields...)
	next.field("json").Value = withSpan(json.Value, start, end)
	return e.newObject(&next)
}

// proxyAny reads a member whose name is not known.
func (e *evaluator) proxyAny(base, key Value) Value {
	return Value{truthy: true, origins: union(base.Origins(), append(key.Origins(), Origin{
		Kind: OriginUnknown, Name: "$node", Start: base.proxy.start, End: base.proxy.end,
	})...)}
}

// proxyCall calls a method of one of n8n's item objects, or the object itself ("").
func (e *evaluator) proxyCall(p *proxy, method string, c call) Value {
	start, end := p.start, e.end(c.node)
	switch p.kind {
	case proxySelect:
		return e.selectNode(p, c)
	case proxyItems:
		return e.itemsCall(c, start, end)
	case proxyInput:
		switch method {
		case "all":
			return e.allItems()
		case "first", "last":
			return e.located(e.inputItem(method), start, end)
		}
	case proxyNode:
		switch method {
		case "all":
			return e.nodeList(p.node)
		case "first", "last", "itemMatching", "pairedItem", "item":
			return e.located(e.nodeItem(p.node), start, end)
		}
	}
	return Anything().WithOrigins(Origin{Kind: OriginUnknown, Name: trimName(e.text(c.node)), Start: start, End: end})
}

func (e *evaluator) inputItem(method string) Value {
	items := e.allItems()
	if items.kind != KindArray {
		return e.wholeItem()
	}
	return e.edgeElement(items, method == "last")
}

// edgeElement is the first or last element of an array.
func (e *evaluator) edgeElement(v Value, last bool) Value {
	c := e.contentOf(v.object)
	if c.many || !last || len(c.elements) == 0 {
		return e.elementAt(c, 0)
	}
	return c.elements[len(c.elements)-1]
}

func (e *evaluator) selectNode(p *proxy, c call) Value {
	name, ok := c.argument(0).AsString()
	if !ok {
		return Value{truthy: true, origins: union(e.originsOf(c.values...), Origin{
			Kind: OriginUnknown, Name: "$", Start: p.start, End: e.end(c.node),
		})}
	}
	return Value{truthy: true, proxy: &proxy{kind: proxyNode, node: name, start: p.start, end: e.end(c.node)}}
}

func (e *evaluator) itemsCall(c call, start, end int) Value {
	if len(c.values) == 0 {
		return e.allItems()
	}
	name, ok := c.argument(0).AsString()
	if !ok {
		return Value{truthy: true, origins: []Origin{{Kind: OriginUnknown, Name: "$items", Start: start, End: end}}}
	}
	return e.nodeList(name)
}

// external is a value that neither the language nor the items give: n8n's
// globals, the standard library, modules. Its path grows with each member.
func (e *evaluator) external(path string, origin Origin) Value {
	if source, ok := findSource("value", path); ok {
		origin.Kind = source.kind
		v := source.value(origin)
		if v.kind == KindUnknown {
			v.text = path
		}
		return v
	}
	if source, ok := findSource("tree", path); ok {
		origin.Kind = source.kind
		return Value{text: path, truthy: true, origins: []Origin{origin}}
	}
	return Value{text: path, truthy: standardGlobal(path)}
}

func (e *evaluator) externalMember(base Value, name string, node ast.Expression) Value {
	path := base.text + "." + name
	if len(path) > maxTextBytes {
		return Value{origins: base.origins}
	}
	if len(base.origins) > 0 {
		return e.sourceMember(base, name, node)
	}
	if base.text == "Math" || base.text == "Number" {
		if v, ok := numericConstant(path); ok {
			return Number(v)
		}
	}
	return e.external(path, Origin{Name: path, Start: e.start(node), End: e.end(node)})
}

// sourceMember reads under a source: a variable of $env, a field of $workflow, a part of $now.
func (e *evaluator) sourceMember(base Value, name string, node ast.Expression) Value {
	root, _, _ := strings.Cut(base.text, ".")
	source, ok := findSource("tree", root)
	if !ok || len(base.origins) != 1 {
		return Value{origins: base.origins}
	}
	origin := base.origins[0]
	origin.End = e.end(node)
	if source.kind == OriginEnvironment {
		origin.Path = append(origin.Path[:len(origin.Path):len(origin.Path)], name)
	} else {
		origin.Name += "." + name
	}
	if len(origin.Path) > maxPath || len(origin.Name) > maxTextBytes {
		return Value{origins: base.origins}
	}
	v := source.value(origin)
	if v.kind == KindUnknown {
		v.text = base.text + "." + name
	}
	return v
}

// standardGlobal is true for names that exist wherever code runs.
func standardGlobal(name string) bool {
	if functionOf(name) != nil {
		return true
	}
	switch name {
	case "Object", "Array", "Math", "JSON", "Date", "DateTime", "Promise", "RegExp", "Error", "Map", "Set", "console", "$execution":
		return true
	}
	return false
}
