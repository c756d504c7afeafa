package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// maxBandsShown is the largest number of ranges of budgets that a table shows for
// an item; beyond that, the share of budgets says more.
const maxBandsShown = 9

// profileOptions are the flags of the verb profile.
type profileOptions struct {
	studyOptions
	Over, From, To string // as in sweepOptions
}

// writeProfile writes at which budgets, from 0 to the ceiling, items are in. Each range
// of budgets includes both ends. CSV has a row for each range, and a row without
// ends for an item that is never in.
func writeProfile(ctx context.Context, o session.Options, a profileOptions, s Streams) error {
	switch {
	case a.Over != "":
		return profileOver(ctx, o, a, s)
	case a.From != "" || a.To != "":
		return errors.New("--from and --to are values of --over; --ceiling is the largest budget")
	}
	st, err := openStudy(ctx, o, a.studyOptions, s)
	if err != nil {
		return err
	}
	items, err := st.pick(ctx)
	if err != nil {
		return err
	}
	if err := st.profiled(ctx); err != nil {
		return err
	}
	sheet := st.bandsSheet(items)
	if st.Output == export.AsCSV {
		sheet = st.bandRowsSheet(items)
	}
	sheet.Title, sheet.Name = title(st.Opened), "items"
	sheet.Notes = st.notes(fmt.Sprintf("budgets up to %v; %s", st.ceiling, template(st.Budget)))
	several := count(items, func(i int) bool { return ctx.Err() == nil && st.profile.Summary(i).Ranges > 1 })
	sheet.Facts = st.facts("profile", st.Budget,
		export.Fact{Name: "ceiling", Value: export.Tokens(st.ceiling)},
		export.Fact{Name: "severalRanges", Value: export.Count(several)})
	sheet.Closing = append(sheet.Closing, fmt.Sprintf("%s: %v in at several ranges of budgets", plain.Count(len(items), "item"), model.Tokens(several)))
	return s.write(ctx, st.Output, sheet)
}

// bandedItem is an item with the ranges of budgets at which it is in.
type bandedItem struct {
	item  int
	bands []simulate.Band
}

func (st *study) bandsSheet(items []int) *export.Sheet {
	mark, item := st.mark(), func(b bandedItem) int { return b.item }
	columns := slices.Concat(export.Of(item, st.identity("")...), []export.Column[bandedItem]{
		{Name: "ranges", Heading: "ranges", Right: true, Cell: func(b bandedItem) export.Cell { return export.Count(len(b.bands)) }},
		{Heading: "in at", Right: true, Cell: func(b bandedItem) export.Cell { return export.Share(share(b.bands, st.ceiling)) }},
		{Name: "bands", Heading: "budgets", Flows: 26, Cell: func(b bandedItem) export.Cell {
			return export.Bands(b.bands).But(st.sayBands(b, mark, maxBandsShown)).Brief(st.sayBands(b, mark, 1))
		}},
	})
	if st.Set.HasSizes() {
		columns = append(columns, export.Column[bandedItem]{Name: "sizes", Heading: "sizes", Flows: 26, Cell: func(b bandedItem) export.Cell { return export.Sizes(st.profile, b.item) }})
	}
	columns = append(columns, export.Of(item, firstLine(st.firstLineOf))...)
	return export.SheetOf(export.Sheet{}, columns, func(yield func(bandedItem) bool) {
		for _, i := range items {
			if !yield(bandedItem{i, st.profile.Bands(nil, i)}) {
				return
			}
		}
	})
}

// bandRowsSheet returns a table with a row for each band; where items may be cut, for each
// band of a size.
func (st *study) bandRowsSheet(items []int) *export.Sheet {
	names := []string{"from", "to"}
	if st.Set.HasSizes() {
		names = append(names, "size", "sizeTokens")
	}
	return st.rangeSheet(items, names, func(i int) (all [][]export.Cell) {
		for size := range len(st.Set.Sizes(i)) + 1 {
			for _, b := range st.profile.SizeBands(nil, i, size) {
				all = append(all, []export.Cell{export.Tokens(b.From), export.Tokens(b.To), export.Count(size), export.Tokens(st.Set.SizeTokens(i, size))})
			}
		}
		return all
	})
}

// rangeSheet returns a table with a row for each range in which an item is in, with cells for
// names; an item that never is has a row without a range.
func (st *study) rangeSheet(items []int, names []string, ranges func(item int) [][]export.Cell) *export.Sheet {
	type row struct {
		item  int
		cells []export.Cell
	}
	item := func(r row) int { return r.item }
	columns := export.Of(item, st.identity("")...)
	for k, name := range names {
		columns = append(columns, export.Column[row]{Name: name, Cell: func(r row) export.Cell { return r.cells[k] }})
	}
	columns = append(columns, export.Of(item, firstLine(st.firstLineOf))...)
	none := slices.Repeat([]export.Cell{export.None}, len(names))
	return export.SheetOf(export.Sheet{}, columns, func(yield func(row) bool) {
		for _, i := range items {
			all := ranges(i)
			if len(all) == 0 {
				all = append(all, none)
			}
			for _, cells := range all {
				if !yield(row{i, cells}) {
					return
				}
			}
		}
	})
}

// sayBands returns the ranges of an item as a person reads them: "50..99, 150..". A range that
// reaches the ceiling has no end. If there are more than maxShown ranges, it gives only
// the first and the last budget.
func (st *study) sayBands(b bandedItem, mark string, maxShown int) string {
	bands := b.bands
	if len(bands) == 0 {
		return st.never(b.item)
	}
	say := func(t model.Tokens) string {
		if mark == "" {
			return t.String()
		}
		return mark + t.Short()
	}
	if len(bands) > maxShown {
		return fmt.Sprintf("%s to %s, with gaps", say(bands[0].From), say(bands[len(bands)-1].To))
	}
	shown := make([]string, len(bands))
	for k, b := range bands {
		switch {
		case b.To == st.ceiling:
			shown[k] = say(b.From) + ".."
		case b.From == b.To:
			shown[k] = say(b.From)
		default:
			shown[k] = say(b.From) + ".." + say(b.To)
		}
	}
	return strings.Join(shown, ", ")
}

// share returns the share of the budgets from 0 to ceiling that the bands cover,
// from 0 to 1.
func share(bands []simulate.Band, ceiling model.Tokens) float64 {
	in := model.Tokens(0)
	for _, b := range bands {
		in += b.To - b.From + 1
	}
	return float64(in) / float64(ceiling+1)
}
