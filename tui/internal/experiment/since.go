package experiment

import (
	"slices"

	"cupelscope/model"
)

// Since is what a source that is followed has brought to one side since it first grew.
type Since struct {
	Arrived int
	Budget  model.Tokens // before
	In, Out []int32      // items that came in and that went out, ascending
	Newest  bool         // the newest change is that it grew
}

// growth holds what Since compares with.
type growth struct {
	sides  [2]grownSide
	change int // the newest by which the source grew
}

// grownSide is what was in before the source first grew, by today's numbers; known is false
// until there is such a result.
type grownSide struct {
	known   bool
	was     []int32
	arrived int
	budget  model.Tokens
}

// grow records that a source has grown. before has the results until then, and index returns
// where one of their items is now.
func (g *growth) grow(before [2]*Outcome, budget model.Tokens, arrived, change int, index func(i int) (int, bool)) {
	g.change = change
	for s := range g.sides {
		side := &g.sides[s]
		if o := before[s]; !side.known && o != nil && o.Report != nil {
			*side = grownSide{known: true, was: slices.Clone(o.Report.Included), budget: budget}
		}
		side.arrived += arrived
		stay := side.was[:0]
		for _, i := range side.was {
			if now, ok := index(int(i)); ok {
				stay = append(stay, int32(now))
			}
		}
		side.was = stay
	}
}

// Since returns what a followed source has brought to side s; false if it has not grown, or
// there is no result to compare.
func (e *Experiment) Since(s Side) (Since, bool) {
	side, o := &e.growth.sides[s], e.Result(s)
	if !side.known || o == nil || o.Report == nil || e.moment.Set {
		return Since{}, false
	}
	all := Since{Arrived: side.arrived, Budget: side.budget, Newest: e.growth.change == e.changes}
	was := make([]bool, len(o.Report.Codes))
	for _, i := range side.was {
		was[i] = true
	}
	all.In, all.Out = against(was, o.Report)
	return all, true
}
