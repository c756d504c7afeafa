package slicer

import (
	"context"
	"fmt"
	"slices"

	"cupelscope/model"
)

// Stream goes through the candidates in input order, one batch at a time and the
// best of a batch first, and takes each one that still fits. It stops before a
// batch if nothing of the target remains; until then it takes all candidates
// without tokens. The zero Stream has batches of model.DefaultBatchSize. See the
// Cupel specification, chapter StreamSlice.
//
//	input order   a .2   b .9 | c .5   d .1 | e 1.0     batches of 2
//	stream order  b      a    | c      d    | e
type Stream struct{ batch int }

// Traits implements Slicer.
func (s Stream) Traits() Traits {
	if s.batch < 1 { // the zero Stream
		return Traits{Batch: model.DefaultBatchSize}
	}
	return Traits{Batch: s.batch}
}

// NewStream returns a Stream with batches of the given number of candidates. It
// is an error if batch is below 1.
func NewStream(batch int) (Stream, error) {
	if batch < 1 {
		return Stream{}, fmt.Errorf("stream: a batch of %d items: must be at least 1", batch)
	}
	return Stream{batch}, nil
}

// Prepare puts the candidates into stream order. It takes O(n) and a sort within
// each batch, and a few bytes of memory for each item of the set.
func (s Stream) Prepare(in *Input) Prepared {
	batch := s.Traits().Batch
	return &stream{in: in, batch: batch, at: streamOrder(in, batch)}
}

// streamOrder returns the positions of an Input batch after batch. Sorted order is score
// descending, ties in input order. So within a batch ascending position is the order asked for.
func streamOrder(in *Input, batch int) []int32 {
	if in.Len() == 0 {
		return nil
	}
	of := make([]int32, slices.Max(in.Items)+1) // by item: 1 for a candidate, then its batch
	for _, item := range in.Items {
		of[item] = 1
	}
	var next []int32 // by batch: where its next candidate goes
	n := 0
	for item, is := range of {
		if is == 0 {
			continue
		}
		if n%batch == 0 {
			next = append(next, int32(n))
		}
		of[item] = int32(len(next)) - 1
		n++
	}
	at := make([]int32, n)
	for p, item := range in.Items {
		to := &next[of[item]]
		at[*to] = int32(p)
		*to++
	}
	return at
}

// stream is an Input in stream order.
type stream struct {
	Defaults
	in    *Input
	batch int
	at    []int32 // positions in the Input; batches follow one another
}

// Slice implements Prepared: one pass, up to where nothing remains.
func (s *stream) Slice(_ context.Context, t Target, dst Selection) (Selection, error) {
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
