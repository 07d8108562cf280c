package guard

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed data/operators.tsv
var operatorsTSV string

// operators are the parsed questions of operators.tsv, by "type operation".
var operators = sync.OnceValue(func() map[string]*expr.Program {
	m := map[string]*expr.Program{}
	for _, f := range catalog.Rows(operatorsTSV) {
		if p, err := expr.Parse(f[2], expr.Expression); err == nil {
			m[f[0]+" "+f[1]] = p
		}
	}
	return m
})

// answer is what a condition gives for one item: the truth, and the value
// behind it, whose origins tell what the truth depends on.
type answer struct {
	truth expr.Tri
	value expr.Value
}

func answered(v expr.Value) answer { return answer{truth: expr.Truth(v), value: v} }

// and and or join answers; what the answer depends on is what could still
// change it.
func (a answer) and(b answer) answer {
	switch {
	case a.truth == expr.False || b.truth == expr.True:
		return a
	case b.truth == expr.False || a.truth == expr.True:
		return b
	}
	return answer{truth: expr.Maybe, value: expr.Anything().WithOrigins(a.value.AllOrigins()...).WithOrigins(b.value.AllOrigins()...)}
}

func (a answer) not() answer { return answer{truth: a.truth.Not(), value: a.value} }

func (a answer) or(b answer) answer { return a.not().and(b.not()).not() }

var (
	yes = answer{truth: expr.True}
	no  = answer{truth: expr.False}
)

// evaluator evaluates parameters of one workflow and keeps what it has parsed.
type evaluator struct {
	lock      sync.Mutex
	templates map[string]*expr.Template
	programs  map[string]*expr.Program
}

func newEvaluator() *evaluator {
	return &evaluator{templates: map[string]*expr.Template{}, programs: map[string]*expr.Program{}}
}

func (e *evaluator) template(s string) *expr.Template {
	e.lock.Lock()
	defer e.lock.Unlock()
	t, ok := e.templates[s]
	if !ok {
		t = expr.ParseTemplate(s)
		e.templates[s] = t
	}
	return t
}

func (e *evaluator) code(s string) *expr.Program {
	e.lock.Lock()
	defer e.lock.Unlock()
	p, ok := e.programs[s]
	if !ok {
		p, _ = expr.Parse(s, expr.Body) // nil for what is no JavaScript
		e.programs[s] = p
	}
	return p
}

// value evaluates a parameter as n8n does.
func (e *evaluator) value(v source.Value, scope expr.Scope) expr.Value {
	switch v.Kind() {
	case source.String:
		return e.template(v.Str()).Eval(scope)
	case source.Number:
		f, _ := v.Float()
		return expr.Number(f)
	case source.Bool:
		return expr.Bool(v.IsTrue())
	case source.Null:
		return expr.Null()
	case source.Absent:
		return expr.Undefined()
	case source.Array:
		var elements []expr.Value
		for c := range v.Children() {
			elements = append(elements, e.value(c, scope))
		}
		return expr.Array(elements...)
	}
	var fields []expr.Field
	for c := range v.Children() {
		fields = append(fields, expr.Field{Name: c.Key(), Value: e.value(c, scope)})
	}
	return expr.Object(fields...)
}

// conditions answers the conditions parameter of IF, Filter and Switch rules.
func (e *evaluator) conditions(v source.Value, combine string, scope expr.Scope) answer {
	if list := v.Get("conditions"); list.Kind() == source.Array || v.Get("combinator").Exists() {
		return e.newConditions(v, list, scope)
	}
	return e.oldConditions(v, combine, scope)
}

func (e *evaluator) newConditions(v, list source.Value, scope expr.Scope) answer {
	either := v.Get("combinator").Str() == "or"
	result, count := yes, 0
	if either {
		result = no
	}
	for c := range list.Children() {
		a := e.newCondition(c, scope, v.Get("options", "caseSensitive"))
		if count++; either {
			result = result.or(a)
		} else {
			result = result.and(a)
		}
	}
	if count == 0 {
		return yes
	}
	return result
}

func (e *evaluator) newCondition(c source.Value, scope expr.Scope, caseSensitive source.Value) answer {
	kind, operation := c.Get("operator", "type").Str(), c.Get("operator", "operation").Str()
	l, r := e.value(c.Get("leftValue"), scope), e.value(c.Get("rightValue"), scope)
	if c.Get("operator", "singleValue").IsTrue() {
		r = expr.Undefined()
	}
	a := e.compare(kind, operation, l, r)
	if a.truth == expr.False && caseSensitive.Kind() == source.Bool && !caseSensitive.IsTrue() && kind == "string" && strings.Contains(strings.ToLower(operation), "equal") {
		a.truth = expr.Maybe // two texts may still be equal but for case
	}
	return a
}

func (e *evaluator) compare(kind, operation string, l, r expr.Value) answer {
	ops := operators()
	p := ops[kind+" "+operation]
	if p == nil {
		p = ops["any "+operation]
	}
	if p == nil {
		return answer{truth: expr.Maybe, value: expr.Anything().WithOrigins(l.AllOrigins()...).WithOrigins(r.AllOrigins()...)}
	}
	return answered(p.Eval(expr.Items{Globals: map[string]expr.Value{"$left": l, "$right": r}}))
}

