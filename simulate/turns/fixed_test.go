package turns

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
)

func TestCacheOfModel(t *testing.T) {
	for name, want := range map[string]string{
		"claude-opus-4-5-20251101":                   "claude-opus-4-5",
		"claude-opus-4.5":                            "claude-opus-4-5",
		"anthropic/claude-sonnet-4.5":                "claude-sonnet-4-5",
		"us.anthropic.claude-sonnet-4-20250514-v1:0": "claude-sonnet-4",
		"claude-3-5-haiku-latest":                    "claude-3-5-haiku",
		"claude-sonnet-4-5[1m]":                      "claude-sonnet-4-5",
		"gpt-5-codex":                                "gpt-5-codex",
		"gpt-4o-2024-08-06":                          "gpt-4o",
		"openai/gpt-5.1":                             "gpt-5.1",
		"gpt-5-turbo":                                "",
		"claude":                                     "",
		"":                                           "",
	} {
		c, ok := CacheOfModel(name)
		musttest.Is(t, c.Name, want, name, "is billed as")
		musttest.Is(t, ok, want != "", name, "is billed as")
	}
	names := map[string]bool{}
	for _, c := range append(Caches(), modelCaches()...) {
		if err := c.Validate(); err != nil || names[c.Name] {
			t.Errorf("%s: %v, met before: %v", c.Name, err, names[c.Name])
		}
		names[c.Name] = true
		if none := c.Name == "none"; none != (c.Source == "") || none != (c.Date == "") {
			t.Errorf("%s: source %q, date %q", c.Name, c.Source, c.Date)
		}
		musttest.Is(t, c.Long > 0, c.LongFactor > 1, c.Name, "prompts of more than", c.Long, "tokens cost", c.LongFactor, "times as much")
	}
}

func TestLongPromptsCostMore(t *testing.T) {
	c := Cache{Read: .1, Write: 1.25, Step: 1, Long: 100, LongFactor: 2}
	for tokens, want := range map[model.Tokens]float64{100: 125, 101: 2 * 126.25} {
		if got := c.split(tokens, 0).Cost; math.Abs(got-want) > 1e-9 {
			t.Errorf("%d tokens cost %v, want %v", tokens, got, want)
		}
	}
	if got := c.costOf(itemset.Prompt{Plain: 1, CacheRead: 100, CacheWrite: 10}); math.Abs(got-2*(1+10+12.5)) > 1e-9 {
		t.Errorf("the recorded prompt costs %v", got)
	}
}

// TestTheFixedPartIsInEveryPrompt runs a session with a fixed part of 1,000 tokens, given
// and by the record, and computes the bills by hand.
func TestTheFixedPartIsInEveryPrompt(t *testing.T) {
	log := transcript{Items: numbered(t, 4), Facts: []fact{{}, {Answer: 1}, {}, {Answer: 2}}}
	log.Recorded = []model.Option[itemset.Prompt]{
		model.Some(itemset.Prompt{CacheRead: 900, CacheWrite: 110}), model.Some(itemset.Prompt{CacheRead: 1010, CacheWrite: 20}),
	}
	s := musttest.Of(newHistory(log))(t)
	b, err := model.BudgetOf(20) // the sliding window of request 2 is items 1 and 2
	musttest.Do(t, err)
	cache := Cache{Read: .1, Write: 1.25, Minimum: 50, Step: 1}
	for _, c := range []struct {
		name   string
		fixed  Fixed
		all    [2]Bill // requests of 10 and of 30 tokens
		second Bill    // of the sliding window, whose first item is another
	}{
		{"by the record", Fixed{}, [2]Bill{{Read: 900, Written: 110, Cost: 90 + 137.5}, {Read: 1010, Written: 20, Cost: 101 + 25}},
			Bill{Read: 1000, Written: 20, Cost: 100 + 25}},
		{"given", Fixed{Tokens: 1000, From: FixedGiven}, [2]Bill{{Written: 1010, Cost: 1262.5}, {Read: 1010, Written: 20, Cost: 101 + 25}},
			Bill{Read: 1000, Written: 20, Cost: 100 + 25}},
		{"none", Fixed{From: FixedGiven}, [2]Bill{{Plain: 10, Cost: 10}, {Plain: 30, Cost: 30}}, Bill{Plain: 20, Cost: 20}},
	} {
		courses, by, err := Run(context.Background(), s, []Plan{{Strategy: Sliding}}, b, Billing{Cache: cache, Fixed: c.fixed}, Options{})
		musttest.Do(t, err)
		if c.fixed.From == FixedUnknown && by.Fixed != (Fixed{Tokens: 1000, Cached: 900, From: FixedRecord}) {
			t.Errorf("%s: %+v", c.name, by.Fixed)
		}
		for k, want := range append(c.all[:], c.second) {
			got := courses[k/2].Bills[k%2]
			if k == 2 {
				got = courses[1].Bills[1]
			}
			if got.Read != want.Read || got.Written != want.Written || got.Plain != want.Plain || math.Abs(got.Cost-want.Cost) > 1e-9 {
				t.Errorf("%s: bill %d is %+v, want %+v", c.name, k, got, want)
			}
		}
	}
}

