package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/query"
	"cupelscope/simulate/turns"
)

// judge decides checks.
type judge struct {
	*study
	checks     []model.Check
	again      io.Reader     // standard input once more
	course     *turns.Course // the policy over all requests; computed on first use, with the next two
	everything turns.Totals  // of sending everything at the same requests
	billing    turns.Billing // what course is billed by
	asked      []checked     // the checks with their selectors parsed
	verdicts   []verdict
	quality    model.Option[quality.Measure] // computed on first use
}

// checked is a check with its selector parsed.
type checked struct {
	model.Check
	items query.Query
}

// target returns the room of a result.
func (j *judge) target(r *model.Report) slicer.Target { return slicer.Target(r.Effective.Target) }

// prepare parses the selectors and extends the axis as far as the checks need. If a
// ceiling was given, it must reach that far.
func (j *judge) prepare(given bool) error {
	far, flag := j.Budget.MaxTokens(), "the budget"
	for _, c := range j.checks {
		q, err := query.Parse(c.Selector)
		if err != nil {
			return fmt.Errorf("%s: %w", sayCheck(c), err)
		}
		j.asked = append(j.asked, checked{c, q})
		if (c.Kind == model.CheckFirstInBy || c.Kind == model.CheckStaysBy) && c.Tokens > far {
			far, flag = c.Tokens, "--"+rowOf(c.Kind).flag
		}
	}
	switch {
	case j.ceiling >= far:
	case given:
		return fmt.Errorf("--ceiling: %v is below %s, which is %v", j.ceiling, flag, far)
	default:
		j.ceiling = far
	}
	return nil
}

// verdict decides one check. It returns an error if the check cannot be decided for
// this source at all.
func (j *judge) verdict(ctx context.Context, c checked) (verdict, error) {
	v, row := verdict{check: c.Check, verdict: holding}, rowOf(c.Kind)
	if row.ofTurns != nil {
		return v, row.ofTurns(j, ctx, &v)
	}
	report, err := j.report(ctx)
	if err != nil {
		return v, err
	}
	if row.ofResult != nil {
		return v, row.ofResult(j, ctx, &v, report)
	}
	items, err := j.named(ctx, c)
	if err != nil {
		return v, err
	}
	v.named = len(items)
	if len(items) == 0 && c.Kind != model.CheckForbid {
		v.verdict, v.says = failing, fmt.Sprintf("none of %s matches, so there is nothing to check", plain.Count(j.Set.Len(), "item"))
		if c.Selector == "" {
			v.verdict, v.says = holding, "nothing is in, so nothing can be lost"
		}
		return v, nil
	}
	return v, row.ofItems(j, ctx, &v, report, items)
}

