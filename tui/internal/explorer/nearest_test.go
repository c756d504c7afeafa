package explorer

import (
	"math/rand/v2"
	"testing"

	"cupelscope/model/musttest"
)

// TestTheNextChangesAreOfTheSetup: what frames remember of the next changes is what a
// search finds, after keys that change the budget, items, the policy and the side.
func TestTheNextChangesAreOfTheSetup(t *testing.T) {
	s, found := agentAt(t, 120, 36, ""), 0
	rng := rand.New(rand.NewPCG(3, 5))
	keys := []string{"l", "h", "]", "[", "L", "H", "j", "k", " ", "x", "u", "c", "b"}
	for range 200 {
		key := keys[rng.IntN(len(keys))]
		s.press(key)
		_ = s.m.View()
		p, b := s.m.exp.Profile(s.m.side), s.m.budget()
		if p == nil {
			continue
		}
		for _, dir := range [...]int{-1, 1} {
			to := p.Next
			if dir < 0 {
				to = p.Prev
			}
			want, ok := to(b)
			got, err := s.m.nextChange(dir)
			musttest.Is(t, err == nil, ok, key+": there is a change")
			if ok {
				found++
				musttest.Is(t, got.Budget.Value, want.At, key+": its budget")
				if s.m.holdsPins(want.At) {
					musttest.Is(t, got.In, want.In, key+": what comes in")
					musttest.Is(t, got.Out, want.Out, key+": what leaves")
				}
			}
		}
	}
	if found < 200 {
		t.Errorf("%d changes were found", found)
	}
}
