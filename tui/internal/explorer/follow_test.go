package explorer

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
)

// followed opens a file that is followed from the start.
func followed(t *testing.T, text string) (*story, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "grows.jsonl")
	write(t, path, text)
	s := sessionOf(t, session.Options{Sources: []string{path}, Follow: true, Budget: map[string]string{"maxTokens": "100"}, Preset: "rag", Slack: "10"})
	return begin(t, s, 120, 36), path
}

// look lets the time pass until the next look at the source. After it the screen shows all words.
func (s *story) look(words ...string) {
	s.t.Helper()
	s.send(quietMsg(func() tea.Cmd {
		if s.m.follow.source == nil {
			return nil
		}
		return s.m.poll()
	}))
	s.sees(words...)
}

func extend(t *testing.T, path, text string) {
	t.Helper()
	old := musttest.Of(os.ReadFile(path))(t)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err == nil {
		err = f.Close()
	}
	if now, _ := os.ReadFile(path); err != nil || string(now) != string(old)+text {
		t.Fatal("not appended:", err)
	}
}

// The next look comes after a second, and after a longer one the longer the last one
// took.
func TestFollowingRestsAfterALongLook(t *testing.T) {
	s, _ := followed(t, reloadFirst)
	for _, c := range []struct{ took, wait time.Duration }{{0, time.Second}, {200 * time.Millisecond, time.Second}, {2 * time.Second, 8 * time.Second}} {
		now := time.Time{}
		s.m.opts.Now = func() time.Time { now = now.Add(c.took); return now }
		s.look()
		musttest.Is(t, s.wait, c.wait, "after a look of", c.took, "it waits")
	}
}

// What arrives is shown; all that the user has done stays, and the cursor stays on
// its item, or at the end.
func TestFollowingKeepsWhatTheUserHasDone(t *testing.T) {
	s, path := followed(t, reloadFirst)
	s.sees("grows.jsonl", " of 3 in", "following", "─ #2 ") // the newest, where what arrives is in sight
	s.press("gxjl")                                         // alpha is out, the cursor on beta, the budget turned
	budget, policy := s.m.budget(), s.m.exp.Setup().Policy
	extend(t, path, `{"content": "delta", "tokens": 70, "futureRelevanceHint": 0.3}`+"\n"+`{"content": "half a `)
	s.look(" of 4 in", "following, +1", "─ #1 ")
	if e := s.m.exp.Setup(); !e.Edits.Excluded[0] || len(e.Edits.Excluded) != 1 || s.m.budget() != budget || !e.Policy[experiment.A].Same(policy[experiment.A]) {
		t.Errorf("the setup is %+v now", e)
	}
	s.look(" of 4 in", "following, +1")
	s.press("G", "─ #3 ")
	extend(t, path, `line", "tokens": 9, "futureRelevanceHint": 0.2}`+"\n")
	s.look(" of 5 in", "─ #4 ", "half a line")
	s.press("uu")
	if e := s.m.exp.Setup(); !e.Edits.IsZero() || s.m.budget() == budget {
		t.Errorf("undone, the setup is %+v", e)
	}
	musttest.Is(t, s.m.unsaved(), false, "what arrived is unsaved")
	if words := s.m.screenWords(); !slices.Contains(words, "--follow") {
		t.Errorf("the command line has %q", words)
	}
	s.do("follow", "not followed any more")
	s.seesNot("following")
	extend(t, path, `{"content": "unseen", "tokens": 1}`+"\n")
	s.look(" of 5 in")
	s.do("follow", followsNow)
	s.look(" of 6 in", "following, +1", "arrived: ")
}

