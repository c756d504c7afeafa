package overlay

import (
	"context"
	"strings"
	"time"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// preview shows below a list what its marked row stands for. It reads that in the background, so
// that no slow disk holds up a key.
type preview struct {
	// marked returns what identifies the marked row, and what reads its text, whose first line is
	// the title; nil: there is nothing to show.
	marked func() (of string, read func(ctx context.Context) string)
	of     previewed // what the text is of
	text   string
}

// previewed is the key of the job that reads a text.
type previewed string

// maxReading is how long a job may take to read a text.
const maxReading = time.Second

// Job returns the reading of what is marked, unless its text is shown already.
func (p *preview) Job() (work.Job, bool) {
	name, read := p.marked()
	of := previewed(name)
	return work.Job{Key: of, CanWait: true, Limit: maxReading, Run: work.Pass(func(ctx context.Context) (string, error) {
		return plain.Text(read(ctx)), nil
	}, func(text string, _ error) { p.of, p.text = of, text })}, read != nil && of != p.of
}

// draw draws the preview below so many rows of r, and returns those; all of r where a preview
// would have too few lines.
func (p *preview) draw(f *widget.Frame, r draw.Rect, rows int) draw.Rect {
	of, read := p.marked()
	if read == nil || r.H-rows < 4 {
		return r
	}
	lines := []string{"reading" + f.Glyphs().Ellipsis}
	if previewed(of) == p.of {
		lines = strings.SplitN(p.text, "\n", r.H-rows+1)
	}
	in := f.Band(draw.Rect{X: r.X, Y: r.Y + rows, W: r.W, H: r.H - rows}, plain.Line(lines[0], r.W-4))
	for y, line := range lines[1:min(len(lines), in.H+1)] {
		f.Text(in.X+1, in.Y+y, in.W-2, plain.Line(line, in.W-2), theme.Plain)
	}
	return draw.Rect{X: r.X, Y: r.Y, W: r.W, H: rows}
}
