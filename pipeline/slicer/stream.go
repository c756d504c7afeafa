package slicer

import (
	"fmt"
	"slices"

	"cupelscope/model"
)

// Stream takes items as they come: in input order, a batch at a time, the best
// of a batch first, each one that still fits. Items without tokens are in. No
// batch is begun once nothing remains. Cupel specification, chapter StreamSlice.
//
//	input order   a .2   b .9 | c .5   d .1 | e 1.0     batches of 2
//	stream order  b      a    | c      d    | e
type Stream struct{ batch int }

var _ Slicer = Stream{}

// NewStream returns a Stream with batches of the given number of items, which
// must be at least 1.
func NewStream(batch int) (Stream, error) {
	if batch < 1 {
		return Stream{}, fmt.Errorf("stream: a batch of %d items: must be at least 1", batch)
	}
	return Stream{batch}, nil
}

// Prepare puts the candidates into stream order: O(n) and a sort within
// each batch, and a few bytes for each item of the set.
func (s Stream) Prepare(in *Input) Prepared {
	batch := s.batch
	if batch < 1 { // the zero Stream
		batch = model.DefaultBatchSize
	}
	// Sorted order is score descending, ties in input order. So within a batch
	// ascending position is the order asked for.
	at := inputOrder(in)
	for b := range slices.Chunk(at, batch) {
		slices.Sort(b)
	}
	return &stream{in: in, batch: batch, at: at}
}

// inputOrder is the positions of an Input by index in the set.
func inputOrder(in *Input) []int32 {
	if in.Len() == 0 {
		return nil
	}
	position := make([]int32, slices.Max(in.Items)+1) // by item: 1 + position, 0 for none
	for p, item := range in.Items {
		position[item] = int32(p) + 1
	}
	at := make([]int32, 0, in.Len())
	for _, p := range position {
		if p > 0 {
			at = append(at, p-1)
		}
	}
	return at
}

// stream is an Input in stream order.
type stream struct {
	in    *Input
	batch int
	at    []int32 // positions in the Input; batches follow one another
}

var _ Prepared = (*stream)(nil)

// Slice implements Prepared: one pass, up to where nothing remains.
func (s *stream) Slice(t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, s.in.Len())
	if t <= 0 {
		return dst, nil
	}
	room := model.Tokens(t)
	for batch := range slices.Chunk(s.at, s.batch) {
		if room <= 0 {
			break
		}
		for _, p := range batch {
			if tokens := s.in.Tokens[p]; tokens <= room {
				room -= tokens
				dst.Add(int(p))
			}
		}
	}
	return dst, nil
}
