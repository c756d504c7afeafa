package itemset

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func experiment(t *testing.T) model.Scenario {
	t.Helper()
	set := musttest.Of(model.NewSet([]model.Item{
		{Content: "<a> & \"b\"\n", Tokens: 5, Kind: "Note", Tags: []string{"x"}, Priority: model.Some(int64(1 << 60)), Metadata: map[string]any{"n": json.Number("1.50"), "deep": map[string]any{"k": []any{true, nil}}}},
		{Content: "guess", Tokens: 3, Count: model.Estimated, Timestamp: model.Some(time.Date(2024, 5, 1, 1, 2, 3, 4000, time.UTC)), OriginalTokens: model.Some(model.Tokens(0))},
		{Content: "[image]", Tokens: 900, Count: model.Opaque, Pinned: true, FutureRelevanceHint: model.Some(0.0)},
		{Content: "minus", Tokens: -2},
	}))(t)
	set = musttest.Of(set.With(model.Edits{
		Pinned: map[int]bool{0: true, 2: false}, Excluded: map[int]bool{3: true}, Tokens: map[int]model.Tokens{1: 90}, Hints: map[int]float64{1: 0.1},
		Query: model.Query{Text: "what <now>?", Hints: []float64{1, 0.25, 0, 1.0 / 3}},
	}))(t)
	budget := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 1000, TargetTokens: model.Some[model.Tokens](900), ReservedSlots: []model.Slot{{Kind: "Memory", Tokens: 5}}, SafetyMargin: 2.5}))(t)
	chat, _ := model.Preset("chat")
	other, _ := model.Preset("document-qa")
	return model.Scenario{
		Name: "an experiment", Items: set, Policy: chat, PolicyB: model.Some(other), Budget: budget, Slack: 7, Ceiling: 4000, Checks: json.RawMessage(`[{"min":1.0}]`),
	}
}

// same fails unless two scenarios mean the same.
func same(t *testing.T, got, want model.Scenario) {
	t.Helper()
	if got.Items.Len() != want.Items.Len() || !reflect.DeepEqual(got.Items.Edits(), want.Items.Edits()) {
		t.Fatalf("%d items with edits %+v, want %d with %+v", got.Items.Len(), got.Items.Edits(), want.Items.Len(), want.Items.Edits())
	}
	for i := range want.Items.Len() {
		musttest.Is(t, got.Items.Item(i), want.Items.Item(i), "item", i)
	}
	got.Items, want.Items = nil, nil
	musttest.Is(t, got, want)
}

func TestScenarioRoundTrips(t *testing.T) {
	s := experiment(t)
	path := filepath.Join(t.TempDir(), "s.json")
	musttest.Do(t, (Saver{}).WriteScenario(path, s))
	l := musttest.Of(Load(context.Background(), []string{path}, Options{}))(t)
	if l.Format != Scenario || !l.Scenario.Set || l.Set != l.Scenario.Value.Items {
		t.Errorf("format %s", l.Format)
	}
	same(t, l.Scenario.Value, s)
	first, _ := os.ReadFile(path)
	again, err := MarshalScenario(l.Scenario.Value)
	if err != nil || string(again) != string(first) {
		t.Errorf("written again it differs: %v\n%s\n%s", err, first, again)
	}
}

func TestScenarioWithItemsFile(t *testing.T) {
	dir := t.TempDir()
	s := experiment(t)
	items := `{"role":"user","content":"q"}` + "\n" + `{"role":"assistant","content":"a"}`
	musttest.Do(t, os.WriteFile(filepath.Join(dir, "chat.jsonl"), []byte(items), 0o600))
	set := mustRead(t, items, Options{}).Set
	set = musttest.Of(set.With(model.Edits{Excluded: map[int]bool{1: true}}))(t)
	s.Items, s.ItemsFile = set, "chat.jsonl"
	path := filepath.Join(dir, "s.json")
	musttest.Do(t, (Saver{}).WriteScenario(path, s))
	l := musttest.Of(Load(context.Background(), []string{path}, Options{}))(t)
	same(t, l.Scenario.Value, s)
	if l.Format != Scenario || !reflect.DeepEqual(l.Names, []string{path}) || len(l.Pending) != 2 {
		t.Errorf("format %s, names %v, pending %v", l.Format, l.Names, l.Pending)
	}
	musttest.Do(t, os.WriteFile(filepath.Join(dir, "chat.jsonl"), []byte(items+"\n"+items), 0o600))
	var se *ScenarioError
	if _, err := Load(context.Background(), []string{path}, Options{}); !errors.As(err, &se) || se.Field != "edits.hash" {
		t.Errorf("changed items: %v", err)
	}
}

