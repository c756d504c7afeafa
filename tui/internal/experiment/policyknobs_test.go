package experiment

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// TestEveryScorerIsAddedInTheEditor walks the table of scorers: each is added to
// the policy, to a composite and as the inner scorer of another, and each of its
// rows takes what it shows.
func TestEveryScorerIsAddedInTheEditor(t *testing.T) {
	e, original := start(t, sample(t, rand.New(rand.NewPCG(91, 92)), 40))
	find := func(s Setup, label string) Knob {
		t.Helper()
		list := e.PolicyKnobs(s, A, original)
		i := slices.IndexFunc(list, func(k Knob) bool { return strings.Repeat("  ", k.Depth)+k.Label == label })
		if i < 0 {
			t.Fatalf("no row %q", label)
		}
		return list[i]
	}
	typed := func(s Setup, label, text string) Setup {
		t.Helper()
		k := find(s, label)
		if k.Choices != nil && !slices.Contains(k.Choices, text) {
			t.Errorf("%q does not offer %s", label, text)
		}
		next, err := k.Parse(text)
		if err != nil {
			t.Fatalf("%q takes %s: %v", label, text, err)
		}
		return next
	}
	withComposite := typed(original, "+ scorer", "composite")
	withScaled := typed(original, "+ scorer", "scaled")
	for _, kind := range model.ScorerTypes() {
		for where, next := range map[string]Setup{
			"the policy":  typed(original, "+ scorer", string(kind)),
			"a composite": typed(withComposite, "  + scorer", string(kind)),
			"scaled":      typed(withScaled, "  of", string(kind)),
		} {
			for _, k := range e.PolicyKnobs(next, A, original) {
				if k.Section != sectionScorers || strings.Contains(k.Label, "+ ") {
					continue
				}
				musttest.Is(t, musttest.Refusal(k.Parse(strings.TrimPrefix(k.Value, "weight "))), nil, kind, "in", where, k.Label, "does not take what it shows", k.Value)
				if up, err := k.Step(1, false); err == nil {
					musttest.Is(t, up.Policy[A].Validate(), nil, kind, "in", where, k.Label, "steps to an invalid policy")
				}
			}
		}
	}
}

// A weight may be far larger than an int64.
func TestAHugeWeightStepsDown(t *testing.T) {
	e, original := start(t, sample(t, rand.New(rand.NewPCG(93, 94)), 4))
	row := e.PolicyKnobs(original, A, original)[0]
	huge := musttest.Of(row.Parse("1e30"))(t)
	next, err := e.PolicyKnobs(huge, A, original)[0].Step(-1, true)
	if err != nil || next.Policy[A].Scorers[0].Weight != 1e30 {
		t.Errorf("a step of 5 from 1e30 leads to %v, %v", next.Policy[A].Scorers[0].Weight, err)
	}
}

// A knob with a Field sets the number of that Field: what is typed gives the policy and the
// budget that the number gives, at both ends of the grid. All numbers have a knob.
func TestAKnobSetsTheNumberOfItsField(t *testing.T) {
	e, original := start(t, sample(t, rand.New(rand.NewPCG(93, 94)), 40))
	kind := model.Message
	policies := map[string]func(*model.Policy){
		"preset": func(*model.Policy) {},
		"bucket": func(p *model.Policy) { p.Slicer = model.Knapsack },
		"shares": func(p *model.Policy) {
			p.Quotas = []model.Quota{{Kind: model.Document, MaxPercent: model.Some(40.)}, {Kind: kind, MinPercent: model.Some(12.5), MaxPercent: model.Some(60.)}}
		},
		"counts": func(p *model.Policy) {
			p.CountQuotas = []model.CountQuota{{Kind: kind, Require: 2, Cap: 5}, {Kind: model.Document, Cap: 3}}
		},
	}
	for name, change := range policies {
		now := original
		now.Policy[A] = now.Policy[A].Clone()
		change(&now.Policy[A])
		musttest.Do(t, now.Policy[A].Validate())
		all := append(e.Knobs(now, A, original), e.PolicyKnobs(now, A, original)...)
		budget := musttest.Of(model.NewBudget(now.Budget))(t)
		for _, n := range model.Numbers(now.Policy[A], budget, nil) {
			i := slices.IndexFunc(all, func(k Knob) bool { return strings.EqualFold(k.Field, n.Field) })
			if i < 0 {
				t.Errorf("%s: %s has no knob", name, n.Field)
				continue
			}
			musttest.Is(t, all[i].Number, model.Some(n.Value), name, "the knob of", n.Field, "is", n.Value)
			for _, point := range [...]int64{n.First, n.Last} {
				text := n.Text(n.At(point))
				if all[i].Percent {
					text += "%"
				}
				got, err := all[i].Parse(text)
				policy, fields := n.Set(now.Policy[A], budget.Fields(), n.At(point))
				if err != nil || !got.Policy[A].Same(policy) || !reflect.DeepEqual(got.Budget, fields) {
					t.Errorf("%s: %s at %s: the knob sets another value, error %v", name, n.Field, text, err)
				}
			}
		}
	}
}

