package command

import (
	"slices"
	"strings"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/tokens"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// Flag describes a flag of a verb, independently of the command-line library.
// Exactly one of Text, Texts, Lists, Bool and Int is set. It points to the variable
// that receives the flag's value, and that holds the default before.
type Flag struct {
	Name   string
	Letter string // "v" for -v; "": none
	Usage  string
	Text   *string
	Texts  *[]string // may be repeated
	Lists  *[]string // may be repeated; each value is a list separated by commas
	Bool   *bool
	Int    *int
	Group  string   // the heading under which help lists it; "": Flags
	Offers []string // values that the shell completes; nil: what the word for the value stands for
	Files  bool     // the shell completes files as well as Offers
}

// sourceFlags returns the flags that say what to read and how. They store their
// values in o.
func sourceFlags(o *session.Options) []Flag {
	return grouped("Sources", []Flag{
		{Name: "fixture", Text: &o.Fixture, Offers: fixtures.Names(), Usage: "open a built-in scenario by its `NAME` (see fixtures)"},
		{Name: "format", Text: &o.Format, Offers: session.Names(itemset.Formats()),
			Usage: "`FORMAT` of the sources (default: told from the content): " + strings.Join(session.Names(itemset.Formats()), ", ")},
		{Name: "encoding", Text: &o.Encoding, Offers: tokens.Encodings(),
			Usage: "`ENCODING` that counts tokens where a source has no counts (default: that of the model, else " + tokens.DefaultEncoding + ")"},
		{Name: "model", Text: &o.Model, Offers: tokens.Models(),
			Usage: "`MODEL` that the items are for, as in gpt-4o: sets encoding and window (default: the one that the source names)"},
		{Name: "token-factor", Text: &o.TokenFactor, Offers: []string{"auto"},
			Usage: "multiply counts by `FACTOR`, which makes them estimates: for models whose encoding is not built in (default 1)"},
		{Name: "estimate", Text: &o.Estimate, Offers: []string{"chars/4"}, Usage: "count one token per N characters, as `chars/N`, instead of with an encoding: a rough estimate, the same for every model"},
		{Name: "message-overhead", Text: &o.MessageOverhead, Usage: "`TOKENS` added to each message that is counted (default 0; the gpt-4o family bills 4 per message and 3 per request, gpt-5 and o3-mini one less)"},
		{Name: "strict", Bool: &o.Strict, Usage: "fail on a record that cannot be used instead of skipping it"},
		{Name: "full", Bool: &o.Full, Usage: "keep what came before the last compaction of a session"},
		{Name: "sidechains", Bool: &o.Sidechains, Usage: "keep the rows of sub-agents in a session"},
		{Name: "trust-paths", Bool: &o.TrustPaths, Usage: "let the itemsFile of a scenario lead out of the folder of the scenario"},
		{Name: "at-path", Text: &o.Fields.AtPath, Usage: "`PATH` of the list of messages or documents in a source of no known format, as in '.data.items[]'"},
		{Name: "text", Text: &o.Fields.Text, Usage: "`FIELD` of its elements that is the text, as in body or message.body"},
		{Name: "role", Text: &o.Fields.Role, Usage: "`FIELD` of its elements that says who speaks"},
		{Name: "time", Text: &o.Fields.Time, Usage: "`FIELD` of its elements that is the time"},
		{Name: "score", Text: &o.Fields.Score, Usage: "`FIELD` of its elements that is the score"},
		{Name: "id", Text: &o.Fields.ID, Usage: "`FIELD` of its elements that is the id"},
		{Name: "select", Text: &o.Select, Usage: "open one `CASE` of a source that holds several: a run, a result set or a line by its number from 1, a query of a BEIR folder by its id"},
	})
}

// experimentFlags returns the flags for sources, budget and policy. They store
// their values in o.
func experimentFlags(o *session.Options) []Flag {
	return slices.Concat(sourceFlags(o), grouped("Sources", []Flag{queryFlag(o)}), budgetAndPolicy(o))
}

func queryFlag(o *session.Options) Flag {
	return Flag{Name: "query", Text: &o.Query, Usage: "score the items that have no relevance by how well they answer `TEXT` (BM25; default: the question that the source is about)"}
}

// batchFlags returns the flags that apply to every line of a batch. They store
// their values in o.
func batchFlags(o *session.Options) []Flag {
	counting := slices.DeleteFunc(sourceFlags(o), func(f Flag) bool {
		return !slices.Contains([]string{"encoding", "model", "token-factor", "estimate", "message-overhead", "strict", "trust-paths"}, f.Name)
	})
	counting = append(counting, grouped("Sources", []Flag{queryFlag(o)})...)
	return append(counting, budgetAndPolicy(o)...)
}

func budgetAndPolicy(o *session.Options) []Flag {
	var budget []Flag
	for _, field := range model.FieldsOfBudget() {
		flag := Flag{Name: field.Flag, Usage: field.Usage, Text: o.BudgetText(field.Name)}
		if flag.Text == nil {
			flag.Texts = &o.Slots
		}
		budget = append(budget, flag)
	}
	return append(grouped("Budget", append(budget,
		Flag{Name: "slack", Text: &o.Slack, Usage: "an item that would be out with this many `TOKENS` less is at risk"},
	)), grouped("Policy", []Flag{
		{Name: "policy", Text: &o.Policy, Usage: "`FILE` with a policy in Cupel's JSON"},
		{Name: "preset", Text: &o.Preset, Offers: session.PresetNames(), Usage: "one of Cupel's named policies, by its `NAME`"},
		{Name: "slicer", Text: &o.Slicer, Offers: session.Names(model.SlicerTypes()), Usage: "how to select: `SLICER` is greedy, knapsack or stream, optionally with a size, as in knapsack:1; or rank or prefix, which are ours, not Cupel's"},
		{Name: "bucket", Text: &o.BucketSize, Usage: "bucket size of the knapsack, in `TOKENS`"},
		{Name: "placer", Text: &o.Placer, Offers: session.Names(model.PlacerTypes()), Usage: "how to order: `PLACER` is chronological or uShaped"},
		{Name: "overflow", Text: &o.Overflow, Offers: session.Names(model.OverflowStrategies()), Usage: "what to do above the target: `STRATEGY` is throw, truncate or proceed"},
		{Name: "keep-pairs", Bool: &o.KeepPairs, Usage: "select a tool call and its result as one item; ours, not Cupel's"},
		{Name: "shrink", Texts: &o.Shrink, Usage: "cut items of a kind where the whole does not fit: `KIND=SIZES`, as in tool=2000,500,note or tool=2000,tail; '*' is all kinds without a rule, off none (repeatable; ours, not Cupel's)"},
		{Name: "shrink-pinned", Bool: &o.ShrinkPinned, Usage: "cut pinned items too, each to its smallest size but the note; ours, not Cupel's"},
		{Name: "no-dedup", Bool: &o.NoDedup, Usage: "keep items with equal content"},
	})...)
}

func grouped(group string, flags []Flag) []Flag {
	for k := range flags {
		flags[k].Group = group
	}
	return flags
}

// labelFlags returns the flags for labels, and for the documents that they are about.
// They store their values in labels and run.
func labelFlags(labels, run *string) []Flag {
	return []Flag{
		{Name: "labels", Text: labels, Usage: "`FILE` that says which items were needed: TREC qrels, those of BEIR with their header, those of ranx, or JSON lines of case, item and relevance"},
		{Name: "run", Text: run, Usage: "`FILE` with a TREC run; each query of a BEIR folder gets its first 1,000 documents (default: those of BM25)"},
	}
}

// outputFlag returns the flag for the form of an answer. It stores its value in a.
func (a *answerOptions) outputFlag() Flag {
	return Flag{Name: "output", Letter: "o", Text: &a.Output, Offers: session.Names(export.Forms()), Usage: "`FORM` of the answer: table, json, csv or markdown (default table)"}
}

// answerFlags returns the flags that control how an answer is written, without those
// named, which would do nothing for the verb. They store their values in a.
func (a *answerOptions) answerFlags(without ...string) []Flag {
	return slices.DeleteFunc([]Flag{
		a.outputFlag(),
		{Name: "ascii", Bool: &a.ASCII, Usage: "mark estimates with ~"},
		{Name: "verbose", Letter: "v", Bool: &a.Verbose, Usage: "say on standard error what was loaded"},
		{Name: "timings", Bool: &a.Timings, Usage: "say how long the work took; without it, equal runs print equal bytes"},
		{Name: "no-content", Bool: &a.NoContent, Usage: "leave out the texts of items"},
		{Name: "quiet", Letter: "q", Bool: &a.Quiet, Usage: "print only errors on standard error"},
	}, func(f Flag) bool { return slices.Contains(without, f.Name) })
}

// VerbFlags returns the flags of the verbs that ask about items at many budgets.
// They store their values in s.
func (s *studyOptions) VerbFlags() []Flag {
	return append(s.answerFlags(),
		Flag{Name: "item", Texts: &s.Items, Usage: "only the items that `SELECTOR` names: 12, 12-20, kind:tool, 'tok>500 is:out', '\"a text\"'; may be repeated (default: all)"},
		Flag{Name: "ceiling", Text: &s.Ceiling, Usage: "the largest budget to look at, in `TOKENS` (default: where everything is in, at most twice the budget or 128k)"})
}

// VerbFlags returns the flags of the verb report; they store their values in r.
func (r *reportOptions) VerbFlags() []Flag {
	return append(r.answerFlags(),
		Flag{Name: "html", Text: &r.HTML, Usage: "write the report at every budget to `FILE`, one page for a browser with a slider over the budgets; it loads and sends nothing"},
		Flag{Name: "content", Bool: &r.Content, Usage: "put the texts of items into the page of --html, which has none without it"})
}

// VerbFlags returns the flags of the verb min-budget; they store their values in m.
func (m *minBudgetOptions) VerbFlags() []Flag {
	return append(m.studyOptions.VerbFlags(),
		Flag{Name: "bare", Bool: &m.Bare, Usage: "use budgets without reserve, slots or margin instead of the template"},
		Flag{Name: "only-differing", Bool: &m.OnlyDiffering, Usage: "only items for which the search does not find the least budget"})
}

// VerbFlags returns the flags of the verb profile; they store their values in p.
func (p *profileOptions) VerbFlags() []Flag {
	return append(p.studyOptions.VerbFlags(),
		overFlag(&p.Over),
		Flag{Name: "from", Text: &p.From, Usage: "the first `VALUE` of --over"},
		Flag{Name: "to", Text: &p.To, Usage: "the last `VALUE` of --over"})
}

func overFlag(to *string) Flag {
	return Flag{Name: "over", Text: to, Offers: model.NumberNames(), Usage: "vary this `NUMBER` in place of the budget: weight:recency (a second one: weight:recency.2), bucket, safety-margin"}
}

// VerbFlags returns the flags of the verb sweep; they store their values in w.
func (w *sweepOptions) VerbFlags() []Flag {
	return append(w.studyOptions.VerbFlags(),
		Flag{Name: "from", Text: &w.From, Usage: "the first budget, in `TOKENS` (default 0), or value of --over"},
		Flag{Name: "to", Text: &w.To, Usage: "the last budget, in `TOKENS` (default: the ceiling), or value of --over"},
		Flag{Name: "step", Text: &w.Step, Usage: "one row every so many `TOKENS` (default: where the result changes)"},
		overFlag(&w.Over),
		Flag{Name: "policy-b", Text: &w.PolicyB, Offers: session.PolicyNames(), Files: true, Usage: "another `POLICY`: a slicer (knapsack, knapsack:1), a preset or a file"})
}

// VerbFlags returns the flags of the verb compare; they store their values in v.
func (v *compareOptions) VerbFlags() []Flag {
	return append(v.answerFlags("verbose"),
		Flag{Name: "at", Texts: &v.At, Usage: "`BUDGETS` to compare at: tokens, shares of all tokens of a case, or own for each case's own, as in 8k,32k,50% (default own)"},
		Flag{Name: "worst", Int: &v.Worst, Usage: "name this `COUNT` of the cases that differ most"},
		Flag{Name: "no-best", Bool: &v.NoBest, Usage: "skip the best possible value, which takes most of the time"},
		Flag{Name: "jobs", Letter: "j", Int: &v.Jobs, Usage: "`NUMBER` of cases worked on at a time (default: as many as processors)"})
}

// VerbFlags returns the flags of the verb check, except those that CheckFlags
// returns; they store their values in c.
func (c *checkOptions) VerbFlags() []Flag {
	return append(c.answerFlags(),
		Flag{Name: "ceiling", Text: &c.Ceiling, Usage: "the largest budget to look at, in `TOKENS` (default: as for min-budget, and as far as the checks ask)"},
		Flag{Name: "guess", Bool: &c.Guess, Usage: "also check at a guessed budget, if none is given"},
		Flag{Name: "checks", Text: &c.File, Usage: "`FILE` with an array of checks, as in a scenario"},
		Flag{Name: "against", Text: &c.Against, Usage: "fail where a figure is worse than in `FILE`, which --record wrote: recall, complete, answered, needed tokens, value below the best, split pairs"},
		Flag{Name: "tolerance", Text: &c.Tolerance, Usage: "how much worse a share may be than in the file of --against, in `PERCENT` points (default 1)"},
		Flag{Name: "record", Text: &c.Record, Usage: "if all checks hold, write the figures of the result to `FILE`"})
}

// VerbFlags returns the flags of the verb tokens; they store their values in t.
func (t *tokensOptions) VerbFlags() []Flag {
	return append(t.answerFlags("timings"),
		Flag{Name: "by", Text: &t.By, Offers: session.Names(groupings()), Usage: "one row per `GROUP`: item, kind, or count (where counts come from) (default item)"},
		Flag{Name: "compare", Lists: &t.Compare, Offers: append(tokens.Encodings(), "all"), Usage: "`ENCODINGS` to count every text with, one column each; all stands for every encoding"},
		Flag{Name: "verify", Bool: &t.Verify, Usage: "count every text again with tiktoken-go, and name those whose count differs"})
}

// VerbFlags returns the flags of the verb policy; they store their values in p.
func (p *policyOptions) VerbFlags() []Flag {
	return []Flag{
		{Name: "scenario", Text: &p.Scenario, Usage: "`FILE` of the scenario whose policy is printed, instead of a source"},
		{Name: "budget", Bool: &p.Budget, Usage: "print the budget instead of the policy"},
	}
}

// VerbFlags returns the flags of the verb batch; they store their values in b.
func (b *batchOptions) VerbFlags() []Flag {
	return []Flag{
		{Name: "jobs", Letter: "j", Int: &b.Jobs, Usage: "`NUMBER` of lines worked on at a time (default: as many as processors)"},
		{Name: "verbose", Letter: "v", Bool: &b.Verbose, Usage: "say on standard error how many lines there were, even if none failed"},
		{Name: "timings", Bool: &b.Timings, Usage: "say in each answer how long the stages took; without it, equal runs print equal bytes"},
	}
}
