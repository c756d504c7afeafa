package explorer

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/relevance"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
)

// documentsSession is a folder of texts, opened as the flags say.
func documentsSession(t *testing.T, o session.Options, texts ...string) (*Workspace, string) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		musttest.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.txt", i)), []byte(text), 0o600))
	}
	o.Sources = []string{dir}
	s := sessionOf(t, o)
	return s, dir
}

func (s *story) hints() []float64 {
	var all []float64
	for i := range s.m.exp.Items().Len() {
		all = append(all, s.m.exp.Items().Hint(i))
	}
	return all
}

// scored is what the items are worth to a question.
func scored(t *testing.T, set *model.Set, question string) []float64 {
	t.Helper()
	q := musttest.Of(relevance.Ask(context.Background(), set, question))(t)
	return q.Hints
}

func TestQueryScoresWhileItIsTyped(t *testing.T) {
	session, _ := documentsSession(t, session.Options{}, "a cat", "a dog with a cat", "a red fish")
	s := begin(t, session, 120, 36)
	s.sees("nothing says which of these documents matter: Q asks a question and scores them")
	s.press("Qcat", "query: cat", "a question that scores the items without relevance (BM25); empty: none")
	if got, want := s.hints(), scored(t, session.Items, "cat"); !slices.Equal(got, want) || got[0] != 1 {
		t.Errorf("hints %v, want %v", got, want)
	}
	s.press("<backspace><backspace><backspace>fish<enter>", `the query "fish" scores 3 items`, "query", "fish")
	s.seesNot("nothing says which")
	musttest.Is(t, s.hints(), []float64{0, 0, 1}, "hints")
	s.do("undo") // all that was typed is one change
	if q := s.m.exp.Setup().Edits.Query; !q.IsZero() || s.m.exp.CanUndo() {
		t.Errorf("after undo: %+v", q)
	}
	s.do("redo")
	musttest.Is(t, s.hints(), []float64{0, 0, 1}, "after redo: hints")
	s.press("Q<backspace><esc>")
	if q := s.m.exp.Setup().Edits.Query; q.Text != "fish" || !slices.Equal(s.hints(), []float64{0, 0, 1}) {
		t.Errorf("after esc: %+v", q)
	}
	s.press("Qx<backspace><enter>")
	musttest.Is(t, s.hints(), []float64{0, 0, 1}, "typed to what it was: hints")
	s.do("undo")
	musttest.Is(t, s.m.exp.CanUndo(), false, "what was cancelled is in the history")
	s.press("Q?!", `the query "?!" has no letter or digit to look for`)
}

func TestQueryOfAPolicyThatReadsNone(t *testing.T) {
	session, _ := documentsSession(t, session.Options{Preset: "chat"}, "a cat", "a dog")
	begin(t, session, 120, 36).after("Qcat<enter>", "policy chat does not look at relevance (the scorer reflexive does)")
}

// The texts are scored beside the screen; until they are, the sides have the
// results of before, and what is typed meanwhile goes before it.
func TestQueryOfALargeSetDoesNotBlock(t *testing.T) {
	long := strings.Repeat("many words of a text ", 100_000)
	session, _ := documentsSession(t, session.Options{}, "a cat "+long, "a dog "+long)
	session.Count = nil // the story would wait for it
	s := begin(t, session, 120, 36)
	before := s.m.exp.Outcome(experiment.A)
	s.held = true
	s.press("Qca")
	musttest.Is(t, s.m.exp.State(experiment.A), experiment.Pending, "the items are scored while a key waits")
	musttest.Is(t, s.m.exp.Outcome(experiment.A) == before, true, "the items are scored while a key waits")
	s.press("t")
	s.release()
	musttest.Is(t, s.hints(), []float64{1, 0}, "hints")
	musttest.Is(t, s.m.exp.State(experiment.A), experiment.Current, "there is no result")
	s.held = true
	s.press("s<enter>u")
	s.release()
	if q := s.m.exp.Setup().Edits.Query; !q.IsZero() {
		t.Errorf("what was undone scores the items: %+v", q)
	}
}

