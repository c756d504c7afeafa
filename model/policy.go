package model

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// PolicyError says which field of a policy is wrong, and why.
type PolicyError struct {
	Field  string // as in the policy's JSON: "scorers[1].weight", "knapsackBucketSize", ...; "" for all of it
	Reason string
}

func (e *PolicyError) Error() string {
	return "invalid policy: " + strings.TrimPrefix(e.Field+": ", ": ") + e.Reason
}

type (
	// PlacerType names the rule by which the result is put in order, spelled as
	// in policy JSON.
	PlacerType string
	// OverflowStrategy says what happens when the result exceeds the target of
	// the budget, spelled as in policy JSON.
	OverflowStrategy string
)

// The placers and the overflow strategies.
const (
	Chronological PlacerType = "chronological" // oldest first, then the items without a timestamp
	UShaped       PlacerType = "uShaped"       // the best items at both ends, the worst in the middle

	Throw    OverflowStrategy = "throw"    // a result over the target is an error
	Truncate OverflowStrategy = "truncate" // drop what does not fit, never pinned items
	Proceed  OverflowStrategy = "proceed"  // keep everything and record the overflow
)

// PlacerTypes returns the placers that a policy may name, in the order in which
// an editor offers them.
func PlacerTypes() []PlacerType { return []PlacerType{Chronological, UShaped} }

// OverflowStrategies returns the strategies that a policy may name, in the
// order in which an editor offers them.
func OverflowStrategies() []OverflowStrategy { return []OverflowStrategy{Throw, Truncate, Proceed} }

// DefaultBucketSize is the bucket size of the knapsack slicer in tokens where a
// policy sets none.
const DefaultBucketSize Tokens = 100

// DefaultBatchSize is the batch size of the stream slicer in items where a
// policy sets none.
const DefaultBatchSize = 32

// maxCount bounds sizes and numbers of items in a policy, because .NET reads an
// int32.
const maxCount = 1<<31 - 1

// Policy says how items are scored, selected and placed. NewPolicy sets the
// defaults. A Policy made by hand may be invalid: call Validate, as
// pipeline.New does.
type Policy struct {
	Name        string
	Description string
	Scorers     []Scorer // at least one; the score is their weighted mean
	Slicer      SlicerType
	BucketSize  Tokens       // tokens, at least 1, knapsack only; 0 stands for DefaultBucketSize
	BatchSize   int          // items, at least 1, stream only; 0 stands for DefaultBatchSize
	Quotas      []Quota      // shares of the target by kind, each filled by Slicer; not with stream or CountQuotas
	CountQuotas []CountQuota // numbers of items by kind; Slicer fills what remains; not with stream
	Scarcity    Scarcity     // CountQuotas only; "" stands for Degrade
	Placer      PlacerType
	Deduplicate bool
	Overflow    OverflowStrategy
	// KeepPairs makes the selection treat the call of a tool and its result as one
	// item; see package pipeline. It is not part of Cupel, and cannot be combined
	// with Quotas, CountQuotas or the stream slicer.
	KeepPairs bool

	read *Policy // as it was for AsRead; nil: made otherwise
}

// NewPolicy returns a policy with the given scorers and the defaults of policy
// JSON: the greedy slicer, the chronological placer, deduplication, and an
// error on overflow. Without scorers the policy is not valid yet.
func NewPolicy(scorers ...Scorer) Policy {
	return Policy{Scorers: scorers, Slicer: Greedy, Placer: Chronological, Deduplicate: true, Overflow: Throw}
}

// Clone returns a copy that shares nothing with p.
func (p Policy) Clone() Policy {
	p.Scorers = cloneScorers(p.Scorers)
	p.Quotas, p.CountQuotas = slices.Clone(p.Quotas), slices.Clone(p.CountQuotas)
	return p
}

