package overlay

import (
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget/widgettest"
)

func TestReaderShowsAllOfTheText(t *testing.T) {
	long := make([]string, 2300)
	for i := range long {
		long[i] = "line " + model.Tokens(i).String()
	}
	step := randomtest.Rounds(15, 1)
	for _, c := range []struct {
		name, text string
	}{
		{"short", "one\ntwo"}, {"more lines than are wrapped at first", strings.Join(long, "\n")}, {"one long line", strings.Repeat("word ", 25_000)},
	} {
		set := musttest.Of(model.NewSet([]model.Item{{Content: c.text, Tokens: 5}}))(t)
		f := widgettest.Frame(t, 5, false)
		if _, err := experiment.New(set, f.Exp.Setup()); err == nil {
			t.Fatal("edits of items that are not there were accepted")
		}
		s := f.Exp.Setup()
		s.Edits = model.Edits{}
		exp := musttest.Of(experiment.New(set, s))(t)
		f.Exp = exp
		widgettest.Compute(t, f)
		r := NewReader(nil, nil, nil, nil, 0)
		var seen strings.Builder
		shown := 0
		for range 6000 {
			f.Reset(60, 20, theme.New(theme.NoColor, true))
			r.Draw(f, draw.Rect{X: 0, Y: 0, W: 60, H: 20}, true, true)
			for _, line := range r.lines[shown:min(len(r.lines), max(0, r.First()+20-2-r.above))] {
				if draw.Width(line) > 56 {
					t.Fatalf("%s: a line of %d cells", c.name, draw.Width(line))
				}
				seen.WriteString(line + "\n")
				shown++
			}
			before := r.First()
			r.Move(step)
			f.Reset(60, 20, theme.New(theme.NoColor, true))
			r.Draw(f, draw.Rect{X: 0, Y: 0, W: 60, H: 20}, true, true)
			if r.First() == before {
				break
			}
		}
		got, want := strings.Fields(seen.String()), strings.Fields(c.text)
		if n := min(len(got), len(want)); !slices.Equal(got[:n], want[:n]) || n < len(want) {
			t.Errorf("%s: %d of %d words were shown, or others", c.name, len(got), len(want))
		}
		r.Bottom()
		r.Draw(f, draw.Rect{X: 0, Y: 0, W: 60, H: 20}, true, true)
		if !r.whole || r.First()+20-2 < r.above+len(r.lines) {
			t.Errorf("%s: the bottom is line %d of %d, all of it: %v", c.name, r.First(), len(r.lines), r.whole)
		}
		r.Top()
		r.Draw(f, draw.Rect{X: 0, Y: 0, W: 30, H: 9}, false, true)
		if r.First() != 0 || draw.Width(r.lines[0]) > 28 {
			t.Errorf("%s: a narrower screen does not wrap anew", c.name)
		}
	}
}
