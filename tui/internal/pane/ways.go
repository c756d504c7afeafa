package pane

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// Ways finds what the knobs do to the item that is open: the nearest value of each that
// brings it in, or between which values it stays in. It tries every value of every number of
// the policy and the budget, one number after the other. These results are of all items and
// stay until the setup changes. For an item that is out it then tries wayEdits, open or not.
type Ways struct {
	OverKnobs // the first of All is the budget, which has its profile
	sizer     experiment.Sizer

	item   int // that is open or selected
	open   bool
	edited int // how many of wayEdits were tried
	edits  []Way
	late   []string // the names of edits that take too long
	list   []Way
	listed bool // list is known
}

// Way is a value of a knob or an edit with which an item is in, and what else changes then.
type Way struct {
	Knob    experiment.Knob
	Number  model.Option[model.Number] // unset for the budget
	To      float64
	Edit    *Edit   // in place of a knob; nil: none
	In, Out []int32 // other items
	Resized []experiment.Resize
}

// editKey is the key of a job that tries an edit, which may take MaxWayTime too.
type editKey struct {
	of       *experiment.Outcome
	item, at int
}

const maxUnaskedItems = 2_000

// Arrange sets the outcome, the item and whether it is open, what makes cuts, and the knobs of
// the setup and its side. A nil outcome asks nothing. For an item that is not open, nothing is
// tried if it is in, or if there are more than maxUnaskedItems; what was tried for another
// item stays.
func (w *Ways) Arrange(out *experiment.Outcome, item int, open bool, sizer experiment.Sizer, knobs func() []experiment.Knob) {
	if out == nil || out.Report == nil || !open && w.Out != out && out.Items.Len() > maxUnaskedItems {
		*w = Ways{}
		return
	}
	if w.Out == out {
		w.open = open
		if w.item != item {
			w.item, w.edited, w.edits, w.late, w.list, w.listed = item, 0, nil, nil, nil, false
		}
		return
	}
	listed := knobs()
	*w = Ways{OverKnobs: NewOverKnobs(out, listed), sizer: sizer, item: item, open: open}
	at := slices.IndexFunc(listed, func(k experiment.Knob) bool { return k.ID == experiment.MaxTokens })
	w.All = append([]OverKnob{{Knob: listed[at]}}, w.All...)
	w.Tried = 1 // the profile has all budgets
}

// Job returns the work of trying the next number or edit, for which no one waits.
func (w *Ways) Job() (work.Job, bool) {
	if !w.Trying() || !w.asked() {
		return work.Job{}, false
	}
	if job, due := w.OverKnobs.Job(); due {
		return job, true
	}
	out, sizer, item, edit := w.Out, w.sizer, w.item, wayEdits[w.edited]
	return work.Job{Key: editKey{out, item, w.edited}, CanWait: true, Limit: MaxWayTime, Run: work.Pass(func(ctx context.Context) (*Way, error) {
		return edit.try(ctx, out, sizer, item)
	}, func(way *Way, err error) {
		w.edited++
		switch {
		case work.TooLong(err):
			w.late = append(w.late, edit.name)
		case err == nil && way != nil:
			w.edits = append(w.edits, *way)
		}
	})}, true
}

