package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// tuneOptions say what tune tunes a policy for.
type tuneOptions struct {
	labelOptions
	At        string            // the budget, see quality.ParseAmount; "": each case's own, which the first must have
	Objective quality.Objective // "": recall
	Minimise  string            // "budget" to minimise that instead of maximising Objective; "": nothing
	Out       string            // path of the file to write the best policy to; "": none
	CupelOnly bool              // search only policies that Cupel can load
	Folds     int
	Seed      int
}

// minimisable is the only value of --minimise.
const minimisable = "budget"

func (t *tuneOptions) verbFlags() []session.Flag {
	objectives := slices.DeleteFunc(model.Names(quality.Objectives()), func(name string) bool { return name == minimisable })
	return append(t.labelFlags(),
		session.Flag{Name: "at", Text: &t.At, Usage: "the `BUDGET` to tune for: tokens, a share of all tokens of a case as in 50%, or own for each case's own (default: own if the first case has one)"},
		session.Flag{Name: "objective", Read: named(&t.Objective, quality.Objectives()), Offers: objectives, Usage: "the `MEASURE` to maximise: " + strings.Join(objectives, ", ") + " (default recall)"},
		session.Flag{Name: "minimise", Text: &t.Minimise, Offers: []string{minimisable}, Usage: "minimise `WHAT` instead: budget, the smallest that holds the wanted recall"},
		session.Flag{Name: "out", Text: &t.Out, Usage: "write the best policy to `FILE`"},
		session.Flag{Name: "cupel-only", Bool: &t.CupelOnly, Usage: "search only policies that Cupel can load"},
		session.Flag{Name: "folds", Int: &t.Folds, Usage: "`NUMBER` of folds for cross-validation; a group stays in one fold"},
		session.Flag{Name: "seed", Int: &t.Seed, Usage: "`NUMBER` that seeds the folds and the test"})
}

// maxFolds bounds --folds: each fold takes a search of its own.
const maxFolds = 100

// options returns the flags as options of the search.
func (t *tuneOptions) options() (o quality.TuneOptions, err error) {
	o = quality.TuneOptions{Objective: quality.ForRecall, Wanted: t.wanted(), Folds: t.Folds, Seed: uint64(t.Seed), CupelOnly: t.CupelOnly, Processors: t.Jobs}
	switch {
	case t.Minimise == "":
	case t.Minimise != minimisable:
		return o, fmt.Errorf("--minimise: %.40q is not known; known is %s", t.Minimise, minimisable)
	case t.Objective != "":
		return o, errors.New("--objective and --minimise: give one of them")
	default:
		o.Objective = quality.ForBudget
	}
	o.Objective = cmp.Or(t.Objective, o.Objective)
	if t.Wanted != 0 && o.Objective != quality.ForBudget {
		return o, errors.New("--wanted is the recall that --minimise budget holds: give both")
	}
	switch {
	case t.Folds < 2 || t.Folds > maxFolds:
		return o, fmt.Errorf("--folds: %d, must be 2 to %d", t.Folds, maxFolds)
	case t.Seed < 0:
		return o, fmt.Errorf("--seed: %d, must be at least 0", t.Seed)
	}
	return o, nil
}

