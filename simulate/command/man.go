package command

import (
	"fmt"
	"regexp"
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
			page := mango.NewManPage(1, root.Name(), root.Short).WithLongDescription(formatted(root.Long)).
				WithSection("Exit status", ExitCodes)
			if err := describe(&page.Root, root); err != nil {
				return err
			}
			text := page.Build(roff.NewDocument())
			// The header of each page only has room for the name of the manual, and the date
			// would be the day of the call.
			text = dated.ReplaceAllString(strings.Replace(text, fmt.Sprintf("%q", root.Short), `"User Commands"`, 1), `${1}""`)
			_, err := fmt.Fprint(c.OutOrStdout(), text+environmentSection()+examplesSection(root))
			return err
		},
	}
}

// dated finds the date in the header of a page.
var dated = regexp.MustCompile(`^(\.TH \S+ 1 )"[^"]*"`)

// formatted escapes a text for package roff, which reads it as a format of package fmt.
func formatted(text string) string { return strings.ReplaceAll(text, "%", "%%") }

func environmentSection() string {
	var b strings.Builder
	b.WriteString("\n.SH ENVIRONMENT\n")
	for _, v := range Environment() {
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fP\n%s\n", v[0], literal(v[1]))
	}
	return b.String()
}

// examplesSection has the examples of the program and the first one of each verb.
func examplesSection(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(".SH EXAMPLES\n.nf\n" + literal(root.Example) + "\n")
	for _, verb := range root.Commands() {
		if first, _, _ := strings.Cut(verb.Example, "\n"); first != "" {
			b.WriteString(literal(first) + "\n")
		}
	}
	return b.String() + ".fi\n"
}

// literal escapes what roff would not print as it is.
func literal(text string) string { return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text) }

// describe adds the flags and the subcommands of c to the manual page, without
// hidden ones. Flags in the groups that verbs share are described at the root only.
func describe(to *mango.Command, c *cobra.Command) error {
	var err error
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || c.HasParent() && Group(f) != ownFlags || err != nil {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := strings.TrimSpace(f.Name + " " + value)
		if f.Shorthand != "" {
			name += ", -" + f.Shorthand
		}
		err = to.AddFlag(mango.Flag{Name: name, Usage: formatted(usage), PFlag: true})
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
