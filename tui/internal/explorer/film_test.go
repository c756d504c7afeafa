package explorer

import (
	"bytes"
	"fmt"
	"html"
	"path/filepath"
	"slices"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/theme"
)

// shot is a frame of the film.
type shot struct {
	key   string // what is typed before it
	says  string // below the frame: what the key does
	shows string // in the frame, so that says stays true
	stays time.Duration
}

// goldenFilm draws the first ten seconds with the explorer, which the README shows, as an
// SVG that moves without a script. Who wants no motion sees one frame of it.
func goldenFilm(t *testing.T) {
	const w, h = 120, 36
	shots := []shot{
		{"", "$ cupelscope", "39 of 65 in", 1400 * time.Millisecond},
		{"]", "the next budget at which anything changes: 48 tokens more, and #15 falls out", "− #15", 1500 * time.Millisecond},
		{"]", "again: #15 is back", "+ #15", 1400 * time.Millisecond},
		{"]", "again: #15 is lost a second time", "− #15", 1400 * time.Millisecond},
		{"=", "the budget from which #15 stays", "46,609", 1400 * time.Millisecond},
		{"2", "policy A beside policy B", "Compare", 1400 * time.Millisecond},
		{"3", "every item at every budget", "Map", 1500 * time.Millisecond},
	}
	s := begin(t, agentSession(t), w, h, func(o *Options) { o.Theme, o.Now = theme.Dark, steadyClock() })
	frames := make([]uv.ScreenBuffer, len(shots))
	for k, shot := range shots {
		s.press(shot.key)
		frames[k] = screenOf(s.m.View().Content, w, h)
		musttest.Says(t, frames[k].String(), shot.shows, shot.key, "the frame")
	}
	got := film(frames, shots, w, h)
	if most := 400_000; len(got) > most {
		t.Errorf("the film has %d bytes, at most %d load fast", len(got), most)
	}
	goldentest.Check(t, filepath.Join("testdata", "pictures", "film.svg"), string(got))
}

// part says of something in a film in which frames it is shown.
type part []bool

// film draws frames one after the other, without end. Of each row there is a
// picture for each look that it has, and each is shown while the row looks so.
// Where motion is not wanted, or not known, only the second frame is shown.
func film(frames []uv.ScreenBuffer, shots []shot, w, h int) []byte {
	const still = 1
	ground, ink := grounds(false, theme.TrueColor)
	var rows bytes.Buffer
	var parts []part
	show := func(shown part, draw string) {
		if !slices.Contains(shown, false) {
			rows.WriteString(draw)
			return
		}
		k := slices.IndexFunc(parts, func(shownIn part) bool { return slices.Equal(shownIn, shown) })
		if k < 0 {
			k = len(parts)
			parts = append(parts, shown)
		}
		hidden := ""
		if !shown[still] {
			hidden = ` visibility="hidden"`
		}
		fmt.Fprintf(&rows, "<g class=\"s%d\"%s>\n%s</g>\n", k, hidden, draw)
	}
	for y := range h {
		looks := map[string]part{}
		var first []string // looks in the order in which they are first shown
		for k, frame := range frames {
			var b bytes.Buffer
			pictureRow(&b, frame, y, ground, ink)
			look := b.String()
			if looks[look] == nil {
				looks[look] = make(part, len(frames))
				first = append(first, look)
			}
			looks[look][k] = true
		}
		for _, look := range first {
			show(looks[look], look)
		}
	}
	for k, shot := range shots {
		only := make(part, len(shots))
		only[k] = true
		show(only, caption(shot, h))
	}

	var all time.Duration
	for _, shot := range shots {
		all += shot.stays
	}
	var b bytes.Buffer
	openPicture(&b, w, h+2, ground)
	b.WriteString("<style>\n@media (prefers-reduced-motion: no-preference) {\n")
	for k := range parts {
		fmt.Fprintf(&b, ".s%[1]d { animation: s%[1]d %[2]gs step-end infinite }\n", k, all.Seconds())
	}
	b.WriteString("}\n")
	for k, shownIn := range parts {
		fmt.Fprintf(&b, "@keyframes s%d {", k)
		var at time.Duration
		was := ""
		for i, shown := range shownIn {
			now := "hidden"
			if shown {
				now = "visible"
			}
			if now != was {
				fmt.Fprintf(&b, " %.2f%% { visibility: %s }", 100*at.Seconds()/all.Seconds(), now)
			}
			was = now
			at += shots[i].stays
		}
		b.WriteString(" }\n")
	}
	b.WriteString("</style>\n")
	b.Write(rows.Bytes())
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

// caption draws the key of a shot and what it does, below the frame.
func caption(s shot, h int) string {
	y, x := (h+2)*cellH, cellW
	key := ""
	if s.key != "" {
		key = fmt.Sprintf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"#e0af68\"/>\n<text x=\"%d\" y=\"%d\" fill=\"#17171c\" font-weight=\"bold\">%s</text>\n",
			x, y-4, 3*cellW, cellH+4, x+cellW, y+baseline-2, html.EscapeString(s.key))
		x += 4 * cellW
	}
	return key + fmt.Sprintf("<text x=\"%d\" y=\"%d\" fill=\"#f2f4f8\">%s</text>\n", x, y+baseline-2, html.EscapeString(s.says))
}
