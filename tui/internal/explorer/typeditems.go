package explorer

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// This file reads what is typed in the palette about items: one to go to, a filter, or items
// and what to do with them.

// goingTo reads "#32", also behind "go to", and "why is 32 out": the command that selects the
// item, or opens it. A number alone is read as one that an item has.
func (m *Model) goingTo(words []string) []palette.Command {
	if len(words) > 1 && slices.Contains([]string{"in", "out"}, strings.ToLower(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return nil
	}
	verb := strings.ToLower(strings.Join(words[:len(words)-1], " "))
	opens := slices.Contains([]string{"why", "why is", "why not", "is", "read", "open"}, verb)
	if !opens && !slices.Contains([]string{"", "go to", "goto", "go", "show", "select", "item"}, verb) {
		return nil
	}
	number, is := strings.CutPrefix(words[len(words)-1], "#")
	item, err := strconv.Atoi(number)
	n := m.exp.Items().Len()
	exists := item >= 0 && item < n
	if err != nil || !is && !exists {
		return nil
	}
	c := palette.Command{Group: "items", Text: "go to #" + strconv.Itoa(item)}
	if opens {
		c.Text = "read #" + strconv.Itoa(item) + " and why it is in or out"
	}
	if !exists {
		c.Why = plain.ThereAre(n)
		return []palette.Command{c}
	}
	c.Text += ": " + overlay.Line(m.exp.Items(), item)
	c.Run = func() tea.Cmd {
		m.goTo(item)
		if opens {
			return m.enter()
		}
		return nil
	}
	return []palette.Command{c}
}

// budgetWords are the words of a line that asks for the budget of the items that it names. A line
// with no word but the last three asks for none.
var budgetWords = strings.Fields("budget tokens room for to at from which what when how many much does need needed needs is cheapest stay stays come comes until smallest least minimum lowest where why make get include bring put have back fit keep enough it a all item items the in out")

// itemNumberWords are the words that make a plain number in such a line the number of an item:
// "least budget 15".
var itemNumberWords = strings.Fields("for does need needs stay stays come comes smallest least minimum lowest cheapest where")

// budgetsOf reads "budget for #16", "when does #16 come in" and "why is #16 out", and wishes that
// items are in: the commands that lead to the least budgets from which on they stay in, and at
// which one is first in.
func (m *Model) budgetsOf(words []string) (all []palette.Command) {
	var named clause
	asks, kinds := false, slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, "budget") })
	said := func(in []string) func(string) bool {
		return func(w string) bool { return slices.Contains(in, strings.ToLower(w)) }
	}
	numbered := slices.ContainsFunc(words, said(itemNumberWords))
	for rest := words; len(rest) > 0; rest = rest[1:] {
		if kind, n := kindAt(rest, m.exp.Items().Kinds()); kinds && n > 0 { // "budget for all memory items"
			named.items = append(named.items, ofKind(m.exp.Items(), kind)...)
			rest = rest[n-1:]
			continue
		}
		word := strings.TrimRight(strings.ToLower(rest[0]), "?,.")
		if numbered && isNumber(word) && (len(rest) < 2 || !said([]string{"items", "tokens"})(rest[1])) {
			word = "#" + word
		}
		k := slices.Index(budgetWords, word)
		if k < 0 && !named.takeItem(word, m.exp.Items()) && !slices.Contains(joinWords, word) {
			return nil
		}
		asks = asks || k >= 0 && k < len(budgetWords)-3
	}
	if named.items == nil || !asks {
		return nil
	}
	slices.Sort(named.items)
	lead := func(text string, to func(p *simulate.Profile) (model.Tokens, error)) {
		all = append(all, m.leading(m.alongBudgets("to the budget "+text, "", func(p *simulate.Profile) (c screen.Change, err error) {
			for _, i := range named.items {
				i, name := m.survivor(i)
				if err := m.decided(p.Summary(i), i, name); err != nil {
					return c, err
				}
			}
			b, err := to(p)
			return m.toBudget(b), err
		})))
	}
	lead("from which "+namesOf(named.items)+widget.Verb(len(named.items), " stays in", " stay in"), func(p *simulate.Profile) (model.Tokens, error) { return m.stayFrom(p, named.items) })
	if len(named.items) == 1 {
		lead("at which "+namesOf(named.items)+" is first in", func(p *simulate.Profile) (model.Tokens, error) {
			i, _ := m.survivor(named.items[0])
			return p.Summary(i).FirstIn.Value, nil
		})
		if all[0].Why != "" || all[0].Effect == all[1].Effect {
			all = all[:1]
		}
	}
	return all
}

