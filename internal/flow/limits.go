package flow

// Limits of one trace. They are far above what people build and keep a hostile
// workflow from taking time or memory.
const (
	// maxVisits is the number of fields of nodes that one walk looks at.
	maxVisits = 2_000
	// maxPath is the depth of a field.
	maxPath = 24
	// maxOrigins is the number of origins of one value.
	maxOrigins = 48
	// maxHops is the number of hops that an origin keeps; the middle of a longer
	// way is left out.
	maxHops = 48
	// maxPieces is the number of strings that are read inside one parameter.
	maxPieces = 400
	// maxNesting is the depth of objects and arrays that are read inside one
	// parameter, and of values inside one SQL value.
	maxNesting = 40
	// maxElements is the number of elements of a list that are read one by one.
	maxElements = 32
	// maxSteps is the number of further fields that one field may lead to.
	maxSteps = 400
)
