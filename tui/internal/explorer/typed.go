package explorer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
)

// This file reads commands that are typed as a sentence in the palette: a knob and its
// value, or two policies to compare. The other typed files read what their names say: what cuts items is
// in typedsizes.go, a line that answers what an action asks in typedanswer.go.

// typedCommands returns the commands that a line spells out, the best first.
func (s *workspaceState) typedCommands(line string) []palette.Command {
	typed := strings.Fields(line)
	if share := s.inTokens(typed); share != nil {
		return share
	}
	words := typed
	wishes := wishesOf(words, s.exp.Items())
	if len(wishes) > 1 {
		return []palette.Command{s.granted(wishes)}
	}
	if lowest, highest, ok := shareRange(words, s.exp.Items()); ok && lowest.n == 0 {
		return s.settings(strings.Fields(highest.spoken()))
	}
	clauses := clausesOf(words)
	if len(words) > 0 && slices.Contains(itemVerbs, strings.ToLower(words[0])) { // "pin 8, 31"
		clauses = [][]string{words}
	}
	words = joined(clauses)
	set := s.settings(words)
	if len(set) == 0 {
		set = s.bucketing(words)
	}
	all := slices.Concat(s.shrinking(typed), set, s.versus(words), s.itemCommands(words))
	switch {
	case len(all) > 0:
		return all
	case len(wishes) > 0 && wishes[0].items == nil: // in other words than the name of a knob
		return s.settings(strings.Fields(wishes[0].spoken()))
	case len(wishes) > 0:
		return []palette.Command{s.granted(wishes)}
	}
	if parts := apart(words); len(parts) > len(clauses) && len(s.typedCommands(strings.Join(parts[1], " "))) > 0 {
		clauses = parts
	}
	return s.several(clauses)
}

// inTokens reads a bound on a kind in tokens, as "at most 5000 tokens of tool output". No quota
// counts tokens, so it sets the share of the room that comes to so many now. It returns nil if the
// words are no such bound.
func (s *workspaceState) inTokens(words []string) []palette.Command {
	unit := slices.IndexFunc(words, func(w string) bool { return slices.Contains([]string{"token", "tokens", "tok"}, strings.ToLower(w)) })
	bounded := false
	for k := range words {
		_, n := boundAt(words[k:])
		bounded = bounded || n > 0
	}
	if unit < 1 || !bounded {
		return nil
	}
	n, err := model.ParseTokens(words[unit-1])
	w, ok := wishOf(slices.Concat(words[:unit-1], []string{"100%"}, words[unit+1:]), s.exp.Items())
	if err != nil || !ok {
		return nil
	}
	o := s.current(s.side)
	if o == nil || o.Report == nil || n > o.Report.Effective.Target {
		return []palette.Command{s.withReason(palette.Command{Group: "knob", Text: w.kind.Noun() + " in tokens", Plan: func() (screen.Change, error) {
			return screen.Change{}, errors.New("a quota is of items or in percent of the room, as 30 %")
		}})}
	}
	room := max(1, o.Report.Effective.Target)
	bound, tenths := "at least ", (1000*n+room-1)/room
	if w.most {
		bound, tenths = "at most ", 1000*n/room
	}
	w.n = float64(tenths) / 10
	set := s.settings(strings.Fields(w.spoken()))
	if len(set) > 0 {
		set[0].Text += fmt.Sprintf(", %s%v of the %v tokens of the room", bound, n, room)
	}
	return set
}

// behind returns the words behind a first one, and all of them where another is the first or none follows.
func behind(first string, words []string) []string {
	if len(words) > 1 && strings.EqualFold(words[0], first) {
		return words[1:]
	}
	return words
}

