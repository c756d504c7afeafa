package items

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"cupelscope/model"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// grouping is what the items of a group have in common.
type grouping int

const (
	ungrouped grouping = iota
	byKind
	byTool
	byFile
	groupings
)

func (g grouping) String() string { return [...]string{"", "kind", "tool or server", "file"}[g] }

// of returns the name of the group that an item is in.
func (g grouping) of(items *model.Set, i int) string {
	it := items.Loaded(i)
	switch g {
	case byKind:
		return it.Kind.Noun()
	case byTool:
		tool := items.Tool(i)
		if server, ok := strings.CutPrefix(tool, "mcp__"); ok { // mcp__server__tool
			server, _, _ = strings.Cut(server, "__")
			return "server " + server
		}
		return cmp.Or(tool, "no tool")
	default:
		return cmp.Or(it.Origin(), "no file")
	}
}

// tree is the table in groups, each of which can be folded. The rows of a group are in the
// order of the list.
type tree struct {
	widget.List // of lines
	by          grouping
	lines       []line
	groups      []group // the largest first
	label, sum  int     // cells of the widest label and value
	most        int     // items of the largest by number
	next        grouping
	open        map[string]bool
	of          made
}

// line is the heading of a group, or an item in it.
type line struct{ group, item int } // item is -1 in a heading

// group is what the items with one name have together; of the items that are in also how many are
// scored, and the sum of their scores.
type group struct {
	name         string
	items        []int32
	in, scored   int
	taken, whole model.Tokens // by what is in, and of all
	value        float64      // as it is shown: the values of all add up
}

func (g *group) add(o *experiment.Outcome, report *model.Report, i int32) {
	tokens := o.Items.Tokens(int(i))
	g.items, g.whole = append(g.items, i), g.whole+tokens
	if report == nil || !report.In(int(i)) {
		return
	}
	g.in++
	if report.Shrunk(int(i)) {
		tokens = report.Taken(int(i))
	}
	g.taken += tokens
	if report.Codes[i] != model.Pinned {
		g.scored, g.value = g.scored+1, g.value+report.Scores[i]*report.Share(int(i))
	}
}

// made is what the groups were made from.
type made struct {
	by      grouping
	version int
	report  *model.Report
}

// cursor returns the list that keys move in.
func (p *View) cursor() *widget.List {
	if p.tree.by == ungrouped {
		return &p.ItemList.List
	}
	return &p.tree.List
}

// Move, Page, Top and Bottom move among the items, or among the lines of the groups.

func (p *View) Move(by int)  { p.cursor().Move(by) }
func (p *View) Page(dir int) { p.cursor().Page(dir) }
func (p *View) Top()         { p.cursor().Top() }
func (p *View) Bottom()      { p.cursor().Bottom() }

// Selected returns the item under the cursor, or false on the heading of a group.
func (p *View) Selected() (int, bool) {
	if p.tree.by == ungrouped {
		return p.ItemList.Selected()
	}
	return p.tree.selected()
}

func (t *tree) selected() (int, bool) {
	if t.Cursor() >= len(t.lines) || t.lines[t.Cursor()].item < 0 {
		return 0, false
	}
	return t.lines[t.Cursor()].item, true
}

// Select puts the cursor on an item, and opens its group. It returns false if the filter
// hides the item.
func (p *View) Select(item int) bool {
	shown := p.ItemList.Select(item)
	if p.tree.by == ungrouped || !shown {
		return shown
	}
	k := slices.IndexFunc(p.tree.groups, func(g group) bool { return slices.Contains(g.items, int32(item)) })
	if k < 0 {
		return false
	}
	p.tree.open[p.tree.groups[k].name] = true
	p.tree.fill()
	p.tree.to(func(l line) bool { return l.item == item })
	return true
}

// to puts the cursor on the first line for which is returns true. It returns false if there is
// none.
func (t *tree) to(is func(l line) bool) bool {
	at := slices.IndexFunc(t.lines, is)
	if at >= 0 {
		t.To(at)
	}
	return at >= 0
}

// next returns the grouping after g that makes several groups of the items, or else none.
func (g grouping) next(items *model.Set) grouping {
	for g = (g + 1) % groupings; g != ungrouped; g = (g + 1) % groupings {
		for i := 1; i < items.Len(); i++ {
			if g.of(items, i) != g.of(items, 0) {
				return g
			}
		}
	}
	return ungrouped
}

