package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/query"
	"cupelscope/tui/experiment"
	"cupelscope/tui/overlay/picker"
	"cupelscope/tui/overlay/policy"
	"cupelscope/tui/screen"
	"cupelscope/tui/widget/input"
)

// apply makes a change, or says why there is none.
func (m *Model) apply(next experiment.Setup, label experiment.Label, merge experiment.KnobID) {
	if next.Equal(m.exp.Setup()) {
		m.message = label.Name + ": nothing to change, it is so already"
		return
	}
	if now := m.exp.Setup(); next.Gap > 0 && next.Gap == now.Gap && next.Budget.MaxTokens != now.Budget.MaxTokens {
		label.To += " (target " + next.Budget.TargetTokens.String() + ")"
	}
	next.AxisEnd = m.reach(next)
	if err := m.exp.Apply(next, label, merge); err != nil {
		m.message = err.Error()
	}
}

// reach is the axis end of a setup. Where its policy is another than now, it
// goes on to where all items are in under that, so that no item seems never to
// be in only because a knapsack charges whole buckets. An end that was asked for
// stays.
func (m *Model) reach(next experiment.Setup) model.Tokens {
	now, end := m.exp.Setup(), next.AxisEnd
	if m.session.AxisAsked || end != now.AxisEnd || end < m.original.AxisEnd {
		return end
	}
	b, err := model.NewBudget(next.Budget)
	if err != nil {
		return end
	}
	for s := range next.Policy {
		if next.Policy[s].Same(now.Policy[s]) {
			continue
		}
		if all, err := simulate.AxisEnd(m.exp.Items(), next.Policy[s], b); err == nil {
			end = max(end, all)
		}
	}
	return end
}

// turned applies what a knob gave, labelled with the knob's values.
func (m *Model) turned(k experiment.Knob, next experiment.Setup, err error, merge experiment.KnobID) {
	if err != nil {
		m.message = err.Error()
		return
	}
	label := experiment.Label{Name: strings.TrimSpace(k.Label)}
	if k.Value != "" { // a row that adds something has no value
		label.From, label.To = k.Value, m.valueIn(k.ID, next)
	}
	m.apply(next, label, merge)
}

// valueIn is how the knob would show its value in another setup. It is looked
// for among the policy's rows too: keys turn knobs while the editor is open.
func (m *Model) valueIn(id experiment.KnobID, s experiment.Setup) string {
	for _, knobs := range [...]func(experiment.Setup, experiment.Side, experiment.Setup) []experiment.Knob{m.exp.KnobsFor, m.exp.PolicyKnobsFor} {
		for _, k := range knobs(s, m.side, m.original) {
			if k.ID == id {
				return k.Value
			}
		}
	}
	return ""
}

// current is the knob that keys turn: the one of the screen on top, or of the
// knobs.
func (m *Model) current() (experiment.Knob, bool) {
	if k, ok := m.at(screen.Over).(screen.Knobbed); ok {
		return k.Current()
	}
	return m.knobs.Current()
}

// turn turns a knob by a step; turnCurrent the one that keys turn.
func (m *Model) turn(k experiment.Knob, dir int, big bool) {
	next, err := k.Step(dir, big)
	m.turned(k, next, err, k.ID)
}

func (m *Model) turnCurrent(dir int, big bool) {
	if k, ok := m.current(); ok {
		m.turn(k, dir, big)
	}
}

func (m *Model) stepKnob(id experiment.KnobID, dir int) {
	if k, ok := m.knobs.Find(id); ok {
		next, err := k.Step(dir, false)
		m.turned(k, next, err, "")
	}
}

func (m *Model) resetKnob() {
	if k, ok := m.current(); ok {
		m.turned(k, k.Reset(), nil, "")
	}
}

// typeValue asks for a value of the knob under the cursor.
func (m *Model) typeValue() tea.Cmd {
	k, ok := m.current()
	if !ok {
		return nil
	}
	name := strings.TrimSpace(k.Label)
	if k.Value != "" {
		name += " (" + k.Value + ")"
	}
	return m.ask(screen.Question{
		Label: name + ":",
		Help:  k.Help + "; enter sets it, esc cancels",
		Typed: func(text string) error {
			if text == "" {
				return nil
			}
			_, err := k.Parse(text)
			return err
		},
		Done: func(text string) (tea.Cmd, error) {
			next, err := k.Parse(text)
			if err != nil {
				return nil, err
			}
			m.turned(k, next, nil, "")
			return nil, nil
		},
		Suggest: input.Words(k.Choices...),
	})
}

