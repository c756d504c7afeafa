// Package explorer is the explorer: one Bubble Tea model over an experiment. The comment of package tui
// tells how a key becomes a frame. Its files, by what they are about:
//
//	model, settle, outcomes        messages, and what is computed after a change, in which lane
//	actions, budgetkeys, knobkeys  what each key does; keytable has which key means what where, and
//	valuekeys, triedvalues, mouse  keys what a key press comes to; the mouse does what keys do
//	screens, views, navigate       the stack of screens, all views, and which one is shown
//	layout, render, display        the rectangles, a frame, and how it reaches the terminal
//	commands, typed...             the commands of the palette, and what sentences typed there mean
//	wishes, wishways, wishrows     what must hold, as it is typed there, and the setups in which it does
//	edits, edititem, selection     what changes the setup and the items, and which items are chosen
//	open, load, reload, follow     a source: opened, loaded, read again, followed; workspace holds it
//	listings, files, filepreview   the lists that it is chosen from, and the files that are written
//	start, tour, lesson            what is shown first, and what is taught
//	quit, crash, recovered         the end, and the changes that it leaves unsaved
//	shot, picture                  pictures of the screen
package explorer

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/overlay/policy"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// Model is the explorer's state. It implements tea.Model: its methods route
// messages, and the types that it is made of do the work.
type Model struct {
	opts Options
	ctx  context.Context
	stop context.CancelFunc
	// after sends a message when that time has passed.
	after   func(time.Duration, tea.Msg) tea.Cmd
	picture bool   // the program draws a picture and ends: what earlier runs left is not offered
	writing string // the file that an export goes to; "" if none is being written

	width, height int
	theme         *theme.Theme
	depth         theme.Depth // how many colours the terminal shows
	canvas        draw.Canvas
	frame         string
	dirty         bool
	frames        int  // how many were drawn
	drawing       bool // a frame is being drawn
	drawn         drawn

	workspaceState
	screens
	keys      keyTable
	legend    []palette.Command
	selection selection
	typed     map[string]string // names of files last typed, by question
	messages  messages
	digits    digits
	next      pane.NextChanges
	whatIf    pane.WhatIf
	ways      pane.Ways
	tried     tried
	best      widget.Best
	profiles  [2]*simulate.Profile // of the results that hidden views may keep
	turns     plans.Runs
	tour      tour

	load     loading
	count    counting
	tune     tuning
	policy   work.Lane // reads the file of a policy
	follow   following
	outcomes *outcomes
	waiting  *widget.Waiting // what turns while work runs in the background
	watching bool            // a message is due that asks how far background work is
}

// New returns the explorer's model. Nothing is loaded before the command of Init runs.
func New(ctx context.Context, opts Options) *Model {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	m := &Model{opts: opts, dirty: true, selection: newSelection(), typed: map[string]string{}, turns: plans.New()}
	m.ctx, m.stop = context.WithCancel(ctx)
	m.after = func(d time.Duration, msg tea.Msg) tea.Cmd { return tea.Tick(d, func(time.Time) tea.Msg { return msg }) }
	m.pool = work.NewPool(m.ctx, opts.Now)
	m.outcomes = newOutcomes(m.pool, opts.Now)
	m.views, m.editor, m.specs = newViews(m.screenApp()), policy.New(m.screenApp(), m.budgetSteps, m.fillCommand), map[screen.Screen]*screen.Spec{}
	for _, v := range m.views {
		m.register(v)
	}
	m.keys, m.legend = m.gather(), palette.LegendCommands(m.helpAt)
	m.restyle(opts.Theme)
	return m
}

func (m *Model) restyle(name theme.Name) {
	if m.opts.NoColor {
		name = theme.NoColor
	}
	m.theme = theme.NewFor(name, m.opts.ASCII, m.depth)
	m.canvas.Reset(m.width, m.height, m.theme)
	m.waiting = widget.NewWaiting(m.theme)
}

// TerminalWait is how long a terminal may take to read what restores it, and what is printed after
// that. A stalled connection and a stopped multiplexer read nothing.
const TerminalWait = 2 * time.Second

