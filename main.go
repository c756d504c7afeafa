// Command cupelscope shows what fits: an explorer for LLM context budgets, and
// the same engine as commands. This file wires flags to verbs; it has no logic.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"charm.land/fang/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
	"cupelscope/simulate/command"
	"cupelscope/simulate/export"
	"cupelscope/tui"
	"cupelscope/tui/panes"
	"cupelscope/tui/theme"
)

// version is what --version prints.
const version = "0.1.0"

// Exit codes.
const (
	exitFine   = 0
	exitFailed = 1 // a check failed
	exitInput  = 2 // wrong usage, or input that cannot be used
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends what does not listen
	code := program{
		streams:  command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now, Width: width(os.Stdout)},
		terminal: term.IsTerminal(os.Stdout.Fd()) && os.Getenv("TERM") != "dumb",
		progress: term.IsTerminal(os.Stderr.Fd()) && os.Getenv("TERM") != "dumb",
		explore:  explore,
	}.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// width is how many cells a line of f has; 0: f is no terminal.
func width(f *os.File) int {
	cells, _, err := term.GetSize(f.Fd())
	if err != nil {
		return 0
	}
	return cells
}

// look is how the explorer is to look.
type look struct {
	theme   string
	ascii   bool
	noMouse bool
	start   tui.Start
}

// check reports a flag whose value is not known.
func (l look) check() error {
	if _, err := theme.Parse(l.theme); err != nil {
		return fmt.Errorf("--theme: %w", err)
	}
	return l.start.Check()
}

// explore shows the screen; l is checked.
func explore(ctx context.Context, o command.Options, l look, s command.Streams) error {
	name, err := theme.Parse(l.theme)
	if err != nil {
		return err
	}
	if err := command.Check(o); err != nil {
		return err // said where it was typed, not on a screen of its own
	}
	if slices.Contains(o.Sources, "-") && term.IsTerminal(os.Stdin.Fd()) {
		return errors.New("- reads standard input, and that is the terminal: pipe something in, or give a file")
	}
	return tui.Run(ctx, tui.Options{
		Source: command.SourceName(o),
		Open:   func(ctx context.Context) (*tui.Session, error) { return tui.Open(ctx, o, s) },
		OpenOther: func(ctx context.Context, path string) (*tui.Session, error) {
			other := o
			other.Sources, other.Fixture = []string{path}, ""
			if err := command.Check(other); err != nil {
				return nil, err
			}
			return tui.Open(ctx, other, s)
		},
		Theme:   name,
		ASCII:   l.ascii,
		NoColor: os.Getenv("NO_COLOR") != "",
		NoMouse: l.noMouse,
		Start:   l.start,
		Now:     s.Now,
	})
}

// program is everything that the commands need from outside.
type program struct {
	streams command.Streams
	// terminal says that standard output can show a screen.
	terminal bool
	// progress says that standard error is a terminal, on which a line may change.
	progress bool
	// explore shows the screen; nil: there is none, the report is printed.
	explore func(ctx context.Context, o command.Options, l look, s command.Streams) error
}

// run executes the command line and returns the exit code.
func (p program) run(ctx context.Context, args []string) int {
	out := &lastError{Writer: p.streams.Out}
	if !p.terminal { // help asks a terminal for its colours
		p.streams.Out = out
	}
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.streams.In)
	root.SetOut(p.streams.Out)
	root.SetErr(p.streams.Err)
	err := fang.Execute(ctx, root, fang.WithVersion(version), fang.WithErrorHandler(func(w io.Writer, _ fang.Styles, err error) {
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = errors.New("stopped by a signal; what was not answered until then is missing")
		}
		fmt.Fprintln(w, "cupelscope: "+plain.Text(err.Error()))
	}))
	if _, failed := errors.AsType[*command.FailedError](err); failed {
		return exitFailed
	}
	if err == nil && out.err != nil { // of help, whose writing nobody looks at
		fmt.Fprintln(p.streams.Err, "cupelscope: "+plain.Text(out.err.Error()))
		err = out.err
	}
	if err != nil {
		return exitInput
	}
	return exitFine
}

// lastError remembers that something could not be written.
type lastError struct {
	io.Writer
	err error
}

func (w *lastError) Write(data []byte) (int, error) {
	n, err := w.Writer.Write(data)
	if err != nil {
		w.err = err
	}
	return n, err
}

