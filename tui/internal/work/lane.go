// Package work runs long computations in the background. Each kind of work has a lane,
// in which one command runs at a time, so that two large tables are never in memory
// together. A newer request cancels the running command and starts when that has
// stopped. Commands must capture immutable values only.
//
// A late answer is dropped: by the lane once a newer command has begun (Lane.Stale), and by
// the pool once its worker asks for something else (Pool.Take).
package work

import (
	"context"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"cupelscope/pipeline/slicer"
)

// Lane keeps track of one command at a time. The zero Lane is free. It is not safe for
// concurrent use: only commands themselves run elsewhere.
type Lane struct {
	generation int
	running    bool
	cancel     context.CancelFunc
	done       *atomic.Int64 // how far the newest command is, in thousandths
}

// Then is the message with which a command ends: what to do with what it has found.
type Then func() tea.Cmd

// Run returns the command that does work in the lane, and then what do returns, unless a newer
// command has begun or Drop was called.
func (l *Lane) Run(parent context.Context, do func(ctx context.Context) Then) tea.Cmd {
	ctx, generation := l.Begin(parent)
	return func() tea.Msg {
		then := do(ctx)
		return Then(func() tea.Cmd {
			if !l.End(generation) {
				return nil
			}
			return then()
		})
	}
}

// Begin marks the lane as running a new command. It returns the command's context, under
// which computations of the pipeline report their progress to Percent, and its
// generation, which its answer must name.
func (l *Lane) Begin(parent context.Context) (context.Context, int) {
	l.Cancel()
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

// Generation returns the generation of the newest command, or a later one after Drop.
func (l *Lane) Generation() int { return l.generation }

// Stale reports whether the answer of a generation must be dropped because it is not
// the newest.
func (l *Lane) Stale(generation int) bool { return generation != l.generation }

// End records that the command of a generation has ended, and frees the lane. It returns
// false, and does nothing, if that generation is stale: its answer must be dropped.
func (l *Lane) End(generation int) bool {
	if l.Stale(generation) {
		return false
	}
	l.Cancel()
	l.running = false
	return true
}

// Running reports whether a command has not ended yet, even if it was cancelled.
func (l *Lane) Running() bool { return l.running }

// Cancel asks the running command, if there is one, to stop. The lane is free once the
// command has ended.
func (l *Lane) Cancel() {
	if l.running {
		l.cancel()
	}
}

// Drop cancels the running command and frees the lane at once. An answer that still
// comes is stale.
func (l *Lane) Drop() {
	l.Cancel()
	l.running = false
	l.generation++
}

// Percent returns the progress of the running command in percent, or -1 if none runs.
func (l *Lane) Percent() int {
	if !l.running {
		return -1
	}
	return int(l.done.Load() / 10)
}
