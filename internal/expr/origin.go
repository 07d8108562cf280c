package expr

import "slices"

// OriginKind says what sort of source a value comes from.
type OriginKind int

const (
	// OriginReference is a leaf that the scope gave: a node's field. Name is the
	// node ("" for the current item), Path the field.
	OriginReference OriginKind = iota + 1
	// OriginVolatile is made anew by a redelivery, a retry or each call.
	OriginVolatile
	// OriginModel is a language model's output.
	OriginModel
	// OriginStable is the same for every execution of the workflow, or for a
	// redelivery and a retry alike.
	OriginStable
	// OriginEnvironment is an environment variable or an n8n variable.
	OriginEnvironment
	// OriginCall is the answer of a function that this package does not know.
	// Name is the callee ("this.helpers.httpRequest").
	OriginCall
	// OriginUnknown is anything else that could not be followed.
	OriginUnknown
)

func (k OriginKind) String() string {
	switch k {
	case OriginReference:
		return "reference"
	case OriginVolatile:
		return "volatile"
	case OriginModel:
		return "model"
	case OriginStable:
		return "stable"
	case OriginEnvironment:
		return "environment"
	case OriginCall:
		return "call"
	}
	return "unknown"
}

// Origin is one source that a value was made from.
type Origin struct {
	Kind OriginKind
	// Name is the node of a reference, otherwise the source's name as sources.tsv
	// or the code has it: "$execution.id", "Date.now()", "new Date()".
	Name string
	// Path holds the field names and array indexes under a reference or an
	// environment object; "*" is an index or a key that is not known.
	Path []string
	// Start and End are the byte offsets of the source's text.
	Start, End int
	// Where names the text that Start and End refer to; empty is the text under
	// evaluation. See Value.Located.
	Where string
	// Fallback is true if the value comes from here only where another one is
	// missing: the right side of ?? and ||, or the second argument of $ifEmpty.
	Fallback bool
}

func (o Origin) same(other Origin) bool {
	return o.Kind == other.Kind && o.Name == other.Name && o.Start == other.Start && o.End == other.End &&
		o.Where == other.Where && slices.Equal(o.Path, other.Path)
}

// union adds more to a set, which is never changed in place. When the set is
// full, a volatile source still finds a place: it is the one that matters most.
func union(set []Origin, more ...Origin) []Origin {
	if len(more) == 0 {
		return set
	}
	if len(set) == 0 && len(more) == 1 {
		return more[:1:1]
	}
	result := set[:len(set):len(set)]
	copied := false
	for _, origin := range more {
		at := slices.IndexFunc(result, origin.same)
		if at < 0 {
			result, copied = insert(result, origin, copied)
			continue
		}
		if result[at].Fallback && !origin.Fallback {
			if !copied {
				result, copied = slices.Clone(result), true
			}
			result[at].Fallback = false
		}
	}
	return result
}

func insert(set []Origin, origin Origin, copied bool) ([]Origin, bool) {
	if len(set) < maxOrigins {
		return append(set, origin), true
	}
	if origin.Kind != OriginVolatile {
		return set, copied
	}
	last := len(set) - 1
	for last >= 0 && set[last].Kind == OriginVolatile {
		last--
	}
	if last < 0 {
		return set, copied
	}
	if !copied {
		set = slices.Clone(set)
	}
	set[last] = origin
	return set, true
}

// marked gives the origins with a change to each.
func marked(set []Origin, change func(*Origin)) []Origin {
	if len(set) == 0 {
		return nil
	}
	result := slices.Clone(set)
	for i := range result {
		change(&result[i])
	}
	return result
}

func asFallback(set []Origin) []Origin {
	return marked(set, func(o *Origin) { o.Fallback = true })
}
