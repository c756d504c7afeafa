// Package record holds what the readers of all formats share: Document, which
// splits a source into records; Object, which holds the members of a record;
// functions that read numbers and times as files write them; and Sink, to which a
// reader gives the items that it finds and tells what it did not use.
//
// A reader is a function of a Document and a Sink. It calls Sink.Next before each
// record, Sink.Add for each item, and Sink.Tell for each record that it skips,
// leaves out or changes. With TellUnread it names the members that hold text and
// that it did not read, so that nothing is lost without a word in the load report.
package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/plain"
)

// Sink takes what a reader finds in a document. The sink keeps the errors: a
// reader calls Next before each record, returns when Next returns false, and need
// not report why.
type Sink interface {
	// Next counts a record that is about to be read. It returns false if reading
	// must stop, because loading was cancelled or because a record was skipped while
	// loading is strict.
	Next() bool
	// Add appends an item and returns its index among the items of all sources, or
	// -1 if the set is full. Unless counted, the item gets an estimate for its token
	// count.
	Add(at Place, item model.Item, counted bool) int
	// Hint sets the future relevance hint of an item that was added, by its index.
	Hint(index int, hint float64)
	// Items returns the number of items so far, including the items of earlier sources.
	Items() int
	// Expect reserves memory for the given number of further items.
	Expect(items int)
	// Tell counts in the load report that the record at a place had an outcome, and
	// why. Equal reasons are counted together, so a reason should hold no values
	// that differ from record to record.
	Tell(outcome Outcome, at Place, reason string)
	// Broken counts a record that is not valid JSON as skipped.
	Broken(at Place, record []byte)
	// Unit sets what Place.N counts from now on, as in "message".
	Unit(unit string)
	// Facts returns what is known about the source as a whole. A reader adds to it
	// through the pointer.
	Facts() *Facts
}

// Place is the position of a record: N is its number from 1, and Offset is the
// offset of its first byte in the source plus 1. Either is 0 if it is not known.
type Place struct{ N, Offset int }

// Outcome says what became of a record, or with Unread of a member of one.
type Outcome uint8

const (
	Skipped Outcome = iota // the record is broken or not what the format expects; an error if loading is strict
	LeftOut                // the record was understood but is no part of the context
	Changed                // the record was used, but not exactly as it stands in the source
	Damaged                // the source is not whole: it ends early
	Unread                 // a member that holds text was not read, because the reader does not know it; the reason is its path
)

// TellUnread tells the sink, with the outcome Unread, which members of an object
// hold text that was not read. It leaves out the keys in noContent. prefix is put
// before each key: the path of the object, with its trailing separator.
func TellUnread(sink Sink, at Place, prefix string, o Object, noContent []string) {
	for key := range o.Unread(noContent) {
		sink.Tell(Unread, at, prefix+key)
	}
}

// Notes say what was changed in a record.
type Notes []string

// Add adds a note.
func (n *Notes) Add(what string) { *n = append(*n, what) }

// LeftOut notes once that something was left out because of a problem.
func (n *Notes) LeftOut(problem string) {
	if what := problem + ", left out"; len(*n) == 0 || (*n)[len(*n)-1] != what {
		n.Add(what)
	}
}

// Tell tells the notes to the sink.
func (n Notes) Tell(sink Sink, at Place) {
	for _, what := range n {
		sink.Tell(Changed, at, what)
	}
}

// Facts are what a source says about itself as a whole.
type Facts struct {
	Model               string    // the last model that the source names; "" if it names none
	SyntheticTimestamps bool      // the timestamps were made up from the order of the messages
	OpaqueBytes         int64     // total size of the payloads that are not text
	Usage               Usage     // the token counts of the provider
	Recorded            *Recorded // the decisions of a run; nil unless the source is a selection report

	// Labels say which items were needed. They never appear in the metadata of
	// items, where a scorer would see them.
	Labels   model.Labels
	Sizes    map[int][]model.Size // the shorter forms that the source gives, by item; see model.Set.WithSizes
	Question string               // the question that was asked; "" if the source does not say

	Messages []MessageFacts // messages that were removed, or whose prompt is known; not one for every message
}

// SyntheticStart returns the timestamp of the first message of a conversation that has
// none; each further message is a second later.
func SyntheticStart() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

// IsSynthetic reports whether a timestamp was made up from the order of messages without
// timestamps.
func IsSynthetic(t time.Time) bool {
	after := t.Sub(SyntheticStart())
	return 0 <= after && after < model.MaxItems*time.Second
}

// MessageFacts says about one message of a session what its items do not.
type MessageFacts struct {
	From, To int // the items of the message are those with From <= index < To
	// Gone is the index of the first item that came after a compaction or a rewind
	// removed the message, or 0 if the message stays. See Options.History.
	Gone   int
	Prompt model.Option[Prompt] // prompt of the answer; set only where the provider says what its cache did
}

// Prompt holds the parts of the prompt of one answer as its provider counted them,
// in tokens. The parts do not overlap.
type Prompt struct {
	Plain      model.Tokens // neither read from the cache nor written to it
	CacheRead  model.Tokens
	CacheWrite model.Tokens
}

// Total returns the number of tokens of the prompt.
func (p Prompt) Total() model.Tokens { return p.Plain + p.CacheRead + p.CacheWrite }

