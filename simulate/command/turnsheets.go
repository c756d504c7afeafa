package command

import (
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/turns"
)

// requestColumns returns the columns of a table with a row for each request.
func requestColumns() []export.Column {
	return []export.Column{
		{Name: "request", Heading: "request", Right: true},
		{Name: "now"},
		{Name: "before", Heading: "before", Right: true, Spare: true},
		{Name: "items", Heading: "items", Right: true},
		{Name: "tokens", Heading: "tokens", Right: true},
		{Name: "read", Heading: "read", Right: true},
		{Name: "written", Heading: "written", Right: true},
		{Name: "surviving", Heading: "survives", Right: true},
		{Name: "cause", Heading: "cause", Flows: 12},
		{Name: "item", Heading: "item", Right: true},
		{Name: "cost", Heading: "cost", Right: true},
		{Name: "price", Heading: "price", Right: true, Spare: true},
		{Name: "predictedShare", Heading: "predicted", Right: true, Spare: true},
		{Name: "recordedShare", Heading: "recorded", Right: true, Spare: true},
		{Name: "recordedRead"},
		{Name: "recordedWritten"},
		{Name: "recordedPlain"},
		{Name: "error"},
		{Name: "included"},
	}
}

// headings returns the names of the columns of CSV: the session, those of a table, more,
// and what the counts and the budget of the session rest on.
func headings(of []export.Column, more ...string) []export.Cell {
	all := []export.Cell{export.Word("name")}
	for _, c := range of {
		all = append(all, export.Word(c.Name))
	}
	for _, name := range append(more, "budgetGuessed", "estimatedCounts") {
		all = append(all, export.Word(name))
	}
	return all
}

// appendRow appends a row of CSV, with the cells that headings adds.
func (r *sessionResult) appendRow(dst []byte, cells []export.Cell) []byte {
	return export.AppendCSV(dst, slices.Concat([]export.Cell{export.Text(r.name, 0)}, cells, []export.Cell{export.Truth(r.guessed), export.Count(r.estimates)}))
}

// requestCells returns the cells of requestColumns for the request t.
func (r *sessionResult) requestCells(t int, price float64) []export.Cell {
	request, c := r.session.Requests()[t], r.listed
	window, change, bill := c.Windows[t], c.Changes[t], c.Bills[t]
	which := export.Index(t + 1)
	if request.IsNow() {
		which = which.But("now")
	}
	row := []export.Cell{which, export.Truth(request.IsNow()), export.Index(request.Before).But(fmt.Sprintf("#%d", request.Before))}
	if window.Err != nil {
		for len(row) < len(requestColumns()) {
			row = append(row, export.None)
		}
		row[len(row)-2] = export.Text(messageOf(window.Err), 80)
		row[8] = export.None.But(plain.Line("fails: "+messageOf(window.Err), 80))
		return row
	}
	surviving, cause, item := export.None, export.None, export.None
	if !change.First {
		surviving = export.Share(change.Surviving())
	}
	if change.Cause != turns.NoBreak {
		cause, item = export.Word(string(change.Cause)), export.Index(int(change.Item)).But(number(change.Item))
	}
	row = append(row, export.Count(len(window.Items)), export.Tokens(window.Tokens), export.Tokens(bill.Read), export.Tokens(bill.Written),
		surviving, cause, item, cost(bill.Cost), money(bill.Cost, price))
	predicted, recorded := export.None, export.None
	if f, ok := r.session.ForecastAt(r.courses[0], t); ok {
		predicted, recorded = export.Share(f.Predicted), export.Share(f.Recorded)
	}
	row = append(row, predicted, recorded)
	if u := request.Recorded; u.Set {
		row = append(row, export.Tokens(u.Value.CacheRead), export.Tokens(u.Value.CacheWrite), export.Tokens(u.Value.Plain))
	} else {
		row = append(row, export.None, export.None, export.None)
	}
	return append(row, export.None, export.Indexes(window.Items))
}

// cost returns a cell for a cost in input tokens. A person reads it rounded to a
// whole number.
func cost(c float64) export.Cell {
	return export.Number(c, 0).But(model.Tokens(c + .5).String())
}

func (r *sessionResult) appendRequests(dst []byte, price float64) []byte {
	for t := range r.session.Requests() {
		dst = r.appendRow(dst, r.requestCells(t, price))
	}
	return dst
}

