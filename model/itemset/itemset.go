// Package itemset reads item sets, scenarios, conversations, documents and
// conformance vectors from files and folders, and writes scenarios.
//
// The format is told from the content. A loader never guesses silently:
// whatever was skipped, left out, estimated or changed is counted in a Report
// with its reason and the first few places. A record that cannot be used costs
// only itself; with Options.Strict it is an error.
//
// Sources are read whole: a source may have at most Options.MaxBytes. Loading
// takes two to four times its size in memory, and up to 1 KB for each message;
// what is kept are the texts and some 250 bytes for each item, 700 with metadata
// of its own (TestLoadMemory measures it).
package itemset

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/tokens"
)

// Format names how a source is laid out.
type Format string

const (
	Auto       Format = "auto"        // told from the content
	Items      Format = "items"       // Cupel's wire format: an array, {"items": []}, or an item a line
	Scenario   Format = "scenario"    // an experiment: items, policies, budget, edits
	OpenAI     Format = "openai"      // chat messages, requests, batches, logs of agents
	Anthropic  Format = "anthropic"   // the same of Anthropic's
	ClaudeCode Format = "claude-code" // sessions, a row a line
	Codex      Format = "codex"       // rollouts, a row a line
	Documents  Format = "documents"   // documents and retrieval results
	Text       Format = "text"        // a text as it is: one document
	Vectors    Format = "vector"      // a conformance vector of Cupel, in TOML
)

// Formats lists what Options.Format may be.
func Formats() []Format {
	return []Format{Auto, Items, Scenario, OpenAI, Anthropic, ClaudeCode, Codex, Documents, Text, Vectors}
}

// DefaultMaxBytes bounds one source when Options.MaxBytes is 0: 1 GiB.
const DefaultMaxBytes int64 = 1 << 30

// Options say how to read. The zero value reads any format leniently.
type Options struct {
	Format Format // "" is Auto
	Strict bool   // a record that cannot be used is an error
	// Full keeps what a session had before its last compaction.
	Full bool
	// Sidechains keeps the rows of sub-agents in a session.
	Sidechains bool
	// Select picks a run, from 1, of a file that holds many; 0: there must be one.
	Select int
	// Stdin is what the source "-" reads.
	Stdin io.Reader
	// MaxBytes bounds one source; 0 is DefaultMaxBytes.
	MaxBytes int64
	// ExtraFields are top-level fields that a scenario may have besides its own.
	ExtraFields []string

	// open reads a file that a scenario refers to.
	open func(ctx context.Context, path string) ([]byte, error)
}

func (o Options) maxBytes() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return DefaultMaxBytes
}

// Pair links a tool call to its result, by item index.
type Pair struct{ Call, Result int }

// Usage is what the provider said about a session, each message counted once.
type Usage struct {
	Messages int          // that carry a usage
	Output   model.Tokens // sum of the tokens that the model wrote
	Context  model.Tokens // tokens that the last message was given and wrote
}

// Loaded is what was read from one or more sources.
type Loaded struct {
	Set    *model.Set
	Format Format   // of the first source
	Names  []string // as given; "-" is standard input
	Report Report
	// Scenario is set when the source was one, or a vector. Its Items are Set.
	Scenario model.Option[model.Scenario]

	// Facts for choosing a policy and for the header.
	Conversation        bool   // messages in order, rather than documents
	HasScores           bool   // an item has a future relevance hint
	Model               string // the last model that the source names; "" if none
	SyntheticTimestamps bool   // timestamps were made up from the order
	MissingSystemPrompt bool   // a conversation without any system prompt
	Usage               Usage

	Pairs   []Pair // tool calls with their results, by result
	Pending []int  // items whose tokens are an estimate of countable text

	firsts []int // the first item of each source
}

// Name is the names of the sources in short: "a.jsonl", "a.jsonl and 2 more".
func (l *Loaded) Name() string {
	switch len(l.Names) {
	case 0:
		return ""
	case 1:
		return l.Names[0]
	}
	return fmt.Sprintf("%s and %d more", l.Names[0], len(l.Names)-1)
}

// Read is Load for bytes already in memory; name is for messages only. A
// scenario must hold its items itself.
func Read(ctx context.Context, name string, data []byte, opts Options) (*Loaded, error) {
	b := newBuilder(ctx, opts)
	if err := b.read(name, data, false); err != nil {
		return nil, err
	}
	b.out.Names = []string{name}
	return b.loaded()
}

// builder collects what the readers of the formats find.
type builder struct {
	ctx     context.Context
	opts    Options
	instead Instead
	fields  map[string][]byte // of the scenario; nil: null

	name     string // of the source being read
	data     []byte // of it
	broken   string // where the first record that is not JSON breaks, and how
	unit     string // what a place of this source is: "line" or "record"
	reads    int
	records  int                     // of this source
	modified model.Option[time.Time] // when the file was; unset: the source is none

	met     map[string]bool // sources that were read, by path
	firsts  []int           // the first item of each
	done    Progress
	scratch []byte // for files that are copied

	items  []model.Item
	paired int                       // of the items: looked at for pairs
	roles  map[string]map[string]any // metadata of a role alone
	out    Loaded
}

