package slicer

import (
	"math/bits"

	"cupelscope/model"
)

// part is some of the candidates of an Input, in the same order, as an Input of
// their own.
type part struct {
	in Input
	at []int32 // position in the whole Input by position in this one
}

// partOf is the candidates at the positions given, which it keeps.
func partOf(whole *Input, at []int32) part {
	p := part{at: at}
	p.in.Items, p.in.Kinds = make([]int32, len(at)), make([]uint32, len(at))
	p.in.Tokens, p.in.Scores = make([]model.Tokens, len(at)), make([]float64, len(at))
	p.in.KindNames = whole.KindNames
	for k, i := range at {
		p.in.Items[k] = whole.Items[i]
		p.in.Kinds[k] = whole.Kinds[i]
		p.in.Tokens[k] = whole.Tokens[i]
		p.in.Scores[k] = whole.Scores[i]
	}
	return p
}

// add selects in whole what sel selects in the part.
func (p *part) add(whole, sel Selection) {
	for w, word := range sel {
		for ; word != 0; word &= word - 1 {
			whole.Add(int(p.at[64*w+bits.TrailingZeros64(word)]))
		}
	}
}

// partition splits an Input by kind; the result is by kind number.
func partition(in *Input) []part {
	counts := kindCounts(in)
	positions := make([][]int32, len(counts))
	all := make([]int32, in.Len())
	for id, n := range counts {
		positions[id], all = all[:0:n], all[n:]
	}
	for i, id := range in.Kinds {
		positions[id] = append(positions[id], int32(i))
	}
	parts := make([]part, len(counts))
	for id, at := range positions {
		parts[id] = partOf(in, at)
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
