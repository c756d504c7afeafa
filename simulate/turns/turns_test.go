package turns

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
)

// randomLog is a small conversation with everything that a log can have.
func randomLog(t *testing.T, rng *rand.Rand) transcript {
	t.Helper()
	n := rng.IntN(22)
	items := make([]model.Item, n)
	log := transcript{Facts: make([]fact, n)}
	answers := 0
	var open []int
	var pairs []model.Pair
	for i := range items {
		items[i] = model.Item{
			Content:   fmt.Sprintf("text %d", rng.IntN(n+2)),
			Tokens:    model.Tokens(rng.IntN(9)),
			Kind:      [...]model.Kind{model.Message, model.ToolOutput, model.SystemPrompt}[rng.IntN(3)],
			Timestamp: model.Some(time.Unix(int64(i+rng.IntN(3)), 0)),
			Pinned:    rng.IntN(8) == 0,
			Metadata:  map[string]any{"tool": [...]string{"read", "bash"}[i%2]},
		}
		log.Facts[i].Continues = i%5 == 3
		if rng.IntN(15) == 0 {
			items[i].Tokens = -1
		}
		if rng.IntN(15) == 0 {
			items[i].Timestamp = model.Option[time.Time]{}
		}
		fact := &log.Facts[i]
		switch {
		case rng.IntN(3) == 0:
			answers++
			fact.Answer = answers
		case answers > 0 && rng.IntN(4) == 0:
			fact.Answer = 1 + rng.IntN(answers)
		}
		if rng.IntN(5) == 0 {
			fact.Gone = i + 1 + rng.IntN(n-i)
		}
		if i > 0 && rng.IntN(6) == 0 {
			fact.Copy = 1 + rng.IntN(i)
			if rng.IntN(2) == 0 {
				items[i].Content, items[i].Tokens = items[fact.Copy-1].Content, items[fact.Copy-1].Tokens
			}
		}
		if len(open) > 0 && rng.IntN(3) == 0 {
			pairs = append(pairs, model.Pair{Call: open[0], Result: i})
			open = open[1:]
		} else if rng.IntN(3) == 0 {
			open = append(open, i)
		}
	}
	s := musttest.Of(model.NewSet(items))(t)
	excluded := map[int]bool{}
	for i := range n {
		excluded[i] = rng.IntN(10) == 0
	}
	log.Items = musttest.Of(s.With(model.Edits{Excluded: excluded}))(t)
	log.Items = log.Items.WithPairs(pairs...)
	return log
}

// sized gives the items of a log sizes: the same to those with the same text and tokens.
func sized(t *testing.T, rng *rand.Rand, log transcript) transcript {
	t.Helper()
	own := map[int][]model.Size{}
	for i := range log.Items.Len() {
		text, tokens := log.Items.Loaded(i).Content, log.Items.Tokens(i)
		if last := text[len(text)-1]; tokens > 3 && last%3 > 0 {
			own[i] = append(own[i], model.Size{Tokens: tokens - 2})
			if last%2 == 0 {
				own[i] = append(own[i], model.Size{Tokens: tokens / 2})
			}
			if last%4 < 2 {
				own[i] = append(own[i], model.Size{Tokens: 1, Note: true})
			}
		}
	}
	edits := log.Items.Edits()
	edits.Shrink.Pinned = rng.IntN(2) == 0
	log.Items = musttest.Of(musttest.Of(log.Items.WithSizes(own))(t).With(edits))(t)
	return log
}

func randomPolicy(rng *rand.Rand) model.Policy {
	decay := model.Scorer{
		Type: model.ScoreDecay, Weight: 1, ReferenceTime: model.Some(time.Unix(0, 0)),
		Curve: &model.DecayCurve{Type: model.Exponential, HalfLifeSeconds: 3},
	}
	recency := model.Scorer{Type: model.ScoreRecency, Weight: 2}
	kind := model.Scorer{Type: model.ScoreKind, Weight: 1}
	p := model.NewPolicy([...][]model.Scorer{
		{recency, kind}, {kind}, {decay, recency}, {{Type: model.ScoreScaled, Weight: 1, Inner: &decay}, kind},
	}[rng.IntN(4)]...)
	if rng.IntN(3) == 0 {
		p.Slicer, p.BucketSize = model.Knapsack, model.Tokens(1+rng.IntN(3))
	}
	p.Placer = model.PlacerTypes()[rng.IntN(2)]
	p.Overflow = model.OverflowStrategies()[rng.IntN(3)]
	p.Deduplicate = rng.IntN(2) == 0
	return p
}

