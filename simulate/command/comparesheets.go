package command

import (
	"fmt"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/quality"
)

// caseRow is a row of CSV: a case at a budget, or the error in place of it.
type caseRow struct {
	*caseResult
	*caseAt
	spec quality.Amount
}

// caseColumns returns the columns of CSV. The columns of items in different sizes are among
// them if sized is set: the heading is written before any source is read.
func caseColumns(sized bool) []export.Column[caseRow] {
	known := func(r caseRow) bool { return r.caseAt.err == nil }
	return slices.Concat([]export.Column[caseRow]{
		{Name: "case", Cell: func(r caseRow) export.Cell { return export.Text(r.name, 0) }},
		{Name: "at", Cell: func(r caseRow) export.Cell { return amountCell(r.spec) }},
		{Name: "maxTokens", Cell: func(r caseRow) export.Cell { return export.Tokens(r.budget).If(r.budget >= 0) }},
	}, export.Known(known, []export.Column[caseRow]{
		{Name: "differs", Cell: func(r caseRow) export.Cell { return export.Truth(r.differs()) }},
		{Name: "includedCountA", Cell: func(r caseRow) export.Cell { return export.Index(r.sides[0].items) }},
		{Name: "includedCountB", Cell: func(r caseRow) export.Cell { return export.Index(r.sides[1].items) }},
		{Name: "tokensA", Cell: func(r caseRow) export.Cell { return export.Tokens(r.sides[0].tokens) }},
		{Name: "tokensB", Cell: func(r caseRow) export.Cell { return export.Tokens(r.sides[1].tokens) }},
	}...), export.Known(known, export.Of(func(r caseRow) *caseAt { return r.caseAt }, differenceColumns(sized)...)...), []export.Column[caseRow]{
		{Name: "error", Cell: func(r caseRow) export.Cell { return failureCell(r.caseAt.err, 0) }},
	}, export.Known(known, []export.Column[caseRow]{
		{Name: "budgetGuessed", Cell: func(r caseRow) export.Cell { return export.Truth(r.budgetGuessed) }},
		{Name: "estimatedCounts", Cell: func(r caseRow) export.Cell { return export.Count(r.estimates) }},
	}...))
}

// failureCell returns a cell with an error, at most limit cells wide; None without one.
func failureCell(err error, limit int) export.Cell {
	if err == nil {
		return export.None
	}
	return export.Text(messageOf(err), limit)
}

func gapCell(gap model.Option[float64]) export.Cell {
	return export.Number(gap.Value, 4).But(belowBest(gap.Value)).If(gap.Set)
}

// worthCell returns a cell that says how much more B is worth, with a sign.
func worthCell(worth float64) export.Cell {
	switch {
	case worth == 0:
		return export.Number(0, 0).But("same")
	case math.IsInf(worth, 1):
		return export.None.But("A's value is 0")
	}
	return export.Number(worth, 4).But(fmt.Sprintf("%+.2f %%", 100*worth))
}

// sheets returns the answer as tables and as JSON.
func (t *totals) sheets(c compareOptions) []*export.Sheet {
	nameA, nameB := nameOr(t.policies[0].name, c.A), nameOr(t.policies[1].name, c.B)
	if nameA == nameB && c.A != c.B {
		nameA, nameB = nameA+" ("+c.A+")", nameB+" ("+c.B+")"
	}
	all := []*export.Sheet{t.budgetSheet(nameA, nameB)}
	all[0].Facts = []export.Fact{
		export.SchemaFact("compare"),
		{Name: "a", Value: export.Text(nameA, 0)},
		{Name: "b", Value: export.Text(nameB, 0)},
		{Name: "cases", Value: export.Count(t.sources)},
		{Name: "comparisons", Value: export.Count(t.all.cases)},
		{Name: "leftOut", Value: export.Count(t.failures.count)},
		{Name: "differing", Value: export.Count(t.all.differing)},
		{Name: "sameScores", Value: export.Truth(!t.unlike)},
		{Name: "estimatedCases", Value: export.Count(t.estimated)},
		{Name: "guessedCases", Value: export.Count(t.guessedBudgets)},
	}
	if len(t.items) > 0 {
		all = append(all, t.itemSheet(c.NoContent))
	}
	kinds := t.byKind()
	if c.Output == export.AsJSON || len(kinds) > 0 {
		all = append(all, kindSheet(t.sized, kinds))
	}
	if c.Output == export.AsJSON || len(t.worst) > 0 && t.all.cases > 1 {
		all = append(all, t.worstSheet())
	}
	return all
}

