package experiment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func TestNiceStepAndStepped(t *testing.T) {
	for _, c := range []struct {
		v     model.Tokens
		big   bool
		step  model.Tokens
		up    model.Tokens
		down  model.Tokens
		about string
	}{
		{0, false, 1, 1, 0, "nothing below 0"},
		{0, true, 10, 10, 0, ""},
		{1, false, 1, 2, 0, ""},
		{9, true, 10, 10, 0, ""},
		{10, true, 10, 20, 0, ""},
		{99, false, 1, 100, 98, ""},
		{100, false, 10, 110, 99, "down from a power of ten: the smaller step"},
		{100, true, 100, 200, 90, ""},
		{105, false, 10, 110, 100, "on to a multiple"},
		{999, false, 10, 1000, 990, ""},
		{1000, false, 100, 1100, 990, ""},
		{8000, false, 100, 8100, 7900, ""},
		{8000, true, 1000, 9000, 7000, ""},
		{32_000, false, 1000, 33_000, 31_000, ""},
		{32_001, false, 1000, 33_000, 32_000, ""},
		{32_000, true, 10_000, 40_000, 30_000, ""},
		{1 << 40, false, 100_000_000_000, 1 << 40, 1_000_000_000_000, "the limit"},
	} {
		musttest.Is(t, NiceStep(c.v, c.big), c.step, "NiceStep", c.v, c.big)
		musttest.Is(t, Stepped(c.v, 1, c.big, 1<<40), c.up, c.v, "up", c.big, c.about)
		musttest.Is(t, Stepped(c.v, -1, c.big, 1<<40), c.down, c.v, "down", c.big, c.about)
	}
	rng := rand.New(rand.NewPCG(41, 42))
	for range 20_000 {
		v := model.Tokens(rng.Int64N(1 << rng.IntN(41)))
		big := rng.IntN(2) == 0
		up, down := Stepped(v, 1, big, model.MaxTokens), Stepped(v, -1, big, model.MaxTokens)
		if up <= v || up > model.MaxTokens || v > 0 && down >= v || down < 0 {
			t.Fatalf("%v steps to %v and %v", v, down, up)
		}
		if up%NiceStep(v, big) != 0 && up != model.MaxTokens || down%NiceStep(down, big) != 0 {
			t.Fatalf("%v steps to %v and %v, which are no multiples", v, down, up)
		}
		if up < model.MaxTokens {
			musttest.Is(t, Stepped(Stepped(up, -1, big, model.MaxTokens), 1, big, model.MaxTokens), up)
		}
		if v%NiceStep(v, big) == 0 && up < model.MaxTokens {
			musttest.Is(t, Stepped(up, -1, big, model.MaxTokens), v)
		}
	}
}

func TestStepsStayInBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	for range 30 {
		e, first := start(t, sample(t, rng, 6))
		for range 200 {
			side := Side(rng.IntN(2))
			list := e.Knobs(e.Setup(), side, first)
			k := list[rng.IntN(len(list))]
			next, err := k.Step(1-2*rng.IntN(2), rng.IntN(2) == 0)
			if err != nil {
				if !strings.HasPrefix(err.Error(), k.Label+":") || !next.Equal(e.Setup()) {
					t.Fatalf("knob %s: %v, and the setup changes: %v", k.ID, err, !next.Equal(e.Setup()))
				}
				continue
			}
			b := next.Budget
			if b.MaxTokens < 0 || b.MaxTokens > maxStepped || b.Target() < 0 || b.Target() > b.MaxTokens || b.OutputReserve < 0 ||
				b.SafetyMargin < 0 || b.SafetyMargin > 100 || next.Slack < 0 || next.End() < b.MaxTokens || next.End() > model.MaxTokens {
				t.Fatalf("a step of %s leads to %+v", k.ID, next)
			}
			if k.ID == OutputReserve && b.OutputReserve > b.MaxTokens && b.OutputReserve > e.Setup().Budget.OutputReserve {
				t.Fatalf("a step up leads to a reserve of %v of %v", b.OutputReserve, b.MaxTokens)
			}
			if err := next.Policy[side].Validate(); err != nil {
				t.Fatalf("a step of %s leads to an invalid policy: %v", k.ID, err)
			}
			gives := k.ID == Slicer && side == A && next.Policy[A].Slicer == e.Setup().Policy[B].Slicer
			if next.Policy[side.Other()].Slicer != e.Setup().Policy[side.Other()].Slicer && !gives {
				t.Fatalf("a step of %s changes the other side", k.ID)
			}
			musttest.Do(t, e.Apply(next, Label{Name: k.Label}, k.ID))
		}
	}
}

