package slicer

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"cupelscope/model"
)

// Quota divides the target among kinds by percentages and lets an inner slicer
// fill the share of each kind. See the Cupel specification, chapter QuotaSlice.
//
// Each kind gets the percentage that its quota requires. The tokens that no
// quota requires are divided among the kinds whose cap allows more, in
// proportion to the tokens of their candidates, each up to its cap. All
// divisions round down, so part of the target may stay unassigned. The zero
// Quota has no quotas and fills with Greedy.
type Quota struct {
	inner  Slicer
	quotas []model.Quota
}

// NewQuota returns a Quota that fills shares with inner. Kinds without a quota
// require nothing and have no cap. It is an error if inner is nil or a Stream,
// which takes items in order of arrival whatever their kind. The error is a
// *model.PolicyError if model.ValidateQuotas rejects the quotas.
func NewQuota(inner Slicer, quotas ...model.Quota) (Quota, error) {
	if err := divisible("quota", inner); err != nil {
		return Quota{}, err
	}
	if err := model.ValidateQuotas(quotas); err != nil {
		return Quota{}, err
	}
	return Quota{inner, slices.Clone(quotas)}, nil
}

// divisible checks that a slicer can fill a part of the target.
func divisible(name string, inner Slicer) error {
	if inner == nil {
		return fmt.Errorf("%s: an inner slicer is required", name)
	}
	if inner.Traits().Batch > 0 {
		return fmt.Errorf("%s: the inner slicer may not be stream, which cannot be divided by kind", name)
	}
	return nil
}

// orGreedy is what the zero value of a wrapping slicer fills with.
func orGreedy(inner Slicer) Slicer {
	if inner == nil {
		return Greedy{}
	}
	return inner
}

// Traits implements Slicer.
func (q Quota) Traits() Traits {
	t := orGreedy(q.inner).Traits()
	t.Percentages, t.Sizes, t.Key, t.FromList = true, false, nil, nil
	return t
}

// Prepare splits the candidates by kind and prepares the inner slicer for each
// kind. It takes O(n + kinds + quotas) on top of that, and a sort of the kinds.
func (q Quota) Prepare(in *Input) Prepared {
	p := &quota{in: in, quotas: q.quotas}
	quotaOf := make(map[model.Kind]int, len(q.quotas)) // by folded kind
	for i, quota := range q.quotas {
		quotaOf[quota.Kind.Fold()] = i
	}
	for id, part := range partition(in) {
		if part.in.Len() == 0 {
			continue
		}
		share := kindShare{part: part, quota: model.Quota{Kind: nameOf(in, id)}, at: part.at[0]}
		if i, ok := quotaOf[share.quota.Kind.Fold()]; ok {
			share.quota = q.quotas[i]
		}
		for _, tokens := range part.in.Tokens {
			share.mass += uint64(tokens)
		}
		p.shares = append(p.shares, share)
	}
	sort.Slice(p.shares, func(i, j int) bool { return p.shares[i].at < p.shares[j].at })
	for i := range p.shares {
		share := &p.shares[i]
		share.slicer = orGreedy(q.inner).Prepare(&share.part.in)
	}
	return p
}

// quota is an Input split by kind.
type quota struct {
	Defaults
	in     *Input
	quotas []model.Quota // all, also of kinds without candidates
	shares []kindShare   // in order of first appearance
}

// kindShare is the candidates of one kind.
type kindShare struct {
	part   part
	at     int32       // position of the first one
	quota  model.Quota // with no bounds if the kind has none
	mass   uint64      // tokens of all its candidates
	slicer Prepared
}

// percentOf is floor(percent/100 * t), the share rounded as float64 rounds it
// before the floor. percent is 0 to 100, t is not negative.
func percentOf(percent float64, t Target) Target { return portion(float64(percent/100), t) }

// portion is percentOf for a share of 0 to 1. It never falls as t grows.
func portion(share float64, t Target) Target {
	p := float64(share * float64(t))
	if p >= float64(t) {
		return t // also where t has more digits than a float64
	}
	return Target(p) // the conversion truncates, which is floor for what is not negative
}

// division is how a target is divided among kinds.
type division struct {
	whole      Target
	unassigned Target // what no quota requires
	sharing    uint64 // mass of the kinds that share what is unassigned
}

// divide divides a target t above 0: O(kinds + quotas).
func (q *quota) divide(t Target) division {
	d := division{whole: t, unassigned: t}
	for _, quota := range q.quotas {
		d.unassigned -= percentOf(quota.Require(), t) // together at most t and a rounding error
	}
	d.unassigned = max(0, d.unassigned)
	for i := range q.shares {
		if require, most := q.shares[i].bounds(t); most > require {
			d.sharing += q.shares[i].mass
		}
	}
	return d
}

// share is what a kind gets, and the arithmetic behind it.
func (d division) share(s *kindShare) KindShare {
	e := KindShare{
		Kind: s.quota.Kind, Candidates: s.part.in.Len(), Quota: s.quota,
		Unassigned: d.unassigned, Mass: s.mass, Sharing: d.sharing,
	}
	e.Require, e.Cap = s.bounds(d.whole)
	if e.Cap > e.Require && d.sharing > 0 {
		e.Shared = portionOf(d.unassigned, s.mass, d.sharing)
	}
	e.Target = min(e.Require+e.Shared, e.Cap)
	return e
}

// portionOf is floor(part * mass / all), exactly; mass <= all, all > 0.
func portionOf(part Target, mass, all uint64) Target {
	hi, lo := bits.Mul64(uint64(part), mass)
	if hi == 0 {
		return Target(lo / all)
	}
	q, _ := bits.Div64(hi, lo, all) // at most part, as mass <= all
	return Target(q)
}

// bounds is what a kind requires and its cap, in tokens at t.
func (s *kindShare) bounds(t Target) (require, most Target) {
	return percentOf(s.quota.Require(), t), percentOf(s.quota.Cap(), t)
}

// Slice implements Prepared: each part by itself. An error of the inner slicer
// gets the name of the kind.
func (q *quota) Slice(ctx context.Context, t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, q.in.Len())
	if t <= 0 {
		return dst, nil
	}
	d := q.divide(t)
	var sel Selection
	for i := range q.shares {
		share := &q.shares[i]
		target := d.share(share).Target
		if target <= 0 {
			continue
		}
		err := ctx.Err()
		if err == nil {
			sel, err = share.slicer.Slice(ctx, target, sel)
		}
		if err != nil {
			return nil, fmt.Errorf("quota for kind %q: %w", share.quota.Kind, err)
		}
		share.part.add(dst, sel)
	}
	return dst, nil
}

// Order implements Prepared: one kind after the other.
func (q *quota) Order() []int32 {
	all := make([]int32, 0, q.in.Len())
	for i := range q.shares {
		share := &q.shares[i]
		for _, p := range outputOrder(share.slicer, &share.part.in) {
			all = append(all, share.part.at[p])
		}
	}
	return all
}
