package pane

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/widget/widgettest"
)

// What stands above the text of an open item leaves it a row, or takes no more than there are.
func TestWhatStandsAboveATextFitsItsPane(t *testing.T) {
	f := widgettest.Frame(t, 60, false)
	for item := range f.Out.Items.Len() {
		for rows := 1; rows < 12; rows++ {
			if n := Opened(f, draw.Rect{W: 14, H: rows}, item); n > rows {
				t.Fatalf("#%d takes %d of %d rows", item, n, rows)
			}
		}
	}
}

// Every number of the sentence about an item is one of the verdict or of the
// report, and the budgets of the verdict are what dry runs at every budget
// say: at next and below the item is otherwise, and at none between.
func TestEveryNumberOfAReasonIsTrue(t *testing.T) {
	number := regexp.MustCompile(`[#-]?[0-9]+(,[0-9]{3})*`)
	obstacles := map[simulate.Obstacle]int{}
	for name, change := range experimenttest.Policies() {
		f := widgettest.Frame(t, 60, false)
		widgettest.WithPolicy(t, f, change)
		rng := rand.New(rand.NewPCG(91, 92))
		ran := 0
		for range 60 {
			s := f.Exp.Setup().WithMax(model.Tokens(200 + rng.IntN(6000)))
			s.Slack = 50
			if f.Exp.Apply(s, experiment.Label{Name: "edit"}, "") != nil {
				continue
			}
			widgettest.Compute(t, f)
			if f.Exp.State(experiment.A) != experiment.Current {
				continue
			}
			ran++
			for i := range f.Out.Items.Len() {
				v := verdictOf(f.Out, i)
				obstacles[v.Obstacle]++
				if i%29 == ran%29 {
					checkNeighbours(t, f.Out, v, i)
				}
				known := []string{v.Tokens.String(), v.Left.String(), v.Short.String(), v.Charged.String(), v.Bucket.String(), v.Share.String(),
					strconv.Itoa(v.Cap), strconv.Itoa(v.Cap + v.Place), "#" + strconv.Itoa(v.By), f.Out.Report.Effective.Target.String(),
					v.next.Value.String(), (v.next.Value - v.now).String(), v.below.Value.String(), (v.now - v.below.Value).String(), "0",
					f.Out.Profile.Axis().End().String()}
				if size, ok := f.Out.Policy.Size(); ok {
					known = append(known, size.Value.String())
				}
				if v.Bucket > 1 {
					known = append(known, (v.Charged / v.Bucket).String(), (v.Left / v.Bucket).String())
					if v.Charged%v.Bucket != 0 || v.Obstacle == simulate.OutsideBest && v.Left%v.Bucket != 0 {
						t.Fatalf("%s: #%d: %v charged and %v left are no whole buckets of %v", name, i, v.Charged, v.Left, v.Bucket)
					}
				}
				for _, k := range v.displacedBy {
					known = append(known, "#"+strconv.Itoa(int(k)))
				}
				for _, form := range append(reasonForms(f, i, false), reasonForms(f, i, true)...) {
					text := strings.Join(plain.Texts(form, func(s draw.Span) string { return s.Text }), "")
					if (f.Out.Report.In(i)) != strings.HasPrefix(text, "in") {
						t.Fatalf("%s: #%d: %q", name, i, text)
					}
					text, _, _ = strings.Cut(text, " more") // of displaced items, after those named
					for _, n := range number.FindAllString(text, -1) {
						if !slices.Contains(known, n) {
							t.Fatalf("%s: #%d: %q tells %s, known are %q", name, i, text, n, known)
						}
					}
				}
			}
		}
		if ran < 20 {
			t.Errorf("%s: only %d budgets have a result", name, ran)
		}
	}
	for _, o := range []simulate.Obstacle{simulate.OverRoom, simulate.OverShare, simulate.Short, simulate.NothingLeft, simulate.OutsideBest,
		simulate.OverCap, simulate.IsDuplicate, simulate.IsNegative, simulate.IsExcluded} {
		if obstacles[o] == 0 {
			t.Errorf("obstacle %d never came up", o)
		}
	}
}

// checkNeighbours runs the pipeline at every budget beside an outcome's, up to
// where the verdict says that the item is otherwise, but at most 200 of them.
func checkNeighbours(t *testing.T, o *experiment.Outcome, v verdict, i int) {
	t.Helper()
	in := func(b model.Tokens) bool {
		budget, err := o.Profile.Axis().Budget(b)
		if err != nil {
			return false
		}
		report, err := o.Ranking.DryRun(budget)
		return err == nil && report.In(i)
	}
	i = o.Report.Survivor(i)
	here, end := o.Report.In(i), o.Profile.Axis().End()
	for by, told := range map[model.Tokens]model.Option[model.Tokens]{1: v.next, -1: v.below} {
		for b := v.now + by; b >= max(0, v.now-200) && b <= min(end, v.now+200); b += by {
			if other, is := in(b) != here, told == model.Some(b); other != is {
				t.Fatalf("#%d at %v: otherwise at %v is %v, the verdict says %v", i, v.now, b, other, told)
			} else if is {
				break
			}
		}
	}
}
