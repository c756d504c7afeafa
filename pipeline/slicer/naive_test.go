package slicer

import (
	"cmp"
	"math"
	"slices"

	"cupelscope/model"
)

// The slicers once more, as the specification tells them: plain stable sorts and full tables.

func naiveGreedy(in *Input, t Target) Selection {
	density := func(i int) float64 {
		switch {
		case in.Tokens[i] == 0:
			return math.MaxFloat64
		case math.IsNaN(in.Scores[i]):
			return math.Inf(-1)
		}
		return in.Scores[i] / float64(in.Tokens[i])
	}
	order := wholes(in)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(density(b), density(a)) })
	return naive(in, order, false, t)
}

func naiveRank(in *Input, t Target) Selection { return naive(in, wholes(in), false, t) }

func naivePrefix(in *Input, t Target) Selection { return naive(in, wholes(in), true, t) }

func wholes(in *Input) []int {
	order := make([]int, in.Len())
	for i := range order {
		order[i] = i
	}
	return order
}

// naive fills a target as the specification of sizes says, in an order of whole candidates;
// where there are no sizes, that is the chapter of the slicer with this order.
func naive(in *Input, order []int, stops bool, target Target) Selection {
	sel := NewSelection(nil, in.Positions())
	if target <= 0 {
		return sel
	}
	t := model.Tokens(target)
	sizes, notes := naiveSizes(in)
	out := []int{}
	stopped := false
	for _, i := range order {
		taken := false
		for _, s := range sizes[i] {
			if !taken && in.TokensAt(s) <= t && (!stopped || in.TokensAt(s) == 0) {
				sel.Add(s)
				t -= in.TokensAt(s)
				taken = true
			}
		}
		if !taken {
			stopped = stops
			out = append(out, i)
		}
	}
	for _, i := range out {
		if note := notes[i]; note >= 0 && in.TokensAt(note) <= t {
			sel.Add(note)
			t -= in.TokensAt(note)
		}
	}
	return sel
}

// naiveSizes are the positions of the sizes of each candidate, and of its note, or -1.
func naiveSizes(in *Input) (sizes [][]int, notes []int) {
	for i := range in.Len() {
		sizes, notes = append(sizes, []int{i}), append(notes, -1)
	}
	for k, c := range in.Cuts {
		if c.Note {
			notes[c.Of] = in.Len() + k
		} else {
			sizes[c.Of] = append(sizes[c.Of], in.Len()+k)
		}
	}
	return sizes, notes
}

// naiveKnapsack is the best choice of sizes by trying all of them, with the ties of the
// specification: of equal values the set that takes no later candidate if it can do
// without, and of that the larger size.
func naiveKnapsack(in *Input, bucket model.Tokens, t Target) Selection {
	sel := NewSelection(nil, in.Positions())
	if t <= 0 {
		return sel
	}
	sizes, notes := naiveSizes(in)
	capacity := int(model.Tokens(t) / bucket)
	best := make([][]int64, in.Len()+1)
	pick := make([][]int, in.Len()+1)
	best[0] = make([]int64, capacity+1)
	for i := range in.Len() {
		best[i+1], pick[i+1] = slices.Clone(best[i]), make([]int, capacity+1)
		for c := range best[i] {
			pick[i+1][c] = -1
			for _, s := range sizes[i] {
				w := int((in.TokensAt(s) + bucket - 1) / bucket)
				if in.Tokens[i] > 0 && w <= c && best[i][c-w]+naiveValue(in.ScoreAt(s)) > best[i+1][c] {
					best[i+1][c], pick[i+1][c] = best[i][c-w]+naiveValue(in.ScoreAt(s)), s
				}
			}
		}
	}
	left := capacity
	for i := in.Len(); i > 0; i-- {
		if in.Tokens[i-1] == 0 {
			sel.Add(i - 1)
		} else if s := pick[i][left]; s >= 0 {
			sel.Add(s)
			left -= int((in.TokensAt(s) + bucket - 1) / bucket)
		}
	}
	for i, note := range notes {
		if note < 0 || slices.ContainsFunc(sizes[i], sel.Has) {
			continue
		}
		if w := int((in.TokensAt(note) + bucket - 1) / bucket); w <= left {
			sel.Add(note)
			left -= w
		}
	}
	return sel
}

// naiveValue is what a score is worth to a knapsack.
func naiveValue(score float64) int64 {
	if math.IsNaN(score) {
		return 0
	}
	return int64(math.Min(math.Max(0, math.Floor(score*10000)), 1<<40))
}
