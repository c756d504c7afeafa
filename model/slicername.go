package model

import "strconv"

// SlicerName is the slicer with its size, as a command line names it: greedy,
// knapsack:100, stream:32.
func (p Policy) SlicerName() string {
	switch p.Slicer {
	case Knapsack:
		return string(p.Slicer) + ":" + strconv.FormatInt(int64(p.Bucket()), 10)
	case Stream:
		return string(p.Slicer) + ":" + strconv.Itoa(p.Batch())
	}
	return string(p.Slicer)
}
