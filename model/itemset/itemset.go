// Package itemset reads item sets, scenarios, conversations, documents and
// conformance vectors from files and folders, and writes scenarios.
//
// The format is told from the content. A loader never guesses silently:
// whatever was skipped, left out, estimated or changed is counted in a Report
// with its reason and the first few places. A record that cannot be used costs
// only itself; with Options.Strict it is an error.
//
// Sources are read whole: a source may have at most Options.MaxBytes. Loading
// takes two to four times its size in memory, and up to 700 bytes for each message;
// what is kept are the texts and some 250 bytes for each item, 700 with metadata
// of its own (TestLoadMemory measures it).
package itemset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/documents"
	"cupelscope/model/itemset/record"
	"cupelscope/model/itemset/vector"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
)

// DefaultMaxBytes bounds one source when Options.MaxBytes is 0: 1 GiB.
const DefaultMaxBytes int64 = 1 << 30

// Options say how to read. The zero value reads any format leniently.
type Options struct {
	Format Format // "" is Auto
	Strict bool   // a record that cannot be used is an error
	// Full keeps what a session had before its last compaction.
	Full bool
	// History keeps it too, and what the user went back on, and says in
	// Facts.Turns when it went: for looking at each request of a session.
	History bool
	// Sidechains keeps the rows of sub-agents in a session.
	Sidechains bool
	// Select picks a run, from 1, of a file that holds many; 0: there must be one.
	Select int
	// Stdin is what the source "-" reads.
	Stdin io.Reader
	// MaxBytes bounds one source; 0 is DefaultMaxBytes.
	MaxBytes int64
	// ExtraFields are top-level fields that a scenario may have besides its own;
	// with any, Loaded.Fields holds all that it has.
	ExtraFields []string
	// Fallback stands for what a scenario lacks.
	Fallback Fallback

	// run takes each of the runs of a source that holds several, and says whether
	// to go on; see ReadRuns. Nil: one must be selected.
	run func(Run) bool
	// open reads a file that a scenario refers to.
	open func(ctx context.Context, path string) ([]byte, error)
}

// Fallback is what stands for a part that a scenario lacks; a part that is not set
// is required of it.
type Fallback struct {
	Policy model.Option[model.Policy]
	Budget model.Option[model.Budget]
}

func (o Options) maxBytes() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return DefaultMaxBytes
}

// Pair links a tool call to its result, by item index.
type Pair struct{ Call, Result int }

