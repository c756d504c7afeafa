package explorer

import (
	"fmt"
	"sync/atomic"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/work"
)

// The spinner turns with each look at the work. Once nothing runs there are no
// more looks, and the last one draws nothing.
func TestTheSpinnerTurnsWhileThereIsWork(t *testing.T) {
	s, finish := beginCounting(t)
	for _, spin := range []string{"⠋", "⠙", "⠹"} {
		s.sees(", " + spin + " counting 43 %")
		if !s.tick() {
			t.Fatal("nobody looks how far it is")
		}
	}
	finish(nil)
	_ = s.m.View()
	s.send(quietMsg(s.m.progressed))
	musttest.Is(t, s.m.dirty, false, "a look at nothing draws the screen anew")
	s.due = nil
	musttest.Is(t, s.tick(), false, "looks go on where nothing runs")
}

// What a key has cancelled draws nothing while the result for the key is computed, which is drawn, also
// where it comes at once.
func TestWhatAKeyCancelsIsNotDrawn(t *testing.T) {
	for _, quick := range []bool{false, true} {
		t.Run(fmt.Sprint("quick ", quick), func(t *testing.T) { drawsNoCancelledAnswer(t, quick) })
	}
}

func drawsNoCancelledAnswer(t *testing.T, quick bool) {
	s := agentAt(t, 120, 36, "")
	s.held = true
	s.press("ll")
	s.quick = quick
	cancelled := 0
	for len(s.queue) > 0 {
		first := s.queue[0]
		s.queue = append(s.queue[1:], carriedOut(first, func(msg tea.Msg) tea.Cmd {
			_ = s.m.View()
			before := s.m.computes(s.m.side)
			cmd := s.update(msg)
			if a, is := msg.(work.Answer); is && a.Cancelled() && before {
				cancelled++
				musttest.Is(t, s.m.dirty, !s.m.computes(s.m.side), "the cancelled answer draws the screen anew")
			}
			return cmd
		})...)
	}
	musttest.Is(t, cancelled > 0 && s.current(), true, "an answer was cancelled, and the result has come")
}

func TestLoadingHasABarWhereItsEndIsKnown(t *testing.T) {
	for _, c := range []struct {
		name      string
		theme     theme.Name
		ascii     bool
		spin, bar string
	}{
		{"dark", theme.Dark, false, "⠋ loading big.json…", "█████░░░░░░░░░░░░░░░"},
		{"light", theme.Light, false, "⠋ loading big.json…", "█████░░░░░░░░░░░░░░░"},
		{"without colour", theme.NoColor, false, "⠋ loading big.json…", "█████░░░░░░░░░░░░░░░"},
		{"ASCII", theme.Dark, true, "| loading big.json...", "#####..............."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, sampleSession(t, 3), 60, 16, func(o *Options) { o.Theme, o.ASCII, o.Source = c.theme, c.ascii, "big.json" })
			s.m.exp, s.m.load.progress = nil, new(atomic.Pointer[itemset.Progress])
			s.m.load.progress.Store(&itemset.Progress{Bytes: 1000, Size: 4000})
			s.m.dirty = true
			s.line(c.spin)
			s.line(c.bar + "  1,000 of 4,000 bytes read")
		})
	}
}

func TestALongChangeHasABar(t *testing.T) {
	session := sampleSession(t, 300)
	session.Policy.Slicer, session.Policy.BucketSize = model.Knapsack, 1
	s := begin(t, session, 120, 36)
	s.held = true
	s.do("item.pin")
	s.line("computing… ⠋", "u undo")
	f, l := s.m.frameFor(), s.m.drawn.layout
	f.Computing.Sides[0] = 45
	s.send(quietMsg(s.m.progressed))
	f.Fill(l.Impact, ' ', theme.Plain)
	pane.Impact(f, l.Impact, nil)
	s.m.frame, s.m.dirty = s.m.canvas.String(), false
	s.line("computing… ⠙ █████████░░░░░░░░░░░ 45 %", "u undo")
}

// A key that leaves the candidates as they are does not begin the best possible value anew.
func TestTheBestGoesOnWhileABudgetIsComputed(t *testing.T) {
	session := sampleSession(t, 200)
	session.Policy.Slicer, session.Policy.BucketSize = model.Knapsack, 1
	s := begin(t, session, 120, 50)
	s.held = true
	s.do("item.pin")
	doing := func(key string) bool {
		job, wanted := s.m.best.Job()
		return wanted && fmt.Sprintf("%T", job.Key) == key
	}
	s.step(func() bool { return s.m.pool.Running(&s.m.best) && doing("widget.optimumKey") })
	now := s.m.exp.Setup()
	policy := now.Policy[experiment.A].Clone()
	policy.BucketSize = 2
	now = now.WithPolicy(experiment.A, policy).WithPolicy(experiment.B, policy)
	musttest.Do(t, s.m.exp.Apply(now, experiment.Label{Name: "bucket"}, ""))
	s.run(s.m.settle())
	s.step(s.current)
	musttest.Is(t, doing("widget.planKey"), false, "it is planned again for the same candidates")
}
