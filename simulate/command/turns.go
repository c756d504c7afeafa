package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/export"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
	"cupelscope/simulate/turns"
)

// turnsOptions say which plans to take a session through, and what a cache costs.
type turnsOptions struct {
	answerOptions
	PolicyB  string   // another policy, see session.ParsePolicy; "": none
	Plans    []string // what agents do, see turns.ParsePlan
	Strategy string   // the strategy whose requests are listed; "": stateless
	Low      string   // percent of the room that a full window is cut to; "": turns.DefaultLow
	Compact  bool     // also list what came again after the compactions of one session
	Map      string   // keys of a rule whose values are tried, see turns.ParseAxes; "": no map
	At       string   // budget, see quality.ParseAmount; "": its own
	Sweep    bool     // also try the watermark at other low marks
	Included bool     // in CSV, also list the items of each request

	Cache       string // name of a preset; "": the first
	CacheRead   string // price of a token that is read, relative to input; "" in this and the next three: the preset's
	CacheWrite  string
	CacheMin    string // length of the shortest prefix that is cached, in tokens
	CacheStep   string // tokens by which longer prefixes grow
	Price       string // price of a million input tokens
	OutputRatio string // price of a token that the model writes; "": turns.DefaultOutput
	Fixed       string // tokens of the fixed part of every prompt; "": those of the record

	Jobs int // number of sessions worked on at a time; 0: the number of processors
}

// VerbFlags returns the flags of the verb turns; they store their values in t.
func (t *turnsOptions) VerbFlags() []Flag {
	names := turns.CacheNames()
	return append(t.answerFlags("verbose", "timings"),
		Flag{Name: "policy-b", Text: &t.PolicyB, Offers: session.PolicyNames(), Files: true, Usage: "another `POLICY` to compare with: a slicer, a preset or a file"},
		Flag{Name: "plan", Texts: &t.Plans, Offers: turns.PlanNames(), Usage: "also a `PLAN` of an agent, as in clear:trigger=30k,keep=3,at-least=20k,each=once; clear, drop or summarise, or one of " + strings.Join(presetNames(), ", ") + "; may be repeated"},
		Flag{Name: "strategy", Text: &t.Strategy, Offers: session.Names(turns.Strategies()), Usage: "the requests to list, those of a `STRATEGY`: stateless, watermark, sliding, all, or clear, drop or summarise of the first such --plan (default stateless)"},
		Flag{Name: "low", Text: &t.Low, Usage: "`PERCENT` of the room to which watermark and sliding cut a full window (default 60)"},
		Flag{Name: "at", Text: &t.At, Usage: "the `BUDGET`: tokens, a percentage of all tokens of a session as in 50%, or own (default own)"},
		Flag{Name: "sweep", Bool: &t.Sweep, Usage: "also print what the watermark costs if it cuts to 30, 35 ... 100 percent"},
		Flag{Name: "map", Text: &t.Map, Offers: []string{"trigger,at-least", "trigger,keep", "trigger,keep-tokens"}, Usage: "also print what the first --plan (default clear) costs over two of its `KEYS`, as in trigger,at-least or trigger=20k+40k,keep=0+3; in CSV only that"},
		Flag{Name: "included", Bool: &t.Included, Usage: "in CSV of one source, also list the items of each request, and those that are cleared, by index"},
		Flag{Name: "compactions", Bool: &t.Compact, Usage: "also print what the recorded compactions of one source took out, and what came again within the next 20 requests"},
		Flag{Name: "cache", Text: &t.Cache, Offers: names, Usage: "prices of a prompt `CACHE`: " + strings.Join(names, ", ") + ", or the name of a model, as in claude-opus-4-5 (default: that of the session's model, else " + names[0] + ")"},
		Flag{Name: "cache-read", Text: &t.CacheRead, Usage: "`PRICE` of a token read from the cache, input tokens costing 1"},
		Flag{Name: "cache-write", Text: &t.CacheWrite, Usage: "`PRICE` of a token written to the cache"},
		Flag{Name: "cache-min", Text: &t.CacheMin, Usage: "the shortest prefix that is cached, in `TOKENS`"},
		Flag{Name: "cache-step", Text: &t.CacheStep, Usage: "`TOKENS` in whose multiples longer prefixes are cached"},
		Flag{Name: "price", Text: &t.Price, Usage: "`PRICE` of a million input tokens, for costs in that currency (default: dollars where the model's price is known, else costs are in input tokens)"},
		Flag{Name: "output-ratio", Text: &t.OutputRatio, Usage: "`PRICE` of a token that the model writes, input tokens costing 1, for the summaries of plans (default 5)"},
		Flag{Name: "fixed-prefix", Text: &t.Fixed, Usage: "`TOKENS` of the system prompt and the tools that every prompt begins with and the log does not hold (default: what recorded usage tells, else 0)"},
		Flag{Name: "jobs", Letter: "j", Int: &t.Jobs, Usage: "`NUMBER` of sessions worked on at a time (default: as many as processors)"},
	)
}

