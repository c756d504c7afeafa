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
	"cupelscope/simulate/session"
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

// screenWords returns the flags that show again what the screen shows now.
func (m *Model) screenWords() []string {
	var words []string
	flag := func(name, value string) {
		if value != "" {
			words = append(words, "--"+name, value)
		}
	}
	kept := m.screenState()
	if end := m.exp.Setup().End(); end != chosenEnd(m.exp) {
		flag("ceiling", strconv.FormatInt(int64(end), 10))
	}
	if m.follow.source != nil {
		words = append(words, "--follow")
	}
	flag("view", kept.View)
	flag("side", kept.Side)
	if !m.filter.IsZero() {
		flag("filter", m.filter.String())
	}
	flag("sort", kept.Sort)
	if !m.turns.OwnCache() {
		flag("cache", m.turns.Cache().Name)
	}
	if fixed := m.exp.Setup().Fixed; fixed.Set {
		flag("fixed-prefix", strconv.FormatInt(int64(fixed.Value), 10))
	}
	flag("plan", kept.Plan)
	if price := m.exp.Setup().Price; price > 0 {
		flag("price", strconv.FormatFloat(price, 'f', -1, 64))
	}
	if at, ok := m.exp.Moment(); ok {
		flag("request", strconv.Itoa(at.Number))
	}
	if i, ok := m.carried(); ok {
		flag("item", strconv.Itoa(i))
	}
	return words
}

// copyCommandLine copies the command line to the clipboard and shows it.
func (m *Model) copyCommandLine() tea.Cmd {
	if _, err := model.NewBudget(m.exp.EndSetup().Budget); err != nil {
		m.messages.say("not copied, for no command takes it: " + err.Error())
		return nil
	}
	var words, without []string
	inFile := m.session.scenarioBase.Labels.Equal(m.exp.EndSetup().Labels) // else --labels gave them
	if m.session.SavePath != "" && !m.unsaved() && inFile {
		words = []string{m.session.SavePath}
	} else {
		words, without = m.session.CommandLine(m.exp.EndSetup())
	}
	line := session.ShellLine(slices.Concat([]string{"cupelscope"}, words, m.screenWords())...)
	m.messages.say("sent to the terminal's clipboard: " + line)
	if len(without) > 0 {
		m.messages.say("sent to the terminal's clipboard, but without " + strings.Join(without, ", ") + " (w writes all to a scenario): " + line)
	}
	return tea.SetClipboard(line)
}

// commandLine is Session.CommandLine for what was opened with o.
func commandLine(o session.Options, opened *session.Opened, session *Session) func(experiment.Setup) (words, without []string) {
	first := session.setup()
	return func(now experiment.Setup) (words, without []string) {
		words, ok := o.Reproduce(opened, now.Policy[experiment.A], now.Budget, now.UsableSlack(), now.Edits)
		if !ok {
			without = append(without, "policy A")
		}
		if !now.Policy[experiment.B].Same(session.other(now.Policy[experiment.A])) {
			without = append(without, "policy B")
		}
		unworded := func(e model.Edits) model.Edits { return e.WithQuery(model.Query{}).WithShrink(model.Shrink{}) }
		e, was := unworded(now.Edits), unworded(first.Edits)
		if now.Edits.Query.IsZero() && !first.Edits.Query.IsZero() {
			without = append(without, "that nothing is asked")
		}
		if !e.Equal(was) {
			n := len(e.Pinned) + len(e.Excluded) + len(e.Tokens) + len(e.Hints)
			if n == 0 { // those of the scenario were undone
				n = len(was.Pinned) + len(was.Excluded) + len(was.Tokens) + len(was.Hints)
			}
			without = append(without, plain.Count(n, "edit"))
		}
		if !now.Labels.Equal(first.Labels) {
			without = append(without, "what is marked as needed")
		}
		return words, without
	}
}
