package explorer

import (
	"strings"

	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
)

// This file reads several commands in one line.

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
