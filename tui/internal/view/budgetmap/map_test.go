package budgetmap

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/widget/widgettest"
)

// newMap is a map of 90x30, in colour.
func newMap() *View {
	p := &View{}
	p.Fit(draw.Rect{W: 90, H: 30}, true, theme.New(theme.Dark, false))
	return p
}

// settleMap arranges the map and does all work that it asks for.
func settleMap(t testing.TB, p *View, f *widget.Frame) {
	t.Helper()
	p.Arrange(f.Exp, f.Side)
	experimenttest.Work(t, p)
}

// The bands of an item over values take a pass over all results: zooming does not count
// them again.
func TestBandsOverValuesAreKept(t *testing.T) {
	f, p := widgettest.Frame(t, 300, false), newMap()
	p.gather(false)
	r, b := f.Out.Ranking, f.Out.Report.Budget
	n := model.Numbers(r.Policy(), b, r.Items().Kinds())[0]
	n.First, n.Last = max(n.First, 100), min(n.Last, 400)
	p.setOver(&widget.Over{Items: r.Items(), Number: n, Now: n.Value, Values: musttest.Of(simulate.NewProfileOver(t.Context(), r, b, n))(t)})
	settleMap(t, p, f)
	held, generation := p.cells.held, p.cells.generation
	p.Zoom(true)
	settleMap(t, p, f)
	if held == 0 || p.cells.held != held || p.cells.generation == generation {
		t.Errorf("%d bands are held, then %d, of generations %d and %d", held, p.cells.held, generation, p.cells.generation)
	}
}

// However it is zoomed, panned and ordered, a cell of the map says what
// counting budgets says, and every line on the screen is there.
func TestMapAgainstCounting(t *testing.T) {
	for _, side := range []experiment.Side{experiment.A, experiment.B} {
		f := widgettest.Frame(t, 300, false)
		f.Side = side
		f.Out = f.Exp.Outcome(side)
		rng := rand.New(rand.NewPCG(4, uint64(side)))
		p := &View{}
		look := theme.New([]theme.Name{theme.Dark, theme.NoColor}[side], false)
		p.Fit(draw.Rect{W: 90, H: 30}, true, look)
		settleMap(t, p, f)
		levels := map[uint8]int{}
		groups := map[int]int{}
		for range 200 { // fewer do not meet what is told below
			switch rng.IntN(12) {
			case 0, 1:
				p.Zoom(true)
			case 2:
				p.Zoom(false)
			case 3:
				p.Pan(1 - 2*rng.IntN(2))
			case 4:
				p.gather(rng.IntN(2) > 0)
			case 5:
				p.SortNext()
			case 6:
				p.Even()
			case 7:
				p.Move(rng.IntN(200) - 100)
			case 8:
				q := musttest.Of(query.Parse([]string{"", "is:in", "kind:tool", "tok>100"}[rng.IntN(4)]))(t)
				p.rows.Filter(q)
			case 10:
				p.gather(true)
			case 11:
				p.Fit(draw.Rect{W: 40 + rng.IntN(100), H: 8 + rng.IntN(40)}, rng.IntN(2) == 0, look)
			}
			settleMap(t, p, f)
			s := p.cells.scale
			groups[p.group()]++
			for at := p.top; at < min(p.top+p.lines(), p.lineCount()); at++ {
				line, ok := p.cells.lines[at]
				if !ok {
					t.Fatalf("line %d is missing", at)
				}
				items := p.rows.Rows()[at*p.group() : min((at+1)*p.group(), p.rows.Len())]
				for k := range s.Columns() {
					if rng.IntN(8) > 0 {
						continue
					}
					var in model.Tokens
					for b := s.Edges[k]; b < s.Edges[k+1]; b++ {
						for _, i := range items {
							if p.group() == 1 { // a duplicate is in where the item that it repeats is
								i = int32(f.Out.Report.Survivor(int(i)))
							}
							for _, band := range f.Out.Profile.Bands(nil, int(i)) {
								if band.From <= b && b <= band.To {
									in++
								}
							}
						}
						if s.Edges[k+1]-s.Edges[k] > 40 {
							break // dear: the first budget says at least whether none and all can be
						}
					}
					all := (s.Edges[k+1] - s.Edges[k]) * model.Tokens(len(items))
					got := line.levels[k]
					levels[got]++
					if s.Edges[k+1]-s.Edges[k] > 40 {
						if in > 0 && got == 0 || in < model.Tokens(len(items)) && got == 4 {
							t.Fatalf("line %d, column %d: level %d, %d of %d items are in at its first budget", at, k, got, in, len(items))
						}
						continue
					}
					if (in == 0) != (got == 0) || (in == all) != (got == 4) {
						t.Fatalf("line %d, column %d: level %d, in at %d of %d", at, k, got, in, all)
					}
				}
			}
			if _, ok := p.Selected(); ok != (p.rows.Len() > 0) {
				t.Fatal("the cursor is lost")
			}
		}
		if levels[0] < 30 || levels[4] < 30 || levels[1]+levels[2]+levels[3] < 20 || groups[1] < 2 || len(groups) < 3 {
			t.Errorf("levels %v, groups %v: too few to tell", levels, groups)
		}
		moving := 0
		for i := range f.Exp.Items().Len() {
			bands := f.Out.Profile.Bands(nil, i)
			if len(bands) > 1 || len(bands) == 1 && bands[0].To < f.Out.Profile.Axis().End() {
				moving++
			}
		}
		musttest.Is(t, p.moving, moving)
	}
}

