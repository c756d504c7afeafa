package command

import (
	"fmt"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// evaluation is an answer of the verb evaluate.
type evaluation struct {
	*quality.Evaluation
	*labelledCases
	wanted float64
	worst  int  // number of cases named at each budget
	cases  bool // a row for each case is asked for
}

// sheets returns the answer in a form: one table in CSV.
func (e *evaluation) sheets(form export.Form) (all []*export.Sheet) {
	switch {
	case form == export.AsCSV && e.cases:
		return []*export.Sheet{e.caseSheet()}
	case form == export.AsCSV:
		return []*export.Sheet{e.resultSheet()}
	case form != export.AsJSON: // which has the results as a fact
		all = append(all, e.resultSheet())
	}
	all = append(all, e.policySheet())
	all[0].Facts = []export.Fact{
		export.SchemaFact("evaluate"),
		{Name: "cases", Value: export.Count(e.Cases)},
		{Name: "leftOut", Value: export.Count(e.failures.count)},
		{Name: "labelled", Value: export.Count(e.Evaluation.Labelled)},
		{Name: "answerable", Value: export.Count(e.Answerable)},
		{Name: "groups", Value: export.Count(e.Groups)},
		{Name: "unreachable", Value: export.Count(e.Unreachable)},
		{Name: "unmatchedCases", Value: export.Count(e.Unmatched())},
		{Name: "estimatedCases", Value: export.Count(e.Reading.Estimated)},
		{Name: "wanted", Value: export.Number(e.wanted, 3)},
		{Name: "seed", Value: export.Count(evaluateSeed)},
		{Name: "budgets", Value: e.budgetsCell()},
	}
	if form == export.AsJSON || e.worst > 0 && e.Evaluation.Labelled > 1 {
		all = append(all, e.worstSheet())
	}
	if form == export.AsJSON || e.worst > 0 && len(e.worse()) > 0 {
		all = append(all, e.worseSheet())
	}
	if e.cases {
		all = append(all, e.caseSheet())
	}
	return all
}

// name returns the name of the policy k as a person reads it.
func (e *evaluation) name(k int) export.Cell {
	p := &e.Evaluation.Policies[k]
	c := export.Text(p.Name, 40)
	if len(p.NotCupel) > 0 {
		c = c.But(plain.Line(p.Name, 40) + " (not Cupel's)")
	}
	return c
}

// percent returns a cell for a mean from 0 to 1. A person reads it in percent with
// one decimal.
func percent(m quality.Mean) export.Cell {
	return export.Number(m.Value, 4).But(fmt.Sprintf("%.1f %%", 100*m.Value)).If(m.Cases > 0)
}

func points(f float64) export.Cell {
	return export.Number(f, 4).But(fmt.Sprintf("%+.1f", 100*f)).If(!math.IsInf(f, 0))
}

func mean(m quality.Mean, decimals int) export.Cell {
	return export.Number(m.Value, decimals).If(m.Cases > 0)
}

func (e *evaluation) resultSheet() *export.Sheet {
	s := export.Sheet{
		Title: fmt.Sprintf("%s of %s with labels, in %s", plain.Thousands(e.Evaluation.Labelled), plain.Count(e.Cases, "case"), plain.Count(e.Groups, "group")),
		Name:  "results",
		Closing: []string{
			"recall: share of the needed items that is in; complete: cases with all of them; needed: share of the tokens that was needed; means over cases;",
			"recall +-: percentage points more than " + e.Evaluation.Policies[0].Name + ", with the 95 % interval; p: two-sided sign-flip test over groups, adjusted for all policies at a budget",
		},
	}
	if len(e.At) > 0 && len(e.At[0].Policies) > 1 {
		if least := e.At[0].Policies[1].Versus.Value.MinP; least >= quality.Level {
			s.Closing = append(s.Closing, fmt.Sprintf("with %s no p can be below %.4g: nothing can be significant", plain.Count(e.Groups, "group"), least))
		}
	}
	s.Closing = append(s.Closing, e.notes(e.Unreachable)...)
	var rows []resultRow
	for i := range e.At {
		rows = append(rows, e.results(i)...)
	}
	return export.SheetOf(s, e.resultColumns(), slices.Values(rows))
}

// results returns the results at a budget, by policy.
func (e *evaluation) results(i int) (rows []resultRow) {
	for k := range e.At[i].Policies {
		rows = append(rows, resultRow{e.At[i].Amount, k, &e.At[i].Policies[k]})
	}
	return rows
}

// resultRow is the result of a policy at a budget.
type resultRow struct {
	at     quality.Amount
	policy int
	*quality.Result
}

func (e *evaluation) resultColumns() []export.Column[resultRow] {
	versus := func(r resultRow) quality.Comparison { return r.Versus.Value }
	return slices.Concat([]export.Column[resultRow]{
		{Name: "at", Heading: "budget", Right: true, Cell: func(r resultRow) export.Cell { return amountCell(r.at) }},
		{Name: "policy", Heading: "policy", Cell: func(r resultRow) export.Cell { return e.name(r.policy) }},
	}, e.measureColumns(), export.Known(e.compared, export.Of(versus, recallColumns()...)...))
}

// compared reports whether a result is compared with the result of the first policy.
func (e *evaluation) compared(r resultRow) bool { return r.Versus.Set && e.Evaluation.Labelled > 0 }

// measureColumns returns the columns of what was measured of a policy.
func (e *evaluation) measureColumns() []export.Column[resultRow] {
	return slices.Concat([]export.Column[resultRow]{
		{Name: "ours", Cell: func(r resultRow) export.Cell { return export.Truth(len(e.Evaluation.Policies[r.policy].NotCupel) > 0) }},
		{Name: "recall", Heading: "recall", Right: true, Cell: func(r resultRow) export.Cell { return percent(r.Recall) }},
	}, wholeRecall(e, func(r resultRow) export.Cell { return percent(r.WholeRecall) }), []export.Column[resultRow]{
		{Name: "complete", Heading: "complete", Right: true, Cell: func(r resultRow) export.Cell { return percent(r.Complete) }},
		{Name: "answered", Heading: "answered", Right: true, Spare: true, Cell: func(r resultRow) export.Cell { return percent(r.Answered) }},
		{Name: "shareNeeded", Heading: "needed", Right: true, Spare: true, Cell: func(r resultRow) export.Cell { return percent(r.ShareNeeded) }},
		{Name: "tokens", Heading: "tokens", Right: true, Spare: true, Cell: func(r resultRow) export.Cell { return mean(r.Tokens, 0) }},
		{Name: "value", Heading: "value", Right: true, Cell: func(r resultRow) export.Cell { return mean(r.Value, 3) }},
		{Name: "belowBest", Heading: plain.BelowBest, Right: true, Spare: true, Cell: func(r resultRow) export.Cell { return percent(r.BelowBest) }},
	})
}

// recallColumns returns the columns of how the recall of a policy compares with the recall
// of the first.
func recallColumns() []export.Column[quality.Comparison] {
	columns := versusColumns("recall +-", "", points)
	columns[1].Spare, columns[2].Spare = true, true
	last := len(columns) - 1
	return append(columns[:last], export.Column[quality.Comparison]{
		Name: "adjustedP", Heading: "p (Holm)", Right: true, Cell: func(c quality.Comparison) export.Cell { return export.Probability(c.Adjusted) },
	}, columns[last])
}

// versusColumns returns the columns of a comparison with another policy: the difference with
// its interval, each as of makes a cell of it, in how many cases the policy is better, and p,
// which people see only under a heading.
func versusColumns(heading, pHeading string, of func(float64) export.Cell) []export.Column[quality.Comparison] {
	return []export.Column[quality.Comparison]{
		{Name: "difference", Heading: heading, Right: true, Cell: func(c quality.Comparison) export.Cell { return of(c.Mean) }},
		{Name: "low", Heading: "from", Right: true, Cell: func(c quality.Comparison) export.Cell { return of(c.Low) }},
		{Name: "high", Heading: "to", Right: true, Cell: func(c quality.Comparison) export.Cell { return of(c.High) }},
		{Name: "win", Heading: "win", Right: true, Spare: true, Cell: func(c quality.Comparison) export.Cell { return export.Count(c.Win) }},
		{Name: "tie", Heading: "tie", Right: true, Spare: true, Cell: func(c quality.Comparison) export.Cell { return export.Count(c.Tie) }},
		{Name: "loss", Heading: "loss", Right: true, Spare: true, Cell: func(c quality.Comparison) export.Cell { return export.Count(c.Loss) }},
		{Name: "p", Heading: pHeading, Right: true, Cell: func(c quality.Comparison) export.Cell { return export.Probability(c.P) }},
		{Name: "leastP", Cell: func(c quality.Comparison) export.Cell { return export.Number(c.MinP, 4) }},
	}
}

// wholeRecall returns the column of what is in whole, none if no item of any case may be cut.
func wholeRecall[T any](e *evaluation, cell func(T) export.Cell) []export.Column[T] {
	if e.Reading.Sized == 0 {
		return nil
	}
	return []export.Column[T]{{Name: "wholeRecall", Heading: "whole recall", Right: true, Cell: cell}}
}

func amountCell(a quality.Amount) export.Cell {
	c := export.Word(a.String())
	if a.Percent > 0 || a.Own {
		return c
	}
	return c.But(a.Tokens.String())
}

// policySheet returns a table of the budgets that each policy takes to reach the
// wanted recall.
func (e *evaluation) policySheet() *export.Sheet {
	budget := func(o model.Option[model.Tokens]) export.Cell {
		if !o.Set {
			return export.None.But("never")
		}
		return export.Tokens(o.Value)
	}
	sheet := export.Sheet{
		Title:   fmt.Sprintf("budgets for a recall of %s", plain.Percent(e.wanted)),
		Name:    "policies",
		Closing: []string{"reaches: the smallest budget at which half, or 90 %, of the cases have this recall; holds: from which on they keep it up to the ceiling; never: cases that do not"},
	}
	return export.SheetOf(sheet, []export.Column[int]{
		{Name: "name", Heading: "policy", Cell: e.name},
		{Name: "ours", Cell: func(k int) export.Cell { return export.Truth(len(e.Evaluation.Policies[k].NotCupel) > 0) }},
		{Name: "added", Cell: func(k int) export.Cell { return export.Truth(e.Evaluation.Policies[k].Added) }},
		{Name: "reachesMedian", Heading: "reaches: half", Right: true, Cell: func(k int) export.Cell { return budget(e.Evaluation.Policies[k].Reaches.Median) }},
		{Name: "reachesP90", Heading: "90 %", Right: true, Cell: func(k int) export.Cell { return budget(e.Evaluation.Policies[k].Reaches.P90) }},
		{Name: "neverReaches", Heading: "never", Right: true, Spare: true, Cell: func(k int) export.Cell { return export.Count(e.Evaluation.Policies[k].Reaches.Never) }},
		{Name: "holdsMedian", Heading: "holds: half", Right: true, Cell: func(k int) export.Cell { return budget(e.Evaluation.Policies[k].Holds.Median) }},
		{Name: "holdsP90", Heading: "90 %", Right: true, Cell: func(k int) export.Cell { return budget(e.Evaluation.Policies[k].Holds.P90) }},
		{Name: "neverHolds", Heading: "never", Right: true, Spare: true, Cell: func(k int) export.Cell { return export.Count(e.Evaluation.Policies[k].Holds.Never) }},
	}, export.Upto(len(e.Evaluation.Policies)))
}

// worstSheet returns a table of the cases with the least recall under the first
// policy.
func (e *evaluation) worstSheet() *export.Sheet {
	var all []quality.CaseResult
	for i := range e.At {
		all = append(all, e.Evaluation.Worst(i, 0, e.worst)...)
	}
	sheet := export.Sheet{Title: "cases with the lowest recall under " + e.Evaluation.Policies[0].Name, Name: "worst", Closing: e.openWorst()}
	return export.SheetOf(sheet, slices.Concat(e.placeColumns(), []export.Column[quality.CaseResult]{
		{Name: "recall", Heading: "recall", Right: true, Cell: func(r quality.CaseResult) export.Cell { return export.Share(r.Recall.Value) }},
	}, e.openColumns()), slices.Values(all))
}

// worse returns the cases in which a policy that was asked for loses most against the first.
func (e *evaluation) worse() (all []quality.CaseResult) {
	for i := range e.At {
		for k, p := range e.Evaluation.Policies[1:] {
			if !p.Added {
				all = append(all, e.Evaluation.Worse(i, k+1, e.worst)...)
			}
		}
	}
	return all
}

// worseSheet returns a table of the cases of worse.
func (e *evaluation) worseSheet() *export.Sheet {
	sheet := export.Sheet{Title: "cases that lose most against " + e.Evaluation.Policies[0].Name, Name: "worstChanges"}
	return export.SheetOf(sheet, slices.Concat(e.placeColumns(), []export.Column[quality.CaseResult]{
		{Name: "policy", Heading: "policy", Cell: func(r quality.CaseResult) export.Cell { return e.name(r.Policy) }},
		{Name: "recall", Heading: "recall", Right: true, Cell: func(r quality.CaseResult) export.Cell { return export.Share(r.Recall.Value) }},
		{Name: "difference", Heading: "recall +-", Right: true, Cell: func(r quality.CaseResult) export.Cell { return points(r.Difference) }},
	}, e.openColumns()), slices.Values(e.worse()))
}

// placeColumns returns the columns that say which case a row is about, and at which budget.
func (e *evaluation) placeColumns() []export.Column[quality.CaseResult] {
	return []export.Column[quality.CaseResult]{
		{Name: "at", Heading: "budget", Right: true, Cell: func(r quality.CaseResult) export.Cell { return amountCell(e.At[r.At].Amount) }},
		{Name: "case", Heading: "case", Flows: export.MinItemCells, Cell: func(r quality.CaseResult) export.Cell { return export.Path(r.Case, 60) }},
	}
}

// openColumns returns the columns that say what a case is about and how to open it.
func (e *evaluation) openColumns() []export.Column[quality.CaseResult] {
	return []export.Column[quality.CaseResult]{
		{Name: "question", Heading: "question", Flows: export.MinItemCells, Cell: func(r quality.CaseResult) export.Cell { return export.Text(r.Question, 60) }},
		{Name: "open", Cell: func(r quality.CaseResult) export.Cell { return export.Word(e.opener(r)) }},
	}
}

// caseSheet returns a table with a row for each case, budget and policy.
func (e *evaluation) caseSheet() *export.Sheet {
	share := func(o model.Option[float64]) export.Cell {
		return export.Number(o.Value, 4).But(plain.Percent(o.Value)).If(o.Set)
	}
	return export.SheetOf(export.Sheet{Title: "every case", Name: "byCase"}, slices.Concat(e.placeColumns(), []export.Column[quality.CaseResult]{
		{Name: "group", Cell: func(r quality.CaseResult) export.Cell { return export.Text(r.Group, 60) }},
		{Name: "policy", Heading: "policy", Cell: func(r quality.CaseResult) export.Cell { return e.name(r.Policy) }},
		{Name: "maxTokens", Heading: "tokens given", Right: true, Spare: true, Cell: func(r quality.CaseResult) export.Cell { return export.Tokens(r.Budget) }},
		{Name: "recall", Heading: "recall", Right: true, Cell: func(r quality.CaseResult) export.Cell { return share(r.Recall) }},
	}, wholeRecall(e, func(r quality.CaseResult) export.Cell { return share(r.WholeRecall) }), []export.Column[quality.CaseResult]{
		{Name: "complete", Heading: "complete", Right: true, Cell: func(r quality.CaseResult) export.Cell { return share(quality.Share(r.Complete)) }},
		{Name: "answered", Heading: "answered", Right: true, Spare: true, Cell: func(r quality.CaseResult) export.Cell { return share(quality.Share(r.Answered)) }},
		{Name: "shareNeeded", Heading: "needed", Right: true, Spare: true, Cell: func(r quality.CaseResult) export.Cell { return share(r.ShareNeeded) }},
		{Name: "tokens", Heading: "tokens", Right: true, Spare: true, Cell: func(r quality.CaseResult) export.Cell { return export.Tokens(r.Tokens) }},
		{Name: "value", Heading: "value", Right: true, Cell: func(r quality.CaseResult) export.Cell { return export.Number(r.Value, 3) }},
		{Name: "belowBest", Heading: plain.BelowBest, Right: true, Spare: true, Cell: func(r quality.CaseResult) export.Cell { return share(r.BelowBest) }},
	}), e.ByCase())
}

// opener returns the command line that opens a case in the explorer, under its policy and
// at its budget.
func (e *evaluation) opener(r quality.CaseResult) string {
	budget := r.Budget
	if e.At[r.At].Amount.Own {
		budget = 0 // its own anyway
	}
	return session.ShellLine(append([]string{"cupelscope"}, e.Opener(r.Index, e.Evaluation.Policies[r.Policy].Name, budget)...)...)
}

// openWorst returns how to open the case with the least recall.
func (e *evaluation) openWorst() []string {
	line, least := "", math.Inf(1)
	for i := range e.At {
		for _, r := range e.Evaluation.Worst(i, 0, 1) {
			if r.Recall.Value < least {
				line, least = e.opener(r), r.Recall.Value
			}
		}
	}
	if line == "" {
		return nil
	}
	return []string{"open the worst case with:", line}
}

// budgetsCell returns the results for a program, by budget and then by policy.
func (e *evaluation) budgetsCell() export.Cell {
	policies := slices.Concat([]export.Column[resultRow]{
		{Name: "name", Cell: func(r resultRow) export.Cell { return e.name(r.policy) }},
	}, e.measureColumns(), []export.Column[resultRow]{
		{Name: "vsBaseline", Cell: func(r resultRow) export.Cell {
			if !e.compared(r) {
				return export.Absent
			}
			return export.Object(recallColumns(), r.Versus.Value)
		}},
	})
	return export.Objects([]export.Column[int]{
		{Name: "at", Cell: func(i int) export.Cell { return amountCell(e.At[i].Amount) }},
		{Name: "policies", Cell: func(i int) export.Cell { return export.Objects(policies, slices.Values(e.results(i))) }},
	}, export.Upto(len(e.At)))
}