func randomBudget(t *testing.T, rng *rand.Rand, total model.Tokens) model.Budget {
	t.Helper()
	most := model.Tokens(rng.IntN(int(max(0, total)) + 10))
	f := model.BudgetFields{MaxTokens: most, TargetTokens: model.Some(max(0, most-model.Tokens(rng.IntN(4))))}
	if rng.IntN(2) == 0 {
		randomtest.Reserve(randomtest.Seeded(rng.Uint64(), 1), &f, min(most, 2))
	}
	return musttest.Of(model.NewBudget(f))(t)
}

// brute computes the same without any of the package: every window from a set
// of its own, every prefix by comparing all windows. What a window holds is an item i in a
// size, i + 1000 * size.
type brute struct {
	t      *testing.T
	log    transcript
	plan   Plan
	budget model.Budget

	kept   []int
	seen   int
	oldest int
}

// available lists what a request before item end may use.
func (p *brute) available(end int) []int {
	var items []int
	for i := range end {
		f := p.log.Facts[i]
		if !p.log.Items.Excluded(i) && p.log.Items.Tokens(i) >= 0 && (f.Gone == 0 || end < f.Gone) {
			items = append(items, i)
		}
	}
	return items
}

func (p *brute) requests() []int {
	var ends []int
	for number := 1; ; number++ {
		first := slices.IndexFunc(p.log.Facts, func(f fact) bool { return f.Answer == number })
		if first < 0 {
			break
		}
		if len(p.available(first)) > 0 {
			ends = append(ends, first)
		}
	}
	if end := p.log.Items.Len(); len(p.available(end)) > 0 {
		ends = append(ends, end)
	}
	return ends
}

func (p *brute) sum(parts []int) (all, pinned model.Tokens) {
	for _, part := range parts {
		all += p.tokens(part)
		if p.log.Items.Pinned(part % 1000) {
			pinned += p.tokens(part)
		}
	}
	return all, pinned
}

func (p *brute) tokens(part int) model.Tokens {
	return p.log.Items.SizeTokens(part%1000, part/1000)
}

func (p *brute) isNote(part int) bool {
	return part >= 1000 && p.log.Items.Sizes(part % 1000)[part/1000-1].Note
}

// choose runs Cupel on a set of just these items.
func (p *brute) choose(items []int, end int, b model.Budget) ([]int, error) {
	var newest model.Option[time.Time]
	for i := range end {
		if at := p.log.Items.Loaded(i).Timestamp; at.Set && (!newest.Set || newest.Value.Before(at.Value)) {
			newest = at
		}
	}
	policy := p.plan.Policy.Clone()
	for i := range policy.Scorers {
		for s := &policy.Scorers[i]; s != nil; s = s.Inner {
			if s.Type == model.ScoreDecay && newest.Set {
				s.ReferenceTime = newest
			}
		}
	}
	list, own := make([]model.Item, len(items)), map[int][]model.Size{}
	for k, i := range items {
		list[k] = p.log.Items.Item(i)
		if sizes := p.log.Items.Sizes(i); sizes != nil {
			own[k] = sizes
		}
	}
	set, err := musttest.Of(musttest.Of(model.NewSet(list))(p.t).WithSizes(own))(p.t).With(model.Edits{Shrink: p.log.Items.Edits().Shrink})
	if err != nil {
		p.t.Fatal(err)
	}
	pipe, err := pipeline.New(policy)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := pipe.Rank(context.Background(), set)
	if err != nil {
		p.t.Fatal(err)
	}
	report, err := r.DryRun(b)
	if err != nil {
		return nil, err
	}
	var placed []int
	for _, k := range report.Placed() {
		placed = append(placed, items[k]+1000*report.Size(int(k)))
	}
	return placed, nil
}

