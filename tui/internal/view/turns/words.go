package turns

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// headline returns the sentence at the top: how much the plan sends and costs compared
// with sending everything.
func (p *View) headline(f *widget.Frame, width int) []draw.Span {
	t := p.app.Turns()
	c, _, err := t.Course(p.row)
	all, _, _ := t.Course(plans.All)
	switch {
	case c == nil && err != nil:
		return []draw.Span{{Text: plain.Line(p.name(p.row)+": "+err.Error(), width), Role: theme.Error}}
	case (c == nil || all == nil) && p.app.Turns().Stopped():
		return []draw.Span{{Text: p.computing(f), Role: theme.Warn}}
	case c == nil || all == nil:
		return []draw.Span{{Text: f.Spin() + "computing " + plain.Count(p.count(), "request") + f.Glyphs().Ellipsis, Role: theme.Warn}}
	case p.row == plans.All:
		unfit := draw.Span{}
		if over := all.Totals.Over; over > 0 {
			unfit = draw.Span{Text: " (" + plain.Thousands(over) + " of " + plain.Thousands(all.Totals.Requests) + " do not fit)", Role: theme.Warn}
		}
		costs := widget.Plain("Sending everything costs " + p.withUnit(all.Totals.Cost))
		return draw.FirstThatFits(width, []draw.Span{costs, unfit, widget.Plain(": the others are compared with it")}, []draw.Span{costs, unfit}, []draw.Span{costs})
	}
	ratio, ok := c.Totals.CostRatio()
	if !ok {
		why := p.noCost(c)[0]
		return []draw.Span{{Text: strings.ToUpper(why[:1]) + why[1:] + ".", Role: theme.Dim}}
	}
	sends := draw.Span{}
	if c.Totals.Failed == 0 && all.Totals.Tokens() > 0 {
		sends = widget.Plain("sends " + moreOrLess(float64(c.Totals.Tokens())/float64(all.Totals.Tokens())) + " and ")
	}
	name, short := draw.Span{Text: p.name(p.row), Role: role(p.row)}, draw.Span{Text: p.short(), Role: role(p.row)}
	costs := draw.Span{Text: "costs " + moreOrLess(ratio), Role: costRole(ratio)}
	sum := draw.Span{Text: "costs " + p.withUnit(c.Totals.Cost) + ", " + moreOrLess(ratio), Role: costRole(ratio)}
	than, estimated := widget.Plain(" than sending everything"), draw.Span{Text: ", estimated", Role: theme.Dim}
	if moreOrLess(ratio) == "as much" {
		than.Text = " as sending everything"
	}
	blank := widget.Plain(" ")
	if over := all.Totals.Over; over > 0 {
		unfit := draw.Span{Text: " (" + plain.Thousands(over) + " of " + plain.Thousands(all.Totals.Requests) + " do not fit)", Role: theme.Warn}
		brief := widget.Plain(strings.Replace(than.Text, "everything", "all", 1))
		return draw.FirstThatFits(width,
			[]draw.Span{name, blank, sends, sum, than, unfit, estimated}, []draw.Span{short, blank, sends, sum, than, unfit, estimated}, []draw.Span{name, blank, sends, sum, than, unfit},
			[]draw.Span{short, blank, sends, sum, than, unfit}, []draw.Span{short, blank, sends, sum, brief, unfit},
			[]draw.Span{short, blank, sum, brief, unfit}, []draw.Span{short, blank, costs, brief, unfit})
	}
	return draw.FirstThatFits(width,
		[]draw.Span{name, blank, sends, sum, than, estimated},
		[]draw.Span{short, blank, sends, sum, than, estimated},
		[]draw.Span{short, blank, sum, than, estimated},
		[]draw.Span{short, blank, costs, than, estimated})
}

