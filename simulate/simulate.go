// Package simulate answers questions over many budgets, exactly.
package simulate

import (
	"context"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// STUB: signatures agreed between packages; bodies being written.

// Axis is a line of budgets from 0 to End: the template with maxTokens = B,
// targetTokens = max(0, B - gap), everything else kept. It alone maps a budget
// to the effective target.
type Axis struct{}

func NewAxis(template model.Budget, pinned model.Tokens, overflow model.OverflowStrategy, end model.Tokens) (Axis, error) {
	panic("unwritten")
}
func (a Axis) Template() model.Budget { panic("unwritten") }
func (a Axis) End() model.Tokens      { panic("unwritten") }

// Start is the least budget in 0..End at which the pipeline runs without error; false: none.
func (a Axis) Start() (model.Tokens, bool) { panic("unwritten") }

// Budget is the template at maxTokens b; error as in model.NewBudget.
func (a Axis) Budget(b model.Tokens) (model.Budget, error) { panic("unwritten") }

// Target is the effective target at b, and whether the pipeline runs at b at all.
func (a Axis) Target(b model.Tokens) (slicer.Target, bool) { panic("unwritten") }

// Least is the least running budget in 0..End whose target is >= t; false: none.
func (a Axis) Least(t slicer.Target) (model.Tokens, bool) { panic("unwritten") }

// Band is a range of budgets (maxTokens), both ends included.
type Band struct{ From, To model.Tokens }

// Profile is, for every item, all budgets of an axis at which it is in the result. Immutable, safe for concurrent use.
type Profile struct{}

// NewProfile profiles the ranking along the axis.
func NewProfile(ctx context.Context, r *pipeline.Ranking, a Axis) (*Profile, error) {
	panic("unwritten")
}

// Along returns the same profile along another axis without recomputing anything; false if the
// profile does not reach as far as that axis does (then call NewProfile).
func (p *Profile) Along(a Axis) (*Profile, bool)                { panic("unwritten") }
func (p *Profile) Ranking() *pipeline.Ranking                   { panic("unwritten") }
func (p *Profile) Axis() Axis                                   { panic("unwritten") }
func (p *Profile) First(item int) (model.Tokens, bool)          { panic("unwritten") }
func (p *Profile) Stays(item int) (model.Tokens, bool)          { panic("unwritten") }
func (p *Profile) Bands(dst []Band, item int) []Band            { panic("unwritten") }
func (p *Profile) Report(b model.Budget) (*model.Report, error) { panic("unwritten") } // what DryRun(b) returns, from the profile; any budget whose target the profile covers, else falls back to DryRun

// Change is what happens when the budget reaches At: In and Out differ from the budget just below (item indexes, ascending).
type Change struct {
	At      model.Tokens
	In, Out []int32
}

// Next is the least budget above b at which the result differs from the one just below it.
func (p *Profile) Next(b model.Tokens) (Change, bool) { panic("unwritten") }

// Prev is the largest budget below b whose result differs from the one at b; In and Out say what changes going down to it.
func (p *Profile) Prev(b model.Tokens) (Change, bool) { panic("unwritten") }

// NextFor and PrevFor are the same for one item: where it next enters or leaves.
func (p *Profile) NextFor(item int, b model.Tokens) (model.Tokens, bool) { panic("unwritten") }
func (p *Profile) PrevFor(item int, b model.Tokens) (model.Tokens, bool) { panic("unwritten") }

// Summary is the two numbers and what lies between.
type Summary struct {
	First, Stays model.Option[model.Tokens]
	FirstWidth   model.Tokens // how many budgets wide the first band is
	Ranges       int          // number of bands
	Share        float64      // share of the budgets from First to the one before Stays (or to End if it does not stay) at which the item is in; 1 if there are none between
	Always       bool         // in at every running budget
}

func (p *Profile) Summary(item int) Summary { panic("unwritten") }

// SeveralRanges counts the items with more than one band.
func (p *Profile) SeveralRanges() int { panic("unwritten") }

// MarginalItems: seed budget-simulation.txt, GetMarginalItems, with the rulings of spec 3: in placed order.
func MarginalItems(r *pipeline.Ranking, b model.Budget, slack model.Tokens) ([]int32, error) {
	panic("unwritten")
}

// FindMinBudgetFor: the seed's search. template nil: bare budgets (max = target = mid). The Option is unset for null.
func FindMinBudgetFor(r *pipeline.Ranking, item int, searchCeiling model.Tokens, template *model.Budget) (model.Option[model.Tokens], error) {
	panic("unwritten")
}

// Comparison of two reports over the same items. Lists of item indexes, ascending.
type Comparison struct {
	Both, OnlyA, OnlyB                   []int32
	BothTokens, OnlyATokens, OnlyBTokens model.Tokens
	BothValueA, BothValueB               float64 // scores by A and by B of the items that both include
	OnlyAValue, OnlyBValue               float64
}

func Compare(a, b *model.Report) Comparison { panic("unwritten") }

// Diff: items in after but not in before, and the reverse; ascending.
func Diff(before, after *model.Report) (in, out []int32) { panic("unwritten") }
