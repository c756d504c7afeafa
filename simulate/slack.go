package simulate

import "cupelscope/model"

// Slack says what a budget smaller by slack tokens would change, max and
// target alike: which items would be lost (those at risk, the set that
// MarginalItems returns) and which would be gained, both ascending. It costs
// two selections from the profile.
//
// The budget must lie on the profile's axis. A slack below 0 or above
// targetTokens, and a smaller budget that is invalid, are a *model.BudgetError;
// one of the two at which the pipeline does not run gives the error of that run.
func (p *Profile) Slack(b model.Budget, slack model.Tokens) (lost, gained []int32, err error) {
	if slack == 0 {
		return nil, nil, nil
	}
	if err := model.ValidateSlack(slack, b); err != nil {
		return nil, nil, err
	}
	low := b.MaxTokens() - slack
	reduced, err := b.At(low)
	if err != nil {
		return nil, nil, err
	}
	for _, budget := range [...]model.Budget{b, reduced} {
		if _, runs := p.Selection(budget.MaxTokens(), nil); !runs {
			_, err := p.Report(budget)
			return nil, nil, err
		}
	}
	c := p.change(b.MaxTokens(), low)
	return c.Out, c.In, nil
}
