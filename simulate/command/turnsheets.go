package command

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/turns"
)

// requestRow is a request of a session, by its index.
type requestRow struct {
	*sessionResult
	t int
}

func (r requestRow) request() turns.Request { return r.session.Requests()[r.t] }
func (r requestRow) window() turns.Window   { return r.listed.Windows[r.t] }
func (r requestRow) change() turns.Change   { return r.listed.Changes[r.t] }
func (r requestRow) bill() turns.Bill       { return r.listed.Bills[r.t] }

// broke reports whether the request breaks the prefix of the one before.
func (r requestRow) broke() bool { return r.window().Err == nil && r.change().Cause != turns.NoBreak }

// requestColumns returns the columns of a table with a row for each request.
func requestColumns() []export.Column[requestRow] {
	ran := func(r requestRow) bool { return r.window().Err == nil }
	forecast := func(share func(turns.Forecast) float64) func(requestRow) export.Cell {
		return func(r requestRow) export.Cell {
			f, ok := r.session.ForecastAt(r.courses[0], r.billing.Cache, r.t)
			return export.Share(share(f)).If(ok)
		}
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
		{Name: "error", Cell: func(r requestRow) export.Cell {
			if ran(r) {
				return export.None
			}
			return export.Text(messageOf(r.window().Err), 80)
		}},
	}, export.Known(ran, export.Column[requestRow]{Name: "includedIndexes", Cell: func(r requestRow) export.Cell { return export.Indexes(r.window().Items) }},
		export.Column[requestRow]{Name: "cleared", Cell: func(r requestRow) export.Cell {
			items, _ := r.window().Cleared()
			return export.Indexes(items)
		}},
		export.Column[requestRow]{Name: "cut", Cell: func(r requestRow) export.Cell { return export.Indexes(r.window().Cut()) }},
		export.Column[requestRow]{Name: "summaries", Cell: func(r requestRow) export.Cell {
			_, summaries := r.window().Cleared()
			return export.Count(summaries)
		}}))
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

// cost returns a cell for a cost in input tokens. A person reads it rounded to a
// whole number.
func cost(c float64) export.Cell {
	return export.Number(c, 0).But(model.Tokens(c + .5).String())
}

// writeRequests writes the rows of CSV with a line for each request as they are made: with the
// items of each, they take far more memory than what they are made of.
func (r *sessionResult) writeRequests(w io.Writer, included bool) error {
	columns, out := listedColumns(included), bufio.NewWriter(w)
	var row []byte
	for t := range r.session.Requests() {
		row = export.AppendRow(row[:0], columns, requestRow{r, t})
		if _, err := out.Write(row); err != nil {
			return err
		}
	}
	return out.Flush()
}

// listedColumns returns the columns of CSV with a row for each request. Only if included
// do they list items, which take O(n) for each row.
func listedColumns(included bool) []export.Column[requestRow] {
	columns := requestColumns()
	if !included {
		columns = slices.DeleteFunc(columns, func(c export.Column[requestRow]) bool {
			return c.Name == "includedIndexes" || c.Name == "cleared" || c.Name == "cut"
		})
	}
	return ofSession(func(r requestRow) *sessionResult { return r.sessionResult }, columns...)
}

// planRow is a plan with its totals.
type planRow struct {
	turns.Plan
	turns.Totals
	price    export.Cell
	session  *sessionResult // nil: the totals are of all sessions
	recorded bool           // the plan sends everything, as what is recorded did
}

