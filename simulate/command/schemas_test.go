package command_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// TestAnswersKeepToTheirSchemas: every answer keeps to the schema of its verb, and every
// schema is what the answers have.
func TestAnswersKeepToTheirSchemas(t *testing.T) {
	musttest.Alone(t)
	d, places, answers := newDrawer(t), map[string][]*place{}, 0
	lines, stdin := answersInJSON(t)
	home := t.TempDir()
	writeSessions(t, home)
	compiled := map[string]*jsonschema.Schema{}
	note := func(verb, path, answer string) {
		i := slices.IndexFunc(places[verb], func(p *place) bool { return p.path == path })
		if i < 0 {
			i = len(places[verb])
			places[verb] = append(places[verb], newPlace(path))
		}
		d.note(places[verb][i], json.NewDecoder(strings.NewReader(answer)))
		answers++
		musttest.Is(t, compiled[verb].Validate(musttest.Of(jsonschema.UnmarshalJSON(strings.NewReader(answer)))(t)), nil, path, answer)
	}
	for k, line := range lines {
		verb := line[0]
		if compiled[verb] == nil {
			compiled[verb] = compileSchema(t, verb)
		}
		var out, diagnostics bytes.Buffer
		p := command.Program{Streams: command.Streams{In: strings.NewReader(stdin[k]), Out: &out, Err: &diagnostics, Now: time.Now}, Screen: clitest.Explorer{}.Screen(), Sessions: sessions.Places{Home: home}}
		p.Run(t.Context(), line)
		if out.Len() == 0 {
			t.Fatalf("%q: %s", line, &diagnostics)
		}
		if verb != "batch" {
			note(verb, verb, out.String())
			continue
		}
		questions := strings.Split(strings.TrimSpace(stdin[k]), "\n")
		for i, answer := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			note(verb, "batch."+formOf(t, questions[i], answer), answer)
		}
	}
	if answers < 100 {
		t.Errorf("there are %d answers: too few", answers)
	}
	d.check(places)
}

// formOf returns which form the answer to a line of a batch has: error, or what is asked.
func formOf(t *testing.T, question, answer string) string {
	t.Helper()
	if strings.Contains(answer, `"error":{"code":`) {
		return "error"
	}
	line := musttest.JSON[struct{ Query struct{ Op string } }](t, question)
	return cmp.Or(line.Query.Op, "dryRun")
}

// writeSessions writes a session of an agent, and one whose first rows say nothing.
func writeSessions(t *testing.T, home string) {
	t.Helper()
	for path, text := range map[string]string{
		".claude/projects/p/1.jsonl":                         `{"type":"user","cwd":"/w","message":{"role":"user","content":"mend the watcher"}}`,
		".local/share/opencode/storage/session/p/ses_1.json": `{"id":"ses_1"}`,
	} {
		path = filepath.Join(home, filepath.FromSlash(path))
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

func compileSchema(t *testing.T, verb string) *jsonschema.Schema {
	t.Helper()
	code, text, diagnostics := clitest.Run("", "schema", verb)
	if code != command.Fine {
		t.Fatal(diagnostics)
	}
	doc := musttest.Of(jsonschema.UnmarshalJSON(strings.NewReader(text)))(t)
	c := jsonschema.NewCompiler()
	musttest.Do(t, c.AddResource("schema.json", doc))
	return musttest.Of(c.Compile("schema.json"))(t)
}
