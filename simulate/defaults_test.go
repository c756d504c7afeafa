package simulate

import (
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// sized is a set of n items of the given tokens, the first ones pinned.
func sized(t *testing.T, n int, tokens model.Tokens, pinned int) *model.Set {
	t.Helper()
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{Content: "x", Tokens: tokens, Pinned: i < pinned}
	}
	return musttest.Of(model.NewSet(items))(t)
}

func budgetOf(t *testing.T, f model.BudgetFields) model.Budget {
	t.Helper()
	return musttest.Of(model.NewBudget(f))(t)
}

func TestOpenChoosesThePolicy(t *testing.T) {
	own := model.NewPolicy(model.Scorer{Type: model.ScorePriority, Weight: 1})
	own.Name = "own"
	scenario := model.Some(model.Scenario{Policy: own, Budget: budgetOf(t, model.BudgetFields{MaxTokens: 10})})
	rag, _ := model.Preset("rag")
	for _, c := range []struct {
		name     string
		source   Source
		asked    Overrides
		want     string
		slicer   model.SlicerType
		unscored bool
	}{
		{"a conversation", Source{Conversation: true}, Overrides{}, "chat", model.Greedy, false},
		{"documents with scores", Source{HasScores: true}, Overrides{}, "rag", model.Greedy, false},
		{"documents without", Source{}, Overrides{}, "document-qa", model.Knapsack, true},
		{"a scenario", Source{Conversation: true, Scenario: scenario}, Overrides{}, "own", model.Greedy, false},
		{"asked for", Source{Scenario: scenario}, Overrides{Policy: model.Some(rag)}, "rag", model.Greedy, false},
		{"another slicer", Source{Conversation: true}, Overrides{Slicer: model.Some(model.Knapsack)}, "chat", model.Knapsack, false},
		{"greedy has no buckets", Source{}, Overrides{Slicer: model.Some(model.Greedy)}, "document-qa", model.Greedy, true},
	} {
		c.source.Items = sized(t, 4, 100, 0)
		o := musttest.Of(Open(c.source, c.asked))(t, c.name)
		if o.Policy.Name != c.want || o.Policy.Slicer != c.slicer || o.Unscored != c.unscored {
			t.Errorf("%s: %s with %s, unscored %v; want %s with %s, %v", c.name, o.Policy.Name, o.Policy.Slicer, o.Unscored, c.want, c.slicer, c.unscored)
		}
	}
}

func TestOpenAppliesWhatWasAskedToThePolicy(t *testing.T) {
	o := musttest.Of(Open(Source{Items: sized(t, 4, 100, 0), Conversation: true}, Overrides{
		Slicer: model.Some(model.Knapsack), BucketSize: model.Some(model.Tokens(7)), Placer: model.Some(model.UShaped),
		Overflow: model.Some(model.Proceed), Deduplicate: model.Some(false),
	}))(t)
	if p := o.Policy; p.BucketSize != 7 || p.Placer != model.UShaped || p.Overflow != model.Proceed || p.Deduplicate {
		t.Errorf("%+v", p)
	}
}

func TestOpenChoosesTheBudget(t *testing.T) {
	scenario := model.Some(model.Scenario{
		Policy: model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1}),
		Budget: budgetOf(t, model.BudgetFields{MaxTokens: 1000, TargetTokens: model.Some[model.Tokens](900), OutputReserve: 50}),
		Slack:  80,
	})
	tokens := func(n model.Tokens) model.Option[model.Tokens] { return model.Some(n) }
	for _, c := range []struct {
		name              string
		source            Source
		asked             Overrides
		maximum, target   model.Tokens
		slack             model.Tokens
		guessed           bool
		items, each, pins int
		reason            string
	}{
		{"the largest window that does not hold all", Source{}, Overrides{}, 64_000, 64_000, 2000, true, 749, 100, 0, "74,900 tokens"},
		{"a large set", Source{}, Overrides{}, 128_000, 128_000, 4000, true, 1281, 100, 0, "128,100 tokens"},
		{"a session of 25,000", Source{}, Overrides{}, 16_000, 16_000, 500, true, 250, 100, 0, "the window below it"},
		{"a set that just fits", Source{}, Overrides{}, 64_000, 64_000, 2000, true, 1280, 100, 0, "128,000 tokens"},
		{"all fit the least window", Source{}, Overrides{}, 8_000, 8_000, 250, true, 10, 7, 0, "70 tokens"},
		{"a knapsack charges whole buckets", Source{}, Overrides{}, 32_000, 32_000, 1000, true, 400, 7, 0, "40,000 tokens in buckets of 100"},
		{"nothing", Source{}, Overrides{}, 8_000, 8_000, 250, true, 0, 0, 0, "it is a window like any other"},
		{"the model's window", Source{Window: 8192}, Overrides{}, 8192, 8192, 260, true, 749, 100, 0, "known"},
		{"a window that holds all", Source{Window: 128_000}, Overrides{}, 128_000, 128_000, 4000, true, 749, 100, 0, "known all the same"},
		{"pinned items leave room", Source{}, Overrides{}, 64_000, 64_000, 2000, true, 100, 1000, 8, "8,000 of 100,000 tokens are pinned"},
		{"an output reserve leaves room", Source{}, Overrides{Budget: map[string]float64{model.FieldOutputReserve: 8000}}, 16_000, 16_000, 500, true, 10, 60, 0, "8,000 are reserved"},
		{"pinned items beyond every window", Source{}, Overrides{}, 210_000, 210_000, 6600, true, 240, 1000, 200, "200,000 and a quarter of the rest"},
		{"a target above the guess", Source{}, Overrides{Budget: map[string]float64{model.FieldTargetTokens: 9000}}, 9000, 9000, 280, true, 10, 60, 0, "the guess gives way"},
		{"flags", Source{Window: 8}, Overrides{Budget: map[string]float64{model.FieldMaxTokens: 640, model.FieldTargetTokens: 600}, Slack: tokens(5)}, 640, 600, 5, false, 10, 60, 0, "as asked"},
		{"a scenario", Source{Scenario: scenario, Window: 8}, Overrides{}, 1000, 900, 80, false, 10, 60, 0, "as it says"},
		{"a scenario with another maximum", Source{Scenario: scenario}, Overrides{Budget: map[string]float64{model.FieldMaxTokens: 150}}, 150, 50, 50, false, 10, 60, 0, "the target keeps its distance, the slack stays within it"},
		{"a scenario with another target", Source{Scenario: scenario}, Overrides{Budget: map[string]float64{model.FieldTargetTokens: 700}}, 1000, 700, 80, false, 10, 60, 0, "only the target moves"},
	} {
		c.source.Items = sized(t, c.items, model.Tokens(c.each), c.pins)
		o := musttest.Of(Open(c.source, c.asked))(t, c.name)
		if b := o.Budget; b.MaxTokens() != c.maximum || b.TargetTokens() != c.target || o.Slack != c.slack || o.Guessed != c.guessed {
			t.Errorf("%s: %v, target %v, slack %v, guessed %v; want %v, %v, %v, %v: %s", c.name,
				b.MaxTokens(), b.TargetTokens(), o.Slack, o.Guessed, c.maximum, c.target, c.slack, c.guessed, c.reason)
		}
	}
}