// What a key was refused stays until the next key, whatever becomes of the source; any other answer gives way
// to what arrives, as what following waits for does.
func TestARefusalStaysUntilTheNextKey(t *testing.T) {
	const row = `{"content": "more", "tokens": 5}` + "\n"
	s, path := followed(t, reloadFirst)
	for _, does := range []func(){func() { extend(t, path, row) }, func() { write(t, path, "") }, func() { write(t, path, row) }} {
		s.press("n", "n: there is no filter")
		does()
		s.look("n: there is no filter")
	}
	s.do("copy.line", "sent to the terminal")
	extend(t, path, row)
	s.look()
	s.line("1 item arrived")
	musttest.Do(t, os.Rename(path, path+"x"))
	s.look()
	s.line("following waits: ")
	musttest.Do(t, os.Rename(path+"x", path))
	extend(t, path, row)
	s.look()
	s.line("1 item arrived")
}

// A line that is no item is told when it arrives, alone or with others, until esc hides it; what
// arrives later tells it no second time.
func TestFollowingTellsWhatItCannotRead(t *testing.T) {
	s, path := followed(t, reloadFirst)
	for k, text := range []string{"garbage\n", `{"content": "delta", "tokens": 5}` + "\nmore garbage\n"} {
		extend(t, path, text)
		s.look()
		s.press("j")
		s.line(fmt.Sprintf("skipped %d line", k+1))
		extend(t, path, `{"content": "fine", "tokens": 5}`+"\n")
		s.look()
		s.line("skipped", fmt.Sprintf("loaded %d items", s.m.exp.Items().Len()))
		s.press("<esc>")
		s.seesNot("skipped")
		extend(t, path, `{"content": "fine too", "tokens": 5}`+"\n")
		s.look()
		s.seesNot("skipped")
	}
}

// The line says what each batch did, and each side's own last change or nothing.
func TestFollowingSaysWhatArrivedDid(t *testing.T) {
	for _, size := range sizes {
		s, path := followed(t, reloadFirst)
		s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		extend(t, path, `{"content": "delta", "tokens": 45, "futureRelevanceHint": 0.99}`+"\n")
		s.look()
		s.line("1 item arrived: + #3  − #")
		extend(t, path, `{"content": "huge", "tokens": 4500}`+"\n"+`{"content": "more", "tokens": 4500}`+"\n")
		s.look()
		s.line("2 items arrived")
		s.do("policy.B")
		s.line("2 items arrived")
		s.press(":160<enter>")
		s.line("budget 100 → 160: no item moves")
		s.do("policy.A")
		s.line("budget 100 → 160: +")
		s.do("reload") // other items
		s.press("j")
		s.seesNot("budget 100 → 160")
	}
}

