package session

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

func TestLabelsOfAFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	source := write("notes.json", `[{"content":"a","tokens":1,"relevance":3,"metadata":{"id":"d1"}},{"content":"b","tokens":1,"metadata":{"id":"d2"}}]`)
	for name, c := range map[string]struct {
		labels string
		want   map[int]int
		says   string // an error, or a warning
	}{
		"none":                       {"", map[int]int{0: 3}, ""},
		"the only case":              {"q1 0 d2 1", map[int]int{1: 1}, ""},
		"the case of the file":       {"q1 0 d1 1\nnotes 0 d2 2\nnotes 0 gone 1", map[int]int{1: 2}, "1 label without an item"},
		"the case, with its ending":  {"q1 0 d1 1\nnotes.json 0 #0 2", map[int]int{0: 2}, ""},
		"no case of that name":       {"q1 0 d1 1\nq2 0 d2 2", nil, "it labels 2 cases, and none is called"},
		"a line that cannot be read": {"q1 0 d1", nil, "line 1: 3 fields"},
	} {
		o := Options{Sources: []string{source}}
		if c.labels != "" {
			o.Labels = write("labels", c.labels)
		}
		opened, err := Open(context.Background(), o, Input{})
		switch {
		case c.want == nil:
			if err == nil || !strings.Contains(err.Error(), "--labels") || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case !maps.Equal(opened.Labels.Grades, c.want) || strings.Contains(strings.Join(opened.Warnings, "\n"), "label") != (c.says != "") || !strings.Contains(strings.Join(opened.Warnings, "\n"), c.says):
			t.Errorf("%s: %v, warnings %q", name, opened.Labels.Grades, opened.Warnings)
		}
	}
	_, err := (Options{Sources: []string{source}, Labels: filepath.Join(dir, "missing")}).Choices(t.Context(), Input{})
	musttest.Says(t, err, "--labels: ", "a file that is missing")
}
