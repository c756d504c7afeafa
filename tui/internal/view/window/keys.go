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
		Actions: p.actions(), Hinted: []string{"copy", "export", "window.find", "window.next item", "window.difference", "window.next place"},
		Worker: p, Fit: p.Fit, Enter: p.Enter, NextItem: p.Item, Escape: p.Escape, DropStale: p.DropStale,
		PlansWanted: p.plansWanted, Paired: func() bool { return p.diff.with == otherSide },
	}
}

// Escape ends the difference or else the search, and reports whether there was one.
func (p *View) Escape() bool {
	if p.diff.with != nothing {
		p.compare(nothing)
		return true
	}
	finds := p.find.text != ""
	p.Find("")
	return finds
}

// actions returns the keys of the view.
func (p *View) actions() []screen.Action {
	return []screen.Action{
		{Name: "window.next item", Keys: []string{"J"}, Label: "J/K", Hint: "item", Text: "in the window: to the next item", Run: screen.Do(func() { p.Item(1) })},
		{Name: "window.item back", Keys: []string{"K"}, Text: "in the window: to the start of the item, then to the previous one", Run: screen.Do(func() { p.Item(-1) })},
		{Name: "window.find", Keys: []string{"/"}, Text: "in the window: find a text", Hint: "find", Why: p.undivided, Run: p.openFind},
		{Name: "window.difference", Keys: []string{"d"}, Hint: "what differs", HintNow: p.nextText, Text: "in the window: the text as a difference: A against B, this request against the one before, or as it is",
			Words: "diff compare versus changed", Try: p.nextDifference},
		{Name: "window.next place", Keys: []string{"n"}, Label: "n/N", Hint: "split pair", HintNow: p.finds, Text: "in the window: the next place where the text is found, the next difference, or the next item that is in without its call or result",
			Why: p.noPlace, Try: func() string { return p.nextPlace(1) }},
		{Name: "window.place back", Keys: []string{"N"}, Text: "in the window: the previous such place", Why: p.noPlace, Try: func() string { return p.nextPlace(-1) }},
		{Name: "window.open", Keys: []string{"enter"}, Hint: "to Items", Text: "show the item at the top in Items; esc or 4 leads back", Try: p.jumpOut},
		{Name: "window.ways", Keys: []string{"D"}, Text: "in the window: all ways to fix a split pair, or the cheapest alone", Words: "split details", Try: p.tellWays},
		{Name: "window.fix pair", Keys: []string{"M"}, Text: "fix the split pair at the top, the cheapest way in tokens", Plan: p.fixPair},
	}
}

// undivided returns why no text can be searched for, or "".
func (p *View) undivided() string {
	if p.diff.with != nothing {
		return "a difference is shown; esc shows the whole text"
	}
	return ""
}

// finds returns what n looks for.
func (p *View) finds() string {
	switch {
	case p.find.text != "":
		return "next place"
	case p.diff.with != nothing:
		return "difference"
	}
	return "split pair"
}

// noPlace returns why n has nothing to look for, or "".
func (p *View) noPlace() string {
	switch {
	case p.find.text != "":
		return ""
	case p.diff.with != nothing && p.diff.in.items+p.diff.out.items == 0:
		return "nothing differs"
	case p.diff.with == nothing && (p.out == nil || len(p.out.Split) == 0):
		return "no pair is split here; / finds a text"
	}
	return ""
}

// tellWays tells all ways to fix a split pair, or the cheapest alone again. It returns why there is
// no pair, or "".
func (p *View) tellWays() string {
	if p.diff.with != nothing || p.out == nil || len(p.out.Split) == 0 {
		return "no pair is split here"
	}
	p.allWays, p.at = !p.allWays, anchor{place: p.at.place}
	return ""
}

// nextPlace goes to the next place that n looks for, or to the one before, from the last to the
// first. It returns why there is none, or "".
func (p *View) nextPlace(dir int) string {
	if p.find.text != "" {
		return p.findNext(dir)
	}
	n := p.len()
	for by := 1; by < n; by++ {
		k := (p.at.place + dir*by + n) % n
		if _, split := p.out.Alone(p.item(k)); split && p.diff.with == nothing || p.places[k].differs() {
			p.at = anchor{place: k}
			return ""
		}
	}
	p.at = anchor{place: p.at.place}
	return "this is the only one"
}

// openFind asks for a text to search for. The window follows every key.
func (p *View) openFind() tea.Cmd {
	before := p.find.text
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
	pair, _ := o.Items.PairOf(i)
	ways := p.remedies.ways[pair]
	switch {
	case !split:
		return screen.Change{}, errors.New(name(i) + " is in no split pair; n goes to the next that is")
	case len(ways) == 0:
		return screen.Change{}, errors.New("there is no way yet to have " + name(i) + " and " + name(partner) + " both or neither")
	}
	w := ways[0] // the cheapest
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
