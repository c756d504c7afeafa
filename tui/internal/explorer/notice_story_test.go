package explorer

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate/session"
)

// opening is a story of a file that is opened without a budget.
func opening(t *testing.T, name, text string, w, h int) *story {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	write(t, path, text)
	opened := sessionOf(t, session.Options{Sources: []string{path}})
	return begin(t, opened, w, h)
}

// A warning takes one row of the smallest screen and up to three of a larger one, is
// whole in the report of loading, and goes when it is true no longer.
func TestTheNoteOnAGuessedBudget(t *testing.T) {
	const all = "guessed budget: 8,000, enough for all items"
	for _, c := range []struct {
		w, h  int
		lines []string
	}{
		{60, 16, []string{" guessed budget: 8,000, enough for all items         i more"}},
		{80, 24, []string{" guessed budget: 8,000, enough for all items", " Everything fits: { goes to where this item drops out."}},
	} {
		s := opening(t, "items.json", `[{"content": "one", "tokens": 50, "futureRelevanceHint": 0.5}, {"content": "two", "tokens": 60, "futureRelevanceHint": 0.9}]`, c.w, c.h)
		said := 0
		for _, line := range s.screen() {
			if said < len(c.lines) && strings.HasPrefix(line, c.lines[said]) {
				said++
			}
		}
		musttest.Is(t, said, len(c.lines), c.w, "x", c.h, c.lines, "is not on the screen", s.text())
		s.press("<esc>")
		s.seesNot("guessed")
		s.do("report")
		musttest.Says(t, strings.Join(strings.Fields(strings.ReplaceAll(s.text(), "│", " ")), " "), all, c.w, c.h, "the report")
		s.press("<esc>[i")
		s.seesNot("guessed")
	}
}

// An answer that is longer than its row takes the row of the hints too, so that a path
// can be read to its end; the next key brings the hints back.
func TestALongAnswerIsReadToItsEnd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("d", 60))
	musttest.Do(t, os.Mkdir(dir, 0o700))
	path := filepath.Join(dir, "window.txt")
	for _, size := range [][2]int{{200, 36}, {120, 36}, {100, 24}} {
		s := begin(t, sampleSession(t, 30), size[0], size[1])
		s.m.workspace.SaveFile = func(string, []byte) error { return nil }
		s.press("Ew<ctrl+u>" + path + "<enter>")
		last := s.screen()[size[1]-2:]
		musttest.Says(t, last[0]+strings.TrimPrefix(last[1], " "), "written to "+path+": ", size, last)
		s.press("j", "? all keys")
	}
}

// Counting that brings nothing in or out is not told.
func TestCountingThatMovesNothingIsNotTold(t *testing.T) {
	for _, size := range sizes {
		s := opening(t, "notes.txt", strings.Repeat("The tide table of the harbour, line by line. ", 900), size[0], size[1])
		if _, changed := s.m.exp.Impact(); !changed {
			t.Fatal("nothing was counted")
		}
		s.seesNot("than estimated", "nothing came in")
		s.do("view.Turns")
		s.seesNot("than estimated")
	}
}

// What the sweep says is whole at every size.
func TestSmallScreensSayTheSweepWhole(t *testing.T) {
	for size, s := range agentAtSizes(t, "<esc>8s") {
		s.line("cost against that of A")
		for _, line := range s.screen() {
			if strings.Contains(line, "…") {
				t.Errorf("%v: %q is cut", size, line)
			}
		}
		s.sees("30 %, the deepest tried: 57 % less", "Now: a cut to 60 %, h/l changes it: 45 % less")
	}
}

