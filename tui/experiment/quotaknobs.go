package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
)

// The columns of quotas.
const (
	minShare, maxShare    = "min %", "max %"
	leastCount, mostCount = "require", "cap"
)

// Unset is the text for a quota that is not set, as shown and as typed.
const Unset = "-"

// QuotaColumns returns the names of the columns of a kind's quotas, in their order.
func QuotaColumns() []string { return []string{minShare, maxShare, leastCount, mostCount} }

// excludedBy returns why a sort of quotas cannot be set while there is a quota of the
// other sort, and how to remove that.
func excludedBy(sort, other string, kind model.Kind, cell string) string {
	return sort + " cannot be combined with " + other + ": backspace on " + string(kind) + " " + cell + " clears it"
}

// undivided returns that the slicer takes no quotas, or "" if it does.
func (k *policyKnobs) undivided() string {
	if k.policy.Slicer.Divisible() {
		return ""
	}
	return "quotas are not possible with the slicer " + string(k.policy.Slicer) + ": c takes another"
}

// sharesExcluded returns why no share of the room can be set, or "" if one can.
func (k *policyKnobs) sharesExcluded() string {
	if why := k.undivided(); why != "" {
		return why
	}
	switch n := len(k.policy.CountQuotas); n {
	case 0:
		return ""
	case 1:
		return excludedBy("percentages", "counts of items", k.policy.CountQuotas[0].Kind, mostCount)
	default:
		return fmt.Sprintf("percentages cannot be combined with counts of items, which %d kinds have", n)
	}
}

// countsExcluded returns why no number of items can be set, or "" if one can.
func (k *policyKnobs) countsExcluded() string {
	if why := k.undivided(); why != "" {
		return why
	}
	switch n := len(k.policy.Quotas); n {
	case 0:
		return ""
	case 1:
		q := k.policy.Quotas[0]
		cell := maxShare
		switch {
		case q.MinPercent.Set && q.MaxPercent.Set:
			cell = minShare + " and " + maxShare
		case q.MinPercent.Set:
			cell = minShare
		}
		return excludedBy("counts of items", "percentages", q.Kind, cell)
	default:
		return fmt.Sprintf("counts of items cannot be combined with percentages, which %d kinds have", n)
	}
}

// quota adds the rows of a kind's share of the room: the least and the most percent.
func (k *policyKnobs) quota(kind model.Kind) {
	at := slices.IndexFunc(k.policy.Quotas, func(q model.Quota) bool { return q.Kind.Is(kind) })
	var now model.Quota
	if at >= 0 {
		now = k.policy.Quotas[at]
	}
	bound := func(label, help string, v model.Option[float64], beyond float64, set func(*model.Quota, model.Option[float64])) {
		apply := func(v model.Option[float64]) (Setup, error) {
			return k.edit(func(p *model.Policy) {
				i := slices.IndexFunc(p.Quotas, func(q model.Quota) bool { return q.Kind.Is(kind) })
				if i < 0 {
					p.Quotas = append(p.Quotas, model.Quota{Kind: kind})
					i = len(p.Quotas) - 1
				}
				set(&p.Quotas[i], v)
				if q := p.Quotas[i]; !q.MinPercent.Set && !q.MaxPercent.Set {
					p.Quotas = slices.Delete(p.Quotas, i, i+1)
				}
				if len(p.Quotas) == 0 {
					p.Quotas = nil
				}
			})
		}
		value := Unset
		if v.Set {
			value = strconv.FormatFloat(v.Value, 'f', -1, 64)
		}
		k.add(Knob{
			ID: KnobID("quota " + string(kind.Fold()) + " " + label), Label: string(kind) + " " + label, Kind: kind, Column: label, Value: value, Help: help + "; - for none", Excluded: k.sharesExcluded(),
			step: func(dir int, big bool) (Setup, error) {
				by := 1.0
				if big {
					by = 10
				}
				if !v.Set {
					return apply(model.Some(min(100, max(0, beyond+float64(dir)*by))))
				}
				next := v.Value + float64(dir)*by
				if next < 0 || next > 100 {
					return apply(model.Option[float64]{})
				}
				return apply(model.Some(next))
			},
			parse: func(text string) (Setup, error) {
				text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%"))
				if text == Unset || text == "" {
					return apply(model.Option[float64]{})
				}
				n, err := strconv.ParseFloat(text, 64)
				if err != nil {
					return k.now, fmt.Errorf("%s %s: %.20q is not a percentage", kind, label, text)
				}
				return apply(model.Some(n))
			},
			reset: func() Setup {
				next, err := apply(model.Option[float64]{})
				if err != nil {
					return k.now
				}
				return next
			},
		})
	}
	bound(minShare, "held for this kind, percent of the room, 0 to max %", now.MinPercent, 0,
		func(q *model.Quota, v model.Option[float64]) { q.MinPercent = v })
	bound(maxShare, "the most this kind may have, percent of the room, min % to 100", now.MaxPercent, 100,
		func(q *model.Quota, v model.Option[float64]) { q.MaxPercent = v })
}

