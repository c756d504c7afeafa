package explorer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
)

// pairedSession links each odd item to the next one, as if they were the calls
// of a tool and their results.
func pairedSession(t testing.TB, n int) *Workspace {
	s := sampleSession(t, n)
	var pairs []model.Pair
	for i := 1; i+1 < n; i += 2 {
		pairs = append(pairs, model.Pair{Call: i, Result: i + 1})
	}
	s.Items = s.Items.WithPairs(pairs...)
	return s
}

func TestSplitPairsAreCountedAndFlagged(t *testing.T) {
	s := begin(t, pairedSession(t, 60), 150, 36)
	out := s.m.exp.Outcome(experiment.A)
	n := 0
	for i := 1; i+1 < 60; i += 2 {
		if out.Report.In(i) != out.Report.In(i+1) {
			n++
		}
	}
	if n < 2 || n != len(out.Split) {
		t.Fatalf("%d pairs are split, the outcome has %v", n, out.Split)
	}
	s.sees(plural(n))
	s.press("/is:split<enter>")
	musttest.Is(t, len(s.rows()), 2*n, "is:split shows")
	flags := 0
	for _, l := range s.screen() {
		if strings.Contains(l, "≠ ") {
			flags++
		}
	}
	if flags < n {
		t.Errorf("%d rows are flagged, want %d or more:\n%s", flags, n, s.text())
	}
	// The one under the cursor is told in full below the table.
	i, _ := s.m.selected()
	if partner, split := out.Alone(i); !split || !strings.Contains(s.text(), itemName(partner)+" is ") {
		t.Errorf("the partner #%d of #%d is not told:\n%s", partner, i, s.text())
	}
	s.press("<esc>2", plural(n))
	if !slices.IsSortedFunc(out.Split, func(a, b model.Pair) int { return a.Call - b.Call }) {
		t.Errorf("%v is not in order", out.Split)
	}
}

// Split pairs are a warning: the header counts them in words at every size, and drops the value before them.
func TestTheHeaderCountsSplitPairsAtEverySize(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, pairedSession(t, 60), size[0], size[1])
		n := len(s.m.exp.Outcome(s.m.side).Split)
		short := plain.Thousands(n) + " split"
		if header := s.screen()[0]; !strings.Contains(header, plural(n)) && !strings.Contains(header, short) || !strings.Contains(header, plain.AtRisk) {
			t.Errorf("%v: %d pairs are split, the header is %q", size, n, header)
		}
	}
}

func plural(pairs int) string {
	if pairs == 1 {
		return "1 split pair"
	}
	return strings.TrimSpace(itemName(pairs)[1:] + " split pairs")
}

// Pairs as one item are a knob where there are pairs: no call is in without its
// result, the policy is marked as ours, and what Cupel is to load is refused.
func TestPairsAsOneItem(t *testing.T) {
	s := begin(t, pairedSession(t, 60), 120, 36)
	if len(s.m.exp.Outcome(experiment.A).Split) == 0 {
		t.Fatal("no pair is split to begin with")
	}
	s.press(":set keep pairs on<enter>", "keep pairs             on", "+ pairs (not Cupel's)")
	o := s.m.exp.Outcome(experiment.A)
	if len(o.Split) > 0 {
		t.Errorf("split pairs: %v", o.Split)
	}
	pair, ok := o.Items.PairOf(int(o.Report.Excluded[0]))
	if !ok {
		t.Fatal("the first that is out is no pair")
	}
	s.m.goTo(pair.Result)
	s.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	s.sees(" with #" + strconv.Itoa(pair.Call))
	if path := filepath.Join(t.TempDir(), "policy.json"); itemset.WritePolicy(path, s.m.exp.Setup().Policy[experiment.A]) == nil {
		t.Error("a policy that Cupel does not know is written for it")
	}
	s.do("view.Compare", fmt.Sprintf("split pairs: A 0, B %d", len(s.m.exp.Outcome(experiment.B).Split)))
	s.line("A greedy  ", " best with pairs") // another best than B's
	s.line("B knapsack 100 ", " "+plain.BelowBest)
	s.do("view.Curve")
	s.line("A greedy + pairs (not Cupel's) ", " with pairs ")
	s.press("1:set slicer stream<enter>", "stream cannot be combined with pairs as one item")
	s.press("uu")
	s.seesNot("pairs (not Cupel's)")
	if len(s.m.exp.Outcome(experiment.A).Split) == 0 {
		t.Error("undone, pairs are split again")
	}
}
