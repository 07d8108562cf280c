package expr

import "math"

// Tri is a truth value of a logic with three values.
type Tri int

const (
	False Tri = iota
	Maybe
	True
)

func (t Tri) String() string {
	switch t {
	case False:
		return "false"
	case True:
		return "true"
	}
	return "maybe"
}

// Not is the negation; the negation of Maybe is Maybe.
func (t Tri) Not() Tri { return True - t }

// And is the conjunction.
func (t Tri) And(other Tri) Tri { return min(t, other) }

// Or is the disjunction.
func (t Tri) Or(other Tri) Tri { return max(t, other) }

func triOf(b bool) Tri {
	if b {
		return True
	}
	return False
}

// Value gives the boolean value.
func (t Tri) value() Value {
	if t == Maybe {
		return SomeBool()
	}
	return Bool(t == True)
}

// Truth gives JavaScript's truthiness of a value, which is also n8n's.
func Truth(v Value) Tri {
	switch v.kind {
	case KindUndefined, KindNull:
		return False
	case KindObject, KindArray, KindFunction:
		if v.absent {
			return Maybe
		}
		return True
	}
	if v.truthy {
		return True
	}
	if !v.known {
		return Maybe
	}
	switch v.kind {
	case KindBool:
		return triOf(v.boolean)
	case KindNumber:
		return triOf(v.number != 0 && !math.IsNaN(v.number))
	case KindString:
		return triOf(v.text != "")
	}
	return Maybe
}

// nullish tells whether a value is undefined or null.
func nullish(v Value) Tri {
	switch v.kind {
	case KindUndefined, KindNull:
		return True
	case KindUnknown, KindReference:
		if v.truthy || v.proxy != nil {
			return False
		}
		return Maybe
	}
	if v.absent {
		return Maybe
	}
	return False
}

// DependsOn tells whether a value, or anything in it, comes from the node.
func DependsOn(v Value, node string) bool {
	for _, origin := range v.AllOrigins() {
		if origin.Kind == OriginReference && origin.Name == node {
			return true
		}
	}
	return false
}
