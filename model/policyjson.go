package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"cupelscope/model/internal/jsonwalk"
)

// policyFields and scorerFields are what a policy and its scorers may have.
// "quotas": [] and "countQuotas": [] are how .NET writes that there are none.
func policyFields() []string {
	return []string{"name", "description", "scorers", "slicerType", "knapsackBucketSize", "placerType",
		"deduplicationEnabled", "overflowStrategy", "quotas", "countQuotas"}
}

func scorerFields() []string {
	return []string{"type", "weight", "kindWeights", "tagWeights", "scorers"}
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
		case "quotas", "countQuotas":
			if jsonwalk.Type(raw) != '[' || len(slices.Collect(jsonwalk.Elements(raw))) > 0 {
				return r.fail(field, "must be empty: there are no quota slicers")
			}
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
	w.scorers(p.Scorers)
	w.text("slicerType", string(p.Slicer))
	if p.BucketSize != 0 {
		w.number("knapsackBucketSize", p.BucketSize)
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

func (r reader) scorers(field string, raw []byte, depth int) ([]Scorer, error) {
	if depth > maxNesting {
		return nil, r.fail(field, fmt.Sprintf("is nested more than %d deep", maxNesting))
	}
	if jsonwalk.Type(raw) != '[' {
		return nil, r.fail(field, "is "+jsonName(raw)+", must be an array of scorers")
	}
	all := []Scorer{}
	for element := range jsonwalk.Elements(raw) {
		s, err := r.scorer(fmt.Sprintf("%s[%d]", field, len(all)), element, depth)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func (r reader) scorer(at string, raw []byte, depth int) (s Scorer, err error) {
	if jsonwalk.Type(raw) != '{' {
		return s, r.fail(at, "is "+jsonName(raw)+", must be an object")
	}
	// The type comes first: it explains an unknown field better than the field.
	for key, value := range jsonwalk.Members(raw) {
		if key == "type" {
			if err := r.text(at+".type", value, (*string)(&s.Type)); err != nil {
				return s, err
			}
			if err := oneOf(at+".type", s.Type, ScorerTypes()); err != nil {
				return s, err
			}
		}
	}
	hasWeight := false
	err = r.object(at, raw, scorerFields(), func(field, key string, raw []byte) (err error) {
		switch key {
		case "type":
			return nil
		case "weight":
			hasWeight = true
			s.Weight, err = r.float(field, raw)
		case "kindWeights":
			s.KindWeights = []KindWeight{}
			err = r.object(field, raw, nil, func(field, kind string, raw []byte) error {
				w, err := r.float(field, raw)
				s.KindWeights = append(s.KindWeights, KindWeight{Kind(kind), w})
				return err
			})
		case "tagWeights":
			s.TagWeights = []TagWeight{}
			err = r.object(field, raw, nil, func(field, tag string, raw []byte) error {
				w, err := r.float(field, raw)
				s.TagWeights = append(s.TagWeights, TagWeight{tag, w})
				return err
			})
		case "scorers":
			s.Scorers, err = r.scorers(field, raw, depth+1)
		}
		return err
	})
	switch {
	case err != nil:
		return s, err
	case s.Type == "":
		return s, r.fail(at+".type", "is required")
	case !hasWeight:
		return s, r.fail(at+".weight", "is required")
	}
	return s, nil
}

func (w *writer) scorers(all []Scorer) {
	w.key("scorers")
	w.open('[')
	for i, s := range all {
		if i > 0 {
			w.WriteByte(',')
		}
		w.open('{')
		w.text("type", string(s.Type))
		w.float("weight", s.Weight)
		if s.KindWeights != nil {
			w.key("kindWeights")
			w.open('{')
			for _, k := range s.KindWeights {
				w.float(string(k.Kind), k.Weight)
			}
			w.shut('}')
		}
		if s.TagWeights != nil {
			w.key("tagWeights")
			w.open('{')
			for _, t := range s.TagWeights {
				w.float(t.Tag, t.Weight)
			}
			w.shut('}')
		}
		if s.Scorers != nil {
			w.scorers(s.Scorers)
		}
		w.shut('}')
	}
	w.shut(']')
}