// inOneLine returns the headline and the cheapest plan in one sentence, or the headline
// where there is no plan to name or no room for both.
func (p *View) inOneLine(f *widget.Frame, width int) []draw.Span {
	best, least, equal, computed := p.leastCost()
	here, _, _ := p.app.Turns().Course(p.row)
	if computed && equal && here != nil {
		sum := p.short() + " costs " + p.withUnit(here.Totals.Cost) + ", as much as any plan"
		if text := widget.Fitting(width, sum+": everything fits; plans cut below "+p.tokens(p.largest()), sum+": everything fits", ""); text != "" {
			return []draw.Span{{Text: text, Role: theme.Strong}}
		}
	}
	if !computed || least == nil || best == p.row || p.row == plans.All || here.Totals.Cost <= 0 {
		return p.headline(f, width)
	}
	ratio, ok := here.Totals.CostRatio()
	if !ok {
		return p.headline(f, width)
	}
	head := draw.Span{Text: p.short() + " ", Role: role(p.row)}
	costs := []draw.Span{head, {Text: "costs " + moreOrLess(ratio), Role: costRole(ratio)}, widget.Plain(thanAll(ratio))}
	sum := []draw.Span{head, {Text: "costs " + p.withUnit(here.Totals.Cost) + ", " + moreOrLess(ratio), Role: costRole(ratio)}, costs[2]}
	name := draw.Span{Text: p.name(best), Role: role(best)}
	brief := draw.Span{Text: ", " + moreOrLess(least.Totals.Cost/here.Totals.Cost), Role: theme.Gain}
	by := draw.Span{Text: brief.Text + " than " + p.short(), Role: theme.Gain}
	return draw.FirstThatFits(width,
		append(sum[:3:3], widget.Plain("; cheapest that fits: "), name, by), append(sum[:3:3], widget.Plain("; cheapest: "), name, by),
		append(sum[:3:3], widget.Plain("; cheapest: "), name, brief), append(costs[:3:3], widget.Plain("; cheapest: "), name, by), append(sum[:3:3], widget.Plain("; cheapest: "), name),
		append(costs[:3:3], widget.Plain("; cheapest: "), name), costs)
}

// thanAll ends a comparison of costs with sending everything.
func thanAll(ratio float64) string {
	if moreOrLess(ratio) == "as much" {
		return " as all"
	}
	return " than all"
}

// leastCost returns the plan that costs least among the plans whose windows always fit and never
// fail; nil if there is none. equal reports that all plans fit and cost the same, computed that
// no plan is still being computed.
func (p *View) leastCost() (best plans.Row, least *turns.Course, equal, computed bool) {
	equal = true
	for row := range plans.Rows {
		c, _, err := p.app.Turns().Course(row)
		if c == nil && err == nil {
			return 0, nil, false, false
		}
		if c == nil || c.Totals.Failed > 0 || c.Totals.Over > 0 {
			equal = false
			continue
		}
		if least != nil && c.Totals.Cost != least.Totals.Cost {
			equal = false
		}
		if least == nil || c.Totals.Cost < least.Totals.Cost {
			best, least = row, c
		}
	}
	return best, least, equal, true
}

// best returns the plan of leastCost and its course; false where there is none, or where all
// plans cost the same.
func (p *View) best() (plans.Row, *turns.Course, bool) {
	best, least, equal, computed := p.leastCost()
	return best, least, computed && least != nil && !equal
}

