package curve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/widget/widgettest"
)

// plotted is a random profile, under slicers whose value can fall too.
func plotted(t *testing.T, rng *rand.Rand) (*simulate.Profile, simulate.Axis) {
	t.Helper()
	items := make([]model.Item, 1+rng.IntN(12))
	for i := range items {
		items[i] = model.Item{
			Content: fmt.Sprint(i), Tokens: model.Tokens(rng.IntN(40)), Pinned: rng.IntN(8) == 0,
			Kind:                []model.Kind{model.Message, model.Document}[rng.IntN(2)],
			FutureRelevanceHint: model.Some(rng.Float64()),
		}
	}
	set := musttest.Of(model.NewSet(items))(t)
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	p.Slicer = model.SlicerTypes()[rng.IntN(len(model.SlicerTypes()))]
	if p.Slicer == model.Knapsack {
		p.BucketSize = model.Tokens(1 + rng.IntN(12))
	}
	if p.Slicer != model.Stream && rng.IntN(2) == 0 {
		p.CountQuotas = []model.CountQuota{{Kind: model.Document, Require: rng.IntN(3), Cap: 2 + rng.IntN(2)}}
	}
	pipe := musttest.Of(pipeline.New(p))(t)
	r := musttest.Of(pipe.Rank(context.Background(), set))(t)
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 400, TargetTokens: model.Some(400 - model.Tokens(rng.IntN(9))), OutputReserve: model.Tokens(rng.IntN(9)), SafetyMargin: float64(rng.IntN(3) * 7)}))(t)
	profile := musttest.Of(simulate.NewProfile(context.Background(), r, b, model.Tokens(20+rng.IntN(300))))(t)
	return profile, profile.Axis()
}

// Every column must show the least and the most of each of its budgets, and
// every fall, as running the pipeline at all of them tells.
func TestPlotColumnsAgainstEveryBudget(t *testing.T) {
	rounds := randomtest.Rounds(80, 400)
	seen := map[string]int{}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 5))
		p, axis := plotted(t, rng)
		labels := model.Labels{Grades: map[int]int{}}
		for i := range p.Ranking().Items().Len() {
			labels.Grades[i] = rng.IntN(3)
		}
		labels.Grades[0]++ // something is needed
		judge := musttest.Of(quality.NewJudge(p.Ranking(), labels, nil))(t)
		c := musttest.Of(curveOf(context.Background(), p, judge, 0))(t)
		reports := make([]*model.Report, axis.End()+1)
		for b := range reports {
			if budget, err := axis.Budget(model.Tokens(b)); err == nil {
				reports[b], _ = p.Ranking().DryRun(budget)
			}
		}
		var all [kinds]int // how often each falls, by every budget
		for b := 1; b < len(reports); b++ {
			fell := fallen(judge, reports[b], reports[b-1])
			for what, is := range fell {
				if is {
					all[what]++
				}
			}
		}
		if c.falls != all {
			t.Fatalf("seed %d: falls %v, want %v", seed, c.falls, all)
		}
		side := track{profile: p, curve: c}
		for _, share := range []float64{0, rng.Float64(), 0.9, 1} {
			all := p.PointAt(axis.End()).Value
			want := reach{share: share, ok: all > 0}
			for b := axis.End(); want.ok && b >= 0 && p.PointAt(b).Runs && p.PointAt(b).Value >= share*all; b-- {
				want.stays = b
			}
			musttest.Is(t, side.enough(share), want, "seed", seed)
		}
		lo := 1 + model.Tokens(rng.IntN(int(axis.End())))
		hi := lo + model.Tokens(rng.IntN(int(axis.End()-lo)+1))
		scale := draw.NewScale(lo, hi, 1+rng.IntN(40))
		if rng.IntN(2) == 0 {
			scale = draw.NewEvenScale(lo, hi, 1+rng.IntN(40))
		}
		for _, m := range []measure{byValue, byItems, byFilled, byRecall} {
			got := c.columns(axis, scale, m)
			for x := range scale.Columns() {
				high := -1.0
				var fell [kinds]int32
				for b := scale.Edges[x]; b < scale.Edges[x+1]; b++ {
					r, below := reports[b], reports[b-1]
					for what, is := range fallen(judge, r, below) {
						if is {
							fell[what]++
						}
					}
					items, value := totals(r)
					if r == nil {
						continue
					}
					v := value
					switch {
					case m == byItems:
						v = float64(items)
					case m == byFilled && r.Effective.Target == 0:
						v = 0
					case m == byRecall:
						v = judge.Measure(r).Recall.Value
					case m == byFilled:
						v = float64(r.SlicedTokens) / float64(r.Effective.Target)
					}
					if high >= 0 && v != high {
						seen["a range"]++
					}
					if m == byRecall && high >= 0 { // what a budget of the column loses is seen
						v = min(v, high)
					} else {
						v = max(v, high)
					}
					high = v
				}
				if high < 0 {
					seen["does not run"]++
				}
				if math.Abs(got.drawn[x]-high) > 1e-9 || [kinds]int32{got.falls[0][x], got.falls[1][x], got.falls[2][x]} != fell {
					t.Fatalf("seed %d: %v in %v..%v: up to %v, falls %v; want %v, %v", seed, m, scale.Edges[x], scale.Edges[x+1]-1,
						got.drawn[x], got.falls, high, fell)
				}
				for what, n := range fell {
					if n > 0 {
						seen[[...]string{"items", "value", "recall"}[what]]++
					}
				}
			}
		}
	}
	for _, what := range []string{"does not run", "items", "value", "recall", "a range"} {
		if seen[what] < rounds/10 {
			t.Errorf("only %d columns with: %s", seen[what], what)
		}
	}
}

