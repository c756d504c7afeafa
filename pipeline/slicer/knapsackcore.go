package slicer

import (
	"context"
	"cupelscope/pipeline/order"
)

// A selection at one capacity needs no table of all rows. Where parts of candidates may be
// taken, the best set is known at once: the densest candidates, up to the one that breaks the
// room. Its value bounds the value of every set, and a set that leaves out one of the densest, or
// takes one of the others, is worth less than the bound by at least
//
//	|v - density * w|, the density of the candidate that breaks the room
//
// Where that alone puts it below a set that is known, no best set differs from the densest
// in this candidate. What remains is the core, for which a table is made. It yields the same
// one of several best sets as the table of all rows, because that one is told by the order of
// the candidates in which the best sets differ, and these are all in the core.

// relaxed is the best set for a room if parts of candidates may be taken.
type relaxed struct {
	room    int64   // that the densest leave
	density float64 // of the candidate that breaks the room; 0 if everything fits
	bound   float64 // its value, if density is above 0
	known   int64   // the value of a set of whole candidates
}

// add adds a candidate that is no denser than those before it.
func (of *relaxed) add(value, weight int64) {
	switch {
	case weight <= of.room:
		of.room -= weight
		of.known += value
	case of.density == 0:
		of.density = float64(value) / float64(weight)
		of.bound = float64(of.known) + of.density*float64(of.room)
	}
}

// off returns how far a value is below the bound, with a margin for the rounding of floats.
func (of *relaxed) off(value int64) float64 {
	if of.density == 0 {
		return float64(of.known - value)
	}
	return of.bound*(1+1e-12) - float64(value)
}

// core is a programme of the candidates that may be in the best set or not. All others are out,
// except the candidates of in, which are certainly in it.
type core struct {
	*programme
	in    []int32 // positions in the Input
	worth int64   // the value of these
	left  int64   // the room that they leave
}

// newCore returns a core without candidates, for a room.
func (k *programme) newCore(room int64) core {
	return core{&programme{tableBounds: k.tableBounds, in: k.in, sorted: k.sorted}, nil, 0, room}
}

// add adds the candidate at position at: to in if leaving it out alone costs the bound more
// than most, to the programme unless taking it does.
func (c *core) add(at int32, value, weight int64, density, most float64) {
	switch gain := float64(value) - density*float64(weight); {
	case gain > most:
		c.in = append(c.in, at)
		c.worth += value
		c.left -= weight
	case gain >= -most:
		c.at = append(c.at, at)
		c.tok = append(c.tok, c.programme.in.TokensAt(int(at)))
		c.value = append(c.value, value)
	}
}

// relax returns the best set of rows if parts of candidates may be taken.
func (k *programme) relax(rows []row, room int64) relaxed {
	densities := make([]float64, len(rows))
	for i, r := range rows {
		densities[i] = float64(k.value[r.candidate]) / float64(r.weight)
	}
	of := relaxed{room: room}
	for _, i := range order.Descending(densities) {
		of.add(k.value[rows[i].candidate], int64(rows[i].weight))
	}
	return of
}

// core returns the core of candidates that alone cost the bound no more than most.
func (k *programme) core(rows []row, room int64, density, most float64) core {
	c := k.newCore(room)
	for _, r := range rows {
		c.add(k.at[r.candidate], k.value[r.candidate], int64(r.weight), density, most)
	}
	return c
}

// best adds the best set of the core to dst, which has none of its candidates, and returns
// its value, with the value of what is in for certain.
func (c *core) best(ctx context.Context, t Target, dst Selection) (worth int64, err error) {
	table, err := c.newTable(ctx, c.left, t)
	if err != nil {
		return 0, err
	}
	table.selection(c.left, dst)
	worth = c.worth
	for j, i := range c.at {
		if dst.Has(int(i)) {
			worth += c.value[j]
		}
	}
	return worth, nil
}

// smallTable is 65,000 cells, which take about as long as a core.
const smallTable = 1 << 10

// selectCore adds what is selected at capacity c, which target t has, to dst by way of the
// core. It returns false, and adds nothing, if a table of all rows is as cheap: if that is
// small, or if the cores so far took as many words of bits.
func (k *knapsack) selectCore(ctx context.Context, c int64, t Target, dst Selection) (bool, error) {
	rows, words, top := k.layout(c, k.bucket)
	if words < k.small || !k.fits(words, top) {
		return false, nil
	}
	of := k.relax(rows, top)
	known := of.known
	// The best set of a small core is nearly always better than the one that is known.
	small := k.core(rows, top, of.density, of.off(known)/16)
	if _, few, _ := small.layout(small.left, k.bucket); k.cores.Add(few) < words/16 {
		worth, err := small.best(ctx, t, NewSelection(nil, k.in.Len()))
		if err != nil {
			return false, err
		}
		known = max(known, worth)
	}
	core := k.core(rows, top, of.density, of.off(known))
	if _, few, _ := core.layout(core.left, k.bucket); k.cores.Add(few) > words {
		return false, nil
	}
	if _, err := core.best(ctx, t, dst); err != nil {
		return false, err
	}
	for _, i := range core.in {
		dst.Add(int(i))
	}
	return true, nil
}
