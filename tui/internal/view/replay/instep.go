package replay

import (
	"sort"

	"cupelscope/model"
)

// The steps of A and B stand beside each other, in step by the tokens that are placed: the slower side has
// never placed more than the faster one, and both end together. Keys move the side that is edited; which
// step stands beside which does not depend on that.

// reach returns the last step after which at most t tokens are placed, or the first step if there
// is none. Where steps drop items again, there may be several such places. It costs O(markEvery).
func (p *View) reach(t model.Tokens) int {
	mark := sort.Search(len(p.marks), func(k int) bool { return p.marks[k].tokens > t }) - 1
	if mark < 0 {
		return 0
	}
	now, in := p.marks[mark], p.of.Ranking.Input()
	k := mark * markEvery
	for ; k < len(p.steps); k++ {
		now.add(in, &p.steps[k])
		if now.tokens > t {
			break
		}
	}
	return max(0, k-1)
}

// leads reports whether p is the faster side: half of its steps place no fewer tokens than half of the
// steps of q.
func (p *View) leads(q *View) bool {
	return p.after(len(p.steps)/2).tokens >= q.after(len(q.steps)/2).tokens
}

// beside returns the step of q that stands beside a step of p, which leads: halfway between as large a part
// of the steps, and the last step with no more tokens. At the first alone the tokens would drift apart, at
// the last alone q would end while p goes on.
func (p *View) beside(q *View, step int) int {
	last := len(q.steps) - 1
	switch step {
	case len(p.steps) - 1:
		return last
	case 0:
		return 0
	}
	part, reach := step*last/(len(p.steps)-1), q.reach(p.after(step).tokens)
	return min(reach, (part+reach)/2)
}

// inStep returns the step of q that stands beside a step of p, whichever is faster. The steps of the same
// policy are the same.
func (p *View) inStep(q *View, step int) int {
	switch {
	case p.of.Policy.Same(q.of.Policy):
		return step
	case step == len(p.steps)-1 || p.leads(q):
		return p.beside(q, step)
	}
	return sort.Search(len(q.steps)-1, func(k int) bool { return q.beside(p, k) >= step })
}

// follow moves the other side in step, or where both were brought to one item leaves it there.
func (p *View) follow() {
	switch {
	case p.Steps() == 0 || p.other.Steps() == 0:
		return
	case p.shared == p.Cursor()+1 && !p.AtEnd() && p.meets():
		return
	}
	p.other.List.To(p.inStep(p.other, p.Cursor()))
	p.shared = 0
}

// meets brings the other side to its step on the item under the cursor, if it has one.
func (p *View) meets() bool {
	i, ok := p.Selected()
	at, there := 0, false
	if ok {
		at, there = p.other.decides(i)
	}
	if there {
		p.other.List.To(at)
	}
	return there
}

// together returns how the steps of both sides stand to each other.
func (p *View) together() string {
	switch {
	case p.Steps() == 0 || p.other.Steps() == 0:
		return "A and B"
	case p.shared > 0:
		return "A and B, at the same item"
	case p.AtEnd():
		return "A and B, both finished"
	}
	return "A and B, in step by tokens placed"
}
