package program

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/export"
)

// TestCommandsDocument holds COMMANDS.md to the commands, their flags and the
// schemas of their answers: go test ./tui/program -run CommandsDocument -update writes it.
func TestCommandsDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands\n\nDrawn from the program's own help and from the schemas of its answers.\n\n" +
		"Shares are from 0 to 1 in JSON and CSV, and percentages in tables and flags; tokens are whole numbers. " +
		"CSV has the fields of the rows, and as last columns `budgetGuessed` and `estimatedCounts`; `tokens` has the latter alone, and `evaluate`, `tune` and `fixtures` have neither. " +
		"In CSV a text is one line: `\\n`, `\\\\` and `\\u001b` stand for what cannot stand in it, and a `'` stands before one that begins with `=`, `+`, `-`, `@` or `'`.\n\n" +
		"A flag whose value is empty is refused: that is mostly a variable of a script that is not set.\n\n" +
		"Exit codes: " + command.ExitCodes + "\n")
	root := command.Program{Screen: newScreen()}.Command()
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		if !c.IsAvailableCommand() && c != root || c.Name() == "completion" || c.Name() == "help" {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.CommandPath(), cmp.Or(c.Long, c.Short))
		fmt.Fprintf(&b, "\n```\n%s\n```\n", cmp.Or(c.Example, c.UseLine()))
		rows := ""
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" || c != root && command.Group(f) != command.OwnFlags { // the latter stand with the program
				return
			}
			value, usage := pflag.UnquoteUsage(f)
			short := ""
			if f.Shorthand != "" {
				short = ", `-" + f.Shorthand + "`"
			}
			rows += fmt.Sprintf("| `%s`%s | %s |\n", strings.TrimSpace("--"+f.Name+" "+value), short, strings.ReplaceAll(usage, "|", "\\|"))
		})
		if rows != "" {
			b.WriteString("\n| flag | does |\n|---|---|\n" + rows)
		}
		if slices.Contains(export.SchemaNames(), c.Name()) {
			writeFields(t, &b, c.Name())
		}
	}
	goldentest.Check(t, filepath.Join("..", "..", "simulate", "command", "COMMANDS.md"), b.String())
}

// writeFields writes the fields of a verb's answer as a table, in the order of
// the schema.
func writeFields(t *testing.T, b *strings.Builder, verb string) {
	t.Helper()
	text := musttest.Of(export.SchemaOf(verb))(t)
	var doc map[string]any
	musttest.Do(t, json.Unmarshal(text, &doc))
	fields := map[string]string{}
	var walk func(v any, at string)
	walk = func(v any, at string) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e, at)
			}
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			for name, p := range properties {
				p := p.(map[string]any)
				if ref, ok := p["$ref"].(string); ok {
					p = doc["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
				}
				if says, _ := p["description"].(string); says != "" {
					fields[at+name] = says
				}
				if name != "item" && name != "budget" {
					walk(p, at+name+".")
				}
			}
			for _, key := range []string{"items", "oneOf", "anyOf"} {
				if inner, ok := v[key]; ok && properties == nil {
					walk(inner, strings.TrimSuffix(at, ".")+strings.Repeat("[].", min(1, strings.Count(key, "items"))*min(1, len(at))))
				}
			}
		}
	}
	walk(doc, "")
	b.WriteString("\n| field in JSON | is |\n|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fmt.Fprintf(b, "| `%s` | %s |\n", name, strings.ReplaceAll(fields[name], "|", "\\|"))
	}
}
