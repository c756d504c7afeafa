package explorer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
)

// itemEdit is a typed change of items: other tokens, another hint, or the values that
// were loaded.
type itemEdit struct {
	tokens, hint bool                       // the edit changes them
	newTokens    model.Option[model.Tokens] // not set: what was loaded
	newHint      model.Option[float64]      // likewise
}

const itemEditHelp = "1200 or tok 1.2k sets the tokens, hint .8 the hint; tok - or hint - restores the loaded value"

// parseItemEdit reads "1200", "tok=1.2k", "hint .8", "tok - hint -". The error
// says what was expected.
func parseItemEdit(text string) (itemEdit, error) {
	var e itemEdit
	words := strings.Fields(strings.ReplaceAll(text, "=", " "))
	if len(words) == 0 {
		return e, errors.New("type tokens, a hint, or both: " + itemEditHelp)
	}
	for len(words) > 0 {
		name, what, given := strings.ToLower(words[0]), "tok", &e.tokens
		if name == "hint" {
			what, given = "hint", &e.hint
		}
		if slices.Contains([]string{"tok", "tokens", "hint"}, name) {
			words = words[1:]
		}
		if len(words) == 0 {
			return e, fmt.Errorf("%s needs a number, or - for the loaded value", name)
		}
		value := words[0]
		words = words[1:]
		if *given {
			return e, fmt.Errorf("%s is given twice", what)
		}
		*given = true
		switch {
		case value == "-":
		case what == "hint":
			v, err := strconv.ParseFloat(value, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return e, fmt.Errorf("hint: %.20q is not a number (use .8 or 0.75)", value)
			}
			e.newHint = model.Some(v)
		default:
			digits, negative := strings.CutPrefix(value, "-")
			t, err := model.ParseTokens(digits)
			if err != nil {
				return e, fmt.Errorf("tokens: %w", err)
			}
			if negative {
				t = -t
			}
			e.newTokens = model.Some(t)
		}
	}
	return e, nil
}

// apply returns the setup with the edit made to the items.
func (e itemEdit) apply(s experiment.Setup, loaded *model.Set, items []int) experiment.Setup {
	if e.tokens {
		s = s.WithTokens(loaded, items, e.newTokens)
	}
	if e.hint {
		s = s.WithHint(loaded, items, e.newHint)
	}
	return s
}

// openEdit asks for other tokens and another hint of the items that keys act on.
func (m *Model) openEdit() tea.Cmd {
	items := m.targets()
	label := "edit " + namesOf(items)
	if len(items) == 1 {
		set := m.exp.Items()
		label += " (" + set.Tokens(items[0]).String() + " tok"
		if h := set.Hint(items[0]); !math.IsNaN(h) {
			label += ", hint " + strconv.FormatFloat(h, 'g', 6, 64)
		}
		label += ")"
	}
	return m.ask(screen.Question{
		Label: label + ":",
		Help:  itemEditHelp,
		Plan: func(text string) (screen.Change, error) {
			e, err := parseItemEdit(text)
			c := screen.Change{
				To:    func() experiment.Setup { return e.apply(m.exp.Setup(), m.exp.Items(), items) },
				Label: e.label(m.exp.Items(), items),
			}
			if e.hint && !m.exp.Setup().Policy[m.side].ReadsHints() {
				c.Say = func() string {
					return "no scorer of policy " + m.side.String() + " reads hints: reflexive does (p adds it)"
				}
			}
			return c, err
		},
	})
}

// label returns what the edit changes, with the values before and after for one item.
func (e itemEdit) label(now *model.Set, items []int) experiment.Label {
	l := experiment.Label{Name: "edit " + namesOf(items)}
	if len(items) != 1 || !e.newTokens.Set && !e.newHint.Set || e.tokens && e.hint {
		return l
	}
	i := items[0]
	if e.tokens {
		l.Name = "tokens of " + itemName(i)
		l.From, l.To = now.Tokens(i).String(), e.newTokens.Value.String()
		return l
	}
	l.Name, l.From, l.To = "hint of "+itemName(i), "none", strconv.FormatFloat(e.newHint.Value, 'g', 6, 64)
	if h := now.Hint(i); !math.IsNaN(h) {
		l.From = strconv.FormatFloat(h, 'g', 6, 64)
	}
	return l
}
