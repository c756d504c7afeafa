package explorer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/overlay/palette"
)

// This file reads a line that names an action and answers what it asks, as in "save as a.json".

// asked are the words at the beginning of a line that goes on with the answer to what an action
// asks, as in "save as a.json".
var asked = [...]struct {
	said, action string
	whole        bool                                  // the line asks for the action, which asks nothing
	asks         func(m *Model, answer string) tea.Cmd // asks in place of the action; nil: the action does
	takes        func(answer string) bool              // reports whether it can be the answer; nil: any text can
	wrong        func(answer string) string            // says why no answer like it does; nil: the action says so itself
}{
	{said: "query", action: "query"},
	{said: "open", action: "source.open", asks: func(m *Model, _ string) tea.Cmd { return m.openFile("") }, takes: mayBeFile},
	{said: "save as", action: "save"}, {said: "load policy", action: "policy.open"}, {said: "save policy as", action: "policy.write"},
	{said: "cheapest plan", action: "turns.cheapest", whole: true},
	{said: "export to", action: "export", asks: (*Model).exportTo, wrong: wrongExport},
}

// mayBeFile reports whether a text names a file or a folder, or is written as one.
func mayBeFile(text string) bool {
	_, err := os.Stat(text)
	return err == nil || strings.ContainsAny(text, `./\*?[`)
}

// exported is the choice of exports for the end of a file's name.
var exported = map[string]string{".json": "r", ".csv": "c", ".md": "m", ".html": "b", ".txt": "w"}

// exportOf returns the key of the export that a file's name asks for, or "".
func exportOf(name string) string { return exported[strings.ToLower(filepath.Ext(name))] }

// wrongExport returns which names have an export, of a name that has none.
func wrongExport(name string) string {
	if exportOf(name) != "" {
		return ""
	}
	return "the name must end in .json, .csv, .md or .html for the report, or in .txt for the window"
}

// exportTo asks for the file of the export that a name asks for.
func (m *Model) exportTo(name string) tea.Cmd {
	all := m.exports()
	return all[slices.IndexFunc(all, func(e overlay.Choice) bool { return e.Key == exportOf(name) })].Run()
}

// answering reads such a line: the command does the action, and types the rest of the line.
func (m *Model) answering(words []string) []palette.Command {
	for _, a := range asked {
		n := min(len(words), len(strings.Fields(a.said)))
		by, answer := m.keys.named(a.action), strings.Join(words[n:], " ")
		if !strings.EqualFold(strings.Join(words[:n], " "), a.said) || (answer == "") != a.whole || a.takes != nil && !a.takes(answer) {
			continue
		}
		c := palette.Command{Keys: by.Keys[0], Group: by.Group, Text: a.said + " " + answer}
		if a.whole {
			c.Text, c.Run = by.Text, func() tea.Cmd { m.show(by.view); return m.do(by) }
			return []palette.Command{c}
		}
		run := by.Run
		if a.asks != nil {
			run = func() tea.Cmd { return a.asks(m, answer) }
		}
		c.Why = m.keys.idle(&m.screens, by)
		if a.wrong != nil && a.wrong(answer) != "" {
			c.Why = a.wrong(answer)
			return []palette.Command{c}
		}
		c.Run = func() tea.Cmd {
			opens, prompt := run(), m.specOf(m.top())
			return tea.Batch(opens, prompt.Paste(answer), prompt.Key(tea.KeyPressMsg{Code: tea.KeyEnter}))
		}
		return []palette.Command{c}
	}
	return nil
}
