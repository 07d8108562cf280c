//go:build race

package guard

// raceFactor is how much longer the tests may take under the race detector.
const raceFactor = 15
