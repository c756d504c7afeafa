// Package work is what runs in the background of the screen. Each kind of work
// has a lane, in which one command runs at a time, so that two large tables
// never coexist. A newer request cancels the running one and starts when that
// has stopped. Commands capture immutable values only.
package work

import (
	"context"
	"sync/atomic"

	"cupelscope/pipeline/slicer"
)

// Lane runs one command at a time. The zero value is free.
type Lane struct {
	generation int
	running    bool
	cancel     context.CancelFunc
	done       *atomic.Int64 // how far the newest command is, in thousandths
}

// Begin makes the context of a new command and the generation that its answer
// names. Computations of the pipeline under that context tell how far they are.
func (l *Lane) Begin(parent context.Context) (context.Context, int) {
	ctx, cancel := context.WithCancel(parent)
	done := new(atomic.Int64)
	l.generation++
	l.running, l.cancel, l.done = true, cancel, done
	return slicer.WithProgress(ctx, func(n, total int64) {
		if total > 0 {
			done.Store(n * 1000 / total)
		}
	}), l.generation
}

// Generation is that of the newest command, which what waits for it can name.
func (l *Lane) Generation() int { return l.generation }

// Stale reports whether an answer is to be dropped: the command of that
// generation is not the newest.
func (l *Lane) Stale(generation int) bool { return generation != l.generation }

// End records that the command of a generation came back. It reports whether
// the answer is to be taken: a stale one is dropped.
func (l *Lane) End(generation int) bool {
	if l.Stale(generation) {
		return false
	}
	l.Cancel()
	l.running = false
	return true
}

// Running reports whether a command has not come back yet.
func (l *Lane) Running() bool { return l.running }

// Cancel asks the running command to stop. The lane is free when it comes back.
func (l *Lane) Cancel() {
	if l.running {
		l.cancel()
	}
}

// Drop cancels the running command and frees the lane at once; what the command
// still answers is stale.
func (l *Lane) Drop() {
	l.Cancel()
	l.running = false
	l.generation++
}

// Percent is how far the running command is; -1 where there is none.
func (l *Lane) Percent() int {
	if !l.running {
		return -1
	}
	return int(l.done.Load() / 10)
}
