package itemset

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/cupel"
	"cupelscope/model/itemset/internal/documents"
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

// read reads a source, or passes its runs to Options.run.
func (b *builder) read(name string, data []byte, several bool) error {
	b.name, b.first, b.records, b.firstBreak, b.brokenCount, b.strict = name, len(b.items), 0, "", 0, nil
	b.out.Report.source = ""
	if several {
		b.out.Report.source = filepath.Base(name)
	}
	cut := cutCharacter(data)
	b.cutText = cut > 0
	data, note := decode(data[:len(data)-cut])
	if note != "" {
		b.out.Report.add(Changed, note, "")
	}
	fields := b.opts.Fields.normal()
	given, err := b.split(b.rowsOfTable(data, &fields))
	if err != nil {
		return err
	}
	format, doc, beside, err := b.recognise(given, fields, several)
	if err != nil {
		return err
	}
	row := rowOf(format)
	switch {
	case row == nil:
		return fmt.Errorf("format %q is not known; known are %s", string(format), strings.Join(model.Names(Formats()), ", "))
	case row.alone && several:
		return fmt.Errorf("%s is a %s: it can only be opened alone", name, format)
	}
	if b.opts.run != nil && !several {
		doc.Each = func(number int, read func() error) error { return b.oneRun(number, read, row, doc) }
	}
	err = b.readAs(row, doc)
	if b.passedRun {
		return errRuns
	}
	if err == nil && len(beside) > 0 {
		err = documents.Read(doc.Of(beside, true), b)
	}
	if err == nil {
		err = doc.CheckSelect()
	}
	return b.finish(row, doc, err)
}

// rowsOfTable returns the rows of a table as JSON, and sets the field of the text to its longest
// column; any other text it returns as it is.
func (b *builder) rowsOfTable(data []byte, fields *Fields) []byte {
	separator := separators[strings.ToLower(filepath.Ext(b.name))]
	if separator == 0 || !b.opts.Format.hasFields() {
		return data
	}
	t, err := tableOf(data, separator, *fields)
	switch {
	case err != nil:
		b.out.Report.add(Changed, "no table: "+err.Error(), "")
	case t.ok:
		b.tellTable(&t)
		data = t.rows
		if t.column != "" {
			fields.Text = t.column
		}
	case t.column != "":
		b.out.Report.add(Changed, "a table of which no column holds half of the text: --text names one, to read it by rows", "")
	}
	return data
}

// split splits a text into records. The error says that there is no text.
func (b *builder) split(data []byte) (record.Document, error) {
	opts := record.Options{Full: b.opts.Full && !b.opts.History, History: b.opts.History, Sidechains: b.opts.Sidechains, Select: b.opts.Select}
	doc := record.Split(b.name, data, opts)
	if !doc.Valid {
		text, numbers := withoutNaN(data)
		if numbers > 0 {
			b.out.Report.put(Entry{Outcome: Changed, Reason: "values NaN and Infinity, which JSON does not have, read as null", Count: numbers})
			data, doc = text, record.Split(b.name, text, opts)
		}
	}
	if len(bytes.TrimSpace(data)) == 0 {
		reason := "the file is empty"
		if b.name == "-" {
			reason = "standard input is empty; give a file, or name a built-in scenario with --fixture (see fixtures)"
		}
		return doc, &FormatError{Name: b.name, Reason: reason, Known: true}
	}
	b.data, b.unit = data, doc.Unit()
	return doc, nil
}

// recognise returns the format of a document, the document as the reader of the format takes it, and
// the documents that stand beside its messages.
func (b *builder) recognise(given record.Document, fields Fields, several bool) (Format, record.Document, []record.Part, error) {
	format, doc, instead := b.opts.Format, given, ""
	var beside []record.Part
	if format.hasFields() {
		detected := Auto
		if fields == (Fields{}) {
			detected = detect(doc)
		}
		if detected == Auto && (fields != (Fields{}) || notReadIn(doc) == "") {
			s := search{fields: fields, want: format}
			if detected, doc, beside = s.structured(doc); detected == Auto {
				instead = s.instead()
			} else {
				s.tell(b)
			}
		}
		if detected == Auto && fields.AtPath != "" {
			return Auto, doc, nil, b.unrecognised(doc, instead)
		}
		if format == Auto {
			format = detected
		}
		var err error
		if doc, err = fields.rewritten(doc, b); err != nil {
			return Auto, doc, nil, err
		}
	} else if fields != (Fields{}) {
		return Auto, doc, nil, fmt.Errorf("the format %q has a list and fields of its own: name them for messages or documents only", string(format))
	}
	if b.opts.Format == Auto && b.isText(b.name, format, doc) {
		format = Text
		if !several {
			b.out.Report.add(Changed, "no format recognised: read as text", "")
		}
	}
	if format == Auto {
		return Auto, doc, nil, b.unrecognised(given, instead)
	}
	return format, doc, beside, nil
}