// leading returns a command that leads to a budget with what it does now.
func (m *Model) leading(c palette.Command) palette.Command {
	c = m.withReason(c)
	if change, err := c.Plan(); err == nil && c.Why == "" {
		c.Effect = change.Effect()
	}
	return c
}

// filtering reads what the filter does, "kind:tool tok>200", or anything behind "filter": the
// command that sets the filter.
func (m *Model) filtering(words []string) []palette.Command {
	if len(words) == 0 || slices.Contains(itemVerbs, strings.ToLower(words[0])) {
		return nil
	}
	said := len(words) > 1 && strings.EqualFold(words[0], "filter")
	line := strings.Join(words, " ")
	if said {
		line = queryOf(words[1:], m.workspace.Items.Kinds())
	}
	q, err := query.Parse(line)
	field := func(word string) bool { return strings.IndexAny(word, ":<>=") > 0 && word[len(word)-1] != '=' }
	if err != nil || q.IsZero() || !said && !slices.ContainsFunc(words, field) {
		return nil
	}
	return []palette.Command{m.filterTo(q, line, false)}
}

// filterTo returns the command that sets a filter, typed as a line, and then says how many items
// that shows, for which their texts may be searched. If offered, for a word of a line, the command
// does nothing until the texts are searched, and goes if the filter shows no item, or more than a
// quarter of them: such words tell nothing.
func (m *Model) filterTo(q query.Query, line string, offered bool) palette.Command {
	c := palette.Command{Keys: "/", Group: "find", Text: "filter: " + line, Why: m.whyNoFilter()}
	if c.Why == "" {
		c.Run = screen.Do(func() { m.setFilter(q) })
	}
	known := c
	if offered {
		c.Why, c.Run = "texts are still searched", nil
	}
	o, _ := m.exp.Listable(m.side)
	c.Later = func(ctx context.Context) func() []palette.Command {
		items, err := matching(ctx, o, line)
		found := []palette.Command{known}
		switch n := len(items); {
		case err != nil && !offered:
		case offered && (n == 0 || n > o.Items.Len()/4):
			found = nil
		default:
			found[0].Text += " (" + plain.Thousands(n) + " of " + plain.Count(o.Items.Len(), "item") + ")"
		}
		return func() []palette.Command { return found }
	}
	return c
}

// filtersOf returns the filters by a word of a line that has no other meaning. A word is looked for in all
// texts, so only the last two are, behind the verb: what a sentence is about. Of many words none tells that.
func (m *Model) filtersOf(words []string) (all []palette.Command) {
	if words = slices.DeleteFunc(words, func(w string) bool { return len(w) < len("log") }); len(words) > 3 {
		return nil
	}
	for _, w := range slices.Backward(words[max(0, min(1, len(words)-1), len(words)-2):]) {
		w = strings.Join(slices.DeleteFunc(strings.Fields(w), func(w string) bool {
			return slices.Contains(keepWords, w) || slices.Contains(dropWords, w)
		}), " ")
		if q, err := query.Parse(w); err == nil && !q.IsZero() && m.whyNoFilter() == "" {
			all = append(all, m.filterTo(q, w, true))
		}
	}
	return all
}

