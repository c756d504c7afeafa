package replay

import (
	"fmt"
	"math"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/widget/widgettest"
)

// Every number of an example is worked out again by trying all sets of its items, and the sums
// that it shows add up to the last hundredth.
func TestAnExampleIsTheBestOfAllSets(t *testing.T) {
	examples := 0
	for _, n := range []int{8, 20, 60, 90} {
		for _, bucket := range []model.Tokens{50, 100, 200, 500} {
			f := widgettest.Frame(t, n, false)
			p := replayOf(t, f, f.Exp.Items().Total()/3, inBuckets(bucket))
			for range 2 {
				table, ok := p.table()
				if !ok {
					t.Fatal("there is no table")
				}
				e, ok := p.example(&table)
				if !ok {
					continue
				}
				examples++
				var needs [3]int
				for k, s := range e.rows {
					needs[k] = int((f.Exp.Items().Tokens(int(s.Item)) + bucket - 1) / bucket)
					if want := math.Floor(10_000*f.Out.Report.Scores[s.Item]) / 10_000; math.Abs(e.values[k]-want) > 1e-9 {
						t.Errorf("#%d is worth %v, want %v", s.Item, e.values[k], want)
					}
				}
				for row := range 3 {
					for c := range int(e.buckets) + 1 {
						best, set := 0.0, 0
						for chosen := range 1 << (row + 1) {
							size, value := 0, 0.0
							for k := range row + 1 {
								if chosen>>k&1 == 1 {
									size, value = size+needs[k], value+e.values[k]
								}
							}
							if size <= c && value > best {
								best, set = value, chosen
							}
						}
						if math.Abs(e.best[row][c]-best) > 1e-9 {
							t.Fatalf("%d items, buckets of %v: row %d says %v for %d buckets, want %v", n, bucket, row, e.best[row][c], c, best)
						}
						if row == 2 && c == int(e.buckets) && set != 0b110 {
							t.Fatalf("the best set is %b", set)
						}
					}
				}
				var shown string
				for _, line := range e.lines(f.Glyphs(), 120, 20) {
					for _, span := range line {
						shown += span.Text
					}
					shown += " "
				}
				sum := fmt.Sprintf("%.2f", math.Round(100*e.values[1])/100+math.Round(100*e.values[2])/100)
				left := []slicer.Target{2: e.buckets}
				for k := 1; k >= 0; k-- {
					left[k] = left[k+1] - slicer.Target(needs[k+1])
				}
				for _, want := range []string{
					fmt.Sprintf("its worth plus the one above as many buckets to the left as it takes: %.2f, or %.2f + %.2f = %s.", e.values[0], e.values[2], e.values[1], sum),
					"   in: " + sum + fmt.Sprintf(", without it %.2f; ", e.values[0]) + are(left[1]) + " left ",
					fmt.Sprintf("   in: %.2f, without it 0.00; ", e.values[1]) + are(left[0]) + " left ",
					"   out: " + are(left[0]) + " left ",
				} {
					musttest.Says(t, shown, want, "the example")
				}
				p.toggleFilling() // shows the same example
				if again, _ := p.example(&table); again.best != e.best {
					t.Error("another example while the table is filled")
				}
			}
		}
	}
	if examples < 8 {
		t.Errorf("only %d examples", examples)
	}
}
