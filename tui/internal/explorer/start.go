package explorer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// Check validates the flags. The error names the flag and the values that are allowed.
func (s Start) Check() error {
	_, cache := turns.FindCache(s.Cache)
	side := strings.ToLower(s.Side)
	for _, flag := range []struct {
		name  string
		wrong error
	}{
		{"view", known(s.View, slices.Contains(ViewNames(), strings.ToLower(s.View)), ViewNames()...)},
		{"side", known(s.Side, side == "a" || side == "b", "a", "b")},
		{"colours", known(s.Colours, slices.Contains(ColourNames(), s.Colours), ColourNames()...)},
		{"filter", read(s.Filter, query.Parse)},
		{"sort", known(s.Sort, new(widget.ItemList).SortNamed(s.Sort), append(widget.SortNames(), "each with - before it for the reverse order")...)},
		{"cache", known(s.Cache, cache, turns.CacheNames()...)},
		{"price", read(s.Price, turns.ParsePrice)},
		{"fixed-prefix", read(s.Fixed, model.ParseTokens)},
		{"plan", read(s.Plan, turns.ParsePlan)},
		{"request", read(s.Request, requestNumber)},
		{"item", read(s.Item, itemNumber)},
	} {
		if flag.wrong != nil {
			return fmt.Errorf("--%s: %w", flag.name, flag.wrong)
		}
	}
	return nil
}

// known returns an error that lists names, unless the text of a flag is fine or empty.
func known(text string, fine bool, names ...string) error {
	if fine || text == "" {
		return nil
	}
	return fmt.Errorf("%.40q is not known; known are %s", text, strings.Join(names, ", "))
}

// read returns the error of a text that is not empty.
func read[T any](text string, parse func(string) (T, error)) error {
	if text == "" {
		return nil
	}
	_, err := parse(text)
	return err
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

// screenState is the part of a Start that a scenario keeps. It has no filter, so that no item is
// overlooked in a file that is opened.
type screenState struct {
	View string `json:"view,omitempty"`
	Side string `json:"side,omitempty"`
	Sort string `json:"sort,omitempty"`
	Plan string `json:"plan,omitempty"`
	Item *int   `json:"item,omitempty"`
	// Derived says that nobody chose the end of the axis that the scenario holds.
	Derived bool `json:"derivedAxis,omitempty"`
}

// screenStateOf returns the screen that a scenario was saved from, the zero value if this
// program cannot show it; and whether somebody chose the end of its axis.
func screenStateOf(sc model.Scenario) (s Start, chosen bool) {
	var kept screenState
	if json.Unmarshal(sc.Screen, &kept) != nil {
		kept = screenState{}
	}
	chosen = sc.Ceiling > 0 && !kept.Derived
	s = Start{View: kept.View, Side: kept.Side, Sort: kept.Sort, Plan: kept.Plan}
	if i := kept.Item; i != nil && *i >= 0 && *i < sc.Items.Len() {
		s.Item = strconv.Itoa(*i)
	}
	if s.Check() != nil {
		s = Start{}
	}
	return s, chosen
}

// screenState returns what the screen shows, without the item; what is as at the start is "".
func (m *Model) screenState() screenState {
	setup := m.exp.Setup()
	kept := screenState{Plan: setup.Plan, Derived: !setup.CeilingAsked && setup.End() != chosenEnd(m.exp)}
	if m.shown != 0 {
		kept.View = strings.ToLower(m.spec().Name)
	}
	if m.side == experiment.B {
		kept.Side = "b"
	}
	if name := m.list().SortName(); name != widget.SortNames()[0] {
		kept.Sort = name
	}
	return kept
}

// shows returns what the screen shows, for a scenario.
func (m *Model) shows() json.RawMessage {
	kept := m.screenState()
	i, ok := m.carried()
	if !ok { // the view has no row for it
		i, ok = m.items().Selected()
	}
	if ok && !m.atMoment() { // a moment has numbers of its own
		kept.Item = &i
	}
	text, _ := json.Marshal(kept) // strings and a number cannot fail
	return text
}

// over returns s, with the fields that it leaves empty taken from kept.
func (s Start) over(kept Start) Start {
	s.View, s.Side = cmp.Or(s.View, kept.View), cmp.Or(s.Side, kept.Side)
	s.Sort, s.Item, s.Plan = cmp.Or(s.Sort, kept.Sort), cmp.Or(s.Item, kept.Item), cmp.Or(s.Plan, kept.Plan)
	return s
}

// start shows what the options say, once the session is loaded.
func (m *Model) start() tea.Cmd {
	s := m.opts.Start.over(m.session.shown)
	m.opts.Start = Start{} // they are of the first session alone
	if strings.EqualFold(s.Side, "b") {
		m.edit(experiment.B)
	}
	if q, err := query.Parse(s.Filter); err == nil {
		m.setFilter(q)
	}
	m.list().SortNamed(s.Sort)
	m.turns.SetModel(m.session.Model)
	if cache, ok := turns.FindCache(s.Cache); ok {
		m.turns.SetCache(cache)
	}
	if s.Request != "" {
		m.startAt(s.Request)
	}
	m.refresh()
	i, _ := itemNumber(s.Item)
	if i >= m.exp.Items().Len() {
		m.messages.say(fmt.Sprintf("--item %d: there are %s, numbered from 0", i, plain.Count(m.exp.Items().Len(), "item")))
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