// Loaded is what was read from one or more sources.
type Loaded struct {
	Set    *model.Set
	Format Format   // of the first source
	Names  []string // as given; "-" is standard input
	Report Report
	// Scenario is set when the source was one, or a vector. Its Items are Set.
	Scenario model.Option[model.Scenario]
	// Fields are those of a scenario as they stand in it; see Options.ExtraFields.
	Fields map[string][]byte

	// Facts for choosing a policy and for the header.
	record.Facts
	Conversation        bool // messages in order, rather than documents
	HasScores           bool // an item has a future relevance hint
	MissingSystemPrompt bool // a conversation without any system prompt

	Pairs   []Pair // tool calls with their results, by result
	Pending []int  // items whose tokens are an estimate of countable text

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

// ReadAt is Read for a scenario whose itemsFile is relative to the path name;
// with the name "-" it cannot have one.
func ReadAt(ctx context.Context, name string, data []byte, opts Options) (*Loaded, error) {
	return Read(ctx, name, data, opts.opening())
}

// opening are the options with which a scenario can refer to a file.
func (o Options) opening() Options {
	o.open = func(ctx context.Context, path string) ([]byte, error) {
		data, note, err := readSource(ctx, path, o)
		if err == nil && note != "" { // edits name its items by their index
			err = &FormatError{Name: path, Reason: note}
		}
		return data, err
	}
	return o
}

// builder collects what the readers of the formats find: the record.Sink of all
// of them.
type builder struct {
	ctx  context.Context
	opts Options

	name     string                  // of the source being read
	data     []byte                  // of it
	broken   string                  // where the first record that is not JSON breaks, and how
	brokens  int                     // records that are not JSON
	strict   error                   // why reading it ends: a record that was skipped
	unit     string                  // what a place of this source is: "line" or "record"
	records  int                     // of this source
	ran      bool                    // its runs were handed on, see ReadRuns
	modified model.Option[time.Time] // when the file was; unset: the source is none

	met     map[string]bool // sources that were read, by path
	firsts  []int           // the first item of each
	done    Progress
	scratch []byte // for files that are copied

	items  []model.Item
	paired int // of the items: looked at for pairs
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
	b.name, b.records, b.broken, b.brokens, b.strict = name, 0, "", 0, nil
	b.out.Report.source = ""
	if several {
		b.out.Report.source = filepath.Base(name)
	}
	data, note := decode(data)
	if note != "" {
		b.out.Report.add(Changed, note, "")
	}
	data, numbers := withoutNaN(data)
	if numbers > 0 {
		b.out.Report.addMany(Changed, "values NaN and Infinity, which JSON does not have, read as null", numbers)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		what := "the file"
		if name == "-" {
			what = "standard input"
		}
		return &FormatError{Name: name, Reason: what + " is empty"}
	}
	b.data = data
	doc := record.Split(name, data, record.Options{Full: b.opts.Full && !b.opts.History, History: b.opts.History, Sidechains: b.opts.Sidechains, Select: b.opts.Select})
	b.unit = doc.Unit()
	format := b.opts.Format
	if format == Auto {
		if format = detect(doc); b.isText(name, format, doc) {
			format = Text
			if !several {
				b.out.Report.add(Changed, "no format recognised: read as text", "")
			}
		}
	}
	row := rowOf(format)
	switch {
	case format == Auto:
		return &FormatError{Name: name, Reason: b.unrecognised(doc)}
	case row == nil:
		return fmt.Errorf("format %q is not known; known are %s", string(format), formatNames(Formats()))
	case row.alone && several:
		return fmt.Errorf("%s is a %s: it can only be opened alone", name, format)
	}
	end := ending{row: row, doc: doc, before: len(b.items), syntax: sync.OnceValue(func() error { return jsonwalk.Check(doc.Data) })}
	if b.opts.run != nil && !several {
		doc.Each = func(number int, read func() error) error { return b.oneRun(number, read, end) }
	}
	if err := b.readAs(row, doc); !b.ran {
		return b.finish(end, err)
	}
	return errRuns
}

// ending is what the end of a source is checked by.
type ending struct {
	row    *format
	doc    record.Document
	before int          // items of other sources
	syntax func() error // what keeps doc from being one JSON value, found once
}

// finish is the end of a source, or of one of its runs; err is what reading it
// came to.
func (b *builder) finish(end ending, err error) error {
	if b.strict != nil {
		err = b.strict
	}
	if err == nil {
		err = b.ctx.Err()
	}
	if err == nil {
		err = b.checkWhole(end, len(b.items)-end.before)
	}
	if errors.Is(err, documents.ErrEmpty) {
		err = &FormatError{Name: end.doc.Name, Taken: end.row.name, Reason: err.Error()}
	}
	if err != nil {
		return err
	}
	b.pair()
	if len(b.items) == end.before && !end.row.alone {
		return &FormatError{Name: end.doc.Name, Taken: end.row.name, Reason: b.out.Report.reasons(), Broken: b.broken}
	}
	b.recordOrigin(end.doc.Name, end.row.name, end.before)
	return nil
}

// checkWhole refuses one JSON value that is broken so that what was read of it
// cannot be told from what was lost: where no single record is broken, as where an
// array ends early, or where half of the records are, as in a template.
func (b *builder) checkWhole(end ending, items int) error {
	doc, taken := end.doc, end.row.name
	if !doc.IsObject() && !doc.IsArray() || doc.Truncated || b.brokens > 0 && (items == 0 || b.brokens < items) {
		return nil
	}
	if end.row.read == nil || end.syntax() == nil {
		return nil
	}
	if b.brokens > 0 {
		return &FormatError{Name: b.name, Taken: taken, Reason: plain.Count(b.brokens, "record") + " not JSON, " + plain.Count(items, "item") + " read", Broken: b.broken}
	}
	return &FormatError{Name: b.name, Taken: taken, Reason: "not JSON", Broken: b.breaks(doc.Place(), doc.Data)}
}

// readAs reads a document in a format.
func (b *builder) readAs(row *format, doc record.Document) error {
	switch row.name {
	case Scenario:
		return b.readScenario(b.data)
	case Vectors:
		return b.readVector()
	case Text:
		if why := notText(b.data); why != "" {
			return &FormatError{Name: b.name, Taken: Text, Reason: why}
		}
		b.readText(b.name, strings.TrimPrefix(b.name, "./"), b.data)
		return nil
	}
	if doc.Truncated {
		b.Tell(Changed, record.Place{N: 1}, "document ends early")
	}
	return row.read(doc, b)
}

// readVector opens a vector as the scenario that it stands for.
func (b *builder) readVector() error {
	b.unit = "item"
	s, err := vector.Read(b.name, b.data, b)
	if err != nil {
		return err
	}
	for i := range s.Items.Len() {
		b.items = append(b.items, *s.Items.Loaded(i))
	}
	b.out.Set, b.out.Scenario = s.Items, model.Some(s)
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
	*out = b.out // a copy, so that keeping it does not keep the sources in b
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
	out.Set = out.Set.WithPairs(func(yield func(call, result int) bool) {
		for _, p := range out.Pairs {
			if !yield(p.Call, p.Result) {
				return
			}
		}
	})
	if out.Scenario.Set {
		out.Scenario.Value.Items = out.Set
	}
	answers := slices.DeleteFunc(out.Labels.Answers, func(answer string) bool { return model.Normalized(answer) == "" })
	if n := len(out.Labels.Answers) - len(answers); n > 0 { // as "A" of a multiple choice
		out.Report.addMany(Changed, "answers without a word that could be found, left out", n)
	}
	out.Labels.Answers = answers
	row := rowOf(out.Format)
	out.Conversation = row != nil && row.conversation || 2*messages > len(b.items) && !out.HasScores
	out.MissingSystemPrompt = out.Conversation && !system
	out.Report.Items, out.Report.Estimated, out.Report.Usage, out.Report.OpaqueBytes = len(b.items), len(out.Pending), out.Usage, out.OpaqueBytes
	return out, nil
}

// Add appends an item; without a count it gets an estimate.
func (b *builder) Add(at record.Place, it model.Item, counted bool) int {
	if len(b.items) >= model.MaxItems {
		b.Tell(Skipped, at, fmt.Sprintf("beyond the %v items of a set", plain.Thousands(model.MaxItems)))
		return -1
	}
	if !counted {
		it.Tokens, it.Count = tokens.Estimate(it.Content), model.Estimated
	}
	b.items = append(b.items, it)
	return len(b.items) - 1
}

// Expect makes room for items.
func (b *builder) Expect(items int) {
	b.items = slices.Grow(b.items, min(items, model.MaxItems))
}

// Tell counts a record; one that is skipped ends the source if strict.
func (b *builder) Tell(outcome Outcome, at record.Place, reason string) {
	if outcome == Skipped && b.opts.Strict && b.strict == nil {
		b.strict = &RecordError{Name: b.name, Unit: b.unit, Place: at.N, Reason: reason}
	}
	if b.out.Report.counted(outcome, reason) {
		return
	}
	place := ""
	if at.N > 0 {
		place = fmt.Sprintf("%s %d", b.unit, at.N)
	}
	b.out.Report.add(outcome, reason, place)
}

// Broken skips a record that is not JSON. Where and how the first of them breaks
// is kept for the case that nothing in the source is of use.
func (b *builder) Broken(at record.Place, raw []byte) {
	const reason = "not JSON"
	b.brokens++
	if b.broken == "" {
		b.broken = b.breaks(at, raw)
	}
	if b.opts.Strict && b.strict == nil {
		b.strict = &RecordError{Name: b.name, Unit: b.unit, Place: at.N, Reason: reason + ": " + b.broken}
	}
	b.Tell(Skipped, at, reason)
}

// Unit says what places are numbers of from now on.
func (b *builder) Unit(unit string) { b.unit = unit }

// Items is how many items there are so far.
func (b *builder) Items() int { return len(b.items) }

// Facts are what is known of all sources.
func (b *builder) Facts() *record.Facts { return &b.out.Facts }

// pair links the calls and results among the items that were added since it was
// called last: a result belongs to the last call with its id that has no result
// yet. It is called for each source, as ids are only good within one. No item is
// changed.
func (b *builder) pair() {
	open := map[string][]int{}
	for ; b.paired < len(b.items); b.paired++ {
		i := b.paired
		meta := b.items[i].Metadata
		id, _ := meta["callId"].(string)
		if id == "" {
			continue
		}
		switch meta["part"] {
		case "toolCall":
			open[id] = append(open[id], i)
		case "toolResult":
			if calls := open[id]; len(calls) > 0 {
				last := len(calls) - 1
				b.out.Pairs = append(b.out.Pairs, Pair{calls[last], i})
				open[id] = calls[:last]
			}
		}
	}
}