func (p *brute) window(end int) ([]int, error) {
	all := p.available(end)
	switch p.plan.Strategy {
	case All:
		return all, nil
	case Stateless:
		return p.choose(all, end, p.budget)
	}
	var candidates []int
	if p.plan.Strategy == Watermark {
		for _, part := range p.kept {
			if slices.Contains(all, part%1000) {
				candidates = append(candidates, part)
			}
		}
		for _, i := range all {
			switch {
			case i < p.seen:
			case p.log.Items.Pinned(i):
				candidates = append(candidates, i+1000*p.log.Items.PinnedSize(i))
			default:
				candidates = append(candidates, i)
			}
		}
	} else {
		for _, i := range all {
			if i >= p.oldest || p.log.Items.Pinned(i) {
				candidates = append(candidates, i)
			}
		}
	}
	sum, pinned := p.sum(candidates)
	if p.budget.CheckPinned(pinned) != nil {
		return nil, errors.New("pinned items do not fit")
	}
	if p.plan.Strategy == Watermark && p.plan.Policy.Overflow == model.Throw && pinned > p.budget.TargetTokens() {
		return nil, errors.New("overflow")
	}
	room := p.budget.Effective(pinned).Target
	low := room
	if p.plan.Low > 0 {
		low = model.Tokens(float64(room) * (p.plan.Low / 100))
	}
	chosen := candidates
	if sum > p.budget.TargetTokens() || sum-pinned > room {
		if p.plan.Strategy == Watermark {
			b, err := model.NewBudget(model.BudgetFields{MaxTokens: pinned + low})
			if err != nil {
				p.t.Fatal(err)
			}
			var items []int
			for _, part := range candidates {
				if !p.isNote(part) {
					items = append(items, part%1000)
				}
			}
			slices.Sort(items)
			if chosen, err = p.choose(items, end, b); err != nil {
				return nil, err
			}
		} else {
			chosen = nil
			full, oldest := false, end
			for _, i := range slices.Backward(candidates) {
				tokens := p.log.Items.Tokens(i)
				switch {
				case p.log.Items.Pinned(i):
					chosen = append(chosen, i)
				case full || tokens > low:
					full = true
				default:
					low -= tokens
					oldest = i
					chosen = append(chosen, i)
				}
			}
			slices.Sort(chosen)
			if p.plan.Low > 0 {
				p.oldest = oldest
			}
		}
	}
	p.kept, p.seen = chosen, end
	return chosen, nil
}

// same reports whether two items are one item with one content in one size.
func (p *brute) same(a, b int) bool {
	if a == b {
		return true
	}
	if a/1000 != b/1000 {
		return false
	}
	a, b = a%1000, b%1000
	if a < b {
		a, b = b, a
	}
	back := p.log.Facts[a].Copy - 1
	return back >= 0 && p.log.Items.Loaded(a).Content == p.log.Items.Loaded(back).Content &&
		p.log.Items.Tokens(a) == p.log.Items.Tokens(back) && p.same(back, b)
}

func (p *brute) shared(a, b []int) (items int, tokens model.Tokens) {
	for items < len(a) && items < len(b) && p.same(a[items], b[items]) {
		tokens += p.tokens(a[items])
		items++
	}
	return items, tokens
}

// parts returns what a window holds as brute says it.
func (p *brute) parts(w Window) []int {
	all := make([]int, len(w.sequence()))
	for k, part := range w.sequence() {
		all[k] = int(part&(1<<sizeShift-1)) + 1000*sizeOf(part)
		if part < 0 {
			all[k] = int(^part) + 1000*len(p.log.Items.Sizes(int(^part)))
		}
	}
	return all
}

// items returns the items that are in.
func (p *brute) items(parts []int) (items []int32) {
	for _, part := range parts {
		if !p.isNote(part) {
			items = append(items, int32(part%1000))
		}
	}
	return items
}

