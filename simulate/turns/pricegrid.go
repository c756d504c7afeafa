package turns

import (
	"fmt"

	"cupelscope/model"
)

// The prices and minimums over which Grid bills: the lengths of the shortest prefix that
// providers cache, and the least and the highest of their prices of a token that is read.
var (
	gridMinimums = [...]model.Tokens{512, 1024, 2048, 4096}
	gridReads    = [...]float64{.025, .1}
)

// Grid is what a course and sending everything cost with the cache in force, at each of the
// usual minimums and at both ends of the usual prices of a read. It says how sure a cost ratio is.
type Grid [1 + len(gridMinimums)*len(gridReads)]struct{ Cost, Against float64 }

// Grid bills a course at the points of a Grid, in nine passes over the requests.
func (s *History) Grid(course, all *Course, b Billing) (g Grid) {
	for k := range g {
		if k > 0 {
			b.Minimum, b.Read = gridMinimums[(k-1)/len(gridReads)], gridReads[(k-1)%len(gridReads)]
		}
		sent := s.Bill(all.Plan, all.Windows, all.Changes, 0, b, nil)
		totals := s.Bill(course.Plan, course.Windows, course.Changes, 0, b, sent).Totals
		g[k].Cost, g[k].Against = totals.Cost, totals.Against
	}
	return g
}

// Add adds the grid of another session.
func (g *Grid) Add(o Grid) {
	for k := range g {
		g[k].Cost += o[k].Cost
		g[k].Against += o[k].Against
	}
}

// Range returns the least and the highest cost relative to sending everything.
// Between two prices of a read a ratio only rises or only falls, so the two ends have the
// extremes. It returns false where sending everything costs nothing.
func (g Grid) Range() (low, high float64, ok bool) {
	for k, at := range g {
		if at.Against == 0 {
			return 0, 0, false
		}
		ratio := at.Cost / at.Against
		if k == 0 {
			low, high = ratio, ratio
		}
		low, high = min(low, ratio), max(high, ratio)
	}
	return low, high, true
}

// SayRange says how sure it is that a plan of that name costs more or less than sending
// everything, on one line that ends with the caches for which it holds.
func SayRange(name string, low, high float64) string {
	from, to := fmt.Sprintf("%.2f", low), fmt.Sprintf("%.2f", high)
	ratio := from + " to " + to + " times as much"
	if from == to {
		ratio = from + " times as much"
	}
	said := " costs " + ratio + " as sending everything, depending on the cache"
	switch {
	case from == "1.00" && to == "1.00":
		said = " costs as much as sending everything, with every usual cache"
	case low > 1:
		said = " costs more than sending everything, with every usual cache: " + ratio
	case high < 1:
		said = " costs less than sending everything, with every usual cache: " + ratio
	}
	return name + said + fmt.Sprintf(" (usual caches keep prompts from %v to %v tokens on, and charge %v to %v for a token read)",
		gridMinimums[0], gridMinimums[len(gridMinimums)-1], gridReads[0], gridReads[1])
}
