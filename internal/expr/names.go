package expr

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/dop251/goja/ast"
)

// NameKind says what a name in code refers to.
type NameKind int

const (
	// NameNode is another node: $('X'), $node["X"], $node.X, $items("X").
	NameNode NameKind = iota + 1
	// NameItem is the current item or items: $json, $input, $items(), and in a
	// body also items and item.
	NameItem
	// NameGlobal is any other name that the code does not declare.
	NameGlobal
)

// Name is a use of a name in code.
type Name struct {
	Kind NameKind
	// Name is the node's name, or the identifier.
	Name string
	// Start and End are the byte offsets of the identifier, or of the whole
	// expression that selects a node.
	Start, End int
}

// References lists the names that the code refers to, in the order of the
// source. It follows the syntax only: a name is listed whether or not it is
// reached, and a node whose name is computed is not. Names that the code
// declares anywhere are left out.
func (p *Program) References() (names []Name) {
	c := &nameCollector{program: p, declared: map[string]bool{}}
	defer func() {
		if recover() != nil {
			names = c.sorted()
		}
	}()
	if p.expression != nil {
		c.walk(reflect.ValueOf(p.expression), 0)
	}
	for _, statement := range p.body {
		c.walk(reflect.ValueOf(statement), 0)
	}
	return c.sorted()
}

// References lists the names in all code parts of a template; spans are in the
// template's string.
func (t *Template) References() []Name {
	var names []Name
	for _, part := range t.Parts {
		if part.Program != nil {
			names = append(names, part.Program.References()...)
		}
	}
	return names
}

type nameCollector struct {
	program  *Program
	names    []Name
	declared map[string]bool
}

func (c *nameCollector) sorted() []Name {
	kept := c.names[:0]
	for _, name := range c.names {
		if name.Kind == NameNode || !c.declared[name.Name] {
			kept = append(kept, name)
		}
	}
	slices.SortStableFunc(kept, func(a, b Name) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return kept
}

// walk visits every node below a value. The tree has some seventy node types;
// reflection over their fields cannot forget one.
func (c *nameCollector) walk(v reflect.Value, depth int) {
	if depth > 4*maxDepth || len(c.names) >= maxNames {
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.CanInterface() && !c.visit(v.Interface(), depth) {
			return
		}
		c.walk(v.Elem(), depth+1)
	case reflect.Slice:
		for i := range v.Len() {
			element := v.Index(i)
			if element.Kind() == reflect.Struct && element.CanAddr() {
				element = element.Addr()
			}
			c.walk(element, depth+1)
		}
	case reflect.Struct:
		c.fields(v, depth)
	}
}

func (c *nameCollector) fields(v reflect.Value, depth int) {
	for i := range v.NumField() {
		field := v.Field(i)
		if v.Type().Field(i).Name == "DeclarationList" {
			continue // the same nodes again
		}
		switch field.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Struct:
			c.walk(field, depth+1)
		}
	}
}

// visit looks at one node; false means that it has walked what is below.
func (c *nameCollector) visit(node any, depth int) bool {
	switch node := node.(type) {
	case *ast.Identifier:
		c.identifier(node)
		return false
	case *ast.DotExpression:
		if c.nodeDot(node) {
			return false
		}
		c.walk(reflect.ValueOf(node.Left), depth+1)
		return false
	case *ast.BracketExpression:
		return !c.nodeBracket(node)
	case *ast.CallExpression:
		return !c.nodeCall(node, depth)
	case *ast.PropertyShort:
		c.identifier(&node.Name)
		c.walk(reflect.ValueOf(node.Initializer), depth+1)
		return false
	case *ast.Binding:
		c.declare(node.Target)
	case *ast.FunctionLiteral:
		if node.Name != nil {
			c.declared[node.Name.Name.String()] = true
		}
	case *ast.ClassLiteral:
		if node.Name != nil {
			c.declared[node.Name.Name.String()] = true
		}
	case *ast.ForDeclaration:
		c.declare(node.Target)
	case *ast.CatchStatement:
		c.declare(node.Parameter)
	case *ast.LabelledStatement:
		c.walk(reflect.ValueOf(node.Statement), depth+1)
		return false
	case *ast.BranchStatement:
		return false
	}
	return true
}

func (c *nameCollector) declare(target ast.Expression) {
	switch target := target.(type) {
	case *ast.Identifier:
		c.declared[target.Name.String()] = true
	case *ast.AssignExpression:
		c.declare(target.Left)
	case *ast.Binding:
		c.declare(target.Target)
	case *ast.ArrayPattern:
		for _, element := range target.Elements {
			c.declare(element)
		}
		c.declare(target.Rest)
	case *ast.ObjectPattern:
		for _, property := range target.Properties {
			switch property := property.(type) {
			case *ast.PropertyShort:
				c.declared[property.Name.Name.String()] = true
			case *ast.PropertyKeyed:
				c.declare(property.Value)
			}
		}
		c.declare(target.Rest)
	}
}

func (c *nameCollector) identifier(node *ast.Identifier) {
	name := node.Name.String()
	switch name {
	case "undefined", "NaN", "Infinity", "$node":
		return
	}
	kind := NameGlobal
	switch name {
	case "$json", "$input", "$items", "$data", "$binary":
		kind = NameItem
	case "items", "item":
		if c.program.mode == Body {
			kind = NameItem
		}
	}
	start := c.program.offset(node.Idx)
	c.names = append(c.names, Name{Kind: kind, Name: name, Start: start, End: start + len(name)})
}

func (c *nameCollector) add(node string, at ast.Node) bool {
	c.names = append(c.names, Name{
		Kind: NameNode, Name: node, Start: c.program.offset(at.Idx0()), End: c.program.offset(endOf(at)),
	})
	return true
}

func isName(node ast.Expression, name string) bool {
	if optional, ok := node.(*ast.Optional); ok {
		node = optional.Expression
	}
	identifier, ok := node.(*ast.Identifier)
	return ok && identifier.Name.String() == name
}

func (c *nameCollector) nodeDot(node *ast.DotExpression) bool {
	return isName(node.Left, "$node") && c.add(node.Identifier.Name.String(), node)
}

func (c *nameCollector) nodeBracket(node *ast.BracketExpression) bool {
	literal, ok := node.Member.(*ast.StringLiteral)
	return ok && isName(node.Left, "$node") && c.add(literal.Value.String(), node)
}

func (c *nameCollector) nodeCall(node *ast.CallExpression, depth int) bool {
	if len(node.ArgumentList) == 0 || !isName(node.Callee, "$") && !isName(node.Callee, "$items") {
		return false
	}
	literal, ok := node.ArgumentList[0].(*ast.StringLiteral)
	if !ok {
		return false
	}
	for _, argument := range node.ArgumentList[1:] {
		c.walk(reflect.ValueOf(argument), depth+1)
	}
	return c.add(literal.Value.String(), node)
}