// divide goes to the next grouping, with all groups folded. It returns why it cannot, or "".
func (p *View) divide() string {
	was := p.tree.by
	item, on := p.Selected()
	p.tree = tree{by: was.next(p.app.Experiment().Items()), open: map[string]bool{}}
	if p.tree.by == was {
		return "all items are of one kind, one tool and one file: there is nothing to divide them by"
	}
	if on {
		p.ItemList.Select(item)
	}
	p.group(p.app.Experiment(), p.app.Side())
	if on {
		p.tree.to(func(l line) bool { return slices.Contains(p.tree.groups[l.group].items, int32(item)) })
	}
	return ""
}

// fold opens or closes the group whose heading is under the cursor, as screen.Spec says.
func (p *View) fold() (hint string, fold func()) {
	t, g := &p.tree, p.tree.heading()
	if g == nil {
		return "", nil
	}
	hint = "open"
	if t.open[g.name] {
		hint = "fold"
	}
	return hint, func() {
		t.open[g.name] = !t.open[g.name]
		t.fill()
	}
}

// unfolded reports whether items have rows, which have headings of their own.
func (t *tree) unfolded() bool { return len(t.lines) > len(t.groups) }

// heading returns the group whose heading is under the cursor, nil if none is.
func (t *tree) heading() *group {
	if t.by == ungrouped || t.Cursor() >= len(t.lines) || t.lines[t.Cursor()].item >= 0 {
		return nil
	}
	return &t.groups[t.lines[t.Cursor()].group]
}

// group makes the groups anew if the rows or the result have changed. The cursor stays on its
// item or its group.
func (p *View) group(exp *experiment.Experiment, side experiment.Side) {
	t := &p.tree
	o, _ := exp.Listable(side)
	switch {
	case t.by == ungrouped:
		return
	case o == nil: // no result yet: the lines are of other items, if there are any
		t.groups, t.of = nil, made{}
		t.fill()
		return
	}
	var report *model.Report
	if exp.Result(side) != nil {
		report = exp.Result(side).Report
	}
	of := made{t.by, p.Version(), report}
	if of == t.of {
		return
	}
	t.of = of
	item, on := t.selected()
	name := ""
	if t.Cursor() < len(t.lines) {
		name = t.groups[t.lines[t.Cursor()].group].name
	}
	t.groups, t.next = nil, t.by.next(o.Items)
	at := map[string]int{}
	for _, i := range p.Rows() {
		name := t.by.of(o.Items, int(i))
		k, known := at[name]
		if !known {
			k = len(t.groups)
			at[name] = k
			t.groups = append(t.groups, group{name: name})
		}
		t.groups[k].add(o, report, i)
	}
	all, values := 0.0, make([]float64, len(t.groups))
	for k, g := range t.groups {
		all, values[k] = all+g.value, g.value
	}
	values = widget.Parts(all, values...)
	t.label, t.sum, t.most = 0, 0, 0
	for k := range t.groups {
		g := &t.groups[k]
		g.value = values[k]
		t.label, t.sum, t.most = max(t.label, draw.Width(g.label())), max(t.sum, len(widget.Value(g.value))), max(t.most, len(g.items))
	}
	sort.SliceStable(t.groups, func(i, j int) bool { return t.groups[i].whole > t.groups[j].whole })
	t.fill()
	if !on || !t.to(func(l line) bool { return l.item == item }) {
		t.to(func(l line) bool { return t.groups[l.group].name == name })
	}
}

// fill lists the headings and the items of the groups that are open.
func (t *tree) fill() {
	t.lines = t.lines[:0]
	for k, g := range t.groups {
		t.lines = append(t.lines, line{k, -1})
		if t.open[g.name] {
			for _, i := range g.items {
				t.lines = append(t.lines, line{k, int(i)})
			}
		}
	}
	t.SetLen(len(t.lines))
}

// at returns the item of a row, or the group whose heading it is.
func (p *View) at(row int) (item int, heading *group) {
	if p.tree.by == ungrouped {
		return int(p.Rows()[row]), nil
	}
	l := p.tree.lines[row]
	if l.item >= 0 {
		return l.item, nil
	}
	return -1, &p.tree.groups[l.group]
}

// between returns the items of the rows from first to end-1.
func (p *View) between(first, end int) []int32 {
	if p.tree.by == ungrouped {
		return p.Rows()[first:end]
	}
	var items []int32
	for row := first; row < end; row++ {
		if i, heading := p.at(row); heading == nil {
			items = append(items, int32(i))
		}
	}
	return items
}

// all returns the items of the group whose heading is under the cursor, or all of the table.
func (p *View) all() []int32 {
	if g := p.tree.heading(); g != nil {
		return g.items
	}
	return p.Rows()
}

// groupHint returns where the key leads from groups.
func (p *View) groupHint() string {
	switch {
	case p.tree.by == ungrouped:
		return ""
	case p.tree.next == ungrouped:
		return "no groups"
	}
	return "by " + p.tree.next.String()
}
