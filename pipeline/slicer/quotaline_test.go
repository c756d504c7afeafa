package slicer

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
)

// TestQuotaWalkAgainstEveryTarget walks kinds whose segments are so long that
// most targets are passed over, and compares every step.
func TestQuotaWalkAgainstEveryTarget(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	steps, back := 0, 0
	for round := range rounds(600) {
		q := &quota{quotas: randomShares(r)}
		for _, kind := range []model.Kind{"Message", "Document", "Memory", "Other"}[:1+r.IntN(4)] {
			share := kindShare{quota: model.Quota{Kind: kind}, mass: r.Uint64N(pickOf[uint64](r, 4, 100, 1e6, 1<<50))}
			for _, quota := range q.quotas {
				if quota.Kind.Is(kind) {
					share.quota = quota
				}
			}
			q.shares = append(q.shares, share)
		}
		w := newQuotaWalk(q)
		upTo := Target(r.IntN(20_000))
		for i := range w.shares {
			s := &w.shares[i]
			s.distinct = true
			for at := Target(1 + r.IntN(40)); at <= upTo; at += Target(1 + r.IntN(60)) {
				s.changes = append(s.changes, at)
			}
		}
		largest := w.largest(upTo)
		changes, reached, err := w.run(context.Background(), upTo, MaxRecords)
		if err != nil || reached != upTo {
			t.Fatalf("reached %d of %d, %v", reached, upTo, err)
		}
		at := make([]int, len(q.shares)) // the step in hand
		var changed []Target
		for target := Target(1); target <= upTo; target++ {
			moved := false
			for i, x := range q.targets(nil, target) {
				s := &w.shares[i]
				if k := at[i] + 1; k < len(s.steps) && s.steps[k].at == target {
					steps++
					if s.steps[k].segment < s.steps[at[i]].segment {
						back++
					}
					at[i] = k
					moved = true
				}
				if got, want := int(s.steps[at[i]].segment), s.segments.at(x); got != want {
					t.Fatalf("round %d: share %d is in segment %d at %d, not %d; quotas %+v", round, i, got, target, want, q.quotas)
				}
				if x > largest[i] {
					t.Fatalf("round %d: share %d has %d at %d, more than %d", round, i, x, target, largest[i])
				}
			}
			if moved {
				changed = append(changed, target)
			}
		}
		if !slices.Equal(changes, changed) {
			t.Fatalf("round %d: changes %v, want %v", round, changes, changed)
		}
	}
	t.Logf("%d steps, %d of them back", steps, back)
	if back < rounds(600) {
		t.Errorf("%d of %d steps lead back: the shares test nothing", back, steps)
	}
}
