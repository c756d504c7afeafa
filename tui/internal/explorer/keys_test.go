package explorer

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
)

// KEYS.md is drawn from the table of keys.
func goldenKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Keys\n\nDrawn from the program's own table of keys. In the program `?` lists and searches them, and a key that can do nothing says why.\n")
	m := New(context.Background(), Options{})
	written := map[string]bool{}
	for _, group := range append(slices.Clone(groups), viewNames(m)...) {
		if written[group] {
			continue
		}
		written[group] = true
		rows := ""
		for _, a := range m.keys {
			if a.Group == group {
				rows += "| `" + strings.ReplaceAll(strings.Join(a.Keys, "` `"), "|", "\\|") + "` | " + strings.ReplaceAll(a.Text, "|", "\\|") + " |\n"
			}
		}
		if rows != "" {
			b.WriteString("\n## " + strings.ToUpper(group[:1]) + group[1:] + "\n\n| key | does |\n|---|---|\n" + rows)
		}
	}
	b.WriteString("\n## Keys that do another thing in a view\n\nThe footer of a view says what they do there. What each has in common:\n\n| key | is for | where |\n|---|---|---|\n")
	meant := map[string][]string{} // where a key means what, in the order of the table
	for _, a := range m.keys {
		place, does, _ := strings.Cut(a.Name, ".")
		if a.view != everywhere {
			place = m.specOf(m.views[a.view]).Name
		} else {
			place, does = "everywhere", strings.TrimSpace(place+" "+does)
		}
		for _, key := range a.Keys {
			if key == a.Keys[0] || len(key) == 1 { // arrows mean what the letters mean
				meant[key] = append(meant[key], place+": "+does)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(meant)) {
		if len(meant[key]) < 2 {
			continue
		}
		if inCommon[key] == "" {
			t.Errorf("%s means %q: inCommon says not why", key, meant[key])
		}
		b.WriteString("| `" + key + "` | " + inCommon[key] + " | " + strings.Join(meant[key], "; ") + " |\n")
	}
	for key := range inCommon {
		if len(meant[key]) < 2 {
			t.Errorf("%s means one thing", key)
		}
	}
	goldentest.Check(t, "KEYS.md", b.String())
}

// inCommon says why a key may mean several things: what these have in common.
var inCommon = map[string]string{
	"l": "one step to the right", "h": "one step to the left", "L": "ten steps to the right, or a big one", "H": "ten steps to the left, or a big one",
	"j": "down to the next row, measure or plan", "k": "up to the one before", "enter": "looks into what the cursor is on",
	"n": "the next place of what the view is about", "N": "the place before",
	"+": "nearer", "-": "farther", "z": "all that there is, in the room there is", "0": "as z", ">": "onward: to the right, or faster", "<": "back: to the left, or slower",
	"(": "the rows: fewer a line, or the key down the side", ")": "the rows: more a line, or the key along the top", "s": "sorts rows; Turns has nothing to sort", "S": "turns the order round", "a": "the axis; in Turns, whose axis is requests, the agent's plan",
	"d": "what differs, or divides", "D": "details of the last step, of a plan or of a split pair", "b": "nothing in common: rarely needed, and the footer names it",
	"/": "finds", "=": "the least that is enough", "M": "mends", "P": "play or price: the first letter", "space": "pins; Replay, which pins nothing, plays, as players do",
}

// A key of a view never shadows a key that works everywhere, unless shadows says so.
func TestNoKeyOfAViewShadowsUnsaid(t *testing.T) {
	shadows := map[string]string{ // by key: the views
		"h": "Map Replay Curve Turns", "l": "Map Replay Curve Turns", "H": "Map Replay Curve Turns", "L": "Map Replay Curve Turns",
		"j": "Curve Turns", "k": "Curve Turns", "n": "Window Replay Curve Turns", "N": "Window Replay Curve Turns",
		"/": "Window", "=": "Curve Turns", "a": "Map Curve Turns", "enter": "Map Window Trace Curve Turns", "space": "Replay",
	}
	for alias, key := range map[string]string{"left": "h", "right": "l", "shift+left": "H", "shift+right": "L", "down": "j", "up": "k"} {
		shadows[alias] = shadows[key]
	}
	m, is := New(context.Background(), Options{}), map[string]string{}
	for _, a := range m.keys {
		for _, key := range a.Keys {
			if a.view != everywhere && m.keys.of(everywhere, key) != nil {
				is[key] = strings.TrimSpace(is[key] + " " + m.specOf(m.views[a.view]).Name)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(is)) {
		musttest.Is(t, is[key], shadows[key], key, "means another thing in")
		delete(shadows, key)
	}
	for key, views := range shadows {
		t.Errorf("%s shadows nothing in %s", key, views)
	}
}

// viewNames are the groups of the keys of views, as gather names them.
func viewNames(m *Model) []string {
	var names []string
	for _, a := range m.keys {
		if a.view != everywhere && !slices.Contains(names, a.Group) {
			names = append(names, a.Group)
		}
	}
	return names
}

// Every key has one action, and every action a text and a name of its own. What a view shows
// hints for is there.
func TestKeysAreConsistent(t *testing.T) {
	type place struct {
		view int
		key  string
	}
	owner, names := map[place]string{}, map[string]bool{}
	m := New(context.Background(), Options{})
	for v := range m.views {
		for _, key := range m.specOf(m.views[v]).Hinted {
			if m.keys.named(key) == nil {
				t.Errorf("view %d shows a hint for %q, which is the name of no action", v, key)
			}
		}
	}
	for _, a := range m.keys {
		if a.Name == "" || names[a.Name] {
			t.Errorf("action %v has the name %q", a.Keys, a.Name)
		}
		names[a.Name] = true
		if a.Text == "" || a.KeyLabel() == "" || a.Planned() && a.Plan == nil || len(a.Keys) == 0 || a.view == everywhere && !slices.Contains(groups, a.Group) {
			t.Errorf("action %v lacks a text, a group or what it does", a.Keys)
		}
		for _, key := range a.Keys {
			at := place{a.view, key}
			musttest.Is(t, owner[at], "", "key", key, "does both", a.Text, a.view)
			owner[at] = a.Text
		}
	}
}

// A key that does nothing says so every time that it is pressed.
func TestAKeyIsNotSilentTheSecondTime(t *testing.T) {
	s := agentAt(t, 120, 36, "j") // the line that explains the program goes
	for _, view := range []string{"1", "3", "6"} {
		s.press(view)
		s.screen()
		s.press(view, " is shown already")
		s.press("g")
		s.screen() // a key is compared with the frame before it
		for _, key := range []string{"g", "g", "k", "k", "g"} {
			s.press(key, key+": there is nothing more in that direction")
		}
	}
}

// Every key in every view does something that is seen, or says why not: at the first size all
// keys, and a third of them at each other one.
func TestNoKeyIsSilent(t *testing.T) {
	for n, size := range sizes {
		if testing.Short() && n > 0 {
			continue
		}
		for k, name := range ViewNames() {
			s := begin(t, agentSession(t), size[0], size[1])
			show := string(rune('1' + k))
			s.press(show)
			for key := rune('!'); key <= '~'; key++ {
				if key == 'q' || unicode.IsDigit(key) || (n > 0 || testing.Short()) && (int(key)+k+n)%3 > 0 {
					continue // quitting and views, or two thirds of the keys
				}
				before := s.text()
				_, cmd := s.m.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
				s.run(cmd)
				if s.text() == before {
					t.Errorf("%v, view %s: %c is silent", size, name, key)
				}
				for len(s.m.stack) > 0 {
					s.press("<esc>")
				}
				s.press(show)
			}
		}
	}
}

// A key whose effect is seen draws its frame once: what is compared with the frame before is
// what the terminal shows.
func TestAKeyDrawsOnce(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	s.m.View()
	before := s.m.frames
	s.m.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
	s.m.View()
	musttest.Is(t, s.m.frames, before+1, "j draws", s.m.frames-before, "frames")
}
