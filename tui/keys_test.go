package tui

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
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
	owner := map[string]string{}
	for _, a := range allActions() {
		if a.text == "" || !slices.Contains(groups, a.group) || a.run == nil || len(a.keys) == 0 {
			t.Errorf("action %v lacks a text, a group or what it does", a.keys)
		}
		for _, key := range a.keys {
			where := []string{key}
			if a.in != nil {
				where = nil
			}
			for _, v := range a.in {
				where = append(where, fmt.Sprintf("%s in %s", key, specs[v].name))
			}
			for _, place := range where {
				if owner[place] != "" {
					t.Errorf("key %s does both %q and %q", place, owner[place], a.text)
				}
				owner[place] = a.text
			}
			if !inWords[key] && key != "?" && !strings.Contains(table, "`"+key+"`") {
				t.Errorf("the README does not name the key %s: %s", key, a.text)
			}
		}
	}
}
