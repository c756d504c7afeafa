package explorer

import (
	"errors"
	"slices"
	"sort"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// This file lists the palette's commands: every key, every knob with its values, the
// choices of menus, and tune. Commands that are typed as a sentence are in typed.go.

// openHelp opens the palette as the help, which shows a guide until something is typed.
func (m *Model) openHelp() { m.helpAt("") }

// helpAt opens the help at a word or a mark; "": at its beginning.
func (m *Model) helpAt(name string) {
	guide := m.guide()
	guide.At = name
	m.openPalette("Help", guide)
}

// tasks are what a newcomer wants, and the action that does it: the help lists them, and
// the palette finds the actions by their words.
var tasks = [...]struct{ action, wants string }{
	{"budget.next", "see the next change"},
	{"filter.out", "see what is left out, and why"},
	{"item.pin", "pin the item: keep it in"},
	{"item.stays", "find where it stays in"},
	{"view." + screen.Compare, "compare slicers: greedy or knapsack"},
	{"view." + screen.Turns, "see what a conversation costs, and what is cheaper"},
	{"save", "keep the changes: save them to a file"},
	{"source.open", "load my own session, chat or files"},
	{"export", "export the result: JSON, CSV, a chat, the window's text"},
}

// wanted returns what a newcomer wants an action for, "" if it is none of tasks.
func wanted(action string) string {
	for _, t := range tasks {
		if t.action == action {
			return t.wants
		}
	}
	return ""
}

// guide returns the help, with the keys of what lies over the view, or else of the view. It leaves
// out what a key does elsewhere and not here.
func (m *Model) guide() *palette.Guide {
	g := palette.Guide{Over: !m.viewOnTop()}
	for _, a := range m.specOf(m.top()).Actions {
		switch last := len(g.Here) - 1; {
		case m.viewOnTop(): // these are in the table of all keys
		case last >= 0 && g.Here[last].Text == a.Text:
			g.Here[last].Keys += " " + a.Keys[0]
		default:
			g.Here = append(g.Here, palette.Command{Keys: strings.Join(a.Keys, " "), Group: "Keys of what is open", Text: a.Text})
		}
	}
	for _, t := range tasks {
		a := m.keys.named(t.action)
		if here := m.keys.find(&m.screens, a.Keys[0]); here != nil && here != a {
			continue
		}
		c := m.command(a, "")
		c.Keys, c.Text = strings.Fields(c.Keys)[0], t.wants
		if items := m.targets(); t.action == "item.pin" && len(items) > 0 && !slices.ContainsFunc(items, func(i int) bool { return !m.exp.Items().Pinned(i) }) {
			c.Text = "release the pinned item: it competes again"
		}
		g.Tasks = append(g.Tasks, c)
	}
	for _, a := range m.keys.ordered(m.shown) {
		c := palette.Command{Keys: strings.Join(a.Keys, " "), Group: capital(a.Group), Text: a.Text}
		if a.view != everywhere {
			c.Group = "Keys of " + m.nameOf(a.view)
			name := m.specOf(m.views[a.view]).Name
			if strings.HasPrefix(c.Text, "in ") { // the heading says where
				c.Text = strings.TrimPrefix(strings.TrimPrefix(c.Text, "in "+name+": "), "in the "+strings.ToLower(name)+": ")
			}
		}
		switch {
		case a.view == everywhere && (wanted(a.Name) != "" || m.keys.find(&m.screens, a.Keys[0]) != a):
		case a.view == m.shown && m.viewOnTop(), a.Group == moving:
			g.Here = append(g.Here, c)
		default:
			g.Rest = append(g.Rest, c)
		}
	}
	return &g
}

func (m *Model) openPalette(title string, guide *palette.Guide) {
	all, examples := m.commands(), m.examples()
	first := m.untyped(all)
	others := slices.IndexFunc(first, func(c palette.Command) bool { return c.Group != here })
	first = slices.Concat(first[:others], examples, first[others:])
	m.open(palette.New(m.screenApp(), title, palette.Source{All: all, First: first, Typed: m.spelledOut, Holding: m.filtersOf, Examples: examples, Guide: guide, Explain: m.helpAt}))
}

// examples are lines that can be typed, with wishes for the kind of the selected item.
func (m *Model) examples() (all []palette.Command) {
	texts := []string{"12000: a budget"}
	if item, ok := m.selected(); ok {
		texts = append(texts, "budget for "+itemName(item)+": where it stays in", "at most 30 % "+m.exp.Items().Loaded(item).Kind.Noun()+": quotas")
	}
	for _, text := range texts {
		line, _, _ := strings.Cut(text, ":")
		all = append(all, palette.Command{Group: "try", Text: text, Line: line})
	}
	return all
}

// command returns the command of a key.
func (m *Model) command(a *bound, group string) palette.Command {
	c := palette.Command{Keys: strings.Join(a.Keys, " "), Group: group, Text: a.Text, Words: strings.Join([]string{a.Words, a.Hint, wanted(a.Name)}, " "), Why: m.keys.idle(&m.screens, a),
		Run: func() tea.Cmd { return m.do(a) }}
	if a.Plan == nil || c.Why != "" {
		return c
	}
	if change, err := a.Plan(); err == nil {
		c.Effect = change.Effect()
		c.Plan = func() (screen.Change, error) { return change, nil }
	}
	return c
}

// untyped returns commands as they stand while nothing is typed: the commands that matter here, the
// commands of tasks, all others, the keys that move, and at last what does nothing now.
func (m *Model) untyped(all []palette.Command) []palette.Command {
	wants := map[string]bool{}
	for _, t := range tasks {
		wants[m.keys.named(t.action).Text] = true
	}
	rank := func(c palette.Command) int {
		switch {
		case c.Why != "" && !c.Done:
			return 4
		case c.Group == moving:
			return 3
		}
		return slices.Index([]string{here, often, c.Group}, c.Group)
	}
	all = slices.Clone(all)
	for i, c := range all {
		if wants[c.Text] && c.Group != here && c.Why == "" {
			all[i].Group = often
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return rank(all[i]) < rank(all[j]) })
	return all
}

// Groups of commands that stand first.
const (
	here  = "here"
	often = "often"
)

// commands returns all commands: first the keys that matter here, then all other keys,
// then commands without a key of their own.
func (m *Model) commands() []palette.Command {
	var all []palette.Command
	first := m.offers()
	for _, o := range first {
		all = append(all, m.command(o.bound, here))
	}
	for _, a := range m.keys.ordered(m.shown) {
		if !slices.ContainsFunc(first, func(o offer) bool { return o.bound == a }) {
			all = append(all, m.command(a, a.Group))
		}
	}
	all = append(all, m.holdCommands()...)
	reset := palette.Command{Group: "items", Text: "back to how it was opened: every change taken back", Words: "reset start over original beginning", Plan: func() (screen.Change, error) {
		return screen.To(m.original, experiment.Label{Name: "back to how it was opened"}), nil
	}}
	all = append(all, m.withReason(reset), m.fallCommand(), m.fillCommand(), m.sortCommand(), m.tuneCommand(), m.modelCommand("NAME"))
	knobs := m.namedKnobs()
	for _, unset := range [...]bool{false, true} { // a knob with the value 0 is asked for less than one that is set
		for _, k := range knobs {
			switch {
			case (k.AtDefault || k.Value == experiment.Unset) != unset:
			case len(k.Choices) == 0 || k.Value == "":
				c := palette.Command{Group: "knob", Text: "set " + k.name + ": " + k.Help, Words: "change " + k.name + " " + k.words, Value: k.Value, Line: "set " + k.name + " "}
				if k.Section != "" {
					c.Keys, c.Run = "p", func() tea.Cmd { m.openEditor(k.ID); return nil }
				}
				all = append(all, c)
			default:
				for _, value := range k.Choices {
					all = append(all, m.setting(k, value))
				}
			}
		}
	}
	all = append(all, m.shrinkCommands()...)
	for _, name := range theme.Names() {
		all = append(all, m.themeCommand(name))
	}
	all = append(all, m.menuCommands("export", m.exports)...)
	all = append(all, m.menuCommands("copy", m.copies)...)
	return append(all, m.legend...)
}

// holdCommands lead to the least budget from which on all that is needed is in, or everything.
func (m *Model) holdCommands() []palette.Command {
	all := m.alongBudgets("to the budget that holds everything", "all items fit nothing falls out enough", func(p *simulate.Profile) (screen.Change, error) {
		least, err := m.stayFrom(p, itemsThat(p.Ranking().Items(), func(i int) bool { return competes(p.Ranking(), i) }))
		return m.toBudget(least), err
	})
	if m.exp.Setup().Labels.IsZero() {
		return []palette.Command{all}
	}
	const words = "important enough keeps least recall nothing falls out everything"
	least := func(p *simulate.Profile) (screen.Change, error) {
		o := m.current(m.side)
		if o == nil || o.Judge == nil {
			return screen.Change{}, errors.New(budgetsPending)
		}
		curve, err := quality.NewCurve(m.ctx, p, o.Judge)
		if err != nil {
			return screen.Change{}, err
		}
		b, ok := curve.Holds(1)
		if !ok {
			return screen.Change{}, errors.New(widget.NoneHolds(p.Ranking().Items(), curve))
		}
		return m.toBudget(max(1, b)), nil
	}
	return []palette.Command{
		m.alongBudgets("to the budget that holds all that is needed: = in Curve", words, least),
		m.alongBudgets("with the slack to spare: = again in Curve, to the budget that holds all that is needed", words, func(p *simulate.Profile) (screen.Change, error) {
			c, err := least(p)
			if spared, more := m.exp.Setup().Spared(c.Budget.Value); err == nil && more {
				c = m.toBudget(spared)
			}
			return c, err
		}), all}
}

// fallCommand goes, in the curve, to the nearest budget at which one token more gives fewer items or less value. Where
// none does, it goes to the nearest at which an item leaves.
func (m *Model) fallCommand() palette.Command {
	c := m.alongBudgets("where more is worse", "less fall falls drop drops lose fewer items smaller lower decrease value recall needed than before monotonic nonmonotonic non-monotonic", func(p *simulate.Profile) (screen.Change, error) {
		now := m.budget()
		last, nearest := p.PointAt(0), model.Option[model.Tokens]{}
		for point := range p.Points() {
			worse := point.Fewer(last) || point.Less(last)
			if off := max(point.Budget-now, now-point.Budget); worse && (!nearest.Set || off < max(nearest.Value-now, now-nearest.Value)) {
				nearest = model.Some(point.Budget)
			}
			last = point
		}
		at, view, before, behind := nearest.Value, screen.Curve, "", "; n and N go to others"
		if !nearest.Set {
			loss, _, ok := widget.NearestLoss(p, now, 0)
			if !ok {
				return screen.Change{}, errors.New("one token more never takes an item out, up to " + p.Axis().End().String())
			}
			at, view, before, behind = loss, "", "never fewer items or less value; ", ""
		}
		change := m.toBudget(at)
		change.Show, change.Tells = view, before+widget.FallText(p, m.side, at)
		change.Say = func() string { return change.Tells + behind }
		return change, nil
	})
	c.Notes = []string{"the nearest budget at which one token more gives fewer items or less value, or else takes an item out; in the curve n and N go to others"}
	return c
}

// alongBudgets returns a command that leads to a budget of the profile.
func (m *Model) alongBudgets(text, words string, to func(*simulate.Profile) (screen.Change, error)) palette.Command {
	return palette.Command{Group: turning, Text: text, Words: words, Why: m.needsProfile(), Plan: func() (screen.Change, error) {
		if why := m.needsProfile(); why != "" {
			return screen.Change{}, errors.New(why)
		}
		return to(m.exp.Profile(m.side))
	}}
}

// holding reads a line that asks for a budget that holds what is needed, or everything.
func (m *Model) holding(line string) []palette.Command {
	asks := func(phrases ...string) bool {
		return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(" "+strings.ToLower(line)+" ", p) })
	}
	all := m.holdCommands() // what is needed first, if there is any
	switch {
	case asks("that holds", "nothing", "important") || asks(" need") && asks(" all ", "everything", "enough"):
		if len(all) == 1 && !asks("fall", "important", "need", "holds") {
			return nil
		}
		if len(all) == 1 {
			mark := m.command(m.keys.named("item.needed"), here)
			mark.Notes = []string{"nothing is marked as needed yet; once it is, this line leads to the budget that holds it"}
			found := []palette.Command{mark, m.leading(all[0])}
			if asks("needed") { // by its name, so no other key is meant
				none := palette.Command{Group: turning, Text: "to the budget that holds all that is needed", Why: "nothing is marked as needed yet: " + mark.Keys + " marks the selected item, and need 13 28 marks those", Line: "need "}
				found = append([]palette.Command{none}, found...)
			}
			return found
		}
	case asks("everything", "all items"):
		all = all[len(all)-1:]
	default:
		return nil
	}
	for k := range all {
		all[k] = m.leading(all[k])
	}
	return all
}

