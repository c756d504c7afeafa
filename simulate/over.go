package simulate

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"sort"
	"sync"

	"golang.org/x/sync/errgroup"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// ProfileOver is the result at every value of a number of the policy or the budget, such as
// the weight of a scorer, on the grid of that number. It is exact: the pipeline runs at every
// value of the grid, and what is kept are the values at which the result is another than at
// the value before. No value is skipped, because between two values the order of the scores,
// or what a knapsack takes, may change and change back. Where all comparisons of scores come
// out as at the value before, the slicer need not run.
//
// Where the policy's or the budget's own value is not on the grid, it is one value more.
// A ProfileOver is immutable and safe for concurrent use.
type ProfileOver struct {
	items     *model.Set
	stretches []Stretch
	first     state // at the first value
}

// Stretch is a range of values with one result, both ends included. In, Out and Resized are
// how it differs from the stretch before: as in Change, ascending, none in the first. Nothing
// is in where the pipeline does not run.
type Stretch struct {
	From, To         float64
	In, Out, Resized []int32
	Items            int  // how many are in
	None             bool // the pipeline does not run: there is no result

	changes []changed // of all three, ascending
}

// OverError reports that a number has more values than are tried.
type OverError struct {
	Name          string
	Values, Items int64
	Work, Max     int64 // Work is in What
	What          string
}

func (e *OverError) Error() string {
	return fmt.Sprintf("%s has %v values, too many to try with %v items (%v %s, at most %v): take a smaller range",
		e.Name, model.Tokens(e.Values), model.Tokens(e.Items), model.Tokens(e.Work), e.What, model.Tokens(e.Max))
}

// The bounds keep a ProfileOver below half a minute on a core: items that are ranked and
// sorted, and cells of knapsack tables.
const (
	maxOverItems = 200_000_000
	maxOverCells = 20_000_000_000
)

// minOver is what a value takes beside its items, in items.
const minOver = 64

// NewProfileOver runs the ranking's pipeline at the budget with every value of a number, one
// of model.Numbers for the policy of the ranking, from its First to its Last; set these to
// look at fewer. It runs on all cores, polls ctx and reports how many values are done to the
// function of slicer.WithProgress.
//
// A number of the budget takes a profile of the slicer, and a step for each value; any other
// one a ranking and a selection for each. More work than a bound is an *OverError, before any
// is done. Any other error is from Ranking.Profile, a *model.TableError, or from ctx.
func NewProfileOver(ctx context.Context, r *pipeline.Ranking, b model.Budget, n model.Number) (*ProfileOver, error) {
	o := newOver(r, b, n)
	if err := o.bounded(); err != nil {
		return nil, err
	}
	if n.OfBudget {
		if err := o.profiled(ctx); err != nil {
			return nil, err
		}
	}
	return o.run(ctx)
}

// values are the values of a grid, and one that is not on it.
type values struct {
	number model.Number
	n      int64
	own    int64 // where the own value stands; -1: it is on the grid or beyond it
}

func valuesOf(n model.Number) values {
	v := values{n, max(0, n.Last-n.First+1), -1}
	if _, on := n.Point(n.Value); on || v.n > 0 && (n.Value < n.At(n.First) || n.Value > n.At(n.Last)) {
		return v
	}
	v.own = int64(sort.Search(int(v.n), func(i int) bool { return n.At(n.First+int64(i)) > n.Value }))
	v.n++
	return v
}

// at returns value i of n.
func (v values) at(i int64) float64 {
	switch {
	case i == v.own:
		return v.number.Value
	case v.own >= 0 && i > v.own:
		i--
	}
	return v.number.At(v.number.First + i)
}

// over computes a ProfileOver.
type over struct {
	ranking *pipeline.Ranking
	policy  model.Policy
	budget  model.Budget
	number  model.Number
	values  values

	profile slicer.Profile // of the ranking, for a number of the budget; nil: it has none at some targets

	mu   sync.Mutex
	done int64 // values
}

func newOver(r *pipeline.Ranking, b model.Budget, n model.Number) *over {
	return &over{ranking: r, policy: r.Policy(), budget: b, number: n, values: valuesOf(n)}
}

// bounded returns an error if the values take more work than the bounds.
func (o *over) bounded() error {
	n, items := o.values.n, int64(o.ranking.Items().Len())
	within := func(work float64, maxWork int64, what string) error {
		if work <= float64(maxWork) {
			return nil
		}
		return &OverError{o.number.Name, n, items, int64(min(work, math.MaxInt64/2)), maxWork, what}
	}
	if o.number.OfBudget {
		return within(float64(n), maxOverItems, "looks")
	}
	return cmp.Or(within(float64(n)*float64(max(items, minOver)), maxOverItems, "items to rank"), within(o.cells(), maxOverCells, "cells of tables"))
}

