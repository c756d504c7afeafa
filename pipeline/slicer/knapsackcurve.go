package slicer

import (
	"math/bits"

	"cupelscope/model"
)

// lane describes the selection at one capacity among the rows walked so far.
type lane struct {
	used  model.Tokens
	score float64
	count int32
}

// walkForward makes the curve. Where row j improves at capacity c its
// selection is that at c - w_j and j. It costs one step a bit that walkBack
// left: what it cleared is on the way to no capacity.
func (p *knapsackProfile) walkForward() {
	lanes := make([]lane, int(p.top)+1)
	for i := range p.rows {
		r := &p.rows[i]
		at := p.k.at[r.candidate]
		tok, score, size := p.k.tok[r.candidate], p.k.in.Scores[at], p.k.in.Size(int(at))
		first, words := p.words(r)
		for w := len(words) - 1; w >= 0; w-- { // from above: what is read is still of the row before
			for word := words[w]; word != 0; {
				bit := 63 - bits.LeadingZeros64(word)
				word &^= 1 << bit
				c := (first+w)<<6 + bit
				less := &lanes[c-int(r.weight)]
				lanes[c] = lane{less.used + tok, less.score + score, less.count + size}
			}
		}
	}
	p.curve = p.curveOf(lanes)
}

func (p *knapsackProfile) curveOf(lanes []lane) Curve {
	var free lane
	for _, i := range p.k.free {
		free.count += p.k.in.Size(int(i))
		free.score += p.k.in.Scores[i]
	}
	n := 2
	for _, word := range p.changes {
		n += bits.OnesCount64(word)
	}
	c := Curve{make([]Target, 1, n), make([]int32, 1, n), make([]model.Tokens, 1, n), make([]float64, 1, n)}
	add := func(t Target, l lane) {
		c.Targets = append(c.Targets, t)
		c.Counts = append(c.Counts, free.count+l.count)
		c.Used = append(c.Used, l.used)
		c.Scores = append(c.Scores, free.score+l.score)
	}
	changes := p.changes
	if free.count > 0 && p.upTo > 0 { // they arrive at target 1, which is a capacity only for buckets of one token
		if p.k.bucket > 1 || len(lanes) == 1 {
			add(1, lane{})
		} else if changes[0]&2 == 0 {
			add(1, lanes[1])
		}
	}
	for w, word := range changes {
		for ; word != 0; word &= word - 1 {
			k := w<<6 + bits.TrailingZeros64(word)
			add(p.target(int32(k)), lanes[k])
		}
	}
	return c
}