// Recorded is what a run of Cupel decided, as its selection report says. The three
// slices are parallel: they have an element for each item of the report.
type Recorded struct {
	Items   []int          // item indexes in the order of the report: the included ones as placed, then the excluded ones
	Reasons []model.Reason // why each is in or out; By is -1 if the item that a duplicate repeats is not in the file
	Scores  []float64
}

// Names notes the name of the model, unless that is "".
func (f *Facts) Names(model string) { f.Model = cmp.Or(model, f.Model) }

// Size records the shorter forms of an item, given by its index: see model.Set.WithSizes.
func (f *Facts) Size(item int, sizes []model.Size) {
	if f.Sizes == nil {
		f.Sizes = map[int][]model.Size{}
	}
	f.Sizes[item] = sizes
}

// Grade labels an item, given by its index, with how much it was needed: 0 means
// not needed, 1 needed, and a larger number is a higher grade. A later call for the
// same item replaces its label.
func (f *Facts) Grade(item, grade int) {
	if f.Labels.Grades == nil {
		f.Labels.Grades = map[int]int{}
	}
	f.Labels.Grades[item] = grade
}

// Grade reads the label that says how much an item was needed: true is 1, false is
// 0, and a whole number from 0 to 100 is itself. For any other value the result is
// false.
func Grade(raw []byte) (int, bool) {
	switch jsonwalk.Type(raw) {
	case 't':
		return 1, true
	case 'f':
		return 0, true
	}
	const most = 100
	n, ok := Integer(raw)
	return int(n), ok && 0 <= n && n <= most
}

// Usage sums the token counts that the provider gives in a session. Each message
// counts once.
type Usage struct {
	Messages int          // number of messages with a token count
	Output   model.Tokens // tokens that the model wrote in all of them
	Context  model.Tokens // tokens of the last of them: its prompt and its answer
}

// SelectError says that a source holds several runs or result sets and none was
// selected, or that the selected number is larger than their total.
type SelectError struct {
	Name     string   // name of the source
	Unit     string   // what is selected: "run", "result set" or "question"
	Selected int      // the number that was selected, from 1; 0 if none was
	Total    int      // number of runs or result sets in the source
	First    []string // descriptions of the first few, each with its number; may be empty
}

func (e *SelectError) Error() string {
	head := fmt.Sprintf("%s holds %s", e.Name, plain.Count(e.Total, e.Unit))
	if e.Selected > e.Total {
		head += fmt.Sprintf(", there is no number %d", e.Selected)
	}
	if e.Total == 1 {
		return head + ": leave out --select"
	}
	head += fmt.Sprintf(": choose one with --select N, from 1 to %d", e.Total)
	if len(e.First) == 0 {
		return head + "; runs FILE lists them"
	}
	list := strings.Join(e.First, "; ")
	if n := e.Total - len(e.First); n > 0 {
		list += fmt.Sprintf("; and %v more, which runs FILE lists", plain.Thousands(n))
	}
	return head + " (" + list + ")"
}

// CheckSelect returns a *SelectError if Options.Select is above 1 and the reader of
// the document did not call Choose: there is nothing to select from.
func (d Document) CheckSelect() error {
	if d.Select <= 1 || d.chosen != nil && *d.chosen {
		return nil
	}
	return &SelectError{Name: d.Name, Unit: "case", Selected: d.Select, Total: 1}
}

// maxNamed is how many runs or result sets a SelectError describes.
const maxNamed = 5

// Choose calls read with the index, from 0, of the run or result set to read, out of total. If
// Options.Select is 0 and there are several, it calls Document.Each for each of them, or fails
// if that is nil. unit names what is selected, as in "run" or "result set"; label describes the
// one with an index, for the error. The error is a *SelectError, or comes from read or
// Document.Each; with a total of 0 there is none.
func (d Document) Choose(sink Sink, unit string, total int, label func(i int) string, read func(i int) error) error {
	if total == 0 {
		return nil
	}
	if d.chosen != nil {
		*d.chosen = true
	}
	one := func(number int) error {
		if total > 1 {
			sink.Tell(Changed, Place{}, fmt.Sprintf("%s %v of %v was selected", unit, plain.Thousands(number), plain.Thousands(total)))
		}
		return read(number - 1)
	}
	switch {
	case d.Select == 0 && total > 1 && d.Each != nil:
		for number := 1; number <= total; number++ {
			if err := d.Each(number, func() error { return one(number) }); err != nil {
				return err
			}
		}
		return nil
	case d.Select > total || d.Select < 1 && total > 1:
		e := &SelectError{Name: d.Name, Unit: unit, Selected: max(0, d.Select), Total: total}
		for i := range min(total, maxNamed) {
			e.First = append(e.First, fmt.Sprintf("%d: %s", i+1, label(i)))
		}
		return e
	}
	return one(max(1, d.Select))
}

// Grow returns all with room for what is found next, at an offset in a source of the given
// size, both in bytes, as number n of the source, from 0. If all is full, Grow reserves memory
// for what the rest of the source holds at the same density, because doubling the capacity again
// and again takes several times the size of the list; at most seven times n, or 63 times
// once n is large enough to trust.
func Grow[T any](all []T, n, offset, source int) []T {
	if len(all) == cap(all) && n > 0 && offset > 0 {
		const many = 4096
		most := 7 * n
		if n >= many {
			most = 63 * n
		}
		left := float64(n) * float64(source-offset) / float64(offset)
		return slices.Grow(all, max(1, min(int(1.02*left), most)))
	}
	return all
}
