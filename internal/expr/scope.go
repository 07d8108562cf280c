package expr

// Scope gives the data that code can see. Values may be known, abstract or
// symbolic (Ref). A Scope is asked at most once for each thing in one evaluation.
type Scope interface {
	// CurrentItem is the json of the current item: $json, $input.item.json,
	// item.json, items[0].json, $input.first().json.
	CurrentItem() Value
	// CurrentItems is what $input.all(), items and $items() give: an array of
	// {json: …} objects.
	CurrentItems() Value
	// NodeItem is the json of an item of a node: $('X').item.json,
	// .first().json, .last().json, .all()[i].json, .itemMatching(i).json,
	// $node["X"].json, $items("X")[i].json.
	NodeItem(name string) Value
	// Global is the value of any other global. False: the package's own reading.
	Global(name string) (Value, bool)
}

// NodeItemsScope is implemented by a Scope that knows how many items a node gives.
type NodeItemsScope interface {
	// NodeItems is what $('X').all() gives: an array of {json: …} objects. False:
	// any number of items like NodeItem.
	NodeItems(name string) (Value, bool)
}

// ExecutedScope is implemented by a Scope that knows which nodes have run before
// the code: what $('X').isExecuted gives. Maybe where it does not know.
type ExecutedScope interface {
	IsExecuted(name string) Tri
}

// Symbolic is the Scope that answers with references only; it serves to find
// the origins of a value. The zero value calls the current item's node "".
type Symbolic struct {
	// Current is the node that the current item is said to come from.
	Current string
}

// CurrentItem implements Scope.
func (s Symbolic) CurrentItem() Value { return Ref(s.Current) }

// CurrentItems implements Scope: one item or more, since a node without items does not run.
func (s Symbolic) CurrentItems() Value {
	return ArrayOf(itemOf(Ref(s.Current)), 1, Unbounded)
}

// NodeItem implements Scope.
func (s Symbolic) NodeItem(name string) Value { return Ref(name) }

// Global implements Scope.
func (s Symbolic) Global(string) (Value, bool) { return Value{}, false }

// Items is a Scope of given items. What is not given is a reference.
type Items struct {
	// Current is the current item's json; nil: a reference with the name "".
	Current *Value
	// List is the array of items; nil: one or more items like Current.
	List *Value
	// Nodes holds the json of other nodes' items.
	Nodes map[string]Value
	// Globals holds the values of other globals, like "$runIndex".
	Globals map[string]Value
}

// CurrentItem implements Scope.
func (s Items) CurrentItem() Value {
	if s.Current == nil {
		return Ref("")
	}
	return *s.Current
}

// CurrentItems implements Scope.
func (s Items) CurrentItems() Value {
	if s.List == nil {
		return ArrayOf(itemOf(s.CurrentItem()), 1, Unbounded)
	}
	return *s.List
}

// NodeItem implements Scope.
func (s Items) NodeItem(name string) Value {
	if v, ok := s.Nodes[name]; ok {
		return v
	}
	return Ref(name)
}

// Global implements Scope.
func (s Items) Global(name string) (Value, bool) {
	v, ok := s.Globals[name]
	return v, ok
}

// Item is a Scope with one current item, which is also the only one.
func Item(json Value) Items {
	list := Array(itemOf(json))
	return Items{Current: &json, List: &list}
}

// itemOf wraps a json into n8n's item.
func itemOf(json Value) Value {
	return newObject(&content{fields: []Field{
		{Name: "json", Value: json},
		{Name: "binary", Value: Anything(), Optional: true},
		{Name: "pairedItem", Value: Anything(), Optional: true},
	}})
}