// After a batch the line says what arrived since the start, how much of it is in and what older fell out, and D
// lists what the last one moved, then all that was moved since, then all items again. What arrived, was in
// and fell out again has fallen out as well.
func TestFollowingSaysWhatCameSinceTheStart(t *testing.T) {
	for _, size := range sizes {
		s, path := followed(t, reloadFirst)
		s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		_, follows := s.m.exp.Since(experiment.A)
		before := slices.Clone(s.m.exp.Result(experiment.A).Report.Included)
		ever, there := slices.Clone(before), s.m.exp.Items().Len()
		for k, hint := range []string{"0.97", "0.98", "0.99"} {
			if k < 2 {
				s.seesNot("since the start", "in all ") // the first batch alone is what came since
			}
			extend(t, path, `{"content": "delta `+hint+`", "tokens": 40, "futureRelevanceHint": `+hint+"}\n")
			s.look()
			ever = append(ever, s.m.exp.Result(experiment.A).Report.Included...)
		}
		report := s.m.exp.Result(experiment.A).Report
		var moved []int
		in, out, again, stayed, older := 0, 0, 0, 0, 0
		for i := range report.Codes {
			switch was := slices.Contains(before, int32(i)); {
			case report.In(i) && !was:
				in, moved = in+1, append(moved, i)
				if i >= there {
					stayed++
				}
			case slices.Contains(ever, int32(i)) && !report.In(i):
				out, moved = out+1, append(moved, i)
				if !was {
					again++
				}
				if i < there {
					older++
				}
			}
		}
		if follows || in < 2 || again == 0 || older == out {
			t.Fatalf("since the start %d came in and %d went out, %d of these had come in", in, out, again)
		}
		switch size[0] {
		case 120:
			s.line("1 item arrived: +", fmt.Sprintf("since the start 3 arrived, %d of them in; %d older fell out", stayed, older))
		case 80:
			s.line("1 item arrived: +", fmt.Sprintf("in all 3 arrived, %d in; %d older out", stayed, older))
		}
		s.do("items.moved")
		s.line("the last step moved these, D: all since the start")
		hinted := func(hint string) {
			s.send(tea.WindowSizeMsg{Width: 220, Height: size[1]}) // where the footer has room for it
			s.line("? all keys", "D "+hint)
			s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		}
		hinted("all since the start")
		s.do("items.moved")
		s.line("what arrived moved these since the start, D: all again")
		hinted("all items again")
		musttest.Is(t, fmt.Sprint(s.rows()), fmt.Sprint(moved), size, "D lists")
		if text := strings.ToLower(s.text()); size[0] == 120 && (strings.Count(text, "+ came in") != in || strings.Count(text, "− went out") != out) {
			t.Errorf("the list does not say which %d came in and which %d went out:\n%s", in, out, s.text())
		}
		s.do("items.moved")
		if !s.m.filter.IsZero() {
			t.Errorf("D leaves the filter %v", s.m.filter)
		}
		s.press(":300<enter>")
		s.seesNot("since the start", "in all ") // a change of the user's
		extend(t, path, `{"content": "too large", "tokens": 4000}`+"\n")
		s.look()
		stayed, report = 0, s.m.exp.Result(experiment.A).Report
		for i := there; i < len(report.Codes); i++ {
			if report.In(i) {
				stayed++
			}
		}
		if since, _ := s.m.exp.Since(experiment.A); len(since.In) == stayed {
			t.Fatal("no item of before came in") // which arrived no more than the budget did
		}
		if size[0] >= 80 {
			s.line("1 item arrived", fmt.Sprintf("in all 4 arrived, %d in; 0 older out", stayed))
		}
	}
}

// Beside what came since the start, what a batch did to the cost stands in whole words and numbers, or stands alone.
func TestFollowingCutsNoCost(t *testing.T) {
	chat := func(from, to int) (text string) {
		for k := from; k < to; k++ {
			text += fmt.Sprintf(`{"role": %q, "content": %q}`+"\n", [...]string{"user", "assistant"}[k%2], strings.Repeat(fmt.Sprint("word ", k, " "), 300))
		}
		return text
	}
	path := filepath.Join(t.TempDir(), "chat.jsonl")
	write(t, path, chat(0, 12))
	s := begin(t, sessionOf(t, session.Options{Sources: []string{path}, Follow: true, Budget: map[string]string{"maxTokens": "90000"}}), 80, 24)
	s.do("view.Turns")
	beside := 0
	for k := 12; k < 52; k += 20 {
		was := s.courseOf(plans.A).Totals.Cost
		extend(t, path, chat(k, k+20))
		s.look()
		brief := fmt.Sprintf("20 items arrived: A costs %v → %v", model.Tokens(was+.5), model.Tokens(s.courseOf(plans.A).Totals.Cost+.5))
		for width := 70; width <= 130; width++ {
			s.send(tea.WindowSizeMsg{Width: width, Height: 24})
			_, after, _ := strings.Cut(s.line("20 items arrived: "), brief)
			if after != "" && !strings.HasPrefix(after, " ") && !strings.HasPrefix(after, ", ") || !strings.Contains(s.text(), brief) {
				t.Fatalf("%d columns do not have %q:\n%s", width, brief, s.text())
			}
			if strings.Contains(s.text(), "in all 40 arrived") || strings.Contains(s.text(), "since the start 40 arrived") {
				beside++
			}
		}
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	}
	if beside == 0 {
		t.Error("no width has room for what came since the start")
	}
}