// cheapest returns the sentence about the plan of leastCost: nothing while any plan is
// being computed.
func (p *View) cheapest(width int) []draw.Span {
	here, _, _ := p.app.Turns().Course(p.row)
	best, least, equal, computed := p.leastCost()
	if !computed || here == nil {
		return nil
	}
	dim := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Dim}} }
	switch {
	case here.Totals.Cost <= 0: // nothing is sent yet
		return nil
	case least == nil:
		return dim("No plan here fits into every request.")
	case equal:
		fits := "Everything fits into every request at " + p.app.Experiment().Setup().Budget.MaxTokens.String() + ": no plan costs less. "
		return dim(widget.Fitting(width, fits+"Below "+p.tokens(p.largest())+" plans cut: try "+p.smaller()+".", fits+"Below "+p.tokens(p.largest())+" plans cut.", "Everything fits: no plan costs less. Below "+p.tokens(p.largest())+" plans cut.", "Everything fits: no plan costs less."))
	case best == p.row:
		return dim("No plan here that fits into every request costs less; s tries how far to cut.")
	}
	lead, name := widget.Plain("Cheapest plan at this budget: "), draw.Span{Text: p.name(best), Role: role(best)}
	by := moreOrLess(least.Totals.Cost / here.Totals.Cost)
	if by == "as much" {
		by += " as"
	} else {
		by += " than"
	}
	says := draw.Span{Text: ", " + p.cost(least.Totals.Cost) + ": " + by + " " + p.short(), Role: theme.Gain}
	sends := moreOrLess(float64(least.Totals.Tokens()) / float64(here.Totals.Tokens()))
	forms := [...]string{"; it sends " + sends, "; sends " + sends, "; sends " + sends, "; sends " + sends, ""}
	if share, ok := least.Totals.SurvivingPrefix(); ok {
		own := ""
		if share, ok := here.Totals.SurvivingPrefix(); ok {
			own = ", " + p.short() + " " + percent(share) + " %"
		}
		forms[0] += " and keeps on average " + percent(share) + " % of the prompt before" + own
		forms[1] += ", keeps " + percent(share) + " % of a prompt" + own
		forms[2] += ", kept " + percent(share) + " %" + own
	}
	var all [][]draw.Span
	for _, form := range forms {
		all = append(all, []draw.Span{lead, name, says, widget.Plain(form)})
	}
	return draw.FirstThatFits(width, append(all, []draw.Span{widget.Plain("Cheapest: "), name, says})...)
}

// largest returns the tokens of the largest request if everything is sent: it does not fit into a
// smaller budget.
func (p *View) largest() (most model.Tokens) {
	session, _ := p.app.Turns().Session()
	if all, _, _ := p.app.Turns().Course(plans.All); all != nil && session != nil {
		for t, w := range all.Windows {
			if !session.Requests()[t].IsNow() {
				most = max(most, w.Tokens)
			}
		}
	}
	return most
}

// smaller returns a budget to type at which plans cut, three quarters of the largest request.
func (p *View) smaller() string { return fmt.Sprintf(":%d", 3*p.largest()/4) }

// short returns the name of the row in one word.
func (p *View) short() string {
	return [plans.Rows]string{"A", "B", "all", "sliding", "watermark", "plan"}[p.row]
}

// moreOrLess writes a ratio as a difference in whole percents: "12 % more", "as much".
func moreOrLess(ratio float64) string {
	by := int((ratio-1)*100 + .5)
	if ratio < 1 {
		by = -int((1-ratio)*100 + .5)
	}
	switch {
	case by > 0:
		return plain.Thousands(by) + " % more"
	case by < 0:
		return plain.Thousands(-by) + " % less"
	}
	return "as much"
}

