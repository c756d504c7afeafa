package widget

import (
	"math"
	"slices"
	"sort"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/model/relay"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scratch"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/tui/internal/experiment"
)

// Sort is a column to sort by.
type Sort int

const (
	ByInput Sort = iota
	ByTokens
	ByScore
	ByDensity
	ByFirst
	ByStays
	ByRanges
	ByState
	ByKind
	ByNeeded
	sorts
)

var sortNames = [sorts]string{"input", "tokens", "score", "score/1k", "first in", plain.StaysFrom, "number of ranges", "state", "kind", "needed"}

func (s Sort) String() string { return sortNames[s] }

// SortNames returns the columns as flags name them, in the order of the constants.
func SortNames() []string {
	return []string{"input", "tokens", "score", "density", "first", "stays", "ranges", "state", "kind", "needed"}
}

// SortName returns the column as a flag names it, with a leading - if the order is
// reversed.
func (p *ItemList) SortName() string {
	name := SortNames()[p.sort.by]
	if p.sort.reversed {
		name = "-" + name
	}
	return name
}

// SortNamed sorts by a name in the form of SortName. It returns false if there is no such
// column.
func (p *ItemList) SortNamed(name string) bool {
	rest, reversed := strings.CutPrefix(name, "-")
	by := slices.Index(SortNames(), rest)
	if by < 0 {
		return false
	}
	p.sort = sorting{Sort(by), reversed}
	return true
}

// falling reports whether the natural direction of the column is largest first.
func (s Sort) falling() bool {
	return s == ByTokens || s == ByScore || s == ByDensity || s == ByRanges || s == ByNeeded
}

type sorting struct {
	by       Sort
	reversed bool
}

// SortedBy returns the column that the rows are sorted by.
func (p *ItemList) SortedBy() Sort { return p.sort.by }

// SortBy sorts by a column in its natural direction.
func (p *ItemList) SortBy(by Sort) { p.sort = sorting{by: by} }

// ClickSort sorts by a column, or reverses the order if the rows are sorted by it already.
func (p *ItemList) ClickSort(by Sort) {
	if p.sort.by == by {
		p.Reverse()
		return
	}
	p.SortBy(by)
}

// SortNext sorts by the next column. It skips the column of needed items if none are known.
func (p *ItemList) SortNext() {
	next := (p.sort.by + 1) % sorts
	if next == ByNeeded && !p.labelled {
		next = ByInput
	}
	p.SortBy(next)
}

// Reverse reverses the order.
func (p *ItemList) Reverse() { p.sort.reversed = !p.sort.reversed }

// SortText returns the name of the column that the rows are sorted by, and whether the largest or
// the last come first.
func (p *ItemList) SortText() string {
	s := p.sort.by.String()
	switch {
	case p.sort.by.falling() == p.sort.reversed:
		return s
	case p.sort.by.falling():
		return s + ", most first"
	}
	return s + ", last first"
}

// made holds what the rows were made from; when it changes, they are made anew.
type made struct {
	items   *model.Set
	ranking *pipeline.Ranking
	profile *simulate.Profile
	over    *Over
	report  *model.Report // only where rows depend on the budget
	sort    sorting
	filter  string
	lost    int
	judge   *quality.Judge
	none    bool // there is no result; only where rows depend on the budget
}

// Arrange filters and sorts the rows for an outcome. It does nothing while nothing that
// they depend on has changed. Sorting by input or state costs a pass over the items.
func (p *ItemList) Arrange(o *experiment.Outcome) {
	if o == nil || o.Report == nil {
		p.keepSelected()
		if p.rows != nil {
			p.version++
		}
		p.rows, p.made, p.passed, p.staying, p.out, p.ranges = nil, made{}, passed{}, model.Option[int]{}, nil, ranges{} // they may be rows of other items
		p.Along(nil)
		p.SetLen(0)
		return
	}
	p.labelled, p.out = o.Judge != nil, o
	p.passed.take(o)
	want := made{items: o.Items, sort: p.sort, filter: p.filter.String(), over: p.over}
	switch p.sort.by {
	case ByScore, ByDensity:
		want.ranking = o.Ranking
	case ByFirst, ByStays:
		want.profile = o.Profile
		if o.Profile.Same(p.made.profile) {
			want.profile = p.made.profile
		}
	case ByRanges:
		want.profile = p.ranges.profile
	case ByState:
		want.report, want.lost, want.none = o.Report, len(o.Lost), o.Err != nil
	case ByNeeded:
		want.judge = o.Judge
	}
	if !p.filter.IsZero() {
		want.report, want.lost, want.judge, want.none = o.Report, len(o.Lost), o.Judge, o.Err != nil
	}
	if of := p.made.items; of != nil && of != o.Items && p.sort.by == ByInput && p.filter.IsZero() {
		if _, same := o.Items.Reclassified(of); same { // every item has its row, pinned and excluded or not
			p.made.items = o.Items
		}
	}
	if want == p.made && p.rows != nil && !p.left() {
		return
	}
	p.keepSelected()
	at, on := p.Selected()
	on = on && want.filter == p.made.filter
	p.made, p.staying = want, model.Option[int]{}
	p.version++
	were := p.rows
	pass := p.passing(o)
	on = on && at < len(pass) && !pass[at]
	if on {
		pass[at], p.staying = true, model.Some(at)
	}
	n := 0
	for _, passes := range pass {
		if passes {
			n++
		}
	}
	p.rows = make([]int32, n+1) // work in the background may still read the previous ones
	n = 0
	for i, passes := range pass { // each is written, so that no processor has to guess which passes
		p.rows[n] = int32(i)
		if passes {
			n++
		}
	}
	p.rows = p.rows[:n]
	p.order(o)
	p.SetLen(n)
	if row := slices.Index(were, int32(p.selected)); row >= 0 {
		p.selected = nearest(were, row, pass)
	}
	if on {
		pass[at] = false // other rows may be made of what passed
	}
	p.Select(p.selected)
}

