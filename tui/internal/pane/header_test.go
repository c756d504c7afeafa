package pane

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/widget/widgettest"
)

func TestPartsAreTheWholeBudget(t *testing.T) {
	f := widgettest.Frame(t, 60, false)
	rng := rand.New(rand.NewPCG(67, 68))
	ran, over := 0, 0
	for range 300 {
		maximum := model.Tokens(rng.IntN(8000))
		s := f.Exp.Setup().WithBudget(model.Budget{}).WithMax(maximum)
		s = s.WithTarget(maximum - model.Tokens(rng.Int64N(int64(maximum)+1))/3)
		s.Budget.OutputReserve = model.Tokens(rng.Int64N(int64(maximum)+1)) / 2
		s.Budget.SafetyMargin = float64(rng.IntN(5)) * 10
		s = s.WithSlot(model.Memory, model.Tokens(rng.IntN(2000)))
		s.Slack = 0
		p := s.Policy[experiment.A].Clone()
		p.CountQuotas = nil
		if rng.IntN(2) == 0 { // what they require is in, whatever the room is
			p.CountQuotas = []model.CountQuota{{Kind: model.Message, Require: 1 + rng.IntN(3), Cap: 9}}
		}
		s = s.WithPolicy(experiment.A, p)
		widgettest.Apply(t, f, s)
		if f.Exp.State(experiment.A) != experiment.Current {
			continue
		}
		ran++
		rep := f.Out.Report
		if rep.SlicedTokens > rep.Effective.Target {
			over++
		}
		var sum model.Tokens
		byLabel := map[string]model.Tokens{}
		for _, p := range Parts(f.Glyphs(), rep) {
			if p.Tokens < 0 {
				t.Fatalf("part %s is %v", p.Label, p.Tokens)
			}
			sum += p.Tokens
			byLabel[p.Label] = p.Tokens
		}
		if sum != rep.Budget.MaxTokens() {
			t.Fatalf("the parts add up to %v of %v: %v", sum, rep.Budget.MaxTokens(), byLabel)
		}
		above := rep.Budget.MaxTokens() - rep.Effective.Margin - rep.Effective.Target
		for _, d := range rep.Budget.Fields().Deductions(rep.PinnedTokens) { // a field without a part of its own would look like this one
			above -= d.Tokens
		}
		if rep.Kept <= rep.Budget.TargetTokens() && byLabel["above target"] != max(0, above) {
			t.Fatalf("above the target is %v, not %v: %+v", byLabel["above target"], above, rep.Effective)
		}
		if byLabel[plain.Pinned] != rep.PinnedTokens || byLabel[plain.Pinned]+byLabel["selected"] != rep.Kept || byLabel["selected"]+byLabel["free"] != max(rep.Effective.Target, byLabel["selected"]) {
			t.Fatalf("the parts are %v; %v pinned, %v kept, room %v\n%+v", byLabel, rep.PinnedTokens, rep.Kept, rep.Effective, s.Budget)
		}
	}
	if ran < 100 || over < 10 {
		t.Errorf("only %d budgets ran, of %d the room was exceeded", ran, over)
	}
}

