package slicer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/scratch"
)

// The odometer computes the profiles of Greedy, Stream and Rank.
//
// List the items in the order in which the slicer considers them, for Greedy by
// density, and let the target T grow by one token at a time. An item is in if
// the room left for it is at least its size. The selection changes at T exactly
// when the new selection fills T to the last token: the first item decided
// differently has just got the one token it lacked, so it enters with nothing to
// spare. No item with tokens after it can then be in: it enters, and all selected
// items after it leave. An odometer works like this: when a wheel turns, those to
// its right fall back to zero.
//
//	sizes in order: 4 2 1
//	T      1  2  3  4  5  6  7
//	4      .  .  .  #  #  #  #
//	2      .  #  #  .  .  #  #
//	1      #  .  #  .  #  .  #
//
// While a selected item p stays in, which entered at T_p, the room after it is
// T - T_p. So an item j that was skipped after p, and before the next selected
// item, enters at T_p + size(j). That target is its flip time. The items between
// two selected ones form a gap. The next change is the least flip time over all
// gaps. The earliest item wins a tie; within a gap that is the first of the
// smallest items.
//
// So the only state is a stack of the selected items. Each level keeps the least
// flip time of the gaps up to its own; the last gap reaches to the end of the
// list. One step takes the least flip time, pops the stack to its level, finds
// the smallest item in the gap that remains there, and pushes the item that
// enters. With K changes up to the target this takes O(n log n + K) time and
// memory for any input. K can be as large as the target: 18 items of sizes 2^17,
// 2^16, .. 1 make 262,143 changes. That is why the number of records is bounded.

// MaxRecords is the largest number of changes that a profile may have. They take
// about 400 megabytes. It bounds the profiles of all slicers; for a
// knapsack, how often a candidate enters or leaves.
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

// record is one change: an item enters at target from and leaves at target end.
type record struct {
	from, end Target
	rank      int32 // of the item that enters, in the order of the front
	parent    int32 // the record of the selected item before it, or -1
}

// level is a selected item on the stack. gap is the least flip time of the gaps
// up to this level's own, or never if there is none; gapRank and gapLevel are
// the rank and the level of that item. They are complete once another level is
// on top.
type level struct {
	from     Target
	gap      Target
	grows    Target // the flip time of its next larger size, for sizes
	rank     int32
	record   int32
	gapRank  int32
	gapLevel int32
}

const never Target = math.MaxInt64

// changes runs the odometer for targets up to last, which is at most the sum of
// all tokens. It sets records, first and stays of p. A record of an item that
// never leaves ends above p.upTo. first and stays are by rank, and 0 for never.
func changes(ctx context.Context, last Target, limit int, p *odometer) error {
	f, upTo := p.front, p.upTo
	all, noted := int32(len(f.begin)), f.open.nodes != nil
	lent := recordsSoFar.Lend(int(min(last+1, Target(limit), Target(8*len(f.tok)))))
	records := lent.Of[:0]
	defer func() { lent.Of = records; lent.Return() }()
	stack := make([]level, 1, 64)
	stack[0] = level{rank: -1, record: -1, gap: never, grows: never}
	after := int32(0) // the number of the candidate after the top
	for {
		// The next change: behind the top, or else at the top or in an earlier gap if it is
		// no later.
		top := len(stack) - 1
		at, rank, to := never, int32(0), top
		if n := f.behind(after, all); n != noNode {
			at, rank = stack[top].from+nodeTokens(n), f.begin[nodeRank(n)]
		}
		if top > 0 {
			if e := &stack[top]; e.grows <= at {
				at, rank, to = e.grows, e.rank+1, top-1
			}
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
			records[stack[k].record].end = at
			if noted {
				f.moved(stack[k].rank, true)
			}
		}
		stack = stack[:to+1]
		e := &stack[to]
		e.gap, after = never, 0
		if to > 0 {
			e.inherit(&stack[to-1], to)
			after = f.of[e.rank].number + 1
		}
		wheel := f.of[rank]
		if n := f.behind(after, wheel.number); n != noNode {
			if flip := e.from + nodeTokens(n); flip < e.gap {
				e.gap, e.gapRank, e.gapLevel = flip, f.begin[nodeRank(n)], int32(to)
			}
		}
		next := level{from: at, gap: never, grows: never, rank: rank, record: int32(len(records))}
		if wheel.larger != never {
			next.grows = e.from + wheel.larger
		}
		if len(records) == cap(records) {
			records = slices.Grow(records, len(records)) // twice as many: append alone grows by a quarter
		}
		records = append(records, record{from: at, end: upTo + 1, rank: rank, parent: e.record})
		if p.first[rank] == 0 {
			p.first[rank] = at
		}
		if noted {
			f.moved(rank, false)
		}
		stack, after = append(stack, next), wheel.number+1
	}
	for _, l := range stack[1:] {
		p.stays[l.rank] = l.from
	}
	p.records = slices.Clone(records)
	return nil
}

// recordsSoFar are lent to changes, which cannot know how many there will be.
var recordsSoFar scratch.Pool[record]

// inherit takes the least flip time of the gaps below a level, and of the size there.
func (l *level) inherit(below *level, at int) {
	l.gap, l.gapRank, l.gapLevel = below.gap, below.gapRank, below.gapLevel
	if l.grows < l.gap {
		l.gap, l.gapRank, l.gapLevel = l.grows, l.rank+1, int32(at-1)
	}
}

// Profile implements Prepared with the odometer above. Errors: ctx's, and a
// *RecordsError for more than MaxRecords changes.
func (g *greedy) Profile(ctx context.Context, upTo Target) (Profile, error) {
	return g.profile(ctx, upTo, MaxRecords)
}

func (g *greedy) profile(ctx context.Context, upTo Target, limit int) (Profile, error) {
	if err := profilable(ctx, g.in, upTo); err != nil {
		return nil, err
	}
	f := g.frontOf(upTo)
	f.whole()
	g.last.CompareAndSwap(nil, f)
	return inOrder(ctx, g.in, f, freeItems{at: g.free}, upTo, limit)
}

// profilable returns an error if no profile of in up to upTo can be made, or
// ctx's error.
func profilable(ctx context.Context, in *Input, upTo Target) error {
	if upTo < 0 || upTo > Target(model.MaxTokens) {
		return fmt.Errorf("a profile up to target %v: must be 0 to %v", plain.Thousands(upTo), model.MaxTokens)
	}
	if in.Positions() > model.MaxItems {
		return fmt.Errorf("a profile of %v candidates and sizes: at most %v", plain.Thousands(in.Positions()), plain.Thousands(model.MaxItems))
	}
	return ctx.Err()
}

// inOrder returns the profile of a slicer that goes through the items of a front
// in order and takes each one that still fits. The caller has readied the front.
func inOrder(ctx context.Context, in *Input, f *front, free freeItems, upTo Target, limit int) (Profile, error) {
	last := Target(0)
	for _, t := range f.tok {
		if last += Target(t); last >= upTo {
			last = upTo
			break
		}
	}
	defer func() { f.minima, f.wheels = nil, wheels{} }() // which are large, and asked no more
	n := len(f.tok)
	columns := make([]Target, 2*n)
	p := &odometer{in: in, front: f, upTo: upTo, first: columns[:n], stays: columns[n:], free: free}
	if err := changes(ctx, last, limit, p); err != nil {
		return nil, err
	}
	p.numbers = make([]int32, in.Positions())
	for k, i := range free.at {
		p.numbers[i] = -1 - int32(k)
	}
	for k, i := range f.at {
		p.numbers[i] = int32(k) + 1
	}
	p.findOpen()
	return p, nil
}
