package slicer

import "context"

// The odometer of sizes has several positions on a wheel.
//
// Let the target grow by one token. The first candidate decided differently has just got
// the one token that its next larger size lacked, so that size fills the room to the last
// token, and every candidate with tokens after it falls back to nothing. So a wheel
// advances by one position, and those to its right return to zero, as in odometer.go.
// Beside the flip time of a skipped candidate, by its smallest size, there is that of a
// selected one: what stood before it, and its next larger size.
//
//	sizes in order: 4 or 2, then 1
//	T      1  2  3  4  5
//	4 2    .  2  2  4  4
//	1      #  .  #  .  #
//
// The notes are wheels to the right of all others. That of a candidate turns only while
// the candidate is out. What is in among the candidates is fixed while notes turn, so the
// same holds for them.

// Profile implements Prepared with the odometer above. Errors: ctx's, and a *RecordsError
// for more than MaxRecords changes.
func (s *sized) Profile(ctx context.Context, upTo Target) (Profile, error) {
	if err := profilable(ctx, s.in, upTo); err != nil {
		return nil, err
	}
	f := s.front(upTo)
	return inOrder(ctx, s.in, f, freeItems{at: s.free}, upTo, MaxRecords)
}

// candidates is how many there are, notes included.
func (f *front) candidates() int32 {
	if f.wheels == nil {
		return int32(len(f.tok))
	}
	return int32(len(f.wheels.begin))
}

// wheel is the wheel of a rank.
func (f *front) wheel(rank int32) wheel {
	if f.wheels == nil {
		return wheel{never, rank}
	}
	return f.wheels.of[rank]
}

// smallest returns the rank of the smallest size of a candidate.
func (f *front) smallest(number int32) int32 {
	if f.wheels == nil {
		return number
	}
	return f.wheels.begin[number]
}

// moved says that a rank enters or leaves, which the note of its candidate has to know.
func (f *front) moved(rank int32, out bool) {
	if f.wheels != nil && f.wheels.open.nodes != nil {
		f.wheels.moved(f, rank, out)
	}
}

// moved is the function moved of a front.
func (z *wheels) moved(f *front, rank int32, out bool) {
	number := z.of[rank].number
	if number >= z.notes || z.note[number] < 0 {
		return
	}
	to := uint64(noNode)
	if out {
		to = z.nodeOf(f, z.note[number])
	}
	z.open.set(z.note[number], to)
}

// behind is the function behind of a front. A note is out where its candidate is.
func (z *wheels) behind(f *front, from, to int32) uint64 {
	least := uint64(noNode)
	if before := min(to, z.notes); from < before {
		switch {
		case z.stops:
			least = f.minima[0][from]
		case before == z.notes:
			least = f.min[from]
		default:
			least = f.minima.first(from, before)
		}
	}
	if to > z.notes {
		least = min(least, z.open.first(from, to)) // of equal ones a candidate is less than a note
	}
	return least
}
