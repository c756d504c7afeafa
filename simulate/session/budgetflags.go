package session

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// The flags of the budget, from the rows of model.FieldsOfBudget: their texts, their values, and the
// texts that give a value again.

// budgetFlags returns the flags of the budget, one for each field, and --slack.
func budgetFlags(o *Options) []Flag {
	if o.Budget == nil {
		o.Budget = make(map[string]string)
	}
	var budget []Flag
	for _, field := range model.FieldsOfBudget() {
		flag := Flag{Name: field.Flag, Usage: field.Usage}
		if field.Slots != nil {
			flag.Texts = &o.Slots
		} else {
			flag.Typed = func() string { return o.Budget[field.Name] }
			flag.Read = func(text string) error {
				o.Budget[field.Name] = text
				return nil
			}
		}
		budget = append(budget, flag)
	}
	return grouped("Budget", append(budget,
		Flag{Name: "slack", Text: &o.Slack, Usage: "an item that would be out with this many `TOKENS` less is " + plain.AtRisk}))
}

// budget reads the flags of the budget but for the slots, by the name of the field.
func (o Options) budget() (map[string]float64, error) {
	values := make(map[string]float64)
	for _, field := range model.FieldsOfBudget() {
		text := o.Budget[field.Name]
		if text == "" {
			continue
		}
		read := parseTokens
		if field.Percent != nil {
			read = model.ParsePercent
		}
		value, err := read(text)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", field.Flag, err)
		}
		values[field.Name] = value
	}
	return values, nil
}

func parseTokens(text string) (float64, error) {
	tokens, err := model.ParseTokens(text)
	return float64(tokens), err
}
