// Package itemset reads item sets, scenarios, conversations, documents and
// conformance vectors from files and folders, and writes scenarios.
//
// The format is detected from the content. A loader never guesses silently:
// whatever it skipped, left out, estimated or changed is counted in a Report
// with its reason and the first few places. A record that cannot be used is skipped
// and the others are read; with Options.Strict it is an error.
//
// Sources are read into memory whole: a source may have at most Options.MaxBytes.
// Loading takes at most four times its size in memory, 500 bytes for each item and
// 60 for each value in the metadata of one; with items of 60 bytes or more and values of
// 8 it is at most ten times its size. Afterwards the texts stay, and about 250
// bytes for each item, or 650 for an item with metadata of its own (TestLoadMemory
// measures it).
//
// To add a format, write a reader, a function of a record.Document and a
// record.Sink, in the package of its sort, and add a Format and its row in the table
// formats. The order of the rows is the order in which formats are tried.
package itemset

import (
	"context"
	"fmt"
	"io"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// DefaultMaxBytes is the largest size of one source, 1 GiB, when Options.MaxBytes
// is not positive.
const DefaultMaxBytes int64 = 1 << 30

// Options say how to read sources. The zero value detects the format and skips
// records that cannot be used.
type Options struct {
	Format Format // the format of all sources; "" is Auto
	Strict bool   // a record or source that cannot be used is an error instead of being skipped
	Named  bool   // so is one of several given sources; files of a folder or a pattern are still skipped
	// Full keeps what a session had before its last compaction.
	Full bool
	// History keeps that too, and what the user went back on, and records in Facts.Messages
	// when it was removed, so that each request of a session can be rebuilt. It overrides Full.
	History bool
	// Sidechains keeps the rows of sub-agents in a session.
	Sidechains bool
	// Select is the number, from 1, of the run or result set to read from a source
	// that holds several. With 0 the source must hold only one.
	Select int
	// Fields say where the list of a source of no known format is, and what its fields
	// are called. With any of them set the format is not detected from names.
	Fields Fields
	// Stdin is what the source "-" reads. If it is nil, that source is an error.
	Stdin io.Reader
	// MaxBytes is the largest size of one source, in bytes; 0 is DefaultMaxBytes.
	MaxBytes int64
	// TrustPaths lets the itemsFile of a scenario lead out of the scenario's folder.
	TrustPaths bool
	// ExtraFields are top-level fields that a scenario may have besides its own. If
	// it is not nil, Loaded.Fields holds all fields of the scenario.
	ExtraFields []string
	// Fallback replaces parts that a scenario lacks.
	Fallback Fallback

	// run is called with each run of a source that holds several and returns whether
	// to read the next; see ReadRuns. If it is nil, one run must be selected.
	run func(Run) bool
	// files lets a scenario have an itemsFile.
	files bool
}

// Fallback holds parts for a scenario that lacks them. A part that is not set here is required
// in the scenario.
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

// Loaded is what was read from one or more sources.
type Loaded struct {
	Set    *model.Set
	Format Format   // the format of the first source
	Names  []string // the sources as given, without those that gave nothing; "-" is standard input
	Report Report
	// Scenario is set if the source was a scenario or a vector. Its Items are Set.
	Scenario model.Option[model.Scenario]
	// Fields maps the fields of a scenario that are not null to their raw JSON. It is nil
	// unless Options.ExtraFields is set.
	Fields map[string][]byte

	// Facts for choosing a policy and for the header.
	record.Facts
	Conversation        bool // the items are messages in order, rather than documents
	HasScores           bool // at least one item has a future relevance hint
	MissingSystemPrompt bool // the source is a conversation without a system prompt

	Pairs   []model.Pair // tool calls with their results, in the order of the results
	Pending []int32      // indexes of the items whose token count is an estimate, ascending
}

// Types of package record that callers of this package use: what a source states about itself,
// an error, and an object of JSON.
type (
	MessageFacts = record.MessageFacts
	Prompt       = record.Prompt
	Recorded     = record.Recorded
	SelectError  = record.SelectError
	Object       = record.Object
)

// IsSynthetic reports whether a timestamp was made up from the order of messages without
// timestamps.
func IsSynthetic(t time.Time) bool { return record.IsSynthetic(t) }

// ObjectOf returns the members of a valid JSON object, and none of any other value.
func ObjectOf(raw []byte) Object { return record.Open(raw) }

// Whole reads a whole number of JSON as a token count is read.
func Whole(raw []byte) (model.Tokens, bool) { return record.Whole(raw) }

// Compact returns a valid JSON value without insignificant white space.
func Compact(raw []byte) string { return record.Compact(raw) }

// TypeName returns the type of a JSON value with its article, as in "an object".
func TypeName(raw []byte) string { return jsonwalk.TypeName(raw) }

// Run is one of the runs or result sets of a source.
type Run struct {
	Number int     // number of the run, from 1; 0 if the source holds only one, or one was selected
	Loaded *Loaded // nil if Err is set
	Err    error   // why nothing was read
}

// Name returns the names of the sources in short, as in "a.jsonl" or "a.jsonl and 2
// more". It returns "" if there are none.
func (l *Loaded) Name() string {
	switch len(l.Names) {
	case 0:
		return ""
	case 1:
		return l.Names[0]
	}
	return fmt.Sprintf("%s and %d more", l.Names[0], len(l.Names)-1)
}

// Read is like Load for one source whose bytes are already in memory. The name is
// used in messages only. A scenario must hold its items itself: itemsFile is an
// error.
func Read(ctx context.Context, name string, data []byte, opts Options) (*Loaded, error) {
	b := newBuilder(ctx, opts)
	if err := b.read(name, data, false); err != nil {
		return nil, err
	}
	b.out.Names = []string{name}
	return b.loaded()
}

// ReadAt is like Read, but a scenario may have an itemsFile, which is looked for
// relative to the folder of the path name. With the name "-" an itemsFile is an
// error.
func ReadAt(ctx context.Context, name string, data []byte, opts Options) (*Loaded, error) {
	opts.files = true
	return Read(ctx, name, data, opts)
}
