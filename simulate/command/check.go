package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// checkOptions say what to check. The checks of the scenario come first, then
// the checks in File, then Typed.
type checkOptions struct {
	answerOptions
	Ceiling model.Option[model.Tokens]
	Guess   bool   // check also at a guessed budget
	File    string // path of an array of checks, see model.ParseChecks; "": none
	// Against is the path of a file that Record wrote for another result. No
	// figure may be worse than in that file by more than Tolerance, in percent,
	// where "" means 1. Record is the path of the file to write. If a path is
	// "", nothing is compared or recorded.
	Against, Record, Tolerance string
	Typed                      typedChecks
}

// check writes for every check whether it holds, with its numbers. It returns an
// *answeredError with the code Input if that is unknown for any check, otherwise with
// Failed if any check does not hold. If nothing could be checked, it writes nothing and
// returns another error. The file for Record is written only if all checks hold.
func check(ctx context.Context, o session.Options, a checkOptions, s Streams) error {
	checks, err := a.checks(ctx)
	if err != nil {
		return err
	}
	against, tolerance, err := a.against(ctx)
	if err != nil {
		return err
	}
	if err := canWrite(ctx, o, "record", a.Record, o.Policy, a.File); err != nil {
		return err
	}
	again := s.In // for checks of all requests, which read more of a session
	if s.In != nil && !s.Typed {
		var read bytes.Buffer
		s.In, again = io.TeeReader(s.In, &read), &read
	}
	st, err := openStudy(ctx, o, studyOptions{answerOptions: a.answerOptions, Ceiling: a.Ceiling}, s)
	if err != nil {
		return err
	}
	if st.Guessed && !a.Guess {
		return fmt.Errorf("%s; give --max-tokens, or --guess to check at the guess", st.GuessNote())
	}
	own, err := ownChecks(st)
	if err != nil {
		return err
	}
	checks = append(own, checks...)
	if len(checks) == 0 && a.Against == "" && a.Record == "" {
		return errors.New("nothing to check: give --require, --forbid or another check (see check --help), or add checks to the scenario")
	}
	j := &judge{study: st, checks: checks, again: again}
	if err := j.prepare(a.Ceiling.Set); err != nil {
		return err
	}
	if err := j.judgeAll(ctx); err != nil {
		return err
	}
	if err := j.ratchet(ctx, against, tolerance); err != nil {
		return err
	}
	var recorded *base
	if a.Record != "" {
		if recorded, err = j.recordable(ctx, against == nil); err != nil {
			return err
		}
	}
	failed := count(j.verdicts, func(v verdict) bool { return v.verdict == failing })
	undecided := count(j.verdicts, func(v verdict) bool { return v.verdict == undecidable })
	if err := s.write(ctx, st.Output, j.sheet(failed, undecided)); err != nil {
		return err
	}
	switch {
	case undecided > 0:
		return &answeredError{Input, fmt.Sprintf("%v of %s could not be decided", plain.Thousands(undecided), plain.Count(len(j.verdicts), "check"))}
	case failed > 0:
		return &answeredError{Failed, fmt.Sprintf("%v of %s failed", plain.Thousands(failed), plain.Count(len(j.verdicts), "check"))}
	case recorded != nil:
		return recorded.write(j, a.Record)
	}
	return nil
}

// ownChecks returns the checks of the scenario.
func ownChecks(st *study) ([]model.Check, error) {
	if !st.Scenario.Set || len(st.Scenario.Value.Checks) == 0 {
		return nil, nil
	}
	own, err := parseChecks(st.Scenario.Value.Checks)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", st.Name(), err)
	}
	return own, nil
}

// judgeAll gives the verdict of every check that was asked.
func (j *judge) judgeAll(ctx context.Context) error {
	for _, c := range j.asked {
		v, err := j.verdict(ctx, c)
		if err != nil {
			return fmt.Errorf("%s: %w", sayCheck(c.Check), err)
		}
		j.verdicts = append(j.verdicts, v)
	}
	return nil
}

// sheet returns all verdicts as a table.
func (j *judge) sheet(failed, undecided int) *export.Sheet {
	s := export.Sheet{
		Title: title(j.Opened),
		Name:  "checks",
		Notes: j.notes(fmt.Sprintf("budget %v; %s", j.Budget.MaxTokens(), template(j.Budget))),
		Facts: j.facts("check", j.Budget,
			export.Fact{Name: "ceiling", Value: export.Tokens(j.ceiling)},
			export.Fact{Name: "failed", Value: export.Count(failed)},
			export.Fact{Name: "undecided", Value: export.Count(undecided)}),
	}
	switch {
	case failed+undecided == 0:
		s.Closing = append(s.Closing, plain.Count(len(j.verdicts), "check")+": all hold")
	case undecided == 0:
		s.Closing = append(s.Closing, fmt.Sprintf("%s: %v failed", plain.Count(len(j.verdicts), "check"), plain.Thousands(failed)))
	default:
		s.Closing = append(s.Closing, fmt.Sprintf("%s: %v failed, %v undecided", plain.Count(len(j.verdicts), "check"), plain.Thousands(failed), plain.Thousands(undecided)))
	}
	if n := j.Set.Estimates(); n > 0 {
		s.Closing = append(s.Closing, plain.Count(n, "token count")+" estimated: results that depend on it may be off")
	}
	return export.SheetOf(s, []export.Column[verdict]{
		{Name: "verdict", Heading: "verdict", Cell: verdict.cell},
		{Name: "name", Heading: "name", Cell: func(v verdict) export.Cell { return export.Text(v.check.Name, 40) }},
		{Heading: "check", Cell: func(v verdict) export.Cell { return export.Text(sayCheck(v.check), 60) }},
		{Name: "check", Cell: func(v verdict) export.Cell { return export.Word(string(v.check.Kind)) }},
		{Name: "selector", Cell: func(v verdict) export.Cell { return export.Text(v.check.Selector, 40) }},
		{Name: "limit", Cell: verdict.limitCell},
		{Name: "actual", Cell: func(v verdict) export.Cell { return export.Number(v.measured.Value, 3).If(v.measured.Set) }},
		{Name: "named", Cell: func(v verdict) export.Cell { return export.Count(v.named) }},
		{Name: "failing", Cell: func(v verdict) export.Cell { return export.Indexes(v.items) }},
		{Name: "says", Heading: "what is", Cell: func(v verdict) export.Cell { return export.Text(v.says, 400) }},
	}, slices.Values(j.verdicts))
}
