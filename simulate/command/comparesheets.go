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

// caseHeadings returns the names of the columns of CSV.
func caseHeadings() []export.Cell {
	var all []export.Cell
	for _, name := range []string{
		"name", "at", "budget", "differs", "includedA", "includedB", "tokensA", "tokensB", "valueA", "valueB", "valueBByA", "worth",
		"belowBestA", "belowBestB", "onlyA", "onlyB", "onlyATokens", "onlyBTokens", "error", "budgetGuessed", "estimatedCounts",
	} {
		all = append(all, export.Word(name))
	}
	return all
}

// cells returns a row of CSV.
func (r *caseResult) cells(spec quality.Amount, c *caseAt) []export.Cell {
	name, at := export.Text(r.name, 0), amountCell(spec)
	budget := export.Tokens(c.budget)
	if c.budget < 0 {
		budget = export.None
	}
	if c.err != nil {
		row := slices.Repeat([]export.Cell{export.None}, len(caseHeadings()))
		row[0], row[1], row[2], row[18] = name, at, budget, export.Text(messageOf(c.err), 0)
		return row
	}
	return []export.Cell{
		name, at, budget, export.Truth(c.differs()), export.Index(c.a.items), export.Index(c.b.items), export.Tokens(c.a.tokens), export.Tokens(c.b.tokens),
		export.Number(c.a.value, 3), export.Number(c.b.value, 3), export.Number(c.valueBByA, 3), export.Number(c.worth(), 3),
		gapCell(c.a.gap), gapCell(c.b.gap), export.Index(c.onlyA.items), export.Index(c.onlyB.items),
		export.Tokens(c.onlyA.tokens), export.Tokens(c.onlyB.tokens), export.None,
		export.Truth(c.budgetGuessed), export.Count(r.estimates),
	}
}