func (p program) root() *cobra.Command {
	var o command.Options
	var l look
	var root *cobra.Command
	explore := func(ctx context.Context) error {
		if err := l.check(); err != nil { // also where nothing looks at it
			return err
		}
		if len(o.Sources) > 0 {
			if verbs := root.SuggestionsFor(o.Sources[0]); len(verbs) > 0 && missing(o.Sources[0]) {
				return fmt.Errorf("%.40q is neither a verb nor a file; did you mean %s?", o.Sources[0], strings.Join(verbs, " or "))
			}
		}
		if !p.terminal || p.explore == nil {
			return command.Report(ctx, o, command.ReportOptions{AnswerOptions: command.AnswerOptions{ASCII: l.ascii}}, p.streams)
		}
		return p.explore(ctx, o, l, p.streams)
	}
	whole, verb := command.ExploreUsage()
	root = p.verb(whole, &o, explore)
	root.ValidArgsFunction = completeFiles // beside the verbs
	root.SuggestionsMinimumDistance = 2
	addCommonFlags(root, &o)
	addLookFlags(root, &l)
	again := p.verb(verb, &o, explore)
	addLookFlags(again, &l)
	root.AddCommand(
		again,
		p.reportCommand(&o),
		p.minBudgetCommand(&o),
		p.profileCommand(&o),
		p.marginalCommand(&o),
		p.sweepCommand(&o),
		p.compareCommand(&o),
		p.checkCommand(&o),
		p.tokensCommand(&o),
		p.batchCommand(&o),
		p.fixturesCommand(&o),
	)
	return root
}

// missing reports whether there is no such file.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// verb is a command that takes sources.
func (p program) verb(u command.Usage, o *command.Options, run func(context.Context) error) *cobra.Command {
	return &cobra.Command{
		Use: u.Use, Short: u.Short, Long: u.Long, Example: u.Examples,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			o.Sources = args
			return run(c.Context())
		},
	}
}

func (p program) reportCommand(o *command.Options) *cobra.Command {
	var r command.ReportOptions
	c := p.verb(command.ReportUsage(), o, func(ctx context.Context) error { return command.Report(ctx, *o, r, p.streams) })
	addAnswerFlags(c, &r.AnswerOptions)
	c.Flags().BoolVar(&r.NoContent, "no-content", false, "leave item texts out of JSON and CSV")
	return c
}

func (p program) minBudgetCommand(o *command.Options) *cobra.Command {
	var m command.MinBudgetOptions
	c := p.verb(command.MinBudgetUsage(), o, func(ctx context.Context) error { return command.MinBudget(ctx, *o, m, p.streams) })
	addStudyFlags(c, &m.StudyOptions)
	c.Flags().BoolVar(&m.Bare, "bare", false, "budgets of which nothing is held back, in place of the template")
	c.Flags().BoolVar(&m.OnlyDiffering, "only-differing", false, "only items for which the search does not find the least budget")
	return c
}

func (p program) profileCommand(o *command.Options) *cobra.Command {
	var a command.StudyOptions
	c := p.verb(command.ProfileUsage(), o, func(ctx context.Context) error { return command.Profile(ctx, *o, a, p.streams) })
	addStudyFlags(c, &a)
	return c
}

func (p program) marginalCommand(o *command.Options) *cobra.Command {
	var a command.StudyOptions
	c := p.verb(command.MarginalUsage(), o, func(ctx context.Context) error { return command.Marginal(ctx, *o, a, p.streams) })
	addStudyFlags(c, &a)
	return c
}

func (p program) sweepCommand(o *command.Options) *cobra.Command {
	var w command.SweepOptions
	c := p.verb(command.SweepUsage(), o, func(ctx context.Context) error { return command.Sweep(ctx, *o, w, p.streams) })
	addStudyFlags(c, &w.StudyOptions)
	c.Flags().StringVar(&w.From, "from", "", "the first budget (default 0)")
	c.Flags().StringVar(&w.To, "to", "", "the last budget (default: the ceiling)")
	c.Flags().StringVar(&w.Step, "step", "", "look every so many tokens (default: where the result changes)")
	c.Flags().StringVar(&w.Against, "against", "", "another policy: a slicer (knapsack, knapsack:1), a preset or a file")
	completeBy(c, "against", completePolicies)
	return c
}

func (p program) compareCommand(o *command.Options) *cobra.Command {
	var v command.CompareOptions
	c := p.verb(command.CompareUsage(), o, func(ctx context.Context) error {
		v.A, v.B, o.Sources = o.Sources[0], o.Sources[1], o.Sources[2:]
		v.Progress = p.progress
		return command.Compare(ctx, *o, v, p.streams)
	})
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) < 2 {
			return fmt.Errorf("compare wants two policies, A and B, before the sources; %s given (see compare --help)", [...]string{"none is", "one is"}[len(args)])
		}
		return nil
	}
	c.ValidArgsFunction = func(c *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
		if len(args) < 2 {
			return completePolicies(c, args, text)
		}
		return completeFiles(c, args, text)
	}
	addAnswerFlags(c, &v.AnswerOptions)
	c.Flags().StringArrayVar(&v.At, "at", nil, "budgets to compare at: tokens or shares of all tokens of a case, as in 8k,32k,50% (default: that of each)")
	c.Flags().IntVar(&v.Worst, "worst", 5, "how many of the cases that differ most are named")
	c.Flags().BoolVar(&v.NoBest, "no-best", false, "do without the best possible value, which takes most of the time")
	c.Flags().IntVarP(&v.Jobs, "jobs", "j", 0, "cases worked on at a time (default: as many as processors)")
	return c
}