// presetNames returns the names of the plans that others offer.
func presetNames() []string {
	var names []string
	for _, p := range turns.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// turner takes sessions through the plans. It is safe for concurrent use.
type turner struct {
	*cases
	b        session.PolicyOf // the other policy; nil: none
	ruled    []turns.Plan     // those of --plan
	strategy turns.Strategy
	low      float64
	at       quality.Amount
	flags    turnsOptions  // of the cache; see cacheOf
	asked    turns.Billing // by the flags alone
	price    float64       // of --price, for a million input tokens; 0: none
	lows     []float64
	mapped   *planMap // that of --map; nil: none. Only the sum of all sessions changes it
	listing  bool     // CSV has a line for each request, not for each session and plan
	csv      bool
}

// sessionResult is the result of a session.
type sessionResult struct {
	name      string
	err       error
	session   *turns.Session
	courses   []*turns.Course // one for each plan; the first sends everything
	listed    *turns.Course
	sweep     []turns.Totals
	forecast  model.Option[turns.Forecast]
	billing   turns.Billing
	price     float64        // of a million input tokens; 0: not known
	foreign   string         // the model, where the cache is not its own because its prices are not known
	grid      turns.Grid     // of the first plan behind the one that sends everything
	mapped    []turns.Totals // by pair of --map
	mapGrid   turns.Grid     // of the cheapest pair, where the session is the only one
	idle      []string       // names of --plan's exclude that stand for nothing in the session
	guessed   bool           // the budget is a guess
	estimates int            // token counts that are estimates
}

// Turns writes what a policy costs over sessions: what each request would have
// carried, how much of the prompt's prefix survives to the next request, and what a
// prompt cache bills. It does so for the policy, for PolicyB, and for simple
// baselines. A single session has a row for each request; several have totals. CSV
// has a line for each request of one source, with its items only if Included asks for
// them, as all of them grow with the square of the session; and a line for each session
// and plan of several sources. It keeps only the sessions that are being worked on in
// memory.
func Turns(ctx context.Context, o session.Options, t turnsOptions, s Streams) error {
	form, err := t.form()
	if err != nil {
		return err
	}
	w, err := newTurner(ctx, o, t, s)
	if err != nil {
		return err
	}
	w.csv = form == export.AsCSV
	if t.Included && !(w.csv && w.listing && w.mapped == nil) {
		return errors.New("--included is for -o csv of one source without --map; JSON always lists the items of its requests")
	}
	sum := &turnTotals{turner: w}
	var csv []byte
	switch {
	case w.csv && w.mapped != nil: // the map alone, at the end
	case w.csv && w.listing:
		csv = export.CSVHeadings(listedColumns(t.Included))
	case w.csv:
		csv = export.CSVHeadings(sessionColumns())
	}
	err = w.answerAll(ctx, t.Jobs, csv, w.answer, func(p *flow.Parcel) {
		for _, r := range p.Payload.([]sessionResult) {
			sum.add(r)
		}
	}, func() string { return plain.Count(sum.sessions, "session") })
	if err != nil {
		return err
	}
	if err := sum.failures.conclude(s.Err, sum.sessions, "session", "left out", "there is no session"); err != nil || w.csv && w.mapped == nil {
		return err
	}
	if w.csv {
		return w.mapped.sheet(form, false).Write(until{ctx, s.Out}, form)
	}
	return s.writeBook(ctx, sum.book(form), form)
}

// newTurner checks the flags and returns a turner.
func newTurner(ctx context.Context, o session.Options, t turnsOptions, s Streams) (*turner, error) {
	cases, err := newCases(ctx, o, t.heard(s))
	if err != nil {
		return nil, err
	}
	cases.Choices.Reading.History = true
	w := &turner{cases: cases, low: turns.DefaultLow, strategy: turns.Stateless, listing: len(cases.Choices.Options.Sources) <= 1}
	if t.PolicyB != "" {
		if w.b, err = session.ParsePolicy(ctx, t.PolicyB); err != nil {
			return nil, fmt.Errorf("--policy-b: %w", err)
		}
	}
	strategy, err := session.ParseName("strategy", t.Strategy, turns.Strategies())
	if err != nil {
		return nil, err
	}
	if strategy.Set {
		w.strategy = strategy.Value
	}
	if t.Low != "" {
		if w.low, err = percentAboveZero("low", t.Low); err != nil {
			return nil, err
		}
	}
	if t.Sweep {
		w.lows = turns.SweepLows()
	}
	at, err := oneAmount(o, t.At)
	if err != nil {
		return nil, err
	}
	if w.at = append(at, quality.Amount{Own: true})[0]; !w.at.Own {
		w.NeedNoBudget()
	}
	if t.Price != "" {
		if w.price, err = turns.ParsePrice(t.Price); err != nil {
			return nil, fmt.Errorf("--price: %w", err)
		}
	}
	if w.ruled, err = t.plansOf(); err != nil {
		return nil, err
	}
	if w.strategy.Ruled() && !slices.ContainsFunc(w.ruled, func(p turns.Plan) bool { return p.Strategy == w.strategy }) {
		return nil, fmt.Errorf("--strategy: no --plan does %s", w.strategy)
	}
	if w.mapped, err = t.mapOf(w.ruled); err != nil {
		return nil, err
	}
	if w.asked.Output, err = t.output(); err != nil {
		return nil, err
	}
	w.flags = t
	if w.asked.Cache, err = t.cacheOf(""); err != nil {
		return nil, err
	}
	fixed, err := session.ParseTokens("fixed-prefix", t.Fixed)
	if fixed.Set {
		w.asked.Fixed = turns.Fixed{Tokens: fixed.Value, From: turns.FixedGiven}
	}
	return w, err
}

// plansOf returns the plans of --plan, which must differ.
func (t turnsOptions) plansOf() ([]turns.Plan, error) {
	var plans []turns.Plan
	for _, text := range t.Plans {
		p, err := turns.ParsePlan(text)
		if err != nil {
			return nil, fmt.Errorf("--plan: %w", err)
		}
		if slices.ContainsFunc(plans, func(o turns.Plan) bool { return o.Name == p.Name }) {
			return nil, fmt.Errorf("--plan: %.80q is given twice", text)
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// output returns the price of a token that the model writes.
func (t turnsOptions) output() (float64, error) {
	if t.OutputRatio == "" {
		return turns.DefaultOutput, nil
	}
	price, err := strconv.ParseFloat(t.OutputRatio, 64)
	if err != nil || !(price >= 0 && price <= 1000) {
		return 0, fmt.Errorf("--output-ratio: %.40q must be a number from 0 to 1000", t.OutputRatio)
	}
	return price, nil
}

// cacheOf returns the cache of the preset or else of the session's model, changed by the
// flags.
func (t turnsOptions) cacheOf(named string) (turns.Cache, error) {
	c, known := turns.CacheOfModel(named)
	if !known {
		c = turns.Caches()[0]
	}
	if t.Cache != "" {
		var ok bool
		if c, ok = turns.FindCache(t.Cache); !ok {
			return c, fmt.Errorf("--cache: %.40q is not known; known are %s, and models by name, as in claude-opus-4-5", t.Cache, strings.Join(turns.CacheNames(), ", "))
		}
	}
	if t.CacheRead+t.CacheWrite+t.CacheMin+t.CacheStep != "" { // the preset's source does not apply to the user's numbers
		c.Source, c.Date, c.Unverified = "", "", ""
	}
	for _, f := range [...]struct {
		flag, text string
		to         *float64
	}{{"cache-read", t.CacheRead, &c.Read}, {"cache-write", t.CacheWrite, &c.Write}} {
		if f.text == "" {
			continue
		}
		var err error
		if *f.to, err = strconv.ParseFloat(f.text, 64); err != nil {
			return c, fmt.Errorf("--%s: %.40q is not a number", f.flag, f.text)
		}
	}
	for _, f := range [...]struct {
		flag, text string
		to         *model.Tokens
	}{{"cache-min", t.CacheMin, &c.Minimum}, {"cache-step", t.CacheStep, &c.Step}} {
		if f.text == "" {
			continue
		}
		var err error
		if *f.to, err = model.ParseTokens(f.text); err != nil {
			return c, fmt.Errorf("--%s: %w", f.flag, err)
		}
	}
	return c, c.Validate()
}

// answer takes the session of a parcel through the plans, or each session of a
// document that holds several.
func (w *turner) answer(ctx context.Context, p *flow.Parcel) {
	var all []sessionResult
	w.Each(ctx, p, func(c session.Case) {
		name, l, err := c.Name, c.Loaded, c.Err
		r := sessionResult{name: name}
		if err == nil {
			err = w.run(ctx, l, &r)
		}
		r.err = err
		switch {
		case !w.csv || err != nil:
		case w.listing:
			p.Out = r.appendRequests(p.Out, w.flags.Included)
		default:
			p.Out = r.appendPlans(p.Out)
		}
		if !w.listing { // the requests are kept only for listing
			for _, c := range r.courses {
				c.Windows, c.Changes, c.Bills = nil, nil, nil
			}
		}
		all = append(all, r)
	})
	p.Payload = all
}

func (w *turner) run(ctx context.Context, l *itemset.Loaded, r *sessionResult) error {
	opened, err := w.Choices.OpenCounted(ctx, l)
	if err != nil {
		return err
	}
	if err := wholeOnly(opened, "turns"); err != nil {
		return err
	}
	set := opened.Set
	if r.session, err = turns.FromItems(set, opened.Turns); err != nil {
		return err
	}
	budget, err := opened.Budget.At(w.at.OfAll(opened.Budget.MaxTokens(), r.session.Left()))
	if err != nil {
		return err
	}
	r.guessed = opened.Guessed && w.at.Own
	r.estimates = set.Estimates()
	plans, err := w.plans(opened.Own())
	if err != nil {
		return err
	}
	tell, chosen := slicer.ProgressOf(ctx), new(atomic.Int64)
	windows := int64(len(r.session.Requests()) * (1 + len(plans) + len(w.lows) + w.mapped.size()))
	opts := w.options()
	opts.Each = func(int, turns.Window) { tell(chosen.Add(1), windows) }
	ctx = slicer.WithProgress(ctx, func(int64, int64) {}) // of single requests
	by := w.asked
	named := cmp.Or(w.Choices.Options.Model, opened.Model)
	if by.Cache, err = w.flags.cacheOf(named); err != nil {
		return err
	}
	if _, known := turns.CacheOfModel(named); !known && w.flags.Cache == "" {
		r.foreign = named
	}
	if r.courses, r.billing, err = turns.Run(ctx, r.session, plans, budget, by, opts); err != nil {
		return err
	}
	if r.price = w.price; r.price == 0 {
		r.price = r.billing.Input
	}
	r.grid = r.session.Grid(r.courses[1], r.courses[0], r.billing)
	for _, p := range w.ruled {
		if !strings.Contains(p.Name, "exclude=") { // the names are those of a preset
			continue
		}
		_, idle := r.session.Excluded(p.Rule)
		r.idle = append(r.idle, idle...)
	}
	if f, ok := r.session.Forecast(r.courses[0], r.billing.Cache); ok {
		r.forecast = model.Some(f)
	}
	for _, c := range r.courses {
		if c.Plan.Strategy == w.strategy {
			r.listed = c
			break
		}
	}
	if w.mapped != nil {
		if err := w.runMap(ctx, r, budget, opts); err != nil {
			return err
		}
	}
	if w.lows != nil {
		watermark := plans[1]
		r.sweep, err = turns.Sweep(ctx, r.session, turns.Lows(watermark, w.lows), budget, r.billing, r.courses[0], opts)
	}
	return err
}

// maxWindowItems bounds the numbers of items that the windows of one plan hold: 512 MB.
const maxWindowItems = 128 << 20

// options bounds what a session holds: only the requests that are listed keep their items.
func (w *turner) options() turns.Options {
	kept := false
	return turns.Options{MaxItems: maxWindowItems, Keeps: func(p turns.Plan) bool {
		first := !kept && w.listing && p.Strategy == w.strategy
		kept = kept || first
		return first
	}}
}

// plans returns a plan for each policy as Cupel follows it and one under the
// watermark, and the baselines. Sending everything is always added, so it is not
// among them.
func (w *turner) plans(own session.Own) ([]turns.Plan, error) {
	policies := []model.Policy{own.A}
	if w.b != nil {
		b, err := w.b(own)
		if err != nil {
			return nil, err
		}
		policies = append(policies, b)
	}
	var plans []turns.Plan
	for _, p := range policies {
		name := nameOr(p.Name, "without a name")
		if p.KeepPairs {
			name += ", pairs kept"
		}
		plans = append(plans,
			turns.Plan{Name: name, Strategy: turns.Stateless, Policy: p},
			turns.Plan{Name: fmt.Sprintf("%s, watermark %v %%", name, w.low), Strategy: turns.Watermark, Policy: p, Low: w.low})
	}
	return slices.Concat(plans, turns.Baselines(w.low), w.ruled), nil
}

// mostForecasts is the largest number of sessions that the answer names because the
// prediction differs from the record.
const mostForecasts = 5

// namedForecast is the forecast of a session.
type namedForecast struct {
	name string
	turns.Forecast
}

// turnTotals sums up all sessions so far. Apart from the session that is listed,
// its size does not depend on their number, except for one number for each session
// whose provider recorded what the cache did.
type turnTotals struct {
	*turner
	sessions  int
	guessed   int // sessions with a guessed budget
	estimated int // sessions with estimated token counts
	plans     []turns.Plan
	totals    []turns.Totals // by plan
	sweep     []turns.Totals // by low mark
	forecasts []turns.Forecast
	worst     []namedForecast // the forecasts that are furthest off, the worst first
	only      *sessionResult  // the session, if there is only one
	money     []float64       // by plan: the price of all sessions
	unpriced  int             // sessions whose price is not known
	billings  []turns.Billing // different ones, at most two: more are told as many
	foreign   string          // the first model whose prices are not known
	fixed     fixedParts
	idle      []string // names of --plan's exclude that stand for nothing in any session
	grid      turns.Grid
	failures  failures
}

func (t *turnTotals) add(r sessionResult) {
	if r.err != nil {
		t.failures.add(r.name, r.err)
		return
	}
	t.sessions++
	if t.sessions == 1 {
		t.idle = r.idle
	}
	t.idle = slices.DeleteFunc(t.idle, func(name string) bool { return !slices.Contains(r.idle, name) })
	if r.guessed {
		t.guessed++
	}
	if r.estimates > 0 {
		t.estimated++
	}
	if t.totals == nil {
		t.totals = make([]turns.Totals, len(r.courses))
		t.sweep = make([]turns.Totals, len(r.sweep))
		t.money = make([]float64, len(r.courses))
	}
	for k, c := range r.courses {
		if len(t.plans) <= k {
			t.plans = append(t.plans, c.Plan)
		} else if t.plans[k].Name != c.Plan.Name {
			t.plans[k].Name = string(c.Plan.Strategy) + ", the policy of each session"
		}
		t.totals[k].Add(c.Totals)
	}
	t.addPrices(r)
	for k, swept := range r.sweep {
		t.sweep[k].Add(swept)
	}
	if t.mapped != nil {
		t.mapped.add(r)
	}
	if r.forecast.Set {
		t.forecasts = append(t.forecasts, r.forecast.Value)
		t.worst = append(t.worst, namedForecast{r.name, r.forecast.Value})
		slices.SortStableFunc(t.worst, func(a, b namedForecast) int { return cmp.Compare(math.Abs(b.Error()), math.Abs(a.Error())) })
		t.worst = t.worst[:min(len(t.worst), mostForecasts)]
	}
	if t.only = nil; t.sessions == 1 && t.listing {
		t.only = &r
	}
}
