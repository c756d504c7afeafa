package turns

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// chattyLog is a conversation of up to 400 items, of which a window holds few: with
// duplicates, pins, exclusions, tags, priorities, hints, pairs, times that are seldom out of
// order, and in one of three items that are taken out.
func chattyLog(t *testing.T, rng *rand.Rand) transcript {
	n := 1 + rng.IntN(400)
	items, log := make([]model.Item, n), transcript{Facts: make([]fact, n)}
	repeats, largest, pinned, tagged, gone := 2+rng.IntN(3*n), 2+rng.IntN(200), rng.IntN(9), rng.IntN(3), rng.IntN(3)
	timed := rng.IntN(2) == 0 // each item has a time of its own
	var pairs []model.Pair
	for i := range items {
		at := int64(i - i%3)
		if timed {
			at = int64(i ^ 1)
		} else if rng.IntN(100) == 0 {
			at -= int64(rng.IntN(50))
		}
		item := model.Item{
			Content: fmt.Sprint(rng.IntN(repeats)), Tokens: model.Tokens(rng.IntN(largest)),
			Kind:   [...]model.Kind{model.Message, model.ToolOutput, "other"}[rng.IntN(3)],
			Pinned: pinned == 0 && rng.IntN(40) == 0, Timestamp: model.Some(time.Unix(at, 0)),
		}
		if !timed && (rng.IntN(20) == 0 || i < 3) {
			item.Timestamp = model.Option[time.Time]{}
		}
		if tagged == 0 {
			item.Tags, item.Priority = []string{[...]string{"go", "test"}[i%2]}, model.Some(int64(rng.IntN(4)))
		}
		if rng.IntN(3) == 0 {
			item.FutureRelevanceHint = model.Some(float64(rng.IntN(5)) / 4)
		}
		items[i] = item
		if i%2 == 1 {
			log.Facts[i].Answer = i/2 + 1
		}
		if gone == 0 && rng.IntN(60) == 0 {
			log.Facts[i].Gone = i + 1 + rng.IntN(n-i)
		}
		if i%4 == 3 {
			pairs = append(pairs, model.Pair{Call: i - 1, Result: i})
		}
	}
	excluded := map[int]bool{}
	for range rng.IntN(5) {
		excluded[rng.IntN(n)] = true
	}
	set := musttest.Of(model.NewSet(items))(t)
	log.Items = musttest.Of(set.With(model.Edits{Excluded: excluded}))(t).WithPairs(pairs...)
	return log
}

// Windows that are chosen from shortlists are those of ranking all items anew at each
// request, under any policy and with the same errors.
func TestShortlistsChangeNothing(t *testing.T) {
	musttest.Alone(t)
	ctx, shorter, failed := context.Background(), 0, 0
	for seed := range uint64(randomtest.Rounds(40, 300)) {
		rng := rand.New(rand.NewPCG(seed, 73))
		s := musttest.Of(newHistory(chattyLog(t, rng)))(t)
		policy := randomtest.Policy(randomtest.Seeded(seed, 72))
		if seed%3 > 0 { // those that take a shortlist oftener
			policy.Slicer, policy.Quotas, policy.CountQuotas, policy.Scarcity, policy.KeepPairs = [...]model.SlicerType{model.Greedy, model.Rank, model.Prefix, model.Knapsack, model.Stream}[rng.IntN(5)], nil, nil, "", false
			policy.BucketSize, policy.BatchSize = 0, 0
			switch policy.Slicer {
			case model.Knapsack:
				policy.BucketSize = model.Tokens(1 + rng.IntN(30))
			case model.Stream:
				policy.BatchSize = 1 + rng.IntN(30)
			}
			policy.Scorers = [...][]model.Scorer{
				{{Type: model.ScoreRecency, Weight: 3}, {Type: model.ScoreKind, Weight: 1}},
				{{Type: model.ScorePriority, Weight: 3}, {Type: model.ScoreReflexive, Weight: 1}, {Type: model.ScoreRecency, Weight: 1}},
				{{Type: model.ScoreRecency, Weight: 3}, {Type: model.ScoreFrequency, Weight: 1}, {Type: model.ScoreKind, Weight: 1}},
			}[rng.IntN(3)]
		}
		most := model.Tokens(rng.IntN(2000))
		b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: most, TargetTokens: model.Some(most * 3 / 4), OutputReserve: most / 8}))(t)
		plan := Plan{Strategy: Stateless, Policy: policy}
		got, err := Windows(ctx, s, plan, b, Options{})
		c := musttest.Of(newChooser(s, plan))(t)
		list := c.shortlist(b)
		for k := range s.requests {
			want, wantErr := c.chooseAt(ctx, k, b)
			if wantErr != nil && !fails(wantErr) {
				if err == nil {
					t.Fatalf("seed %d: no error, want %v", seed, wantErr)
				}
				break
			}
			if err != nil || fmt.Sprint(got[k].Items) != fmt.Sprint(want.Items) || got[k].Tokens != want.Tokens || !reflect.DeepEqual(errors.Unwrap(got[k].Err), errors.Unwrap(wantErr)) {
				t.Fatalf("seed %d: request %d of %d: %+v, %v, want %+v, %v under %+v", seed, k, len(s.requests), got[k], err, want, wantErr, policy)
			}
			if wantErr != nil {
				failed++
			}
			if list == nil {
				continue
			}
			if _, err := list.next(ctx, s.requests[k]); err == nil && len(list.places) < len(list.items)/2 {
				shorter++
			}
		}
	}
	if least := randomtest.Rounds(150, 300); shorter < least || failed < 100 {
		t.Errorf("%d windows of shortlists half as long as the conversation or less, %d that failed: too few to show anything", shorter, failed)
	}
}
