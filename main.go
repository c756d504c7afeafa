// Command cupelscope shows what fits: an explorer for LLM context budgets, and
// the same engine as commands. This file wires verbs and flags; it has no logic.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupelscope/fixtures"
	"cupelscope/model/plain"
	"cupelscope/simulate/command"
	"cupelscope/simulate/export/schema"
	"cupelscope/simulate/session"
	"cupelscope/tui"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// version is what --version prints: of a release its tag, else the commit that
// the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "built from source, without a version"
	}
	return info.Main.Version
}

// Exit codes.
const (
	exitFine   = 0
	exitFailed = 1 // a check failed, or a count is wrong
	exitInput  = 2 // wrong usage, or input that cannot be used
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends what does not listen
	code := program{
		streams: command.Streams{
			In: os.Stdin, Typed: term.IsTerminal(os.Stdin.Fd()), Out: os.Stdout, Err: os.Stderr, Now: time.Now,
			Width: width(os.Stdout), Progress: term.IsTerminal(os.Stderr.Fd()) && os.Getenv("TERM") != "dumb",
		},
		terminal: term.IsTerminal(os.Stdout.Fd()) && os.Getenv("TERM") != "dumb",
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
	verbose bool // of the report where there is no screen
	start   tui.Start
}

// flags are those of the explorer.
func (l *look) flags(o *session.Options) []command.Flag {
	return []command.Flag{
		{Name: "ceiling", Was: "axis-end", Text: &o.AxisEnd, Usage: "the largest budget to look at, in `TOKENS` (default: where all is in, at most twice the budget or 128k)"},
		{Name: "theme", Text: &l.theme, Offers: session.Names(theme.Names()), Usage: "colours: `THEME` is auto, dark, light or none"},
		{Name: "ascii", Bool: &l.ascii, Usage: "draw with ASCII characters only"},
		{Name: "no-mouse", Bool: &l.noMouse, Usage: "leave the mouse to the terminal, for selecting text"},
		{Name: "tour", Bool: &l.start.Tour, Usage: "take a tour of five steps through the fixture " + fixtures.Names()[0]},
		{Name: "view", Text: &l.start.View, Offers: tui.ViewNames(), Usage: "the `VIEW` to begin with: " + strings.Join(tui.ViewNames(), ", ")},
		{Name: "side", Text: &l.start.Side, Offers: []string{"a", "b"}, Usage: "the policy to show and edit: `SIDE` is a or b"},
		{Name: "filter", Text: &l.start.Filter, Usage: "show only the items that `FILTER` names, as in 'kind:tool is:risk tok>500'"},
		{Name: "sort", Text: &l.start.Sort, Offers: widget.SortNames(), Usage: "sort by `ORDER`: " + strings.Join(widget.SortNames(), ", ") + "; - before it turns the order round"},
		{Name: "item", Text: &l.start.Item, Usage: "the item to begin at, by its `NUMBER`"},
	}
}

// check reports a flag whose value is not known.
func (l look) check() error {
	if _, err := theme.Parse(l.theme); err != nil {
		return fmt.Errorf("--theme: %w", err)
	}
	return l.start.Check()
}

// explore shows the screen; l is checked.
func explore(ctx context.Context, o session.Options, l look, s command.Streams) error {
	name, err := theme.Parse(l.theme)
	if err != nil {
		return err
	}
	if agent := fixtures.Names()[0]; l.start.Tour && (len(o.Sources) > 0 || o.Fixture != "" && o.Fixture != agent) {
		return fmt.Errorf("--tour leads through the fixture %s: give no source and no other fixture", agent)
	}
	if len(o.Sources) == 0 && o.Fixture == "" {
		o.Fixture = fixtures.Names()[0]
		if piped(os.Stdin) && !l.start.Tour {
			o.Sources, o.Fixture = []string{"-"}, ""
		}
	}
	if err := o.Check(); err != nil {
		return err // said where it was typed, not on a screen of its own
	}
	if slices.Contains(o.Sources, "-") && s.Typed {
		return errors.New("- reads standard input, and that is the terminal: pipe something in, or give a file")
	}
	in := session.Input{Reader: s.In, Typed: s.Typed}
	return tui.Run(ctx, tui.Options{
		Source: o.SourceName(),
		Open:   func(ctx context.Context) (*tui.Session, error) { return tui.Open(ctx, o, in) },
		OpenOther: func(ctx context.Context, path string) (*tui.Session, error) {
			other := o
			other.Sources, other.Fixture, other.AxisEnd = []string{path}, "", ""
			if err := other.Check(); err != nil {
				return nil, err
			}
			return tui.Open(ctx, other, in)
		},
		Theme:   name,
		ASCII:   l.ascii,
		NoColor: os.Getenv("NO_COLOR") != "",
		NoMouse: l.noMouse,
		Start:   l.start,
		Now:     s.Now,
	})
}

// piped reports whether f is a pipe or a file: something that was meant to be read.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&fs.ModeNamedPipe != 0)
}

