package simulate

import (
	"context"
	"slices"

	"cupelscope/pipeline/slicer"
)

// The optimum at every target, by the 0/1 dynamic programme over items in order
// of density: best[t] is the most that the items so far are worth in t tokens.
// It has n * t cells, and hardly any of them matter.
//
// Let U(t) be Dantzig's bound, which takes the densest items and a part of one
// more, and let G(t) be the value of some selection that is already known. A
// selection of at most c tokens that includes item j, and whose items up to j take
// x tokens, is worth at most
//
//	U(x - w_j)  +  v_j  +  U(W_j + c - x) - V_j
//
// as the items before j are worth no more than U, and those after it, which
// begin at W_j tokens and V_j units on the line of U, no more than it rises
// from there. Where that is not above G(c) for any c, the cell (j, x) cannot
// improve on what is known, and is left out. Selections are nearly as good as
// the bound, so what is left is a narrow band below W_j:
//
//	tokens  ^            . '
//	  c ----|---------. '####----   the rows of items that are dense enough to
//	        |      . '#####         be in at c, but not sure to be
//	        |   . '####
//	        |. '##
//	        +-----------------> j   the line is W_j
//
// First, two passes find G. For the smallest targets, where a few items make a
// large difference, all cells matter, and that pass is exact (firstTargets). For
// larger targets, a band of fixed width is nearly optimal. For 10,000 candidates up to
// 128,000 tokens, 2 million of 1,280 million cells are then left.

// segment is the part of a row that is computed: the cells from..to.
type segment struct{ item, from, to int32 }

// layOut finds G and the cells that may improve on it. A pass fills no more than most cells,
// if most is above 0.
func (p *OptimumPlan) layOut(ctx context.Context, sized []sizedValue, top int, most int64) error {
	m := slicer.NewMeter(ctx, 0)
	least := min(top, minTargets)
	p.known = make([]int64, top+1)
	if err := firstTargets(&m, p.known[:least+1], sized); err != nil {
		return err
	}
	p.fractions = newFractions(sized)
	p.index(2 * int64(top))
	if top == least {
		return nil
	}
	for width := p.bandWidth(top); ; width *= 4 {
		passed, err := p.pass(&m, width, most)
		if err != nil {
			return err
		}
		if err := p.findRows(&m, least); err != nil {
			return err
		}
		// A wider band may know more. It is worth it as long as it costs little.
		if p.cells <= 8*passed || width >= top {
			return nil
		}
	}
}

const (
	// minTargets is the number of targets that the exact pass covers.
	minTargets = 4096
	// bandItems is the width of the first band, in items of the usual size.
	bandItems = 16
	minBand   = 1024
)

// bandWidth returns the width of the first band, in tokens.
func (p *OptimumPlan) bandWidth(top int) int {
	k := max(1, p.fitting(int64(top)))
	return max(minBand, bandItems*int(p.used[min(k, len(p.items))])/k)
}

// improve is one row of the programme, as far as best reaches: less is best,
// moved by the item's tokens. Descending, so that less is of the row before.
func improve(best, less []int64, units int64) {
	less = less[:len(best)]
	for k := len(best) - 1; k >= 0; k-- {
		best[k] = max(best[k], less[k]+units)
	}
}

// row improves the cells from..to of best by an item beside what less is worth, which may
// be best itself, and counts them with the meter.
func row(m *slicer.Meter, best, less []int64, from, to int, a sizedValue) error {
	for w := int(a.tokens); from <= to; {
		low := max(from, to-slicer.MeterStep+1)
		improve(best[low:to+1], less[low-w:to+1-w], a.units)
		if err := m.Add(to - low + 1); err != nil {
			return err
		}
		to = low - 1
	}
	return nil
}

// firstTargets fills best with the optimum at every target that it has. Items
// come best first. If an item of no more tokens stands before j, a set with j
// but without it is no better than one with it in place of j; so j is needed
// only beside all such items, and from the sum of their tokens and its own on.
func firstTargets(m *slicer.Meter, best []int64, items []sizedValue) error {
	top := int64(len(best) - 1)
	before := make(tokenSums, top+1)
	vanished := top + 1 // an item that large has no cells, nor has any after it
	for _, a := range items {
		w := int64(a.tokens)
		if w >= vanished {
			continue
		}
		from := w + before.upTo(w)
		if from > top {
			vanished = w
			continue
		}
		before.add(w, w)
		if err := row(m, best, best, int(from), int(top), a); err != nil {
			return err
		}
	}
	return nil
}

// pass runs the programme in a band of the given width below W_j, improves the
// known values with the result, and returns the number of cells. If most is above 0
// and there are more, the error is ErrCostly.
func (p *OptimumPlan) pass(m *slicer.Meter, width int, most int64) (cells int64, err error) {
	top := len(p.known) - 1
	rows := make([]segment, 0, len(p.items))
	for j := range p.items {
		end := p.used[j+1]
		if end-int64(width) > int64(top) {
			break
		}
		from := max(int(end)-width, int(p.items[j].tokens))
		if to := min(int(end), top); from <= to {
			rows = append(rows, segment{int32(j), int32(from), int32(to)})
			cells += int64(to - from + 1)
		}
	}
	if most > 0 && cells > most {
		return 0, ErrCostly
	}
	best, err := p.programme(m, rows)
	if err != nil {
		return 0, err
	}
	p.learn(p.known, best)
	return cells, nil
}

// programme runs rows, and returns the value of some selection at every target.
func (p *OptimumPlan) programme(m *slicer.Meter, rows []segment) ([]int64, error) {
	top := len(p.known) - 1
	best := make([]int64, top+1)
	for j, a := range p.items {
		// Where all items so far fit, taking all of them is best.
		for t := p.used[j] + 1; t <= min(p.used[j+1], int64(top)); t++ {
			best[t] = int64(p.worth[j])
		}
		if len(rows) == 0 {
			break
		}
		if r := rows[0]; int(r.item) == j {
			rows = rows[1:]
			if err := row(m, best, best, int(r.from), int(r.to), a); err != nil {
				return nil, err
			}
		}
	}
	return best, nil
}

// learn raises known at each target to the largest value that known or other has up to that
// target: the values of either may fall as targets grow.
func (p *OptimumPlan) learn(known, other []int64) {
	most := int64(0)
	for t, v := range other {
		most = max(most, v, known[t])
		known[t] = most
	}
}

// improved returns the optimum at each target.
func (p *OptimumPlan) improved(ctx context.Context) ([]int64, error) {
	m := slicer.NewMeter(ctx, p.cells)
	best, err := p.programme(&m, p.rows)
	if err != nil {
		return nil, err
	}
	p.learn(best, p.known)
	if len(p.cut) > 0 {
		old := make([]int64, p.cut[len(p.cut)-1].to+1)
		best = slices.Grow(best, max(0, len(old)-len(best)))
		for k := range p.cut {
			if best, err = p.cut[k].addTo(&m, best, old); err != nil {
				return nil, err
			}
		}
	}
	m.Finish()
	return best, nil
}