// toBudget moves maxTokens.
func (m *Model) toBudget(b model.Tokens) {
	now := m.exp.Setup()
	m.apply(now.WithMax(b), experiment.Label{Name: string(experiment.MaxTokens), From: now.Budget.MaxTokens.String(), To: b.String()}, "")
}

func (m *Model) nextChange(dir int) {
	p := m.exp.Profile(m.side)
	if dir > 0 {
		if c, ok := p.Next(m.budget()); ok {
			m.toBudget(c.At)
		} else {
			m.message = "]: nothing changes above, up to the axis end at " + p.Axis().End().String()
		}
		return
	}
	if c, ok := p.Prev(m.budget()); ok {
		m.toBudget(c.At)
	} else {
		m.message = "[: nothing changes below"
	}
}

func (m *Model) nextOfItem(dir int) {
	i, _ := m.selected()
	p := m.exp.Profile(m.side)
	if dir > 0 {
		if b, ok := p.NextFor(i, m.budget()); ok {
			m.toBudget(b)
		} else {
			m.message = fmt.Sprintf("}: %s neither enters nor leaves above, up to the axis end at %v", hintOf(i), p.Axis().End())
		}
		return
	}
	if b, ok := p.PrevFor(i, m.budget()); ok {
		m.toBudget(b)
	} else {
		m.message = fmt.Sprintf("{: %s is the same at all smaller budgets", hintOf(i))
	}
}

// fit goes to where the selected item stays in, or, if that is where we are,
// to where it is first in.
func (m *Model) fit() {
	if len(m.chosen) > 1 {
		m.fitAll(m.targets())
		return
	}
	i := m.targets()[0]
	s := m.exp.Profile(m.side).Summary(i)
	switch {
	case m.exp.Items().Pinned(i) && s.First.Set && m.budget() >= s.First.Value:
		m.message = fmt.Sprintf("=: %s is pinned, so it is in here and at every larger budget", hintOf(i))
	case !s.First.Set:
		m.message = fmt.Sprintf("=: %s is in at no budget up to the axis end", hintOf(i))
	case s.Stays.Set && m.budget() != s.Stays.Value:
		m.toBudget(s.Stays.Value)
	case m.budget() != s.First.Value:
		m.toBudget(s.First.Value)
	default:
		m.message = fmt.Sprintf("=: %s is first in here and stays in", hintOf(i))
	}
}

func (m *Model) storeAsB() {
	now := m.exp.Setup()
	m.apply(now.WithPolicy(experiment.B, now.Policy[experiment.A].Clone()), experiment.Label{Name: "A stored as B"}, "")
}

func (m *Model) swap() {
	now := m.exp.Setup()
	next := now.WithPolicy(experiment.A, now.Policy[experiment.B]).WithPolicy(experiment.B, now.Policy[experiment.A])
	m.apply(next, experiment.Label{Name: "A and B swapped"}, "")
}

// openFilter asks for a query; what is shown follows every key.
func (m *Model) openFilter() tea.Cmd {
	before := m.filter
	set := func(text string) error {
		q, err := query.Parse(text)
		if err == nil {
			m.setFilter(q)
		}
		return err
	}
	return m.ask(screen.Question{
		Label:   "filter:",
		Help:    `#12  kind:tool  file:a.md  is:in|out|risk|pinned|dup|parted  tok>500  first<32k  stays<32k  score>=.5  "text"  -not`,
		Typed:   set,
		Done:    func(text string) (tea.Cmd, error) { return nil, set(text) },
		Cancel:  func() { m.setFilter(before) },
		Suggest: func(text string) []string { return query.Complete(text, m.session.Items.Kinds()) },
		Text:    m.filter.String(),
	})
}

// openSave asks where to write the scenario.
func (m *Model) openSave() tea.Cmd {
	path := m.session.SavePath
	if path == "" {
		path = "scenario.json"
	}
	return m.askPath("write scenario to:", path, "a JSON file that cupelscope opens again; enter writes, esc cancels", m.ownPath(),
		func(path string) (tea.Cmd, error) {
			sc, err := m.session.scenario(m.exp)
			if err == nil {
				err = m.session.Save(path, sc)
			}
			if err != nil {
				return nil, fmt.Errorf("not written: %w", err)
			}
			m.session.SavePath, m.saved, m.session.saveStamp = path, m.exp.Setup(), stampOf(path)
			m.message = "written to " + path
			return nil, nil
		})
}

