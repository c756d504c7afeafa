package tui

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"cupelscope/model/musttest"
)

// The percentage lets a small heap grow to the floor, and never falls below Go's default.
func TestCollectorPercent(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 1600}, {12 << 20, 425}, {31 << 20, 100}, {32 << 20, 100}, {64 << 20, 100}, {1 << 40, 100}} {
		musttest.Is(t, collectorPercent(c.live), c.want, c.live, "bytes live")
		if grown := c.live + c.live*uint64(collectorPercent(c.live))/100; grown > max(heapFloor, 2*c.live) {
			t.Errorf("%d bytes live may grow to %d", c.live, grown)
		}
	}
}

// Each collection sets the percentage anew: a heap that is half of the floor goes back to
// the default, and a small one is let grow again. A GOGC of the user stays. The test runs in a
// process of its own, where no other test comes after what goes on with each collection.
func TestTheCollectorFollowsTheHeap(t *testing.T) {
	if os.Getenv(runAs) != t.Name() {
		c := exec.Command(musttest.Of(os.Executable())(t), "-test.run=^"+t.Name()+"$")
		c.Env = append(os.Environ(), runAs+"="+t.Name())
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	read := func() int {
		percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(percent)
		return int(percent[0].Value.Uint64())
	}
	before := read()
	t.Setenv("GOGC", "55")
	holdHeapFloor()
	musttest.Is(t, read(), before, "GOGC was set, and the percentage goes from")
	t.Setenv("GOGC", "")
	holdHeapFloor()
	becomes := func(what string, good func(percent int) bool) {
		t.Helper()
		for range 500 {
			if runtime.GC(); good(read()) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("%s: the percentage stays %d", what, read())
	}
	becomes("a small heap", func(percent int) bool { return percent > 100 })
	held := make([]byte, heapFloor)
	becomes("a large heap", func(percent int) bool { return percent == 100 })
	runtime.KeepAlive(held)
	becomes("a small heap again", func(percent int) bool { return percent > 100 })
}
