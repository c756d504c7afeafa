package pipeline

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"cupelscope/model"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// Ranking is a ranked set, ready to be sliced at any budget. It is immutable
// and safe for concurrent use. What only some callers need is computed once, on
// first use. Rankings of one set under policies that rank alike can share their
// data: see Pipeline.RankLike.
//
// Items are numbered by their index in the set, and candidates by their
// position in Input.
type Ranking struct {
	*ranked
	pipeline *Pipeline
	slicing  *slicing
}

// ranked holds the results of the stages up to Sort. Of a policy they depend
// only on the scorer, on deduplication and on KeepPairs (with KeepPairs also on
// whether the slicer fills in order of score).
type ranked struct {
	set *model.Set

	// Pairs as one item; see pairs.go.
	mates   []int32 // by item: the other member of its pair, or -1; nil if no pair is one item
	inOrder bool    // a pair is sorted by the larger score of its members, not by the sum

	// Classify
	filtered  []int32 // excluded by the user, in input order
	negative  []int32
	pinned    []int32
	scoreable []int32
	pinnedSum model.Tokens

	// Score
	scores []float64   // by item
	parts  *partScores // of the composite; nil without one

	// Deduplicate
	survivors  []int32 // by item: -1, or the survivor; nil if there are no duplicates
	duplicates []int32 // in input order

	// Sort
	input    slicer.Input
	position []int32   // by item: position in input, -1 if it has none
	deciding []float64 // by position: the score that it was sorted by

	stages [3]model.StageEvent // Classify, Score, Deduplicate

	outline *outline // also of rankings of the set with items in other sizes
}

// slicing is the slicer prepared for the candidates, on first use.
type slicing struct {
	once     sync.Once
	prepared slicer.Prepared
}

// Items returns the set that was ranked.
func (r *Ranking) Items() *model.Set { return r.set }

// Pipeline returns the pipeline that made the ranking. Use it to rank another
// set, or this one with other edits, in the same way.
func (r *Ranking) Pipeline() *Pipeline { return r.pipeline }

// Unprepared returns a ranking with the same results that does not share the
// prepared slicer of r. It holds none of the tables that this has made, so a caller that
// keeps many rankings saves memory. The slicer is prepared again on first use.
func (r *Ranking) Unprepared() *Ranking {
	return &Ranking{r.ranked, r.pipeline, new(slicing)}
}

// Policy returns the policy of the pipeline that made the ranking. For a
// pipeline made by Assemble only Deduplicate, Overflow and KeepPairs are set.
// The caller must not change the lists in it.
func (r *Ranking) Policy() model.Policy { return r.pipeline.policy }

// Input returns the candidates in sorted order: the best score first, ties in
// input order. Read only.
func (r *Ranking) Input() *slicer.Input { return &r.input }

// Position returns the position of an item in Input. It reports false for an
// item that is not a candidate because it is pinned, has negative tokens, is a
// duplicate, or was excluded by the user. Both members of a pair that is one
// item have the same position. Position panics if item is out of range.
func (r *Ranking) Position(item int) (int, bool) {
	p := int(r.position[item])
	return p, p >= 0
}

// PinnedTokens returns the sum of the tokens of the pinned items.
func (r *Ranking) PinnedTokens() model.Tokens { return r.pinnedSum }

// Pinned returns the pinned items in input order. Pinned items with negative
// tokens are not among them. Read only.
func (r *Ranking) Pinned() []int32 { return r.pinned }

// Scores returns the score of every item of the set. Pinned items have 1.0;
// items with negative tokens and items excluded by the user have 0.0.
// Duplicates have scores of their own. Read only.
func (r *Ranking) Scores() []float64 { return r.scores }

// Survivors returns, for every item of the set, the item that was kept in its
// place because both have the same content, or -1 if the item is no duplicate.
// It is nil if there are no duplicates. Read only.
func (r *Ranking) Survivors() []int32 { return r.survivors }

// Profile returns the slicer's exact selection at every target from 0 to upTo,
// in tokens. Its positions are positions in Input. A slicer without a profile is asked
// at every target, up to slicer.MaxTabulated; above that the error is slicer.ErrNoProfile:
// call DryRun at the budgets of interest instead. Any other error is from slicer.ProfileOf.
func (r *Ranking) Profile(ctx context.Context, upTo slicer.Target) (slicer.Profile, error) {
	return slicer.ProfileOf(ctx, &r.input, r.slicer(), upTo)
}

