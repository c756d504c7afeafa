package command

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/turns"
)

// requestRow is a request of a session, by its index.
type requestRow struct {
	*sessionResult
	t int
}

func (r requestRow) request() turns.Request { return r.history.Requests()[r.t] }
func (r requestRow) window() turns.Window   { return r.listed.Windows[r.t] }
func (r requestRow) change() turns.Change   { return r.listed.Changes[r.t] }
func (r requestRow) bill() turns.Bill       { return r.listed.Bills[r.t] }

// broke reports whether the request breaks the prefix of the one before.
func (r requestRow) broke() bool { return r.window().Err == nil && r.change().Cause != turns.NoBreak }

// requestColumns returns the columns of a table with a row for each request. Only if included
// do they list items, which take O(n) for each row.
func requestColumns(included bool) []export.Column[requestRow] {
	ran := func(r requestRow) bool { return r.window().Err == nil }
	forecast := func(share func(turns.Forecast) float64) func(requestRow) export.Cell {
		return func(r requestRow) export.Cell {
			f, ok := r.history.ForecastAt(r.courses[everything], r.billing.Cache, r.t)
			return export.Share(share(f)).If(ok)
		}
	}
	var listed []export.Column[requestRow]
	if included {
		listed = export.Known(ran, []export.Column[requestRow]{
			{Name: "includedIndexes", Cell: func(r requestRow) export.Cell { return export.Indexes(r.window().Items) }},
			{Name: "cleared", Cell: func(r requestRow) export.Cell {
				items, _ := r.window().Cleared()
				return export.Indexes(items)
			}},
			{Name: "cut", Cell: func(r requestRow) export.Cell { return export.Indexes(r.window().Cut()) }},
		}...)
	}
	return slices.Concat([]export.Column[requestRow]{
		{Name: "request", Heading: "request", Right: true, Cell: func(r requestRow) export.Cell {
			if r.request().IsNow() {
				return export.Index(r.t + 1).But("now")
			}
			return export.Index(r.t + 1)
		}},
		{Name: "now", Cell: func(r requestRow) export.Cell { return export.Truth(r.request().IsNow()) }},
		{Name: "before", Heading: "before", Right: true, Spare: true, Cell: func(r requestRow) export.Cell {
			return export.Index(r.request().Before).But(fmt.Sprintf("#%d", r.request().Before))
		}},
	}, export.Known(ran, []export.Column[requestRow]{
		{Name: "items", Heading: "items", Right: true, Cell: func(r requestRow) export.Cell { return export.Count(len(r.window().Items)) }},
		{Name: "tokens", Heading: "tokens", Right: true, Cell: func(r requestRow) export.Cell { return export.Tokens(r.bill().Tokens()) }},
		{Name: "read", Heading: "read", Right: true, Cell: func(r requestRow) export.Cell { return export.Tokens(r.bill().Read) }},
		{Name: "written", Heading: "written", Right: true, Cell: func(r requestRow) export.Cell { return export.Tokens(r.bill().Written) }},
		{Name: "surviving", Heading: "kept", Right: true, Cell: func(r requestRow) export.Cell {
			return export.Share(r.change().Surviving()).If(!r.change().First)
		}},
	}...), []export.Column[requestRow]{
		{Name: "cause", Heading: "broken by", Flows: 12, Cell: func(r requestRow) export.Cell {
			switch {
			case !ran(r):
				return export.None.But(plain.Line("fails: "+messageOf(r.window().Err), 80))
			case !r.broke():
				return export.None
			}
			return export.Word(string(r.change().Cause))
		}},
	}, export.Known(requestRow.broke, export.Column[requestRow]{
		Name: "item", Heading: "item", Right: true, Cell: func(r requestRow) export.Cell {
			if i := r.change().Item; i >= 0 {
				return export.Index(int(i)).But(number(i))
			}
			return export.None.But("summary") // in place of items, and none itself
		},
	}), export.Known(ran, []export.Column[requestRow]{
		{Name: "cost", Heading: "cost", Right: true, Cell: func(r requestRow) export.Cell { return cost(r.bill().Cost) }},
		{Name: "price", Heading: "price", Right: true, Spare: true, Cell: func(r requestRow) export.Cell { return money(r.bill().Cost, r.price) }},
		{Name: "predictedShare", Heading: "predicted", Right: true, Spare: true, Cell: forecast(func(f turns.Forecast) float64 { return f.Predicted })},
		{Name: "recordedShare", Heading: "recorded", Right: true, Spare: true, Cell: forecast(func(f turns.Forecast) float64 { return f.Recorded })},
	}...), export.Known(func(r requestRow) bool { return ran(r) && r.request().Recorded.Set }, []export.Column[requestRow]{
		{Name: "recordedRead", Cell: func(r requestRow) export.Cell { return export.Tokens(r.request().Recorded.Value.CacheRead) }},
		{Name: "recordedWritten", Cell: func(r requestRow) export.Cell { return export.Tokens(r.request().Recorded.Value.CacheWrite) }},
		{Name: "recordedPlain", Cell: func(r requestRow) export.Cell { return export.Tokens(r.request().Recorded.Value.Plain) }},
	}...), []export.Column[requestRow]{
		{Name: "error", Cell: func(r requestRow) export.Cell { return failureCell(r.window().Err, 80) }},
	}, listed, export.Known(ran, export.Column[requestRow]{Name: "summaries", Cell: func(r requestRow) export.Cell {
		_, summaries := r.window().Cleared()
		return export.Count(summaries)
	}}))
}

// writeRequests writes the rows of CSV with a line for each request as they are made: with the
// items of each, they take far more memory than what they are made of.
func (r *sessionResult) writeRequests(w io.Writer, included bool) error {
	columns, out := listedColumns(included), bufio.NewWriter(w)
	var row []byte
	for t := range r.history.Requests() {
		row = export.AppendRow(row[:0], columns, requestRow{r, t})
		if _, err := out.Write(row); err != nil {
			return err
		}
	}
	return out.Flush()
}

// listedColumns returns the columns of CSV with a row for each request.
func listedColumns(included bool) []export.Column[requestRow] {
	return ofSession(func(r requestRow) *sessionResult { return r.sessionResult }, requestColumns(included)...)
}

func (t *turnTotals) requestSheet(r *sessionResult) *export.Sheet {
	s := export.Sheet{
		Title: fmt.Sprintf("%s  %s  %s", r.name, plain.Count(len(r.history.Requests()), "request"), r.listed.Plan.Name),
		Name:  "requests",
	}
	row := func(k int) requestRow { return requestRow{r, k} }
	return export.SheetOf(s, export.Of(row, requestColumns(true)...), export.Upto(len(r.history.Requests())))
}
