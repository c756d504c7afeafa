package session

import (
	"slices"
	"strings"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
)

// Flag describes a flag of a verb, independently of the command-line library.
// Exactly one of Text, Texts, Lists, Bool, Int and Read is set. It points to what
// receives the flag's value, and holds the default before; Read takes a text that is not
// empty, and its error leaves the name of the flag out.
type Flag struct {
	Name   string
	Letter string // "v" for -v; "": none
	Usage  string
	Text   *string
	Texts  *[]string // may be repeated
	Lists  *[]string // may be repeated; each value is a list separated by commas
	Bool   *bool
	Int    *int
	Read   func(text string) error
	Typed  func() string // the text that Read took, to type it again; nil: it is not typed again
	// Truth says that Read takes true or false, and true where no value is given; Repeats that
	// the flag may be repeated.
	Truth, Repeats bool
	Group          string   // the heading under which help lists it; "": Flags
	Offers         []string // values that the shell completes; nil: what the word for the value stands for
	Files          bool     // the shell completes files as well as Offers
}

// wordsOf returns the flags that are set, as they are typed.
func wordsOf(flags []Flag) (words []string) {
	for _, f := range flags {
		switch {
		case f.Text != nil && *f.Text != "":
			words = append(words, "--"+f.Name, *f.Text)
		case f.Typed != nil && f.Typed() != "":
			words = append(words, "--"+f.Name, f.Typed())
		case f.Bool != nil && *f.Bool:
			words = append(words, "--"+f.Name)
		case f.Texts != nil:
			for _, text := range *f.Texts {
				words = append(words, "--"+f.Name, text)
			}
		}
	}
	return words
}

// SourceFlags returns the flags that say what to read and how. They store their
// values in o.
func SourceFlags(o *Options) []Flag {
	return grouped("Sources", []Flag{
		{Name: "fixture", Text: &o.Fixture, Offers: fixtures.Names(), Usage: "open a built-in scenario by its `NAME` (see fixtures)"},
		{Name: "format", Text: &o.Format, Offers: model.Names(itemset.Formats()),
			Usage: "`FORMAT` of the sources (default: told from the content): " + strings.Join(model.Names(itemset.Formats()), ", ")},
		{Name: "encoding", Text: &o.Encoding, Offers: tokens.Encodings(),
			Usage: "`ENCODING` that counts tokens where a source has no counts (default: the model's, else " + tokens.DefaultEncoding + ")"},
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
		{Name: "text", Text: &o.Fields.Text, Usage: "`FIELD` that holds the text of an element in a source of no known format, as in body or message.body"},
		{Name: "role", Text: &o.Fields.Role, Usage: "`FIELD` that says who speaks, in a source of no known format"},
		{Name: "time", Text: &o.Fields.Time, Usage: "`FIELD` that holds the time, in a source of no known format"},
		{Name: "score", Text: &o.Fields.Score, Usage: "`FIELD` that holds the score, in a source of no known format"},
		{Name: "id", Text: &o.Fields.ID, Usage: "`FIELD` that holds the id, in a source of no known format"},
		{Name: "select", Text: &o.Select, Usage: "open one `CASE` of a source that holds several: a run, a result set or a line by its number from 1, a query of a BEIR folder by its id"},
	})
}

// ExperimentFlags returns the flags for sources, budget and policy. They store
// their values in o.
func ExperimentFlags(o *Options) []Flag {
	return slices.Concat(SourceFlags(o), questionFlags(o))
}

// questionFlags returns the flags of query, budget and policy.
func questionFlags(o *Options) []Flag {
	query := Flag{Name: "query", Text: &o.Query, Usage: "score the items that have no relevance by how well they answer `TEXT` (BM25; default: the question that the source is about)"}
	return slices.Concat(grouped("Sources", []Flag{query}), budgetFlags(o), policyFlags(o))
}

// BatchFlags returns the flags that apply to every line of a batch. They store
// their values in o.
func BatchFlags(o *Options) []Flag {
	counting := slices.DeleteFunc(SourceFlags(o), func(f Flag) bool {
		return !slices.Contains([]string{"encoding", "model", "token-factor", "estimate", "message-overhead", "strict", "trust-paths"}, f.Name)
	})
	return append(counting, questionFlags(o)...)
}

func policyFlags(o *Options) []Flag {
	return grouped("Policy", []Flag{
		{Name: "policy", Text: &o.Policy, Usage: "`FILE` with a policy in Cupel's JSON"},
		{Name: "preset", Text: &o.Preset, Offers: model.PresetNames(), Usage: "one of Cupel's named policies, by its `NAME`"},
		{Name: "slicer", Text: &o.Slicer, Offers: model.Names(model.SlicerTypes()), Usage: "how to select: `SLICER` is greedy, knapsack or stream, optionally with a size, as in knapsack:1; or rank or prefix, which are not Cupel's"},
		{Name: "bucket", Text: &o.BucketSize, Usage: "bucket size of the knapsack, in `TOKENS`"},
		{Name: "placer", Text: &o.Placer, Offers: model.Names(model.PlacerTypes()), Usage: "how to order: `PLACER` is chronological or uShaped"},
		{Name: "overflow", Text: &o.Overflow, Offers: model.Names(model.OverflowStrategies()), Usage: "what to do with a result above the target: `STRATEGY` is throw, truncate or proceed"},
		{Name: "keep-pairs", Bool: &o.KeepPairs, Usage: "select a tool call and its result as one item; not Cupel's"},
		{Name: "shrink", Texts: &o.Shrink, Usage: "cut items of a kind where the whole does not fit: `KIND=SIZES`, as in tool=2000,500,note or tool=2000,tail; '*' is all kinds without a rule, off means no rule (repeatable; not Cupel's)"},
		{Name: "shrink-pinned", Bool: &o.ShrinkPinned, Usage: "cut " + plain.Pinned + " items too, each to its smallest size that is no note; not Cupel's"},
		{Name: "no-dedup", Bool: &o.NoDedup, Usage: "keep items with equal content"},
	})
}

func grouped(group string, flags []Flag) []Flag {
	for k := range flags {
		flags[k].Group = group
	}
	return flags
}

// LabelFlags returns the flags for labels, and for the documents that they are about.
// They store their values in o.
func LabelFlags(o *Options) []Flag {
	return []Flag{
		{Name: "labels", Text: &o.Labels, Usage: "`FILE` that says which items were needed: qrels of TREC, BEIR or ranx, or JSON lines with case, item and relevance"},
		{Name: "run", Text: &o.Run, Usage: "`FILE` with a TREC run: each query of a BEIR folder gets its first 1,000 documents (default: the first 1,000 by BM25)"},
	}
}
