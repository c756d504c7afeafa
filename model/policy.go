package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// ErrInvalidPolicy is wrapped by every *PolicyError.
var ErrInvalidPolicy = errors.New("invalid policy")

// PolicyError names the field of a policy that is wrong.
type PolicyError struct {
	Field  string // as in the policy's JSON: "scorers[1].weight", "knapsackBucketSize", ...
	Reason string
}

func (e *PolicyError) Error() string { return "invalid policy: " + e.Field + ": " + e.Reason }

func (e *PolicyError) Unwrap() error { return ErrInvalidPolicy }

// The names below are spelled as in policy JSON.
type (
	PlacerType       string
	OverflowStrategy string
)

const (
	Chronological PlacerType = "chronological"
	UShaped       PlacerType = "uShaped"

	Throw    OverflowStrategy = "throw"    // a result over the target is an error
	Truncate OverflowStrategy = "truncate" // drop what does not fit, never pinned items
	Proceed  OverflowStrategy = "proceed"  // keep everything and record the overflow
)

// PlacerTypes lists the placers that a policy may name, in the order in which to
// offer them.
func PlacerTypes() []PlacerType { return []PlacerType{Chronological, UShaped} }

// OverflowStrategies lists the strategies in the same way.
func OverflowStrategies() []OverflowStrategy { return []OverflowStrategy{Throw, Truncate, Proceed} }

// DefaultBucketSize is KnapsackSlice's bucket, in tokens, when none is given.
const DefaultBucketSize Tokens = 100

// DefaultBatchSize is StreamSlice's batch, in items, when none is given.
const DefaultBatchSize = 32

// maxCount bounds sizes and numbers of items in a policy: .NET reads an int32.
const maxCount = 1<<31 - 1

// Policy says how items are scored, selected and placed. Use NewPolicy for
// the defaults; validate with Validate (pipeline.New does).
type Policy struct {
	Name        string
	Description string
	Scorers     []Scorer // at least one; several are a weighted mean
	Slicer      SlicerType
	BucketSize  Tokens       // knapsack only, >= 1; 0 stands for DefaultBucketSize
	BatchSize   int          // stream only, >= 1; 0 stands for DefaultBatchSize
	Quotas      []Quota      // shares of the target by kind, filled by Slicer; not with stream or CountQuotas
	CountQuotas []CountQuota // numbers of items by kind, the rest filled by Slicer; not with stream
	Scarcity    Scarcity     // CountQuotas only; "" stands for Degrade
	Placer      PlacerType
	Deduplicate bool
	Overflow    OverflowStrategy
	// KeepPairs selects the call of a tool and its result as one item; see
	// package pipeline. It is not Cupel's. Not with Quotas, CountQuotas or stream.
	KeepPairs bool
}

// NewPolicy returns the policy that the JSON {"scorers": [...]} means: greedy,
// chronological, deduplicating, throwing.
func NewPolicy(scorers ...Scorer) Policy {
	return Policy{Scorers: scorers, Slicer: Greedy, Placer: Chronological, Deduplicate: true, Overflow: Throw}
}

// Bucket is the knapsack's bucket size in tokens, the default if none is set.
func (p Policy) Bucket() Tokens {
	if p.BucketSize == 0 {
		return DefaultBucketSize
	}
	return p.BucketSize
}

// Batch is the stream's batch size in items, the default if none is set.
func (p Policy) Batch() int {
	if p.BatchSize == 0 {
		return DefaultBatchSize
	}
	return p.BatchSize
}

// Clone returns a copy that shares nothing with p.
func (p Policy) Clone() Policy {
	p.Scorers = cloneScorers(p.Scorers)
	p.Quotas, p.CountQuotas = slices.Clone(p.Quotas), slices.Clone(p.CountQuotas)
	return p
}

// Same reports whether two policies do the same, whatever they are called.
func (p Policy) Same(other Policy) bool {
	for _, q := range []*Policy{&p, &other} {
		q.Name, q.Description = "", ""
		q.BucketSize, q.BatchSize = q.Bucket(), q.Batch()
		if q.Scarcity == "" {
			q.Scarcity = Degrade
		}
	}
	return reflect.DeepEqual(p, other)
}

// RanksLike reports whether two policies score, deduplicate and sort every set
// alike, so that one ranking does for both.
func (p Policy) RanksLike(other Policy) bool {
	return p.Deduplicate == other.Deduplicate && reflect.DeepEqual(p.Scorers, other.Scorers) &&
		p.KeepPairs == other.KeepPairs && (!p.KeepPairs || p.Slicer.InOrder() == other.Slicer.InOrder())
}

// Validate reports the first thing that is wrong with the policy as a
// *PolicyError that names the field, or nil.
func (p Policy) Validate() error {
	if err := policyReader().check("", policyTable(&p)); err != nil {
		return err
	}
	if p.BucketSize != 0 && p.Slicer != Knapsack {
		return &PolicyError{"knapsackBucketSize", fmt.Sprintf("is given, but slicerType is %q: only knapsack has buckets", p.Slicer)}
	}
	if p.BatchSize != 0 && p.Slicer != Stream {
		return &PolicyError{"streamBatchSize", fmt.Sprintf("is given, but slicerType is %q: only stream has batches", p.Slicer)}
	}
	if err := p.quotasFit(); err != nil {
		return err
	}
	return p.pairsFit()
}

// pairsFit reports what pairs as one item cannot be combined with: a pair has two
// kinds, and two arrivals.
func (p Policy) pairsFit() error {
	const with = "cannot be combined with pairs as one item (keepPairs): "
	switch {
	case !p.KeepPairs:
	case len(p.Quotas) > 0:
		return &PolicyError{"quotas", with + "a pair has two kinds"}
	case len(p.CountQuotas) > 0:
		return &PolicyError{"countQuotas", with + "a pair has two kinds"}
	case p.Slicer == Stream:
		return &PolicyError{"slicerType", "stream " + with + "call and result arrive apart"}
	}
	return nil
}

// ReadsHints reports whether a scorer of the policy reads future relevance hints.
func (p Policy) ReadsHints() bool { return readsHints(p.Scorers) }

func readsHints(scorers []Scorer) bool {
	return slices.ContainsFunc(scorers, func(s Scorer) bool {
		return s.Type == ScoreReflexive || s.Inner != nil && readsHints([]Scorer{*s.Inner}) || readsHints(s.Scorers)
	})
}