// Shifts returns how the pipeline's slicer divides the target among kinds.
func (r *Ranking) Shifts() slicer.Shifts { return r.pipeline.parts.Slicer.Traits().Shifts }

// Committed returns the positions in Input, ascending, that the slicer selects
// at every target above 0 whatever they cost, because a count quota requires
// them, and the sum of their tokens. Only they and the pinned items can
// overflow the target. Without count quotas it returns nil and 0. Read only.
func (r *Ranking) Committed() ([]int32, model.Tokens) {
	if counts := r.slicer().Counts(); counts != nil {
		return counts.Committed, counts.Tokens
	}
	return nil, 0
}

// slicer returns the prepared slicer; it is prepared on the first call.
func (r *Ranking) slicer() slicer.Prepared {
	r.slicing.once.Do(func() { r.slicing.prepared = r.pipeline.parts.Slicer.Prepare(&r.input) })
	return r.slicing.prepared
}

// ScorePart is what one scorer of the policy contributes to the score of an item.
type ScorePart struct {
	Name   string  // scorer.Part.Name, or the type of a single scorer; "score" for a single custom one
	Weight float64 // normalised: the weights of all parts sum to 1
	Score  float64 // as the scorer returned it; the contribution is Weight * Score
}

// ScorerParts returns what each top-level scorer of the policy contributes to
// the score of an item, in the policy's order. If the only scorer is a
// composite, it returns the parts of that composite. The result is nil for an
// item that is not scored because it is pinned, has negative tokens, or was
// excluded by the user.
func (r *Ranking) ScorerParts(item int) []ScorePart {
	if _, ok := r.scoreablePosition(item); !ok {
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
	k, _ := slices.BinarySearch(r.parts.items, int32(item))
	parts := make([]ScorePart, len(r.parts.columns))
	for i, p := range composite.Parts() {
		parts[i] = ScorePart{Name: p.Name, Weight: p.Weight, Score: r.parts.columns[i][k]}
	}
	return parts
}

// Reweigh sets dst to the scores of the items of Scored if the scorers of the policy have
// other weights, without ranking: bit for bit as a ranking with these has them. The policy must
// have several scorers. It is an error if a policy refuses one of the weights.
func (r *Ranking) Reweigh(weights []float64, dst []float64) error {
	return r.pipeline.parts.Scorer.(*scorer.Composite).Reweigh(weights, r.partColumns(), dst)
}

// Scored returns the items that are scored, in input order, duplicates included. Read only.
func (r *Ranking) Scored() []int32 { return r.scoreable }

// RankLike returns the same ranking as Rank, but shares the data of like where
// it can. That saves time and memory if two pipelines rank one set alike, as
// the two sides of a comparison often do.
//
// RankLike shares the results of all stages up to Sort if like is a ranking of
// the same *model.Set, with an equal scorer, the same Deduplicate and the same
// KeepPairs. It then also shares the prepared slicer, with the tables that it
// keeps, if the slicers are equal. The shared stages have the durations of like.
//
// If like is a ranking, alike in the same way, of a set in which a few items are pinned or
// excluded otherwise, and scorers rate each item alone, only these items are scored and
// moved: a pass over the columns of the ranking instead of a sort.
//
// If like is a ranking of the same set by a composite, the scores of the parts that both
// have, whatever their weights, are shared. Otherwise RankLike does what Rank does.
//
// Two parts are equal if reflect.DeepEqual says so: they have the same type and
// equal parameters. A part that holds a function that is not nil equals no
// other part. Errors are as for Rank. Sharing costs O(parameters) and no pass
// over the items.
func (p *Pipeline) RankLike(ctx context.Context, like *Ranking, s *model.Set) (*Ranking, error) {
	if like == nil || like.set != s || !p.RanksLike(like.pipeline) {
		return p.rank(ctx, s, like)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	if err := p.sizesFit(s); err != nil {
		return nil, err
	}
	r := &Ranking{like.ranked, p, new(slicing)}
	if reflect.DeepEqual(p.parts.Slicer, like.pipeline.parts.Slicer) {
		r.slicing = like.slicing
	}
	return r, nil
}

// RanksLike reports whether p and other give the same results up to Sort for
// every set.
func (p *Pipeline) RanksLike(other *Pipeline) bool {
	if p.parts.KeepPairs && p.parts.Slicer.Traits().ByScore != other.parts.Slicer.Traits().ByScore {
		return false
	}
	return p.parts.KeepPairs == other.parts.KeepPairs && p.parts.Deduplicate == other.parts.Deduplicate && reflect.DeepEqual(p.parts.Scorer, other.parts.Scorer)
}
