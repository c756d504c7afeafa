package quality

import (
	"context"
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Tuning is the result of Tune.
type Tuning struct {
	Cases, Groups int // the numbers that were measured
	Folds         int
	Grid, Tried   int // the number of policies in the grid, and of all that were tried
	Best          Found
	Cupel         model.Option[Found] // the best of the policies that Cupel can load; not set if it can load none of them
	// ByScore are the current policy with each slicer of ours that goes by score alone in
	// place of its own. Nothing of them was chosen: HeldOut is over all cases.
	ByScore []Found
	// Recommended says whether Best is better than the current policy beyond
	// chance, and Why gives the reason in a sentence.
	Recommended bool
	Why         string
	Stopped     bool // the context ended the search early; Best is the best until then
}

// Found is a policy that Tune found, with figures that were measured on cases
// held out from the search.
type Found struct {
	Policy   model.Policy // chosen on all cases; its description says how
	Says     string       // the policy in a line
	HeldOut  float64      // mean of the objective over the cases, each measured with the policy that was chosen without its fold
	Current  float64      // mean of the objective of the current policy over the same cases
	Versus   Comparison   // HeldOut compared with Current: above 0 is better; for ForBudget it is the tokens saved
	ByFold   []string     // the policy that was chosen without each fold, in a line
	NotCupel []string     // see model.Policy.NotCupel
}

// tuning sums up the search, which was stopped if ctx has ended: then few flips decide
// whether the best is better, so that the answer is there at once.
func (t *tuner) tuning(ctx context.Context) (*Tuning, error) {
	flips, stopped := drawnFlips, ctx.Err() != nil
	if stopped {
		flips, ctx = exactFlips, context.WithoutCancel(ctx)
	}
	made := &Tuning{Folds: t.folds, Grid: len(t.grid), Tried: t.tried, Stopped: stopped}
	made.Cases, made.Groups = t.size()
	half := len(t.learners) / 2
	var err error
	if made.Best, err = t.found(ctx, t.learners[:half], flips); err != nil {
		return nil, err
	}
	if cupel := t.learners[half:]; len(cupel[0].known) > 0 {
		found, err := t.found(ctx, cupel, flips)
		if err != nil {
			return nil, err
		}
		made.Cupel = model.Some(found)
	}
	for _, c := range t.grid[0].slicings(false) {
		if c.slicer.Order() != model.OrderByScore || c.key() == t.grid[0].key() {
			continue
		}
		values := t.values[c.key()]
		found, err := t.versus(ctx, c, func(i int) float64 { return values[i] }, flips)
		if err != nil {
			return nil, err
		}
		made.ByScore = append(made.ByScore, found)
	}
	made.Recommended, made.Why = made.Best.decided()
	t.describe(made, &made.Best)
	t.describe(made, &made.Cupel.Value)
	return made, nil
}

// decided returns the result of the test: whether the policy is better than the
// current one beyond chance, and why.
func (f *Found) decided() (better bool, why string) {
	v := f.Versus
	switch {
	case v.P >= Level:
		return false, fmt.Sprintf("no change recommended: p is %.3f, not below %v", v.P, Level)
	case v.Low <= 0 && v.High >= 0:
		return false, fmt.Sprintf("no change recommended: the interval of the difference, %.4g to %.4g, has 0 in it", v.Low, v.High)
	case v.Mean < 0:
		return false, "no change recommended: the current policy is better"
	}
	return true, fmt.Sprintf("held out, better by %.4g on average (%.4g to %.4g, p %.3g)", v.Mean, v.Low, v.High, v.P)
}

// describe says in the description of a policy how it was found. The figures are
// those held out: they judge the search, and the policy has none of its own.
func (t *tuner) describe(made *Tuning, f *Found) {
	of := ""
	if t.Data != "" {
		of = " of " + plain.Line(t.Data, 200)
	}
	text := fmt.Sprintf("tuned for %s at %s over %s in %s%s; held out in %d folds, seed %d: %.4g, before %.4g",
		t.Objective, t.At, plain.Count(made.Cases, "case"), plain.Count(made.Groups, "group"), of, t.folds, t.Seed, f.HeldOut, f.Current)
	if better, why := f.decided(); !better {
		text += "; " + why
	}
	if made.Stopped {
		text += "; stopped before the search was done"
	}
	f.Policy.Name, f.Policy.Description = strings.TrimSpace(f.Policy.Name+" tuned"), text
}

// found returns the result of some learners; the first of them has seen all cases.
func (t *tuner) found(ctx context.Context, learners []*learner, flips flipping) (Found, error) {
	chosen, _ := t.best(learners[0])
	values, said := make([][]float64, t.folds), []string(nil)
	for _, l := range learners[1:] {
		c, _ := t.best(l)
		values[l.without] = t.values[c.key()]
		said = append(said, c.describe(t.Current))
	}
	f, err := t.versus(ctx, chosen, func(i int) float64 { return values[t.fold[i]][i] }, flips)
	f.ByFold = said
	return f, err
}

// versus compares the results of a policy, which values returns by case, with the results
// of the current one.
func (t *tuner) versus(ctx context.Context, c candidate, values func(int) float64, flips flipping) (f Found, err error) {
	current := t.values[t.grid[0].key()]
	var all []difference
	for i, fold := range t.fold {
		if fold < 0 {
			continue
		}
		held := values(i)
		f.HeldOut += held
		f.Current += current[i]
		all = append(all, difference{t.groups[i], held - current[i]})
	}
	f.HeldOut = t.figure(f.HeldOut / float64(len(all)))
	f.Current = t.figure(f.Current / float64(len(all)))
	f.Policy, f.Says = c.policy(t.Current), c.describe(t.Current)
	f.NotCupel = f.Policy.NotCupel()
	f.Versus, err = flips.compare(ctx, all, t.Seed)
	return f, err
}
