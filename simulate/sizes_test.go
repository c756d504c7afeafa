package simulate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
)

// sizedSet is a random set of items that may be cut: to sizes of one token, worth more or
// less than their share, with notes; some pinned, some in pairs.
func sizedSet(t *testing.T, rng *rand.Rand) *model.Set {
	t.Helper()
	return withSizes(t, rng, randomSet(t, rng))
}

// withSizes gives some items of a set sizes, and makes pairs of some.
func withSizes(t *testing.T, rng *rand.Rand, plain *model.Set) *model.Set {
	t.Helper()
	sizes := map[int][]model.Size{}
	for i := range plain.Len() {
		last := plain.Tokens(i)
		for range rng.IntN(4) {
			if last > 1 {
				last = 1 + model.Tokens(rng.IntN(int(last-1)))
				size := model.Size{Tokens: last}
				if rng.IntN(5) == 0 {
					size.Worth = model.Some(randomtest.Pick(rng, 0, .3, .9, 1))
				}
				sizes[i] = append(sizes[i], size)
			}
		}
		if last > 1 && rng.IntN(2) == 0 {
			sizes[i] = append(sizes[i], model.Size{Tokens: 1 + model.Tokens(rng.IntN(int(last-1))), Note: true})
		}
	}
	set := musttest.Of(plain.WithSizes(sizes))(t)
	edits := plain.Edits()
	edits.Shrink.Pinned = rng.IntN(3) == 0
	set = musttest.Of(set.With(edits))(t)
	return set.WithPairs(randomtest.Pairs(rng, set.Len())...)
}

func TestProfileOfSizesIsTheDryRunAtEveryBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(160, 9))
	for range randomtest.Rounds(300, 6000) {
		set := sizedSet(t, rng)
		policy := randomtest.ByHints(rng)
		if policy.Slicer == model.Stream {
			policy.Slicer, policy.BatchSize = model.Prefix, 0
		}
		policy.KeepPairs = rng.IntN(2) == 0
		ranking := rank(t, policy, set)
		profile := musttest.Of(NewProfile(t.Context(), ranking, randomTemplate(t, rng), 60))(t)
		checkSizes(t, profile)
	}
}

// checkSizes holds everything that a profile says of sizes to dry runs at every budget.
func checkSizes(t *testing.T, p *Profile) {
	t.Helper()
	set, end := p.Ranking().Items(), p.Axis().End()
	reports := make([]*model.Report, end+1)
	for b := range reports {
		reports[b] = musttest.Of(DryRunAt(t.Context(), p.Ranking(), p.Axis().template, model.Tokens(b)))(t)
		if reports[b] == nil {
			continue
		}
		checkTaken(t, reports[b])
		reasons := musttest.Of(NewReasons(t.Context(), p.Ranking(), reports[b]))(t)
		byStep := musttest.Of(replayed(t.Context(), p.Ranking(), reports[b]))(t)
		for i := range set.Len() {
			if of, by := reasons.Of(i), byStep.Of(i); of != by {
				t.Fatalf("at %d item %d: %+v, by the steps %+v", b, i, of, by)
			}
		}
		got, err := p.Report(reports[b].Budget)
		if err != nil || !reflect.DeepEqual(got.Included, reports[b].Included) || !slices.Equal(got.Sizes, reports[b].Sizes) || !slices.Equal(got.Sent, reports[b].Sent) || got.Kept != reports[b].Kept {
			t.Fatalf("at %d the profile's report has %v in sizes %v, the dry run %v in %v (%v)", b, got.Included, got.Sizes, reports[b].Included, reports[b].Sizes, err)
		}
	}
	for i := range set.Len() {
		bands := bandsWhere(reports, func(r *model.Report) bool { return r.In(i) })
		if got := p.Bands(nil, i); !slices.Equal(got, bands) {
			t.Fatalf("item %d: bands %v, want %v", i, got, bands)
		}
		var first, stay model.Option[model.Tokens]
		if len(bands) > 0 {
			first = model.Some(bands[0].From)
			if last := bands[len(bands)-1]; last.To == end {
				stay = model.Some(last.From)
			}
		}
		checkNumber(t, "FirstIn", i, first, p.FirstIn)
		checkNumber(t, "StaysFrom", i, stay, p.StaysFrom)
		for size := range len(set.Sizes(i)) + 1 {
			want := bandsWhere(reports, func(r *model.Report) bool { return r.Size(i) == size && (r.In(i) || r.Noted(i)) })
			if got := p.SizeBands(nil, i, size); !slices.Equal(got, want) {
				t.Fatalf("item %d, size %d of %v: bands %v, want %v", i, size, set.Sizes(i), got, want)
			}
			if whole := p.Summary(i).FirstWhole; size == 0 && (whole.Set != (len(want) > 0) || whole.Set && whole.Value != want[0].From) {
				t.Fatalf("item %d: first in whole at %v, want the beginning of %v", i, whole, want)
			}
		}
		if set.Tokens(i) >= 0 && set.Tokens(i) <= end {
			template := p.Axis().template
			want := musttest.Of(FindMinBudgetFor(p.Ranking(), i, end, &template))(t)
			if got, err := p.BinarySearch(i, end); err != nil || got != want {
				t.Fatalf("item %d: Cupel's search finds %v in the profile (%v), and %v by dry runs", i, got, err, want)
			}
		}
	}
	checkSizeChanges(t, p, reports)
	checkSizesAtRisk(t, p, reports)
}

