package replay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget/widgettest"
)

// The stairs are read off the screen as a user would: a step of them is in, none is out. They must
// say what the dry run selects, at any zoom, each row must begin where the row before it ends, and
// rows that the cursor has not come to have none.
func TestTheStairsAreTheSelection(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	told := map[string]int{}
	for round := range 60 {
		f := widgettest.Frame(t, 5+rng.IntN(70), round%2 == 0)
		room := 1 + rng.Int64N(int64(f.Exp.Items().Total()))
		p := replayOf(t, f, model.Tokens(room), inBuckets(model.Tokens(1+rng.IntN(150))))
		r := draw.Rect{W: 68 + rng.IntN(120), H: 60}
		f.Reset(r.W, r.H, theme.New(theme.NoColor, round%2 == 0))
		p.To(len(p.steps) - 1 - rng.IntN(len(p.steps)/3+1))
		p.Draw(f, r, false, true)
		for range rng.IntN(6) {
			p.To(len(p.steps) - 1 - rng.IntN(len(p.steps)/3+1))
			p.Zoom(rng.IntN(3) == 0)
			f.Reset(r.W, r.H, f.Theme())
			p.Draw(f, r, false, true)
		}
		table, ok := p.table()
		if !ok {
			continue
		}
		g := f.Glyphs()
		cells := p.tableColumns(r.W, true).cells
		lines, left := strings.Split(widgettest.Text(f), "\n"), -1 // of the row above
		for y, line := range lines {
			k, on := p.RowAt(0, y)
			if !on || !table.holds(k) {
				left = -1
				continue
			}
			row := []rune(line)
			row = row[r.W-1-cells:]
			s := &p.steps[k]
			name := fmt.Sprintf("round %d, step %d, #%d: %q", round, k, s.Item, string(row))
			count := func(glyph rune) int { return strings.Count(string(row), string(glyph)) }
			free, low, takes := count(g.Strip[0]), count(g.Strip[1]), count(g.Strip[4])
			if k > p.Cursor() {
				if free+low+takes > 0 {
					t.Fatalf("%s has stairs, which have come to step %d", name, p.Cursor())
				}
				told["to come"]++
				continue
			}
			if want := strings.Repeat(string(g.Strip[0]), free) + strings.Repeat(string(g.Strip[1]), low) + strings.Repeat(string(g.Strip[4]), takes); low > 1 || low*takes > 0 ||
				strings.TrimRight(string(row), " ") != want {
				t.Fatalf("%s is no step of stairs", name)
			}
			whole := p.zoom.wide == 0 // else the step may be beside the screen
			in := f.Out.Report.In(int(s.Item))
			if drawn := low+takes > 0; drawn && !in || whole && drawn != in && free > 0 {
				t.Fatalf("%s: drawn as in %v, the dry run says %v", name, drawn, in)
			}
			if left >= 0 && free+low+takes != left {
				t.Fatalf("%s: it begins at %d, and the row above leaves %d", name, free+low+takes, left)
			}
			left = free + low
			told[fmt.Sprint("in ", in)]++
			if low > 0 {
				told["in, less than a column"]++
			}
			if !whole {
				told["zoomed"]++
			}
		}
	}
	for _, what := range []string{"in true", "in false", "in, less than a column", "zoomed", "to come"} {
		if told[what] < 20 {
			t.Errorf("the rows were %v: too few to tell", told)
		}
	}
}

// While the table is filled, the marks of a row are those that a table of one's own
// has, in the columns that the axis says, and rows to come have none.
func TestFillingMarksWhereABestSetHasTheItem(t *testing.T) {
	marks := 0
	for _, n := range []int{6, 30} {
		for _, bucket := range []model.Tokens{37, 100} {
			f := widgettest.Frame(t, n, true)
			widgettest.WithPolicy(t, f, inBuckets(bucket))
			var p View
			settleReplay(t, &p, f)
			before := slices.Clone(p.steps)
			p.toggleFilling()
			p.Bottom()
			f.Reset(180, 70, theme.New(theme.NoColor, true))
			p.Draw(f, draw.Rect{W: 180, H: 70}, false, true)
			table, _ := p.table()
			cells := p.tableColumns(180, true).cells
			lines := strings.Split(widgettest.Text(f), "\n")
			best := make([]int, int(table.capacity)+1) // by buckets, of the rows so far
			for y, line := range lines {
				k, on := p.RowAt(0, y)
				if !on || !table.holds(k) {
					continue
				}
				item := int(p.steps[k].Item)
				need, value := int((f.Out.Report.Items.Tokens(item)+bucket-1)/bucket), int(f.Out.Report.Scores[item]*10_000)
				better := make([]bool, len(best))
				for c := len(best) - 1; c >= need; c-- {
					if with := best[c-need] + value; with > best[c] {
						best[c], better[c] = with, true
					}
				}
				row := []rune(line)[179-cells:]
				for cell := 0; cell+p.drawn.wide <= cells; cell += p.drawn.wide {
					low := int(p.drawn.low) + cell/p.drawn.wide*p.drawn.per
					if low > int(table.capacity) {
						break
					}
					column := better[low:min(len(better), low+p.drawn.per)]
					some, all := slices.Contains(column, true), !slices.Contains(column, false)
					got := slices.Index(f.Glyphs().Strip[:], row[cell])
					if got < 0 || (got > 0) != some || (got == 4) != all {
						t.Fatalf("#%d from %d buckets: mark %d of %v\n%s", item, low, got, column, string(row))
					}
					if some {
						marks++
					}
				}
			}
			p.toggleFilling()
			if !slices.Equal(p.steps, before) {
				t.Error("the walk back is another one after the filling was shown")
			}
		}
	}
	if marks < 100 {
		t.Errorf("only %d marks", marks)
	}
}
