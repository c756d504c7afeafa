package items

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"cupelscope/model"
	"cupelscope/tui/draw"
	"cupelscope/tui/widget/widgettest"
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
		p.Arrange(f.Out)
		p.Draw(f, draw.Rect{W: c.width, H: 10}, true, true)
		head, rows := "", ""
		for line := range strings.Lines(ansi.Strip(f.String())) {
			if strings.Contains(line, "stays") {
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
	s, err := model.NewSet(items)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
