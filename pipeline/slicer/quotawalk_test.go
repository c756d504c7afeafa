package slicer

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// TestQuotaWalkAgainstEveryTarget walks kinds whose segments are so long that
// most targets are passed over, and compares every step.
func TestQuotaWalkAgainstEveryTarget(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	steps, back := 0, 0
	for round := range randomtest.Rounds(60, 600) {
		q := &quota{quotas: randomShares(r)}
		if r.IntN(3) == 0 {
			requireAll(q.quotas)
		}
		for _, kind := range []model.Kind{"Message", "Document", "Memory", "Other"}[:1+r.IntN(4)] {
			share := kindShare{quota: model.Quota{Kind: kind}, mass: r.Uint64N(randomtest.Pick[uint64](r, 4, 100, 1e6, 1<<50))}
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
			s.Profile = another{}
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
			d := q.divide(target)
			for i := range q.shares {
				x := d.share(&q.shares[i]).Target
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
	if back < randomtest.Rounds(60, 600) {
		t.Errorf("%d of %d steps lead back: the shares test nothing", back, steps)
	}
}

// requireAll raises the first quota until all of them require 100 %.
func requireAll(quotas []model.Quota) {
	if len(quotas) == 0 {
		return
	}
	rest := 100.0
	for _, q := range quotas[1:] {
		rest -= q.Require()
	}
	quotas[0].MinPercent, quotas[0].MaxPercent = model.Some(max(0, rest)), model.Option[float64]{}
}

// Where all is required nearly nothing is ever unassigned, and what would come
// of that alone is out at every target: a walk over all of them would not end.
func TestQuotasThatRequireAllReachFar(t *testing.T) {
	in := &Input{KindNames: []model.Kind{"Message", "Document", "Memory"}}
	for k, tokens := range []model.Tokens{10, 700, 30} {
		in.Items, in.Tokens = append(in.Items, int32(k)), append(in.Tokens, tokens)
		in.Scores, in.Kinds = append(in.Scores, 1), append(in.Kinds, uint32(k))
	}
	q := must(NewQuota(Greedy{}, atLeast("Message", 33.3), atLeast("Document", 66.7)))
	upTo := Target(model.MaxTokens)
	p := musttest.Of(q.Prepare(in).Profile(context.Background(), upTo))(t)
	if first, ok := p.FirstIn(0); !ok || first != 31 {
		t.Errorf("the message is first in at %d, %v, want 31", first, ok)
	}
	if first, ok := p.FirstIn(2); ok {
		t.Errorf("the memory is in at %d", first)
	}
}

// another is a profile with another selection at every target.
type another struct{ Profile }

func (another) At(t Target, _ Selection) Selection { return Selection{uint64(t)} }
