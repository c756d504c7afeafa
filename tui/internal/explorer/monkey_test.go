package explorer

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/model/tokens"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
)

// monkey presses keys without knowing what they do.
type monkey struct {
	t       *testing.T
	rng     *rand.Rand
	session func() *Workspace
	m       *Model
	keys    []string // of the table of actions
	log     []string // the newest keys, to repeat what went wrong
	quit    bool
	due     tea.Msg // what the explorer waits for
	slow    bool    // commands are answered some keys later
	waiting []tea.Cmd
	began   time.Time
	home    sessions.Places
	runs    *session.Choices
	listed  map[string]int // keys that came to a list, by what its title begins with, and files by their extension
}

// answers is how many messages may follow from one key: the two profiles, each
// superseded once, and the batches of a count.
const answers = 64

func (k *monkey) begin() {
	if k.m != nil {
		k.m.stop()
	}
	s := k.session()
	s.runs = k.runs
	k.m = New(context.Background(), Options{
		Source: s.Name, Open: func(context.Context) (*Workspace, error) { return s, nil },
		Theme: theme.Names()[k.rng.IntN(len(theme.Names()))], ASCII: k.rng.IntN(4) == 0,
		OpenOther: func(context.Context, string) (*Workspace, error) {
			if k.rng.IntN(3) == 0 {
				return nil, errors.New("reading \x1b[2J\u202e.json: it is not there")
			}
			return k.session(), nil
		},
		Sessions: k.home, Now: func() time.Time { return time.Time{} },
	})
	k.keys, k.quit, k.due, k.waiting = nil, false, nil, nil
	k.m.pool.Frame = time.Hour
	if k.slow {
		k.m.pool.Frame = 0
	}
	k.m.after = func(_ time.Duration, msg tea.Msg) tea.Cmd { k.due = msg; return nil }
	for _, a := range k.m.keys {
		k.keys = append(k.keys, a.Keys...)
	}
	k.run(k.m.Init())
	k.send("start", tea.WindowSizeMsg{Width: 120, Height: 36})
}

func (k *monkey) send(name string, msg tea.Msg) {
	k.log = append(k.log, name)
	if len(k.log) > 40 {
		k.log = k.log[1:]
	}
	defer func() {
		if r := recover(); r != nil {
			k.t.Logf("the last keys: %s", strings.Join(k.log, " "))
			panic(r)
		}
	}()
	if l, ok := k.m.top().(*overlay.Listing); ok {
		k.listed[strings.Join(strings.Fields(l.Title)[:2], " ")]++
	}
	_, cmd := k.m.Update(msg)
	k.run(cmd)
	if s := k.m.workspace; s != nil { // a run is a real one
		unwritten(s, k.rng, k.listed)
	}
	k.m.View()
}

func (k *monkey) run(cmd tea.Cmd) {
	if k.slow {
		if cmd != nil {
			k.waiting = append(k.waiting, cmd)
		}
		return
	}
	queue := []tea.Cmd{cmd}
	for n := 0; len(queue) > 0; n++ {
		if n > answers {
			k.t.Fatalf("more than %d messages follow from one key; the last keys: %s", answers, strings.Join(k.log, " "))
		}
		next := queue[0]
		queue = queue[1:]
		if next == nil {
			continue
		}
		switch msg := next().(type) {
		case nil:
		case tea.BatchMsg:
			queue = append(queue, msg...)
		case tea.QuitMsg:
			k.quit = true
			return
		default:
			_, cmd := k.m.Update(msg)
			queue = append(queue, cmd)
		}
	}
}

// answer runs the command that waits longest, and what follows from it later.
func (k *monkey) answer() {
	if len(k.waiting) == 0 {
		return
	}
	cmd := k.waiting[0]
	k.waiting = k.waiting[1:]
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			k.run(c)
		}
	case tea.QuitMsg:
		k.quit = true
	default:
		k.send(fmt.Sprintf("%T", msg), msg)
	}
}

func (k *monkey) check() {
	k.t.Helper()
	fault := frameFault(k.m)
	if fault == "" && k.rng.IntN(50) == 0 {
		fault = terminalFault(k.m)
	}
	if fault != "" {
		k.t.Fatalf("%s\nat %dx%d; the last keys: %s\n%s", fault, k.m.width, k.m.height, strings.Join(k.log, " "), k.m.View().Content)
	}
}

