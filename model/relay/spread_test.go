package relay

import (
	"runtime"
	"testing"

	"cupelscope/model/musttest"
)

// Keys have a thread of their own beside one for each processor, unless the user has said how
// many there are.
func TestKeysHaveAThreadOfTheirOwn(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer func() {
		runtime.GOMAXPROCS(before)
		spare = 0
	}()
	for _, c := range []struct {
		set  string
		want int
	}{{"7", before}, {"", before + 1}} {
		t.Setenv("GOMAXPROCS", c.set)
		KeepOneForKeys()
		musttest.Is(t, runtime.GOMAXPROCS(0), c.want, "GOMAXPROCS=", c.set)
		musttest.Is(t, Workers(), before, "GOMAXPROCS", c.set)
	}
}