// What the map says of an item's fate is what asking every budget says.
func TestFateAgainstCounting(t *testing.T) {
	f := widgettest.Frame(t, 120, false)
	for _, side := range []experiment.Side{experiment.A, experiment.B} {
		f.Side, f.Out = side, f.Exp.Outcome(side)
		p := f.Out.Profile
		missed, dropped := 0, 0
		for i := range f.Exp.Items().Len() {
			search := musttest.Of(f.Out.Search(i))(t)
			was, bands, drops, least := false, p.Bands(nil, i), 0, model.Option[model.Tokens]{}
			for b := model.Tokens(0); b <= p.Axis().End(); b++ {
				in := slices.ContainsFunc(bands, func(r simulate.Band) bool { return r.From <= b && b <= r.To })
				if in && !least.Set {
					least = model.Some(b)
				}
				if was && !in {
					drops++
				}
				was = in
			}
			says := ""
			if drops > 0 {
				dropped++
				says = "as the budget grows, #" + strconv.Itoa(i) + " drops out " + plain.Count(drops, "time")
			}
			switch {
			case !least.Set:
				says = "no budget up to " + p.Axis().End().String() + " lets #" + strconv.Itoa(i) + " in"
			case !search.Set:
				says += "; binary search finds none, but its least budget is " + least.Value.String()
			case search != least:
				says += "; binary search says " + search.Value.String() + ", but its least budget is " + least.Value.String()
			}
			if least.Set && search != least {
				missed++
			}
			musttest.Is(t, fateOf(f, i).says[0], says, side, i)
		}
		if missed == 0 || dropped == 0 {
			t.Errorf("side %v: %d answers are not the least budget, %d items drop out: too few to tell", side, missed, dropped)
		}
	}
}

func TestMapStepsByColumns(t *testing.T) {
	f, p := widgettest.Frame(t, 60, false), newMap()
	settleMap(t, p, f)
	now := f.Exp.Setup().Budget.MaxTokens
	up := p.Step(now, 1)
	if k := p.cells.scale.Column(now); up != p.cells.scale.Edges[k+1] {
		t.Errorf("one column up from %v is %v", now, up)
	}
	for p.Zoom(true) == "" {
	}
	settleMap(t, p, f)
	if up, down, ten := p.Step(now, 1), p.Step(now, -1), p.Step(now, 10); up != now+1 || down != now-1 || ten != now+10 {
		t.Errorf("at one budget a column: %v, %v and %v from %v", up, down, ten, now)
	}
	musttest.Is(t, p.cells.scale.Edges[p.cells.scale.Column(now)], now, "maxTokens is not on the screen:", p.cells.scale.Edges)
	musttest.Is(t, p.Zoom(true), "each column is one budget already", "a column of one budget is zoomed")
}

// What is no longer asked for is not taken as an answer.
func TestMapDropsOldWork(t *testing.T) {
	f, p := widgettest.Frame(t, 60, false), newMap()
	p.Arrange(f.Exp, f.Side)
	order, _ := p.Job()
	order.Run(context.Background())()
	old, _ := p.Job()
	p.Zoom(true)
	p.Arrange(f.Exp, f.Side)
	job, _ := p.Job()
	if _, lines := old.Key.(cellsKey); !lines || job.Key == old.Key {
		t.Errorf("lines of another zoom are taken: %+v is asked after %+v", job.Key, old.Key)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if job.Run(ctx)(); len(p.cells.lines) != 0 {
		t.Error("work goes on after its end")
	}
	if again, needed := p.Job(); !needed || again.Key != job.Key {
		t.Error("work that failed is not asked for again")
	}
}

func TestMapHits(t *testing.T) {
	f := widgettest.Frame(t, 60, false)
	p := &View{}
	f.Reset(120, 40, theme.New(theme.Dark, false))
	r := draw.Rect{X: 0, Y: 5, W: 120, H: 24}
	p.Fit(r, true, f.Theme())
	settleMap(t, p, f)
	p.gather(true) // two lines a row
	p.Top()
	settleMap(t, p, f)
	p.Draw(f, r, true, true)
	body := p.body()
	h := p.Hit(body.X+10, body.Y+3)
	if !h.Item.Set || h.Item.Value != int(p.rows.Rows()[6]) || h.Budget.Value != p.cells.scale.Edges[10] {
		t.Errorf("%+v, want item %d and budget %v", h, p.rows.Rows()[6], p.cells.scale.Edges[10])
	}
	p.Select(int(p.rows.Rows()[7]))
	musttest.Is(t, p.Hit(body.X, body.Y+3).Item.Value, int(p.rows.Rows()[7]), "the row of the cursor is item")
	if h := p.Hit(body.X+10, body.Y-1); h.Item.Set || !h.Budget.Set {
		t.Errorf("on the ruler: %+v", h)
	}
	for _, at := range [][2]int{{body.X + 10, r.Y}, {body.X, r.Y + r.H}, {-1, body.Y}, {200, body.Y}} {
		if h := p.Hit(at[0], at[1]); h.Item.Set || h.Budget.Set {
			t.Errorf("at %v: %+v", at, h)
		}
	}
	if !slices.Contains(mapSorts, widget.ByInput) {
		t.Error("a map has no order of the input")
	}
}
