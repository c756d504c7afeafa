package command

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// OptsVariable is the variable of the environment that holds flags for every run.
const OptsVariable = "CUPELSCOPE_OPTS"

// Environment says which variables are read: a name and what it does each, for people.
func Environment() [][2]string {
	return [][2]string{
		{OptsVariable, "flags for every run, as in --theme light --no-mouse --model gpt-4o: " + strings.Join(optsFlags(), ", ") + ". A flag that is typed counts more, and a command that does not have one ignores it."},
		{"NO_COLOR", "if it is set and not empty, nothing is coloured."},
		{"TERM", "dumb: there is no screen, no colour and no line of progress."},
		{"CLAUDE_CONFIG_DIR, CODEX_HOME and the like", "the folders of agents whose sessions are listed."},
	}
}

// optsFlags returns the flags that OptsVariable may hold: they suit a taste or a machine.
// All other flags change what is asked, and belong where they are seen.
func optsFlags() []string {
	return []string{"--theme", "--colours", "--no-mouse", "--ascii", "--model", "--price"}
}

// preset sets the flags of opts, which are typed as in OptsVariable, in every command below
// c that has them. The error names the variable.
func preset(c *cobra.Command, opts string) error {
	known := pflag.NewFlagSet(OptsVariable, pflag.ContinueOnError)
	known.SetOutput(io.Discard)
	known.Usage = func() {}
	for _, name := range optsFlags() {
		if name = strings.TrimPrefix(name, "--"); slices.Contains([]string{"no-mouse", "ascii"}, name) {
			known.Bool(name, false, "")
		} else {
			known.String(name, "", "")
			once(known.Lookup(name))
		}
	}
	err := wrongValue(known.Parse(strings.Fields(opts)))
	if errors.Is(err, pflag.ErrHelp) {
		err = errors.New("--help is not for every run")
	}
	if err == nil && known.NArg() > 0 {
		err = fmt.Errorf("%.40q is no flag", known.Arg(0))
	}
	if err == nil {
		err = emptyValue(known)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; it may hold %s", OptsVariable, err, strings.Join(optsFlags(), ", "))
	}
	for _, of := range append(c.Commands(), c) {
		known.Visit(func(f *pflag.Flag) {
			if to := of.Flags().Lookup(f.Name); to != nil && err == nil {
				err = to.Value.Set(f.Value.String())
			}
		})
	}
	return err
}
