package main

import (
	"strings"

	"github.com/spf13/cobra"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/tokens"
	"cupelscope/simulate/command"
	"cupelscope/simulate/export"
	"cupelscope/tui"
	"cupelscope/tui/panes"
	"cupelscope/tui/theme"
)

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
	return command.PolicyNames(), cobra.ShellCompDirectiveDefault
}

// completeFiles offers what the shell itself does.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}
