package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cupelscope/model/itemset/sessions"
	"cupelscope/simulate/export"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// verb is a row of the table of verbs.
type verb struct {
	usage  usage
	own    flagger              // what only this verb has; may be nil
	more   []session.Flag       // what is no field of own
	shared sharedFlags          // for sources, budget and policy; may be nil
	args   cobra.PositionalArgs // nil: any number of sources
	offers cobra.CompletionFunc // completes args; nil: files
	// run executes the verb; the arguments are in o.Sources.
	run func(ctx context.Context, o session.Options, s Streams) error
}

type flagger interface{ verbFlags() []session.Flag }

// sharedFlags returns flags that store their values in o.
type sharedFlags func(o *session.Options) []session.Flag

// verbs returns the table of verbs, except the explorer. The flags for sources,
// budget and policy store their values in o.
func verbs(o *session.Options, places sessions.Places) []verb {
	labels := session.LabelFlags(o)
	listed := new(answerOptions)
	evaluating := answer(evaluateUsage, &evaluateOptions{Worst: 5}, evaluate).with(labels...)
	evaluating.offers = completePolicies
	samples := answer(fixturesUsage, &fixturesOptions{}, writeFixtures).sharing(nil, noArguments)
	samples.offers = cobra.NoFileCompletions
	return []verb{
		answer(reportUsage, &reportOptions{}, writeReport).with(labels...),
		answer(minBudgetUsage, &minBudgetOptions{}, writeMinBudgets),
		answer(profileUsage, &profileOptions{}, writeProfile),
		answer(marginalUsage, &studyOptions{}, marginal),
		answer(sweepUsage, &sweepOptions{}, writeSweep),
		compareVerb(),
		evaluating,
		answer(tuneUsage, &tuneOptions{Folds: quality.DefaultFolds, Seed: 1}, tune).with(labels...),
		answer(turnsUsage, &turnsOptions{}, writeTurns).with(labels[0]),
		answer(checkUsage, &checkOptions{}, check).with(labels...),
		answer(tokensUsage, &tokensOptions{}, writeTokens).sharing(session.SourceFlags, nil),
		answer(batchUsage, &batchOptions{}, answerBatch).sharing(session.BatchFlags, atMostOne),
		samples,
		answer(runsUsage, &runsOptions{}, writeRuns).sharing(session.SourceFlags, atMostOne),
		{usage: sessionsUsage, more: []session.Flag{listed.outputFlag()}, args: noArguments, offers: cobra.NoFileCompletions, run: func(ctx context.Context, _ session.Options, s Streams) error {
			return writeSessions(ctx, places, *listed, s)
		}},
		answer(policyUsage, &policyOptions{}, policy).sharing(session.ExperimentFlags, atMostOne),
		{usage: schemaUsage, args: oneSchema, offers: cobra.FixedCompletions(export.SchemaNames(), cobra.ShellCompDirectiveNoFileComp), run: func(_ context.Context, o session.Options, s Streams) error {
			text, err := export.SchemaOf(o.Sources[0])
			if err == nil {
				_, err = s.Out.Write(text)
			}
			return err
		}},
	}
}

// with returns the verb with more flags of its own.
func (v verb) with(flags ...session.Flag) verb {
	v.more = append(v.more, flags...)
	return v
}

// sharing returns the verb with other shared flags, and with other arguments.
func (v verb) sharing(shared sharedFlags, args cobra.PositionalArgs) verb {
	v.shared, v.args = shared, args
	return v
}

// command returns the command of a verb. What adds its flags goes to flags.
func (p Program) command(v verb, o *session.Options, flags map[string]func()) *cobra.Command {
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
	flags[c.Name()] = func() {
		if v.own != nil {
			addFlags(c, v.own.verbFlags())
		}
		addFlags(c, v.more)
		if v.shared != nil {
			addFlags(c, v.shared(o))
		}
		delete(flags, c.Name())
	}
	return c
}

// answer returns the row of a verb that answers about an experiment. Its verbFlags, which
// only this verb has, store their values in options.
func answer[T any, Options interface {
	*T
	flagger
}](u usage, options Options, run func(context.Context, session.Options, T, Streams) error) verb {
	return verb{
		usage: u, own: options, shared: session.ExperimentFlags,
		run: func(ctx context.Context, o session.Options, s Streams) error { return run(ctx, o, *options, s) },
	}
}

func compareVerb() verb {
	v := answer(compareUsage, &compareOptions{Worst: 5},
		func(ctx context.Context, o session.Options, v compareOptions, s Streams) error {
			v.A, v.B, o.Sources = o.Sources[0], o.Sources[1], o.Sources[2:]
			return compare(ctx, o, v, s)
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

// completePolicies completes the names of policies, and files.
func completePolicies(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return session.PolicyNames(), cobra.ShellCompDirectiveDefault
}

// oneSchema returns an error unless there is exactly one argument.
func oneSchema(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes the name of one schema, %d are given: %s", c.Name(), len(args), strings.Join(export.SchemaNames(), ", "))
	}
	return nil
}

// noArguments returns an error if there is an argument.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	for _, verb := range c.Root().Commands() {
		if verb.Name() == args[0] {
			return fmt.Errorf("%s is about all commands at once: see %s --help", c.Name(), args[0])
		}
	}
	return fmt.Errorf("%s takes no argument: %.40q is given", c.Name(), args[0])
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