func TestWriteScenarioKeepsThePermissionsAndTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "s.json"), filepath.Join(dir, "link.json")
	musttest.Do(t, os.WriteFile(path, []byte("old"), 0o640))
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no symbolic links here")
	}
	musttest.Fails(t, (Saver{}).WriteScenario(link, model.Scenario{}), "an invalid scenario is written")
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("the old file is %q", data)
	}
	musttest.Do(t, (Saver{}).WriteScenario(link, experiment(t)))
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != 0o640 || info.Size() < 100 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	missing := filepath.Join(dir, "none", "s.json")
	err = Saver{}.WriteScenario(missing, experiment(t))
	if want := "writing " + missing + ": no such file or directory"; !errors.Is(err, os.ErrNotExist) || err.Error() != want {
		t.Errorf("no folder: %v, want %q", err, want)
	}
	folder := filepath.Join(dir, "folder")
	musttest.Do(t, os.Mkdir(folder, 0o700))
	if err := (Saver{}).WriteScenario(folder, experiment(t)); err == nil || !strings.HasPrefix(err.Error(), "writing "+folder+": ") || strings.Contains(err.Error(), ".tmp") {
		t.Errorf("a folder of that name: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestScenarioErrorsNameTheField(t *testing.T) {
	with := func(more string) string {
		return `{"policy":{"scorers":[{"type":"kind","weight":1}]},"budget":{"maxTokens":100}` + more + `}`
	}
	items := `,"items":[{"content":"a"},{"content":"b"}]`
	for _, c := range []struct{ name, in, want string }{
		{"not JSON", `{`, "f: scenario is not JSON"},
		{"an array", `[]`, "f: scenario is an array"},
		{"unknown field", with(items + `,"slack":1`), "f: slack is not known; known are name"},
		{"twice", with(items + `,"name":"a","name":"b"`), "f: name appears twice"},
		{"name a number", with(items + `,"name":1`), "f: name is 1, must be a string"},
		{"no items", with(""), "f: items or itemsFile is required"},
		{"both", with(items + `,"itemsFile":"x"`), "f: itemsFile and items are both given"},
		{"items an object", with(`,"items":{}`), "f: items is an object"},
		{"a bad item", with(`,"items":[{"content":"a"},{"content":""}]`), "f: items[1] without content"},
		{"an item that is text", with(`,"items":["a"]`), "f: items[0] is a string"},
		{"a file that cannot be found", with(`,"itemsFile":"x"`), "f: itemsFile cannot be resolved"},
		{"no policy", `{"items":[],"budget":{"maxTokens":1}}`, "f: policy is required"},
		{"no budget", `{"items":[],"policy":{"scorers":[{"type":"kind","weight":1}]}}`, "f: budget is required"},
		{"a bad policy", `{"items":[],"policy":{},"budget":{"maxTokens":1}}`, "f: policy: invalid policy: scorers: is required"},
		{"a bad second policy", with(items + `,"policyB":{"scorers":[]}`), "f: policyB: invalid policy: scorers"},
		{"a bad budget", `{"items":[],"policy":{"scorers":[{"type":"kind","weight":1}]},"budget":{"maxTokens":-1}}`, "f: budget: invalid budget: maxTokens is -1"},
		{"slack a fraction", with(items + `,"slackTokens":1.5`), "f: slackTokens is 1.5, must be a whole number"},
		{"slack too large", with(items + `,"slackTokens":101`), "slackTokens is 101, must be 0 to targetTokens, which is 100"},
		{"ceiling text", with(items + `,"axisEnd":"far"`), `f: axisEnd is "far", must be a whole number`},
		{"ceiling below 0", with(items + `,"axisEnd":-1`), "axisEnd: invalid budget: ceiling is -1, must be 0 to 1,099,511,627,776"},
		{"edits an array", with(items + `,"edits":[]`), "f: edits is an array"},
		{"unknown edit", with(items + `,"edits":{"kind":{}}`), "f: edits.kind is not known"},
		{"edit of no item", with(items + `,"edits":{"excluded":[2]}`), "f: edits: item 2: there are 2 items"},
		{"key no index", with(items + `,"edits":{"pinned":{"one":true}}`), `f: edits.pinned has the key "one"`},
		{"twice the same index", with(items + `,"edits":{"pinned":{"1":true,"01":true}}`), "f: edits.pinned has item 1 twice"},
		{"pinned a number", with(items + `,"edits":{"pinned":{"1":1}}`), "f: edits.pinned has the value 1 for item 1"},
		{"tokens beyond bounds", with(items + `,"edits":{"tokens":{"1":1e15}}`), "f: edits: item 1: tokens: "},
		{"an edit twice", with(items + `,"edits":{"excluded":[0],"hints":{},"excluded":[1]}`), "f: edits.excluded appears twice"},
		{"a hash twice", with(items + `,"edits":{"hash":null,"hash":null}`), "f: edits.hash appears twice"},
		{"an unknown edit that is null", with(items + `,"edits":{"kind":null}`), "f: edits.kind is not known; known are pinned, excluded"},
		{"labels an array", with(items + `,"labels":[1]`), "f: labels: must be an object with item indexes as keys"},
		{"a label of no item", with(items + `,"labels":{"2":1}`), "f: labels: a label for item 2: there are 2 items, numbered from 0"},
		{"a grade below 0", with(items + `,"labels":{"1":-1}`), "f: labels: the grade of item 1 is -1, must be 0 to"},
		{"a grade that is no whole number", with(items + `,"labels":{"1":0.5}`), "f: labels: has the value 0.5 for item 1"},
		{"answers a string", with(items + `,"answers":"Rome"`), "f: answers must be an array of strings"},
		{"an answer without a word", with(items + `,"answers":["the"]`), `f: answers: the answer "the" contains no words`},
		{"a query that is text", with(items + `,"edits":{"query":"what"}`), "f: edits.query is a string, must be an object"},
		{"a query without hints", with(items + `,"edits":{"query":{"text":"what"}}`), "f: edits.query must have text and hints"},
		{"a query without text", with(items + `,"edits":{"query":{"text":" ","hints":{}}}`), "f: edits.query has no text"},
		{"a query with a hint of no item", with(items + `,"edits":{"query":{"text":"what","hints":{"2":1}}}`), "f: edits.query has a hint for item 2: there are 2 items, numbered from 0"},
		{"a query with a hint that is none", with(items + `,"edits":{"query":{"text":"what","hints":{"1":"1"}}}`), `f: edits.query has the value "1" for item 1`},
		{"a query with more", with(items + `,"edits":{"query":{"text":"what","hints":{},"k":1}}`), `f: edits.query has "k", which is not known`},
		{"another hash", with(items + `,"edits":{"hash":"sha256:0"}`), "f: edits.hash does not match"},
	} {
		_, err := Read(context.Background(), "f", []byte(c.in), Options{Format: Scenario})
		musttest.Says(t, err, c.want, c.name)
	}
	if _, err := Read(context.Background(), "f", []byte(with(items+`,"id":"1"`)), Options{ExtraFields: []string{"id"}}); err != nil {
		t.Errorf("a field that is allowed: %v", err)
	}
	nulls, err := Read(context.Background(), "f", []byte(with(items+`,"edits":{"pinned":null,"excluded":null,"tokens":null,"hints":null,"query":null,"hash":null}`)), Options{})
	if err != nil || !nulls.Set.Edits().IsZero() {
		t.Errorf("edits that are null: %v", err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "s.json")
	musttest.Do(t, (Saver{}).WriteScenario(path, experiment(t)))
	musttest.Says(t, musttest.Refusal(Load(context.Background(), []string{path, path}, Options{})), "only be opened alone", "two scenarios")
}

// An error names a field once: no "edits: edits: the query has ..." and no "shrink: shrink[0] is ...".
func TestScenarioErrorsNameAFieldOnce(t *testing.T) {
	tested := map[string]string{
		"policy": `{"scorers":[{"type":"recency","weight":1}]}`, "budget": `{"maxTokens":9}`, "items": `[{"content":"a"},{"content":"b"}]`,
	}
	values := []string{`3`, `-1`, `1e30`, `true`, `"x"`, `[]`, `[3]`, `["x"]`, `[{}]`, `[{"kind":3}]`, `[{"kind":" ","to":[1]}]`, `[{"kind":"x"}]`,
		`[{"kind":"x","to":[1,2]}]`, `[{"kind":"x","to":[1]},{"kind":"X","note":true}]`, `[` + strings.Repeat(`{"kind":"x","note":true},`, 256) + `{}]`,
		`{}`, `{"x":1}`, `{"0":-1}`, `{"9":1}`, `{"excluded":[9]}`, `{"tokens":{"0":1e15}}`, `{"query":{"text":" ","hints":{}}}`,
		`{"query":{"text":"` + strings.Repeat("a", model.MaxQuery+1) + `","hints":{}}}`}
	refused := map[string]int{}
	for _, field := range ScenarioFields() {
		for _, value := range values {
			line := `"` + field + `":` + value
			for other, good := range tested {
				if other != field {
					line += `,"` + other + `":` + good
				}
			}
			_, err := Read(context.Background(), "f", []byte("{"+line+"}"), Options{Format: Scenario})
			if err == nil {
				continue
			}
			refused[field]++
			parts := strings.Split(err.Error(), ": ")
			for i, part := range parts[1:] {
				last := parts[i][strings.LastIndex(parts[i], " ")+1:]
				first := strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) })
				if len(first) > 0 && first[0] == last {
					t.Errorf("%s: %.40s is told as %q", field, value, err)
				}
			}
		}
		if refused[field] == 0 && field != "checks" { // which are parsed where they run
			t.Errorf("no value of %s is refused", field)
		}
	}
}

