// Package help is the searchable list of all keys.
package help

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/draw"
	"cupelscope/tui/overlay/search"
	"cupelscope/tui/screen"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// Entry is one line of the help: made from the same actions as the keys.
type Entry struct {
	Keys  string // "j down", "ctrl+r"
	Group string
	Text  string
	Why   string // not empty: why it does nothing now
	Run   func() tea.Cmd
}

// Help is the overlay.
type Help struct {
	search.Box
	app     screen.App
	entries []Entry
	found   []int // the entries that are shown
}

// New lists entries.
func New(app screen.App, entries []Entry) *Help {
	h := &Help{Box: search.New(), app: app, entries: entries}
	h.find()
	return h
}

// Area is over the main area.
func (h *Help) Area() screen.Place { return screen.Over }

// Hints are the keys of the list.
func (h *Help) Hints() []screen.Hint {
	return []screen.Hint{{Key: "up/down", Text: "move"}, {Key: "enter", Text: "run it"}, {Key: "esc", Text: "close"}}
}

// Key types, moves, runs what the line under the cursor says, or closes.
func (h *Help) Key(msg tea.KeyPressMsg) tea.Cmd {
	switch name := msg.String(); {
	case name == "esc", name == "ctrl+c":
		h.app.Close(h)
	case name == "enter":
		return h.run()
	case h.Box.Key(msg):
		h.find()
	}
	return nil
}

// Paste adds to what is searched for.
func (h *Help) Paste(text string) tea.Cmd {
	if h.Insert(text) {
		h.find()
	}
	return nil
}

// Click runs the line at a cell.
func (h *Help) Click(x, y int) tea.Cmd {
	if !h.ClickRow(x, y) {
		return nil
	}
	return h.run()
}

func (h *Help) run() tea.Cmd {
	if h.Cursor() >= len(h.found) {
		return nil
	}
	h.app.Close(h)
	return h.entries[h.found[h.Cursor()]].Run()
}

// find lists the entries that have all words of what is typed.
func (h *Help) find() {
	h.found = h.found[:0]
	words := strings.Fields(strings.ToLower(h.Text()))
next:
	for i, e := range h.entries {
		hay := strings.ToLower(e.Keys + " " + e.Group + " " + e.Text)
		for _, w := range words {
			if !strings.Contains(hay, w) {
				continue next
			}
		}
		h.found = append(h.found, i)
	}
	h.SetLen(len(h.found))
	h.Top()
}

// Draw draws the help over r, the name of a group before its first line.
func (h *Help) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	group := ""
	h.Box.Draw(f, r, search.Words{
		Title: "Help  type to search, enter runs the line, esc closes", Label: "search", None: "No key does that here.",
	}, func(r draw.Rect, i int) {
		e := h.entries[h.found[i]]
		if group == "" && i > 0 {
			group = h.entries[h.found[i-1]].Group
		}
		if e.Group != group {
			group = e.Group
			f.Text(r.X+1, r.Y, 9, group, theme.Strong)
		}
		f.Text(r.X+11, r.Y, 14, e.Keys, theme.Key)
		role, text := theme.Plain, e.Text
		if e.Why != "" {
			role, text = theme.Dim, text+" ("+e.Why+")"
		}
		f.Text(r.X+26, r.Y, r.W-27, draw.Fit(text, r.W-27, f.Glyphs()), role)
	})
}
