package slicer

import (
	"context"
	"slices"
)

// Steps implements Prepared: batch by batch, as the items come.
func (s *stream) Steps(_ context.Context, t Target, tell func(Step)) error {
	if t <= 0 {
		return nil
	}
	number, of := 0, (len(s.at)-1)/s.batch+1
	for batch := range slices.Chunk(s.at, s.batch) {
		number++
		begun := t > 0
		tell(opening(Batch, t, BatchOf{number, of, len(batch), begun}))
		for k, p := range batch {
			step := fit(Batch, p, s.in.Tokens[p], t)
			if !begun {
				step.Verdict, step.Why = Skipped, NothingLeft
			}
			step.Number, step.Of = int32(k)+1, int32(len(batch))
			t = step.After
			tell(step)
		}
	}
	return nil
}

// Out implements Prepared.
func (s *stream) Out(t Target, sel Selection) func(at int, left bool) Step {
	turns := make([]uint64, s.in.Len())
	for k, p := range s.at {
		turns[p] = uint64(k)
	}
	out := s.in.outAfter(Batch, t, sel, turns)
	return func(at int, _ bool) Step { // the verdict needs what is left
		step, k := out(at, true), int(turns[at])
		first := k - k%s.batch
		if step.Left == 0 && out(int(s.at[first]), true).Left == 0 {
			step.Verdict, step.Why = Skipped, NothingLeft
		}
		step.Number, step.Of = int32(k-first)+1, int32(min(s.batch, len(s.at)-first))
		return step
	}
}
