package explorer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

const reloadFirst = `{"content": "alpha", "tokens": 40, "futureRelevanceHint": 0.9}
{"content": "beta", "tokens": 50, "futureRelevanceHint": 0.5}
{"content": "gamma", "tokens": 60, "futureRelevanceHint": 0.4}
`

// file opens a file that is written for the test.
func file(t *testing.T, name, text string) (*story, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	write(t, path, text)
	session := sessionOf(t, session.Options{Sources: []string{path}, Budget: map[string]string{"maxTokens": "100"}, Preset: "rag", Slack: "10"})
	return begin(t, session, 120, 36), path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
}

func TestReloadKeepsEditsWithTheirItems(t *testing.T) {
	s, path := file(t, "items.jsonl", reloadFirst)
	s.press("gxjv") // alpha out, beta chosen, the cursor on gamma
	s.press("<esc>jlr", "loaded again: nothing changed")
	write(t, path, `{"content": "new", "tokens": 5, "futureRelevanceHint": 1}`+"\n"+reloadFirst)
	s.do("reload", "loaded again: 1 item new", " of 4 in", "─ #3 ")
	if e := s.m.exp.Setup().Edits; !e.Excluded[1] || len(e.Excluded) != 1 {
		t.Errorf("alpha is item 1 now, excluded are %v", e.Excluded)
	}
	if got := s.m.budget(); got == 100 {
		t.Error("the budget that was turned is kept")
	}
	s.do("undo", "undo ")
	s.do("undo", "undo exclude #1") // by the number that alpha has now
	if e := s.m.exp.Setup().Edits; !e.IsZero() {
		t.Errorf("the history reaches back before the reload, but %+v is left", e)
	}
	s.do("redo")
	if e := s.m.exp.Setup().Edits; !e.Excluded[1] {
		t.Errorf("redone, excluded are %v", e.Excluded)
	}
	write(t, path, `{"content": "gamma", "tokens": 60}`+"\n")
	s.do("reload", "3 items gone, edits of 1 lost", " of 1 in", "─ #0 ")
	s, path = file(t, "items.jsonl", reloadFirst)
	s.press("gvjvx", "exclude #0 #2")
	write(t, path, reloadFirst[strings.Index(reloadFirst, "\n")+1:])
	s.press("ru", "undo exclude an item that is gone #1")
}

// After the only change is undone nothing is unsaved, also if the file was loaded again, and had
// other counts, in between.
func TestNothingIsUnsavedAfterAReloadAndUndo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.json")
	chat := `[{"role":"user","content":"What is the answer to it?"},{"role":"assistant","content":"`
	write(t, path, chat+`It is not known."}]`)
	s := begin(t, sessionOf(t, session.Options{Sources: []string{path}}), 120, 36)
	s.do("item.exclude")
	musttest.Is(t, s.m.unsaved(), true, "an exclusion is unsaved")
	write(t, path, chat+strings.Repeat("It is not known, and nobody says so. ", 3000)+`"}]`)
	s.press("ru")
	if s.m.unsaved() {
		t.Errorf("unsaved after undo: %+v\nas loaded: %+v", s.m.exp.EndSetup(), s.m.saved)
	}
}

func TestReloadThatFailsKeepsWhatIsShown(t *testing.T) {
	s, path := file(t, "items.jsonl", reloadFirst)
	write(t, path, "{")
	s.do("reload", "not loaded again: ", " of 3 in")
	musttest.Do(t, os.Remove(path))
	s.do("reload", "not loaded again: ", "no such file", " of 3 in")
	s.do("budget.next")
	s.seesNot("not loaded again")
}

// A scenario that another program has changed is not overwritten unasked, and
// what the user has not turned follows it.
func TestAScenarioThatChangedMeanwhile(t *testing.T) {
	const scenario = `{"items": [{"content": "alpha", "tokens": 40}, {"content": "beta", "tokens": 50}], "policy": {"scorers": [{"type": "recency", "weight": 1}]}, "budget": {"maxTokens": 100}, "slackTokens": 5}`
	path := filepath.Join(t.TempDir(), "s.json")
	write(t, path, scenario)
	session := sessionOf(t, session.Options{Sources: []string{path}})
	s := begin(t, session, 120, 36).after("gx")
	write(t, path, strings.Replace(scenario, `"maxTokens": 100`, `"maxTokens": 70`, 1))
	old := time.Now().Add(-time.Hour)
	musttest.Do(t, os.Chtimes(path, old, old))
	s.press("w<enter>", "it has changed on disk since it was opened: enter again overwrites it")
	s.press("<esc>r", "loaded again: nothing changed", "‹ 70 ›")
	if !s.m.unsaved() || !s.m.exp.Items().Excluded(0) {
		t.Error("the edit is kept, and is not saved")
	}
	s.press("w<enter>", "written to ")
	musttest.Is(t, s.m.unsaved(), false, "what was written is unsaved")
	s.press("lw<enter>", "written to ")
}

// Only a file that has changed is said to have: not the scenario itself, when something
// else is to be written there.
func TestWritingOverTheOpenScenario(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	write(t, path, `{"items": [{"content": "alpha", "tokens": 40}], "policy": {"scorers": [{"type": "recency", "weight": 1}]}, "budget": {"maxTokens": 100}}`)
	session := sessionOf(t, session.Options{Sources: []string{path}})
	begin(t, session, 200, 36).after("W<ctrl+u>"+path+"<enter>", "exists; enter again overwrites it")
}