// said returns the text about the request under the cursor, in at most lines lines, the
// most important first.
func (p *View) said(f *widget.Frame, width, lines int) [][]draw.Span {
	session, _ := p.app.Turns().Session()
	t := p.current()
	c, _, err := p.app.Turns().Course(p.row)
	if lines == 0 || t < 0 {
		return nil
	}
	r := session.Requests()[t]
	brief := "Request " + strconv.Itoa(t+1)
	name := brief
	if r.IsNow() {
		name, brief = "Now, not sent yet", "Now"
	} else if !session.HasRemoved() { // else the item has another number at each request
		name += ", before #" + strconv.Itoa(r.Before)
	}
	long := name
	if r.At.Set && !itemset.IsSynthetic(r.At.Value) {
		long += ", " + r.At.Value.Format("15:04")
	}
	switch {
	case c == nil && err != nil:
		return [][]draw.Span{{{Text: plain.Line(long+": "+err.Error(), width), Role: theme.Error}}}
	case c == nil:
		return [][]draw.Span{{{Text: long + ": " + p.computing(f), Role: theme.Warn}}}
	case c.Windows[t].Err != nil:
		return [][]draw.Span{{{Text: draw.FitReason(long+" fails and sends nothing", plain.Line(c.Windows[t].Err.Error(), 200), width), Role: theme.Error}}, p.next(c, t)}
	}
	w, bill, change := c.Windows[t], c.Bills[t], c.Changes[t]
	sum := ": " + p.tokens(bill.Tokens()) + " tok = " + p.tokens(bill.Read) + " read + " + p.tokens(bill.Written) + " written"
	if bill.Plain > 0 || bill.Read+bill.Written == 0 {
		sum += " + " + p.tokens(bill.Plain) + " not cached"
	}
	cost, priced := ", costs "+p.cost(bill.Cost), ", costs "+p.withUnit(bill.Cost)
	strong := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Strong}} }
	all := [][]draw.Span{draw.FirstThatFits(width, strong(long+sum+priced), strong(long+sum+cost), strong(name+sum+cost), strong(name+sum), strong(brief+sum), strong(brief+": "+p.tokens(bill.Tokens())+" tok"+cost)), p.broken(session, t, width, change)}
	one, compacted := p.app.Turns().Compaction(t)
	if compacted { // in place of what came and went
		said := p.compaction(f, session, one, width)
		if all = slices.Insert(all, 1, said); lines == 1 {
			all = [][]draw.Span{said}
		}
	}
	in, out := session.Exchange(c.Windows, t)
	if lines > 2 && !compacted {
		swap := []draw.Span{{Text: "+" + strconv.Itoa(len(in)) + " in", Role: theme.Gain}, widget.Plain(listed(session, t, in, width/4)),
			{Text: "  " + theme.Minus + strconv.Itoa(len(out)) + " out", Role: theme.Loss}, widget.Plain(listed(session, t, out, width/4))}
		if change.First {
			swap = []draw.Span{widget.Plain(plain.Count(len(w.Items), "item"))}
		}
		notes, _ := w.Cleared()
		for _, n := range [...]struct {
			items []int32
			word  string
		}{{w.Cut(), " cut"}, {notes, widget.Verb(len(notes), " note", " notes")}} {
			if len(n.items) > 0 {
				swap = append(swap, draw.Span{Text: "  " + strconv.Itoa(len(n.items)) + n.word, Role: theme.Dim})
			}
		}
		next := append([]draw.Span{widget.Plain("   ")}, p.next(c, t)...)
		if draw.SpansWidth(swap)+draw.SpansWidth(next) <= width {
			swap = append(swap, next...)
		}
		all = append(all, swap)
	}
	if u := r.Recorded; u.Set && u.Value.Total() > 0 {
		all = append(all, []draw.Span{widget.Plain(plain.Line(p.recorded(u.Value, t), width))})
	}
	return all[:min(len(all), lines)]
}

// compaction says what a recorded compaction did, what came again after it, and what the policy
// keeps in the same room.
func (p *View) compaction(f *widget.Frame, session *experiment.Requests, c plans.Compaction, width int) []draw.Span {
	head := "A compaction was recorded here: " + c.Before.String() + " " + f.Glyphs().Arrow + " " + c.After.String() + " tok, " + plain.Count(c.Gone, "item") + " gone"
	again := "; nothing came again"
	if n := len(c.Again); n > 0 {
		again = "; " + plain.Thousands(n) + " came again (" + c.TokensAgain().String() + " tok)"
	}
	kept := "; " + p.side.String() + " keeps " + plain.Count(c.Kept.Items, "item") + " in the same room"
	switch {
	case c.Kept.Err != nil:
		kept = "; " + p.side.String() + " has no result in the same room"
	case len(c.Again) > 0:
		kept += ", " + plain.Thousands(c.Kept.Again) + " of these"
	}
	signs := ":"
	for _, a := range c.Again {
		signs += " " + session.Name(a.Request, a.Item) + " " + a.Sign + ","
	}
	signs = strings.TrimRight(signs, ":,")
	say := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Warn}} }
	short := strings.Replace(head, "A compaction was recorded here", "Compaction", 1)
	return draw.FirstThatFits(width, say(head+again+signs+kept), say(head+again+kept), say(short+again+kept), say(short+again), say(short))
}

