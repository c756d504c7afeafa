package work

import (
	"context"
	"strings"
	"testing"
	"time"

	"cupelscope/model/musttest"
	"cupelscope/pipeline/slicer"

	tea "charm.land/bubbletea/v2"
)

// counter is a worker that wants a number, and takes what it is answered.
type counter struct {
	want, got int
	ran       []int
}

func (c *counter) Job() (Job, bool) {
	n := c.want
	return Job{Key: n, Run: Pass(func(ctx context.Context) (int, error) {
		c.ran = append(c.ran, n)
		return n, ctx.Err()
	}, func(got int, err error) {
		if err == nil {
			c.got = got
		}
	})}, c.got != c.want
}

// worker runs what it is given, once.
type worker struct {
	run   func(ctx context.Context)
	waits bool // no one waits for it
	long  bool
	done  bool
}

func (w *worker) Job() (Job, bool) {
	return Job{Key: 1, CanWait: w.waits, Long: w.long, Run: func(ctx context.Context) func() {
		w.run(ctx)
		return func() { w.done = true }
	}}, !w.done
}

// A computation of the pipeline tells how far it is by its context.
func TestPercent(t *testing.T) {
	p := NewPool(context.Background(), time.Now)
	w := &worker{run: func(ctx context.Context) { slicer.ProgressOf(ctx)(9, 20) }}
	cmd := p.Do(w)
	musttest.Is(t, p.Percent(w), 0, "% of what has not begun")
	a := answer(t, cmd)
	musttest.Is(t, p.Percent(w), 45, "% of 9 of 20")
	p.Take(a)
	musttest.Is(t, p.Percent(w), -1, "% where nothing runs")
}

func answer(t *testing.T, cmd tea.Cmd) Answer {
	t.Helper()
	if cmd == nil {
		t.Fatal("no command runs")
	}
	return cmd().(Answer)
}

// waitingPool returns a pool that waits for every answer.
func waitingPool() *Pool {
	p := NewPool(context.Background(), time.Now)
	p.Frame = time.Hour
	p.Begin()
	return p
}

func TestQuickWorkIsAnsweredAtOnce(t *testing.T) {
	p, c := waitingPool(), &counter{want: 3}
	if cmd := p.Do(c); cmd != nil || c.got != 3 || p.Busy() {
		t.Errorf("command %v, got %d, busy %v", cmd != nil, c.got, p.Busy())
	}
}

// A job goes on where the frame cannot wait for it, and its answer comes as a message.
func TestLongWorkIsAnsweredLater(t *testing.T) {
	p, end := NewPool(context.Background(), time.Now), make(chan bool)
	p.Frame = time.Nanosecond
	p.Begin()
	w := &worker{run: func(context.Context) { <-end }}
	cmd := p.Do(w)
	if w.done || !p.Running(w) || p.left > 0 {
		t.Errorf("done %v, running %v, %v left", w.done, p.Running(w), p.left)
	}
	close(end)
	if p.Take(answer(t, cmd)); !w.done || p.Busy() || !p.Slow(w) {
		t.Errorf("done %v, busy %v, slow %v", w.done, p.Busy(), p.Slow(w))
	}
}

// The error of a job that reaches its limit is told to the worker; to be cancelled is not.
func TestAJobHasALimit(t *testing.T) {
	p, w := waitingPool(), &limited{}
	p.Limit = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, d-time.Hour)
	}
	if cmd := p.Do(w); cmd != nil || !TooLong(w.err) {
		t.Errorf("command %v, error %v", cmd != nil, w.err)
	}
}

// limited is a worker whose job ends with the error of its context.
type limited struct{ err error }

func (l *limited) Job() (Job, bool) {
	return Job{Key: 1, Limit: time.Hour, Run: func(ctx context.Context) func() {
		err := ctx.Err()
		return func() { l.err = err }
	}}, l.err == nil
}

