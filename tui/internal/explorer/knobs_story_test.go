package explorer

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// Knobs at their default are one row, which enter, l and h and the mouse open
// and close; one that is turned stays in sight.
func TestKnobsAtTheirDefaultFold(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	folded := regexp.MustCompile(`(\d+) more at default +enter`)
	atDefault := func() int {
		return musttest.Of(strconv.Atoi(folded.FindStringSubmatch(s.text())[1]))(t)
	}
	all := atDefault()
	s.seesNot("placer  ")
	s.press("<tab>G", "enter show them")
	s.press("<enter>", "enter fold them", "placer  ", "target", "budget", "slicer  ")
	s.press("l", "the knobs at their default are shown already")
	s.press("G")                                                                        // the ceiling: what never scrolls is still there
	s.sees("budget", "slicer  ", "‹ 96,651 ›", "unless set, the larger one of A and B") // what profile says of A alone ends before
	s.press("kkklh")                                                                    // dedup
	s.sees("‹ on ›")
	s.clickOn(fmt.Sprint(all-1, " more at default")) // dedup was only kept while the cursor was on it
	musttest.Is(t, atDefault(), all)
	s.seesNot("dedup  ")
	s.press("h", "the knobs at their default are folded already")
	s.press("g<backspace>", "budget: already at its start value")
	s.m.knobs.Select(experiment.Dedup)
	s.press("l<esc>")
	s.m.knobs.Open(false)
	s.sees("‹ off ›")
	musttest.Is(t, atDefault(), all-1)
	s.press("<tab>u") // back at its default, it stays while the cursor is on it
	s.sees("‹ on ›")
	musttest.Is(t, atDefault(), all-1)
}

// maxTokens, the slicer and the side are in sight wherever the cursor is.
func TestMaxTokensAndSlicerStayInSight(t *testing.T) {
	for size, s := range agentAtSizes(t, "<tab>") {
		for range 30 {
			s.press("j")
			screen := s.text()
			if size[0] > 60 && (!strings.Contains(screen, "budget") || !strings.Contains(screen, "slicer") || !strings.Contains(screen, "32,000")) {
				t.Fatalf("%v: maxTokens and slicer are gone:\n%s", size, screen)
			}
		}
	}
}

// The knob that keys turn is in sight at every size, with its value.
func TestTheFocusedKnobIsInSight(t *testing.T) {
	for _, size := range sizes {
		for _, side := range []string{"A", "B"} {
			s := agentAt(t, size[0], size[1], side+"<tab>")
			s.m.knobs.Open(true)
			for range s.m.knobs.All {
				if k, ok := s.m.knobs.Current(); ok {
					label := strings.TrimSpace(k.Label)
					shown := []string{label[:min(len(label), 10)], k.Value}
					if k.Typed {
						shown = append(shown, "‹", "›")
					}
					s.line(shown...)
				}
				s.press("j")
			}
		}
	}
}

// What the pane says that the keys along the budgets do is what they do.
func TestPreviewsAreWhatKeysDo(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for range 12 {
		s.press("j")
		item, _ := s.m.selected()
		in := s.m.exp.Outcome(experiment.A).Report.In(item)
		for _, key := range []string{"]", "[", "}", "{", "="} {
			told := ""
			for _, l := range s.screen() {
				if rest, ok := strings.CutPrefix(l, "│ "+key+" "); ok && rest[0] >= '0' && rest[0] <= '9' {
					told, _, _ = strings.Cut(rest, "│")
				}
			}
			if told == "" {
				continue
			}
			before := s.m.budget()
			s.press(key)
			if to, _, _ := strings.Cut(told, " "); s.m.budget().String() != to {
				t.Errorf("%s of #%d is told as %q and goes to %v", key, item, told, s.m.budget())
			}
			now := s.m.exp.Outcome(experiment.A).Report.In(item)
			if wrong := strings.Contains(told, "leaves") && (now || !in) || strings.Contains(told, "comes in") && (!now || in) || strings.Contains(told, "stays") && !now; wrong {
				t.Errorf("%s of #%d is told as %q: in %v, then %v", key, item, told, in, now)
			}
			if s.m.budget() != before {
				s.do("undo")
			}
		}
	}
}

