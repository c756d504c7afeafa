package explorer

import (
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
)

// This file has the typed rules that cut items.

// shrinkCommands lists how items of each kind can be cut, to be typed on.
func (s *workspaceState) shrinkCommands() []palette.Command {
	var all []palette.Command
	for _, kind := range append([]model.Kind{model.AnyKind}, s.exp.Whole().Kinds()[:min(len(s.exp.Whole().Kinds()), maxShrinkCommands)]...) {
		name := "shrink " + cleanName(kind.Noun())
		all = append(all, palette.Command{Group: "set", Text: name + ": " + experiment.ShrinkHelp, Words: "cut truncate sizes note long items smaller shorten summarise summarize " + kind.Short() + " " + cleanName(string(kind)),
			Value: s.exp.Setup().Rule(kind).Words(), Line: name + " "})
	}
	return all
}

// firstSizes are the sizes that are offered where none is typed.
var firstSizes = [...]string{"2000 500 note", "2000 500", "1000", "500"}

// shrinkFill are words that may stand in such a line.
var shrinkFill = []string{"to", "the", "long", "large", "big", "old", "down"}

// maxShrinkCommands limits these commands, because every item may have a kind of its own.
const maxShrinkCommands = 12

// shrinking reads "shrink tool 2000, 500, note", with or without commas, "shrink all to 100" and "shrink tool
// off": how items of a kind are cut, whether or not there is a knob for it yet; and "shrink tool" alone,
// which has firstSizes.
func (s *workspaceState) shrinking(words []string) (all []palette.Command) {
	words = plain.Texts(behind("set", words), func(w string) string { return strings.TrimRight(w, ",;") })
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" || slices.Contains(shrinkFill, strings.ToLower(w)) })
	if len(words) < 2 || !strings.EqualFold(words[0], "shrink") {
		return nil
	}
	kind, n := kindAt(words[1:], s.exp.Whole().Kinds())
	if strings.EqualFold(words[1], "all") {
		kind, n = model.AnyKind, 1
		if len(words) > 2 && (strings.EqualFold(words[2], "kinds") || strings.EqualFold(words[2], "items")) {
			n = 2
		}
	}
	switch sizes := strings.Join(words[1+n:], " "); {
	case n == 0: // of a kind that no item has
		return []palette.Command{s.shrunk(sizes, sizes)}
	case sizes != "":
		return []palette.Command{s.shrunk(string(kind)+"="+sizes, kind.Noun()+" "+sizes)}
	}
	for _, sizes := range firstSizes {
		all = append(all, s.tried(s.shrunk(string(kind)+"="+sizes, sizes)))
	}
	return all
}

// shrunk cuts items by a rule, as model.ParseShrinkRule reads it. One that is none stands there as
// it was typed.
func (s *workspaceState) shrunk(text, typed string) palette.Command {
	rule, err := model.ParseShrinkRule(text)
	label := experiment.Label{Name: "shrink " + cleanName(rule.Kind.Noun()), From: s.exp.Setup().Rule(rule.Kind).Words(), To: rule.Words()}
	typed = "shrink " + typed
	if err == nil {
		typed = label.Name + ": " + label.To + " (not Cupel's)"
	}
	return s.withReason(palette.Command{Group: "set", Text: typed, Value: label.From, Plan: func() (screen.Change, error) {
		return screen.To(s.exp.Setup().Shrunk(rule), label), err
	}})
}