// cells returns how many cells the tables of a knapsack have together, if the number is not
// of the budget.
func (o *over) cells() float64 {
	if o.number.OfBudget || !o.policy.Slicer.InBuckets() {
		return 0
	}
	room := float64(o.budget.Effective(o.ranking.PinnedTokens()).Target)
	buckets := 0.0
	for i := range o.values.n {
		if i > 0 && o.number.Name != bucketName {
			buckets *= float64(o.values.n) // every value has the same
			break
		}
		bucket := float64(o.policy.Bucket())
		if o.number.Name == bucketName {
			bucket = o.values.at(i)
		}
		buckets += room/bucket + 1
	}
	return buckets * float64(o.ranking.Input().Positions())
}

// OverWork returns how much work NewProfileOver does, without the profile that a number of the
// budget needs: about how many items it ranks, half a microsecond each.
func OverWork(r *pipeline.Ranking, b model.Budget, n model.Number) float64 {
	const score, cell, look = 1. / 16, 1. / 256, 1
	o := newOver(r, b, n)
	values, items := float64(o.values.n), float64(r.Items().Len())
	switch {
	case n.OfBudget:
		return values * look
	case newWeighed(o) != nil:
		return values * items * score
	}
	return values*max(items, minOver) + o.cells()*cell
}

// bucketName is the Number that changes how many buckets a table has.
const bucketName = "bucket"

// profiled computes the profile up to the largest target of the values, which the first or the
// last of them has: see runner.toBudget.
func (o *over) profiled(ctx context.Context) (err error) {
	upTo := slicer.Target(0)
	for _, i := range [...]int64{0, o.values.n - 1} {
		if b, err := o.budgetAt(i); err == nil {
			upTo = max(upTo, o.target(b))
		}
	}
	if o.profile, err = o.ranking.Profile(ctx, upTo); err != nil {
		return unlessIdle(err) // a kind is too scarce at some targets
	}
	return nil
}

func (o *over) budgetAt(i int64) (model.Budget, error) {
	_, f := o.number.Set(model.Policy{}, o.budget.Fields(), o.values.at(i))
	return model.NewBudget(f)
}

func (o *over) target(b model.Budget) slicer.Target {
	return slicer.Target(b.Effective(o.ranking.PinnedTokens()).Target)
}

// overBlock is what is known of some values in a row.
type overBlock struct {
	stretches   []Stretch // the first without what came before it
	first, last state
}

// run computes the blocks in parallel and joins them.
func (o *over) run(ctx context.Context) (*ProfileOver, error) {
	const blocks = 256
	n := o.values.n
	size := max(16, n/blocks+1)
	switch {
	case o.number.OfBudget:
		size = max(1, n) // what follows from the value before takes no time
	case newWeighed(o) != nil:
		size = max(size, n/16) // the slicer runs at the first value of each
	}
	parts := make([]overBlock, (n+size-1)/size)
	tell := slicer.ProgressOf(ctx)
	group, inner := errgroup.WithContext(slicer.WithProgress(ctx, nil)) // not the progress of each table
	group.SetLimit(relay.Workers())
	for k := range parts {
		group.Go(func() (err error) {
			from := int64(k) * size
			parts[k], err = o.block(inner, from, min(n, from+size), tell)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	p := &ProfileOver{items: o.ranking.Items()}
	var last state
	for k, part := range parts {
		if k == 0 {
			p.first = part.first
		} else if bytes.Equal(last, part.first) {
			p.stretches[len(p.stretches)-1].To = part.stretches[0].To
			part.stretches = part.stretches[1:]
		} else {
			part.stretches[0].differ(last, part.first, o.items())
		}
		p.stretches = append(p.stretches, part.stretches...)
		last = part.last
	}
	return p, nil
}

// block runs the values from..to-1.
func (o *over) block(ctx context.Context, from, to int64, tell slicer.Progress) (overBlock, error) {
	var b overBlock
	run := runner{over: o, now: newState(o.ranking.Items()), all: o.items(), at: -1, weighed: newWeighed(o)}
	for i := from; i < to; i++ {
		if err := ctx.Err(); err != nil {
			return b, err
		}
		v := o.values.at(i)
		same, err := run.to(ctx, i)
		switch {
		case err != nil:
			return b, fmt.Errorf("%s at %s: %w", o.number.Name, o.number.Text(v), err)
		case i == from:
			b.stretches = []Stretch{{From: v, To: v, Items: run.now.count(), None: run.now.none()}}
			b.first, b.last = bytes.Clone(run.now), bytes.Clone(run.now)
		case same || bytes.Equal(b.last, run.now):
			b.stretches[len(b.stretches)-1].To = v
		default:
			next := Stretch{From: v, To: v, None: run.now.none()}
			next.differ(b.last, run.now, run.changed)
			next.Items = b.stretches[len(b.stretches)-1].Items + len(next.In) - len(next.Out)
			b.stretches = append(b.stretches, next)
			copy(b.last, run.now)
		}
		if o.number.OfBudget && o.profile != nil {
			i = run.lastLike(i, to)
			b.stretches[len(b.stretches)-1].To = o.values.at(i)
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done += to - from
	tell(o.done, o.values.n)
	return b, nil
}

// items returns the numbers of all items.
func (o *over) items() []int32 {
	all := make([]int32, o.ranking.Items().Len())
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
