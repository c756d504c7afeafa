package command

import (
	"fmt"
	"strings"

	"github.com/muesli/mango"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand returns the hidden command that prints the manual page.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Hidden: true, Args: noArguments, Example: "cupelscope man > cupelscope.1",
		RunE: func(c *cobra.Command, _ []string) error {
			root := c.Root()
			page := mango.NewManPage(1, root.Name(), root.Short).WithLongDescription(root.Long).
				WithSection("Exit status", ExitCodes)
			if err := describe(&page.Root, root); err != nil {
				return err
			}
			text := page.Build(roff.NewDocument())
			// The header of each page only has room for the name of the manual.
			text = strings.Replace(text, fmt.Sprintf("%q", root.Short), `"User Commands"`, 1)
			_, err := fmt.Fprint(c.OutOrStdout(), text)
			return err
		},
	}
}

// describe adds the flags and the subcommands of c to the manual page, without
// hidden ones. Flags in the groups that verbs share are described at the root only.
func describe(to *mango.Command, c *cobra.Command) error {
	var err error
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || c.HasParent() && Group(f) != OwnFlags || err != nil {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := strings.TrimSpace(f.Name + " " + value)
		if f.Shorthand != "" {
			name += ", -" + f.Shorthand
		}
		err = to.AddFlag(mango.Flag{Name: name, Usage: usage, PFlag: true})
	})
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() || err != nil {
			continue
		}
		verb := mango.NewCommand(sub.Name(), sub.Short, sub.Use)
		if err = to.AddCommand(verb); err == nil {
			err = describe(verb, sub)
		}
	}
	return err
}