// errDeaf says that the terminal did not take what restores it.
var errDeaf = errors.New("the terminal does not read")

// Run runs the explorer until the user quits or ctx ends. The caller must turn signals
// into the end of ctx, because Bubble Tea's own signal handler and the end of the context
// would wait for each other. If the explorer ends without the user quitting, unsaved
// changes are written to a file, which the error names. That comes before anything is
// written to the terminal; where the terminal then reads nothing for TerminalWait, Run
// returns and leaves it to the caller to restore the terminal's modes.
//
// The error comes from the terminal, or is the loading error that the user saw on the screen, a
// *crashError after a panic, or the cause of the end of ctx.
func Run(ctx context.Context, opts Options) error {
	m := New(ctx, opts)
	defer m.stop()
	profile := colorprofile.Detect(os.Stdout, os.Environ())
	if opts.Start.Colours != "" {
		profile = terminals[strings.ToLower(opts.Start.Colours)]
	}
	m.onColours(profile)
	g, d := newGuard(m), newDisplay(os.Stdout)
	g.shows = d.show
	go d.run(m.ctx)
	shown, end := context.WithCancel(context.WithoutCancel(ctx)) // ends after unsaved changes are kept
	defer end()
	defer context.AfterFunc(ctx, func() {
		g.keep()
		end()
	})()
	look := filter(time.Now)
	program := tea.NewProgram(g, append([]tea.ProgramOption{
		tea.WithContext(shown), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(),
		tea.WithFilter(func(m tea.Model, msg tea.Msg) tea.Msg { return d.heed(look(m, msg)) }),
		tea.WithOutput(d), tea.WithColorProfile(profile), tea.WithFPS(120), // the most, for the first frame
	}, input()...)...)
	go onResize(m.ctx, func() {
		width, height, err := term.GetSize(os.Stdout.Fd())
		if err = cmp.Or(err, CheckTerminal(width, height)); err != nil { // Bubble Tea does not tell of it
			program.Send(work.Then(func() tea.Cmd { m.messages.refuse(err.Error()); return nil }))
		}
	})
	ended := make(chan error, 1)
	go func() {
		_, err := program.Run()
		ended <- err
	}()
	var err error
	select {
	case err = <-ended:
	case <-g.kept:
		select {
		case err = <-ended:
		case <-time.After(TerminalWait):
			err = errDeaf
		}
	}
	m.stop()
	return g.ended(ctx, err)
}

// Init starts loading and asks for the terminal's background colour.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.startLoad(m.opts.Source, m.opts.Open, m.loaded), tea.RequestBackgroundColor)
}

// quietMsg does what is due by now, or takes an answer. Most of them leave the frame as it is; the
// others mark it as out of date.
type quietMsg func() tea.Cmd

// Update handles a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.pool.Begin()
	switch msg := msg.(type) { // messages that may leave the frame as it is
	case tea.BackgroundColorMsg:
		m.onBackground(msg.IsDark())
		return m, nil
	case tea.ColorProfileMsg:
		m.onColours(msg.Profile)
		return m, nil
	case tea.KeyPressMsg:
		m.pool.DelaySlow()
		return m, m.pressed(msg)
	case tea.MouseMsg:
		m.pool.DelaySlow()
		return m, m.mouse(msg)
	case quietMsg:
		return m, msg()
	case work.Answer: // one that a key cancelled says nothing while the result for the key is computed
		idle := msg.Cancelled() && m.exp != nil && m.computes(m.side)
		cmd := m.answered(msg)
		m.dirty = m.dirty || !idle || !m.computes(m.side)
		return m, cmd
	}
	m.dirty = true
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height, m.next = msg.Width, msg.Height, pane.NextChanges{}
		return m, m.settle() // more may be shown now
	case tea.PasteMsg:
		return m, m.paste(msg)
	case work.Then:
		return m, tea.Batch(msg(), m.settle())
	}
	return m, m.settle()
}

