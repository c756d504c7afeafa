// Package widgettest makes frames for the tests of what is drawn in them, and
// reads what was drawn.
package widgettest

import (
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Frame is a computed experiment over n items, ready to be drawn.
func Frame(t testing.TB, n int, asciiOnly bool) *widget.Frame {
	t.Helper()
	f := &widget.Frame{Canvas: &draw.Canvas{}, Exp: experimenttest.New(t, n)}
	f.Reset(120, 40, theme.New(theme.NoColor, asciiOnly))
	Compute(t, f)
	return f
}

// Compute brings the frame up to date with the experiment.
func Compute(t testing.TB, f *widget.Frame) {
	t.Helper()
	experimenttest.Compute(t, f.Exp)
	f.Out = f.Exp.Outcome(experiment.A)
}

// Apply changes the setup of a frame.
func Apply(t testing.TB, f *widget.Frame, s experiment.Setup) {
	t.Helper()
	experimenttest.Apply(t, f.Exp, s)
	f.Out = f.Exp.Outcome(experiment.A)
}

// WithPolicy changes policy A of a frame.
func WithPolicy(t testing.TB, f *widget.Frame, change func(*model.Policy)) {
	t.Helper()
	experimenttest.WithPolicy(t, f.Exp, change)
	Compute(t, f)
}

// Text returns the canvas without its escape sequences.
func Text(f *widget.Frame) string {
	var b strings.Builder
	inside := false
	for _, r := range f.String() {
		switch {
		case r == 0x1b:
			inside = true
		case inside:
			inside = r != 'm'
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Outside returns what is drawn outside of a rectangle.
func Outside(f *widget.Frame, r draw.Rect) string {
	var b strings.Builder
	for y, line := range strings.Split(Text(f), "\n") {
		for x, char := range []rune(line) {
			if !r.Contains(x, y) && char != ' ' {
				b.WriteRune(char)
			}
		}
	}
	return b.String()
}

// DrawAtAnySize draws a view at many sizes, and fails if it draws outside.
func DrawAtAnySize(t *testing.T, f *widget.Frame, p screen.View, name string) {
	t.Helper()
	for w := 1; w < 150; w += 7 {
		for h := 1; h < 40; h += 3 {
			r := draw.Rect{X: 3, Y: 2, W: w, H: h}
			f.Reset(160, 45, theme.New(theme.NoColor, name == "stream"))
			p.Move(1)
			p.Draw(f, r, w%2 == 0, true)
			if outside := Outside(f, r); outside != "" {
				t.Fatalf("%s at %dx%d: outside is %q", name, w, h, outside)
			}
		}
	}
}
