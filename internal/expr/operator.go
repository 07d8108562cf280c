package expr

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

func (e *evaluator) binary(node *ast.BinaryExpression, env *environment) Value {
	switch node.Operator {
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		return e.logical(node, env)
	}
	left := e.eval(node.Left, env)
	right := e.eval(node.Right, env)
	if e.thrown {
		return Undefined()
	}
	return e.operate(node.Operator, left, right)
}

func (e *evaluator) operate(operator token.Token, left, right Value) Value {
	switch operator {
	case token.PLUS:
		return e.add(left, right)
	case token.EQUAL, token.NOT_EQUAL, token.STRICT_EQUAL, token.STRICT_NOT_EQUAL:
		return e.compareEqual(operator, left, right)
	case token.LESS, token.LESS_OR_EQUAL, token.GREATER, token.GREATER_OR_EQUAL:
		return less(operator, left, right).value().WithOrigins(union(left.Origins(), right.Origins()...)...)
	case token.IN:
		return e.in(left, right)
	case token.INSTANCEOF:
		return e.instanceOf(left, right)
	}
	return arithmetic(operator, left, right)
}

// add is JavaScript's +: a sum of numbers, or a concatenation.
func (e *evaluator) add(left, right Value) Value {
	left, right = e.toPrimitive(left), e.toPrimitive(right)
	if left.kind == KindString || right.kind == KindString {
		return concatenateStrings(e.toString(left), e.toString(right))
	}
	if !isNumeric(left) || !isNumeric(right) {
		return Value{origins: union(left.Origins(), right.Origins()...)}
	}
	return arithmetic(token.PLUS, left, right)
}

func isNumeric(v Value) bool {
	switch v.kind {
	case KindNumber, KindBool, KindNull, KindUndefined:
		return true
	}
	return false
}

// toPrimitive turns objects into strings, as + and == do.
func (e *evaluator) toPrimitive(v Value) Value {
	switch v.kind {
	case KindObject, KindArray, KindFunction:
		return e.toString(v)
	}
	return v
}

func concatenateStrings(left, right Value) Value {
	origins := union(left.Origins(), right.Origins()...)
	if left.known && right.known && len(left.text)+len(right.text) <= maxTextBytes {
		return String(left.text + right.text).WithOrigins(origins...)
	}
	v := derivedString(origins)
	v.truthy = Truth(left) == True || Truth(right) == True
	return v
}

// concatenate joins the parts of a template: undefined and null become empty,
// everything else its string.
func concatenate(left, right Value) Value {
	e := &evaluator{}
	if nullish(right) == True {
		return left.WithOrigins(right.Origins()...)
	}
	text := e.toString(right)
	if right.kind == KindUnknown || right.kind == KindReference {
		text = derivedString(text.Origins())
	}
	return concatenateStrings(left, text)
}

// toString is JavaScript's String(v).
func (e *evaluator) toString(v Value) Value {
	origins := v.Origins()
	switch v.kind {
	case KindString:
		return v
	case KindUndefined:
		return String("undefined").WithOrigins(origins...)
	case KindNull:
		return String("null").WithOrigins(origins...)
	case KindBool:
		if v.known {
			return String(strconv.FormatBool(v.boolean)).WithOrigins(origins...)
		}
		return NonEmptyString().WithOrigins(origins...)
	case KindNumber:
		if v.known {
			return String(formatNumber(v.number)).WithOrigins(origins...)
		}
		return NonEmptyString().WithOrigins(origins...)
	case KindObject:
		return NonEmptyString().WithOrigins(e.allOrigins(v)...)
	case KindArray:
		return e.joinElements(v, String(","))
	}
	text := derivedString(origins)
	text.truthy = nullish(v) == True
	return text
}

