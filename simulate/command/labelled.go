package command

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// labelOptions are the flags of the verbs that evaluate policies against labels.
type labelOptions struct {
	answerOptions
	Group  string  // see session.NewLabelled
	Jobs   int     // number of cases worked on at a time; 0: the number of processors
	Wanted float64 // recall to find the budgets for, in percent; 0: DefaultWanted
}

func (l *labelOptions) labelFlags() []session.Flag {
	return []session.Flag{
		l.outputFlag(),
		{Name: "quiet", Letter: "q", Bool: &l.Quiet, Usage: "print only errors, and what was skipped, on standard error"},
		{Name: "group", Text: &l.Group, Usage: "cases whose lines have the same `FIELD` are one group; source: those of one file (default: those of one conversation)"},
		{Name: "wanted", Read: percentAboveZero(&l.Wanted), Usage: "the recall to find budgets for, in `PERCENT` (default 90)"},
		{Name: "jobs", Letter: "j", Int: &l.Jobs, Usage: "`NUMBER` of cases worked on at a time (default: as many as processors)"},
	}
}

// wanted returns --wanted as a share from 0 to 1.
func (l *labelOptions) wanted() float64 { return cmp.Or(l.Wanted/100, quality.DefaultWanted) }

// amounts parses --at. It refuses a --max-tokens that would change nothing: without own
// in --at, only the distance of a target below the maximum matters.
func amounts(o session.Options, texts []string) ([]quality.Amount, error) {
	var all []quality.Amount
	for _, text := range texts {
		for one := range strings.SplitSeq(text, ",") {
			amount, err := quality.ParseAmount(one)
			if err != nil {
				return nil, fmt.Errorf("--at: %w", err)
			}
			if slices.Contains(all, amount) {
				return nil, fmt.Errorf("--at: %v is given twice", amount)
			}
			all = append(all, amount)
		}
	}
	own := slices.ContainsFunc(all, func(a quality.Amount) bool { return a.Own })
	most := o.Budget[model.FieldMaxTokens]
	if len(all) > 0 && !own && most != "" && o.Budget[model.FieldTargetTokens] == "" {
		return nil, fmt.Errorf("--max-tokens %.40s and --at %.40s both give the budget: give one of them", most, strings.Join(texts, ","))
	}
	return all, nil
}

// oneAmount parses --at where it takes one budget; the result is nil if text is empty.
func oneAmount(o session.Options, text string) ([]quality.Amount, error) {
	if text == "" {
		return nil, nil
	}
	at, err := amounts(o, []string{text})
	if err == nil && len(at) > 1 {
		err = fmt.Errorf("--at: %.40q are several budgets: give one", text)
	}
	return at, err
}

// labelledCases are the labelled cases of the sources, with a line of progress.
type labelledCases struct {
	*session.Labelled
	streams Streams
	status  func() string // text for the line of progress; nil: the number of cases read

	failures failures // of the last iteration over all
}

// newLabelledCases is session.NewLabelled for a verb.
func newLabelledCases(ctx context.Context, o session.Options, v labelOptions, policies []string, s Streams) (*labelledCases, error) {
	l, err := session.NewLabelled(ctx, o, v.Group, v.Jobs, policies, s.input())
	if err != nil {
		return nil, err
	}
	s.sayAgain(l.Again)
	return &labelledCases{Labelled: l, streams: s}, nil
}

// all is Labelled.All, and adds the cases that cannot be evaluated to failures.
func (e *labelledCases) all(ctx context.Context) quality.Cases {
	return func(yield func(*quality.Case, error) bool) {
		progress := e.streams.progressLine()
		defer progress.clear()
		e.failures = failures{}
		e.Failed = e.failures.add
		e.Progress = func(read int) {
			progress.show(func() string {
				if e.status != nil {
					return e.status()
				}
				return plain.Count(read, "case") + " read"
			})
		}
		e.All(ctx)(yield)
	}
}

// begin reads the first case, which determines the policies, and returns all cases,
// which can be iterated over once. stop ends the reading. If there is no case, the
// error says why.
func (e *labelledCases) begin(ctx context.Context) (all quality.Cases, stop func(), err error) {
	next, stop := iter.Pull2(e.all(ctx))
	first, err, more := next()
	if err == nil && !more {
		err = e.failures.conclude(e.streams, 0, "case", "not evaluated", "there is nothing to evaluate")
	}
	if err != nil {
		stop()
		return nil, nil, err
	}
	return func(yield func(*quality.Case, error) bool) {
		for c, err := first, error(nil); more && yield(c, err); {
			c, err, more = next()
		}
	}, stop, nil
}

// notes returns lines about the cases to show beside an answer, about labels and
// counts that may be unexpected.
func (e *labelledCases) notes(unreachable int) (lines []string) {
	add := func(n int, what, says string) {
		if n > 0 {
			lines = append(lines, plain.Count(n, what)+" "+says)
		}
	}
	add(unreachable, "label", "without an item: no part of recall")
	add(e.Unmatched(), "case", "of the labels not among those evaluated")
	add(e.Reading.Estimated, "case", "with token counts that are estimates: results that depend on them may be off")
	add(e.Reading.Sized, "case", "with items that may be cut, which is not Cupel's: recall counts an item as in in any size but its note")
	add(e.failures.count, "case", "not evaluated")
	return lines
}
