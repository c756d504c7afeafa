package command

import (
	"context"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/turns"
)

// planMap is the map of a plan over all sessions so far: what it costs at each pair of
// values of two of its keys.
type planMap struct {
	plan   turns.Plan
	axes   [2]turns.Axis
	plans  []turns.Plan   // a pair each, the second axis running fastest
	totals []turns.Totals // by pair
	grid   turns.Grid     // of the cheapest pair, where there is one session
	fixed  model.Tokens   // the least that a prompt begins with
}

// mapOf returns the map that --map asks for: of the first --plan, else of clear; nil: none.
func (t turnsOptions) mapOf(plans []turns.Plan) (*planMap, error) {
	if t.Map == "" {
		return nil, nil
	}
	m := &planMap{}
	var err error
	m.plan, _ = turns.ParsePlan(string(turns.Clear)) // it is one
	if len(plans) > 0 {
		m.plan = plans[0]
	}
	if m.axes, err = turns.ParseAxes(m.plan.Strategy, t.Map); err != nil {
		return nil, fmt.Errorf("--map: %w", err)
	}
	if m.plans, err = turns.MapPlans(m.plan, m.axes); err != nil {
		return nil, fmt.Errorf("--map: %w", err)
	}
	m.totals = make([]turns.Totals, len(m.plans))
	return m, nil
}

// runMap adds the map of a session to its result.
func (w *turner) runMap(ctx context.Context, r *sessionResult, budget model.Budget, o turns.Options) (err error) {
	all := r.courses[everything]
	if r.mapped, err = turns.Sweep(ctx, r.history, w.mapped.plans, budget, r.billing, all, o); err != nil || !w.listing {
		return err
	}
	if best := turns.CheapestThatFits(r.mapped); best >= 0 {
		r.mapGrid, err = r.history.GridOf(ctx, w.mapped.plans[best], budget, r.billing, all, o)
	}
	return err
}

// add adds the map of a session.
func (m *planMap) add(r sessionResult) {
	for k, totals := range r.mapped {
		m.totals[k].Add(totals)
	}
	m.grid = r.mapGrid
}

// above leaves out the pairs that do what others do, because every prompt begins with at least
// fixed tokens; m may be nil.
func (m *planMap) above(fixed model.Tokens) {
	if m == nil {
		return
	}
	was, n := m.axes, len(m.axes[1].Values)
	for k, a := range was {
		m.axes[k] = a.Above(m.plan.Strategy, fixed)
	}
	m.fixed = fixed
	var plans []turns.Plan
	var totals []turns.Totals
	for k := range m.plans {
		if slices.Contains(m.axes[0].Values, was[0].Values[k/n]) && slices.Contains(m.axes[1].Values, was[1].Values[k%n]) {
			plans, totals = append(plans, m.plans[k]), append(totals, m.totals[k])
		}
	}
	m.plans, m.totals = plans, totals
}

// size returns the number of pairs; m may be nil.
func (m *planMap) size() int {
	if m == nil {
		return 0
	}
	return len(m.plans)
}

// pair returns the values of a pair.
func (m *planMap) pair(k int) (first, second int) {
	n := len(m.axes[1].Values)
	return m.axes[0].Values[k/n], m.axes[1].Values[k%n]
}

