package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// This file reads commands that are typed as a sentence in the palette: a knob and its
// value, or two policies to compare. What is typed about items is read in typeditems.go.

// namedKnob is a knob with a name to type.
type namedKnob struct {
	experiment.Knob
	name, words string
}

// namedKnobs returns the knobs of the setup, see namedKnobsOf.
func (s *sessionState) namedKnobs() []namedKnob { return s.namedKnobsOf(s.exp.Setup()) }

// namedKnobsOf returns all knobs of a setup on the side that is edited, including those of the
// policy editor. The name of an indented row begins with the names of the rows above it.
func (s *sessionState) namedKnobsOf(setup experiment.Setup) []namedKnob {
	var all []namedKnob
	seen := map[string]int{}
	add := func(k experiment.Knob, name, words string) {
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		all = append(all, namedKnob{k, name, words})
	}
	for _, k := range s.exp.Knobs(setup, s.side, s.original) {
		if k.Typed && !k.ID.Shrinks() { // of several words, see shrinking
			add(k, cleanName(k.Label), k.Words)
		}
	}
	var above []string
	for _, k := range s.exp.PolicyKnobs(setup, s.side, s.original) {
		above = append(above[:k.Depth], cleanName(k.Label))
		name := slices.Clone(above)
		name[len(name)-1] = cleanName(k.Called())
		add(k, strings.Join(name, " "), k.Section+" "+k.Words)
	}
	return all
}

func cleanName(label string) string { return widget.CleanName(strings.TrimSpace(label)) }

// setting returns the command that sets a knob. Whether it can is checked now; the new
// setup is computed when the command runs.
func (s *sessionState) setting(k namedKnob, value string) palette.Command {
	named := func(setup experiment.Setup) (experiment.Knob, error) {
		for _, now := range s.namedKnobsOf(setup) {
			if now.ID == k.ID {
				return now.Knob, nil
			}
		}
		return experiment.Knob{}, errors.New("there is no such knob now")
	}
	plan := func() (screen.Change, error) {
		now, err := named(s.exp.Setup())
		if err != nil {
			return screen.Change{}, err
		}
		return s.typedValue(now, value)
	}
	on := func(setup experiment.Setup) (experiment.Setup, error) {
		then, err := named(setup)
		switch {
		case err != nil:
			return setup, err
		case then.Excluded != "":
			return setup, errors.New(then.Excluded)
		}
		return then.Parse(value)
	}
	shown := strings.Replace(value, "%", " %", 1) // as the knobs write it
	if k.Percent && shown == value && !strings.HasSuffix(string(k.ID), "%") {
		shown += " %"
	}
	c := palette.Command{Group: "set", Text: "set " + k.name + " to " + shown, Words: k.words + " " + k.Help, Value: k.Value, Line: "set " + k.name + " " + value, Plan: plan, On: on}
	switch setup, err := k.Parse(value); {
	case k.Excluded != "":
		c.Why = k.Excluded
	case err != nil:
		c.Why = err.Error()
	case setup.Equal(s.exp.Setup()):
		c.Why, c.Done = setAlready, true
	case k.ID == experiment.MaxTokens && !s.holdsPins(setup.Budget.MaxTokens):
		c.Effect = "no result: " + pinsTooLarge
	}
	if n, err := strconv.Atoi(value); err == nil && k.Requires() {
		s.tellRequired(&c, k.Kind, n)
	}
	return c
}

// holdsPins reports whether a budget holds the pinned items, as far as that is known.
func (s *sessionState) holdsPins(b model.Tokens) bool {
	p := s.exp.Profile(s.side)
	if p == nil || len(p.Ranking().Pinned()) == 0 {
		return true
	}
	_, in := p.SizeAt(int(p.Ranking().Pinned()[0]), b) // they are in together
	return in
}

// typedCommands returns the commands that a line spells out, the best first.
func (s *sessionState) typedCommands(line string) []palette.Command {
	words := strings.Fields(line)
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
	all := slices.Concat(s.shrinking(words), set, s.versus(words), s.itemCommands(words))
	switch {
	case len(all) > 0:
		return all
	case len(wishes) > 0 && wishes[0].items == nil: // in other words than those of a knob
		return s.settings(strings.Fields(wishes[0].spoken()))
	case len(wishes) > 0:
		return []palette.Command{s.granted(wishes)}
	}
	if parts := apart(words); len(parts) > len(clauses) && len(s.typedCommands(strings.Join(parts[1], " "))) > 0 {
		clauses = parts
	}
	return s.several(clauses)
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
	items, others := m.goingTo(words), m.typedCommands(m.numbered(words, line))
	if len(words) == 1 && len(others) > 0 && others[0].Effect == "" {
		items, others = others, items
	}
	all := slices.Concat(items, m.holding(line), m.filtering(words), m.whyOut(words), m.more(words), m.meaning(line), others, m.modelNamed(words))
	if w := wishesOf(words, m.exp.Items()); len(w) == 1 && len(w[0].items) == 1 && len(all) == 1 && all[0].Title != "" { // where all ways are listed
		all = append(all, m.goingTo([]string{"why", itemName(w[0].items[0])})...)
	}
	if n := len(words); len(all) == 0 && n > 2 && strings.EqualFold(words[n-2], "at") {
		return m.settings(words[n-1:]) // "what fits at 8,000"
	}
	if len(all) == 0 {
		return m.unread(words)
	}
	return all
}

