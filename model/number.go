package model

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cupelscope/model/plain"
)

// Number is a number of a policy or a budget that changes what is selected, and the grid
// of values that it may take: First to Last, each divided by PerUnit. The rows of
// scorers, quotas, slicers and budgets say which members are Numbers.
type Number struct {
	Name    string // "weight:recency", "bucket", "safety-margin"; the second of a name ends with ".2"
	Field   string // as in errors: "scorers[0].weight", "reservedSlots.Memory"
	Value   float64
	Percent bool
	PerUnit int64 // values of the grid in 1: 1000 is a grid of 0.001
	First   int64 // of the grid, in 1/PerUnit
	Last    int64
	// OfBudget reports that the number is a field of the budget: it changes the room and
	// nothing else.
	OfBudget bool

	set func(*Policy, *BudgetFields, float64)
}

// Numbers returns the numbers of a policy and a budget, which must be valid. The
// maximum is not among them: a budget axis has its own. A slot is among them for each of
// the kinds and where it is set. A grid ends at ten times the value, at least at 10 and after
// 1,000 values, or where the policy or the budget refuses more. A policy of more than maxNumbered
// scorers and quotas has none, because each is tried in the whole policy.
func Numbers(p Policy, b Budget, kinds []Kind) []Number {
	n := numbers{policy: p.Clone(), budget: b.Fields(), named: map[string]int{}}
	listed := len(p.Quotas) + len(p.CountQuotas)
	eachScorer("scorers", p.Scorers, func(string, *Scorer) { listed++ })
	each := listed <= maxNumbered
	if each {
		n.scorers(func(p *Policy) []Scorer { return p.Scorers }, "scorers")
	}
	if size := p.Slicer.row().size; size != nil {
		n.add(Number{Name: size.Label, Field: size.Field, Value: float64(size.value(p)), PerUnit: 1, First: 1, Last: int64(size.max), set: func(p *Policy, _ *BudgetFields, v float64) {
			size.set(p, Tokens(v))
		}})
	}
	if each {
		for i, q := range p.Quotas {
			n.rows(fmt.Sprintf("quotas[%d]", i), string(q.Kind), quotaTable(&q, 0), true, func(p *Policy, row int, v float64) {
				quotaTable(&p.Quotas[i], 0).set(row, v)
			})
		}
		for i, q := range p.CountQuotas {
			n.rows(fmt.Sprintf("countQuotas[%d]", i), string(q.Kind), countQuotaTable(&q, 0), true, func(p *Policy, row int, v float64) {
				countQuotaTable(&p.CountQuotas[i], 0).set(row, v)
			})
		}
	}
	for _, f := range budgetFields {
		switch {
		case f.Name == FieldMaxTokens:
		case f.Slots != nil:
			n.slots(f, kinds)
		default:
			one := Number{Name: f.Flag, Field: f.Name, Value: f.Number(&n.budget), PerUnit: 1, Last: int64(n.budget.MaxTokens), OfBudget: true,
				set: func(_ *Policy, b *BudgetFields, v float64) { f.SetNumber(b, v) }}
			if f.Percent != nil {
				one.PerUnit, one.Last = perPercent, 100*perPercent
			}
			n.add(one)
		}
	}
	return n.all
}

// maxNumbered is the largest number of scorers, inner ones included, and quotas of a policy
// whose numbers are listed.
const maxNumbered = 100

// FindNumber returns the number of a name, which may be of another case. The error lists
// the names that there are.
func FindNumber(all []Number, name string) (Number, error) {
	if i := slices.IndexFunc(all, func(n Number) bool { return strings.EqualFold(n.Name, name) }); i >= 0 {
		return all[i], nil
	}
	names := plain.Texts(all, func(n Number) string { return n.Name })
	return Number{}, fmt.Errorf("%.40q is no number of this policy or budget; there are %s", name, strings.Join(names, ", "))
}

// At returns the value at a point of the grid, the float64 nearest to it.
func (n Number) At(point int64) float64 { return float64(point) / float64(n.PerUnit) }

// Point returns the point of the grid that has a value; false: none has it.
func (n Number) Point(v float64) (int64, bool) {
	if !(v >= 0 && v <= maxPoint/float64(n.PerUnit)) {
		return 0, false
	}
	k := int64(v*float64(n.PerUnit) + 0.5)
	return k, n.At(k) == v
}

// Set returns a policy and a budget with another value of the number. They may be invalid.
func (n Number) Set(p Policy, b BudgetFields, v float64) (Policy, BudgetFields) {
	if !n.OfBudget {
		p = p.Clone()
	}
	n.set(&p, &b, v)
	return p, b
}

// Fits returns the error of Policy.Validate or NewBudget for a policy or a budget with the
// value at a point.
func (n Number) Fits(p Policy, b BudgetFields, point int64) error {
	p, b = n.Set(p, b, n.At(point))
	if n.OfBudget {
		_, err := NewBudget(b)
		return err
	}
	return p.Validate()
}

