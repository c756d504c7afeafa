package simulate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

func TestMain(m *testing.M) { musttest.Main(m) }

// scenario is a small random experiment whose answer at every budget is known
// by running the pipeline there.
type scenario struct {
	ranking  *pipeline.Ranking
	axis     Axis
	template model.Budget
	reports  []*model.Report // by budget, 0 to End; nil where the pipeline does not run
	// overflows, by budget: it does not run because of what the slicer commits,
	// beside pinned items that fit. The axis does not know that.
	overflows []bool
}

func randomSet(t *testing.T, rng *rand.Rand) *model.Set {
	t.Helper()
	return musttest.Of(randomtest.Small(rng))(t)
}

// randomPolicy is any policy at all, nothing or much required of each kind.
func randomPolicy(rng *rand.Rand) model.Policy {
	return randomtest.Divided(rng, "DOCUMENT", "message", "Z", "absent")
}

// committingPolicy requires items of every kind, so that much is committed.
func committingPolicy(rng *rand.Rand) model.Policy {
	p := randomtest.ByHints(rng)
	if p.Slicer == model.Stream {
		p.Slicer, p.BatchSize = model.Greedy, 0
	}
	for _, kind := range []model.Kind{model.Message, model.Document, "z"} {
		require := rng.IntN(4)
		p.CountQuotas = append(p.CountQuotas, model.CountQuota{Kind: kind, Require: require, Cap: require + rng.IntN(3)})
	}
	return p
}

func randomTemplate(t *testing.T, rng *rand.Rand) model.Budget {
	t.Helper()
	f := model.BudgetFields{MaxTokens: 40}
	if rng.IntN(3) == 0 {
		f.TargetTokens = model.Some(f.MaxTokens - model.Tokens(rng.IntN(12)))
	}
	randomtest.Reserve(randomtest.Seeded(rng.Uint64(), 1), &f, 11)
	return musttest.Of(model.NewBudget(f))(t)
}

func rank(t testing.TB, p model.Policy, set *model.Set) *pipeline.Ranking {
	t.Helper()
	pipe := musttest.Of(pipeline.New(p))(t)
	return musttest.Of(pipe.Rank(context.Background(), set))(t)
}

func newScenario(t *testing.T, r *pipeline.Ranking, template model.Budget, end model.Tokens) scenario {
	t.Helper()
	axis := musttest.Of(newAxis(r, template, end))(t)
	s := scenario{ranking: r, axis: axis, template: template, reports: make([]*model.Report, end+1), overflows: make([]bool, end+1)}
	for b := range s.reports {
		s.reports[b], s.overflows[b] = dryRunAt(t, r, template, model.Tokens(b))
	}
	return s
}

// dryRunAt is the report under the template at b; nil if the pipeline does not
// run there, and whether that is because of what the slicer commits.
func dryRunAt(t *testing.T, r *pipeline.Ranking, template model.Budget, b model.Tokens) (*model.Report, bool) {
	t.Helper()
	f := template.Fields()
	f.TargetTokens = model.Some(max(0, b-(f.MaxTokens-f.Target())))
	f.MaxTokens = b
	budget, err := model.NewBudget(f)
	if err != nil {
		return nil, false
	}
	report, err := r.DryRun(budget)
	if err == nil {
		return report, false
	}
	_, pinned := errors.AsType[*model.PinnedError](err)
	_, overflow := errors.AsType[*model.OverflowError](err)
	if !pinned && !overflow {
		t.Fatal(err)
	}
	return nil, overflow && r.PinnedTokens() <= budget.TargetTokens()
}

func (s scenario) in(item, b int) bool { return s.reports[b] != nil && s.reports[b].In(item) }

func (s scenario) same(b, c int) bool {
	for i := range s.ranking.Items().Len() {
		if s.in(i, b) != s.in(i, c) {
			return false
		}
	}
	return true
}

// change is what differs between two budgets, to being At.
func (s scenario) change(from, to int) Change {
	c := Change{At: model.Tokens(to)}
	for i := range s.ranking.Items().Len() {
		switch was, is := s.in(i, from), s.in(i, to); {
		case is && !was:
			c.In = append(c.In, int32(i))
		case was && !is:
			c.Out = append(c.Out, int32(i))
		}
	}
	return c
}

func (s scenario) next(b int) (Change, bool) {
	for c := max(b, 0) + 1; c < len(s.reports); c++ {
		if !s.same(c-1, c) {
			return s.change(c-1, c), true
		}
	}
	return Change{}, false
}

func (s scenario) prev(b int) (Change, bool) {
	b = min(b, len(s.reports)-1)
	for c := b - 1; c >= 0; c-- {
		if !s.same(b, c) {
			return s.change(b, c), true
		}
	}
	return Change{}, false
}

func (s scenario) bands(item int) []Band {
	return bandsWhere(s.reports, func(r *model.Report) bool { return r.In(item) })
}

// bandsWhere returns the ranges of budgets, from 0, at which there is a report for which in
// is true.
func bandsWhere(reports []*model.Report, in func(*model.Report) bool) (bands []Band) {
	for b, r := range reports {
		switch {
		case r == nil || !in(r):
		case len(bands) > 0 && bands[len(bands)-1].To == model.Tokens(b-1):
			bands[len(bands)-1].To++
		default:
			bands = append(bands, Band{model.Tokens(b), model.Tokens(b)})
		}
	}
	return bands
}

func (s scenario) summary(item int) Summary {
	var sum Summary
	end := len(s.reports) - 1
	first := slices.IndexFunc(s.reports, func(r *model.Report) bool { return r != nil && r.In(item) })
	if first < 0 {
		return sum
	}
	sum.FirstIn = model.Some(model.Tokens(first))
	sum.FirstWhole = sum.FirstIn // no item may be cut
	for b := first; b <= end && s.in(item, b); b++ {
		sum.FirstWidth++
	}
	stays := end + 1
	for stays > 0 && s.in(item, stays-1) {
		stays--
	}
	if stays <= end {
		sum.StaysFrom = model.Some(model.Tokens(stays))
	}
	in := 0
	for b := first; b < stays; b++ {
		if s.in(item, b) {
			in++
		}
	}
	sum.Share = 1
	if stays > first {
		sum.Share = float64(in) / float64(stays-first)
	}
	sum.Ranges = len(s.bands(item))
	return sum
}

// wild is a scorer of a caller's own, which may return anything: negative
// numbers, infinite ones, none at all. It takes its scores from a list, by index.
type wild []float64

func (w wild) Score(_ context.Context, l scorer.List, dst []float64) error {
	for k, item := range l.Items {
		dst[k] = w[int(item)%len(w)]
	}
	return nil
}

// wildScores are all that a score can be; some of them twice, so that they tie.
var wildScores = wild{
	0.5, -1, math.NaN(), 0, math.Inf(1), 0.25, math.Inf(-1), 1e300, math.Copysign(0, -1), 0.5, -1e-300, 1e-320, -0.25, 3e9,
}

// rankWild ranks under a policy whose scorers are replaced by wild scores.
func rankWild(t *testing.T, p model.Policy, set *model.Set, scores wild) *pipeline.Ranking {
	t.Helper()
	slicer := musttest.Of(slicer.FromPolicy(p))(t)
	parts := pipeline.Parts{Scorer: scores, Slicer: slicer, Placer: placer.Chronological{}, Deduplicate: p.Deduplicate, Overflow: p.Overflow}
	if p.Placer == model.UShaped {
		parts.Placer = placer.UShaped{}
	}
	pipe := musttest.Of(pipeline.Assemble(parts))(t)
	return musttest.Of(pipe.Rank(context.Background(), set))(t)
}
