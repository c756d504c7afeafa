package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/simulate/relevance"
	"cupelscope/simulate/session"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/work"
)

// asking scores the items by the query of the setup, where it has not scored them
// yet.
type asking struct{ *sessionState }

// scoring names the work: a query over the items of a session, however they are
// counted meanwhile.
type scoring struct {
	text string
	of   *Session
}

// Job is the query that the setup waits for.
func (a asking) Job() (work.Job, bool) {
	if a.exp == nil {
		return work.Job{}, false
	}
	text, items, is := a.exp.Unscored()
	if !is {
		return work.Job{}, false
	}
	return work.Job{Key: scoring{text, a.session}, Cost: experiment.ScoreCost(items), Run: func(ctx context.Context) (any, error) {
		return experiment.Score(ctx, text, items)
	}}, true
}

// Done takes the hints, but for those of a session that is there no more.
func (a asking) Done(key, result any, err error) {
	if q, ok := result.(model.Query); ok && err == nil && key.(scoring).of == a.session {
		a.exp.Scored(q)
	}
}

// openQuery asks what to score the items by; the scores follow every key.
func (m *Model) openQuery() tea.Cmd {
	before := m.exp.Setup().Edits
	ask := func(text string) error {
		if err := relevance.Check(text); err != nil {
			return err
		}
		m.askFor(m.exp.Setup().WithQuery(text))
		return nil
	}
	return m.ask(screen.Question{
		Label: "query:",
		Help:  "a question that scores the items without relevance (BM25); empty: none",
		Text:  before.Query.Text,
		Typed: ask,
		Done: func(text string) (tea.Cmd, error) {
			err := ask(text)
			if setup := m.exp.Setup(); err == nil && setup.Edits.Query.Scored() && !setup.Edits.Query.IsZero() {
				m.messages.say(session.QueryNote(m.exp.Whole(), setup.Edits.Query, setup.Policy[m.side]))
			}
			return nil, err
		},
		Cancel: func() {
			next := m.exp.Setup()
			next.Edits = next.Edits.WithQuery(before.Query)
			m.askFor(next)
		},
	})
}

// askFor makes a change of the query, one with those typed before it.
func (m *Model) askFor(next experiment.Setup) {
	now := m.exp.Setup().Edits.Query
	if next.Edits.Query.Equal(now) {
		return
	}
	shown := func(text string) string {
		if text == "" {
			return "none"
		}
		return text
	}
	label := experiment.Label{Name: "query", From: shown(now.Text), To: shown(next.Edits.Query.Text)}
	m.messages.answer(m.apply(next, label, experiment.Query))
	m.messages.retract(simulate.Unscored)
}
