package explorer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/theme"
)

// cursorAt is the text before the terminal's cursor in its line; false: there
// is no cursor.
func (s *story) cursorAt() (before string, shown bool) {
	c := s.m.View().Cursor
	if c == nil {
		return "", false
	}
	line := []rune(s.screen()[c.Y] + strings.Repeat(" ", s.m.width))
	return strings.TrimSpace(string(line[:c.X])), true
}

func TestTheTerminalsCursorStandsWhereTextGoes(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	if _, shown := s.cursorAt(); shown {
		t.Fatal("a cursor where nothing is typed")
	}
	for _, c := range []struct{ why, keys, want string }{
		{"a prompt", "/tok>5<left>", "filter: tok>"},
		{"the help's search", "<esc>?pin", "search pin"},
		{"the jump list", "<esc>fm4", "find m4"},
	} {
		s.press(c.keys)
		if before, shown := s.cursorAt(); !shown || !strings.HasSuffix(before, c.want) {
			t.Errorf("%s: the cursor stands behind %q, want %q", c.why, before, c.want)
		}
	}
	s.press("<esc>")
	if _, shown := s.cursorAt(); shown {
		t.Error("the cursor stayed")
	}
}

func TestFilterTermsAreSuggested(t *testing.T) {
	for _, c := range []struct {
		name  string
		theme theme.Name
		ascii bool
	}{{"dark", theme.Dark, false}, {"light", theme.Light, false}, {"without colour", theme.NoColor, false}, {"ASCII", theme.Dark, true}} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, sampleSession(t, 60), 80, 24, func(o *Options) { o.Theme, o.ASCII = c.theme, c.ascii }).after("/is:e")
			s.line("filter: is:excluded")           // the rest is offered where it would stand
			s.line("tab is:excluded  is:estimated") // and what else there is below
			s.press("<down>")
			s.line("filter: is:estimated")
			s.press("<up><tab>")
			s.line("filter: is:excluded")
			s.seesNot("tab is:")
			s.press("<enter>")
			musttest.Is(t, s.m.filter.String(), "is:excluded", "the filter")
			s.press("/<right> tok<gt>500 ki<tab>")
			s.line("filter: is:excluded tok>500 kind:")
			s.sees("tab kind:sys")
		})
	}
}

func TestPresetsAndChoicesAreSuggested(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("<tab>j<enter>kn", "tab knapsack")
	s.press("<tab><enter>", "slicer greedy → knapsack")
}

func TestPathsAreSuggested(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"alpha.json", "alpine.json", "a\x1b]0;evil\x07.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Skip("this file system has no such name:", err)
		}
	}
	s := begin(t, sampleSession(t, 20), 120, 36).after("Er<ctrl+u>")
	s.send(tea.PasteMsg{Content: dir + "/a"})
	s.line("tab ", "alpha.json  alpine.json")
	musttest.Is(t, strings.Contains(s.m.View().Content, "\x1b]"), false, "a file's name reached the terminal")
	s.press("lpi<tab>")
	s.line("write the report as JSON to: ", "/alpine.json")
}

// folder makes a folder with files of those names, skipping the test where the
// file system has no such names.
func folder(t *testing.T, names ...string) string {
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if err := os.WriteFile(path, []byte("some text"), 0o644); err != nil {
			t.Skip("this file system has no such name:", err)
		}
	}
	return dir
}

func picking(t *testing.T, dir string, opened *string, w, h int, change ...func(*Options)) *story {
	session := sampleSession(t, 60)
	session.SavePath = filepath.Join(dir, "here.json")
	change = append(change, func(o *Options) {
		o.OpenOther = func(_ context.Context, path string) (*Workspace, error) {
			*opened = path
			return nil, errors.New("not today")
		}
	})
	s := begin(t, session, w, h, change...)
	s.do("source.open")
	return s
}

func TestAFileIsPickedFromItsFolder(t *testing.T) {
	dir := folder(t, "chats/b.jsonl", "notes.md", "a.json", "z.bin", ".hidden")
	for _, c := range []struct {
		name  string
		w, h  int
		theme theme.Name
		ascii bool
	}{{"dark", 120, 36, theme.Dark, false}, {"light", 80, 24, theme.Light, false}, {"without colour", 60, 16, theme.NoColor, false}, {"ASCII", 80, 24, theme.Dark, true}} {
		t.Run(c.name, func(t *testing.T) {
			opened := ""
			s := picking(t, dir, &opened, c.w, c.h, func(o *Options) { o.Theme, o.ASCII = c.theme, c.ascii })
			s.sees("Open in place of sample.json", "chats/", "a.json", "enter open", "esc close")
			s.seesNot(".hidden")
			cursor := string(s.m.theme.Glyphs.Cursor)
			s.line(cursor + "a.json") // what one opens, then folders, then the rest
			s.press("<down><down>")
			s.line(cursor + "chats/")
			s.press("<enter>")
			s.line(cursor+"b.jsonl", "9 B")
			s.press("<left>")
			s.line(cursor + "chats/")
			s.press("<down>")
			s.line(cursor + "z.bin")
			s.press("<home>")
			s.line(cursor + "a.json")
			s.press("<enter>")
			musttest.Is(t, opened, filepath.Join(dir, "a.json"))
			s.sees("not opened: not today")
			s.seesNot("chats/")
		})
	}
}

