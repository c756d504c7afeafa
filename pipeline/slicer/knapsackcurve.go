package slicer

import (
	"math/bits"

	"cupelscope/model"
)

// lane describes the selection at one capacity among the rows walked so far.
type lane struct {
	id    uint64 // equal exactly for equal selections
	used  model.Tokens
	score float64
	count int32
}

// walkForward numbers the selections at all capacities and makes the curve of
// those that differ from the one below. It costs one step a bit.
//
// Where row j improves at capacity c its selection is that at c - w_j and j.
// Two capacities have the same one exactly when those have; and equal
// selections are neighbours: of two capacities with the same best set, any
// between them has it too. So within a row, walked from above, a number is
// shared with the capacity just done or with none.
func (p *knapsackProfile) walkForward() {
	lanes := make([]lane, int(p.top)+1)
	ids := uint64(0)
	for i := range p.rows {
		r := &p.rows[i]
		tok, score := p.k.tok[r.candidate], p.k.in.Scores[p.k.at[r.candidate]]
		first, words := p.words(r)
		var parent uint64
		shared := false
		for w := len(words) - 1; w >= 0; w-- {
			for word := words[w]; word != 0; {
				bit := 63 - bits.LeadingZeros64(word)
				word &^= 1 << bit
				c := (first+w)<<6 + bit
				less := lanes[c-int(r.weight)]
				if !shared || less.id != parent {
					ids++
					parent, shared = less.id, true
				}
				lanes[c] = lane{ids, less.used + tok, less.score + score, less.count + 1}
			}
		}
	}
	p.curve = p.curveOf(lanes)
}

func (p *knapsackProfile) curveOf(lanes []lane) Curve {
	var free lane
	for _, i := range p.k.free {
		free.count++
		free.score += p.k.in.Scores[i]
	}
	c := Curve{Targets: []Target{0}, Counts: []int32{0}, Used: []model.Tokens{0}, Scores: []float64{0}}
	add := func(t Target, l lane) {
		c.Targets = append(c.Targets, t)
		c.Counts = append(c.Counts, free.count+l.count)
		c.Used = append(c.Used, l.used)
		c.Scores = append(c.Scores, free.score+l.score)
	}
	arrive := free.count > 0 && p.upTo > 0 // at target 1, which is a capacity only for buckets of one token
	if arrive && (p.k.bucket > 1 || len(lanes) == 1) {
		add(1, lane{})
		arrive = false
	}
	for k := 1; k < len(lanes); k++ {
		if lanes[k].id != lanes[k-1].id || arrive {
			add(p.target(int32(k)), lanes[k])
			arrive = false
		}
	}
	return c
}
