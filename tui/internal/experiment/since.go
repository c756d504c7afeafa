package experiment

import (
	"slices"

	"cupelscope/model"
)

// Since is what a source that is followed has brought to one side since it first grew.
type Since struct {
	Arrived int
	Stayed  int          // how many of what arrived are in
	Older   int          // how many of Out were there at the start
	Budget  model.Tokens // before
	In      []int32      // items that are in and were not then, ascending
	Out     []int32      // items that are out and were in then or after a part arrived, ascending
	Newest  bool         // the newest change is that it grew
}

// growth holds what Since compares with.
type growth struct {
	sides  [2]grownSide
	change int // the newest by which the source grew
}

// grownSide is what was there and what was in before the source first grew, and what was in each time
// before it grew, all by item; known is false until there is such a result.
type grownSide struct {
	known            bool
	there, was, ever []bool
	arrived          int
	budget           model.Tokens
}

// grow records that a source has grown to n items. before has the results until then, and index
// returns where one of their items is now.
func (g *growth) grow(before [2]*Outcome, budget model.Tokens, arrived, n, change int, index func(i int) (int, bool)) {
	g.change = change
	for s := range g.sides {
		side := &g.sides[s]
		if o := before[s]; o != nil && o.Report != nil {
			if !side.known {
				n := len(o.Report.Codes)
				*side = grownSide{known: true, there: slices.Repeat([]bool{true}, n), was: make([]bool, n), ever: make([]bool, n), budget: budget}
				mark(side.was, o.Report)
			}
			mark(side.ever, o.Report)
		}
		side.arrived += arrived
		side.there, side.was, side.ever = moved(side.there, n, index), moved(side.was, n, index), moved(side.ever, n, index)
	}
}

// mark sets the flags of the items that are in.
func mark(flags []bool, r *model.Report) {
	for _, i := range r.Included {
		flags[i] = true
	}
}

// moved returns the flags of n items; index returns where an item of flags is among these.
func moved(flags []bool, n int, index func(i int) (int, bool)) []bool {
	now := make([]bool, n)
	for i, set := range flags {
		if to, ok := index(i); set && ok {
			now[to] = true
		}
	}
	return now
}

// Since returns what a followed source has brought to side s; false if it has not grown, or
// there is no result to compare.
func (e *Experiment) Since(s Side) (Since, bool) {
	side, o := &e.growth.sides[s], e.Result(s)
	if !side.known || o == nil || o.Report == nil || e.moment.Set {
		return Since{}, false
	}
	all := Since{Arrived: side.arrived, Budget: side.budget, Newest: e.growth.change == e.changes}
	all.In, _ = against(side.was, o.Report)
	_, all.Out = against(side.ever, o.Report)
	older := func(items []int32) (n int) {
		for _, i := range items {
			if side.there[i] {
				n++
			}
		}
		return n
	}
	all.Stayed, all.Older = len(all.In)-older(all.In), older(all.Out)
	return all, true
}