func TestThePickersOtherWays(t *testing.T) {
	dir := folder(t, "chats/b.jsonl", "a.json", "ab.json", ".hidden", "empty/x")
	musttest.Do(t, os.Remove(filepath.Join(dir, "empty/x")))
	opened := ""
	s := picking(t, dir, &opened, 120, 36)
	s.send(tea.KeyPressMsg{Code: 't', Mod: tea.ModCtrl})
	s.sees(".hidden")
	s.send(tea.PasteMsg{Content: dir + "/a"})
	s.sees("tab a.json  ab.json", "ctrl+u back to the list")
	s.press("b<tab><enter>")
	musttest.Is(t, opened, filepath.Join(dir, "ab.json"))

	s.press("o<end><enter>", "nothing in "+filepath.Join(dir, "empty"))
	s.press("<enter><down><end><pgdown><up><enter>") // nothing to move to, or to open
	s.sees("nothing in ")
	s.send(tea.KeyPressMsg{Code: 'o', Mod: tea.ModCtrl})
	musttest.Is(t, opened, filepath.Join(dir, "empty"))

	s.press("o<esc>")
	s.seesNot("chats/")
	s.press("lo")
	s.send(tea.MouseWheelMsg{X: 60, Y: 12, Button: tea.MouseWheelDown})
	x, y := s.find("a.json")
	s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.sees("there are unsaved changes; enter again opens without them")
	s.press("<enter>")
	musttest.Is(t, opened, filepath.Join(dir, "a.json"))
}

// What is typed finds the entries whose names have it, hidden ones from a dot on; what no name has is a path.
func TestWhatIsTypedFindsFiles(t *testing.T) {
	serial(t)
	dir := folder(t, "chats/june.jsonl", "chats/may.jsonl", "notes.md", "Chat.json", "oldchat.json", ".chatrc")
	t.Chdir(dir)
	for _, size := range sizes {
		opened := ""
		s := picking(t, dir, &opened, size[0], size[1]).after("cha", "3 names", "ctrl+u whole list")
		s.line("▌Chat.json")
		s.seesNot("notes.md", ".chatrc")
		s.press("t<down>") // what begins with it stands first
		s.line("▌chats/")
		s.press("<down>")
		s.line("▌oldchat.json")
		s.press("<up><tab>") // the folder, and nothing is typed any more
		s.line("▌june.jsonl")
		s.press("ma")
		s.line("▌may.jsonl")
		s.press("<backspace><backspace>", "june.jsonl", "may.jsonl")
		s.press("<backspace>")
		s.line("▌chats/")
		s.press("note<enter>")
		musttest.Is(t, filepath.Base(opened), "notes.md")
		s.press("o.c")
		s.line("▌.chatrc")
		s.press("<backspace>x", "no name here has this: enter opens it as a path", "enter open the path")
		s.press("<enter>", "not opened: .x: no such file")
		s.press("<ctrl+u>chats/j", "tab june.jsonl")
		s.press("<tab><enter>")
		musttest.Is(t, opened, filepath.Join("chats", "june.jsonl"))
		s.press("oold", "oldchat.json")
		s.press("<esc>")
		s.seesNot("oldchat.json")
	}
}

// What is gone or cannot be read is told, and keys while a folder is read do
// nothing that could hit another file.
func TestThePickerAndAFolderThatChanges(t *testing.T) {
	dir := folder(t, "sub/b.json", "sub/c.json", "z.json")
	opened := ""
	s := picking(t, dir, &opened, 120, 36).after("<down><enter><down>")
	s.line("▌c.json")
	s.held = true
	s.press("<left><down><enter><enter>")
	s.release()
	s.line("▌sub/")
	musttest.Do(t, os.RemoveAll(filepath.Join(dir, "sub")))
	s.press("<enter>", "no such file")
	s.seesNot(" sub/")
	s.line("▌z.json")
	musttest.Is(t, opened, "")
}

