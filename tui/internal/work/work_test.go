package work

import (
	"context"
	"testing"
	"time"

	"cupelscope/pipeline/slicer"

	tea "charm.land/bubbletea/v2"
)

// counter is a worker that wants a number, and takes what it is answered.
type counter struct {
	want, got, cost int
	ran             []int
}

func (c *counter) Job() (Job, bool) {
	n := c.want
	return Job{Key: n, Cost: c.cost, Run: func(ctx context.Context) (any, error) {
		c.ran = append(c.ran, n)
		return n, ctx.Err()
	}}, c.got != c.want
}

func (c *counter) Done(_, result any, err error) {
	if err == nil {
		c.got = result.(int)
	}
}

// worker runs what it is given, once.
type worker struct {
	run  func(ctx context.Context)
	done bool
}

func (w *worker) Job() (Job, bool) {
	return Job{Key: 1, Cost: 200, Run: func(ctx context.Context) (any, error) { w.run(ctx); return nil, nil }}, !w.done
}

func (w *worker) Done(any, any, error) { w.done = true }

// A computation of the pipeline tells how far it is by its context.
func TestPercent(t *testing.T) {
	p := NewPool(context.Background(), time.Now)
	w := &worker{run: func(ctx context.Context) { slicer.ProgressOf(ctx)(9, 20) }}
	cmd, _ := p.Do(w, 0)
	if got := p.Percent(w); got != 0 {
		t.Errorf("%d %% of what has not begun", got)
	}
	a := answer(t, cmd)
	if got := p.Percent(w); got != 45 {
		t.Errorf("%d %% of 9 of 20", got)
	}
	p.Take(a)
	if got := p.Percent(w); got != -1 {
		t.Errorf("%d %% where nothing runs", got)
	}
}

func answer(t *testing.T, cmd tea.Cmd) Answer {
	t.Helper()
	if cmd == nil {
		t.Fatal("no command runs")
	}
	return cmd().(Answer)
}

func TestCheapWorkIsDoneAtOnce(t *testing.T) {
	p, c := NewPool(context.Background(), time.Now), &counter{want: 3, cost: 40}
	if cmd, left := p.Do(c, 100); cmd != nil || left != 60 || c.got != 3 {
		t.Errorf("command %v, %d left, got %d", cmd != nil, left, c.got)
	}
}

func TestAStaleResultIsDropped(t *testing.T) {
	for _, c := range []struct {
		name string
		drop func(p *Pool, c *counter)
		next bool // a new job runs before the old answer comes
	}{
		{"the worker was dropped", func(p *Pool, c *counter) { p.Drop(c) }, false},
		{"it was dropped, and works again", func(p *Pool, c *counter) { p.Drop(c) }, true},
		{"all were dropped, and it works again", func(p *Pool, c *counter) { p.DropAll() }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, w := NewPool(context.Background(), time.Now), &counter{want: 3, cost: 200}
			cmd, _ := p.Do(w, 100)
			old := cmd().(Answer)
			c.drop(p, w)
			if c.next {
				w.want = 4
				cmd, _ = p.Do(w, 100)
			}
			if p.Take(old) || w.got != 0 {
				t.Errorf("a stale answer was taken: %d", w.got)
			}
			if c.next && (!p.Take(answer(t, cmd)) || w.got != 4) {
				t.Errorf("the new answer was not taken: %d", w.got)
			}
		})
	}
}

func TestANewerJobWaitsForTheOldOneToStop(t *testing.T) {
	p, w := NewPool(context.Background(), time.Now), &counter{want: 3, cost: 200}
	first, _ := p.Do(w, 100)
	w.want = 4
	if second, _ := p.Do(w, 1000); second != nil || len(w.ran) != 0 {
		t.Fatal("two jobs of a worker run at once")
	}
	if a := answer(t, first); !p.Take(a) || w.got != 0 {
		t.Fatalf("a cancelled job answers %d", w.got)
	}
	second, _ := p.Do(w, 100)
	if !p.Take(answer(t, second)) || w.got != 4 || p.Busy() {
		t.Errorf("got %d, busy %v", w.got, p.Busy())
	}
	if p.Take(Answer{worker: w, lane: p.lanes[w], generation: 1, key: 3, result: 3}) || w.got != 4 {
		t.Errorf("the first answer came twice: %d", w.got)
	}
}

func TestWorkThatIsNoLongerNeededIsCancelled(t *testing.T) {
	p, w := NewPool(context.Background(), time.Now), &counter{want: 3, cost: 200}
	cmd, _ := p.Do(w, 0)
	w.got = 3
	p.Do(w, 0)
	if a := answer(t, cmd); a.key != nil {
		t.Error("it went on")
	}
}

// A job that can wait does not start while keys come, and ends at once when it is
// cancelled. The clock is an hour ahead, so that the keys never rest.
func TestWhatCanWaitStartsOnceKeysRest(t *testing.T) {
	p := NewPool(context.Background(), func() time.Time { return time.Now().Add(time.Hour) })
	p.Rest()
	ran := 0
	w := &worker{run: func(context.Context) { ran++ }}
	cmd, _ := p.Do(waiting{w}, 0)
	p.Cancel(waiting{w})
	if p.Take(answer(t, cmd)); ran != 0 || w.done || p.Busy() {
		t.Errorf("cancelled while it waited, it ran %d times, done %v, busy %v", ran, w.done, p.Busy())
	}
	cmd, _ = p.Do(w, 0)
	if p.Take(answer(t, cmd)); ran != 1 || !w.done {
		t.Errorf("what cannot wait ran %d times, done %v", ran, w.done)
	}
}

// waiting is a worker whose job can wait.
type waiting struct{ *worker }

func (w waiting) Job() (Job, bool) {
	job, needed := w.worker.Job()
	job.Waits = true
	return job, needed
}
