// Package record is what the readers of all formats share: how the records of a
// document follow each other, the members of a record, numbers and times as
// files write them, and the Sink that takes what a reader finds.
package record

import (
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/plain"
)

// Sink takes what a reader finds in a document. Errors are kept by it: a reader
// asks Next and ends when it is told to.
type Sink interface {
	// Next counts a record that is looked at; false: stop reading, because it was
	// cancelled or because a record was skipped that strictly may not be.
	Next() bool
	// Add takes an item and returns its index among all; -1: there is no room for
	// it. One without a count gets an estimate.
	Add(at Place, item model.Item, counted bool) int
	// Items is how many items there are so far.
	Items() int
	// Expect says how many items are about to be added, so that there is room.
	Expect(items int)
	// Tell counts a record by what became of it and why.
	Tell(outcome Outcome, at Place, reason string)
	// Broken skips a record that is not JSON.
	Broken(at Place, record []byte)
	// Unit says what places are numbers of from now on: "message".
	Unit(unit string)
	// Facts are what is known of all of the source; readers add to it.
	Facts() *Facts
}

// Place is where a record is: its number from 1, and one more than the offset of
// its first byte in the source. 0 is not known.
type Place struct{ N, Offset int }

// Outcome says what became of a record.
type Outcome uint8

const (
	Skipped Outcome = iota // of no use, though it should be
	LeftOut                // understood, and no part of the context
	Changed                // used, but not quite as it was
	Unread                 // a member that holds text and that the reader does not know; the reason is its path
)

// TellUnread tells the sink of the members of an object that nothing has read, but
// for those that hold no content. prefix is the path of the object.
func TellUnread(sink Sink, at Place, prefix string, o Object, noContent []string) {
	for key := range o.Unread(noContent) {
		sink.Tell(Unread, at, prefix+key)
	}
}

// Facts are what a source says of itself.
type Facts struct {
	Model               string // the last that it names; "" if none
	SyntheticTimestamps bool   // timestamps were made up from the order
	OpaqueBytes         int64  // of payloads that are no text
	Usage               Usage
	Recorded            *Recorded // what a report says that a run decided; nil: it is none

	// Labels are what a source says of the items that were needed. They never
	// reach their metadata, where a scorer would see them.
	Labels   model.Labels
	Question string // that was asked; "" if it does not say

	Turns []Turn // of the messages that there is something to say of
}

// Turn is what a session tells of one message beside its items.
type Turn struct {
	From, To int // its items: from the first to before the last one
	// Gone is the index of the item before which a compaction or a rewind took
	// the message out; 0: it stays. See Options.History.
	Gone   int
	Prompt model.Option[Prompt] // of the answer that the message is, where the provider told what its cache did
}

// Prompt is what a provider said of the prompt of an answer, in tokens.
type Prompt struct {
	Plain      model.Tokens // neither read from the cache nor written to it
	CacheRead  model.Tokens
	CacheWrite model.Tokens
}

// Recorded is what a run of Cupel decided, as its report says: a row for each of
// its items.
type Recorded struct {
	Items   []int          // in the report's order: included as placed, then excluded
	Reasons []model.Reason // why each is in or out; By is -1 where the item that a duplicate repeats is not in the file
	Scores  []float64
}

// Grade labels an item: 0 was not needed, 1 was, more is a grade. Its last label
// counts.
func (f *Facts) Grade(item, grade int) {
	if f.Labels.Grades == nil {
		f.Labels.Grades = map[int]int{}
	}
	f.Labels.Grades[item] = grade
}

// Grade reads how much an item was needed: true, false, or a whole number from 0
// to 100; false if it is none of these. What is larger is something else.
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

// Usage is what the provider said about a session, each message counted once.
type Usage struct {
	Messages int          // that carry a usage
	Output   model.Tokens // sum of the tokens that the model wrote
	Context  model.Tokens // tokens that the last message was given and wrote
}

// SelectError says that a source holds several runs or result sets and none was
// selected, or not so many.
type SelectError struct {
	Name     string
	Unit     string   // "run" or "result set"
	Selected int      // from 1; 0: none
	Total    int      // in the source
	First    []string // what the first of them are
}

func (e *SelectError) Error() string {
	head := fmt.Sprintf("%s holds %s", e.Name, plain.Count(e.Total, e.Unit))
	if e.Selected > e.Total {
		head += fmt.Sprintf(", there is no number %d", e.Selected)
	}
	if e.Total == 1 {
		return head + ": leave out --select"
	}
	list := strings.Join(e.First, "; ")
	if n := e.Total - len(e.First); n > 0 {
		list += fmt.Sprintf("; and %v more", plain.Thousands(n))
	}
	return fmt.Sprintf("%s: choose one with --select N, from 1 to %d (%s)", head, e.Total, list)
}

// maxNamed is how many runs or result sets a SelectError describes.
const maxNamed = 5

// Choose reads the run or result set of total that is selected, or each of several
// as Document.Each wants it; label describes one. The error is a *SelectError, or
// that of read.
func (d Document) Choose(sink Sink, unit string, total int, label func(i int) string, read func(i int) error) error {
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