// A form that is shortened for a narrow screen says the same as the whole one.
func TestHeaderMeansTheSameAtEverySize(t *testing.T) {
	for name, change := range experimenttest.Policies() {
		f := widgettest.Frame(t, 60, false)
		f.Source, f.Unsaved, f.View = "agent", true, "1-8 Items"
		widgettest.WithPolicy(t, f, change)
		widgettest.Apply(t, f, f.Exp.Setup().WithMax(2000))
		f.Best = &widget.Best{}
		f.Best.Arrange(true, f.Out)
		experimenttest.Work(t, f.Best)
		quotas := len(f.Out.Policy.Quotas) > 0
		selects := widget.SlicerName(f.Out.Policy)
		said := map[string]bool{}
		for width := 50; width <= 140; width++ {
			f.Reset(width, 1, theme.New(theme.NoColor, false))
			Header(f, draw.Rect{W: width, H: 1})
			line := strings.TrimRight(widgettest.Text(f), "\n")
			if risk := string(f.Glyphs().Risk); strings.Contains(line, risk) != strings.Contains(line, plain.AtRisk) {
				t.Errorf("%s at %d: a mark without its words, or words without it: %q", name, width, line)
			}
			if strings.Contains(line, plain.BelowBest) && quotas != (strings.Contains(line, "without quotas") || strings.Contains(line, "(no quotas)")) {
				t.Errorf("%s at %d: below which best? %q", name, width, line)
			}
			if strings.Contains(line, " A ") && strings.Contains(line, string(f.Out.Policy.Slicer)) && !strings.Contains(line, selects) {
				t.Errorf("%s at %d: %s is not all of %s: %q", name, width, f.Out.Policy.Slicer, selects, line)
			}
			if !strings.HasSuffix(strings.TrimRight(line, " "), "1-8 Items") {
				t.Errorf("%s at %d: the view is not named: %q", name, width, line)
			}
			for _, part := range []string{plain.BelowBest, plain.AtRisk, selects, " in ", "value "} {
				said[part] = said[part] || strings.Contains(line, part)
			}
		}
		for part, was := range said {
			if !was && (part != plain.BelowBest || quotas) {
				t.Errorf("%s: no width says %q", name, part)
			}
		}
	}
}

// The legend names whatever the bar is made of, and the numbers add up to the budget, at every
// size that has a legend.
func TestLegendAddsUpAtEverySize(t *testing.T) {
	for _, budget := range []model.Tokens{32_000, 2_000_000} {
		f := widgettest.Frame(t, 60, false)
		s := f.Exp.Setup().WithMax(budget).WithSlot(model.Memory, budget/30)
		s.Budget.OutputReserve, s.Budget.SafetyMargin = budget/4, 5
		widgettest.Apply(t, f, s)
		forms := map[string]bool{}
		for width := 80; width <= 160; width++ {
			f.Reset(width, 2, theme.New(theme.NoColor, false))
			Bar(f, draw.Rect{W: width, H: 1}, draw.Rect{Y: 1, W: width, H: 1})
			line := strings.TrimSpace(strings.Split(widgettest.Text(f), "\n")[1])
			legend, total, _ := strings.Cut(line, "budget ")
			musttest.Is(t, total, budget.String(), "at", width, "the budget is not whole", line)
			if sum, rounded := sumOfNumbers(t, legend); math.Abs(sum-float64(budget)) > rounded {
				t.Errorf("at %d the parts add up to %v: %q", width, sum, line)
			}
			if strings.Contains(legend, "kept") != strings.Contains(legend, "kept back ") {
				t.Errorf("at %d kept is not kept back: %q", width, line)
			}
			for _, p := range Parts(f.Glyphs(), f.Out.Report) {
				if p.Tokens > 0 && !strings.Contains(legend, string(p.LegendGlyph())) {
					t.Errorf("at %d %s has no place: %q", width, p.Label, line)
				}
			}
			forms[strings.TrimSpace(legend)] = true
		}
		if len(forms) < 3 {
			t.Errorf("the legend of %v has only %d forms: %v", budget, len(forms), forms)
		}
	}
}

// sumOfNumbers adds up the numbers of a text, of which 1.2k is one, and what they were rounded by at most.
func sumOfNumbers(t *testing.T, text string) (sum, rounded float64) {
	for _, n := range regexp.MustCompile(`[0-9][0-9,.]*[kM]?`).FindAllString(text, -1) {
		digits := strings.TrimRight(n, "kM")
		value := musttest.Of(strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64))(t)
		unit := map[string]float64{"": 1, "k": 1e3, "M": 1e6}[n[len(digits):]]
		sum += value * unit
		switch {
		case unit == 1:
		case strings.Contains(digits, "."):
			rounded += unit / 20
		default:
			rounded += unit / 2
		}
	}
	return sum, rounded
}
