package replay

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/widget/widgettest"
)

// bestOf is the largest sum of values, in ten-thousandths, of items that fit into
// so many buckets, worked out capacity by capacity.
func bestOf(weights, values []int, room int) int {
	best := make([]int, room+1)
	for i, w := range weights {
		for c := room; c >= w; c-- {
			best[c] = max(best[c], best[c-w]+values[i])
		}
	}
	return best[room]
}

// toldApart are two values with the fewest decimals, at least two, that tell
// them apart.
func toldApart(a, b float64) (textA, textB string) {
	for decimals := 2; decimals <= 4; decimals++ {
		textA, textB = fmt.Sprintf("%.*f", decimals, a+1e-9), fmt.Sprintf("%.*f", decimals, b+1e-9) // halves go up
		if textA != textB || a == b {
			break
		}
	}
	return textA, textB
}

// Every number of every sentence about a step of the walk back is worked out
// again: what is left and needed from the items' tokens, what sets are worth by
// a table of one's own.
func TestNumbersInSentencesOfTheWalkBack(t *testing.T) {
	number := regexp.MustCompile(`[0-9]+(,[0-9]{3})*(\.[0-9]+)?`)
	told := map[string]int{}
	for round, n := range []int{5, 60, 30, 90} {
		for _, bucket := range []model.Tokens{1, 37, 100, 500} {
			f := widgettest.Frame(t, n, false)
			p := replayOf(t, f, f.Exp.Items().Total()*model.Tokens(round+1)/6, inBuckets(bucket)) // for a part of the items
			rep := f.Out.Report
			left, placed := int(rep.Effective.Target/bucket), model.Tokens(0)
			for k := range p.steps {
				p.To(k)
				if i := p.steps[k].Item; i >= 0 && p.steps[k].Verdict.In() {
					placed += rep.Items.Tokens(int(i))
				}
				table, ok := p.table()
				if !ok || !table.holds(k) {
					continue
				}
				sizes := func(i int) (weight, value int) {
					return int((rep.Items.Tokens(i) + bucket - 1) / bucket), int(math.Floor(rep.Scores[i] * 10_000))
				}
				s := &p.steps[k]
				item := int(s.Item)
				need, value := sizes(item)
				var weights, values []int
				for later := k + 1; later < table.end; later++ {
					w, v := sizes(int(p.steps[later].Item))
					weights, values = append(weights, w), append(values, v)
				}
				text := p.sentence(&table)[0]
				got := number.FindAllString(text, -1)
				count := plain.Thousands[int]
				want := []string{strconv.Itoa(item)}
				alone := bestOf(weights, values, left)
				switch {
				case s.Verdict == slicer.Free, s.Why == slicer.NoValue:
					continue
				case s.Why == slicer.NoRoom:
					want = append(want, count(need), count(left))
				default:
					with := bestOf(weights, values, left-need) + value
					end := 0.0 // what all that is in is worth
					for _, s := range p.steps[:table.end] {
						if s.Verdict.In() && s.At >= 0 {
							end += rep.Scores[s.Item]
						}
					}
					worth := func(n int) float64 { return float64(n) / 10_000 }
					has, hasNot := worth(with-value)+worth(value), worth(alone)
					already := end - max(has, hasNot)
					without, in := toldApart(hasNot+already, has+already)
					want = append(want, count(need), count(left), in)
					if with != alone {
						want = append(want, without)
					}
					if with > alone {
						want = append(want, count(left-need))
					}
					if in := with > alone; in != s.Verdict.In() || in != strings.Contains(text, "so it is in") || (with == alone) != strings.Contains(text, "which is no more than without it") {
						t.Fatalf("%d items, buckets of %v, step %d: with %d, without %d, and %q", n, bucket, k, with, alone, text)
					}
					told[fmt.Sprint(s.Verdict.In())]++
				}
				after := left
				if s.Verdict.In() {
					after -= need
				}
				rounded := rep.Effective.Target/bucket*bucket - model.Tokens(after)*bucket - placed // up to whole buckets
				if rounded > 0 && (s.Why == slicer.NoRoom || s.Verdict.In() && after == 0) {
					want = append(want, (rep.Effective.Target - placed).String(), bucket.String(), rounded.String())
					told["rounded"]++
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%d items, buckets of %v, step %d: %q has %q, want %q", n, bucket, k, text, got, want)
				}
				if s.Verdict.In() && s.Verdict != slicer.Free {
					left -= need
				}
			}
			p.toggleFilling()
			var weights, values []int // of the rows so far
			for k := range p.steps {
				p.To(k)
				table, ok := p.table()
				if s := &p.steps[k]; !ok || !table.holds(k) || s.Row == 0 {
					continue
				}
				item := int(p.steps[k].Item)
				need := int((rep.Items.Tokens(item) + bucket - 1) / bucket)
				value, room := int(math.Floor(rep.Scores[item]*10_000)), int(table.capacity)
				without := bestOf(weights, values, room)
				weights, values = append(weights, need), append(values, value)
				if need > room || len(weights) == 1 {
					continue
				}
				rest := bestOf(weights[:len(weights)-1], values[:len(values)-1], room-need)
				with, count := rest+value, plain.Thousands[int]
				text := p.sentence(&table)[0]
				var want []string
				for decimals := 2; decimals <= 4; decimals++ {
					step := []int{2: 100, 3: 10, 4: 1}[decimals] // ten-thousandths, rounded half up
					write := func(n int) string { return fmt.Sprintf("%.*f", decimals, float64((n+step/2)/step*step)/10_000) }
					want = []string{strconv.Itoa(item), count(need), count(room), write(value), write(rest), count(len(weights) - 1), count(room - need), write(with), write(without), count(room)}
					sum := 0.0
					for _, term := range want[3:5] {
						sum += musttest.Of(strconv.ParseFloat(term, 64))(t)
					}
					if fmt.Sprintf("%.*f", decimals, sum) == write(with) && (with == without || write(with) != write(without)) {
						break
					}
				}
				if len(weights) == 2 { // the one item above
					want = slices.Delete(want, 5, 6)
				}
				if got := number.FindAllString(text, -1); !slices.Equal(got, want) || strings.Contains(text, "so it is in the best set so far") != (with > without) {
					t.Fatalf("%d items, buckets of %v, row %d: %q, want %q", n, bucket, len(weights), text, want)
				}
				told["filled"]++
			}
		}
	}
	if told["rounded"] < 5 || min(told["filled"], told["true"], told["false"]) < 50 {
		t.Errorf("the sentences told only of %v", told)
	}
}