// numbers are the words for 1 and what follows.
var numbers = [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// spelledOut returns the commands that a line of the palette spells out, the best first. A
// number alone is a budget, unless there would be no result: then it is an item first.
func (m *Model) spelledOut(line string) []palette.Command {
	words := strings.Fields(line)
	if answer := slices.Concat(m.answering(words), m.pricing(words), m.unquoted(line)); answer != nil {
		return answer
	}
	items, others := m.goingTo(words), m.typedCommands(m.numbered(words, line))
	if len(words) == 1 && len(others) > 0 && others[0].Effect == "" {
		items, others = others, items
	}
	all := slices.Concat(items, m.holding(line), m.filtering(words), m.whyOut(words), m.sorting(words), m.more(words), m.meaning(line), others, m.modelNamed(words))
	if w := wishesOf(words, m.exp.Items()); len(w) == 1 && len(w[0].items) == 1 && len(all) == 1 && all[0].Title != "" { // where all ways are listed
		all = append(all, m.goingTo([]string{"why", itemName(w[0].items[0])})...)
	}
	if n := len(words); len(all) == 0 && n > 2 && slices.Contains([]string{"at", "in", "into", "with"}, strings.ToLower(words[n-2])) {
		all = m.settings(words[n-1:]) // "what fits at 8,000"
	}
	if budgets := m.budgetsOf(words); budgets != nil { // what a knob makes of "budget for #16" is refused
		knobs := slices.DeleteFunc(slices.Clone(all), func(c palette.Command) bool { return c.Group != "knob" || c.Why != "" })
		all = slices.Concat(slices.DeleteFunc(all, func(c palette.Command) bool { return c.Group == "knob" }), budgets, knobs)
	}
	if len(all) == 0 {
		return m.unread(words)
	}
	return all
}

// numbered returns a line that wishes for "these" items, the chosen items or else the needed ones,
// with their numbers: "have all in", "keep the needed"; any other line as it is.
func (m *Model) numbered(words []string, line string) string {
	var numbers []string
	if len(m.selection.chosen) > 0 {
		numbers = plain.Texts(m.selection.items(), itemName)
	}
	for k, word := range words {
		switch strings.ToLower(word) {
		case "needed", "marked":
			numbers = nil
		case "these", "them", "chosen", "all":
		default:
			continue
		}
		if numbers == nil {
			numbers = plain.Texts(m.exp.Setup().Labels.Needed(), func(i int32) string { return itemName(int(i)) })
		}
		said := slices.Concat(words[:k], numbers, words[k+1:])
		if len(numbers) > 0 && len(wishesOf(said, m.exp.Items())) > 0 {
			return strings.Join(said, " ")
		}
	}
	return line
}

// unread reads the whole name of a knob and what is no value of it: the command says why not.
func (s *workspaceState) unread(words []string) []palette.Command {
	if words = behind("set", words); len(words) < 2 {
		return nil
	}
	for _, k := range s.namedKnobs() {
		n := len(strings.Fields(k.name))
		if n >= len(words) || !strings.EqualFold(strings.Join(words[:n], " "), k.name) {
			continue
		}
		if c := s.setting(k, strings.Join(words[n:], " ")); c.Why != "" {
			c.Unread = true
			return []palette.Command{c}
		}
	}
	return nil
}

// meaning reads "what is Cupel", the name of what is explained, unless a knob has it, or a mark of
// the screen: the lines of the legend that explain it.
func (m *Model) meaning(line string) []palette.Command {
	if marked := palette.MarkMeanings(line, m.theme.Glyphs, m.helpAt); len(marked) > 0 {
		return marked
	}
	meant := palette.Meanings(line, m.legend)
	if len(meant) > 0 && slices.ContainsFunc(m.namedKnobs(), func(k namedKnob) bool { return strings.EqualFold(k.name, line) }) {
		return nil
	}
	return meant
}

// factors are the words that ask for a multiple of a value.
var factors = map[string]float64{"double": 2, "doubled": 2, "twice": 2, "2x": 2, "x2": 2, "*2": 2, "half": .5, "halve": .5, "halved": .5}

// plainly returns what is typed about a knob in the words that knobs are named by, the value
// last: "tool outputs at most 30 %" as "tool outputs max 30%", "minimum one memory item" as
// "memory require 1", and a number alone as a value of maxTokens.
func plainly(words []string) []string {
	var name []string
	var limit boundWords
	value, bounded := "", false
	for len(words) > 0 {
		w, n := strings.ToLower(words[0]), 1
		next := ""
		if len(words) > 1 {
			next = strings.ToLower(words[1])
		}
		spelled, numeric := slices.Index(numbers[:], w), strings.TrimLeft(w, "+-")
		said, long := boundAt(words)
		switch {
		case long > 0 && !said.named && !said.more:
			limit, bounded, n = said, true, long
		case w == "=", w == "to", w == "for", len(name) == 0 && value == "" && next != "" && (w == "set" || w == "goto"):
		case bounded && (w == "item" || w == "items"):
		case value == "" && bounded && spelled >= 0:
			value = strconv.Itoa(spelled + 1)
		case value == "" && numeric != "" && strings.Trim(numeric[:1], "0123456789.") == "" && factors[w] == 0:
			value = words[0]
			switch next {
			case "%", "percent":
				value += "%"
				n++
			case "tokens", "tok", "items", "item":
				n++
			}
		default:
			name = append(name, words[0])
		}
		words = words[n:]
	}
	if bounded {
		name = append(name, limit.knob(strings.HasSuffix(value, "%")))
	}
	switch {
	case value == "":
		return name
	case len(name) == 0:
		name = []string{string(experiment.MaxTokens)}
	}
	return append(name, value)
}

// plainJoins stand between two slicers too, but not between them alone.
var plainJoins = []string{"and", "with", "or"}

// versus reads "greedy vs knapsack": slicers, or presets, for A and B.
func (s *workspaceState) versus(words []string) []palette.Command {
	if words = behind("compare", words); len(words) != 3 || !slices.Contains(append([]string{"vs", "vs.", "versus", "against"}, plainJoins...), strings.ToLower(words[1])) {
		return nil
	}
	label := experiment.Label{Name: "A " + words[0] + " vs B " + words[2]}
	plan := func() (screen.Change, error) {
		setup := s.exp.Setup()
		for side, word := range [...]string{words[0], words[2]} {
			var err error
			if setup, err = s.withNamed(setup, experiment.Side(side), word); err != nil {
				return screen.Change{}, err
			}
		}
		c := screen.To(setup, label)
		c.Show = screen.Compare
		return c, nil
	}
	c := palette.Command{Group: "compare", Text: "compare " + label.Name, Plan: plan}
	switch change, err := plan(); {
	case err != nil && slices.Contains(plainJoins, strings.ToLower(words[1])):
		return nil
	case err != nil:
		c.Why = err.Error()
	case change.To().Equal(s.exp.Setup()):
		c.Effect = s.sidesNow() + "shows " + screen.Compare
	}
	return []palette.Command{c}
}

// sidesNow returns how many items each side has in, where both are known.
func (s *workspaceState) sidesNow() string {
	a, b := s.current(experiment.A), s.current(experiment.B)
	if a == nil || b == nil || a.Report == nil || b.Report == nil {
		return ""
	}
	return fmt.Sprintf("A has %d in, B %d: ", len(a.Report.Included), len(b.Report.Included))
}

// withNamed gives a side the slicer or the preset of that name.
func (s *workspaceState) withNamed(setup experiment.Setup, side experiment.Side, name string) (experiment.Setup, error) {
	for _, id := range [...]experiment.KnobID{experiment.Slicer, experiment.Preset} {
		if k, ok := experiment.FindKnob(s.exp.Knobs(setup, side, s.original), id); ok {
			if next, err := k.Parse(name); err == nil {
				return next, nil
			}
		}
	}
	return setup, fmt.Errorf("%.30q is neither a slicer nor a preset", name)
}
