package quality

import (
	"context"
	"fmt"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

// Tuning a policy, and whether to believe it.
//
// The search is a coarse grid over slicers, buckets, power and weights, and then
// coordinate descent from its best: all policies that differ in one coordinate are
// tried, the best becomes the next to start from, until none is better.
//
// A policy that was chosen for some cases looks better on those than it is. So the
// cases are dealt into folds, by group. For every fold the whole search is done on
// the other folds alone, and what it chose is measured on the fold. All figures
// told are those: they judge the search, not the one policy that it finds from all
// cases in the end, which has no figure of its own. One test decides whether that
// policy is recommended: the figures held out against the current policy's on the
// same cases (flips.go).

// Objective is what a policy is tuned for: the mean over cases is made as large
// as it can be.
type Objective string

// The objectives.
const (
	ForRecall   Objective = "recall"
	ForComplete Objective = "complete"
	ForAnswered Objective = "answered"
	ForValue    Objective = "value" // searches slicers and buckets alone
	// ForBudget makes the budget that holds the wanted recall as small as it can
	// be. A case that never holds it counts as twice the axis end.
	ForBudget Objective = "budget"
)

// Objectives lists the objectives.
func Objectives() []Objective {
	return []Objective{ForRecall, ForComplete, ForAnswered, ForValue, ForBudget}
}

// What Tune asks for at least: with less, no difference that there could be would
// be told from chance.
const (
	LeastGroups = 8
	LeastCases  = 30
)

// DefaultFolds is the number of folds unless another is asked for.
const DefaultFolds = 5

// maxRounds bounds the rounds of descent.
const maxRounds = 6

// TuneOptions say what to tune.
type TuneOptions struct {
	Current   model.Policy // where the search starts, and what it is compared with
	Objective Objective    // "": ForRecall
	At        Amount       // the budget; of ForBudget, only where the axis ends
	Wanted    float64      // recall of ForBudget, above 0 to 1; 0: DefaultWanted
	Folds     int          // 0: DefaultFolds
	Seed      uint64       // of the folds and the flips
	// Processors that work at once; 0: all.
	Processors int
	// Progress receives how far the search is; nil: progress is not reported. It is called from
	// another goroutine, one call after the other.
	Progress func(TuneProgress)
}

// TuneProgress is how far a search is.
type TuneProgress struct {
	Round       int // 0: the cases are counted; 1: the grid; then rounds of descent
	Done, Cases int // cases in this round
	Policies    int // that are tried on each case in this round
	Best        string
	BestMean    float64 // of the objective over all cases, on which it was chosen; NaN before the grid is done
}

// TooFewError says that there is too little to tune on.
type TooFewError struct{ Cases, Groups int }

func (e *TooFewError) Error() string {
	return fmt.Sprintf("tune: %s in %s can be measured, at least %d in %d are required: no difference could be told from chance",
		plain.Count(e.Cases, "case"), plain.Count(e.Groups, "group"), LeastCases, LeastGroups)
}

// Tuning is what a search found.
type Tuning struct {
	Cases, Groups int // that can be measured
	Folds         int
	Grid, Tried   int // policies of the grid, and all that were tried
	Best          Found
	Cupel         Found // of the policies that Cupel can load
	// Recommended says that Best is better than the current policy beyond chance;
	// Why says what decided.
	Recommended bool
	Why         string
	Stopped     bool // the context ended the search early: the best until then
}

// Found is a policy and what was held out.
type Found struct {
	Policy   model.Policy // chosen on all cases; its description says how
	Says     string       // what it is in a line
	HeldOut  float64      // mean of the objective over the cases, each under what was chosen without it
	Current  float64      // the same of the current policy
	Versus   Comparison   // HeldOut against Current
	ByFold   []string     // what each fold chose, in a line
	NotCupel []string     // see model.Policy.NotCupel
}

// SpaceOf lists the policies of the grid in a line each, and how many more a
// round of descent tries at most, so that a caller can say what is searched, and
// how long it takes, before it begins.
func SpaceOf(p model.Policy) (inGrid []string, aRound int) {
	for _, c := range grid(p) {
		inGrid = append(inGrid, c.describe(p))
		aRound = max(aRound, len(c.neighbours()))
	}
	return inGrid, aRound
}

// Tune searches for a policy that is better for the cases. It runs through them
// once to count, once for the grid, and once for each round of descent. Errors: a
// *TooFewError, an option that cannot be, those of Evaluate. Where ctx ends after
// the grid is done, the result is the best until then.
func Tune(ctx context.Context, cases Cases, o TuneOptions) (*Tuning, error) {
	t, err := newTuner(o)
	if err != nil {
		return nil, err
	}
	if err := t.count(ctx, cases); err != nil {
		return nil, err
	}
	if err := t.try(ctx, cases, 1, t.grid); err != nil {
		return nil, err
	}
	stopped := false
	for round := 2; round < 2+maxRounds; round++ {
		next := t.propose()
		if len(next) == 0 {
			break
		}
		if err := t.try(ctx, cases, round, next); err != nil {
			if ctx.Err() == nil {
				return nil, err
			}
			stopped = true
			break
		}
	}
	return t.tuning(stopped)
}

// tuner is a search.
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
}