// fallen says what is less in a report than in the one at the budget below.
func fallen(judge *quality.Judge, r, below *model.Report) [kinds]bool {
	items, value := totals(r)
	wasItems, wasValue := totals(below)
	recall := func(r *model.Report) float64 {
		if r == nil {
			return 0
		}
		return judge.Measure(r).Recall.Value
	}
	return [kinds]bool{items < wasItems, value < wasValue-1e-9, recall(r) < recall(below)}
}

func totals(r *model.Report) (items int, value float64) {
	if r == nil {
		return 0, 0
	}
	return len(r.Included), r.Value
}

// plotOf is a plot over a computed experiment, its work done.
func plotOf(t *testing.T, f *widget.Frame, r draw.Rect) *View {
	t.Helper()
	p := &View{}
	p.Fit(r, true, f.Theme())
	f.Best = &widget.Best{}
	p.Arrange(f.Exp, experiment.A)
	experimenttest.Work(t, p)
	return p
}

// Whatever is pressed, the plot stays within its rectangle and within the axis.
func TestPlotAtEverySize(t *testing.T) {
	f := widgettest.Frame(t, 80, false)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		w, h := 30+rng.IntN(120), 4+rng.IntN(40)
		r := draw.Rect{X: rng.IntN(3), Y: rng.IntN(3), W: w, H: h}
		f.Reset(w+6, h+6, theme.New(theme.NoColor, rng.IntN(2) == 0))
		p := plotOf(t, f, r)
		for range rng.IntN(30) {
			switch rng.IntN(8) {
			case 0, 1, 2:
				p.Zoom(rng.IntN(3) > 0)
			case 3:
				p.Pan(rng.IntN(3) - 1)
			case 4:
				p.Move(rng.IntN(5) - 2)
			case 5:
				p.Even()
			case 6:
				p.Page(1 - 2*rng.IntN(2))
			case 7:
				b := p.Step(p.now, (1-2*rng.IntN(2))*(1+9*rng.IntN(2)))
				if b < 1 || b > p.viewport.End {
					t.Fatalf("a step leads to %v of %v", b, p.viewport.End)
				}
			}
		}
		p.Draw(f, r, true, true)
		musttest.Is(t, widgettest.Outside(f, r), "", w, h, "outside is")
	}
}

