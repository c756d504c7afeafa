package replay

import (
	"cmp"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// differs reports whether an item is in on one side only. It is false while either result is
// not known.
func (p *View) differs(item int) bool {
	return p.of != nil && p.other.of != nil && len(p.of.Report.Codes) == len(p.other.of.Report.Codes) &&
		p.of.Report.In(item) != p.other.of.Report.In(item)
}

// nextDifference goes to the next step on an item that one side takes and the other does
// not, after the last one to the first, and the other side to its step on that item. It returns why
// there is none, or "".
func (p *View) nextDifference(dir int) string {
	p.Leave()
	from, n := p.Cursor(), len(p.steps)
	for by := 1; by < n; by++ {
		k := (from + dir*by + n) % n
		if i := int(p.steps[k].Item); i >= 0 && p.differs(i) {
			p.List.To(k)
			p.shared = k + 1
			if (k-from)*dir < 0 {
				p.app.Say("round again, to the " + [...]string{"last", "", "first"}[dir+1] + " difference")
			}
			return ""
		}
	}
	return "no other item is taken by only one side"
}

// parting holds what only one of two sides takes, by side.
type parting struct {
	of     [2]*model.Report
	items  [2][]int32
	tokens [2]model.Tokens
	value  [2]float64
}

// part finds what only one side takes. It returns false while either result is not known.
func (p *View) part() bool {
	if !p.ready() || !p.other.ready() || len(p.of.Report.Codes) != len(p.other.of.Report.Codes) {
		return false
	}
	side, reports := p.app.Side(), [2]*model.Report{}
	reports[side], reports[side.Other()] = p.of.Report, p.other.of.Report
	if p.parts.of == reports {
		return true
	}
	p.parts = parting{of: reports}
	for i := range reports[0].Codes {
		a, b := reports[0].In(i), reports[1].In(i)
		if a == b {
			continue
		}
		only := experiment.A
		if b {
			only = experiment.B
		}
		p.parts.items[only] = append(p.parts.items[only], int32(i))
		p.parts.tokens[only] += reports[only].Taken(i)
	}
	c := simulate.Compare(reports[0], reports[1])
	a, b := widget.Apart(reports[0], reports[1], &c)
	p.parts.value = [2]float64{a[0], b[0]}
	return true
}

// parted returns where both sides part: a line a side, or one for both if brief. Until the replay
// ends or is brought to a difference it says how they go through the items, so that nothing is told
// before it happens.
func (p *View) parted(f *widget.Frame, width int, brief bool) [][]draw.Span {
	if same := widget.SamePolicy(f.Exp.Setup()); same != "" {
		return [][]draw.Span{{{Text: same + "."}}}
	}
	if !p.part() {
		return [][]draw.Span{nil}
	}
	only := func(side experiment.Side, room int) []draw.Span {
		items, head := p.parts.items[side], "Only "+side.String()+": "
		if !brief {
			head += plain.Count(len(items), "item") + ", " + f.Sum(p.parts.tokens[side]) + " tok, value " + f.About() + widget.Value(p.parts.value[side]) + "  "
		}
		names := "nothing"
		if len(items) > 0 {
			names = cmp.Or(widget.Indexes(items, room-len(head)), plain.Count(len(items), "item"))
		}
		return []draw.Span{{Text: head, Role: widget.SideRole(side)}, {Text: names, Role: theme.Strong}}
	}
	switch {
	case !p.AtEnd() && p.shared == 0 && p.Steps() > 0 && p.other.Steps() > 0:
		a, b := p, p.other
		if p.app.Side() == experiment.B {
			a, b = b, a
		}
		longA, shortA := a.goes()
		longB, shortB := b.goes()
		if !brief {
			return [][]draw.Span{{{Text: "A " + longA + "."}}, {{Text: "B " + longB + "."}}}
		}
		return [][]draw.Span{{{Text: widget.Fitting(width, "A "+longA+"; B "+longB+".", "A "+shortA+"; B "+shortB+".")}}}
	case len(p.parts.items[0])+len(p.parts.items[1]) == 0:
		return [][]draw.Span{{{Text: "A and B take the same items."}}}
	case brief:
		both := func(room int) []draw.Span {
			return slices.Concat(only(experiment.A, room), []draw.Span{{Text: "   "}}, only(experiment.B, room))
		}
		return [][]draw.Span{draw.FirstThatFits(width, both(width), both(width/2-2))}
	}
	return [][]draw.Span{only(experiment.A, width), only(experiment.B, width)}
}

// goes returns how the steps go through the items, at length and in a few words.
func (p *View) goes() (long, short string) {
	o := p.of.Policy
	order := o.Slicer.Order()
	switch {
	case p.hasTable():
		return "has filled its table and reads it back, the lowest score first", "reads its table back"
	case len(o.Quotas)+len(o.CountQuotas) > 0:
		short = "follows its quotas"
	case order == model.OrderByDensity:
		return "takes the highest score per token first", "takes the densest first"
	case order == model.OrderByScore:
		short = "takes the highest score first"
	default:
		short = "takes items as they come"
	}
	return short, short
}

// toldBeside returns which side takes the item of the step and at what price, and at the last step
// which side is worth more and why; in forms from long to short.
func (p *View) toldBeside(f *widget.Frame) []string {
	if p.Steps() == 0 || p.other.Steps() == 0 {
		return []string{""}
	}
	if p.AtEnd() {
		won := p.verdict(f)
		if _, wins := p.why.Winner(); wins {
			why, because := p.why.Because(f, "")
			return []string{won + ": " + why, won + ": " + because + ".", won + "."}
		}
		return []string{won + "."}
	}
	i, ok := p.Selected()
	said := fmt.Sprintf("Both leave #%d out", i)
	switch {
	case !ok:
		return []string{"n goes to the first item that only one side takes."}
	case p.differs(i):
		said = p.onlyOne(f, i)
	case p.of.Report.In(i):
		said = fmt.Sprintf("Both take #%d", i)
	}
	return []string{said + "; n goes to the next difference.", said + "."}
}

// onlyOne returns which side takes an item that the other leaves out, and at what price.
func (p *View) onlyOne(f *widget.Frame, item int) string {
	takes, report := p.app.Side(), p.of.Report
	if !report.In(item) {
		takes, report = takes.Other(), p.other.of.Report
	}
	return fmt.Sprintf("Only %v takes #%d (%s tok, value %s)", takes, item, f.Sum(report.Taken(item)), f.About()+widget.Score(report.Scores[item], 5))
}
