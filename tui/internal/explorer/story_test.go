package explorer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
)

// The words of the rows for fields of the budget whose knobs stories turn.
var (
	maxTokens = string(experiment.MaxTokens)
	reserve   = string(experiment.OutputReserve)
	margin    = string(experiment.SafetyMargin)
	heldFor   = string(experiment.HeldBack) + " for "
)

func TestMain(m *testing.M) { musttest.Main(m) }

// placed has the tests of which it is settled whether they run beside others.
var placed sync.Map

// serial keeps a test, which asks first, from running beside others: it changes what all
// share, as the working folder, or judges the memory of all.
func serial(t testing.TB) { placed.Store(t, true) }

// beside runs a test with a story beside the others, but not under the race detector, which
// learns nothing from stories that share nothing.
func beside(t testing.TB) {
	if _, settled := placed.LoadOrStore(t, true); settled || testing.Short() || strings.Contains(t.Name(), "/") {
		return
	}
	if test, ok := t.(*testing.T); ok {
		test.Parallel()
	}
}

// story drives the explorer as a terminal would: keys go in, all commands run
// to their end, and the screen comes out as lines.
type story struct {
	t testing.TB
	m *Model
	// held keeps the answers of commands back while it is set, and those of jobs unless
	// quick is set.
	held  bool
	quick bool
	// ways has the values of knobs tried that bring an open item in; without it that takes
	// too long at once, as few stories are of them and all of them open items.
	ways bool
	// letters has each character typed by itself.
	letters bool
	queue   []tea.Cmd
	// due is the message that the explorer waits for, and wait how long it is
	// to be; tick sends it.
	due  tea.Msg
	wait time.Duration
}

func begin(t testing.TB, s *Workspace, w, h int, change ...func(*Options)) *story {
	t.Helper()
	return (&story{t: t}).begin(s, w, h, change...)
}

func (st *story) begin(s *Workspace, w, h int, change ...func(*Options)) *story {
	st.t.Helper()
	beside(st.t)
	opts := Options{
		Source: s.Name,
		Open:   func(context.Context) (*Workspace, error) { return s, nil },
		OpenOther: func(ctx context.Context, path string) (*Workspace, error) {
			return Open(ctx, session.Options{Sources: []string{path}}, session.Input{})
		},
		Theme: theme.Dark,
		Now:   func() time.Time { return time.Time{} },
	}
	for _, f := range change {
		f(&opts)
	}
	st.m = New(context.Background(), opts)
	st.t.Cleanup(st.m.stop)
	st.m.after = func(d time.Duration, msg tea.Msg) tea.Cmd {
		st.due, st.wait = msg, d
		return nil
	}
	st.m.pool.Limit = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		if d == pane.MaxWayTime && !st.ways {
			return context.WithTimeout(ctx, 0)
		}
		return context.WithCancel(ctx)
	}
	st.run(st.m.Init())
	st.send(tea.WindowSizeMsg{Width: w, Height: h})
	return st
}

// agentAt begins with the fixture agent on a screen of w by h cells, and presses keys. After them the screen shows
// all words.
func agentAt(t testing.TB, w, h int, keys string, words ...string) *story {
	t.Helper()
	s := begin(t, agentSession(t), w, h).after(keys, words...)
	return s
}

// agentAtSizes returns each of sizes, with what agentAt returns there.
func agentAtSizes(t testing.TB, keys string, words ...string) iter.Seq2[[2]int, *story] {
	return func(yield func([2]int, *story) bool) {
		for _, size := range sizes {
			if !yield(size, agentAt(t, size[0], size[1], keys, words...)) {
				return
			}
		}
	}
}

func (s *story) send(msg tea.Msg) {
	s.t.Helper()
	s.run(s.update(msg))
}

// update sends a message, which waits for all answers, or for none while they are held.
func (s *story) update(msg tea.Msg) tea.Cmd {
	s.m.pool.Frame = time.Hour
	if s.held && !s.quick {
		s.m.pool.Frame = 0
	}
	_, cmd := s.m.Update(msg)
	return cmd
}

// run runs a command and everything that follows from it, in order.
func (s *story) run(cmd tea.Cmd) {
	s.queue = append(s.queue, cmd)
	if s.held {
		return
	}
	for len(s.queue) > 0 {
		s.next()
	}
}

// next runs the first command in the queue, and queues what follows from it.
func (s *story) next() {
	s.queue = append(s.queue[1:], carriedOut(s.queue[0], s.update)...)
}

