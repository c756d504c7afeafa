package pipeline

import (
	"errors"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// TestRandomCasesMeetWhatTheyAreFor: a comparison shows nothing of what its
// cases never meet.
func TestRandomCasesMeetWhatTheyAreFor(t *testing.T) {
	r := randomtest.Seeded(21, 22)
	met := map[string]int{}
	for range 9000 {
		s := musttest.Of(randomtest.Set(r))(t)
		p := randomtest.Policy(r)
		b := musttest.Of(randomtest.Budget(r))(t)
		report, err := rankOf(t, p, s).DryRun(b)
		_, scarce := errors.AsType[*model.ScarcityError](err)
		_, over := errors.AsType[*model.OverflowError](err)
		switch {
		case scarce:
			met["scarcity"]++
		case over && len(p.CountQuotas) > 0:
			met["overflow by what is committed"]++
		}
		if err != nil {
			continue
		}
		met["shortfalls"] += len(report.Shortfalls)
		if report.SlicedTokens > report.Effective.Target {
			met["committed beyond the target"]++
		}
		if len(p.CountQuotas) > 0 {
			met["truncated"] += len(report.Truncated)
		}
		for _, code := range report.Codes {
			switch {
			case code == model.CountCapExceeded:
				met["cap with "+string(p.Slicer)]++
			case code == model.Scored && len(p.Quotas) > 0:
				met["quota with "+string(p.Slicer)]++
			case code == model.Scored && p.Slicer == model.Stream:
				met["stream"]++
			}
		}
	}
	for _, what := range []string{"scarcity", "overflow by what is committed", "shortfalls", "committed beyond the target", "truncated",
		"cap with greedy", "cap with knapsack", "quota with greedy", "quota with knapsack", "stream"} {
		if met[what] < 15 {
			t.Errorf("%s: %d cases, want at least 15 (of %v)", what, met[what], met)
		}
	}
}