// Where the wanted share is said to begin, every budget holds it, and the column before has one
// that does not.
func TestTheWantedShareStandsWhereItBegins(t *testing.T) {
	f := widgettest.Frame(t, 80, false)
	for _, wanted := range []float64{50, 75, 90} {
		s := f.Exp.Setup().WithMax(1000) // its label is far from the marks
		s.Wanted = wanted
		widgettest.Apply(t, f, s)
		r := draw.Rect{W: 150, H: 40}
		f.Reset(r.W, r.H, theme.New(theme.Dark, false))
		p := plotOf(t, f, r)
		p.Draw(f, r, true, true)
		column, text := -1, widget.Share(wanted)+"( from "+p.tracks[0].enough(wanted/100).stays.String()+")?"
		foot := strings.Split(widgettest.Text(f), "\n")[p.at.Y+p.at.H-1]
		if at := regexp.MustCompile("│" + text).FindStringIndex(foot); at != nil {
			column = len([]rune(foot[:at[0]])) - p.at.X
		} else if at := regexp.MustCompile(text + "│").FindStringIndex(foot); at != nil {
			column = len([]rune(foot[:at[1]])) - 1 - p.at.X
		}
		if column < 0 {
			t.Fatalf("%v %%: no mark:\n%s", wanted, f)
		}
		profile := p.outs[experiment.A].Profile
		holds := func(from, to model.Tokens) bool {
			least := wanted / 100 * profile.PointAt(p.viewport.Hi).Value
			for b := from; b <= to; b++ {
				if profile.PointAt(b).Value < least {
					return false
				}
			}
			return true
		}
		edges := p.cells.Edges
		if !holds(edges[column+1], p.viewport.Hi) || holds(edges[column], p.viewport.Hi) && holds(edges[column-1], edges[column]) {
			t.Errorf("%v %%: the mark is in column %d, budgets %d to %d", wanted, column, edges[column], edges[column+1]-1)
		}
	}
}

// The label of a side stands beside the axis at the height of its value, to a row, and both labels
// are there also where both values are in one row.
func TestTheLabelsStandAtTheirValues(t *testing.T) {
	f := widgettest.Frame(t, 80, false)
	for h := 8; h < 60; h += 3 {
		r := draw.Rect{W: 120, H: h}
		f.Reset(r.W, r.H, theme.New(theme.Dark, false))
		p := plotOf(t, f, r)
		p.Draw(f, r, true, true)
		_, high := byValue.heights([2][]float64{p.tracks[0].columns.drawn, p.tracks[1].columns.drawn})
		rows := strings.Split(widgettest.Text(f), "\n")
		if p.at.H < minLabelsHeight { // the sentence above says it
			continue
		}
		for _, s := range []experiment.Side{experiment.A, experiment.B} {
			v, _ := p.measured(f, byValue, s)
			want := p.at.Y + p.at.H - 1 - int(v/high*float64(p.at.H))
			at := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, " "+s.String()+" "+p.height(byValue, v)+"│") })
			if at < want-1 || at > want+1 {
				t.Errorf("%d rows: %v is in row %d, want %d:\n%s", h, s, at, want, f)
			}
		}
	}
}

// What is said of both sides is what running them at every budget tells.
func TestTheLeadAgainstEveryBudget(t *testing.T) {
	seen := [3]int{}
	for seed := range 200 {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		a, axis := plotted(t, rng)
		b, other := plotted(t, rng)
		end := min(axis.End(), other.End())
		var curves [2]*curve
		for s, p := range []*simulate.Profile{a, b} {
			curves[s] = musttest.Of(curveOf(context.Background(), p, nil, 0))(t)
		}
		got := compare(curves, end)
		want := lead{of: curves, end: got.end}
		for at := got.end + 1; at <= end; at++ { // nothing changes there
			for _, p := range []*simulate.Profile{a, b} {
				musttest.Is(t, p.PointAt(at).Value, p.PointAt(got.end).Value, "seed", seed)
			}
		}
		end = got.end
		for at := max(curves[0].points[0].Budget, curves[1].points[0].Budget); at <= end; at++ {
			x, y := a.PointAt(at), b.PointAt(at)
			if !x.Runs || !y.Runs {
				continue
			}
			want.budgets++
			switch {
			case math.Abs(x.Value-y.Value) < 1e-9:
				seen[2]++
			case x.Value > y.Value:
				want.more[0]++
				seen[0]++
			default:
				want.more[1]++
				seen[1]++
			}
		}
		musttest.Is(t, got, want, "seed", seed)
		musttest.Is(t, compare(curves, end), want, "seed", seed)
	}
	if min(seen[0], seen[1], seen[2]) < 100 {
		t.Errorf("A is ahead at %d budgets, B at %d, none at %d", seen[0], seen[1], seen[2])
	}
}

