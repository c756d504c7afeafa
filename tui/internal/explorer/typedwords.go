package explorer

import (
	"os"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/tokens"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/view/turns"
)

// This file reads what is typed in words that name no knob of the side that is edited: a bucket
// size, a model, a price, the answer to what an action asks, and two commands in one line.

// bucketing reads "knapsack 1" and "bucket 1": the size of the buckets on the side that has a
// knapsack, first the one that is edited. Where neither has one, the side that is edited gets it.
func (s *workspaceState) bucketing(words []string) []palette.Command {
	if words = behind("set", words); len(words) != 2 || !slices.Contains([]string{"knapsack", "bucket", "buckets"}, strings.ToLower(words[0])) {
		return nil
	}
	setup, side := s.exp.Setup(), s.side
	if !setup.Policy[side].Slicer.InBuckets() && setup.Policy[side.Other()].Slicer.InBuckets() {
		side = side.Other()
	}
	had := setup.Policy[side].Slicer.InBuckets()
	plan := func() (screen.Change, error) {
		next := s.exp.Setup()
		label := experiment.Label{Name: string(experiment.Bucket) + " of " + side.String(), To: words[1]}
		if policy := next.Policy[side]; !policy.Slicer.InBuckets() {
			next = next.WithPolicy(side, experiment.OtherSlicer(policy))
			label.Name = "knapsack of " + side.String() + ", " + string(experiment.Bucket)
		} else {
			label.From = policy.Bucket().String()
		}
		k, ok := experiment.FindKnob(s.exp.Knobs(next, side, s.original), experiment.Bucket)
		if !ok {
			return screen.To(next, label), nil
		}
		next, err := k.Parse(words[1])
		return screen.To(next, label), err
	}
	c := palette.Command{Group: "knob", Text: "set bucket of " + side.String() + " to " + words[1], Line: strings.Join(words, " "), Plan: plan}
	if had {
		c.Value = setup.Policy[side].Bucket().String()
	} else {
		c.Text = "set slicer of " + side.String() + " to knapsack, bucket " + words[1]
	}
	return []palette.Command{s.withReason(c)}
}

// atStart is why no model can be chosen now.
const atStart = "it is chosen at the start: cupelscope --model "

// modelCommand says how a model is chosen.
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

// pricing reads "price 3": the price of a million input tokens in dollars.
func (s *workspaceState) pricing(words []string) []palette.Command {
	if len(words) != 2 || !strings.EqualFold(words[0], "price") || !strings.ContainsAny(words[1], "0123456789") {
		return nil
	}
	return []palette.Command{s.withReason(palette.Command{Group: "turns", Text: "set the price of a million input tokens to $" + words[1] + ", in Turns", Plan: func() (screen.Change, error) {
		next := s.exp.Setup()
		label, err := turns.SetPrice(words[1], &next)
		c := screen.To(next, label)
		c.Show = screen.Turns
		return c, err
	}})}
}

// apart divides a line behind each value: "reserve 2000 margin 10 %" is two clauses.
func apart(words []string) (clauses [][]string) {
	for from, k := 0, 0; k < len(words); k++ {
		value := strings.ContainsAny(words[k][:1], "0123456789") || words[k] == "%"
		if last := k == len(words)-1; last || value && words[k+1] != "%" {
			clauses = append(clauses, words[from:k+1])
			from = k + 1
		}
	}
	return clauses
}

// several reads several commands in one line, "reserve 2k and margin 10". Where they cannot be
// made together, the first one says what it leaves.
func (s *workspaceState) several(clauses [][]string) []palette.Command {
	if len(clauses) < 2 {
		return nil
	}
	second := strings.Join(joined(clauses[1:]), " ")
	all, rest := s.typedCommands(strings.Join(clauses[0], " ")), s.typedCommands(second)
	if len(all) > 0 && len(rest) > 0 && all[0].On != nil && rest[0].Later != nil { // it has ways, of which each goes with the first
		all, rest = rest, all
	}
	why := "type that by itself"
	if len(rest) > 0 && rest[0].Why != "" {
		why = rest[0].Why
	}
	var join func(all []palette.Command) []palette.Command
	join = func(all []palette.Command) []palette.Command {
		for k, one := range all {
			if one.Later != nil {
				all[k] = one.Then(join)
			} else if both, ok := s.together(one, rest); ok {
				all[k] = both
			} else {
				all[k].Text += ", without " + second + ": " + why
			}
		}
		return all
	}
	return join(all)
}

// together returns the command that makes one and then others[0]. One of the two changes may be
// made already. False: the second cannot follow another change, or they cannot be made.
func (s *workspaceState) together(one palette.Command, others []palette.Command) (palette.Command, bool) {
	if one.Plan == nil || len(others) == 0 || others[0].On == nil {
		return one, false
	}
	then := others[0]
	also := strings.TrimPrefix(then.Text, "set ")
	both := palette.Command{Group: one.Group, Text: one.Text + " and " + also, Line: one.Line + " and " + then.Line}
	both.Plan = func() (screen.Change, error) {
		next, label := s.exp.Setup(), also
		c, err := one.Plan()
		switch {
		case err == nil:
			next, label = c.To(), c.Label.String()+", "+also
		case one.On != nil: // it may be made already
			next, err = one.On(next)
		}
		if err == nil {
			next, err = then.On(next)
		}
		if err == nil && next.Equal(s.exp.Setup()) {
			err = alreadySet(label)
		}
		if err != nil {
			return screen.Change{}, err
		}
		return screen.To(next, experiment.Label{Name: label}), nil
	}
	if on := one.On; on != nil {
		both.On = func(setup experiment.Setup) (experiment.Setup, error) {
			setup, err := on(setup)
			if err != nil {
				return setup, err
			}
			return then.On(setup)
		}
	}
	_, err := both.Plan()
	return both, err == nil
}