// press is one key, one paste or one change of the size.
func (k *monkey) press() {
	rng := k.rng
	if k.slow && rng.IntN(3) == 0 {
		k.answer()
		if k.quit {
			k.begin()
		}
		return
	}
	if k.m.typing() && rng.IntN(8) == 0 {
		k.key("esc") // what is typed into takes all keys; the rest needs its share
		return
	}
	switch n := rng.IntN(100); {
	case n < 60:
		k.key(k.keys[rng.IntN(len(k.keys))])
	case n < 70: // something typed, mostly after a prompt was opened
		if rng.IntN(2) == 0 {
			k.key([]string{"/", "?", "enter", "w", ":"}[rng.IntN(5)])
		}
		texts := []string{"kind:tool", "is:in tok>10", "firstIn<9k", "-is:dup", `"item 5`, "#3", "64k", "0", "1", "12", "100", "9999999999999999", "-4",
			"=max", "knap", "greedy", "17.5", "nan", "trunc", "off", "100%", "1099511627776", "1e400", "世界 e\u0301", "x\x1b[2Jy", "\u202eabc", strings.Repeat("long ", 12),
			"set slack 500", "max 9k", "pin all tool over 300", "exclude #4 #5", "greedy vs stream", "theme none", "export", "quota 30", "shrink * 30 9 note", "clear:trigger=9k,keep=1", "summarise:trigger=max-5,summary=9", "trigger=0+9k,keep", "drop:\u202e", "shrink tool 40 tail", "shrink tool off"}
		for _, r := range texts[rng.IntN(len(texts))] {
			k.send(fmt.Sprintf("%q", r), tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		if rng.IntN(3) > 0 {
			k.key("enter")
		}
	case n < 74:
		pastes := []string{"32k", "a\nb\tc", "\x1b]52;c;x\a\u009b31m", "\u202e\u2066\u200b\ufeff", "\xff\xfe", strings.Repeat("世界", 300), "is:in", ""}
		k.send("paste", tea.PasteMsg{Content: pastes[rng.IntN(len(pastes))]})
	case n < 82:
		r := []rune{'é', '世', 0x301, 0x202e, 0x7f, 0, 0x1b, 0x9b, 0xfffd, 0x10ffff, '!', '~', '7'}[rng.IntN(13)]
		k.send(fmt.Sprintf("%q", r), tea.KeyPressMsg{Code: r, Text: string(r)})
	case n < 83 && k.due != nil:
		k.send("tick", k.due)
	case n < 84:
		k.send("release", tea.KeyReleaseMsg{Code: 'a'})
	case n < 88:
		x, y := rng.IntN(k.m.width+4)-2, rng.IntN(k.m.height+4)-2
		at := tea.Mouse{X: x, Y: y, Button: []tea.MouseButton{tea.MouseLeft, tea.MouseLeft, tea.MouseRight, tea.MouseWheelUp, tea.MouseWheelDown}[rng.IntN(5)]}
		msg := []tea.Msg{tea.MouseClickMsg(at), tea.MouseReleaseMsg(at), tea.MouseWheelMsg(at), tea.MouseMotionMsg(at)}[rng.IntN(4)]
		k.send(fmt.Sprintf("%T %d,%d", msg, x, y), msg)
	default:
		w, h := minWidth+rng.IntN(140), minHeight+rng.IntN(54)
		if rng.IntN(10) == 0 { // where keys do nothing
			w, h = 1+rng.IntN(200), 1+rng.IntN(70)
		}
		switch rng.IntN(4) {
		case 0:
			w, h = []int{1, 59, 60, 79, 80, 109, 110, 120}[rng.IntN(8)], []int{1, 15, 16, 23, 24, 29, 30, 36}[rng.IntN(8)]
		case 1:
			w, h = 60+rng.IntN(30), 16+rng.IntN(10)
		}
		k.send(fmt.Sprintf("%dx%d", w, h), tea.WindowSizeMsg{Width: w, Height: h})
	}
	if k.quit {
		k.begin()
	}
}

func (k *monkey) key(name string) {
	codes := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "up": tea.KeyUp,
		"down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd}
	var msg tea.KeyPressMsg
	rest := name
	for {
		if after, ok := strings.CutPrefix(rest, "ctrl+"); ok {
			msg.Mod |= tea.ModCtrl
			rest = after
		} else if after, ok := strings.CutPrefix(rest, "shift+"); ok {
			msg.Mod |= tea.ModShift
			rest = after
		} else {
			break
		}
	}
	switch code, ok := codes[rest]; {
	case ok:
		msg.Code = code
	case rest == "space":
		msg.Code, msg.Text = ' ', " "
	default:
		msg.Code, _ = utf8.DecodeRuneInString(rest)
		if msg.Mod == 0 {
			msg.Text = rest
		}
	}
	if got := msg.String(); got != name {
		k.t.Fatalf("the key %q arrives as %q", name, got)
	}
	k.send(name, msg)
}

// goTo presses a key where it means what it means in a view.
func (k *monkey) goTo(key string) {
	for k.m.exp == nil && len(k.waiting) > 0 { // no view is shown before the source is read
		k.answer()
	}
	k.send("120x36", tea.WindowSizeMsg{Width: 120, Height: 36}) // nor where the screen is too small
	k.key("esc")
	k.key("esc")
	k.key(key)
}

// back undoes everything: the first setup must be there again, and redone the
// last.
func (k *monkey) back() {
	k.t.Helper()
	k.slow = false
	for len(k.waiting) > 0 {
		k.answer()
	}
	if k.quit || k.m.exp == nil {
		k.begin()
	}
	k.send("120x36", tea.WindowSizeMsg{Width: 120, Height: 36}) // keys do nothing where the screen is too small
	for range 12 {
		k.key("esc")
	}
	last := k.m.exp.Setup()
	steps := 0
	for ; k.m.exp.CanUndo(); steps++ {
		k.key("u")
	}
	k.check()
	if got := k.m.exp.Setup(); !got.Equal(k.m.original) {
		k.t.Errorf("after %d keys u the setup is\n%+v\nand was at first\n%+v", steps, got, k.m.original)
	}
	for range steps {
		k.key("ctrl+r")
	}
	if got := k.m.exp.Setup(); !got.Equal(last) {
		k.t.Errorf("after as many keys ctrl+r the setup is\n%+v\nand was\n%+v", got, last)
	}
}

// presses is how many keys each view gets: go test ./tui/internal/explorer -run Monkey -keys 10000 -seed 22.
var presses = flag.Int("keys", 0, "keys that are pressed at random on each view; 0: as many as usual")

// monkeySeed seeds which keys these are: equal seeds press equal keys.
var monkeySeed = flag.Uint64("seed", 21, "what the keys are drawn with")

func TestMonkey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		items int
		slow  bool
		share int // of the keys, in percent
	}{
		{"no items", 0, false, 100}, {"one item", 1, false, 100}, {"two items", 2, true, 100}, {"60 items", 60, true, 100}, {"3,000 items", 3000, false, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.items > 1000 { // a key waits for all work, as with 60 items
				musttest.Alone(t)
			}
			k := newMonkey(t, c.items, c.items, c.slow)
			all := cmp.Or(*presses, randomtest.Rounds(75, 750)) * c.share / 100
			if c.items > 1000 { // of which a key takes as long as of ten small ones
				all = min(all, 750+all/10)
			}
			for n := range all {
				k.tell(n, all)
				if n == 0 || n == all/2 {
					k.goTo("o") // the runs of the source; behind them are the sessions
					k.key([]string{"down", "tab"}[min(n, 1)])
				}
				if n == all/4 { // a page, of a result
					for k.slow = false; len(k.waiting) > 0; k.answer() {
					}
					k.goTo("E")
					k.key("b")
					k.key("enter")
					k.slow = c.slow
				}
				k.press()
				k.check()
			}
			if k.back(); k.listed["Open runs"] == 0 || k.listed["Open sessions"] == 0 || k.listed[".html"] == 0 && c.items > 0 {
				t.Errorf("of the keys on lists, and of the files, are %v", k.listed)
			}
		})
	}
}