// The share that a side holds is of the most that either has at any budget, and where only the other has that
// much, every form says so.
func TestTheShareIsOfTheMostThatEitherHas(t *testing.T) {
	f, alone, both := widgettest.Frame(t, 5, false), 0, 0
	now := f.Exp.Setup().Budget.MaxTokens
	for seed := range 200 {
		rng := rand.New(rand.NewPCG(uint64(seed), 8))
		var p View
		most := [2]float64{}
		for s := range p.tracks {
			p.tracks[s].profile, _ = plotted(t, rng)
			p.tracks[s].curve = musttest.Of(curveOf(context.Background(), p.tracks[s].profile, nil, 0))(t)
			for at := range p.tracks[s].profile.Axis().End() + 1 {
				if point := p.tracks[s].profile.PointAt(at); point.Runs {
					most[s] = max(most[s], point.Value)
				}
			}
		}
		if most[0] == 0 || !p.tracks[0].at(now).Runs {
			continue
		}
		for width := range 140 {
			said := ""
			for _, span := range p.holds(f, width) {
				said += span.Text
			}
			musttest.Says(t, said, "A holds "+plain.Percent(p.tracks[0].at(now).Value/max(most[0], most[1])), seed, width)
			others := strings.Contains(said, "B has at") || strings.Contains(said, "B reaches")
			if only := most[0] < most[1] && !alike(most[0], most[1]); only != others {
				t.Fatalf("seed %d: A reaches %v and B %v, and %q", seed, most[0], most[1], said)
			} else if only {
				alone++
			} else {
				both++
			}
		}
	}
	if min(alone, both) < 1000 {
		t.Errorf("%d sentences say that only B reaches the most, %d do not", alone, both)
	}
}

// The rows of how far the sides are below the best possible end at the least round share that few
// columns exceed.
func TestTheRowsBelowTheBestFitTheirColumns(t *testing.T) {
	for _, c := range []struct {
		worst, rest, want float64
	}{{.98, .051, .1}, {.98, .004, .01}, {.004, .004, .01}, {.9, .8, 1}} {
		shares := [2][]float64{make([]float64, 10), make([]float64, 10)}
		for k := range 10 {
			shares[0][k], shares[1][k] = c.rest, c.rest
		}
		shares[0][3], shares[1][9] = c.worst, c.worst
		musttest.Is(t, fullRows(shares), c.want, c.worst, "else", c.rest, "the rows end at")
	}
}

// The work of a side is done once, however the budget moves.
func TestPlotKeepsItsCurves(t *testing.T) {
	f := widgettest.Frame(t, 60, false)
	p := plotOf(t, f, draw.Rect{W: 100, H: 30})
	s := f.Exp.Setup()
	widgettest.Apply(t, f, s.WithMax(s.Budget.MaxTokens+17))
	p.Arrange(f.Exp, experiment.A)
	if _, needed := p.Job(); needed {
		t.Error("another budget needs the curves anew")
	}
	widgettest.Apply(t, f, f.Exp.Setup().WithExcluded([]int{5}, true))
	p.Arrange(f.Exp, experiment.A)
	if _, needed := p.Job(); !needed {
		t.Error("curves of other items are kept")
	}
	musttest.Is(t, p.tracks[0].curve, nil, "a curve of other items is drawn")
}