// oldDefaults are the operations that n8n fills in for IF 1 and Filter 1.
var oldDefaults = map[string]string{"string": "equal", "number": "smaller", "boolean": "equal", "dateTime": "after"}

func (e *evaluator) oldConditions(v source.Value, combine string, scope expr.Scope) answer {
	either := combine == "any" || combine == "OR"
	result, count := yes, 0
	if either {
		result = no
	}
	for list := range v.Children() {
		for c := range list.Children() {
			a := e.oldCondition(list.Key(), c, scope)
			if count++; either {
				result = result.or(a)
			} else {
				result = result.and(a)
			}
		}
	}
	if count == 0 {
		return yes
	}
	return result
}

func (e *evaluator) oldCondition(kind string, c source.Value, scope expr.Scope) answer {
	operation := c.Get("operation").Str()
	if operation == "" {
		operation = oldDefaults[kind]
	}
	return e.compare("old."+kind, operation, e.value(c.Get("value1"), scope), e.value(c.Get("value2"), scope))
}

// branches answers, for each output of a branch node, whether an item of scope
// leaves there. Nil for other nodes.
func (e *evaluator) branches(n *graph.Node, scope expr.Scope) []answer {
	switch n.Type {
	case ifNode:
		a := e.conditions(n.Parameter("conditions"), n.Parameter("combineOperation").Str(), scope)
		return []answer{a, a.not()}
	case filterNode:
		a := e.conditions(n.Parameter("conditions"), n.Parameter("combineConditions").Str(), scope)
		return []answer{a, a.not()}
	case switchNode:
		return e.switchBranches(n, scope)
	}
	return nil
}

func (e *evaluator) switchBranches(n *graph.Node, scope expr.Scope) []answer {
	if n.Parameter("mode").Str() == "expression" {
		return e.switchExpression(n, scope)
	}
	var out []answer
	none := yes
	all := n.Parameter("options", "allMatchingOutputs").IsTrue()
	for i, rule := range switchRules(n) {
		a := e.switchRule(n, rule, scope)
		if !all {
			a, none = a.and(none), none.and(a.not())
		} else {
			none = none.and(a.not())
		}
		output := i
		if n.TypeVersion < 2 {
			output = number(rule.Get("output"))
		}
		if output >= mostOutputs {
			continue
		}
		for len(out) <= output {
			out = append(out, no)
		}
		out[output] = out[output].or(a)
	}
	return switchFallback(n, out, none)
}

func switchRules(n *graph.Node) (rules []source.Value) {
	list := n.Parameter("rules", "values")
	if n.TypeVersion < 3 {
		list = n.Parameter("rules", "rules")
	}
	for r := range list.Children() {
		rules = append(rules, r)
	}
	return rules
}

func (e *evaluator) switchRule(n *graph.Node, rule source.Value, scope expr.Scope) answer {
	if n.TypeVersion >= 3 {
		return e.conditions(rule.Get("conditions"), "", scope)
	}
	kind := n.Parameter("dataType").Str()
	if kind == "" {
		kind = "number"
	}
	operation := rule.Get("operation").Str()
	if operation == "" {
		operation = oldDefaults[kind]
	}
	return e.compare("old."+kind, operation, e.value(n.Parameter("value1"), scope), e.value(rule.Get("value2"), scope))
}

// switchFallback adds where an item goes that no rule takes: nowhere by
// default (N8N.md section 7).
func switchFallback(n *graph.Node, out []answer, none answer) []answer {
	fallback := n.Parameter("fallbackOutput")
	if n.TypeVersion >= 3 {
		fallback = n.Parameter("options", "fallbackOutput")
	}
	if fallback.Text() == "extra" {
		return append(out, none)
	}
	i, err := strconv.Atoi(fallback.Text())
	if err != nil || i < 0 || i >= mostOutputs {
		return out
	}
	for len(out) <= i {
		out = append(out, no)
	}
	out[i] = out[i].or(none)
	return out
}

func (e *evaluator) switchExpression(n *graph.Node, scope expr.Scope) []answer {
	v := e.value(n.Parameter("output"), scope)
	out := make([]answer, switchOutputs(n))
	f, known := v.AsNumber()
	for i := range out {
		out[i] = answer{truth: expr.Maybe, value: v}
		if known {
			out[i] = answered(expr.Bool(int(f) == i))
		}
	}
	return out
}

func switchOutputs(n *graph.Node) int {
	if n.Parameter("mode").Str() == "expression" {
		if c := number(n.Parameter("numberOutputs")); c > 0 {
			return min(c, mostOutputs)
		}
		return 4
	}
	if n.TypeVersion < 2 {
		return 4
	}
	count := len(switchRules(n))
	if n.TypeVersion >= 3 && n.Parameter("options", "fallbackOutput").Str() == "extra" {
		count++
	}
	return count
}

// mostOutputs is far more than any branch node has.
const mostOutputs = 4096

// number is a number of outputs, or an output's index, 0 where it is none.
func number(v source.Value) int {
	f, _ := v.Float()
	if !(f > 0) {
		return 0
	}
	return int(min(f, mostOutputs))
}
