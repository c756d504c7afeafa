package simulate

import "cupelscope/pipeline/slicer"

// The cells of a row that may improve on the known values, see optimumrows.go. A
// cell that is h tokens below the line, at W_j - h, is needed for c >= W_j - h if
//
//	loss(h) < U(c + h) - U(c) + excess(c)
//	loss(h) = V_j-1 - U(W_j-1 - h),  excess(c) = U(c) - G(c)
//
// Blocks of targets c share the largest of their excesses, and as U rises ever
// more slowly, the first target of a block has the largest rise. So a tree over
// the blocks finds the largest h of a row in a few steps.

// block is a range of targets.
type block struct {
	excess   float64 // the largest excess; at most 0: nothing in the block can be improved
	marginal float64 // the least marginal value, of one more token at the end
}

// blocks is a tree over all blocks: the children of b are 2*b and 2*b+1.
type blocks struct {
	f     *fractions
	all   []block
	leafs int
	from  int // the first target
	top   int // the last
}

// blockLen is the number of targets in a block.
const blockLen = 256

// excesses returns the tree for the targets above least: O(targets).
func (p *OptimumPlan) excesses(m *slicer.Meter, least int) (*blocks, error) {
	b := &blocks{f: &p.fractions, leafs: 1, from: least + 1, top: len(p.known) - 1}
	for b.leafs*blockLen < b.top-least {
		b.leafs *= 2
	}
	b.all = make([]block, 2*b.leafs)
	for first, leaf := b.from, b.leafs; first <= b.top; first, leaf = first+blockLen, leaf+1 {
		last := min(first+blockLen-1, b.top)
		at := &b.all[leaf]
		for t := first; t <= last; t++ {
			at.excess = max(at.excess, p.at(int64(t))-float64(p.known[t])+p.slack-float64(p.loose))
		}
		at.marginal = p.marginal(int64(last))
		if err := m.Add(8 * blockLen); err != nil {
			return nil, err
		}
	}
	for k := b.leafs - 1; k > 0; k-- {
		left, right := b.all[2*k], b.all[2*k+1]
		b.all[k] = block{max(left.excess, right.excess), left.marginal}
		if right.excess > 0 {
			b.all[k].marginal = right.marginal
		}
	}
	return b, nil
}

// findRows drops the items that cannot be in anything better than what is
// known at any target above least, and finds the cells of the remaining items.
func (p *OptimumPlan) findRows(m *slicer.Meter, least int) error {
	p.rows, p.cells = nil, 0
	b, err := p.excesses(m, least)
	if err != nil {
		return err
	}
	all := b.all[1]
	p.drop(func(a sizedValue) bool { return !b.mayHave(all, a) })
	p.index(2 * int64(b.top))
	for j, a := range p.items {
		deepest := b.deepest(j)
		if deepest < 0 {
			continue
		}
		from := max(int(p.used[j+1])-deepest, int(a.tokens))
		if to := min(int(p.used[j+1]), b.top); from <= to {
			p.rows = append(p.rows, segment{int32(j), int32(from), int32(to)})
			p.cells += int64(to - from + 1)
		}
		if err := m.Add(1 << 10); err != nil {
			return err
		}
	}
	return nil
}

// mayHave reports whether an item may be in at some target of a block: the
// bound with it must be above what is known.
func (b *blocks) mayHave(at block, a sizedValue) bool {
	return at.excess > 0 && at.marginal*float64(a.tokens)-float64(a.units) < at.excess
}

// deepest returns an upper bound of the largest h at which row j is needed; -1: none.
func (b *blocks) deepest(j int) int { return b.search(1, b.from, b.leafs*blockLen, j, -1) }

// search returns deepest for the node k of the tree, which covers width targets
// starting at first, or known, the result of other blocks, if that is larger.
func (b *blocks) search(k, first, width, j, known int) int {
	at := b.all[k]
	if first > b.top || !b.mayHave(at, b.f.items[j]) {
		return known
	}
	before, end := int(b.f.used[j]), int(b.f.used[j+1])
	last := min(first+width-1, b.top)
	rise := b.f.at(int64(first))
	needed := func(h int) bool {
		loss := b.f.worth[j] - b.f.at(int64(before-h))
		return loss < b.f.at(int64(first+h))-rise+at.excess
	}
	// The loss grows ever faster and the rise ever more slowly, so from where
	// both are equally steep, h = (before-first)/2, what is not needed is not
	// needed further down either.
	h := max(known+1, end-last, (before-first+1)/2)
	if h > before || !needed(h) {
		return known
	}
	if k < b.leafs {
		known = b.search(2*k, first, width/2, j, known)
		return b.search(2*k+1, first+width/2, width/2, j, known)
	}
	step := 64
	for ; h+step <= before && needed(h+step); step *= 2 {
		h += step
	}
	for ; step > 8; step /= 2 {
		if h+step <= before && needed(h+step) {
			h += step
		}
	}
	return min(h+2*step, before)
}
