package itemset

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/plain"
	"cupelscope/model/relay"
	"cupelscope/model/tokens"
)

// builder collects what the readers of the formats find: the record.Sink of all
// of them.
type builder struct {
	ctx  context.Context
	opts Options

	name        string                  // name of the source being read
	data        []byte                  // its text
	firstBreak  string                  // where the first record that is not JSON breaks, and how
	brokenCount int                     // number of records that are not JSON
	cutText     bool                    // the source ended within a character, which is left out
	strict      error                   // the skipped record that ends a strict load; nil if none
	unit        string                  // what places in this source count: "line", "record" or what a reader sets
	records     int                     // number of records of this source read so far
	passedRun   bool                    // at least one run of it was passed to Options.run
	modified    model.Option[time.Time] // modification time of the file; unset if the source is no file

	readPaths    map[string]bool // resolved paths of the sources read so far; nil: not noted
	sourceStarts []int           // index of the first item of each source
	done         Progress

	items     []model.Item
	first     int // index of the first item of this source
	uncounted int // number of calls of Add with an item without a token count
	paired    int // number of items that pair has looked at
	out       Loaded
}

func newBuilder(ctx context.Context, opts Options) *builder {
	opts.Format = cmp.Or(opts.Format, Auto)
	return &builder{ctx: ctx, opts: opts}
}

// loaded makes the set of the items and returns all that was read.
func (b *builder) loaded() (*Loaded, error) {
	b.pair()
	b.nameSources()
	if err := b.estimate(); err != nil {
		return nil, err
	}
	out := new(b.out) // a copy, so that keeping it does not keep the sources in b
	out.Pending = slices.Grow(out.Pending, b.uncounted)
	messages := 0
	system := false
	for i := range b.items {
		it := &b.items[i]
		switch it.Count {
		case model.Estimated:
			out.Pending = append(out.Pending, int32(i))
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
		var err error
		if out.Set, err = b.newSet(); err != nil {
			return nil, err
		}
	}
	out.Set = out.Set.WithPairs(out.Pairs...)
	if out.Scenario.Set {
		out.Scenario.Value.Items = out.Set
	}
	answers := slices.DeleteFunc(out.Labels.Answers, func(answer string) bool { return model.Normalized(answer) == "" })
	if n := len(out.Labels.Answers) - len(answers); n > 0 { // as "A" of a multiple choice
		out.Report.put(Entry{Outcome: Changed, Reason: "answers without a word that could be found, left out", Count: n})
	}
	out.Labels.Answers = answers
	row := rowOf(out.Format)
	out.Conversation = row != nil && row.conversation || 2*messages > len(b.items) && !out.HasScores
	out.MissingSystemPrompt = out.Conversation && !system
	out.Report.Items, out.Report.Estimated, out.Report.Usage, out.Report.OpaqueBytes = len(b.items), len(out.Pending), out.Usage, out.OpaqueBytes
	return out, nil
}

// Add implements record.Sink.
func (b *builder) Add(at record.Place, it model.Item, counted bool) int {
	if len(b.items) >= model.MaxItems {
		b.Tell(Skipped, at, fmt.Sprintf("items beyond the %v of a set", plain.Thousands(model.MaxItems)))
		return -1
	}
	if !counted {
		it.Tokens, it.Count = notEstimated, model.Estimated
		b.uncounted++
	}
	b.items = append(record.Grow(b.items, len(b.items)-b.first, at.Offset, len(b.data)), it)
	return len(b.items) - 1
}

// notEstimated is the token count of an item until estimate has seen it.
const notEstimated model.Tokens = math.MinInt64

// newSet returns the set of the items that were added, in their sizes.
func (b *builder) newSet() (*model.Set, error) {
	set, err := model.NewSet(b.items)
	if err != nil || len(b.out.Sizes) == 0 {
		return set, err
	}
	return set.WithSizes(b.out.Sizes)
}

// estimate estimates the counts of the items that Add was given without one, on all processors.
// The error is the context's.
func (b *builder) estimate() error {
	relay.Spread(len(b.items), func(i int) int { return len(b.items[i].Content) }, func(from, to int) {
		for i := from; i < to && b.ctx.Err() == nil; i++ {
			if it := &b.items[i]; it.Tokens == notEstimated {
				it.Tokens = tokens.Estimate(it.Content)
			}
		}
	})
	return b.ctx.Err()
}

// Hint implements record.Sink.
func (b *builder) Hint(index int, hint float64) {
	b.items[index].FutureRelevanceHint = model.Some(hint)
}

// Expect implements record.Sink.
func (b *builder) Expect(items int) {
	b.items = slices.Grow(b.items, min(items, model.MaxItems))
}

// Tell implements record.Sink. A skipped record ends the source if Options.Strict
// is set.
func (b *builder) Tell(outcome Outcome, at record.Place, reason string) {
	if outcome == Skipped && b.opts.Strict && b.strict == nil {
		b.strict = &RecordError{Name: b.name, Unit: b.unit, Place: at.N, Reason: singular(reason)}
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

// Broken implements record.Sink. It keeps where and how the first broken record
// breaks, for the error if nothing in the source can be used.
func (b *builder) Broken(at record.Place, raw []byte) {
	b.brokenCount++
	if b.firstBreak == "" {
		b.firstBreak = b.breaks(at, raw)
	}
	if b.opts.Strict && b.strict == nil {
		b.strict = &RecordError{Name: b.name, Unit: b.unit, Place: at.N, Reason: "not JSON: " + b.firstBreak}
	}
	if b.unit == "line" && b.cut(at, raw) {
		b.Tell(Damaged, at, "last line ends early")
		return
	}
	b.Tell(Skipped, at, notJSON)
}

// notJSON is why a record that breaks is skipped.
const notJSON = "not JSON"

// cut reports whether a record is the last of the source and ends early.
func (b *builder) cut(at record.Place, raw []byte) bool {
	end := at.Offset - 1 + len(raw)
	if at.Offset == 0 || end > len(b.data) || len(bytes.TrimSpace(b.data[end:])) > 0 {
		return false
	}
	c := jsonwalk.Type(raw)
	_, whole := jsonwalk.End(raw)
	return (c == '{' || c == '[') && !whole
}

// Unit implements record.Sink.
func (b *builder) Unit(unit string) { b.unit = unit }

// Items implements record.Sink.
func (b *builder) Items() int { return len(b.items) }

// Facts implements record.Sink. All sources share them.
func (b *builder) Facts() *record.Facts { return &b.out.Facts }

// pair links the calls and results among the items added since its last call. A
// result belongs to the last call with the same id that has no result yet. It is
// called for each source, because ids are unique only within one. It changes no
// item.
func (b *builder) pair() {
	open := map[string][]int{}
	for ; b.paired < len(b.items); b.paired++ {
		i := b.paired
		meta := b.items[i].Metadata
		if len(meta) < 2 { // a role alone
			continue
		}
		id, _ := meta["callId"].(string)
		calls := open[id]
		switch last := len(calls) - 1; {
		case id == "":
		case meta["part"] == "toolCall":
			open[id] = append(calls, i)
		case meta["part"] == "toolResult" && last >= 0:
			b.out.Pairs = append(b.out.Pairs, model.Pair{Call: calls[last], Result: i})
			open[id] = calls[:last]
		}
	}
}
