package explorer

import (
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// This file has the keys that turn knobs: h and l, enter to type a value, backspace.

// turn returns the change that turns a knob by a step.
func (s *workspaceState) turn(k experiment.Knob, dir int, big bool) (screen.Change, error) {
	if k.Excluded != "" {
		return screen.Change{}, errors.New(k.Excluded)
	}
	next, err := k.Step(dir, big)
	return s.turned(k, next, err, k.ID)
}

// turned returns the change to the setup that a knob returned, labelled with the knob's
// values.
func (s *workspaceState) turned(k experiment.Knob, next experiment.Setup, err error, merge experiment.KnobID) (screen.Change, error) {
	c := screen.To(next, experiment.Label{Name: k.Called()})
	c.Merge = merge
	switch {
	case err != nil:
		return screen.Change{}, err
	case next.Equal(s.exp.Setup()):
		return screen.Change{}, alreadySet(c.Label.Name)
	case k.Value != "": // a row that adds a scorer has no value
		there, _ := s.knobIn(k.ID, next)
		c.Label.From, c.Label.To = k.Value, there.Value
	}
	if b := next.Policy[experiment.B]; s.side == experiment.A && !b.Same(s.exp.Setup().Policy[experiment.B]) {
		c.Label.To += ", B " + widget.SlicerName(b) // it gives way to A
	}
	return c, nil
}

// typedValue returns the change that sets a knob to a value as it is typed.
func (s *workspaceState) typedValue(k experiment.Knob, text string) (screen.Change, error) {
	next, err := k.Parse(text)
	return s.turned(k, next, err, "")
}

// toValue returns the change that sets a knob to a value of its number.
func (s *workspaceState) toValue(k experiment.Knob, value string) (screen.Change, error) {
	if k.Percent {
		value += "%"
	}
	return s.typedValue(k, value)
}

// allKnobs returns the knobs of the pane and of the policy editor.
func (s *workspaceState) allKnobs() []experiment.Knob {
	setup := s.exp.Setup()
	return slices.Concat(s.exp.Knobs(setup, s.side, s.original), s.exp.PolicyKnobs(setup, s.side, s.original))
}

// knobIn returns a knob as it is in another setup; false if there is none. The knob may be one
// of the policy editor, because keys turn those while the editor is open.
func (s *workspaceState) knobIn(id experiment.KnobID, in experiment.Setup) (experiment.Knob, bool) {
	k, found := experiment.FindKnob(s.exp.Knobs(in, s.side, s.original), id)
	if !found {
		k, found = experiment.FindKnob(s.exp.PolicyKnobs(in, s.side, s.original), id)
	}
	return k, found
}

// turnAction returns the action of a step of the knob that keys turn. On the row of the
// knobs at their default, it shows or folds these.
func (m *Model) turnAction(dir int, big bool) screen.Action {
	plan := func() (screen.Change, error) {
		k, ok := m.knob()
		if !ok {
			return screen.Change{}, errors.New(atDefault)
		}
		return m.turn(k, dir, big)
	}
	return screen.Action{Group: turning, KeepsRun: true, Plan: plan, Run: screen.Do(func() {
		switch opened := m.knobs.Opened(); {
		case !m.unfold(dir > 0):
			m.carryOut(plan())
		case opened && dir > 0:
			m.messages.say("the knobs at their default are shown already")
		case !opened && dir < 0:
			m.messages.say("the knobs at their default are folded already")
		}
	})}
}

// atDefault is why no knob is turned on the row that folds.
const atDefault = "these knobs are at their default"

// stepKnob returns the plan of an action that goes to the next value of a knob.
func (m *Model) stepKnob(id experiment.KnobID) func() (screen.Change, error) {
	return func() (screen.Change, error) {
		k, ok := m.knobs.Find(id)
		if !ok {
			return screen.Change{}, errors.New(string(id) + " is no knob now")
		}
		next, err := k.Step(1, false)
		return m.turned(k, next, err, "")
	}
}

// keepPairs returns the change that selects calls with their results, or no longer does.
func (m *Model) keepPairs() (screen.Change, error) {
	k, ok := m.knobs.Find(experiment.KeepPairs)
	if !ok {
		return screen.Change{}, errors.New("no tool call here has a result of its own")
	}
	return m.turn(k, 1, false)
}

// offerPairs shows the notice of pairsOffer as it is now. Once dismissed it stays away.
func (m *Model) offerPairs() {
	offer := m.pairsOffer()
	if offer != "" && !m.pairsTold {
		m.messages.point(offer)
		m.pairsTold = true
	} else {
		m.messages.replace(m.offered, offer)
	}
	m.offered = offer
}

// pairsOffer returns the notice that the policy splits calls from their results, where it could
// keep them together; else "".
func (m *Model) pairsOffer() string {
	o := m.exp.Outcome(m.side)
	k, ok := m.knobs.Find(experiment.KeepPairs)
	if m.workspace.Sample || !ok || k.Excluded != "" || len(o.Split) == 0 {
		return ""
	}
	about := ""
	if m.count.Running() {
		about = m.theme.Glyphs.About
	}
	return fmt.Sprintf("%s%s of %s split from the result, which an API may refuse: %s keeps pairs (not Cupel's)",
		about, plain.Thousands(len(o.Split)), plain.Count(o.Pairs, "tool call"), m.keyOf("policy.pairs"))
}

// unfold shows or folds the knobs at their default if the cursor is on their row. It
// returns false if it is not.
func (m *Model) unfold(open bool) bool {
	if m.specOf(m.at(screen.Over)).Knob != nil || !m.knobs.Folding(m.knobs.Cursor()) {
		return false
	}
	m.knobs.Open(open)
	return true
}

func (m *Model) resetKnob() (screen.Change, error) {
	k, ok := m.knob()
	if !ok {
		return screen.Change{}, errors.New(atDefault)
	}
	start := k.Reset()
	switch now := start.Equal(m.exp.Setup()); {
	case now && k.Column != "":
		return screen.Change{}, errors.New(k.Label + " is not set")
	case now && k.Section != "":
		return screen.Change{}, errors.New(k.Label + ": there is nothing to set back")
	case now:
		return screen.Change{}, errors.New(k.Label + ": already at its start value")
	}
	return m.turned(k, start, nil, "")
}

// typeValue asks for a value of the knob that keys turn, with text typed already.
func (m *Model) typeValue(text string) tea.Cmd {
	if m.unfold(!m.knobs.Opened()) {
		return nil
	}
	k, ok := m.knob()
	switch {
	case !ok:
		return nil
	case k.Excluded != "":
		m.messages.refuse(k.Excluded)
		return nil
	case !k.Typed:
		m.toKnob(k.ID)
		return nil
	}
	name, help := k.Called(), k.Help
	if k.Value != "" {
		name += " (" + k.Value + ")"
	}
	if k.Warns != "" {
		help += "; " + k.Warns
	}
	return m.ask(screen.Question{
		Label:   name + ":",
		Text:    text,
		Knob:    k.ID,
		Help:    help,
		Plan:    func(text string) (screen.Change, error) { return m.typedValue(k, text) },
		Suggest: widget.SuggestWords(k.Choices...),
	})
}

// sayKnob says what the knob in focus is.
func (m *Model) sayKnob() {
	if k, ok := m.knobs.Current(); ok && m.focus == onKnobs && m.viewOnTop() {
		m.messages.say(draw.FitReason(k.Called(), k.Help, m.width-2))
	}
}

// typesNumber reports whether a key is a digit that begins a value of the knob in focus, and so
// does not show a view.
func (m *Model) typesNumber(key string) bool {
	if len(key) != 1 || key[0] < '0' || key[0] > '9' || m.focus != onKnobs || !m.viewOnTop() {
		return false
	}
	k, ok := m.knob()
	return ok && k.Typed && len(k.Choices) == 0
}

// toKnob moves the cursor to a knob, in the policy editor for quotas and scorers.
func (m *Model) toKnob(id experiment.KnobID) {
	if id == experiment.Quotas || id == experiment.Scorers {
		m.openEditor(id)
		return
	}
	m.knobs.Select(id)
	m.focus = onKnobs
	m.messages.say("h and l turn it, enter types a value, esc goes back")
}