// recorded says what the provider recorded of request t, and what the cache model says.
func (p *View) recorded(u turns.Usage, t int) string {
	text := "recorded: " + u.Total().String() + " tok, " + u.CacheRead.String() + " read, " + u.CacheWrite.String() + " written, " + u.Plain.String() + " plain"
	if every, _, _ := p.app.Turns().Course(plans.All); every != nil && every.Windows[t].Tokens > 0 {
		text += "; read " + plain.Percent(float64(u.CacheRead)/float64(u.Total())) + " of it, the model says " +
			plain.Percent(float64(every.Bills[t].Read)/float64(every.Windows[t].Tokens)) + " of everything"
	}
	return text
}

// listed lists the items that were not yet removed at request t, in at most room
// cells.
func listed(session *experiment.Requests, t int, items []int32, room int) string {
	var there []int32
	for _, i := range items {
		if item, ok := session.ItemAt(t, i); ok {
			there = append(there, int32(item))
		}
	}
	if len(there) == 0 && len(items) > 0 {
		return " (removed)"
	}
	return widget.InParentheses(there, room)
}

// broken returns which item breaks the prefix and how much of the prompt is reused.
func (p *View) broken(session *experiment.Requests, t, width int, change turns.Change) []draw.Span {
	if change.First {
		return []draw.Span{{Text: "The first request: nothing is in the cache yet.", Role: theme.Dim}}
	}
	if change.Cause == turns.NoBreak {
		return []draw.Span{{Text: "The whole window before is its prefix: 100 % survives.", Role: theme.Plain}}
	}
	share := percent(change.Surviving()) + " % survives"
	item := session.Name(t, change.Item) + " " + string(change.Cause)
	if _, ok := session.ItemAt(t, change.Item); !ok {
		item = "an item was removed"
	}
	head := []draw.Span{{Text: "The prefix breaks: " + item, Role: theme.Loss}}
	short := []draw.Span{{Text: item, Role: theme.Loss}, widget.Plain("; " + share)}
	tokens := " (" + p.tokens(change.Survived) + " of " + p.tokens(change.Before) + " tok)"
	rest := []draw.Span{widget.Plain("; " + share + tokens)}
	room := width - draw.SpansWidth(head) - draw.SpansWidth(rest) - 3
	if room >= 12 {
		it := session.Items().Loaded(int(change.Item))
		head = append(head, widget.Plain(", "+plain.Line(widget.KindName(it.Kind)+" "+it.Headline(160), min(room, 48))))
	}
	return draw.FirstThatFits(width, append(head, rest...), []draw.Span{head[0], widget.Plain("; " + share)}, short)
}

// next returns the text about the nearest break after request t.
func (p *View) next(c *turns.Course, t int) []draw.Span {
	k, ok := breakFrom(c, t, 1)
	if !ok {
		return []draw.Span{{Text: "no break after it", Role: theme.Dim}}
	}
	text := "n: request " + strconv.Itoa(k+1)
	session, _ := p.app.Turns().Session()
	if session.Requests()[k].IsNow() {
		text = "n: now"
	}
	if c.Windows[k].Err != nil {
		return []draw.Span{{Text: text + " fails", Role: theme.Dim}}
	}
	return []draw.Span{{Text: text + ", " + session.Name(k, c.Changes[k].Item) + " " + string(c.Changes[k].Cause) + ", " + percent(c.Changes[k].Surviving()) + " % survives", Role: theme.Dim}}
}
