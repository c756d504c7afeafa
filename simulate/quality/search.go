package quality

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// tuner is the state of a search.
type tuner struct {
	TuneOptions
	grid     []candidate
	groups   []string // by case
	measured []bool   // by case: the objective applies
	fold     []int    // by case, -1 where it does not apply
	folds    int
	values   map[string][]float64 // by candidate and case, higher is better
	learners []*learner
	tried    int
	sample   []*Case // the first cases that can be measured
}

// sampled is the number of cases in the sample.
const sampled = 4

// learner is one search: on all cases or all outside a fold, and among all
// policies or only those that Cupel can load. It only knows the candidates that it
// proposed itself: what another learner found with the help of its fold must not
// guide it.
type learner struct {
	without int // the fold; -1: none
	cupel   bool
	known   []candidate
	has     map[string]bool
}

func newTuner(o TuneOptions) (*tuner, error) {
	o.Objective, o.Wanted, o.Folds = cmp.Or(o.Objective, ForRecall), cmp.Or(o.Wanted, DefaultWanted), cmp.Or(o.Folds, DefaultFolds)
	if o.Progress == nil {
		o.Progress = func(TuneProgress) {}
	}
	switch {
	case !slices.Contains(Objectives(), o.Objective):
		return nil, fmt.Errorf("tune: no objective %.20q; known are %v", o.Objective, Objectives())
	case !(o.Wanted > 0 && o.Wanted <= 1):
		return nil, fmt.Errorf("tune: the wanted recall is %v, must be above 0 and at most 1", o.Wanted)
	case o.Folds < 2:
		return nil, fmt.Errorf("tune: %d folds, must be at least 2", o.Folds)
	}
	if err := o.Current.Validate(); err != nil {
		return nil, err
	}
	t := &tuner{TuneOptions: o, values: map[string][]float64{}}
	t.grid = t.comparable(grid(o.Current))
	if len(o.Current.Quotas)+len(o.Current.CountQuotas) > 0 {
		return nil, errors.New("tune: the policy has quotas, which the search cannot move: tune it without them")
	}
	if o.CupelOnly && !slices.ContainsFunc(t.grid, func(c candidate) bool { return len(c.policy(o.Current).NotCupel()) == 0 }) {
		return nil, errors.New("tune: the policy has scorers that are not Cupel's: no policy that Cupel can load has them")
	}
	return t, nil
}

// count numbers the cases and deals them into folds.
func (t *tuner) count(ctx context.Context, cases Cases) error {
	for c, err := range cases {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if err := c.Labels.Validate(c.Items.Len()); err != nil {
			return fmt.Errorf("case %.80q: %w", c.Name, err)
		}
		applies := t.applies(c)
		t.groups, t.measured = append(t.groups, c.group(len(t.groups))), append(t.measured, applies)
		if applies && len(t.sample) < sampled {
			t.sample = append(t.sample, c)
		}
		t.Progress(TuneProgress{Done: len(t.groups), Cases: len(t.groups), BestMean: math.NaN()})
	}
	if err := t.enough(); err != nil {
		return err
	}
	var groups []string
	for i, g := range t.groups {
		if t.measured[i] {
			groups = append(groups, g)
		}
	}
	_, distinct := t.size()
	t.folds = min(t.Folds, distinct)
	dealt := deal(groups, t.folds, t.Seed)
	for _, applies := range t.measured {
		f := -1
		if applies {
			f, dealt = dealt[0], dealt[1:]
		}
		t.fold = append(t.fold, f)
	}
	for _, cupel := range []bool{false, true} {
		for f := -1; f < t.folds; f++ {
			t.learners = append(t.learners, &learner{without: f, cupel: cupel || t.CupelOnly, has: map[string]bool{}})
		}
	}
	for _, l := range t.learners {
		l.learn(t.Current, t.grid)
	}
	return nil
}

// size returns the number of cases that can be measured, and of their groups.
func (t *tuner) size() (cases, groups int) {
	known := map[string]bool{}
	for i, g := range t.groups {
		if t.measured[i] {
			cases++
			known[g] = true
		}
	}
	return cases, len(known)
}

// enough returns a *TooFewError if there are too few cases or groups to tune on.
func (t *tuner) enough() error {
	if cases, groups := t.size(); cases < minCases || groups < minGroups {
		return &TooFewError{cases, groups}
	}
	return nil
}

func (t *tuner) space() Space {
	s := Space{Folds: t.folds, Rounds: maxRounds, Sample: len(t.sample), try: t.trySample}
	s.Cases, s.Groups = t.size()
	for _, c := range t.grid {
		s.Grid = append(s.Grid, c.describe(t.Current))
		s.Round = max(s.Round, len(t.comparable(c.neighbours())))
	}
	s.Round *= 1 + t.folds // Cupel's are among all
	return s
}

