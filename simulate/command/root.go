package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupelscope/model/itemset"
	"cupelscope/simulate/session"
)

// Command returns the root command, which has all verbs as subcommands.
func (p Program) Command() *cobra.Command {
	root, flags := p.commands()
	addAll(flags)
	return root
}

// commands returns Command without the flags of its commands, and by name what adds those of one:
// there are a thousand, and a run asks for those of one command.
func (p Program) commands() (root *cobra.Command, flags map[string]func()) {
	var o session.Options
	flags = map[string]func(){}
	root = p.explorer(programUsage, &o, flags)
	root.SilenceUsage, root.SilenceErrors = true, true
	open := root.RunE
	root.Flags().Bool("version", false, "print the version")
	root.RunE = func(c *cobra.Command, args []string) error { // with a version template, cobra would link text/template
		if asked, _ := c.Flags().GetBool("version"); !asked { // it is a flag of this command
			return open(c, args)
		}
		_, err := fmt.Fprintln(p.Streams.Out, c.Name(), p.Version)
		return err
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { help(c, p.Streams.Width) })
	root.ValidArgsFunction = completeFiles // beside the verbs
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		addAll(flags) // that of another command may be meant
		return wrongFlag(c, err)
	})
	root.SetOut(p.Streams.Out) // before InitDefaultCompletionCmd, which takes it over for the scripts

	root.AddCommand(p.explorer(exploreUsage, &o, flags))
	for _, v := range verbs(&o, p.Sessions) {
		run := v.run
		v.run = func(ctx context.Context, o session.Options, s Streams) error {
			ctx, s, end := s.telling(ctx)
			defer end()
			return run(ctx, o, s)
		}
		root.AddCommand(p.command(v, &o, flags))
	}
	root.AddCommand(manCommand())
	root.SetHelpCommand(helpCommand())
	root.InitDefaultCompletionCmd("completion")
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = knownVerb
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	}
	return root, flags
}

// addAll adds the flags of all commands that have none yet.
func addAll(flags map[string]func()) {
	for _, add := range flags {
		add()
	}
}

// explorer returns the command that shows the screen, or prints the report if
// standard output is not a terminal.
func (p Program) explorer(u usage, o *session.Options, adding map[string]func()) *cobra.Command {
	var a answerOptions
	last := false
	flags := []session.Flag{
		{Name: "last", Bool: &last, Usage: "open the newest session of an agent in this folder's project"},
		{Name: "ascii", Bool: &a.ASCII, Usage: "draw with ASCII characters only"},
		{Name: "verbose", Letter: "v", Bool: &a.Verbose, Usage: "without a screen: say on standard error what was loaded"},
	}
	c := p.command(verb{
		usage: u, shared: func(o *session.Options) []session.Flag {
			return slices.Concat(flags, session.LabelFlags(o), p.Screen.Flags(o), session.ExperimentFlags(o))
		},
		run: func(ctx context.Context, o session.Options, s Streams) error {
			if err := p.Screen.Check(); err != nil {
				return err
			}
			if last {
				if len(o.Sources) > 0 || o.Fixture != "" {
					return errors.New("--last names the source: give no other")
				}
				path, err := newestSession(ctx, p.Sessions, o.Follow)
				if err != nil {
					return err
				}
				o.Sources = []string{path}
			}
			if !p.Terminal && !p.Screen.Unattended() {
				if o.Follow {
					fmt.Fprintln(s.Err, "cupelscope: --follow needs a screen; this is the report of what is there now")
				}
				return writeReport(ctx, o, reportOptions{answerOptions: a}, s)
			}
			return p.Screen.Show(ctx, o, a.ASCII, s)
		},
	}, o, adding)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := mistyped(c.Root(), args); err != nil {
			return err
		}
		return run(c, args)
	}
	return c
}

// mistyped returns an error if the first argument is neither a file nor a verb, and
// looks like the name of a verb: a word without the punctuation of paths and patterns.
func mistyped(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := itemset.CheckSources(args[:1])
	verbs := root.SuggestionsFor(args[0])
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return nil
	case args[0] == "version":
		return fmt.Errorf("version is a flag: %s --version", root.Name())
	case len(verbs) > 0:
		return fmt.Errorf("%.40q is neither a command nor a file; did you mean %s?", args[0], strings.Join(verbs, " or "))
	case strings.ContainsAny(args[0], "./~"):
		return nil // opening it returns the error
	}
	return fmt.Errorf("%w, and no such command (see %s --help)", err, root.Name())
}
