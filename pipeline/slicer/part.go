package slicer

import (
	"cmp"
	"math/bits"
	"slices"

	"cupelscope/model"
)

// part is some of the candidates of an Input, in the same order, as an Input of
// their own.
type part struct {
	in Input
	at []int32 // position in the whole Input by position in this one
}

// push appends the candidate at position i of the whole Input.
func (p *part) push(whole *Input, i int) {
	p.at = append(p.at, int32(i))
	p.in.Items = append(p.in.Items, whole.Items[i])
	p.in.Tokens = append(p.in.Tokens, whole.Tokens[i])
	p.in.Scores = append(p.in.Scores, whole.Scores[i])
	p.in.Kinds = append(p.in.Kinds, whole.Kinds[i])
}

// grow makes room for n candidates.
func (p *part) grow(n int) {
	p.at = make([]int32, 0, n)
	p.in.Items = make([]int32, 0, n)
	p.in.Tokens = make([]model.Tokens, 0, n)
	p.in.Scores = make([]float64, 0, n)
	p.in.Kinds = make([]uint32, 0, n)
}

// add selects in whole what sel selects in the part.
func (p *part) add(whole, sel Selection) {
	for w, word := range sel {
		for ; word != 0; word &= word - 1 {
			whole.Add(int(p.at[64*w+bits.TrailingZeros64(word)]))
		}
	}
}

// partition parts an Input by kind; the result is by kind number.
func partition(in *Input) []part {
	counts := kindCounts(in)
	parts := make([]part, len(counts))
	for id, n := range counts {
		parts[id].grow(n)
		parts[id].in.KindNames = in.KindNames
	}
	for i, id := range in.Kinds {
		parts[id].push(in, i)
	}
	return parts
}

// kindCounts is the number of candidates by kind number.
func kindCounts(in *Input) []int {
	counts := make([]int, len(in.KindNames))
	for _, id := range in.Kinds {
		for int(id) >= len(counts) { // an Input without names
			counts = append(counts, 0)
		}
		counts[id]++
	}
	return counts
}

// nameOf is the name of a kind number, empty if the Input does not say.
func nameOf(in *Input, id int) model.Kind {
	if id < len(in.KindNames) {
		return in.KindNames[id]
	}
	return ""
}

// sortByFirst orders shares by where their first candidate stands.
func sortByFirst(shares []kindShare) {
	slices.SortFunc(shares, func(a, b kindShare) int { return cmp.Compare(a.at, b.at) })
}
