package explorer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/query"
	"cupelscope/simulate/session"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// Start is what the screen first shows, in the words of the flags of explore. Check validates it.
// What has a name in JSON is kept by a scenario: no filter, so that no item is overlooked in a file
// that is opened.
type Start struct {
	View   string      `json:"view,omitempty"` // a name of a view, "": Items
	Side   string      `json:"side,omitempty"` // "a" or "b"
	Filter string      `json:"-"`
	Sort   string      `json:"sort,omitempty"` // see widget.SortNames; a leading - turns the order round
	Item   json.Number `json:"item,omitempty"` // of the item to select; a flag may say it as #12
	Tour   bool        `json:"-"`              // begin with the tour
	// Cache is the name of the cache model that costs are estimated with; "" is the
	// first. Request is the number of the request to show, from 1; "" shows the end.
	Cache   string `json:"cache,omitempty"`
	Request string `json:"-"`
	Price   string `json:"price,omitempty"`       // of a million input tokens; "": costs are in input tokens
	Fixed   string `json:"fixedPrefix,omitempty"` // tokens of the fixed part of every prompt; "": as recorded
	Plan    string `json:"plan,omitempty"`        // of an agent, see turns.ParsePlan; "": the first preset
	Wanted  string `json:"wanted,omitempty"`      // percent, see experiment.Setup.Wanted; "": the default
	Colours string `json:"-"`                     // how many to use, see ColourNames; "": as many as the terminal shows
	// Derived says, in a scenario, that nobody chose the end of the axis that it holds.
	Derived bool `json:"derivedAxis,omitempty"`
}

// startFlag is a flag that sets a text of a Start. read returns what is wrong with a text that is
// not empty; nil: the flag takes what it offers.
type startFlag struct {
	session.Flag
	read func(text string) error
}

func (s *Start) flags() []startFlag {
	caches := func(text string) bool { _, found := turns.FindCache(text); return found }
	return []startFlag{
		{session.Flag{Name: "colours", Text: &s.Colours, Offers: ColourNames(), Usage: "how many `COLOURS` to use: true, 256 or 16 (default: what the terminal shows; true for --shot)"}, nil},
		{session.Flag{Name: "view", Text: &s.View, Offers: ViewNames(), Usage: "the `VIEW` to begin with: " + strings.Join(ViewNames(), ", ")}, nil},
		{session.Flag{Name: "side", Text: &s.Side, Offers: []string{"a", "b"}, Usage: "the policy to show and edit: `SIDE` is a or b"}, nil},
		{session.Flag{Name: "filter", Text: &s.Filter, Usage: "show only the items that `FILTER` names, as in 'kind:tool is:risk tok>500'"}, read(query.Parse)},
		{session.Flag{Name: "sort", Text: &s.Sort, Offers: widget.SortNames(), Usage: "sort by `ORDER`: " + strings.Join(widget.SortNames(), ", ") + "; - before it reverses the order"},
			known(new(widget.ItemList).SortNamed, append(widget.SortNames(), "each with - before it for the reverse order"))},
		{session.Flag{Name: "cache", Text: &s.Cache, Offers: turns.CacheNames(), Usage: "estimate costs in Turns with the `MODEL` of a prompt cache: " + strings.Join(turns.CacheNames(), ", ")}, known(caches, turns.CacheNames())},
		{session.Flag{Name: "price", Text: &s.Price, Usage: "`PRICE` of a million input tokens in dollars, for the costs in Turns (default: the model's, if known; else costs are in input tokens)"}, read(turns.ParsePrice)},
		{session.Flag{Name: "fixed-prefix", Text: &s.Fixed, Usage: "`TOKENS` of system prompt and tools that every prompt begins with but the log does not hold (default: from recorded usage, else 0)"}, read(model.ParseTokens)},
		{session.Flag{Name: "plan", Text: &s.Plan, Offers: turns.PlanNames(), Usage: "the `PLAN` of an agent that Turns shows, as in clear:trigger=30k,keep=3,each=once (default anthropic-clear)"}, read(turns.ParsePlan)},
		{session.Flag{Name: "wanted", Text: &s.Wanted, Usage: "the share that Curve finds budgets for: `PERCENT` of the value, or of what is needed (default 90)"}, read(model.ParsePercent)},
		{session.Flag{Name: "request", Text: &s.Request, Usage: "the request of the conversation to look at, by its `NUMBER` in Turns (default: the end)"}, read(requestNumber)},
		{session.Flag{Name: "item", Text: (*string)(&s.Item), Usage: "the item to begin at, by its `NUMBER`"}, read(itemNumber)},
	}
}

// Flags returns the flags that set s.
func (s *Start) Flags() []session.Flag {
	all := []session.Flag{{Name: "tour", Bool: &s.Tour, Usage: "take the tour, on the fixture " + fixtures.Names()[0]}}
	for _, flag := range s.flags() {
		all = append(all, flag.Flag)
	}
	return all
}

