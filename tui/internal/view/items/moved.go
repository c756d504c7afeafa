package items

import (
	"slices"
	"strconv"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
)

// only is the filter that showMoved has set, and the one that it stands in for.
type only struct{ set, before query.Query }

// maxOnly bounds the stretches of numbers in a filter, which every item is compared with.
const maxOnly = 200

// movedAction is the key that lists what fell out.
func (p *View) movedAction() screen.Action {
	return screen.Action{Name: "items.moved", Keys: []string{"D"}, Text: "only what the last step brought in and took out, or all again", Group: "table",
		Words: "what fell falls out left gone lost dropped came changed", Try: p.showMoved}
}

// showMoved has the table show the items that the newest change brought in, took out or
// left in another size, or what it showed before, whatever step it lists. It returns why it
// cannot, or "".
func (p *View) showMoved() string {
	if p.onlyMoved() {
		p.app.SetFilter(p.only.before)
		return ""
	}
	exp := p.app.Experiment()
	if exp.Changes() == 0 {
		return "nothing was changed yet"
	}
	moved := movedBy(exp, p.app.Side())
	set, err := query.Parse(numbers(moved))
	switch {
	case len(moved) > 0 && strings.Count(set.String(), "#") > maxOnly:
		return "the last step moved " + plain.Count(len(moved), "item") + ", too many for a filter; is:out shows all that are out"
	case err != nil:
		return err.Error()
	case len(moved) == 0:
		return "the last step brought nothing in and took nothing out"
	}
	p.only = only{set: set, before: p.app.Filter()}
	p.app.SetFilter(set)
	return ""
}

// onlyMoved reports whether the table shows what a step moved, and no more.
func (p *View) onlyMoved() bool {
	return !p.only.set.IsZero() && p.app.Filter().String() == p.only.set.String()
}

// movedBy returns what the newest change moved on a side, ascending.
func movedBy(exp *experiment.Experiment, side experiment.Side) []int32 {
	im, ok := exp.Impact()
	if !ok || im.Side != side || im.Pending || im.Err != nil || im.Anew {
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