// Beside items, what only a scenario has is refused where it is of a wrong type, or no policy or budget makes it
// one: it is never skipped in silence. Beside documents, and as null, it says nothing of a scenario.
func TestMembersOfAScenarioAreNeverSkipped(t *testing.T) {
	for member, want := range map[string]string{
		`"edits":{"excluded":[0]}`: "policy is required", `"edits":9`: "edits is a number, must be an object", `"shrink":[{"kind":"*","to":[1]}]`: "policy is required", `"shrink":true`: "shrink is a boolean, must be an array of rules",
		`"shrinkPinned":true`: "policy is required", `"policyB":{}`: "policyB: ", `"slackTokens":1`: "policy is required", `"axisEnd":"x"`: `axisEnd is "x", must be a whole number`,
		`"labels":{"0":1}`: "policy is required", `"labels":{}`: "policy is required", `"labels":{"0":"x"}`: `labels: has the value "x" for item 0`, `"missed":[1]`: "policy is required",
		`"budget":9`: "budget: invalid budget: is a number, must be an object", `"budget":"9k"`: "budget: invalid budget: is a string, must be an object",
		`"budget":[9]`: "budget: invalid budget: is an array, must be an object", `"policy":false`: "policy: invalid policy: is a boolean, must be an object", `"policy":"chat"`: "policy: invalid policy: is a string, must be an object",
	} {
		for _, item := range []string{`"content":"a"`, `"content":"a","kind":"Document","title":"t"`, `"role":"user","content":"a","tokens":3`} {
			_, err := Read(context.Background(), "f", []byte(`{"items":[{`+item+`}],`+member+`}`), Options{})
			musttest.Says(t, err, "f: "+want, item, member)
		}
	}
	for in, format := range map[string]Format{
		`{"items":[{"content":"a"}],"budget":null,"policy":null,"slackTokens":null,"labels":[1],"name":"x"}`: Items,
		`{"items":[{"content":"a","title":"t"}],"budget":9,"policy":"strict","labels":{"0":1}}`:              Items,
		`{"items":[{"role":"user","content":"a"}],"budget":9,"policy":["x"]}`:                                OpenAI,
	} {
		musttest.Is(t, musttest.Of(Read(context.Background(), "f", []byte(in), Options{}))(t).Format, format, in)
	}
}

