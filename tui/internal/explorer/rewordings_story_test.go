package explorer

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
)

// A line that answers what a key would ask is carried out as if it was typed there.
func TestALineAnswersWhatAKeyAsks(t *testing.T) {
	serial(t)
	for _, typed := range []string{"price 3", "price 3 a million", "set the price to $3 per million tokens", "price of 3 dollars"} {
		s := agentAt(t, 120, 36, ":"+typed, "set the price of a million input tokens to $3, in Turns")
		s.press("<enter>", "costs estimated in dollars, 3 per 1M tokens")
		if s.showing() != "Turns" || s.m.exp.Setup().Price != 3 {
			t.Errorf("%q: the price is %v in %s", typed, s.m.exp.Setup().Price, s.showing())
		}
	}
	for _, typed := range []string{"query how does the watcher race", "ask how does the watcher race"} {
		s := agentAt(t, 120, 36, ":"+typed+"<enter>")
		musttest.Is(t, s.m.exp.Setup().Edits.Query.Text, "how does the watcher race", typed)
	}
	t.Chdir(t.TempDir())
	s := agentAt(t, 120, 36, ":save as a.json<enter>", "written to a.json: the scenario")
	s.press(":save policy as p.json<enter>", "policy A written to p.json")
	s.press("c:load policy p.json<enter>", "policy A from p.json")
	s.press(":save it to a.json<enter>:9000<enter>:open a.json<enter>", "unsaved changes; enter again")
	s.press("<enter>")
	s.budgetIs(32_000)
	s.press(":open none.txt<enter>", "Open in place of", "no name here has this: enter opens it as a path")
	s.press("<enter>", "not opened: none.txt: no such file or folder")
	s.press("<esc>:open FILE", "open another source")
	s.press("<esc>:export to out.csv<enter>", "written to out.csv: the report as CSV")
	s.press(":export it as out.txt<enter>", "written to out.txt: the window's text")
	s.press(":export to FILE", "the name must end in .json, .csv")
	s.press("<enter>", "the name must end in .json, .csv, .md or .html for the report, or in .txt for the window")
	s.press("<esc>")
	for _, typed := range []string{"x", "-3", "1000001"} {
		s.press(":price "+typed+"<enter>", "price \""+typed+"\" must be a number above 0 and up to 1,000,000")
		musttest.Is(t, s.showing(), "Items", typed)
	}
}

// Quotas of all kinds go at once, and a policy without any says so.
func TestQuotasAreRemovedByALine(t *testing.T) {
	for _, typed := range []string{"remove quotas", "no quotas", "clear all quotas", "drop the quota"} {
		for _, quota := range []string{"memory min 20%", "memory require 1"} {
			s := agentAt(t, 120, 36, ":"+typed+"<enter>", "policy A has none")
			s.press(":" + quota + "<enter>:" + typed + "<enter>")
			p := s.m.exp.Setup().Policy[experiment.A]
			musttest.Is(t, len(p.Quotas)+len(p.CountQuotas), 0, typed, "after", quota)
			s.press("u")
			p = s.m.exp.Setup().Policy[experiment.A]
			musttest.Is(t, len(p.Quotas)+len(p.CountQuotas), 1, typed, "undone after", quota)
		}
	}
}

// Where enter has nothing to open, Open says what to type.
func TestOpenSaysWhatIsWanted(t *testing.T) {
	serial(t)
	t.Chdir(t.TempDir())
	s := agentAt(t, 80, 24, "o<enter>", "Open in place of", "type a path, or left for the folder above: nothing in")
	s.press("  <enter>", "Open in place of", "type a name or a path: a conversation, an item set, a scenario")
}

