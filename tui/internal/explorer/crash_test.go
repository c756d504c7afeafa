package explorer

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// A message that comes between keeping changes and the end of the program quits it, which is no
// error to Bubble Tea: the signal is told all the same.
func TestASignalIsToldThoughTheProgramQuits(t *testing.T) {
	s := begin(t, sampleSession(t, 3), 80, 24)
	ctx, cancel := context.WithCancelCause(t.Context())
	g, signal := newGuard(s.m), errors.New("stopped by a signal")
	if err := g.ended(ctx, nil); err != nil {
		t.Errorf("after a quit it says %v", err)
	}
	cancel(signal)
	g.keep()
	_, cmd := g.Update(tea.WindowSizeMsg{Width: 100, Height: 30})
	if _, quits := cmd().(tea.QuitMsg); !quits {
		t.Fatal("the message does not quit")
	}
	if err := g.ended(ctx, nil); !errors.Is(err, signal) {
		t.Errorf("it ends with %v, want the signal", err)
	}
}