// Of returns the ways that bring an item in, first those that change least besides; none for
// an item that is in, or before all is tried, so that the list stays as it is.
func (w *Ways) Of(out *experiment.Outcome, item int) []Way {
	if w == nil || w.Out == nil || w.Out != out || w.item != item || w.Trying() || !w.isOut() {
		return nil
	}
	if w.listed {
		return w.list
	}
	w.listed = true
	item = out.Report.Survivor(item)
	for _, k := range w.All {
		way := Way{Knob: k.Knob}
		switch {
		case k.Knob.ID == experiment.MaxTokens:
			if !w.byBudget(&way, item) {
				continue
			}
		case k.Over == nil:
			continue
		default:
			found := k.Over.Bring(item, k.Number.Value)
			if len(found) == 0 {
				continue
			}
			near := found[0]
			way.Number, way.To, way.In, way.Out = model.Some(k.Number), near.From, near.In, near.Out
			way.Resized = experiment.ResizesOver(k.Over, w.Out.Items, near.Resized, k.Over.At(k.Number.Value), k.Over.At(near.From))
		}
		w.list = append(w.list, way)
	}
	w.list = append(w.list, w.edits...)
	for k := range w.list {
		way := &w.list[k]
		way.In = slices.DeleteFunc(slices.Clone(way.In), func(i int32) bool { return int(i) == item || int(i) == w.item })
	}
	sort.SliceStable(w.list, func(i, j int) bool {
		a, b := w.list[i], w.list[j]
		return cmp.Or(cmp.Compare(a.changes(), b.changes()), cmp.Compare(len(a.Out), len(b.Out)), cmp.Compare(a.far(), b.far())) < 0
	})
	return w.list
}

// Trying reports whether numbers or edits are still to be tried.
func (w *Ways) Trying() bool {
	return w != nil && w.Out != nil && (w.Tried < len(w.All) || w.isOut() && w.edited < len(wayEdits))
}

// asked reports whether anything is to be tried for the item.
func (w *Ways) asked() bool {
	return w != nil && w.Out != nil && (w.open || w.Out.Items.Len() <= maxUnaskedItems && w.isOut())
}

// isOut reports whether the item competes and is out.
func (w *Ways) isOut() bool {
	return competes(w.Out, w.item) && !w.Out.Report.In(w.Out.Report.Survivor(w.item))
}

// competes reports whether an item, or the item that it repeats, is a candidate.
func competes(out *experiment.Outcome, item int) bool {
	if item >= len(out.Report.Codes) {
		return false
	}
	_, ok := out.Ranking.Position(out.Report.Survivor(item))
	return ok
}

// changes returns how many other items come in, go out or change their size.
func (w Way) changes() int { return len(w.In) + len(w.Out) + len(w.Resized) }

// far returns by how much the value changes, as a part of the larger value; 1 for an edit.
func (w Way) far() float64 {
	if w.Edit != nil {
		return 1
	}
	now := w.Knob.Number.Value
	return math.Abs(w.To-now) / max(w.To, now)
}

// shrinks reports whether the way makes the room smaller, in which another item no longer fits.
func (w Way) shrinks() bool {
	n := w.Number.Value
	return w.Number.Set && n.OfBudget && w.To > n.Value != (n.Field == model.FieldTargetTokens)
}

// byBudget sets the way to the nearest budget at which the item is in. It returns false if
// there is none.
func (w *Ways) byBudget(way *Way, item int) bool {
	now := w.Out.Report.Budget.MaxTokens()
	below, above, _ := w.Out.Profile.Nearest(item, now)
	to := above
	if below.Set && (!above.Set || now-below.Value < above.Value-now) {
		to = below
	}
	budget, err := w.Out.Report.Budget.At(to.Value)
	if !to.Set || err != nil {
		return false
	}
	report, err := w.Out.Profile.Report(budget)
	if err != nil {
		return false
	}
	way.To = float64(to.Value)
	way.In, way.Out = simulate.Diff(w.Out.Report, report)
	way.Resized = experiment.Resized(w.Out.Report, report)
	return true
}

// Text returns which value the way sets: "recency weight 3 → 22.187".
func (w Way) Text(g *theme.Glyphs) string {
	switch {
	case w.Edit == nil:
	case w.Edit.Label.To == "":
		return w.Edit.Label.Name
	default:
		return w.Edit.Label.Name + " " + w.Edit.Label.From + " " + g.Arrow + " " + w.Edit.Label.To
	}
	return w.name() + " " + w.value(w.Knob.Number.Value) + " " + g.Arrow + " " + w.value(w.To)
}

func (w Way) name() string {
	return widget.CleanName(w.Knob.Called())
}

