package turns

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
)

func newSet(t *testing.T, items ...model.Item) *model.Set {
	t.Helper()
	return musttest.Of(model.NewSet(items))(t)
}

// numbered is a set of n items of 10 tokens each, all different.
func numbered(t *testing.T, n int) *model.Set {
	t.Helper()
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{Content: string(rune('a' + i)), Tokens: 10}
	}
	return newSet(t, items...)
}

func TestCompareNamesTheCause(t *testing.T) {
	facts := make([]fact, 8)
	facts[6].Copy = 1 + 2 // another version of item 2
	items := make([]model.Item, 8)
	for i := range items {
		items[i] = model.Item{Content: string(rune('a' + i)), Tokens: 10}
	}
	facts[7].Copy = 1 + 3 // item 3 again, word for word
	items[7].Content = items[3].Content
	sizes := map[int][]model.Size{3: {{Tokens: 6}, {Tokens: 4}, {Tokens: 1, Note: true}}}
	sizes[7] = sizes[3]
	s := musttest.Of(newHistory(transcript{Items: musttest.Of(newSet(t, items...).WithSizes(sizes))(t), Facts: facts}))(t)
	for _, c := range []struct {
		name        string
		before, now []int32
		survived    model.Tokens
		cause       Cause
		item        int32
	}{
		{"what is added at the end breaks nothing", []int32{0, 1}, []int32{0, 1, 2}, 20, NoBreak, -1},
		{"the oldest item left", []int32{0, 1, 2}, []int32{0, 2, 3}, 10, Left, 1},
		{"the last item left, and nothing came", []int32{0, 1}, []int32{0}, 10, Left, 1},
		{"one left and one came in at the same place: what left is named", []int32{0, 1, 2}, []int32{0, 3, 2}, 10, Left, 1},
		{"an older item came in between", []int32{0, 2}, []int32{0, 1, 2}, 10, CameIn, 1},
		{"the same items in another order", []int32{0, 1, 2}, []int32{1, 0, 2}, 0, Moved, 1},
		{"a compaction shortened an item", []int32{0, 2, 3}, []int32{0, 6, 3}, 10, Changed, 6},
		{"a compaction wrote an item again as it was", []int32{0, 3, 4}, []int32{0, 7, 4}, 30, NoBreak, -1},
		{"an item is in a smaller size", []int32{0, 3, 4}, []int32{0, inSize(7, 1), 4}, 10, Shrank, 7},
		{"an item is in a larger size", []int32{0, inSize(3, 2), 4}, []int32{0, inSize(3, 1), 4}, 10, Grew, 3},
		{"an item is in the same size", []int32{0, inSize(3, 2), 4}, []int32{0, inSize(7, 2), 4}, 24, NoBreak, -1},
		{"an item is out, with its note", []int32{0, inSize(3, 2), 4}, []int32{0, ^3, 4}, 10, Cleared, 3},
		{"an item is in where its note was", []int32{0, ^3, 4}, []int32{0, inSize(3, 2), 4}, 10, Grew, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			changes := musttest.Of(s.Compare(t.Context(), []Window{{Items: c.before, Tokens: s.tokens(c.before)}, {Err: errors.New("fails")}, {Items: c.now, Tokens: s.tokens(c.now)}}))(t)
			got := changes[2]
			if got.Survived != c.survived || got.Cause != c.cause || got.Item != c.item {
				t.Errorf("%d tokens survive, item %d %s; want %d, item %d %s", got.Survived, got.Item, got.Cause, c.survived, c.item, c.cause)
			}
		})
	}
}

