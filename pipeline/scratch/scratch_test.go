package scratch

import (
	"sync"
	"testing"
)

func TestPoolLendsWhatIsAskedFor(t *testing.T) {
	var p Pool[int32]
	for _, n := range []int{0, 5, 3, 100, 7} {
		s := p.Lend(n)
		if len(s.Of) != n {
			t.Fatalf("%d elements, want %d", len(s.Of), n)
		}
		for i := range s.Of {
			s.Of[i] = 9
		}
		s.Return()
		c := p.LendClear(n + 1)
		if len(c.Of) != n+1 {
			t.Fatalf("%d clear elements, want %d", len(c.Of), n+1)
		}
		for i, v := range c.Of {
			if v != 0 {
				t.Fatalf("element %d is %d, want 0", i, v)
			}
		}
		c.Return()
	}
}

// TestNoTwoHaveTheSame has several borrowers hold on to slices at once.
func TestNoTwoHaveTheSame(t *testing.T) {
	var p Pool[int]
	var all sync.WaitGroup
	for id := range 8 {
		all.Go(func() {
			for range 200 {
				s := p.Lend(16)
				for i := range s.Of {
					s.Of[i] = id
				}
				for _, v := range s.Of {
					if v != id {
						t.Errorf("borrower %d finds %d", id, v)
					}
				}
				s.Return()
			}
		})
	}
	all.Wait()
}