func TestNamesOfFilesControlNothing(t *testing.T) {
	dir := folder(t, "a\nb\x1b[31m.json", "c\u202ed\x1b]0;evil\x07.json", "e\xff.json", "f\u200b.json")
	opened := ""
	s := picking(t, dir, &opened, 80, 24)
	if strings.ContainsAny(s.m.View().Content, "\u202e\u200b\x07\u009b") || strings.Contains(s.m.View().Content, "\x1b]") {
		t.Error("a file's name reached the terminal")
	}
	s.line("▌a b.json", "9 B") // one row a file
	s.line(" cd.json")
	s.press("<end><up><enter>")
	musttest.Is(t, opened, filepath.Join(dir, "e\xff.json"))
	musttest.Is(t, len(s.screen()), 24, "lines were added")
}

// The folder of a path is read in the background: keys are taken meanwhile, and
// what comes for another folder is dropped.
func TestPathsAreReadInTheBackground(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"inner/report-of-may.json", "outer.json"} {
		path := filepath.Join(dir, name)
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		musttest.Do(t, os.WriteFile(path, nil, 0o644))
	}
	session := sampleSession(t, 10)
	session.SaveFile = func(string, []byte) error { return errors.New("the disk is full") }
	s := begin(t, session, 200, 36).after("Ec<ctrl+u>")
	s.held = true
	s.press(dir + "/ou")
	s.seesNot("tab outer.json")
	s.press("<backspace><backspace>inner/re")
	s.seesNot("tab report-of-may.json")
	s.release()
	s.line("tab report-of-may.json")
	s.press("<tab>", "inner/report-of-may.json")
	// A file that could not be written keeps its path for the next time.
	s.press("<backspace>x<enter>", "not written: the disk is full")
	s.press("Ec")
	s.line("inner/report-of-may.jsox")
}

// The end of an error says what to do, so a long path must not push it off the screen.
func TestALongPathLeavesRoomForTheReason(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("long", 40))
	s := begin(t, sampleSession(t, 60), 80, 24)
	save := func(path string) {
		s.press("w<ctrl+u>" + path + "<enter>")
	}
	musttest.Do(t, os.WriteFile(path, []byte("mine"), 0o600))
	save(path)
	s.sees("exists; enter again overwrites it")
	s.press("<esc>")
	save(path + "/x")
	s.sees("not a directory")
}

// The name that a prompt for a file proposes gives way to what is typed, as numbers do; a key
// that types nothing keeps it.
func TestAProposedNameGivesWay(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for keys, want := range map[string]string{
		"w": "scenario.json", "wmine": "mine", "w<left>x": "scenario.jsoxn", "w<backspace>x": "scenario.jsox", "Wmine": "mine", "Ermine": "mine", "w<end>x": "scenario.jsonx",
	} {
		s.press(keys)
		line := s.screen()[34]
		line, _, _ = strings.Cut(line, "enter takes it")
		if _, got, _ := strings.Cut(line, "to: "); strings.TrimSpace(got) != want {
			t.Errorf("%s: %q, want %q", keys, got, want)
		}
		s.press("<esc><esc>")
	}
	s.do("save")
	s.send(tea.PasteMsg{Content: "pasted.json"})
	s.line("write scenario to: pasted.json")
}

// A ~ at the beginning of a path that is typed is the user's own folder, for writing and opening.
func TestAPathFromHome(t *testing.T) {
	serial(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	s := opening(t, "items.json", `[{"content": "a", "tokens": 5}]`, 120, 36).after("w" + strings.Repeat("<backspace>", 20) + "~/mine.json<enter>")
	path := filepath.Join(home, "mine.json")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v\n%s", err, s.text())
	}
	s.sees("written to " + path)
	opened := ""
	s.m.opts.OpenOther = func(_ context.Context, path string) (*Workspace, error) {
		opened = path
		return nil, errors.New("enough")
	}
	s.press("o<ctrl+u>~/mine.json<enter>")
	musttest.Is(t, opened, path, "opens", s.text())
}

// A path that names nothing stays in the line, with the error below it.
func TestAPathThatNamesNothingStaysToBeCorrected(t *testing.T) {
	dir, opened := folder(t, "a.json"), ""
	s := picking(t, dir, &opened, 80, 24).after("nosuch.json<enter>", "nosuch.json", "not opened: nosuch.json: no such file or folder")
	s.press("<ctrl+u>" + filepath.Join(dir, "a.json") + "<enter>")
	musttest.Is(t, opened, filepath.Join(dir, "a.json"))
}

