package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// marginal writes what a budget smaller by the slack would change: the items that
// are in and would be out or smaller, in placed order, as Cupel's GetMarginalItems lists
// them, and the items that come in or grow with the smaller budget, ascending. If Cupel refuses
// to answer, the reason is part of the answer. The list does not depend on that: it
// comes from two runs and makes no assumption about the slicer.
func marginal(ctx context.Context, o session.Options, a studyOptions, s Streams) error {
	st, err := openStudy(ctx, o, a, s)
	if err != nil {
		return err
	}
	items, err := st.pick(ctx)
	if err != nil {
		return err
	}
	report, err := st.report(ctx)
	if err != nil {
		return err
	}
	small, err := st.withLess(ctx)
	if err != nil {
		if b, ok := errors.AsType[*model.BudgetError](err); ok && b.Field == "slackTokens" {
			return fmt.Errorf("--slack: %w", err)
		}
		return fmt.Errorf("with %s less: %w", plain.Count(st.Slack, "token"), err)
	}
	refused := st.ranking.Shifts().Percentages // MarginalItems would return an error
	notAsked := func(i int32) bool {
		_, asked := slices.BinarySearch(items, int(i))
		return !asked
	}
	lost, gained := simulate.Lost(report, small)
	lost, gained = slices.DeleteFunc(lost, notAsked), slices.DeleteFunc(gained, notAsked)
	sheet := st.marginalSheet(report, small, lost, gained)
	sheet.Facts = st.facts("marginal", st.Budget,
		export.Fact{Name: "slackTokens", Value: export.Tokens(st.Slack)},
		export.Fact{Name: "marginal", Value: export.Indexes(lost)},
		export.Fact{Name: "gained", Value: export.Indexes(gained)})
	sheet.Notes = append(sheet.Notes, fmt.Sprintf("budget %v, compared with %v, which is %v less; %s",
		st.Budget.MaxTokens(), st.Budget.MaxTokens()-st.Slack, st.Slack, template(st.Budget)))
	if refused {
		sheet.Facts = append(sheet.Facts, export.Fact{Name: "cupelRefuses", Value: export.Word(simulate.ErrMarginalNotMonotonic.Error())})
		sheet.Notes = append(sheet.Notes, "Cupel refuses this slicer: "+simulate.ErrMarginalNotMonotonic.Error(), "what follows assumes nothing: the pipeline was run at both budgets")
	}
	sheet.Closing = append(sheet.Closing, fmt.Sprintf("%s %s, %s; %s gained with less, %s",
		plain.Count(len(lost), "item"), plain.AtRisk, plain.Count(missing(report, small, lost), "token"), plain.Count(len(gained), "item"), plain.Count(missing(small, report, gained), "token")))
	return s.write(ctx, st.Output, sheet)
}

// missing returns how many tokens of items a has more than b. A note is no part of its item.
func missing(a, b *model.Report, items []int32) model.Tokens {
	sum := model.Tokens(0)
	for _, i := range items {
		sum += a.Taken(int(i))
		if b.In(int(i)) {
			sum -= b.Taken(int(i))
		}
	}
	return sum
}

// marginalRow is an item that only one of two results has, or that they have in different
// sizes.
type marginalRow struct {
	change string
	item   int
}

func (st *study) marginalSheet(r, small *model.Report, lost, gained []int32) *export.Sheet {
	item := func(m marginalRow) int { return m.item }
	columns := slices.Concat([]export.Column[marginalRow]{
		{Name: "change", Heading: "change", Cell: func(m marginalRow) export.Cell { return export.Word(m.change) }},
	}, export.Of(item, st.identity("")...), export.Of(item, sizedColumns(st.Set, sizedResult{"", "taken", r}, sizedResult{"WithLess", "with less", small})...), []export.Column[marginalRow]{
		{Name: "score", Heading: "score", Right: true, Cell: func(m marginalRow) export.Cell { return export.Number(r.Scores[m.item], 3) }},
	}, export.Of(item, firstLine(st.firstLineOf)))
	var rows []marginalRow
	add := func(items []int32, change, resized string) {
		for _, i := range items {
			row := marginalRow{change, int(i)}
			if r.In(row.item) && small.In(row.item) {
				row.change = resized
			}
			rows = append(rows, row)
		}
	}
	add(lost, "lost", "shrunk")
	add(gained, "gained", "grown")
	return export.SheetOf(export.Sheet{Title: title(st.Opened), Notes: st.notes(), Name: "items"}, columns, slices.Values(rows))
}