// Every number of every sentence about a step of the slicers without a table is worked out
// again, from the tokens and the scores of the items.
func TestNumbersInSentencesAboutSteps(t *testing.T) {
	number := regexp.MustCompile(`[0-9]+(,[0-9]{3})*(\.[0-9]+)?`)
	told := map[string]int{}
	for _, name := range []model.SlicerType{model.Greedy, model.Rank} {
		for round, n := range []int{60, 150, 90} {
			f := widgettest.Frame(t, n, false)
			p := replayOf(t, f, f.Exp.Items().Total()*model.Tokens(round+1)/6, func(p *model.Policy) { p.Slicer = name })
			left := f.Out.Report.Effective.Target
			for k := range p.steps {
				s := &p.steps[k]
				if s.Item < 0 {
					continue
				}
				i := int(s.Item)
				need, score := f.Exp.Items().Tokens(i), f.Out.Report.Scores[i]
				in := f.Out.Report.In(i)
				if need == 0 || !in && need <= left || left == 0 {
					continue
				}
				want := []string{strconv.Itoa(i), widget.Score(score, 5)}
				if name == model.Greedy {
					want = []string{strconv.Itoa(i), widget.Score(1000*score/float64(need), 5), "1,000"}
				}
				want = append(want, need.String(), left.String())
				if in {
					left -= need
					want = append(want, left.String())
				} else {
					want = append(want, (need - left).String())
				}
				told[fmt.Sprint(in)]++
				text := p.decided(s)[0]
				if got := number.FindAllString(text, -1); !slices.Equal(got, want) || strings.Contains(text, "stays out") == in {
					t.Fatalf("%v, %d items, step %d: %q, want %q", name, n, k, text, want)
				}
			}
		}
	}
	if min(told["true"], told["false"]) < 50 {
		t.Errorf("the sentences told only of %v", told)
	}
}