// planColumns returns the columns of a table with a row for each plan.
func planColumns() []export.Column {
	return []export.Column{
		{Name: "policy", Heading: "policy", Flows: 20},
		{Name: "strategy"},
		{Name: "ours", Heading: "ours"},
		{Name: "requests", Heading: "requests", Right: true},
		{Name: "failed", Heading: "failed", Right: true, Spare: true},
		{Name: "overTarget", Heading: "over", Right: true, Spare: true},
		{Name: "tokensPerRequest", Heading: "tokens per request", Right: true},
		{Name: "survivingPrefix", Heading: "prefix survives", Right: true},
		{Name: "read", Heading: "read", Right: true, Spare: true},
		{Name: "written", Heading: "written", Right: true, Spare: true},
		{Name: "cost", Heading: "cost", Right: true},
		{Name: "price", Heading: "price", Right: true},
		{Name: "costRatio", Heading: "against all", Right: true},
	}
}

func planCells(p turns.Plan, t turns.Totals, price float64) []export.Cell {
	surviving, ratio := export.None, export.None
	if share, ok := t.SurvivingPrefix(); ok {
		surviving = export.Share(share)
	}
	if r, ok := t.CostRatio(); ok {
		ratio = export.Number(r, 2)
	}
	tokens := t.TokensPerRequest()
	return []export.Cell{
		export.Text(p.Name, 48), export.Word(string(p.Strategy)), export.Truth(p.Ours()), export.Count(t.Requests), export.Count(t.Failed), export.Count(t.Over),
		export.Number(tokens, 0).But(model.Tokens(tokens + .5).String()), surviving, export.Tokens(t.Read), export.Tokens(t.Written),
		cost(t.Cost), money(t.Cost, price), ratio,
	}
}

func (r *sessionResult) appendPlans(dst []byte, price float64) []byte {
	for k, c := range r.courses {
		predicted, recorded := export.None, export.None
		if f := r.forecast.Value; k == 0 && r.forecast.Set { // only the plan that sends everything has a record
			predicted, recorded = export.Share(f.Predicted), export.Share(f.Recorded)
		}
		dst = r.appendRow(dst, append(planCells(c.Plan, c.Totals, price), predicted, recorded))
	}
	return dst
}

// book returns the answer as tables and as JSON.
func (t *turnTotals) book(form export.Form) *export.Book {
	c := t.cache
	facts := []export.Fact{
		export.SchemaFact("turns"),
		{Name: "sessions", Value: export.Count(t.sessions)},
		{Name: "leftOut", Value: export.Count(t.failures.count)},
		{Name: "estimated", Value: export.Count(t.estimated)},
		{Name: "budgetGuessed", Value: export.Truth(t.guessed > 0)},
		{Name: "cache", Value: export.Word(c.Name)},
		{Name: "cacheRead", Value: export.Number(c.Read, 2)},
		{Name: "cacheWrite", Value: export.Number(c.Write, 2)},
		{Name: "cacheMinimum", Value: export.Tokens(c.Minimum)},
		{Name: "cacheStep", Value: export.Tokens(c.Step)},
	}
	if c.Source != "" {
		facts = append(facts, export.Fact{Name: "cacheSource", Value: export.Text(c.Source, 0)}, export.Fact{Name: "cacheDate", Value: export.Word(c.Date)})
	}
	if c.Unverified != "" {
		facts = append(facts, export.Fact{Name: "cacheUnverified", Value: export.Word(c.Unverified)})
	}
	if len(t.forecasts) > 0 {
		median, worst := turns.Errors(t.forecasts)
		facts = append(facts,
			export.Fact{Name: "recordedSessions", Value: export.Count(len(t.forecasts))},
			export.Fact{Name: "readErrorMedian", Value: export.Share(median)},
			export.Fact{Name: "readErrorWorst", Value: export.Share(worst)})
	}
	b := &export.Book{Facts: facts}
	switch {
	case t.only != nil:
		b.Sheets = append(b.Sheets, t.requestSheet(t.only))
	case form == export.AsJSON:
		b.Sheets = append(b.Sheets, &export.Sheet{Name: "requests", Columns: requestColumns(), Rows: func(func([]export.Cell) bool) {}})
	}
	b.Sheets = append(b.Sheets, t.planSheet())
	if len(t.worst) > 0 {
		b.Sheets = append(b.Sheets, t.recordedSheet())
	}
	if t.lows != nil {
		b.Sheets = append(b.Sheets, t.sweepSheet())
	}
	return b
}

func (t *turnTotals) requestSheet(r *sessionResult) *export.Sheet {
	return &export.Sheet{
		Title:   fmt.Sprintf("%s  %s  %s", r.name, plain.Count(len(r.session.Requests()), "request"), r.listed.Plan.Name),
		Name:    "requests",
		Columns: requestColumns(),
		Rows: export.RowsOf(r.session.Requests(), func(row []export.Cell, k int, _ turns.Request) []export.Cell {
			return append(row, r.requestCells(k, t.price)...)
		}),
	}
}

