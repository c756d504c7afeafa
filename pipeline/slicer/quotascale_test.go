package slicer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
)

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
	curve := profile.Curve()
	if len(curve.Targets) != changes+1 || int(curve.Counts[changes]) != n {
		t.Errorf("%d changes end with %d of %d items", changes, curve.Counts[changes], n)
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
	if _, err := p.Profile(polltest.After(t.Context(), needed-2), 1<<20); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while it walks: %v", err)
	}
}