func (t *totals) budgetSheet(nameA, nameB string) *export.Sheet {
	s := export.Sheet{
		Title: fmt.Sprintf("A %s  B %s  %s", nameA, nameB, t.counted()),
		Name:  "budgets",
		Closing: slices.Concat([]string{
			"only A, only B: items that only one side lets in, and their tokens; B is worth: its value against A's; worse, better: cases in which B is worth less, more;",
			"A below, B below: how far " + plain.BelowBest + ", on average and at most (most)",
		},
			lineIf(t.recorded, "the budget of the recorded run is not known: its result is the same at every budget, and how far it is "+plain.BelowBest+" is not known"),
			lineIf(t.sized, "resized: items that both let in, in different sizes, and how many more tokens B takes (not Cupel's)"),
			lineIf(t.unlike, "A and B score items differently: values are by A's scores, how far each is "+plain.BelowBest+" by its own scores"),
			lineIf(t.estimated > 0, plain.Count(t.estimated, "source")+" with token counts that are estimates: results that depend on them may be off"),
			lineIf(t.guessedBudgets > 0, plain.Count(t.guessedBudgets, "source")+" with a guessed budget: set it with --max-tokens or --at")),
	}
	if t.sources > 1 || t.failures.count > 0 {
		s.Title += fmt.Sprintf(" of %s", plain.Count(t.sources, "source"))
	}
	if t.failures.count > 0 {
		s.Title += fmt.Sprintf(", %v not compared", plain.Thousands(t.failures.count))
	}
	var rows []tallyRow
	for k, spec := range t.specs {
		rows = append(rows, tallyRow{&t.budgets[k], amountCell(spec)})
	}
	if len(t.specs) > 1 {
		rows = append(rows, tallyRow{&t.all, export.Word("all")})
	}
	return export.SheetOf(s, tallyColumns(t.sized), slices.Values(rows))
}

// tallyRow is the tally at a budget.
type tallyRow struct {
	*tally
	at export.Cell
}

func tallyColumns(sized bool) []export.Column[tallyRow] {
	var gaps []export.Column[tallyRow]
	for k, side := range [...]string{"A", "B"} {
		gaps = append(gaps, export.Known(func(r tallyRow) bool { return r.sides[k].known > 0 }, []export.Column[tallyRow]{
			{Name: "meanBelowBest" + side, Heading: side + " below", Right: true, Cell: func(r tallyRow) export.Cell {
				return gapCell(model.Some(r.sides[k].gaps / float64(r.sides[k].known)))
			}},
			{Name: "mostBelowBest" + side, Heading: "most", Right: true, Spare: true, Cell: func(r tallyRow) export.Cell {
				return gapCell(model.Some(r.sides[k].maxGap))
			}},
		}...)...)
	}
	return slices.Concat([]export.Column[tallyRow]{
		{Name: "at", Heading: "budget", Right: true, Cell: func(r tallyRow) export.Cell { return r.at }},
		{Name: "cases", Heading: "cases", Right: true, Cell: func(r tallyRow) export.Cell { return export.Count(r.cases) }},
		{Name: "differing", Heading: "differ", Right: true, Cell: func(r tallyRow) export.Cell { return export.Count(r.differing) }},
		{Name: "differingShare", Heading: "%", Right: true, Spare: true, Cell: func(r tallyRow) export.Cell {
			return export.Share(float64(r.differing) / float64(r.cases)).If(r.cases > 0)
		}},
	}, export.Of(func(r tallyRow) difference { return r.difference }, onlyColumns(sized, true)...), []export.Column[tallyRow]{
		{Name: "valueA", Cell: func(r tallyRow) export.Cell { return export.Number(r.sides[0].value, 3) }},
		{Name: "valueB", Cell: func(r tallyRow) export.Cell { return export.Number(r.sides[1].value, 3) }},
		{Name: "valueBByA", Cell: func(r tallyRow) export.Cell { return export.Number(r.valueBByA, 3) }},
		{Name: "worth", Heading: "B is worth", Right: true, Cell: func(r tallyRow) export.Cell { return worthCell(r.worth()) }},
		{Name: "worse", Heading: "worse", Right: true, Spare: true, Cell: func(r tallyRow) export.Cell { return export.Count(r.worse) }},
		{Name: "better", Heading: "better", Right: true, Spare: true, Cell: func(r tallyRow) export.Cell { return export.Count(r.better) }},
	}, gaps)
}

// onlyColumns returns the columns of what only one of two results has, and of what both
// have in different sizes if sized is set; a table that is too narrow leaves out the tokens
// if spare is set.
func onlyColumns(sized, spare bool) []export.Column[difference] {
	columns := []export.Column[difference]{
		{Name: "onlyACount", Heading: "only A", Right: true, Cell: func(d difference) export.Cell { return export.Count(d.onlyA.items) }},
		{Name: "onlyATokens", Heading: "tokens", Right: true, Spare: spare, Cell: func(d difference) export.Cell { return export.Tokens(d.onlyA.tokens) }},
		{Name: "onlyBCount", Heading: "only B", Right: true, Cell: func(d difference) export.Cell { return export.Count(d.onlyB.items) }},
		{Name: "onlyBTokens", Heading: "tokens", Right: true, Spare: spare, Cell: func(d difference) export.Cell { return export.Tokens(d.onlyB.tokens) }},
		{Name: "resizedCount", Heading: "resized", Right: true, Cell: func(d difference) export.Cell { return export.Count(d.resized.items) }},
		{Name: "resizedTokens", Heading: "B takes", Right: true, Spare: spare, Cell: func(d difference) export.Cell { return export.Tokens(d.resized.tokens) }},
	}
	if !sized {
		return columns[:4]
	}
	return columns
}