func (t *turnTotals) planSheet() *export.Sheet {
	s := &export.Sheet{
		Title:   plain.Count(t.sessions, "session") + ", estimated with " + sayCache(t.cache),
		Name:    "totals",
		Columns: planColumns(),
		Closing: []string{
			"prefix survives: of the window before, the tokens that the next one begins with, on average over requests;",
			"against all: the cost relative to sending everything; how long a cache lives and how far back it looks is not modelled",
		},
		Rows: export.RowsOf(t.plans, func(row []export.Cell, k int, p turns.Plan) []export.Cell {
			return append(row, planCells(p, t.totals[k], t.price)...)
		}),
	}
	if c := t.cache; c.Source != "" {
		source := "the cache's numbers are those of " + c.Date + ": " + c.Source
		if c.Unverified != "" {
			source += " (not found there: " + c.Unverified + ")"
		}
		s.Closing = append(s.Closing, source)
	}
	if t.failures.count > 0 {
		s.Title += ", " + plain.Count(t.failures.count, "source") + " left out"
	}
	if t.guessed > 0 {
		s.Closing = append(s.Closing, "budgets of "+plain.Count(t.guessed, "session")+" are guessed: give --max-tokens or --at")
	}
	if t.estimated > 0 {
		s.Closing = append(s.Closing, plain.Count(t.estimated, "session")+" with token counts that are estimates")
	}
	if len(t.forecasts) > 0 {
		median, worst := turns.Errors(t.forecasts)
		s.Closing = append(s.Closing, fmt.Sprintf("the share of the prompt that was read from the cache is recorded for %s: the prediction is off by %s (median), %s (worst) of the prompt",
			plain.Count(len(t.forecasts), "session"), export.Percent(median), export.Percent(worst)))
	}
	return s
}

// recordedSheet returns a table that compares the prediction with the record, for
// the sessions in which they differ most, these first.
func (t *turnTotals) recordedSheet() *export.Sheet {
	s := &export.Sheet{
		Title: "read from the cache, as a share of the prompts that were really sent",
		Name:  "recorded",
		Columns: []export.Column{
			{Name: "name", Heading: "session", Flows: 20},
			{Name: "requests", Heading: "requests", Right: true},
			{Name: "predictedShare", Heading: "predicted", Right: true},
			{Name: "recordedShare", Heading: "recorded", Right: true},
			{Name: "error", Heading: "error", Right: true},
		},
		Rows: export.RowsOf(t.worst, func(row []export.Cell, _ int, f namedForecast) []export.Cell {
			return append(row, export.Text(f.name, 48), export.Count(f.Requests), export.Share(f.Predicted), export.Share(f.Recorded),
				export.Number(f.Error(), 0).But(fmt.Sprintf("%+.1f %%", 100*f.Error())))
		}),
	}
	if more := len(t.forecasts) - len(t.worst); more > 0 {
		s.Title += fmt.Sprintf(": the %d sessions in which the prediction is furthest off", len(t.worst))
	}
	return s
}

// sayCache returns the parameters of a cache in words.
func sayCache(c turns.Cache) string {
	if c.Minimum > model.MaxTokens {
		return "no cache"
	}
	text := fmt.Sprintf("cache %s: read %v, write %v, at least %v tokens", c.Name, c.Read, c.Write, c.Minimum)
	if c.Step > 1 {
		text += fmt.Sprintf(" in steps of %v", c.Step)
	}
	return text
}

func (t *turnTotals) sweepSheet() *export.Sheet {
	least := turns.Least(t.sweep)
	return &export.Sheet{
		Title: "the watermark, by how far it cuts",
		Name:  "sweep",
		Columns: []export.Column{
			{Name: "low", Heading: "cut to", Right: true},
			{Name: "tokensPerRequest", Heading: "tokens per request", Right: true},
			{Name: "survivingPrefix", Heading: "prefix survives", Right: true},
			{Name: "cost", Heading: "cost", Right: true},
			{Name: "costRatio", Heading: "against all", Right: true},
			{Name: "least", Heading: "least"},
		},
		Rows: export.RowsOf(t.sweep, func(row []export.Cell, k int, total turns.Totals) []export.Cell {
			cells := planCells(turns.Plan{}, total, t.price)
			return append(row, export.Share(t.lows[k]/100), cells[6], cells[7], cells[10], cells[12], export.Truth(k == least))
		}),
	}
}
