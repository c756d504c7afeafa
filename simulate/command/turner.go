package command

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
	"cupelscope/simulate/turns"
)

// turner takes sessions through the plans. It is safe for concurrent use.
type turner struct {
	*cases
	b        session.PolicyOf // the other policy; nil: none
	ruled    []turns.Plan     // by --plan
	strategy turns.Strategy
	low      float64
	at       quality.Amount
	flags    turnsOptions  // of the cache, and whether compactions are listed
	asked    turns.Billing // by the flags alone
	price    float64       // of --price, for a million input tokens; 0: none
	lows     []float64
	mapped   *planMap // by --map; nil: none. Only the sum of all sessions changes it
	listing  bool     // CSV has a line for each request, not for each session and plan
	csv      bool
}

// The places of plans among the courses of a session and in the sums: the plan that sends
// everything, policy A as Cupel follows it, and A under the watermark. All others come after.
const (
	everything = iota
	policyA
	watermarkA
)

// sessionResult is the result of a session.
type sessionResult struct {
	name      string
	err       error
	history   *turns.History
	courses   []*turns.Course // one for each plan
	listed    *turns.Course
	sweep     []turns.Totals
	forecast  model.Option[turns.Forecast]
	billing   turns.Billing
	price     float64        // of a million input tokens; 0: not known
	foreign   string         // the model, where the cache is not its own because its prices are not known
	grid      turns.Grid     // of policyA
	mapped    []turns.Totals // by pair of --map
	mapGrid   turns.Grid     // of the cheapest pair, where the session is the only one
	idle      []string       // names of --plan's exclude that stand for nothing in the session
	guessed   bool           // the budget is a guess
	estimates int            // token counts that are estimates

	compactions []compactionRow
}