// learner is one search: on all cases but those of a fold, or on all, among all
// policies or those of Cupel. It knows only what it asked for itself: what another
// one found on its fold must not lead it.
type learner struct {
	without int // the fold; -1: none
	cupel   bool
	known   []candidate
	has     map[string]bool
}

func newTuner(o TuneOptions) (*tuner, error) {
	if o.Objective == "" {
		o.Objective = ForRecall
	}
	if o.Wanted == 0 {
		o.Wanted = DefaultWanted
	}
	if o.Folds == 0 {
		o.Folds = DefaultFolds
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
		return nil, fmt.Errorf("tune: the policy has quotas, which the search cannot move: tune it without them")
	}
	return t, nil
}

// count numbers the cases and deals them into folds.
func (t *tuner) count(ctx context.Context, cases Cases) error {
	known := map[string]bool{}
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
		if applies {
			known[t.groups[len(t.groups)-1]] = true
		}
		t.tell(TuneProgress{Done: len(t.groups), Cases: len(t.groups), BestMean: math.NaN()})
	}
	var groups []string
	for i, g := range t.groups {
		if t.measured[i] {
			groups = append(groups, g)
		}
	}
	if len(groups) < LeastCases || len(known) < LeastGroups {
		return &TooFewError{len(groups), len(known)}
	}
	t.folds = min(t.Folds, len(known))
	dealt := Folds(groups, t.folds, t.Seed)
	for _, applies := range t.measured {
		f := -1
		if applies {
			f, dealt = dealt[0], dealt[1:]
		}
		t.fold = append(t.fold, f)
	}
	for _, cupel := range []bool{false, true} {
		for f := -1; f < t.folds; f++ {
			t.learners = append(t.learners, &learner{without: f, cupel: cupel, has: map[string]bool{}})
		}
	}
	for _, l := range t.learners {
		l.learn(t.Current, t.grid)
	}
	return nil
}

func (t *tuner) tell(p TuneProgress) {
	if t.Progress != nil {
		t.Progress(p)
	}
}

// applies reports whether the objective can be measured in a case.
func (t *tuner) applies(c *Case) bool {
	switch t.Objective {
	case ForAnswered:
		return len(c.Labels.Answers) > 0
	case ForValue:
		return true
	}
	return len(c.Labels.Needed()) > 0
}

// comparable is the candidates that the objective can compare: the value is a sum
// of scores, so those that score otherwise have another unit.
func (t *tuner) comparable(all []candidate) []candidate {
	if t.Objective != ForValue {
		return all
	}
	first := start(t.Current)
	return slices.DeleteFunc(all, func(c candidate) bool { return c.exponent > 1 || !slices.Equal(c.weights, first.weights) })
}

