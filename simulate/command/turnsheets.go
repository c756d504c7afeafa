package command

import (
	"fmt"
	"slices"

	"cupelscope/simulate/export"
	"cupelscope/simulate/turns"
)

// sheets returns the answer in a form: in CSV the map alone.
func (t *turnTotals) sheets(form export.Form) (all []*export.Sheet) {
	if form == export.AsCSV {
		return []*export.Sheet{t.mapSheet(form)}
	}
	by := t.billing()
	c := by.Cache
	facts := []export.Fact{
		export.SchemaFact("turns"),
		{Name: "sessions", Value: export.Count(t.sessions)},
		{Name: "leftOut", Value: export.Count(t.failures.count)},
		{Name: "estimatedSessions", Value: export.Count(t.estimated)},
		{Name: "budgetGuessed", Value: export.Truth(t.guessed > 0)},
		{Name: "cache", Value: export.Word(c.Name)},
		{Name: "cacheRead", Value: export.Number(c.Read, 2)},
		{Name: "cacheWrite", Value: export.Number(c.Write, 2)},
		{Name: "cacheMinimum", Value: export.Tokens(c.Minimum)},
		{Name: "cacheStep", Value: export.Tokens(c.Step)},
		{Name: "outputRatio", Value: export.Number(t.asked.Output, 4)},
	}
	if c.Source != "" {
		facts = append(facts, export.Fact{Name: "cacheSource", Value: export.Text(c.Source, 0)}, export.Fact{Name: "cacheDate", Value: export.Word(c.Date)})
	}
	if c.Unverified != "" {
		facts = append(facts, export.Fact{Name: "cacheUnverified", Value: export.Word(c.Unverified)})
	}
	facts = append(facts, t.priceFacts(by)...)
	if len(t.forecasts) > 0 {
		median, worst := turns.Errors(t.forecasts)
		facts = append(facts,
			export.Fact{Name: "recordedSessions", Value: export.Count(len(t.forecasts))},
			export.Fact{Name: "readErrorMedian", Value: export.Share(median)},
			export.Fact{Name: "readErrorWorst", Value: export.Share(worst)})
	}
	switch {
	case t.only != nil:
		all = append(all, t.requestSheet(t.only))
	case form == export.AsJSON:
		all = append(all, export.SheetOf(export.Sheet{Name: "requests"}, requestColumns(true), func(func(requestRow) bool) {}))
	}
	all = append(all, t.planSheet())
	all[0].Facts = facts
	if len(t.worst) > 0 {
		all = append(all, t.recordedSheet())
	}
	if t.flags.Compact {
		all = append(all, t.compactionSheets()...)
	}
	if t.mapped != nil {
		all = append(all, t.mapSheet(form))
	}
	if t.lows != nil {
		all = append(all, t.sweepSheet())
	}
	return all
}

// recordedSheet returns a table that compares the prediction with the record, for
// the sessions in which they differ most, these first.
func (t *turnTotals) recordedSheet() *export.Sheet {
	s := export.Sheet{Title: "read from the cache, as a share of the recorded prompts", Name: "recorded"}
	if more := len(t.forecasts) - len(t.worst); more > 0 {
		s.Title += fmt.Sprintf(": the %d sessions in which the prediction is furthest off", len(t.worst))
	}
	return export.SheetOf(s, []export.Column[namedForecast]{
		{Name: "name", Heading: "session", Flows: 20, Cell: func(f namedForecast) export.Cell { return export.Text(f.name, 48) }},
		{Name: "requests", Heading: "requests", Right: true, Cell: func(f namedForecast) export.Cell { return export.Count(f.Requests) }},
		{Name: "predictedShare", Heading: "predicted", Right: true, Cell: func(f namedForecast) export.Cell { return export.Share(f.Predicted) }},
		{Name: "recordedShare", Heading: "recorded", Right: true, Cell: func(f namedForecast) export.Cell { return export.Share(f.Recorded) }},
		{Name: "error", Heading: "error", Right: true, Cell: func(f namedForecast) export.Cell { return errorCell(f.Error()) }},
		{Name: "predictedTokens", Heading: "tokens predicted", Right: true, Spare: true, Cell: func(f namedForecast) export.Cell { return export.Tokens(f.PredictedTokens) }},
		{Name: "recordedTokens", Heading: "recorded", Right: true, Spare: true, Cell: func(f namedForecast) export.Cell { return export.Tokens(f.RecordedTokens) }},
		{Name: "predictedCost", Heading: "cost predicted", Right: true, Cell: func(f namedForecast) export.Cell { return cost(f.PredictedCost) }},
		{Name: "recordedCost", Heading: "recorded", Right: true, Cell: func(f namedForecast) export.Cell { return cost(f.RecordedCost) }},
		{Name: "costError", Heading: "error", Right: true, Cell: namedForecast.costCell},
	}, slices.Values(t.worst))
}

// errorCell returns a cell for a difference of shares, which a person reads in percent.
func errorCell(by float64) export.Cell {
	return export.Number(by, 4).But(fmt.Sprintf("%+.1f %%", 100*by))
}

func (f namedForecast) costCell() export.Cell {
	by, ok := f.CostError()
	return errorCell(by).If(ok)
}

// ofSession returns the columns of a table for CSV: with the session, and how its counts and
// its budget are known.
func ofSession[T any](session func(T) *sessionResult, columns ...export.Column[T]) []export.Column[T] {
	return slices.Concat([]export.Column[T]{
		{Name: "name", Cell: func(of T) export.Cell { return export.Text(session(of).name, 0) }},
	}, columns, []export.Column[T]{
		{Name: "budgetGuessed", Cell: func(of T) export.Cell { return export.Truth(session(of).guessed) }},
		{Name: "estimatedCounts", Cell: func(of T) export.Cell { return export.Count(session(of).estimates) }},
	})
}
