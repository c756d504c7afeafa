package replay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget/widgettest"
)

// The path is read off the screen as a user would: straight down is out, anything
// else is in. It must say what the dry run selects, at any zoom, each row must begin
// where the row before it ends, and rows that the cursor has not come to have none.
func TestThePathIsTheSelection(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	told := map[string]int{}
	for round := range 60 {
		f := widgettest.Frame(t, 5+rng.IntN(70), round%2 == 0)
		least, _ := f.Out.Profile.Axis().Start()
		room := 1 + rng.Int64N(int64(f.Exp.Items().Total()))
		musttest.Do(t, f.Exp.Apply(f.Exp.Setup().WithMax(least+model.Tokens(room)), experiment.Label{Name: "budget"}, ""))
		bucket := model.Tokens(1 + rng.IntN(150))
		widgettest.WithPolicy(t, f, func(p *model.Policy) { p.Slicer, p.BucketSize = model.Knapsack, bucket })
		var p View
		settleReplay(t, &p, f)
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
		in := string([]rune{g.WalkDown, g.Horizontal, g.WalkUp, g.In})
		cells := p.tableColumns(r.W, true).cells
		lines, ended := strings.Split(widgettest.Text(f), "\n"), -1
		for y, line := range lines {
			k, on := p.RowAt(0, y)
			if !on || !table.holds(k) {
				ended = -1
				continue
			}
			row := []rune(line)
			row = row[r.W-cells:]
			isPath := func(r rune) bool { return r == g.Vertical || strings.ContainsRune(in, r) }
			first, last := slices.IndexFunc(row, isPath), len(row)-1
			for last >= 0 && !isPath(row[last]) {
				last--
			}
			s := &p.steps[k]
			name := fmt.Sprintf("round %d, step %d, #%d: %q", round, k, s.Item, string(row))
			if k > p.Cursor() {
				if first >= 0 {
					t.Fatalf("%s has a path, which has come to step %d", name, p.Cursor())
				}
				told["to come"]++
				continue
			}
			if first < 0 {
				if p.zoom.wide == 0 {
					t.Fatalf("%s has no path", name)
				}
				ended = -1
				continue
			}
			drawnIn := strings.ContainsRune(in, row[first])
			if drawnIn != f.Out.Report.In(int(s.Item)) {
				t.Fatalf("%s: drawn as in %v, the dry run says %v", name, drawnIn, !drawnIn)
			}
			if ended >= 0 && last != ended {
				t.Fatalf("%s: the path goes on at %d, it ended at %d", name, last, ended)
			}
			if ended = first; first == 0 && p.zoom.wide > 0 { // it may leave the screen there
				ended = -1
			}
			told[fmt.Sprint("in ", drawnIn)]++
			if drawnIn && first == last {
				told["in, less than a column"]++
			}
			if p.zoom.wide > 0 {
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
			widgettest.WithPolicy(t, f, func(p *model.Policy) { p.Slicer, p.BucketSize = model.Knapsack, bucket })
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
				row := []rune(line)[180-cells:]
				for cell := 0; cell+p.drawn.wide <= cells; cell += p.drawn.wide {
					low := int(p.drawn.low) + cell/p.drawn.wide*p.drawn.per
					if low > int(table.capacity) {
						break
					}
					want := slices.Contains(better[low:min(len(better), low+p.drawn.per)], true)
					if got := row[cell] == f.Glyphs().Strip[1]; got != want {
						t.Fatalf("#%d from %d buckets: marked %v, want %v\n%s", item, low, got, want, string(row))
					} else if got {
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
