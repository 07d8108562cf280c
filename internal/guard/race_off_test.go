//go:build !race

package guard

// raceFactor is how much longer the tests may take under the race detector.
const raceFactor = 1

// sizeDivisor divides the sizes of the large tests.
const sizeDivisor = 1
