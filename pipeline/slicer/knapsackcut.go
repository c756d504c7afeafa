package slicer

import (
	"context"

	"cupelscope/pipeline/order"
)

// Most rows of a large table matter at small capacities only, or not at all.
//
// Dantzig's bound U(c) fills the capacity with the densest candidates and a part
// of one more, of value d(c) for each bucket. A set that contains candidate j is
// worth at most
//
//	U(c) - (w_j * d(c) - v_j)
//
// if the bracket is above 0, because other candidates would be worth more in the
// room that j takes. Let G(c) be the value of some set. Where the bracket is above
// U(c) - G(c), j is in no best set at c. The walk back comes to a row only from
// larger capacities, so above the last c at which j may be in a best set no walk
// uses a bit of row j, and those cells are left out.
//
// Leaving them out changes no selection. The programme compares only values, and
// a cell that is left out keeps the value of the row before, which is at most its
// own. The cells on the path of any walk hold the values of best sets. They are
// computed from cells that lie on such paths too, and none of those is left out.
//
// G comes from the same programme over the candidates in order of density, limited
// to a band of capacities below the sum of their weights. It is nearly the best
// value and takes one cell in a hundred.

// cutFrom is the number of words of bits from which the cut saves more than it
// costs: 8 million cells.
const cutFrom = 1 << 17

// cut shortens rows to where their candidates may be in, and returns those
// that are left and how many words of bits they need.
func (k *programme) cut(ctx context.Context, rows []row, top int64) ([]row, int64, error) {
	densities := make([]float64, len(rows))
	total := 0.0
	for i, r := range rows {
		densities[i] = float64(k.value[r.candidate]) / float64(r.weight)
		total += float64(k.value[r.candidate])
	}
	dense := make([]row, len(rows))
	for i, p := range order.Descending(densities) {
		dense[i] = rows[p]
	}
	known, err := k.band(ctx, dense, top)
	if err != nil {
		return nil, 0, err
	}
	slack := 1.0
	if total >= 1<<53 { // sums are no longer exact
		slack += total * float64(len(rows)) / (1 << 52)
	}
	length := min(max(4, top/256), 256)
	m := NewMeter(ctx, 0)
	blocks, err := k.blocks(&m, dense, known, int(length), slack)
	if err != nil {
		return nil, 0, err
	}
	left, words := rows[:0], int64(0)
	for _, r := range rows {
		last := len(blocks) - 1
		for last >= 0 && !blocks[last].mayHave(float64(r.weight), float64(k.value[r.candidate])) {
			last--
		}
		if err := m.Add(len(blocks) - last); err != nil {
			return nil, 0, err
		}
		r.to = int32(min(top, int64(last+1)*length-1))
		if r.to < r.from {
			continue
		}
		words += int64(r.count())
		left = append(left, r)
	}
	return left, words, nil
}

// band is the value of some set at every capacity, in order of density.
func (k *programme) band(ctx context.Context, dense []row, top int64) ([]int64, error) {
	used, fitting := int64(0), 0
	for _, r := range dense {
		if used += int64(r.weight); used > top {
			break
		}
		fitting++
	}
	width := max(64, 16*min(used, top)/int64(max(1, fitting)))
	best := make([]int64, top+1)
	m := NewMeter(ctx, 0)
	used = 0
	all := int64(0) // of those before
	for _, r := range dense {
		w, v := int64(r.weight), k.value[r.candidate]
		for c := used + 1; c <= min(used+w, top); c++ {
			best[c] = all
		}
		used, all = used+w, all+v
		if used-width > top {
			break
		}
		from, to := max(w, used-width), min(used, top)
		for c := to; c >= from; c-- {
			best[c] = max(best[c], best[c-w]+v)
		}
		if err := m.Add(int(max(0, to-from+1))); err != nil {
			return nil, err
		}
	}
	for c := used + 1; c <= top; c++ {
		best[c] = all
	}
	for c := 1; c < len(best); c++ {
		best[c] = max(best[c], best[c-1])
	}
	return best, nil
}

// capacities is a range of them, which share a bound.
type capacities struct {
	density float64 // the least: at the end
	excess  float64 // the largest U - G
}

func (c capacities) mayHave(weight, value float64) bool {
	return weight*c.density-value <= c.excess
}

// blocks is all capacities by block, with more slack than rounding needs. The error is
// that of the context of m.
func (k *programme) blocks(m *Meter, dense []row, known []int64, length int, slack float64) ([]capacities, error) {
	all := make([]capacities, (len(known)+length-1)/length)
	var used int64 // weight and value of those that fit
	units, j := 0.0, 0
	for c := range known {
		if c%length == 0 {
			if err := m.Add(stepCells * length); err != nil {
				return nil, err
			}
		}
		for j < len(dense) && used+int64(dense[j].weight) <= int64(c) {
			used += int64(dense[j].weight)
			units += float64(k.value[dense[j].candidate])
			j++
		}
		density := 0.0
		if j < len(dense) {
			density = float64(k.value[dense[j].candidate]) / float64(dense[j].weight)
		}
		bound := units + float64(int64(c)-used)*density
		b := &all[c/length]
		b.density = density
		b.excess = max(b.excess, bound-float64(known[c])+slack)
	}
	return all, nil
}