// named returns the items that a check is about.
func (j *judge) named(ctx context.Context, c checked) ([]int, error) {
	if c.Selector != "" {
		return j.matching(ctx, c.items)
	}
	// Without a selector, stable is about the items of all require checks, or
	// about the items that are in if there is no such check.
	var all []int
	required := false
	for _, other := range j.asked {
		if other.Kind == model.CheckRequire {
			required = true
			items, err := j.matching(ctx, other.items)
			if err != nil {
				return nil, err
			}
			all = append(all, items...)
		}
	}
	if !required {
		report, err := j.report(ctx)
		if err != nil {
			return nil, err
		}
		for _, i := range report.Included {
			all = append(all, int(i))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func (j *judge) require(ctx context.Context, v *verdict, r *model.Report, items []int) error {
	cut := 0
	for _, i := range items {
		switch {
		case !r.In(i):
			v.items = append(v.items, int32(i))
		case r.Shrunk(i):
			cut++
		}
	}
	v.says = fmt.Sprintf("%v of %v in", plain.Thousands(len(items)-len(v.items)), plain.Thousands(len(items)))
	if cut > 0 {
		v.says += fmt.Sprintf(", %v of them cut", plain.Thousands(cut))
	}
	why := export.Words(ctx, j.ranking, r, j.ASCII)
	v.failItems(func(i int32) string { return "out is " + number(i) + ", " + why(int(i)) })
	return nil
}

func (j *judge) forbid(_ context.Context, v *verdict, r *model.Report, items []int) error {
	for _, i := range items {
		if r.In(i) {
			v.items = append(v.items, int32(i))
		}
	}
	v.says = fmt.Sprintf("%v of %v in", plain.Thousands(len(v.items)), plain.Thousands(len(items)))
	if len(items) == 0 {
		v.says = "no item matches"
	}
	v.failItems(number)
	return nil
}

// by judges first-in-by and stays-by.
func (j *judge) by(ctx context.Context, v *verdict, _ *model.Report, items []int) error {
	if err := j.profiled(ctx); err != nil {
		return err
	}
	ask, is, not := j.profile.FirstIn, "is first in at", "never in up to"
	if v.check.Kind == model.CheckStaysBy {
		ask, is, not = j.profile.StaysFrom, plain.StaysFrom, "not in at"
	}
	last, lastItem := model.Tokens(-1), 0
	say := func(i int32) string {
		b, ok := ask(int(i))
		if !ok {
			return fmt.Sprintf("#%d is %s %v", i, not, j.ceiling)
		}
		return fmt.Sprintf("#%d %s %s", i, is, j.tokens(b))
	}
	for _, i := range items {
		b, ok := ask(i)
		if !ok || b > v.check.Tokens {
			v.items = append(v.items, int32(i))
		}
		if ok && b > last {
			last, lastItem = b, i
		}
	}
	if last >= 0 {
		v.measured = model.Some(float64(last))
	}
	if len(v.items) > 0 {
		v.verdict, v.says = failing, fmt.Sprintf("%v of %v not by then: ", plain.Thousands(len(v.items)), plain.Thousands(len(items)))+list(v.items, say)
		return nil
	}
	v.says = fmt.Sprintf("all %v by then, the last #%d: %s %s", plain.Thousands(len(items)), lastItem, strings.TrimPrefix(is, "is "), j.tokens(last))
	if len(items) == 1 {
		v.says = fmt.Sprintf("#%d %s %s", lastItem, is, j.tokens(last))
	}
	return nil
}

// stable judges whether items are in at every budget down to the slack.
func (j *judge) stable(ctx context.Context, v *verdict, _ *model.Report, items []int) error {
	if err := model.ValidateSlack(v.check.Tokens, j.Budget); err != nil {
		return err
	}
	if err := j.profiled(ctx); err != nil {
		return err
	}
	top := j.Budget.MaxTokens()
	low := top - v.check.Tokens
	var bands []simulate.Band
	lostAt := map[int32]model.Tokens{} // the largest budget at which each item is out
	for _, i := range items {
		bands = j.profile.Bands(bands[:0], i)
		k := slices.IndexFunc(bands, func(b simulate.Band) bool { return b.From <= top && top <= b.To })
		switch {
		case k < 0:
			lostAt[int32(i)] = top
		case bands[k].From > low:
			lostAt[int32(i)] = bands[k].From - 1
		default:
			continue
		}
		v.items = append(v.items, int32(i))
	}
	v.says = fmt.Sprintf("%v of %v in at every budget from %v to %v", plain.Thousands(len(items)-len(v.items)), plain.Thousands(len(items)), low, top)
	v.failItems(func(i int32) string { return fmt.Sprintf("#%d is out at %s", i, j.tokens(lostAt[i])) })
	return nil
}

// filled judges how much of the room is used. It always holds if no item that
// competes is left out or cut.
func (j *judge) filled(_ context.Context, v *verdict, r *model.Report) error {
	left := count(r.Excluded, func(i int32) bool { return !r.Codes[i].NeverIn() })
	cut := count(r.Included, func(i int32) bool { return r.Shrunk(int(i)) && r.Codes[i] != model.Pinned })
	share := r.Filled()
	if r.Effective.Target > 0 {
		v.measured = model.Some(share)
	}
	v.says = fmt.Sprintf("%s of %v filled", atLeast(share), r.Effective.Target)
	switch {
	case left+cut == 0:
		v.says += ", and nothing is left out"
	case r.Effective.Target <= 0:
		v.says = "there is no room"
		fallthrough
	case share < v.check.Share:
		v.verdict = failing
		v.says += fmt.Sprintf(", and %s left out", areLeft(left))
		if cut > 0 {
			v.says += fmt.Sprintf(", %v cut", plain.Thousands(cut))
		}
	}
	return nil
}

func areLeft(n int) string {
	if n == 1 {
		return "1 item is"
	}
	return plain.Count(n, "item") + " are"
}

// split judges whether calls and results stay together.
func (j *judge) split(_ context.Context, v *verdict, r *model.Report) error {
	v.named = len(r.Items.Pairs())
	split := r.Split()
	v.says = fmt.Sprintf("%v of %v split", plain.Thousands(len(split)), plain.Count(v.named, "pair"))
	if v.named == 0 {
		v.says = "there are no calls with results"
	}
	for _, p := range split {
		out := p.Call
		if r.In(p.Call) {
			out = p.Result
		}
		v.items = append(v.items, int32(out))
	}
	v.failItems(func(i int32) string {
		pair, _ := r.Items.PairOf(int(i))
		if pair.Call == int(i) {
			return fmt.Sprintf("the result #%d without the call #%d", pair.Result, pair.Call)
		}
		return fmt.Sprintf("the call #%d without the result #%d", pair.Call, pair.Result)
	})
	return nil
}

// belowBest judges how far the value is below the best possible value: the largest
// value of any selection of the candidates that fits, regardless of quotas. It is
// computed exactly. If that takes too much memory, or the scores are too far apart,
// Dantzig's bound takes its place. The bound is never below the best possible value,
// so a result that is close enough to the bound passes; otherwise the verdict is
// unknown.
func (j *judge) belowBest(ctx context.Context, v *verdict, r *model.Report) error {
	target := j.target(r)
	best, err := simulate.NewOptimum(ctx, j.ranking, target)
	if _, large := errors.AsType[*simulate.OptimumError](err); large {
		j.belowBound(v, r, err)
		return nil
	}
	if err != nil {
		return err
	}
	below := best.BelowBest(r.Value, target)
	if !below.Set {
		j.belowBound(v, r, errors.New("the scores are too far apart"))
		return nil
	}
	v.measured = below
	v.says = fmt.Sprintf("%s %s: value %.3f of %.3f", belowBest(below.Value), plain.BelowBest, r.Value, max(r.Value, best.At(target)))
	if !(below.Value <= v.check.Share) {
		v.verdict = failing
	}
	return nil
}

// belowBound judges by the distance to Dantzig's bound, which is at least the
// distance to the best possible value.
func (j *judge) belowBound(v *verdict, r *model.Report, why error) {
	target := j.target(r)
	below, most := 0.0, simulate.NewBound(j.ranking, target).At(target)
	if most > 0 && most > r.Value {
		below = (most - r.Value) / most
	}
	v.measured = model.Some(below)
	v.says = fmt.Sprintf("at most %s %s, by a bound", belowBest(below), plain.BelowBest)
	if !(below <= v.check.Share) {
		v.verdict = undecidable
		v.says += fmt.Sprintf("; how far exactly is not known: %v", why)
	}
}