// nearest returns the item of a row of before or, if that is not listed, of the first row below whose
// item is, or else of the last above.
func nearest(before []int32, row int, listed []bool) int {
	is := func(item int32) bool { return int(item) < len(listed) && listed[item] } // before may be rows of other items
	if below := slices.IndexFunc(before[row:], is); below >= 0 {
		return int(before[row+below])
	}
	for above := row - 1; above >= 0; above-- {
		if is(before[above]) {
			return int(before[above])
		}
	}
	return int(before[row])
}

// left reports whether the cursor has left the item that stays.
func (p *ItemList) left() bool {
	at, on := p.Selected()
	return p.staying.Set && !(on && at == p.staying.Value)
}

// keepSelected remembers the item under the cursor before the rows change.
func (p *ItemList) keepSelected() {
	if i, ok := p.Selected(); ok {
		p.selected = i
	}
}

// rowKeys are lent to sorts.
var rowKeys scratch.Pool[uint64]

// order sorts the rows by the column, stably, and then reverses them if the user wants
// that.
func (p *ItemList) order(o *experiment.Outcome) {
	if key := p.key(o); key != nil {
		keys := rowKeys.Lend(o.Items.Len())
		defer keys.Return()
		relay.SpreadEven(len(p.rows), func(from, to int) {
			for _, i := range p.rows[from:to] {
				keys.Of[i] = key(i)
			}
		})
		order.Sort(keys.Of, p.rows)
	}
	if p.sort.reversed {
		slices.Reverse(p.rows)
	}
}

// key returns what the column sorts an item by, ascending; nil: in the order of the input.
func (p *ItemList) key(o *experiment.Outcome) func(item int32) uint64 {
	items, scores := o.Items, o.Report.Scores
	number := func(of func(item int32) float64) func(int32) uint64 {
		return func(i int32) uint64 { return order.Key(of(i)) }
	}
	switch p.sort.by {
	case ByTokens:
		return number(func(i int32) float64 { return float64(items.Tokens(int(i))) })
	case ByScore:
		return number(func(i int32) float64 { return scores[i] })
	case ByDensity:
		return number(func(i int32) float64 {
			if t := items.Tokens(int(i)); t > 0 {
				return scores[i] / float64(t)
			}
			return math.Inf(1)
		})
	case ByFirst:
		if p.over != nil {
			return func(i int32) uint64 { return uint64(uint32(p.extents[i].First)) } // never is -1, which is the largest
		}
		return byBudget(o, o.Profile.FirstIn)
	case ByStays:
		if p.over != nil {
			return func(i int32) uint64 { return uint64(uint32(p.extents[i].Stays)) }
		}
		return byBudget(o, o.Profile.StaysFrom)
	case ByRanges:
		if p.over != nil {
			return number(func(i int32) float64 { return float64(p.extents[i].Ranges) })
		}
		if counts := p.ranges.counts; len(counts) == items.Len() { // else they are being counted
			return number(func(i int32) float64 { return float64(counts[i]) })
		}
	case ByState:
		return func(i int32) uint64 { return stateClass(o, int(i)) }
	case ByNeeded:
		return number(func(i int32) float64 { return float64(o.Setup.Labels.Grades[int(i)]) })
	case ByKind:
		return func(i int32) uint64 { return uint64(items.KindID(int(i))) }
	}
	return nil
}

// byBudget returns the key of a budget of each item; an item without one comes last, and a
// duplicate with the item that it repeats.
func byBudget(o *experiment.Outcome, of func(item int) (model.Tokens, bool)) func(int32) uint64 {
	if o.Profile == nil { // it is being computed
		return nil
	}
	end := o.Profile.Axis().End()
	return func(i int32) uint64 {
		if b, ok := of(o.Report.Survivor(int(i))); ok {
			return uint64(b)
		}
		return uint64(end) + 1
	}
}

// stateClass orders states: pinned, at risk, in, out, not a candidate.
func stateClass(o *experiment.Outcome, i int) uint64 {
	if o.Err != nil { // no item has a state
		return 0
	}
	switch code := o.Report.Codes[i]; {
	case code == model.Pinned:
		return 0
	case code.Included() && o.AtRisk(i):
		return 1
	case code.Included():
		return 2
	case code.NeverIn():
		return 4
	}
	return 3
}

// Most adds a value to at most n values, the largest by size first. Of equals, those that were
// added first stay.
func Most(all []int32, v int32, n int, size func(v int32) float64) []int32 {
	if len(all) == n && (n == 0 || size(v) <= size(all[n-1])) {
		return all
	}
	at := sort.Search(len(all), func(k int) bool { return size(all[k]) < size(v) })
	all = slices.Insert(all, at, v)
	return all[:min(len(all), n)]
}
