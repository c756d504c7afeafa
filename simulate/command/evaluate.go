package command

import (
	"context"
	"errors"
	"fmt"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// evaluateOptions say how to evaluate policies against labels, and at which
// budgets.
type evaluateOptions struct {
	labelOptions
	At      []string                   // budgets, see quality.ParseAmount; empty: each case's own if the first has one, else 10%, 25% and 50%
	Ceiling model.Option[model.Tokens] // the largest budget at which the wanted recall is sought
	Worst   int                        // number of cases that are named at each budget
	Cases   bool                       // write a row for each case
	NoBest  bool                       // skip the best possible value
}

func (e *evaluateOptions) verbFlags() []session.Flag {
	return append(e.labelFlags(),
		session.Flag{Name: "at", Texts: &e.At, Usage: "`BUDGETS` to evaluate at: tokens, shares of all tokens of a case, or own for each case's own, as in 8k,32k,50% (default: own if the first case has one, else 10%,25%,50%)"},
		session.Flag{Name: "ceiling", Read: e.readCeiling, Usage: "the largest budget at which the wanted recall is looked for, in `TOKENS` (default: as for min-budget)"},
		session.Flag{Name: "worst", Int: &e.Worst, Usage: "list the `COUNT` cases with the lowest recall at each budget, and those in which a policy loses most"},
		session.Flag{Name: "cases", Bool: &e.Cases, Usage: "write a row for each case, budget and policy; in CSV instead of the means"},
		session.Flag{Name: "no-best", Bool: &e.NoBest, Usage: "skip the best possible value, which takes most of the time"})
}

func (e *evaluateOptions) readCeiling(text string) error {
	if err := tokensTo(&e.Ceiling)(text); err != nil || e.Ceiling.Value >= 1 {
		return err
	}
	return errors.New("must be at least 1")
}

// checkWorst refuses a --worst that is no number of cases.
func checkWorst(cases int) error {
	if cases < 0 {
		return errors.New("--worst: must be at least 0")
	}
	return nil
}

// evaluateSeed seeds the random flips, so that every run draws the same.
const evaluateSeed = 1

// evaluate measures how much of what was needed each policy lets in, over the
// labelled cases of sources, with a paired test against the first policy. The
// leading sources that name policies are the policies; without any, the policy of
// the flags or of the cases is evaluated. Cases that cannot be evaluated are
// counted by reason. It keeps a few numbers per case in memory.
func evaluate(ctx context.Context, o session.Options, v evaluateOptions, s Streams) error {
	n := session.LeadingPolicies(o.Sources)
	names := o.Sources[:n]
	o.Sources = o.Sources[n:]
	if n == 0 {
		names = []string{"own"}
	}
	options := quality.Options{Best: !v.NoBest, Wanted: v.wanted(), Ceiling: v.Ceiling.Value, Seed: evaluateSeed, Processors: v.Jobs}
	err := checkWorst(v.Worst)
	if err != nil {
		return err
	}
	if options.At, err = amounts(o, v.At); err != nil {
		return err
	}
	e, err := newLabelledCases(ctx, o, v.labelOptions, names, v.muted(s))
	if err != nil {
		return err
	}
	e.Accept(options.At)
	cases, stop, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer stop()
	options.Policies = e.Policies
	if options.At = e.Amounts(options.At); len(options.At) == 0 {
		options.At = []quality.Amount{{Percent: 10}, {Percent: 25}, {Percent: 50}}
	}
	result, err := quality.Evaluate(ctx, cases, options)
	if err != nil {
		return err
	}
	e.failures.say(s, "case", "not evaluated")
	e.streams.sayNotes(e.Choices)
	if result.Labelled+result.Answerable == 0 {
		unreachable := ""
		if result.Unreachable > 0 {
			unreachable = "; of no item: " + plain.Count(result.Unreachable, "label")
		}
		return fmt.Errorf("no case has labels of needed items%s: give labels with --labels, or sources that have them", unreachable)
	}
	answer := &evaluation{Evaluation: result, labelledCases: e, wanted: options.Wanted, worst: v.Worst, cases: v.Cases}
	return s.write(ctx, v.Output, answer.sheets(v.Output)...)
}
