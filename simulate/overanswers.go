package simulate

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// changed is an item, with what it is in one result and in another.
type changed struct {
	item    int32
	was, is uint8 // as in a state
}

// state is a result by item: 0 for one that is out, note for one that is out with a note in
// its place, else 1 and its size. Behind the items it has 0, or none where there is no result.
type state []uint8

const (
	note = math.MaxUint8
	none = math.MaxUint8 // is not in, as a note
)

func newState(s *model.Set) state { return make(state, s.Len()+1) }

// none reports whether there is no result.
func (s state) none() bool { return s[len(s)-1] == none }

// idle sets s to no result.
func (s state) idle() {
	clear(s)
	s[len(s)-1] = none
}

func in(of uint8) bool { return of != 0 && of != note }

func (s state) count() int {
	n := 0
	for _, of := range s {
		if in(of) {
			n++
		}
	}
	return n
}

// alone reports whether a selection and what is pinned are the result at a budget: nothing is
// committed or cut off at the target besides.
func alone(r *pipeline.Ranking, b model.Budget) bool {
	return !commits(r) && r.PinnedTokens() <= b.TargetTokens()
}

// fill sets s, which is clear, to the result of a selection.
func (s state) fill(r *pipeline.Ranking, b model.Budget, sel slicer.Selection) error {
	if !alone(r, b) {
		report, err := r.Place(b, sel)
		if err != nil {
			s.idle()
			return unlessIdle(err)
		}
		for i := range r.Items().Len() {
			switch {
			case report.In(i):
				s[i] = 1 + uint8(report.Size(i))
			case report.Noted(i):
				s[i] = note
			}
		}
		return nil
	}
	for _, item := range r.Pinned() {
		s[item] = 1 + uint8(r.PinnedSize(int(item)))
	}
	for k := range r.Input().Items {
		if r.Input().Taken(sel, k) >= 0 {
			s.put(r, sel, k)
		}
	}
	return nil
}

// follow changes s from the result of a selection to the result of another one. It appends
// the items that may differ, and returns all ascending.
func (s state) follow(r *pipeline.Ranking, before, after slicer.Selection, items []int32) []int32 {
	for word, now := range after {
		for differ := now ^ before[word]; differ != 0; differ &= differ - 1 {
			k := r.Input().Whole(64*word + bits.TrailingZeros64(differ))
			s.put(r, after, k)
			items = r.Members(items, k)
		}
	}
	slices.Sort(items)
	return slices.Compact(items)
}

// put sets what the result of a selection has of the items of a candidate.
func (s state) put(r *pipeline.Ranking, sel slicer.Selection, candidate int) {
	input := r.Input()
	at := input.Taken(sel, candidate)
	noted := at >= 0 && input.IsNote(at)
	is := uint8(0)
	if at >= 0 && !noted {
		is = 1
	}
	var members [2]int32
	for _, item := range r.Members(members[:0], candidate) {
		s[item] = is
	}
	switch {
	case noted:
		s[r.SizedMember(candidate)] = note
	case at >= input.Len():
		s[r.SizedMember(candidate)] = 1 + input.Cuts[at-input.Len()].Size
	}
}

// differ sets what a stretch changes: only the items, ascending, may differ.
func (c *Stretch) differ(before, after state, items []int32) {
	for _, i := range items {
		if one := (changed{i, before[i], after[i]}); one.was != one.is {
			c.changes = append(c.changes, one)
			c.list(one)
		}
	}
}

// list adds an item that differs to In, Out or Resized.
func (c *Stretch) list(one changed) {
	switch {
	case in(one.was) == in(one.is):
		c.Resized = append(c.Resized, one.item)
	case in(one.is):
		c.In = append(c.In, one.item)
	default:
		c.Out = append(c.Out, one.item)
	}
}

// Stretches returns the ranges of values with one result each, ascending. Read only.
func (p *ProfileOver) Stretches() []Stretch { return p.stretches }

// At returns the index of the stretch that has the value v, or else the last value below v;
// -1 if there is none.
func (p *ProfileOver) At(v float64) int {
	return sort.Search(len(p.stretches), func(i int) bool { return p.stretches[i].From > v }) - 1
}