// The list of D follows the source, whichever of the two it is, and the line says what arrived.
func TestTheListOfWhatMovedFollowsTheSource(t *testing.T) {
	for _, size := range sizes {
		s, path := followed(t, reloadFirst)
		s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for k, hint := range []string{"0.95", "0.96", "0.97", "0.98"} {
			extend(t, path, `{"content": "delta `+hint+`", "tokens": 40, "futureRelevanceHint": `+hint+"}\n")
			s.look()
			s.line("1 item arrived: +")
			im, _ := s.m.exp.Impact()
			since, _ := s.m.exp.Since(experiment.A)
			want := slices.Sorted(slices.Values(slices.Concat(im.In, im.Out)))
			if k == 3 {
				want = slices.Sorted(slices.Values(slices.Concat(since.In, since.Out)))
			}
			if k > 0 {
				s.lists(want...)
				s.seesNot("an earlier step")
			}
			if k == 0 || k == 2 { // the first list, then the other
				s.do("items.moved", "moved these")
			}
		}
		s.press("D/delta")
		extend(t, path, `{"content": "last", "tokens": 40, "futureRelevanceHint": 0.99}`+"\n")
		s.look()
		s.press("<enter>")
		s.look()
		musttest.Is(t, s.m.filter.String(), "delta", "what is typed stays:")
		s.press("<esc>")
		extend(t, path, `{"content": "most", "tokens": 40, "futureRelevanceHint": 1}`+"\n")
		s.look()
		s.do("items.moved", "moved these")
		write(t, path, `{"content": "x", "tokens": 40}`+"\n"+`{"content": "y", "tokens": 40}`+"\n")
		s.look()
		s.lists(0, 1) // other items: the list has nothing to say of them
		s.press("[D")
		s.lists(1)
		write(t, path, reloadFirst)
		s.look()
		s.lists(0, 1, 2)
	}
}

// A compaction takes items away: those that are left have other numbers.
func TestFollowingSaysWhatACompactionDid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grows.jsonl")
	all := strings.SplitAfter(compacted(), "\n")
	cut := slices.IndexFunc(all, func(row string) bool { return strings.Contains(row, "compact_boundary") })
	write(t, path, strings.Join(all[:cut], ""))
	opened := sessionOf(t, session.Options{Sources: []string{path}, Follow: true, Budget: map[string]string{"maxTokens": "1000"}})
	s := begin(t, opened, 120, 36)
	was := s.m.exp.Items().Len()
	extend(t, path, strings.Join(all[cut:], ""))
	s.look()
	s.press("j")
	im, _ := s.m.exp.Impact()
	if now := s.m.exp.Items().Len(); len(im.In) != now || len(im.Out) > 0 || !strings.Contains(im.Label, fmt.Sprintf(" arrived, %d removed", was)) {
		t.Errorf("%d items before, %d now: %+v", was, now, im)
	}
	s.line(im.Label + ": +")
}

// A file that is cut short, replaced, emptied or gone is told in words, and edits
// stay with the items that are still there.
func TestFollowingTellsWhatBecameOfTheFile(t *testing.T) {
	s, path := followed(t, reloadFirst)
	s.press("gjx") // beta
	first, second, _ := strings.Cut(reloadFirst, "\n")
	write(t, path, first+"\n")
	s.look("grows.jsonl was cut short; loaded again: 2 items gone, edits of 1 lost", " of 1 in")
	write(t, path, second+first+"\n")
	s.look("grows.jsonl was replaced; loaded again: 2 items new", " of 3 in")
	write(t, path, "")
	s.look("grows.jsonl was emptied", " of 3 in")
	musttest.Do(t, os.Remove(path))
	s.look("following waits: ", "no such file", "following, gone", " of 3 in")
	s.press("j")
	s.look() // it is said once
	s.seesNot("following waits")
	write(t, path, reloadFirst)
	s.look("; loaded again: 3 items moved", "following ", " of 3 in") // it was emptied, or is another file
	write(t, path, "[\n1,\n2\n]\n")
	s.look("not followed: it is one JSON value over several lines", " of 3 in")
	s.seesNot("following")
}

