package explorer

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
)

// This file has the command line that opens what is shown again.

// screenWords returns the flags that show again what the screen shows now.
func (m *Model) screenWords() []string {
	var words []string
	setup, start := m.exp.Setup(), m.startNow()
	if end := setup.End(); end != chosenEnd(m.exp) {
		words = append(words, "--ceiling", strconv.FormatInt(int64(end), 10))
	}
	if m.follow.source != nil {
		words = append(words, "--follow")
	}
	start.Filter = m.filterHere().String()
	if at, ok := m.exp.Moment(); ok {
		start.Request = strconv.Itoa(at.Number)
	}
	if i, ok := m.carried(); ok {
		start.Item = json.Number(strconv.Itoa(i))
	}
	for _, flag := range start.flags() {
		if *flag.Text != "" {
			words = append(words, "--"+flag.Name, *flag.Text)
		}
	}
	return words
}

// copyCommandLine copies the command line to the clipboard and shows it.
func (m *Model) copyCommandLine() tea.Cmd {
	if _, err := model.NewBudget(m.exp.EndSetup().Budget); err != nil {
		m.messages.refuse("not copied, for no command takes it: " + err.Error())
		return nil
	}
	var words, without []string
	inFile := m.workspace.scenarioBase.Labels.Equal(m.exp.EndSetup().Labels) // else --labels gave them
	if m.workspace.SavePath != "" && !m.unsaved() && inFile {
		words = []string{m.workspace.SavePath}
	} else {
		words, without = m.workspace.CommandLine(m.exp.EndSetup())
	}
	line := session.ShellLine(slices.Concat([]string{"cupelscope"}, words, m.screenWords())...)
	m.messages.say("sent to the terminal's clipboard: " + line)
	if len(without) > 0 {
		m.messages.say("sent to the terminal's clipboard, but without " + strings.Join(without, ", ") + " (w writes all to a scenario): " + line)
	}
	return tea.SetClipboard(line)
}

// commandLine is Workspace.CommandLine for what was opened with o.
func commandLine(o session.Options, opened *session.Opened, session *Workspace) func(experiment.Setup) (words, without []string) {
	first := session.setup()
	return func(now experiment.Setup) (words, without []string) {
		words, ok := o.Reproduce(opened, now.Policy[experiment.A], now.Budget, now.UsableSlack(), now.Edits)
		if !ok {
			without = append(without, "policy A")
		}
		if !now.Policy[experiment.B].Same(session.other(now.Policy[experiment.A])) {
			without = append(without, "policy B")
		}
		unworded := func(e model.Edits) model.Edits { return e.WithQuery(model.Query{}).WithShrink(model.Shrink{}) }
		e, was := unworded(now.Edits), unworded(first.Edits)
		if now.Edits.Query.IsZero() && !first.Edits.Query.IsZero() {
			without = append(without, "that nothing is asked")
		}
		if !e.Equal(was) {
			number := func(e model.Edits) int { return len(e.Pinned) + len(e.Excluded) + len(e.Tokens) + len(e.Hints) }
			without = append(without, plain.Count(cmp.Or(number(e), number(was)), "edit")) // without any, those of the scenario were undone
		}
		if !now.Labels.Equal(first.Labels) {
			without = append(without, "what is marked as needed")
		}
		return words, without
	}
}