// trySample is Space.Try.
func (t *tuner) trySample(ctx context.Context) error {
	parts, err := t.parts(t.grid)
	if err != nil {
		return err
	}
	for _, c := range t.sample {
		if _, err := t.measure(ctx, c, t.grid, parts); err != nil {
			return fmt.Errorf("case %.80q: %w", c.Name, err)
		}
	}
	return nil
}

// learn adds candidates to those that l knows, except those that l may not choose.
func (l *learner) learn(p model.Policy, all []candidate) (added []candidate) {
	for _, c := range all {
		key := c.key()
		if l.has[key] || l.cupel && len(c.policy(p).NotCupel()) > 0 {
			continue
		}
		l.has[key] = true
		l.known = append(l.known, c)
		added = append(added, c)
	}
	return added
}

// best returns the best candidate of a learner on its cases, the first among
// equals.
func (t *tuner) best(l *learner) (best candidate, mean float64) {
	mean = math.Inf(-1)
	for _, c := range l.known {
		values, tried := t.values[c.key()]
		if !tried {
			continue
		}
		sum, n := 0.0, 0
		for i, v := range values {
			if t.fold[i] >= 0 && t.fold[i] != l.without {
				sum += v
				n++
			}
		}
		if m := sum / float64(n); m > mean {
			best, mean = c, m
		}
	}
	return best, mean
}

// propose returns the candidates that the learners want measured next.
func (t *tuner) propose() []candidate {
	var all []candidate
	for _, l := range t.learners {
		if len(l.known) > 0 {
			best, _ := t.best(l)
			all = append(all, l.learn(t.Current, t.comparable(best.neighbours()))...)
		}
	}
	return slices.DeleteFunc(distinct(all), func(c candidate) bool { return t.values[c.key()] != nil })
}

// parts returns the parts of the candidates' pipelines, without the scorers.
func (t *tuner) parts(all []candidate) ([]pipeline.Parts, error) {
	parts := make([]pipeline.Parts, len(all))
	for k, one := range all {
		var err error
		if parts[k], err = pipeline.PartsOf(one.policy(t.Current)); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// try measures candidates in all cases. It keeps the results only if all cases are
// done. If ctx ends during the grid, however, the search goes on with the cases that
// are done, provided that they are enough.
func (t *tuner) try(ctx context.Context, cases Cases, round int, all []candidate) error {
	parts, err := t.parts(all)
	if err != nil {
		return err
	}
	values, sums := make([][]float64, len(all)), make([]float64, len(all))
	for k := range all {
		values[k] = make([]float64, len(t.groups))
	}
	progress := TuneProgress{Round: round, Cases: len(t.groups), Policies: len(all), BestMean: math.NaN()}
	if round > 1 {
		best, mean := t.best(t.learners[0])
		progress.Best, progress.BestMean = best.describe(t.Current), t.figure(mean)
	}
	n, counted := 0, 0
	err = each(ctx, cases, t.Processors, func(ctx context.Context, c *Case) ([]float64, error) {
		return t.measure(ctx, c, all, parts)
	}, func(index int, _ *Case, got []float64) {
		n = index + 1
		if index < len(t.groups) {
			for k, v := range got {
				values[k][index] = v
				sums[k] += v
			}
		}
		if len(got) > 0 {
			counted++
		}
		if round == 1 && counted > 0 {
			k := slices.Index(sums, slices.Max(sums))
			progress.Best, progress.BestMean = all[k].describe(t.Current), t.figure(sums[k]/float64(counted))
		}
		progress.Done = n
		t.Progress(progress)
	})
	switch {
	case err != nil && (round > 1 || ctx.Err() == nil || !t.narrow(n)):
		return err
	case err == nil && n != len(t.groups):
		return fmt.Errorf("tune: the source has %d cases, and had %d before", n, len(t.groups))
	}
	for k, c := range all {
		t.values[c.key()] = values[k]
	}
	t.tried += len(all)
	return err
}

// narrow removes all cases from n on from the search, and reports whether the
// remaining ones are enough: they must also be in at least two folds, so that each search
// has cases.
func (t *tuner) narrow(n int) bool {
	folds := map[int]bool{}
	for i := range t.fold {
		if i >= n {
			t.fold[i], t.measured[i] = -1, false
		} else if t.measured[i] {
			folds[t.fold[i]] = true
		}
	}
	return t.enough() == nil && len(folds) > 1
}
