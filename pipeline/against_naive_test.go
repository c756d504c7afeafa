package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// source draws the numbers that make up a random case: a seeded generator, or
// the bytes of a fuzz input.
type source interface{ IntN(n int) int }

func pick[T any](r source, from ...T) T { return from[r.IntN(len(from))] }

// randomSet makes up to 40 items with many ties, duplicates, pins, negative
// and zero counts, and some edits.
func randomSet(r source) (*model.Set, error) {
	n := r.IntN(41)
	items := make([]model.Item, n)
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range items {
		it := &items[i]
		it.Content = fmt.Sprint("content ", r.IntN(n+n/2))
		it.Tokens = model.Tokens(r.IntN(60))
		switch r.IntN(12) {
		case 0:
			it.Tokens = 0
		case 1:
			it.Tokens = -model.Tokens(r.IntN(5))
		case 2:
			it.Tokens = 1000
		}
		it.Kind = pick[model.Kind](r, "Message", "message", "Document", "ToolOutput", "Memory", "SystemPrompt", "Other", "")
		if r.IntN(3) > 0 {
			it.Timestamp = model.Some(start.Add(time.Duration(r.IntN(10)) * pick(r, time.Second, time.Nanosecond, 24000*time.Hour)))
		} else if r.IntN(8) == 0 {
			it.Timestamp = model.Some(pick(r, time.Time{}, time.Unix(math.MaxInt64, 999), time.Unix(math.MinInt64, 0), time.Unix(1<<40, 7)))
		}
		if r.IntN(2) == 0 {
			it.Priority = model.Some(pick[int64](r, 1, 2, 3, -5, math.MaxInt64, math.MinInt64, 0))
		}
		if r.IntN(3) > 0 {
			it.FutureRelevanceHint = model.Some(pick(r, 0, 0.5, 0.25, 1, -3, 7, math.NaN(), math.Inf(1), math.Inf(-1), float64(r.IntN(100))/99))
		}
		for range r.IntN(4) {
			it.Tags = append(it.Tags, pick(r, "go", "GO", "Go", "test", "ci", "x", "y", "z"))
		}
		it.Pinned = r.IntN(9) == 0
		if r.IntN(2) == 0 {
			it.Metadata = randomMetadata(r)
		}
	}
	s, err := model.NewSet(items)
	if err != nil || n == 0 || r.IntN(2) == 0 {
		return s, err
	}
	e := model.Edits{
		Pinned: map[int]bool{r.IntN(n): true, r.IntN(n): false}, Excluded: map[int]bool{r.IntN(n): true},
		Tokens: map[int]model.Tokens{r.IntN(n): model.Tokens(r.IntN(90))}, Hints: map[int]float64{r.IntN(n): 0.75},
	}
	return s.With(e)
}

func randomBudget(r source) (model.Budget, error) {
	f := model.BudgetFields{MaxTokens: model.Tokens(r.IntN(pick(r, 1500, 400, 120)))}
	if r.IntN(2) == 0 {
		f.TargetTokens = model.Some(model.Tokens(r.IntN(int(f.MaxTokens) + 1)))
	}
	if r.IntN(3) == 0 {
		f.OutputReserve = model.Tokens(r.IntN(int(f.MaxTokens)/2 + 1))
	}
	if r.IntN(4) == 0 {
		f.ReservedSlots = []model.Slot{{Kind: "Memory", Tokens: model.Tokens(r.IntN(50))}}
	}
	if r.IntN(3) == 0 {
		f.SafetyMargin = pick(r, 5.0, 12.5, 33, 100)
	}
	return model.NewBudget(f)
}

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
	switch {
	case want.pinnedErr != nil:
		var e *model.PinnedError
		if !errors.As(err, &e) || *e != *want.pinnedErr {
			return fmt.Errorf("error %v, want %v", err, want.pinnedErr)
		}
		return nil
	case want.overErr != nil:
		var e *model.OverflowError
		if !errors.As(err, &e) || *e != *want.overErr {
			return fmt.Errorf("error %v, want %v", err, want.overErr)
		}
		return nil
	case want.scarcity != nil:
		var e *model.ScarcityError
		if !errors.As(err, &e) || *e != *want.scarcity {
			return fmt.Errorf("error %v, want %v", err, want.scarcity)
		}
		return nil
	case err != nil:
		return err
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
	if counter, ok := rank.slicer().(slicer.Counter); ok && target > 0 {
		_, committed := counter.Committed()
		most = max(most, committed)
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
	r := rand.New(rand.NewPCG(21, 22))
	rounds := 6000
	if testing.Short() {
		rounds = 1500
	}
	for round := range rounds {
		if err := checkRandom(r); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
}

func checkRandom(r source) error {
	s, err := randomSet(r)
	if err != nil {
		return fmt.Errorf("set: %w", err)
	}
	p := randomPolicy(r)
	b, err := randomBudget(r)
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
	r := rand.New(rand.NewPCG(23, 24))
	for range 20 {
		seed := make([]byte, 1500)
		for i := range seed {
			seed[i] = byte(r.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if err := checkRandom(&bytesSource{input}); err != nil {
			t.Fatal(err)
		}
	})
}