// numbered returns a line that wishes for "these" items, those chosen or else those that are needed, with
// their numbers: "have all in", "keep the needed"; any other line as it is.
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
func (s *sessionState) unread(words []string) []palette.Command {
	words = behind("set", words)
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

// meaning reads "what is Cupel", or the name of what is explained, unless a knob has it: the line
// of the legend that explains it.
func (m *Model) meaning(line string) []palette.Command {
	if slices.ContainsFunc(m.namedKnobs(), func(k namedKnob) bool { return strings.EqualFold(k.name, line) }) {
		return nil
	}
	return palette.Meanings(line, palette.LegendCommands(m.helpAt))
}

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
		spelled := slices.Index(numbers[:], w)
		said, long := boundAt(words)
		switch {
		case long > 0 && !said.named && !said.more:
			limit, bounded, n = said, true, long
		case w == "=", w == "to", w == "for", len(name) == 0 && value == "" && next != "" && (w == "set" || w == "goto"):
		case bounded && (w == "item" || w == "items"):
		case value == "" && bounded && spelled >= 0:
			value = strconv.Itoa(spelled + 1)
		case value == "" && strings.Trim(w[:1], "0123456789.") == "" && factors[w] == 0:
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

// settings reads "NAME VALUE", in any of the ways that plainly knows: the last word is
// the value, those before it name the knob. It also reads "double NAME", with one of
// factors anywhere. Knobs that cannot have the value are left out where one can.
func (s *sessionState) settings(words []string) []palette.Command {
	words = plainly(words)
	if len(words) < 2 {
		return nil
	}
	name, value := words[:len(words)-1], words[len(words)-1]
	factor := 0.0
	if k := slices.IndexFunc(words, func(w string) bool { return factors[strings.ToLower(w)] != 0 }); k >= 0 {
		factor = factors[strings.ToLower(words[k])]
		name = slices.Delete(words, k, k+1)
	}
	var hits []hit
	var after []palette.Command
	for _, k := range s.namedKnobs() {
		match, score, ok := k.matches(name)
		if !ok {
			continue
		}
		if factor != 0 {
			if !k.Number.Set || k.Number.Value == 0 {
				continue // doubling 0 changes nothing
			}
			value = strconv.FormatFloat(factor*k.Number.Value, 'f', -1, 64)
			if k.Percent {
				value += "%"
			}
		}
		if k.Choices != nil && !slices.ContainsFunc(k.Choices, func(c string) bool { return strings.EqualFold(c, value) }) {
			continue // the palette lists its values
		}
		c := s.setting(k, value)
		if c.Why != "" && !strings.ContainsAny(value, "0123456789") {
			continue // the word is part of the name, not a value
		}
		_, err := k.Parse(value)
		_, beyond := errors.AsType[experiment.OutsideError](err) // it is a number for this knob all the same
		idle := c.Why != "" && !beyond
		c, ways := s.besides(k, value, c)
		hits, after = append(hits, hit{c, match, score, idle}), append(after, ways...)
	}
	return append(bestFirst(hits), after...)
}

// hit is a command, how well the typed words match its name, and a score that decides between
// equal matches.
type hit struct {
	palette.Command
	match, score int
	idle         bool // the value cannot be meant for it
}

// wholeName is a match above that of any words: no other knob has the whole name.
const wholeName = 1000

// matches returns how well typed words match the name of the knob; false if any does not.
func (k *namedKnob) matches(words []string) (match, score int, ok bool) {
	own := strings.Fields(strings.ToLower(k.name))
	if strings.EqualFold(strings.Join(words, " "), k.name) {
		match = wholeName
	}
	known := append(own, strings.Fields(strings.ToLower(k.words))...)
	score = -len(own)
	for _, w := range words {
		m := palette.Match(strings.ToLower(w), known)
		if m == 0 {
			return 0, 0, false
		}
		match += m
		if palette.Match(strings.ToLower(w), own) > 0 {
			score++
		}
	}
	return match, score, true
}

// bestFirst returns the commands of hits, the best first. Commands that do nothing now are left
// out behind the first that does something.
func bestFirst(hits []hit) (all []palette.Command) {
	idle := func(h hit) int {
		if h.idle {
			return 1
		}
		return 0
	}
	sort.SliceStable(hits, func(i, j int) bool {
		a, b := hits[i], hits[j]
		return cmp.Or(cmp.Compare(b.match, a.match), cmp.Compare(idle(a), idle(b)), cmp.Compare(b.score, a.score)) < 0
	})
	best := slices.IndexFunc(hits, func(h hit) bool { return h.Why == "" })
	for i, h := range hits {
		if best < 0 || i <= best || h.Why == "" {
			all = append(all, h.Command)
		}
	}
	return all
}

// plainJoins stand between two slicers too, but not between them alone.
var plainJoins = []string{"and", "with", "or"}

// versus reads "greedy vs knapsack": slicers, or presets, for A and B.
func (s *sessionState) versus(words []string) []palette.Command {
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

// sidesNow says how many items each side has in, where both are known.
func (s *sessionState) sidesNow() string {
	a, b := s.current(experiment.A), s.current(experiment.B)
	if a == nil || b == nil || a.Report == nil || b.Report == nil {
		return ""
	}
	return fmt.Sprintf("A has %d in, B %d: ", len(a.Report.Included), len(b.Report.Included))
}

// withNamed gives a side the slicer or the preset of that name.
func (s *sessionState) withNamed(setup experiment.Setup, side experiment.Side, name string) (experiment.Setup, error) {
	for _, id := range [...]experiment.KnobID{experiment.Slicer, experiment.Preset} {
		if k, ok := experiment.FindKnob(s.exp.Knobs(setup, side, s.original), id); ok {
			if next, err := k.Parse(name); err == nil {
				return next, nil
			}
		}
	}
	return setup, fmt.Errorf("%.30q is neither a slicer nor a preset", name)
}