// Under quotas each share has a table of its own: what its best set is worth, and what it is with an item and
// without it, has nothing of the sets of other shares.
func TestTheBestSetOfAShareIsItsOwn(t *testing.T) {
	tables, rows := 0, 0
	for _, change := range []func(p *model.Policy){
		func(p *model.Policy) {
			p.Quotas = []model.Quota{{Kind: model.Document, MinPercent: model.Some(20.0), MaxPercent: model.Some(40.0)}, {Kind: model.ToolOutput, MaxPercent: model.Some(30.0)}}
		},
		func(p *model.Policy) {
			p.CountQuotas = []model.CountQuota{{Kind: model.Document, Require: 3, Cap: 900}}
		},
	} {
		f := widgettest.Frame(t, 90, false)
		p := replayOf(t, f, f.Exp.Items().Total()/3, func(p *model.Policy) {
			inBuckets(100)(p)
			change(p)
		})
		for k, s := range p.steps {
			p.To(k)
			table, ok := p.table()
			if !ok || table.open != k {
				continue
			}
			value := 0.0
			for _, of := range p.steps[p.opens[p.opening(k)-1]:table.end] {
				if of.Verdict.In() {
					value += f.Out.Report.Scores[of.Item]
				}
			}
			musttest.Is(t, s.Phase, slicer.WalkBack)
			musttest.Says(t, p.sentence(&table)[0], "The best set of these items is worth "+widget.Value(value)+";")
			for step := k + 1; step < table.end; step++ {
				if s := &p.steps[step]; s.Row > 0 {
					_, with, without := p.weigh(s, &table)
					if best := max(with, without); math.Abs(best-value) > 1e-9 {
						t.Fatalf("#%d: the better of both sets is worth %v, want %v", s.Item, best, value)
					}
				}
			}
			tables++
		}
		rows += checkSharesDrawn(t, f, p)
	}
	musttest.Is(t, tables > 3 && rows > 60, true, tables, "tables", rows, "rows of several tables")
}

// checkSharesDrawn draws all steps with the cursor on the last, and compares the two values of each row with
// those of all sets of the items of its share. It returns how many rows there are.
func checkSharesDrawn(t *testing.T, f *widget.Frame, p *View) (rows int) {
	p.Bottom()
	f.Reset(120, len(p.steps)+20, theme.New(theme.NoColor, false))
	p.Draw(f, draw.Rect{W: 120, H: len(p.steps) + 20}, false, false)
	rep := f.Out.Report
	for y, line := range strings.Split(widgettest.Text(f), "\n") {
		k, on := p.RowAt(0, y)
		if !on || p.steps[k].Row == 0 {
			continue
		}
		s := &p.steps[k]
		var weights, values []int // of the items of the share that the walk back comes to later
		already := 0
		for at := p.opens[p.opening(k)-1] + 1; int(at) < len(p.steps) && (int(at) < k || p.steps[at].Opens == nil); at++ {
			of := &p.steps[at]
			if of.Opens != nil {
				continue
			}
			value := int(math.Floor(rep.Scores[of.Item] * 10_000))
			switch {
			case int(at) > k && of.Row > 0:
				weights, values = append(weights, int(of.Need)), append(values, value)
			case int(at) < k && of.Verdict.In():
				already += value
			}
		}
		want := []int{already + bestOf(weights, values, int(s.Left))}
		if s.Need <= s.Left {
			with := already + int(math.Floor(rep.Scores[s.Item]*10_000)) + bestOf(weights, values, int(s.Left-s.Need))
			want = slices.Insert(want, 0, with)
		}
		c := p.tableColumns(120, true)
		at := 3
		for _, w := range []int{c.index, c.kind, c.text, c.tok, c.buckets} {
			at += w + 1
		}
		got := strings.Fields(string([]rune(line)[at : at+2*c.best+1]))
		if got = slices.DeleteFunc(got, func(text string) bool { return text == "-" }); len(got) != len(want) {
			t.Fatalf("#%d has %q, want %v", s.Item, got, want)
		}
		for n, text := range got {
			if v := musttest.Of(strconv.ParseFloat(text, 64))(t); math.Abs(v-float64(want[n])/10_000) > 0.02 {
				t.Fatalf("#%d has %q, want %v", s.Item, got, want)
			}
		}
		rows++
	}
	return rows
}
