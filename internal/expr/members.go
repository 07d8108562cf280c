package expr

import (
	"strconv"

	"github.com/dop251/goja/ast"
)

// Member is one value inside an object that an expression writes out.
type Member struct {
	// Name is dotted, with the number of an element: "lines.0.price".
	Name string
	// Part is the code of the value, as if it stood alone in braces.
	Part Part
}

// Members are the values of the object that the code gives, or that it gives to
// JSON.stringify, as far as the code writes it out. closed is false where there
// may be more: a spread, a name that is computed, another form.
func (p Part) Members() (members []Member, closed bool) {
	if p.Program == nil || p.Program.expression == nil {
		return nil, false
	}
	c := memberCollector{program: p.Program, closed: true}
	c.visit("", written(p.Program.expression), 0)
	return c.members, c.closed && len(c.members) > 0
}

// written is what JSON.stringify is given; any other expression is itself.
func written(e ast.Expression) ast.Expression {
	call, ok := e.(*ast.CallExpression)
	if !ok || len(call.ArgumentList) == 0 {
		return e
	}
	callee, ok := call.Callee.(*ast.DotExpression)
	if !ok {
		return e
	}
	if object, ok := callee.Left.(*ast.Identifier); ok && object.Name == "JSON" && callee.Identifier.Name == "stringify" {
		return call.ArgumentList[0]
	}
	return e
}

type memberCollector struct {
	program *Program
	members []Member
	closed  bool
}

const maxMemberDepth = 12

func (c *memberCollector) visit(name string, e ast.Expression, depth int) {
	if depth > maxMemberDepth || len(c.members) >= maxFields {
		c.closed = false
		return
	}
	switch e := e.(type) {
	case *ast.ObjectLiteral:
		c.object(name, e, depth)
		return
	case *ast.ArrayLiteral:
		c.array(name, e, depth)
		return
	}
	if name == "" {
		c.closed = false
		return
	}
	c.members = append(c.members, Member{Name: name, Part: c.program.within(e)})
}

func (c *memberCollector) object(name string, o *ast.ObjectLiteral, depth int) {
	if name != "" {
		name += "."
	}
	for _, property := range o.Value {
		switch property := property.(type) {
		case *ast.PropertyShort:
			c.visit(name+property.Name.Name.String(), &property.Name, depth+1)
			continue
		case *ast.PropertyKeyed:
			if key, ok := property.Key.(*ast.StringLiteral); ok && property.Kind == ast.PropertyKindValue && !property.Computed {
				c.visit(name+key.Value.String(), property.Value, depth+1)
				continue
			}
		}
		c.closed = false
	}
}

func (c *memberCollector) array(name string, a *ast.ArrayLiteral, depth int) {
	if name != "" {
		name += "."
	}
	for i, element := range a.Value {
		if _, ok := element.(*ast.SpreadElement); ok || element == nil {
			c.closed = false
			continue
		}
		c.visit(name+strconv.Itoa(i), element, depth+1)
	}
}

// within is the part that a piece of an expression makes.
func (p *Program) within(e ast.Expression) Part {
	start, end := p.offset(e.Idx0()), p.offset(endOf(e))
	return Part{
		Code: true, Text: p.source[start-p.base : end-p.base], Start: start, End: end,
		Program: &Program{mode: Expression, source: p.source, shift: p.shift, base: p.base, expression: e},
	}
}