// Where items may be cut, the keys lead to all that is drawn of sizes.
func TestMonkeyCutsItems(t *testing.T) {
	t.Parallel()
	k := newMonkey(t, 60, 9, false)
	opened := k.session
	k.session = func() *Workspace {
		s := opened()
		sizes := map[int][]model.Size{}
		for i := 0; i < s.Items.Len(); i += 3 {
			sizes[i] = []model.Size{{Tokens: 40, Content: "a summary"}, {Tokens: 12, Worth: model.Some(0.5)}, {Tokens: 3, Note: true}}
		}
		s.Items = musttest.Of(s.Items.WithSizes(sizes))(t)
		return s
	}
	k.begin()
	cut, all := 0, cmp.Or(*presses, randomtest.Rounds(200, 1500))
	for n := range all {
		k.tell(n, all)
		if n == all/2 {
			k.slow = true
		}
		if n%50 == 49 { // keys lead to policies that cut nothing, and hardly ever back
			k.begin()
		}
		k.press()
		k.check()
		if k.m.exp != nil && k.m.exp.Result(experiment.A) != nil {
			if shrunk, noted := k.m.exp.Result(experiment.A).Report.CountShrunk(); shrunk+noted > 0 {
				cut++
			}
		}
	}
	if k.back(); cut < all/10 {
		t.Errorf("after %d of %d keys items were cut", cut, all)
	}
}

// sizer counts a token for every four bytes.
func sizer() experiment.Sizer {
	measure := func(text string) model.Tokens { return model.Tokens(len(text)+3) / 4 }
	return experiment.Sizer{
		Count: func(ctx context.Context, items *model.Set) ([]model.ItemSize, error) {
			all := items.UncountedSizes()
			for k := range all {
				all[k] = items.CountSize(all[k], model.Exact, measure)
			}
			return all, ctx.Err()
		},
		Text: func(items *model.Set, i, size int) (string, bool) { return items.SizeText(i, size, measure) },
	}
}

