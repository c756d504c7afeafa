package widget

import (
	"strings"

	"charm.land/bubbles/v2/progress"
	"charm.land/bubbles/v2/spinner"
	"charm.land/lipgloss/v2"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
)

// Waiting shows that work is running, and its progress, with the spinner and the progress
// bar of Bubbles. They are drawn in roles, without colours of their own, and advance when
// the program polls its work, without a timer of their own. The nil Waiting shows nothing.
type Waiting struct {
	spin spinner.Model
	bar  progress.Model
	full string
}

// NewWaiting returns a Waiting for a theme. It uses ASCII only if the theme does.
func NewWaiting(t *theme.Theme) *Waiting {
	spin, full, empty := spinner.MiniDot, '█', '░'
	if !t.Glyphs.Spark {
		spin, full, empty = spinner.Line, '#', '.'
	}
	w := &Waiting{
		spin: spinner.New(spinner.WithSpinner(spin)),
		bar:  progress.New(progress.WithFillCharacters(full, empty), progress.WithoutPercentage()),
		full: string(full),
	}
	w.bar.FullColor, w.bar.EmptyColor = lipgloss.NoColor{}, lipgloss.NoColor{}
	return w
}

// Step advances the spinner.
func (w *Waiting) Step() { w.spin, _ = w.spin.Update(spinner.TickMsg{ID: w.spin.ID()}) }

// Spin returns the spinner, which takes one cell.
func (w *Waiting) Spin() string {
	if w == nil {
		return ""
	}
	return w.spin.View()
}

// Bar returns a progress bar of width cells, which is full at 100 percent.
func (w *Waiting) Bar(width, percent int) []draw.Span {
	if w == nil || width <= 0 {
		return nil
	}
	w.bar.SetWidth(width)
	s := w.bar.ViewAs(float64(percent) / 100)
	full := strings.LastIndex(s, w.full) + len(w.full)
	if !strings.Contains(s, w.full) {
		full = 0
	}
	return []draw.Span{{Text: s[:full], Role: theme.BarSelected}, {Text: s[full:], Role: theme.BarFree}}
}
