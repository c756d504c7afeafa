package slicer

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// A slicer without a profile has the one that Slice at every target gives, also
// within the slicers that divide the target.
func TestProfilesAreTabulated(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	for range 200 {
		in := mixedInput(r, 1+r.IntN(12), 30, false)
		for _, s := range []Slicer{
			mute{Greedy{}}, mute{Knapsack{Bucket: 2}}, last{},
			must(NewQuota(mute{Greedy{}}, randomShares(r)...)),
			must(NewCountQuota(mute{Rank{}}, model.Degrade, randomNumbers(r)...)),
		} {
			p := s.Prepare(in)
			upTo := Target(r.IntN(150))
			profile := musttest.Of(ProfileOf(context.Background(), in, p, upTo))(t)
			checkProfile(t, in, p, profile, upTo)
		}
	}
}

func TestTabulationIsBounded(t *testing.T) {
	in := inputOf(kinded{"a", 5, 1})
	p := mute{Greedy{}}.Prepare(in)
	if _, err := ProfileOf(context.Background(), in, p, MaxTabulated); err != nil {
		t.Error(err)
	}
	_, err := ProfileOf(context.Background(), in, p, MaxTabulated+1)
	if !errors.Is(err, ErrNoProfile) || !strings.Contains(err.Error(), "131,072") || !strings.Contains(err.Error(), "131,073") {
		t.Errorf("beyond the bound: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ProfileOf(ctx, in, p, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	failing := Knapsack{Bucket: 1, Limit: 8}.Prepare(inputOf(kinded{"a", 50, 1}))
	_, err = ProfileOf(context.Background(), in, mutePrepared{failing}, 100)
	if _, ok := errors.AsType[*model.TableError](err); !ok {
		t.Errorf("an error of Slice: %v", err)
	}
}