// planColumns returns the columns of a table with a row for each plan.
func planColumns() []export.Column[planRow] {
	totals := func(r planRow) turns.Totals { return r.Totals }
	return slices.Concat([]export.Column[planRow]{
		{Name: "policy", Heading: "policy", Flows: 20, Cell: func(r planRow) export.Cell { return export.Text(r.Name, 48) }},
		{Name: "strategy", Cell: func(r planRow) export.Cell { return export.Word(string(r.Strategy)) }},
		{Name: "plan", Cell: func(r planRow) export.Cell { return export.Text(r.Text(), 0).If(r.Text() != "") }},
		{Name: "ours", Heading: "not Cupel's", Cell: func(r planRow) export.Cell { return export.Truth(r.Ours()) }},
		{Name: "requests", Heading: "requests", Right: true, Cell: func(r planRow) export.Cell { return export.Count(r.Requests) }},
		{Name: "failed", Heading: "failed", Right: true, Spare: true, Cell: func(r planRow) export.Cell { return export.Count(r.Failed) }},
		{Name: "overTarget", Heading: "do not fit", Right: true, Spare: true, Cell: func(r planRow) export.Cell { return export.Count(r.Over) }},
	}, export.Of(totals, sizeColumns()...), []export.Column[planRow]{
		{Name: "read", Heading: "read", Right: true, Spare: true, Cell: func(r planRow) export.Cell { return export.Tokens(r.Read) }},
		{Name: "written", Heading: "written", Right: true, Spare: true, Cell: func(r planRow) export.Cell { return export.Tokens(r.Written) }},
		{Name: "summaries", Heading: "summaries", Right: true, Spare: true, Cell: func(r planRow) export.Cell { return export.Count(r.Summaries) }},
		{Name: "summaryCost", Cell: func(r planRow) export.Cell { return cost(r.SummaryCost) }},
	}, export.Of(totals, costColumn), []export.Column[planRow]{
		{Name: "price", Heading: "price", Right: true, Cell: func(r planRow) export.Cell { return r.price }},
	}, export.Of(totals, ratioColumn, recallColumn))
}

// sizeColumns returns the columns of how large the requests of a plan are and what of them
// is kept.
func sizeColumns() []export.Column[turns.Totals] {
	return []export.Column[turns.Totals]{
		{Name: "tokensPerRequest", Heading: "tokens per request", Right: true, Cell: func(t turns.Totals) export.Cell { return cost(t.TokensPerRequest()) }},
		{Name: "survivingPrefix", Heading: "kept", Right: true, Cell: func(t turns.Totals) export.Cell {
			share, ok := t.SurvivingPrefix()
			return export.Share(share).If(ok)
		}},
	}
}

var costColumn = export.Column[turns.Totals]{Name: "cost", Heading: "cost", Right: true, Cell: func(t turns.Totals) export.Cell { return cost(t.Cost) }}

var ratioColumn = export.Column[turns.Totals]{Name: "costRatio", Cell: func(t turns.Totals) export.Cell {
	ratio, ok := t.CostRatio()
	return export.Number(ratio, 2).If(ok)
}}

// thanFirst returns the column that compares costs with that of the first policy, as people read it.
func (t *turnTotals) thanFirst() export.Column[turns.Totals] {
	return export.Column[turns.Totals]{Heading: "than " + t.firstName(), Right: true, Cell: func(of turns.Totals) export.Cell {
		ratio, ok := t.ratio(of)
		return export.Word(plain.Compared(ratio, "")).If(ok)
	}}
}

// firstName names the first policy: what people have now, and want to compare with.
func (t *turnTotals) firstName() string { return plain.Line(t.plans[1].Name, 24) }

// ratio returns a cost relative to that of the first policy; false where not as many requests of either
// fail: these cost nothing.
func (t *turnTotals) ratio(of turns.Totals) (float64, bool) {
	first := t.totals[1] // behind everything
	return of.Cost / first.Cost, first.Cost > 0 && first.Failed == of.Failed
}

// recallColumn is how much of what is needed the windows have, where items are labelled.
var recallColumn = export.Column[turns.Totals]{Name: "recall", Heading: "recall", Right: true, Cell: func(t turns.Totals) export.Cell {
	recall, ok := t.Recall()
	return export.Share(recall).If(ok)
}}

func (r *sessionResult) appendPlans(dst []byte) []byte {
	columns := sessionColumns()
	for k, c := range r.courses {
		dst = export.AppendRow(dst, columns, planRow{c.Plan, c.Totals, money(c.Totals.Cost, r.price), r, k == 0})
	}
	return dst
}