// learn adds candidates to those that a learner knows, but for what it may not
// choose. The policy that the search starts from is always among them.
func (l *learner) learn(p model.Policy, all []candidate) (added []candidate) {
	for i, c := range all {
		key := c.key()
		isStart := i == 0 && len(l.known) == 0
		if l.has[key] || l.cupel && !isStart && len(c.policy(p).NotCupel()) > 0 {
			continue
		}
		l.has[key] = true
		l.known = append(l.known, c)
		added = append(added, c)
	}
	return added
}

// best is what a learner has found: the first of the best on its cases.
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

// propose is what the learners want to know next.
func (t *tuner) propose() []candidate {
	var all []candidate
	for _, l := range t.learners {
		best, _ := t.best(l)
		all = append(all, l.learn(t.Current, t.comparable(best.neighbours()))...)
	}
	return slices.DeleteFunc(distinct(all), func(c candidate) bool { return t.values[c.key()] != nil })
}

// try measures candidates in all cases. Nothing is kept unless all are done.
func (t *tuner) try(ctx context.Context, cases Cases, round int, all []candidate) error {
	values, parts := make([][]float64, len(all)), make([]pipeline.Parts, len(all))
	for k, one := range all {
		values[k] = make([]float64, len(t.groups))
		var err error
		if parts[k], err = pipeline.PartsOf(one.policy(t.Current)); err != nil {
			return err
		}
	}
	progress := TuneProgress{Round: round, Cases: len(t.groups), Policies: len(all), BestMean: math.NaN()}
	if len(t.values) > 0 {
		best, mean := t.best(t.learners[0])
		progress.Best, progress.BestMean = best.describe(t.Current), mean
	}
	n := 0
	err := each(ctx, cases, t.Processors, func(ctx context.Context, c *Case) ([]float64, error) {
		return t.measure(ctx, c, all, parts)
	}, func(index int, _ *Case, got []float64) {
		if n = index + 1; index < len(t.groups) {
			for k, v := range got {
				values[k][index] = v
			}
		}
		progress.Done = n
		t.tell(progress)
	})
	if err != nil {
		return err
	}
	if n != len(t.groups) {
		return fmt.Errorf("tune: the source has %d cases, and had %d before", n, len(t.groups))
	}
	for k, c := range all {
		t.values[c.key()] = values[k]
	}
	t.tried += len(all)
	return nil
}

// measure is the objective of candidates, which are made of parts, in one case;
// nil where it does not apply. The set is ranked once for each weighting.
func (t *tuner) measure(ctx context.Context, c *Case, all []candidate, made []pipeline.Parts) ([]float64, error) {
	if !t.applies(c) {
		return nil, nil
	}
	scores, err := scoredBy(t.Current)
	if err != nil {
		return nil, err
	}
	answering := answersIn(c.Items, c.Labels.Answers)
	tokens := t.At.Of(c.Items)
	rankings := map[string]*pipeline.Ranking{}
	values := make([]float64, len(all))
	for k, one := range all {
		parts := made[k]
		parts.Scorer = reweighted{scores, one.weights, one.exponent}
		pipe, err := pipeline.Assemble(parts)
		if err != nil {
			return nil, err
		}
		key := fmt.Sprint(one.weights, one.exponent)
		ranking, err := pipe.RankLike(ctx, rankings[key], c.Items)
		if err != nil {
			return nil, err
		}
		rankings[key] = ranking
		if values[k], err = t.value(ctx, c, ranking, newJudge(ranking, c.Labels, answering), tokens); err != nil {
			return nil, fmt.Errorf("%s: %w", one.describe(t.Current), err)
		}
	}
	return values, nil
}

// value is the objective of one candidate in one case.
func (t *tuner) value(ctx context.Context, c *Case, r *pipeline.Ranking, j *Judge, tokens model.Tokens) (float64, error) {
	if t.Objective == ForBudget {
		return t.budget(ctx, c, r, j, tokens)
	}
	report, err := dryRun(ctx, r, c.Budget, tokens)
	if err != nil {
		return 0, err
	}
	m := j.Measure(report)
	switch t.Objective {
	case ForComplete:
		return fraction(m.Complete.Value), nil
	case ForAnswered:
		return fraction(m.Answered.Value), nil
	case ForValue:
		return m.Value, nil
	}
	return m.Recall.Value, nil
}

