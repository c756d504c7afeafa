// Package polltest has a context for tests that ends where it is polled, not when time
// has passed: so a test cancels at the same place on any machine. It is no part of the library: the
// tests of other folders use it too.
package polltest

import (
	"context"
	"sync/atomic"
)

// polled counts how often it is asked for its error. Contexts made from it end with
// it, but polls of theirs do not count. Several goroutines may use one.
type polled struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
	max    int64
}

// After returns a context whose Err is nil for the given number of calls and then
// context.Canceled. Cancelling parent ends it too.
func After(parent context.Context, polls int) *polled {
	c := &polled{max: int64(polls)}
	c.Context, c.cancel = context.WithCancel(parent)
	c.left.Store(c.max)
	return c
}

func (c *polled) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// Polls returns how often Err was called, also after the end.
func (c *polled) Polls() int { return int(c.max - c.left.Load()) }
