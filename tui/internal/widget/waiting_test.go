package widget

import (
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
)

func TestWaiting(t *testing.T) {
	for _, c := range []struct {
		name  string
		look  *theme.Theme
		spins string
		half  string
	}{
		{"in colour", theme.New(theme.Dark, false), "⠋⠙⠹", "██░░"},
		{"without colour", theme.New(theme.NoColor, false), "⠋⠙⠹", "██░░"},
		{"in ASCII", theme.New(theme.Dark, true), "|/-", "##.."},
	} {
		w, spins := NewWaiting(c.look), ""
		for range 3 {
			spins += w.Spin()
			w.Step()
		}
		musttest.Is(t, spins, c.spins, c.name, "it spins")
		for _, bar := range []struct {
			percent int
			want    string
		}{{-1, c.half[len(c.half)/2:] + c.half[len(c.half)/2:]}, {50, c.half}, {100, c.half[:len(c.half)/2] + c.half[:len(c.half)/2]}} {
			musttest.Is(t, text(w.Bar(4, bar.percent)), bar.want, c.name, "at", bar.percent, "% the bar is")
		}
	}
	var none *Waiting
	if none.Spin() != "" || none.Bar(9, 50) != nil {
		t.Error("nothing shows something")
	}
}

func text(spans []draw.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
