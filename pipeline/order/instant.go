package order

import (
	"time"

	"cupelscope/pipeline/scratch"
)

// Instants gives points in time integer keys that compare as they do, over the
// whole range of time.Time.
//
// Nanoseconds since 1970 are such a key for the years 1678 to 2262. Beyond
// them an int64 is too small; so from the first instant that does not fit,
// seconds and nanoseconds are kept apart, and the keys are found by sorting.
type Instants struct {
	lent    *scratch.Slice[uint64]
	keys    []uint64 // while all fit
	seconds []uint64 // nil while all fit
	nanos   []uint64
}

// instantKeys are lent to Instants.
var instantKeys scratch.Pool[uint64]

// LendInstants returns an empty list with room for n instants. Give it back
// with Return.
func LendInstants(n int) *Instants {
	lent := instantKeys.Lend(n)
	return &Instants{lent: lent, keys: lent.Of[:0]}
}

// Return gives the memory back; the list and its keys may not be used after.
func (s *Instants) Return() { s.lent.Return() }

const (
	// lastSecond is the last whole second before or after 1970 all of whose
	// nanoseconds fit an int64.
	lastSecond = 1<<63/1_000_000_000 - 1
	signBit    = 1 << 63
	// secondsToUnix is how far the zero time.Time lies before 1970.
	secondsToUnix = 62135596800
)

// Add appends an instant.
func (s *Instants) Add(t time.Time) {
	second, nano := t.Unix(), int64(t.Nanosecond())
	if s.seconds == nil && -lastSecond <= second && second <= lastSecond {
		s.keys = append(s.keys, uint64(second*1_000_000_000+nano)^signBit)
		return
	}
	s.addExact(second, nano)
}

func (s *Instants) addExact(second, nano int64) {
	if s.seconds == nil {
		s.seconds = make([]uint64, 0, len(s.lent.Of))
		s.nanos = make([]uint64, 0, len(s.lent.Of))
		for _, key := range s.keys {
			t := time.Unix(0, int64(key^signBit))
			s.addExact(t.Unix(), int64(t.Nanosecond()))
		}
	}
	// time.Time counts seconds from the year 1 in an int64; Unix subtracts a
	// constant and may wrap round doing so. Adding the constant wraps back,
	// which makes the comparison agree with Time.Before everywhere.
	s.seconds = append(s.seconds, uint64(second+secondsToUnix)^signBit)
	s.nanos = append(s.nanos, uint64(nano))
}

// Keys returns a key for each instant: less for an earlier one, the same for
// the same one. They hold until the next Add or Return.
func (s *Instants) Keys() []uint64 {
	if s.seconds == nil {
		return s.keys
	}
	perm := make([]int32, len(s.seconds))
	for i := range perm {
		perm[i] = int32(i)
	}
	Sort(s.nanos, perm)
	Sort(s.seconds, perm)
	keys := make([]uint64, len(perm))
	for k, p := range perm[min(1, len(perm)):] {
		last := perm[k]
		keys[p] = keys[last]
		if s.seconds[last] != s.seconds[p] || s.nanos[last] != s.nanos[p] {
			keys[p]++
		}
	}
	return keys
}
