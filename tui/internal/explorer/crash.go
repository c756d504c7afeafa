package explorer

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate/session"
)

// crashError reports that a panic ended the explorer. Its text includes the stack trace.
type crashError struct {
	value any // the value of the panic
	stack []byte
}

func (e *crashError) Error() string {
	return fmt.Sprintf("crashed: %v; this is a bug of cupelscope, please report it with these lines:\n%s", e.value, e.stack)
}

// ExitCode returns 134, the exit status that shells report for a program that SIGABRT
// ended.
func (e *crashError) ExitCode() int { return 128 + 6 }

// guard wraps the model so that the program quits in order after a panic in the model
// or in one of its commands, and so that unsaved changes are kept before the terminal is
// written to, which may not read. Bubble Tea restores the terminal after a panic as well,
// but may lose the message of a panic in a command.
type guard struct {
	*Model
	shows func(tea.View) tea.View    // has a frame shown, and returns what Bubble Tea shows
	drawn [3]time.Time               // when the last frames were drawn, the newest last
	view  tea.View                   // the newest of them
	late  bool                       // the next one waits
	using sync.Mutex                 // held while the model is used
	crash atomic.Pointer[crashError] // the first crash; nil if there was none

	once sync.Once
	kept chan struct{} // closed once unsaved changes are kept; the model is not used after it
	path string        // where they are; "" if there are none
	lost error         // why no file keeps them
	// words open the session again with the unsaved changes, but without those that they cannot
	// express. They are there in place of a file: for a sample where they express all, for others
	// where no file can be written.
	words, without []string
}

func newGuard(m *Model) *guard { return &guard{Model: m, kept: make(chan struct{})} }

// keep writes unsaved changes to a file, the first time that it is called. It waits until
// the model is not in use.
func (g *guard) keep() {
	g.once.Do(func() {
		g.using.Lock()
		defer g.using.Unlock()
		g.words, g.without = g.reopening()
		if g.words == nil || !g.workspace.Sample || len(g.without) > 0 { // a file keeps all texts of the items too
			g.path, g.lost = g.recoverUnsaved()
		}
		close(g.kept)
	})
}

// ending reports whether the model must not be used any more.
func (g *guard) ending() bool {
	select {
	case <-g.kept:
		return true
	default:
		return g.crash.Load() != nil
	}
}

// ended returns why the explorer has ended: a crash, the cause of ctx, or err; nil if the user
// quit. Once changes are kept any message quits, so a program that ctx ends may return no error.
func (g *guard) ended(ctx context.Context, err error) error {
	switch crash := g.crash.Load(); {
	case crash != nil:
		return g.stopped(crash)
	case ctx.Err() != nil:
		return g.stopped(context.Cause(ctx))
	case err != nil:
		return g.stopped(fmt.Errorf("running the explorer: %w", err))
	}
	return g.load.failed
}

// stopped keeps unsaved changes when the explorer ends although the user did not quit.
// It returns why, extended by where the changes are or why they are lost.
func (g *guard) stopped(why error) error {
	g.keep()
	again := session.ShellLine(append([]string{"cupelscope"}, g.words...)...)
	switch {
	case g.lost != nil && g.words == nil:
		return fmt.Errorf("%w\nunsaved changes are lost: %w", why, g.lost)
	case g.lost != nil:
		without := ""
		if len(g.without) > 0 {
			without = ", but without " + strings.Join(g.without, ", ") + ","
		}
		return fmt.Errorf("%w\nno file keeps the unsaved changes: %w\nopen it as it was%s with: %s", why, g.lost, without, again)
	case g.path == "" && g.words != nil:
		return fmt.Errorf("%w\nunsaved changes are to the built-in sample only; open it as it was with: %s", why, again)
	case g.path != "":
		earlier := ""
		if n := earlierRecovered(g.path); n > 0 {
			earlier = fmt.Sprintf("\nearlier files of recovered changes beside it: %d", n)
		}
		return fmt.Errorf("%w\nunsaved changes are kept; open them with: %s%s", why, session.ShellLine("cupelscope", g.path), earlier)
	}
	return why
}

// crashMsg says that a command panicked.
type crashMsg struct{}

// caught recovers from a panic, stores it if it is the first, keeps unsaved changes and
// calls then. It must be deferred directly, before the model is locked.
func (g *guard) caught(then func()) {
	if r := recover(); r != nil {
		g.crash.CompareAndSwap(nil, &crashError{r, debug.Stack()})
		g.keep()
		then()
	}
}

// Init calls Init of the model.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.caught(func() { cmd = tea.Quit })
	g.using.Lock()
	defer g.using.Unlock()
	return g.command(g.Model.Init())
}

// Update calls Update of the model; when the explorer ends it only quits.
func (g *guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.caught(func() { cmd = tea.Quit })
	g.using.Lock()
	defer g.using.Unlock()
	if g.ending() {
		return g, tea.Quit
	}
	_, cmd = g.Model.Update(msg)
	return g, g.command(tea.Batch(cmd, g.delay()))
}

// threeFrames is the least time from one frame to the third after it: no one sees more of them. The two
// between do not wait: they often have the answer to the key that the first was drawn for.
const threeFrames = 16 * time.Millisecond

// delay has the next frame, unless it is drawn already, wait if three are as new as that. It returns the
// command that has it drawn.
func (g *guard) delay() tea.Cmd {
	wait := threeFrames - g.opts.Now().Sub(g.drawn[0])
	if !g.dirty || g.late || wait <= 0 {
		return nil
	}
	g.late = true
	return g.after(wait, quietMsg(func() tea.Cmd { g.late = false; return nil }))
}

// View returns the view of the model, as it was if the next waits; an empty one when the explorer ends.
func (g *guard) View() (v tea.View) {
	defer g.caught(func() { v = tea.View{AltScreen: true} })
	g.using.Lock()
	defer g.using.Unlock()
	if g.ending() {
		return tea.View{AltScreen: true}
	}
	if !g.late {
		v := g.Model.View()
		if v.Content != g.view.Content {
			g.drawn = [...]time.Time{g.drawn[1], g.drawn[2], g.opts.Now()}
		}
		g.view = v
	}
	return g.shows(g.view)
}

// command wraps cmd, and the commands of the batch it may return, so that the program
// quits if one of them panics. It returns nil for nil.
func (g *guard) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.caught(func() { msg = crashMsg{} })
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = g.command(c)
			}
		}
		return msg
	}
}
