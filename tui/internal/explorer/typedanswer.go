package explorer

import (
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/overlay/palette"
)

// This file reads a line that names an action and answers what it asks, as in "save as a.json".

// asked are the words at the beginning of a line that goes on with the answer to what an action asks, as in "save as
// a.json". An action of a view has none: the whole line asks for it.
var asked = [...]struct{ said, action string }{
	{"query", "query"}, {"open", "source.open"}, {"save as", "save"}, {"load policy", "policy.open"}, {"save policy as", "policy.write"}, {"cheapest plan", "turns.cheapest"},
}

// answering reads such a line: the command does the action, and types the rest of the line.
func (m *Model) answering(words []string) []palette.Command {
	for _, a := range asked {
		n := min(len(words), len(strings.Fields(a.said)))
		by, answer := m.keys.named(a.action), strings.Join(words[n:], " ")
		if !strings.EqualFold(strings.Join(words[:n], " "), a.said) || (answer == "") != (by.view != everywhere) {
			continue
		}
		c := palette.Command{Keys: by.Keys[0], Group: by.Group, Text: a.said + " " + answer}
		if by.view != everywhere {
			c.Text, c.Run = by.Text, func() tea.Cmd { m.show(by.view); return m.do(by) }
			return []palette.Command{c}
		}
		run := by.Run
		if a.said == "open" {
			if _, err := os.Stat(answer); err != nil && !strings.ContainsAny(answer, `./\*?[`) {
				return nil // it may be about something else
			}
			run = func() tea.Cmd { return m.openFile("") }
		}
		c.Why = m.keys.idle(&m.screens, by)
		c.Run = func() tea.Cmd {
			opens, prompt := run(), m.specOf(m.top())
			return tea.Batch(opens, prompt.Paste(answer), prompt.Key(tea.KeyPressMsg{Code: tea.KeyEnter}))
		}
		return []palette.Command{c}
	}
	return nil
}
