package widget

import (
	"cupelscope/model"
	"cupelscope/tui/experiment"
)

// BandsCost predicts, in microseconds, what the bands of an item cost: a pass
// over the table for a knapsack.
func BandsCost(o *experiment.Outcome) int {
	cost := 1
	if len(o.Policy.Quotas)+len(o.Policy.CountQuotas) > 0 {
		cost = 5 * max(1, len(o.Items.Kinds()))
	}
	if o.Policy.Slicer == model.Knapsack {
		words := int(o.Profile.Axis().End()/o.Policy.Bucket())/64 + 1
		cost *= 1 + words*min(o.Items.Len(), 2000)/800
	}
	return cost
}