// sortCommand sorts the list of all items in the words that people ask for it.
func (m *Model) sortCommand() palette.Command {
	c := m.sortedBy(widget.ByTokens)
	c.Keys, c.Text, c.Words = "1 s", c.Text+", the largest first", "biggest longest size"
	return c
}

// sortedBy sorts the list of all items by a column.
func (m *Model) sortedBy(column widget.Sort) palette.Command {
	return palette.Command{Group: finding, Text: "sort the items by " + column.String(), Run: func() tea.Cmd {
		m.show(0)
		m.list().SortBy(column)
		return nil
	}}
}

// sorting reads "sort score" and "sort by score". In Map that orders the map.
func (m *Model) sorting(words []string) []palette.Command {
	if len(words) < 2 || !strings.EqualFold(words[0], "sort") || m.spec().Name == screen.Map {
		return nil
	}
	column := widget.Sort(slices.Index(widget.SortNames(), strings.ToLower(words[len(words)-1])))
	if column < 0 || column == widget.ByTokens || len(words) > 2 && (len(words) > 3 || !strings.EqualFold(words[1], "by")) {
		return nil // tokens have their command
	}
	if out := m.exp.Outcome(m.side); column == widget.ByNeeded && (out == nil || out.Judge == nil) {
		return nil // no item is marked as needed
	}
	return []palette.Command{m.sortedBy(column)}
}

