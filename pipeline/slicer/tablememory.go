package slicer

import (
	"context"

	"cupelscope/model"
)

// tableBounds is the bucket of a knapsack, with or without sizes, and what its table may take.
type tableBounds struct {
	bucket model.Tokens
	limit  int64 // bytes
}

// laneBytes is what a profile needs for each capacity in addition to the bits: while the table is
// filled a value of 8, and in the walk back 24 for groups and runs and 8 for what enters or leaves.
const laneBytes = 40

// memory is what a table of that many words and capacities needs, in bytes.
func memory(words, top int64) int64 { return words*8 + (top+1)*laneBytes }

// capacity is the number of whole buckets in t.
func (b tableBounds) capacity(t Target) int64 { return int64(t) / int64(b.bucket) }

// topLimit is the largest capacity that the limit has room for; also one that
// an int32 holds with room to spare.
func (b tableBounds) topLimit() int64 { return min(b.limit/laneBytes, 1<<31-1<<10) }

// fits reports whether a table of that many words and capacities is allowed.
func (b tableBounds) fits(words, top int64) bool {
	return top <= b.topLimit() && memory(words, top) <= b.limit
}

// tooLarge is the error for a table of so many candidates that does not fit target t, with the
// least bucket size that would, found by bisection; or ctx's error. layout says how many words
// and capacities a table has.
func (b tableBounds) tooLarge(ctx context.Context, t Target, candidates int,
	layout func(capacity int64, bucket model.Tokens) (words, top int64)) error {
	low, high := b.bucket+1, max(b.bucket, model.Tokens(t))+1 // at high the capacity is 0
	for low < high {
		if err := ctx.Err(); err != nil {
			return err
		}
		mid := low + (high-low)/2
		if b.fits(layout(int64(t)/int64(mid), mid)) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	capacity := b.capacity(t)
	words, top := layout(capacity, b.bucket)
	return &model.TableError{
		Candidates: int64(candidates), Capacity: capacity, Needed: memory(words, top), Limit: b.limit, Bucket: low,
	}
}
