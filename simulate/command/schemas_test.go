package command_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
	"cupelscope/simulate/export"
)

// TestAnswersKeepToTheirSchemas: an answer with a field that is misspelt does not
// keep to its schema, nor one that lacks a field which all others have, and no
// schema has a field that no answer has.
func TestAnswersKeepToTheirSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every verb in every form")
	}
	lines, stdin := answersInJSON(t)
	home := t.TempDir()
	writeSessions(t, home)
	compiled, seen := map[string]*jsonschema.Schema{}, map[string]int{}
	optional, mutated := map[string]bool{}, map[string]bool{}
	for k, line := range lines {
		verb := line[0]
		if compiled[verb] == nil {
			compiled[verb] = compileSchema(t, verb)
		}
		var b, diagnostics bytes.Buffer
		p := command.Program{Streams: command.Streams{In: strings.NewReader(stdin[k]), Out: &b, Err: &diagnostics, Now: time.Now}, Screen: clitest.Explorer{}, Sessions: sessions.Places{Home: home}}
		p.Run(t.Context(), line)
		out := b.String()
		answers := []string{out}
		if verb == "batch" {
			answers = strings.Split(strings.TrimSpace(out), "\n")
		}
		for _, text := range answers {
			answer, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatalf("%q: %v, %s", line, err, &diagnostics)
			}
			if err := compiled[verb].Validate(answer); err != nil {
				t.Errorf("%q: %v\n%.3000s", line, err, text)
			}
			noteFields(answer, verb, seen)
			mutate(answer, verb, mutated, func(field string, missing bool) {
				if compiled[verb].Validate(answer) != nil {
					return
				}
				if optional[field] = true; !missing {
					t.Errorf("%q: %s may be misspelt", line, field)
				}
			})
		}
	}
	for field := range optional {
		if object := field[:strings.LastIndexByte(field, '.')]; seen[field] == seen[object] {
			t.Errorf("every answer has %s, but its schema lets it be missing", field)
		}
	}
	for _, verb := range export.SchemaNames() {
		text := musttest.Of(export.SchemaOf(verb))(t)
		if slices.Contains(inputSchemas, verb) {
			continue
		}
		for _, name := range regexp.MustCompile(`"cupelscope/(`+verb+`/[0-9]+)"`).FindAllStringSubmatch(string(text), -1) {
			if id := `"$id": "urn:cupelscope:` + strings.Replace(name[1], "/", ":", 1) + `"`; !strings.Contains(string(text), id) {
				t.Errorf("the schema of %s has no %s", verb, id)
			}
		}
		var doc any
		musttest.Do(t, json.Unmarshal(text, &doc))
		named := map[string]bool{}
		fieldsOf(doc, doc, verb, named)
		for field := range named {
			if seen[field] == 0 && !strings.HasPrefix(field, "tokens.verified[].differences[].") { // no text is known whose counts differ
				t.Errorf("no answer has the field %s", field)
			}
		}
	}
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
	compiled := musttest.Of(c.Compile("schema.json"))(t)
	return compiled
}

// mutate takes each field of each object in v away and gives it another name, and
// calls try each time, with the path of the field. Objects that have the same
// fields at the same place are mutated once: done remembers them.
func mutate(v any, at string, done map[string]bool, try func(field string, missing bool)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			mutate(e, at+"[]", done, try)
		}
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		fresh := fmt.Sprint(at, names)
		for _, name := range names {
			value, field := v[name], at+"."+name
			if !done[fresh] {
				delete(v, name)
				try(field, true)
				v[name+"X"] = value
				try(field, false)
				delete(v, name+"X")
				v[name] = value
			}
			if !free(field) {
				mutate(value, field, done, try)
			}
		}
		done[fresh] = true
	}
}

// noteFields counts all fields and objects in v by path.
func noteFields(v any, at string, seen map[string]int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			noteFields(e, at+"[]", seen)
		}
	case map[string]any:
		seen[at]++
		for name, e := range v {
			field := at + "." + name
			if _, object := e.(map[string]any); !object || free(field) {
				seen[field]++
			}
			if !free(field) {
				noteFields(e, field, seen)
			}
		}
	}
}

// free reports whether what is in a field is not the answer's own: what a source
// may fill as it likes, and a policy in Cupel's JSON.
func free(field string) bool {
	switch field[strings.LastIndexByte(field, '.')+1:] {
	case "metadata", "reservedSlots", "id":
		return true
	}
	return field == "tune.policies[].policy"
}

// fieldsOf collects the paths of the fields that a schema has, following
// references.
func fieldsOf(v, doc any, at string, named map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			fieldsOf(e, doc, at, named)
		}
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			defs := doc.(map[string]any)["$defs"].(map[string]any)
			fieldsOf(defs[strings.TrimPrefix(ref, "#/$defs/")], doc, at, named)
		}
		properties, _ := v["properties"].(map[string]any)
		for name, inner := range properties {
			named[at+"."+name] = true
			fieldsOf(inner, doc, at+"."+name, named)
		}
		fieldsOf(v["items"], doc, at+"[]", named)
		for _, key := range []string{"oneOf", "anyOf", "allOf", "if", "then", "else"} {
			fieldsOf(v[key], doc, at, named)
		}
	}
}
