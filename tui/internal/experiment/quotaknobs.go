package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
)

// The columns of quotas.
const (
	minShare, maxShare = "min %", "max %"
	minCount, maxCount = "require", "cap"
)

// Unset is the text for a quota that is not set, as shown and as typed.
const Unset = "none"

// QuotaColumns returns the names of the columns of a kind's quotas, in their order.
func QuotaColumns() []string { return []string{minShare, maxShare, minCount, maxCount} }

// Requires reports whether the knob is the least number of items of a kind, Caps whether it is the
// largest number or share, Shares whether it is a share of the room, and IsMinShare the least.
func (k *Knob) Requires() bool   { return k.Column == minCount }
func (k *Knob) Caps() bool       { return k.Column == maxCount || k.Column == maxShare }
func (k *Knob) Shares() bool     { return k.IsMinShare() || k.Column == maxShare }
func (k *Knob) IsMinShare() bool { return k.Column == minShare }

// excludedBy returns why a quota of one sort cannot be set while kinds have quotas of the other
// sort, what to set instead, and how to clear the other quota if only one kind has any.
func excludedBy(sort, other, instead string, kinds int, kind model.Kind, cell string) string {
	why := sort + " cannot be combined with " + other + ": take " + instead
	if kinds > 1 {
		return fmt.Sprintf("%s; %d kinds have %s", why, kinds, other)
	}
	return why + ", or backspace on " + kind.Noun() + " " + cell
}

// firstShare warns before the first percentage is set, and shared once there is one.
const (
	firstShare = "One percentage gives every kind a share, by its tokens"
	shared     = "Every kind has a share now, by its tokens"
)

// Undivided returns why no quotas can be set with a slicer, or "" if they can.
func Undivided(slicer model.SlicerType) string {
	if slicer.Divisible() {
		return ""
	}
	return "quotas are not possible with the slicer " + string(slicer) + ": c takes another"
}

// sharesExcluded returns why no share of the room can be set for a kind, or "" if one can.
func (k *policyKnobs) sharesExcluded(kind model.Kind, column string) string {
	if why := Undivided(k.policy.Slicer); why != "" || len(k.policy.CountQuotas) == 0 {
		return why
	}
	instead := kind.Noun() + " " + maxCount
	if column == minShare {
		instead = kind.Noun() + " " + minCount
	}
	q, cell := k.policy.CountQuotas[0], maxCount
	if q.Require > 0 {
		cell = minCount
	}
	return excludedBy("percentages", "counts", instead, len(k.policy.CountQuotas), q.Kind, cell)
}

// countsExcluded returns why no number of items can be set for a kind, or "" if one can.
func (k *policyKnobs) countsExcluded(kind model.Kind, column string) string {
	if why := Undivided(k.policy.Slicer); why != "" || len(k.policy.Quotas) == 0 {
		return why
	}
	q := k.policy.Quotas[0]
	cell := maxShare
	switch {
	case q.MinPercent.Set && q.MaxPercent.Set:
		cell = minShare + " and " + maxShare
	case q.MinPercent.Set:
		cell = minShare
	}
	instead := kind.Noun() + " " + maxShare
	if column == minCount {
		instead = kind.Noun() + " " + minShare + " or pin an item"
	}
	return excludedBy("counts", "percentages", instead, len(k.policy.Quotas), q.Kind, cell)
}

// cell adds the row of one bound of a kind's quota, given its kind, column, value, help
// and what a step and a number that is typed do; sort is the sort of quota. set says that the
// bound has a value, which clear removes.
func (k *policyKnobs) cell(sort string, row Knob, set bool, clear func() (Setup, error)) {
	row.ID, row.Label = KnobID(sort+" "+string(row.Kind.Fold())+" "+row.Column), row.Kind.Noun()+" "+row.Column
	row.Words += " " + namesOf(row.Kind)
	row.Help += "; " + Unset + " clears it"
	if !set {
		row.Value = Unset
	}
	parse := row.parse
	row.parse = func(text string) (Setup, error) {
		if text = strings.TrimSpace(text); strings.EqualFold(text, Unset) || text == "-" || text == "" {
			return clear()
		}
		return parse(text)
	}
	row.reset = func() Setup {
		next, err := clear()
		if err != nil {
			return k.now
		}
		return next
	}
	k.add(row)
}

// boundField is the Field of a bound in entry at of a list; below 0 there is none.
func boundField(list string, at int, member string) string {
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("%s[%d].%s", list, at, member)
}

// by returns how far a step of a quota goes.
func by(dir int, big bool) int {
	if big {
		return 10 * dir
	}
	return dir
}