// countQuota adds the rows of a kind's number of items: the least and the most.
func (k *policyKnobs) countQuota(kind model.Kind) {
	at := slices.IndexFunc(k.policy.CountQuotas, func(q model.CountQuota) bool { return q.Kind.Is(kind) })
	has := k.has[kind.Fold()]
	var now model.CountQuota
	if at >= 0 {
		now = k.policy.CountQuotas[at]
	}
	change := func(q model.CountQuota, keep bool) (Setup, error) {
		return k.edit(func(p *model.Policy) {
			i := slices.IndexFunc(p.CountQuotas, func(q model.CountQuota) bool { return q.Kind.Is(kind) })
			switch {
			case keep && i < 0:
				p.CountQuotas = append(p.CountQuotas, q)
			case keep:
				p.CountQuotas[i] = q
			case i >= 0:
				p.CountQuotas = slices.Delete(p.CountQuotas, i, i+1)
			}
			if len(p.CountQuotas) == 0 {
				p.CountQuotas, p.Scarcity = nil, ""
			}
		})
	}
	bound := func(label, help string, v int, begin func(dir int) model.CountQuota, set func(*model.CountQuota, int)) {
		value := Unset
		if at >= 0 {
			value = strconv.Itoa(v)
		}
		apply := func(n int) (Setup, error) {
			q := now
			if at < 0 {
				q = begin(1)
			}
			set(&q, n)
			return change(q, true)
		}
		k.add(Knob{
			ID: KnobID("count " + string(kind.Fold()) + " " + label), Label: string(kind) + " " + label, Kind: kind, Column: label, Value: value, Help: help + "; - for none", Excluded: k.countsExcluded(),
			step: func(dir int, big bool) (Setup, error) {
				by := 1
				if big {
					by = 10
				}
				if at < 0 {
					return change(begin(dir), true)
				}
				if v+dir*by < 0 {
					return change(model.CountQuota{}, false)
				}
				return apply(v + dir*by)
			},
			parse: func(text string) (Setup, error) {
				text = strings.TrimSpace(text)
				if text == Unset || text == "" {
					return change(model.CountQuota{}, false)
				}
				n, err := strconv.Atoi(text)
				if err != nil {
					return k.now, fmt.Errorf("%s %s: %.20q is not a whole number", kind, label, text)
				}
				return apply(n)
			},
			reset: func() Setup {
				next, err := change(model.CountQuota{}, false)
				if err != nil {
					return k.now
				}
				return next
			},
		})
	}
	bound(leastCount, fmt.Sprintf("the best ones up to this number are in, whatever they cost; the set has %d", has), now.Require,
		func(int) model.CountQuota { return model.CountQuota{Kind: kind, Require: 1, Cap: max(1, has)} },
		func(q *model.CountQuota, n int) { q.Require, q.Cap = n, max(n, q.Cap) })
	bound(mostCount, fmt.Sprintf("at most this many are in; the set has %d", has), now.Cap,
		func(dir int) model.CountQuota { return model.CountQuota{Kind: kind, Cap: max(0, has+min(0, dir))} },
		func(q *model.CountQuota, n int) { q.Cap, q.Require = n, min(n, q.Require) })
}

// scarcity adds the row of what happens if a kind has fewer items than required.
func (k *policyKnobs) scarcity() {
	at := k.policy.Scarcity
	if at == "" {
		at = model.Degrade
	}
	k.add(oneOfKnob(k, "scarcity", "scarcity", "where a kind has fewer items than required", model.Scarcities(), at,
		func(p *model.Policy, s model.Scarcity) { p.Scarcity = s }))
}
