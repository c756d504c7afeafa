package command

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/quality"
)

// totals sums up all cases so far. Its size does not depend on their number.
type totals struct {
	sources int // number of cases, each counted once for all budgets
	all     tally
	budgets []tally // by budget asked for
	specs   []quality.Amount
	kinds   map[model.Kind]*kindPart
	more    kindPart // kinds beyond maxKinds
	worst   []worstCase
	keep    int

	policies       [2]sideName     // of A and B
	recorded       bool            // one of the two sides is a recorded result
	sized          bool            // in some case items may be cut
	unlike         bool            // in some case the two do not rank by the same scores
	estimated      int             // sources with token counts that are estimates
	guessedBudgets int             // sources compared at a guessed budget
	items          []differingItem // of the only case
	failures       failures
}

// maxKinds bounds the number of kinds that are counted separately.
const maxKinds = 1000

// sideName is the name that all policies of a side share; "" if they differ.
type sideName struct {
	name string
	seen bool
}

func (n *sideName) add(name string) {
	if n.seen && name != n.name {
		name = ""
	}
	n.name, n.seen = name, true
}

// tally sums cases at one budget, or at all budgets.
type tally struct {
	cases, differing int
	worse, better    int // cases in which B's items are worth less, or more, than A's
	difference
	sides     [2]sideTally // A and B
	valueBByA float64
}

type sideTally struct {
	value  float64
	gaps   float64
	maxGap float64
	known  int // number of cases whose gap is known
}

func (t *sideTally) add(s caseSide) {
	t.value += s.value
	if s.gap.Set {
		t.known++
		t.gaps += s.gap.Value
		t.maxGap = max(t.maxGap, s.gap.Value)
	}
}

func (t *tally) add(c *caseAt) {
	t.cases++
	if c.differs() {
		t.differing++
	}
	switch worth := c.worth(); {
	case worth < 0:
		t.worse++
	case worth > 0:
		t.better++
	}
	t.difference.add(c.difference)
	for k, side := range c.sides {
		t.sides[k].add(side)
	}
	t.valueBByA += c.valueBByA
}

// worth is like caseAt.worth, for all cases together.
func (t *tally) worth() float64 { return worth(t.sides[0].value, t.valueBByA) }

// worstCase is a case at a budget that differs much.
type worstCase struct {
	name string
	caseAt
}

func (t *totals) add(r caseResult) {
	t.sources++
	if r.err != nil {
		t.failures.add(r.name, r.err)
		return
	}
	for k, name := range r.policies {
		t.policies[k].add(name)
	}
	t.unlike = t.unlike || !r.alike
	t.sized = t.sized || r.sized
	if r.estimates > 0 {
		t.estimated++
	}
	if slices.ContainsFunc(r.at, func(c caseAt) bool { return c.budgetGuessed }) {
		t.guessedBudgets++
	}
	for k := range r.at {
		c := &r.at[k]
		if c.err != nil {
			t.failures.add(r.name, c.err)
			continue
		}
		t.all.add(c)
		t.items = c.items
		if t.all.cases > 1 {
			t.items = nil
		}
		c.items = nil
		t.budgets[k].add(c)
		for _, p := range c.kinds {
			t.kind(p)
		}
		c.kinds = nil
		t.rank(worstCase{r.name, *c})
	}
}

// counted says how many cases were looked at, and how often they were compared.
func (t *totals) counted() string {
	text := plain.Count(t.sources, "case")
	if t.all.cases != t.sources {
		text += ", " + plain.Count(t.all.cases, "comparison")
	}
	return text
}

func (t *totals) kind(p kindPart) {
	to, known := t.kinds[p.kind.Fold()]
	switch {
	case known:
	case len(t.kinds) >= maxKinds:
		to = &t.more
	default:
		to = &kindPart{kind: p.kind}
		t.kinds[p.kind.Fold()] = to
	}
	to.add(p.difference)
}

// rank keeps the cases that differ most in worth, then in items. Among equals it
// keeps the first.
func (t *totals) rank(c worstCase) {
	if !c.differs() || t.keep == 0 {
		return
	}
	at := sort.Search(len(t.worst), func(at int) bool {
		worth, kept := math.Abs(c.worth()), math.Abs(t.worst[at].worth())
		return worth > kept || worth == kept && c.count() > t.worst[at].count()
	})
	if at == t.keep {
		return
	}
	t.worst = append(t.worst, c)
	copy(t.worst[at+1:], t.worst[at:])
	t.worst[at] = c
	t.worst = t.worst[:min(len(t.worst), t.keep)]
}

// byKind returns the kinds with items that differ, those with most items first.
func (t *totals) byKind() []kindPart {
	var all []kindPart
	for _, p := range t.kinds {
		all = append(all, *p)
	}
	sort.Slice(all, func(i, j int) bool {
		return cmp.Or(cmp.Compare(all[j].count(), all[i].count()), cmp.Compare(all[i].kind, all[j].kind)) < 0
	})
	if t.more.differs() {
		t.more.kind = "(other kinds)"
		all = append(all, t.more)
	}
	return all
}

// failures counts the cases that could not be answered, by reason.
type failures struct {
	count int
	first error
	kinds map[errorCode]*failure
}

type failure struct {
	count int
	name  string // the first case's name
	says  string
}

func (f *failures) add(name string, err error) {
	f.count++
	if f.first == nil {
		f.first = err
		if !strings.HasPrefix(err.Error(), name+":") { // a source's error already names the source
			f.first = fmt.Errorf("%s: %w", name, err)
		}
		f.kinds = map[errorCode]*failure{}
	}
	code := codeOf(err)
	if f.kinds[code] == nil {
		f.kinds[code] = &failure{name: name, says: strings.TrimPrefix(messageOf(err), name+": ")}
	}
	f.kinds[code].count++
}

// conclude writes what failed. If nothing was answered, it returns the first
// reason as the error, or an error with the text empty if there is none.
func (f *failures) conclude(s Streams, answered int, what, outcome, empty string) error {
	if answered > 0 || f.count > 1 { // else the error says it
		f.say(s, what, outcome)
	}
	if answered > 0 {
		return nil
	}
	return cmp.Or(f.first, errors.New(empty))
}

// say writes a line for each reason, with the number of cases. what is the noun for
// a case, and outcome says what happened to it.
func (f *failures) say(s Streams, what, outcome string) {
	for _, code := range slices.Sorted(maps.Keys(f.kinds)) {
		k := f.kinds[code]
		s.say("%s %s (%s), first %s: %s", plain.Count(k.count, what), outcome, code, k.name, k.says)
	}
}
