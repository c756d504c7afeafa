package explorer

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/view/replay"
)

// Whatever is changed, on whichever view, results and rankings that nothing shows any more
// can be freed: in a large set each takes megabytes.
func TestOlderResultsAreFreed(t *testing.T) {
	serial(t)
	s := begin(t, sampleSession(t, 60), 120, 36)
	var reports []weak.Pointer[model.Report]
	var rankings []weak.Pointer[pipeline.Ranking]
	for _, keys := range []string{
		"<space>", "j<space>", "x", "u", "u", "]", "l", "}", "c", "C", "j*", "jj<enter><esc>", "m", "X", "1", "2", "3", "4", "5", "6", "7", "8", "1",
	} {
		s.press(keys)
		for _, v := range []string{"", "2", "3", "4", "5", "6", "7", "1"} {
			s.press(v + "j<space>")
			for _, side := range []experiment.Side{experiment.A, experiment.B} {
				if o := s.m.exp.Outcome(side); o != nil {
					reports = append(reports, weak.Make(o.Report))
					rankings = append(rankings, weak.Make(o.Ranking))
				}
			}
		}
	}
	runtime.GC()
	runtime.GC() // what the first one found to be only in pools
	if n := live(reports); n > 10 {
		t.Errorf("%d results of a past setup are still held", n)
	}
	if n := live(rankings); n > 10 {
		t.Errorf("%d rankings of a past setup are still held", n)
	}
	runtime.KeepAlive(s)
}

// Profiles of a knapsack hold its table, and Replay a larger one: once neither side is a
// knapsack, none is held, whatever was looked at before. What views show of the newest
// results stays.
func TestTablesThatNoViewShowsAreFreed(t *testing.T) {
	serial(t)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		s := begin(t, sampleSession(t, 300), size[0], size[1])
		var tables []weak.Pointer[simulate.Profile]
		s.do("policy.slicer") // knapsack, as B is
		for range 2 {
			for _, keys := range []string{"1", "2", "3", "4", "4j", "5", "5bjj", "6", "7", "8", "1j", "]", "x", "u"} {
				s.press(keys)
				for _, side := range []experiment.Side{experiment.A, experiment.B} {
					if o := s.m.exp.Outcome(side); o != nil && o.Policy.Slicer == model.Knapsack {
						tables = append(tables, weak.Make(o.Profile))
					}
				}
			}
		}
		s.do("view.Replay")
		shown := s.m.view().(*replay.View)
		if s.do("view.Items"); shown.Steps() > 0 { // which hold its table
			t.Errorf("at %v the steps of Replay are held, though Items is shown", size)
		}
		runtime.GC()
		runtime.GC()
		if n := live(tables); n == 0 || n > 4 {
			t.Errorf("at %v %d profiles of knapsacks are held for two sides", size, n)
		}
		s.press("7B")
		for s.m.exp.Setup().Policy[experiment.B].Slicer == model.Knapsack {
			s.press("c")
		}
		s.do("policy.A")
		for s.m.exp.Setup().Policy[experiment.A].Slicer == model.Knapsack {
			s.do("policy.slicer")
		}
		s.do("view.Items")
		runtime.GC()
		runtime.GC()
		if n := live(tables); n > 0 {
			t.Errorf("at %v %d profiles of knapsacks are held, and no side is one", size, n)
		}
		runtime.KeepAlive(s)
	}
}

// The large table of a knapsack on the side that nothing shows is let go, also where the
// pane of curves draws that side; it is computed again where a view shows it.
func TestTheTableOfAHiddenSideIsFreed(t *testing.T) {
	serial(t)
	if testing.Short() {
		t.Skip("it measures the heap, which the race detector changes")
	}
	session := sampleSession(t, 700)
	b := session.other(session.Policy)
	b.BucketSize = 1
	session.PolicyB = model.Some(b)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		s := begin(t, session, size[0], size[1])
		curves := func() (rows []string) { // the pane of them, at the left
			for _, row := range strings.Split(s.text(), "\n") {
				r := []rune(row)
				if strings.ContainsFunc(row, func(c rune) bool { return 0x2800 < c && c <= 0x28FF }) {
					rows = append(rows, string(r[:28]))
				}
			}
			return rows
		}
		before := curves()
		s.press("j")
		items := heap()
		for range 2 {
			s.press("2")
			if o := s.m.exp.Outcome(experiment.B); o == nil || s.m.exp.Hidden(experiment.B) {
				t.Fatalf("at %v Compare has no result of B", size)
			}
			const table = 8 << 20
			compare := heap()
			t.Logf("at %v Compare holds %d bytes more than Items", size, compare-items)
			if compare-items < table {
				t.Errorf("at %v Compare holds %d bytes more, want a table of %d at least: there is nothing to test", size, compare-items, table)
			}
			if s.press("1j"); heap()-items > table/8 {
				t.Errorf("at %v Items holds %d bytes more than before Compare, which held %d", size, heap()-items, compare-items)
			}
			if after := curves(); !slices.Equal(after, before) {
				t.Errorf("the curves before and after Compare:\n%s\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
			}
		}
		s.press("]")
		if !s.m.exp.Hidden(experiment.B) {
			t.Errorf("at %v another budget computes B, which nothing shows", size)
		}
		s.press("2]")
		a, b := s.m.exp.Outcome(experiment.A).Report.Budget.MaxTokens(), s.m.exp.Outcome(experiment.B).Report.Budget.MaxTokens()
		musttest.Is(t, a, b, "at", size, "Compare shows A at")
		runtime.KeepAlive(s)
	}
}

// live counts what has not been freed, each once.
func live[T any](all []weak.Pointer[T]) int {
	held := map[*T]bool{}
	for _, p := range all {
		if v := p.Value(); v != nil {
			held[v] = true
		}
	}
	return len(held)
}