func TestCoursesEqualAPlainComputation(t *testing.T) {
	musttest.Alone(t)
	ctx := context.Background()
	cache := Cache{Read: .1, Write: 1.25, Minimum: 7, Step: 3}
	failed, broken, causes := 0, 0, map[Cause]int{}
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 16))
		log := randomLog(t, rng)
		budget := randomBudget(t, rng, log.Items.Total())
		policy := randomPolicy(rng)
		if seed%3 == 0 {
			log = sized(t, rng, log)
		}
		s := musttest.Of(newHistory(log))(t)
		grades, labels := map[int]int{}, rand.New(rand.NewPCG(seed, 29))
		for i := range log.Items.Len() {
			if labels.IntN(4) == 0 {
				grades[i] = labels.IntN(3)
			}
		}
		s = s.Needing(grades)
		low := float64(1 + rng.IntN(100))
		for _, plan := range []Plan{
			{Strategy: Stateless, Policy: policy},
			{Strategy: Watermark, Policy: policy, Low: low},
			{Strategy: Sliding},
			{Strategy: Sliding, Low: low},
			{Strategy: All},
		} {
			courses, _, err := Run(ctx, s, []Plan{plan}, budget, Billing{Cache: cache}, Options{})
			musttest.Do(t, err)
			fail := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("seed %d, %s, low %v: %s", seed, plan.Strategy, plan.Low, fmt.Sprintf(format, args...))
			}
			course := courses[1]
			p := &brute{t: t, log: log, plan: plan, budget: budget}
			everything := &brute{t: t, log: log, plan: Plan{Strategy: All}}
			ends := p.requests()
			if len(ends) != len(s.Requests()) {
				fail("%d requests, want %d", len(s.Requests()), len(ends))
			}
			var sent, sentAll [][]int
			counted, failures := 0, 0
			var cost, against, surviving, recall float64
			judged := 0
			price := func(tokens, shared model.Tokens) float64 {
				whole := func(n model.Tokens) model.Tokens {
					k := model.Tokens(0)
					for m := cache.Minimum; m <= n; m += cache.Step {
						k = m
					}
					return k
				}
				read := whole(shared)
				return float64(read)*.1 + float64(whole(tokens)-read)*1.25 + float64(tokens-whole(tokens))
			}
			longest := func(sent [][]int, w []int) (most model.Tokens) {
				for _, earlier := range sent {
					_, tokens := p.shared(earlier, w)
					most = max(most, tokens)
				}
				return most
			}
			for k, end := range ends {
				all, _ := everything.window(end)
				sum, _ := p.sum(all)
				costOfAll := price(sum, longest(sentAll, all))
				sentAll = append(sentAll, all)
				want, err := p.window(end)
				got := course.Windows[k]
				if (err != nil) != (got.Err != nil) {
					fail("request %d: error %v, want %v", k, got.Err, err)
				}
				now := end == log.Items.Len() // in no total
				if err != nil {
					if !now {
						failed++
						failures++
					}
					continue
				}
				tokens, _ := p.sum(want)
				if !slices.Equal(p.parts(got), want) || !slices.Equal(got.Items, p.items(want)) || got.Tokens != tokens || s.Requests()[k].Before != end {
					fail("request %d before %d: %v with %d tokens, want %v with %d", k, end, got.Items, got.Tokens, want, tokens)
				}
				change := course.Changes[k]
				if shared := longest(sent, want); change.Shared != shared {
					fail("request %d: shares %d tokens, want %d", k, change.Shared, shared)
				}
				if len(sent) > 0 {
					before := sent[len(sent)-1]
					same, survived := p.shared(before, want)
					only := func(a, b []int) []int32 {
						some := slices.DeleteFunc(p.items(a), func(i int32) bool {
							return slices.ContainsFunc(p.items(b), func(j int32) bool { return p.same(int(i), int(j)) })
						})
						slices.Sort(some)
						return some
					}
					if in, out := s.Exchange(course.Windows, k); !slices.Equal(in, only(want, before)) || !slices.Equal(out, only(before, want)) {
						fail("request %d: %v came in and %v left, want %v and %v", k, in, out, only(want, before), only(before, want))
					}
					total, _ := p.sum(before)
					if change.Survived != survived || change.Before != total || change.First {
						fail("request %d: %d of %d survive, want %d of %d", k, change.Survived, change.Before, survived, total)
					}
					switch {
					case now:
					case total == 0:
						surviving++
					default:
						surviving += float64(survived) / float64(total)
					}
					if (change.Cause == NoBreak) != (same == len(before)) {
						fail("request %d: cause %q, %d of %d items survive", k, change.Cause, same, len(before))
					}
					if change.Cause != NoBreak {
						broken++
						causes[change.Cause]++
					}
				}
				if !now {
					cost += price(tokens, longest(sent, want))
					against += costOfAll
					counted++
					has, needed := 0, 0
					for i, grade := range grades {
						if slices.Contains(p.available(end), i) {
							needed += grade
							if slices.ContainsFunc(p.items(want), func(j int32) bool { return log.Items.Loaded(int(j)).Content == log.Items.Loaded(i).Content }) {
								has += grade
							}
						}
					}
					if needed > 0 {
						recall += float64(has) / float64(needed)
						judged++
					}
				}
				sent = append(sent, want)
			}
			got := course.Totals
			if share, known := got.Recall(); known != (judged > 0) || known && math.Abs(share-recall/float64(judged)) > 1e-9 {
				fail("recall %v, %v, want %v of %d", share, known, recall, judged)
			}
			mean, follows := got.SurvivingPrefix()
			if got.Requests != counted || got.Failed != failures || math.Abs(got.Cost-cost) > 1e-6 ||
				math.Abs(got.Against-against) > 1e-6 || follows && math.Abs(mean-surviving/float64(counted-1)) > 1e-9 {
				fail("totals %+v, want cost %v against %v, surviving %v, %d requests", got, cost, against, surviving, counted)
			}
		}
	}
	if failed < 100 || broken < 1000 {
		t.Errorf("%d failed requests and %d breaks: too few to prove anything", failed, broken)
	}
	for _, cause := range []Cause{Left, CameIn, Moved, Changed, Cleared, Shrank, Grew} {
		if causes[cause] < 10 {
			t.Errorf("%d breaks because an item %s: too few to prove anything", causes[cause], cause)
		}
	}
}

