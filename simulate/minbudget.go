package simulate

import (
	"errors"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// ErrNotAnElement and ErrCeilingLow are returned by FindMinBudgetFor if the set
// has no such item, or if searchCeiling is below the tokens of the item. The
// texts are those of the Cupel specification, chapter Budget Simulation.
var (
	ErrNotAnElement = errors.New("targetItem must be an element of items")
	ErrCeilingLow   = errors.New("searchCeiling must be >= targetItem.Tokens")
)

// FindMinBudgetFor is the search of the Cupel specification, chapter Budget
// Simulation: a binary search for the least budget in [tokens of the item,
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
// answer.
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
	return search(r.Items().Tokens(item), searchCeiling, func(mid model.Tokens) (bool, error) {
		report, err := probe(r, mid, template)
		if err != nil {
			return false, err
		}
		return report != nil && report.In(item), nil
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
		template := p.axis.Template()
		return FindMinBudgetFor(p.ranking, item, searchCeiling, &template)
	}
	included := func(slicer.Target) bool { return p.pinned(item) }
	if pos, ok := p.ranking.Position(item); ok {
		bands := p.inner.Bands(nil, pos)
		included = func(t slicer.Target) bool {
			k := sort.Search(len(bands), func(k int) bool { return bands[k].To >= t })
			return k < len(bands) && bands[k].From <= t
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

// probe runs the pipeline at mid; nil if it cannot run there.
func probe(r *pipeline.Ranking, mid model.Tokens, template *model.Budget) (*model.Report, error) {
	var b model.Budget
	var err error
	if template != nil {
		b, err = template.At(mid)
	} else {
		b, err = model.BudgetOf(mid)
	}
	if err != nil {
		return nil, nil // the budget is invalid
	}
	report, err := r.DryRun(b)
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