// Text returns a value of the number as it is typed: "0.001".
func (n Number) Text(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// numbers collects the numbers of a policy and a budget.
type numbers struct {
	policy Policy
	budget BudgetFields
	named  map[string]int
	all    []Number
}

// minLast is the least value at which a grid ends, and minPoints the least number of points
// that it then has, unless the policy accepts fewer.
const minLast, minPoints = 10, 1000

// maxPoint keeps the points of a grid exact as float64.
const maxPoint = 1 << 40

// add adds a number whose First and Last are its least and its largest value. It narrows the
// grid to what the policy and the budget accept, which is a range around the value.
func (n *numbers) add(one Number) {
	if n.named[one.Name]++; n.named[one.Name] > 1 {
		one.Name += "." + strconv.Itoa(n.named[one.Name])
	}
	one.Percent = one.PerUnit == perPercent
	at := min(one.Value*float64(one.PerUnit), maxPoint)
	if !one.OfBudget {
		one.Last = min(one.Last, max(10*int64(at), minLast*one.PerUnit, minPoints))
	}
	fits := func(point int64) bool { return one.Fits(n.policy, n.budget, point) == nil }
	below := int64(at)
	if least := one.First; !fits(least) { // most numbers take the whole grid
		one.First += int64(sort.Search(int(max(0, below-least)), func(k int) bool { return fits(least + int64(k)) }))
		if one.First == below && !fits(below) {
			one.First++
		}
	}
	one.Last = max(one.Last, below)
	if !fits(one.Last) {
		one.Last = below + int64(sort.Search(int(one.Last-below), func(k int) bool { return !fits(below + 1 + int64(k)) }))
	}
	n.all = append(n.all, one)
}

// rows adds the numbers among the rows of a table, whose values set changes; weighed says that a weight has
// an effect.
func (n *numbers) rows(at, of string, t table, weighed bool, set func(p *Policy, row int, v float64)) {
	for i, m := range t.rows {
		if m.axis == "" || !t.has(m) || m.name == "weight" && !weighed {
			continue
		}
		now, _ := m.value.(numeric).number()
		n.add(Number{Name: m.axis + ":" + of, Field: at + "." + m.name, Value: now, PerUnit: m.perUnit, Last: maxPoint, set: func(p *Policy, _ *BudgetFields, v float64) {
			set(p, i, v)
		}})
	}
}

func (n *numbers) scorers(list func(*Policy) []Scorer, at string) {
	for i := range list(&n.policy) {
		n.scorer(func(p *Policy) *Scorer { return &list(p)[i] }, fmt.Sprintf("%s[%d]", at, i), true)
	}
}

// scorer adds the numbers of a scorer and of the scorers within it; weighed says that its
// weight has an effect.
func (n *numbers) scorer(of func(*Policy) *Scorer, at string, weighed bool) {
	s := of(&n.policy)
	kept := scorerLayout().bind(s, 0)
	n.rows(at, string(s.Type), kept.table, weighed, func(p *Policy, row int, v float64) {
		b := scorerLayout().bind(of(p), 0)
		b.set(row, v)
		*of(p) = b.value
		scorerLayout().unbind(b)
	})
	scorerLayout().unbind(kept)
	if s.Inner != nil {
		n.scorer(func(p *Policy) *Scorer { return of(p).Inner }, at+".innerScorer", false)
	}
	n.scorers(func(p *Policy) []Scorer { return of(p).Scorers }, at+".scorers")
}

// slots adds the slots that are set and the slots of other kinds.
func (n *numbers) slots(f BudgetField, kinds []Kind) {
	slots := slices.Clone(*f.Slots(&n.budget))
	for _, kind := range kinds {
		if !slices.ContainsFunc(slots, func(s Slot) bool { return s.Kind.Is(kind) }) && !kind.IsBlank() {
			slots = append(slots, Slot{Kind: kind})
		}
	}
	for _, slot := range slots {
		n.add(Number{Name: f.Flag + ":" + string(slot.Kind), Field: f.Name + "." + string(slot.Kind), Value: float64(slot.Tokens), PerUnit: 1, OfBudget: true,
			Last: int64(max(n.budget.MaxTokens, slot.Tokens)), set: func(_ *Policy, b *BudgetFields, v float64) { *b = b.WithSlot(slot.Kind, Tokens(v)) }})
	}
}

// perPercent is how many values the grid of a percentage, and of no other number, has in 1 %.
const perPercent = 10

// NumberNames returns the names of the numbers that policies and budgets may have, without
// the numbers of kinds that are not known, for a completion.
func NumberNames() []string {
	var all []string
	add := func(t table, of []string) {
		for _, m := range t.rows {
			for _, name := range of {
				if m.axis != "" && (m.owners == nil || slices.Contains(m.owners, name)) {
					all = append(all, m.axis+":"+name)
				}
			}
		}
	}
	known := Names(KnownKinds())
	add(scorerTable(new(Scorer), 0), Names(ScorerTypes()))
	add(quotaTable(new(Quota), 0), known)
	add(countQuotaTable(new(CountQuota), 0), known)
	for _, t := range slicerTypes {
		if t.size != nil {
			all = append(all, t.size.Label)
		}
	}
	for _, f := range budgetFields {
		switch {
		case f.Name == FieldMaxTokens:
		case f.Slots != nil:
			for _, kind := range known {
				all = append(all, f.Flag+":"+kind)
			}
		default:
			all = append(all, f.Flag)
		}
	}
	return all
}
