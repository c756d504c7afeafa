package explorer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
)

// A scenario opens as it was left: in the same view, on the same side and row, and sorted as
// before. Flags of the command line come first.
func TestAScenarioOpensWhereItWasLeft(t *testing.T) {
	for _, keys := range []string{"jjj", "G", "2jj", "B3jj", "7", "jjs", "4J"} {
		path := filepath.Join(t.TempDir(), "left.json")
		first := agentSession(t)
		first.SavePath = path
		s := begin(t, first, 80, 24).after("<esc>:max 40000<enter>" + keys + "w")
		s.press("<ctrl+u>"+path+"<enter>", "written to")
		left, _ := s.m.items().Selected()
		if i, ok := s.m.selected(); ok {
			left = i
		}
		again := begin(t, reopened(t, path), 80, 24)
		at, ok := again.m.selected()
		if !ok {
			at, _ = again.m.items().Selected()
		}
		if at != left || again.showing() != s.showing() || again.m.side != s.m.side ||
			again.m.list().SortName() != s.m.list().SortName() || again.m.unsaved() {
			t.Errorf("%q: left %s on #%d of %v, opened %s on #%d of %v:\n%s", keys, s.showing(), left, s.m.side, again.showing(), at, again.m.side, again.text())
		}
		other := begin(t, reopened(t, path), 80, 24, func(o *Options) { o.Start = Start{View: "trace", Side: "a", Item: "3"} })
		musttest.Is(t, other.showing(), "Trace", keys, "--view trace opens")
		policy := filepath.Join(t.TempDir(), "policy.json")
		musttest.Do(t, itemset.WritePolicy(policy, s.m.exp.Setup().Policy[0]))
		if data, err := os.ReadFile(policy); err != nil || strings.Contains(string(data), "screen") {
			t.Errorf("a policy for Cupel holds the screen: %v\n%s", err, data)
		}
	}
}

// It keeps what costs are computed with, the agent's plan, which a flag overrules, the share that is wanted and the
// rules that cut items: reopened, every cost is the same.
func TestAScenarioKeepsWhatCostsRestOn(t *testing.T) {
	const plan = "clear:trigger=5k,keep=1"
	path := filepath.Join(t.TempDir(), "costs.json")
	s := begin(t, agentSession(t), 120, 36, func(o *Options) { o.Start.Plan = plan }).after("8b500<enter>P3<enter>$:wanted 80<enter>:shrink tool 2000 500 note<enter>")
	s.press("<esc>w<ctrl+u>"+path+"<enter>", "written to")
	was, again := s.m.exp.Setup(), begin(t, reopened(t, path), 120, 36)
	is := again.m.exp.Setup()
	if is.Price != was.Price || is.Fixed != was.Fixed || is.Wanted != was.Wanted || was.Price != 3 || was.Fixed.Value != 500 || was.Wanted != 80 {
		t.Errorf("price %v, fixed part %v, wanted %v", is.Price, is.Fixed, is.Wanted)
	}
	if is.Plan != plan || !is.Edits.Shrink.Equal(was.Edits.Shrink) || was.Edits.Shrink.IsZero() {
		t.Errorf("plan %s, rules %v", is.Plan, is.Edits.Shrink)
	}
	if s.m.turns.OwnCache() || again.m.turns.Cache().Name != s.m.turns.Cache().Name || again.m.unsaved() {
		t.Errorf("cache %s, want %s; unsaved %v", again.m.turns.Cache().Name, s.m.turns.Cache().Name, again.m.unsaved())
	}
	if words := strings.Join(again.m.screenWords(), " "); !strings.Contains(words, "--price 3 --fixed-prefix 500") || !strings.Contains(words, "--wanted 80%") {
		t.Error(words)
	}
	other := begin(t, reopened(t, path), 80, 24, func(o *Options) { o.Start.Plan = "drop" })
	musttest.Is(t, other.m.exp.Setup().Plan, "drop", "with --plan drop")
	broken := strings.Replace(string(musttest.Of(os.ReadFile(path))(t)), plan, "hologram", 1)
	musttest.Do(t, os.WriteFile(path, []byte(broken), 0o600))
	musttest.Is(t, begin(t, reopened(t, path), 80, 24).m.exp.Setup().Plan, "", "a plan that is not known is")
}

