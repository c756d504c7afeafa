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
func requestColumns() []export.Head {
	return []export.Head{
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
func headings(of []export.Head, more ...string) []export.Cell {
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
func (r *sessionResult) requestCells(t int) []export.Cell {
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
	row = append(row, export.Count(len(window.Items)), export.Tokens(bill.Tokens()), export.Tokens(bill.Read), export.Tokens(bill.Written),
		surviving, cause, item, cost(bill.Cost), money(bill.Cost, r.price))
	predicted, recorded := export.None, export.None
	if f, ok := r.session.ForecastAt(r.courses[0], r.billing.Cache, t); ok {
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

func (r *sessionResult) appendRequests(dst []byte) []byte {
	for t := range r.session.Requests() {
		dst = r.appendRow(dst, r.requestCells(t))
	}
	return dst
}

// planColumns returns the columns of a table with a row for each plan.
func planColumns() []export.Head {
	return []export.Head{
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

func planCells(p turns.Plan, t turns.Totals, price export.Cell) []export.Cell {
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
		cost(t.Cost), price, ratio,
	}
}

func (r *sessionResult) appendPlans(dst []byte) []byte {
	for k, c := range r.courses {
		predicted, recorded := export.None, export.None
		if f := r.forecast.Value; k == 0 && r.forecast.Set { // only the plan that sends everything has a record
			predicted, recorded = export.Share(f.Predicted), export.Share(f.Recorded)
		}
		dst = r.appendRow(dst, append(planCells(c.Plan, c.Totals, money(c.Totals.Cost, r.price)), predicted, recorded))
	}
	return dst
}

// book returns the answer as tables and as JSON.
func (t *turnTotals) book(form export.Form) *export.Book {
	by := t.billing()
	c := by.Cache
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
	facts = append(facts, t.priceFacts(by)...)
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
			return append(row, r.requestCells(k)...)
		}),
	}
}

func (t *turnTotals) planSheet() *export.Sheet {
	s := &export.Sheet{
		Title:   plain.Count(t.sessions, "session") + ", estimated with " + sayCache(t.billing().Cache),
		Name:    "totals",
		Columns: planColumns(),
		Closing: []string{
			"prefix survives: of the window before, the tokens that the next one begins with, on average over requests;",
			"against all: the cost relative to sending everything; how long a cache lives and how far back it looks is not modelled",
		},
		Rows: export.RowsOf(t.plans, func(row []export.Cell, k int, p turns.Plan) []export.Cell {
			return append(row, planCells(p, t.totals[k], t.price(k))...)
		}),
	}
	if c := t.billing().Cache; c.Source != "" {
		source := "the cache's numbers are those of " + c.Date + ": " + c.Source
		if c.Unverified != "" {
			source += " (not found there: " + c.Unverified + ")"
		}
		s.Closing = append(s.Closing, source)
	}
	s.Closing = append(s.Closing, t.fixed.say())
	if low, high, ok := t.grid.Range(); ok && len(t.plans) > 1 {
		s.Closing = append(s.Closing, turns.SayRange(t.plans[1].Name, low, high))
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
		s.Closing = append(s.Closing, fmt.Sprintf("the share of the prompt that was read from the cache is recorded for %s: the prediction, "+turns.FromRecord+", is off by %s (median), %s (worst) of the prompt",
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
		Columns: []export.Head{
			{Name: "name", Heading: "session", Flows: 20},
			{Name: "requests", Heading: "requests", Right: true},
			{Name: "predictedShare", Heading: "predicted", Right: true},
			{Name: "recordedShare", Heading: "recorded", Right: true},
			{Name: "error", Heading: "error", Right: true},
			{Name: "predictedTokens", Heading: "tokens predicted", Right: true, Spare: true},
			{Name: "recordedTokens", Heading: "recorded", Right: true, Spare: true},
			{Name: "predictedCost", Heading: "cost predicted", Right: true},
			{Name: "recordedCost", Heading: "recorded", Right: true},
			{Name: "costError", Heading: "error", Right: true},
		},
		Rows: export.RowsOf(t.worst, func(row []export.Cell, _ int, f namedForecast) []export.Cell {
			return append(row, export.Text(f.name, 48), export.Count(f.Requests), export.Share(f.Predicted), export.Share(f.Recorded),
				errorCell(f.Error()), export.Tokens(f.PredictedTokens), export.Tokens(f.RecordedTokens), cost(f.PredictedCost), cost(f.RecordedCost), f.costCell())
		}),
	}
	if more := len(t.forecasts) - len(t.worst); more > 0 {
		s.Title += fmt.Sprintf(": the %d sessions in which the prediction is furthest off", len(t.worst))
	}
	return s
}

// errorCell returns a cell for a difference of shares, which a person reads in percent.
func errorCell(by float64) export.Cell {
	return export.Number(by, 4).But(fmt.Sprintf("%+.1f %%", 100*by))
}

func (f namedForecast) costCell() export.Cell {
	if by, ok := f.CostError(); ok {
		return errorCell(by)
	}
	return export.None
}

// billing returns what the sessions are billed by; caches that differ are one without
// numbers.
func (t *turnTotals) billing() turns.Billing {
	switch len(t.billings) {
	case 0:
		return t.asked
	case 1:
		return t.billings[0]
	}
	return turns.Billing{Cache: turns.Cache{Name: "each model's own", Step: 1}}
}

// price returns a cell for the price of all sessions under a plan; None where that of a
// session is not known.
func (t *turnTotals) price(plan int) export.Cell {
	if t.unpriced > 0 {
		return export.None
	}
	return export.Number(t.money[plan], 4)
}

// priceFacts returns what the costs rest on.
func (t *turnTotals) priceFacts(by turns.Billing) []export.Fact {
	unit := "input tokens"
	switch {
	case t.turner.price > 0:
		unit = "the currency of --price"
	case t.unpriced == 0 && t.sessions > 0:
		unit = "dollars"
	}
	input, longFrom, longFactor := export.None, export.None, export.None
	if by.Input > 0 {
		input = export.Number(by.Input, 2)
	}
	if by.Long > 0 {
		longFrom, longFactor = export.Tokens(by.Long), export.Number(by.LongFactor, 2)
	}
	fixed, from := export.None, "none"
	if t.fixed.least == t.fixed.most {
		fixed = export.Tokens(t.fixed.least)
	}
	switch {
	case t.fixed.given > 0:
		from = string(turns.FixedGiven)
	case t.fixed.recorded > 0:
		from = string(turns.FixedRecord)
	}
	least, most := export.None, export.None
	if low, high, ok := t.grid.Range(); ok {
		least, most = export.Number(low, 4), export.Number(high, 4)
	}
	return []export.Fact{
		{Name: "priceUnit", Value: export.Word(unit)},
		{Name: "inputPrice", Value: input},
		{Name: "longFrom", Value: longFrom},
		{Name: "longFactor", Value: longFactor},
		{Name: "fixedPrefix", Value: fixed},
		{Name: "fixedPrefixFrom", Value: export.Word(from)},
		{Name: "costRatioLow", Value: least},
		{Name: "costRatioHigh", Value: most},
	}
}

// sayCache returns the parameters of a cache in words.
func sayCache(c turns.Cache) string {
	if c.Minimum > model.MaxTokens {
		return "no cache"
	}
	if c.Write == 0 && c.Read == 0 && c.Source == "" && c.Minimum == 0 { // several, see billing
		return c.Name + " cache"
	}
	text := fmt.Sprintf("cache %s: read %v, write %v, at least %v tokens", c.Name, c.Read, c.Write, c.Minimum)
	if c.Step > 1 {
		text += fmt.Sprintf(" in steps of %v", c.Step)
	}
	if c.Input > 0 {
		text += fmt.Sprintf(", %v dollars for a million input tokens", c.Input)
	}
	if c.Long > 0 {
		text += fmt.Sprintf(" (%v times as much in prompts of more than %v)", c.LongFactor, c.Long)
	}
	return text
}

func (t *turnTotals) sweepSheet() *export.Sheet {
	least := turns.Least(t.sweep)
	var closing []string
	if turns.BelowLows(t.sweep) {
		closing = []string{"least at " + export.Percent(t.lows[0]/100) + turns.SweepEnds}
	}
	return &export.Sheet{
		Closing: closing,
		Title:   "the watermark, by how far it cuts",
		Name:    "sweep",
		Columns: []export.Head{
			{Name: "low", Heading: "cut to", Right: true},
			{Name: "tokensPerRequest", Heading: "tokens per request", Right: true},
			{Name: "survivingPrefix", Heading: "prefix survives", Right: true},
			{Name: "cost", Heading: "cost", Right: true},
			{Name: "costRatio", Heading: "against all", Right: true},
			{Name: "least", Heading: "least"},
		},
		Rows: export.RowsOf(t.sweep, func(row []export.Cell, k int, total turns.Totals) []export.Cell {
			cells := planCells(turns.Plan{}, total, export.None)
			return append(row, export.Share(t.lows[k]/100), cells[6], cells[7], cells[10], cells[12], export.Truth(k == least))
		}),
	}
}
