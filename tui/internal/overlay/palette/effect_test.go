package palette

import (
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/work"
)

// Where a trial takes longer than a frame, that of a command that changes items begins only when keys rest,
// and comes then; that of another command begins at once.
func TestATrialOfOtherItemsBeginsWhenKeysRest(t *testing.T) {
	exp := experimenttest.New(t, 40)
	typed := func(line string) []Command {
		return []Command{{Text: line, Plan: func() (screen.Change, error) {
			if line == "budget" {
				return screen.To(exp.Setup().WithMax(99), experiment.Label{}), nil
			}
			rule, err := model.ParseShrinkRule("*=" + line)
			return screen.To(exp.Setup().Shrunk(rule), experiment.Label{}), err
		}}}
	}
	ahead := time.Hour
	pool := work.NewPool(t.Context(), func() time.Time { return time.Now().Add(ahead) })
	pool.Frame = 0 // everything is slow
	p := New(nil, "", Source{Typed: typed})
	types := func(line string) <-chan work.Answer {
		pool.DelaySlow()
		p.SetText(line)
		p.find()
		p.Arrange(exp, experiment.A)
		answers, do := make(chan work.Answer, 1), pool.Do(p)
		go func() { answers <- do().(work.Answer) }()
		return answers
	}
	pool.Take(<-types("40"))
	musttest.Is(t, p.impact != nil, true, "the first trial, before it is known to be slow, is done")
	pool.Take(<-types("budget"))
	musttest.Is(t, p.impact != nil, true, "the trial of a budget is done at once")
	waits := types("4")
	select {
	case <-waits:
		t.Fatal("a slow trial begins while keys come")
	case <-time.After(50 * time.Millisecond):
	}
	pool.Cancel(p)
	pool.Take(<-waits)
	musttest.Is(t, p.impact != nil, false, "nothing is told of what was not tried")
	ahead = -time.Hour
	pool.Take(<-types("4"))
	musttest.Is(t, p.impact != nil, true, "keys rest: it is done")
}