// Why a curve is not drawn is said of its own side.
func TestTheErrorOfACurveIsOfItsSide(t *testing.T) {
	f := &widget.Frame{Canvas: &draw.Canvas{}}
	f.Reset(80, 24, theme.New(theme.NoColor, false))
	p := &View{side: experiment.A}
	p.tracks[experiment.B].err = errors.New("too many")
	for s, want := range map[experiment.Side]string{experiment.A: "computing what every budget gives…", experiment.B: "too many"} {
		if _, why := p.line(f, byValue, s, 80); why != want {
			t.Errorf("%v says %q", s, why)
		}
	}
}

// Each column says how far the value is below the best possible at the worst of its budgets.
func TestBelowBestAgainstEveryBudget(t *testing.T) {
	below := 0
	for seed := range 60 {
		rng := rand.New(rand.NewPCG(uint64(seed), 6))
		p, axis := plotted(t, rng)
		c := musttest.Of(curveOf(context.Background(), p, nil, 0))(t)
		upTo, _ := axis.Target(axis.End())
		plan := musttest.Of(simulate.PlanOptimum(context.Background(), p.Ranking(), upTo, simulate.PlanLimits{}))(t)
		optimum := musttest.Of(plan.Compute(context.Background()))(t)
		scale := draw.NewScale(1, axis.End(), 1+rng.IntN(40))
		for x, got := range c.belowBest(axis, scale, optimum) {
			want := -1.0
			for b := scale.Edges[x]; b < scale.Edges[x+1]; b++ {
				a := p.PointAt(b)
				if off := optimum.BelowBest(a.Value, a.Target); a.Runs && off.Set {
					want = max(want, off.Value)
				}
			}
			if math.Abs(got-want) > 1e-9 {
				t.Fatalf("seed %d, %v to %v: %v below best, want %v", seed, scale.Edges[x], scale.Edges[x+1]-1, got, want)
			}
			if got > 0 {
				below++
			}
		}
	}
	if below == 0 {
		t.Error("no column is below the best")
	}
}

// Until the best possible is known the plot of it says so, and draws no area.
func TestBelowBestIsComputing(t *testing.T) {
	f := widgettest.Frame(t, 80, false)
	r := draw.Rect{W: 120, H: 30}
	f.Reset(120, 30, theme.New(theme.NoColor, false))
	p := plotOf(t, f, r)
	p.Move(1)
	p.Draw(f, r, true, true)
	if text := f.String(); !strings.Contains(text, "computing…") || strings.Contains(text, "▅") {
		t.Errorf("the best possible is being computed:\n%s", text)
	}
	if p.tracks[0].below != nil || p.tracks[1].below != nil {
		t.Error("columns are known without the best possible")
	}
}

