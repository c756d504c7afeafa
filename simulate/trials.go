package simulate

import (
	"context"
	"sync"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// Trials are a ranking's items ranked anew without single ones. How they rank
// then depends neither on the budget nor on the item that is asked about, so
// that the same rankings answer at every budget and for every item: they are
// remembered. Safe for concurrent use.
type Trials struct {
	of *pipeline.Ranking

	mu      sync.Mutex
	left    int // bytes that may still be taken
	without map[int32]*pipeline.Ranking
}

// NewTrials are the trials of r. Rankings are remembered until they hold about
// so many bytes, by Ranking.Bytes; the first are those that stay, as questions
// about one item after the other try the same items in the same order, where
// forgetting the oldest would forget each just before it is needed. 0 remembers
// nothing.
func NewTrials(r *pipeline.Ranking, bytes int) *Trials {
	return &Trials{of: r, left: bytes, without: make(map[int32]*pipeline.Ranking)}
}

// Of is the ranking that the trials are of.
func (t *Trials) Of() *pipeline.Ranking { return t.of }

// ranked is the ranking without an item.
func (t *Trials) ranked(ctx context.Context, item int32) (*pipeline.Ranking, error) {
	t.mu.Lock()
	known := t.without[item]
	t.mu.Unlock()
	if known == nil {
		r, err := Edited(ctx, t.of, Dropping(t.of.Items(), int(item)))
		if err != nil {
			return nil, err
		}
		known = r
		t.mu.Lock()
		if bytes := r.Bytes(); bytes <= t.left && t.without[item] == nil {
			t.left -= bytes
			t.without[item] = r
		}
		t.mu.Unlock()
	}
	return known.Unprepared(), nil
}

// DropsFor finds the items each of which, dropped alone, brings item in. It
// tries every one of the candidates, of which Droppable is a list, and returns
// those that do in their order; one without which there is no result does not.
// The report must be of the ranking.
//
// It costs a Rank, unless that is remembered, and a slice a candidate. To show
// progress, or to stop after some, call it with a part of the candidates at a
// time. The error is that of ctx.
func (t *Trials) DropsFor(ctx context.Context, before *model.Report, item int, candidates []int32) ([]Drop, error) {
	var drops []Drop
	var sel slicer.Selection
	for _, c := range candidates {
		without, err := t.ranked(ctx, c)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		pos, ok := without.Position(item)
		if !ok {
			continue
		}
		if sel, err = without.Select(ctx, before.Budget, sel); err != nil || !sel.Has(pos) {
			continue // nearly always: the report would not have it either
		}
		if f, err := Against(ctx, before, without); err == nil && f.Report.In(item) {
			drops = append(drops, Drop{c, f.Tokens, f.Value})
		}
	}
	return drops, ctx.Err()
}