// program is everything that the commands need from outside.
type program struct {
	streams command.Streams
	// terminal says that standard output can show a screen.
	terminal bool
	// explore shows the screen; nil: there is none, the report is printed.
	explore func(ctx context.Context, o session.Options, l look, s command.Streams) error
}

// run executes the command line and returns the exit code.
func (p program) run(ctx context.Context, args []string) int {
	out := &lastError{Writer: p.streams.Out}
	p.streams.Out = out
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.streams.In)
	root.SetOut(p.streams.Out)
	root.SetErr(p.streams.Err)
	err := root.ExecuteContext(ctx)
	if err != nil {
		told := err
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			told = errors.New("stopped by a signal; what was not answered until then is missing")
		}
		fmt.Fprintln(p.streams.Err, "cupelscope: "+plain.Text(told.Error()))
	}
	_, failed := errors.AsType[*command.FailedError](err)
	_, differs := errors.AsType[*command.DifferingCountsError](err)
	if failed || differs {
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
	var o session.Options
	l := look{theme: string(theme.Auto)}
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
			return command.Report(ctx, o, command.ReportOptions{AnswerOptions: command.AnswerOptions{ASCII: l.ascii, Verbose: l.verbose}}, p.streams)
		}
		return p.explore(ctx, o, l, p.streams)
	}
	whole, verb := command.ExploreUsage()
	root = p.verb(whole, &o, explore)
	root.Version, root.SilenceUsage, root.SilenceErrors = version(), true, true
	root.Flags().Bool("version", false, "print the version")
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { p.help(c) })
	root.ValidArgsFunction = completeFiles // beside the verbs
	root.SuggestionsMinimumDistance = 2
	again := p.verb(verb, &o, explore)
	for _, c := range []*cobra.Command{root, again} {
		addFlags(c, c.Flags(), l.flags(&o)...)
		addFlags(c, c.Flags(), command.Flag{Name: "verbose", Letter: "v", Bool: &l.verbose, Usage: "where there is no screen: say on standard error what was loaded"})
		addFlags(c, c.Flags(), command.ExperimentFlags(&o)...)
	}
	root.AddCommand(
		again,
		verbWith(p, command.ReportUsage(), &o, &command.ReportOptions{}, command.Report, command.ExperimentFlags(&o)),
		verbWith(p, command.MinBudgetUsage(), &o, &command.MinBudgetOptions{}, command.MinBudget, command.ExperimentFlags(&o)),
		verbWith(p, command.ProfileUsage(), &o, &command.StudyOptions{}, command.Profile, command.ExperimentFlags(&o)),
		verbWith(p, command.MarginalUsage(), &o, &command.StudyOptions{}, command.Marginal, command.ExperimentFlags(&o)),
		verbWith(p, command.SweepUsage(), &o, &command.SweepOptions{}, command.Sweep, command.ExperimentFlags(&o)),
		p.compareCommand(&o),
		verbWith(p, command.EvaluateUsage(), &o, &command.EvaluateOptions{Worst: 5}, command.Evaluate, command.ExperimentFlags(&o)),
		verbWith(p, command.TurnsUsage(), &o, &command.TurnsOptions{}, command.Turns, command.ExperimentFlags(&o)),
		p.checkCommand(&o),
		verbWith(p, command.TokensUsage(), &o, &command.TokensOptions{}, command.Tokens, command.SourceFlags(&o)),
		p.batchCommand(&o),
		p.fixturesCommand(&o),
		p.policyCommand(&o),
		p.schemaCommand(),
		p.manCommand(),
	)
	root.SetHelpCommand(helpCommand())
	root.SetOut(p.streams.Out) // where the scripts go is settled here
	root.InitDefaultCompletionCmd("completion")
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = knownVerb
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	}
	return root
}

