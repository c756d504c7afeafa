package explorer

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/work"
)

// tuneQuestion is what to search a policy for.
type tuneQuestion struct {
	quality.TuneOptions
	Budget model.Budget // the template for the amount At, unless that is each case's own
	Group  string       // see session.NewLabelled
	Marked bool         // marks were made on the screen, which the search does not have
}

// marksLeft is shown to a user who marked items as needed on the screen: the search
// reads all cases anew.
const marksLeft = "labels of the source are used, not the marks made here"

// tuning is the lane that searches. The search writes its progress, which is read when the
// screen is drawn.
type tuning struct {
	work.Lane
	asked    tuneQuestion
	progress *atomic.Pointer[quality.TuneProgress]
	// stopping says that the user has ended the search, whose answer is still to come.
	stopping bool
}

// tuner returns Workspace.Tune for what is opened with choices, or why it is not possible.
func tuner(choices *session.Choices) (func(context.Context, tuneQuestion) (*quality.Tuning, error), error) {
	if len(choices.Options.Sources) == 0 {
		return nil, errors.New("tune needs several cases, such as a BEIR folder")
	}
	if err := choices.Options.Reloadable(); err != nil {
		return nil, err
	}
	return func(ctx context.Context, q tuneQuestion) (*quality.Tuning, error) {
		cases, err := choices.Siblings(ctx, q.Group)
		if err != nil {
			return nil, err
		}
		cases.Jobs = q.Processors
		cases.Accept([]quality.Amount{q.At})
		if !cases.Fallback.Policy.Set { // of a line without a policy: the search has its own
			cases.Fallback.Policy = model.Some(q.Current)
		}
		failed, first := 0, ""
		cases.Failed = func(name string, err error) {
			if failed++; failed == 1 {
				first = fmt.Sprintf("%s: %v", name, err)
			}
		}
		made, err := quality.Tune(ctx, func(yield func(*quality.Case, error) bool) {
			failed = 0
			for c, err := range cases.All(ctx) {
				if err == nil && !q.At.Own {
					c.Budget = q.Budget
				}
				if !yield(c, err) {
					return
				}
			}
		}, q.TuneOptions)
		if err != nil && failed > 0 && ctx.Err() == nil {
			err = fmt.Errorf("%w; %s cannot be read, first %s", err, plain.Count(failed, "case"), first)
		}
		return made, err
	}, nil
}

// startTune searches in the background.
func (m *Model) startTune(q tuneQuestion) tea.Cmd {
	t, tune := &m.tune, m.workspace.Tune
	progress := new(atomic.Pointer[quality.TuneProgress])
	q.Progress = func(p quality.TuneProgress) { progress.Store(&p) }
	q.Processors = max(1, runtime.GOMAXPROCS(0)-1) // keys need one too
	t.asked, t.progress, t.stopping = q, progress, false
	return t.Run(m.ctx, func(ctx context.Context) work.Then {
		made, err := tune(ctx, q)
		return func() tea.Cmd { m.tuned(q, made, err); return nil }
	})
}

// stop ends the search; its answer is the best policy so far.
func (t *tuning) stop() {
	t.stopping = true
	t.Cancel()
}

// tell shows the progress on the message line.
func (t *tuning) tell(m *messages, spin string) {
	if !t.Running() {
		return
	}
	text := spin + " tuning, esc stops that"
	if t.stopping {
		text = spin + " tuning stops"
	}
	if p := t.progress.Load(); p != nil {
		text += ": " + p.Words(t.asked.Objective)
	}
	m.tell(text)
}

// tuneCommand is the command of the palette.
func (m *Model) tuneCommand() palette.Command {
	return palette.Command{Group: policies, Text: "tune: search for a policy that lets in more of the needed items, over the cases of the source",
		Words: "recall labels optimise optimize better best policy", Why: m.whyNoTune(), Run: m.openTune}
}

// whyNoTune returns why no search can begin now, or "".
func (m *Model) whyNoTune() string {
	switch {
	case m.tune.Running():
		return "it is searching already; esc stops it"
	case m.workspace.Tune == nil:
		return m.workspace.NoTune.Error()
	}
	return ""
}

