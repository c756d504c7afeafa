package model

import "strconv"

// SlicerName returns the slicer as a command line names it, with its bucket or
// batch size: "greedy", "knapsack:100", "stream:32".
func (p Policy) SlicerName() string {
	switch p.Slicer {
	case Knapsack:
		return string(p.Slicer) + ":" + strconv.FormatInt(int64(p.Bucket()), 10)
	case Stream:
		return string(p.Slicer) + ":" + strconv.Itoa(p.Batch())
	}
	return string(p.Slicer)
}
