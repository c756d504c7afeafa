package quality

import (
	"slices"
	"testing"

	"cupelscope/model"
)

// What is searched is told before it begins: each policy of the grid once, the
// current one's scorers and slicer among them.
func TestTheSpaceIsListed(t *testing.T) {
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	lines, round := SpaceOf(p)
	if len(lines) != len(grid(p)) || round < 1 {
		t.Fatalf("%d lines for %d policies, %d a round", len(lines), len(grid(p)), round)
	}
	sorted := slices.Sorted(slices.Values(lines))
	if len(slices.Compact(sorted)) != len(lines) {
		t.Errorf("a policy is listed twice: %q", lines)
	}
	if !slices.Contains(lines, start(p).describe(p)) {
		t.Errorf("the current policy is not among %q", lines)
	}
}