// ownPath is the file that the session came from, if it is still as it was
// when it was read or written; else "".
func (m *Model) ownPath() string {
	path := m.session.SavePath
	if path != "" && stampOf(path) != m.session.saveStamp && stampOf(path) != (stamp{}) {
		return ""
	}
	return path
}

func (m *Model) openEditor() {
	m.closeAll()
	m.open(policy.New(app{m}))
}

// openSavePolicy asks where to write the policy of the side being edited.
func (m *Model) openSavePolicy() tea.Cmd {
	policy := m.exp.Setup().Policy[m.side]
	return m.askPath("write policy "+m.side.String()+" to:", "policy.json", "JSON that Cupel's .NET library loads; enter writes, esc cancels", "",
		func(path string) (tea.Cmd, error) {
			if err := m.session.SavePolicy(path, policy); err != nil {
				return nil, fmt.Errorf("not written: %w", err)
			}
			m.message = "policy " + m.side.String() + " written to " + path
			return nil, nil
		})
}

// openLoadPolicy asks which policy to open for the side being edited.
func (m *Model) openLoadPolicy() tea.Cmd {
	return m.pick(picker.Question{
		Title:  "Open a policy for " + m.side.String(),
		Folder: ".",
		Help:   "a file in Cupel's JSON; or type a preset: " + strings.Join(presetNames(), ", "),
		Likely: []string{".json"},
		Words:  presetNames(),
		Done: func(path string) (tea.Cmd, error) {
			p, ok := model.Preset(path)
			if !ok {
				var err error
				if p, err = m.session.LoadPolicy(path); err != nil {
					return nil, err
				}
			}
			m.apply(m.exp.Setup().WithPolicy(m.side, p), experiment.Label{Name: "policy " + m.side.String() + " from " + path}, "")
			return nil, nil
		},
	})
}

// openOther asks for another source and loads it; until it is there, and if it
// cannot be loaded, this one stays.
func (m *Model) openOther() tea.Cmd {
	confirmed := false
	return m.pick(picker.Question{
		Title:   "Open in place of " + plain.Line(m.session.Name, 40),
		Folder:  filepath.Dir(m.session.SavePath),
		Help:    "a conversation, an item set, a scenario, or a folder of texts",
		Likely:  []string{".json", ".jsonl", ".md", ".txt"},
		Folders: true,
		Done: func(path string) (tea.Cmd, error) {
			if m.unsaved() && !confirmed {
				confirmed = true
				return nil, errors.New("there are unsaved changes; enter again opens without them")
			}
			return m.startLoad(path, false, func(ctx context.Context) (*Session, error) { return m.opts.OpenOther(ctx, path) }), nil
		},
	})
}

// pick lets a file be picked; what is shown waits behind it.
func (m *Model) pick(q picker.Question) tea.Cmd {
	m.message = ""
	p, read := picker.New(app{m}, q)
	m.open(p)
	return read
}

func presetNames() []string {
	var all []string
	for _, p := range model.Presets() {
		all = append(all, p.Name)
	}
	return all
}

// askPath asks for the name of a file to write. A file that is there already is
// overwritten only when asked twice, but for own, which came from there.
func (m *Model) askPath(label, path, help, own string, write func(path string) (tea.Cmd, error)) tea.Cmd {
	confirmed := ""
	return m.ask(screen.Question{
		Label: label, Help: help,
		Done: func(text string) (tea.Cmd, error) {
			if text == "" {
				return nil, errors.New("type the name of a file")
			}
			if _, err := os.Stat(text); err == nil && text != own && confirmed != text {
				confirmed = text
				if text == m.session.SavePath {
					return nil, errors.New("it has changed since it was opened; enter again overwrites it, esc and r read it again")
				}
				return nil, fmt.Errorf("%s exists; enter again overwrites it", text)
			}
			return write(text)
		},
		Suggest: input.Paths(),
		Text:    path,
	})
}

// toKnob puts the keys on a knob: in the policy editor for quotas.
func (m *Model) toKnob(id experiment.KnobID) {
	if id == experiment.Quotas {
		m.openEditor()
		return
	}
	m.knobs.Select(id)
	m.focus = onKnobs
	m.message = "h and l turn it, enter types a value, esc goes back"
}