// sessionColumns returns the columns of CSV with a row for each plan of a session.
func sessionColumns() []export.Column[planRow] {
	recorded := export.Known(func(r planRow) bool { return r.recorded && r.session.forecast.Set }, []export.Column[planRow]{
		{Name: "predictedShare", Cell: func(r planRow) export.Cell { return export.Share(r.session.forecast.Value.Predicted) }},
		{Name: "recordedShare", Cell: func(r planRow) export.Cell { return export.Share(r.session.forecast.Value.Recorded) }},
	}...)
	return ofSession(func(r planRow) *sessionResult { return r.session }, append(planColumns(), recorded...)...)
}

// book returns the answer as tables and as JSON.
func (t *turnTotals) book(form export.Form) *export.Book {
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
	b := &export.Book{Facts: facts}
	switch {
	case t.only != nil:
		b.Sheets = append(b.Sheets, t.requestSheet(t.only))
	case form == export.AsJSON:
		b.Sheets = append(b.Sheets, export.SheetOf(export.Sheet{Name: "requests"}, requestColumns(), func(func(requestRow) bool) {}))
	}
	b.Sheets = append(b.Sheets, t.planSheet())
	if len(t.worst) > 0 {
		b.Sheets = append(b.Sheets, t.recordedSheet())
	}
	if t.flags.Compact {
		b.Sheets = append(b.Sheets, t.compactionSheets()...)
	}
	if t.mapped != nil {
		b.Sheets = append(b.Sheets, t.mapSheet(form))
	}
	if t.lows != nil {
		b.Sheets = append(b.Sheets, t.sweepSheet())
	}
	return b
}

func (t *turnTotals) requestSheet(r *sessionResult) *export.Sheet {
	s := export.Sheet{
		Title: fmt.Sprintf("%s  %s  %s", r.name, plain.Count(len(r.session.Requests()), "request"), r.listed.Plan.Name),
		Name:  "requests",
	}
	row := func(k int) requestRow { return requestRow{r, k} }
	return export.SheetOf(s, export.Of(row, requestColumns()...), export.Upto(len(r.session.Requests())))
}

