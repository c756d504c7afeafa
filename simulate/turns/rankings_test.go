package turns

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// Whatever was ranked before, under which policy and budget ever, the windows are
// those of a run that remembers nothing.
func TestRankingsChangeNothing(t *testing.T) {
	ctx, used := context.Background(), 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 23))
		log := randomLog(t, rng)
		s := musttest.Of(newSession(log))(t)
		known, policy := NewRankings(s), randomPolicy(rng)
		for range 6 {
			switch rng.IntN(3) {
			case 0:
				policy = randomPolicy(rng)
			case 1:
				policy.Slicer, policy.BucketSize, policy.Quotas, policy.CountQuotas = model.Knapsack, 10, nil, nil
			}
			plan, b := Plan{Strategy: Stateless, Policy: policy}, randomBudget(t, rng, log.Items.Total())
			want := musttest.Of(Windows(ctx, s, plan, b, Options{}))(t)
			got, err := Windows(ctx, s, plan, b, Options{Rankings: known})
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d: %v, %v, want %v", seed, got, err, want)
			}
			for _, r := range known.by {
				if r != nil {
					used++
				}
			}
		}
	}
	if used < 1000 {
		t.Errorf("%d rankings remembered: too few to prove anything", used)
	}
}

func TestRankingsAreBounded(t *testing.T) {
	chat, _ := model.Preset("chat")
	chat.Overflow = model.Truncate
	recency := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1})
	chat.KeepPairs, recency.KeepPairs = true, true // so that they take no shortlist
	s := longSession(t, 6000)
	known := NewRankings(s)
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 20_000}))(t)
	for _, policy := range []model.Policy{chat, recency} {
		if _, err := Windows(context.Background(), s, Plan{Strategy: Stateless, Policy: policy}, b, Options{First: 400, Rankings: known}); err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, r := range known.by {
			if r != nil {
				sum += r.Bytes()
			}
		}
		if sum != known.bytes || sum > rankingsBytes || sum < rankingsBytes/2 || known.by[400] == nil {
			t.Errorf("%d bytes are remembered, counted as %d; at most %d", sum, known.bytes, rankingsBytes)
		}
	}
	other := musttest.Of(newSession(sessionLog{Items: s.Items(), Facts: s.log.Facts}))(t)
	if _, err := Windows(context.Background(), other, Plan{Strategy: Stateless, Policy: chat}, b, Options{Rankings: known}); err != nil || !reflect.DeepEqual(known.session, s) {
		t.Error("the rankings of another session are used:", err)
	}
}