func gapCell(gap model.Option[float64]) export.Cell {
	if !gap.Set {
		return export.None
	}
	return export.Number(gap.Value, 4).But(belowBest(gap.Value))
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

// book returns the answer as tables and as JSON.
func (t *totals) book(c CompareOptions, form export.Form) *export.Book {
	nameA, nameB := nameOr(t.policyA.name, c.A), nameOr(t.policyB.name, c.B)
	b := &export.Book{Facts: []export.Fact{
		export.SchemaFact("compare"),
		{Name: "a", Value: export.Text(nameA, 0)},
		{Name: "b", Value: export.Text(nameB, 0)},
		{Name: "sources", Value: export.Count(t.sources)},
		{Name: "cases", Value: export.Count(t.all.cases)},
		{Name: "notCompared", Value: export.Count(t.failures.count)},
		{Name: "differing", Value: export.Count(t.all.differing)},
		{Name: "sameScores", Value: export.Truth(!t.unlike)},
		{Name: "estimatedSources", Value: export.Count(t.estimated)},
		{Name: "guessedBudgets", Value: export.Count(t.guessedBudgets)},
	}}
	b.Sheets = append(b.Sheets, t.budgetSheet(nameA, nameB))
	if len(t.items) > 0 {
		b.Sheets = append(b.Sheets, t.itemSheet())
	}
	kinds := t.byKind()
	if form == export.AsJSON || len(kinds) > 0 {
		b.Sheets = append(b.Sheets, kindSheet(kinds))
	}
	if form == export.AsJSON || len(t.worst) > 0 && t.all.cases > 1 {
		b.Sheets = append(b.Sheets, t.worstSheet())
	}
	return b
}

func (t *totals) budgetSheet(nameA, nameB string) *export.Sheet {
	s := &export.Sheet{
		Title: fmt.Sprintf("A %s  B %s  %s", nameA, nameB, plain.Count(t.all.cases, "case")),
		Name:  "budgets",
		Columns: []export.Head{
			{Name: "at", Heading: "budget", Right: true},
			{Name: "cases", Heading: "cases", Right: true},
			{Name: "differing", Heading: "differ", Right: true},
			{Name: "differingShare", Heading: "%", Right: true, Spare: true},
			{Name: "onlyA", Heading: "only A", Right: true},
			{Name: "onlyATokens", Heading: "tokens", Right: true, Spare: true},
			{Name: "onlyB", Heading: "only B", Right: true},
			{Name: "onlyBTokens", Heading: "tokens", Right: true, Spare: true},
			{Name: "valueA"},
			{Name: "valueB"},
			{Name: "valueBByA"},
			{Name: "worth", Heading: "B is worth", Right: true},
			{Name: "worse", Heading: "worse", Right: true, Spare: true},
			{Name: "better", Heading: "better", Right: true, Spare: true},
			{Name: "meanBelowBestA", Heading: "A below", Right: true},
			{Name: "mostBelowBestA", Heading: "most", Right: true, Spare: true},
			{Name: "meanBelowBestB", Heading: "B below", Right: true},
			{Name: "mostBelowBestB", Heading: "most", Right: true, Spare: true},
		},
		Closing: []string{
			"only A, only B: items that one alone lets in; worse, better: cases in which B is worth less, more;",
			"below: below the best possible value, on average and at most",
		},
	}
	if t.sources > 1 || t.failures.count > 0 {
		s.Title += fmt.Sprintf(" of %s", plain.Count(t.sources, "source"))
	}
	if t.failures.count > 0 {
		s.Title += fmt.Sprintf(", %v not compared", plain.Thousands(t.failures.count))
	}
	if t.recorded {
		s.Closing = append(s.Closing, "the budget of what is recorded is not known: it is the same result at every budget, and how far it is below the best is not known")
	}
	if t.unlike {
		s.Closing = append(s.Closing, "A and B do not score alike: values are by A's scores, and how far each is below the best possible by its own")
	}
	if t.estimated > 0 {
		s.Closing = append(s.Closing, plain.Count(t.estimated, "source")+" with token counts that are estimates: results that depend on them may be off")
	}
	if t.guessedBudgets > 0 {
		s.Closing = append(s.Closing, plain.Count(t.guessedBudgets, "source")+" with a guessed budget: set it with --max-tokens or --at")
	}
	s.Rows = func(yield func([]export.Cell) bool) {
		for k := range t.specs {
			if !yield(t.budgets[k].cells(amountCell(t.specs[k]))) {
				return
			}
		}
		if len(t.specs) > 1 {
			yield(t.all.cells(export.Word("all")))
		}
	}
	return s
}

func (t *tally) cells(at export.Cell) []export.Cell {
	share := export.None
	if t.cases > 0 {
		share = export.Share(float64(t.differing) / float64(t.cases))
	}
	row := []export.Cell{
		at, export.Count(t.cases), export.Count(t.differing), share,
		export.Count(t.onlyA.items), export.Tokens(t.onlyA.tokens), export.Count(t.onlyB.items), export.Tokens(t.onlyB.tokens),
		export.Number(t.a.value, 3), export.Number(t.b.value, 3), export.Number(t.valueBByA, 3), worthCell(t.worth()),
		export.Count(t.worse), export.Count(t.better),
	}
	for _, side := range [...]sideTally{t.a, t.b} {
		if side.known == 0 {
			row = append(row, export.None, export.None)
			continue
		}
		row = append(row, gapCell(model.Some(side.gaps/float64(side.known))), gapCell(model.Some(side.mostGap)))
	}
	return row
}

func kindSheet(kinds []kindPart) *export.Sheet {
	return &export.Sheet{
		Title: "what differs, by kind",
		Name:  "kinds",
		Columns: []export.Head{
			{Name: "kind", Heading: "kind"},
			{Name: "onlyA", Heading: "only A", Right: true},
			{Name: "onlyATokens", Heading: "tokens", Right: true},
			{Name: "onlyB", Heading: "only B", Right: true},
			{Name: "onlyBTokens", Heading: "tokens", Right: true},
		},
		Rows: export.RowsOf(kinds, func(row []export.Cell, _ int, k kindPart) []export.Cell {
			return append(row, export.Text(string(k.kind), 30), export.Count(k.onlyA.items), export.Tokens(k.onlyA.tokens),
				export.Count(k.onlyB.items), export.Tokens(k.onlyB.tokens))
		}),
	}
}

// itemSheet returns a table of the items that differ. There is only one case.
func (t *totals) itemSheet() *export.Sheet {
	return &export.Sheet{
		Title: "what differs",
		Name:  "items",
		Columns: []export.Head{
			{Name: "only", Heading: "only"},
			{Name: "index", Heading: "#", Right: true},
			{Name: "kind", Heading: "kind"},
			{Name: "tokens", Heading: "tokens", Right: true},
			{Name: "scoreA", Heading: "score A", Right: true, Spare: true},
			{Name: "scoreB", Heading: "score B", Right: true, Spare: true},
			firstLine,
			{Name: "why", Heading: "why it is out in the other", Flows: 34},
		},
		Rows: export.RowsOf(t.items, func(row []export.Cell, _ int, d differingItem) []export.Cell {
			return append(row, export.Word(d.side), export.Index(d.index), export.Kind(d.kind), export.Tokens(d.tokens), export.Number(d.scoreA, 3), export.Number(d.scoreB, 3),
				d.firstLine, export.Text(d.why, 80))
		}),
	}
}

func (t *totals) worstSheet() *export.Sheet {
	return &export.Sheet{
		Title: "where they differ most",
		Name:  "worst",
		Columns: []export.Head{
			{Name: "name", Heading: "case", Flows: export.LeastItemCells},
			{Name: "budget", Heading: "budget", Right: true},
			{Name: "onlyA", Heading: "only A", Right: true},
			{Name: "onlyATokens", Heading: "tokens", Right: true, Spare: true},
			{Name: "onlyB", Heading: "only B", Right: true},
			{Name: "onlyBTokens", Heading: "tokens", Right: true, Spare: true},
			{Name: "valueA", Heading: "value A", Right: true},
			{Name: "valueBByA", Heading: "value B", Right: true, Spare: true},
			{Name: "worth", Heading: "B is worth", Right: true},
			{Name: "belowBestA", Heading: "A below", Right: true},
			{Name: "belowBestB", Heading: "B below", Right: true},
		},
		Rows: export.RowsOf(t.worst, func(row []export.Cell, _ int, c worstCase) []export.Cell {
			return append(row, export.Path(c.name, 48), export.Tokens(c.budget), export.Count(c.onlyA.items), export.Tokens(c.onlyA.tokens),
				export.Count(c.onlyB.items), export.Tokens(c.onlyB.tokens), export.Number(c.a.value, 3), export.Number(c.valueBByA, 3),
				worthCell(c.worth()), gapCell(c.a.gap), gapCell(c.b.gap))
		}),
	}
}
