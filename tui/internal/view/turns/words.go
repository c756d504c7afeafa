package turns

import (
	"fmt"
	"math"
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

// headline says what the plan sends and costs against sending everything, and below that what it
// does or, of A and B, what the cheapest plan here does.
func (p *View) headline(f *widget.Frame, width int) [][]draw.Span {
	t := p.app.Turns()
	c, _, err := t.Course(p.row)
	all, _, _ := t.Course(plans.All)
	line := func(text string, role theme.Role) [][]draw.Span { return [][]draw.Span{{{Text: text, Role: role}}} }
	switch {
	case c == nil && err != nil:
		return line(plain.Line(p.name(p.row)+": "+err.Error(), width), theme.Error)
	case (c == nil || all == nil) && t.Stopped():
		return line(p.computing(f), theme.Warn)
	case c == nil || all == nil:
		return line(f.Spin()+"computing "+plain.Count(p.count(), "request")+f.Glyphs().Ellipsis, theme.Warn)
	}
	if _, ok := c.Totals.CostRatio(); !ok {
		why := widget.Fitting(width-1, p.noCost(c)...)
		return line(strings.ToUpper(why[:1])+why[1:]+".", theme.Dim)
	}
	best, least, equal, computed := p.leastCost()
	switch {
	case computed && equal:
		return p.everythingFits(c, width)
	case !computed:
		return [][]draw.Span{p.costLine(c, all, width)}
	}
	return [][]draw.Span{p.costLine(c, all, width), p.bestLine(c, best, least, width)}
}

// costLine says what share of all tokens a plan sends and what it costs, in the longest form that
// fits: that its own windows do not fit matters more than what it sends, that everything does not
// fit matters less.
func (p *View) costLine(c, all *turns.Course, width int) []draw.Span {
	ratio, _ := c.Totals.CostRatio()
	of := p.sentenceName()
	name, dot := draw.Span{Text: strings.ToUpper(of[:1]) + of[1:], Role: role(p.row)}, widget.Plain(".")
	costs := []draw.Span{{Text: moreOrLess(ratio), Role: costRole(ratio)}, widget.Plain(than(ratio) + "sending everything")}
	sends := []string{" costs "}
	if share, ok := p.sends(c); p.row == plans.All {
		name, costs = draw.Span{Text: "Sending everything", Role: theme.Strong}, []draw.Span{{Text: p.withUnit(c.Totals.Cost), Role: theme.Strong}}
	} else if ok && share != 1 {
		sends = []string{" sends " + plain.Percent(share) + " of all tokens and costs ", " sends " + plain.Percent(share) + " and costs ", " costs "}
	}
	var forms [][]draw.Span
	add := func(of string, end ...draw.Span) {
		forms = append(forms, slices.Concat([]draw.Span{name, widget.Plain(of)}, costs, end, []draw.Span{dot}))
	}
	if no := unfit(c.Totals); no != nil {
		for _, but := range no[:2] {
			for _, of := range sends {
				add(of, draw.Span{Text: ", but " + but, Role: theme.Warn})
			}
		}
	} else if no := unfit(all.Totals); no != nil {
		add(sends[0], draw.Span{Text: ", of which " + no[0], Role: theme.Dim})
	}
	for _, of := range sends {
		add(of)
	}
	return draw.FirstThatFits(width, forms...)
}

// sentenceName names the plan that is drawn within a sentence.
func (p *View) sentenceName() string {
	if p.row <= plans.B {
		return p.short()
	}
	return p.name(p.row)
}

// sends returns which share of the tokens of everything a course sends; false without any.
func (p *View) sends(c *turns.Course) (float64, bool) {
	all, _, _ := p.app.Turns().Course(plans.All)
	if all == nil || all.Totals.Tokens() == 0 {
		return 0, false
	}
	return float64(c.Totals.Tokens()) / float64(all.Totals.Tokens()), true
}

// bestLine names the cheapest plan of those that fit, with what it does and what it sends: a plan
// that leaves out nearly everything is cheap too. Of a plan that is no policy it says what that does.
func (p *View) bestLine(c *turns.Course, best plans.Row, least *turns.Course, width int) []draw.Span {
	say := func(forms ...string) []draw.Span { return []draw.Span{widget.Plain(widget.Fitting(width, forms...))} }
	switch {
	case p.row > plans.B:
		does, brief := p.does(p.row)
		forms := []string{does, p.name(p.row) + ": " + brief}
		if best == p.row && least != nil {
			forms = slices.Insert(forms, 0, does+" No plan here that fits costs less.")
		}
		return say(forms...)
	case least == nil:
		return say("No plan here fits in every request.")
	case best == plans.All:
		return say("No plan here costs less than sending everything.")
	case least.Totals.Cost == c.Totals.Cost:
		return say("No other plan here that fits costs less.")
	}
	ratio, _ := least.Totals.CostRatio()
	share, _ := p.sends(least)
	_, brief := p.does(best)
	if brief != "" {
		brief = " (" + brief + ")"
	}
	mark := ""
	if best == plans.Watermark {
		mark = ours
	}
	form := func(head, brief, sends, costs string) []draw.Span {
		return []draw.Span{widget.Plain(head), {Text: p.name(best), Role: role(best)}, widget.Plain(brief + sends + plain.Percent(share) + costs), {Text: moreOrLess(ratio), Role: costRole(ratio)}, widget.Plain(".")}
	}
	return draw.FirstThatFits(width,
		form("Cheapest here that fits: ", brief, ", sends ", " of all tokens and costs "), form("Cheapest: ", brief, ", sends ", ", costs "),
		form("Cheapest here that fits: ", mark, ", sends ", " and costs "), form("Cheapest: ", mark, ", sends ", ", costs "),
		form("Cheapest: ", mark, ", ", " sent, "))
}

// does returns what a plan that is no policy does, as a sentence, and in a few words to follow its
// name.
func (p *View) does(row plans.Row) (sentence, brief string) {
	switch row {
	case plans.A, plans.B:
		return "", ""
	case plans.All:
		return "The yardstick: every other cost is more or less than this.", "the yardstick"
	case plans.Sliding:
		return "It sends the newest items that fit.", "the newest that fit"
	case plans.Watermark:
		to := widget.Share(p.app.Turns().Low())
		return "It grows until it is full, then " + p.side.String() + " cuts it to " + to + " of the room" + ours + ".", "ours: cut to " + to + " when full"
	}
	rule := p.rule().Rule
	when, newest, end := "", "", "."
	if rule.OfMax {
		when = "With less than " + rule.Trigger.String() + " tokens of the budget left "
	} else if rule.Trigger > 0 {
		when = "Above " + rule.Trigger.String() + " tokens "
	}
	switch {
	case rule.Keep > 0 && rule.KeepTokens > 0:
		newest = " but the newest " + plain.Thousands(rule.Keep) + " or " + rule.KeepTokens.String() + " tokens, whichever is more,"
	case rule.KeepTokens > 0:
		newest = " but the newest " + rule.KeepTokens.String() + " tokens of them"
	case rule.Keep > 0:
		newest = " but the newest " + plain.Thousands(rule.Keep)
	}
	if rule.AtLeast > 0 {
		end = " where that frees " + rule.AtLeast.String() + " tokens."
	}
	switch p.rule().Strategy {
	case turns.Clear:
		sentence, brief = "all results of tools"+newest+" become notes"+end, "old results become notes"
	case turns.Drop:
		if rule.KeepTokens == 0 {
			newest = " before the newest " + plain.Count(rule.Keep, "message")
		}
		sentence, brief = "all calls and results"+newest+" go"+end, "old calls go"
	default:
		sentence, brief = "all items"+newest+" become one summary"+end, "old items become a summary"
	}
	if when == "" {
		sentence = "A" + sentence[1:]
	}
	return when + sentence, brief
}

// everythingFits is the headline where all plans cost the same.
func (p *View) everythingFits(c *turns.Course, width int) [][]draw.Span {
	first := "Everything fits at " + p.app.Experiment().Setup().Budget.MaxTokens.String() + ": every plan costs " + p.withUnit(c.Totals.Cost) + "."
	second := "Plans differ below " + p.tokens(p.largest()) + ": try " + p.smaller() + "."
	say := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Strong}} }
	if draw.Width(first+second)+1 <= width {
		return [][]draw.Span{say(first + " " + second)}
	}
	return [][]draw.Span{say(widget.Fitting(width, first, "Everything fits: every plan costs "+p.withUnit(c.Totals.Cost)+".")), say(second)}
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

