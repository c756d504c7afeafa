package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/tokens"
	"cupelscope/simulate/query"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/pane"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
	"cupelscope/tui/work"
)

// focus is which part the cursor keys move in.
type focus int

const (
	onTable focus = iota
	onKnobs
)

type noticeKind int

const (
	noticeLesson noticeKind = iota
	noticeWarn
)

type notice struct {
	text string
	kind noticeKind
}

// Model is the explorer's state. It implements tea.Model.
type Model struct {
	opts Options
	ctx  context.Context
	stop context.CancelFunc
	now  func() time.Time
	// after sends a message when that time has passed.
	after func(time.Duration, tea.Msg) tea.Cmd

	width, height int
	theme         *theme.Theme
	canvas        draw.Canvas
	frame         string
	dirty         bool

	failed   error // loading failed
	session  *Session
	exp      *experiment.Experiment
	original experiment.Setup
	saved    experiment.Setup // what was last written, or loaded

	side  experiment.Side
	focus focus

	views   []screen.View
	shown   int               // the view on the screen
	back    model.Option[int] // the view that esc leads back to
	keys    []bound
	chosen  map[int]bool // items that keys act on together
	inOrder []int        // they, ascending; nil: not known
	filter  query.Query  // what the views show
	curve   pane.Curve
	knobs   pane.Knobs
	whatIf  pane.WhatIf
	best    widget.Best
	stack   []screen.Screen // over the view, the topmost last

	first    bool   // nothing was shown yet
	message  string // answers the last key if it changed nothing
	notices  []notice
	quitting bool // q was answered by a question

	load       loading
	count      work.Lane
	progress   tokens.Progress // of the count
	allCounted bool            // the count came to its end
	sides      [2]*sideWork
	pool       *work.Pool
	resting    int // the question that waits for the cursor to stay
	waiting    *widget.Waiting
	watching   bool // a look at how far work is is due

	// Where things are in the frame that is shown, for the mouse.
	layout Layout
	tabAt  []draw.Rect
	hinted []screen.Hint
	hintAt []draw.Rect
	drag   drag
}

// New makes the explorer. Nothing is loaded before Init's command runs.
func New(ctx context.Context, opts Options) *Model {
	m := &Model{opts: opts, now: opts.Now, dirty: true, chosen: map[int]bool{}}
	m.ctx, m.stop = context.WithCancel(ctx)
	if m.now == nil {
		m.now = time.Now
	}
	m.after = func(d time.Duration, msg tea.Msg) tea.Cmd { return tea.Tick(d, func(time.Time) tea.Msg { return msg }) }
	m.pool = work.NewPool(m.ctx)
	m.sides = [2]*sideWork{{m: m, side: experiment.A}, {m: m, side: experiment.B}}
	m.views = newViews(app{m})
	m.keys = m.gather()
	m.restyle(opts.Theme)
	return m
}

func (m *Model) restyle(name theme.Name) {
	if m.opts.NoColor {
		name = theme.NoColor
	}
	m.theme = theme.New(name, m.opts.ASCII)
	m.waiting = widget.NewWaiting(m.theme)
}

// Run explores until the user quits or ctx ends: signals are the caller's to
// turn into the end of ctx, because Bubble Tea's own handler and the end of the
// context would wait for each other. Errors are those of the terminal, or the
// loading error that the user saw on the screen.
func Run(ctx context.Context, opts Options, options ...tea.ProgramOption) error {
	m := New(ctx, opts)
	defer m.stop()
	_, err := tea.NewProgram(m, append([]tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFilter(coalesce(time.Now))}, options...)...).Run()
	if errors.Is(err, tea.ErrInterrupted) || errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("running the explorer: %w", err)
	}
	return m.failed
}

// Init starts loading and asks for the terminal's background colour.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.startLoad(m.opts.Source, false, m.opts.Open), tea.RequestBackgroundColor)
}

