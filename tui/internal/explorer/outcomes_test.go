package explorer

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/work"
)

// What a change makes vain of the work of the other side, which waits for keys to rest, has ended
// before the side that is shown is computed.
func TestVainWorkEndsBeforeTheNextResult(t *testing.T) {
	exp, looked, ended := experimenttest.New(t, 50), false, make(chan tea.Msg, 1)
	pool := work.NewPool(t.Context(), func() time.Time { return time.Now().Add(time.Hour) }) // keys never rest
	o := newOutcomes(pool, func() time.Time {
		if !looked && pool.Frame > 0 { // the last change
			looked = true
			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				t.Error("the work of the other side has not ended")
			}
		}
		return time.Now()
	})
	change := func() []tea.Cmd { // of the scores of the side that is shown, and of the budget
		next := exp.Setup()
		policy := next.Policy[experiment.A].Clone()
		policy.Scorers[0].Weight++
		musttest.Do(t, exp.Apply(next.WithPolicy(experiment.A, policy).WithMax(next.Budget.MaxTokens+100), experiment.Label{Name: "change"}, ""))
		pool.Begin()
		pool.DelaySlow()
		cmd := o.settle(exp, experiment.A, false, false)
		if pool.Frame > 0 {
			return nil
		}
		return cmd().(tea.BatchMsg)
	}
	pool.Frame = 0 // all is slow
	for _, cmd := range change() {
		pool.Take(cmd().(work.Answer))
	}
	cmds := change()
	pool.Take(cmds[0]().(work.Answer))
	go func() { ended <- cmds[1]() }()
	pool.Frame = time.Minute
	if change(); !looked {
		t.Error("nothing was computed")
	}
}
