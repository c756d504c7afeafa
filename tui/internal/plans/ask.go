package plans

import (
	"cupelscope/model"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
)

// Arrange takes over the conversation and the setup of the experiment; side is the side
// whose policy the watermark uses. What has to be computed anew is then a Job. It does
// nothing while no courses are wanted.
func (p *Runs) Arrange(exp *experiment.Experiment, side experiment.Side) {
	if !p.wanted.Courses {
		return
	}
	if now := exp.Conversation(); !now.Same(p.of) {
		p.of, p.cut = now, false
		p.cuts++
	}
	p.setup, p.side = exp.Setup(), side
	p.setFixed(p.setup.Fixed)
	earlier := p.prior
	if n := exp.Changes(); n != p.changes {
		p.prior = [Rows]row{}
		if n == p.changes+1 && p.fault == nil {
			p.prior = p.rows
		}
		p.changes, p.was = n, exp.Before()
	}
	p.ask(&earlier)
}

// ask replaces the wanted computation of each plan whose input has changed, by what is known of it in
// the earlier rows if the change leads back to their setup.
func (p *Runs) ask(earlier *[Rows]row) {
	if !p.cut || p.history == nil {
		return
	}
	wanted, err := p.questions(p.setup)
	p.fault = err
	if err != nil {
		return
	}
	for k := range p.rows {
		q := wanted[k]
		if q.same(p.rows[k].want) {
			continue
		}
		p.stopped = false
		if known := earlier[k]; q.same(known.have) {
			p.rows[k] = known
			p.rows[k].want = known.have
		} else {
			p.rows[k].want = q.begun()
		}
	}
	p.askPrior()
	for _, row := range Cutting() {
		of := p.rows[row].want
		p.sweeps[row].arrange(p, of, turns.Lows(of.plan, turns.SweepLows()))
	}
	if p.wanted.Map {
		rule := p.rows[Rule].want
		if plans, err := turns.MapPlans(rule.plan, p.wanted.Axes); err == nil { // axes come from turns.Axes
			p.mapped.arrange(p, rule, plans)
		}
	}
}

// askPrior replaces the computation of each plan before the newest change, unless it is
// wanted already. It asks for none if that setup had no budget, or was of other items.
func (p *Runs) askPrior() {
	if !p.was.Set {
		return
	}
	wanted, err := p.questions(p.was.Value)
	if err != nil {
		return
	}
	for k := range p.prior {
		switch q := wanted[k]; {
		case q.same(p.prior[k].want):
		case q.same(p.rows[k].want):
			p.prior[k] = p.rows[k]
		default:
			p.prior[k] = row{want: q.begun()}
		}
	}
}

// questions returns the computation of each plan under a setup. The error says why its
// budget is not valid.
func (p *Runs) questions(setup experiment.Setup) (all [Rows]*question, err error) {
	budget, err := model.NewBudget(setup.Budget)
	if err != nil {
		return all, err
	}
	rule, err := turns.ParsePlan(p.PlanName(setup))
	if err != nil {
		return all, err
	}
	rule.Fixed = p.Billing().Fixed.Tokens
	plans := [Rows]turns.Plan{
		A:          {Name: "A", Strategy: turns.Stateless, Policy: setup.Policy[experiment.A]},
		B:          {Name: "B", Strategy: turns.Stateless, Policy: setup.Policy[experiment.B]},
		All:        {Name: string(turns.All), Strategy: turns.All},
		Sliding:    turns.Baselines(p.low)[0],
		SlidingCut: {Name: string(turns.Sliding), Strategy: turns.Sliding, Low: p.low},
		Watermark:  {Name: string(turns.Watermark), Strategy: turns.Watermark, Policy: setup.Policy[p.side], Low: p.low},
		Rule:       rule,
	}
	for k := range all {
		all[k] = &question{history: p.history, plan: plans[k], budget: budget}
	}
	return all, nil
}
