package order

import "time"

// Instants are points in time that compare exactly over the whole range of
// time.Time, which int64 nanoseconds do not cover (they end in 2262).
type Instants struct {
	seconds []uint64 // since the earliest second that a time.Time can hold
	nanos   []uint64
}

// secondsToUnix is how far the zero time.Time lies before 1970.
const secondsToUnix = 62135596800

// Add appends an instant.
func (s *Instants) Add(t time.Time) {
	// time.Time counts seconds from the year 1 in an int64; Unix subtracts a
	// constant and may wrap round doing so. Adding the constant wraps back,
	// which makes the comparison agree with Time.Before everywhere.
	s.seconds = append(s.seconds, uint64(t.Unix()+secondsToUnix)^1<<63)
	s.nanos = append(s.nanos, uint64(t.Nanosecond()))
}

// Grow makes room for n more instants.
func (s *Instants) Grow(n int) {
	s.seconds = append(make([]uint64, 0, len(s.seconds)+n), s.seconds...)
	s.nanos = append(make([]uint64, 0, len(s.nanos)+n), s.nanos...)
}

// Len is the number of instants.
func (s *Instants) Len() int { return len(s.seconds) }

// Same reports whether instants i and j are the same.
func (s *Instants) Same(i, j int32) bool {
	return s.seconds[i] == s.seconds[j] && s.nanos[i] == s.nanos[j]
}

func (s *Instants) before(i, j int) bool {
	if s.seconds[i] != s.seconds[j] {
		return s.seconds[i] < s.seconds[j]
	}
	return s.nanos[i] < s.nanos[j]
}

// Ascending returns the positions of the instants, earliest first, ties in
// ascending position. One pass when they ascend already, as in a
// conversation; a radix sort otherwise.
func (s *Instants) Ascending() []int32 {
	n := s.Len()
	perm := make([]int32, n)
	ascends := true
	for i := range perm {
		perm[i] = int32(i)
		if i > 0 && s.before(i, i-1) {
			ascends = false
		}
	}
	if !ascends {
		Sort(s.nanos, perm)
		Sort(s.seconds, perm)
	}
	return perm
}
