package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// outputFlag returns the flag for the form of an answer. It stores its value in a.
func (a *answerOptions) outputFlag() session.Flag {
	return session.Flag{Name: "output", Letter: "o", Read: named(&a.Output, export.Forms()), Offers: model.Names(export.Forms()), Usage: "`FORM` of the answer: table, json, csv or markdown (default table)"}
}

// named returns a function that reads one of the known names into to.
func named[T ~string](to *T, known []T) func(string) error {
	return func(text string) (err error) {
		*to, err = session.FindName(text, known)
		return err
	}
}

// tokensTo returns a function that reads a number of tokens into to.
func tokensTo(to *model.Option[model.Tokens]) func(string) error {
	return func(text string) (err error) {
		to.Value, err = model.ParseTokens(text)
		to.Set = true
		return err
	}
}

// numberTo returns a function that reads a number into to.
func numberTo(to *model.Option[float64]) func(string) error {
	return func(text string) (err error) {
		if to.Value, err = strconv.ParseFloat(text, 64); err != nil {
			err = fmt.Errorf("%.40q is not a number", text)
		}
		to.Set = true
		return err
	}
}

// percentAboveZero returns a function that reads a percentage into to.
func percentAboveZero(to *float64) func(string) error {
	return func(text string) (err error) {
		if *to, err = model.ParsePercent(text); err == nil && *to == 0 {
			err = errors.New("must be above 0")
		}
		return err
	}
}

// answerFlags returns the flags that control how an answer is written, without those
// named, which would do nothing for the verb. They store their values in a.
func (a *answerOptions) answerFlags(without ...string) []session.Flag {
	return slices.DeleteFunc([]session.Flag{
		a.outputFlag(),
		{Name: "ascii", Bool: &a.ASCII, Usage: "mark estimates with ~"},
		{Name: "verbose", Letter: "v", Bool: &a.Verbose, Usage: "say on standard error what was loaded"},
		{Name: "timings", Bool: &a.Timings, Usage: "say how long the work took; without it, equal runs print equal bytes"},
		{Name: "no-content", Bool: &a.NoContent, Usage: "leave out the texts of items"},
		{Name: "quiet", Letter: "q", Bool: &a.Quiet, Usage: "print only errors, and what was skipped, on standard error"},
	}, func(f session.Flag) bool { return slices.Contains(without, f.Name) })
}

func (s *studyOptions) verbFlags() []session.Flag {
	return append(s.answerFlags(),
		session.Flag{Name: "item", Texts: &s.Items, Usage: "only the items that `SELECTOR` names: 12, 12-20, kind:tool, 'tok>500 is:out', '\"a text\"'; may be repeated (default: all)"},
		session.Flag{Name: "ceiling", Read: tokensTo(&s.Ceiling), Usage: "the largest budget to look at, in `TOKENS` (default: where everything is in, at most twice the budget or 128k)"})
}

func (r *reportOptions) verbFlags() []session.Flag {
	return append(r.answerFlags(),
		session.Flag{Name: "html", Text: &r.HTML, Usage: "write the report at every budget to `FILE`: one page for a browser, with a slider over the budgets; it loads and sends nothing"},
		session.Flag{Name: "content", Bool: &r.Content, Usage: "put the texts of items into the page of --html"})
}

func (m *minBudgetOptions) verbFlags() []session.Flag {
	return append(m.studyOptions.verbFlags(),
		session.Flag{Name: "bare", Bool: &m.Bare, Usage: "search with nothing kept back from the budget"},
		session.Flag{Name: "only-differing", Bool: &m.OnlyDiffering, Usage: "only items for which Cupel's search misses the smallest budget"})
}

func (p *profileOptions) verbFlags() []session.Flag {
	return append(p.studyOptions.verbFlags(),
		overFlag(&p.Over),
		session.Flag{Name: "from", Text: &p.From, Usage: "the first `VALUE` of --over"},
		session.Flag{Name: "to", Text: &p.To, Usage: "the last `VALUE` of --over"})
}

func overFlag(to *string) session.Flag {
	return session.Flag{Name: "over", Text: to, Offers: model.NumberNames(), Usage: "vary this `NUMBER` in place of the budget: weight:recency (a second one: weight:recency.2), bucket, safety-margin"}
}

