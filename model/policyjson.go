package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"cupelscope/model/internal/jsonwalk"
)

// policyTable is the members of a policy, in the order in which they are
// written. "quotas": [] and "countQuotas": [] are how .NET writes that there
// are none.
func policyTable(p *Policy) table {
	return table{rows: []member{
		{name: "name", value: text[string]{&p.Name}},
		{name: "description", value: text[string]{&p.Description}},
		{name: "scorers", value: scorerList(&p.Scorers, 0), presence: required, why: " and may not be empty"},
		{name: "slicerType", value: word[SlicerType]{to: &p.Slicer, known: SlicerTypes()}, presence: always},
		{name: "knapsackBucketSize", value: whole[Tokens]{&p.BucketSize, 1, MaxTokens}},
		{name: "streamBatchSize", value: whole[int]{&p.BatchSize, 1, maxCount}},
		{name: "quotas", value: list[Quota]{to: &p.Quotas, table: quotaTable, together: quotasTogether}},
		{name: "countQuotas", value: list[CountQuota]{to: &p.CountQuotas, table: countQuotaTable, together: countQuotasTogether}},
		{name: "scarcityBehavior", value: word[Scarcity]{to: &p.Scarcity, known: Scarcities()}},
		{name: "placerType", value: word[PlacerType]{to: &p.Placer, known: PlacerTypes()}, presence: always},
		{name: "deduplicationEnabled", value: truth{&p.Deduplicate}, presence: always},
		{name: "overflowStrategy", value: word[OverflowStrategy]{to: &p.Overflow, known: OverflowStrategies()}, presence: always},
		{name: "keepPairs", value: truth{&p.KeepPairs}},
	}}
}

func policyReader() reader {
	return reader{fail: func(field, reason string) error { return &PolicyError{field, reason} }}
}

// ParsePolicy reads Cupel's policy JSON and validates it. Fields that are not
// given get their defaults; null stands for "not given". Keys are camelCase
// and case-sensitive, as the .NET library reads them. The error is a
// *PolicyError that names the field: unknown ones, ones that are there twice
// and ones that do not belong together are errors.
func ParsePolicy(data []byte) (Policy, error) {
	if err := jsonwalk.Check(data); err != nil {
		return Policy{}, &PolicyError{"policy", "is not JSON: " + err.Error()}
	}
	if jsonwalk.Type(data) != '{' {
		return Policy{}, &PolicyError{"policy", "is " + jsonwalk.TypeName(data) + ", must be an object"}
	}
	p := NewPolicy()
	if err := policyReader().table("", data, policyTable(&p)); err != nil {
		return Policy{}, err
	}
	if err := p.Validate(); err != nil {
		return Policy{}, err
	}
	return p, nil
}

// JSON writes the policy as Cupel's policy JSON, indented, with a newline at the
// end. ParsePolicy reads back exactly the same policy. An invalid policy is
// not written: the error is that of Validate.
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

// ErrNotCupel is wrapped by the error for what only this program knows.
var ErrNotCupel = errors.New("not Cupel's")

// NotCupel lists what in a policy is not Cupel's, by field: the slicer,
// scorers within scorers, and pairs as one item. Of an empty list Cupel can load all.
func (p Policy) NotCupel() []string {
	var all []string
	var walk func(at string, s *Scorer)
	each := func(at string, scorers []Scorer) {
		for i := range scorers {
			walk(fmt.Sprintf("%s[%d]", at, i), &scorers[i])
		}
	}
	walk = func(at string, s *Scorer) {
		if s.Type.Ours() {
			all = append(all, fmt.Sprintf("%s is %s", at, s.Type))
		}
		if s.Inner != nil {
			walk(at+".innerScorer", s.Inner)
		}
		each(at+".scorers", s.Scorers)
	}
	each("scorers", p.Scorers)
	if p.Slicer.Ours() {
		all = append(all, "slicerType is "+string(p.Slicer))
	}
	if p.KeepPairs {
		all = append(all, "keepPairs")
	}
	return all
}

// CupelJSON is JSON for a file that Cupel is to load. What Cupel does not know is
// an error that names all of it and wraps ErrNotCupel.
func (p Policy) CupelJSON() ([]byte, error) {
	if ours := p.NotCupel(); len(ours) > 0 {
		return nil, fmt.Errorf("%s: %w, which could not load the policy", strings.Join(ours, ", "), ErrNotCupel)
	}
	return p.JSON()
}

// MarshalJSON writes the policy on one line; see JSON.
func (p Policy) MarshalJSON() ([]byte, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	var w writer
	w.table(policyTable(&p))
	return w.Bytes(), nil
}

// UnmarshalJSON is ParsePolicy.
func (p *Policy) UnmarshalJSON(data []byte) error {
	next, err := ParsePolicy(data)
	if err == nil {
		*p = next
	}
	return err
}
