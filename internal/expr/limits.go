package expr

import "time"

// Limits of parsing. goja's parser recurses on nesting and parses the
// parameters of an arrow function twice for every level, so both are counted
// before it sees a text.
const (
	maxExpressionBytes = 64 << 10
	maxBodyBytes       = 256 << 10
	maxBracketDepth    = 400
	maxBrackets        = 20_000
	maxOperatorRun     = 10_000
	maxArrowRun        = 100
	maxParameterNest   = 6
	maxAmbiguousArrows = 10
	parseTimeLimit     = 500 * time.Millisecond
)

// Limits of evaluation.
const (
	maxSteps        = 40_000
	maxDepth        = 300
	maxCallDepth    = 16
	maxRecursion    = 2
	maxUnroll       = 24
	maxElements     = 64
	maxFields       = 256
	maxTextBytes    = 64 << 10
	maxOrigins      = 24
	maxPath         = 24
	maxValueDepth   = 12
	maxValueNodes   = 4_000
	maxCalls        = 400
	maxReturns      = 32
	maxPendingPaths = 64
	maxNames        = 4_000
)

// Unbounded is the upper count of an array that may have any number of elements.
const Unbounded = 1 << 30
