package simulate

import (
	"errors"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/itemset"
)

// ErrNotRecorded is returned for a source that holds no result of a run.
var ErrNotRecorded = errors.New("no result is recorded: only a selection report of Cupel's has one")

// Recorded returns the result that a selection report of Cupel's holds, over
// the items of that report, edited or not. The result has no budget, so it
// says nothing about other budgets, and its reasons are those that the report
// gives. A nil rec gives ErrNotRecorded; it is also an error if rec does not
// have as many items as the set.
func Recorded(items *model.Set, rec *itemset.Recorded) (*model.Report, error) {
	switch {
	case rec == nil:
		return nil, ErrNotRecorded
	case len(rec.Items) != items.Len():
		return nil, fmt.Errorf("the recorded result is of %d items, there are %d: open one report alone", len(rec.Items), items.Len())
	}
	n := items.Len()
	r := &model.Report{
		Items: items, Codes: make([]model.Code, n), Scores: make([]float64, n), Given: make([]model.Reason, n), FirstPinned: -1, Considered: items.Total(),
	}
	for row, i := range rec.Items {
		reason := rec.Reasons[row]
		r.Codes[i], r.Scores[i], r.Given[i] = reason.Code, rec.Scores[row], reason
		if !reason.Code.Included() {
			r.Excluded = append(r.Excluded, int32(i))
			continue
		}
		r.Included = append(r.Included, int32(i))
		r.Kept += items.Tokens(i)
	}
	for i, code := range r.Codes {
		switch {
		case code == model.Pinned:
			r.PinnedTokens += items.Tokens(i)
			if r.FirstPinned < 0 {
				r.FirstPinned = i
			}
		case code.Included():
			r.Value += r.Scores[i]
		case code == model.Deduplicated && !r.Given[i].Bare:
			if r.Survivors == nil {
				r.Survivors = slices.Repeat([]int32{-1}, n)
			}
			r.Survivors[i] = int32(r.Given[i].By)
		}
	}
	r.SlicedTokens = r.Kept - r.PinnedTokens
	return r, nil
}