// whyOut reads "why is the tool result out": the items that are out, of a kind if one is named.
func (m *Model) whyOut(words []string) (all []palette.Command) {
	n := len(words)
	if n < 2 || !strings.EqualFold(words[0], "why") || !strings.EqualFold(strings.TrimSuffix(words[n-1], "?"), "out") || len(m.goingTo(words)) > 0 {
		return nil
	}
	for i := range words {
		if kind, n := kindAt(words[i:], m.exp.Items().Kinds()); n > 0 {
			all = m.outOf(kind)
		}
	}
	return append(all, m.command(m.keys.named("filter.out"), finding))
}

// outOf lists the items of a kind that are out.
func (m *Model) outOf(kind model.Kind) []palette.Command {
	return m.filtering([]string{"filter", "is:out", "kind:" + kind.Short()})
}

// more reads "fit more tools": twice the score of the kind, and its items that are out; or "less
// tool output": half the score. "More" alone is of the budget.
func (m *Model) more(words []string) []palette.Command {
	if len(words) == 1 && strings.EqualFold(words[0], "more") {
		return []palette.Command{m.command(m.keys.named("budget.next"), turning)}
	}
	k := slices.IndexFunc(words, func(w string) bool { return slices.Contains([]string{"more", "less", "fewer"}, strings.ToLower(w)) })
	kind, n := kindAt(words[k+1:], m.exp.Items().Kinds())
	if k < 0 || n == 0 || n < len(words)-k-1 || slices.ContainsFunc(words[:k], func(w string) bool { return !slices.Contains(slices.Concat(keepWords, fillWords), strings.ToLower(w)) }) {
		return nil
	}
	if !strings.EqualFold(words[k], "more") {
		return m.settings(strings.Fields("half kind " + kind.Noun()))
	}
	return append(m.settings(strings.Fields("double kind "+kind.Noun())), m.outOf(kind)...)
}

// itemVerbs are the verbs for items.
var itemVerbs = []string{"pin", "unpin", "release", "exclude", "restore", "need", "needed", "mark"}

// itemCommands reads "pin all tool outputs over 2000": a verb, then what the
// filter understands, with kinds by their names and numbers in words. "unpin" alone releases all
// pinned items: it does not act on the selected item, as the key that releases it also pins it.
func (s *workspaceState) itemCommands(words []string) []palette.Command {
	if of := strings.ToLower(strings.Join(words[:min(3, len(words))], " ")); of == "price of pinning" || of == "cost of pinning" {
		words = append([]string{"pin"}, words[3:]...) // the line says what that does
	}
	if len(words) == 1 && strings.EqualFold(words[0], "unpin") {
		words = []string{words[0], "is:pinned"}
	}
	if len(words) < 2 || !slices.Contains(itemVerbs, strings.ToLower(words[0])) {
		return nil
	}
	if slices.Contains([]string{"this", "that", "it", "item"}, strings.ToLower(words[len(words)-1])) {
		return nil // the selected item, which a key acts on
	}
	verb, as := strings.ToLower(words[0]), ""
	if verb == "unpin" {
		verb = "release"
	}
	words = words[1:]
	if slices.Contains([]string{"need", "needed", "mark"}, verb) {
		verb, as = "mark", " as needed"
		if len(words) > 1 && strings.EqualFold(words[0], "needed") { // "mark needed 7 8"
			words = words[1:]
		}
		if n := len(words); n > 2 && strings.EqualFold(words[n-2]+" "+words[n-1], "as needed") {
			words = words[:n-2]
		}
	}
	line := queryOf(words, s.workspace.Items.Kinds())
	c := palette.Command{Group: "items", Text: verb + " " + line + as}
	items, err := s.matched(line)
	if at := slices.IndexFunc(words, func(w string) bool { return len(w) > 1 && w[0] == '-' && isNumber(w[1:]) }); at >= 0 {
		err = errors.New(words[at] + " is not the number of an item; they count from 0")
	}
	if err != nil {
		c.Plan = func() (screen.Change, error) { return screen.Change{}, err }
		return []palette.Command{s.withReason(c)}
	}
	c.Text = verb + " " + plain.Count(len(items), "item") + as + ": " + line
	label := experiment.Label{Name: verb + " " + namesOf(items)}
	if as != "" {
		label.Name = "needed " + namesOf(items) // as the key says it
	}
	c.Plan = func() (screen.Change, error) {
		items, err := s.matched(line)
		switch verb {
		case "pin", "release":
			return screen.To(s.exp.Setup().WithPinned(s.exp.Items(), items, verb == "pin"), label), err
		case "mark":
			return screen.To(s.exp.Setup().WithNeeded(s.exp.Labels(s.workspace.Labels), items, true), label), err
		}
		return screen.To(s.exp.Setup().WithExcluded(items, verb == "exclude"), label), err
	}
	if len(items) == 0 {
		c.Text, c.Why, c.Plan = verb+" "+line+as, "no item matches", nil
		return []palette.Command{c}
	}
	return []palette.Command{s.withReason(c)}
}

