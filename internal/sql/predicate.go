package sql

// PredicateKind is the shape of a condition.
type PredicateKind int

// The kinds. Raw is a condition that only its values are known of.
const (
	Raw PredicateKind = iota
	And
	Or
	Not
	Comparison
	In
	Exists
	IsNull
	Between
)

// Predicate is a condition: a tree of And, Or and Not over leaves.
type Predicate struct {
	Kind       PredicateKind
	Start, End int
	Children   []*Predicate
	Negated    bool // NOT IN, IS NOT NULL, NOT BETWEEN, NOT LIKE, <> ALL
	Left       Value
	// Column and Qualifier are those of Left where it is a column.
	Column, Qualifier string
	// Op is the operator of a Comparison, upper case; a column that stands on the
	// right of a value is brought to the left and the operator turned round.
	Op     string
	Value  Value   // Comparison
	Values []Value // In: the list or the array of = ANY(…); Between: both bounds
	Sub    *Statement
}

func (p *Predicate) subqueries(found []*Statement) []*Statement {
	if p == nil {
		return found
	}
	if p.Sub != nil {
		found = append(found, p.Sub)
	}
	found = p.Left.subqueries(found)
	found = p.Value.subqueries(found)
	for _, value := range p.Values {
		found = value.subqueries(found)
	}
	for _, child := range p.Children {
		found = child.subqueries(found)
	}
	return found
}

// walkValues visits every value of the condition without descending into sub-selects.
func (p *Predicate) walkValues(visit func(Value)) {
	if p == nil {
		return
	}
	p.Left.walkFlat(visit)
	p.Value.walkFlat(visit)
	for _, value := range p.Values {
		value.walkFlat(visit)
	}
	for _, child := range p.Children {
		child.walkValues(visit)
	}
}

// Leaves lists the conditions that are not And, Or or Not, in order.
func (p *Predicate) Leaves() []*Predicate {
	if p == nil {
		return nil
	}
	if p.Kind != And && p.Kind != Or && p.Kind != Not {
		return []*Predicate{p}
	}
	var found []*Predicate
	for _, child := range p.Children {
		found = append(found, child.Leaves()...)
	}
	return found
}

// Conjuncts lists the conditions that all must hold: the parts of the And at the
// top, or the condition itself.
func (p *Predicate) Conjuncts() []*Predicate {
	if p == nil {
		return nil
	}
	if p.Kind != And {
		return []*Predicate{p}
	}
	var found []*Predicate
	for _, child := range p.Children {
		found = append(found, child.Conjuncts()...)
	}
	return found
}

// Equalities lists the comparisons column = value (also IS NOT DISTINCT FROM and
// <=>) that all must hold.
func (p *Predicate) Equalities() []*Predicate {
	var found []*Predicate
	for _, conjunct := range p.Conjuncts() {
		if conjunct.isEquality() {
			found = append(found, conjunct)
		}
	}
	return found
}

func (p *Predicate) isEquality() bool {
	if p.Kind != Comparison || p.Column == "" || p.Negated {
		return false
	}
	return p.Op == "=" || p.Op == "==" || p.Op == "<=>" || p.Op == "IS NOT DISTINCT FROM"
}

// Equality returns the value that column must have at the top level.
func (p *Predicate) Equality(column string) (Value, bool) {
	for _, equality := range p.Equalities() {
		if equality.Column == column {
			return equality.Value, true
		}
	}
	return Value{}, false
}
