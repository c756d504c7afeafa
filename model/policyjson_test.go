package model

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

func TestParsePolicyDefaults(t *testing.T) {
	got, err := ParsePolicy([]byte(`{"scorers":[{"type":"recency","weight":1}]}`))
	want := NewPolicy(Scorer{Type: ScoreRecency, Weight: 1})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v, want %+v", got, err, want)
	}
	nulls := `{"name":null,"scorers":[{"type":"recency","weight":1,"kindWeights":null,"scorers":null}],"slicerType":null,
		"knapsackBucketSize":null,"quotas":[],"countQuotas":null,"deduplicationEnabled":null}`
	if got, err = ParsePolicy([]byte(nulls)); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("with nulls: got %+v, %v", got, err)
	}
}

// What is not known is told with what is. policies.txt has these errors, and all others,
// without the lists, which grow.
func TestParsePolicyErrorsTellWhatIsKnown(t *testing.T) {
	with := func(s string) string { return `{"scorers":[{"type":"recency","weight":1}],` + s + `}` }
	scorer := func(s string) string { return `{"scorers":[{"weight":1,` + s + `}]}` }
	composites := strings.Repeat(`{"type":"composite","weight":1,"scorers":[`, 40) + strings.Repeat(`]}`, 40)
	scaled := `"type":"scaled"` + strings.Repeat(`,"innerScorer":{"weight":1,"type":"scaled"`, 40) + strings.Repeat(`}`, 40)
	for in, want := range map[string]string{
		with(`"slicer":"greedy"`):                        "slicer: is not known; known are name",
		with(`"slicerType":"optimal"`):                   "known are greedy",
		with(`"placerType":"ushaped"`):                   "uShaped",
		with(`"overflowStrategy":"drop"`):                "throw, truncate, proceed",
		scorer(`"type":"newest"`):                        "known are recency",
		with(`"countQuotas":[],"scarcityBehavior":"no"`): "degrade, throw",
		scorer(`"type":"decay","referenceTime":"2025-01-01","curve":{"type":"linear"}`): "exponential, step, window",
		`{"scorers":[` + composites + `]}`:                                              "nested more than 32",
		scorer(scaled):                                                                  "more than 32",
	} {
		musttest.Says(t, musttest.Refusal(ParsePolicy([]byte(in))), want, in)
	}
}

func TestPolicyJSONRoundTrips(t *testing.T) {
	odd := NewPolicy(
		Scorer{Type: ScoreKind, Weight: 0.1, KindWeights: []KindWeight{{"Zeta", 1e-300}, {"Alpha \"<&>\"", 0}, {"é\n", 3}}},
		Scorer{Type: ScoreKind, Weight: 1, KindWeights: []KindWeight{}}, // no kind has a weight: not the defaults
		Scorer{Type: ScoreTag, Weight: 1.0 / 3, TagWeights: []TagWeight{{"b", 2}, {"a", 1e21}, {"", 0}}},
		Scorer{Type: ScoreComposite, Weight: 5e-324, Scorers: []Scorer{{Type: ScoreComposite, Weight: 1, Scorers: []Scorer{{Type: ScoreReflexive, Weight: 1}}}}},
	)
	odd.Slicer, odd.BucketSize, odd.Placer, odd.Deduplicate, odd.Overflow = Knapsack, MaxTokens, UShaped, false, Proceed
	for _, p := range append(append(Presets(), odd), everyField()...) {
		data := musttest.Of(p.JSON())(t)
		got, err := ParsePolicy(data)
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%s comes back as %+v, %v", data, got, err)
		}
		line, err := json.Marshal(p) // through encoding/json, as within a scenario
		musttest.Do(t, err)
		var viaJSON Policy
		if err := json.Unmarshal(line, &viaJSON); err != nil || !reflect.DeepEqual(viaJSON, p) {
			t.Errorf("%s comes back as %+v, %v", line, viaJSON, err)
		}
	}
	musttest.Fails(t, musttest.Refusal((Policy{}).JSON()), "an invalid policy is written")
}

// policies.txt has a policy a paragraph: as it is read, and as it is written or
// why it is refused. What scenarios have saved must keep opening.
func TestPoliciesAreReadAndWrittenAsEver(t *testing.T) {
	text := musttest.Of(os.ReadFile("testdata/policies.txt"))(t)
	for _, paragraph := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		in, want, _ := strings.Cut(paragraph, "\n")
		p, err := ParsePolicy([]byte(in))
		got, _ := p.MarshalJSON()
		if err != nil {
			musttest.As[*PolicyError](t, err, in)
			reason, _, _ := strings.Cut(err.Error(), "; known are") // the list grows
			got = []byte(reason)
		}
		musttest.Is(t, string(got), want, in)
	}
}

func FuzzParsePolicy(f *testing.F) {
	f.Add([]byte(`{"scorers":[{"type":"kind","weight":1,"kindWeights":{"Memory":2}}],"slicerType":"knapsack","knapsackBucketSize":7}`))
	f.Add([]byte(`{"scorers":[{"type":"composite","weight":1,"scorers":[{"type":"tag","weight":1e9,"tagWeights":{"":1}}]}],"name":"\ud800"}`))
	f.Add([]byte(`{"scorers":null,"quotas":[]}`))
	for _, p := range everyField() {
		text := musttest.Of(p.JSON())(f)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParsePolicy(data)
		if err != nil {
			musttest.As[*PolicyError](t, err)
			return
		}
		out := musttest.Of(p.JSON())(t, data)
		if again, err := ParsePolicy(out); err != nil || !reflect.DeepEqual(again, p) {
			t.Fatalf("%q: %s comes back as %+v, %v", data, out, again, err)
		}
	})
}