// formatNumber writes a number as JavaScript does, for the usual magnitudes.
func formatNumber(n float64) string {
	switch {
	case math.IsNaN(n):
		return "NaN"
	case math.IsInf(n, 1):
		return "Infinity"
	case math.IsInf(n, -1):
		return "-Infinity"
	case n == 0:
		return "0"
	}
	if size := math.Abs(n); size >= 1e21 || size < 1e-6 {
		text := strconv.FormatFloat(n, 'e', -1, 64)
		text = strings.Replace(text, "e-0", "e-", 1)
		return strings.Replace(text, "e+0", "e+", 1)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func utf16Of(s string) []uint16 { return utf16.Encode([]rune(s)) }

func textOf(units []uint16) string { return string(utf16.Decode(units)) }

// toNumber is JavaScript's Number(v) of a primitive.
func toNumber(v Value) Value {
	origins := v.Origins()
	switch {
	case v.kind == KindNumber:
		return v
	case v.kind == KindUndefined:
		return Number(math.NaN()).WithOrigins(origins...)
	case v.kind == KindNull:
		return Number(0).WithOrigins(origins...)
	case v.kind == KindBool && v.known:
		if v.boolean {
			return Number(1).WithOrigins(origins...)
		}
		return Number(0).WithOrigins(origins...)
	case v.kind == KindBool:
		return NumberBetween(0, 1).WithOrigins(origins...)
	case v.kind == KindString && v.known:
		return Number(parseNumber(v.text)).WithOrigins(origins...)
	}
	return SomeNumber().WithOrigins(origins...)
}

func parseNumber(s string) float64 {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0
	}
	if len(s) > 2 && s[0] == '0' {
		base := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'O': 8, 'b': 2, 'B': 2}[s[1]]
		if base > 0 {
			n, err := strconv.ParseUint(s[2:], base, 64)
			if err != nil {
				return math.NaN()
			}
			return float64(n)
		}
	}
	switch s {
	case "Infinity", "+Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return math.NaN()
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(n, 0) {
		return math.NaN()
	}
	return n
}

func arithmetic(operator token.Token, left, right Value) Value {
	origins := union(left.Origins(), right.Origins()...)
	a, b := toNumber(left), toNumber(right)
	if !a.known || !b.known {
		return SomeNumber().WithOrigins(origins...).bounded(operator, a, b)
	}
	x, y := a.number, b.number
	var n float64
	switch operator {
	case token.PLUS:
		n = x + y
	case token.MINUS:
		n = x - y
	case token.MULTIPLY:
		n = x * y
	case token.SLASH:
		n = x / y
	case token.REMAINDER:
		n = math.Mod(x, y)
	case token.EXPONENT:
		n = math.Pow(x, y)
	default:
		n = bitwise(operator, x, y)
	}
	return Number(n).WithOrigins(origins...)
}

// bounded keeps the bounds of a sum or difference.
func (v Value) bounded(operator token.Token, a, b Value) Value {
	aLow, aHigh := bounds(a)
	bLow, bHigh := bounds(b)
	switch operator {
	case token.PLUS:
		v.low, v.high = aLow+bLow, aHigh+bHigh
	case token.MINUS:
		v.low, v.high = aLow-bHigh, aHigh-bLow
	default:
		return v
	}
	if math.IsNaN(v.low) || math.IsNaN(v.high) {
		v.low, v.high = math.Inf(-1), math.Inf(1)
	}
	v.truthy = v.low > 0 || v.high < 0
	return v
}

func bitwise(operator token.Token, x, y float64) float64 {
	a, b := toInt32(x), toInt32(y)
	shift := uint32(b) & 31
	switch operator {
	case token.AND:
		return float64(a & b)
	case token.OR:
		return float64(a | b)
	case token.EXCLUSIVE_OR:
		return float64(a ^ b)
	case token.SHIFT_LEFT:
		return float64(a << shift)
	case token.SHIFT_RIGHT:
		return float64(a >> shift)
	case token.UNSIGNED_SHIFT_RIGHT:
		return float64(uint32(a) >> shift)
	}
	return math.NaN()
}

func toInt32(n float64) int32 {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	return int32(uint32(int64(math.Mod(math.Trunc(n), 1<<32))))
}

func (e *evaluator) compareEqual(operator token.Token, left, right Value) Value {
	var equal Tri
	switch operator {
	case token.EQUAL, token.NOT_EQUAL:
		equal = e.looseEqual(left, right)
	default:
		equal = strictEqual(left, right)
	}
	if operator == token.NOT_EQUAL || operator == token.STRICT_NOT_EQUAL {
		equal = equal.Not()
	}
	return equal.value().WithOrigins(union(left.Origins(), right.Origins()...)...)
}

// strictEqual is ===.
func strictEqual(a, b Value) Tri {
	if isOpaque(a) || isOpaque(b) {
		return opaqueEqual(a, b)
	}
	if a.kind != b.kind {
		return False
	}
	switch a.kind {
	case KindUndefined, KindNull:
		return True
	case KindBool, KindString, KindNumber:
		return primitiveEqual(a, b)
	case KindObject, KindArray:
		if a.object != b.object {
			return False
		}
		if a.object.summary {
			return Maybe
		}
		return True
	}
	return Maybe
}

func isOpaque(v Value) bool {
	return v.kind == KindUnknown || v.kind == KindReference || v.absent
}

// opaqueEqual compares where one side is of unknown content: a truthy value
// differs from all falsy ones.
func opaqueEqual(a, b Value) Tri {
	if a.truthy && Truth(b) == False || b.truthy && Truth(a) == False {
		return False
	}
	return Maybe
}

func primitiveEqual(a, b Value) Tri {
	if a.known && b.known {
		if a.kind == KindNumber {
			return triOf(a.number == b.number)
		}
		return triOf(sameKnown(a, b))
	}
	if Truth(a) == True && Truth(b) == False || Truth(a) == False && Truth(b) == True {
		return False
	}
	if a.kind == KindNumber {
		aLow, aHigh := bounds(a)
		bLow, bHigh := bounds(b)
		if aHigh < bLow || bHigh < aLow {
			return False
		}
	}
	return Maybe
}

// looseEqual is ==.
func (e *evaluator) looseEqual(a, b Value) Tri {
	if nullish(a) == True || nullish(b) == True {
		return nullish(a).And(nullish(b))
	}
	if isOpaque(a) || isOpaque(b) {
		return Maybe
	}
	if a.kind == b.kind {
		return strictEqual(a, b)
	}
	a, b = e.toPrimitive(a), e.toPrimitive(b)
	if a.kind == b.kind {
		return primitiveEqual(a, b)
	}
	return primitiveEqual(toNumber(a), toNumber(b))
}

// less decides < <= > >=.
func less(operator token.Token, a, b Value) Tri {
	switch operator {
	case token.GREATER:
		return less(token.LESS, b, a)
	case token.GREATER_OR_EQUAL:
		return less(token.LESS_OR_EQUAL, b, a)
	}
	if a.kind == KindString && b.kind == KindString {
		if !a.known || !b.known {
			return Maybe
		}
		return triOf(a.text < b.text || operator == token.LESS_OR_EQUAL && a.text == b.text)
	}
	if isOpaque(a) || isOpaque(b) || a.object != nil || b.object != nil {
		return Maybe
	}
	return lessNumber(operator, toNumber(a), toNumber(b))
}

func lessNumber(operator token.Token, a, b Value) Tri {
	if a.known && math.IsNaN(a.number) || b.known && math.IsNaN(b.number) {
		return False
	}
	aLow, aHigh := bounds(a)
	bLow, bHigh := bounds(b)
	if operator == token.LESS {
		switch {
		case aHigh < bLow:
			return True
		case aLow >= bHigh:
			return False
		}
		return Maybe
	}
	switch {
	case aHigh <= bLow && !(math.IsInf(aHigh, 1) || math.IsInf(bLow, -1)):
		return True
	case aLow > bHigh:
		return False
	}
	return Maybe
}

func (e *evaluator) in(key, base Value) Value {
	origins := union(key.Origins(), base.Origins()...)
	name, ok := propertyName(key)
	if !ok || base.object == nil {
		return SomeBool().WithOrigins(origins...)
	}
	return e.hasField(base, name).value().WithOrigins(origins...)
}

func (e *evaluator) hasField(base Value, name string) Tri {
	c := e.contentOf(base.object)
	if base.kind == KindArray {
		index, err := strconv.Atoi(name)
		low, high := c.count()
		switch {
		case err != nil || index < 0 || index >= high:
			return triOf(name == "length")
		case index < low:
			return True
		}
		return Maybe
	}
	field := c.field(name)
	switch {
	case field != nil && !field.Optional:
		return True
	case field != nil || c.open:
		return Maybe
	}
	return False
}

func (e *evaluator) instanceOf(left, right Value) Value {
	result := SomeBool().WithOrigins(left.Origins()...)
	switch right.External() {
	case "Array":
		if !isOpaque(left) {
			return triOf(left.kind == KindArray).value().WithOrigins(left.Origins()...)
		}
	case "Date":
		if left.known || left.kind == KindArray || left.kind == KindUndefined || left.kind == KindNull {
			return Bool(false).WithOrigins(left.Origins()...)
		}
	}
	return result
}

func (e *evaluator) unary(node *ast.UnaryExpression, env *environment) Value {
	switch node.Operator {
	case token.INCREMENT, token.DECREMENT:
		return e.increment(node, env)
	case token.DELETE:
		return e.deleteField(node.Operand, env)
	case token.TYPEOF:
		return typeOf(e.typeofOperand(node.Operand, env))
	}
	operand := e.eval(node.Operand, env)
	if e.thrown {
		return Undefined()
	}
	switch node.Operator {
	case token.NOT:
		return Truth(operand).Not().value().WithOrigins(operand.Origins()...)
	case token.MINUS:
		return arithmetic(token.MULTIPLY, toNumber(e.toPrimitive(operand)), Number(-1))
	case token.PLUS:
		return toNumber(e.toPrimitive(operand))
	case token.BITWISE_NOT:
		return arithmetic(token.EXCLUSIVE_OR, toNumber(e.toPrimitive(operand)), Number(-1))
	case token.VOID:
		return Undefined()
	}
	return Value{origins: operand.Origins()}
}

// typeofOperand evaluates an operand of typeof, which may be an undeclared name.
func (e *evaluator) typeofOperand(node ast.Expression, env *environment) Value {
	if name, ok := node.(*ast.Identifier); ok && env.find(name.Name.String()) == nil {
		v := e.identifier(name, env)
		if v.External() != "" && len(v.origins) == 0 && !v.truthy {
			return Anything()
		}
		return v
	}
	return e.eval(node, env)
}

func typeOf(v Value) Value {
	name := ""
	switch v.kind {
	case KindUndefined:
		name = "undefined"
	case KindNull, KindObject, KindArray:
		name = "object"
	case KindBool:
		name = "boolean"
	case KindNumber:
		name = "number"
	case KindString:
		name = "string"
	case KindFunction:
		name = "function"
	}
	if name == "" || v.absent {
		return NonEmptyString().WithOrigins(v.Origins()...)
	}
	return String(name).WithOrigins(v.Origins()...)
}