// asMuch is what moreOrLess says of equal costs.
const asMuch = "as much"

// moreOrLess writes a ratio as a difference: "12 % more", "4.7 % less", "as much".
func moreOrLess(ratio float64) string {
	switch by := math.Abs(ratio - 1); {
	case by == 0:
		return asMuch
	case by >= 10:
		return plain.Thousands(int(100*by+.5)) + " % more"
	case ratio > 1:
		return plain.Percent(by) + " more"
	default:
		return plain.Percent(by) + " less"
	}
}

// than joins moreOrLess to what is compared with.
func than(ratio float64) string {
	if ratio == 1 {
		return " as "
	}
	return " than "
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
	bill, change := c.Bills[t], c.Changes[t]
	sum := ": " + p.tokens(bill.Tokens()) + " tok = " + p.tokens(bill.Read) + " read + " + p.tokens(bill.Written) + " written"
	if bill.Plain > 0 || bill.Read+bill.Written == 0 {
		sum += " + " + p.tokens(bill.Plain) + " not cached"
	}
	cost, priced := ", costs "+p.cost(bill.Cost), ", costs "+p.withUnit(bill.Cost)
	strong := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Strong}} }
	all := [][]draw.Span{draw.FirstThatFits(width, strong(long+sum+priced), strong(long+sum+cost), strong(name+sum+cost), strong(name+sum), strong(brief+sum), strong(brief+": "+p.tokens(bill.Tokens())+" tok"+cost)), p.broken(session, t, width, change)}
	if one, compacted := p.app.Turns().Compaction(t); compacted {
		said := p.compaction(f, session, one, width)
		if all = slices.Insert(all, 1, said); lines == 1 {
			all = [][]draw.Span{said}
		}
	}
	return all[:min(len(all), lines)]
}