// quota adds the rows of a kind's share of the room: the least and the most percent.
func (k *policyKnobs) quota(kind model.Kind) {
	of := func(q model.Quota) bool { return q.Kind.Is(kind) }
	var now model.Quota
	at := slices.IndexFunc(k.policy.Quotas, of)
	if at >= 0 {
		now = k.policy.Quotas[at]
	}
	warns := shared
	if len(k.policy.Quotas) == 0 {
		warns = firstShare
	}
	bound := func(column, member, help string, v model.Option[float64], beyond float64, set func(*model.Quota, model.Option[float64])) {
		apply := func(v model.Option[float64]) (Setup, error) {
			return k.edit(func(p *model.Policy) {
				i := slices.IndexFunc(p.Quotas, of)
				if i < 0 {
					i, p.Quotas = len(p.Quotas), append(p.Quotas, model.Quota{Kind: kind})
				}
				if set(&p.Quotas[i], v); !p.Quotas[i].MinPercent.Set && !p.Quotas[i].MaxPercent.Set {
					p.Quotas = slices.Delete(p.Quotas, i, i+1)
				}
				if len(p.Quotas) == 0 {
					p.Quotas = nil
				}
			})
		}
		unset := model.Option[float64]{}
		k.cell("quota", Knob{
			Kind: kind, Column: column, Value: strconv.FormatFloat(v.Value, 'f', -1, 64), Number: model.Some(v.Or(beyond)), Field: boundField("quotas", at, member),
			Help: help, Warns: warns, Excluded: k.sharesExcluded(kind, column),
			step: func(dir int, big bool) (Setup, error) {
				next := v.Value + float64(by(dir, big))
				switch {
				case !v.Set:
					return apply(model.Some(min(100, max(0, beyond+float64(by(dir, big))))))
				case next < 0 || next > 100:
					return apply(unset)
				}
				return apply(model.Some(next))
			},
			parse: func(text string) (Setup, error) {
				n, err := model.ParsePercent(text)
				if err != nil {
					return k.now, fmt.Errorf("%s %s: %w", kind.Noun(), column, err)
				}
				return apply(model.Some(n))
			},
		}, v.Set, func() (Setup, error) { return apply(unset) })
	}
	bound(minShare, "minPercent", "at least this % of the room, 0 to max %", now.MinPercent, 0,
		func(q *model.Quota, v model.Option[float64]) { q.MinPercent = v })
	bound(maxShare, "maxPercent", "at most this % of the room, min % to 100", now.MaxPercent, 100,
		func(q *model.Quota, v model.Option[float64]) { q.MaxPercent = v })
}

// countQuota adds the rows of a kind's number of items: the least and the most.
func (k *policyKnobs) countQuota(kind model.Kind) {
	at := slices.IndexFunc(k.policy.CountQuotas, func(q model.CountQuota) bool { return q.Kind.Is(kind) })
	has := k.e.ofKinds()[kind.Fold()]
	var now model.CountQuota
	if at >= 0 {
		now = k.policy.CountQuotas[at]
	}
	put := func(q model.CountQuota) (Setup, error) {
		return k.edit(func(p *model.Policy) {
			if at < 0 {
				p.CountQuotas = append(p.CountQuotas, q)
			} else {
				p.CountQuotas[at] = q
			}
		})
	}
	remove := func() (Setup, error) { return k.withoutCountQuota(at) }
	bound := func(column, member, help string, v int, begin func(dir int) model.CountQuota, set func(*model.CountQuota, int)) {
		apply := func(n int) (Setup, error) {
			q := now
			if at < 0 {
				q = begin(1)
			}
			set(&q, n)
			return put(q)
		}
		k.cell("count", Knob{
			Kind: kind, Column: column, Value: strconv.Itoa(v), Number: model.Some(float64(v)), Field: boundField("countQuotas", at, member),
			Help: help, Excluded: k.countsExcluded(kind, column),
			step: func(dir int, big bool) (Setup, error) {
				next := v + by(dir, big)
				switch {
				case at < 0:
					return put(begin(dir))
				case next < 0:
					return remove()
				}
				return apply(next)
			},
			parse: func(text string) (Setup, error) {
				n, err := strconv.Atoi(text)
				if err != nil {
					return k.now, fmt.Errorf("%s %s: %.20q is not a whole number", kind.Noun(), column, text)
				}
				return apply(n)
			},
		}, at >= 0, remove)
	}
	bound(minCount, "requireCount", fmt.Sprintf("at least this many are selected, those with the highest scores, however large; the set has %d", has), now.Require,
		func(int) model.CountQuota { return model.CountQuota{Kind: kind, Require: 1, Cap: max(1, has)} },
		func(q *model.CountQuota, n int) { q.Require, q.Cap = n, max(n, q.Cap) })
	bound(maxCount, "capCount", fmt.Sprintf("at most this many are selected; the set has %d", has), now.Cap,
		func(dir int) model.CountQuota { return model.CountQuota{Kind: kind, Cap: max(0, has+min(0, dir))} },
		func(q *model.CountQuota, n int) { q.Cap, q.Require = n, min(n, q.Require) })
}

// withoutCountQuota returns the setup without a count quota, which is given by its index;
// below 0: there is none.
func (k *policyKnobs) withoutCountQuota(at int) (Setup, error) {
	return k.edit(func(p *model.Policy) {
		if at >= 0 {
			p.CountQuotas = slices.Delete(p.CountQuotas, at, at+1)
		}
		if len(p.CountQuotas) == 0 {
			p.CountQuotas, p.Scarcity = nil, ""
		}
	})
}

// scarcity adds the row of what happens if a kind has fewer items than required.
func (k *policyKnobs) scarcity() {
	k.add(oneOfKnob(k, "scarcity", "scarcity", "where a kind has fewer items than required", model.Scarcities(), cmp.Or(k.policy.Scarcity, model.Degrade),
		func(p *model.Policy, s model.Scarcity) { p.Scarcity = s }))
}
