package slicer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
)

// kinded is a candidate of a test, in sorted order.
type kinded struct {
	kind   model.Kind
	tokens model.Tokens
	score  float64
}

func inputOf(rows ...kinded) *Input {
	in := &Input{}
	for i, r := range rows {
		id := slices.IndexFunc(in.KindNames, r.kind.Is)
		if id < 0 {
			id = len(in.KindNames)
			in.KindNames = append(in.KindNames, r.kind)
		}
		in.Items = append(in.Items, int32(i))
		in.Tokens = append(in.Tokens, r.tokens)
		in.Scores = append(in.Scores, r.score)
		in.Kinds = append(in.Kinds, uint32(id))
	}
	return in
}

func selected(t *testing.T, s Slicer, in *Input, target Target) []int {
	t.Helper()
	sel := musttest.Of(s.Prepare(in).Slice(context.Background(), target, nil))(t)
	var all []int
	for i := range in.Len() {
		if sel.Has(i) {
			all = append(all, i)
		}
	}
	return all
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // a test's own mistake
	}
	return v
}

func atLeast(k model.Kind, percent float64) model.Quota {
	return model.Quota{Kind: k, MinPercent: model.Some(percent)}
}

func atMost(k model.Kind, percent float64) model.Quota {
	return model.Quota{Kind: k, MaxPercent: model.Some(percent)}
}

// TestRulingPercentagesAreDividedFirst: 29 percent of 100 is 28 so, and 29 the
// other way round.
func TestRulingPercentagesAreDividedFirst(t *testing.T) {
	for _, c := range []struct {
		percent   float64
		t, tokens Target
	}{
		{29, 100, 28}, {57, 100, 56}, {58, 100, 57}, {30, 100, 30}, {100, 100, 100}, {0, 100, 0}, {33.3333, 3, 0}, {50, 1, 0},
		{100, math.MaxInt64, math.MaxInt64}, {100, 1<<40 + 1, 1<<40 + 1}, {math.Nextafter(100, 0), 1 << 40, 1<<40 - 1},
	} {
		musttest.Is(t, percentOf(c.percent, c.t), c.tokens, c.percent, "% of", c.t)
	}
}

// TestRulingSharesAreExactTo128Bits: masses and targets whose product is far
// beyond an int64, against arithmetic without bounds.
func TestRulingSharesAreExactTo128Bits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		large := func() model.Tokens { return model.Tokens(rng.Int64N(int64(model.MaxTokens)) + 1) }
		in := inputOf(kinded{"a", large(), 3}, kinded{"b", large(), 2}, kinded{"a", large(), 1})
		q := must(NewQuota(Greedy{}, atLeast("A", 10)))
		target := Target(large())
		shares := q.Prepare(in).Shares(target)
		got := []Target{shares[0].Target, shares[1].Target}
		require := big.NewInt(int64(percentOf(10, target)))
		unassigned := new(big.Int).Sub(big.NewInt(int64(target)), require)
		a := big.NewInt(int64(in.Tokens[0] + in.Tokens[2]))
		all := new(big.Int).Add(a, big.NewInt(int64(in.Tokens[1])))
		part := func(mass *big.Int) int64 {
			n := new(big.Int).Mul(unassigned, mass)
			return n.Quo(n, all).Int64()
		}
		want := []Target{Target(require.Int64() + part(a)), Target(part(big.NewInt(int64(in.Tokens[1]))))}
		if !slices.Equal(got, want) {
			t.Fatalf("tokens %v, target %d: shares %v, want %v", in.Tokens, target, got, want)
		}
		if got[0]+got[1] > target {
			t.Fatalf("shares %v exceed the target %d", got, target)
		}
	}
}

func TestRulingKindsInOrderOfFirstAppearance(t *testing.T) {
	in := inputOf(kinded{"b", 1, 9}, kinded{"a", 1, 8}, kinded{"B", 2, 7}, kinded{"c", 1, 6})
	p := must(NewQuota(Greedy{})).Prepare(in).(*quota)
	var kinds []model.Kind
	for _, s := range p.shares {
		kinds = append(kinds, s.quota.Kind)
	}
	musttest.Is(t, kinds, []model.Kind{"b", "a", "c"}, "kinds")
	// Kinds of a set that has seen others first: numbers are not the order.
	in.KindNames = []model.Kind{"c", "a", "b"}
	in.Kinds = []uint32{2, 1, 2, 0}
	musttest.Is(t, must(NewQuota(Greedy{})).Prepare(in).(*quota).Order(), []int32{0, 2, 1, 3}, "order of output")
}