// TestRangeHoldsEveryRatio compares the ends of a range with the ratios at prices between.
func TestRangeHoldsEveryRatio(t *testing.T) {
	items := make([]model.Item, 40)
	for i := range items {
		items[i] = model.Item{Content: string(rune('a' + i)), Tokens: model.Tokens(97 * (1 + i%7)), Metadata: map[string]any{"role": [...]string{"user", "assistant"}[i%2]}}
	}
	s := musttest.Of(FromItems(newSet(t, items...), nil))(t)
	b := musttest.Of(model.BudgetOf(2000))(t)
	by := Billing{Cache: Cache{Read: .1, Write: 1.25, Minimum: 1024, Step: 1}, Fixed: Fixed{Tokens: 700, From: FixedGiven}}
	courses, _, err := Run(context.Background(), s, []Plan{{Strategy: Sliding, Low: 60}}, b, by, Options{})
	musttest.Do(t, err)
	low, high, ok := s.Grid(courses[1], courses[0], by).Range()
	if !ok || low >= high {
		t.Fatalf("from %v to %v, %v", low, high, ok)
	}
	var least, most = math.Inf(1), 0.0
	for _, minimum := range gridMinimums {
		for k := range 16 {
			by.Minimum, by.Read = minimum, .025+.005*float64(k)
			courses, _, err := Run(context.Background(), s, []Plan{{Strategy: Sliding, Low: 60}}, b, by, Options{})
			musttest.Do(t, err)
			ratio, _ := courses[1].Totals.CostRatio()
			least, most = min(least, ratio), max(most, ratio)
		}
	}
	if math.Abs(least-low) > 1e-9 || most > high+1e-9 {
		t.Errorf("the range is %v to %v, ratios go from %v to %v", low, high, least, most)
	}
	for _, read := range []float64{.5, 1} { // no usual price, but the one in force
		by.Minimum, by.Read = 1024, read
		courses, _, err := Run(context.Background(), s, []Plan{{Strategy: Sliding, Low: 60}}, b, by, Options{})
		musttest.Do(t, err)
		ratio, _ := courses[1].Totals.CostRatio()
		from, to, ok := s.Grid(courses[1], courses[0], by).Range()
		if want := [2]float64{min(low, ratio), max(high, ratio)}; !ok || math.Abs(from-want[0]) > 1e-9 || math.Abs(to-want[1]) > 1e-9 {
			t.Errorf("a read at %v: the range is %v to %v, want %v", read, from, to, want)
		}
	}
	const usual = "sending everything, with every usual cache"
	for text, ends := range map[string][2]float64{
		"A costs more than " + usual + ": 1.10 to 1.20 times as much":                        {1.1, 1.2},
		"A costs less than " + usual + ": 0.80 to 0.90 times as much":                        {.8, .9},
		"A costs less than " + usual + ": 0.87 times as much":                                {.869, .871},
		"A costs 0.90 to 1.10 times as much as sending everything, depending on the cache (": {.9, 1.1},
		"A costs as much as " + usual + " (":                                                 {.999, 1.001},
	} {
		if got := SayRange("A", ends[0], ends[1]); !strings.Contains(got, text) || !strings.HasSuffix(got, "from 512 to 4,096 tokens on, and charge 0.025 to 0.1 for a token read)") {
			t.Errorf("%v: %s", ends, got)
		}
	}
}

