package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/simulate/query"
	"cupelscope/tui/experiment"
	"cupelscope/tui/overlay/policy"
	"cupelscope/tui/screen"
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

func (m *Model) openEditor() {
	m.closeAll()
	m.open(policy.New(app{m}))
}