func TestResetGoesBackToTheBeginning(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	for range 60 {
		e, first := start(t, sample(t, rng, 6))
		for range 15 {
			edit(t, rng, e, first)
		}
		ids := []KnobID{Ceiling, Wanted}
		for _, f := range model.FieldsOfBudget() {
			ids = append(ids, KnobOf(f.Name, ""))
		}
		for _, id := range append(ids, Slack, Preset, HeldBack+" memory") {
			for _, side := range []Side{A, B} {
				if k, ok := FindKnob(e.Knobs(e.Setup(), side, first), id); ok {
					musttest.Do(t, e.Apply(k.Reset(), Label{Name: "reset"}, ""))
				}
			}
		}
		got := e.Setup()
		got.Edits, got.Budget.ReservedSlots = first.Edits, first.Budget.ReservedSlots // edits have no knob, the other slots are not reset here
		if !same(got, first) {
			t.Fatalf("after resetting every knob the setup is\n%+v\nwant\n%+v", got, first)
		}
		musttest.Is(t, e.Setup().Slot(model.Memory), first.Slot(model.Memory), "held back for Memory")
	}
}

func knob(t testing.TB, e *Experiment, original Setup, id KnobID) Knob {
	t.Helper()
	k, ok := FindKnob(e.Knobs(e.Setup(), A, original), id)
	if !ok {
		t.Fatalf("no knob %q", id)
	}
	return k
}

func TestParse(t *testing.T) {
	e, first := start(t, sample(t, rand.New(rand.NewPCG(1, 1)), 5))
	withKnapsack := first.Policy[A].Clone()
	withKnapsack.Slicer, withKnapsack.BucketSize = model.Knapsack, 100
	musttest.Do(t, e.Apply(first.WithPolicy(A, withKnapsack), Label{Name: "knapsack"}, ""))
	for _, c := range []struct {
		id        KnobID
		text, err string // err: what the message has to name; "" for none
		value     string // the knob's value after it
	}{
		{MaxTokens, "64k", "", "64,000"},
		{MaxTokens, "2Ki", "", "2,048"},
		{MaxTokens, "9999999999999", "1,099,511,627,776", ""},
		{MaxTokens, "-1", "not a number of tokens", ""},
		{MaxTokens, "x\x1b[2J", "not a number of tokens", ""},
		{MaxTokens, "", "not a number of tokens", ""},
		{TargetTokens, "=max", "", "= max"},
		{TargetTokens, " MAX ", "", "= max"},
		{TargetTokens, "1k", "", "max-2,000 = 1,000"},
		{TargetTokens, "3,001", "0 to 3,000", ""},
		{OutputReserve, "3000", "", "3,000"},
		{OutputReserve, "3001", "0 to 3,000", ""},
		{HeldBack + " memory", "0", "", "0"},
		{SafetyMargin, "12.5 %", "", "12.5 %"},
		{SafetyMargin, "100", "", "100 %"},
		{SafetyMargin, "100.1", "0 to 100", ""},
		{SafetyMargin, "-1", "0 to 100", ""},
		{SafetyMargin, "NaN", "0 to 100", ""},
		{SafetyMargin, "five", "not a percentage", ""},
		{Slack, "2801", "0 to 2,800", ""},
		{Slack, "2800", "", "2,800"},
		{Bucket, "100,001", "100,000", ""},
		{Bucket, "7", "", "7"},
		{Slicer, "GREEDY", "", "greedy"},
		{Slicer, "knap", "", "knapsack"},
		{Slicer, "fast", "greedy, knapsack", ""},
		{Slicer, "", "greedy, knapsack", ""},
		{Placer, "u", "", "uShaped"},
		{Dedup, "off", "", "off"},
		{Dedup, "o", "on or off", ""},
		{Overflow, "t", "throw or truncate", ""},
		{Overflow, "pro", "", "proceed"},
		{Preset, "rag", "", "rag"},
		{Ceiling, "16k", "", "16,000"},
		{Ceiling, "2,999", "at least the budget, which is 3,000", ""},
		{Ceiling, "0", "at least the budget, which is 3,000", ""},
	} {
		k := knob(t, e, first, c.id)
		next, err := k.Parse(c.text)
		switch {
		case c.err == "" && err != nil:
			t.Errorf("%s %q: %v", c.id, c.text, err)
		case c.err != "" && err == nil:
			t.Errorf("%s %q: no error", c.id, c.text)
		case err != nil && (!strings.Contains(err.Error(), c.err) || strings.ContainsRune(err.Error(), 0x1b)):
			t.Errorf("%s %q: %q does not name %q", c.id, c.text, err, c.err)
		case err != nil && !next.Equal(e.Setup()):
			t.Errorf("%s %q: an error, and another setup", c.id, c.text)
		case err == nil:
			got, _ := FindKnob(e.Knobs(next, A, first), c.id)
			musttest.Is(t, got.Value, c.value, c.id, c.text, "the value")
		}
	}
}

func TestTheTargetKeepsItsDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	_, s := start(t, sample(t, rng, 1))
	for range 2000 {
		gap := s.Gap
		if rng.IntN(3) == 0 {
			to := model.Tokens(rng.Int64N(int64(s.Budget.MaxTokens) + 1))
			s = s.WithTarget(to)
			if s.Budget.Target() != to || s.Gap != s.Budget.MaxTokens-to {
				t.Fatalf("WithTarget(%v) gives %+v", to, s)
			}
			continue
		}
		to := model.Tokens(rng.Int64N(10_000))
		s = s.WithMax(to)
		if s.Gap != gap || s.Budget.MaxTokens != to || s.Budget.Target() != max(0, to-gap) {
			t.Fatalf("WithMax(%v) with gap %v gives %+v", to, gap, s)
		}
	}
}

// What is to be spared is the slack of the budget that is gone to, whether it is a guess or not.
func TestTheBudgetWithTheSlackToSpare(t *testing.T) {
	for b := model.Tokens(0); b < 200_000; b += b/50 + 1 {
		for _, s := range [...]Setup{{Slack: 300, Ceiling: 1 << 20}, Setup{SlackGuessed: true, Ceiling: 1 << 20}.WithMax(70_000)} {
			to, ok := s.Spared(b)
			if slack := s.WithMax(to).Slack; ok != (slack > 0) || to < b+slack || to > b+slack+slack/2 {
				t.Fatalf("%v is to be spared at %v, which has a slack of %v: %v", b, to, slack, ok)
			}
		}
	}
}

func TestTheAxisReachesTheBudget(t *testing.T) {
	for _, c := range []struct{ end, budget, want model.Tokens }{
		{8000, 3000, 8000}, {8000, 8000, 8000}, {8000, 8001, 16_000}, {8000, 40_000, 64_000}, {0, 5, 5}, {1, model.MaxTokens, model.MaxTokens},
		{model.MaxTokens, 1, model.MaxTokens}, {3, model.MaxTokens, model.MaxTokens},
	} {
		s := Setup{Ceiling: c.end}.WithMax(c.budget)
		musttest.Is(t, s.End(), c.want, "an axis to", c.end, "with a budget of", c.budget, "ends at")
	}
}