func TestCacheBill(t *testing.T) {
	preset := func(name string) Cache {
		c, ok := FindCache(name)
		if !ok {
			t.Fatalf("no cache %s", name)
		}
		return c
	}
	for _, c := range []struct {
		name           string
		cache          Cache
		tokens, shared model.Tokens
		want           Bill
	}{
		{"read and written", preset("anthropic-5m"), 5000, 3000, Bill{3000, 2000, 0, 300 + 2500}},
		{"an hour costs twice to write", preset("anthropic-1h"), 5000, 3000, Bill{3000, 2000, 0, 300 + 4000}},
		{"below the minimum nothing is cached", preset("anthropic-5m"), 1023, 1000, Bill{0, 0, 1023, 1023}},
		{"a shared prefix below the minimum was not cached", preset("anthropic-5m"), 2000, 1000, Bill{0, 2000, 0, 2500}},
		{"in steps of 128", preset("openai"), 1300, 1200, Bill{1152, 128, 20, 115.2 + 128 + 20}},
		{"without a cache", preset("none"), 5000, 5000, Bill{0, 0, 5000, 5000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.cache.split(c.tokens, c.shared)
			if math.Abs(got.Cost-c.want.Cost) > 1e-9 || got.Read != c.want.Read || got.Written != c.want.Written || got.Plain != c.want.Plain {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	for _, c := range []Cache{{Read: -1, Step: 1}, {Write: math.NaN(), Step: 1}, {Step: 0}, {Step: 1, Minimum: -1}} {
		if c.Validate() == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

func TestFromItemsCutsRequests(t *testing.T) {
	item := func(role, id string, kind model.Kind) model.Item {
		it := model.Item{Content: "x", Tokens: 1, Kind: kind, Metadata: map[string]any{}}
		if role != "" {
			it.Metadata["role"] = role
		}
		if id != "" {
			it.Metadata["messageId"] = id
		}
		return it
	}
	user, said := item("user", "", model.Message), item("assistant", "", model.Message)
	result, call := item("user", "", model.ToolOutput), func(id string) model.Item { return item("assistant", id, model.Message) }
	observed := item("assistant", "", model.ToolOutput)
	for _, c := range []struct {
		name  string
		items []model.Item
		want  []int
	}{
		{"a request before each run of the assistant, and now", []model.Item{user, said, said, result, said}, []int{1, 4, 5}},
		{"ids tell answers apart that follow each other", []model.Item{user, call("a"), call("a"), call("b")}, []int{1, 3, 4}},
		{"results between the calls of one answer do not", []model.Item{user, call("a"), result, call("a"), result, call("b")}, []int{1, 5, 6}},
		{"an answer that nothing came before is no request", []model.Item{said, user, said}, []int{2, 3}},
		{"an observation is not the model's, whatever its role", []model.Item{user, said, observed, said}, []int{1, 3, 4}},
		{"without an answer there is only now", []model.Item{user}, []int{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := musttest.Of(FromItems(newSet(t, c.items...), nil))(t)
			var got []int
			for _, r := range s.Requests() {
				got = append(got, r.Before)
			}
			musttest.Is(t, got, c.want, "requests before items")
		})
	}
	if _, err := FromItems(numbered(t, 3), nil); !errors.Is(err, ErrNoTurns) {
		t.Errorf("documents: %v", err)
	}
}

func TestNewSessionRefusesFactsOutOfBounds(t *testing.T) {
	for _, facts := range [][]fact{
		{{}, {}}, {{}, {}, {Answer: 2}}, {{}, {Gone: 1}, {}}, {{}, {}, {Gone: 4}}, {{Copy: 1}, {}, {}}, {{}, {Answer: -1}, {}},
	} {
		if _, err := newHistory(transcript{Items: numbered(t, 3), Facts: facts}); err == nil {
			t.Errorf("%+v are taken", facts)
		}
	}
}

func TestForecast(t *testing.T) {
	log := transcript{Items: numbered(t, 4), Facts: []fact{{}, {Answer: 1}, {}, {Answer: 2}}}
	log.Recorded = []model.Option[itemset.Prompt]{model.Some(itemset.Prompt{Plain: 50}), model.Some(itemset.Prompt{Plain: 40, CacheRead: 60})}
	s := musttest.Of(newHistory(log))(t)
	cache := Cache{Read: .1, Write: 1.25, Step: 1}
	courses, _, err := Run(context.Background(), s, nil, model.Budget{}, Billing{Cache: cache}, Options{})
	musttest.Do(t, err)
	// The log holds 10 and 30 tokens of prompts of 50 and 100: 40 and 70 are missing, 55 by
	// their median. The prompts are then of 65 and 85 tokens, and the second reads 55 + 10.
	want := Forecast{
		Requests: 2, Predicted: 65. / 150, Recorded: 60. / 150,
		PredictedCost: 1.25*65 + .1*65 + 1.25*20, RecordedCost: 50 + 40 + .1*60, PredictedTokens: 150, RecordedTokens: 150,
	}
	f, ok := s.Forecast(courses[0], cache)
	if !ok || f != want {
		t.Errorf("%+v, want %+v", f, want)
	}
	if by, ok := f.CostError(); !ok || math.Abs(by-(112.75/96-1)) > 1e-12 {
		t.Errorf("the cost is off by %v", by)
	}
	part := s.FixedPart(courses[0].Windows)
	musttest.Is(t, part, (Fixed{Tokens: 55, From: FixedRecord}), "the fixed part")
	if median, worst := Errors([]Forecast{{Predicted: .5, Recorded: .4}, {Predicted: .2, Recorded: .5}, {Predicted: 1, Recorded: 1}}); math.Abs(median-.1) > 1e-9 || math.Abs(worst-.3) > 1e-9 {
		t.Errorf("median %v, worst %v", median, worst)
	}
}

func TestSweepFindsTheLeastCost(t *testing.T) {
	items := make([]model.Item, 60)
	for i := range items {
		items[i] = model.Item{Content: string(rune('a' + i)), Tokens: 10, Metadata: map[string]any{"role": [...]string{"user", "assistant"}[i%2]}}
	}
	s := musttest.Of(FromItems(newSet(t, items...), nil))(t)
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 200}))(t)
	ctx, cache := context.Background(), Cache{Read: .1, Write: 1.25, Step: 1}
	courses, _, err := Run(ctx, s, nil, b, Billing{Cache: cache}, Options{})
	musttest.Do(t, err)
	lows := SweepLows()
	totals := musttest.Of(Sweep(ctx, s, Lows(Plan{Strategy: Sliding}, lows), b, Billing{Cache: cache}, courses[0], Options{}))(t)
	least := Least(totals)
	best, _ := totals[least].CostRatio()
	for k, low := range lows {
		alone, _, err := Run(ctx, s, []Plan{{Strategy: Sliding, Low: low}}, b, Billing{Cache: cache}, Options{})
		musttest.Do(t, err)
		musttest.Is(t, alone[1].Totals, totals[k], "low", low, "alone")
		if ratio, _ := totals[k].CostRatio(); ratio < best {
			t.Errorf("low %v costs %v, less than %v at %v", low, ratio, best, lows[least])
		}
	}
}

func TestWindowsStopsWithItsContext(t *testing.T) {
	log := transcript{Items: numbered(t, 4), Facts: []fact{{}, {Answer: 1}, {}, {Answer: 2}}}
	s := musttest.Of(newHistory(log))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1})
	for _, p := range []Plan{{Strategy: Stateless, Policy: policy}, {Strategy: Watermark, Policy: policy, Low: 50}, {Strategy: All}} {
		if _, err := Windows(ctx, s, p, model.Budget{}, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", p.Strategy, err)
		}
	}
}

func TestEachWindowIsHeardOnce(t *testing.T) {
	log := transcript{Items: numbered(t, 9), Facts: []fact{{}, {Answer: 1}, {}, {Answer: 2}, {}, {Answer: 3}, {}, {}, {}}}
	s := musttest.Of(newHistory(log))(t)
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1})
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 30}))(t)
	for _, p := range []Plan{{Strategy: Stateless, Policy: policy}, {Strategy: Watermark, Policy: policy, Low: 50}, {Strategy: Sliding}} {
		var mu sync.Mutex
		heard := map[int][]int32{}
		windows, err := Windows(context.Background(), s, p, b, Options{Each: func(request int, w Window) {
			mu.Lock()
			defer mu.Unlock()
			if _, twice := heard[request]; twice {
				t.Errorf("%s: request %d twice", p.Strategy, request)
			}
			heard[request] = w.Items
		}})
		if err != nil || len(heard) != len(windows) {
			t.Fatalf("%s: %v, %d of %d heard", p.Strategy, err, len(heard), len(windows))
		}
		for k, w := range windows {
			musttest.Is(t, heard[k], w.Items, p.Strategy, "request", k, "heard")
		}
	}
}

