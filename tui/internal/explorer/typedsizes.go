package explorer

import (
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
)

// This file has the typed rules that cut items.

// shrinkCommands lists how items of each kind can be cut, to be typed on.
func (s *sessionState) shrinkCommands() []palette.Command {
	var all []palette.Command
	for _, kind := range append([]model.Kind{model.AnyKind}, s.exp.Whole().Kinds()[:min(len(s.exp.Whole().Kinds()), maxShrinkCommands)]...) {
		name := "shrink " + cleanName(kind.Noun())
		all = append(all, palette.Command{Group: "set", Text: name + ": " + experiment.ShrinkHelp, Words: "cut truncate sizes note long items smaller shorten summarise summarize " + kind.Short() + " " + cleanName(string(kind)),
			Value: s.exp.Setup().Rule(kind).Words(), Line: name + " "})
	}
	return all
}

// maxShrinkCommands limits these commands, because every item may have a kind of its own.
const maxShrinkCommands = 12

// shrinking reads "shrink tool 2000 500 note", "shrink all to 100" and "shrink tool off": how items of a kind
// are cut, whether or not there is a knob for it yet.
func (s *sessionState) shrinking(words []string) []palette.Command {
	words = slices.DeleteFunc(slices.Clone(behind("set", words)), func(w string) bool { return strings.EqualFold(w, "to") })
	if len(words) < 3 || !strings.EqualFold(words[0], "shrink") {
		return nil
	}
	kind, n := kindAt(words[1:], s.exp.Whole().Kinds())
	if strings.EqualFold(words[1], "all") {
		kind, n = model.AnyKind, 1
		if strings.EqualFold(words[2], "kinds") || strings.EqualFold(words[2], "items") {
			n = 2
		}
	}
	if n > 0 && !strings.Contains(string(kind), " ") {
		words = slices.Concat([]string{words[0], string(kind)}, words[1+n:])
	}
	rule, err := model.ParseShrinkRule(strings.Join(words[1:], " "))
	label := experiment.Label{Name: "shrink " + cleanName(rule.Kind.Noun()), From: s.exp.Setup().Rule(rule.Kind).Words(), To: rule.Words()}
	text := label.Name + ": " + label.To + " (not Cupel's)"
	if err != nil {
		text = strings.Join(words, " ")
	}
	return []palette.Command{s.withReason(palette.Command{Group: "set", Text: text, Value: label.From, Plan: func() (screen.Change, error) {
		return screen.To(s.exp.Setup().Shrunk(rule), label), err
	}})}
}