// Update takes one message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.dirty = true
		return m, m.settle() // more may be shown now
	case tea.BackgroundColorMsg:
		if m.opts.Theme == theme.Auto || m.opts.Theme == "" {
			name := theme.Light
			if msg.IsDark() {
				name = theme.Dark
			}
			m.restyle(name)
			m.dirty = true
		}
	case tea.KeyPressMsg:
		m.dirty = true
		return m, m.key(msg)
	case tea.MouseMsg:
		return m, m.mouse(msg)
	case tea.PasteMsg:
		m.dirty = true
		return m, m.paste(msg)
	case loadedMsg:
		m.dirty = true
		return m, m.loaded(msg)
	case countMsg:
		m.dirty = true
		return m, m.counted(msg)
	case fileMsg:
		m.dirty = true
		m.fileWritten(msg)
	case restMsg:
		m.dirty = true
		return m, m.rested(msg)
	case progressMsg:
		m.watching = false
		if m.running() {
			m.dirty = true
			m.waiting.Step()
			m.tellLoading()
		}
		return m, m.watch()
	case work.Answer:
		m.dirty = true
		return m, m.answered(msg)
	default:
		var cmds []tea.Cmd
		for _, v := range m.views {
			if u, ok := v.(screen.Updater); ok {
				cmds = append(cmds, u.Update(msg))
			}
		}
		for _, s := range m.stack {
			if u, ok := s.(screen.Updater); ok {
				cmds = append(cmds, u.Update(msg))
			}
		}
		m.dirty = true
		return m, tea.Batch(cmds...)
	}
	return m, nil
}

// loaded begins the experiment.
func (m *Model) loaded(msg loadedMsg) tea.Cmd {
	if !m.load.End(msg.generation) {
		return nil
	}
	if msg.again {
		return m.reloaded(msg)
	}
	s, err := msg.session, msg.err
	var exp *experiment.Experiment
	var setup experiment.Setup
	if err == nil {
		setup = s.setup()
		if exp, err = experiment.New(s.Items, setup); err == nil {
			exp.Link(s.Pairs)
		}
	}
	switch {
	case err != nil && m.exp != nil: // another source was asked for: this one stays
		m.message = "not opened: " + err.Error()
		return nil
	case err != nil:
		m.failed = err
		return nil
	}
	m.reset()
	m.session, m.exp, m.original, m.saved = s, exp, setup, setup
	for _, w := range s.Warnings {
		m.notices = append(m.notices, notice{w, noticeWarn})
	}
	if s.Lesson != "" {
		m.notices = append(m.notices, notice{s.Lesson, noticeLesson})
	}
	cmds := []tea.Cmd{m.settle()}
	m.first = true
	cmds = append(cmds, m.pointOut())
	cmds = append(cmds, m.start())
	if s.Count != nil {
		cmds = append(cmds, m.startCount())
	}
	return tea.Batch(cmds...)
}

// reset forgets everything that belongs to the session before.
func (m *Model) reset() {
	m.pool.DropAll()
	m.count.Drop()
	m.allCounted = false
	m.closeAll()
	m.curve, m.best = pane.Curve{}, widget.Best{}
	for _, v := range m.views {
		v.Reset()
	}
	m.setFilter(query.Query{})
	m.knobs, m.whatIf = pane.Knobs{}, pane.WhatIf{}
	m.focus, m.side = onTable, experiment.A
	m.notices, m.message = nil, ""
	m.chosen, m.inOrder = map[int]bool{}, nil
	m.interrupt()
}

// interrupt closes what refers to the items that were there until now: what is
// being typed.
func (m *Model) interrupt() {
	m.closeIf(func(s screen.Screen) bool { _, types := s.(screen.Typist); return types })
	m.quitting = false
}

// pointOut puts the cursor where the first screen of a small set has most to
// tell: on an item that is at risk, once there is a result.
func (m *Model) pointOut() tea.Cmd {
	o := m.exp.Outcome(m.side)
	if !m.first || o == nil {
		return nil
	}
	m.first = false
	if len(o.Lost) > 0 && o.Items.Len() <= smallSet {
		m.items().Select(int(o.Lost[0]))
	}
	return m.work(work.Inline)
}

// smallSet is how many items a person can look through.
const smallSet = 200

// refresh brings the panes up to date with the experiment.
func (m *Model) refresh() {
	if m.exp == nil {
		return
	}
	m.knobs.Set(m.exp.Knobs(m.side, m.original))
	for _, s := range m.stack {
		if a, ok := s.(screen.Arranger); ok {
			a.Arrange(m.exp, m.side)
		}
	}
	if v, ok := m.view().(screen.Fitter); ok {
		l, _, _, _ := m.lay()
		v.Fit(l.Main, l.Shape == Full, m.theme)
	}
	m.view().Arrange(m.exp, m.side) // the others are arranged when they are shown
}

// budget is the current maxTokens.
func (m *Model) budget() model.Tokens { return m.exp.Setup().Budget.MaxTokens }

// View returns the frame.
func (m *Model) View() tea.View {
	if m.dirty {
		m.frame = m.render()
		m.dirty = false
	}
	v := tea.NewView(m.frame)
	v.AltScreen = true
	if !m.opts.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if x, y, shown := m.canvas.Cursor(); shown {
		v.Cursor = tea.NewCursor(x, y)
	}
	v.WindowTitle = "cupelscope"
	return v
}