// tune searches for a policy that lets in more of what was needed, and writes
// whether it is better than the current one, which the flags or the cases name.
// Before the search it writes what it searches and about how long that takes. If
// the search ends early, it answers with the best policy so far, and returns the cause
// of the end of ctx. tune reads the sources several times, so standard input is an
// error. The error is a *quality.TooFewError if there are too few cases.
func tune(ctx context.Context, o session.Options, v tuneOptions, s Streams) error {
	options, err := v.options()
	if err == nil {
		err = canWrite(ctx, o, "out", v.Out)
	}
	if err != nil {
		return err
	}
	at, err := oneAmount(o, v.At)
	if err != nil {
		return err
	}
	if slices.Contains(o.Sources, "-") || len(o.Sources) == 0 && o.Fixture == "" {
		return errors.New("tune reads its sources several times: give files, not standard input")
	}
	e, err := newLabelledCases(ctx, o, v.labelOptions, []string{"own"}, v.muted(s))
	if err != nil {
		return err
	}
	e.Accept(at)
	_, stop, err := e.begin(ctx) // determines the policy and the budget
	if err != nil {
		return err
	}
	stop()
	if at = e.Amounts(at); len(at) == 0 {
		return errors.New("tune needs a budget to tune for: --at 8k, or --at 50%")
	}
	options.Current, options.At, options.Data = e.Policies[0].Policy, at[0], strings.Join(o.Sources, ", ")
	t := &tuneLine{streams: e.streams, began: s.now(), jobs: v.Jobs, unit: options.Objective}
	options.Begin, options.Progress = t.begin, func(p quality.TuneProgress) { t.last.Store(&p) }
	e.status = t.status
	made, err := quality.Tune(ctx, e.all(ctx), options)
	e.failures.say(s, "case", "not read")
	e.streams.sayNotes(e.Choices)
	if err != nil {
		return err
	}
	answer := &tuning{Tuning: made, labelledCases: e, options: options}
	ended := context.Cause(ctx)
	ctx = context.WithoutCancel(ctx) // a search that was stopped writes the best so far
	err = s.write(ctx, v.Output, answer.sheets(v.Output)...)
	if err == nil && v.Out != "" {
		err = v.writeBest(made.Best, e.streams)
	}
	if err == nil && made.Stopped {
		err = ended
	}
	return err
}

// writeBest writes the best policy to --out, and says so.
func (t *tuneOptions) writeBest(best quality.Found, s Streams) error {
	if err := itemset.WriteOurPolicy(t.Out, best.Policy); err != nil {
		return err
	}
	said := "wrote " + t.Out
	if ours := best.NotCupel; len(ours) > 0 {
		said += ", which Cupel cannot load (" + strings.Join(ours, ", ") + "): --cupel-only searches what it can"
	}
	s.say("%s", said)
	return nil
}

// tuneLine writes the progress of a search.
type tuneLine struct {
	streams Streams
	began   time.Time
	jobs    int
	unit    quality.Objective
	last    atomic.Pointer[quality.TuneProgress]
}

// begin writes what will be searched, and about how long that takes, judging by the
// time of a sample and the time that reading all cases took.
func (t *tuneLine) begin(ctx context.Context, space quality.Space) error {
	took := ""
	if t.streams.Now != nil {
		read, begin := t.streams.Now().Sub(t.began), t.streams.Now()
		if err := space.Try(ctx); err != nil {
			return err
		}
		jobs, err := flow.Parallel(t.jobs)
		if err != nil {
			return err
		}
		grid := t.streams.Now().Sub(begin) * time.Duration(space.Cases) / time.Duration(space.Sample*jobs)
		took = fmt.Sprintf("; about %s for these, at most %s for a round", roughly(read+grid), roughly(read+grid*time.Duration(space.Round)/time.Duration(len(space.Grid))))
	}
	t.streams.say("searching %v policies, then at most %v in each of up to %d rounds around the best; %s in %s, %d folds%s",
		plain.Thousands(len(space.Grid)), space.Round, space.Rounds, plain.Count(space.Cases, "case"), plain.Count(space.Groups, "group"), space.Folds, took)
	return nil
}

// roughly returns a duration in words, rounded.
func roughly(d time.Duration) string {
	switch {
	case d < time.Second:
		return "a second"
	case d < 2*time.Minute:
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%d min", int(d.Round(time.Minute)/time.Minute))
}

// status returns the line of progress: how far the search is, and the best so far.
func (t *tuneLine) status() string {
	p := t.last.Load()
	if p == nil {
		p = new(quality.TuneProgress)
	}
	return plain.Line(p.Words(t.unit), cmp.Or(t.streams.Width, 100)-1)
}
