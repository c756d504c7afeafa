package tokens

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
)

func TestMemoForgetsTheUnused(t *testing.T) {
	m := newMemo()
	text := func(i int) string { return fmt.Sprint("text ", i) }
	used := m.key(text(-1))
	m.add(used, 7)
	for i := range 5 * memoTexts {
		m.add(m.key(text(i)), i)
		if i%1000 == 0 {
			if n, ok := m.find(used); !ok || n != 7 {
				t.Fatalf("after %d others: %d, %v", i, n, ok)
			}
		}
		if len(m.young)+len(m.older) > 2*memoTexts {
			t.Fatalf("%d texts are remembered", len(m.young)+len(m.older))
		}
	}
	if _, ok := m.find(m.key(text(0))); ok {
		t.Error("the first is not forgotten")
	}
	if n, ok := m.find(m.key(text(5*memoTexts - 1))); !ok || n != 5*memoTexts-1 {
		t.Errorf("the last is %d, %v", n, ok)
	}
}

// A text is counted once, whoever asks, and a stand-in scales what is remembered.
func TestCountsAreRemembered(t *testing.T) {
	c := musttest.Of(NewCounter(""))(t)
	text := strings.Repeat("many words ", 3000)
	want, _ := count(t, c, text)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			// Cancelled after the first look: only a remembered count comes back.
			if n, _, err := c.Count(polltest.After(t.Context(), 1), text); err != nil || n != want {
				t.Errorf("%v, %v, want %v", n, err, want)
			}
		})
	}
	wg.Wait()
	if n, _, err := c.StandIn(2).Count(polltest.After(t.Context(), 1), text); err != nil || n != 2*want {
		t.Errorf("%v, %v, want twice %v", n, err, want)
	}
}
