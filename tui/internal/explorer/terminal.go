package explorer

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// maxWidth and maxHeight are the largest screen that is drawn, in cells. What a terminal has
// beyond it stays empty.
const maxWidth, maxHeight = 1000, 400

// maxSide and maxCells are the largest terminal that the explorer begins in: Bubble Tea tells of
// none larger, so nothing would be drawn there.
const maxSide, maxCells = 4096, 1 << 20

// CheckTerminal returns an error if a terminal of that size, in cells, is too large to begin in.
func CheckTerminal(width, height int) error {
	if max(width, height) > maxSide || width*height > maxCells {
		return fmt.Errorf("the terminal says that it has %dx%d cells, and none is drawn above %d a side or %d in all: make it smaller", width, height, maxSide, maxCells)
	}
	return nil
}

// motionEvery is the least time between two movements of the mouse that are handled.
// Those in between are dropped, because a frame shows only one.
const motionEvery = 16 * time.Millisecond

// filter returns what looks at each message before Bubble Tea does. It drops movements of
// the mouse within motionEvery of the last one, by the clock now; the release of the button has
// the last position, so that is never lost. A screen is at most the largest that is drawn.
func filter(now func() time.Time) func(tea.Model, tea.Msg) tea.Msg {
	var last time.Time
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		switch msg := msg.(type) {
		case tea.MouseMotionMsg:
			t := now()
			if t.Sub(last) < motionEvery {
				return nil
			}
			last = t
		case tea.WindowSizeMsg:
			return tea.WindowSizeMsg{Width: min(msg.Width, maxWidth), Height: min(msg.Height, maxHeight)}
		}
		return msg
	}
}
