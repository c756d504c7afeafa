package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/quality"
)

// tuning is an answer of the verb tune.
type tuning struct {
	*quality.Tuning
	*labelledCases
	options quality.TuneOptions
}

// sayCells is the width of the description of a policy in a wide table, in cells.
const sayCells = 80

// tunedRow is a row about a policy.
type tunedRow struct {
	name    string
	says    string
	policy  model.Policy
	heldOut float64
	versus  model.Option[quality.Comparison] // not set for the current policy
}

func (t *tuning) rows() []tunedRow {
	rows := []tunedRow{
		{"current", "", t.options.Current, t.Best.Current, model.Option[quality.Comparison]{}},
		{"best", t.Best.Says, t.Best.Policy, t.Best.HeldOut, model.Some(t.Best.Versus)},
	}
	if t.Cupel.Set {
		c := t.Cupel.Value
		rows = append(rows, tunedRow{"best for Cupel", c.Says, c.Policy, c.HeldOut, model.Some(c.Versus)})
	}
	for _, c := range t.ByScore {
		rows = append(rows, tunedRow{string(c.Policy.Slicer), c.Says, c.Policy, c.HeldOut, model.Some(c.Versus)})
	}
	return rows
}

// sheets returns the answer in a form: in CSV the policies alone.
func (t *tuning) sheets(form export.Form) []*export.Sheet {
	policies := t.policySheet()
	if form == export.AsCSV {
		return []*export.Sheet{policies}
	}
	policies.Facts = []export.Fact{
		export.SchemaFact("tune"),
		{Name: "objective", Value: export.Word(string(t.options.Objective))},
		{Name: "at", Value: export.Word(t.options.At.String())},
		{Name: "wanted", Value: export.Number(t.options.Wanted, 3)},
		{Name: "recommended", Value: export.Truth(t.Recommended)},
		{Name: "why", Value: export.Word(t.Why)},
		{Name: "stopped", Value: export.Truth(t.Stopped)},
		{Name: "cases", Value: export.Count(t.Cases)},
		{Name: "groups", Value: export.Count(t.Groups)},
		{Name: "foldCount", Value: export.Count(t.Folds)},
		{Name: "seed", Value: export.Count(int(t.options.Seed))},
		{Name: "grid", Value: export.Count(t.Grid)},
		{Name: "tried", Value: export.Count(t.Tried)},
		{Name: "unreachable", Value: export.Count(t.Reading.Unreachable)},
		{Name: "unmatchedCases", Value: export.Count(t.Unmatched())},
		{Name: "estimatedCases", Value: export.Count(t.Reading.Estimated)},
		{Name: "leftOut", Value: export.Count(t.failures.count)},
	}
	return []*export.Sheet{policies, t.foldSheet()}
}

func (t *tuning) heading() string {
	what := string(t.options.Objective)
	if t.options.Objective == quality.ForBudget {
		what = fmt.Sprintf("the budget that holds a recall of %s", plain.Percent(t.options.Wanted))
	} else {
		what += " at " + t.options.At.String()
	}
	return fmt.Sprintf("tuned for %s, over %s in %s; %v policies tried", what, plain.Count(t.Cases, "case"), plain.Count(t.Groups, "group"), plain.Thousands(t.Tried))
}

// figure returns a cell for a figure of the objective.
func (t *tuning) figure(f float64) export.Cell {
	return export.Number(f, 4).But(t.options.Objective.Says(f))
}

// difference returns a cell for a difference of two figures, with a sign.
func (t *tuning) difference(f float64) export.Cell {
	switch {
	case math.IsInf(f, 0):
		return export.None
	case t.options.Objective == quality.ForBudget:
		return export.Number(f, 0).But(fmt.Sprintf("%+.0f", f))
	case t.options.Objective == quality.ForValue:
		return export.Number(f, 3).But(fmt.Sprintf("%+.3f", f))
	}
	return points(f)
}

// policySheet returns a table of the current policy and the best ones, with their
// figures on held-out cases.
func (t *tuning) policySheet() *export.Sheet {
	s := export.Sheet{Title: t.heading(), Name: "policies"}
	if t.Stopped {
		s.Closing = append(s.Closing, "stopped before the search was done: the best so far")
	}
	s.Closing = append(s.Closing, t.Why,
		"held out: each case is measured under the policy chosen without its fold. That judges the search; the final policy is chosen on all cases, so it has no such figure",
		"rank, prefix: the current policy with these slicers; nothing about them was chosen, so all cases judge them",
		fmt.Sprintf("better by: against the current policy, with the 95 %% interval from, to; p: two-sided sign-flip test over groups, at least %.4g with so many", t.Best.Versus.MinP))
	s.Closing = append(s.Closing, t.notes(t.Reading.Unreachable)...)
	return export.SheetOf(s, t.policyColumns(), slices.Values(t.rows()))
}

func (t *tuning) policyColumns() []export.Column[tunedRow] {
	versus := func(r tunedRow) quality.Comparison { return r.versus.Value }
	return slices.Concat([]export.Column[tunedRow]{
		{Name: "name", Heading: "policy", Cell: func(r tunedRow) export.Cell {
			if len(r.policy.NotCupel()) > 0 {
				return export.Word(r.name).But(r.name + " (not Cupel's)")
			}
			return export.Word(r.name)
		}},
		{Name: "says", Heading: "what it is", Flows: export.MinItemCells, Cell: func(r tunedRow) export.Cell {
			return export.Text(cmp.Or(r.says, strings.TrimSpace(r.policy.Name+" "+r.policy.SlicerName())), sayCells)
		}},
		{Name: "ours", Cell: func(r tunedRow) export.Cell { return export.Truth(len(r.policy.NotCupel()) > 0) }},
		{Name: "heldOut", Heading: "held out", Right: true, Cell: func(r tunedRow) export.Cell { return t.figure(r.heldOut) }},
	}, export.Known(func(r tunedRow) bool { return r.versus.Set }, export.Of(versus, versusColumns("better by", "p", t.difference)...)...), []export.Column[tunedRow]{{Name: "policy", Cell: func(r tunedRow) export.Cell {
		text, _ := json.Marshal(r.policy) // cannot fail: it was run
		return export.Raw(text)
	}}})
}

// foldSheet returns a table of the policies that were chosen without each fold.
func (t *tuning) foldSheet() *export.Sheet {
	columns := []export.Column[int]{
		{Name: "fold", Heading: "fold", Right: true, Cell: func(k int) export.Cell { return export.Index(k + 1) }},
		{Name: "chosen", Heading: "best", Flows: export.MinItemCells, Cell: func(k int) export.Cell { return export.Text(t.Best.ByFold[k], sayCells) }},
		{Name: "bestForCupel", Heading: "best for Cupel", Flows: export.MinItemCells, Cell: func(k int) export.Cell {
			if !t.Cupel.Set {
				return export.None
			}
			return export.Text(t.Cupel.Value.ByFold[k], sayCells)
		}},
	}
	return export.SheetOf(export.Sheet{Title: "the best policy chosen without each fold", Name: "folds"}, columns, export.Upto(len(t.Best.ByFold)))
}
