package model

import (
	"fmt"
	"strconv"
)

// SlicerType names a slicer, spelled as in policy JSON.
type SlicerType string

// The slicers. Rank and Prefix are not part of Cupel: see SlicerType.Ours.
const (
	Greedy   SlicerType = "greedy"
	Knapsack SlicerType = "knapsack"
	Stream   SlicerType = "stream"
	Rank     SlicerType = "rank"   // by score, each item that still fits
	Prefix   SlicerType = "prefix" // by score, up to the first item that does not fit
)

// SlicerOrder is what decides which of two items a slicer prefers.
type SlicerOrder int

const (
	OrderByDensity SlicerOrder = iota // the score per token
	OrderByScore                      // the score, whatever the items cost
	OrderByArrival                    // which came first
	OrderByTotal                      // none: the sum of the scores of all that it takes counts
)

// slicerType is a row of the table of slicers: all that is known of a slicer outside of
// package slicer, which runs it.
type slicerType struct {
	name  SlicerType
	ours  bool
	order SlicerOrder
	other SlicerType  // it is compared with this one where no policy B is named
	size  *slicerSize // nil: it has none
	// does says how it selects, as what follows its name in a sentence, and fills how it
	// fills a share of the room, in which the first %s stands for what it fills. A last
	// %s stands for its size.
	does, fills string
	// counted is the class of Cupel's .NET library for the slicer under count quotas.
	counted string
}

// slicerSize is the size that a slicer works in: a field of the policy.
type slicerSize struct {
	SizeField        // without its value
	parts     string // what has the size, for errors: "buckets"
	usual     Tokens // where none is given
	max       Tokens
	get       func(*Policy) Tokens
	set       func(*Policy, Tokens)
}

var (
	bucketSize = slicerSize{
		SizeField: SizeField{Field: "knapsackBucketSize", Label: "bucket", Words: "size knapsack", Max: 100_000, Help: "knapsack counts tokens in buckets of this size, rounded up, 1 to 100,000"},
		parts:     "buckets", usual: DefaultBucketSize, max: MaxTokens,
		get: func(p *Policy) Tokens { return p.BucketSize },
		set: func(p *Policy, n Tokens) { p.BucketSize = n },
	}
	batchSize = slicerSize{
		SizeField: SizeField{Field: "streamBatchSize", Label: "batch", Words: "size stream", Max: 1_000_000, Help: "items of one micro-batch of the stream, 1 to 1,000,000"},
		parts:     "batches", usual: DefaultBatchSize, max: maxCount,
		get: func(p *Policy) Tokens { return Tokens(p.BatchSize) },
		set: func(p *Policy, n Tokens) { p.BatchSize = int(n) },
	}
)

var slicerTypes = [...]slicerType{
	{
		name: Greedy, order: OrderByDensity, other: Knapsack, counted: "CountQuotaSlice",
		does:  "goes through the items by score per token, the densest first, and takes each one that still fits. It never goes back.",
		fills: "fills %s by score per token, the densest first",
	},
	{
		name: Knapsack, order: OrderByTotal, other: Greedy, size: &bucketSize, counted: "CountConstrainedKnapsackSlice",
		does:  "finds the set of the largest value, sizes rounded up to buckets of %s.",
		fills: "fills %s with the set of the largest score, sizes rounded up to buckets of %s",
	},
	{
		name: Stream, order: OrderByArrival, other: Knapsack, size: &batchSize,
		does: "takes items as they come, %s at a time, the best of a batch first: each one that still fits. It begins no batch once nothing is left.",
	},
	{
		name: Rank, ours: true, order: OrderByScore, other: Knapsack, counted: "CountQuotaSlice",
		does:  "goes through the items by score, the best first, and takes each one that still fits.",
		fills: "fills %s by score, the best first",
	},
	{
		name: Prefix, ours: true, order: OrderByScore, other: Knapsack, counted: "CountQuotaSlice",
		does:  "takes the items by score, the best first, and stops at the first that does not fit.",
		fills: "fills %s by score, up to the first item that does not fit",
	},
}

// SlicerTypes returns the slicers that a policy may name, in the order in which
// an editor offers them. Quotas are not among them: they divide the work of a
// slicer by kind.
func SlicerTypes() []SlicerType {
	all := make([]SlicerType, len(slicerTypes))
	for i, t := range slicerTypes {
		all[i] = t.name
	}
	return all
}