// step runs what is held back, in order, until something holds.
func (s *story) step(until func() bool) {
	s.t.Helper()
	for !until() {
		if len(s.queue) == 0 {
			s.t.Fatalf("nothing is held back any more; the screen:\n%s", s.text())
		}
		s.next()
	}
}

// current reports whether the result that is shown is of the setup that is shown.
func (s *story) current() bool {
	return s.m.exp.State(s.m.side) == experiment.Current
}

// release runs what was held back. After it the screen shows all words.
func (s *story) release(words ...string) {
	s.t.Helper()
	s.held = false
	s.run(nil)
	s.sees(words...)
}

// press types keys: single characters, or names in angle brackets: "jj<enter>". Characters that
// follow each other in the palette come at once, as a paste, since it searches after each letter:
// TestALineIsTypedAsItIsPasted. After them the screen shows all words.
func (s *story) press(keys string, words ...string) {
	s.t.Helper()
	all := musttest.Of(keysOf(keys))(s.t)
	for len(all) > 0 {
		text := ""
		if _, is := s.m.top().(*palette.Palette); is && !s.letters {
			for k := 0; k < len(all) && all[k].Text != ""; k++ {
				text += all[k].Text
			}
		}
		if n := len([]rune(text)); n > 1 {
			s.send(tea.PasteMsg{Content: text})
			all = all[n:]
			continue
		}
		s.send(all[0])
		all = all[1:]
	}
	if len(words) > 0 {
		s.sees(words...)
	}
}

// after presses keys, as press does, and returns the story.
func (s *story) after(keys string, words ...string) *story {
	s.t.Helper()
	s.press(keys, words...)
	return s
}

// types types a command at once, as a paste does: the palette searches and previews after each letter.
func (s *story) types(command string) {
	s.t.Helper()
	s.press(":")
	s.send(tea.PasteMsg{Content: command})
}

// do does an action by its name, as its key would, which must mean it here. After it the screen
// shows all words.
func (s *story) do(action string, words ...string) {
	s.t.Helper()
	a := s.m.keys.named(action)
	if a == nil || s.typing() {
		s.t.Fatalf("no action %q here", action)
	}
	if here := s.m.keys.find(&s.m.screens, a.Keys[0]); here == nil || here.Name != action {
		s.t.Fatalf("%q does something else than %s here: %+v", a.Keys[0], action, here)
	}
	s.send(tea.KeyPressMsg{Text: a.Keys[0]})
	if len(words) > 0 {
		s.sees(words...)
	}
}

// tick lets the time pass that the explorer waits for; false if it waits for none.
func (s *story) tick() bool {
	s.t.Helper()
	msg := s.due
	s.due = nil
	if msg != nil {
		s.send(msg)
	}
	return msg != nil
}

// screen is what the terminal shows, as lines without trailing blanks.
func (s *story) screen() []string {
	s.t.Helper()
	return textOf(s.m.View().Content)
}

// showing is the name of the view on the screen.
func (s *story) showing() string { return s.m.spec().Name }

// typing reports whether a line is typed.
func (s *story) typing() bool { return s.m.specOf(s.m.top()).Place == screen.Footer }

// tab is how the tab of a view is drawn while it is shown, by its key.
func (s *story) tab(view int) string {
	return fmt.Sprintf("[%d %s]", view, s.m.specOf(s.m.views[view-1]).Name)
}

// selects fails unless an item is selected.
func (s *story) selects(item int) {
	s.t.Helper()
	if i, ok := s.m.selected(); !ok || i != item {
		s.t.Errorf("#%d is selected (%v), want #%d; the screen:\n%s", i, ok, item, s.text())
	}
}

// budgetIs fails unless the budget is so large.
func (s *story) budgetIs(want model.Tokens) {
	s.t.Helper()
	if got := s.m.budget(); got != want {
		s.t.Errorf("the budget is %v, want %v; the screen:\n%s", got, want, s.text())
	}
}

// lists fails unless Items shows these items in this order.
func (s *story) lists(items ...int32) {
	s.t.Helper()
	musttest.Is(s.t, s.rows(), items, "the rows")
}

// rows are the items that Items shows.
func (s *story) rows() []int32 { return s.m.list().Rows() }

func (s *story) text() string { return strings.Join(s.screen(), "\n") }

// until presses keys again and again until the screen shows a text, at most 100 times.
func (s *story) until(text, keys string) {
	s.t.Helper()
	for range 100 {
		if strings.Contains(s.text(), text) {
			return
		}
		s.press(keys)
	}
	s.sees(text)
}