// openTune asks what to tune for.
func (m *Model) openTune() tea.Cmd {
	if why := m.whyNoTune(); why != "" {
		m.messages.refuse("tune: " + why)
		return nil
	}
	help := "recall, complete, answered, value, budget; at 4k, 50%, own; by FIELD: groups; cupel: its policies only"
	if m.marked() {
		help = marksLeft + "; " + help
	}
	return m.ask(screen.Question{
		Label:   "tune for:",
		Help:    help,
		Text:    fmt.Sprintf("%s at %d", quality.ForRecall, int64(m.budget())),
		Suggest: suggestTune,
		Typed: func(text string) error {
			_, err := m.tuneQuestion(text)
			return err
		},
		Done: func(text string) (tea.Cmd, error) {
			q, err := m.tuneQuestion(text)
			if err != nil {
				return nil, err
			}
			cmd := m.startTune(q)
			m.tune.tell(&m.messages, m.waiting.Spin())
			return tea.Batch(cmd, m.watch()), nil
		},
	})
}

// marked reports whether what is needed differs from what the source says.
func (s *workspaceState) marked() bool { return !s.exp.EndSetup().Labels.Equal(s.workspace.Labels) }

// suggestTune completes the last word with an objective.
func suggestTune(text string) []string {
	words := strings.Fields(text)
	if len(words) != 1 {
		return nil
	}
	var all []string
	for _, o := range quality.Objectives() {
		if strings.HasPrefix(string(o), strings.ToLower(words[0])) {
			all = append(all, string(o)+" at ")
		}
	}
	return all
}

// tuneQuestion reads "recall at 4000 by talk cupel": the words may come in any order,
// and what is not said is recall at the budget of the screen.
func (s *workspaceState) tuneQuestion(text string) (tuneQuestion, error) {
	setup := s.exp.Setup()
	budget, err := model.NewBudget(setup.Budget)
	if err != nil {
		return tuneQuestion{}, err
	}
	q := tuneQuestion{Budget: budget, Marked: s.marked(), TuneOptions: quality.TuneOptions{
		Objective: quality.ForRecall, At: quality.Amount{Tokens: s.budget()}, Wanted: setup.Wanted / 100, Seed: 1,
		Current: setup.Policy[experiment.A], Data: s.workspace.Name,
	}}
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		word, next := strings.ToLower(words[i]), ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case slices.Contains(quality.Objectives(), quality.Objective(word)):
			q.Objective = quality.Objective(word)
		case (word == "at" || word == "by") && next == "":
			return q, fmt.Errorf("%s what? As in: recall at 4000 by source", word)
		case word == "at":
			if q.At, err = quality.ParseAmount(next); err != nil {
				return q, err
			}
			i++
		case word == "by":
			q.Group = next
			i++
		case word == "cupel":
			q.CupelOnly = true
		default:
			return q, fmt.Errorf("%.30q is not understood; as in: recall at 4000, budget at 50%%, recall at own by source", words[i])
		}
	}
	return q, nil
}

// tuned offers the answer of a search as policy B, if it is better.
func (m *Model) tuned(asked tuneQuestion, made *quality.Tuning, err error) {
	m.messages.endProgress()
	note := ""
	if asked.Marked {
		note = "; " + marksLeft
	}
	switch {
	case err != nil && m.tune.stopping:
		m.messages.say("tuning stopped: there was no best yet")
		return
	case err != nil:
		m.messages.announce("not tuned: " + strings.TrimPrefix(err.Error(), "tune: ") + note)
		return
	}
	best, o := &made.Best, asked.Objective
	text := fmt.Sprintf("%s at %s, held out: tuned %s, A %s; %s, %s; %s", o, asked.At, o.Says(best.HeldOut), o.Says(best.Current),
		plain.Count(made.Cases, "case"), plain.Count(made.Groups, "group"), strings.TrimPrefix(made.Why, "held out, "))
	if made.Stopped {
		text += "; stopped before the search was done"
	}
	m.messages.announce(text + note)
	if !made.Recommended {
		m.messages.say("no change recommended; B stays as it is")
		return
	}
	ours := ""
	if len(best.NotCupel) > 0 {
		ours = " (not Cupel's)"
	}
	err = m.apply(screen.To(m.exp.Setup().WithPolicy(experiment.B, best.Policy), experiment.Label{Name: "B tuned"}))
	if err != nil {
		m.messages.refuse("B tuned: " + err.Error())
		return
	}
	m.messages.say("B tuned, 2 compares, u undoes: " + best.Says + ours)
}