// In both charts the area is as high in every column, to half a step, as the profile says. The line of the
// other side is in the quarter of a row of its height; where the edge of the area is in that row, it is
// less than a row off, on its side of the edge, or has none if both are as high. A line above the top of
// the plot is an arrow in every fourth column. Above the second chart a line that is nowhere a row off is
// told and not drawn.
func TestTheHeightsAreThoseOfTheProfile(t *testing.T) {
	f := widgettest.Frame(t, 80, false)
	seen := [4]int{}
	for _, r := range []draw.Rect{{W: 60, H: 12}, {W: 80, H: 18}, {W: 120, H: 31}, {W: 200, H: 55}} {
		p := plotOf(t, f, r)
		f.Best.Arrange(true, p.outs[0], p.outs[1])
		experimenttest.Work(t, f.Best)
		drawn := func(name theme.Name) []string { // of NoColor the area is known, of Dark the quarter of the line
			f.Reset(r.W, r.H, theme.New(name, false))
			p.Draw(f, r, true, true)
			return strings.Split(widgettest.Text(f), "\n")
		}
		for _, p.side = range [...]experiment.Side{experiment.A, experiment.B} {
			plain, dark := drawn(theme.NoColor), drawn(theme.Dark)
			for _, plot := range []draw.Rect{p.at, p.lower} {
				var levels [2][]float64
				var above [2][]bool // the value is more than the top of the plot
				for s := range levels {
					t := &p.tracks[s]
					for x := range plot.W {
						v, full := 0.0, 1.0
						for b := p.cells.Edges[x]; b < p.cells.Edges[x+1]; b++ {
							if x != p.cells.Column(p.now) || b == p.now {
								v = max(v, t.profile.PointAt(b).Value/p.most().Value)
							}
						}
						if plot == p.lower {
							v = t.below[x]
							if x == p.cells.Column(p.now) {
								v, _ = p.measured(f, byBelow, experiment.Side(s))
							}
							full = fullRows([2][]float64{p.tracks[0].below, p.tracks[1].below})
						}
						levels[s], above[s] = append(levels[s], min(1, v/full)*float64(plot.H)), append(above[s], plot == p.lower && v > full)
					}
				}
				told := plot == p.at && !p.lower.Empty()
				for x := range plot.W {
					told = told && math.Abs(levels[0][x]-levels[1][x]) < 1
				}
				if says := strings.Contains(dark[0], " too near "); plot == p.at && says != told {
					t.Fatalf("%v, %v: says that both are near: %v, want %v:\n%s", r, p.side, says, told, strings.Join(dark, "\n"))
				}
				for x := range plot.W {
					column := func(rows []string) (cells []rune) {
						for y := plot.H - 1; y >= 0; y-- {
							cells = append(cells, []rune(rows[plot.Y+y])[plot.X+x])
						}
						return cells
					}
					area, line, filled := levels[p.side][x], levels[p.side.Other()][x], 0.0
					for y, cell := range column(plain) {
						if k := slices.Index([]rune(f.Glyphs().Filled+"░"), cell); k >= 0 {
							filled = float64(y) + float64(min(8, k+1))/8
						}
					}
					if math.Abs(filled-area) > 1./16+1e-9 && !(filled == 1./8 && area > 0) {
						t.Fatalf("%v, %v: the area is %v rows high in column %d, want %v\n%s", r, p.side, filled, x, area, strings.Join(plain, "\n"))
					}
					at := -1.0
					for y, cell := range column(dark) {
						if k := slices.IndexFunc([]rune("⠈⠐⠠⢀"), func(dot rune) bool { return cell&^0xff == 0x2800 && cell&dot == dot }); k >= 0 {
							at = float64(y) + float64(3-k)/4
						}
					}
					want := max(0, math.Floor(line*4+.5)-1) / 4
					switch edge := math.Floor(filled); {
					case told:
						seen[2]++
						if at >= 0 {
							t.Fatalf("%v, %v: a line at %v in column %d, though both are near:\n%s", r, p.side, at, x, strings.Join(dark, "\n"))
						}
					case x == p.cells.Column(p.now):
						if at >= 0 {
							t.Fatalf("%v, %v: the line of the budget is broken at %v:\n%s", r, p.side, at, strings.Join(dark, "\n"))
						}
					case above[p.side.Other()][x]:
						seen[3]++
						if arrow := []rune(dark[plot.Y])[plot.X+x] == f.Glyphs().Better; at >= 0 || arrow != (x%4 == 0) {
							t.Fatalf("%v, %v: above the plot the line is at %v in column %d, an arrow: %v:\n%s", r, p.side, at, x, arrow, strings.Join(dark, "\n"))
						}
					case math.Floor(want) != edge || filled == edge:
						seen[0]++
						if at != want && (at != want+.25 || want != math.Floor(want)) { // two dots do not end in the lowest quarter
							t.Fatalf("%v, %v: the line is at %v in column %d, want %v:\n%s", r, p.side, at, x, want, strings.Join(dark, "\n"))
						}
					default: // the edge of the area
						seen[1]++
						if at >= 0 {
							t.Fatalf("%v, %v: a line at %v in column %d, in the row where the area ends:\n%s", r, p.side, at, x, strings.Join(dark, "\n"))
						}
					}
				}
			}
		}
	}
	if seen[0] < 400 || seen[1] < 50 || seen[2] < 400 || seen[3] < 20 {
		t.Errorf("%v columns are too few to prove anything", seen)
	}
}
