package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/simulate/command"
)

// What Reproduce writes opens the same policy, budget and slack again, read by
// the real flags.
func TestReproduce(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ctx := context.Background()
	for range 60 {
		fixtures := command.FixtureNames()
		o := command.Options{Fixture: fixtures[rng.IntN(len(fixtures))]}
		if rng.IntN(2) == 0 {
			presets := command.PresetNames()
			o.Preset = presets[rng.IntN(len(presets))]
		}
		opened, err := command.Open(ctx, o, command.Streams{})
		if err != nil {
			t.Fatal(err)
		}
		policy := opened.Policy
		if rng.IntN(2) == 0 {
			presets := model.Presets()
			policy = presets[rng.IntN(len(presets))]
		}
		if rng.IntN(2) == 0 {
			policy.Slicer, policy.BucketSize, policy.BatchSize = model.Knapsack, model.Tokens(rng.IntN(200)+1), 0
			policy.Quotas, policy.CountQuotas = nil, nil
		}
		policy.Deduplicate = rng.IntN(4) > 0
		policy.Overflow = model.OverflowStrategies()[rng.IntN(3)]
		f := opened.Budget.Fields()
		if rng.IntN(2) == 0 {
			f.MaxTokens = model.Tokens(20_000 + rng.IntN(50_000))
			f.TargetTokens = f.MaxTokens - model.Tokens(rng.IntN(2)*rng.IntN(3000))
			f.OutputReserve = model.Tokens(rng.IntN(2) * rng.IntN(9000))
			f.SafetyMargin = float64(rng.IntN(3)) * 2.5
			f.ReservedSlots = [][]model.Slot{nil, {{Kind: model.Memory, Tokens: 700}}, {{Kind: "my kind", Tokens: 5}, {Kind: model.Document, Tokens: 60}}}[rng.IntN(3)]
		}
		budget, err := model.NewBudget(f)
		if err != nil {
			t.Fatal(err)
		}
		slack := min(model.Tokens(rng.IntN(3000)), budget.TargetTokens())

		words, ok := o.Reproduce(opened, policy, budget.Fields(), slack)
		var again command.Options
		p := program{
			streams: command.Streams{In: strings.NewReader(""), Out: new(bytes.Buffer), Err: new(bytes.Buffer)}, terminal: true,
			explore: func(_ context.Context, o command.Options, _ look, _ command.Streams) error { again = o; return nil },
		}
		if code := p.run(ctx, words); code != exitFine {
			t.Fatalf("%q is no command line", words)
		}
		second, err := command.Open(ctx, again, command.Streams{})
		if err != nil {
			t.Fatalf("%q: %v", words, err)
		}
		got, want := second.Budget.Fields(), budget.Fields()
		got.ReservedSlots, want.ReservedSlots = present(got.ReservedSlots), present(want.ReservedSlots)
		if !reflect.DeepEqual(got, want) || second.Slack != slack {
			t.Errorf("%q: budget %+v slack %v, want %+v and %v", words, got, second.Slack, want, slack)
		}
		was, is := policy, second.Policy
		was.Name, is.Name, was.Description, is.Description = "", "", "", ""
		if was.Slicer == model.Knapsack {
			was.BucketSize, is.BucketSize = was.Bucket(), is.Bucket()
		}
		if same := reflect.DeepEqual(was, is); same != ok {
			t.Errorf("%q: the policy is the same: %v, said %v\n%+v\n%+v", words, same, ok, was, is)
		}
	}
}

// Every flag that says how sources are read is repeated; those of budget and
// policy follow from what is on the screen.
func TestReproduceRepeatsHowSourcesAreRead(t *testing.T) {
	opened, err := command.Open(context.Background(), command.Options{}, command.Streams{})
	if err != nil {
		t.Fatal(err)
	}
	follows := " Sources Fixture MaxTokens TargetTokens OutputReserve Slots SafetyMargin Slack Policy Preset Slicer BucketSize Placer Overflow NoDedup "
	fields := reflect.TypeFor[command.Options]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		if strings.Contains(follows, " "+name+" ") {
			continue
		}
		var o command.Options
		switch f := reflect.ValueOf(&o).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("7")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int:
			f.SetInt(7)
		case reflect.Float64:
			f.SetFloat(7)
		default:
			t.Errorf("%s: of a kind that this test does not know", name)
		}
		plain, _ := command.Options{}.Reproduce(opened, opened.Policy, opened.Budget.Fields(), opened.Slack)
		if words, _ := o.Reproduce(opened, opened.Policy, opened.Budget.Fields(), opened.Slack); len(words) <= len(plain) {
			t.Errorf("%s is lost: %q", name, words)
		}
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

// A shell reads the words back.
func TestShellLine(t *testing.T) {
	words := []string{"plain", "two words", "it's", "$HOME", "*", "", "a\nb\tc\x1b[2J", "back\\slash '", "\xff\xfe", "世界", "--x=~", "#1"}
	if got := command.ShellLine(words...); !strings.HasPrefix(got, `plain 'two words' 'it'\''s' '$HOME' '*' '' $'a\x0ab`) || strings.ContainsRune(got, 0x1b) {
		t.Errorf("%s", got)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	out, err := exec.Command(bash, "-c", `for w in "$@"; do printf '%s\0' "$w"; done; for w in `+command.ShellLine(words...)+`; do printf '%s\0' "$w"; done`).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !reflect.DeepEqual(got, words) {
		t.Errorf("bash reads %q, want %q", got, words)
	}
}
