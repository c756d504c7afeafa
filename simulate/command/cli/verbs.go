package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cupelscope/simulate/command"
	"cupelscope/simulate/export/schema"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// verb is a row of the table of verbs.
type verb struct {
	usage  command.Usage
	flags  []command.Flag // those that only this verb has
	shared []command.Flag // those for sources, budget and policy that it accepts
	// checks is the list that the flags of checks are appended to; they share
	// one because their order matters. nil means that the verb has none.
	checks *[]command.CheckFlag
	args   cobra.PositionalArgs // nil: any number of sources
	offers cobra.CompletionFunc // completes args; nil: files
	// run executes the verb; the arguments are in o.Sources.
	run func(ctx context.Context, o session.Options, s command.Streams) error
}

// verbs returns the table of verbs, except the explorer. The flags for sources,
// budget and policy store their values in o.
func verbs(o *session.Options) []verb {
	return []verb{
		report(o),
		answer(o, command.MinBudgetUsage(), &command.MinBudgetOptions{}, command.MinBudget),
		answer(o, command.ProfileUsage(), &command.StudyOptions{}, command.Profile),
		answer(o, command.MarginalUsage(), &command.StudyOptions{}, command.Marginal),
		answer(o, command.SweepUsage(), &command.SweepOptions{}, command.Sweep),
		compare(o),
		evaluate(o),
		answer(o, command.TuneUsage(), &command.TuneOptions{Folds: quality.DefaultFolds, Seed: 1}, command.Tune),
		answer(o, command.TurnsUsage(), &command.TurnsOptions{}, command.Turns),
		check(o),
		tokens(o),
		batch(o),
		fixtures(),
		policy(o),
		schemaOf(),
	}
}

// command returns the command of a verb.
func (p Program) command(v verb, o *session.Options) *cobra.Command {
	c := &cobra.Command{
		Use: v.usage.Use, Short: v.usage.Short, Long: v.usage.Long, Example: v.usage.Examples,
		ValidArgsFunction: v.offers,
		Args: func(c *cobra.Command, args []string) error {
			if err := pastedDashes(c, args); err != nil || v.args == nil {
				return err
			}
			return v.args(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := emptyValue(c.Flags()); err != nil {
				return err
			}
			o.Sources = args
			return v.run(c.Context(), *o, p.Streams)
		},
	}
	addFlags(c, v.flags)
	addFlags(c, v.shared)
	if v.checks != nil {
		addCheckFlags(c, v.checks)
	}
	return c
}

// answer returns the row of a verb that answers about an experiment. The flags
// that only this verb has store their values in options.
func answer[T any, Options interface {
	*T
	VerbFlags() []command.Flag
}](o *session.Options, u command.Usage, options Options, run func(context.Context, session.Options, T, command.Streams) error) verb {
	return verb{
		usage: u, flags: options.VerbFlags(), shared: command.ExperimentFlags(o),
		run: func(ctx context.Context, o session.Options, s command.Streams) error { return run(ctx, o, *options, s) },
	}
}

func report(o *session.Options) verb {
	v := answer(o, command.ReportUsage(), &command.ReportOptions{}, command.Report)
	v.flags = append(v.flags, command.LabelFlags(&o.Labels, &o.Run)...)
	return v
}

func compare(o *session.Options) verb {
	v := answer(o, command.CompareUsage(), &command.CompareOptions{Worst: 5},
		func(ctx context.Context, o session.Options, v command.CompareOptions, s command.Streams) error {
			v.A, v.B, o.Sources = o.Sources[0], o.Sources[1], o.Sources[2:]
			return command.Compare(ctx, o, v, s)
		})
	v.args = func(_ *cobra.Command, args []string) error {
		if len(args) < 2 {
			return fmt.Errorf("compare needs two policies, A and B, before the sources; %s given (see compare --help)", [...]string{"none is", "one is"}[len(args)])
		}
		return nil
	}
	v.offers = func(c *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
		if len(args) < 2 {
			names, more := completePolicies(c, args, text)
			return append(names, session.Recorded), more
		}
		return completeFiles(c, args, text)
	}
	return v
}

func evaluate(o *session.Options) verb {
	v := answer(o, command.EvaluateUsage(), &command.EvaluateOptions{Worst: 5}, command.Evaluate)
	v.offers = completePolicies
	return v
}

func check(o *session.Options) verb {
	options := new(command.CheckOptions)
	v := answer(o, command.CheckUsage(), options, command.Check)
	v.flags = append(v.flags, command.LabelFlags(&o.Labels, &o.Run)...)
	v.checks = &options.Flags
	return v
}

func tokens(o *session.Options) verb {
	v := answer(o, command.TokensUsage(), &command.TokensOptions{}, command.Tokens)
	v.shared = command.SourceFlags(o)
	return v
}

func batch(o *session.Options) verb {
	v := answer(o, command.BatchUsage(), &command.BatchOptions{}, command.Batch)
	v.shared, v.args = command.BatchFlags(o), atMostOne
	return v
}

func fixtures() verb {
	var a command.AnswerOptions
	return verb{
		usage: command.FixturesUsage(), flags: []command.Flag{a.OutputFlag()}, args: cobra.NoArgs, offers: cobra.NoFileCompletions,
		run: func(_ context.Context, _ session.Options, s command.Streams) error { return command.Fixtures(s.Out, a) },
	}
}

func policy(o *session.Options) verb {
	v := answer(o, command.PolicyUsage(), &command.PolicyOptions{}, command.Policy)
	v.args = atMostOne
	return v
}

func schemaOf() verb {
	return verb{
		usage: command.SchemaUsage(), args: oneVerb, offers: cobra.FixedCompletions(schema.Verbs(), cobra.ShellCompDirectiveNoFileComp),
		run: func(_ context.Context, o session.Options, s command.Streams) error {
			return command.Schema(s.Out, o.Sources[0])
		},
	}
}

// completePolicies completes the names of policies, and files.
func completePolicies(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return session.PolicyNames(), cobra.ShellCompDirectiveDefault
}

// oneVerb returns an error unless there is exactly one argument.
func oneVerb(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes the name of one verb, %d are given: %s", c.Name(), len(args), strings.Join(schema.Verbs(), ", "))
	}
	return nil
}

// atMostOne returns an error if there is more than one argument.
func atMostOne(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes one source, %d are given", c.Name(), len(args))
	}
	return nil
}

// completeFiles leaves the completion of file names to the shell.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}