// With pairs kept, a call is in a window with its result or not at all, once
// both have come and neither is gone.
func TestPairsStayWhole(t *testing.T) {
	seen := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 17))
		log := randomLog(t, rng)
		s := musttest.Of(newHistory(log))(t)
		policy := randomPolicy(rng)
		policy.KeepPairs = true
		for _, plan := range []Plan{
			{Strategy: Stateless, Policy: policy},
			{Strategy: Watermark, Policy: policy, Low: 50},
		} {
			windows := musttest.Of(Windows(context.Background(), s, plan, randomBudget(t, rng, log.Items.Total()), Options{}))(t)
			dropped := map[int32]bool{} // by the watermark, for good
			for k, w := range windows {
				out := s.gone(s.Requests()[k])
				for i := range len(out) {
					pair, ok := log.Items.PairOf(i)
					if !ok || i != pair.Call || pair.Result >= len(out) || out[pair.Call] || out[pair.Result] ||
						!s.takesPart(pair.Call) || !s.takesPart(pair.Result) || w.Err != nil {
						continue
					}
					call, result := slices.Contains(w.Items, int32(pair.Call)), slices.Contains(w.Items, int32(pair.Result))
					if call != result && !dropped[int32(pair.Call)] {
						t.Fatalf("seed %d, %s, request %d: pair %v is split in %v", seed, plan.Strategy, k, pair, w.Items)
					}
					if call && result {
						seen++
					}
				}
				if plan.Strategy == Watermark && w.Err == nil {
					for i := range len(out) {
						dropped[int32(i)] = !slices.Contains(w.Items, int32(i))
					}
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d whole pairs were seen", seen)
	}
}