func newBuilder(ctx context.Context, opts Options) *builder {
	if opts.Format == "" {
		opts.Format = Auto
	}
	return &builder{ctx: ctx, opts: opts}
}

// read adds one source.
func (b *builder) read(name string, data []byte, several bool) error {
	b.name, b.records = name, 0
	b.out.Report.source = ""
	if several {
		b.out.Report.source = filepath.Base(name)
	}
	data, note := decode(data)
	if note != "" {
		b.out.Report.add(Changed, note, "")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		what := "the file"
		if name == "-" {
			what = "standard input"
		}
		return &FormatError{Name: name, Reason: what + " is empty"}
	}
	b.data, b.broken = data, ""
	doc := split(data)
	b.unit = doc.unit()
	format := b.opts.Format
	if format == Auto {
		if format = detect(data); b.isText(name, format, doc) {
			format = Text
			if !several {
				b.out.Report.add(Changed, "no format recognised: read as text", "")
			}
		}
	}
	before := len(b.items)
	var err error
	switch format {
	case Items:
		err = b.readItems(doc)
	case Scenario, Vectors:
		if several {
			return fmt.Errorf("%s is a %s: it can only be opened alone", name, format)
		}
		if format == Scenario {
			err = b.readScenario(data)
		} else {
			b.unit = "item"
			err = b.readVector(data)
		}
	case OpenAI, Anthropic:
		err = b.readChat(doc)
	case ClaudeCode:
		err = b.readClaude(doc)
	case Codex:
		err = b.readCodex(doc)
	case Documents:
		err = b.readDocuments(doc)
	case Text:
		if why := notText(b.data); why != "" {
			return &FormatError{Name: name, Taken: Text, Reason: why}
		}
		b.readText(name, title(name), b.data)
	case Auto:
		return &FormatError{Name: name, Reason: b.unrecognised(doc)}
	default:
		return fmt.Errorf("format %q is not known; known are %s", string(format), formatNames())
	}
	if err != nil {
		return err
	}
	b.pair()
	if len(b.items) == before && format != Scenario && format != Vectors {
		return &FormatError{Name: name, Taken: format, Reason: b.out.Report.reasons(), Broken: b.broken}
	}
	b.came(name, format, before)
	return nil
}

// loaded finishes the set.
func (b *builder) loaded() (*Loaded, error) {
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	b.pair()
	b.nameSources()
	out := new(Loaded)
	*out = b.out // whoever keeps it does not keep the sources with b
	out.firsts = b.firsts
	messages := 0
	system := false
	for i := range b.items {
		it := &b.items[i]
		switch it.Count {
		case model.Estimated:
			out.Pending = append(out.Pending, i)
		case model.Opaque:
			out.Report.Opaque++
		}
		out.HasScores = out.HasScores || it.FutureRelevanceHint.Set
		system = system || it.Kind.Is(model.SystemPrompt)
		if it.Kind.Is(model.Message) || it.Kind.Is(model.ToolOutput) {
			messages++
		}
	}
	if out.Set == nil { // a scenario has made its own
		set, err := model.NewSet(b.items)
		if err != nil {
			return nil, err
		}
		out.Set = set
	}
	switch out.Format {
	case OpenAI, Anthropic, ClaudeCode, Codex:
		out.Conversation = true
	default:
		out.Conversation = 2*messages > len(b.items) && !out.HasScores
	}
	out.MissingSystemPrompt = out.Conversation && !system
	out.Report.Items, out.Report.Estimated, out.Report.Usage = len(b.items), len(out.Pending), out.Usage
	return out, nil
}

// add appends an item; without a count it gets an estimate.
func (b *builder) add(it model.Item, counted bool) {
	if !counted {
		it.Tokens, it.Count = tokens.Estimate(it.Content), model.Estimated
	}
	b.items = append(b.items, it)
}

// skip notes that the record at a place is of no use; an error if strict.
func (b *builder) skip(place int, reason string) error {
	if b.opts.Strict {
		return &RecordError{Name: b.name, Unit: b.unit, Place: place, Reason: reason}
	}
	b.tell(Skipped, place, reason)
	return nil
}

// note counts something about the record at a place that is used all the same.
func (b *builder) note(place int, what string) { b.tell(Changed, place, what) }

func (b *builder) leftOut(place int, reason string) { b.tell(LeftOut, place, reason) }

func (b *builder) tell(outcome Outcome, place int, reason string) {
	if !b.out.Report.counted(outcome, reason) {
		b.out.Report.add(outcome, reason, b.where(place))
	}
}

// where names a place; 0 is none.
func (b *builder) where(place int) string {
	if place == 0 {
		return ""
	}
	return fmt.Sprintf("%s %d", b.unit, place)
}

func formatNames() string {
	names := make([]string, 0, 8)
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}