func TestOpenSaysThatAllFit(t *testing.T) {
	chat := Source{Conversation: true}
	for _, c := range []struct {
		name  string
		asked Overrides
		items int
		want  bool
	}{
		{"few items", Overrides{}, 10, true},
		{"just as many as fit", Overrides{}, 80, true},
		{"one more", Overrides{}, 81, false},
		{"what is held counts", Overrides{Budget: map[string]float64{model.FieldOutputReserve: 50}}, 80, false},
		{"a margin counts", Overrides{Budget: map[string]float64{model.FieldSafetyMargin: 1.0}}, 80, false},
		{"nobody guessed", Overrides{Budget: map[string]float64{model.FieldMaxTokens: 9000}}, 10, false},
	} {
		chat.Items = sized(t, c.items, 100, 2)
		o, err := Open(chat, c.asked)
		if err != nil || o.AllFit != c.want {
			t.Errorf("%s: %v, want %v; %v", c.name, o.AllFit, c.want, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		asked Overrides
		field string
	}{
		{"a target above maxTokens", Overrides{Budget: map[string]float64{model.FieldMaxTokens: 5, model.FieldTargetTokens: 6}}, "targetTokens"},
		{"ceiling beyond the most", Overrides{Ceiling: model.Some(model.MaxTokens + 1)}, "ceiling"},
		{"slack above the target", Overrides{Budget: map[string]float64{model.FieldMaxTokens: 5}, Slack: model.Some[model.Tokens](6)}, "slackTokens"},
		{"buckets of greedy", Overrides{Slicer: model.Some(model.Greedy), BucketSize: model.Some[model.Tokens](6)}, "knapsackBucketSize"},
		{"buckets of nothing", Overrides{Slicer: model.Some(model.Knapsack), BucketSize: model.Some[model.Tokens](0)}, "knapsackBucketSize"},
		{"an unknown slicer", Overrides{Slicer: model.Some[model.SlicerType]("best")}, "slicerType"},
	} {
		musttest.Says(t, musttest.Refusal(Open(Source{Items: sized(t, 4, 100, 0)}, c.asked)), ": "+c.field, c.name)
	}
}

func TestCeiling(t *testing.T) {
	greedy := model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1})
	knapsack := greedy
	knapsack.Slicer, knapsack.BucketSize = model.Knapsack, 64
	for _, c := range []struct {
		name   string
		policy model.Policy
		items  int
		budget model.BudgetFields
		want   model.Tokens
		reason string
	}{
		{"all in", greedy, 500, model.BudgetFields{MaxTokens: 9000}, 50_000, "500 items of 100 tokens"},
		{"all in with a reserve", greedy, 500, model.BudgetFields{MaxTokens: 9000, OutputReserve: 1000}, 51_000, "the reserve comes on top"},
		{"all in with a margin", greedy, 500, model.BudgetFields{MaxTokens: 9000, SafetyMargin: 50}, 100_000, "half is lost"},
		{"buckets", knapsack, 500, model.BudgetFields{MaxTokens: 9000}, 64_000, "each item takes two buckets of 64"},
		{"128k", greedy, 5000, model.BudgetFields{MaxTokens: 9000}, 128_000, "the set is larger"},
		{"twice", greedy, 50_000, model.BudgetFields{MaxTokens: 100_000}, 200_000, "twice maxTokens is more than 128k"},
		{"at most 2^21", greedy, 50_000, model.BudgetFields{MaxTokens: 2_000_000}, 1 << 21, "not without being asked"},
		{"asked for more", greedy, 50_000, model.BudgetFields{MaxTokens: 3_000_000}, 3_000_000, "the budget itself lies on the axis"},
		{"more than all", greedy, 5, model.BudgetFields{MaxTokens: 9000}, 9000, "the budget itself lies on the axis"},
		{"nothing ever fits", greedy, 5, model.BudgetFields{MaxTokens: 9000, SafetyMargin: 100}, 128_000, "there is no budget at which all is in"},
	} {
		got := Ceiling(sized(t, c.items, 100, 0), c.policy, budgetOf(t, c.budget))
		musttest.Is(t, got, c.want, c.name, c.reason)
	}
}
