package explorer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/itemset"
	"cupelscope/model/itemset/sessions"
	"cupelscope/model/plain"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/work"
)

// This file has the lists that a source is opened from: the runs of a source that holds several,
// and the sessions of agents on this machine.

// severalError says that a source holds several runs, which choices can list.
type severalError struct {
	*itemset.SelectError
	choices *session.Choices
}

func (e *severalError) Unwrap() error { return e.SelectError }

// several turns the error that a run must be selected into an error that lists the runs, where the
// source can be read again.
func several(choices *session.Choices, err error) error {
	which, ok := errors.AsType[*itemset.SelectError](err)
	if !ok || which.Selected > 0 || choices.Options.Reloadable() != nil {
		return err
	}
	return &severalError{which, choices}
}

// feed runs list in the background until list returns or stop is called. next waits for the
// next state that list passes to put; false: there are no more.
func feed(parent context.Context, list func(ctx context.Context, put func(overlay.ListState))) (next func() (overlay.ListState, bool), stop func()) {
	ctx, stop := context.WithCancel(parent)
	states := make(chan overlay.ListState)
	go func() {
		defer close(states)
		list(ctx, func(state overlay.ListState) {
			select {
			case states <- state:
			case <-ctx.Done():
			}
		})
	}()
	return func() (overlay.ListState, bool) {
		state, ok := <-states
		return state, ok
	}, stop
}

// openRuns lists the runs of a source. At is the number of the run that is open, 0: none;
// refused says why the run that was chosen before did not open.
func (m *Model) openRuns(choices *session.Choices, at int, refused error) tea.Cmd {
	source := choices.Options.Sources[0]
	about := m.theme.Glyphs.About
	next, stop := feed(m.ctx, func(ctx context.Context, put func(overlay.ListState)) { listRuns(ctx, choices, about, put) })
	return m.openReading(overlay.NewListing(m.screenApp(), overlay.ListQuestion{
		Title:   "Open  runs of " + plain.Tail(source, 40),
		Columns: []overlay.ListColumn{{Heading: "number", Width: 6, Right: true}, {Heading: "title"}, {Heading: "items", Width: 6, Right: true}, {Heading: "tokens", Width: 8, Right: true, From: 60}, {Heading: "time", Width: 16, From: 90}},
		At:      strconv.Itoa(at),
		Refused: refused,
		Next:    next,
		Closed:  stop,
		Other:   m.openSessions, OtherHint: "another source",
		Open: m.sure(func(key string) (tea.Cmd, error) {
			number, err := strconv.Atoi(key)
			if err != nil {
				return nil, err
			}
			return m.startLoad(source+" --select "+key, func(ctx context.Context) (*Workspace, error) {
				s, err := OpenChosen(ctx, choices.Selecting(number))
				if err == nil {
					s.runs, s.run = choices, number
				}
				return s, err
			}, m.loaded), nil
		}),
	}))
}

// chooseFirst passes a key to a list while nothing is open. Where the list of runs closes without a
// choice, the screen says that a run must be selected, as it says why a source could not be opened.
func (m *Model) chooseFirst(msg tea.KeyPressMsg) tea.Cmd {
	cmd := m.specOf(m.top()).Key(msg)
	if which := m.load.unchosen; which != nil && !m.typing() && !m.load.Running() {
		m.load.failed, m.load.unchosen, m.load.source = which, nil, which.choices.Options.Sources[0]
	}
	return tea.Batch(cmd, m.settle())
}

// sure returns a function that calls open, but while there are unsaved changes refuses the
// first call.
func (m *Model) sure(open func(string) (tea.Cmd, error)) func(string) (tea.Cmd, error) {
	confirmed := false
	return func(what string) (tea.Cmd, error) {
		if m.exp != nil && m.unsaved() && !confirmed {
			confirmed = true
			return nil, errors.New("there are unsaved changes; enter again opens without them")
		}
		return open(what)
	}
}

// listRuns passes the runs of a source to put, in steps that grow with their number.
func listRuns(ctx context.Context, choices *session.Choices, about string, put func(overlay.ListState)) {
	var state overlay.ListState
	closed, first, told := 0, session.ListedRun{}, 0
	state.Err = choices.Runs(ctx, func(run session.ListedRun) {
		if run.Err == nil {
			state.Rows = append(state.Rows, runRow(run, about))
		} else if closed++; closed == 1 {
			first = run
		}
		if n := len(state.Rows); n > told+told/2 {
			told = n
			state.Note = plain.Count(n, "run") + " so far"
			put(state)
		}
	})
	state.Note = plain.Count(len(state.Rows), "run")
	if closed > 0 {
		state.Note += fmt.Sprintf("; %s cannot be opened, as number %d: %v", plain.Thousands(closed), first.Number, first.Err)
	}
	state.Done = true
	put(state)
}

// runRow is the row of a run. About marks what is estimated.
func runRow(run session.ListedRun, about string) overlay.ListRow {
	number, when, tokens := strconv.Itoa(run.Number), "", run.Tokens.String()
	if run.Time.Set {
		when = run.Time.Value.UTC().Format("2006-01-02 15:04")
	}
	if run.Estimated {
		tokens = about + run.Tokens.Short()
	}
	return overlay.ListRow{
		Key: number, Cells: []string{number, run.Title, plain.Thousands(run.Items), tokens, when},
		Found: strings.ToLower(number + " " + run.Title + " " + when),
	}
}