// Every view gets its share, at once and with answers that come later: also its strips over a weight, and the map
// of Turns.
func TestMonkeyOnEveryView(t *testing.T) {
	t.Parallel()
	for v, name := range ViewNames() {
		t.Run(name, func(t *testing.T) {
			k := newMonkey(t, 30+v, 100+v, v%2 == 1)
			all, there, led := cmp.Or(*presses, randomtest.Rounds(75, 750)), 0, 0
			leads := []string{"p", "g", "a"}
			if name == screen.Turns {
				leads = []string{"d"}
			}
			for n := range all {
				k.tell(n, all)
				if n == all/2 {
					k.slow = !k.slow
				}
				if k.m.shown != v && k.rng.IntN(4) == 0 {
					k.goTo(string(rune('1' + v)))
				}
				if n%50 == 25 { // to where keys at random hardly ever lead
					k.goTo(string(rune('1' + v)))
					for _, key := range leads {
						k.key(key)
					}
				}
				if k.m.shown == v {
					there++
				}
				if k.m.tried.axis != "" || k.m.plansWanted().Map {
					led++
				}
				k.press()
				k.check()
			}
			if there < all/3 || led == 0 {
				t.Errorf("only %d of %d keys were for the view, %d for its strips over a weight, or its map", there, all, led)
			}
			k.back()
		})
	}
}

// tell logs how far it is, ten times and with -v at once, where it takes long.
func (k *monkey) tell(n, all int) {
	if n == 0 {
		k.began = time.Now()
	} else if tenth := all / 10; tenth > 1000 && n%tenth == 0 {
		k.t.Logf("%d of %d keys, %.0f a second", n, all, float64(n)/time.Since(k.began).Seconds())
	}
}

func newMonkey(t *testing.T, items, seed int, slow bool) *monkey {
	k := &monkey{t: t, rng: rand.New(rand.NewPCG(*monkeySeed, uint64(seed))), slow: slow, listed: map[string]int{}}
	path, open := manyRuns(t, 3)
	k.home, k.runs = agentHome(t, 3), runsOf(t, path, open)
	k.session = func() *Workspace { return monkeySession(t, k.rng, items) }
	k.begin() // a slow one presses keys before there is a result
	t.Cleanup(func() { k.m.stop() })
	return k
}

// monkeySession can be written and loaded again, has estimates that are
// counted, pairs, and advice.
func monkeySession(t testing.TB, rng *rand.Rand, n int) *Workspace {
	s := sampleSession(t, max(1, n))
	if n < 1000 { // the plans of more requests take long
		items := make([]model.Item, s.Items.Len())
		for i := range items {
			items[i] = s.Items.Item(i)
			items[i].Metadata = map[string]any{"role": []string{"assistant", "tool", "user"}[i%3]}
		}
		s.Items = musttest.Of(model.NewSet(items))(t)
	}
	if n == 0 {
		s.Items = musttest.Of(model.NewSet(nil))(t)
	}
	s.Ceiling = 64_000
	s.Lesson, s.Warnings = "press ]", []string{"a warning that is long enough to be broken into two lines on a narrow screen", "another"}
	unwritten(s, rng, map[string]int{})
	s.CommandLine = func(experiment.Setup) (words, without []string) { return []string{"a\x1b[2Jb", "c d"}, nil }
	var pairs []model.Pair
	for i := 4; i+1 < n; i += 9 {
		pairs = append(pairs, model.Pair{Call: i - 1, Result: i})
	}
	s.Items = s.Items.WithPairs(pairs...)
	s.Sizer = sizer()
	s.Reopen = func(context.Context) (*Workspace, error) {
		if rng.IntN(4) == 0 {
			return nil, errors.New("it is not there any more")
		}
		return monkeySession(t, rng, max(0, n-3+rng.IntN(6))), nil
	}
	if n > 0 {
		s.Count = func(_ context.Context, emit func(tokens.Progress)) error {
			emit(tokens.Progress{Recounts: []model.Recount{{Index: n - 1, Tokens: 77, Count: model.Exact}}})
			return nil
		}
	}
	return s
}

// unwritten has a session write and read no file, and fail at it now and then. Wrote counts files by their extension.
func unwritten(s *Workspace, rng *rand.Rand, wrote map[string]int) {
	fails := func() error {
		if rng.IntN(3) == 0 {
			return errors.New("no space left on device \x1b[2J")
		}
		return nil
	}
	s.Save = func(string, model.Scenario) error { return fails() }
	s.SaveFile = func(path string, _ []byte) error { wrote[filepath.Ext(path)]++; return fails() }
	s.SavePolicy = func(string, model.Policy) error { return fails() }
	s.LoadPolicy = func(context.Context, string) (model.Policy, error) {
		p, _ := model.Preset("rag")
		return p, fails()
	}
}
