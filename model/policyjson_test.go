package model

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
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

func TestParsePolicyErrorsNameTheField(t *testing.T) {
	scorer := func(s string) string { return `{"scorers":[` + s + `]}` }
	with := func(s string) string { return `{"scorers":[{"type":"recency","weight":1}],` + s + `}` }
	for _, c := range []struct{ name, in, field, reason string }{
		{"not JSON", `{"scorers":`, "policy", "is not JSON"},
		{"text after it", with(`"name":"x"`) + "{}", "policy", "is not JSON"},
		{"an array", `[]`, "policy", "is an array"},
		{"no scorers", `{}`, "scorers", "required"},
		{"empty scorers", scorer(""), "scorers", "empty"},
		{"null scorers", `{"scorers":null}`, "scorers", "required"},
		{"scorers an object", `{"scorers":{}}`, "scorers", "is an object"},
		{"a scorer that is text", scorer(`"recency"`), "scorers[0]", "is a string"},
		{"unknown field", with(`"slicer":"greedy"`), "slicer", "known are name"},
		{"unknown field that is null", with(`"slicer":null`), "slicer", "not known"},
		{"case matters", with(`"Name":"x"`), "Name", "not known"},
		{"twice", with(`"name":"x","name":"y"`), "name", "appears twice"},
		{"twice by escape", with(`"name":"x","nam\u0065":"y"`), "name", "appears twice"},
		{"unknown slicer", with(`"slicerType":"optimal"`), "slicerType", "known are greedy"},
		{"slicer a number", with(`"slicerType":1`), "slicerType", "is a number"},
		{"unknown placer", with(`"placerType":"ushaped"`), "placerType", "uShaped"},
		{"unknown overflow", with(`"overflowStrategy":"drop"`), "overflowStrategy", "throw, truncate, proceed"},
		{"bucket without knapsack", with(`"knapsackBucketSize":100`), "knapsackBucketSize", "only knapsack"},
		{"bucket 0", with(`"slicerType":"knapsack","knapsackBucketSize":0`), "knapsackBucketSize", "is 0"},
		{"bucket -1", with(`"slicerType":"knapsack","knapsackBucketSize":-1`), "knapsackBucketSize", "is -1"},
		{"bucket a fraction", with(`"slicerType":"knapsack","knapsackBucketSize":1.5`), "knapsackBucketSize", "whole"},
		{"bucket beyond bounds", with(`"slicerType":"knapsack","knapsackBucketSize":1e13`), "knapsackBucketSize", "must be 1 to"},
		{"bucket beyond everything", with(`"slicerType":"knapsack","knapsackBucketSize":1e999`), "knapsackBucketSize", "whole"},
		{"boolean as text", with(`"deduplicationEnabled":"true"`), "deduplicationEnabled", "true or false"},
		{"unknown scorer", scorer(`{"type":"newest","weight":1}`), "scorers[0].type", "known are recency"},
		{"unknown scorer with its own field", scorer(`{"innerer":{},"type":"newest","weight":1}`), "scorers[0].type", "known are recency"},
		{"no type", scorer(`{"weight":1}`), "scorers[0].type", "required"},
		{"no weight", scorer(`{"type":"kind"}`), "scorers[0].weight", "required"},
		{"weight 0", scorer(`{"type":"kind","weight":0}`), "scorers[0].weight", "above 0"},
		{"weight as text", scorer(`{"type":"kind","weight":"1"}`), "scorers[0].weight", "is a string"},
		{"weight beyond float64", scorer(`{"type":"kind","weight":1e999}`), "scorers[0].weight", "float64"},
		{"unknown field in a scorer", scorer(`{"type":"kind","weight":1,"bias":2}`), "scorers[0].bias", "not known"},
		{"foreign parameter", scorer(`{"type":"recency","weight":1,"kindWeights":{}}`), "scorers[0].kindWeights", "belongs to scorer type kind"},
		{"two foreign parameters, the first is named", scorer(`{"type":"recency","weight":1,"tagWeights":{},"kindWeights":{}}`),
			"scorers[0].kindWeights", "belongs to scorer type kind"},
		{"kind twice", scorer(`{"type":"kind","weight":1,"kindWeights":{"Memory":1,"Memory":1}}`), "scorers[0].kindWeights.Memory", "appears twice"},
		{"kind twice after folding", scorer(`{"type":"kind","weight":1,"kindWeights":{"Memory":1,"MEMORY":1}}`), "scorers[0].kindWeights.MEMORY", "appears twice"},
		{"kind weight null", scorer(`{"type":"kind","weight":1,"kindWeights":{"Memory":null}}`), "scorers[0].kindWeights.Memory", "is null"},
		{"kind weight negative", scorer(`{"type":"kind","weight":1,"kindWeights":{"Memory":-1}}`), "scorers[0].kindWeights.Memory", "at least 0"},
		{"tag without weights", scorer(`{"type":"tag","weight":1}`), "scorers[0].tagWeights", "required"},
		{"composite without scorers", scorer(`{"type":"composite","weight":1}`), "scorers[0].scorers", "required"},
		{"error within", scorer(`{"type":"composite","weight":1,"scorers":[{"type":"kind","weight":-1}]}`), "scorers[0].scorers[0].weight", "above 0"},
		{"nested too deep", scorer(strings.Repeat(`{"type":"composite","weight":1,"scorers":[`, 40) + strings.Repeat(`]}`, 40)), "", "nested more than 32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParsePolicy([]byte(c.in))
			var pe *PolicyError
			if !errors.As(err, &pe) {
				t.Fatalf("error %v is no PolicyError", err)
			}
			if c.field != "" && pe.Field != c.field || !strings.Contains(pe.Reason, c.reason) {
				t.Errorf("field %q, reason %q, want %q, %q", pe.Field, pe.Reason, c.field, c.reason)
			}
		})
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
}

func TestPolicyJSONSpelling(t *testing.T) {
	p, _ := Preset("document-qa")
	p.Description = ""
	got, err := json.Marshal(p)
	want := `{"name":"document-qa","scorers":[{"type":"kind","weight":2},{"type":"reflexive","weight":2},{"type":"priority","weight":1}],` +
		`"slicerType":"knapsack","knapsackBucketSize":100,"placerType":"uShaped","deduplicationEnabled":true,"overflowStrategy":"throw"}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
	if _, err := (Policy{}).JSON(); err == nil {
		t.Errorf("an invalid policy is written: %v", err)
	}
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
			reason, _, _ := strings.Cut(err.Error(), "; known are") // the list grows
			got = []byte(reason)
		}
		if string(got) != want {
			t.Errorf("%s\n gives %s\n not   %s", in, got, want)
		}
	}
}

func TestTagWeightsMayBeEmpty(t *testing.T) {
	p, err := ParsePolicy([]byte(`{"scorers":[{"type":"tag","weight":1,"tagWeights":{}}]}`))
	if err != nil || p.Scorers[0].TagWeights == nil {
		t.Errorf("got %+v, %v, as both reference libraries read it", p, err)
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
			if _, ok := errors.AsType[*PolicyError](err); !ok {
				t.Fatalf("%v is no policy error", err)
			}
			return
		}
		out, err := p.JSON()
		if err != nil {
			t.Fatalf("%q is read but not written: %v", data, err)
		}
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
		if !reflect.DeepEqual(first, kept) {
			t.Fatalf("changed by reading others: %+v, want %+v", first, kept)
		}
	}
}