// Asked for the budget of what is needed, a line leads there, or says how items are marked.
func TestTheBudgetForWhatIsNeeded(t *testing.T) {
	for _, typed := range []string{"budget for needed", "budget for the needed items", "how many tokens do I need"} {
		s := agentAt(t, 120, 36, ":"+typed+"<enter>", "nothing is marked as needed yet: * marks the selected item, and need 13 28 marks those")
		s.press("<esc>:need 13 28<enter>:" + typed + "<enter>")
		stays := func(i int) any { b, _ := s.m.exp.Profile(experiment.A).StaysFrom(i); return b }
		if b := s.m.budget(); b != stays(13) && b != stays(28) {
			t.Errorf("%q leads to %v, #13 stays in from %v, #28 from %v", typed, b, stays(13), stays(28))
		}
		musttest.Is(t, s.m.exp.Result(experiment.A).Report.In(13) && s.m.exp.Result(experiment.A).Report.In(28), true, typed)
	}
}

// The cheapest plan is drawn where it is asked for, also before it is computed: no plan that fits and no cut of the
// watermark costs less.
func TestTheCheapestPlanIsDrawn(t *testing.T) {
	for _, keys := range []string{":cheapest plan<enter>", ":cheapest<enter>", ":show the cheapest plan<enter>", "8=", "8s=", ":80000<enter>8=", ":53000<enter>8="} {
		s := agentAt(t, 120, 36, keys)
		least := math.Inf(1)
		for _, row := range plans.Cutting() {
			cuts, _, _, err := s.m.turns.Sweep(row)
			musttest.Do(t, err)
			least = min(least, cuts[turns.CheapestThatFits(cuts)].Cost)
		}
		for row := range plans.Rows {
			if all := s.courseOf(row).Totals; all.Over+all.Failed == 0 {
				least = min(least, all.Cost)
			}
		}
		s.line("▌", plain.Thousands(int(least+.5))+"▲")
		s.press("=", "=: the cheapest plan is drawn already")
	}
}

// Where all that there is costs less than the cheapest plan that fits, at a larger budget, that and the least such
// budget are said, unless a cut of the watermark costs less still.
func TestALargerBudgetThatCostsLessIsSaid(t *testing.T) {
	s := agentAt(t, 120, 36, "8$:56000<enter>")
	all, a := s.courseOf(plans.All).Totals, s.courseOf(plans.A).Totals
	said := s.line("Cheapest of these: watermark 30 %, ", " (= takes it); sending everything, from ", " on: "+plain.Compared(all.Cost/a.Cost, "")+".")
	_, after, _ := strings.Cut(said, ", from ")
	from, _, _ := strings.Cut(after, " on")
	b, err := model.ParseTokens(from)
	musttest.Do(t, err)
	for _, least := range []model.Tokens{b, b - 1} {
		s.press(fmt.Sprintf(":%d<enter>", least))
		at := s.courseOf(plans.All).Totals
		musttest.Is(t, at.Over == 0, least == b, least, "fits")
		musttest.Is(t, at.Cost, all.Cost)
	}
	agentAt(t, 120, 36, ":53000<enter>8", "watermark 30 %, 35 % less than A (= takes it); 60 %, as set: 29 % less.")
}

// A line takes out the largest items of all kinds, and reset takes every change back.
func TestALineMeansItemsOfAnyKind(t *testing.T) {
	for typed, n := range map[string]int{"drop the 3 largest": 3, "exclude the 2 largest items": 2, "drop the largest item": 1} {
		s := agentAt(t, 120, 36, ":"+typed+"<enter>")
		items, out := s.m.exp.Items(), s.m.exp.Setup().Edits.Excluded
		musttest.Is(t, len(out), n, typed)
		least := model.MaxTokens
		for i := range out {
			least = min(least, items.Tokens(i))
		}
		for i := range items.Len() {
			if !out[i] && items.Tokens(i) > least {
				t.Errorf("%q leaves #%d, which is larger", typed, i)
			}
		}
		s.press(":9000<enter>p<esc>:reset<enter>")
		musttest.Is(t, s.m.exp.Setup().Equal(s.m.original), true, typed)
		s.press("u")
		s.budgetIs(9_000)
	}
}
