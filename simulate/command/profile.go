package command

import (
	"context"
	"fmt"
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

// Profile writes at which budgets, from 0 to the ceiling, items are in. Each range
// of budgets includes both ends. CSV has a row for each range, and a row without
// ends for an item that is never in.
func Profile(ctx context.Context, o session.Options, a StudyOptions, s Streams) error {
	st, err := openStudy(ctx, o, a, s)
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
	if err := st.profile.FindBands(ctx, len(items)); err != nil {
		return err
	}
	sheet := st.bandsSheet(items)
	if st.form == export.AsCSV {
		sheet = st.bandRowsSheet(items)
	}
	sheet.Title, sheet.Name = title(st.Opened), "items"
	sheet.Notes = st.notes(fmt.Sprintf("budgets up to %v; %s", st.ceiling, template(st.Budget)))
	several := 0
	for _, i := range items {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if st.profile.Summary(i).Ranges > 1 {
			several++
		}
	}
	sheet.Facts = st.facts("profile", st.Budget,
		export.Fact{Name: "ceiling", Value: export.Tokens(st.ceiling)},
		export.Fact{Name: "severalRanges", Value: export.Count(several)})
	sheet.Closing = append(sheet.Closing, fmt.Sprintf("%s: %v in at several ranges of budgets", plain.Count(len(items), "item"), model.Tokens(several)))
	return s.write(ctx, sheet, st.form)
}

func (st *study) bandsSheet(items []int) *export.Sheet {
	mark := st.mark()
	return &export.Sheet{
		Columns: append(identity(),
			export.Head{Name: "ranges", Heading: "ranges", Right: true},
			export.Head{Heading: "in at", Right: true},
			export.Head{Name: "bands", Heading: "budgets", Flows: 26},
			firstLine,
		),
		Rows: export.RowsOf(items, func(row []export.Cell, _ int, i int) []export.Cell {
			bands := st.profile.Bands(nil, i)
			cell := export.Bands(bands).But(st.sayBands(bands, mark, maxBandsShown)).Brief(st.sayBands(bands, mark, 1))
			return append(st.identify(row, i), export.Count(len(bands)), export.Share(share(bands, st.ceiling)), cell, st.firstLineOf(i))
		}),
	}
}

// bandRowsSheet returns a table with a row for each band.
func (st *study) bandRowsSheet(items []int) *export.Sheet {
	return &export.Sheet{
		Columns: append(identity(), export.Head{Name: "from"}, export.Head{Name: "to"}, firstLine),
		Rows: func(yield func([]export.Cell) bool) {
			var row []export.Cell
			var bands []simulate.Band
			for _, i := range items {
				bands = st.profile.Bands(bands[:0], i)
				label := st.firstLineOf(i)
				if len(bands) == 0 {
					if row = append(st.identify(row[:0], i), export.None, export.None, label); !yield(row) {
						return
					}
				}
				for _, b := range bands {
					if row = append(st.identify(row[:0], i), export.Tokens(b.From), export.Tokens(b.To), label); !yield(row) {
						return
					}
				}
			}
		},
	}
}

// sayBands returns the ranges as a person reads them: "50..99, 150..". A range that
// reaches the ceiling has no end. If there are more than most ranges, it gives only
// the first and the last budget.
func (st *study) sayBands(bands []simulate.Band, mark string, most int) string {
	if len(bands) == 0 {
		return "never"
	}
	say := func(t model.Tokens) string {
		if mark == "" {
			return t.String()
		}
		return mark + t.Short()
	}
	if len(bands) > most {
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
