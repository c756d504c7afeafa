package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline/slicer"
)

// checkAgainstNaive holds a dry run to the naive pipeline and to what must be
// true of every report.
func checkAgainstNaive(s *model.Set, p model.Policy, b model.Budget) error {
	pipe, err := New(p)
	if err != nil {
		return err
	}
	rank, err := pipe.Rank(context.Background(), s)
	if err != nil {
		return err
	}
	want := naiveRun(s, p, b)
	got, err := rank.DryRun(b)
	if err := checkSteps(rank, b, got, err); err != nil {
		return err
	}
	if err != nil || want.failed != nil {
		if err == nil || want.failed == nil || !sameFailure(err, want.failed) {
			return fmt.Errorf("error %v, want %v", err, want.failed)
		}
		return nil
	}
	if !slices.Equal(got.Shortfalls, want.shortfalls) {
		return fmt.Errorf("shortfalls %+v, want %+v", got.Shortfalls, want.shortfalls)
	}
	if len(got.Included) != len(want.included) || len(got.Excluded) != len(want.excluded) {
		return fmt.Errorf("%d included, %d excluded, want %d, %d", len(got.Included), len(got.Excluded), len(want.included), len(want.excluded))
	}
	for k, m := range want.included {
		if i := int(got.Included[k]); i != m.item || !sameScore(got.Scores[i], m.score) || got.Codes[i] != want.reasons[k] {
			return fmt.Errorf("included %d: item %d, %v, %v, want %v, %v", k, i, got.Scores[i], got.Codes[i], m, want.reasons[k])
		}
	}
	for k, e := range want.excluded {
		if i := int(got.Excluded[k]); i != e.item || !sameScore(got.Scores[i], e.score) || got.Reason(i) != e.reason {
			return fmt.Errorf("excluded %d: item %d, %v, %+v, want %+v", k, i, got.Scores[i], got.Reason(i), e)
		}
	}
	names := []model.Stage{model.Classify, model.Score, model.Deduplicate, model.Slice, model.Place}
	for k, e := range got.Stages {
		if e != (model.StageEvent{Stage: names[k], In: want.in[k], Out: want.out[k]}) {
			return fmt.Errorf("stage %d: %+v, want %d in, %d out", k, e, want.in[k], want.out[k])
		}
	}
	if !reflect.DeepEqual(got.Overflow, want.overflow) {
		return fmt.Errorf("overflow %+v, want %+v", got.Overflow, want.overflow)
	}
	if got.Kept != want.kept {
		return fmt.Errorf("%d tokens kept, want %d", got.Kept, want.kept)
	}
	return checkInvariants(rank, b, got)
}

func sameScore(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// checkInvariants: every item exactly once, sums that agree, a selection
// within its target, and the same report from a profile.
func checkInvariants(rank *Ranking, b model.Budget, got *model.Report) error {
	seen := make([]int, got.Items.Len())
	var kept model.Tokens
	for _, i := range got.Included {
		seen[i]++
		kept += got.Items.Tokens(int(i))
		if !got.In(int(i)) {
			return fmt.Errorf("item %d is included with code %v", i, got.Codes[i])
		}
	}
	for _, i := range got.Excluded {
		seen[i]++
		if got.In(int(i)) {
			return fmt.Errorf("item %d is excluded with code %v", i, got.Codes[i])
		}
	}
	if slices.ContainsFunc(seen, func(n int) bool { return n != 1 }) {
		return fmt.Errorf("items are listed %v times", seen)
	}
	if kept != got.Kept {
		return fmt.Errorf("included items have %d tokens, the report says %d", kept, got.Kept)
	}
	if got.Considered != got.Items.Total() {
		return fmt.Errorf("considered %d, want %d", got.Considered, got.Items.Total())
	}
	target := rank.target(b)
	most := model.Tokens(target)
	if counts := rank.slicer().Counts(); counts != nil && target > 0 {
		most = max(most, counts.Tokens)
	}
	if got.SlicedTokens > most {
		return fmt.Errorf("%d tokens sliced for a target of %d", got.SlicedTokens, target)
	}
	profile, err := rank.Profile(context.Background(), min(target+3, slicer.Target(model.MaxTokens)))
	if _, scarce := errors.AsType[*model.ScarcityError](err); scarce && target <= 0 {
		return nil // nothing is sliced at target 0, so nothing is scarce there
	}
	if err != nil {
		return err
	}
	again, err := rank.Place(b, profile.At(target, nil))
	if err != nil {
		return err
	}
	// Two runs, one of them from the profile: the same report.
	if !slices.Equal(got.Included, again.Included) || !slices.Equal(got.Excluded, again.Excluded) || !slices.Equal(got.Codes, again.Codes) ||
		got.Kept != again.Kept || !sameScore(got.Value, again.Value) {
		return fmt.Errorf("from the profile: %v, from the slicer: %v", again.Included, got.Included)
	}
	return nil
}

func TestDryRunIsTheNaivePipeline(t *testing.T) {
	r := randomtest.Seeded(21, 22)
	for round := range randomtest.Rounds(1500, 6000) {
		if err := checkRandom(r); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
}

func checkRandom(r *randomtest.Cases) error {
	s, err := randomtest.Set(r)
	if err != nil {
		return fmt.Errorf("set: %w", err)
	}
	p := randomtest.Policy(r)
	if !p.KeepPairs { // then pairs change nothing
		s = s.WithPairs(randomtest.Pairs(r.Of("pairs"), s.Len())...)
	}
	b, err := randomtest.Budget(r)
	if err != nil {
		return fmt.Errorf("budget: %w", err)
	}
	if err := checkAgainstNaive(s, p, b); err != nil {
		return fmt.Errorf("%w\npolicy %+v\nbudget %+v", err, p, b.Fields())
	}
	return nil
}

// bytesSource draws from a fuzz input; once that is used up, zeros.
type bytesSource struct{ rest []byte }

func (b *bytesSource) IntN(n int) int {
	v := 0
	for size := n - 1; size > 0 && len(b.rest) > 0; size >>= 8 {
		v = v<<8 | int(b.rest[0])
		b.rest = b.rest[1:]
	}
	return v % n
}

func FuzzPipeline(f *testing.F) {
	r := randomtest.Seeded(23, 24)
	for range 20 {
		seed := make([]byte, 1500)
		for i := range seed {
			seed[i] = byte(r.IntN(256))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		musttest.Do(t, checkRandom(randomtest.From(&bytesSource{input})))
	})
}
