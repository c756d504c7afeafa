package simulate

import (
	"errors"
	"testing"

	"cupelscope/model"
)

// sized is a set of n items of the given tokens, the first ones pinned.
func sized(t *testing.T, n int, tokens model.Tokens, pinned int) *model.Set {
	t.Helper()
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{Content: "x", Tokens: tokens, Pinned: i < pinned}
	}
	set, err := model.NewSet(items)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func budgetOf(t *testing.T, f model.BudgetFields) model.Budget {
	t.Helper()
	b, err := model.NewBudget(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOpenChoosesThePolicy(t *testing.T) {
	own := model.NewPolicy(model.Scorer{Type: model.ScorePriority, Weight: 1})
	own.Name = "own"
	scenario := model.Some(model.Scenario{Policy: own, Budget: budgetOf(t, model.BudgetFields{MaxTokens: 10, TargetTokens: 10})})
	rag, _ := model.Preset("rag")
	for _, c := range []struct {
		name     string
		source   Source
		asked    Asked
		want     string
		slicer   model.SlicerType
		warnings int
	}{
		{"a conversation", Source{Conversation: true}, Asked{}, "chat", model.Greedy, 0},
		{"documents with scores", Source{HasScores: true}, Asked{}, "rag", model.Greedy, 0},
		{"documents without", Source{}, Asked{}, "document-qa", model.Knapsack, 1},
		{"a scenario", Source{Conversation: true, Scenario: scenario}, Asked{}, "own", model.Greedy, 0},
		{"asked for", Source{Scenario: scenario}, Asked{Policy: model.Some(rag)}, "rag", model.Greedy, 0},
		{"another slicer", Source{Conversation: true}, Asked{Slicer: model.Some(model.Knapsack)}, "chat", model.Knapsack, 0},
		{"greedy has no buckets", Source{}, Asked{Slicer: model.Some(model.Greedy)}, "document-qa", model.Greedy, 1},
	} {
		c.source.Items = sized(t, 4, 100, 0)
		o, err := Open(c.source, c.asked)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if o.Policy.Name != c.want || o.Policy.Slicer != c.slicer || len(o.Warnings) != c.warnings {
			t.Errorf("%s: %s with %s, warnings %q; want %s with %s, %d", c.name, o.Policy.Name, o.Policy.Slicer, o.Warnings, c.want, c.slicer, c.warnings)
		}
	}
}

func TestOpenAppliesWhatWasAskedToThePolicy(t *testing.T) {
	o, err := Open(Source{Items: sized(t, 4, 100, 0), Conversation: true}, Asked{
		Slicer: model.Some(model.Knapsack), BucketSize: model.Some(model.Tokens(7)), Placer: model.Some(model.UShaped),
		Overflow: model.Some(model.Proceed), Deduplicate: model.Some(false),
	})
	if err != nil {
		t.Fatal(err)
	}
	if p := o.Policy; p.BucketSize != 7 || p.Placer != model.UShaped || p.Overflow != model.Proceed || p.Deduplicate {
		t.Errorf("%+v", p)
	}
}

func TestOpenChoosesTheBudget(t *testing.T) {
	scenario := model.Some(model.Scenario{
		Policy: model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1}),
		Budget: budgetOf(t, model.BudgetFields{MaxTokens: 1000, TargetTokens: 900, OutputReserve: 50}),
		Slack:  80,
	})
	tokens := func(n model.Tokens) model.Option[model.Tokens] { return model.Some(n) }
	for _, c := range []struct {
		name              string
		source            Source
		asked             Asked
		maximum, target   model.Tokens
		slack             model.Tokens
		guessed           bool
		items, each, pins int
		reason            string
	}{
		{"a quarter", Source{}, Asked{}, 19_000, 19_000, 590, true, 749, 100, 0, "74,900 / 4 to two figures"},
		{"small items", Source{}, Asked{}, 250, 250, 7, true, 10, 7, 0, "a knapsack charges each 100"},
		{"small items, greedy", Source{Conversation: true}, Asked{}, 17, 17, 0, true, 10, 7, 0, "70 / 4"},
		{"small sets", Source{}, Asked{}, 100, 100, 3, true, 1, 2, 0, "it fits"},
		{"small sets, greedy", Source{Conversation: true}, Asked{}, 2, 2, 0, true, 1, 2, 0, "it fits"},
		{"nothing", Source{}, Asked{}, 1, 1, 0, true, 0, 0, 0, "a budget of 0 shows nothing"},
		{"the model's window", Source{Window: 8192}, Asked{}, 8192, 8192, 260, true, 749, 100, 0, "not all items fit it"},
		{"a window that holds all", Source{Window: 128_000}, Asked{}, 19_000, 19_000, 590, true, 749, 100, 0, "nothing would fall out"},
		{"pinned items leave room", Source{}, Asked{}, 580, 580, 18, true, 10, 60, 8, "480 pinned and one of the rest"},
		{"an output reserve leaves room", Source{}, Asked{OutputReserve: tokens(300)}, 550, 550, 17, true, 10, 60, 0, "300 and a quarter of 10 buckets"},
		{"a target above the guess", Source{}, Asked{TargetTokens: tokens(500)}, 500, 500, 15, true, 10, 60, 0, "the guess gives way"},
		{"flags", Source{Window: 8}, Asked{MaxTokens: tokens(640), TargetTokens: tokens(600), Slack: tokens(5)}, 640, 600, 5, false, 10, 60, 0, "as asked"},
		{"a scenario", Source{Scenario: scenario, Window: 8}, Asked{}, 1000, 900, 80, false, 10, 60, 0, "as it says"},
		{"a scenario with another maximum", Source{Scenario: scenario}, Asked{MaxTokens: tokens(150)}, 150, 50, 50, false, 10, 60, 0, "the target keeps its distance, the slack stays within it"},
		{"a scenario with another target", Source{Scenario: scenario}, Asked{TargetTokens: tokens(700)}, 1000, 700, 80, false, 10, 60, 0, "only the target moves"},
	} {
		c.source.Items = sized(t, c.items, model.Tokens(c.each), c.pins)
		o, err := Open(c.source, c.asked)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if b := o.Budget; b.MaxTokens() != c.maximum || b.TargetTokens() != c.target || o.Slack != c.slack || o.Guessed != c.guessed {
			t.Errorf("%s: %v, target %v, slack %v, guessed %v; want %v, %v, %v, %v: %s", c.name,
				b.MaxTokens(), b.TargetTokens(), o.Slack, o.Guessed, c.maximum, c.target, c.slack, c.guessed, c.reason)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		asked  Asked
		target error
	}{
		{"a target above maxTokens", Asked{MaxTokens: model.Some[model.Tokens](5), TargetTokens: model.Some[model.Tokens](6)}, model.ErrInvalidBudget},
		{"axis end beyond the most", Asked{AxisEnd: model.Some(model.MaxTokens + 1)}, model.ErrInvalidBudget},
		{"slack above the target", Asked{MaxTokens: model.Some[model.Tokens](5), Slack: model.Some[model.Tokens](6)}, model.ErrInvalidBudget},
		{"buckets of greedy", Asked{Slicer: model.Some(model.Greedy), BucketSize: model.Some[model.Tokens](6)}, model.ErrInvalidPolicy},
		{"buckets of nothing", Asked{Slicer: model.Some(model.Knapsack), BucketSize: model.Some[model.Tokens](0)}, model.ErrInvalidPolicy},
		{"an unknown slicer", Asked{Slicer: model.Some[model.SlicerType]("best")}, model.ErrInvalidPolicy},
	} {
		if _, err := Open(Source{Items: sized(t, 4, 100, 0)}, c.asked); !errors.Is(err, c.target) {
			t.Errorf("%s: %v, want %v", c.name, err, c.target)
		}
	}
}

func TestAxisEnd(t *testing.T) {
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
		c.budget.TargetTokens = c.budget.MaxTokens
		got, err := AxisEnd(sized(t, c.items, 100, 0), c.policy, budgetOf(t, c.budget))
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v, want %v: %s", c.name, got, err, c.want, c.reason)
		}
	}
}
