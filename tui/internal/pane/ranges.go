package pane

import (
	"cmp"
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// ranges is the picture of the budgets at which an item is in: from the least of them to the
// budget from which on it stays in.
type ranges struct {
	simulate.Summary
	lo, hi model.Tokens               // the budgets of the picture
	marks  []rangeMark                // the most important first
	search model.Option[model.Tokens] // what Cupel's search finds, where no other mark is there
}

// rangeMark is a budget with a name.
type rangeMark struct {
	at   model.Tokens
	text string
	role theme.Role
}

// drawRanges draws the budgets at which an item is in, on a linear axis cut to where it
// comes and goes: names of budgets, a strip and the axis, as many of these as there is room
// for. Told adds what the opened item also tells: a sentence, and where Cupel's search errs.
// For a duplicate it draws the budgets of the item that it repeats, with its number. It returns
// how many rows that takes, and what is not told of an item that comes and goes, the longest form first.
func drawRanges(f *widget.Frame, r draw.Rect, item int, told bool) (rows int, untold []string) {
	survivor := f.Out.Report.Survivor(item)
	p, ok := rangesOf(f, survivor, r.W-1)
	if !ok || r.H < 2 {
		if r.H > 0 {
			f.Spans(r.X, r.Y, r.W, draw.FirstThatFits(r.W, sentences(f, item)...)...)
		}
		return min(1, r.H), nil
	}
	if told && p.search.Set {
		p.marks = append(p.marks, rangeMark{p.search.Value, widget.BinarySearch, theme.Plain})
		if last := len(p.marks) - 1; p.marks[last-1].role == theme.StripHere { // which is least important there
			p.marks[last-1], p.marks[last] = p.marks[last], p.marks[last-1]
		}
	}
	if survivor != item {
		for k := range p.marks {
			if m := &p.marks[k]; m.text != "budget" {
				m.text = "#" + strconv.Itoa(survivor) + " " + m.text
			}
		}
	}
	named := p.drawMarks(f, draw.Rect{X: r.X, Y: r.Y, W: r.W - 1, H: 1 + min(1, (r.H-2)/2)}, draw.NewEvenScale(p.lo, p.hi, r.W-1))
	scale, here := p.strip(f, draw.Rect{X: r.X, Y: r.Y + named, W: r.W - 1, H: 1}, item)
	rows = named + 1
	if !told && rows < r.H || rows < r.H-2 {
		now, name := f.Exp.Setup().Budget.MaxTokens, draw.RulerName{Alone: true}
		if !told && p.search.Set {
			found := " " + f.BudgetText(p.search.Value)
			name.Column, name.Forms = scale.Column(p.search.Value), []string{widget.BinarySearch + found, "search" + found}
		}
		if f.Ruler(r.Row(rows), scale, here, []string{now.String(), now.Short()}, theme.Dim, scale.Text(), 0, 0, name) {
			p.search.Set = false
		}
		rows++
	}
	if !told {
		return rows, p.untold(f)
	}
	f.Text(r.X, r.Y+rows, r.W, p.sentence(f), theme.Dim)
	rows++
	if p.search.Set {
		misses := "misses " + f.BudgetText(p.FirstWhole.Value)
		f.Text(r.X, r.Y+rows, r.W, widget.Fitting(r.W, widget.BinarySearch+" assumes that what is in stays in, and "+misses, widget.BinarySearch+" "+misses), theme.Dim)
		rows++
	}
	return rows, nil
}

// minLineStrip is the least width of a strip between two budgets.
const minLineStrip = 10

// drawRangesLine draws in one row the strip of drawRanges between the budgets where the item is first
// in and where it stays, or says these where there is no room for it.
func drawRangesLine(f *widget.Frame, r draw.Rect, item int) {
	survivor := f.Out.Report.Survivor(item)
	p, ok := rangesOf(f, survivor, r.W)
	left, right := "first in "+f.BudgetText(p.FirstIn.Value)+" ", " stays at none"
	if p.StaysFrom.Set {
		right = " " + plain.StaysFrom + " " + f.BudgetText(p.StaysFrom.Value)
		if p.StaysFrom == p.FirstIn {
			left, right = "in from "+f.BudgetText(p.FirstIn.Value)+" ", ""
		}
	}
	if survivor != item {
		left = "#" + strconv.Itoa(survivor) + " " + left
	}
	strip := draw.Rect{X: r.X + draw.Width(left), Y: r.Y, W: r.W - draw.Width(left+right), H: 1}
	if !ok || strip.W < minLineStrip {
		f.Spans(r.X, r.Y, r.W, draw.FirstThatFits(r.W, sentences(f, item)...)...)
		return
	}
	f.Text(r.X, r.Y, r.W, left, theme.Plain)
	p.strip(f, strip, item)
	f.Right(r.X, r.Y, r.W, right, theme.Plain)
}

// strip draws the strip of an item, and returns its scale and the column of the current budget, -1
// if that is beyond it.
func (p *ranges) strip(f *widget.Frame, r draw.Rect, item int) (scale draw.Scale, here int) {
	scale = draw.NewEvenScale(p.lo, p.hi, r.W)
	here = f.Here(scale, nil)
	f.ItemStrip(r, widget.StripLevels(f.Out.Profile, scale, f.Out.Report.Survivor(item)), here, item)
	return scale, here
}

// farAway is when the picture leaves the current budget out: when it would be that many times
// as wide as the ranges of the item, or as the one budget from which on it is in.
const farAway = 12

// rangesOf returns what the picture of an item shows in so many cells; false if the item is in at no
// budget or at all of them.
func rangesOf(f *widget.Frame, item, cells int) (ranges, bool) {
	if widget.NeverIn(f.Out.Items, item) != "" || f.Out.Items.Pinned(item) {
		return ranges{}, false
	}
	profile := f.Out.Profile
	p := ranges{Summary: profile.Summary(item)}
	if !p.FirstIn.Set {
		return ranges{}, false
	}
	end, now := profile.Axis().End(), f.Exp.Setup().Budget.MaxTokens
	first, last := p.FirstIn.Value, end
	p.marks = append(p.marks, rangeMark{now, "budget", theme.StripHere}, rangeMark{first, "first in", theme.Plain})
	if p.StaysFrom.Set {
		if last = p.StaysFrom.Value; last == first {
			p.marks[1].text = "first in and " + plain.StaysFrom
		} else {
			p.marks = append(p.marks, rangeMark{last, plain.StaysFrom, theme.Plain})
		}
	}
	p.lo, p.hi = first, last
	p.sizeMarks(f, item)
	wide := cmp.Or(p.hi-p.lo, p.hi)
	if lo, hi := min(p.lo, now), max(p.hi, now); (hi-lo)/farAway < wide {
		p.lo, p.hi = lo, hi
	}
	span := p.hi - p.lo
	// At least a twentieth of the budgets: numbers that lie closer are the same when shortened. And no
	// fewer than there are cells, where there are as many.
	margin := max(1, span/10, (p.hi/20-span)/2, (model.Tokens(cells)-span)/2)
	p.lo, p.hi = max(1, p.lo-margin), min(end, p.hi+margin)
	got, err := f.Out.Search(item)
	if err == nil && got.Set && got != p.FirstWhole && got.Value != last && got.Value >= p.lo && got.Value <= p.hi {
		p.search = got
	}
	if now < p.lo || now > p.hi {
		p.marks = append(p.marks[1:], p.marks[0]) // the current budget is least important
	}
	return p, true
}

// sizeMarks marks the least budget of each size of an item that may be cut, in place of the
// budgets where it is first in and stays.
func (p *ranges) sizeMarks(f *widget.Frame, item int) {
	sizes := f.Out.Items.Sizes(item)
	if len(sizes) == 0 {
		return
	}
	p.marks = p.marks[:1]
	for size := range len(sizes) + 1 {
		bands := f.Out.Profile.SizeBands(nil, item, size)
		if len(bands) == 0 {
			continue
		}
		at := bands[0].From
		p.lo, p.hi = min(p.lo, at), max(p.hi, at)
		p.marks = append(p.marks, rangeMark{at, export.SizeName(f.Out.Items, item, size) + " at", theme.Plain})
	}
}

// drawMarks writes the names of the budgets at their columns. A name that would cover another
// moves to the next row; if there is none, it is left out. It returns how many rows it took.
func (p *ranges) drawMarks(f *widget.Frame, r draw.Rect, scale draw.Scale) (rows int) {
	taken := make([][]bool, r.H)
	for y := range taken {
		taken[y] = make([]bool, r.W+1)
	}
	rows = 1
	for _, m := range p.marks {
		x := scale.Column(m.at)
		text := m.text + " " + f.BudgetText(m.at)
		switch {
		case m.text != "budget":
		case m.at < p.lo:
			text = "budget " + f.BudgetText(m.at) + " is below"
		case m.at > p.hi:
			text = "budget " + f.BudgetText(m.at) + " is above"
		default:
			text = string(f.Glyphs().StripHere) + " budget"
		}
		width := draw.Width(text)
		left := x
		if left+width > r.W {
			left = max(0, x+1-width)
		}
		for y := range taken {
			span := taken[y][left:min(r.W, left+width+1)]
			if slices.Contains(span, true) {
				continue
			}
			for k := range span {
				span[k] = true
			}
			f.Text(r.X+left, r.Y+y, r.W-left, text, m.role)
			rows = max(rows, y+1)
			break
		}
	}
	return rows
}

// sentence says in words at how many budgets the item is in.
func (p *ranges) sentence(f *widget.Frame) string {
	first, end := f.BudgetText(p.FirstIn.Value), f.Out.Profile.Axis().End()
	text := plain.Count(p.Ranges, "range") + ": in at " + plain.Percent(p.Share) + " of the budgets from " + first + " to " + f.BudgetText(p.StaysFrom.Or(end+1)-1)
	switch {
	case p.StaysFrom.Set && p.Ranges == 1:
		text = "in at every budget from " + first + " to " + f.BudgetText(end)
	case !p.StaysFrom.Set:
		text += ", and out at the last of them"
	}
	return text
}

// untold returns the sentence and shorter forms of it, with the answer of the search where that has
// no mark; nil for an item that does not come and go.
func (p *ranges) untold(f *widget.Frame) []string {
	if p.Ranges < 2 {
		return nil
	}
	text, ranges := p.sentence(f), plain.Count(p.Ranges, "range")
	share := ranges + ", in at " + plain.Percent(p.Share)
	if p.search.Set {
		search := "search " + f.BudgetText(p.search.Value)
		if p.FirstWhole != p.FirstIn {
			return []string{text + ", whole by binary " + search, share}
		}
		return []string{text + ", binary " + search, ranges + ", " + search}
	}
	return []string{text, share}
}
