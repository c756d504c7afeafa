package explorer

import (
	"strings"

	"cupelscope/model/tokens"
	"cupelscope/tui/internal/overlay/palette"
)

// This file reads the name of a model that is typed in the palette.

// atStart is why no model can be chosen now.
const atStart = "it is chosen at the start: cupelscope --model "

// modelCommand returns the command that says how a model is chosen.
func (m *Model) modelCommand(name string) palette.Command {
	return palette.Command{Group: "set", Text: "model: how tokens are counted", Words: "gpt claude gemini llama encoding tokenizer window", Why: atStart + name}
}

// modelNamed reads the name of a model: the budget that is its window, and how it is chosen.
func (m *Model) modelNamed(words []string) []palette.Command {
	if words = behind("model", words); len(words) != 1 {
		return nil
	}
	family, ok := tokens.FindModel(strings.ToLower(words[0]))
	if !ok {
		return nil
	}
	choose := m.modelCommand(words[0])
	if family.Window > 0 {
		if set := m.settings([]string{family.Window.String()}); len(set) > 0 {
			set[0].Text += ", the window of " + words[0]
			return []palette.Command{set[0], choose}
		}
	}
	return []palette.Command{choose}
}