// The first line that is seen of a damaged source says what is damaged, and nothing that is as usual.
func TestDamageIsToldFirst(t *testing.T) {
	serial(t)
	const chat = `[{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"role":"user","content":"three"}]`
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(strings.Repeat(`{"role":"user","content":"a line of some length"}`+"\n", 400)))
	_ = w.Close()
	for _, c := range []struct{ name, text, first string }{
		{"cut.json", chat[:80], "damaged: document ends early"},
		{"cut.jsonl", `{"role":"user","content":"one"}` + "\n" + `{"role":"us`, "damaged: last line ends early (line 2)"},
		{"cut.jsonl.gz", packed.String()[:packed.Len()-12], "damaged: compressed data ends early"},
		{"bad.json", "[{\"role\":\"user\"\n,\"content\":\"x\" \"y\"}]", "Could not open bad.json, line 2, column 16: not JSON: invalid character '\"' after object key:value pair"},
		{"short.json.gz", packed.String()[:6], "Could not open short.json.gz: no usable item: compressed with gzip, and cannot be unpacked: it ends early"},
		{"empty.json", "", "Could not open empty.json: no usable item: the file is empty"},
		{"binary.json", "\x00\x01\x02\xff\xfe\x00", "Could not open binary.json: no usable item: it is binary"},
		{"missing.json", "", "Could not open missing.json: no such file or directory"},
	} {
		for _, size := range sizes {
			t.Chdir(t.TempDir())
			if !strings.HasPrefix(c.name, "missing") {
				musttest.Do(t, os.WriteFile(filepath.Join(".", c.name), []byte(c.text), 0o600))
			}
			s := begin(t, &Workspace{Name: c.name}, size[0], size[1], func(o *Options) {
				o.Open = func(ctx context.Context) (*Workspace, error) {
					return Open(ctx, session.Options{Sources: []string{c.name}}, session.Input{})
				}
			})
			words := strings.Fields(strings.Join(s.screen(), " "))
			if text := strings.Join(words, " "); !strings.Contains(text, strings.Join(strings.Fields(c.first), " ")) || strings.Contains(text, "timestamps") {
				t.Errorf("%s at %v does not say %q, or more than that:\n%s", c.name, size, c.first, s.text())
			}
		}
	}
}

// Where the pinned items have no room, the notice names the largest output reserve with a result.
func TestTheLargestReserveThatLeavesRoomForThePinnedItems(t *testing.T) {
	s := agentAt(t, 120, 36, ":8000<enter>")
	most := 8000 - s.m.exp.Items().PinnedTokens()
	s.sees("Press ] for 10,082", "lower the "+reserve+" to "+most.String())
	s.press(fmt.Sprintf(":reserve %d<enter>", most+1), "no result")
	s.press(fmt.Sprintf(":reserve %d<enter>", most))
	s.line(reserve+" ", " items in (#0")
}

// notice is what the notice says, as one line.
func notice(s *story) string {
	screen, at := s.screen(), s.m.drawn.layout.Notice
	return strings.Join(strings.Fields(strings.Join(screen[at.Y:at.Y+at.H], " ")), " ")
}

