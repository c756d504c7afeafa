package items

import (
	"slices"
	"strconv"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
)

// only is the list that showMoved has set. since says that it lists all that has moved since a
// followed source first grew.
type only struct {
	set   query.Query
	since bool
	side  experiment.Side  // whose step it is
	at    int              // how many changes there had been: the list stays as it is after the next
	moved experiment.Since // while that list is drawn: what it tells of its rows
}

// maxOnly bounds the stretches of numbers in a filter, which every item is compared with.
const maxOnly = 200

// manyMoved is from how many items on that moved the footer names the key that lists them.
const manyMoved = 3

// movedHint offers the list where the last step moved more than one sees at a glance, and the way back.
func (p *View) movedHint() string {
	if p.onlyMoved() {
		if _, follows := p.app.Experiment().Since(p.app.Side()); follows && !p.only.since {
			return "all since the start"
		}
		return "all items again"
	}
	im, ok := lastImpact(p.app.Experiment(), p.app.Side())
	n := len(im.In) + len(im.Out) + len(im.Resized)
	if !ok || n < manyMoved || n > maxOnly {
		return ""
	}
	return "list the " + strconv.Itoa(n)
}

// lastImpact returns what the newest change did to a side that has a result now; false: there is
// none. To a side that had no result before, all that is in came in.
func lastImpact(exp *experiment.Experiment, side experiment.Side) (experiment.Impact, bool) {
	im, ok := exp.Impact()
	return im, ok && im.Side == side && !im.Pending && im.Err == nil
}

// showMoved has the table show the items that the newest change brought in, took out or
// left in another size, then the items that a followed source has moved since the start, then
// what it showed before. It returns why it cannot, or "".
func (p *View) showMoved() string {
	exp, lists := p.app.Experiment(), p.onlyMoved()
	_, follows := exp.Since(p.app.Side())
	_, told := exp.Impact()
	switch {
	case lists && (p.only.since || !follows):
		p.app.SetList(query.Query{})
		return ""
	case exp.Changes() == 0:
		return "nothing was changed yet"
	case !told && !follows: // the items are others since
		return "what the last step moved of these items is not known"
	}
	return p.list(lists || follows && len(movedBy(exp, p.app.Side())) == 0)
}

// list has the table show what the newest change moved, or since the start what arrived did. It returns
// why it cannot, or "".
func (p *View) list(sinceStart bool) string {
	exp := p.app.Experiment()
	moved, what := movedBy(exp, p.app.Side()), "the last step"
	since, follows := exp.Since(p.app.Side())
	if sinceStart {
		moved, what = slices.Concat(since.In, since.Out), "what arrived"
		slices.Sort(moved)
	}
	set, err := query.Parse(numbers(moved))
	switch {
	case len(moved) > 0 && strings.Count(set.String(), "#") > maxOnly:
		return what + " moved " + plain.Count(len(moved), "item") + ", too many for a filter; is:out shows all that are out"
	case err != nil:
		return err.Error()
	case len(moved) == 0:
		return what + " brought nothing in and took nothing out"
	}
	p.only = only{set: set, since: sinceStart, side: p.app.Side(), at: exp.Changes()}
	p.app.SetList(set)
	if follows { // say which of the two lists this is
		p.app.Say(what + " moved these" + p.onlyText(exp, p.app.Side()))
	}
	return ""
}

// onlyMoved reports whether the table shows what was moved, and no more.
func (p *View) onlyMoved() bool {
	return !p.only.set.IsZero() && p.app.Filter().String() == p.only.set.String()
}

// onlyText says in the title which of the two lists is shown and where D leads; "" if neither is.
func (p *View) onlyText(exp *experiment.Experiment, side experiment.Side) string {
	_, follows := exp.Since(side)
	switch {
	case !p.onlyMoved():
		return ""
	case p.only.at != exp.Changes():
		return ", of an earlier step, D: " + p.movedHint()
	case p.only.since:
		return " since the start, D: all again"
	case follows:
		return ", D: all since the start"
	}
	return ", D: all again"
}

// movedBy returns what the newest change moved on a side, ascending.
func movedBy(exp *experiment.Experiment, side experiment.Side) []int32 {
	im, ok := lastImpact(exp, side)
	if !ok {
		return nil
	}
	moved := slices.Concat(im.In, im.Out)
	for _, r := range im.Resized {
		moved = append(moved, r.Item)
	}
	slices.Sort(moved)
	return slices.Compact(moved)
}

// numbers writes ascending items as a filter: "#14 #16 #20-22".
func numbers(items []int32) string {
	var terms []string
	for k := 0; k < len(items); {
		first, next := items[k], k+1
		for next < len(items) && items[next] == items[next-1]+1 {
			next++
		}
		term := "#" + strconv.Itoa(int(first))
		if last := items[next-1]; last > first {
			term += "-" + strconv.Itoa(int(last))
		}
		terms, k = append(terms, term), next
	}
	return strings.Join(terms, " ")
}