func (w Way) value(v float64) string {
	if w.Number.Set {
		return OverKnob{Knob: w.Knob, Number: w.Number.Value}.Text(v)
	}
	return model.Tokens(v).String()
}

// Lines returns the lines about the item: the ways that bring it in, with a mark at one of
// them, or where it stays in. Marked is the line of that way, -1 if there is none.
func (w *Ways) Lines(f *widget.Frame, item, way, width int) (lines [][]draw.Span, marked int) {
	marked = -1
	if w == nil || w.Out == nil || w.Out != f.Out || w.item != item || !competes(w.Out, item) {
		return nil, marked
	}
	if w.Trying() {
		all := len(w.All)
		if w.isOut() {
			all += len(wayEdits)
		}
		state := f.Spin() + "tried " + plain.Thousands(w.Tried+w.edited) + " of " + plain.Count(all, "knob") + f.Glyphs().Ellipsis
		return draw.Paragraph(width, draw.Span{Text: "how far each knob can move: " + state, Role: theme.Dim}), marked
	}
	if w.Out.Report.In(w.Out.Report.Survivor(item)) {
		return w.stays(f.Glyphs(), item, width), marked
	}
	list := w.Of(w.Out, item)
	head := plain.Count(len(list), "way") + " to have #" + strconv.Itoa(w.Out.Report.Survivor(item)) + " in, the least other change first:"
	if len(list) == 0 {
		head = "nothing that was tried brings it in"
	}
	lines = draw.Paragraph(width, draw.Span{Text: head, Role: theme.Dim})
	column := 0
	for _, one := range list {
		column = max(column, draw.Width(one.Text(f.Glyphs())))
	}
	column = min(column, width*2/3)
	for k, one := range list {
		mark := draw.Span{Text: "  "}
		if k == min(way, len(list)-1) {
			mark, marked = draw.Span{Text: string(f.Glyphs().Cursor) + " ", Role: theme.Focus}, len(lines)
		}
		text := draw.Fit(one.Text(f.Glyphs()), column, f.Glyphs())
		line := []draw.Span{mark, {Text: text + strings.Repeat(" ", max(0, column-draw.Width(text))+2)}}
		if one.changes() == 0 {
			line = append(line, draw.Span{Text: widget.NoOtherMoves, Role: theme.Dim})
		} else {
			line = append(line, widget.ChangeSpans(f.Glyphs(), one.In, one.Out, one.Resized, width-column-4)...)
		}
		lines = append(lines, line)
	}
	note := func(text string, of func(Way) bool) {
		if slices.ContainsFunc(list, of) {
			lines = append(lines, draw.Paragraph(width, draw.Span{Text: text, Role: theme.Dim})...)
		}
	}
	note("shrink, which is not Cupel's, tries "+strings.Join(plain.Texts(cuts[:], model.Tokens.String), " ")+": the largest that brings it in", func(one Way) bool { return one.Edit != nil && one.Edit.cuts })
	note("a smaller room can bring it in: an item before it no longer fits, and leaves its tokens", Way.shrinks)
	return append(lines, w.untried(width)...), marked
}

// brief returns how many ways have an item in that is not open; nil if none but one of the budget
// or a pin is known, which the pane names already.
func (w *Ways) brief(f *widget.Frame, item int) []draw.Span {
	if n := len(w.Of(f.Out, item)); n > 1 {
		return []draw.Span{widget.Plain(plain.Count(n, "way") + " to have it in, enter lists them")}
	}
	return nil
}

// untried names the knobs whose values were not all tried.
func (w *Ways) untried(width int) [][]draw.Span {
	names := slices.Clone(w.late)
	for _, k := range w.All {
		if k.Over == nil && k.Knob.ID != experiment.MaxTokens {
			names = append(names, Way{Knob: k.Knob}.name())
		}
	}
	if len(names) == 0 {
		return nil
	}
	return draw.Paragraph(width, draw.Span{Text: "not tried, it takes too long: " + strings.Join(names, ", "), Role: theme.Dim})
}

