package model

import (
	"encoding/json"
	"fmt"
)

// Scenario is everything needed to repeat an experiment: items with the edits
// of a user, one or two policies, a budget, and the slack that defines which
// items are at risk.
type Scenario struct {
	Name string
	// Items is the set with the edits of the scenario applied; it must not be nil.
	Items *Set
	// ItemsFile is the file with the items, as a path relative to the file of the
	// scenario; "" if the scenario itself holds them.
	ItemsFile string
	// ItemsFields is the JSON of where the list is in ItemsFile and what its fields are
	// called, as it was read; nil if that is found from the file alone.
	ItemsFields json.RawMessage
	Policy      Policy
	PolicyB     Option[Policy]
	Budget      Budget
	Slack       Tokens // 0 to the target of Budget
	// Ceiling is the end of the axis of budgets, 0 to MaxTokens. If it is 0,
	// simulate.Ceiling chooses.
	Ceiling Tokens
	// Labels say which items were needed. They hold the Answers, and the Grades
	// unless the items carry them themselves.
	Labels Labels
	// Checks is the JSON of the checks as it was read; ParseChecks parses it, and
	// `cupelscope check` runs them.
	Checks json.RawMessage
	// Screen is the JSON of what the explorer showed when it wrote the scenario, as it
	// was read; only the explorer uses it.
	Screen json.RawMessage
}

// Validate reports the first thing that is wrong, or nil. Errors of the
// policies are a *PolicyError, errors of slack and ceiling a *BudgetError,
// maybe wrapped. Validate does not check Checks and Screen.
func (s Scenario) Validate() error {
	if s.Items == nil {
		return fmt.Errorf("scenario %q has no items", s.Name)
	}
	if err := s.Policy.Validate(); err != nil {
		return err
	}
	if s.PolicyB.Set {
		if err := s.PolicyB.Value.Validate(); err != nil {
			return fmt.Errorf("policyB: %w", err)
		}
	}
	if err := s.Labels.Validate(s.Items.Len()); err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	if err := ValidateCeiling(s.Ceiling); err != nil {
		return fmt.Errorf("axisEnd: %w", err)
	}
	return ValidateSlack(s.Slack, s.Budget)
}
