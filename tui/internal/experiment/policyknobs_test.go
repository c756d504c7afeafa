package experiment

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
)

// TestEveryScorerIsAddedInTheEditor walks the table of scorers: each is added to
// the policy, to a composite and as the inner scorer of another, and each of its
// rows takes what it shows.
func TestEveryScorerIsAddedInTheEditor(t *testing.T) {
	e, original := start(t, sample(t, rand.New(rand.NewPCG(91, 92)), 40))
	find := func(s Setup, label string) Knob {
		t.Helper()
		list := e.PolicyKnobsFor(s, A, original)
		i := slices.IndexFunc(list, func(k Knob) bool { return k.Label == label })
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
			for _, k := range e.PolicyKnobsFor(next, A, original) {
				if k.Section != sectionScorers || strings.Contains(k.Label, "+ ") {
					continue
				}
				if _, err := k.Parse(strings.TrimPrefix(k.Value, "weight ")); err != nil {
					t.Errorf("%s in %s: %q does not take what it shows, %q: %v", kind, where, k.Label, k.Value, err)
				}
				if up, err := k.Step(1, false); err == nil {
					if err := up.Policy[A].Validate(); err != nil {
						t.Errorf("%s in %s: %q steps to an invalid policy: %v", kind, where, k.Label, err)
					}
				}
			}
		}
	}
}

// A weight may be far larger than an int64.
func TestAHugeWeightStepsDown(t *testing.T) {
	e, original := start(t, sample(t, rand.New(rand.NewPCG(93, 94)), 4))
	row := e.PolicyKnobsFor(original, A, original)[0]
	huge, err := row.Parse("1e30")
	if err != nil {
		t.Fatal(err)
	}
	next, err := e.PolicyKnobsFor(huge, A, original)[0].Step(-1, true)
	if err != nil || next.Policy[A].Scorers[0].Weight != 1e30 {
		t.Errorf("a step of 5 from 1e30 leads to %v, %v", next.Policy[A].Scorers[0].Weight, err)
	}
}