// more says what else is known of the request under the cursor: what came and went, the next
// break, and what the provider recorded.
func (p *View) more(width int) (lines [][]draw.Span) {
	session, _ := p.app.Turns().Session()
	t := p.current()
	c, _, _ := p.app.Turns().Course(p.row)
	if c == nil || t < 0 || c.Windows[t].Err != nil {
		return nil
	}
	w := c.Windows[t]
	in, out := session.Exchange(c.Windows, t)
	swap := []draw.Span{{Text: "+" + plain.Thousands(len(in)) + " in", Role: theme.Gain}, widget.Plain(listed(session, t, in, width/4)),
		{Text: "  " + theme.Minus + plain.Thousands(len(out)) + " out", Role: theme.Loss}, widget.Plain(listed(session, t, out, width/4))}
	if c.Changes[t].First {
		swap = []draw.Span{widget.Plain(plain.Count(len(w.Items), "item"))}
	}
	notes, _ := w.Cleared()
	for _, n := range [...]struct {
		items []int32
		word  string
	}{{w.Cut(), " cut"}, {notes, widget.Verb(len(notes), " note", " notes")}} {
		if len(n.items) > 0 {
			swap = append(swap, draw.Span{Text: "  " + plain.Thousands(len(n.items)) + n.word, Role: theme.Dim})
		}
	}
	name := "This request: "
	if session.Requests()[t].IsNow() {
		name = "Now: "
	}
	lines = draw.Paragraph(width, slices.Concat([]draw.Span{widget.Plain(name)}, swap, []draw.Span{widget.Plain("   ")}, p.next(c, t))...)
	if u := session.Requests()[t].Recorded; u.Set && u.Value.Total() > 0 {
		lines = append(lines, draw.Paragraph(width, widget.Plain(p.recorded(u.Value, t)))...)
	}
	return lines
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
	unread := p.unread(t, change)
	if change.Cause == turns.NoBreak {
		return []draw.Span{widget.Plain(widget.Fitting(width, "Nothing broke: 100 % of the prompt before is kept"+unread+".", "Nothing broke: 100 % is kept"+unread+"."))}
	}
	share := plain.Percent(change.Surviving())
	item := session.Name(t, change.Item) + " " + string(change.Cause)
	if _, ok := session.ItemAt(t, change.Item); !ok {
		item = "an item was removed"
	}
	broke := draw.Span{Text: "Broke: " + item, Role: theme.Loss}
	rest := widget.Plain("; " + share + " of the prompt before is kept (" + p.tokens(change.Survived) + " of " + p.tokens(change.Before) + " tok)" + unread)
	head := []draw.Span{broke}
	if room := width - draw.SpansWidth(head) - draw.Width(rest.Text) - 3; room >= 12 {
		it := session.Items().Loaded(int(change.Item))
		head = append(head, widget.Plain(", "+plain.Line(widget.KindName(it.Kind)+" "+it.Headline(160), min(room, 48))))
	}
	forms := [][]draw.Span{append(head, rest), {broke, rest}}
	for _, kept := range [...]string{" of the prompt before is kept" + unread, " is kept" + unread, " is kept"} {
		forms = append(forms, []draw.Span{broke, widget.Plain("; " + share + kept)})
	}
	return draw.FirstThatFits(width, forms...)
}

// unread says, after what a request keeps, why nothing of that is read from the cache; "" if
// something is.
func (p *View) unread(t int, change turns.Change) string {
	c, _, _ := p.app.Turns().Course(p.row)
	switch cache := p.app.Turns().Cache(); {
	case c.Bills[t].Read > 0 || change.Survived == 0:
	case cache.Minimum > model.MaxTokens:
		return ", but there is no cache"
	case change.Survived+p.app.Turns().Billing().Fixed.Tokens < cache.Minimum:
		return ", but nothing is read below " + cache.Minimum.String() + " tokens"
	}
	return ""
}

// next returns the text about the nearest break after request t.
func (p *View) next(c *turns.Course, t int) []draw.Span {
	k, ok := breakFrom(c, t, 1)
	if !ok {
		return []draw.Span{{Text: "no later request breaks", Role: theme.Dim}}
	}
	text := "n: request " + strconv.Itoa(k+1)
	session, _ := p.app.Turns().Session()
	if session.Requests()[k].IsNow() {
		text = "n: now"
	}
	if c.Windows[k].Err != nil {
		return []draw.Span{{Text: text + " fails", Role: theme.Dim}}
	}
	return []draw.Span{{Text: text + ", " + session.Name(k, c.Changes[k].Item) + " " + string(c.Changes[k].Cause) + ", " + plain.Percent(c.Changes[k].Surviving()) + " is kept", Role: theme.Dim}}
}