// Quotas have a row among the knobs, which names them and leads to where they are changed; without
// any there is none.
func TestTheKnobsNameTheQuotas(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.seesNot("quotas")
	s.press(":at most 30 % tool, at least one memory<enter>")
	policy := s.m.exp.Setup().Policy[experiment.A]
	limits := 0
	for _, q := range policy.Quotas {
		for _, set := range []bool{q.MinPercent.Set, q.MaxPercent.Set} {
			if set {
				limits++
			}
		}
	}
	if limits < 2 {
		t.Fatalf("the quotas are %v", policy.Quotas)
	}
	s.line("quotas", fmt.Sprintf(" %d set", limits))
	s.press("<tab>")
	s.until("▌quotas", "j")
	s.sees("enter change them")
	s.press("l", "quotas: p changes them")
	s.press("<enter>", "Quotas ", "min %")
	s.press("<esc>")
	s.line("▌quotas")
	s.do("knob.reset")
	if now := s.m.exp.Setup().Policy[experiment.A]; len(now.Quotas) != 0 {
		t.Errorf("backspace leaves %v", now.Quotas)
	}
	s.press("<esc>")
	s.seesNot("quotas  ")
	s.press(":at most 2 tool<enter>")
	s.line("quotas", "tool cap 2")
	s.press("u:memory require 3<enter>")
	s.line("quotas", "mem require 3")
	s.seesNot("cap ", "require 3 +")
}

// The knobs show the scorers with their weights, and lead to where these are
// changed. The policy opens on the row that it was left on.
func TestTheKnobsLeadToTheScorers(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	row := s.line("scorers", "recency 3 kind 1")
	s.press("<tab>")
	s.until("▌scorers", "j")
	s.sees("enter change them")
	s.press("l", "scorers: p changes them and their weights")
	s.press("<enter>", "▌recency")
	s.press("L", "‹ 10 ›")
	if now := s.line("scorers ", " recency 10 +1"); now == row {
		t.Errorf("the row still says %q", now)
	}
	s.press("jj<esc>jp")
	s.line("▌  system prompt")
	s.press("<esc>Bp") // of the other policy, which has the same rows
	s.line("▌  system prompt")

	s = begin(t, agentSession(t), 120, 36)
	s.clickOn("scorers", "▌recency")
}

// What = does, or why it does nothing, is the same in the pane, in the palette, in the hints
// and on the message line, for a second = too, which goes to where the item is first in.
func TestTheSecondStepToWhereAnItemStaysIsToldAsItIs(t *testing.T) {
	s := agentAt(t, 120, 36, "f21<enter>")
	s.line("│ = 66,253", "#21 stays in │")
	s.do("item.stays")
	s.budgetIs(66253)
	s.line("│ = 63,877", "#21 first in │")
	s.sees("= where it is first in")
	s.do("palette")
	s.line(" = ", "63,877: #21 first in")
	s.press("<esc>")
	s.do("item.stays")
	s.budgetIs(63877)
	s.line("│ = 66,253", "#21 stays in │")
	s.do("item.exclude")
	s.seesNot("│ = ")
	s.do("item.stays", "=: #21 is "+excluded+": x restores it")
	s.press(":to where the item stays", "no: #21 is "+excluded+": x restores it")
	s.press("<esc>uvv", "= until all stay")
	all := s.line("│ = ", "stay")
	s.do("item.stays")
	if !strings.HasPrefix(all, "│ = "+s.m.budget().String()+" ") {
		t.Errorf("the pane tells %q, and = leads to %v", all, s.m.budget())
	}
	s.seesNot("= until all stay")
	s.line("│ = ", "slack to spare")
}

// Where there is room, the pane of next changes names the items that move, and, where there is much, what
// comes after the next change while the budget grows: the first screen at 120x36 has enough numbers.
func TestTheNextChangesAreNamed(t *testing.T) {
	for height, further := range map[int]int{30: 0, 36: 0, 60: 8} {
		s := begin(t, agentSession(t), 120, height)
		p := s.m.exp.Profile(s.m.side)
		next, _ := p.Next(s.m.budget())
		for _, i := range slices.Concat(next.In, next.Out) {
			s.line(fmt.Sprintf("│   #%d %.12s", i, s.m.exp.Items().Loaded(int(i)).Headline(40)))
		}
		for range further {
			next, _ = p.Next(next.At)
			s.line("│ " + next.At.String() + " " + widget.Moves(next.In, next.Out, 12) + " ")
		}
		if further == 0 {
			s.seesNot("as budgets grow")
		}
		s.press("<tab>jjj") // the keys move the knob
		s.seesNot("as budgets grow")
	}
}

