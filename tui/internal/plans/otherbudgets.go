package plans

import (
	"cupelscope/model"
	"cupelscope/simulate/turns"
)

// otherBudgets are the budgets at which the plan on the screen is computed beside its own, as
// multiples of that.
var otherBudgets = [...]float64{.5, 2}

// OtherBudget is what the plan on the screen costs at another budget.
type OtherBudget struct {
	Budget model.Tokens
	Totals turns.Totals
	Known  bool // Totals are those of the current setup; without any cost, they could not be computed
}

// OtherBudgets returns what the plan on the screen costs at half the budget and at double,
// without what is no valid budget.
func (p *Runs) OtherBudgets() (all []OtherBudget) {
	for k := range p.others {
		s := &p.others[k]
		if s.want == nil {
			continue
		}
		one := OtherBudget{Budget: s.want.of.budget.MaxTokens()}
		if one.Known = s.have == s.want; one.Known && s.err == nil {
			one.Totals = s.totals[0]
		}
		all = append(all, one)
	}
	return all
}

// askOthers replaces the wanted computations of the plan on the screen at other budgets.
func (p *Runs) askOthers() {
	row := p.rows[p.wanted.Row].want
	for k, times := range otherBudgets {
		budget, err := model.NewBudget(p.setup.WithMax(model.Tokens(times * float64(p.setup.Budget.MaxTokens))).Budget)
		if err != nil {
			p.others[k] = sweep{}
			continue
		}
		of := &question{session: row.session, plan: row.plan, budget: budget, known: row.known}
		p.others[k].arrange(p, of, []turns.Plan{row.plan})
	}
}
