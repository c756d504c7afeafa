package model

import (
	"encoding/json"
	"fmt"
)

// Scenario is everything needed to repeat an experiment: items, what was
// edited in them, up to two policies, a budget, and the slack that says what
// counts as at risk.
type Scenario struct {
	Name string
	// Items is the set with the scenario's edits applied.
	Items *Set
	// ItemsFile is where the items are stored when not in the scenario itself:
	// a path relative to the scenario's file. "": they are in the scenario.
	ItemsFile string
	Policy    Policy
	PolicyB   Option[Policy]
	Budget    Budget
	Slack     Tokens // 0 to targetTokens
	// AxisEnd is the largest budget to look at. 0: it is chosen.
	AxisEnd Tokens
	// Labels are what was needed of the items: Answers, and Grades unless the items
	// say it themselves.
	Labels Labels
	// Checks are kept as they were read; `cupelscope check` runs them.
	Checks json.RawMessage
}

// Validate reports the first thing that is wrong.
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
	if err := ValidateAxisEnd(s.AxisEnd); err != nil {
		return err
	}
	return ValidateSlack(s.Slack, s.Budget)
}

// ValidateAxisEnd reports whether end, the largest budget to look at, is 0 (it
// is chosen) to MaxTokens; the error is a *BudgetError that names the bound.
func ValidateAxisEnd(end Tokens) error {
	if end < 0 || end > MaxTokens {
		return &BudgetError{Field: "axisEnd", Value: end.String(), Bounds: fmt.Sprintf("0 to %v", MaxTokens)}
	}
	return nil
}

// ValidateSlack reports whether slack is between 0 and the target of b; the
// error is a *BudgetError that names the bound.
func ValidateSlack(slack Tokens, b Budget) error {
	if slack < 0 || slack > b.TargetTokens() {
		return &BudgetError{
			Field: "slackTokens", Value: slack.String(), Bounds: fmt.Sprintf("0 to targetTokens, which is %v", b.TargetTokens()),
		}
	}
	return nil
}