// completePolicies offers policies by name, and files.
func completePolicies(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return command.PolicyNames(), cobra.ShellCompDirectiveDefault
}

// completeFiles offers what the shell itself does.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func (p program) checkCommand(o *command.Options) *cobra.Command {
	var v command.VerifyOptions
	c := p.verb(command.CheckUsage(), o, func(ctx context.Context) error { return command.Verify(ctx, *o, v, p.streams) })
	addAnswerFlags(c, &v.AnswerOptions)
	c.Flags().StringVar(&v.Ceiling, "ceiling", "", "the largest budget to look at (default: as for min-budget, and as far as the checks ask)")
	c.Flags().StringVar(&v.File, "checks", "", "file with an array of checks, as in a scenario")
	for _, f := range command.CheckFlags() {
		flag := c.Flags().VarPF(&checkFlag{&v.Flags, f}, f.Name, "", f.Usage)
		if f.Value == "" {
			flag.NoOptDefVal = "true"
		}
	}
	return c
}

// checkFlag adds to the flags of checks, which share a list because their order
// counts.
type checkFlag struct {
	to *[]command.CheckFlag
	of command.FlagUsage
}

func (f *checkFlag) String() string { return "" }
func (f *checkFlag) Type() string   { return f.of.Value }
func (f *checkFlag) Set(value string) error {
	*f.to = append(*f.to, command.CheckFlag{Name: f.of.Name, Value: value})
	return nil
}

func (p program) batchCommand(o *command.Options) *cobra.Command {
	var b command.BatchOptions
	c := p.verb(command.BatchUsage(), o, func(ctx context.Context) error { return command.Batch(ctx, *o, b, p.streams) })
	c.Args = cobra.MaximumNArgs(1)
	c.Flags().IntVarP(&b.Jobs, "jobs", "j", 0, "lines worked on at a time (default: as many as processors)")
	c.Flags().BoolVarP(&b.Verbose, "verbose", "v", false, "say on standard error how many lines there were, also if none failed")
	return c
}

func (p program) tokensCommand(o *command.Options) *cobra.Command {
	var t command.TokensOptions
	c := p.verb(command.TokensUsage(), o, func(ctx context.Context) error { return command.Tokens(ctx, *o, t, p.streams) })
	addAnswerFlags(c, &t.AnswerOptions)
	c.Flags().StringVar(&t.By, "by", "", "a row for each item, kind or count, which is where counts come from (default item)")
	c.Flags().StringSliceVar(&t.Compare, "compare", nil, "encodings to count every text with, each in a column of its own; all for each")
	complete(c, "by", command.Names(command.Groupings()))
	complete(c, "compare", append(tokens.Encodings(), "all"))
	return c
}

func (p program) fixturesCommand(o *command.Options) *cobra.Command {
	var a command.AnswerOptions
	c := p.verb(command.FixturesUsage(), o, func(context.Context) error { return command.Fixtures(p.streams.Out, a) })
	addOutputFlag(c, &a)
	c.Args = cobra.NoArgs
	c.ValidArgsFunction = cobra.NoFileCompletions
	return c
}