// Between returns how the result of stretch to differs from the result of from. It costs the
// changes between them.
func (p *ProfileOver) Between(from, to int) (c Stretch) {
	s := p.stretches[to]
	c = Stretch{From: s.From, To: s.To, Items: s.Items, None: s.None}
	net := map[int32]changed{} // from the lower of the two to the higher
	for _, s := range p.stretches[min(from, to)+1 : max(from, to)+1] {
		for _, one := range s.changes {
			if before, met := net[one.item]; met {
				one.was = before.was
			}
			net[one.item] = one
		}
	}
	for _, one := range net {
		if to < from {
			one.was, one.is = one.is, one.was
		}
		if one.was != one.is {
			c.list(one)
		}
	}
	slices.Sort(c.In)
	slices.Sort(c.Out)
	slices.Sort(c.Resized)
	return c
}

// Has returns, for every stretch, whether an item is in.
func (p *ProfileOver) Has(item int) []bool {
	has := make([]bool, len(p.stretches))
	for k, is := range p.states(item) {
		has[k] = in(is)
	}
	return has
}

// SizesOf returns, for every stretch, the size in which an item is in, see Set.Sizes, or the
// size of its note; -1 where neither is in the result.
func (p *ProfileOver) SizesOf(item int) []int {
	sizes := make([]int, len(p.stretches))
	for k, is := range p.states(item) {
		sizes[k] = int(is) - 1
		if is == note {
			sizes[k] = len(p.items.Sizes(item)) // the last one
		}
	}
	return sizes
}

// states returns, for every stretch, what the result has of an item, as in a state.
func (p *ProfileOver) states(item int) []uint8 {
	all := make([]uint8, len(p.stretches))
	for k, s := range p.stretches {
		at, found := slices.BinarySearchFunc(s.changes, int32(item), func(one changed, item int32) int { return cmp.Compare(one.item, item) })
		switch {
		case k == 0:
			all[k] = p.first[item]
		case found:
			all[k] = s.changes[at].is
		default:
			all[k] = all[k-1]
		}
	}
	return all
}

// Extent is where an item is in: the stretch at which it first is, the stretch from which it
// stays in to the last one, -1 for never, and how many ranges of stretches have it.
type Extent struct{ First, Stays, Ranges int32 }

// Extents returns the extent of every item. It costs the items and the changes of all stretches.
func (p *ProfileOver) Extents() []Extent {
	all := make([]Extent, p.items.Len())
	for i := range all {
		is := p.first[i]
		all[i] = Extent{First: -1, Stays: -1}
		if in(is) {
			all[i].Ranges, all[i].First, all[i].Stays = 1, 0, 0
		}
	}
	for k, s := range p.stretches {
		for _, i := range s.In {
			e := &all[i]
			if e.Ranges++; e.Ranges == 1 {
				e.First = int32(k)
			}
			e.Stays = int32(k)
		}
		for _, i := range s.Out {
			all[i].Stays = -1
		}
	}
	return all
}

// Bring returns the values nearest to v at which an item is in, one below and one above v,
// with what else changes against v, the nearer first; none if the item is in at v.
func (p *ProfileOver) Bring(item int, v float64) []Stretch {
	at := p.At(v)
	has := p.Has(item)
	if at < 0 || has[at] {
		return nil
	}
	var all []Stretch
	low, high := likeIt(has, at)
	if high < len(has)-1 {
		c := p.Between(at, high+1)
		c.To = c.From // the nearest
		all = append(all, c)
	}
	if low > 0 {
		c := p.Between(at, low-1)
		c.From = c.To
		all = append(all, c)
	}
	sort.SliceStable(all, func(i, j int) bool { return math.Abs(all[i].From-v) < math.Abs(all[j].From-v) })
	return all
}

// likeIt returns the ends of the longest range around index at whose values all equal has[at].
func likeIt(has []bool, at int) (low, high int) {
	low, high = at, at
	for low > 0 && has[low-1] == has[at] {
		low--
	}
	for high < len(has)-1 && has[high+1] == has[at] {
		high++
	}
	return low, high
}

// Around returns the least and the largest value around v up to which an item is in or out as
// it is at v. One is unset where that reaches to the end of what was tried.
func (p *ProfileOver) Around(item int, v float64) (from, to model.Option[float64]) {
	at := p.At(v)
	if at < 0 {
		return from, to
	}
	has := p.Has(item)
	low, high := likeIt(has, at)
	if low > 0 {
		from = model.Some(p.stretches[low].From)
	}
	if high < len(has)-1 {
		to = model.Some(p.stretches[high].To)
	}
	return from, to
}
