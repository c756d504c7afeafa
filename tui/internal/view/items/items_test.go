package items

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/widget/widgettest"
)

// The table has a column for the file where items come from several sources
// and their titles do not tell, and where there is room.
func TestFileColumn(t *testing.T) {
	for _, c := range []struct {
		name        string
		first, last map[string]any
		width       int
		want        string // in the last row; "": no column
	}{
		{"one source", nil, nil, 120, ""},
		{"two sources", map[string]any{"file": "a.jsonl"}, map[string]any{"file": "b.jsonl"}, 120, "b.jsonl"},
		{"the end of a long path", map[string]any{"file": "a.jsonl"}, map[string]any{"file": "some/folder/b.jsonl"}, 120, "…older/b.jsonl"},
		{"wide characters", map[string]any{"file": "a"}, map[string]any{"file": "一二三四五六七八九"}, 120, "…四五六七八九"},
		{"what is not clean", map[string]any{"file": "a"}, map[string]any{"file": "\x1b[31mb\u202e"}, 120, "b"},
		{"the same source", map[string]any{"file": "a"}, map[string]any{"file": "a"}, 120, ""},
		{"titles tell", map[string]any{"file": "a", "title": "a"}, map[string]any{"file": "b", "title": "b"}, 120, ""},
		{"no room", map[string]any{"file": "a.jsonl"}, map[string]any{"file": "b.jsonl"}, 90, ""},
	} {
		f := widgettest.Frame(t, 3, false)
		f.Exp.Items().Loaded(0).Metadata, f.Exp.Items().Loaded(2).Metadata = c.first, c.last
		var p View
		p.Arrange(f.Exp, experiment.A)
		p.Draw(f, draw.Rect{W: c.width, H: 10}, true, true)
		head, rows := "", ""
		for line := range strings.Lines(ansi.Strip(f.String())) {
			if strings.Contains(line, plain.StaysFrom) {
				head = line
			}
			rows += line
		}
		if has := strings.Contains(head, " file "); has != (c.want != "") || has && !strings.Contains(rows, " "+c.want+" ") {
			t.Errorf("%s: want %q\n%s", c.name, c.want, rows)
		}
		if strings.ContainsAny(rows, "\u202e") {
			t.Errorf("%s: %q", c.name, rows)
		}
	}
	if severalSources(mustSet(t)) || severalSources(mustSet(t, model.Item{Content: "a", Metadata: map[string]any{"file": "a"}})) {
		t.Error("fewer than two items come from several sources")
	}
}

func mustSet(t *testing.T, items ...model.Item) *model.Set {
	t.Helper()
	return musttest.Of(model.NewSet(items))(t)
}

// Where a heading stands, a click sorts by its column; below it, in the strip, a
// click takes the budget that the cell shows.
func TestHitsAreWhatIsDrawn(t *testing.T) {
	sorts := map[string]widget.Sort{"#": widget.ByInput, "kind": widget.ByKind, "tok": widget.ByTokens, "score": widget.ByScore,
		"/1k": widget.ByDensity, "first": widget.ByFirst, "stays": widget.ByStays, "why": widget.ByState}
	for _, boxed := range []bool{true, false} {
		f := widgettest.Frame(t, 30, false)
		var p View
		p.Numbers = true
		p.Arrange(f.Exp, experiment.A)
		r := draw.Rect{X: 4, Y: 3, W: 152, H: 12}
		f.Reset(160, 40, theme.New(theme.NoColor, false))
		p.Draw(f, r, boxed, true)
		top := r.Y
		if boxed {
			top++
		}
		lines := strings.Split(widgettest.Text(f), "\n")
		heading := []rune(lines[top])
		found := 0
		for title, want := range sorts {
			x := strings.Index(string(heading), " "+title+" ")
			if x < 0 {
				continue
			}
			found++
			x = len([]rune(string(heading)[:x])) + 1
			for _, at := range []int{x, x + len(title) - 1} {
				h := p.Hit(at, top)
				if h.Click != nil {
					h.Click()
				}
				if h.Click == nil || p.SortedBy() != want || h.Item.Set {
					t.Errorf("boxed %v: a click at %d of %q gives %+v, want to sort by %v", boxed, at, title, h, want)
				}
			}
			for _, at := range []int{r.X - 1, r.X + r.W} {
				if h := p.Hit(at, top); h.Click != nil {
					t.Errorf("boxed %v: beside the table is %+v", boxed, h)
				}
			}
		}
		if found < 7 {
			t.Errorf("boxed %v: only %d headings in %q", boxed, found, string(heading))
		}

		row := []rune(lines[top+3])
		strip := 0
		for x := range row {
			h := p.Hit(x, top+3)
			if item := h.Item; item.Set != (x > r.X && x < r.X+r.W-1) && boxed || item.Set && item.Value != int(p.Rows()[2]) {
				t.Errorf("boxed %v: at %d of the third row is %+v", boxed, x, h)
			}
			if drawn := strings.ContainsRune(string(f.Glyphs().Strip[:])+string(f.Glyphs().StripHere)+string(f.Glyphs().StripHereIn), row[x]); drawn && h.Budget.Set {
				musttest.Is(t, h.Budget.Value, p.scale.Edges[strip+1]-1, "boxed", boxed, "column", strip, "of the strip is budget")
				strip++
			} else if h.Budget.Set {
				t.Errorf("boxed %v: at %d, %q, is budget %v", boxed, x, row[x], h.Budget.Value)
			}
		}
		musttest.Is(t, strip, p.scale.Columns(), "boxed", boxed, "cells are budgets, the strip")
	}
}
