package itemset

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// scenarioOf writes a scenario whose items are in another file, and returns its path.
func scenarioOf(t *testing.T, folder, itemsFile string) string {
	t.Helper()
	return put(t, filepath.Join(folder, "s.json"), `{"itemsFile": "`+itemsFile+`", "policy": {"scorers": [{"type": "recency", "weight": 1}]}, "budget": {"maxTokens": 9}}`, 0o644)
}

// The keyboard of the explorer, and what a verb is given, are no items of a scenario.
func TestAScenarioNeverReadsStandardInput(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"-", "./-", "x/../-"} {
		scenarioOf(t, ".", name)
		stdin := strings.NewReader(`[{"content":"typed","tokens":1}]`)
		for _, trust := range []bool{false, true} {
			_, err := Load(t.Context(), []string{"s.json"}, Options{Stdin: stdin, TrustPaths: trust})
			if se, ok := errors.AsType[*ScenarioError](err); !ok || se.Field != "itemsFile" || !strings.Contains(err.Error(), "itemsFile is -, must be a file") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if stdin.Len() == 0 {
			t.Errorf("%s: standard input was read", name)
		}
	}
}

func TestTheItemsFileStaysInItsFolder(t *testing.T) {
	top := t.TempDir()
	folder := filepath.Join(top, "plans")
	musttest.Do(t, os.MkdirAll(filepath.Join(folder, "below"), 0o755))
	const items = `[{"content":"a text","tokens":1}]`
	put(t, filepath.Join(top, "secret.json"), items, 0o644)
	put(t, filepath.Join(folder, "items.json"), items, 0o644)
	put(t, filepath.Join(folder, "below", "items.json"), items, 0o644)
	for link, to := range map[string]string{
		"out":       "../secret.json",
		"far":       filepath.Join(top, "secret.json"),
		"up":        "..",
		"inside":    "below/items.json",
		"absolute":  filepath.Join(folder, "items.json"),
		"throughUp": "up/secret.json",
	} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	link := filepath.Join(top, "link") // a folder that is reached through a link is as good as any
	musttest.Do(t, os.Symlink(folder, link))
	for _, in := range []string{folder, link, "."} {
		if in == "." {
			t.Chdir(link)
		}
		for itemsFile, leaves := range map[string]bool{
			"items.json": false, "below/items.json": false, "below/../items.json": false, "inside": false, "absolute": true,
			"../plans/items.json": true, "../secret.json": true, "below/../../secret.json": true, "out": true, "far": true, "up/secret.json": true, "throughUp": true,
		} {
			path := scenarioOf(t, in, itemsFile)
			_, err := Load(t.Context(), []string{path}, Options{})
			if !leaves && err != nil {
				t.Errorf("%s: %v", itemsFile, err)
			}
			se, ok := errors.AsType[*ScenarioError](err)
			if leaves && (!ok || se.Field != "itemsFile" || !strings.Contains(err.Error(), "leads out of the folder of the scenario") || !strings.Contains(err.Error(), "--trust-paths")) {
				t.Errorf("%s: %v", itemsFile, err)
			}
			if l, err := Load(t.Context(), []string{path}, Options{TrustPaths: true}); err != nil || l.Set.Len() != 1 {
				t.Errorf("%s, trusted: %v", itemsFile, err)
			}
		}
	}
	// Whether a file is outside of the folder, the refusal does not tell.
	musttest.Do(t, os.Symlink("../none.json", filepath.Join(folder, "gone")))
	for _, itemsFile := range []string{"../none.json", "../none/none.json", "below/../../none.json", "up/none.json", "gone"} {
		_, err := Load(t.Context(), []string{scenarioOf(t, folder, itemsFile)}, Options{})
		musttest.Says(t, err, "leads out of the folder of the scenario", itemsFile, "which is not there")
	}
	_, err := Load(t.Context(), []string{scenarioOf(t, folder, "none.json")}, Options{})
	musttest.Says(t, err, "none.json: no such file or directory", "a file that is not there")
}

// A file of no known format opens as the flags would open it, and is saved so.
func TestAScenarioSaysHowItsItemsFileIsRead(t *testing.T) {
	folder := t.TempDir()
	put(t, filepath.Join(folder, "items.json"), `{"rows":[{"who":"user","said":{"it":"a question"}},{"who":"bot","said":{"it":"an answer"}}],"log":"`+strings.Repeat("x", 200)+`"}`, 0o644)
	with := func(fields string) string {
		return put(t, filepath.Join(folder, "s.json"), `{"itemsFile":"items.json",`+fields+`"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":90}}`, 0o644)
	}
	path := with(`"itemsFields":{"atPath":".rows[]","text":"said.it","role":"who"},`)
	for range 2 { // as it was written, and as it is saved
		l := musttest.Of(Load(t.Context(), []string{path}, Options{}))(t)
		if got := outline(l); !strings.Contains(got, "Message: a question") || !strings.Contains(got, "Message: an answer") {
			t.Errorf("%s", got)
		}
		musttest.Do(t, (Saver{}).WriteScenario(path, l.Scenario.Value))
	}
	for fields, want := range map[string]string{
		"":                                  "no usable item",
		`"itemsFields":[],`:                 "itemsFields: is an array, must be an object",
		`"itemsFields":{"path":"a"},`:       `itemsFields: "path" is not known`,
		`"itemsFields":{"text":1},`:         `itemsFields: "text" is a number, must be a path of keys`,
		`"itemsFields":{"atPath":".x[]"},`:  "--at-path '.x[]' names no list in it",
		`"itemsFields":{"text":"missing"},`: `no element of the list has a field "missing"`,
		`"itemsFields":{},"items":[{"content":"a","tokens":1}],`: "items are both given",
	} {
		musttest.Says(t, refusal(Load(t.Context(), []string{with(fields)}, Options{})), want, fields)
	}
}
