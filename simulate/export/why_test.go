package export

import (
	"testing"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
)

// TestEveryObstacleHasItsWords holds that every obstacle can be said in a column of 12
// cells and in a sentence, with the room and with a share of it.
func TestEveryObstacleHasItsWords(t *testing.T) {
	report := &model.Report{Effective: model.Effective{Target: 900}}
	for o := simulate.NoRoom; o <= simulate.Unknown; o++ {
		for _, kind := range []model.Kind{"", "ToolOutput"} {
			for _, share := range []model.Tokens{0, 700} {
				why := WhyOut(simulate.Reason{Obstacle: o, Tokens: 1301, Charged: 1400, Bucket: 100, Left: 1, Short: 401, Kind: kind, Share: share, By: 123}, report, model.Policy{Slicer: model.Knapsack})
				if len(why.Forms) == 0 || why.Clause == "" {
					t.Fatalf("obstacle %d of kind %q has no words", o, kind)
				}
				for i, form := range why.Forms {
					if i > 0 && plain.Width(form) > plain.Width(why.Forms[i-1]) {
						t.Errorf("obstacle %d: %q is behind %q, which is shorter", o, form, why.Forms[i-1])
					}
				}
				if last := why.Forms[len(why.Forms)-1]; plain.Width(last) > 12 {
					t.Errorf("obstacle %d: %q does not fit into 12 cells", o, last)
				}
			}
		}
	}
}
