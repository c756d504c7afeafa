package tui

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	bubbles "charm.land/bubbles/v2/help"
)

// Every key has one action, every action a text, and the README names every key.
func TestKeysAreConsistent(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "\n## Keys\n")
	table, _, _ = strings.Cut(table, "\n## Input\n")
	inWords := map[string]bool{"up": true, "down": true, "left": true, "right": true, "shift+left": true, "shift+right": true}
	type place struct {
		view int
		key  string
	}
	owner := map[place]string{}
	for _, a := range New(context.Background(), Options{}).keys {
		if a.Text() == "" || a.Label() == "" || a.Run == nil || len(a.Keys()) == 0 || a.view == everywhere && !slices.Contains(groups, a.Group) {
			t.Errorf("action %v lacks a text, a group or what it does", a.Keys())
		}
		for _, key := range a.Keys() {
			at := place{a.view, key}
			if owner[at] != "" {
				t.Errorf("key %s does both %q and %q in view %d", key, owner[at], a.Text(), a.view)
			}
			owner[at] = a.Text()
			if !inWords[key] && key != "?" && !strings.Contains(table, "`"+key+"`") {
				t.Errorf("the README does not name the key %s: %s", key, a.Text())
			}
		}
	}
}

// The help of Bubbles draws the same keys: all that do something now, each with
// its sentence, and the hints in the order of the footer.
func TestBubblesDrawTheTableOfKeys(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36)
	drawn := bubbles.New()
	all := drawn.FullHelpView(keyMap{s.m}.FullHelp())
	n := 0
	for i := range s.m.keys {
		a := &s.m.keys[i]
		if n++; s.m.keys.idle(&s.m.screens, a) == "" && !strings.Contains(all, a.Text()) {
			t.Errorf("%s, %q, is missing", a.Label(), a.Text())
		}
	}
	if columns := (keyMap{s.m}).FullHelp(); n < 50 || len(columns) < len(groups) {
		t.Errorf("%d keys in %d groups", n, len(columns))
	}
	drawn.Styles, drawn.ShortSeparator = bubbles.Styles{}, "  "
	footer := s.screen()[35]
	if short := drawn.View(keyMap{s.m}); !strings.HasPrefix(short, strings.TrimSpace(footer[:40])) {
		t.Errorf("the hints are %q, the footer %q", short, footer)
	}
}
