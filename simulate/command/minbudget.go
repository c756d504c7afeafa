package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// minBudgetOptions say which items to find budgets for, and which answers to show.
type minBudgetOptions struct {
	studyOptions
	// Bare asks about budgets without reserves, slots and margin, in place of
	// budgets with those parts of the budget in force.
	Bare bool
	// OnlyDiffering leaves out items for which the search finds the true least
	// budget.
	OnlyDiffering bool
}

// least is the answer for one item.
type least struct {
	item    int
	search  model.Option[model.Tokens] // the result of Cupel's search
	refused error                      // why Cupel's search refused
	simulate.Summary
}

// differs reports whether the search, which asks about the whole item, found another
// budget than the least.
func (l least) differs() bool { return l.refused == nil && l.search != l.FirstWhole }

// low reports whether the item has more tokens than the ceiling.
func (l least) low() bool { return errors.Is(l.refused, simulate.ErrCeilingLow) }

// writeMinBudgets writes from which budgets items are in, both as Cupel's search
// (FindMinBudgetFor, up to the ceiling) finds it, and exactly. If the search
// refuses, the reason is part of the answer, beside the exact numbers.
func writeMinBudgets(ctx context.Context, o session.Options, a minBudgetOptions, s Streams) error {
	st, err := openStudy(ctx, o, a.studyOptions, s)
	if err != nil {
		return err
	}
	if a.OnlyDiffering && st.ranking.Shifts() != (slicer.Shifts{}) {
		return fmt.Errorf("--only-differing: there is no search to differ from: %w", simulate.ErrSearchNotMonotonic)
	}
	items, err := st.pick(ctx)
	if err != nil {
		return err
	}
	base := st.Budget
	if a.Bare {
		base = model.Budget{} // only has a maximum, which the axis moves
	}
	p, err := st.along(ctx, base)
	if err != nil {
		return err
	}
	begin := st.flow.now()
	found, err := st.search(ctx, p, items)
	if err != nil {
		return err
	}
	several := count(found, func(l least) bool { return l.Ranges > 1 })
	differing := count(found, least.differs)
	low := count(found, least.low)
	if a.OnlyDiffering {
		found = slices.DeleteFunc(found, func(l least) bool { return !l.differs() })
	}
	st.took("searched", begin)
	sheet := st.minBudgetSheet(found, p)
	held := template(base)
	if a.Bare {
		held = "bare: " + held
	}
	sheet.Notes = append(sheet.Notes, fmt.Sprintf("budgets up to %v; %s", st.ceiling, held))
	sheet.Facts = st.facts("min-budget", base,
		export.Fact{Name: "bare", Value: export.Truth(a.Bare)},
		export.Fact{Name: "ceiling", Value: export.Tokens(st.ceiling)},
		export.Fact{Name: "asked", Value: export.Count(len(items))},
		export.Fact{Name: "severalRanges", Value: export.Count(several)})
	if st.ranking.Shifts() != (slicer.Shifts{}) {
		sheet.Notes = append(sheet.Notes, "the binary search refuses this slicer: "+simulate.ErrSearchNotMonotonic.Error())
		sheet.Facts = append(sheet.Facts, export.Fact{Name: "cupelRefuses", Value: export.Word(simulate.ErrSearchNotMonotonic.Error())})
		sheet.Closing = append(sheet.Closing, fmt.Sprintf("%s: %v in at several ranges of budgets", plain.Count(len(items), "item"), model.Tokens(several)))
		return s.write(ctx, st.Output, sheet)
	}
	searched := "first in"
	if st.Set.HasSizes() {
		searched = `"whole from"`
		sheet.Notes = append(sheet.Notes, "the binary search asks about whole items only, first in about any size but a note (not Cupel's)")
	}
	sheet.Facts = append(sheet.Facts, export.Fact{Name: "differing", Value: export.Count(differing)})
	sheet.Closing = append(sheet.Closing, fmt.Sprintf("%s: %v in at several ranges of budgets; the binary search differs from %s for %v",
		plain.Count(len(items), "item"), model.Tokens(several), searched, model.Tokens(differing)))
	if low > 0 {
		sheet.Closing = append(sheet.Closing, fmt.Sprintf("refused for %s: %v", plain.Count(low, "item"), simulate.ErrCeilingLow))
	}
	return s.write(ctx, st.Output, sheet)
}

// search answers for each of the items.
func (st *study) search(ctx context.Context, p *simulate.Profile, items []int) (found []least, err error) {
	for _, i := range items {
		l := least{item: i, Summary: p.Summary(i)}
		l.search, l.refused = p.BinarySearch(i, st.ceiling)
		if l.refused != nil && !l.low() && !errors.Is(l.refused, simulate.ErrSearchNotMonotonic) {
			return found, l.refused
		}
		found = append(found, l)
		if err := ctx.Err(); err != nil {
			return found, err
		}
	}
	return found, nil
}

func (st *study) minBudgetSheet(all []least, p *simulate.Profile) *export.Sheet {
	mark, item := st.mark(), func(l least) int { return l.item }
	budget := func(b model.Option[model.Tokens], none string) export.Cell {
		if !b.Set {
			return export.None.But(none)
		}
		return export.About(b.Value, mark)
	}
	first := func(l least, b model.Option[model.Tokens]) export.Cell { return budget(b, st.never(l.item)) }
	columns := slices.Concat(export.Of(item, st.identity("")...), []export.Column[least]{
		{Name: "binarySearch", Heading: "binary search", Right: true, Cell: func(l least) export.Cell {
			if l.refused != nil {
				return export.None.But("refused")
			}
			return budget(l.search, "none")
		}},
		{Name: "firstIn", Heading: "first in", Right: true, Cell: func(l least) export.Cell { return first(l, l.FirstIn) }},
		{Name: "firstWhole", Heading: "whole from", Right: true, Cell: func(l least) export.Cell { return first(l, l.FirstWhole) }},
		{Heading: "for", Right: true, Spare: true, Cell: func(l least) export.Cell { return export.Tokens(l.FirstWidth).If(l.FirstIn.Set) }},
		{Name: "staysFrom", Heading: plain.StaysFrom, Right: true, Cell: func(l least) export.Cell {
			if !l.StaysFrom.Set {
				return export.None.But("-")
			}
			return export.StaysFrom(p, l.StaysFrom.Value, mark)
		}},
		{Name: "budgetShare", Heading: "between", Right: true, Spare: true, Cell: func(l least) export.Cell {
			if l.Ranges < 2 && l.FirstIn == l.StaysFrom { // there is no gap between the two
				return export.Share(l.Share).But("")
			}
			return export.Share(l.Share)
		}},
		{Name: "ranges", Heading: "ranges", Right: true, Spare: true, Cell: func(l least) export.Cell { return export.Count(l.Ranges) }},
		{Name: "differs", Heading: "differs", Spare: true, Cell: func(l least) export.Cell { return export.Truth(l.differs()) }},
	}, export.Of(item, firstLine(st.firstLineOf)))
	if !st.Set.HasSizes() {
		columns = slices.DeleteFunc(columns, func(c export.Column[least]) bool { return c.Name == "firstWhole" })
	}
	return export.SheetOf(export.Sheet{Title: title(st.Opened), Notes: st.notes(), Name: "items"}, columns, slices.Values(all))
}
