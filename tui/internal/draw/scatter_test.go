package draw

import (
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/theme"
)

func TestScatter(t *testing.T) {
	rising := Layer{Columns: make([]uint64, 8), Role: theme.In, Letter: '#'}
	for x := range rising.Columns {
		rising.Columns[x] = 1 << x
	}
	mark := Layer{Columns: []uint64{0, 0, 1}, Role: theme.Focus, Letter: '@'}
	for _, c := range []struct {
		name  string
		ascii bool
		want  string
	}{
		{"braille", false, "  ⡠⠊\n⡠⡊  "},
		{"ASCII", true, " #  \n# @ "},
	} {
		var canvas Canvas
		canvas.Reset(4, 2, theme.New(theme.Dark, c.ascii))
		layers := []Layer{rising, mark}
		if c.ascii {
			layers[0].Columns = rising.Columns[:2]
		}
		canvas.Scatter(Rect{W: 4, H: 2}, layers...)
		got := stripSGR(canvas.String())
		musttest.Is(t, got, c.want, c.name)
	}
	var canvas Canvas
	canvas.Reset(1, 1, theme.New(theme.Dark, false))
	canvas.Scatter(Rect{W: 0, H: 1}, rising) // nothing to draw on
}
