package tui

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/goldentest"
	"cupelscope/simulate/command"
)

// commandsDocument holds COMMANDS.md to the commands and their flags.
func commandsDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands\n\nDrawn from the program's own help. `cupelscope schema NAME` describes every field of an answer in JSON, and what is read: policies, items, scenarios, lines of a batch. policy.definition of an answer, in a file, is what --policy reads.\n\n" +
		"Shares are from 0 to 1 in JSON and CSV, and percentages in tables and flags; tokens are whole numbers. Items are counted from 0; requests, folds and lines from 1. " +
		"CSV has the fields of the rows, and as last columns `budgetGuessed` and `estimatedCounts`; `tokens` has the latter alone, and `evaluate`, `tune` and `fixtures` have neither. " +
		"In CSV a text is one line: `\\n`, `\\\\` and `\\u001b` stand for what cannot stand in it, and a `'` stands before one that begins with `=`, `+`, `-`, `@` or `'`.\n\n" +
		"A flag with an empty value is refused, as that is mostly a variable that is not set.\n\n" +
		"Exit codes: " + command.ExitCodes + "\n")
	root := command.Program{Screen: newScreen().screen()}.Command()
	var commands []*cobra.Command
	uses := map[string]int{} // of a row about a flag
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		if !c.IsAvailableCommand() && c != root || c.Name() == "completion" || c.Name() == "help" || c.Name() == "explore" { // explore has all of the program
			continue
		}
		commands = append(commands, c)
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { uses[flagRow(f)]++ })
	}
	const several = 2                   // commands that share a flag
	own := command.Group(&pflag.Flag{}) // the heading of the flags without a group
	shared := func(f *pflag.Flag) bool { return command.Group(f) != own || uses[flagRow(f)] >= several }
	b.WriteString("\n## Environment\n")
	for _, v := range command.Environment() {
		fmt.Fprintf(&b, "\n- %s: %s", v[0], v[1])
	}
	b.WriteString("\n\n## Shared flags\n\nA flag that does nothing for a command is not known to it: `cupelscope COMMAND --help` lists those that it has.\n")
	for _, group := range []string{"Sources", "Budget", "Policy", own} {
		heading := group
		if group == own {
			heading = "Of several commands"
		}
		rows := map[string]bool{}
		for _, c := range commands {
			c.LocalFlags().VisitAll(func(f *pflag.Flag) {
				if shared(f) && command.Group(f) == group && !f.Hidden && f.Name != "help" {
					rows[flagRow(f)] = true
				}
			})
		}
		writeRows(&b, "\n### "+heading+"\n", "flag", "does", slices.Sorted(maps.Keys(rows)))
	}
	for _, c := range commands {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.CommandPath(), cmp.Or(c.Long, c.Short))
		fmt.Fprintf(&b, "\n```\n%s\n```\n", cmp.Or(c.Example, c.UseLine()))
		var rows []string
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !shared(f) {
				rows = append(rows, flagRow(f))
			}
		})
		writeRows(&b, "", "flag", "does", rows)
	}
	var presets, built []string
	for _, p := range model.Presets() {
		presets = append(presets, fmt.Sprintf("| `%s` | %s |\n", p.Name, p.Description))
	}
	for _, f := range fixtures.All() {
		built = append(built, fmt.Sprintf("| `%s` | %s |\n", f.Name, f.Title))
	}
	writeRows(&b, "\n## Presets\n\n[POLICY.md](../../model/POLICY.md) says what each is made of.\n", "preset", "for", presets)
	writeRows(&b, "\n## Fixtures\n", "fixture", "is", built)
	if n := len(strings.Fields(b.String())); n > 6000 {
		t.Errorf("COMMANDS.md has %d words, at most 6,000 are to be", n)
	}
	goldentest.Check(t, filepath.Join("..", "simulate", "command", "COMMANDS.md"), b.String())
}

// writeRows writes a table of two columns under a heading; nothing if it has no rows.
func writeRows(b *strings.Builder, heading, first, second string, rows []string) {
	if len(rows) > 0 {
		fmt.Fprintf(b, "%s\n| %s | %s |\n|---|---|\n%s", heading, first, second, strings.Join(rows, ""))
	}
}

// flagRow is the row about a flag.
func flagRow(f *pflag.Flag) string {
	value, usage := pflag.UnquoteUsage(f)
	short := ""
	if f.Shorthand != "" {
		short = ", `-" + f.Shorthand + "`"
	}
	return fmt.Sprintf("| `%s`%s | %s |\n", strings.TrimSpace("--"+f.Name+" "+value), short, strings.ReplaceAll(usage, "|", "\\|"))
}
