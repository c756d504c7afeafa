package simulate

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Trials tells what an item needs to be in by leaving single items out. What can be known of
// that without ranking depends on the budget alone, so Trials keeps it for the next item. A
// Trials is safe for concurrent use.
type Trials struct {
	of *pipeline.Ranking

	mu       sync.Mutex
	leaveOut *leaveOut // of the last budget; nil if the ranking has none
	tried    bool      // leaveOut was made, be it nil
}

// NewTrials returns the trials of r.
func NewTrials(r *pipeline.Ranking) *Trials { return &Trials{of: r} }

// Of returns the ranking whose items are tried.
func (t *Trials) Of() *pipeline.Ranking { return t.of }

// Droppable returns the items that may keep item out: the item that it
// duplicates, if it is a duplicate, then all other items that are in, by ascending
// score, and the pinned items last. Items that are out are not listed,
// although one of them may keep item out too, under quotas or with a scorer
// that rates items against each other.
func Droppable(r *pipeline.Ranking, before *model.Report, item int) []int32 {
	var all []int32
	survivor := int32(-1)
	if before.Codes[item] == model.Deduplicated {
		survivor = before.Survivors[item]
		all = append(all, survivor)
	}
	var items [2]int32
	for pos := range slices.Backward(r.Input().Items) {
		for _, i := range r.Members(items[:0], pos) {
			if before.In(int(i)) && int(i) != item && i != survivor {
				all = append(all, i)
			}
		}
	}
	for _, i := range r.Pinned() {
		if int(i) != item {
			all = append(all, i)
		}
	}
	return all
}

// DropsFor returns the candidates each of which, dropped alone, brings item in,
// in the order of candidates. Droppable returns suitable candidates. A
// candidate without which the pipeline fails is left out. The report must be of
// the ranking.
//
// Where the slicer goes by a key and the scorers by rank or alone, each candidate
// takes a sort of the few items that can be in. Else it takes a ranking
// and a slice. To show progress, or to stop early, call DropsFor with some
// of the candidates at a time. The only error is ctx's.
func (t *Trials) DropsFor(ctx context.Context, before *model.Report, item int, candidates []int32) ([]int32, error) {
	brings := func(c int32) bool { return t.bringsIn(ctx, before, item, c) }
	if quick, err := t.quick(ctx, before.Budget); err != nil {
		return nil, err
	} else if quick != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		brings = func(c int32) bool { return quick.has(int32(item), c) }
	}
	var drops []int32
	for _, c := range candidates {
		if brings(c) {
			drops = append(drops, c)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return drops, nil
}

// quick returns the leaveOut for a budget, or nil if the ranking has none.
func (t *Trials) quick(ctx context.Context, b model.Budget) (*leaveOut, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.tried || t.leaveOut != nil && !reflect.DeepEqual(t.leaveOut.budget, b) {
		made, err := newLeaveOut(ctx, t.of, b)
		if err != nil {
			return nil, err
		}
		t.leaveOut, t.tried = made, true
	}
	return t.leaveOut, nil
}

// bringsIn reports whether item is in without a candidate, by ranking anew.
func (t *Trials) bringsIn(ctx context.Context, before *model.Report, item int, candidate int32) bool {
	without, err := Edited(ctx, t.of, Dropping(t.of.Items(), int(candidate)))
	if err != nil {
		return false
	}
	pos, ok := without.Position(item)
	if !ok {
		return false
	}
	sel, err := without.Select(ctx, before.Budget, nil)
	if err != nil || without.Input().Taken(sel, pos) < 0 {
		return false // nearly always: the report would not have it either
	}
	report, err := without.DryRunContext(ctx, before.Budget)
	return err == nil && report.In(item)
}