// helpCommand is help VERB, for which a verb that is not there is an error.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [command]", Short: "Say what a command does, and its flags", Args: knownVerb,
		RunE: func(c *cobra.Command, args []string) error {
			of, _, err := c.Root().Find(args)
			if err != nil {
				return err
			}
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

// knownVerb lets no argument through that names no command below help's root, or
// below c.
func knownVerb(c *cobra.Command, args []string) error {
	of := c
	if c.Name() == "help" {
		of = c.Root()
	}
	for _, name := range args {
		i := slices.IndexFunc(of.Commands(), func(sub *cobra.Command) bool { return sub.Name() == name })
		if i < 0 {
			return fmt.Errorf("%s: %.40q is not known", c.Name(), name)
		}
		of = of.Commands()[i]
	}
	return nil
}

// help writes what a command does and how it is called, as plain text: nothing
// is asked of a terminal, whose answer would have to be waited for.
func (p program) help(c *cobra.Command) {
	const least, most = 40, 100 // cells of a line
	cells := min(most, max(least, p.streams.Width))
	if p.streams.Width == 0 {
		cells = most
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
		group := "Flags"
		if of := f.Annotations[groupOf]; len(of) > 0 {
			group = of[0]
		}
		if groups[group] == nil {
			groups[group] = pflag.NewFlagSet(group, pflag.ContinueOnError)
		}
		groups[group].AddFlag(f)
	})
	for _, group := range []string{"Flags", "Sources", "Budget", "Policy"} {
		if set := groups[group]; set != nil {
			block(group, set.FlagUsagesWrapped(cells))
		}
	}
	fmt.Fprint(c.OutOrStdout(), b.String()) // lastError keeps the error
}

// manCommand prints the manual page.
func (p program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Hidden: true, Args: cobra.NoArgs, Example: "cupelscope man > cupelscope.1",
		RunE: func(c *cobra.Command, _ []string) error {
			page, err := mango.NewManPage(1, c.Root())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(p.streams.Out, page.Build(roff.NewDocument()))
			return err
		},
	}
}

// missing reports whether there is no such file.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// verb is a command that takes sources.
func (p program) verb(u command.Usage, o *session.Options, run func(context.Context) error) *cobra.Command {
	return &cobra.Command{
		Use: u.Use, Short: u.Short, Long: u.Long, Example: u.Examples,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			o.Sources = args
			return run(c.Context())
		},
	}
}

// verbWith is a verb with flags of its own, which it finds in options, and those
// of its sources.
func verbWith[T any, Options interface {
	*T
	VerbFlags() []command.Flag
}](p program, u command.Usage, o *session.Options, options Options, run func(context.Context, session.Options, T, command.Streams) error, flags []command.Flag) *cobra.Command {
	c := p.verb(u, o, func(ctx context.Context) error { return run(ctx, *o, *options, p.streams) })
	addFlags(c, c.Flags(), options.VerbFlags()...)
	addFlags(c, c.Flags(), flags...)
	return c
}

func (p program) compareCommand(o *session.Options) *cobra.Command {
	run := func(ctx context.Context, o session.Options, v command.CompareOptions, s command.Streams) error {
		v.A, v.B, o.Sources = o.Sources[0], o.Sources[1], o.Sources[2:]
		return command.Compare(ctx, o, v, s)
	}
	c := verbWith(p, command.CompareUsage(), o, &command.CompareOptions{Worst: 5}, run, command.ExperimentFlags(o))
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
	return c
}

