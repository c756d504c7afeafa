package slicer

import (
	"math"

	"cupelscope/model"
)

// Knapsack selects the most valuable set with a 0/1 dynamic programme over
// capacities of whole buckets: an item's size is rounded up, the target down.
// Items without tokens are always in. Cupel specification, chapter
// KnapsackSlice; ties fall as its reconstruction makes them fall.
type Knapsack struct {
	// Bucket is the size of a bucket in tokens; model.DefaultBucketSize if it is not above 0.
	Bucket model.Tokens
}

// maxValue bounds the value of an item, so that sums stay in an int64.
const maxValue = 1 << 40

// value is the integer that the knapsack maximises: floor(score * 10,000),
// 0 to 2^40, 0 for NaN.
func value(score float64) int64 {
	v := math.Floor(float64(score * 10000))
	switch {
	case !(v > 0):
		return 0
	case v >= maxValue:
		return maxValue
	}
	return int64(v)
}