// talkRow is a message of a conversation that grows a row at a time.
func talkRow(role, text string) string {
	return `{"role":"` + role + `","content":"` + strings.Repeat(text+" ", 12) + `"}` + "\n"
}

// The session grows on while an earlier request is shown: that stays, edits stay, and
// the end has what arrived. A file that is cut short shows its end.
func TestFollowingAtAnEarlierRequest(t *testing.T) {
	s, path := followed(t, talkRow("user", "one")+talkRow("assistant", "two")+talkRow("user", "three"))
	s.press("8g", "at request 1 of 2", "following", "Request 1, before #1: ")
	s.seesNot("00:00") // a time that was made up
	s.press("1x8u8l8h")
	extend(t, path, talkRow("assistant", "four")+talkRow("user", "five"))
	s.look("at request 1 of 3", "The first request", "following, +2")
	s.press("1gx") // "one"
	extend(t, path, talkRow("assistant", "six"))
	s.look()
	if at, ok := s.m.exp.Moment(); !ok || at.Number != 1 || !s.m.exp.Items().Excluded(0) || s.m.exp.Whole().Len() != 6 {
		t.Errorf("at %+v, %d items in all", at, s.m.exp.Whole().Len())
	}
	s.press("u8<esc>", " of 6 in", "Now, not sent yet")
	s.press("g")
	write(t, path, talkRow("user", "one"))
	s.look()
	s.seesNot("at request")
	s.sees("grows.jsonl was cut short; loaded again: 5 items gone")
	extend(t, path, talkRow("assistant", "two"))
	s.look()
	s.press("8g", "at request 1 of 2")
	write(t, path, talkRow("user", "another")+talkRow("assistant", "answer"))
	s.look("was replaced")
	s.seesNot("at request")
}

// At a request before a compaction following waits, and goes on at the end.
func TestFollowingWaitsBeforeACompaction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grows.jsonl")
	write(t, path, compacted())
	opened := sessionOf(t, session.Options{Sources: []string{path}, Follow: true, Budget: map[string]string{"maxTokens": "100"}})
	s := begin(t, opened, 120, 36).after("8gl1gx8", "at request 1 of 3", "following, waits")
	extend(t, path, `{"type":"user","uuid":"8","parentUuid":"7","timestamp":"2026-01-02T04:04:04Z","message":{"role":"user","content":"eight"}}`+"\n")
	s.look("following, waits")
	s.press("<esc>")
	s.look("following, +1")
	s.do("view.Turns")
	requests, err := s.m.turns.History()
	if err != nil || !requests.Items().Excluded(0) {
		t.Errorf("the edit of the removed item is lost: %v", err)
	}
}

// Following that begins anew drops the look that was due before, and the answer of one that runs.
func TestFollowingAnewDropsWhatIsDue(t *testing.T) {
	s, path := followed(t, reloadFirst)
	extend(t, path, `{"content": "delta", "tokens": 5}`+"\n")
	due := s.due
	runs := s.m.poll()
	s.press("FF")
	s.send(due)
	s.sees(" of 3 in", followsNow)
	s.run(runs)
	s.sees(" of 3 in", followsNow)
	s.look(" of 4 in", "following, +1")
}

// Nothing is taken away while it is typed, and what arrived meanwhile is not lost.
func TestFollowingWaitsForWhatIsTyped(t *testing.T) {
	s, path := followed(t, reloadFirst)
	s.press("/alp")
	extend(t, path, `{"content": "alphabet", "tokens": 5}`+"\n")
	s.look()
	s.press("h<enter>")
	s.look(" of 4 in", "filter alph", "2 shown")
}

