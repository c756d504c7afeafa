package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
)

// The flag --slot: its texts as slots of the budget, and slots as its texts.

// parseSlots reads texts of the form KIND=TOKENS; nil for none. It leaves it to
// the budget to refuse a kind that appears twice.
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

// slotsAgain returns the values of --slot that lead from the slots of a scenario to now; nil
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

// slotWords returns the slots as --slot has them.
func slotWords(slots []model.Slot) []string {
	var words []string
	for _, slot := range slots {
		if slot.Tokens > 0 {
			words = append(words, string(slot.Kind)+"="+strconv.FormatInt(int64(slot.Tokens), 10))
		}
	}
	return words
}