// checkTaken holds the parts of a report to each other.
func checkTaken(t *testing.T, r *model.Report) {
	t.Helper()
	var kept model.Tokens
	notes := 0
	for i := range r.Items.Len() {
		kept += r.Taken(i)
		if r.Noted(i) {
			notes++
		}
	}
	if kept != r.Kept {
		t.Fatalf("what is taken has %d tokens, the report says %d", kept, r.Kept)
	}
	if len(r.Placed()) != len(r.Included)+notes {
		t.Fatalf("%d items and notes are placed, %d are in and %d have notes", len(r.Placed()), len(r.Included), notes)
	}
	in := slices.DeleteFunc(slices.Clone(r.Placed()), func(i int32) bool { return r.Noted(int(i)) })
	if !slices.Equal(in, r.Included) {
		t.Fatalf("placed without notes %v, included %v", in, r.Included)
	}
}

// checkSizeChanges holds Next, Prev and what they tell to the reports on both sides.
func checkSizeChanges(t *testing.T, p *Profile, reports []*model.Report) {
	t.Helper()
	differ := func(a, b *model.Report) bool {
		if a == nil || b == nil {
			return (a != nil && len(a.Included) > 0) || (b != nil && len(b.Included) > 0)
		}
		return !slices.Equal(a.Codes, b.Codes) && !sameIn(a, b) || !slices.Equal(a.Sizes, b.Sizes)
	}
	var at []model.Tokens
	for b := 1; b < len(reports); b++ {
		if differ(reports[b-1], reports[b]) {
			at = append(at, model.Tokens(b))
		}
	}
	for b, k := model.Tokens(0), 0; ; k++ {
		c, ok := p.Next(b)
		if !ok {
			if k != len(at) {
				t.Fatalf("%d changes are found, there are %d: %v", k, len(at), at)
			}
			break
		}
		if k >= len(at) || c.At != at[k] {
			t.Fatalf("change %d at %d, changes are %v", k, c.At, at)
		}
		b = c.At
		if before, after := reports[b-1], reports[b]; before != nil && after != nil {
			for _, i := range c.Resized {
				if before.In(int(i)) != after.In(int(i)) || before.Size(int(i)) == after.Size(int(i)) {
					t.Fatalf("at %d item %d does not change its size", b, i)
				}
			}
		}
	}
	for b, k := p.Axis().End(), len(at)-1; ; k-- {
		c, ok := p.Prev(b)
		if !ok {
			if k >= 0 {
				t.Fatalf("going down, the change at %d is not found", at[k])
			}
			break
		}
		if k < 0 || c.At != at[k]-1 {
			t.Fatalf("going down, a change to %d, changes are %v", c.At, at)
		}
		b = c.At
	}
}

func sameIn(a, b *model.Report) bool {
	for i := range a.Codes {
		if a.In(i) != b.In(i) {
			return false
		}
	}
	return true
}

