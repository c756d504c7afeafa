package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
			flag.To, flag.Key = o.Budget, field.Name
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

// parseSlots reads KIND=TOKENS; nil for none. Kinds that appear twice are
// the budget's to refuse.
func parseSlots(texts []string) ([]model.Slot, error) {
	var slots []model.Slot
	field, _ := model.FieldOfBudget(model.FieldReservedSlots)
	for _, text := range texts {
		kind, tokens, ok := strings.Cut(text, "=")
		if !ok || strings.TrimSpace(kind) == "" {
			return nil, fmt.Errorf("--%s: %.40q is not KIND=TOKENS, as in Memory=1200", field.Flag, text)
		}
		n, err := model.ParseTokens(tokens)
		if err != nil {
			return nil, fmt.Errorf("--%s %.40q: %w", field.Flag, kind, err)
		}
		slots = append(slots, model.Slot{Kind: model.Kind(strings.TrimSpace(kind)), Tokens: n})
	}
	return slots, nil
}

// slotsAgain are the values of --slot that lead from the slots of a scenario to now; nil
// where there is nothing to change.
func slotsAgain(now, was []model.Slot) []string {
	slots := slotWords(now)
	switch {
	case slices.Equal(slots, slotWords(was)):
		return nil
	case len(slots) == 0: // none, where the scenario has some
		return []string{string(was[0].Kind) + "=0"}
	}
	return slots
}

// slotWords are the slots as --slot has them.
func slotWords(slots []model.Slot) []string {
	var words []string
	for _, slot := range slots {
		if slot.Tokens > 0 {
			words = append(words, string(slot.Kind)+"="+strconv.FormatInt(int64(slot.Tokens), 10))
		}
	}
	return words
}
