package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"cupelscope/model/plain"

	"cupelscope/model"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// CheckOptions say what is checked: what the scenario says, what a file says,
// and what the flags say, in this order.
type CheckOptions struct {
	AnswerOptions
	Ceiling string
	Guess   bool   // check also at a guessed budget
	File    string // of an array of checks, see model.ParseChecks; "": none
	Flags   []CheckFlag
}

// CheckFlag is a flag of a check, in the order in which they were typed: a
// "for" belongs to the checks before it.
type CheckFlag struct{ Name, Value string }

// FlagUsage describes a flag of a check.
type FlagUsage struct {
	Name  string
	Value string // what stands behind it; "": nothing
	Usage string
	Was   string          // see Flag
	kind  model.CheckKind // "" for the flag "for"
}

// CheckFlags lists the flags that checks are given by.
func CheckFlags() []FlagUsage {
	return []FlagUsage{
		{"require", "SELECTOR", "all items named are in, and one is named", "", model.CheckRequire},
		{"forbid", "SELECTOR", "no item named is in", "", model.CheckForbid},
		{"first-in-by", "TOKENS", "each item of --for is in at some budget up to this", "", model.CheckFirstInBy},
		{"stays-by", "TOKENS", "each item of --for is in at every budget from this on, up to the ceiling", "", model.CheckStaysBy},
		{"stable", "SLACK", "no item of --for, else none required, is lost at any budget up to SLACK tokens smaller", "", model.CheckStable},
		{"for", "SELECTOR", "the items that the checks before it are about", "", ""},
		{"min-filled", "PERCENT", "at least so much of the room is used, or nothing is left out", "", model.CheckMinFilled},
		{"max-below-best", "PERCENT", "the value is at most so far below the best possible", "max-gap", model.CheckMaxBelowBest},
		{"min-prefix", "PERCENT", "from request to request at least so much of the window before survives as prefix, on average", "", model.CheckMinPrefix},
		{"max-cost-ratio", "RATIO", "over all requests the cost is at most so many times that of sending everything", "", model.CheckMaxCostRatio},
		{"no-parted", "", "no call of a tool is in without its result, nor the reverse", "", model.CheckNoParted},
	}
}

// flagOf is the flag of a check, kindOf the check of a flag.
func flagOf(k model.CheckKind) string {
	for _, f := range CheckFlags() {
		if f.kind == k {
			return f.Name
		}
	}
	return string(k)
}

func kindOf(flag string) model.CheckKind {
	for _, f := range CheckFlags() {
		if f.Name == flag {
			return f.kind
		}
	}
	return ""
}

// FailedError says that checks failed: the answer has been written, and says
// which.
type FailedError struct{ Failed, Checks int }

func (e *FailedError) Error() string {
	return fmt.Sprintf("%v of %s failed", plain.Thousands(e.Failed), plain.Count(e.Checks, "check"))
}

// UndecidedError says that for some checks it is unknown whether they hold.
type UndecidedError struct{ Undecided, Checks int }

func (e *UndecidedError) Error() string {
	return fmt.Sprintf("%v of %s could not be decided", plain.Thousands(e.Undecided), plain.Count(e.Checks, "check"))
}

// Check says for every check whether it holds, with its
// numbers. The error is a *FailedError if one does not hold, an *UndecidedError
// if that is unknown for one, and any other if nothing could be checked;
// then nothing is written.
func Check(ctx context.Context, o session.Options, a CheckOptions, s Streams) error {
	checks, err := a.checks()
	if err != nil {
		return err
	}
	again := s // for checks of all requests, which look at more of a session
	if s.In != nil && !s.Typed {
		var read bytes.Buffer
		s.In, again.In = io.TeeReader(s.In, &read), &read
	}
	st, err := openStudy(ctx, o, StudyOptions{AnswerOptions: a.AnswerOptions, Ceiling: a.Ceiling}, s)
	if err != nil {
		return err
	}
	if st.Guessed && !a.Guess {
		return fmt.Errorf("%s; give --max-tokens, or --guess to check at the guess", st.GuessNote())
	}
	if st.Scenario.Set && len(st.Scenario.Value.Checks) > 0 {
		own, err := model.ParseChecks(st.Scenario.Value.Checks)
		if err != nil {
			return fmt.Errorf("%s: %w", st.Name(), err)
		}
		checks = append(own, checks...)
	}
	if len(checks) == 0 {
		return errors.New("nothing to check: give --require, --forbid or another check (see check --help), or put checks into the scenario")
	}
	j := &judge{study: st, checks: checks, options: o, again: again}
	if err := j.prepare(a.Ceiling != ""); err != nil {
		return err
	}
	failed, undecided := 0, 0
	for _, c := range j.asked {
		v, err := j.verdict(ctx, c)
		if err != nil {
			return fmt.Errorf("%s: %w", sayCheck(c.Check), err)
		}
		switch v.verdict {
		case failing:
			failed++
		case undecidable:
			undecided++
		}
		j.verdicts = append(j.verdicts, v)
	}
	if err := s.write(j.sheet(failed, undecided), st.form); err != nil {
		return err
	}
	switch {
	case undecided > 0:
		return &UndecidedError{undecided, len(checks)}
	case failed > 0:
		return &FailedError{failed, len(checks)}
	}
	return nil
}