// A scenario without a screen, or with one that this program cannot show, opens as usual.
func TestAScreenThatIsUnknownIsNoObstacle(t *testing.T) {
	for screen, refused := range map[string]bool{
		"":                                false,
		`"screen": {},`:                   false,
		`"screen": {"view": "hologram"},`: false,
		`"screen": {"item": 99},`:         false,
		`"screen": {"item": "one"},`:      false,
		`"screen": null,`:                 false,
		`"screen": 3,`:                    true,
	} {
		text := `{` + screen + `"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":3},"items":[{"content":"a","tokens":1},{"content":"b","tokens":1}]}`
		path := filepath.Join(t.TempDir(), "s.json")
		write(t, path, text)
		if refused {
			musttest.Says(t, musttest.Refusal(itemset.Load(t.Context(), []string{path}, itemset.Options{})), "screen is 3, must be an object", screen)
			continue
		}
		musttest.Is(t, begin(t, reopened(t, path), 80, 24).showing(), "Items", screen, "opens")
	}
}

// A scenario whose items are in a file beside it holds them itself where it is written to
// another folder: the file is named relative to the scenario.
func TestAScenarioWrittenElsewhereOpens(t *testing.T) {
	home, away := t.TempDir(), t.TempDir()
	path := filepath.Join(home, "plan.json")
	musttest.Do(t, os.WriteFile(filepath.Join(home, "items.jsonl"), []byte(`{"content":"a","tokens":3}`+"\n"+`{"content":"b","tokens":4}`), 0o600))
	musttest.Do(t, os.WriteFile(path, []byte(`{"itemsFile":"items.jsonl","budget":{"maxTokens":100},"policy":{"scorers":[{"type":"recency","weight":1}]}}`), 0o600))
	for folder, itemsFile := range map[string]string{home: "items.jsonl", away: ""} {
		session := reopened(t, path)
		session.SavePath = path
		s := begin(t, session, 80, 24)
		copied := filepath.Join(folder, "copy.json")
		s.press("<esc>:max 50<enter>w<ctrl+u>"+copied+"<enter>", "written to")
		l := musttest.Of(itemset.Load(t.Context(), []string{copied}, itemset.Options{}))(t)
		if sc := l.Scenario.Value; l.Set.Len() != 2 || sc.ItemsFile != itemsFile || sc.Budget.MaxTokens() != 50 {
			t.Errorf("%s: %d items of %q, budget %v", copied, l.Set.Len(), sc.ItemsFile, sc.Budget)
		}
	}
}

// A slicer on the command line that makes A what the scenario has as B leaves something to
// compare: B gets the other slicer. Two equal policies that were saved stay equal.
func TestAnOptionThatMakesTheSidesEqualGivesBTheOtherSlicer(t *testing.T) {
	s := begin(t, sessionOf(t, session.Options{Fixture: "agent", Slicer: "knapsack"}), 120, 36)
	if p := s.m.exp.Setup().Policy; p[experiment.A].Slicer != model.Knapsack || p[experiment.B].Slicer != model.Greedy {
		t.Errorf("A has %v, B %v", p[experiment.A].Slicer, p[experiment.B].Slicer)
	}
	path := filepath.Join(t.TempDir(), "equal.json")
	write(t, path, `{"policy":{"scorers":[{"type":"recency","weight":1}]},"policyB":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":3},"items":[{"content":"a","tokens":1}]}`)
	if p := begin(t, reopened(t, path), 80, 24).m.exp.Setup().Policy; !p[experiment.A].Same(p[experiment.B]) {
		t.Errorf("two equal policies open as %v and %v", p[experiment.A].Slicer, p[experiment.B].Slicer)
	}
}
