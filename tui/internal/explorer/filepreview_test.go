package explorer

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
)

// The list of files says below what the marked file gives, or why it cannot be opened.
func TestTheListOfFilesSaysWhatTheMarkedOneHolds(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		musttest.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("a.json", `[{"role":"user","content":"first words"},{"role":"assistant","content":"an answer"}]`)
	write("b.json", `[{"role":"user"`)
	write("c.json", `[{"role":"user","content":"`+strings.Repeat("long ", maxLooked/5)+`"}]`)
	write("y.png", "x")
	write("z.gif", "x")
	write("t.md", "# A title\nand a line")
	musttest.Do(t, os.MkdirAll(filepath.Join(dir, "e", "inner"), 0o700))
	for _, name := range []string{"b.md", "p2.png", "a.md", "p1.PNG", "c.txt", ".hidden", "p3.jpeg"} {
		write(filepath.Join("e", name), "x")
	}
	m := &Model{}
	for name, want := range map[string][]string{
		"a.json": {"openai, 2 items, ", "#0   message first words", "#1   message an answer"},
		"b.json": {"cannot be opened\n"},
		"c.json": {"too large to look into"},
		"t.md":   {"text, 1 item, ", "\n# A title\nand a line"},
		"e":      {"a folder: enter, then ctrl+o opens all texts in it\na.md\nb.md\nc.txt\ninner" + string(os.PathSeparator) + "\n3 images, no text"},
		"none":   {"cannot be opened\n", "no such file"},
	} {
		got := m.look(t.Context(), filepath.Join(dir, name))
		for _, w := range want {
			musttest.Says(t, got, w, name)
		}
	}
	session := sampleSession(t, 5)
	session.SavePath = filepath.Join(dir, "s.json")
	for _, size := range sizes {
		s := begin(t, session, size[0], size[1])
		s.do("source.open", "openai, 2 items") // what one opens stands before folders
		s.press("<down>", "cannot be opened")
		s.press("<down><down><down>", "a folder: enter")
		s.press("<down><enter>", "▌2 images", "cannot be opened: no text")
	}
}

// A choice of which much has to be made before its beginning is known stops making it, and says so,
// once its time is over.
func TestTheBeginningOfWhatIsWrittenTakesALimitedTime(t *testing.T) {
	s := begin(t, sampleSession(t, 2000), 120, 36)
	long := map[string]bool{"t": true, "o": true, "a": true}
	for _, c := range s.m.exports() {
		whole := polltest.After(t.Context(), math.MaxInt)
		if c.First(whole); whole.Polls() < 100 {
			continue // its beginning is known at once
		}
		ctx := polltest.After(t.Context(), 50)
		if text := c.First(ctx); text != "not shown: it takes long to make" || ctx.Polls() > 60 {
			t.Errorf("%s: %.80q after %d polls, ended after 50 of %d", c.Text, text, ctx.Polls(), whole.Polls())
		}
		delete(long, c.Key)
	}
	if len(long) > 0 {
		t.Errorf("made without a look at the time: %v", long)
	}
}

// The menu of exports shows, below, the beginning of what the marked choice writes.
func TestTheMenuShowsWhatAChoiceWrites(t *testing.T) {
	s := begin(t, sampleSession(t, 20), 120, 36)
	for k, c := range s.m.exports() {
		written, path := c.First(t.Context()), filepath.Join(t.TempDir(), "x")
		first, _, _ := strings.Cut(written, "\n")
		s.press("E"+strings.Repeat("<down>", k), first[:min(len(first), 10)])
		s.press("<enter><ctrl+u>" + path + "<enter>")
		if data := musttest.Of(os.ReadFile(path))(t); written == "" || !strings.HasPrefix(string(data), written) {
			t.Errorf("%s: %.80q is not the beginning of %.80q", c.Text, written, data)
		}
	}
}
