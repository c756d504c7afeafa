package explorer

import (
	"path/filepath"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

func TestStartsWhereTheFlagsSay(t *testing.T) {
	for _, c := range []struct {
		start Start
		sees  []string
	}{
		{Start{View: "compare", Item: "12"}, []string{"[2 Compare]", "─ #12 "}},
		{Start{Filter: "kind:tool", Sort: "-tokens"}, []string{"filter kind:tool", "by tokens"}},
		{Start{Side: "B", Sort: "stays"}, []string{"─ B knapsack", "by " + widget.ByStays.String()}},
		{Start{Item: "#99"}, []string{"--item 99: there are 60 items, numbered from 0"}},
	} {
		musttest.Is(t, c.start.Check(), nil, c.start)
		s := begin(t, sampleSession(t, 60), 120, 36, func(o *Options) { o.Start = c.start })
		s.sees(c.sees...)
	}
	for _, c := range []struct {
		start Start
		says  string
	}{
		{Start{View: "maps"}, `--view: "maps" is not known; known are items, compare`},
		{Start{Side: "c"}, `--side: "c" is not known; known are a, b`},
		{Start{Filter: "tok>x"}, "--filter: character 5"},
		{Start{Sort: "size"}, `--sort: "size" is not known; known are input, tokens`},
		{Start{Item: "-2"}, `--item: "-2" is not the number of an item`},
	} {
		musttest.Says(t, c.start.Check(), c.says, c.start)
	}
}

func TestTheCommandLineIsCopied(t *testing.T) {
	session := agentSession(t)
	s := begin(t, session, 200, 40).after("lY", "sent to the terminal's clipboard: cupelscope --fixture agent --max-tokens 33000")
	s.press("/kind:tool<enter>ss2Y", "--view compare --filter kind:tool --sort score --item ")
	s.press("1<esc>xY", "but without 1 edit (w writes all to a scenario)")
	s.press("uXY", "but without policy B")
	s.press("u:budget 5<enter>Y", "not copied, for no command takes it: invalid budget: outputReserve is 8,000")
	if words, _ := s.m.reopening(); words != nil {
		t.Errorf("a signal tells of a command line that does not open: %v", words)
	}
}

// The axis reaches to where both policies have all items, so that B is answered as far as A; it
// begins with the room for the smallest item.
func TestTheAxisReachesAsFarAsBothPolicies(t *testing.T) {
	for _, fixture := range []string{"agent", "retrieval", "coarse-knapsack", "memory"} {
		opened := sessionOf(t, session.Options{Fixture: fixture})
		s := begin(t, opened, 120, 36)
		for side := range experiment.Side(2) {
			o := s.m.exp.Outcome(side)
			for i := range o.Items.Len() {
				if _, is := o.Profile.FirstIn(o.Report.Survivor(i)); !is && o.Report.Codes[i] != model.Pinned && widget.NeverIn(o.Items, i) == "" {
					t.Errorf("%s: %v has #%d at no budget up to %v", fixture, side, i, o.Profile.Axis().End())
				}
			}
			from, _ := widget.StripRange(o)
			below, _ := o.Profile.Selection(from-1, nil)
			if at, _ := o.Profile.Selection(from, nil); side == experiment.A && (at.Count() == 0 || at.Count() == below.Count()) {
				t.Errorf("%s: strips begin at %v with %d items, one token before with %d", fixture, from, at.Count(), below.Count())
			}
		}
	}
}

// The ceiling is a part of the screen: what is written or copied brings it back.
func TestTheCeilingIsKept(t *testing.T) {
	opened := agentSession(t)
	s := begin(t, opened, 200, 60)
	s.do("copy.line")
	s.seesNot("--ceiling")
	path := filepath.Join(t.TempDir(), "far.json")
	s.m.knobs.Select(experiment.Ceiling)
	s.press("<tab><enter>50k<enter>Y", "ceiling", "50,000", "--ceiling 50000")
	s.press("w<ctrl+u>"+path+"<enter>", "written to")
	for _, o := range []session.Options{{Sources: []string{path}}, {Fixture: "agent", Ceiling: "50k"}} {
		again := sessionOf(t, o)
		musttest.Is(t, again.Ceiling, 50_000, o, "the axis ends at")
		begin(t, again, 120, 36).sees("ceiling")
	}
	begin(t, opened, 200, 60).after("xw<ctrl+u>"+path+"<enter>", "written to") // the axis reaches beyond what all items now need
	again := sessionOf(t, session.Options{Sources: []string{path}})
	musttest.Is(t, again.Ceiling, opened.Ceiling, "the axis ends at")
	begin(t, again, 120, 36).seesNot("ceiling") // no one chose it
}