// Title returns the name under which a policy is shown: its own, with a * where the policy
// differs from the preset of that name, or else from what was read under it. A policy may have
// no name.
func (p Policy) Title() string {
	named, ok := Preset(p.Name)
	if !ok && p.read != nil {
		named, ok = *p.read, p.Name != ""
	}
	if ok && !p.Same(named) {
		return p.Name + "*"
	}
	return p.Name
}

// AsRead returns the policy with a copy of itself, by which Title tells from now on whether it
// was changed.
func (p Policy) AsRead() Policy {
	p.read = new(p.Clone())
	return p
}

// Same reports whether two policies are equal apart from their names and
// descriptions. A bucket size, batch size or scarcity that is not set equals
// its default.
func (p Policy) Same(other Policy) bool {
	for _, q := range []*Policy{&p, &other} {
		q.Name, q.Description, q.read = "", "", nil
		q.BucketSize, q.BatchSize, q.Scarcity = q.Bucket(), q.Batch(), cmp.Or(q.Scarcity, Degrade)
	}
	return reflect.DeepEqual(p, other)
}

// RanksLike reports whether two policies score, deduplicate and sort every set
// alike, so that one ranking serves both.
func (p Policy) RanksLike(other Policy) bool {
	return p.Deduplicate == other.Deduplicate && p.ScoresAs(other) &&
		p.KeepPairs == other.KeepPairs && (!p.KeepPairs || p.sumsPairs() == other.sumsPairs())
}

// sumsPairs reports whether a pair is worth the sum of its two items: where the score alone
// decides, it is worth the larger one.
func (p Policy) sumsPairs() bool { return p.Slicer.Order() != OrderByScore }

// Validate reports the first thing that is wrong with the policy as a
// *PolicyError that names the field, or nil.
func (p Policy) Validate() error {
	b := policyLayout.bind(&p, 0)
	defer policyLayout.unbind(b)
	return cmp.Or(policyReader().check("", b.table), p.sizeFits(), p.quotasFit(), p.pairsFit())
}

// SizesFit returns a *PolicyError if the policy cannot be combined with items that may be
// cut: under quotas and count quotas, and as items arrive, there is no order in which one
// is taken in its largest size that fits.
func (p Policy) SizesFit() error {
	const with = "cannot be combined with items that may be cut (shrink, sizes): "
	switch {
	case len(p.Quotas) > 0:
		return &PolicyError{Field: "quotas", Reason: with + "a share of a kind is for whole items"}
	case len(p.CountQuotas) > 0:
		return &PolicyError{Field: "countQuotas", Reason: with + "a count of a kind is of whole items"}
	case p.Slicer.Order() == OrderByArrival:
		return &PolicyError{Field: "slicerType", Reason: with + string(p.Slicer) + " takes items as they arrive, whole"}
	}
	return nil
}

// pairsFit reports what KeepPairs cannot be combined with: the two items of a
// pair differ in kind and arrive at different times.
func (p Policy) pairsFit() error {
	const with = "cannot be combined with pairs as one item (keepPairs): "
	switch {
	case !p.KeepPairs:
	case len(p.Quotas) > 0:
		return &PolicyError{"quotas", with + "a pair has two kinds"}
	case len(p.CountQuotas) > 0:
		return &PolicyError{"countQuotas", with + "a pair has two kinds"}
	case p.Slicer.Order() == OrderByArrival:
		return &PolicyError{"slicerType", string(p.Slicer) + " " + with + "call and result arrive apart"}
	}
	return nil
}

// ScoresAs reports whether both policies have the same scorers with the same weights, so
// that their scores and values compare.
func (p Policy) ScoresAs(other Policy) bool { return reflect.DeepEqual(p.Scorers, other.Scorers) }

// ReadsHints reports whether a scorer of the policy reads future relevance hints.
func (p Policy) ReadsHints() (reads bool) {
	eachScorer("scorers", p.Scorers, func(_ string, s *Scorer) { reads = reads || s.Type == ScoreReflexive })
	return reads
}
