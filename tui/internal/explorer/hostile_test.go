package explorer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/theme"
)

// hostile are texts that do something to a terminal, or to a layout, if they
// reach it.
var hostile = []struct{ name, text string }{
	{"CSI", "clear\x1b[2J\x1b[1;1Hhome \x1b[31mred\x1b[0m \x1b[?1049l"},
	{"OSC 8", "\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\"},
	{"OSC 52", "\x1b]52;c;cm0gLXJmIH4=\a copied"},
	{"title", "\x1b]0;owned\aafter"},
	{"an OSC that does not end", "before\x1b]0;for ever"},
	{"DCS", "\x1bP1$r0m\x1b\\ dcs \x1b_apc\x1b\\ \x1b^pm\x1b\\ \x1bXsos\x1b\\"},
	{"C1", "\u009b31m\u009d0;title\u009c \u0090q\u009c \u0085next \u008d"},
	{"8-bit C1 as bytes", "a\x9b31mb\x9d0;t\x9cc"},
	{"controls", "nul\x00bel\abs\b\b\b vt\v ff\f so\x0e si\x0f del\x7f esc\x1b"},
	{"reset", "\x1bc\x1b(0\x1b#8\x1b7\x1b8 reset"},
	{"bidi", "abc\u202egnp.exe\u202c \u2066iso\u2069 \u200f\u061c rtl"},
	{"zero width", "in\u200bvis\u200dib\u2060le\ufeff\u00ad \u034f\u180e\U000e0041"},
	{"invalid UTF-8", "\xff\xfe half \xe4\xb8 \xc0\x80 \xed\xa0\x80 \xf5\x80"},
	{"tabs and returns", "a\tb\rc\r\nd\u2028e\u2029f"},
	{"marks", "e" + strings.Repeat("\u0301\u0327\u0489", 50) + " zalgo \u0301lone"},
	{"wide", strings.Repeat("世界", 200) + "\u1100\u1161\u11a8 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd"},
	{"long", strings.Repeat("a very long line without an end ", 3000)},
	{"without a space", strings.Repeat("x", 20000)},
	{"private and tags", "\ue000\U000f0000 \ufffe\uffff \U0010ffff"},
}

func hostileSession(t testing.TB, text string) *Workspace {
	t.Helper()
	s := sampleSession(t, 40)
	items := make([]model.Item, s.Items.Len())
	for i := range items {
		it := s.Items.Item(i)
		switch i % 4 {
		case 0:
			it.Content = text
		case 1:
			it.Content = fmt.Sprintf("%s %d\n%s", text, i, text)
		case 2:
			it.Kind, it.Source = model.Kind(text+"k"), model.Source(text+"s")
		}
		it.Tags = []string{text, "tag" + text}
		it.Metadata = map[string]any{text: text, "role": []string{"user", "assistant"}[i%2]}
		if i%5 == 0 {
			it.Count = model.Estimated
		}
		items[i] = it
	}
	set := musttest.Of(model.NewSet(items))(t)
	chat := s.Policy
	chat.Name, chat.Description = text, text
	chat.Scorers = []model.Scorer{
		{Type: model.ScoreTag, Weight: 1, TagWeights: []model.TagWeight{{Tag: text, Weight: 1}}},
		{Type: model.ScoreKind, Weight: 1, KindWeights: []model.KindWeight{{Kind: model.Kind(text + "k"), Weight: 2}}},
	}
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 32000, OutputReserve: 8000,
		ReservedSlots: []model.Slot{{Kind: model.Kind(text + "k"), Tokens: 300}}}))(t)
	s.Items, s.Policy, s.Budget = set, chat, b
	s.Name, s.Format, s.SavePath = text+".json", "items", text+"/scenario.json"
	s.Lesson, s.Warnings, s.Report = text, []string{text, "w " + text}, []string{text, "r " + text}
	s.Save = func(path string, _ model.Scenario) error { return fmt.Errorf("open %s: %s", path, text) }
	s.SaveFile = func(path string, _ []byte) error { return fmt.Errorf("open %s: %s", path, text) }
	s.SavePolicy = func(path string, _ model.Policy) error { return fmt.Errorf("open %s: %s", path, text) }
	s.LoadPolicy = func(_ context.Context, path string) (model.Policy, error) {
		return model.Policy{}, fmt.Errorf("open %s: %s", path, text)
	}
	s.Reopen = func(context.Context) (*Workspace, error) { return nil, errors.New("reading " + text) }
	s.CommandLine = func(experiment.Setup) (words, without []string) {
		return []string{text, "--slot", text + "=5"}, []string{text}
	}
	var pairs []model.Pair
	for i := 1; i < len(items); i += 6 {
		pairs = append(pairs, model.Pair{Call: i - 1, Result: i})
	}
	sizes := map[int][]model.Size{}
	for i := 0; i < len(items); i += 2 {
		sizes[i] = []model.Size{{Tokens: max(2, items[i].Tokens/2), Content: text, Label: text}, {Tokens: 1, Note: true, Content: text, Label: text}}
	}
	s.Items, s.Sizer = musttest.Of(s.Items.WithPairs(pairs...).WithSizes(sizes))(t), sizer()
	return s
}