// newTurner checks the flags and returns a turner.
func newTurner(ctx context.Context, o session.Options, t turnsOptions, s Streams) (*turner, error) {
	cases, err := newCases(ctx, o, t.muted(s))
	if err != nil {
		return nil, err
	}
	cases.Choices.Reading.History, cases.Choices.LabelsByName = true, len(cases.Choices.Options.Sources) > 1
	w := &turner{cases: cases, strategy: cmp.Or(t.Strategy, turns.Stateless), low: cmp.Or(t.Low, turns.DefaultLow), listing: len(cases.Choices.Options.Sources) <= 1}
	if t.PolicyB != "" {
		if w.b, err = session.ParsePolicy(ctx, t.PolicyB); err != nil {
			return nil, fmt.Errorf("--policy-b: %w", err)
		}
	}
	if t.Sweep {
		w.lows = turns.SweepLows()
	}
	at, err := oneAmount(o, t.At)
	if err != nil {
		return nil, err
	}
	w.at = quality.Amount{Own: true}
	if len(at) > 0 {
		w.at = at[0]
	}
	if !w.at.Own {
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
	w.flags, w.asked.Output = t, t.OutputRatio.Or(turns.DefaultOutput)
	if t.Fixed.Set {
		w.asked.Fixed = turns.Fixed{Tokens: t.Fixed.Value, From: turns.FixedGiven}
	}
	w.asked.Cache, err = t.cacheOf("")
	return w, err
}

// answer takes the session of a parcel through the plans, or each session of a
// document that holds several.
func (w *turner) answer(ctx context.Context, p *flow.Parcel) {
	var all []sessionResult
	w.Each(ctx, p, func(c session.Case) {
		r := sessionResult{name: c.Name, err: c.Err}
		if r.err == nil {
			r.err = w.run(ctx, c.Loaded, &r)
		}
		if w.csv && r.err == nil && !w.listing {
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

// run runs the plans over a session, and what else the flags ask for.
func (w *turner) run(ctx context.Context, l *itemset.Loaded, r *sessionResult) error {
	opened, err := w.Choices.OpenCounted(ctx, l)
	if err != nil {
		return err
	}
	if r.history, err = turns.FromItems(opened.Set, opened.Messages); err != nil {
		return err
	}
	r.history = r.history.Needing(opened.Labels.Grades)
	budget, err := opened.Budget.At(w.at.OfAll(opened.Budget.MaxTokens(), r.history.Left()))
	if err != nil {
		return err
	}
	r.guessed = opened.Guessed && w.at.Own
	r.estimates = opened.Set.Estimates()
	plans, err := w.plans(opened.Own())
	if err != nil {
		return err
	}
	by, err := w.billing(cmp.Or(w.Choices.Options.Model, opened.Model), r)
	if err != nil {
		return err
	}
	tell, chosen := slicer.ProgressOf(ctx), new(atomic.Int64)
	windows := int64(len(r.history.Requests()) * (1 + len(plans) + len(w.lows) + w.mapped.size()))
	opts := w.options()
	opts.Each = func(int, turns.Window) { tell(chosen.Add(1), windows) }
	ctx = slicer.WithProgress(ctx, func(int64, int64) {}) // this hides the progress of single requests
	if r.courses, r.billing, err = turns.Run(ctx, r.history, plans, budget, by, opts); err != nil {
		return err
	}
	if r.price = w.price; r.price == 0 {
		r.price = r.billing.Input
	}
	r.grid = r.history.Grid(r.courses[policyA], r.courses[everything], r.billing)
	r.idle = w.idle(r.history)
	if f, ok := r.history.Forecast(r.courses[everything], r.billing.Cache); ok {
		r.forecast = model.Some(f)
	}
	if k := slices.IndexFunc(r.courses, func(c *turns.Course) bool { return c.Plan.Strategy == w.strategy }); k >= 0 {
		r.listed = r.courses[k]
	}
	if w.listing && w.flags.Compact {
		if err := r.compact(ctx, r.courses[policyA].Plan.Policy); err != nil {
			return err
		}
	}
	if w.mapped != nil {
		if err := w.runMap(ctx, r, budget, opts); err != nil {
			return err
		}
	}
	if w.lows != nil {
		lows := turns.Lows(r.courses[watermarkA].Plan, w.lows)
		r.sweep, err = turns.Sweep(ctx, r.history, lows, budget, r.billing, r.courses[everything], opts)
	}
	return err
}

// billing returns how requests to a model are billed. Where the cache of a model is not known, the
// result names the model.
func (w *turner) billing(named string, r *sessionResult) (by turns.Billing, err error) {
	by = w.asked
	by.Cache, err = w.flags.cacheOf(named)
	if _, known := turns.CacheOfModel(named); !known && w.flags.Cache == "" {
		r.foreign = named
	}
	return by, err
}

// idle returns the names of items in the plans of --plan that stand for nothing in a session.
func (w *turner) idle(h *turns.History) (idle []string) {
	for _, p := range w.ruled {
		if strings.Contains(p.Name, "exclude=") { // else the names are from a preset
			_, names := h.Excluded(p.Rule)
			idle = append(idle, names...)
		}
	}
	return idle
}

// compact finds what the agent summarised, and what a policy keeps of it.
func (r *sessionResult) compact(ctx context.Context, policy model.Policy) error {
	for _, c := range r.history.Compactions(turns.WithinRequests) {
		kept, err := r.history.KeptBy(ctx, policy, c)
		if err != nil {
			return err
		}
		r.compactions = append(r.compactions, compactionRow{c, kept})
	}
	return nil
}

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
// watermark, the baselines and the plans of --plan. turns.Run puts everything before them.
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
	billings  []turns.Billing // the different ones, at most two: two already mean several
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
		sort.SliceStable(t.worst, func(i, j int) bool { return math.Abs(t.worst[i].Error()) > math.Abs(t.worst[j].Error()) })
		t.worst = t.worst[:min(len(t.worst), maxForecasts)]
	}
	t.only = nil
	if t.sessions == 1 && t.listing {
		t.only = &r
	}
}
