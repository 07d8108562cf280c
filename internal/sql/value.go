package sql

// ValueKind is the shape of a value.
type ValueKind int

// The kinds. Brackets and casts around a value do not change its kind.
const (
	Expression         ValueKind = iota // operators over Args, or a row of values
	Literal                             // a string, number or boolean
	Null                                // NULL
	Default                             // DEFAULT
	Placeholder                         // $1, ?, :name, @name of SQL Server
	InterpolationValue                  // exactly one {{ }}, in quotes or not
	Template                            // text and interpolations, or placeholders inside a string, in one literal or name
	ColumnRef                           // a column; Column "*" for a star
	CallValue                           // a function call, or a word like CURRENT_TIMESTAMP
	Subquery                            // a sub-select, or EXISTS of one (Call is "exists")
	Case                                // CASE; Args as When, Then, …, and Else if their number is odd
	Variable                            // @name of MySQL, @@name
)

// Value is a value expression.
type Value struct {
	Kind       ValueKind
	Text       string // as it is written, interpolations included
	Start, End int
	Literal    string // decoded text of a Literal or the fixed text around a Template's holes
	String     bool   // a Literal that was written in quotes
	// Placeholder is the number of $n, or the ordinal of ? in the script (from 1); 0
	// for named ones.
	Placeholder int
	Name        string   // of a named placeholder or variable, without its sign
	Modifier    string   // of $1:name, lower case: name, csv, json, …
	Column      string   // folded
	Qualifier   string   // folded: table, alias, excluded, inserted
	Call        string   // function's name, lower case, without schema
	Schema      string   // of the function
	Cast        string   // the last cast's type, lower case
	Operators   []string // of an Expression, in order, upper case
	Args        []Value
	Sub         *Statement

	interpolations []int // directly in this value's own token
	placeholders   []int // in the text of a string literal
}

// walk calls visit for the value and everything inside it, sub-selects included.
func (v Value) walk(visit func(Value)) {
	visit(v)
	for _, argument := range v.Args {
		argument.walk(visit)
	}
	for statement := range v.Sub.All() {
		statement.walkOwnValues(visit)
	}
}

// walkOwnValues visits the values of the statement's clauses without descending
// into sub-selects.
func (s *Statement) walkOwnValues(visit func(Value)) {
	for _, value := range s.values() {
		value.walkFlat(visit)
	}
	for _, predicate := range s.predicates() {
		predicate.walkValues(visit)
	}
	for _, table := range s.tables() {
		for _, argument := range table.Args {
			argument.walkFlat(visit)
		}
	}
}

func (v Value) walkFlat(visit func(Value)) {
	visit(v)
	for _, argument := range v.Args {
		argument.walkFlat(visit)
	}
}

func (v Value) subqueries(found []*Statement) []*Statement {
	if v.Sub != nil {
		found = append(found, v.Sub)
	}
	for _, argument := range v.Args {
		found = argument.subqueries(found)
	}
	return found
}

// Placeholders lists the numbers of the placeholders in the value, sub-selects
// included, each once.
func (v Value) Placeholders() []int {
	var found []int
	v.walk(func(inner Value) {
		if inner.Placeholder > 0 {
			found = appendOnce(found, inner.Placeholder)
		}
		for _, number := range inner.placeholders {
			found = appendOnce(found, number)
		}
	})
	return found
}

// Interpolations lists the indexes into Script.Interpolations of the {{ }} in the
// value, sub-selects included, each once.
func (v Value) Interpolations() []int {
	var found []int
	v.walk(func(inner Value) {
		for _, index := range inner.interpolations {
			found = appendOnce(found, index)
		}
	})
	return found
}

// Calls lists the lower-case names of the functions in the value, each once.
func (v Value) Calls() []string {
	var found []string
	v.walk(func(inner Value) {
		if inner.Call != "" {
			found = appendOnce(found, inner.Call)
		}
	})
	return found
}

// CallValues lists the calls in the value themselves, with schema and arguments.
func (v Value) CallValues() []Value {
	var found []Value
	v.walk(func(inner Value) {
		if inner.Kind == CallValue {
			found = append(found, inner)
		}
	})
	return found
}

// Columns lists the folded names of the columns in the value, each once.
func (v Value) Columns() []string {
	var found []string
	v.walk(func(inner Value) {
		if inner.Kind == ColumnRef && inner.Column != "*" {
			found = appendOnce(found, inner.Column)
		}
	})
	return found
}

// Fixed reports whether the value is the same in every run: literals and pure
// operators over them.
func (v Value) Fixed() bool {
	fixed := true
	v.walk(func(inner Value) {
		switch inner.Kind {
		case Literal, Null, Expression:
			fixed = fixed && inner.Sub == nil && len(inner.placeholders) == 0
		default:
			fixed = false
		}
	})
	return fixed && (v.Kind != Expression || len(v.Args) > 0)
}

func appendOnce[T comparable](list []T, item T) []T {
	for _, present := range list {
		if present == item {
			return list
		}
	}
	return append(list, item)
}
