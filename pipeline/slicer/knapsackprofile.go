package slicer

import (
	"context"
	"math/bits"
	"sync"
	"sync/atomic"
)

// One table answers every capacity, and a target rounds down to a capacity. So a
// profile is the table and walks over it:
//
//   - backwards, for all capacities at once (walkBack, in knapsackwalk.go): FirstIn
//     and StaysFrom of all items, and the capacities at which anything changes;
//   - forwards from one row, to find all capacities that select it (capacities):
//     Bands of an item that comes and goes;
//   - backwards with lists of the final capacities (FindBands): the same for all
//     items;
//   - forwards over what the first walk went through (walkForward): the curve.

// knapsackProfile is the Profile of Knapsack.
type knapsackProfile struct {
	*table  // only rows and bits that some capacity goes through
	upTo    Target
	numbers []int32  // by position in the Input: 1 + the row, or 0 without a row
	first   []int32  // by row: the least capacity that selects it
	stays   []int32  // by row: the least capacity from which it is always selected, or -1
	changes []uint64 // bits by capacity: the selection differs from that of one less

	listed  func() breakpoints // the changes, which are listed once
	curving sync.Mutex
	curve   atomic.Pointer[Curve]     // nil: not found
	found   atomic.Pointer[[][]int32] // see FindBands: by row its turns, nil: not remembered
}

// Profile implements Prepared. It makes the table, or copies that of an earlier
// call, and walks it back once. Errors: ctx's, *model.TableError.
func (k *knapsack) Profile(ctx context.Context, upTo Target) (Profile, error) {
	if err := profilable(ctx, k.in, upTo); err != nil {
		return nil, err
	}
	if len(k.notes) > 0 {
		return k.profileOfNotes(ctx, upTo)
	}
	c := k.capacity(upTo)
	t := k.maxItem.Load()
	var err error
	if t == nil || !t.answers(c) || int64(t.top) > c {
		if t, err = k.tableUpTo(ctx, c, upTo); err != nil {
			return nil, err
		}
	} else if t, err = t.clone(ctx); err != nil { // others may be reading it, and walkBack writes
		return nil, err
	}
	p := &knapsackProfile{table: t, upTo: upTo}
	words := t.size()
	m := NewMeter(ctx, profileCost(words))
	if err := m.Add(words << 6); err != nil { // the table
		return nil, err
	}
	if err := p.walkBack(&m); err != nil {
		return nil, err
	}
	m.Finish()
	t.pruned = true
	k.keep(t)
	p.listed = sync.OnceValue(p.list)
	p.numbers = make([]int32, k.in.Positions())
	for i := range t.rows {
		p.numbers[k.at[t.rows[i].candidate]] = int32(i) + 1
	}
	return p, nil
}

// Cost implements Prepared: the cells of the table, and for the walk half as many
// again, as it costs about half as much. O(n log w).
func (k *knapsack) Cost(upTo Target) int64 {
	_, words, _ := k.layout(k.capacity(max(0, upTo)), k.bucket)
	return profileCost(int(words))
}

func profileCost(words int) int64 { return int64(words)<<6 + int64(words)<<5 }

// UpTo implements Profile.
func (p *knapsackProfile) UpTo() Target { return p.upTo }

func (p *knapsackProfile) target(c int32) Target { return Target(c) * Target(p.k.bucket) }

// FirstIn implements Profile in O(1).
func (p *knapsackProfile) FirstIn(i int) (Target, bool) { return p.of(p.first, i) }

// StaysFrom implements Profile in O(1).
func (p *knapsackProfile) StaysFrom(i int) (Target, bool) { return p.of(p.stays, i) }

// of is the target of position i in a column by row.
func (p *knapsackProfile) of(column []int32, i int) (Target, bool) {
	if p.k.in.TokensAt(i) == 0 {
		return 1, p.upTo > 0
	}
	if p.numbers[i] == 0 {
		return 0, false
	}
	c := column[p.numbers[i]-1]
	return p.target(c), c >= 0
}

// At implements Profile: O(rows).
func (p *knapsackProfile) At(t Target, dst Selection) Selection {
	dst = NewSelection(dst, p.k.in.Positions())
	t = min(t, p.upTo)
	if t <= 0 {
		return dst
	}
	for _, i := range p.k.free {
		dst.Add(int(i))
	}
	p.selection(p.k.capacity(t), dst)
	return dst
}

// Next implements Profile: O(log changes).
func (p *knapsackProfile) Next(t Target) (Target, bool) { return p.listed().Next(t) }

// Prev implements Profile: O(log changes).
func (p *knapsackProfile) Prev(t Target) (Target, bool) { return p.listed().Prev(t) }

// Changes implements Profile, without the walk that the curve costs.
func (p *knapsackProfile) Changes() []Target { return p.listed() }

func (p *knapsackProfile) list() breakpoints {
	var all breakpoints
	if len(p.k.free) > 0 && p.upTo > 0 {
		all = append(all, 1)
	}
	for w, word := range p.changes {
		for ; word != 0; word &= word - 1 {
			if t := p.target(int32(w<<6 + bits.TrailingZeros64(word))); len(all) == 0 || all[len(all)-1] < t {
				all = append(all, t)
			}
		}
	}
	return all
}

// Curve implements Profile. The score is added up in sorted order. The first call
// costs a walk over the bits, unless FindCurve made it.
func (p *knapsackProfile) Curve() Curve {
	if c := p.curve.Load(); c != nil {
		return *c
	}
	_ = p.FindCurve(context.Background()) // which nobody cancels
	return *p.curve.Load()
}

// FindCurve implements Profile.
func (p *knapsackProfile) FindCurve(ctx context.Context) error {
	p.curving.Lock()
	defer p.curving.Unlock()
	if p.curve.Load() != nil {
		return nil
	}
	c, err := p.walkForward(ctx)
	if err == nil {
		p.curve.Store(&c)
	}
	return err
}
