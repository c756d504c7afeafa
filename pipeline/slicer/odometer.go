package slicer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Greedy, and Stream, at every target at once.
//
// Let the items stand in the order in which they are considered, for Greedy by density,
// and let the target T grow by one token
// at a time. An item is in when the room left for it is at least its
// size. The selection changes at T exactly when it fills T to the last token:
// the first item decided differently has just got the one token it lacked, so
// it enters with nothing to spare. Then nothing after it can be in: it enters
// and all selected items after it leave. That is an odometer: a wheel turns,
// those to its right fall back to zero.
//
//	sizes in order: 4 2 1
//	T      1  2  3  4  5  6  7
//	4      .  .  .  #  #  #  #
//	2      .  #  #  .  .  #  #
//	1      #  .  #  .  #  .  #
//
// As long as a selected item p stands, which entered at T_p, the room behind
// it is T - T_p. So an item j that was skipped behind p, before the next
// selected one, enters at T_p + size(j): its flip time. The next change is the
// least flip time over all gaps between selected items; the earliest item wins
// a tie, and within a gap that is the first of the smallest.
//
// So a stack of the selected items is all the state there is. Each level keeps
// the least flip time of the gaps up to its own, the last gap reaches to the
// end of the list, and one step is: take the least, pop to its level, look for
// the smallest item in the gap that remains there, push. With K changes up to
// the target the cost is O(n log n + K) time and O(n log n + K) memory, whatever
// the input is. K itself can be the target (sizes 2^17, 2^16, .. 1 make 262,143
// changes of 18 items), which is why the number of records is bounded.

// MaxRecords is the largest number of changes that a profile may have. They take
// about a quarter of a gigabyte. It bounds the profiles of all slicers except
// Knapsack.
const MaxRecords = 1 << 24

// RecordsError is the error of Profile if a profile has more changes than
// allowed.
type RecordsError struct {
	Candidates int    // number of candidates
	UpTo       Target // the target that was asked for
	Reached    Target // a profile up to this target is within the limit
	Limit      int    // number of changes allowed
}

// Error implements error.
func (e *RecordsError) Error() string {
	return fmt.Sprintf("the selection of %v candidates changes more than %v times up to a target of %v: %v were reached at %v",
		plain.Thousands(e.Candidates), plain.Thousands(e.Limit), plain.Thousands(e.UpTo), plain.Thousands(e.Limit), plain.Thousands(e.Reached))
}

// record is one change: item enters at from and stays until end, which is not
// included. W is wide enough for all targets.
type record[W uint32 | int64] struct {
	from, end W
	rank      int32 // of the item that enters, in the order of the front
	parent    int32 // the record of the selected item before it; -1: none
}

// level is a selected item on the stack. gap, gapLevel: the least flip time of
// the gaps up to this level's own, which is complete once another level stands
// on top; gap is infinite when there is none.
type level struct {
	from     Target
	gap      Target
	rank     int32
	record   int32
	gapRank  int32
	gapLevel int32
}

const never Target = math.MaxInt64

// changes runs the odometer for targets up to last, which is at most the sum
// of all tokens. Records of items that never leave get the end given. first
// and stays are set by rank (0: never).
func changes[W uint32 | int64](ctx context.Context, last Target, limit int, p *odometer[W]) error {
	f, upTo := p.front, p.upTo
	end := W(upTo) + 1
	records := make([]record[W], 0, min(last+1, Target(limit), Target(6*len(f.tok))))
	stack := make([]level, 1, 64)
	stack[0] = level{rank: -1, record: -1, gap: never}
	for {
		// The next change: behind the top, or in an earlier gap if it is no later.
		top := len(stack) - 1
		at, rank, to := never, int32(0), top
		if s := f.least[stack[top].rank+1]; s != noNode {
			at, rank = stack[top].from+nodeTokens(s), nodeRank(s)
		}
		if top > 0 {
			if below := &stack[top-1]; below.gap <= at {
				at, rank, to = below.gap, below.gapRank, int(below.gapLevel)
			}
		}
		if at > last {
			break
		}
		if len(records) == limit {
			return &RecordsError{Candidates: p.in.Len(), UpTo: upTo, Reached: at - 1, Limit: limit}
		}
		if len(records)&(1<<14-1) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for k := top; k > to; k-- {
			records[stack[k].record].end = W(at)
		}
		stack = stack[:to+1]
		e := &stack[to]
		e.gap = never
		if to > 0 {
			below := &stack[to-1]
			e.gap, e.gapRank, e.gapLevel = below.gap, below.gapRank, below.gapLevel
		}
		if s := f.minima.first(e.rank+1, rank); s != noNode {
			if flip := e.from + nodeTokens(s); flip < e.gap {
				e.gap, e.gapRank, e.gapLevel = flip, nodeRank(s), int32(to)
			}
		}
		next := level{from: at, gap: never, rank: rank, record: int32(len(records))}
		if len(records) == cap(records) {
			records = slices.Grow(records, len(records)) // twice as many: append alone grows by a quarter
		}
		records = append(records, record[W]{from: W(at), end: end, rank: rank, parent: e.record})
		if p.first[rank] == 0 {
			p.first[rank] = W(at)
		}
		stack = append(stack, next)
	}
	for _, l := range stack[1:] {
		p.stays[l.rank] = W(l.from)
	}
	p.records = records
	return nil
}

// Profile implements Profiler with the odometer above. Errors: ctx's, and a
// *RecordsError for more than MaxRecords changes.
func (g *greedy) Profile(ctx context.Context, upTo Target) (Profile, error) {
	return g.profile(ctx, upTo, MaxRecords)
}

func (g *greedy) profile(ctx context.Context, upTo Target, limit int) (Profile, error) {
	if err := profilable(ctx, g.in, upTo); err != nil {
		return nil, err
	}
	f := g.frontFor(upTo)
	f.once.Do(func() { f.minima = newMinima(f.tok) })
	return inOrder(ctx, g.in, f, freeItems{at: g.free}, upTo, limit)
}

// profilable checks what a profile is asked for.
func profilable(ctx context.Context, in *Input, upTo Target) error {
	if upTo < 0 || upTo > Target(model.MaxTokens) {
		return fmt.Errorf("a profile up to target %v: must be 0 to %v", plain.Thousands(upTo), model.MaxTokens)
	}
	if in.Len() > model.MaxItems {
		return fmt.Errorf("a profile of %v candidates: at most %v", plain.Thousands(in.Len()), plain.Thousands(model.MaxItems))
	}
	return ctx.Err()
}

// inOrder is the profile of taking the items of a front in its order, each one
// that still fits. The front's minima are made.
func inOrder(ctx context.Context, in *Input, f *front, free freeItems, upTo Target, limit int) (Profile, error) {
	last := Target(0)
	for _, t := range f.tok {
		if last += Target(t); last >= upTo {
			last = upTo
			break
		}
	}
	if upTo < 1<<31 {
		return newOdometer(in, f, free, upTo, func(p *odometer[uint32]) error { return changes(ctx, last, limit, p) })
	}
	return newOdometer(in, f, free, upTo, func(p *odometer[int64]) error { return changes(ctx, last, limit, p) })
}