// sayMap names the cheapest pair whose windows always fit, and how sure that is.
func (t *turnTotals) sayMap() []string {
	m := t.mapped
	best := turns.CheapestThatFits(m.totals)
	if best < 0 {
		return []string{"no pair always fits"}
	}
	say := func(k int) string {
		first, second := m.pair(k)
		pair := fmt.Sprintf("%s %s, %s %s", m.axes[0].Key, plain.Thousands(first), m.axes[1].Key, plain.Thousands(second))
		if ratio, ok := t.ratio(m.totals[k]); ok {
			pair += ": " + plain.Compared(ratio, t.firstName())
		}
		return pair
	}
	lines := []string{"the cheapest that always fits: " + say(best)}
	const near = 1.02
	fit, alike := 0, 0
	for _, of := range m.totals {
		if of.Over+of.Failed > 0 {
			continue
		}
		fit++
		if of.Cost <= near*m.totals[best].Cost {
			alike++
		}
	}
	lines = append(lines, fmt.Sprintf("%s of the %s others that always fit cost at most 2 %% more than it", plain.Thousands(alike-1), plain.Thousands(fit-1)))
	if unbeaten := turns.Unbeaten(m.totals); len(unbeaten) > 0 {
		lines = append(lines, "no pair that always fits beats these on cost and recall both:")
		for _, k := range unbeaten {
			recall, _ := m.totals[k].Recall()
			lines = append(lines, "  "+say(k)+", recall "+plain.Percent(recall))
		}
	}
	if t.only != nil {
		lines = append(lines, t.sayRange("the cheapest", m.grid)...)
	}
	if above := turns.SayAbove(m.axes, m.fixed); above != "" {
		lines = append(lines, above)
	}
	return lines
}

// mapSheet returns the map: a row for each pair, or for people a grid of costs against the cost
// of the first policy, with "*" at the cheapest pair that always fits, and "!" where a window
// does not fit.
func (t *turnTotals) mapSheet(form export.Form) *export.Sheet {
	m := t.mapped
	best, unbeaten := turns.CheapestThatFits(m.totals), turns.Unbeaten(m.totals)
	s := export.Sheet{
		Title:   fmt.Sprintf("%s by %s and %s: the cost, more or less than that of %s", m.plan.Name, m.axes[0].Key, m.axes[1].Key, t.firstName()),
		Name:    "map",
		Closing: t.sayMap(),
	}
	if form == export.AsJSON || form == export.AsCSV {
		total := func(k int) turns.Totals { return m.totals[k] }
		return export.SheetOf(s, slices.Concat([]export.Column[int]{
			{Name: "plan", Cell: func(k int) export.Cell { return export.Text(m.plans[k].Text(), 0) }},
			{Name: "first", Cell: func(k int) export.Cell { first, _ := m.pair(k); return export.Count(first) }},
			{Name: "second", Cell: func(k int) export.Cell { _, second := m.pair(k); return export.Count(second) }},
			{Name: "overTarget", Cell: func(k int) export.Cell { return export.Count(m.totals[k].Over) }},
		}, export.Of(total, append(sizeColumns(), costColumn, t.ratioColumn(), recallColumn)...), []export.Column[int]{
			{Name: "least", Cell: func(k int) export.Cell { return export.Truth(k == best) }},
			{Name: "unbeaten", Cell: func(k int) export.Cell { return export.Truth(slices.Contains(unbeaten, k)) }},
		}), export.Upto(len(m.plans)))
	}
	s.Closing = append(s.Closing, "* the cheapest that always fits; ! a window does not fit")
	n := len(m.axes[1].Values)
	columns := []export.Column[int]{{Heading: m.axes[0].Key, Right: true, Cell: func(row int) export.Cell {
		return export.Count(m.axes[0].Values[row])
	}}}
	for c, value := range m.axes[1].Values {
		heading := plain.Thousands(value)
		if c == 0 {
			heading = m.axes[1].Key + " " + heading
		}
		columns = append(columns, export.Column[int]{Heading: heading, Right: true, Cell: func(row int) export.Cell {
			k := row*n + c
			ratio, ok := t.ratio(m.totals[k])
			if !ok {
				return export.None
			}
			mark := " "
			switch {
			case k == best:
				mark = "*"
			case m.totals[k].Over+m.totals[k].Failed > 0:
				mark = "!"
			}
			return export.Word(fmt.Sprintf("%+.1f %%%s", 100*(ratio-1), mark))
		}})
	}
	return export.SheetOf(s, columns, export.Upto(len(m.axes[0].Values)))
}
