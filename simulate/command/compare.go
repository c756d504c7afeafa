package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/flow"
	"cupelscope/simulate/session"
)

// CompareOptions say what to compare, and at which budgets.
type CompareOptions struct {
	AnswerOptions
	A, B string // names of policies, see session.ParsePolicy; one may be session.Recorded
	// At lists budgets: numbers of tokens, or percentages of all tokens of a
	// source. If it is empty, each source has its own budget.
	At     []string
	Worst  int  // number of cases to show, those that differ most
	NoBest bool // skip the best possible value, which takes the most time
	Jobs   int  // number of cases worked on at a time; 0: the number of processors
}

// budgetSpec is a budget that may depend on the source.
type budgetSpec struct {
	text   string
	tokens model.Tokens
	share  float64 // part of all tokens of the set, if tokens is 0
}

// cell returns the budget as it was asked for.
func (b budgetSpec) cell() export.Cell {
	switch {
	case b.text == "":
		return export.Word("own")
	case b.share > 0:
		return export.Word(strconv.FormatFloat(100*b.share, 'f', -1, 64) + "%")
	}
	return export.Word(strconv.FormatInt(int64(b.tokens), 10)).But(b.tokens.String())
}

// of returns the budget for a source with all tokens in total. The zero spec means
// the budget of the source itself.
func (b budgetSpec) of(o simulate.Opening, all model.Tokens) (model.Budget, error) {
	switch {
	case b.text == "":
		return o.Budget, nil
	case b.share > 0:
		return o.Budget.At(model.Tokens(math.Ceil(b.share * float64(all))))
	}
	return o.Budget.At(b.tokens)
}

// comparer compares two policies on one case after the other. It is safe for
// concurrent use.
type comparer struct {
	*cases
	a, b     session.PolicyOf // nil: what is recorded
	at       []budgetSpec
	best     bool
	csv      bool
	textless bool // texts of items are left out
}

// Compare compares two policies over the cases of sources. The answer says how
// often and by how much their results differ, what only one of them lets in, what
// that is worth, and how far both are below the best possible value. A case is a
// source, or each line of a source whose lines are scenarios, requests or retrieval
// results. Cases that cannot be compared are counted by reason; if none can, the
// error is the first reason.
//
// CSV has a line for each case and budget, in the order of the sources. Memory is
// bounded however many cases there are.
func Compare(ctx context.Context, o session.Options, c CompareOptions, s Streams) error {
	form, err := c.form()
	if err != nil {
		return err
	}
	w, err := newComparer(ctx, o, c, s)
	if err != nil {
		return err
	}
	w.csv, w.textless = form == export.AsCSV, c.NoContent
	sum := newTotals(w.at, max(0, c.Worst))
	sum.recorded = w.a == nil || w.b == nil
	var headings []export.Cell
	if w.csv {
		headings = caseHeadings()
	}
	begin := w.now()
	err = w.answerAll(ctx, c.Jobs, headings, w.answer, func(p *flow.Parcel) {
		for _, r := range p.Payload.([]caseResult) {
			sum.add(r)
		}
	}, func() string { return fmt.Sprintf("%s compared", plain.Count(sum.all.cases, "case")) })
	if err != nil {
		return err
	}
	if c.Timings && s.Now != nil {
		if err := say(s.Err, "%s in %.1f ms", plain.Count(sum.sources, "source"), milliseconds(w.now().Sub(begin))); err != nil {
			return err
		}
	}
	if err := sum.failures.conclude(s.Err, sum.all.cases, "case", "not compared", "there is nothing to compare"); err != nil || w.csv {
		return err
	}
	return s.writeBook(ctx, sum.book(c, form), form)
}

func (w *comparer) now() time.Time {
	if w.streams.Now == nil {
		return time.Time{}
	}
	return w.streams.Now()
}

// newComparer checks the flags and returns a comparer.
func newComparer(ctx context.Context, o session.Options, c CompareOptions, s Streams) (*comparer, error) {
	cases, err := newCases(ctx, o, c.heard(s))
	if err != nil {
		return nil, err
	}
	w := &comparer{cases: cases, best: !c.NoBest}
	for _, side := range [...]struct {
		name string
		to   *session.PolicyOf
	}{{c.A, &w.a}, {c.B, &w.b}} {
		if strings.EqualFold(side.name, session.Recorded) {
			continue
		}
		if *side.to, err = session.ParsePolicy(side.name); err != nil {
			return nil, err
		}
	}
	if w.a == nil && w.b == nil {
		return nil, errors.New("compare recorded recorded: give a policy to compare the recorded result with")
	}
	if w.at, err = parseBudgets(c.At); err != nil {
		return nil, err
	}
	asked := w.Choices.Overrides
	// For recorded scenarios that lack a policy or a budget: those of the flags.
	if !w.Fallback.Policy.Set {
		if w.a != nil {
			if p, err := w.a(session.Own{}); err == nil { // not only a slicer
				w.Fallback.Policy = model.Some(p)
			}
		}
	}
	for _, n := range []model.Option[model.Tokens]{asked.MaxTokens, model.Some(w.at[0].tokens)} {
		if n.Set && (n.Value > 0 || w.at[0].text != "") && !w.Fallback.Budget.Set {
			b, err := model.BudgetOf(n.Value)
			if err != nil {
				return nil, err
			}
			w.Fallback.Budget = model.Some(b)
		}
	}
	return w, nil
}

// parseBudgets parses numbers of tokens and percentages; a text may hold several,
// separated by commas. Without any, the result means the budget of each source.
func parseBudgets(texts []string) ([]budgetSpec, error) {
	var all []budgetSpec
	for _, text := range texts {
		for one := range strings.SplitSeq(text, ",") {
			one = strings.TrimSpace(one)
			spec := budgetSpec{text: one}
			if percent, ok := strings.CutSuffix(one, "%"); ok {
				share, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
				if err != nil || !(share > 0 && share <= 1000) {
					return nil, fmt.Errorf("--at: %.40q is not a percentage above 0 and up to 1000", one)
				}
				spec.share = share / 100
			} else {
				n, err := model.ParseTokens(one)
				if err != nil {
					return nil, fmt.Errorf("--at: %w (or a percentage of all tokens, as in 25%%)", err)
				}
				spec.tokens = n
			}
			all = append(all, spec)
		}
	}
	if len(all) == 0 {
		return []budgetSpec{{}}, nil
	}
	return all, nil
}
