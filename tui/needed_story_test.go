package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/simulate/session"
)

// What is needed is marked with *: it has a glyph, the header counts it, and the
// reason says so, at every size.
func TestNeededItemsAtEverySize(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, agentSession(t), size[0], size[1])
		s.seesNot("needed", "recall")
		s.press("f15<enter>*f18<enter>*f19<enter>*")
		s.sees("needed 2 of 3 in (67 %)", "○★19", "needed; out, larger than the room")
		s.press("u")
		s.sees("undo needed #19", "needed 2 of 2 in (100 %)")
		s.press("<ctrl+r>*")
		s.sees("not needed #19")
		s.press("uuuu") // and the three marks
		s.seesNot("needed 2 of", "★")
	}
}

func TestNeededItemsAreChosenAndFiltered(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36, func(o *Options) { o.ASCII = true })
	s.press("gvvv*")
	s.sees("needed #0 #1 #2", "needed 3 of 3 in (100 %)")
	s.press("<esc>f19<enter>*")
	s.sees("-N19", "recall 100 % -> 75 %")
	s.press("/is:needed<enter>")
	s.sees("4 shown")
	if rows := s.rows(); len(rows) != 4 || rows[3] != 19 {
		t.Errorf("rows %v", rows)
	}
	s.press("*") // the row goes with its mark
	if rows := s.rows(); len(rows) != 3 {
		t.Errorf("rows %v", rows)
	}
	s.sees("not needed #19")
}

// At a budget without result nothing is in, so no share of it is told.
func TestNoFiguresOfWhatIsNeededWithoutAResult(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.press("jjj*<tab>g<enter>9000<enter><tab>")
	s.sees("no result at 9,000", "★")
	s.seesNot("needed 1 of", "recall")
	s.press("j*/is:needed<enter>")
	if rows := s.rows(); len(rows) != 2 {
		t.Errorf("what is marked meanwhile is not found: %v", rows)
	}
}

func TestNeededItemsAreSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	scenario := `{"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":3},"labels":{"0":3,"1":0},"answers":["b"],` +
		`"items":[{"content":"a","tokens":1},{"content":"b","tokens":1},{"content":"c","tokens":1}]}`
	write(t, path, scenario)
	open := func() *story { return begin(t, reopened(t, path), 120, 36) }
	s := open()
	s.sees("needed 1 of 1 in (100 %)   answered", "needed (grade 3); in")
	s.press("*jj*")
	s.sees("needed 1 of 1 in")
	s.press("w<enter>")
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), `"labels": {"0":0,"1":0,"2":1}`) || !strings.Contains(string(data), `"answers": ["b"]`) {
		t.Errorf("%v: %s", err, data)
	}
	s = open()
	if got := s.m.exp.Setup().Labels; !got.Equal(model.Labels{Grades: map[int]int{0: 0, 1: 0, 2: 1}, Answers: []string{"b"}}) {
		t.Errorf("opened again: %v", got)
	}
	if s.m.unsaved() {
		t.Error("what was saved is unsaved")
	}
}

// What the user has marked goes with its item when the file is loaded again; what
// he has not follows the file.
func TestNeededItemsOfAFileThatChanged(t *testing.T) {
	const items = `{"content":"a","tokens":1},{"content":"b","tokens":1,"relevance":2}`
	s, path := file(t, "items.json", "["+items+"]")
	s.sees("needed 1 of 1 in")
	write(t, path, `[{"content":"c","tokens":1,"relevance":1},`+items+`]`)
	s.press("r")
	s.sees("needed 2 of 2 in")
	s.press("gj*") // a
	s.sees("needed 3 of 3 in")
	write(t, path, `[`+items+`,{"content":"d","tokens":1,"relevance":1}]`)
	s.press("r")
	if got := s.m.exp.Setup().Labels; !got.Equal(model.Labels{Grades: map[int]int{0: 1, 1: 2}, Unreachable: 1}) {
		t.Errorf("loaded again: %+v", got)
	}
	s.press("u")
	if got := s.m.exp.Setup().Labels.Grades; len(got) != 1 || got[1] != 2 {
		t.Errorf("undone: %v", got)
	}
}

func reopened(t *testing.T, path string) *Session {
	t.Helper()
	s, err := Open(context.Background(), session.Options{Sources: []string{path}}, session.Input{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
