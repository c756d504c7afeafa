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
	p := musttest.Of(NewProfile(context.Background(), r, model.Budget{}, 0))(t)
	musttest.Is(t, slices.Collect(p.Points()), []Point{{Runs: true}}, "the points of an axis of one budget")
}
