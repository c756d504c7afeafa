package slicer

import "context"

// The odometer of sizes has several positions on a wheel.
//
// Let the target grow by one token. The first candidate decided differently has just got
// the one token that its next larger size lacked, so that size fills the room to the last
// token, and every candidate with tokens after it falls back to nothing. So a wheel
// advances by one position, and those to its right return to zero, as in odometer.go.
// A skipped candidate has a flip time, by its smallest size. A selected one has a flip
// time too: what stood before it, and its next larger size.
//
//	sizes in order: 4 or 2, then 1
//	T      1  2  3  4  5
//	4 2    .  2  2  4  4
//	1      #  .  #  .  #
//
// The notes are wheels to the right of all others. A note turns only while its
// candidate is out. What is in among the candidates is fixed while notes turn, so the
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

// moved makes the note of the candidate of a rank available if out, and else not available.
func (f *front) moved(rank int32, out bool) {
	number := f.of[rank].number
	if number >= f.notes || f.note[number] < 0 {
		return
	}
	to := uint64(noNode)
	if out {
		to = f.nodeOf(f.note[number])
	}
	f.open.set(f.note[number], to)
}

// behind returns the node of the smallest candidate from number from to to-1. Of the notes it
// takes those whose candidates are out.
func (f *front) behind(from, to int32) uint64 {
	least := uint64(noNode)
	if before := min(to, f.notes); from < before {
		switch {
		case f.stops:
			least = f.minima[0][from]
		case before == f.notes:
			least = f.min[from]
		default:
			least = f.minima.first(from, before)
		}
	}
	if to > f.notes {
		least = min(least, f.open.first(from, to)) // of equal ones a candidate is less than a note
	}
	return least
}
