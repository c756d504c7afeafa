package explorer

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
)

// The footer has what matters here and now: three to five keys, then those that
// lead to all others.
func TestHintsAreOfHereAndNow(t *testing.T) {
	for _, c := range []struct {
		name, keys string
		sees       string // at 120 columns
	}{
		{"items", "", "[ ] next change  { } this item  = stays in  space pin  x exclude  * needed  : type a command, as in 12000  ? all keys"},
		{"a pinned item", "g", "space release"},
		{"an excluded item", "x", "x restore"},
		{"a chosen item", "v", "esc clear selection"},
		{"a filter", "/kind:tool<enter>", "n next match"},
		{"a filter that nothing matches", "/zzzz<enter>", "esc all items again  [ ] next change  h/l knob  tab knobs  p policy"},
		{"compare, a filter that nothing matches", "2/zzzz<enter>", "esc all items again  d differences only  M try it"},
		{"nothing to compare", "2:4000<enter>", "] to a budget that works  u undo  tab knobs  X swap  h/l knob"},
		{"a row of Trace", "6g", "enter change budget  j/k move"},
		{"knobs", "<tab>", "h/l change  enter or digits: type  tab table"},
		{"turned knob", "<tab>l", "h/l change  enter or digits: type  backspace reset  tab table"},
		{"no result", "<tab><enter>5000<enter>", "] to a budget that works  u undo"},
		{"compare", "2", "d differences only  M try it  X swap  [ ] next change  E export"},
		{"compare, the differences", "2d", "d all items  M try it"},
		{"the map", "3", "h/l budget  P run  + - zoom  ( ) items a row"},
		{"the window", "4", "y copy  E export  / find  J/K item"},
		{"the replay", "5", "space play  h/l step  n/N next out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for size, s := range agentAtSizes(t, c.keys) {
				footer := s.screen()[size[1]-1]
				if size[0] == 120 && !strings.Contains(footer, c.sees) {
					t.Errorf("the footer is %q, without %q", footer, c.sees)
				}
				musttest.Says(t, footer, strings.Split(c.sees, "  ")[0], "at", size, "the footer")
				if n := len(s.m.drawn.hinted); n < 3 || n > s.m.maxHints()+2 {
					t.Errorf("%d hints: %q", n, footer)
				}
				if size[0] >= 80 && !strings.Contains(footer, ": command  ? all keys") && !strings.Contains(footer, ": type a command, as in 12000  ? all keys") {
					t.Errorf("at %v the footer is %q, without the palette", size, footer)
				}
				musttest.Says(t, footer, "? all keys", "at", size, "the footer")
			}
		})
	}
}

// A view that shows no item, and has no use for enter, does not offer to read one.
func TestEnterIsNotOfferedWithoutItems(t *testing.T) {
	s := agentAt(t, 120, 36, "8")
	s.m.keys = slices.DeleteFunc(s.m.keys, func(b bound) bool { return b.view != everywhere })
	for _, o := range s.m.offers() {
		if o.Name == "open" {
			t.Errorf("enter is offered: %s", o.text)
		}
	}
	s.press("<enter>", "Turns shows no item")
}

// A key that does nothing now says why.
func TestEveryDisabledKeySaysWhy(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for v := range s.m.views {
		s.m.show(v)
		s.text()
		for i := range s.m.keys {
			name := s.m.keys[i].Keys[0]
			a := s.m.keys.find(&s.m.screens, name)
			if a == nil || s.m.keys.idle(&s.m.screens, a) == "" {
				continue // what acts is tried by other stories
			}
			if s.m.do(a); !strings.HasPrefix(s.m.messages.line, keyName(a.Keys[0])+": ") {
				t.Errorf("key %s in view %d does nothing and says %q", name, v+1, s.m.messages.line)
			}
		}
	}
}

// Below the least budget that runs, a pinned item does not leave: there is no result.
func TestThePreviewOfAPinnedItem(t *testing.T) {
	s := agentAt(t, 120, 36, "g")
	s.line("{ ", pinsTooLarge)
	s.press("{", "no result")
}

// So it is with the values of every knob: one at which the pipeline does not run has no result.
func TestAValueWithoutAResultSaysSo(t *testing.T) {
	s := opening(t, "pin.json", `{"items": [{"content": "p", "tokens": 10, "pinned": true}], "budget": {"maxTokens": 20}, "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}}`, 120, 36)
	s.line("[ 9", pinsTooLarge)
	s.ways = true
	s.press("p")
	s.line("target 20 → 9", "no result")
	s.line(reserve+" 0 → 11", "no result")
	s.press("<esc><tab>")
	s.m.knobs.Select(experiment.OutputReserve)
	s.press("lh")
	s.line("] ", "no result at 11")
}

// Where nothing is kept for the answer, no smaller reserve makes room for what is pinned.
func TestAFixIsOneThatCanBeMade(t *testing.T) {
	s := opening(t, "pin.json", `{"items": [{"content": "p", "tokens": 10, "pinned": true}], "budget": {"maxTokens": 9}, "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}}`, 120, 36)
	s.sees("Press ] for 10")
	s.seesNot("lower the " + reserve)
}

// A note takes tokens, also of its kind.
func TestTraceCountsTheNotesOfAKind(t *testing.T) {
	s := opening(t, "note.json", `{"items": [{"content": "p", "tokens": 30, "futureRelevanceHint": 0.9}, {"content": "b", "tokens": 45, "futureRelevanceHint": 0.5, "sizes": [{"tokens": 2, "note": true}]}],`+
		` "budget": {"maxTokens": 40}, "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}}`, 120, 36)
	s.press("6")
	s.line("message", "75", "1 of 2 in, 1 note, 32 tok")
}

// What cannot be opened is listed with the reason, and a name of blanks is none.
func TestFilesThatCannotBe(t *testing.T) {
	serial(t)
	s := opening(t, "a.json", `[{"content": "a", "tokens": 5}]`, 120, 36)
	t.Chdir(t.TempDir())
	musttest.Do(t, os.Symlink("gone", "link.json"))
	s.press("o")
	s.line("link.json", "no such file")
	s.press("<esc>w<ctrl+u>  <enter>", "type the name of a file")
}

// What is beyond the rows in sight is told in one form, in views and overlays that scroll.
func TestRowsBeyondAreToldInOneForm(t *testing.T) {
	form := regexp.MustCompile(`[ ─](\d+ above, )?\d+ below( [─│]|  |$)`)
	for _, size := range sizes {
		for _, keys := range []string{"1j", "?<pgdown>", "<enter>jj", "8Dj"} {
			s := agentAt(t, size[0], size[1], keys)
			if !slices.ContainsFunc(s.screen(), func(line string) bool { return form.MatchString(strings.TrimRight(line, " ")) }) && (keys != "8Dj" || size[0] < 120) {
				t.Errorf("%s at %v does not say how many rows are above and below:\n%s", keys, size, s.text())
			}
		}
	}
	agentAt(t, 120, 36, "3", "42 below ─┘")
}

// A wide screen names more keys, among them those that do another thing in other views.
func TestAWideFooterNamesMoreKeys(t *testing.T) {
	s := begin(t, agentSession(t), 200, 60)
	for keys, sees := range map[string]string{"2": "d differences only", "3": "P run", "4": "d what differs from B", "5": "d A and B", "8": "j/k plan  = cheapest  D details  s cuts  a agent plan  d map  n/N break  $ cache  P price"} {
		s.press(keys)
		musttest.Says(t, s.screen()[59], sees, keys, "the footer")
		musttest.Is(t, strings.Count(s.screen()[59], " : "), 1)
	}
}