func TestIsCase(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       bool
	}{
		{"a scenario", `{"id":1,"items":[],"policy":{},"budget":{}}`, true},
		{"a scenario of a file", `{"itemsFile":"a.json","budget":{"maxTokens":1}}`, true},
		{"items", ` {"items":[{"content":"a"}]} `, true},
		{"a selection report", `{"included":[],"excluded":[],"events":[],"total_candidates":0}`, true},
		{"a request", `{"model":"gpt-4o","messages":[{"role":"user","content":"a"}]}`, true},
		{"a request of a batch file", `{"custom_id":"1","body":{"messages":[{"role":"user","content":"a"}]}}`, true},
		{"retrieval results", `{"query":"q","results":[{"page_content":"a","score":0.5}]}`, true},
		{"an item", `{"content":"a","tokens":1}`, false},
		{"a message", `{"role":"user","content":"a"}`, false},
		{"a row of a session", `{"type":"user","uuid":"1","message":{"role":"user","content":"a"}}`, false},
		{"a row of a rollout", `{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message"}}`, false},
		{"a document", `{"page_content":"a","metadata":{}}`, false},
		{"an array", `[{"role":"user","content":"a"}]`, false},
		{"the beginning of a file", `{`, false},
		{"no JSON", `hello`, false},
		{"nothing", ``, false},
	} {
		is, alone := IsCase([]byte(c.line))
		musttest.Is(t, is, c.want, c.name)
		// Lines of the others are one source, whose runs Load knows.
		musttest.Is(t, alone, is && !strings.Contains(c.name, "request") && !strings.Contains(c.name, "retrieval"), c.name)
	}
}