// addCommonFlags adds what all verbs understand: source, budget, policy.
func addCommonFlags(c *cobra.Command, o *command.Options) {
	f := c.PersistentFlags()
	f.StringVar(&o.Fixture, "fixture", "", "open a scenario that comes with the program (see fixtures)")
	f.StringVar(&o.Format, "format", "", "format of the sources (default: told from the content)")
	f.StringVar(&o.Encoding, "encoding", "", "encoding that counts tokens where a source has no counts (default: that of the model, else "+tokens.DefaultEncoding+")")
	f.StringVar(&o.Model, "model", "", "model that the items are for, as in gpt-4o: gives encoding and window (default: the one that the source names)")
	f.StringVar(&o.TokenFactor, "token-factor", "", "multiply counts, which are then estimates: for models without a public encoding (default 1)")
	f.StringVar(&o.MessageOverhead, "message-overhead", "", "tokens added to each message that is counted (default 0; chats with models of OpenAI: 3)")
	f.BoolVar(&o.Strict, "strict", false, "fail on a record that cannot be used, in place of skipping it")
	f.BoolVar(&o.Full, "full", false, "keep what a session had before its last compaction")
	f.BoolVar(&o.Sidechains, "sidechains", false, "keep the rows of sub-agents in a session")
	f.IntVar(&o.Select, "select", 0, "which run of a file that holds many, from 1")

	f.StringVar(&o.MaxTokens, "max-tokens", "", "the context window, as in 32000, 32k or 32Ki")
	f.StringVar(&o.TargetTokens, "target-tokens", "", "what the selection aims at (default: maxTokens)")
	f.StringVar(&o.OutputReserve, "output-reserve", "", "tokens kept free for the model's answer")
	f.StringArrayVar(&o.Slots, "slot", nil, "tokens held back for a kind, KIND=TOKENS; may be repeated")
	f.StringVar(&o.SafetyMargin, "safety-margin", "", "percent taken off against wrong estimates")
	f.StringVar(&o.Slack, "slack", "", "an item lost with so many tokens less is at risk")

	f.StringVar(&o.Policy, "policy", "", "file with a policy in Cupel's JSON")
	f.StringVar(&o.Preset, "preset", "", "one of Cupel's named policies")
	f.StringVar(&o.Slicer, "slicer", "", "how to select: greedy, knapsack or stream")
	f.StringVar(&o.BucketSize, "bucket", "", "bucket size of the knapsack, in tokens")
	f.StringVar(&o.Placer, "placer", "", "how to order: chronological or uShaped")
	f.StringVar(&o.Overflow, "overflow", "", "what to do above the target: throw, truncate or proceed")
	f.BoolVar(&o.NoDedup, "no-dedup", false, "keep items with equal content")

	complete(c, "fixture", command.FixtureNames())
	complete(c, "format", command.Names(itemset.Formats()))
	complete(c, "encoding", tokens.Encodings())
	complete(c, "model", tokens.Models())
	complete(c, "token-factor", []string{"auto"})
	complete(c, "preset", command.PresetNames())
	complete(c, "slicer", command.Names(model.SlicerTypes()))
	complete(c, "placer", command.Names(model.PlacerTypes()))
	complete(c, "overflow", command.Names(model.OverflowStrategies()))
}

// addAnswerFlags adds what the verbs with one answer understand.
func addAnswerFlags(c *cobra.Command, a *command.AnswerOptions) {
	addOutputFlag(c, a)
	c.Flags().BoolVar(&a.ASCII, "ascii", false, "mark estimates with ~")
	c.Flags().BoolVarP(&a.Verbose, "verbose", "v", false, "say on standard error what was loaded, and how long the work took")
}

func addOutputFlag(c *cobra.Command, a *command.AnswerOptions) {
	c.Flags().StringVarP(&a.Output, "output", "o", "", "form of the answer: table, json, csv or markdown (default table)")
	complete(c, "output", command.Names(export.Forms()))
}

// addStudyFlags adds what the verbs about items over many budgets understand.
func addStudyFlags(c *cobra.Command, a *command.StudyOptions) {
	addAnswerFlags(c, &a.AnswerOptions)
	c.Flags().StringArrayVar(&a.Items, "item", nil, `only these items: '#12', kind:tool, 'tok>500 is:out', '"a text"'; may be repeated (default: all)`)
	c.Flags().StringVar(&a.Ceiling, "ceiling", "", "the largest budget to look at (default: where all is in, at most twice the budget or 128k)")
}

func addLookFlags(c *cobra.Command, l *look) {
	c.Flags().StringVar(&l.theme, "theme", "auto", "colours: auto, dark, light or none")
	c.Flags().BoolVar(&l.ascii, "ascii", false, "draw with ASCII characters only")
	c.Flags().BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal, for selecting text")
	c.Flags().StringVar(&l.start.View, "view", "", "the view to begin with: "+strings.Join(tui.ViewNames(), ", "))
	c.Flags().StringVar(&l.start.Side, "side", "", "the policy to show and edit: a or b")
	c.Flags().StringVar(&l.start.Filter, "filter", "", `show only some items, as in 'kind:tool is:risk tok>500'`)
	c.Flags().StringVar(&l.start.Sort, "sort", "", "sort by "+strings.Join(panes.SortNames(), ", ")+"; - before it turns the order round")
	c.Flags().StringVar(&l.start.Item, "item", "", "the item to begin at, by its number")
	complete(c, "theme", command.Names(theme.Names()))
	complete(c, "side", []string{"a", "b"})
	complete(c, "view", tui.ViewNames())
	complete(c, "sort", panes.SortNames())
}

// complete offers the values of a flag to the shell. It fails only for a flag
// that c does not have.
func complete(c *cobra.Command, flag string, values []string) {
	completeBy(c, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

func completeBy(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}
