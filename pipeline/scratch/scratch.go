// Package scratch lends memory for the length of one computation, so that
// re-runs of a pipeline do not leave megabytes of it to the collector. It is no part of the
// library: the folder simulate uses it too.
package scratch

import "sync"

// Pool lends slices. The zero value is ready; it is safe for concurrent use.
// Nothing that a computation returns may lie in a slice lent by a Pool.
type Pool[T any] struct{ spare sync.Pool }

// Slice is a slice lent by a Pool, until it is given back.
type Slice[T any] struct {
	Of   []T
	pool *Pool[T]
}

// Lend returns n elements with any content.
func (p *Pool[T]) Lend(n int) *Slice[T] {
	s, ok := p.spare.Get().(*Slice[T])
	if !ok {
		s = &Slice[T]{pool: p}
	}
	if cap(s.Of) < n {
		s.Of = make([]T, n)
	}
	s.Of = s.Of[:n]
	return s
}

// Return gives the slice back; neither it nor its elements may be used after.
func (s *Slice[T]) Return() { s.pool.spare.Put(s) }
