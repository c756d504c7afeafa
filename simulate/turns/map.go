package turns

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Axis is a key of a rule, and the values that a map tries for it.
type Axis struct {
	Key    string
	Values []int
}

// Axes returns the axes that a map of a strategy can have, with the values that they try.
func Axes(s Strategy) []Axis {
	trigger := Axis{"trigger", []int{10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 80_000, 100_000, 150_000}}
	atLeast := Axis{"at-least", []int{0, 2_000, 5_000, 10_000, 20_000, 30_000}}
	keepTokens := Axis{"keep-tokens", []int{0, 5_000, 10_000, 20_000, 30_000, 40_000}}
	keep := Axis{"keep", []int{0, 1, 2, 3, 5, 10, 20, 40}}
	switch s {
	case Clear:
		return []Axis{trigger, atLeast, keep, keepTokens, {"note", []int{0, 10, 30, 100, 300}}}
	case Summarise:
		return []Axis{trigger, keepTokens, atLeast, keep, {"summary", []int{500, 1_000, 2_000, 4_000, 8_000}}}
	}
	return []Axis{trigger, keep, atLeast, keepTokens}
}

// Above returns the axis without the triggers that do what a higher one does: the fixed part of
// the prompts alone exceeds them, so every window is full. The highest of these stays, and all
// values that were given stay.
func (a Axis) Above(s Strategy, fixed model.Tokens) Axis {
	if a.Key != "trigger" || !slices.Equal(a.Values, Axes(s)[0].Values) {
		return a
	}
	above, _ := slices.BinarySearch(a.Values, int(fixed)+1)
	a.Values = a.Values[max(0, above-1):]
	return a
}

// SayAbove says that every window is over the lowest trigger of two axes; "" where that is not
// known.
func SayAbove(axes [2]Axis, fixed model.Tokens) string {
	for _, a := range axes {
		if a.Key == "trigger" && len(a.Values) > 0 && a.Values[0] <= int(fixed) {
			return fmt.Sprintf("every window is over trigger %s, and lower ones: each begins with %v tokens or more", plain.Thousands(a.Values[0]), fixed)
		}
	}
	return ""
}

// ParseAxes reads the two axes of a map of a strategy: "trigger,at-least", or with values
// of one's own as in "trigger=10k+20k+30k,keep=0+3"; "": the first two of Axes. The error
// names what is not known.
func ParseAxes(s Strategy, text string) (axes [2]Axis, err error) {
	all := Axes(s)
	if text == "" {
		return [2]Axis(all[:2]), nil
	}
	names := plain.Texts(all, func(a Axis) string { return a.Key })
	parts := strings.Split(text, ",")
	if len(parts) != 2 {
		return axes, fmt.Errorf("%.80q must be two keys, as in trigger,at-least", text)
	}
	for k, part := range parts {
		key, values, own := strings.Cut(strings.TrimSpace(part), "=")
		at := slices.Index(names, key)
		if at < 0 {
			return axes, fmt.Errorf("%s: %w", s, unknown("key", key, names))
		}
		axes[k] = all[at]
		if !own {
			continue
		}
		axes[k].Values = nil
		for value := range strings.SplitSeq(values, "+") {
			n, err := model.ParseTokens(value)
			if err != nil {
				return axes, fmt.Errorf("%s: %w", key, err)
			}
			if slices.Contains(axes[k].Values, int(n)) {
				return axes, fmt.Errorf("%s: %v is given twice", key, n)
			}
			axes[k].Values = append(axes[k].Values, int(n))
		}
	}
	switch pairs := len(axes[0].Values) * len(axes[1].Values); {
	case axes[0].Key == axes[1].Key:
		return axes, fmt.Errorf("%s is given twice: a map has two different keys", axes[0].Key)
	case pairs > maxPairs:
		return axes, fmt.Errorf("%d pairs: must be at most %d", pairs, maxPairs)
	}
	return axes, nil
}

// maxPairs is the largest number of pairs of a map.
const maxPairs = 10_000

// MapPlans returns the plan with each pair of values of two axes, the second
// running fastest. The error says which value is out of bounds.
func MapPlans(p Plan, axes [2]Axis) ([]Plan, error) {
	var plans []Plan
	for _, first := range axes[0].Values {
		for _, second := range axes[1].Values {
			at := p
			at.Name = ""
			at.set(axes[0].Key, first)
			at.set(axes[1].Key, second)
			if err := at.validate(); err != nil {
				return nil, err
			}
			plans = append(plans, at)
		}
	}
	return plans, nil
}

// set sets a key of the rule that is a number.
func (p *Plan) set(key string, value int) {
	for _, k := range ruleKeys() {
		if k.name == key {
			_ = k.set(&p.Rule, fmt.Sprint(value)) // a whole number is never refused
		}
	}
}

// CheapestThatFits returns the index of the totals that cost least of those whose windows
// all fit the target, the first of equals, or -1 if none does.
func CheapestThatFits(totals []Totals) int {
	fit := slices.Clone(totals)
	for k := range fit {
		if fit[k].Over > 0 || fit[k].Failed > 0 {
			fit[k].Against = 0 // no ratio
		}
	}
	return Least(fit)
}

// Unbeaten returns the indexes of the totals whose windows all fit the target and that no other
// such totals beat on cost and recall both, the cheapest first; nil without recall.
func Unbeaten(totals []Totals) (best []int) {
	var all []int
	for k, t := range totals {
		_, judged := t.Recall()
		if _, ok := t.CostRatio(); ok && judged && t.Over+t.Failed == 0 {
			all = append(all, k)
		}
	}
	cost := func(k int) float64 { ratio, _ := totals[k].CostRatio(); return ratio }
	recall := func(k int) float64 { share, _ := totals[k].Recall(); return share }
	slices.SortStableFunc(all, func(a, b int) int {
		return cmp.Or(cmp.Compare(cost(a), cost(b)), cmp.Compare(recall(b), recall(a)))
	})
	for _, k := range all {
		if n := len(best); n == 0 || recall(k) > recall(best[n-1]) {
			best = append(best, k)
		}
	}
	return best
}

// GridOf bills one plan at the points of a Grid, as Grid does for a course.
func (s *History) GridOf(ctx context.Context, p Plan, b model.Budget, by Billing, all *Course, o Options) (g Grid, err error) {
	p.Fixed = by.Fixed.Tokens
	windows, changes, err := s.windows(ctx, p, b, o, false)
	if err != nil {
		return g, err
	}
	return s.Grid(s.Bill(p, windows, changes, b.TargetTokens(), by, all), all, by), nil
}