// hasFields reports whether the text may be messages or documents, the names of whose fields
// Options.Fields gives.
func (f Format) hasFields() bool { return f == Auto || f == OpenAI || f == Documents }

// finish checks and records the end of a source, or of one of its runs. err is the
// error of reading it.
func (b *builder) finish(row *format, doc record.Document, err error) error {
	if b.strict != nil {
		err = b.strict
	}
	if errors.Is(err, documents.ErrEmpty) {
		err = &FormatError{Name: doc.Name, Format: row.name, Reason: err.Error()}
	}
	if err = cmp.Or(err, b.ctx.Err()); err == nil {
		err = b.checkWhole(row, doc, len(b.items)-b.first)
	}
	if err != nil {
		return err
	}
	b.pair()
	if len(b.items) == b.first && !row.alone {
		return &FormatError{Name: doc.Name, Format: row.name, Reason: b.out.Report.reasons(), Broken: b.firstBreak}
	}
	b.recordOrigin(doc.Name, row.name, b.first)
	return nil
}

// checkWhole returns an error for a source that is one broken JSON value if the
// damage cannot be limited to a few skipped records: if no single record is broken
// (the break is between them), or if at least as many records are broken as items
// were read, as in a template.
func (b *builder) checkWhole(row *format, doc record.Document, items int) error {
	switch {
	case !doc.IsObject() && !doc.IsArray() || doc.Truncated || doc.Valid || row.read == nil:
		return nil
	case b.brokenCount > 0 && (items == 0 || b.brokenCount < items):
		return nil
	case b.brokenCount > 0:
		return &FormatError{Name: b.name, Format: row.name, Reason: plain.Count(b.brokenCount, "record") + " not JSON, " + plain.Count(items, "item") + " read", Broken: b.firstBreak}
	}
	return &FormatError{Name: b.name, Format: row.name, Reason: "not JSON", Broken: b.breaks(doc.Place(), doc.Data)}
}

func (b *builder) readAs(row *format, doc record.Document) error {
	switch row.name {
	case Scenario:
		return b.readScenario(doc)
	case Vectors:
		return b.readVector()
	case Text:
		if why := notText(b.data); why != "" {
			return &FormatError{Name: b.name, Format: Text, Reason: "it is " + why, Known: true}
		}
		b.tellCut()
		b.readText(b.name, strings.TrimPrefix(b.name, "./"), b.data)
		return nil
	}
	if row.text != nil {
		b.tellCut()
	}
	if doc.Truncated {
		b.Tell(Damaged, record.Place{N: 1}, "document ends early")
	}
	return row.read(doc, b)
}

// tellCut says that a text ends within a character, which no text that is whole does.
func (b *builder) tellCut() {
	if b.cutText {
		b.out.Report.add(Damaged, "text ends within a character", "")
	}
}

// tellTable says how a table was read.
func (b *builder) tellTable(t *table) {
	if t.cut {
		b.out.Report.add(Damaged, "table ends within a cell", "")
	}
	for _, row := range t.ragged {
		b.out.Report.add(Changed, "rows with more or fewer cells than columns", fmt.Sprintf("row %d", row))
	}
	if t.column != "" {
		b.out.Report.add(Changed, fmt.Sprintf("a table, read by rows: the longest column, %.60q, is the text, which --text names otherwise", t.column), "")
	}
}

// readVector reads a vector as the scenario that it describes.
func (b *builder) readVector() error {
	b.unit = "item"
	s, err := cupel.ReadVector(b.name, b.data, b)
	if err != nil {
		return err
	}
	for i := range s.Items.Len() {
		b.items = append(b.items, *s.Items.Loaded(i))
	}
	b.out.Set, b.out.Scenario = s.Items, model.Some(s)
	return nil
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

// estimate estimates the counts of the items that Add was given without one, on all
// processors. The error is that of the context.
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
	b.Tell(Skipped, at, "not JSON")
}

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
