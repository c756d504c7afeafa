package explorer

import (
	"fmt"
	"strings"

	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/view/turns"
)

// This file reads a price that is typed in the palette.

// pricing reads "price 3": the price of a million input tokens in dollars.
func (s *workspaceState) pricing(words []string) []palette.Command {
	if len(words) != 2 || !strings.EqualFold(words[0], "price") {
		return nil
	}
	return []palette.Command{s.withReason(palette.Command{Group: "turns", Text: "set the price of a million input tokens to $" + words[1] + ", in Turns", Plan: func() (screen.Change, error) {
		next := s.exp.Setup()
		label, err := turns.SetPrice(words[1], &next)
		if err != nil {
			return screen.Change{}, fmt.Errorf("price %w", err)
		}
		c := screen.To(next, label)
		c.Show = screen.Turns
		return c, nil
	}})}
}
