//go:build race

package expr

import "time"

// raceFactor stretches time limits of tests under the race detector.
const raceFactor = time.Duration(10)