// budget is the budget that holds the wanted recall, negative, as less is better.
func (t *tuner) budget(ctx context.Context, c *Case, r *pipeline.Ranking, j *Judge, tokens model.Tokens) (float64, error) {
	b, err := c.Budget.At(max(tokens, c.Budget.OutputReserve()))
	if err != nil {
		return 0, err
	}
	coarsest := withSlicer(t.Current, model.Knapsack, buckets[len(buckets)-1])
	end, err := simulate.AxisEnd(c.Items, coarsest, b) // the same for all candidates
	if err != nil {
		return 0, err
	}
	axis, err := simulate.NewAxis(c.Budget, r.PinnedTokens(), t.Current.Overflow, end)
	if err != nil {
		return 0, err
	}
	profile, err := simulate.NewProfile(ctx, r, axis)
	if err != nil {
		return 0, err
	}
	if b, ok := NewCurve(profile, j).Holds(t.Wanted); ok {
		return -float64(b), nil
	}
	return -2 * float64(end), nil
}

// tuning sums up the search.
func (t *tuner) tuning(stopped bool) (*Tuning, error) {
	groups := map[string]bool{}
	made := &Tuning{Folds: t.folds, Grid: len(t.grid), Tried: t.tried, Stopped: stopped}
	for i, g := range t.groups {
		if t.measured[i] {
			made.Cases++
			groups[g] = true
		}
	}
	made.Groups = len(groups)
	half := len(t.learners) / 2
	var err error
	if made.Best, err = t.found(t.learners[:half]); err != nil {
		return nil, err
	}
	if made.Cupel, err = t.found(t.learners[half:]); err != nil {
		return nil, err
	}
	v := made.Best.Versus
	switch {
	case v.P >= Level:
		made.Why = fmt.Sprintf("no change recommended: p is %.3f, not below %v", v.P, Level)
	case v.Low <= 0 && v.High >= 0:
		made.Why = fmt.Sprintf("no change recommended: the interval of the difference, %.4g to %.4g, has 0 in it", v.Low, v.High)
	case v.Mean < 0:
		made.Why = "no change recommended: the current policy is better"
	default:
		made.Recommended = true
		made.Why = fmt.Sprintf("held out, better by %.4g on average (%.4g to %.4g, p %.3f)", v.Mean, v.Low, v.High, v.P)
	}
	return made, nil
}

// found is what some learners found; the first of them has seen all cases.
func (t *tuner) found(learners []*learner) (Found, error) {
	chosen, _ := t.best(learners[0])
	f := Found{Says: chosen.describe(t.Current)}
	byFold := make([][]float64, t.folds)
	for _, l := range learners[1:] {
		c, _ := t.best(l)
		byFold[l.without] = t.values[c.key()]
		f.ByFold = append(f.ByFold, c.describe(t.Current))
	}
	current := t.values[t.grid[0].key()]
	var all []Difference
	for i, fold := range t.fold {
		if fold < 0 {
			continue
		}
		held := byFold[fold][i]
		f.HeldOut += held
		f.Current += current[i]
		all = append(all, Difference{t.groups[i], held - current[i]})
	}
	f.HeldOut /= float64(len(all))
	f.Current /= float64(len(all))
	var err error
	if f.Versus, err = Compare(all, t.Seed); err != nil {
		return f, err
	}
	f.Policy = chosen.policy(t.Current)
	f.NotCupel = f.Policy.NotCupel()
	f.Policy.Description = fmt.Sprintf("tuned for %s at %s over %s in %s; held out in %d folds, seed %d: %.4g, before %.4g",
		t.Objective, t.At, plain.Count(len(all), "case"), plain.Count(f.Versus.Groups, "group"), t.folds, t.Seed, f.HeldOut, f.Current)
	return f, nil
}