var hostileScreens = []string{"", "p", "pjjj<enter>", "O", "o", "2", "2d", "?", "i", "<enter>", "/", "<tab><enter>", "w", "#G", "B", "x", "<space>", "w<enter>", "sss", "/kind:", "3", "3(", "3))", "4", "4sG", "4/CSI<enter>nN", "4jjJnM", "4Eh<enter>", "5b", "7nN", "y", "yi", "E", "Er<enter>",
	"5", "5jjj", "5/CSI<enter>n", "6", "6jjjjjj<enter>", "7", "7+j", "3f", "fCSI", "fi<enter>", "Y", "yc", "e", "vvve", "VV", "W", "W<enter>", "jx<enter>G", "r", "=", "]m2", "o<tab><tab>oops<enter>",
	":", ":set " + heldFor, ":pin kind:CSI", ":exclude all", "?quota", "?<tab>", ":max 10<enter>", "2t", ":greedy vs knapsack<enter>", ":theme light<enter>", ":export",
	"8", "8s", "8hh", "8d", "8d))lj", "8aclear:exclude=read<enter>", "pga", "3pga", "Eb<enter>", ":shrink * 9 note<enter>", ":10k<enter>j<enter>", "o<tab>", "o<tab><tab>"}

func TestNothingHostileReachesTheTerminal(t *testing.T) {
	for k, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			path, open := manyRuns(t, 3, h.text)
			home, runs := agentHome(t, 3, h.text), runsOf(t, path, open)
			for n, keys := range hostileScreens {
				if (n+k)%randomtest.Rounds(len(hostile), 5) != 0 {
					continue // some of the screens for each kind of text, and each screen once
				}
				opened := hostileSession(t, h.text)
				opened.runs = runs
				s := begin(t, opened, 120, 36, func(o *Options) {
					o.ASCII, o.Sessions = n%5 == 4, home
					o.OpenOther = func(_ context.Context, path string) (*Workspace, error) {
						return nil, fmt.Errorf("%s: %s", path, h.text)
					}
				})
				s.press(keys)
				check := func(when string, sizes ...[2]int) {
					for _, size := range sizes {
						s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
						if fault := frameFault(s.m); fault != "" {
							t.Fatalf("%s after %q, %s, at %dx%d:\n%s", fault, keys, when, size[0], size[1], s.text())
						}
					}
				}
				check("as it is", [][2]int{{120, 36}, {80, 24}, {60, 16}, {200, 60}, {20, 5}}...)
				if fault := terminalFault(s.m); fault != "" {
					t.Fatalf("%s after %q", fault, keys)
				}
				s.send(tea.PasteMsg{Content: h.text})
				check("pasted into", [2]int{120, 36}, [2]int{62, 17})
				for _, r := range []rune(h.text)[:min(20, utf8.RuneCountInString(h.text))] {
					s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
				}
				check("typed into", [2]int{120, 36}, [2]int{62, 17})
				s.send(tea.KeyPressMsg{Code: tea.KeyEnter})
				check("entered", [2]int{120, 36}, [2]int{62, 17})
				s.press("<esc><esc>jjj")
				check("left", [2]int{120, 36}, [2]int{62, 17})
			}
		})
	}
}

// Every knob is opened: its label may hold a kind's name.
func TestNoKnobIsHostile(t *testing.T) {
	for n, h := range hostile {
		if n%randomtest.Rounds(10, 1) != 0 {
			continue
		}
		s := begin(t, hostileSession(t, h.text), 120, 36).after("<tab>")
		s.m.knobs.Open(true)
		opened := 0
		for _, knob := range slices.Clone(s.m.knobs.All) { // a knob that is not at its default moves
			if knob.ID == experiment.Scorers {
				continue // enter leads away from the knobs
			}
			s.m.knobs.Select(knob.ID)
			for _, keys := range []string{"<enter>", "9", "<enter>", "<esc>", "h", "l", "<backspace>"} {
				if keys == "<esc>" && !s.typing() {
					continue // it would leave the knobs
				}
				s.press(keys)
				if p, ok := s.m.top().(*overlay.Prompt); ok && strings.HasPrefix(p.Label, heldFor) {
					opened++
				}
				if fault := frameFault(s.m); fault != "" {
					t.Fatalf("%s: %s\n%s", h.name, fault, s.text())
				}
			}
		}
		if opened < 5 {
			t.Errorf("%s: the knobs of kinds were opened %d times", h.name, opened)
		}
	}
}

func TestNoSourceNorErrorIsHostile(t *testing.T) {
	for _, h := range hostile {
		for _, size := range [][2]int{{120, 36}, {60, 16}, {30, 8}, {3, 2}, {1, 1}} {
			st := &story{t: t, m: New(context.Background(), Options{Source: h.text, Theme: theme.Dark, Open: func(context.Context) (*Workspace, error) {
				return nil, errors.New("reading " + h.text + ": " + h.text)
			}}), held: true}
			t.Cleanup(st.m.stop)
			st.m.after = func(time.Duration, tea.Msg) tea.Cmd { return nil } // nobody waits
			st.run(st.m.Init())
			st.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			if fault := frameFault(st.m); fault != "" {
				t.Fatalf("%s, loading at %v: %s", h.name, size, fault)
			}
			st.release()
			if fault := frameFault(st.m); fault != "" {
				t.Fatalf("%s, failed at %v: %s", h.name, size, fault)
			}
		}
	}
}

// Errors of the pipeline name what the files say.
func TestNoErrorOfTheExperimentIsHostile(t *testing.T) {
	for _, h := range hostile {
		s := begin(t, hostileSession(t, h.text), 120, 36).after("<tab><enter>100<enter>")
		if fault := frameFault(s.m); fault != "" {
			t.Fatalf("%s: %s\n%s", h.name, fault, s.text())
		}
		s.sees("Press ] for", "no result: "+reserve)
	}
}
