package slicer

import (
	"context"
	"math/bits"
)

// walkForward makes the curve. Where row j improves at capacity c its
// selection is that at c - w_j and j. It costs one step a bit that walkBack
// left: what it cleared is on the way to no capacity.
func (p *knapsackProfile) walkForward(ctx context.Context) (Curve, error) {
	lanes := make([]chain, int(p.top)+1) // by capacity: what the rows walked so far select
	m := NewMeter(ctx, 0)
	steps := 0
	words := make([]uint64, len(p.rows))
	for i := 0; i < len(p.rows); {
		rows := p.rows[i:p.end(i)]
		i += len(rows)
		for w := int(p.top) >> 6; w >= first(rows); w-- { // from above: what is read is still of the row before
			word := improves(rows, w, words)
			if steps += 1 + stepCells*bits.OnesCount64(word); steps >= MeterStep {
				if err := m.Add(steps); err != nil {
					return Curve{}, err
				}
				steps = 0
			}
			for word != 0 {
				bit := 63 - bits.LeadingZeros64(word)
				word &^= 1 << bit
				c := w<<6 + bit
				r := &rows[taken(words, bit)]
				at := int(p.k.at[r.candidate])
				less := &lanes[c-int(r.weight)]
				lanes[c] = chain{less.score + p.k.in.ScoreAt(at), less.used + p.k.tok[r.candidate], less.count + p.k.in.Size(at)}
			}
		}
	}
	return p.curveOf(lanes), nil
}

// stepCells is how many cells of a table take as long as a step of the walk.
const stepCells = 4

func (p *knapsackProfile) curveOf(lanes []chain) Curve {
	var free chain
	for _, i := range p.k.free {
		free.count += p.k.in.Size(int(i))
		free.score += p.k.in.Scores[i]
	}
	c := newCurve(len(p.Changes()) + 1)
	for _, t := range p.Changes() {
		l := lanes[min(p.k.capacity(t), int64(p.top))]
		c.add(t, free.count+l.count, l.used, free.score+l.score)
	}
	return c
}