// A knob that comes into focus is explained in a line, at every size; digits that show views, where a budget
// was meant, say how one is typed.
func TestAKnobInFocusIsExplained(t *testing.T) {
	for size, s := range agentAtSizes(t, "<tab>") {
		for range 6 {
			s.press("j")
			if k, ok := s.m.knobs.Current(); ok {
				s.line(" "+k.Called()+": ", k.Help[:20])
			}
		}
		s.press("l")
		s.seesNot("kept free for what comes")
		now := time.Time{}
		s.m.opts.Now = func() time.Time { return now }
		s.press("<esc>1200", "a budget is typed after :, as in :1200")
		s.press("0", "as in :12000")
		s.press("j1")
		s.seesNot("a budget is typed")
		for typed, c := range map[string]struct {
			pause  time.Duration
			budget bool
		}{
			"32000": {600 * time.Millisecond, true}, "8000": {600 * time.Millisecond, true}, "12000": {900 * time.Millisecond, true}, "8192": {600 * time.Millisecond, true},
			"16384": {150 * time.Millisecond, true}, "2345": {600 * time.Millisecond, false}, "67812": {400 * time.Millisecond, false}, "31": {0, false},
		} {
			now = now.Add(time.Minute)
			for _, digit := range typed {
				s.press(string(digit))
				now = now.Add(c.pause)
			}
			musttest.Is(t, strings.Contains(s.text(), "a budget is typed after :, as in :"+typed), c.budget, size, typed, "a digit each", c.pause, "taken for a budget")
		}
	}
}

// A digit on a knob begins its value, as in the policy editor; on one whose values have names, and
// on the table, it shows a view.
func TestADigitOnAKnobTypesItsValue(t *testing.T) {
	for size, s := range agentAtSizes(t, "<tab>4", "budget (32,000): 4") {
		s.press("0k<enter>")
		if b := s.m.budget(); b != 40_000 || s.showing() != "Items" {
			t.Errorf("%v: the budget is %v, %s is shown", size, b, s.showing())
		}
		s.press("7<esc>")
		s.m.knobs.Select(experiment.Slicer)
		s.do("view.Window")
		if s.typing() || s.showing() != "Window" {
			t.Errorf("%v: %s is shown, a line is typed: %v", size, s.showing(), s.typing())
		}
		s.press("<tab>7")
		musttest.Is(t, s.showing(), "Curve", size)
	}
}

// The slack is explained where it is in focus, where it is asked for, and where "at risk" is.
func TestTheSlackIsExplained(t *testing.T) {
	const means = "slack: what this cut in budget loses is " + plain.AtRisk
	for _, s := range agentAtSizes(t, "<tab>") {
		for k, ok := s.m.knobs.Current(); ok && k.ID != experiment.Slack; k, ok = s.m.knobs.Current() {
			s.press("j")
		}
		s.line(means)
		s.press("<esc>:"+plain.AtRisk, means)
		s.press("<esc>?"+plain.AtRisk, means)
	}
}

// A slack that nobody set is a guess, made anew from each budget and taken back by undo. One that is typed stays,
// until backspace has it guessed again; so does one of a saved scenario.
func TestAGuessedSlackFollowsTheBudget(t *testing.T) {
	s := opening(t, "a.jsonl", reloadFirst, 120, 36)
	slack := func(want string) {
		t.Helper()
		k, _ := s.m.knobs.Find(experiment.Slack)
		musttest.Is(t, k.Value, want, s.m.budget())
		if o := s.m.exp.Outcome(s.m.side); o.SlackErr != nil {
			t.Error(o.SlackErr)
		}
	}
	s.press(":8000<enter>")
	slack("250")
	s.press(":200000<enter>")
	slack("6,300")
	s.press(":40<enter>")
	slack("1")
	s.do("undo")
	slack("6,300")
	s.press("<ctrl+r>:set slack 1<enter>u")
	slack("1")
	s.press(":8000<enter>")
	slack("250")
	s.press(":set slack 300<enter>:40000<enter>")
	slack("300")
	s.press("<tab>")
	s.m.knobs.Select("slack")
	s.seesNot("until you set it")
	s.press("<backspace>jk", "a 32nd of the budget until you set it")
	slack("1,300")
	path := filepath.Join(t.TempDir(), "saved.json")
	s.press("<esc>w<ctrl+u>" + path + "<enter>")
	s = begin(t, sessionOf(t, session.Options{Sources: []string{path}}), 120, 36).after(":8000<enter>")
	slack("1,300")
}