// queryOf returns the words as a query of the filter.
func queryOf(words []string, kinds []model.Kind) string {
	var terms []string
	words = slices.Clone(words)
	for i := range words { // "8, 31 and 34" is three items
		if number := strings.TrimRight(words[i], ","); isNumber(strings.TrimPrefix(number, "#")) {
			words[i] = number
		}
	}
	for i := 0; i < len(words); i++ {
		w := strings.ToLower(words[i])
		number := func(op string) bool {
			if i+1 < len(words) {
				terms = append(terms, "tok"+op+words[i+1])
				i++
				return true
			}
			return false
		}
		kind, n := kindAt(words[i:], kinds)
		switch {
		case w == "all" || w == "the" || w == "items" || w == "tokens" || w == "tok" || w == "and" && i > 0 && isNumber(strings.TrimPrefix(words[i-1], "#")):
		case (w == "over" || w == "above") && number(">"), (w == "under" || w == "below") && number("<"):
		case n > 0 && !strings.ContainsAny(string(kind), " \""):
			terms = append(terms, "kind:"+kind.Short())
			i += n - 1
		case isNumber(words[i]) && !strings.Contains(strings.Join(words, ""), `"`):
			terms = append(terms, "#"+words[i]) // the filter reads both alike
		default:
			terms = append(terms, words[i])
		}
	}
	return strings.Join(terms, " ")
}

// kindAt returns the kind of which words begin with a name, also in the plural, and of how many
// words that is; 0: none.
func kindAt(words []string, kinds []model.Kind) (kind model.Kind, n int) {
	for _, kind := range kinds {
		for _, name := range [...]string{kind.Noun(), strings.Replace(kind.Noun(), "output", "result", 1), string(kind), kind.Short()} {
			n := len(strings.Fields(name))
			if n == 0 || n > len(words) {
				continue
			}
			said := strings.Join(words[:n], " ")
			if strings.EqualFold(said, name) || strings.EqualFold(said, name+"s") || strings.EqualFold(said, strings.TrimSuffix(name, "y")+"ies") {
				return kind, n
			}
		}
	}
	return "", 0
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// matched returns the items that a query matches in the result that is shown.
func (s *workspaceState) matched(line string) ([]int, error) {
	o, _ := s.exp.Listable(s.side)
	return matching(context.Background(), o, line)
}

// matching returns the items that a query matches in an outcome.
func matching(ctx context.Context, o *experiment.Outcome, line string) ([]int, error) {
	q, err := query.Parse(line)
	switch {
	case err != nil:
		return nil, err
	case o == nil || o.Report == nil:
		return nil, errors.New("there is no result at this budget")
	case q.IsZero():
		return nil, errors.New("say which items, as in: all tool outputs over 2000, or as the filter does")
	}
	facts := widget.FactsOf(o)
	var items []int
	for i := range o.Items.Len() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if q.Match(&facts, i) {
			items = append(items, i)
		}
	}
	return items, nil
}