func TestSlots(t *testing.T) {
	var s Setup
	one := s.WithSlot("Memory", 100)
	two := one.WithSlot("Marker", 5).WithSlot("MEMORY", 7)
	if one.Slot("memory") != 100 || two.Slot("Memory") != 7 || two.Slot("marker") != 5 || len(two.Budget.ReservedSlots) != 2 || len(s.Budget.ReservedSlots) != 0 {
		t.Errorf("slots: %+v, then %+v", one.Budget.ReservedSlots, two.Budget.ReservedSlots)
	}
	if none := two.WithSlot("memory", 0).WithSlot("marker", 0).WithSlot("never", 0); len(none.Budget.ReservedSlots) != 0 || two.Slot("memory") != 7 {
		t.Errorf("slots of 0 stay: %+v", none.Budget.ReservedSlots)
	}
}

func TestEverySlotHasAKnob(t *testing.T) {
	items := make([]model.Item, 60) // a kind an item
	for i := range items {
		items[i] = model.Item{Content: "x", Tokens: 1, Kind: model.Kind("kind" + strings.Repeat("x", i))}
	}
	set := musttest.Of(model.NewSet(items))(t)
	e, first := start(t, set)
	s, held := first, first.Slot(model.Memory)
	for _, k := range []model.Kind{"kindxxxxx", "other", "kind" + model.Kind(strings.Repeat("x", 59))} {
		s = s.WithSlot(k, 10)
		held += 10
	}
	count, found := 0, model.Tokens(0)
	for _, k := range e.Knobs(s, A, first) {
		if strings.HasPrefix(string(k.ID), string(HeldBack)) {
			count++
			if v, err := model.ParseTokens(k.Value); err == nil {
				found += v
			}
		}
	}
	musttest.Is(t, count, maxKindKnobs)
	musttest.Is(t, found, held)
}

// The knobs that are kept are the knobs as they are made anew, after any change, and whoever asks in between.
func TestKeptKnobsAreTheKnobsNow(t *testing.T) {
	told := func(lists ...[]Knob) (all []string) {
		for _, k := range slices.Concat(lists...) {
			k.remove, k.step, k.parse, k.reset = nil, nil, nil, nil
			all = append(all, fmt.Sprintf("%+v", k))
		}
		set, err := lists[0][0].Parse("1k") // the closures are of the setup
		return append(all, fmt.Sprintf("%+v %v", set, err))
	}
	kept := 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 91))
		e, original := start(t, sample(t, rng, 20+rng.IntN(20)))
		for range 20 {
			before := e.Setup()
			switch rng.IntN(7) {
			case 0:
				e.Undo()
			case 1:
				e.Redo()
			case 2:
				next := e.Setup()
				next.Edits = model.Edits{}
				musttest.Of(e.Replace(sample(t, rng, 20+rng.IntN(20)), next, func(s Setup) Setup { s.Edits = model.Edits{}; return s }, nil))(t)
			case 3:
				original.Wanted, original.Policy[A] = float64(rng.IntN(9)), original.Policy[B]
			case 4:
				next := e.Setup()
				next.CeilingAsked = !next.CeilingAsked
				_ = e.Apply(next, Label{Name: "ceiling"}, "")
			default:
				edit(t, rng, e, original)
			}
			for range 4 {
				side, of := Side(rng.IntN(2)), e.Setup()
				if rng.IntN(3) == 0 {
					of = before
				}
				pane, policy := e.Knobs(of, side, original), e.PolicyKnobs(of, side, original)
				if again := e.Knobs(of, side, original); &again[0] == &pane[0] {
					kept++
				}
				got, lists := told(pane, policy), e.lists
				e.lists = knobLists{}
				want := told(e.Knobs(of, side, original), e.PolicyKnobs(of, side, original))
				if e.lists = lists; !slices.Equal(got, want) {
					t.Fatalf("seed %d: the knobs are\n%q, want\n%q", seed, got, want)
				}
			}
		}
	}
	if kept < 150 {
		t.Errorf("only %d lists were kept", kept)
	}
}
