package explorer

import (
	"testing"

	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
)

// A knapsack charges whole buckets, so all items are in at a larger budget than
// under greedy: the axis goes on to there, and back with the change.
func TestTheAxisFollowsThePolicy(t *testing.T) {
	session := sampleSession(t, 60)
	greedy := simulate.Ceiling(session.Items, session.Policy, session.Budget)
	session.Ceiling = greedy
	s := begin(t, session, 120, 36)
	s.press("c")
	if s.m.exp.Setup().Policy[experiment.A].Slicer != "knapsack" {
		t.Fatal("c is the next slicer")
	}
	end := s.m.exp.Setup().Ceiling
	p := s.m.exp.Profile(experiment.A)
	for i := range s.m.exp.Items().Len() {
		if _, first := p.FirstIn(i); first {
			if _, stays := p.StaysFrom(i); !stays {
				t.Errorf("#%d is in, but not at the ceiling %v", i, end)
			}
		}
	}
	if end <= greedy {
		t.Errorf("the axis ends at %v", end)
	}
	s.seesNot("ceiling") // it is no knob that was turned
	s.press("u")
	if got := s.m.exp.Setup().Ceiling; got != greedy {
		t.Errorf("undone, the axis ends at %v", got)
	}
	session.CeilingAsked = true
	s = begin(t, session, 120, 36)
	s.press("c")
	if got := s.m.exp.Setup().Ceiling; got != greedy {
		t.Errorf("an end that was asked for moves to %v", got)
	}
	s.sees("ceiling")
	session.CeilingAsked = false
	s = begin(t, session, 120, 36)
	s.press(":ceiling 300k<enter>", "ceiling           300,000")
	s.press("c")
	if got := s.m.exp.Setup().Ceiling; got != 300_000 {
		t.Errorf("an end that was typed moves to %v", got)
	}
}
