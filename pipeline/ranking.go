package pipeline

import (
	"context"
	"sync"

	"cupelscope/model"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// Ranking is a ranked set, ready to be sliced at any budget. It is immutable
// and safe for concurrent use; parts that only some callers need are computed once, on
// first use. Rankings of one set under policies that rank alike
// can share all of it: see Pipeline.RankLike.
type Ranking struct {
	*ranked
	pipeline *Pipeline
	slicing  *slicing
	placing  *placing
}

// ranked is what the stages up to Sort found. It depends on the set, the
// scorer and whether there is deduplication, on nothing else of a policy.
type ranked struct {
	set *model.Set

	// Pairs as one item; see pairs.go.
	mates   []int32 // by item: the other member of its pair, -1; nil: no pair is one item
	inOrder bool    // the larger score of its members decides where a pair is sorted

	// Classify
	filtered  []int32 // taken out by the user, in input order
	negative  []int32
	pinned    []int32
	scoreable []int32
	pinnedSum model.Tokens

	// Score
	scores  []float64   // by item
	columns [][]float64 // by part of the composite, by position in scoreable; nil: no composite

	// Deduplicate
	survivors  []int32 // by item: -1, or the survivor; nil if there are no duplicates
	duplicates []int32 // in input order

	// Sort
	input    slicer.Input
	position []int32   // by item: position in input, -1 if it has none
	deciding []float64 // by position: the score that it was sorted by

	stages [3]model.StageEvent // Classify, Score, Deduplicate

	outlining sync.Once
	outline   outline
}

// slicing is the slicer prepared for the candidates, on first use.
type slicing struct {
	once     sync.Once
	prepared slicer.Prepared
}

// placing is the placer prepared for the candidates, on first use.
type placing struct {
	once     sync.Once
	prepared placer.Prepared
}

// Items is the set that was ranked.
func (r *Ranking) Items() *model.Set { return r.set }

// Pipeline is what ranked the items: it ranks others, or these with other
// edits, in the same way.
func (r *Ranking) Pipeline() *Pipeline { return r.pipeline }

// Unprepared is the ranking without the tables that its slicer and its placer
// have made and may make: for one that is kept beside many others.
func (r *Ranking) Unprepared() *Ranking {
	return &Ranking{r.ranked, r.pipeline, new(slicing), new(placing)}
}

// Bytes bounds the memory that the ranking holds beside the items as they were
// loaded and what its slicer and its placer prepare: the set's edits, scores and
// their parts, positions, candidates, and what reports share.
func (r *Ranking) Bytes() int {
	const item, part, edit = 96, 8, 64
	e := r.set.Edits()
	return r.set.Len()*(item+part*len(r.columns)) + edit*(len(e.Pinned)+len(e.Excluded)+len(e.Tokens)+len(e.Hints))
}

// Policy is the policy of the pipeline that ranked.
func (r *Ranking) Policy() model.Policy { return r.pipeline.policy }

// Input is the candidates in sorted order. Read only.
func (r *Ranking) Input() *slicer.Input { return &r.input }

// Position is the position of an item in Input; false for one that is not a
// candidate: pinned, negative, a duplicate, or excluded by the user.
func (r *Ranking) Position(item int) (int, bool) {
	p := int(r.position[item])
	return p, p >= 0
}

// PinnedTokens is the sum of the tokens of the pinned items.
func (r *Ranking) PinnedTokens() model.Tokens { return r.pinnedSum }

// Pinned lists the pinned items in input order. Read only.
func (r *Ranking) Pinned() []int32 { return r.pinned }

// Scores is the score of every item of the set: 1.0 for pinned ones, 0.0 for
// negative ones and those taken out, duplicates have their own. Read only.
func (r *Ranking) Scores() []float64 { return r.scores }

// Survivors names, for every item, the item that it is a duplicate of, or -1.
// It is nil if there are no duplicates. Read only.
func (r *Ranking) Survivors() []int32 { return r.survivors }

// Profile is the slicer's exact answer at every target up to upTo; ErrNoProfile
// if the slicer has none. Other errors are those of slicer.Profiler.
func (r *Ranking) Profile(ctx context.Context, upTo slicer.Target) (slicer.Profile, error) {
	profiler, ok := r.slicer().(slicer.Profiler)
	if !ok {
		return nil, ErrNoProfile
	}
	return profiler.Profile(ctx, upTo)
}

// ProfileCost is the number of cells that a profile up to upTo computes, below
// a nanosecond each, so that a caller can choose to wait for it, to have it made
// in the background (slicer.WithProgress reports its progress), or not at all. It
// is 0 for slicers whose profiles take milliseconds, and for those that have
// none. O(n log n).
func (r *Ranking) ProfileCost(upTo slicer.Target) int64 { return slicer.CostOf(r.slicer(), upTo) }

// Shifts says how the pipeline's slicer divides the target among kinds.
func (r *Ranking) Shifts() slicer.Shifts { return slicer.ShiftsOf(r.pipeline.parts.Slicer) }

// Committed lists the positions in Input that the slicer selects at every
// target above 0, whatever they cost, ascending, and their tokens: what count
// quotas require. Only they and the pinned items can overflow the target.
// Read only.
func (r *Ranking) Committed() ([]int32, model.Tokens) {
	if counter, ok := r.slicer().(slicer.Counter); ok {
		return counter.Committed()
	}
	return nil, 0
}

// slicer is the prepared slicer.
func (r *Ranking) slicer() slicer.Prepared {
	r.slicing.once.Do(func() { r.slicing.prepared = r.pipeline.parts.Slicer.Prepare(&r.input) })
	return r.slicing.prepared
}

// placer is the prepared placer.
func (r *Ranking) placer() placer.Prepared {
	r.placing.once.Do(func() { r.placing.prepared = r.pipeline.parts.Placer.Prepare(r.merged()) })
	return r.placing.prepared
}

// ScorePart is what one scorer of the policy contributes to the score of an item.
type ScorePart struct {
	Name   string
	Weight float64 // normalised: the weights of all parts sum to 1
	Score  float64 // as the scorer gave it; the contribution is Weight * Score
}

// ScorerParts is the score of an item by top-level scorer of the policy, in
// the policy's order (where that is a single composite: by what it is made of).
// It is nil for an item that is not scored: pinned, negative, taken out by the
// user.
func (r *Ranking) ScorerParts(item int) []ScorePart {
	k, ok := r.scoreablePosition(item)
	if !ok {
		return nil
	}
	composite, ok := r.pipeline.parts.Scorer.(*scorer.Composite)
	if !ok {
		name := "score"
		if all := r.pipeline.policy.Scorers; len(all) == 1 {
			name = string(all[0].Type)
		}
		return []ScorePart{{Name: name, Weight: 1, Score: r.scores[item]}}
	}
	parts := make([]ScorePart, len(r.columns))
	for i, p := range composite.Parts() {
		parts[i] = ScorePart{Name: p.Name, Weight: p.Weight, Score: r.columns[i][k]}
	}
	return parts
}
