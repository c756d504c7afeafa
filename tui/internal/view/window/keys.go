package window

import (
	"errors"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
)

// New returns the view. It calls app for what the program does.
func New(app screen.App) *View { return &View{app: app} }

// Reset forgets everything that belongs to the previous session.
func (p *View) Reset() { *p = *New(p.app) }

// Spec returns the name of the view and how it is shown.
func (p *View) Spec() screen.Spec {
	return screen.Spec{
		Name: screen.Window, Text: "the prompt that the model will read",
		Words: "messages what sees reads order", Bare: true, Whole: true,
		Actions: p.actions(), Hinted: []string{"copy", "export", "window.find", "window.next item", "window.difference", "window.next pair"},
		Worker: p, Fit: p.Fit, Enter: p.Enter, NextItem: p.Item, Escape: p.Escape, DropStale: p.DropStale,
		PlansWanted: p.Look, Paired: func() bool { return p.diff.with == otherSide },
	}
}

// Escape ends the difference or else the search, and reports whether there was one.
func (p *View) Escape() bool {
	if p.diff.with != nothing {
		p.compare(nothing)
		return true
	}
	finds := p.finding() != ""
	p.Find("")
	return finds
}

// actions returns the keys of the view.
func (p *View) actions() []screen.Action {
	needsText := func() string {
		if p.finding() == "" {
			return "no text is being searched for; / searches"
		}
		return ""
	}
	return []screen.Action{
		{Name: "window.next item", Keys: []string{"J"}, Label: "J/K", Hint: "item", Text: "in the window: to the next item", Run: screen.Do(func() { p.Item(1) })},
		{Name: "window.item back", Keys: []string{"K"}, Text: "in the window: to the start of the item, then to the previous one", Run: screen.Do(func() { p.Item(-1) })},
		{Name: "window.find", Keys: []string{"/"}, Text: "in the window: find a text", Hint: "find", Why: p.undivided, Run: p.openFind},
		{Name: "window.difference", Keys: []string{"d"}, Hint: "what differs", HintNow: p.nextText, Text: "in the window: the text as a difference: A against B, this request against the one before, or as it is",
			Words: "diff compare versus changed", Try: p.nextDifference},
		{Name: "window.find next", Keys: []string{"n"}, Text: "in the window: the next place where the text is found", Why: needsText, Try: func() string { return p.findNext(1) }},
		{Name: "window.find back", Keys: []string{"N"}, Text: "in the window: the previous place where the text is found", Why: needsText, Try: func() string { return p.findNext(-1) }},
		{Name: "window.open", Keys: []string{"enter"}, Hint: "to Items", Text: "show the item at the top in Items; esc or 4 leads back", Try: p.jumpOut},
		{Name: "window.next pair", Keys: []string{"P"}, Label: "P M", Text: "to the next item that is in without its call or result", Hint: "split pair",
			Why: p.Whole, Try: func() string {
				if !p.Split() {
					return "this is the only one"
				}
				return ""
			}},
		{Name: "window.fix pair", Keys: []string{"M"}, Text: "fix the split pair at the top, the cheapest way in tokens", Plan: p.fixPair},
		{Name: "window.plot", Keys: []string{"s"}, Hint: "plot", Text: "a plot of the placed order: by input, by score, or none", Why: p.undivided, Try: func() string {
			p.nextPlot()
			if p.inner().H < minPlotted {
				return "the plot needs more rows than there are"
			}
			return ""
		}},
	}
}

// undivided returns why no text can be searched for, or "".
func (p *View) undivided() string {
	if p.diff.with != nothing {
		return "a difference is shown; esc shows the whole text"
	}
	return ""
}

// openFind asks for a text to search for. The window follows every key.
func (p *View) openFind() tea.Cmd {
	before := p.finding()
	return p.app.Ask(screen.Question{
		Label: "find:",
		Help:  "a text in the window, a-z and A-Z alike; enter keeps it, then n and N go on",
		Text:  before, Offered: true,
		Typed:  func(text string) error { p.Find(text); return nil },
		Done:   func(string) (tea.Cmd, error) { return nil, nil },
		Cancel: func() { p.Find(before) },
	})
}

// jumpOut shows the item at the top in Items; esc leads back.
func (p *View) jumpOut() (why string) {
	if _, ok := p.Selected(); !ok {
		return "nothing is in"
	}
	p.app.Visit(screen.Items)
	return ""
}

// fixPair returns the cheapest remedy for the split pair at the top.
func (p *View) fixPair() (screen.Change, error) {
	exp := p.app.Experiment()
	i, ok := p.Selected()
	o := exp.Outcome(p.app.Side())
	if !ok || o == nil {
		return screen.Change{}, errors.New("nothing is in")
	}
	partner, split := o.Alone(i)
	w, known := p.Cheapest()
	switch {
	case !split:
		return screen.Change{}, errors.New(name(i) + " is in no split pair; P goes to the next that is")
	case !known:
		return screen.Change{}, errors.New("there is no way yet to have " + name(i) + " and " + name(partner) + " both or neither")
	}
	now, items := exp.Setup(), []int{w.Item}
	switch w.Way {
	case simulate.ByRaise:
		return screen.ToBudget(now, w.Budget), nil
	case simulate.ByPin:
		return screen.To(now.WithExcluded(items, false).WithPinned(exp.Items(), items, true), experiment.Label{Name: "pin " + name(w.Item)}), nil
	default:
		return screen.To(now.WithExcluded(items, true), experiment.Label{Name: "exclude " + name(w.Item)}), nil
	}
}

// name returns the name of an item in messages, such as "#12".
func name(item int) string { return "#" + strconv.Itoa(item) }
