package explorer

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
)

// counts are the number of views on a small screen, in the header or beside its knobs, the number of
// knobs at their default, and the lines of the help below those on the screen.
var counts = regexp.MustCompile(`\d/\d+ ([A-Z]\w+ )|\d+ (more at default)|1-\d+( [A-Z]\w+)|\d{3} (below ─┘)`)

// After a change of the drawing or of the keys: go test ./tui/internal/explorer -run Golden -update, and read the difference.
func TestGoldens(t *testing.T) {
	t.Run("screens", goldenScreens)
	t.Run("pictures", goldenPictures)
	t.Run("film", goldenFilm)
	t.Run("keys", goldenKeys)
}

// The screens of the fixture "agent" as it opens, without what one more view or knob
// changes on all of them, which TestTheStripAndTheCounts has.
func goldenScreens(t *testing.T) {
	clock := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	session := agentSession(t)
	for _, c := range []struct {
		name  string
		w, h  int
		ascii bool
		keys  string
	}{
		{"items-120x36", 120, 36, false, ""},
		{"items-80x24", 80, 24, false, ""},
		{"items-60x16", 60, 16, false, ""},
		{"items-80x24-ascii", 80, 24, true, ""},
		{"items-cut-120x36", 120, 36, false, ":shrink tool 2000 500 note<enter>:max 48k<enter>]"},
		{"items-cut-80x24", 80, 24, false, ":shrink tool 2000 500 note<enter>:max 48k<enter>]"},
		{"items-cut-60x16", 60, 16, false, ":shrink tool 2000 500 note<enter>:max 48k<enter>]"},
		{"items-cut-80x24-ascii", 80, 24, true, ":shrink tool 2000 500 note<enter>:max 48k<enter>]"},
		{"compare-120x36", 120, 36, false, "2"},
		{"compare-80x24", 80, 24, false, "2"},
		{"step-120x36", 120, 36, false, "jjl"},
		{"reader-80x24", 80, 24, false, "<enter>"},
		{"replay-120x36", 120, 36, false, "5gnn"},
		{"replay-80x24", 80, 24, false, "5"},
		{"trace-120x36", 120, 36, false, "6"},
		{"trace-60x16", 60, 16, false, "6"},
		{"replay-knapsack-60x16", 60, 16, false, "c5g"},
		{"curve-120x36", 120, 36, false, "7"},
		{"curve-80x24", 80, 24, false, "7"},
		{"curve-60x16", 60, 16, false, "7"},
		{"whatif-120x36", 120, 36, false, "jjjjjj"},
		{"whatif-reader-120x36", 120, 36, false, "jjjjjj<enter>"},
		{"help-80x24", 80, 24, false, "?"},
		{"map-120x36", 120, 36, false, "3"},
		{"map-80x24", 80, 24, false, "3(jj"},
		{"map-80x24-ascii", 80, 24, true, "3"},
		{"trace-cut-80x24", 80, 24, false, ":shrink tool 2000 500 note<enter>:max 48k<enter>6"},
		{"map-cut-80x24", 80, 24, false, ":shrink tool 2000 500 note<enter>:max 48k<enter>3"},
		{"window-120x36", 120, 36, false, "4"},
		{"turns-120x36", 120, 36, false, "8hhhhh"},
		{"turns-80x24", 80, 24, false, "8hhhhh"},
		{"turns-60x16", 60, 16, false, "8hhhhh"},
		{"turns-map-120x36", 120, 36, false, "8djl"},
		{"turns-map-60x16", 60, 16, false, "8d"},
		{"turns-map-80x24-ascii", 80, 24, true, "8d"},
		{"turns-80x24-ascii", 80, 24, true, "8hhhhh"},
		{"turns-sweep-80x24", 80, 24, false, "8s"},
		{"window-80x24", 80, 24, false, "4/tablet<enter>n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := (&story{t: t, ways: true}).begin(session, c.w, c.h, func(o *Options) { o.ASCII, o.Now = c.ascii, clock }).after(c.keys)
			musttest.Is(t, frameFault(s.m), "")
			lines := s.screen()
			if tabs := s.m.drawn.layout.Tabs; !tabs.Empty() {
				lines = slices.Delete(lines, tabs.Y, tabs.Y+1)
			}
			text := counts.ReplaceAllString(strings.Join(lines, "\n")+"\n", "$1$2$3$4")
			goldentest.Check(t, filepath.Join("testdata", c.name+".golden"), text)
		})
	}
}

// Each view has a golden screen: a new one is looked at before it is kept.
func TestEveryViewHasAGoldenScreen(t *testing.T) {
	m := New(context.Background(), Options{})
	for _, v := range m.views {
		name := strings.ToLower(m.specOf(v).Name)
		if files := musttest.Of(filepath.Glob(filepath.Join("testdata", name+"-*.golden")))(t); len(files) == 0 {
			t.Errorf("no golden screen of the view %s: goldenScreens needs a row for it", name)
		}
	}
}