func TestQuotaNeedsNoNames(t *testing.T) {
	in := inputOf(kinded{"a", 10, 2}, kinded{"b", 10, 1})
	in.KindNames = nil
	musttest.Is(t, selected(t, must(NewQuota(Greedy{}, atMost("a", 0))), in, 20), []int{0, 1}, "selected", "an unnamed kind has no quota")
	musttest.Is(t, selected(t, must(NewCountQuota(Greedy{}, "", model.CountQuota{Kind: "a"})), in, 20), []int{0, 1}, "selected", "an unnamed kind has no count quota")
}

func TestZeroValuesFillByDensity(t *testing.T) {
	in := inputOf(kinded{"a", 10, 2}, kinded{"a", 1, 1})
	for _, s := range []Slicer{Quota{}, CountQuota{}, Stream{}} {
		if got := s.Prepare(in); got == nil {
			t.Errorf("%T", s)
		}
		if got, err := s.Prepare(in).Slice(context.Background(), 1000, nil); err != nil || got.Count() != 2 {
			t.Errorf("%T selects %v, %v", s, got, err)
		}
	}
}

func TestConstructionOfWrappingSlicers(t *testing.T) {
	stream := must(NewStream(4))
	for name, make := range map[string]func() error{
		"quota over nothing":               func() error { _, err := NewQuota(nil); return err },
		"quota over stream":                func() error { _, err := NewQuota(stream); return err },
		"quota over a pointer to stream":   func() error { _, err := NewQuota(&stream); return err },
		"quota beyond 100":                 func() error { _, err := NewQuota(Greedy{}, atLeast("a", 101)); return err },
		"count over nothing":               func() error { _, err := NewCountQuota(nil, ""); return err },
		"count over stream":                func() error { _, err := NewCountQuota(stream, ""); return err },
		"count over knapsack":              func() error { _, err := NewCountQuota(Knapsack{}, ""); return err },
		"count over a pointer to knapsack": func() error { _, err := NewCountQuota(&Knapsack{}, ""); return err },
		"count with unknown scarcity":      func() error { _, err := NewCountQuota(Greedy{}, "panic"); return err },
		"count with a negative requirement": func() error {
			_, err := NewCountQuota(Greedy{}, "", model.CountQuota{Kind: "a", Require: -1})
			return err
		},
		"knapsack with unknown scarcity": func() error { _, err := NewCountConstrainedKnapsack(Knapsack{}, "panic"); return err },
		"stream of nothing":              func() error { _, err := NewStream(0); return err },
		"stream of less":                 func() error { _, err := NewStream(-1); return err },
	} {
		if make() == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

func TestShiftsOfWrappingSlicers(t *testing.T) {
	q := must(NewQuota(Greedy{}))
	c := must(NewCountQuota(q, ""))
	for _, x := range []struct {
		s    Slicer
		want Shifts
	}{
		{q, Shifts{Percentages: true}},
		{must(NewCountQuota(Greedy{}, "")), Shifts{Counts: true}},
		{c, Shifts{Percentages: true, Counts: true}},
		{must(NewQuota(must(NewCountQuota(Greedy{}, "")))), Shifts{Percentages: true, Counts: true}},
		{must(NewCountConstrainedKnapsack(Knapsack{}, "")), Shifts{Counts: true}},
		{must(NewStream(1)), Shifts{}},
	} {
		musttest.Is(t, x.s.Traits().Shifts, x.want, x.s)
	}
}

// TestQuotaTableErrorNamesTheKind: and stays one that a caller can act on.
func TestQuotaTableErrorNamesTheKind(t *testing.T) {
	in := inputOf(kinded{"big", 1 << 39, 2}, kinded{"big", 1 << 39, 1})
	_, err := must(NewQuota(Knapsack{Bucket: 1, Limit: 1})).Prepare(in).Slice(context.Background(), 1<<40-1, nil)
	var e *model.TableError
	if !errors.As(err, &e) {
		t.Fatalf("error %v", err)
	}
}

func TestRulingCapTiesOfTheCountConstrainedKnapsack(t *testing.T) {
	// Equal scores: without tokens first, then the later ones first.
	in := inputOf(kinded{"a", 1, 1}, kinded{"a", 0, 1}, kinded{"a", 1, 1}, kinded{"a", 0, 1}, kinded{"a", 1, 1}, kinded{"b", 1, 1}, kinded{"a", 1, 0.5})
	for limit, want := range [][]int{{5}, {1, 5}, {1, 3, 5}, {1, 3, 4, 5}, {1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5, 6}} {
		s := must(NewCountConstrainedKnapsack(Knapsack{Bucket: 1}, "", model.CountQuota{Kind: "A", Cap: limit}))
		musttest.Is(t, selected(t, s, in, 100), want, "cap", limit)
	}
}

func TestRulingCommittedWhateverItCosts(t *testing.T) {
	in := inputOf(kinded{"a", 500, 3}, kinded{"b", 1, 2}, kinded{"a", 2, 1}, kinded{"c", 0, 0})
	s := must(NewCountQuota(Greedy{}, "", model.CountQuota{Kind: "a", Require: 1, Cap: 1}))
	for _, c := range []struct {
		t    Target
		want []int
	}{{0, nil}, {1, []int{0}}, {500, []int{0}}, {501, []int{0, 1, 3}}, {1000, []int{0, 1, 3}}} {
		musttest.Is(t, selected(t, s, in, c.t), c.want, "target", c.t)
	}
	if c := s.Prepare(in).Counts(); !slices.Equal(c.Committed, []int32{0}) || c.Tokens != 500 {
		t.Errorf("committed %v, %v", c.Committed, c.Tokens)
	}
}

// aKindEach is n candidates of n kinds, each with a quota of its own that
// requires half of what its share would be.
func aKindEach(n int) (*Input, Quota) {
	in := &Input{}
	var quotas []model.Quota
	for i := range n {
		kind := model.Kind(fmt.Sprintf("kind %d", i))
		in.Items, in.Kinds = append(in.Items, int32(i)), append(in.Kinds, uint32(i))
		in.Tokens = append(in.Tokens, model.Tokens(100+i%7))
		in.Scores = append(in.Scores, 1-float64(i)/float64(n))
		in.KindNames = append(in.KindNames, kind)
		quotas = append(quotas, atLeast(kind, 50/float64(n)))
	}
	return in, must(NewQuota(Greedy{}, quotas...))
}

// TestQuotasOverManyKinds profiles as many kinds and quotas as a walk that looks
// at all of them at every target would take hours for.
func TestQuotasOverManyKinds(t *testing.T) {
	const n = 20_000
	in, q := aKindEach(n)
	p := q.Prepare(in)
	const upTo = 150 * n
	profile := profileOf(t, p, upTo)
	changes := 0
	for target, ok := profile.Next(0); ok; target, ok = profile.Next(target) {
		if changes++; changes%400 != 0 {
			continue
		}
		before, at := must(p.Slice(context.Background(), target-1, nil)), must(p.Slice(context.Background(), target, nil))
		if slices.Equal(before, at) || !slices.Equal(profile.At(target, nil), at) || !slices.Equal(profile.At(target-1, nil), before) {
			t.Fatalf("the change at %d is none of Slice's", target)
		}
	}
	series := profile.Series()
	if len(series.Targets) != changes+1 || int(series.Counts[changes]) != n {
		t.Errorf("%d changes end with %d of %d items", changes, series.Counts[changes], n)
	}
	if steps := len(collect(t, p, upTo)); steps != 3*n { // the share of each kind, its candidates, the one that there is
		t.Errorf("%d steps for %d kinds, want 3 each", steps, n)
	}
}

func TestQuotasOverManyKindsAreCancelled(t *testing.T) {
	in, q := aKindEach(3000)
	p := q.Prepare(in)
	polls := polltest.After(t.Context(), 1<<30)
	musttest.Of(p.Profile(polls, 1<<20))(t)
	needed := polls.Polls()
	if needed < 3000+20 {
		t.Fatalf("polled %d times, hardly more than once for each kind", needed)
	}
	musttest.Is(t, musttest.Refusal(p.Profile(polltest.After(t.Context(), needed-2), 1<<20)), context.Canceled, "cancelled while it walks")
}