// checks reads the file and the flags.
func (a CheckOptions) checks() ([]model.Check, error) {
	var all []model.Check
	if a.File != "" {
		data, err := smallFile(a.File)
		if err != nil {
			return nil, fmt.Errorf("--checks: %w", err)
		}
		if all, err = model.ParseChecks(data); err != nil {
			return nil, fmt.Errorf("--checks %s: %w", a.File, err)
		}
	}
	flags, err := parseCheckFlags(a.Flags)
	return append(all, flags...), err
}

// maxChecksBytes bounds a file of checks, so that a wrong path does not take long to read.
const maxChecksBytes = 1 << 20

// smallFile reads a file that a person wrote.
func smallFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is a folder")}
	}
	if info.Size() > maxChecksBytes {
		return nil, fmt.Errorf("%s has %v bytes, at most %v are read", path, plain.Thousands(info.Size()), plain.Thousands(maxChecksBytes))
	}
	return os.ReadFile(path)
}

// parseCheckFlags reads the flags in order. A "for" belongs to the checks
// before it that still want one.
func parseCheckFlags(flags []CheckFlag) ([]model.Check, error) {
	var all []model.Check
	wanting := 0 // where the checks begin that a "for" belongs to
	for _, f := range flags {
		if kindOf(f.Name) == "" {
			taken := 0
			for k := range all[wanting:] {
				if c := &all[wanting+k]; wantsItems(c.Kind) {
					c.Selector = f.Value
					taken++
				}
			}
			if taken == 0 {
				return nil, fmt.Errorf("--for %.40q: must follow the checks that it applies to, as in --stays-by 32k --for kind:system", f.Value)
			}
			wanting = len(all)
			continue
		}
		c := model.Check{Kind: kindOf(f.Name)}
		var err error
		switch c.Kind {
		case model.CheckRequire, model.CheckForbid:
			c.Selector = f.Value
		case model.CheckMaxCostRatio:
			if c.Ratio, err = strconv.ParseFloat(strings.TrimSpace(f.Value), 64); err != nil {
				err = fmt.Errorf("%.40q is not a ratio (use 1 or 1.25)", f.Value)
			}
		case model.CheckMinFilled, model.CheckMaxBelowBest, model.CheckMinPrefix:
			percent, bad := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(f.Value, "%")), 64)
			share, ok := model.ShareOfPercent(percent)
			if bad != nil || !ok {
				err = fmt.Errorf("%.40q is not a percentage from 0 to 100 (use 80 or 2.5)", f.Value)
			}
			c.Share = share
		case model.CheckNoParted:
			var wanted bool
			if wanted, err = strconv.ParseBool(f.Value); err == nil && !wanted {
				continue
			}
		default:
			c.Tokens, err = model.ParseTokens(f.Value)
		}
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", f.Name, err)
		}
		all = append(all, c)
	}
	for _, c := range all {
		flag := flagOf(c.Kind)
		if c.Selector == "" && (c.Kind == model.CheckFirstInBy || c.Kind == model.CheckStaysBy) {
			return nil, fmt.Errorf("--%s %v must be followed by --for SELECTOR", flag, c.Tokens)
		}
		if err := c.Validate(); err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
	}
	return all, nil
}

// wantsItems reports whether a check is about items that "for" names.
func wantsItems(k model.CheckKind) bool {
	return k == model.CheckFirstInBy || k == model.CheckStaysBy || k == model.CheckStable
}

// sayCheck writes a check as it is typed, without the dashes.
func sayCheck(c model.Check) string {
	text := flagOf(c.Kind)
	switch c.Kind {
	case model.CheckRequire, model.CheckForbid:
		return text + " " + c.Selector
	case model.CheckMaxCostRatio:
		return text + " " + strconv.FormatFloat(c.Ratio, 'f', -1, 64)
	case model.CheckMinFilled, model.CheckMaxBelowBest, model.CheckMinPrefix:
		return text + " " + strconv.FormatFloat(inPercent(c.Share), 'f', -1, 64) + " %"
	case model.CheckNoParted:
		return text
	}
	text += " " + c.Tokens.String()
	if c.Selector != "" {
		text += " for " + c.Selector
	}
	return text
}

// sheet is all verdicts.
func (j *judge) sheet(failed, undecided int) *export.Sheet {
	s := &export.Sheet{
		Title: title(j.Opened),
		Name:  "checks",
		Notes: j.notes(fmt.Sprintf("budget %v; %s", j.Budget.MaxTokens(), template(j.Budget))),
		Facts: j.facts("check", j.Budget,
			export.Fact{Name: "ceiling", Value: export.Tokens(j.ceiling)},
			export.Fact{Name: "estimated", Value: export.Count(j.Set.Estimates())}, // estimatedCounts, as it was called up to 0.1.0
			export.Fact{Name: "failed", Value: export.Count(failed)},
			export.Fact{Name: "undecided", Value: export.Count(undecided)}),
		Columns: []export.Column{
			{Name: "verdict", Heading: "verdict"},
			{Name: "name", Heading: "name"},
			{Heading: "check"},
			{Name: "check"},
			{Name: "selector"},
			{Name: "bound"},
			{Name: "measured"},
			{Name: "limit"},
			{Name: "actual"},
			{Name: "named"},
			{Name: "failing", Was: "items"},
			{Name: "says", Heading: "what is"},
		},
		Rows: export.RowsOf(j.verdicts, func(row []export.Cell, _ int, v verdict) []export.Cell { return append(row, v.cells()...) }),
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
		s.Closing = append(s.Closing, plain.Count(n, "token count")+" estimated: what rests on that may be otherwise")
	}
	return s
}
