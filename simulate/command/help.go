package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupelscope/model/plain"
)

// help writes what a command does and how to call it, as plain text. It does not
// query the terminal, which would mean waiting for an answer. Lines are wrapped
// at width cells, but at no less than 40 and no more than 100; a width of 0, for
// output that is not a terminal, means 100.
func help(c *cobra.Command, width int) {
	const minCells, maxCells = 40, 100 // of a line
	cells := min(maxCells, max(minCells, width))
	if width == 0 {
		cells = maxCells
	}
	var b strings.Builder
	block := func(heading, text string) {
		if text = strings.TrimRight(text, " \n"); text != "" {
			fmt.Fprintf(&b, "\n%s:\n%s\n", heading, text)
		}
	}
	indent := func(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
	for _, line := range plain.Wrap(cmp.Or(c.Long, c.Short), cells, 1000) {
		b.WriteString(line + "\n")
	}
	block("Usage", indent(c.UseLine()))
	block("Examples", indent(c.Example))
	verbs := ""
	for _, verb := range c.Commands() {
		if verb.IsAvailableCommand() {
			verbs += fmt.Sprintf("  %-*s%s\n", verb.NamePadding()+2, verb.Name(), verb.Short)
		}
	}
	block("Commands", verbs)
	groups := map[string]*pflag.FlagSet{}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		group := Group(f)
		if groups[group] == nil {
			groups[group] = pflag.NewFlagSet(group, pflag.ContinueOnError)
		}
		groups[group].AddFlag(f)
	})
	for _, group := range []string{ownFlags, "Sources", "Budget", "Policy"} {
		if set := groups[group]; set != nil {
			block(group, set.FlagUsagesWrapped(cells))
		}
	}
	fmt.Fprint(c.OutOrStdout(), b.String()) // Program.Run keeps the error
}

// ownFlags is the heading of the flags that have no group of their own, which is
// how a verb's own flags are listed.
const ownFlags = "Flags"

// Group returns the heading under which help lists f: the group of the flag, or
// ownFlags if it has none.
func Group(f *pflag.Flag) string {
	if of := f.Annotations[groupOf]; len(of) > 0 {
		return of[0]
	}
	return ownFlags
}

// helpCommand returns the command "help VERB". An unknown verb is an error.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [command]", Short: "Say what a command does, and its flags", Args: knownVerb,
		RunE: func(c *cobra.Command, args []string) error {
			of, _, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			of.InitDefaultHelpFlag() // as the flag --help does
			return of.Help()
		},
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, verb := range c.Root().Commands() {
				if verb.IsAvailableCommand() {
					names = append(names, verb.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// knownVerb returns an error if the arguments do not name a path of commands,
// starting at the root for help, and at c otherwise.
func knownVerb(c *cobra.Command, args []string) error {
	of := c
	if c.Name() == "help" {
		of = c.Root()
	}
	for _, name := range args {
		i := slices.IndexFunc(of.Commands(), func(sub *cobra.Command) bool { return sub.Name() == name })
		if i < 0 {
			return fmt.Errorf("%s: there is no command %.40q (see %s --help)", c.Name(), name, c.Root().Name())
		}
		of = of.Commands()[i]
	}
	return nil
}
