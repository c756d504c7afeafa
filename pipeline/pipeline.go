package pipeline

import (
	"context"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// STUB: signatures agreed between packages; bodies being written.

type Pipeline struct{}

type Option func(*Pipeline)

// New builds the pipeline that the policy describes; the error is a *model.PolicyError.
func New(p model.Policy, options ...Option) (*Pipeline, error) { panic("unwritten") }

// Rank runs Classify, Score, Deduplicate and Sort: everything that does not depend on the budget.
func (p *Pipeline) Rank(ctx context.Context, s *model.Set) (*Ranking, error) { panic("unwritten") }

// Ranking is a ranked set, ready to be sliced at any budget. Immutable, safe for concurrent use.
type Ranking struct{}

func (r *Ranking) Items() *model.Set             { panic("unwritten") } // the set that was ranked
func (r *Ranking) Policy() model.Policy          { panic("unwritten") }
func (r *Ranking) Input() *slicer.Input          { panic("unwritten") } // candidates in sorted order
func (r *Ranking) Position(item int) (int, bool) { panic("unwritten") } // position in Input; false: pinned, negative, duplicate, user-excluded
func (r *Ranking) PinnedTokens() model.Tokens    { panic("unwritten") }
func (r *Ranking) Pinned() []int32               { panic("unwritten") } // in input order
func (r *Ranking) Scores() []float64             { panic("unwritten") } // by item; pinned 1.0; negative and filtered 0.0; duplicates their own score
func (r *Ranking) Survivors() []int32            { panic("unwritten") } // by item: -1, or the survivor; nil if there are no duplicates

// DryRun slices and places. Errors: *model.PinnedError, *model.OverflowError, *model.TableError.
func (r *Ranking) DryRun(b model.Budget) (*model.Report, error) { panic("unwritten") }

// Place makes the report for a selection that the caller already has (from a profile, at b.Effective(PinnedTokens()).Target).
func (r *Ranking) Place(b model.Budget, sel slicer.Selection) (*model.Report, error) {
	panic("unwritten")
}

// Profile is the slicer's exact profile up to target upTo; ErrNoProfile if the slicer has none.
func (r *Ranking) Profile(ctx context.Context, upTo slicer.Target) (slicer.Profile, error) {
	panic("unwritten")
}

// ScorerParts is the score of one item by top-level scorer: name, weight (normalised), score. For the detail pane.
func (r *Ranking) ScorerParts(item int) []ScorePart { panic("unwritten") }

// ScorePart is what one scorer of the policy contributes to the score of an item.
type ScorePart struct {
	Name   string
	Weight float64 // normalised: the weights of all parts sum to 1
	Score  float64 // as the scorer gave it; the contribution is Weight * Score
}