// The bars of a kind scorer compare its kinds: the largest score is the whole, and 1 at least.
func TestBarsOfKindsAreOfTheLargest(t *testing.T) {
	e, original := start(t, sample(t, rand.New(rand.NewPCG(93, 94)), 4))
	for largest, whole := range map[float64]float64{.5: 1, 30: 30} {
		now := original
		now.Policy[A] = now.Policy[A].Clone()
		now.Policy[A].Scorers = []model.Scorer{{Type: model.ScoreKind, Weight: 1, KindWeights: []model.KindWeight{{Kind: model.Message, Weight: largest}, {Kind: model.Memory, Weight: .25}}}}
		bars := 0
		for _, k := range e.PolicyKnobs(now, A, original) {
			if !k.Bar.Set || k.Share {
				continue
			}
			bars++
			if k.Bar.Value != k.Number.Value/whole {
				t.Errorf("%s has %v and a bar of %v, want %v of it", k.Label, k.Number.Value, k.Bar.Value, whole)
			}
		}
		if bars < 2 {
			t.Errorf("there are %d bars", bars)
		}
	}
}

// A policy may be of a megabyte: its rows are bounded, and what is left is told. Eight times as many scorers do not take
// sixty-four times as long.
func TestTheRowsOfALargePolicyAreBounded(t *testing.T) {
	e, original := start(t, sample(t, rand.New(rand.NewPCG(93, 94)), 4))
	with := func(change func(*model.Policy)) Setup {
		p := original.Policy[A].Clone()
		p.Scorers, p.CountQuotas, p.Quotas = nil, nil, nil
		change(&p)
		musttest.Do(t, p.Validate())
		return original.WithPolicy(A, p)
	}
	scorers := func(n int) Setup {
		return with(func(p *model.Policy) {
			p.Scorers = slices.Repeat([]model.Scorer{{Type: model.ScoreReflexive, Weight: 1}}, n)
		})
	}
	many := func(p *model.Policy, add func(name string)) {
		p.Scorers = []model.Scorer{{Type: model.ScoreReflexive, Weight: 1}}
		for i := range 20_000 {
			add(fmt.Sprint("K", i))
		}
	}
	for name, c := range map[string]struct {
		setup Setup
		left  string
	}{
		"scorers": {scorers(20_000), "19,000 more rows"},
		"in another": {with(func(p *model.Policy) {
			p.Scorers = []model.Scorer{{Type: model.ScoreComposite, Weight: 1, Scorers: scorers(20_000).Policy[A].Scorers}}
		}), "19,001 more rows"},
		"tags": {with(func(p *model.Policy) {
			tag := model.Scorer{Type: model.ScoreTag, Weight: 1}
			many(p, func(name string) { tag.TagWeights = append(tag.TagWeights, model.TagWeight{Tag: name, Weight: 1}) })
			p.Scorers = append(p.Scorers, tag)
		}), "19,003 more rows"},
		"quotas": {with(func(p *model.Policy) {
			many(p, func(name string) {
				p.Quotas = append(p.Quotas, model.Quota{Kind: model.Kind(name), MaxPercent: model.Some(50.0)})
			})
		}), "19,905 more kinds"},
	} {
		rows := e.PolicyKnobs(c.setup, A, original)
		at := slices.IndexFunc(rows, func(k Knob) bool { return k.Label == c.left })
		if len(rows) > 1_500 || at < 0 || rows[at].Excluded == "" {
			t.Errorf("%s: %d rows, %q is row %d", name, len(rows), c.left, at)
		}
	}
}

// A quota that is in force has its rows, though no item be of its kind, or the kind be beyond those that have knobs.
func TestEveryQuotaHasItsRows(t *testing.T) {
	items := make([]model.Item, 40)
	for i := range items {
		items[i] = model.Item{Content: "a", Tokens: 1, Kind: model.Kind(fmt.Sprint("K", i))}
	}
	e, original := start(t, musttest.Of(model.NewSet(items))(t))
	for _, kind := range []model.Kind{"K39", "Invoice", "message"} {
		p := original.Policy[A].Clone()
		p.Quotas = []model.Quota{{Kind: kind, MaxPercent: model.Some(50.0)}}
		setup := original.WithPolicy(A, p)
		var rows []Knob
		for _, k := range e.PolicyKnobs(setup, A, original) {
			if k.Kind.Is(kind) && k.Column == maxShare {
				rows = append(rows, k)
			}
		}
		if len(rows) != 1 || rows[0].Value != "50" {
			t.Errorf("%s has the rows %v", kind, rows)
			continue
		}
		if next := musttest.Of(rows[0].Parse(Unset))(t); len(next.Policy[A].Quotas) > 0 {
			t.Errorf("%s is not cleared: %v", kind, next.Policy[A].Quotas)
		}
	}
}