// themeCommand returns the command that changes the colours to a theme.
func (m *Model) themeCommand(name theme.Name) palette.Command {
	c := palette.Command{Group: "theme", Text: "theme " + string(name), Words: "colour color mode", Run: func() tea.Cmd {
		m.opts.Theme = name
		m.restyle(name)
		m.messages.say("theme " + string(name))
		if name == theme.Auto {
			return tea.RequestBackgroundColor
		}
		return nil
	}}
	if m.opts.NoColor && name != theme.NoColor {
		c.Why = "NO_COLOR or the terminal switches colours off"
	}
	return c
}

// menuCommands returns the choices of the menu that an action opens, each as a command.
func (m *Model) menuCommands(verb string, list func() []overlay.Choice) []palette.Command {
	opens := m.keys.named(verb)
	key := opens.Keys[0]
	if why := m.keys.idle(&m.screens, opens); why != "" {
		return []palette.Command{{Keys: key, Group: verb, Text: verb + ": report, window, item, JSON, CSV", Why: why, Run: func() tea.Cmd { return m.do(opens) }}}
	}
	var all []palette.Command
	for _, c := range list() {
		all = append(all, palette.Command{Keys: key + " " + c.Key, Group: verb, Text: verb + " " + c.Text, Run: func() tea.Cmd {
			if why := m.keys.idle(&m.screens, opens); why != "" {
				m.messages.refuse(verb + ": " + why)
				return nil
			}
			for _, now := range list() { // the result may have changed
				if now.Key == c.Key {
					return now.Run()
				}
			}
			m.messages.refuse(verb + " " + c.Text + ": not possible any more")
			return nil
		}})
	}
	return all
}
