package quality

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
)

// alone makes each difference a group of its own.
func alone(by ...float64) []difference {
	all := make([]difference, len(by))
	for i, d := range by {
		all[i] = difference{fmt.Sprint(i), d}
	}
	return all
}

func compare(t *testing.T, all []difference) Comparison {
	t.Helper()
	return musttest.Of(drawnFlips.compare(t.Context(), all, 1))(t)
}

// TestMaize is Darwin's maize as Fisher tests it: crossed less self-fertilised
// plants in eighths of an inch, 15 pairs.
func TestMaize(t *testing.T) {
	c := compare(t, alone(49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48))
	musttest.Is(t, c.P*(1<<15), 1726, "p")
	if c.Win != 13 || c.Loss != 2 || c.Tie != 0 || c.Groups != 15 || math.Abs(c.Mean-314.0/15) > 1e-12 {
		t.Errorf("got %+v", c)
	}
	if c.P < Level || !(c.Low <= 0 && c.High > 0) {
		t.Errorf("p %v is above %v, but the interval is %v to %v", c.P, Level, c.Low, c.High)
	}
}

func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{.01, .04, .03, .005}, []float64{.03, .06, .06, .02}},
		{[]float64{.5}, []float64{.5}},
		{[]float64{.9, .8}, []float64{1, 1}},
		{nil, nil},
	} {
		got := holm(c.p)
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("holm(%v) = %v, want %v", c.p, got, c.want)
			}
		}
	}
}

func TestLeastP(t *testing.T) {
	for n, want := range map[int]float64{1: 1, 5: .0625, 8: .0078125, 20: math.Ldexp(2, -20)} {
		by := make([]float64, n)
		for i := range by {
			by[i] = 1 + float64(i)
		}
		c := compare(t, alone(by...))
		musttest.Is(t, c.MinP, want, n, "groups that all win: p")
		musttest.Is(t, c.P, want, n, "groups that all win: p")
		musttest.Is(t, math.IsInf(c.Low, -1), want > Level, n, "groups: the interval begins at", c.Low)
	}
	if c := compare(t, nil); c.P != 1 || c.Groups != 0 {
		t.Errorf("no differences: %+v", c)
	}
	musttest.Says(t, musttest.Refusal(drawnFlips.compare(t.Context(), alone(math.NaN()), 1)), "difference 0 is NaN, must be finite")
}

// plainP is the test by its definition, for the hypothesis that the mean
// difference is d.
func plainP(all []difference, d float64) float64 {
	var names []string
	sums := map[string]float64{}
	for _, x := range all {
		if _, ok := sums[x.Group]; !ok {
			names = append(names, x.Group)
		}
		sums[x.Group] += x.By - d
	}
	observed, count := 0.0, 0
	for _, name := range names {
		observed += sums[name]
	}
	for mask := range 1 << len(names) {
		s := 0.0
		for i, name := range names {
			if mask>>i&1 != 0 {
				s -= sums[name]
			} else {
				s += sums[name]
			}
		}
		if math.Abs(s) >= math.Abs(observed)-1e-9 {
			count++
		}
	}
	return float64(count) / float64(int(1)<<len(names))
}

func TestFlipsAgainstTheirDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	bounded := 0
	for range 300 {
		groups := 1 + rng.IntN(9)
		var all []difference
		for range 1 + rng.IntN(30) {
			all = append(all, difference{fmt.Sprint(rng.IntN(groups)), float64(rng.IntN(21)-8) / 8})
		}
		c := compare(t, all)
		if want := plainP(all, 0); c.P != want {
			t.Fatalf("p %v, want %v: %v", c.P, want, all)
		}
		if math.IsInf(c.Low, 0) {
			continue
		}
		bounded++
		width := c.High - c.Low
		if width < 0 || c.Mean < c.Low || c.Mean > c.High {
			t.Fatalf("mean %v outside %v to %v", c.Mean, c.Low, c.High)
		}
		for _, inside := range []float64{c.Low + 1e-3, c.High - 1e-3, c.Mean} {
			if width > 2e-3 && plainP(all, inside) <= Level {
				t.Fatalf("%v lies in %v to %v and is rejected: %v", inside, c.Low, c.High, all)
			}
		}
		for _, outside := range []float64{c.Low - 1e-3, c.High + 1e-3} {
			if plainP(all, outside) > Level {
				t.Fatalf("%v lies outside %v to %v and is not rejected: %v", outside, c.Low, c.High, all)
			}
		}
	}
	if bounded < 50 {
		t.Errorf("only %d intervals have ends", bounded)
	}
}

func TestCompareIsCancelled(t *testing.T) {
	by := make([]float64, 2*exactGroups)
	by[0] = 1
	musttest.Is(t, musttest.Refusal(drawnFlips.compare(polltest.After(t.Context(), 100), alone(by...), 1)), context.Canceled, "after", draws, "flips")
}

func TestManyGroupsAreDrawn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	by := make([]float64, 60)
	for i := range by {
		by[i] = rng.NormFloat64() + 0.2
	}
	a, b := compare(t, alone(by...)), compare(t, alone(by...))
	musttest.Is(t, a, b, "two runs with one seed differ")
	// The normal distribution is close with so many groups.
	squares := 0.0
	for _, d := range by {
		squares += d * d
	}
	z := a.Mean * 60 / math.Sqrt(squares)
	if want := math.Erfc(math.Abs(z) / math.Sqrt2); math.Abs(a.P-want) > 0.02 {
		t.Errorf("p %v, the normal distribution says %v", a.P, want)
	}
	musttest.Is(t, a.MinP, 1/float64(1+draws), "the least p")
	other, err := drawnFlips.compare(t.Context(), alone(by...), 2)
	if err != nil || other.P == a.P && slices.Equal([]float64{other.Low, other.High}, []float64{a.Low, a.High}) {
		t.Errorf("another seed draws the same flips: %+v, %v", other, err)
	}
}
