package explorer

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/simulate/relevance"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/work"
)

// queryScoring is the worker that scores the items by the query of the setup.
type queryScoring struct{ *workspaceState }

// queryKey is the key of its job. It names the session and not its items, because token
// counts that arrive meanwhile replace the items but do not change the scores.
type queryKey struct {
	text string
	of   *Workspace
}

// Job returns the scoring of a query that has no scores yet; false if there is none.
func (a queryScoring) Job() (work.Job, bool) {
	if a.exp == nil {
		return work.Job{}, false
	}
	text, items, is := a.exp.Unscored()
	if !is {
		return work.Job{}, false
	}
	return work.Job{Key: queryKey{text, a.workspace}, Run: work.Pass(func(ctx context.Context) (model.Query, error) {
		return experiment.Score(ctx, text, items)
	}, func(q model.Query, err error) {
		if err == nil {
			a.exp.Scored(q)
		}
	})}, true
}

// openQuery opens the prompt for the query. The items are scored anew after every key,
// and esc restores the query before.
func (m *Model) openQuery() tea.Cmd {
	before := m.exp.Setup().Edits
	ask := func(text string) error {
		if err := relevance.Check(text); err != nil {
			return err
		}
		m.applyQuery(m.exp.Setup().WithQuery(text))
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
			m.applyQuery(next)
		},
	})
}

// applyQuery applies a setup with another query. All keys of one query merge into one
// change for undo.
func (m *Model) applyQuery(next experiment.Setup) {
	now := m.exp.Setup().Edits.Query
	if next.Edits.Query.Equal(now) {
		return
	}
	label := experiment.Label{Name: "query", From: cmp.Or(now.Text, "none"), To: cmp.Or(next.Edits.Query.Text, "none")}
	c := screen.To(next, label)
	c.Merge = experiment.Query
	m.carryOut(c, nil)
	m.messages.retract(unscored)
}