// A word that names a kind shows the items of that kind beside those with the text, and the line of
// the filter says so.
func TestTheFilterReadsTheNameOfAKind(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		shown := func(filter string) []int { return musttest.Of(s.m.matched(filter))(t) }
		both := len(shown("kind:tool")) + len(shown(`"tool" -kind:tool`))
		s.press("/tool", "kind tool, or text with tool")
		musttest.Is(t, len(s.rows()), both, size, "rows")
		s.press("s<enter>", "kind tool, or text with tools")
		s.press("/-tool race", "neither kind tool nor text with tool")
		s.press("<ctrl+u>\"tool\"")
		s.seesNot("kind tool")
		s.press("<ctrl+u>kind:tool", "filter: kind:tool")
		s.seesNot("or text with")
	}
}

// n and N say where there is no other item, or place in the window, to go to.
func TestNextSaysThatThereIsNone(t *testing.T) {
	for _, s := range agentAtSizes(t, "/race<enter>gN", "N: this is the first item that the filter shows") {
		s.do("filter.next")
		s.seesNot("n: ")
		s.press("Gn", "n: this is the last item that the filter shows")
		for _, view := range []string{"1", "1d", "2", "3"} {
			s.press(view+"/zzz<enter>n", "n: no item matches the filter zzz: esc clears it")
		}
		s.press("1/zzz<enter><enter>", "no item matches the filter zzz: esc clears it")
		s.press("4/zzz<enter>n", "n: zzz is not in the window")
	}
}

// A file that cannot be opened says what it is where it is listed, behind those that can, and keeps the list open,
// chosen there or typed. The row under the cursor is as bright as any.
func TestThePickerSaysWhatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	for name, head := range map[string]string{"0.bin": "\x7fELF\x00\x01", "a.json": `{"items": [`, "b.md": strings.Repeat("é", 300), "c.bin": "\x7fELF\x00\x01", "d.zip": "PK\x03\x04", "e.json.gz": "\x1f\x8b\x08", "f.txt": "caf\xe9 text"} {
		musttest.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(head), 0o644))
	}
	for _, size := range sizes {
		opened := ""
		s := picking(t, dir, &opened, size[0], size[1])
		s.line("▌", "a.json")
		for _, file := range [][2]string{{"a.json"}, {"b.md"}, {"e.json.gz"}, {"0.bin", "it is binary"}, {"c.bin", "it is binary"}, {"d.zip", "it is a zip archive"}, {"f.txt", "it is not UTF-8 text"}} {
			row := s.line(file[0])
			musttest.Is(t, strings.Contains(row, "it is"), file[1] != "", size, row)
			musttest.Says(t, row, file[1])
			if file[1] != "" {
				if s.m.drawn.layout.Main.H > 14 {
					s.sees("cannot be opened: " + file[1])
				}
				s.press("<enter>", " cannot be opened: "+file[1], "path")
			}
			s.press("<down>")
		}
		s.send(tea.PasteMsg{Content: filepath.Join(dir, "c.bin")})
		s.press("<enter>", "path", "cannot be opened: it is binary")
		musttest.Is(t, opened, "", size)
	}
}

// Changes that an earlier session left behind are told at the start, with the command that opens them.
func TestUnsavedChangesOfBeforeAreTold(t *testing.T) {
	dir := folder(t, "plan.recovered.json")
	opened := sampleSession(t, 60)
	opened.SavePath = filepath.Join(dir, "plan.json")
	opened.GuessHelp = "the budget is guessed"
	for _, size := range sizes {
		s := begin(t, opened, size[0], size[1])
		if size[0] >= 80 {
			s.line("plan.json ", "? help") // the file, whatever name stands in it
		}
		s.sees(opened.GuessHelp) // this session first
		s.press("<esc>", "unsaved changes are kept: cupelscope ")
		s.press("<esc>")
		s.seesNot("unsaved changes are kept")
	}
	later := filepath.Join(dir, "plan.recovered.2.json")
	musttest.Do(t, os.WriteFile(later, []byte("{}"), 0o644))
	musttest.Do(t, os.Chtimes(later, time.Now().Add(time.Hour), time.Now().Add(time.Hour)))
	opened.GuessHelp = ""
	s := begin(t, opened, 200, 60)
	s.sees("unsaved changes are kept: cupelscope "+later+" opens them; 1 earlier", "i more, esc hides")
	opts := Options{Source: "plan", Open: func(context.Context) (*Workspace, error) { return opened, nil }}
	if got := musttest.Of((Shot{File: "x.txt"}).Take(t.Context(), opts))(t); strings.Contains(string(got), "are kept") {
		t.Errorf("a picture says what is kept:\n%s", got)
	}
	opened.SavePath = filepath.Join(dir, "other.json")
	s = begin(t, opened, 200, 60)
	s.seesNot("unsaved changes are kept")
}
