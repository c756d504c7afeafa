package command

import (
	"fmt"
	"slices"

	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/turns"
)

// planRow is a plan with its totals.
type planRow struct {
	turns.Plan
	turns.Totals
	price    export.Cell
	session  *sessionResult // nil: the totals are of all sessions
	recorded bool           // the plan sends everything, as what is recorded did
	all      turns.Totals   // of sending everything
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
		{Name: "costRatio", Cell: func(r planRow) export.Cell { return costRatio(r.Totals, r.all) }},
	}, export.Of(totals, recallColumn))
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

// ratioToAll returns a cost relative to the cost of sending everything; false where everything
// does not fit, as nobody can have it.
func ratioToAll(of, all turns.Totals) (float64, bool) {
	ratio, ok := of.CostRatio()
	return ratio, ok && all.Over == 0
}

func costRatio(of, all turns.Totals) export.Cell {
	ratio, ok := ratioToAll(of, all)
	return export.Number(ratio, 2).If(ok)
}

func (t *turnTotals) ratioColumn() export.Column[turns.Totals] {
	return export.Column[turns.Totals]{Name: "costRatio", Cell: func(of turns.Totals) export.Cell { return costRatio(of, t.totals[everything]) }}
}

// thanFirst returns the column that compares costs with the cost of the first policy, as people
// read it; empty for a plan whose requests do not all fit, which nobody can have.
func (t *turnTotals) thanFirst() export.Column[turns.Totals] {
	return export.Column[turns.Totals]{Heading: "than " + t.firstName(), Right: true, Cell: func(of turns.Totals) export.Cell {
		ratio, ok := t.ratio(of)
		return export.Word(plain.Compared(ratio, "")).If(ok && of.Over == 0)
	}}
}

// sayRange returns how sure a comparison with sending everything is, in words; nil where
// everything does not fit.
func (t *turnTotals) sayRange(name string, g turns.Grid) []string {
	low, high, ok := g.Range()
	return lineIf(ok && t.totals[everything].Over == 0, turns.SayRange(name, low, high))
}

// firstName names the first policy: what people have now, and want to compare with.
func (t *turnTotals) firstName() string { return plain.Line(t.plans[policyA].Name, 24) }

// ratio returns a cost relative to the cost of the first policy; false where that costs nothing,
// or where more requests fail under one than under the other, as these cost nothing.
func (t *turnTotals) ratio(of turns.Totals) (float64, bool) {
	first := t.totals[policyA]
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
		dst = export.AppendRow(dst, columns, planRow{c.Plan, c.Totals, money(c.Totals.Cost, r.price), r, k == everything, r.courses[everything].Totals})
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

func (t *turnTotals) planSheet() *export.Sheet {
	c := t.billing().Cache
	unverified := ""
	if c.Unverified != "" {
		unverified = " (not found there: " + c.Unverified + ")"
	}
	median, worst := turns.Errors(t.forecasts)
	some := func(of func(turns.Totals) bool) bool { return slices.ContainsFunc(t.totals, of) }
	s := export.Sheet{
		Title: plain.Count(t.sessions, "session") + ", estimated with " + sayCache(c),
		Name:  "totals",
		Closing: slices.Concat([]string{
			"kept: share of the previous prompt that the next one begins with, on average over requests; failed: requests without a result; do not fit: requests over the budget;",
			"cost: in input tokens" + t.sayPrice() + "; how long a cache lives and how far back it looks is not modelled",
		},
			lineIf(c.Source != "", "prices of the cache as of "+c.Date+": "+c.Source+unverified),
			lineIf(t.foreign != "", fmt.Sprintf("the cache prices of %s are not known: those of %s are used; --cache names others", plain.Line(t.foreign, 40), turns.CacheNames()[0])),
			[]string{t.fixed.say()},
			t.sayRange(t.plans[policyA].Name, t.grid),
			t.sayPlans(),
			lineIf(some(func(one turns.Totals) bool { return one.Summaries > 0 }), fmt.Sprintf("writing a token of a summary costs as much as %v input tokens (--output-ratio)", t.asked.Output)),
			lineIf(some(func(one turns.Totals) bool { _, judged := one.Recall(); return judged }), "recall: share of the needed items so far that a request has, on average"),
			lineIf(slices.ContainsFunc(t.plans, func(p turns.Plan) bool { return p.Cuts }), "policies cut items (not Cupel's); all, sliding windows and plans send them whole"),
			lineIf(t.guessed > 0, "budgets of "+plain.Count(t.guessed, "session")+" are guessed: give --max-tokens or --at"),
			lineIf(t.estimated > 0, plain.Count(t.estimated, "session")+" with token counts that are estimates"),
			lineIf(len(t.forecasts) > 0, fmt.Sprintf("%s recorded what was read from the cache: the prediction, "+turns.FromRecord+", is off by %s of the prompt (median), %s (worst)",
				plain.Count(len(t.forecasts), "session"), plain.Percent(median), plain.Percent(worst)))),
	}
	if t.failures.count > 0 {
		s.Title += ", " + plain.Count(t.failures.count, "source") + " left out"
	}
	row := func(k int) planRow {
		return planRow{t.plans[k], t.totals[k], t.price(k), nil, false, t.totals[everything]}
	}
	than := export.Of(func(r planRow) turns.Totals { return r.Totals }, t.thanFirst())
	return export.SheetOf(s, export.Of(row, append(planColumns(), than...)...), export.Upto(len(t.plans)))
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
	}, export.Of(total, append(sizeColumns(), costColumn, t.ratioColumn(), t.thanFirst())...), []export.Column[int]{
		{Name: "least", Heading: "least", Cell: func(k int) export.Cell { return export.Truth(k == least) }},
	}), export.Upto(len(t.sweep)))
}