// row returns the row of a slicer; an empty row where the name is not known.
func (t SlicerType) row() slicerType {
	for _, row := range slicerTypes {
		if row.name == t {
			return row
		}
	}
	return slicerType{}
}

// Ours reports whether the slicer is a baseline of this program and not part of
// Cupel: no other program reads a policy that names it.
func (t SlicerType) Ours() bool { return t.row().ours }

// Order returns what decides which items the slicer prefers.
func (t SlicerType) Order() SlicerOrder { return t.row().order }

// Other returns the slicer that this one is compared with where no other policy is named.
func (t SlicerType) Other() SlicerType { return t.row().other }

// Divisible reports whether the slicer can be used with quotas and count
// quotas, which divide the target by kind.
func (t SlicerType) Divisible() bool { return t.row().order != OrderByArrival }

// InBuckets reports whether the slicer counts tokens in whole buckets, see Policy.Bucket.
func (t SlicerType) InBuckets() bool { return t.row().size == &bucketSize }

// Counted returns the class of Cupel's .NET library that is the slicer under count
// quotas.
func (t SlicerType) Counted() string { return t.row().counted }

// SetSlicer sets another slicer, with its usual size.
func (p *Policy) SetSlicer(t SlicerType) {
	if t != p.Slicer {
		p.Slicer, p.BucketSize, p.BatchSize = t, 0, 0
	}
}

// SizeField is the size of a slicer as an editor shows it.
type SizeField struct {
	Field       string // as in errors: "knapsackBucketSize"
	Label, Help string
	Words       string // what people type to find it
	Value, Max  Tokens // tokens or items; Max is the largest that an editor offers
}

// Size returns the size of the policy's slicer, or the usual one where none is set; false:
// it has none.
func (p Policy) Size() (SizeField, bool) {
	size := p.Slicer.row().size
	if size == nil {
		return SizeField{}, false
	}
	field := size.SizeField
	field.Value = size.value(p)
	return field, true
}

func (s *slicerSize) value(p Policy) Tokens {
	if n := s.get(&p); n != 0 {
		return n
	}
	return s.usual
}

// SetSize sets the size of the policy's slicer. The error says which sizes it can have,
// or that it has none.
func (p *Policy) SetSize(n Tokens) error {
	size := p.Slicer.row().size
	switch {
	case size == nil:
		return fmt.Errorf("%s has no size", p.Slicer)
	case n < 1:
		return fmt.Errorf("the size is %v, must be at least 1", n)
	case n > size.max:
		return fmt.Errorf("the size is %v, must be at most %v", n, size.max)
	}
	size.set(p, n)
	return nil
}

// sizeFits reports a size of a slicer that is not the policy's.
func (p Policy) sizeFits() error {
	for _, t := range slicerTypes {
		if t.size != nil && t.name != p.Slicer && t.size.get(&p) != 0 {
			return &PolicyError{t.size.Field, fmt.Sprintf("is given, but slicerType is %q: only %s has %s", p.Slicer, t.name, t.size.parts)}
		}
	}
	return nil
}

// Bucket returns in how many tokens the slicer counts: the BucketSize of a knapsack, or
// DefaultBucketSize if that is 0, also where the slicer has no buckets.
func (p Policy) Bucket() Tokens { return bucketSize.value(p) }

// Batch returns the batch size of the stream slicer in items: BatchSize, or
// DefaultBatchSize if that is 0.
func (p Policy) Batch() int { return int(batchSize.value(p)) }

// SlicerName returns the slicer as a command line names it, with its bucket or
// batch size: "greedy", "knapsack:100", "stream:32".
func (p Policy) SlicerName() string {
	if size, ok := p.Size(); ok {
		return string(p.Slicer) + ":" + strconv.FormatInt(int64(size.Value), 10)
	}
	return string(p.Slicer)
}

// SlicerDoes returns how the slicer selects, as what follows its name in a sentence.
func (p Policy) SlicerDoes() string { return p.slicerText(p.Slicer.row().does) }

// SlicerFills returns how the slicer fills what quotas leave to it, as what follows its
// name in a sentence.
func (p Policy) SlicerFills(what string) string {
	return p.slicerText(p.Slicer.row().fills, what)
}

// slicerText fills in a text of the slicer's row, with its size behind the values.
func (p Policy) slicerText(text string, values ...any) string {
	if size, ok := p.Size(); ok {
		values = append(values, size.Value)
	}
	return fmt.Sprintf(text, values...)
}
