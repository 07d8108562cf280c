package expr

import (
	"reflect"
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// Comparison is a test of two values for equality: ===, !==, includes, a
// constant-time comparison. A test against nothing (null, "", true) is none.
type Comparison struct {
	// Names are the fields that the two sides read, variables followed to where
	// they are set: "headers", "x-signature".
	Names []string
	// Throws: a library's verify, which throws where the two do not fit.
	Throws bool
	// Start and End are the byte offsets of the comparison.
	Start, End int
}

// Digest is a keyed hash that code computes.
type Digest struct {
	// Start and End are the byte offsets of the call that takes the data.
	Start, End int
	// Parsed is the text that was made anew from a parsed body; empty where there
	// is none.
	ParsedStart, ParsedEnd int
	// Raw is true if the data also come from bytes as they arrived.
	Raw bool
}

// Compared lists the comparisons of the code, in the order of the source. It
// follows the syntax only.
func (p *Program) Compared() (list []Comparison) {
	s := p.survey()
	s.each(func(node any) {
		if sides, at := comparison(node); at != nil && !slices.ContainsFunc(sides, empty) {
			names := map[string]bool{}
			for _, side := range sides {
				s.fields(side, names, 0)
			}
			list = append(list, Comparison{Names: sorted(names), Throws: verifies(node), Start: p.offset(at.Idx0()), End: p.offset(endOf(at))})
		}
	})
	return list
}

// Digests lists the keyed hashes that the code computes.
func (p *Program) Digests() (list []Digest) {
	s := p.survey()
	s.each(func(node any) {
		call, ok := node.(*ast.CallExpression)
		if !ok {
			return
		}
		data := s.hashed(call)
		if data == nil {
			return
		}
		d := Digest{Start: p.offset(call.Idx0()), End: p.offset(endOf(call))}
		names := map[string]bool{}
		s.fields(data, names, 0)
		d.Raw = names["binary"] || names["rawBody"] || names["getBinaryDataBuffer"]
		if made := s.reserialised(data, 0); made != nil {
			d.ParsedStart, d.ParsedEnd = p.offset(made.Idx0()), p.offset(endOf(made))
		}
		list = append(list, d)
	})
	return list
}

// Throws reports whether the code has a throw statement.
func (p *Program) Throws() (found bool) {
	p.survey().each(func(node any) {
		if _, ok := node.(*ast.ThrowStatement); ok {
			found = true
		}
	})
	return found
}

// survey knows what the variables of a program are set to.
type survey struct {
	program *Program
	values  map[string][]ast.Expression
	// taken are variables that destructuring took out of a field of that name.
	taken map[string]string
	nodes []any
	steps int
}

// maxFollowing bounds how many values are looked at while variables are
// followed, for one program.
const maxFollowing = 200_000

// spent counts a step and reports whether the budget is used up.
func (s *survey) spent(depth int) bool {
	s.steps++
	return depth > followed || s.steps > maxFollowing
}

func (p *Program) survey() (s *survey) {
	s = &survey{program: p, values: map[string][]ast.Expression{}, taken: map[string]string{}}
	defer func() { _ = recover() }() // a tree of a shape that is not known: what was seen so far
	if p.expression != nil {
		s.walk(reflect.ValueOf(p.expression), 0)
	}
	for _, statement := range p.body {
		s.walk(reflect.ValueOf(statement), 0)
	}
	return s
}

func (s *survey) each(visit func(any)) {
	defer func() { _ = recover() }()
	for _, node := range s.nodes {
		visit(node)
	}
}

func (s *survey) walk(v reflect.Value, depth int) {
	if depth > 4*maxDepth || len(s.nodes) >= maxNames {
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.Kind() == reflect.Pointer && v.CanInterface() {
			s.note(v.Interface())
		}
		s.walk(v.Elem(), depth+1)
	case reflect.Slice:
		for i := range v.Len() {
			element := v.Index(i)
			if element.Kind() == reflect.Struct && element.CanAddr() {
				element = element.Addr()
			}
			s.walk(element, depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name == "DeclarationList" || !v.Type().Field(i).IsExported() {
				continue
			}
			s.walk(v.Field(i), depth+1)
		}
	}
}

func (s *survey) note(node any) {
	switch node := node.(type) {
	case *ast.Binding:
		s.set(node.Target, node.Initializer)
	case *ast.AssignExpression:
		s.set(node.Left, node.Right)
	case *ast.BinaryExpression, *ast.CallExpression, *ast.ThrowStatement:
	default:
		return
	}
	s.nodes = append(s.nodes, node)
}

func (s *survey) set(target any, value ast.Expression) {
	switch target := target.(type) {
	case *ast.Identifier:
		if value != nil {
			s.values[target.Name.String()] = append(s.values[target.Name.String()], value)
		}
	case *ast.ObjectPattern:
		for _, property := range target.Properties {
			switch property := property.(type) {
			case *ast.PropertyShort:
				s.taken[property.Name.Name.String()] = property.Name.Name.String()
			case *ast.PropertyKeyed:
				key, isText := property.Key.(*ast.StringLiteral)
				if name, ok := property.Value.(*ast.Identifier); ok && isText {
					s.taken[name.Name.String()] = key.Value.String()
				}
			}
		}
	}
}

// comparison gives the two sides of a test for equality.
func comparison(node any) (sides []ast.Expression, at ast.Expression) {
	switch node := node.(type) {
	case *ast.BinaryExpression:
		switch node.Operator {
		case token.EQUAL, token.STRICT_EQUAL, token.NOT_EQUAL, token.STRICT_NOT_EQUAL:
			return []ast.Expression{node.Left, node.Right}, node
		}
	case *ast.CallExpression:
		left, method := callee(node)
		switch {
		case method == "timingSafeEqual" && len(node.ArgumentList) == 2:
			return node.ArgumentList, node
		case (method == "verify" || method == "includes" || method == "equals") && left != nil && len(node.ArgumentList) > 0:
			return append([]ast.Expression{left}, node.ArgumentList...), node
		}
	}
	return nil, nil
}

func verifies(node any) bool {
	call, ok := node.(*ast.CallExpression)
	if !ok {
		return false
	}
	_, method := callee(call)
	return method == "verify"
}

// callee gives the object and the name of the method that is called, or the
// function's name.
func callee(call *ast.CallExpression) (ast.Expression, string) {
	switch f := bare(call.Callee).(type) {
	case *ast.DotExpression:
		return f.Left, f.Identifier.Name.String()
	case *ast.Identifier:
		return nil, f.Name.String()
	}
	return nil, ""
}

func bare(e ast.Expression) ast.Expression {
	for range maxDepth {
		switch inner := e.(type) {
		case *ast.Optional:
			e = inner.Expression
		case *ast.OptionalChain:
			e = inner.Expression
		case *ast.AwaitExpression:
			e = inner.Argument
		default:
			return e
		}
	}
	return e
}

func empty(e ast.Expression) bool {
	switch e := bare(e).(type) {
	case *ast.NullLiteral, *ast.BooleanLiteral, *ast.NumberLiteral:
		return true
	case *ast.StringLiteral:
		return e.Value.String() == ""
	case *ast.Identifier:
		return e.Name.String() == "undefined"
	case *ast.UnaryExpression:
		return e.Operator == token.TYPEOF
	}
	return false
}

// followed bounds how far variables are followed.
const followed = 12

// fields collects the names of the fields that an expression reads.
func (s *survey) fields(e ast.Expression, names map[string]bool, depth int) {
	if e == nil || s.spent(depth) {
		return
	}
	s.reads(reflect.ValueOf(e), 0, func(node any) {
		switch node := node.(type) {
		case *ast.DotExpression:
			names[node.Identifier.Name.String()] = true
		case *ast.BracketExpression:
			if text, ok := node.Member.(*ast.StringLiteral); ok {
				names[text.Value.String()] = true
			}
		case *ast.Identifier:
			s.variable(node.Name.String(), names, depth)
		}
	})
}

func (s *survey) variable(name string, names map[string]bool, depth int) {
	if field, ok := s.taken[name]; ok {
		names[field] = true
	}
	mark := "variable " + name
	if names[mark] {
		return
	}
	if values := s.values[name]; len(values) > 0 {
		names[mark] = true
		for _, v := range values {
			s.fields(v, names, depth+1)
		}
	}
}

// reads visits all nodes below a value, functions left out.
func (s *survey) reads(v reflect.Value, depth int, visit func(any)) {
	if depth > 4*maxDepth || s.steps > maxFollowing {
		return
	}
	s.steps++
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.Kind() == reflect.Pointer && v.CanInterface() {
			visit(v.Interface())
		}
		s.reads(v.Elem(), depth+1, visit)
	case reflect.Slice:
		for i := range v.Len() {
			s.reads(v.Index(i), depth+1, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Type().Field(i).Name != "DeclarationList" {
				s.reads(v.Field(i), depth+1, visit)
			}
		}
	}
}

func sorted(names map[string]bool) []string {
	list := make([]string, 0, len(names))
	for n := range names {
		if len(n) < len("variable ") || n[:len("variable ")] != "variable " {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list
}

// hashed is the data that a call puts into a keyed hash, nil for other calls.
func (s *survey) hashed(call *ast.CallExpression) ast.Expression {
	left, method := callee(call)
	if len(call.ArgumentList) == 0 {
		return nil
	}
	switch method {
	case "update":
		if s.makesHMAC(left, 0) {
			return call.ArgumentList[0]
		}
	case "HmacSHA1", "HmacSHA256", "HmacSHA512":
		return call.ArgumentList[0]
	case "sign":
		if text, ok := call.ArgumentList[0].(*ast.StringLiteral); ok && text.Value.String() == "HMAC" && len(call.ArgumentList) == 3 {
			return call.ArgumentList[2]
		}
	}
	return nil
}

func (s *survey) makesHMAC(e ast.Expression, depth int) bool {
	if s.spent(depth) {
		return false
	}
	switch e := bare(e).(type) {
	case *ast.CallExpression:
		left, method := callee(e)
		return method == "createHmac" || method == "update" && s.makesHMAC(left, depth+1)
	case *ast.Identifier:
		return slices.ContainsFunc(s.values[e.Name.String()], func(v ast.Expression) bool { return s.makesHMAC(v, depth+1) })
	}
	return false
}

// reserialised finds the JSON.stringify over a parsed body in what an expression
// is made from.
func (s *survey) reserialised(e ast.Expression, depth int) (made ast.Expression) {
	if e == nil || s.spent(depth) {
		return nil
	}
	s.reads(reflect.ValueOf(e), 0, func(node any) {
		if made != nil {
			return
		}
		switch node := node.(type) {
		case *ast.CallExpression:
			left, method := callee(node)
			module, _ := bare(left).(*ast.Identifier)
			if method == "stringify" && module != nil && module.Name.String() == "JSON" && len(node.ArgumentList) > 0 && s.isBody(node.ArgumentList[0], 0) {
				made = node
			}
		case *ast.Identifier:
			for _, v := range s.values[node.Name.String()] {
				if made == nil {
					made = s.reserialised(v, depth+1)
				}
			}
		}
	})
	return made
}

// isBody reports whether an expression is the field body of something.
func (s *survey) isBody(e ast.Expression, depth int) bool {
	if s.spent(depth) {
		return false
	}
	switch e := bare(e).(type) {
	case *ast.DotExpression:
		return e.Identifier.Name.String() == "body"
	case *ast.BracketExpression:
		text, ok := e.Member.(*ast.StringLiteral)
		return ok && text.Value.String() == "body"
	case *ast.BinaryExpression:
		return (e.Operator == token.LOGICAL_OR || e.Operator == token.COALESCE) && s.isBody(e.Left, depth+1)
	case *ast.ConditionalExpression:
		return s.isBody(e.Consequent, depth+1) || s.isBody(e.Alternate, depth+1)
	case *ast.Identifier:
		if s.taken[e.Name.String()] == "body" {
			return true
		}
		return slices.ContainsFunc(s.values[e.Name.String()], func(v ast.Expression) bool { return s.isBody(v, depth+1) })
	}
	return false
}
