package model

import (
	"fmt"
	"sync"
)

// Quota bounds the share of the target that items of one kind get: at least
// MinPercent is reserved for them, and they get at most MaxPercent. At least
// one of the two must be set.
type Quota struct {
	Kind       Kind
	MinPercent Option[float64] // 0 to 100; not set: 0
	MaxPercent Option[float64] // 0 to 100, at least MinPercent; not set: 100
}

// Require returns MinPercent, or 0 if it is not set.
func (q Quota) Require() float64 { return q.MinPercent.Value }

// Cap returns MaxPercent, or 100 if it is not set.
func (q Quota) Cap() float64 { return q.MaxPercent.Or(100) }

// CountQuota bounds the number of items of one kind in the result: the best
// Require of them are selected whatever they cost, and never more than Cap.
type CountQuota struct {
	Kind    Kind
	Require int // 0 to Cap
	Cap     int // at least Require; 0: no item of the kind is selected
}

// Scarcity says what happens when a kind has fewer items than its CountQuota
// requires. It is spelled as in policy JSON.
type Scarcity string

const (
	Degrade      Scarcity = "degrade" // all items of the kind are selected, and Report.Shortfalls has what is missing
	ScarcityFail Scarcity = "throw"   // the run fails with a *ScarcityError
)

// Scarcities returns all values of Scarcity, in the order in which an editor
// offers them.
func Scarcities() []Scarcity { return []Scarcity{Degrade, ScarcityFail} }

func quotaTable(q *Quota, _ nesting) table {
	return table{rows: []member{
		{name: "kind", about: "the kind of the items; upper and lower case are the same", value: text[Kind]{&q.Kind}, presence: present},
		{name: "minPercent", about: "percent of the room for the kind at least; 0 if missing", value: optionalReal{to: &q.MinPercent, bounds: zeroToHundred}, axis: "min", perUnit: perPercent},
		{name: "maxPercent", about: "percent of the room for the kind at most; 100 if missing", value: optionalReal{to: &q.MaxPercent, bounds: zeroToHundred, otherwise: 100}, axis: "max", perUnit: perPercent},
	}}
}

var keptQuotas, keptCountQuotas sync.Pool // see layout

func quotaList(to *[]Quota) list[Quota] {
	return list[Quota]{to: to, layout: layout[Quota]{quotaTable, &keptQuotas}, together: quotasTogether}
}

func countQuotaList(to *[]CountQuota) list[CountQuota] {
	return list[CountQuota]{to: to, layout: layout[CountQuota]{countQuotaTable, &keptCountQuotas}, together: countQuotasTogether}
}

func countQuotaTable(q *CountQuota, _ nesting) table {
	return table{rows: []member{
		{name: "kind", about: "the kind of the items; upper and lower case are the same", value: text[Kind]{&q.Kind}, presence: present},
		{name: "requireCount", about: "items of the kind that are selected whatever they cost", value: whole[int]{&q.Require, 0, maxCount}, presence: present, axis: "require", perUnit: 1},
		{name: "capCount", about: "items of the kind that are selected at most", value: whole[int]{&q.Cap, 0, maxCount}, presence: present, axis: "cap", perUnit: 1},
	}}
}

// quotasFit reports quotas that contradict other fields of the policy.
func (p Policy) quotasFit() error {
	switch {
	case p.Scarcity != "" && len(p.CountQuotas) == 0:
		return &PolicyError{"scarcityBehavior", "is given, but there are no countQuotas: nothing can be scarce"}
	case len(p.Quotas) > 0 && !p.Slicer.Divisible():
		return &PolicyError{"quotas", "are given, but slicerType is \"" + string(p.Slicer) + "\", which cannot be divided by kind"}
	case len(p.Quotas) > 0 && len(p.CountQuotas) > 0:
		return &PolicyError{"quotas", "stand beside countQuotas: a policy has shares of the room or numbers of items, take one away"}
	case len(p.CountQuotas) > 0 && !p.Slicer.Divisible():
		return &PolicyError{"countQuotas", "are given, but slicerType is \"" + string(p.Slicer) + "\", which cannot be divided by kind"}
	}
	return nil
}

// requireSlack is by how much the sum of the required percentages may exceed
// 100, because they are rounded: three thirds must pass.
const requireSlack = 1e-9

// ValidateQuotas reports the first thing that is wrong with the quotas as a
// *PolicyError, or nil. An empty list is valid.
func ValidateQuotas(all []Quota) error {
	return quotaList(&all).check(policyReader(), "quotas")
}

func quotasTogether(r reader, field string, all []Quota) error {
	seen := kindsSeen{}
	sum := 0.0
	for i, q := range all {
		at := fmt.Sprintf("%s[%d]", field, i)
		if err := seen.add(r, at, q.Kind); err != nil {
			return err
		}
		switch {
		case !q.MinPercent.Set && !q.MaxPercent.Set:
			return r.fail(at, fmt.Sprintf("has neither minPercent nor maxPercent for kind %q: one of them is required", q.Kind))
		case q.Require() > q.Cap():
			return r.fail(at+".minPercent", fmt.Sprintf("is %v, must be at most maxPercent, which is %v", q.Require(), q.Cap()))
		}
		sum += q.Require()
	}
	if sum > 100+requireSlack {
		return r.fail(field, fmt.Sprintf("require %v percent together (minPercent), must be at most 100", sum))
	}
	return nil
}

// ValidateCountQuotas reports the first thing that is wrong with the count
// quotas as a *PolicyError, or nil. An empty list is valid.
func ValidateCountQuotas(all []CountQuota) error {
	return countQuotaList(&all).check(policyReader(), "countQuotas")
}

func countQuotasTogether(r reader, field string, all []CountQuota) error {
	seen := kindsSeen{}
	for i, q := range all {
		at := fmt.Sprintf("%s[%d]", field, i)
		if err := seen.add(r, at, q.Kind); err != nil {
			return err
		}
		switch {
		case q.Cap == 0 && q.Require > 0:
			return r.fail(at+".capCount", fmt.Sprintf("is 0, but requireCount is %d: that can never be met", q.Require))
		case q.Require > q.Cap:
			return r.fail(at+".requireCount", fmt.Sprintf("is %d, must be at most capCount, which is %d", q.Require, q.Cap))
		}
	}
	return nil
}

// kindsSeen holds the folded kinds of the entries read so far.
type kindsSeen map[Kind]bool

func (s kindsSeen) add(r reader, at string, k Kind) error {
	switch {
	case k.IsBlank():
		return r.fail(at+".kind", "is blank")
	case s[k.Fold()]:
		return r.fail(at+".kind", fmt.Sprintf("%q appears twice; upper and lower case are the same", k))
	}
	s[k.Fold()] = true
	return nil
}