// checkSizesAtRisk holds the profile's items at risk to those of dry runs: they leave or
// shrink. What is gained comes in or grows.
func checkSizesAtRisk(t *testing.T, p *Profile, reports []*model.Report) {
	t.Helper()
	for _, slack := range []model.Tokens{1, 3, 9} {
		for b := slack; int(b) < len(reports); b += 5 {
			full, small := reports[b], reports[b-slack]
			if full == nil || small == nil || full.Budget.TargetTokens() < slack {
				continue
			}
			var want, more []int32
			for i := range full.Codes {
				if full.In(i) && (!small.In(i) || small.Taken(i) < full.Taken(i)) {
					want = append(want, int32(i))
				}
				if small.In(i) && (!full.In(i) || full.Taken(i) < small.Taken(i)) {
					more = append(more, int32(i))
				}
			}
			got, gained, err := p.AtRisk(full.Budget, slack)
			if !slices.Equal(gained, more) && len(gained)+len(more) > 0 {
				t.Fatalf("at %d with slack %d gained are %v, want %v", b, slack, gained, more)
			}
			if err != nil || !slices.Equal(got, want) && len(got)+len(want) > 0 {
				t.Fatalf("at %d with slack %d at risk are %v, want %v (%v)", b, slack, got, want, err)
			}
			run, gained := Lost(full, small)
			slices.Sort(run)
			if !slices.Equal(run, want) && len(run)+len(want) > 0 || !slices.Equal(gained, more) && len(gained)+len(more) > 0 {
				t.Fatalf("at %d with slack %d dry runs lose %v, want %v", b, slack, run, want)
			}
		}
	}
}

func TestSizesAreRefusedWhereOnlyWholeItemsAreTaken(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	set := sizedSet(t, rng)
	for !set.HasSizes() {
		set = sizedSet(t, rng)
	}
	for range 200 {
		policy := randomPolicy(rng)
		pipe, err := pipeline.New(policy)
		if err != nil {
			continue
		}
		_, err = pipe.Rank(context.Background(), set)
		refused, _ := errors.AsType[*model.PolicyError](err)
		if takes := len(policy.Quotas)+len(policy.CountQuotas) == 0 && policy.Slicer != model.Stream; takes != (refused == nil) {
			t.Fatalf("%s with %d and %d quotas: %v", policy.Slicer, len(policy.Quotas), len(policy.CountQuotas), err)
		}
	}
}

func TestComparisonOfSizesAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 71))
	sized := 0
	for range randomtest.Rounds(200, 3000) {
		set := sizedSet(t, rng)
		var reports [2]*model.Report
		for k := range reports {
			policy := randomtest.ByHints(rng)
			if policy.Slicer == model.Stream {
				policy.Slicer, policy.BatchSize = model.Prefix, 0
			}
			policy.KeepPairs, policy.Overflow = rng.IntN(2) == 0, model.Proceed
			budget := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 80, TargetTokens: model.Some[model.Tokens](40)}))(t)
			reports[k] = musttest.Of(rank(t, policy, set).DryRun(budget))(t)
		}
		a, b := reports[0], reports[1]
		c := Compare(a, b)
		sized += len(c.Sized)
		notes := func(r *model.Report) (sum model.Tokens) {
			for i := range r.Codes {
				if r.Noted(i) {
					sum += r.Taken(i)
				}
			}
			return sum
		}
		if len(c.Both)+len(c.Sized)+len(c.OnlyA) != len(a.Included) || len(c.Both)+len(c.Sized)+len(c.OnlyB) != len(b.Included) ||
			c.BothTokens+c.SizedTokensA+c.OnlyATokens != a.Kept-notes(a) || c.BothTokens+c.SizedTokensB+c.OnlyBTokens != b.Kept-notes(b) ||
			math.Abs(c.BothValueA+c.SizedValueA+c.OnlyAValue-a.Value) > 1e-9 || math.Abs(c.BothValueB+c.SizedValueB+c.OnlyBValue-b.Value) > 1e-9 {
			t.Fatalf("%+v of %d tokens worth %v and %d worth %v", c, a.Kept, a.Value, b.Kept, b.Value)
		}
	}
	if sized == 0 {
		t.Error("no item is in both in different sizes")
	}
}