// openSessions lists the sessions of this machine, or asks for a file if there are none.
// Typed is what is searched at first.
func (m *Model) openSessions(typed string) tea.Cmd {
	if m.opts.Sessions.Home == "" {
		return m.openFile(typed)
	}
	now := m.opts.Now()
	next, stop := feed(m.ctx, func(ctx context.Context, put func(overlay.ListState)) { listSessions(ctx, m.opts.Sessions, now, put) })
	open := func(follow bool) func(string) (tea.Cmd, error) {
		return m.sure(func(path string) (tea.Cmd, error) {
			return m.startLoad(path, func(ctx context.Context) (*Workspace, error) {
				s, err := m.opts.OpenOther(ctx, path)
				if err == nil && follow && s.Follow != nil {
					s.following = s.Follow()
				}
				return s, err
			}, m.loaded), nil
		})
	}
	return m.openReading(overlay.NewListing(m.screenApp(), overlay.ListQuestion{
		Title:   "Open  sessions of this machine",
		Typed:   typed,
		Columns: []overlay.ListColumn{{Heading: "agent", Width: 11}, {Heading: "project", Width: 14, From: 76}, {Heading: "first request"}, {Heading: "size", Width: 7, Right: true}, {Heading: "age", Width: 7, Right: true}},
		Next:    next,
		Closed:  stop,
		Open:    open(false), Follow: open(true),
		Other: m.openFile, OtherHint: "files", OtherIfNone: true,
	}))
}

// firstListed is how many sessions are looked at before the list is shown again; each later
// step is twice as long.
const firstListed = 100

// listSessions passes the sessions of a machine to put: first by their names, then with
// what their first rows say.
func listSessions(ctx context.Context, in sessions.Places, now time.Time, put func(overlay.ListState)) {
	found, err := sessions.Find(ctx, in)
	if err != nil {
		return // ctx has ended
	}
	n := len(found.Sessions)
	rows := make([]overlay.ListRow, n)
	for i := range rows {
		rows[i] = sessionRow(&found.Sessions[i], now)
	}
	show := func(done bool) {
		sorted := make([]overlay.ListRow, 0, n)
		for _, here := range [...]bool{true, false} {
			for i, row := range rows {
				if found.Sessions[i].Here == here {
					sorted = append(sorted, row)
				}
			}
		}
		note := plain.Count(n, "session") + ", newest first"
		if here := found.Here(); here > 0 {
			note += ", " + plain.Thousands(here) + " of this project on top"
		}
		note += "; read are names, sizes, first rows"
		if len(found.Errors) > 0 {
			note = fmt.Sprintf("not read: %v; ", found.Errors[0]) + note
		}
		put(overlay.ListState{Rows: sorted, Note: note, Done: done})
	}
	for from, step := 0, firstListed; from < n && ctx.Err() == nil; from, step = from+step, 2*step {
		show(false)
		to := min(n, from+step)
		found.Look(ctx, from, to)
		for i := from; i < to; i++ {
			rows[i] = sessionRow(&found.Sessions[i], now)
		}
	}
	show(true)
}

func sessionRow(s *sessions.Session, now time.Time) overlay.ListRow {
	project := plain.Line(filepath.Base(filepath.FromSlash(s.Project)), 60)
	if s.Project == "" {
		project = ""
	}
	request, age := plain.Line(s.Request, 200), plain.Age(now.Sub(s.Changed))
	if s.Running(now) {
		age = "running"
	}
	if s.Err != nil {
		request = plain.Line(s.Err.Error(), 200)
	}
	return overlay.ListRow{
		Key: s.Path, Cells: []string{s.Agent, project, request, plain.Bytes(s.Bytes), age},
		Found: strings.ToLower(strings.Join([]string{s.Agent, plain.Line(s.Project, 200), request}, " ")),
	}
}

// openSource lists what another source can be opened from: the runs of the open source, the
// sessions of this machine, the files of a folder.
func (m *Model) openSource() tea.Cmd {
	if m.workspace != nil && m.workspace.runs != nil {
		return m.openRuns(m.workspace.runs, m.workspace.run, nil)
	}
	return m.openSessions("")
}

// countSessions counts the sessions of this machine in the background, and says beside the
// introduction of the first fixture that is opened that there are some.
func (m *Model) countSessions() tea.Cmd {
	if !m.workspace.Sample || m.load.counted || m.opts.Sessions.Home == "" {
		return nil
	}
	m.load.counted = true
	places, ctx := m.opts.Sessions, m.ctx
	return func() tea.Msg {
		found, err := sessions.Find(ctx, places)
		return work.Then(func() tea.Cmd {
			if n := len(found.Sessions); err == nil && n > 0 && m.messages.intro != nil {
				m.messages.introKeys = append(m.messages.introKeys, fmt.Sprintf("%s of yours: %s", plain.Count(n, "session"), m.keyOf("source.open")))
			}
			return nil
		})
	}
}
