package simulate

import (
	"context"
	"errors"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// ErrNotAnElement and ErrCeilingLow are returned by FindMinBudgetFor if the set
// has no such item, or if searchCeiling is below the tokens of the item. The
// texts stand in the Cupel specification, chapter Budget Simulation.
var (
	ErrNotAnElement = errors.New("targetItem must be an element of items")
	ErrCeilingLow   = errors.New("searchCeiling must be >= targetItem.Tokens")
)

// FindMinBudgetFor is the search of the Cupel specification, chapter Budget
// Simulation: a binary search for the smallest budget in [tokens of the item,
// searchCeiling] at which the item is in. Each of its about
// log2(searchCeiling) probes is a DryRun. An unset Option stands for the
// specification's null.
//
// If template is nil, a probe has the plain budget max = target = mid.
// Otherwise it has the template moved along its axis: max = mid, target =
// max(0, mid - gap), with reserves, slots and margin kept.
//
// The search assumes that an item that is in stays in as the budget grows,
// which holds for no slicer. So it may return a budget that is not the least,
// or null for an item that some budget includes. Profile.FirstIn is the exact
// answer. An item that may be cut is searched for as a whole.
//
// Where the specification is silent: at the end the lower bound itself is
// tested before the upper one; a probe whose budget is invalid, cannot hold
// the pinned items or overflows counts as "not included"; any other error is
// returned; an item with negative tokens gives null. ErrSearchNotMonotonic,
// ErrNotAnElement and ErrCeilingLow are checked first, in this order.
func FindMinBudgetFor(r *pipeline.Ranking, item int, searchCeiling model.Tokens, template *model.Budget) (model.Option[model.Tokens], error) {
	if err := Searchable(r, item, searchCeiling); err != nil {
		return model.Option[model.Tokens]{}, err
	}
	var moved model.Budget // the plain one only has a maximum
	if template != nil {
		moved = *template
	}
	return search(r.Items().Tokens(item), searchCeiling, func(mid model.Tokens) (bool, error) {
		report, err := DryRunAt(context.Background(), r, moved, mid)
		return report != nil && report.In(item) && !report.Shrunk(item), err
	})
}

// BinarySearch is FindMinBudgetFor under the template of the axis, with its
// probes answered from the profile: it takes a microsecond instead of about 17
// pipeline runs. If the profile does not reach up to searchCeiling, or if the
// items that the slicer commits may overflow, it calls FindMinBudgetFor.
func (p *Profile) BinarySearch(item int, searchCeiling model.Tokens) (model.Option[model.Tokens], error) {
	if err := Searchable(p.ranking, item, searchCeiling); err != nil {
		return model.Option[model.Tokens]{}, err
	}
	if t, _ := p.axis.Target(min(searchCeiling, model.MaxTokens)); t > p.inner.UpTo() || p.excess.any() {
		template := p.axis.template
		return FindMinBudgetFor(p.ranking, item, searchCeiling, &template)
	}
	whole := p.pinned(item) && p.ranking.PinnedSize(item) == 0
	included := func(slicer.Target) bool { return whole }
	if pos, ok := p.ranking.Position(item); ok {
		lists := [][]slicer.Band{p.inner.Bands(nil, pos)}
		if p.ranking.SizedMember(pos) != item { // a call, which is whole also where its result is cut
			from, to, _ := p.ranking.Input().CutsOf(pos)
			for ; from < to; from++ {
				lists = append(lists, p.inner.Bands(nil, from))
			}
		}
		included = func(t slicer.Target) bool {
			return slices.ContainsFunc(lists, func(bands []slicer.Band) bool {
				k := sort.Search(len(bands), func(k int) bool { return bands[k].To >= t })
				return k < len(bands) && bands[k].From <= t
			})
		}
	}
	return search(p.ranking.Items().Tokens(item), searchCeiling, func(mid model.Tokens) (bool, error) {
		t, runs := p.axis.Target(mid)
		return runs && included(t), nil
	})
}

// Searchable returns the first precondition of FindMinBudgetFor that does not
// hold: ErrSearchNotMonotonic, ErrNotAnElement or ErrCeilingLow. It returns
// nil if all hold.
func Searchable(r *pipeline.Ranking, item int, ceiling model.Tokens) error {
	switch {
	case r.Shifts().Percentages || r.Shifts().Counts:
		return ErrSearchNotMonotonic
	case item < 0 || item >= r.Items().Len():
		return ErrNotAnElement
	case ceiling < r.Items().Tokens(item):
		return ErrCeilingLow
	}
	return nil
}

// search asks in at about log2(ceiling - tokens) budgets.
func search(tokens, ceiling model.Tokens, in func(model.Tokens) (bool, error)) (model.Option[model.Tokens], error) {
	none := model.Option[model.Tokens]{}
	if tokens < 0 {
		return none, nil
	}
	low, high := tokens, ceiling
	for high-low > 1 {
		mid := low + (high-low)/2
		ok, err := in(mid)
		if err != nil {
			return none, err
		}
		if ok {
			high = mid
		} else {
			low = mid
		}
	}
	for _, b := range [...]model.Tokens{low, high} {
		ok, err := in(b)
		if err != nil {
			return none, err
		}
		if ok {
			return model.Some(b), nil
		}
	}
	return none, nil
}

// DryRunAt returns the report at the template moved to maxTokens b, or nil if the
// pipeline does not run there: the budget is invalid, or cannot hold what must be
// in. The error is any other of Ranking.DryRunContext.
func DryRunAt(ctx context.Context, r *pipeline.Ranking, template model.Budget, b model.Tokens) (*model.Report, error) {
	budget, err := template.At(b)
	if err != nil {
		return nil, nil
	}
	report, err := r.DryRunContext(ctx, budget)
	if tooSmall(err) {
		return nil, nil
	}
	return report, err
}

// tooSmall reports whether a run failed because the budget cannot hold what
// must be in.
func tooSmall(err error) bool {
	_, pinned := errors.AsType[*model.PinnedError](err)
	_, overflow := errors.AsType[*model.OverflowError](err)
	return pinned || overflow
}