func kindSheet(sized bool, kinds []kindPart) *export.Sheet {
	return export.SheetOf(export.Sheet{Title: "what differs, by kind", Name: "kinds"}, append([]export.Column[kindPart]{
		{Name: "kind", Heading: "kind", Cell: func(k kindPart) export.Cell { return export.Text(string(k.kind), 30) }},
	}, export.Of(func(k kindPart) difference { return k.difference }, onlyColumns(sized, false)...)...), slices.Values(kinds))
}

// itemSheet returns a table of the items that differ. There is only one case.
func (t *totals) itemSheet(textless bool) *export.Sheet {
	in, why := "only", "why the other leaves it out"
	if t.sized {
		in, why = "in", "why it differs"
	}
	a, b := t.items[0].a, t.items[0].b
	item := func(d differingItem) int { return d.index }
	return export.SheetOf(export.Sheet{Title: "what differs", Name: "items"}, slices.Concat([]export.Column[differingItem]{
		{Name: "only", Heading: in, Cell: func(d differingItem) export.Cell { return export.Word(d.side) }},
		{Name: "index", Heading: "#", Right: true, Cell: func(d differingItem) export.Cell { return export.Index(d.index) }},
	}, export.Of(item, []export.Column[int]{
		{Name: "kind", Heading: "kind", Cell: func(i int) export.Cell { return export.Kind(a.Items.Loaded(i).Kind) }},
		{Name: "tokens", Heading: "tokens", Right: true, Cell: func(i int) export.Cell { return export.Tokens(a.Items.Tokens(i)) }},
	}...), export.Of(item, sizedColumns(a.Items, sizedResult{"A", "A takes", a}, sizedResult{"B", "B takes", b})...), export.Of(item, []export.Column[int]{
		{Name: "scoreA", Heading: "score A", Right: true, Spare: true, Cell: func(i int) export.Cell { return export.Number(a.Scores[i], 3) }},
		{Name: "scoreB", Heading: "score B", Right: true, Spare: true, Cell: func(i int) export.Cell { return export.Number(b.Scores[i], 3) }},
		firstLine(func(i int) export.Cell { return firstLineOf(a.Items.Loaded(i), textless) }),
	}...), []export.Column[differingItem]{
		{Name: "why", Heading: why, Flows: 34, Cell: func(d differingItem) export.Cell { return export.Text(d.why(d.index), 80) }},
	}), slices.Values(t.items))
}

func (t *totals) worstSheet() *export.Sheet {
	return export.SheetOf(export.Sheet{Title: "where they differ most", Name: "worst"}, slices.Concat([]export.Column[worstCase]{
		{Name: "case", Heading: "case", Flows: export.MinItemCells, Cell: func(c worstCase) export.Cell { return export.Path(c.name, 48) }},
		{Name: "maxTokens", Heading: "budget", Right: true, Cell: func(c worstCase) export.Cell { return export.Tokens(c.budget) }},
	}, export.Of(func(c worstCase) *caseAt { return &c.caseAt }, differenceColumns(t.sized)...)), slices.Values(t.worst))
}

// differenceColumns returns the columns of how far two results differ, in items and in value.
func differenceColumns(sized bool) []export.Column[*caseAt] {
	return append(export.Of(func(c *caseAt) difference { return c.difference }, onlyColumns(sized, true)...), []export.Column[*caseAt]{
		{Name: "valueA", Heading: "value A", Right: true, Cell: func(c *caseAt) export.Cell { return export.Number(c.sides[0].value, 3) }},
		{Name: "valueB", Cell: func(c *caseAt) export.Cell { return export.Number(c.sides[1].value, 3) }},
		{Name: "valueBByA", Heading: "value B", Right: true, Spare: true, Cell: func(c *caseAt) export.Cell { return export.Number(c.valueBByA, 3) }},
		{Name: "worth", Heading: "B is worth", Right: true, Cell: func(c *caseAt) export.Cell { return worthCell(c.worth()) }},
		{Name: "belowBestA", Heading: "A below", Right: true, Cell: func(c *caseAt) export.Cell { return gapCell(c.sides[0].gap) }},
		{Name: "belowBestB", Heading: "B below", Right: true, Cell: func(c *caseAt) export.Cell { return gapCell(c.sides[1].gap) }},
	}...)
}