func (t *turnTotals) planSheet() *export.Sheet {
	s := export.Sheet{
		Title: plain.Count(t.sessions, "session") + ", estimated with " + sayCache(t.billing().Cache),
		Name:  "totals",
		Closing: []string{
			"kept: share of the previous prompt that the next one begins with, on average over requests; failed: requests without a result; do not fit: requests over the budget;",
			"cost: in input tokens" + t.sayPrice() + "; how long a cache lives and how far back it looks is not modelled",
		},
	}
	if c := t.billing().Cache; c.Source != "" {
		source := "prices of the cache as of " + c.Date + ": " + c.Source
		if c.Unverified != "" {
			source += " (not found there: " + c.Unverified + ")"
		}
		s.Closing = append(s.Closing, source)
	}
	s.Closing = append(s.Closing, lineIf(t.foreign != "", fmt.Sprintf("the cache prices of %s are not known: those of %s are used; --cache names others", plain.Line(t.foreign, 40), turns.CacheNames()[0]))...)
	s.Closing = append(s.Closing, t.fixed.say())
	if low, high, ok := t.grid.Range(); ok && len(t.plans) > 1 {
		s.Closing = append(s.Closing, turns.SayRange(t.plans[1].Name, low, high))
	}
	some := func(of func(turns.Totals) bool) bool { return slices.ContainsFunc(t.totals, of) }
	median, worst := turns.Errors(t.forecasts)
	s.Closing = slices.Concat(s.Closing, t.sayPlans(),
		lineIf(some(func(one turns.Totals) bool { return one.Summaries > 0 }), fmt.Sprintf("writing a token of a summary costs as much as %v input tokens (--output-ratio)", t.asked.Output)),
		lineIf(some(func(one turns.Totals) bool { _, judged := one.Recall(); return judged }), "recall: share of the needed items so far that a request has, on average"),
		lineIf(slices.ContainsFunc(t.plans, func(p turns.Plan) bool { return p.Cuts }), "policies cut items (not Cupel's); all, sliding windows and plans send them whole"),
		lineIf(t.guessed > 0, "budgets of "+plain.Count(t.guessed, "session")+" are guessed: give --max-tokens or --at"),
		lineIf(t.estimated > 0, plain.Count(t.estimated, "session")+" with token counts that are estimates"),
		lineIf(len(t.forecasts) > 0, fmt.Sprintf("%s recorded what was read from the cache: the prediction, "+turns.FromRecord+", is off by %s of the prompt (median), %s (worst)",
			plain.Count(len(t.forecasts), "session"), plain.Percent(median), plain.Percent(worst))))
	if t.failures.count > 0 {
		s.Title += ", " + plain.Count(t.failures.count, "source") + " left out"
	}
	row := func(k int) planRow { return planRow{t.plans[k], t.totals[k], t.price(k), nil, false} }
	than := export.Of(func(r planRow) turns.Totals { return r.Totals }, t.thanFirst())
	return export.SheetOf(s, export.Of(row, append(planColumns(), than...)...), export.Upto(len(t.plans)))
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

// price returns a cell for the price of all sessions under a plan; None where the price of
// any session is not known.
func (t *turnTotals) price(plan int) export.Cell {
	return export.Number(t.money[plan], 4).If(t.unpriced == 0)
}

// priceUnit returns what prices are in; "input tokens" where none is known.
func (t *turnTotals) priceUnit() string {
	if t.turner.price > 0 || t.unpriced == 0 && t.sessions > 0 {
		return "dollars"
	}
	return "input tokens"
}

// sayPrice says what the column price is in; "" where there is none.
func (t *turnTotals) sayPrice() string {
	if t.price(0) == export.None {
		return ""
	}
	return "; price: in " + t.priceUnit()
}

// priceFacts returns the prices that the costs are computed from.
func (t *turnTotals) priceFacts(by turns.Billing) []export.Fact {
	from := "none"
	switch {
	case t.fixed.given > 0:
		from = string(turns.FixedGiven)
	case t.fixed.recorded > 0:
		from = string(turns.FixedRecord)
	}
	low, high, ranged := t.grid.Range()
	return []export.Fact{
		{Name: "priceUnit", Value: export.Word(t.priceUnit())},
		{Name: "inputPrice", Value: export.Number(by.Input, 2).If(by.Input > 0)},
		{Name: "longFrom", Value: export.Tokens(by.Long).If(by.Long > 0)},
		{Name: "longFactor", Value: export.Number(by.LongFactor, 2).If(by.Long > 0)},
		{Name: "fixedPrefix", Value: export.Tokens(t.fixed.min).If(t.fixed.min == t.fixed.max)},
		{Name: "fixedPrefixFrom", Value: export.Word(from)},
		{Name: "costRatioLow", Value: export.Number(low, 4).If(ranged)},
		{Name: "costRatioHigh", Value: export.Number(high, 4).If(ranged)},
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
	text := fmt.Sprintf("cache %s: a token read costs %v, written %v; prompts kept from %v tokens on", c.Name, c.Read, c.Write, c.Minimum)
	if c.Step > 1 {
		text += fmt.Sprintf(", in steps of %v", c.Step)
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
		closing = []string{"cheapest at " + plain.Percent(t.lows[0]/100) + turns.SweepEnds}
	}
	s := export.Sheet{Closing: closing, Title: "the watermark, by how far it cuts", Name: "sweep"}
	total := func(k int) turns.Totals { return t.sweep[k] }
	return export.SheetOf(s, slices.Concat([]export.Column[int]{
		{Name: "cutTo", Heading: "cut to", Right: true, Cell: func(k int) export.Cell { return export.Share(t.lows[k] / 100) }},
	}, export.Of(total, append(sizeColumns(), costColumn, ratioColumn, t.thanFirst())...), []export.Column[int]{
		{Name: "least", Heading: "least", Cell: func(k int) export.Cell { return export.Truth(k == least) }},
	}), export.Upto(len(t.sweep)))
}
