package explorer

import (
	"errors"
	"fmt"
	"math"
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

// This file finds the knobs that a typed line names, and sets them.

// namedKnob is a knob with a name to type.
type namedKnob struct {
	experiment.Knob
	name, words string
	own, known  []string // the words of its name, and all that it is found by, in lower case
}

// namedList is the knobs by name that were made of a list of the experiment.
type namedList struct {
	of  []experiment.Knob
	all []namedKnob
}

// namedKnobs returns all knobs of the setup on the side that is edited, including the knobs of the
// policy editor. The name of an indented row begins with the names of the rows above it. They are made once
// while the experiment has the same knobs.
func (s *workspaceState) namedKnobs() []namedKnob {
	setup := s.exp.Setup()
	knobs := s.exp.Knobs(setup, s.side, s.original)
	if len(s.named.of) > 0 && &s.named.of[0] == &knobs[0] {
		return s.named.all
	}
	var all []namedKnob
	seen := map[string]int{}
	add := func(k experiment.Knob, name, words string) {
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		own := strings.Fields(strings.ToLower(name))
		all = append(all, namedKnob{k, name, words, own, slices.Concat(own, strings.Fields(strings.ToLower(words)))})
	}
	for _, k := range knobs {
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
	s.named = namedList{knobs, all}
	return all
}

func cleanName(label string) string { return widget.CleanName(strings.TrimSpace(label)) }

// setting returns the command that sets a knob. Whether it can is checked now; the new
// setup is computed when the command runs.
func (s *workspaceState) setting(k namedKnob, value string) palette.Command {
	gone := errors.New("there is no such knob now")
	plan := func() (screen.Change, error) {
		now, there := s.knobIn(k.ID, s.exp.Setup())
		if !there {
			return screen.Change{}, gone
		}
		return s.typedValue(now, value)
	}
	on := func(setup experiment.Setup) (experiment.Setup, error) {
		then, there := s.knobIn(k.ID, setup)
		switch {
		case !there:
			return setup, gone
		case then.Excluded != "":
			return setup, errors.New(then.Excluded)
		}
		return then.Parse(value)
	}
	shown := strings.Replace(value, "%", " %", 1) // as the knobs write it
	n, err := strconv.Atoi(value)
	if err == nil {
		shown = plain.Thousands(n)
	}
	if k.Percent && !strings.Contains(shown, "%") && !strings.HasSuffix(string(k.ID), "%") {
		shown += " %"
	}
	c := palette.Command{Group: "knob", Text: "set " + k.name + " to " + shown, Words: k.words + " " + k.Help, Value: k.Value, Line: "set " + k.name + " " + value, Plan: plan, On: on}
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
	if k.Caps() && !k.Shares() {
		if pinned := pinnedOf(s.exp.Items(), k.Kind); len(pinned) > 0 {
			c.Text += " beside " + namesOf(pinned) + " " + plain.Pinned
		}
	}
	if err == nil && k.Requires() {
		s.tellRequired(&c, k.Kind, n)
	}
	return c
}

// holdsPins reports whether a budget holds the pinned items, as far as that is known.
func (s *workspaceState) holdsPins(b model.Tokens) bool {
	p := s.exp.Profile(s.side)
	if p == nil || len(p.Ranking().Pinned()) == 0 {
		return true
	}
	_, in := p.SizeAt(int(p.Ranking().Pinned()[0]), b) // they are in together
	return in
}

// settings reads "NAME VALUE", in any of the ways that plainly knows: the last word is
// the value, those before it name the knob. It also reads "double NAME", with one of
// factors anywhere. Knobs that cannot have the value are left out where one can.
func (s *workspaceState) settings(words []string) []palette.Command {
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
	var hits, converted []hit
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
		value, said := s.amount(k, value)
		c := s.setting(k, value)
		if said != "" {
			c.Text += said
			converted = append(converted, hit{c, match, score})
			continue
		}
		if c.Why != "" && !strings.ContainsAny(value, "0123456789") {
			continue // the word is part of the name, not a value
		}
		_, err := k.Parse(value)
		_, beyond := errors.AsType[experiment.OutsideError](err) // it is a number for this knob all the same
		if c.Why != "" && !beyond {                              // the value cannot be meant for it
			score -= wholeName
		}
		c, ways := s.besides(k, value, c)
		hits, after = append(hits, hit{c, match, score}), append(after, ways...)
	}
	if len(hits) == 0 { // no knob takes a percentage
		hits = converted
	}
	return append(bestFirst(hits), after...)
}

// amount returns what "10%", "+2000" and "-10%" come to for a knob of tokens, and how that is said:
// a share is of the budget, and a sign counts from the value of the knob.
func (s *workspaceState) amount(k namedKnob, value string) (amount, said string) {
	_, refused := k.Parse(value)
	_, unread := model.ParseTokens(value)
	if refused == nil || unread == nil || refused.Error() != unread.Error() || !k.Number.Set {
		return value, "" // it reads no tokens, or reads them
	}
	bare, of := strings.TrimLeft(value, "+-"), float64(s.budget())
	if bare != value {
		of = k.Number.Value
	}
	by, err := model.ParsePercent(bare)
	by *= of / 100
	if !strings.HasSuffix(bare, "%") {
		var tokens model.Tokens
		tokens, err = model.ParseTokens(bare)
		by = float64(tokens)
	}
	switch {
	case err != nil:
		return value, ""
	case value[0] == '+':
		by += of
	case value[0] == '-':
		by = max(0, of-by)
	default:
		said = ", " + strings.Replace(value, "%", " %", 1) + " of the budget"
	}
	return strconv.Itoa(int(math.Round(by))), said
}

// hit is a command, how well the typed words match its name, and a score that decides between
// equal matches.
type hit struct {
	palette.Command
	match, score int
}

// wholeName is a match, and a difference of scores, above what any words reach: no other knob has
// the whole name.
const wholeName = 1000

// matches returns how well typed words match the name of the knob; false if any does not.
func (k *namedKnob) matches(words []string) (match, score int, ok bool) {
	if strings.EqualFold(strings.Join(words, " "), k.name) {
		match = wholeName
	}
	score = -len(k.own)
	for _, w := range words {
		w = strings.ToLower(w)
		m := palette.Match(w, k.known)
		if m == 0 {
			return 0, 0, false
		}
		match += m
		if palette.Match(w, k.own) > 0 {
			score++
		}
	}
	return match, score, true
}

// bestFirst returns the commands of hits, the best first. Commands that do nothing now are left
// out behind the first that does something.
func bestFirst(hits []hit) (all []palette.Command) {
	sort.SliceStable(hits, func(i, j int) bool {
		a, b := hits[i], hits[j]
		return a.match > b.match || a.match == b.match && a.score > b.score
	})
	best := slices.IndexFunc(hits, func(h hit) bool { return h.Why == "" })
	for i, h := range hits {
		if best < 0 || i <= best || h.Why == "" {
			all = append(all, h.Command)
		}
	}
	return all
}