// What the palette lists is of the items that are shown: what arrives waits until it is closed, a source that is
// loaded again closes it, and opened anew it has the items and the knobs of then.
func TestThePaletteIsOfTheItemsThatAreShown(t *testing.T) {
	s, path := followed(t, reloadFirst)
	knob, items := "set "+heldFor+"Notes", "exclude 1 item: kind:Notes"
	lists := func(there bool) {
		t.Helper()
		for typed, want := range map[string]string{heldFor + "notes": knob, "exclude all notes": items} {
			s.types(typed)
			musttest.Is(t, strings.Contains(s.text(), want), there, want, "is listed, for", typed)
			s.press("<esc>")
		}
	}
	lists(false)
	extend(t, path, `{"content": "delta", "tokens": 5, "kind": "Notes"}`+"\n")
	s.held = true
	s.look()
	s.types("exclude all notes")
	s.release("no item matches", " of 3 in")
	s.tick()
	s.sees("no item matches", " of 3 in")
	s.press("<esc>")
	s.tick()
	s.sees(" of 4 in", "following, +1")
	lists(true)
	write(t, path, reloadFirst)
	s.held = true
	s.press("r")
	s.types("exclude all notes")
	s.sees(items)
	s.release("loaded again: 1 item gone", " of 3 in")
	s.seesNot(items)
	lists(false)
}

// Where the user has saved to is still known when more has arrived.
func TestFollowingKeepsWhereItIsSaved(t *testing.T) {
	s, path := followed(t, reloadFirst)
	saved := filepath.Join(t.TempDir(), "saved.json")
	s.m.workspace.SavePath = saved
	s.press("gxw<enter>", "written to ")
	extend(t, path, `{"content": "delta", "tokens": 5}`+"\n")
	s.look()
	if s.m.workspace.SavePath != saved || s.m.unsaved() {
		t.Errorf("saved to %q before, %q now; unsaved %v", saved, s.m.workspace.SavePath, s.m.unsaved())
	}
}

func TestWhatCannotBeFollowedSaysWhy(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		write(t, path, text)
		return path
	}
	rows := file("rows.jsonl", reloadFirst)
	for _, c := range []struct {
		why string
		o   session.Options
	}{
		{"a fixture never changes", session.Options{Fixture: "agent"}},
		{"standard input is read once: give a file", session.Options{Sources: []string{"-"}}},
		{"there are 2 sources, and only a single file can be followed", session.Options{Sources: []string{rows, file("more.jsonl", reloadFirst)}}},
		{"there are 2 files, and only a single one can be followed", session.Options{Sources: []string{filepath.Join(folder, "*.jsonl")}}},
		{"a scenario does not grow", session.Options{Sources: []string{file("s.json", `{"items": [{"content": "alpha", "tokens": 40}], "policy": {"scorers": [{"type": "recency", "weight": 1}]}, "budget": {"maxTokens": 100}}`)}}},
		{"it is one JSON value over several lines", session.Options{Sources: []string{file("whole.json", "[\n"+`{"content": "alpha", "tokens": 40}`+"\n]\n")}}},
	} {
		in := session.Input{Reader: strings.NewReader(reloadFirst)}
		opened := musttest.Of(Open(context.Background(), c.o, in))(t)
		s := begin(t, opened, 120, 36)
		if slices.Equal(c.o.Sources, []string{"-"}) {
			s.line(" standard input ", "in")
		}
		s.press("F")
		s.look(c.why)
		s.seesNot("following")
		c.o.Follow = true
		in.Reader = strings.NewReader(reloadFirst)
		if _, err := Open(context.Background(), c.o, in); err == nil {
			t.Errorf("%s: --follow opens it", c.why)
		}
	}
}