func TestQueryAfterTheSourcesAreLoadedAgain(t *testing.T) {
	opened, dir := documentsSession(t, session.Options{}, "a cat", "a dog")
	s := begin(t, opened, 120, 36).after("Qcat<enter>")
	musttest.Do(t, os.WriteFile(filepath.Join(dir, "0a.txt"), []byte("cat cat"), 0o600))
	s.do("reload")
	if got, want := s.hints(), scored(t, s.m.workspace.Items, "cat"); len(got) != 3 || !slices.Equal(got, want) {
		t.Errorf("hints %v, want %v", got, want)
	}
}

func TestQueryFollowsASessionThatGrows(t *testing.T) {
	s, path := followed(t, `{"content": "a cat", "tokens": 3}`+"\n"+`{"content": "a dog", "tokens": 3}`+"\n")
	s.press("Qcat<enter>")
	extend(t, path, `{"content": "cat cat", "tokens": 3}`+"\n")
	s.look()
	if got, want := s.hints(), scored(t, s.m.workspace.Items, "cat"); len(got) != 3 || !slices.Equal(got, want) {
		t.Errorf("hints %v, want %v", got, want)
	}
	s.do("undo")
	musttest.Is(t, s.m.unsaved(), false, "what arrived is unsaved")
}

func TestQueryIsSavedAndReproduced(t *testing.T) {
	opened, dir := documentsSession(t, session.Options{}, "a cat", "a dog with a cat")
	s := begin(t, opened, 120, 36).after("Qcat<enter>")
	words, without := s.m.workspace.CommandLine(s.m.exp.Setup())
	if i := slices.Index(words, "--query"); i < 0 || words[i+1] != "cat" || len(without) > 0 {
		t.Errorf("%q, without %q", words, without)
	}
	path := filepath.Join(dir, "saved.json")
	sc := musttest.Of(s.m.workspace.scenario(s.m.exp))(t)
	musttest.Do(t, s.m.workspace.Save(path, sc))
	again := sessionOf(t, session.Options{Sources: []string{path}})
	second := begin(t, again, 120, 36)
	musttest.Is(t, second.hints(), s.hints(), "opened again", second.m.exp.Setup().Edits)
	musttest.Is(t, second.m.exp.Setup().Edits.Query.Text, "cat", "opened again", second.m.exp.Setup().Edits)
	second.press("Q<backspace><backspace><backspace><enter>")
	if !second.m.exp.Setup().Edits.IsZero() {
		t.Errorf("without the query there are the edits %+v", second.m.exp.Setup().Edits)
	}
	if _, without := second.m.workspace.CommandLine(second.m.exp.Setup()); !slices.Contains(without, "that nothing is asked") {
		t.Errorf("the command line leaves out %q", without)
	}
}

// Tab has nothing to complete in a query, and says so until the text changes.
func TestTabInAQuerySaysWhyItDoesNothing(t *testing.T) {
	s := agentAt(t, 120, 36, "Qrace<tab>", "query: race", "tab: there is nothing to complete")
	s.press("s")
	s.seesNot("tab: there is")
}

// TestASlackAboveTheBudgetIsSaved: a budget below the slack is saved with what is left of it.
func TestASlackAboveTheBudgetIsSaved(t *testing.T) {
	s := begin(t, fixture(t, "memory"), 120, 36).after(":6<enter>")
	sc := musttest.Of(s.m.workspace.scenario(s.m.exp))(t)
	musttest.Do(t, s.m.workspace.Save(filepath.Join(t.TempDir(), "saved.json"), sc))
	musttest.Is(t, sc.Slack, 6, "the slack saved")
	words, _ := s.m.workspace.CommandLine(s.m.exp.Setup())
	if i := slices.Index(words, "--slack"); i >= 0 && words[i+1] != "6" {
		t.Errorf("%q", words)
	}
}