// The first line says why there is no result, and a row below it with which keys and knobs there is one; where the line
// has no room for why, the row says that too. No row above the tabs is blank.
func TestWhyThereIsNoResultIsInTheFirstLine(t *testing.T) {
	both := reserve + " 8,000 + " + plain.Pinned + " 2,082 need 10,082, "
	for typed, want := range map[string][2]string{
		"1000": {both + "9,082 more than the budget", "Press ] for 10,082" + pinsAlone + "."}, // no smaller reserve is enough
		"4000": {both + "6,082 more than the budget", "Press ] for 10,082" + pinsAlone + ", or lower the " + reserve + " to 1,918."},
		"8000": {both + "2,082 more than the budget", // no release would leave room
			"Press ] for 10,082" + pinsAlone + ", or lower the " + reserve + " to 5,918."},
		"9000": {both + "1,082 more than the budget",
			"Press ] for 10,082" + pinsAlone + ", or lower the " + reserve + " to 6,918, or release 2 " + plain.Pinned + " items (space)."},
		"pin 19,48,28,45,62,21": {reserve + " 8,000 + " + plain.Pinned + " 33,758 need 41,758, 9,758 more than the budget", // no smaller reserve is enough
			"Press ] for 41,758" + pinsAlone + ", or release the largest " + plain.Pinned + " item (space)."},
		"set target 300": {"what must be in takes 2,082, the target is 300",
			"Press ] for 33,782" + pinsAlone + ", or set overflow to truncate or proceed, or raise the target, or release 3 " + plain.Pinned + " items (space)."},
		"set tool output require 30": {"what must be in takes 61,485, the target is 32,000", // the target is the budget
			"Press ] for 61,485, or lower tool output require 30 (p), or set overflow to truncate or proceed."},
	} {
		for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}} {
			s := agentAt(t, size[0], size[1], ":"+typed+"<enter>")
			got, below := strings.CutPrefix(notice(s), capital(want[0])+". ")
			musttest.Is(t, strings.Contains(s.screen()[0], "  no result: "), !below, size, typed, s.screen()[0])
			if size[0] > 80 {
				musttest.Says(t, s.screen()[0], "  no result: "+want[0]+" ", size, typed)
			}
			alike := func(ways string) string { return strings.TrimSuffix(strings.Replace(ways, pinsAlone, "", 1), ".") }
			if got != want[1] && (size[0] == 200 || !strings.HasPrefix(alike(want[1]), alike(got))) || !below && s.m.drawn.layout.Notice.H != 1 {
				t.Errorf("%v, %s: the notice says\n%s\nwant\n%s", size, typed, got, want[1])
			}
			for _, line := range s.screen()[:s.m.drawn.layout.Tabs.Y] {
				if strings.TrimSpace(line) == "" {
					t.Errorf("%v, %s: a blank row above the tabs:\n%s", size, typed, s.text())
				}
			}
		}
	}
}

// The notice without result names the nearest budget that works, and ] leads there; where that holds
// the pinned items alone it says so.
func TestTheFixOfANoticeNamesABudgetThatWorks(t *testing.T) {
	for _, typed := range []string{"9000", "500", "pin 19,48,28,45,62,21", "set target 300", "set tool output require 30"} {
		s := agentAt(t, 200, 60, ":"+typed+"<enter>", "no result")
		notice := notice(s)
		s.do("budget.next")
		rep := s.m.exp.Outcome(s.m.side).Report
		if rep == nil || !strings.Contains(notice, "Press ] for "+s.m.budget().String()) {
			t.Fatalf("%s: at %v there is the result %v, the notice says %s", typed, s.m.budget(), rep, notice)
		}
		pins := len(rep.Included) == len(s.m.exp.Profile(s.m.side).Ranking().Pinned())
		musttest.Is(t, strings.Contains(notice, pinsAlone), pins, typed, notice)
	}
	s := agentAt(t, 120, 36, ":set target 300<enter>:overflow truncate<enter>", "overflow throw → truncate")
	s.seesNot("Press ]", "set overflow to")
}

// Items that are pinned and cut are released with what they take, and those that are excluded not at all.
func TestReleasesAreOfWhatPinnedItemsTake(t *testing.T) {
	set := musttest.Of(model.NewSet([]model.Item{
		{Content: "long", Tokens: 1000, Kind: model.Document, Pinned: true}, {Content: "short", Tokens: 150, Kind: model.Message, Pinned: true}, {Content: "other", Tokens: 400, Kind: model.Message, Pinned: true},
	}))(t)
	cut := model.Shrink{Pinned: true, Rules: []model.ShrinkRule{{Kind: model.Document, To: []model.Tokens{100}}}}
	for _, c := range []struct {
		edits model.Edits
		want  int
	}{{model.Edits{}, 1}, {model.Edits{Shrink: cut}, 2}, {model.Edits{Excluded: map[int]bool{0: true}}, 2}} {
		items := musttest.Of(set.With(c.edits))(t)
		musttest.Is(t, releases(&model.PinnedError{Pinned: 650, Available: 150}, items), c.want, fmt.Sprintf("%+v", c.edits))
	}
}
