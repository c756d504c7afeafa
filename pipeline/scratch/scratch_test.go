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
		s.Return()
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