// ColourNames returns how many colours a user can ask for.
func ColourNames() []string { return []string{"true", "256", "16"} }

// terminals holds what a terminal with so many colours says of itself; true colours for "".
var terminals = map[string]colorprofile.Profile{
	"": colorprofile.TrueColor, "true": colorprofile.TrueColor, "256": colorprofile.ANSI256, "16": colorprofile.ANSI,
}

// depths holds the depths of terminals with few colours; the others have true ones.
var depths = map[colorprofile.Profile]theme.Depth{colorprofile.ANSI256: theme.Colours256, colorprofile.ANSI: theme.Colours16}

// onColours takes the theme for as many colours as the terminal shows.
func (m *Model) onColours(profile colorprofile.Profile) {
	none := profile == colorprofile.ASCII || profile == colorprofile.NoTTY
	if depth := depths[profile]; depth != m.depth || none && !m.opts.NoColor {
		m.depth, m.opts.NoColor = depth, m.opts.NoColor || none
		m.restyle(m.theme.Name)
		m.dirty = true
	}
}

// onBackground takes the theme that fits the terminal's background, unless the user chose
// one.
func (m *Model) onBackground(dark bool) {
	if m.opts.Theme != theme.Auto && m.opts.Theme != "" {
		return
	}
	name := theme.Light
	if dark {
		name = theme.Dark
	}
	m.restyle(name)
	m.dirty = true
}

// pressed handles a key. If the key did nothing that can be seen, a message says so.
func (m *Model) pressed(msg tea.KeyPressMsg) tea.Cmd {
	inSight, before := !m.dirty, seen{m.frame, m.messages.line} // else keys come faster than frames
	m.dirty = true
	cmd := m.key(msg)
	m.sayDigits(msg.String())
	if inSight {
		m.unseen(msg.String(), before, cmd != nil)
	}
	return cmd
}

// digits are the digits that were typed one right after the other where each shows a view.
type digits struct {
	typed  string
	looked bool // one came late enough to have looked at the view before it
	at     time.Time
}

// sayDigits says how a budget is typed to a person who types one where each digit shows a view.
// Four digits in a row are taken for a budget if one of them shows no view, as 0 does, or if they
// come too fast to look at a view.
func (m *Model) sayDigits(key string) {
	if m.exp == nil || m.typing() || len(key) != 1 || key[0] < '0' || key[0] > '9' {
		m.digits = digits{}
		return
	}
	now := m.opts.Now()
	since := now.Sub(m.digits.at)
	if since > time.Second {
		m.digits = digits{}
	}
	looked := m.digits.looked || m.digits.typed != "" && since > time.Second/4
	m.digits = digits{m.digits.typed + key, looked, now}
	noView := strings.ContainsFunc(m.digits.typed, func(r rune) bool { return r == '0' || int(r-'0') > len(m.views) })
	if typed := m.digits.typed; len(typed) > 3 && (noView || !looked) {
		m.messages.refuse("digits show views; a budget is typed after " + m.keyOf("palette") + ", as in " + m.keyOf("palette") + typed)
	}
}

// refresh updates the panes after a change of the experiment.
func (m *Model) refresh() {
	if m.exp == nil {
		return
	}
	m.knobs.Set(m.exp.Knobs(m.exp.Setup(), m.side, m.original), m.knobRoom())
	if !m.first && m.current(m.side) != nil {
		m.offerPairs()
	}
	for _, s := range m.stack {
		if arrange := m.specOf(s).Arrange; arrange != nil {
			arrange(m.exp, m.side)
		}
	}
	if fit := m.spec().Fit; fit != nil {
		l, _, _, _ := m.layOut()
		fit(l.Main, l.Shape == full, m.theme)
	}
	m.drawOver()
	m.keepingSelected(func() { m.view().Arrange(m.exp, m.side) }) // the others are arranged when they are shown
	if m.budget() != m.original.Budget.MaxTokens {                // a guessed budget is one until the user sets another
		m.messages.retract(m.workspace.GuessHelp)
	}
}

// View returns the frame; it draws one where something has changed since the last.
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
