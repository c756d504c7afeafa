package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"cupelscope/model/internal/jsonwalk"
)

// policyTable is the members of a policy, in the order in which they are
// written. "quotas": [] and "countQuotas": [] are how .NET writes that there
// are none.
func policyTable(p *Policy, _ nesting) table {
	return table{rows: []member{
		{name: "name", about: "a name for people", value: text[string]{&p.Name}},
		{name: "description", about: "what it is for", value: text[string]{&p.Description}},
		{name: "scorers", about: "what rates the items: the score of an item is their weighted mean", value: scorerList(&p.Scorers, 0), presence: required, why: " and may not be empty"},
		{name: "slicerType", about: "what selects", value: word[SlicerType]{to: &p.Slicer, known: SlicerTypes()}, presence: always},
		{name: "knapsackBucketSize", about: "tokens of a bucket of the knapsack; sizes are rounded up to whole buckets", value: whole[Tokens]{&p.BucketSize, 1, MaxTokens}},
		{name: "streamBatchSize", about: "items of one batch of the stream", value: whole[int]{&p.BatchSize, 1, maxCount}},
		{name: "quotas", about: "shares of the room by kind", value: quotaList(&p.Quotas)},
		{name: "countQuotas", about: "numbers of items by kind", value: countQuotaList(&p.CountQuotas)},
		{name: "scarcityBehavior", about: "what happens where a kind has fewer items than its count quota requires", value: word[Scarcity]{to: &p.Scarcity, known: Scarcities()}},
		{name: "placerType", about: "what orders the selected items", value: word[PlacerType]{to: &p.Placer, known: PlacerTypes()}, presence: always},
		{name: "deduplicationEnabled", about: "keep one of several items with the same content", value: truth{&p.Deduplicate}, presence: always},
		{name: "overflowStrategy", about: "what happens where the result is above the target", value: word[OverflowStrategy]{to: &p.Overflow, known: OverflowStrategies()}, presence: always},
		{name: "keepPairs", about: "select a tool call and its result as one item; not Cupel's", value: truth{&p.KeepPairs}},
	}}
}

var policyLayout = layout[Policy]{policyTable, new(sync.Pool)}

func policyReader() reader {
	return reader{fail: func(field, reason string) error { return &PolicyError{field, reason} }}
}

// ParsePolicy reads Cupel's policy JSON and validates it. A field that is
// missing or null gets its default. Keys are camelCase and case-sensitive, as
// the .NET library reads them. The error is a *PolicyError that names the
// field; an unknown field, a field given twice and fields that do not belong
// together are errors.
func ParsePolicy(data []byte) (Policy, error) {
	if err := jsonwalk.Check(data); err != nil {
		return Policy{}, &PolicyError{"", "is not JSON: " + err.Error()}
	}
	p := NewPolicy()
	b := policyLayout.bind(&p, 0)
	defer policyLayout.unbind(b)
	if err := policyReader().table("", data, b.table); err != nil {
		return Policy{}, err
	}
	if err := b.value.Validate(); err != nil {
		return Policy{}, err
	}
	return b.value, nil
}

// JSON returns the policy as Cupel's policy JSON, indented, with a newline at
// the end. ParsePolicy reads back the same policy. If the policy is invalid,
// the error is as for Validate.
func (p Policy) JSON() ([]byte, error) {
	compact, err := p.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, compact, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// NotCupel returns what in the policy is not part of Cupel, each with its
// field: scorers, also those within scorers, the slicer, and pairs as one item.
// Cupel can load the policy if the list is empty.
func (p Policy) NotCupel() []string {
	var all []string
	eachScorer("scorers", p.Scorers, func(at string, s *Scorer) {
		if s.Type.ours() {
			all = append(all, at+" is "+string(s.Type))
		}
	})
	if p.Slicer.Ours() {
		all = append(all, "slicerType is "+string(p.Slicer))
	}
	if p.KeepPairs {
		all = append(all, "keepPairs")
	}
	return all
}

// CupelJSON returns the JSON of a policy that Cupel is to load. If the policy
// uses something that is not part of Cupel, the error names all of it; otherwise the
// error is as for JSON.
func (p Policy) CupelJSON() ([]byte, error) {
	if ours := p.NotCupel(); len(ours) > 0 {
		return nil, fmt.Errorf("%s: not Cupel's, which could not load the policy", strings.Join(ours, ", "))
	}
	return p.JSON()
}

// MarshalJSON returns the policy as policy JSON on one line. The error is that
// of Validate.
func (p Policy) MarshalJSON() ([]byte, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	b := policyLayout.bind(&p, 0)
	defer policyLayout.unbind(b)
	var w writer
	w.table(b.table)
	return w.Bytes(), nil
}

// UnmarshalJSON sets p to what ParsePolicy reads. On an error p keeps its
// value.
func (p *Policy) UnmarshalJSON(data []byte) error {
	next, err := ParsePolicy(data)
	if err == nil {
		*p = next
	}
	return err
}
