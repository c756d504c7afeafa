package budgetmap

import (
	"context"
	"slices"
	"time"

	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// mapCells holds what the lines of a map show, as far as it is computed. A line
// belongs to one item, or to several that share it.
type mapCells struct {
	generation int // goes up whenever cached lines are dropped
	profile    *simulate.Profile
	over       *widget.Over // in place of the profile
	scale      draw.Scale
	rows       int // version of the rows
	group      int // items per line
	lines      map[int]mapLine

	// bands keeps the bands of items across zooming along values of a knob, where they take a
	// pass over all results.
	bands map[int32][]simulate.Band
	held  int // number of bands kept
}

// mapLine is a line that was computed.
type mapLine struct {
	levels []uint8 // by column
	ranges int     // for one item: its ranges; for several: how many have more than one
}

// heldBands bounds how many bands are kept: they take 32 MiB.
const heldBands = 1 << 21

// along sets the profile or the values, the scale and the rows of the cells. It drops the
// lines that were computed for others.
func (c *mapCells) along(p *simulate.Profile, over *widget.Over, s draw.Scale, rows, group int) {
	same := c.profile.Same(p) && (c.over == nil) == (over == nil) && (over == nil || c.over.Values == over.Values)
	if !same || c.held > heldBands {
		c.bands, c.held = make(map[int32][]simulate.Band), 0
	}
	if !same || c.rows != rows || c.group != group || len(c.lines) > 4*mapLines || !slices.Equal(c.scale.Edges, s.Edges) {
		c.lines = make(map[int]mapLine)
		c.generation++
	}
	c.profile, c.over, c.scale, c.rows, c.group = p, over, s, rows, group
}

// mapLines is more lines than any screen has.
const mapLines = 1024

// cellsKey identifies the work on some lines.
type cellsKey struct{ generation, first int }

// cellsDone is the result of that work, unless it ended early: at least one line.
type cellsDone struct {
	lines []mapLine
	bands map[int32][]simulate.Band
}

// chunk is how long one job computes: short enough for the screen to follow.
const chunk = 2 * time.Millisecond

// job returns the work of computing the first missing lines among from to to-1,
// and false if none is missing.
func (c *mapCells) job(o *experiment.Outcome, rows []int32, from, to int) (work.Job, bool) {
	for from < to && c.has(from) {
		from++
	}
	l := linesWork{profile: o.Profile, over: c.over, scale: c.scale}
	if c.over != nil {
		l.known = make(map[int32][]simulate.Band)
	}
	for at := from; at < to && !c.has(at); at++ {
		items := rows[at*c.group : min((at+1)*c.group, len(rows))] // rows never change
		if c.group == 1 && c.over == nil && o.Report != nil {      // a duplicate is in where the item that it repeats is
			items = []int32{int32(o.Report.Survivor(int(items[0])))}
		}
		l.lines = append(l.lines, items)
		if l.known == nil {
			continue
		}
		for _, i := range items {
			if bands, ok := c.bands[i]; ok {
				l.known[i] = bands
			}
		}
	}
	return work.Job{Key: cellsKey{c.generation, from}, Run: work.Pass(l.compute, func(d cellsDone, err error) {
		if err != nil {
			return
		}
		for k, line := range d.lines {
			c.lines[from+k] = line
		}
		for i, bands := range d.bands {
			c.bands[i] = bands
			c.held += len(bands)
		}
	})}, len(l.lines) > 0
}

func (c *mapCells) has(line int) bool {
	_, ok := c.lines[line]
	return ok
}

// linesWork is what computing some lines needs. It shares nothing that changes.
type linesWork struct {
	lines   [][]int32 // the items of each
	profile *simulate.Profile
	over    *widget.Over
	scale   draw.Scale
	known   map[int32][]simulate.Band // bands that were kept; nil: they are cheap, and not kept
}

func (l *linesWork) compute(ctx context.Context) (cellsDone, error) {
	done := cellsDone{}
	if l.known != nil {
		done.bands = make(map[int32][]simulate.Band)
	}
	var cover draw.Cover
	var bands, room []simulate.Band
	n := 0
	for start := time.Now(); len(done.lines) == 0 || len(done.lines) < len(l.lines) && time.Since(start) < chunk; {
		items := l.lines[len(done.lines)]
		cover.Reset(l.scale)
		line := mapLine{}
		for _, i := range items {
			if l.known != nil || n&1023 == 0 {
				if err := ctx.Err(); err != nil {
					return done, err
				}
			}
			n++
			var ok bool
			if bands, ok = l.known[i]; !ok {
				room = room[:0]
				if l.over != nil {
					room = append(room, l.over.Bands(int(i))...)
				} else {
					room = l.profile.Bands(room, int(i))
				}
				bands = room
				if l.known != nil {
					bands = slices.Clone(room)
					done.bands[i] = bands
				}
			}
			cover.Add(l.scale, bands)
			switch {
			case len(items) == 1:
				line.ranges = len(bands)
			case len(bands) > 1:
				line.ranges++
			}
		}
		line.levels = cover.Levels(nil, l.scale)
		switch {
		case len(items) > 1:
		case l.over != nil:
			line.levels = l.over.Levels(l.scale, int(items[0]))
		case len(l.profile.Ranking().Items().Sizes(int(items[0]))) > 0:
			line.levels = widget.StripLevels(l.profile, l.scale, int(items[0]))
		}
		done.lines = append(done.lines, line)
	}
	return done, nil
}