// line is the only line of the screen that contains all words.
func (s *story) line(words ...string) string {
	s.t.Helper()
	var found []string
next:
	for _, l := range s.screen() {
		for _, w := range words {
			if !strings.Contains(l, w) {
				continue next
			}
		}
		found = append(found, l)
	}
	if len(found) != 1 {
		s.t.Fatalf("%d lines contain %q, want one; the screen:\n%s", len(found), words, s.text())
	}
	return found[0]
}

func (s *story) sees(words ...string) {
	s.t.Helper()
	if len(words) == 0 {
		return // nothing is drawn for it
	}
	text := s.text()
	for _, w := range words {
		if !strings.Contains(text, w) {
			s.t.Fatalf("%q is not on the screen:\n%s", w, text)
		}
	}
}

func (s *story) seesNot(words ...string) {
	s.t.Helper()
	text := s.text()
	for _, w := range words {
		if strings.Contains(text, w) {
			s.t.Fatalf("%q is on the screen:\n%s", w, text)
		}
	}
}

// sample makes n items as real sets are: log-normal sizes, some duplicates,
// kinds mixed, a pinned system prompt.
func sample(t testing.TB, n int) *model.Set {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	kinds := []model.Kind{model.Message, model.Document, model.ToolOutput, model.Memory}
	items := make([]model.Item, n)
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for i := range items {
		tok := min(8000, max(5, model.Tokens(300*math.Exp(rng.NormFloat64()))))
		items[i] = model.Item{
			Content:             fmt.Sprintf("item %d of the sample\nsecond line", i),
			Tokens:              tok,
			Kind:                kinds[rng.IntN(len(kinds))],
			Timestamp:           model.Some(start.Add(time.Duration(i) * time.Second)),
			FutureRelevanceHint: model.Some(rng.Float64()),
		}
		if i > 10 && rng.IntN(25) == 0 {
			items[i].Content = items[i-7].Content
		}
	}
	items[0].Kind, items[0].Pinned, items[0].Content, items[0].Tokens = model.SystemPrompt, true, "You are a careful assistant.", 500
	return musttest.Of(model.NewSet(items))(t)
}

func sampleSession(t testing.TB, n int) *Workspace {
	chat, _ := model.Preset("chat")
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 32000, OutputReserve: 8000, SafetyMargin: 5,
		ReservedSlots: []model.Slot{{Kind: model.Memory, Tokens: 1200}}}))(t)
	return made(Workspace{Name: "sample.json", Format: "items", Items: sample(t, n), Policy: chat, Budget: b, Slack: 1000, Ceiling: 128000})
}

// made gives a session that no source was opened for the functions that every session has.
func made(s Workspace) *Workspace {
	var saver itemset.Saver
	s.Save, s.SaveFile = saver.WriteScenario, saver.WriteFile
	s.SavePolicy, s.LoadPolicy = itemset.WritePolicy, itemset.ReadPolicy
	s.CommandLine = func(experiment.Setup) (words, without []string) { return nil, nil }
	s.NoFollow, s.NoTune = errors.New("it has no source"), errors.New("it has no source")
	return &s
}

// sessionOf opens what flags name.
func sessionOf(t testing.TB, o session.Options) *Workspace {
	t.Helper()
	return musttest.Of(Open(context.Background(), o, session.Input{}))(t)
}

// scenarios has the scenarios that come with the program, each read once for all tests.
var scenarios sync.Map

// fixture opens a scenario that comes with the program.
func fixture(t testing.TB, name string) *Workspace {
	t.Helper()
	once, _ := scenarios.LoadOrStore(name, sync.OnceValues(func() (*Workspace, error) {
		return Open(context.Background(), session.Options{Fixture: name}, session.Input{})
	}))
	own := *musttest.Of(once.(func() (*Workspace, error))())(t)
	own.Policy, own.PolicyB.Value = own.Policy.Clone(), own.PolicyB.Value.Clone()
	return &own
}

// agentSession is the fixture that the explorer opens with.
func agentSession(t testing.TB) *Workspace {
	t.Helper()
	return fixture(t, "agent")
}

// Open makes a session of the sources that flags name.
func Open(ctx context.Context, o session.Options, s session.Input) (*Workspace, error) {
	choices, err := o.Choices(ctx, s)
	if err != nil {
		return nil, err
	}
	return OpenChosen(ctx, choices)
}