// Check validates the texts. The error names the flag and the values that are allowed.
func (s Start) Check() error {
	for _, flag := range s.flags() {
		if *flag.Text == "" {
			continue
		}
		if flag.read == nil {
			flag.read = known(func(text string) bool { return slices.Contains(flag.Offers, strings.ToLower(text)) }, flag.Offers)
		}
		if err := flag.read(*flag.Text); err != nil {
			return fmt.Errorf("--%s: %w", flag.Name, err)
		}
	}
	return nil
}

// over returns s, with the texts that it leaves empty taken from kept.
func (s Start) over(kept Start) Start {
	below := kept.flags()
	for k, flag := range s.flags() {
		*flag.Text = cmp.Or(*flag.Text, *below[k].Text)
	}
	return s
}

// known returns a startFlag.read whose error lists names, unless is returns true.
func known(is func(text string) bool, names []string) func(string) error {
	return func(text string) error {
		if is(text) {
			return nil
		}
		return fmt.Errorf("%.40q is not known; known are %s", text, strings.Join(names, ", "))
	}
}

// read returns a startFlag.read that returns the error of parse.
func read[T any](parse func(string) (T, error)) func(string) error {
	return func(text string) error {
		_, err := parse(text)
		return err
	}
}

func requestNumber(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%.40q is not the number of a request (they count from 1)", text)
	}
	return int(n), nil
}

func itemNumber(text string) (int, error) {
	i, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 10, 31)
	if err != nil {
		return -1, fmt.Errorf("%.40q is not the number of an item (use 12 or #12; they count from 0)", text)
	}
	return int(i), nil
}

// startOf returns the screen that a scenario was saved from, without what this program cannot show.
func startOf(sc model.Scenario) (s Start) {
	if json.Unmarshal(sc.Screen, &s) != nil {
		return Start{}
	}
	if i, err := itemNumber(s.Item.String()); err != nil || i >= sc.Items.Len() {
		s.Item = ""
	}
	if s.Check() != nil {
		return Start{Derived: s.Derived}
	}
	return s
}

// startNow returns the Start that shows what the screen shows, without the item; what is as at the
// start is "".
func (m *Model) startNow() Start {
	setup := m.exp.Setup()
	now := Start{Plan: setup.Plan, Derived: !setup.CeilingAsked && setup.End() != chosenEnd(m.exp)}
	if !m.turns.OwnCache() {
		now.Cache = m.turns.Cache().Name
	}
	if setup.Fixed.Set {
		now.Fixed = strconv.FormatInt(int64(setup.Fixed.Value), 10)
	}
	if setup.Price > 0 {
		now.Price = strconv.FormatFloat(setup.Price, 'f', -1, 64)
	}
	if setup.Wanted != 100*quality.DefaultWanted {
		now.Wanted = strconv.FormatFloat(setup.Wanted, 'f', -1, 64) + "%"
	}
	if m.shown != 0 {
		now.View = strings.ToLower(m.spec().Name)
	}
	if m.side == experiment.B {
		now.Side = "b"
	}
	if name := m.list().SortName(); name != widget.SortNames()[0] {
		now.Sort = name
	}
	return now
}

// screenJSON returns what the screen shows, for a scenario.
func (m *Model) screenJSON() json.RawMessage {
	now := m.startNow()
	i, ok := m.carried()
	if !ok { // the view has no row for it
		i, ok = m.items().Selected()
	}
	if ok && !m.atMoment() { // a moment has numbers of its own
		now.Item = json.Number(strconv.Itoa(i))
	}
	text, _ := json.Marshal(now) // strings and a number cannot fail
	return text
}

// start shows what the options say, once the session is loaded.
func (m *Model) start() tea.Cmd {
	s := m.opts.Start.over(m.workspace.start)
	m.opts.Start = Start{} // they are of the first session alone
	if strings.EqualFold(s.Side, "b") {
		m.edit(experiment.B)
	}
	if q, err := query.Parse(s.Filter); err == nil {
		m.setFilter(q)
	}
	m.list().SortNamed(s.Sort)
	m.turns.SetModel(m.workspace.Model)
	if cache, ok := turns.FindCache(s.Cache); ok {
		m.turns.SetCache(cache)
	}
	if s.Request != "" {
		m.startAt(s.Request)
	}
	m.refresh()
	i, _ := itemNumber(s.Item.String())
	if i >= m.exp.Items().Len() {
		m.messages.refuse(fmt.Sprintf("--item %d: %s", i, plain.ThereAre(m.exp.Items().Len())))
	} else if i >= 0 {
		m.first = false
		m.items().Select(i)
	}
	m.touring = s.Tour
	if v := m.viewNamed(s.View); v >= 0 && v != m.shown {
		m.show(v)
		if i >= 0 {
			m.view().Select(i)
		}
	}
	return m.settle()
}
