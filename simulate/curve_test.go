package simulate

import (
	"context"
	"math"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// point is what the report at b amounts to.
func (s scenario) point(b int) Point {
	target, _ := s.axis.Target(model.Tokens(b))
	a := Point{Budget: model.Tokens(b), Target: target}
	if r := s.reports[b]; r != nil {
		a.Runs, a.Items, a.Tokens, a.Sliced = true, len(r.Included), r.Kept, r.Kept-r.PinnedTokens
		a.Value = r.Value
	}
	return a
}

// agree compares two points; values as sums of few small numbers.
func agree(a, b Point) bool {
	near := a.Value == b.Value || math.Abs(a.Value-b.Value) < 1e-12*max(1, math.Abs(a.Value)) || a.Value != a.Value && b.Value != b.Value
	a.Value, b.Value = 0, 0
	return near && a == b
}

// checkPoints holds the points of a profile to the reports at every budget.
func checkPoints(t *testing.T, s scenario, p *Profile) {
	t.Helper()
	var want []Point
	for b := range s.reports {
		at := s.point(b)
		got := p.PointAt(model.Tokens(b))
		if !agree(got, at) {
			t.Errorf("PointAt(%d) = %+v, want %+v", b, got, at)
		}
		if r := s.reports[b]; r != nil && got.Filled() != r.Filled() {
			t.Errorf("%v of the room is filled at %d, the report says %v", got.Filled(), b, r.Filled())
		}
		if b == 0 || !s.same(b-1, b) || (s.reports[b-1] == nil) != (s.reports[b] == nil) {
			want = append(want, at)
		}
	}
	if got := slices.Collect(p.Points()); !slices.EqualFunc(got, want, agree) {
		t.Errorf("Points are %+v, want %+v", got, want)
	}
	for k := range min(3, len(want)) { // one that is broken off
		n := 0
		for range p.Points() {
			if n++; n > k {
				break
			}
		}
		musttest.Is(t, n, k+1, "points after a break at")
	}
	for _, share := range []float64{0.517, 0.95} {
		checkEnough(t, s, p, share)
	}
}

func checkEnough(t *testing.T, s scenario, p *Profile, share float64) {
	t.Helper()
	end := len(s.reports) - 1
	for upTo := -1; upTo <= end+1; upTo++ {
		at := min(max(upTo, 0), end)
		all := s.point(at).Value
		if math.IsInf(all, 0) || all >= 1e300 { // a share of that is any number
			return
		}
		if got := p.PointAt(model.Tokens(upTo)).Value; got != all && math.Abs(got-all) < 1e-9 { // sums in another order: whether there is any may differ
			continue
		}
		var first, stays model.Tokens = -1, -1
		for b := range at + 1 {
			a := s.point(b)
			// A value that is the share to the last places may count or not.
			if enough := a.Value / all; math.Abs(enough-share) < 1e-9 {
				return
			} else if !a.Runs || !(enough >= share) {
				stays = -1
				continue
			}
			if stays < 0 {
				stays = a.Budget
			}
			if first < 0 {
				first = stays
			}
		}
		gotFirst, gotStays, ok := p.Enough(share, model.Tokens(upTo))
		if all > 0 != ok || ok && (gotFirst != first || gotStays != stays) {
			t.Errorf("Enough(%v, %d) = %v, %v, %v, want %v, %v", share, upTo, gotFirst, gotStays, ok, first, stays)
		}
	}
}

func TestPointOfNoRoom(t *testing.T) {
	musttest.Is(t, (Point{Sliced: 3}).Filled(), 0, "no room is filled to")
	if a := (Point{Target: 4, Sliced: 3}); a.Filled() != 0.75 || a.Room() != 4 {
		t.Errorf("3 of 4 tokens are %v of %v", a.Filled(), a.Room())
	}
	inf := Point{Value: math.Inf(1)}
	if one := (Point{Value: 1}); !one.Less(inf) || inf.Less(one) || inf.Less(inf) || !one.Less(Point{Value: 1 + 1e-8}) || one.Less(Point{Value: 1 + 1e-10}) {
		t.Error("Less is not < but for rounding")
	}
	r := rank(t, model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}), twoItems(t))
	p := musttest.Of(NewProfile(context.Background(), r, mustAxis(t, model.Budget{}, r, 0)))(t)
	musttest.Is(t, slices.Collect(p.Points()), []Point{{Runs: true}}, "the points of an axis of one budget")
	for _, share := range []float64{-0.1, 0.5, 1.1, math.NaN()} {
		if _, _, ok := p.Enough(share, 0); ok {
			t.Errorf("there is enough for a share of %v of nothing", share)
		}
	}
}
