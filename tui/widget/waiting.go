package widget

import (
	"strings"

	"charm.land/bubbles/v2/progress"
	"charm.land/bubbles/v2/spinner"
	"charm.land/lipgloss/v2"

	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
)

// Waiting shows that work goes on, and how far it is: the spinner and the
// progress bar of Bubbles. They are drawn in roles, without colours of their
// own, and are advanced when the program polls its work, not by a timer of their
// own: where nothing runs nothing is drawn. The nil Waiting shows nothing.
type Waiting struct {
	spin spinner.Model
	bar  progress.Model
	full string
}

// NewWaiting is for a theme: where only ASCII may be drawn it has ASCII forms.
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

// Step turns the spinner on.
func (w *Waiting) Step() { w.spin, _ = w.spin.Update(spinner.TickMsg{ID: w.spin.ID()}) }

// Spin is the spinner, one cell.
func (w *Waiting) Spin() string {
	if w == nil {
		return ""
	}
	return w.spin.View()
}

// Bar is a bar of so many cells that is full at 100 percent.
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
