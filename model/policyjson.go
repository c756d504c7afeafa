package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"cupelscope/model/internal/jsonwalk"
)

// policyFields are what a policy may have. "quotas": [] and "countQuotas": []
// are how .NET writes that there are none.
func policyFields() []string {
	return []string{"name", "description", "scorers", "slicerType", "knapsackBucketSize", "streamBatchSize",
		"quotas", "countQuotas", "scarcityBehavior", "placerType", "deduplicationEnabled", "overflowStrategy"}
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
		return Policy{}, &PolicyError{"policy", "is " + jsonName(data) + ", must be an object"}
	}
	r := reader{fail: func(field, reason string) error { return &PolicyError{field, reason} }}
	p := NewPolicy()
	err := r.object("", data, policyFields(), func(field, key string, raw []byte) (err error) {
		switch key {
		case "name":
			return r.text(field, raw, &p.Name)
		case "description":
			return r.text(field, raw, &p.Description)
		case "scorers":
			p.Scorers, err = r.scorers(field, raw, 0)
			return err
		case "slicerType":
			return r.text(field, raw, (*string)(&p.Slicer))
		case "knapsackBucketSize":
			if p.BucketSize, err = r.tokens(field, raw); err == nil && p.BucketSize < 1 {
				return r.fail(field, fmt.Sprintf("is %d, must be 1 to %v", int64(p.BucketSize), MaxTokens))
			}
			return err
		case "streamBatchSize":
			p.BatchSize, err = r.count(field, raw, 1)
			return err
		case "quotas":
			p.Quotas, err = r.quotas(field, raw)
			return err
		case "countQuotas":
			p.CountQuotas, err = r.countQuotas(field, raw)
			return err
		case "scarcityBehavior":
			if err := r.text(field, raw, (*string)(&p.Scarcity)); err != nil {
				return err
			}
			return oneOf(field, p.Scarcity, Scarcities()) // "" is none of them
		case "placerType":
			return r.text(field, raw, (*string)(&p.Placer))
		case "deduplicationEnabled":
			if c := jsonwalk.Type(raw); c != 't' && c != 'f' {
				return r.fail(field, "is "+jsonName(raw)+", must be true or false")
			}
			p.Deduplicate = jsonwalk.Type(raw) == 't'
			return nil
		case "overflowStrategy":
			return r.text(field, raw, (*string)(&p.Overflow))
		}
		return nil
	})
	if err != nil {
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

// MarshalJSON writes the policy on one line; see JSON.
func (p Policy) MarshalJSON() ([]byte, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	var w writer
	w.open('{')
	if p.Name != "" {
		w.text("name", p.Name)
	}
	if p.Description != "" {
		w.text("description", p.Description)
	}
	w.scorers("scorers", p.Scorers)
	w.text("slicerType", string(p.Slicer))
	if p.BucketSize != 0 {
		w.number("knapsackBucketSize", p.BucketSize)
	}
	if p.BatchSize != 0 {
		w.number("streamBatchSize", Tokens(p.BatchSize))
	}
	w.quotas(p.Quotas)
	w.countQuotas(p.CountQuotas)
	if p.Scarcity != "" {
		w.text("scarcityBehavior", string(p.Scarcity))
	}
	w.text("placerType", string(p.Placer))
	w.key("deduplicationEnabled")
	w.WriteString(strconv.FormatBool(p.Deduplicate))
	w.text("overflowStrategy", string(p.Overflow))
	w.shut('}')
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