// What a session of many requests holds is bounded. Windows that grow share their
// items, so that they hold a few times the items of the last.
func TestWindowsAreBounded(t *testing.T) {
	musttest.Alone(t)
	const n = 2000
	log := transcript{Items: numbered(t, n), Facts: make([]fact, n)}
	for i := range log.Facts {
		log.Facts[i].Answer = i
	}
	s := musttest.Of(newHistory(log))(t)
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 1 << 30}))(t)
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1})
	mixed := policy.Clone()
	mixed.Placer = model.UShaped // what came last is in the middle
	half := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: s.Left() / 2}))(t)
	for _, c := range []struct {
		plan  Plan
		b     model.Budget
		large bool
	}{
		{Plan{Strategy: All}, b, false}, {Plan{Strategy: Watermark, Policy: policy, Low: 50}, b, false},
		{Plan{Strategy: Sliding}, b, false}, {Plan{Strategy: Sliding}, half, false}, {Plan{Strategy: Stateless, Policy: mixed}, b, true},
	} {
		var chosen atomic.Int32
		_, err := Windows(context.Background(), s, c.plan, c.b, Options{MaxItems: 20 * n, Each: func(int, Window) { chosen.Add(1) }})
		if _, large := errors.AsType[*SizeError](err); large != c.large || !large && err != nil {
			t.Errorf("%s: %v", c.plan.Strategy, err)
		}
		if c.large && c.plan.Strategy == Stateless && chosen.Load() > 0 {
			t.Errorf("%s: refused after %d windows", c.plan.Strategy, chosen.Load())
		}
	}
	for _, p := range []Plan{{Strategy: All}, {Strategy: Stateless, Policy: policy}} {
		windows := musttest.Of(Windows(context.Background(), s, p, b, Options{}))(t)
		held := 0
		for k, w := range windows {
			if k == 0 || !begins(w.sequence(), windows[k-1].sequence()) {
				held += len(w.Items)
			}
		}
		if held > 6*n {
			t.Errorf("%s: %d numbers for windows of up to %d items", p.Strategy, held, n)
		}
	}
	courses, _, err := Run(context.Background(), s, []Plan{{Strategy: Sliding}}, b, Billing{Cache: Caches()[0]}, Options{Keeps: func(p Plan) bool { return p.Strategy == Sliding }})
	if err != nil || courses[0].Windows[n-1].Items != nil || courses[1].Windows[n-1].Items == nil {
		t.Errorf("Run keeps the items of a plan that it was not told to keep, or not of one that it was (%v)", err)
	}
}

// What came in and left is found anew for every frame: a window of 100,000 items costs a byte an item.
func TestExchangeTakesAByteAnItem(t *testing.T) {
	const n = 100_000
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{Content: "x", Tokens: 1}
	}
	s := musttest.Of(newHistory(transcript{Items: newSet(t, items...), Facts: make([]fact, n)}))(t)
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	windows := []Window{{Items: all[:n-2]}, {Items: all[1:]}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in, out := s.Exchange(windows, 1)
	runtime.ReadMemStats(&after)
	musttest.Is(t, in, []int32{n - 2, n - 1})
	musttest.Is(t, out, []int32{0})
	if took := after.TotalAlloc - before.TotalAlloc; took > 2*n {
		t.Errorf("it takes %d bytes", took)
	}
}