// maxKnobStrip is the most cells of the strip of a knob's values; under minLineStrip there is none.
const maxKnobStrip = 24

// stays says over which values of each knob an item stays in, while the others keep theirs, and shows
// at which of all its values it is in.
func (w *Ways) stays(g *theme.Glyphs, item, width int) [][]draw.Span {
	item = w.Out.Report.Survivor(item)
	var rows [][3]string
	var over []widget.Over
	var always []string
	for _, k := range w.All {
		way := Way{Knob: k.Knob, Number: model.Some(k.Number)}
		if k.Over == nil {
			continue
		}
		span := ""
		switch from, to := k.Over.Around(item, k.Number.Value); {
		case from.Set && to.Set:
			span = way.value(from.Value) + " to " + way.value(to.Value)
		case from.Set:
			span = "from " + way.value(from.Value)
		case to.Set:
			span = "up to " + way.value(to.Value)
		default:
			always = append(always, way.name())
			continue
		}
		rows = append(rows, [3]string{way.name(), way.value(k.Number.Value), span})
		over = append(over, widget.Over{Items: w.Out.Items, Values: k.Over, Number: k.Number, Now: k.Number.Value})
	}
	var columns [3]int
	for _, row := range rows {
		for c := range columns {
			columns[c] = max(columns[c], draw.Width(row[c]))
		}
	}
	const gaps, now = 2, "now "
	free := width - columns[0] - columns[1] - columns[2] - len(now) - 4*gaps
	ends := [2]int{} // cells of the least and the largest values, beside the strips
	for _, o := range over {
		lo, hi := o.Limits()
		ends = [2]int{max(ends[0], draw.Width(o.Text(lo))+1), max(ends[1], draw.Width(o.Text(hi))+1)}
	}
	if free-ends[0]-ends[1] < minLineStrip {
		ends = [2]int{}
	}
	strip := min(maxKnobStrip, free-ends[0]-ends[1])
	var lines [][]draw.Span
	head := []draw.Span{{Text: "stays in while one knob moves, the others as they are:", Role: theme.Dim}}
	if strip >= minLineStrip {
		head = append(head, draw.Span{Text: "   "}, draw.Span{Text: string(g.Strip[4]), Role: theme.StripIn}, draw.Span{Text: " in  ", Role: theme.Dim},
			draw.Span{Text: string(g.Strip[2]), Role: theme.StripSome}, draw.Span{Text: " in at some", Role: theme.Dim})
	}
	if len(rows) > 0 {
		lines = draw.Paragraph(width, head...)
	}
	for k, row := range rows {
		line := []draw.Span{widget.Plain("  " + row[0] + strings.Repeat(" ", columns[0]-draw.Width(row[0])+gaps))}
		if strip >= minLineStrip {
			scale := over[k].Scale(strip)
			last := strings.Repeat(" ", strip-scale.Columns()+gaps)
			lo, hi := over[k].Limits()
			if ends[0] > 0 {
				line = append(line, draw.Span{Text: fmt.Sprintf("%*s ", ends[0]-1, over[k].Text(lo)), Role: theme.Dim})
				last = fmt.Sprintf(" %-*s%s", ends[1]-1, over[k].Text(hi), last)
			}
			line = append(line, draw.StripSpans(g, over[k].Levels(scale, item), scale.Column(over[k].Here()))...)
			line = append(line, draw.Span{Text: last, Role: theme.Dim})
		}
		lines = append(lines, append(line, draw.Span{Text: now + strings.Repeat(" ", columns[1]-draw.Width(row[1])) + row[1] + "  ", Role: theme.Dim}, widget.Plain(row[2])))
	}
	if len(always) > 0 {
		lines = append(lines, draw.Paragraph(width, widget.Plain("stays in at any "+strings.Join(always, ", ")))...)
	}
	return append(lines, w.untried(width)...)
}