// A panic of a job is one of the pool's caller, and tells where it was.
func TestAPanicIsPassedOn(t *testing.T) {
	defer func() {
		if r, _ := recover().(string); !strings.HasPrefix(r, "oh\n") || !strings.Contains(r, "TestAPanicIsPassedOn") {
			t.Errorf("the panic is %q", r)
		}
	}()
	waitingPool().Do(&worker{run: func(context.Context) { panic("oh") }})
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
			p, w := NewPool(context.Background(), time.Now), &counter{want: 3}
			cmd := p.Do(w)
			old := cmd().(Answer)
			c.drop(p, w)
			if c.next {
				w.want = 4
				cmd = p.Do(w)
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

// An answer that was on its way when the worker began to ask for something else, or for nothing,
// is dropped, and frees the lane.
func TestAnAnswerToAnotherQuestionIsDropped(t *testing.T) {
	for name, want := range map[string]int{"something else": 4, "nothing": 0} {
		p, w := NewPool(context.Background(), time.Now), &counter{want: 3}
		old := answer(t, p.Do(w))
		w.want = want
		if !p.Take(old) || w.got != 0 || p.Busy() {
			t.Errorf("asked for %s, it has %d, busy %v", name, w.got, p.Busy())
		}
	}
	p, w := NewPool(context.Background(), time.Now), &counter{want: 3}
	if a := answer(t, p.Do(w)); !p.Take(a) || w.got != 3 {
		t.Errorf("asked for the same, it has %d", w.got)
	}
}

func TestANewerJobWaitsForTheOldOneToStop(t *testing.T) {
	p, w := NewPool(context.Background(), time.Now), &counter{want: 3}
	first := p.Do(w)
	w.want = 4
	if second := p.Do(w); second != nil || len(w.ran) != 0 {
		t.Fatal("two jobs of a worker run at once")
	}
	if a := answer(t, first); !p.Take(a) || w.got != 0 {
		t.Fatalf("a cancelled job answers %d", w.got)
	}
	second := p.Do(w)
	if !p.Take(answer(t, second)) || w.got != 4 || p.Busy() {
		t.Errorf("got %d, busy %v", w.got, p.Busy())
	}
	if p.Take(Answer{worker: w, lane: p.lanes[w], generation: 1, result: func() { w.got = 3 }}) || w.got != 4 {
		t.Errorf("the first answer came twice: %d", w.got)
	}
}

func TestWorkThatIsNoLongerNeededIsCancelled(t *testing.T) {
	p, w := NewPool(context.Background(), time.Now), &counter{want: 3}
	cmd := p.Do(w)
	w.got = 3
	p.Do(w)
	if a := answer(t, cmd); !a.cancelled {
		t.Error("it went on")
	}
}

// Slow work that no one waits for does not start while keys come, ends at once when it is
// cancelled, and starts without a rest once it is waited for. The clock is an hour ahead, so that the keys never rest.
func TestSlowWorkThatNoOneWaitsForStartsOnceKeysRest(t *testing.T) {
	p := NewPool(context.Background(), func() time.Time { return time.Now().Add(time.Hour) })
	p.Frame = 0 // everything is slow
	p.DelaySlow()
	ran := 0
	w := &worker{waits: true, run: func(context.Context) { ran++ }}
	if p.Take(answer(t, p.Do(w))); ran != 1 || !p.Slow(w) {
		t.Fatalf("before it is known to be slow it ran %d times, slow %v", ran, p.Slow(w))
	}
	w.done = false
	cmd := p.Do(w)
	p.Cancel(w)
	if p.Take(answer(t, cmd)); ran != 1 || w.done || p.Busy() {
		t.Errorf("cancelled while it waited, it ran %d times, done %v, busy %v", ran, w.done, p.Busy())
	}
	cmd = p.Do(w)
	w.waits = false
	p.Do(w)
	if p.Take(answer(t, cmd)); ran != 1 || p.Busy() {
		t.Errorf("now waited for, it ran %d times before it starts anew, busy %v", ran, p.Busy())
	}
	if p.Take(answer(t, p.Do(w))); ran != 2 || !w.done {
		t.Errorf("what is waited for ran %d times, done %v", ran, w.done)
	}
}

// Long work that no one waits for is put off also the first time.
func TestLongWorkStartsOnceKeysRest(t *testing.T) {
	p := NewPool(context.Background(), func() time.Time { return time.Now().Add(time.Hour) })
	p.Frame = time.Hour
	p.Begin()
	p.DelaySlow()
	w := &worker{waits: true, long: true, run: func(context.Context) { t.Error("it ran") }}
	cmd := p.Do(w)
	p.Cancel(w)
	if p.Take(answer(t, cmd)); w.done {
		t.Error("it was done")
	}
}

// What Glance does is waited for a sixth of a frame, and the rest stays for others.
func TestGlanceLeavesTheFrame(t *testing.T) {
	p := NewPool(context.Background(), time.Now)
	p.Frame = 6 * time.Millisecond
	p.Begin()
	p.left = time.Hour
	end := make(chan struct{})
	defer close(end)
	slow := &worker{run: func(context.Context) { <-end }}
	if p.Glance(slow) == nil || p.left < time.Hour-time.Minute {
		t.Errorf("of an hour %v are left", p.left)
	}
	quick := &worker{run: func(context.Context) {}}
	p.Frame = 6 * time.Hour
	if p.Glance(quick); !quick.done {
		t.Error("what is quick is not waited for")
	}
}

// A job that was cancelled after a frame is slow too.
func TestACancelledJobIsSlow(t *testing.T) {
	p := NewPool(context.Background(), time.Now)
	p.Frame = 0
	w := &worker{}
	w.run = func(context.Context) { p.Cancel(w) }
	if p.Take(answer(t, p.Do(w))); w.done || !p.Slow(w) {
		t.Errorf("done %v, slow %v", w.done, p.Slow(w))
	}
}

// An answer that came too late for its frame is drawn soon: what it starts delays it by a third
// of a frame at most.
func TestALateAnswerWaitsForLessThanAFrame(t *testing.T) {
	p, w := NewPool(context.Background(), time.Now), &counter{want: 3}
	cmd := p.Do(w)
	p.Frame = time.Hour
	p.Begin()
	if !p.Take(answer(t, cmd)) || p.left != time.Hour/3 {
		t.Errorf("%v of the frame are left", p.left)
	}
}

// A result is waited for two frames, and what comes after Hurry four thirds of a frame less.
func TestHurryLeavesLessOfTheFrame(t *testing.T) {
	p := NewPool(context.Background(), time.Now)
	p.Frame = 6 * time.Hour
	p.Begin()
	musttest.Is(t, p.left, 12*time.Hour, p.Frame)
	p.Hurry()
	musttest.Is(t, p.left, 4*time.Hour, p.Frame)
}