// TestTheCacheIsLost loses the cache before the third of four requests where the record
// shows it, and not for a pause.
func TestTheCacheIsLost(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	cache := Cache{Read: .1, Write: 1.25, Step: 1}
	for _, c := range []struct {
		name     string
		pause    time.Duration // before request 3
		recorded []itemset.Prompt
		fixed    Fixed
		read     [4]model.Tokens
	}{
		{"no record", 6 * time.Minute, nil, Fixed{Tokens: 100, From: FixedGiven}, [4]model.Tokens{0, 110, 130, 150}},
		{"a pause, and the record shows that it did no harm", 6 * time.Minute,
			[]itemset.Prompt{{CacheWrite: 110}, {CacheRead: 110, CacheWrite: 20}, {CacheRead: 130, CacheWrite: 20}, {CacheRead: 150, CacheWrite: 20}},
			Fixed{}, [4]model.Tokens{0, 110, 130, 150}},
		{"no pause, but the record shows that only the fixed part was kept", time.Minute,
			[]itemset.Prompt{{CacheWrite: 110}, {CacheRead: 110, CacheWrite: 20}, {CacheRead: 90, CacheWrite: 60}, {CacheRead: 150, CacheWrite: 20}},
			Fixed{}, [4]model.Tokens{0, 110, 90, 150}},
	} {
		items := make([]model.Item, 8)
		facts := make([]fact, 8)
		for i := range items {
			at := begin.Add(time.Duration(i) * time.Second)
			if i >= 4 {
				at = at.Add(c.pause)
			}
			items[i] = model.Item{Content: string(rune('a' + i)), Tokens: 10, Timestamp: model.Some(at)}
			facts[i].Answer = (i + 1) / 2 * (i % 2)
		}
		log := transcript{Items: newSet(t, items...), Facts: facts}
		for _, u := range c.recorded {
			log.Recorded = append(log.Recorded, model.Some(u))
		}
		s := musttest.Of(newHistory(log))(t)
		courses, by, err := Run(context.Background(), s, nil, model.Budget{}, Billing{Cache: cache, Fixed: c.fixed}, Options{})
		musttest.Do(t, err)
		musttest.Is(t, by.Fixed.Tokens, 100, c.name, "the fixed part", by.Fixed)
		for k, want := range c.read {
			musttest.Is(t, courses[0].Bills[k].Read, want, c.name, "request", k+1, "reads")
		}
	}
}

// An answer for which no prompt was sent, as where a request to the provider failed, is no
// request, and what the next one reads shows whether the cache was lost. Without any record
// of a prompt each answer has a request.
func TestAnAnswerOfTheProgramIsNoRequest(t *testing.T) {
	for _, c := range []struct {
		recorded []itemset.Prompt
		read     []model.Tokens
	}{
		{[]itemset.Prompt{{CacheWrite: 110}, {}, {CacheRead: 20, CacheWrite: 130}}, []model.Tokens{0, 20}},
		{[]itemset.Prompt{{}, {}, {}}, []model.Tokens{0, 10, 30}},
	} {
		log := transcript{Items: numbered(t, 6), Facts: []fact{{}, {Answer: 1}, {}, {Answer: 2}, {}, {Answer: 3}}}
		for _, u := range c.recorded {
			log.Recorded = append(log.Recorded, model.Some(u))
		}
		s := musttest.Of(newHistory(log))(t)
		courses, _, err := Run(context.Background(), s, nil, model.Budget{}, Billing{Cache: Cache{Read: .1, Write: 1.25, Step: 1}}, Options{})
		musttest.Do(t, err)
		var read []model.Tokens
		for k, r := range s.Requests() {
			if !r.IsNow() {
				read = append(read, courses[0].Bills[k].Read)
			}
		}
		musttest.Is(t, read, c.read, c.recorded, "the requests read")
	}
}
