package model

import (
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

func TestParseChecks(t *testing.T) {
	got := musttest.Of(ParseChecks([]byte(`[
		{"require": "kind:system", "name": "the rules"}, {"forbid": "is:dup"},
		{"for": "#12", "firstInBy": 1.6e4}, {"staysBy": 32000, "for": "kind:sys"},
		{"stable": 1000}, {"stable": 0, "for": "kind:mem", "name": null},
		{"minFilled": 29}, {"maxBelowBest": 0.025}, {"maxGap": 2.5}, {"noSplitPairs": true}, {"minPrefix": 75}, {"maxCostRatio": 1.2}]`)))(t)
	want := []Check{
		{Kind: CheckRequire, Name: "the rules", Selector: "kind:system"}, {Kind: CheckForbid, Selector: "is:dup"},
		{Kind: CheckFirstInBy, Selector: "#12", Tokens: 16000}, {Kind: CheckStaysBy, Selector: "kind:sys", Tokens: 32000},
		{Kind: CheckStable, Tokens: 1000}, {Kind: CheckStable, Selector: "kind:mem"},
		{Kind: CheckMinFilled, Share: 0.29}, {Kind: CheckMaxBelowBest, Share: 0.025}, {Kind: CheckMaxBelowBest, Share: 0.025}, {Kind: CheckNoSplitPairs}, {Kind: CheckMinPrefix, Share: 0.75}, {Kind: CheckMaxCostRatio, Ratio: 1.2},
	}
	musttest.Is(t, got, want)
}

func TestChecksRefused(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"no JSON", `[`, "is not JSON"},
		{"no array", `{}`, "is an object, must be an array"},
		{"no object", `["require"]`, "checks[0] is a string"},
		{"no check", `[{}]`, "checks[0] has no check; known are require, forbid"},
		{"only a name", `[{"name": "x"}]`, "checks[0] has no check"},
		{"an unknown one", `[{"want": "x"}]`, "checks[0].want is not known"},
		{"two in one", `[{"require": "a", "forbid": "b"}]`, "checks[0].forbid is a second check beside require"},
		{"twice", `[{"require": "a", "require": "b"}]`, "appears twice"},
		{"no selector", `[{"forbid": " "}]`, "forbid needs a selector"},
		{"two selectors", `[{"for": "a", "require": "b"}]`, "checks[0].for is given"},
		{"two selectors, the other way", `[{"require": "b", "for": "a"}]`, "checks[0].for is given"},
		{"nothing to be by then", `[{"staysBy": 5}]`, `staysBy needs "for"`},
		{"a selector of no use", `[{"maxGap": 5, "for": "a"}]`, `takes no "for"`},
		{"a fraction of a token", `[{"stable": 1.5}]`, "must be a whole number"},
		{"tokens below 0", `[{"stable": -1}]`, "must be 0 to"},
		{"too many percent", `[{"minFilled": 101}]`, "checks[0].minFilled is 101, must be 0 to 100"},
		{"percent where a share is wanted", `[{"maxBelowBest": 2.5}]`, "maxBelowBest is 2.5, must be 0 to 1"},
		{"the old name beside the new", `[{"maxGap": 2, "maxBelowBest": 0.02}]`, "is a second check beside maxBelowBest"},
		{"percent as a text", `[{"minFilled": "80"}]`, "is a string, must be a number"},
		{"split wanted", `[{"noSplitPairs": false}]`, "must be true"},
		{"split wanted, by the old name", `[{"noParted": false}]`, "noParted must be true"},
	} {
		_, err := ParseChecks([]byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), "invalid checks: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

func FuzzParseChecks(f *testing.F) {
	f.Add(`[{"require": "a"}, {"stable": 1, "for": "b"}]`)
	f.Fuzz(func(t *testing.T, text string) {
		all, _ := ParseChecks([]byte(text))
		for _, c := range all {
			musttest.Do(t, c.Validate())
		}
	})
}