func FuzzIsCase(f *testing.F) {
	f.Add(`{"id":1,"items":[],"policy":{},"budget":{}}`)
	f.Add(`{"query":"q","results":[{"page_content":"a","score":0.5}]}`)
	f.Add(`{"body":{"messages":[{"role":"user","content":"a"}]}}`)
	f.Fuzz(func(t *testing.T, line string) {
		if is, _ := IsCase([]byte(line)); IsScenario([]byte(line)) && !is && json.Valid([]byte(line)) {
			t.Fatalf("%q is a scenario, and no case", line)
		}
	})
}

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
			"../plans/items.json": true, "../secret.json": true, "below/../../secret.json": true, "none/../../secret.json": true, "items.json/../../secret.json": true, "out": true, "far": true, "up/secret.json": true, "throughUp": true,
		} {
			path := scenarioOf(t, in, itemsFile)
			_, err := Load(t.Context(), []string{path}, Options{})
			if !leaves && err != nil {
				t.Errorf("%s: %v", itemsFile, err)
			}
			se, ok := errors.AsType[*ScenarioError](err)
			if leaves && (!ok || se.Field != "itemsFile" || !strings.Contains(err.Error(), "leads out of the folder of the scenario, or has an absolute link on its way: ") || !strings.Contains(err.Error(), "--trust-paths")) {
				t.Errorf("%s: %v", itemsFile, err)
			}
			musttest.Is(t, musttest.Of(Load(t.Context(), []string{path}, Options{TrustPaths: true}))(t).Set.Len(), 1, itemsFile, "trusted")
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
		musttest.Says(t, musttest.Refusal(Load(t.Context(), []string{with(fields)}, Options{})), want, fields)
	}
}
