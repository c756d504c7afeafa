package replay

import (
	"slices"

	"cupelscope/pipeline/slicer"
)

// A knapsack first fills its table, one row per item, from the highest score to the
// lowest, and then walks back through the rows. The steps are the walk
// back. To show the filling they are in the opposite order.

// toggleFilling shows how the table is filled, from the first step, or the walk back
// again. The cursor then stays with its item or, if it has not moved meanwhile, returns to
// where the walk back was left. It returns why it cannot, or "".
func (p *View) toggleFilling() string {
	if why := p.needsTable(); why != "" {
		return why
	}
	p.Leave()
	cursor := p.turnRound(p.Cursor())
	p.filling = !p.filling
	switch {
	case p.filling:
		p.left, cursor = p.Cursor(), 0
	case cursor == 0:
		cursor = p.left
	}
	p.List.To(cursor)
	return ""
}

// turnRound reverses the steps of every walk back. It returns the new index of a step.
func (p *View) turnRound(step int) int {
	at := step
	for k, open := range p.opens {
		if p.steps[open].Phase != slicer.WalkBack {
			continue
		}
		from, end := int(open)+1, len(p.steps)
		if k+1 < len(p.opens) {
			end = int(p.opens[k+1])
		}
		if slices.Reverse(p.steps[from:end]); from <= step && step < end {
			at = from + end - 1 - step
		}
	}
	p.mark(p.of.Ranking.Input())
	return at
}
