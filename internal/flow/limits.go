package flow

// Limits of a trace. They are far above what people build and keep a hostile
// workflow from taking time or memory.
const (
	// maxVisits is the number of fields of nodes that one search looks at.
	maxVisits = 2_000
	// maxRow is the number of fields in a row that lead to one other each.
	maxRow = 20_000
	// maxWork is the number of steps of all searches in one workflow.
	maxWork = 1_000_000
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
	// maxArguments is the length in bytes of a call's arguments that are read for a
	// time that is cut to a day.
	maxArguments = 4 << 10
	// maxElements is the number of elements of a list that are read one by one.
	maxElements = 32
	// maxSteps is the number of further fields that one field may lead to.
	maxSteps = 400
)
