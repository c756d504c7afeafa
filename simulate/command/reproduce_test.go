package command_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
	"cupelscope/simulate/session"
)

// What Reproduce writes opens the same policy, budget and slack again, read by
// the real flags.
func TestReproduce(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ctx := context.Background()
	for range randomtest.Rounds(15, 25, 60) {
		fixtures := fixtures.Names()
		o := session.Options{Fixture: fixtures[rng.IntN(len(fixtures))]}
		if rng.IntN(2) == 0 {
			presets := model.PresetNames()
			o.Preset = presets[rng.IntN(len(presets))]
		}
		opened := musttest.Of(session.Open(ctx, o, session.Input{}))(t)
		policy := opened.Policy
		if rng.IntN(2) == 0 {
			presets := model.Presets()
			policy = presets[rng.IntN(len(presets))]
		}
		if rng.IntN(2) == 0 {
			policy.Slicer, policy.BucketSize, policy.BatchSize = model.Knapsack, model.Tokens(rng.IntN(200)+1), 0
			policy.Quotas, policy.CountQuotas = nil, nil
		}
		if rng.IntN(4) == 0 {
			policy.Slicer, policy.BucketSize, policy.BatchSize = model.Stream, 0, rng.IntN(9)+1
			policy.Quotas, policy.CountQuotas = nil, nil
		}
		policy.Deduplicate = rng.IntN(4) > 0
		policy.Overflow = model.OverflowStrategies()[rng.IntN(3)]
		f := opened.Budget.Fields()
		if rng.IntN(2) == 0 {
			f = model.BudgetFields{MaxTokens: model.Tokens(20_000 + rng.IntN(50_000))}
			f.TargetTokens = model.Some(f.MaxTokens - model.Tokens(rng.IntN(2)*rng.IntN(3000)))
			randomtest.Reserve(randomtest.Seeded(rng.Uint64(), 1), &f, 9000)
			f.ReservedSlots = [][]model.Slot{nil, {{Kind: model.Memory, Tokens: 700}}, {{Kind: "my kind", Tokens: 5}, {Kind: model.Document, Tokens: 60}}}[rng.IntN(3)]
		}
		budget := musttest.Of(model.NewBudget(f))(t)
		slack := min(model.Tokens(rng.IntN(3000)), budget.TargetTokens())

		query := [...]string{"", "what 'is' --in $HOME?"}[rng.IntN(2)]
		words, ok := o.Reproduce(opened, policy, budget.Fields(), slack, model.Edits{Query: model.Query{Text: query}})
		var again session.Options
		explorer := clitest.Explorer{Shown: func(o session.Options) error { again = o; return nil }}
		if code, _, diagnostics := explorer.Run(true, "", words...); code != command.Fine {
			t.Fatalf("%q is no command line: %s", words, diagnostics)
		}
		second, err := session.Open(ctx, again, session.Input{})
		if err != nil {
			t.Fatalf("%q: %v", words, err)
		}
		got, want := second.Budget.Fields(), budget.Fields()
		got.ReservedSlots, want.ReservedSlots = present(got.ReservedSlots), present(want.ReservedSlots)
		if !reflect.DeepEqual(got, want) || second.Slack != slack {
			t.Errorf("%q: budget %+v slack %v, want %+v and %v", words, got, second.Slack, want, slack)
		}
		if got := second.Set.Edits().Query; got.Text != query || !got.Scored() {
			t.Errorf("%q: the query is %q, want %q", words, got.Text, query)
		}
		was, is := policy, second.Policy
		was.Name, is.Name, was.Description, is.Description = "", "", "", ""
		if was.Slicer == model.Knapsack {
			was.BucketSize, is.BucketSize = was.Bucket(), is.Bucket()
		}
		musttest.Is(t, reflect.DeepEqual(was, is), ok, words, "the policy is the same", was, is)
	}
}

// present are the slots that hold something back.
func present(slots []model.Slot) []model.Slot {
	var some []model.Slot
	for _, s := range slots {
		if s.Tokens > 0 {
			some = append(some, s)
		}
	}
	return some
}
