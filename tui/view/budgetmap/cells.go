package budgetmap

import (
	"context"
	"slices"

	"cupelscope/simulate"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/work"
)

// mapCells is what the lines of a map show, as far as it was computed. A line
// is one item, or several that share it.
type mapCells struct {
	generation int // goes up whenever cached lines are dropped
	profile    *simulate.Profile
	scale      draw.Scale
	rows       int // version of the rows
	group      int // items a line
	lines      map[int]mapLine

	// What was found out about items, kept over zooming while it is costly.
	bands map[int32][]simulate.Band
	held  int // bands in all
}

// mapLine is a line that was computed.
type mapLine struct {
	levels []uint8 // by column
	ranges int     // of one item: its ranges; of several: the items with more than one
}

// heldBands bounds the bands that are kept, to 32 MiB.
const heldBands = 1 << 21

// along makes the cells those of a profile, a scale and rows; lines that were
// computed for others are forgotten.
func (c *mapCells) along(p *simulate.Profile, s draw.Scale, rows, group int) {
	same := c.profile.Same(p)
	if !same || c.held > heldBands {
		c.bands, c.held = make(map[int32][]simulate.Band), 0
	}
	if !same || c.rows != rows || c.group != group || len(c.lines) > 4*mapLines || !slices.Equal(c.scale.Edges, s.Edges) {
		c.lines = make(map[int]mapLine)
		c.generation++
	}
	c.profile, c.scale, c.rows, c.group = p, s, rows, group
}

// mapLines is more than any screen has.
const mapLines = 1024

// cellsKey names the work on some lines.
type cellsKey struct{ generation, first, lines int }

// cellsDone is what came of it.
type cellsDone struct {
	lines []mapLine
	bands map[int32][]simulate.Band
}

// chunk is how much one job computes, in microseconds: so little that the
// screen follows.
const chunk = 2000

// job computes the first of the lines from..to-1 that are missing; false: none
// is.
func (c *mapCells) job(o *experiment.Outcome, rows []int32, from, to int) (work.Job, bool) {
	for from < to {
		if _, ok := c.lines[from]; !ok {
			break
		}
		from++
	}
	if from >= to {
		return work.Job{}, false
	}
	each := o.BandsCost()
	keep := each >= costly
	var known map[int32][]simulate.Band
	if keep {
		known = make(map[int32][]simulate.Band)
	}
	var lines [][]int32
	cost := 10
	for at := from; at < to && (at == from || cost < chunk); at++ {
		if _, ok := c.lines[at]; ok {
			break
		}
		items := rows[at*c.group : min((at+1)*c.group, len(rows))] // rows never change
		lines = append(lines, items)
		if !keep {
			cost += each * len(items) / 4
			continue
		}
		for _, i := range items {
			if bands, ok := c.bands[i]; ok {
				known[i] = bands
				cost += 1 + len(bands)/20
			} else {
				cost += each
			}
		}
	}
	profile, scale := o.Profile, c.scale
	return work.Job{
		Key:  cellsKey{c.generation, from, len(lines)},
		Cost: cost,
		Run: func(ctx context.Context) (any, error) {
			done := cellsDone{}
			if keep {
				done.bands = make(map[int32][]simulate.Band)
			}
			var cover draw.Cover
			var bands, room []simulate.Band
			n := 0
			for _, items := range lines {
				cover.Reset(scale)
				line := mapLine{}
				for _, i := range items {
					if keep || n&1023 == 0 {
						if err := ctx.Err(); err != nil {
							return nil, err
						}
					}
					n++
					var ok bool
					if bands, ok = known[i]; !ok {
						room = bandsOf(room[:0], profile, int(i))
						if bands = room; keep {
							bands = slices.Clone(room)
							done.bands[i] = bands
						}
					}
					cover.Add(scale, bands)
					switch {
					case len(items) == 1:
						line.ranges = len(bands)
					case len(bands) > 1:
						line.ranges++
					}
				}
				line.levels = cover.Levels(nil, scale)
				done.lines = append(done.lines, line)
			}
			return done, nil
		},
	}, true
}

// bandsOf is Bands, without a look at the bands of the many items that stay
// from where they are first in.
func bandsOf(dst []simulate.Band, p *simulate.Profile, item int) []simulate.Band {
	first, in := p.FirstIn(item)
	if !in {
		return dst
	}
	if stays, ok := p.StaysFrom(item); ok && stays == first {
		return append(dst, simulate.Band{From: first, To: p.Axis().End()})
	}
	return p.Bands(dst, item)
}

// done takes what a job computed, if it is still wanted.
func (c *mapCells) done(key cellsKey, d cellsDone) {
	if key.generation != c.generation {
		return
	}
	for k, line := range d.lines {
		c.lines[key.first+k] = line
	}
	for i, bands := range d.bands {
		c.bands[i] = bands
		c.held += len(bands)
	}
}

// costly is from how many microseconds on the bands of an item are kept.
const costly = 20