func (w *sweepOptions) verbFlags() []session.Flag {
	return append(w.studyOptions.verbFlags(),
		session.Flag{Name: "from", Text: &w.From, Usage: "the first budget, in `TOKENS` (default 0), or value of --over"},
		session.Flag{Name: "to", Text: &w.To, Usage: "the last budget, in `TOKENS` (default: the ceiling), or value of --over"},
		session.Flag{Name: "step", Read: tokensTo(&w.Step), Usage: "one row every so many `TOKENS` (default: where the result changes)"},
		overFlag(&w.Over),
		session.Flag{Name: "policy-b", Text: &w.PolicyB, Offers: session.PolicyNames(), Files: true, Usage: "another `POLICY`: a slicer (knapsack, knapsack:1), a preset or a file"})
}

func (v *compareOptions) verbFlags() []session.Flag {
	return append(v.answerFlags("verbose"),
		session.Flag{Name: "at", Texts: &v.At, Usage: "`BUDGETS` to compare at: tokens, shares of all tokens of a case, or own for each case's own, as in 8k,32k,50% (default own)"},
		session.Flag{Name: "worst", Int: &v.Worst, Usage: "list the `COUNT` cases that differ most"},
		session.Flag{Name: "no-best", Bool: &v.NoBest, Usage: "skip the best possible value, which takes most of the time"},
		session.Flag{Name: "jobs", Letter: "j", Int: &v.Jobs, Usage: "`NUMBER` of cases worked on at a time (default: as many as processors)"})
}

func (c *checkOptions) verbFlags() []session.Flag {
	return append(append(c.answerFlags(), c.Typed.flags()...),
		session.Flag{Name: "ceiling", Read: tokensTo(&c.Ceiling), Usage: "the largest budget to look at, in `TOKENS` (default: as for min-budget, and as far as the checks ask)"},
		session.Flag{Name: "guess", Bool: &c.Guess, Usage: "also check at a guessed budget, if none is given"},
		session.Flag{Name: "checks", Text: &c.File, Usage: "`FILE` with an array of checks, as in a scenario"},
		session.Flag{Name: "against", Text: &c.Against, Usage: "fail where a figure is worse than in `FILE`, which --record wrote: recall, complete, answered, needed tokens, value " + plain.BelowBest + ", split pairs"},
		session.Flag{Name: "tolerance", Text: &c.Tolerance, Usage: "how much worse a share may be than in the file of --against, in `PERCENT` points (default 1)"},
		session.Flag{Name: "record", Text: &c.Record, Usage: "if all checks hold, write the figures of the result to `FILE`"})
}

func (t *tokensOptions) verbFlags() []session.Flag {
	return append(t.answerFlags("timings"),
		session.Flag{Name: "by", Read: named(&t.By, groupings()), Offers: model.Names(groupings()), Usage: "one row per `GROUP`: item, kind, or count (where counts come from) (default item)"},
		session.Flag{Name: "compare", Lists: &t.Compare, Offers: append(tokens.Encodings(), "all"), Usage: "`ENCODINGS` to count every text with, one column each; all stands for every encoding"},
		session.Flag{Name: "verify", Bool: &t.Verify, Usage: "count every text again with tiktoken-go, and list those that differ"})
}

func (p *policyOptions) verbFlags() []session.Flag {
	return []session.Flag{
		{Name: "scenario", Text: &p.Scenario, Usage: "`FILE` of the scenario whose policy is printed, instead of a source"},
		{Name: "budget", Bool: &p.Budget, Usage: "print the budget instead of the policy"},
	}
}

func (b *batchOptions) verbFlags() []session.Flag {
	return []session.Flag{
		{Name: "jobs", Letter: "j", Int: &b.Jobs, Usage: "`NUMBER` of lines worked on at a time (default: as many as processors)"},
		{Name: "verbose", Letter: "v", Bool: &b.Verbose, Usage: "say on standard error how many lines were answered, even if none failed"},
		{Name: "timings", Bool: &b.Timings, Usage: "say in each answer how long the stages took; without it, equal runs print equal bytes"},
	}
}