func (p program) checkCommand(o *session.Options) *cobra.Command {
	var v command.CheckOptions
	c := verbWith(p, command.CheckUsage(), o, &v, command.Check, command.ExperimentFlags(o))
	for _, f := range command.CheckFlags() {
		flag := c.Flags().VarPF(&checkFlag{&v.Flags, f}, f.Name, "", f.Usage)
		if f.Value == "" {
			flag.NoOptDefVal = "true"
		}
	}
	return c
}

func (p program) batchCommand(o *session.Options) *cobra.Command {
	c := verbWith(p, command.BatchUsage(), o, &command.BatchOptions{}, command.Batch, command.BatchFlags(o))
	c.Args = cobra.MaximumNArgs(1)
	return c
}

func (p program) fixturesCommand(o *session.Options) *cobra.Command {
	var a command.AnswerOptions
	c := p.verb(command.FixturesUsage(), o, func(context.Context) error { return command.Fixtures(p.streams.Out, a) })
	addFlags(c, c.Flags(), a.OutputFlag())
	c.Args = cobra.NoArgs
	c.ValidArgsFunction = cobra.NoFileCompletions
	return c
}

func (p program) policyCommand(o *session.Options) *cobra.Command {
	var q command.PolicyOptions
	c := p.verb(command.PolicyUsage(), o, func(ctx context.Context) error { return command.Policy(ctx, *o, q, p.streams) })
	c.Args = cobra.MaximumNArgs(1)
	c.Flags().StringVar(&q.Scenario, "scenario", "", "the `FILE` of a scenario whose policy is printed, as the source is")
	c.Flags().BoolVar(&q.Budget, "budget", false, "print the budget in place of the policy")
	addFlags(c, c.Flags(), command.ExperimentFlags(o)...)
	return c
}

func (p program) schemaCommand() *cobra.Command {
	u := command.SchemaUsage()
	return &cobra.Command{
		Use: u.Use, Short: u.Short, Example: u.Examples, Args: cobra.ExactArgs(1), ValidArgs: schema.Verbs(),
		RunE: func(_ *cobra.Command, args []string) error { return command.Schema(p.streams.Out, args[0]) },
	}
}

// groupOf is the annotation of a flag that has its group.
const groupOf = "group"

// addFlags adds flags to a set of those that c has.
func addFlags(c *cobra.Command, set *pflag.FlagSet, flags ...command.Flag) {
	for _, f := range flags {
		switch {
		case f.Text != nil:
			set.StringVarP(f.Text, f.Name, f.Letter, *f.Text, f.Usage)
		case f.Texts != nil:
			set.StringArrayVarP(f.Texts, f.Name, f.Letter, *f.Texts, f.Usage)
		case f.Lists != nil:
			set.StringSliceVarP(f.Lists, f.Name, f.Letter, *f.Lists, f.Usage)
		case f.Bool != nil:
			set.BoolVarP(f.Bool, f.Name, f.Letter, *f.Bool, f.Usage)
		case f.Int != nil:
			set.IntVarP(f.Int, f.Name, f.Letter, *f.Int, f.Usage)
		}
		if f.Offers != nil {
			complete(c, f)
		}
		if f.Group != "" {
			set.Lookup(f.Name).Annotations = map[string][]string{groupOf: {f.Group}}
		}
		if f.Was != "" {
			flag := *set.Lookup(f.Name)
			flag.Name, flag.Hidden = f.Was, true
			set.AddFlag(&flag)
		}
	}
}

// complete offers the values of a flag of c to the shell.
func complete(c *cobra.Command, f command.Flag) {
	directive := cobra.ShellCompDirectiveNoFileComp
	if f.Files {
		directive = cobra.ShellCompDirectiveDefault
	}
	if err := c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(f.Offers, directive)); err != nil {
		panic(err) // c does not have the flag
	}
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

// completePolicies offers policies by name, and files.
func completePolicies(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return session.PolicyNames(), cobra.ShellCompDirectiveDefault
}

// completeFiles offers what the shell itself does.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}