// A batch checks a policy several times a line, so the tables of scorers are
// not built anew for that.
func TestValidateReusesTables(t *testing.T) {
	p := NewPolicy(Scorer{Type: ScoreRecency, Weight: 1}, Scorer{Type: ScoreReflexive, Weight: 2}, Scorer{Type: ScoreKind, Weight: 1})
	n := testing.AllocsPerRun(100, func() {
		musttest.Do(t, p.Validate())
	})
	if most := 50.0; n > most { // 12, and 76 without reuse; the race detector drops some tables
		t.Errorf("%v allocations, want at most %v", n, most)
	}
}

// Tables are reused, so nothing of one policy may show in another.
func TestPoliciesDoNotShareTables(t *testing.T) {
	full := `{"scorers":[{"type":"composite","weight":1,"scorers":[{"type":"tag","weight":2,"tagWeights":{"a":1}}]},
		{"type":"decay","weight":1,"referenceTime":"2025-01-01T00:00:00Z","curve":{"type":"step","windows":[{"maxAgeSeconds":1,"score":1}]}}],
		"quotas":[{"kind":"Message","minPercent":5}]}`
	for range 3 {
		first := musttest.Of(ParsePolicy([]byte(full)))(t)
		kept := first.Clone()
		plain, err := ParsePolicy([]byte(`{"scorers":[{"type":"recency","weight":1}]}`))
		if want := NewPolicy(Scorer{Type: ScoreRecency, Weight: 1}); err != nil || !reflect.DeepEqual(plain, want) {
			t.Fatalf("after a policy with everything: %+v, %v, want %+v", plain, err, want)
		}
		if _, err := ParsePolicy([]byte(`{"scorers":[{"type":"tag","weight":1,"tagWeights":{"b":-1}}]}`)); err == nil {
			t.Fatal("a tag weight below 0 is accepted")
		}
		musttest.Is(t, first, kept, "changed by reading others")
	}
}

// TestEverySlicerHasItsWords holds that a slicer that is added says what it does.
func TestEverySlicerHasItsWords(t *testing.T) {
	for _, s := range SlicerTypes() {
		if other := s.Other(); other == s || !slices.Contains(SlicerTypes(), other) {
			t.Errorf("%s is compared with %q", s, other)
		}
		p := Policy{Slicer: s}
		texts := []string{p.SlicerDoes()}
		if s.Divisible() {
			texts = append(texts, p.SlicerFills("each share"), s.Counted())
		}
		for _, text := range texts {
			if text == "" || strings.Contains(text, "%!") {
				t.Errorf("%s: %q", s, text)
			}
		}
	}
}

func TestASizeBelongsToItsSlicer(t *testing.T) {
	p := Policy{Slicer: Knapsack}
	if err := p.SetSize(7); err != nil || p.Bucket() != 7 || p.SlicerName() != "knapsack:7" {
		t.Errorf("%s, %v", p.SlicerName(), err)
	}
	p.SetSlicer(Knapsack)
	musttest.Is(t, p.Bucket(), 7, "the same slicer lost its size")
	p.SetSlicer(Stream)
	if p.BucketSize != 0 || p.SlicerName() != "stream:32" {
		t.Errorf("%s, buckets of %v", p.SlicerName(), p.BucketSize)
	}
	for n, wrong := range map[Tokens]string{0: "at least 1", maxCount + 1: "at most"} {
		musttest.Says(t, p.SetSize(n), wrong, "a size of", n)
	}
	p.SetSlicer(Greedy)
	musttest.Fails(t, p.SetSize(5), "greedy took a size")
}

func TestWhatIsNotCupelsIsNamed(t *testing.T) {
	power := NewScorer(ScorePower, begin)
	nested := NewScorer(ScoreComposite, begin)
	nested.Scorers = append(nested.Scorers, Scorer{Type: ScoreScaled, Weight: 1, Inner: &power})
	p := NewPolicy(NewScorer(ScoreRecency, begin), power, nested)
	p.Slicer = Rank
	want := []string{"scorers[1] is power", "scorers[2].scorers[1].innerScorer is power", "slicerType is rank"}
	musttest.Is(t, p.NotCupel(), want, "not Cupel's")
	_, err := p.CupelJSON()
	musttest.Says(t, err, strings.Join(want, ", "), "written for Cupel")
	data := musttest.Of(p.JSON())(t)
	musttest.Is(t, musttest.Refusal(ParsePolicy(data)), nil, "our own JSON is not read")
	for _, preset := range Presets() {
		musttest.Is(t, musttest.Refusal(preset.CupelJSON()), nil, preset.Name)
	}
	ours := 0
	for _, s := range SlicerTypes() {
		if s.Ours() {
			ours++
			p := NewPolicy(Scorer{Type: ScoreRecency, Weight: 1})
			p.Slicer = s
			musttest.Fails(t, musttest.Refusal(p.CupelJSON()), s)
		}
	}
	musttest.Is(t, ours, 2)
}

// A title has a star where the policy differs from what its name stands for: a preset, or
// what was read under that name.
func TestTheTitleTellsAChange(t *testing.T) {
	preset, _ := Preset("chat")
	file := musttest.Of(ParsePolicy([]byte(`{"name":"mine","scorers":[{"type":"recency","weight":1}]}`)))(t).AsRead()
	for _, p := range []Policy{preset, file} {
		changed := p.Clone()
		changed.SetSlicer(Knapsack)
		musttest.Is(t, p.Title(), p.Name)
		musttest.Is(t, changed.Title(), p.Name+"*")
		changed.SetSlicer(p.Slicer)
		musttest.Is(t, changed.Title(), p.Name)
	}
}
