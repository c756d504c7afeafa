package turns

import (
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

// short returns the name of a row in one word.
func short(row plans.Row) string {
	return [plans.Rows]string{"A", "B", "all", "sliding", "sliding cut", "watermark", "plan"}[row]
}

// said returns the text about the request under the cursor, in at most lines lines, the
// most important first.
func (p *View) said(f *widget.Frame, width, lines int) [][]draw.Span {
	history, _ := p.app.Turns().History()
	t := p.current()
	c, _, err := p.app.Turns().Course(p.row)
	if lines == 0 || t < 0 {
		return nil
	}
	r := history.Requests()[t]
	brief := "Request " + strconv.Itoa(t+1)
	name := brief
	if r.IsNow() {
		name, brief = "Now, not sent yet", "Now"
	} else if !history.HasRemoved() { // else the item has another number at each request
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
	all := [][]draw.Span{draw.FirstThatFits(width, strong(long+sum+priced), strong(long+sum+cost), strong(name+sum+cost), strong(name+sum), strong(brief+sum), strong(brief+": "+p.tokens(bill.Tokens())+" tok"+cost)), p.broken(history, t, width, change)}
	if one, compacted := p.app.Turns().Compaction(t); compacted {
		said := p.compaction(f, history, one, width)
		all = [][]draw.Span{all[0], said, all[1]}
		if lines == 1 {
			all = [][]draw.Span{said}
		}
	}
	return all[:min(len(all), lines)]
}

// more returns what else is known of the request under the cursor: what came and went, the next
// break, and what the provider recorded.
func (p *View) more(width int) (lines [][]draw.Span) {
	history, _ := p.app.Turns().History()
	t := p.current()
	c, _, _ := p.app.Turns().Course(p.row)
	if c == nil || t < 0 || c.Windows[t].Err != nil {
		return nil
	}
	w := c.Windows[t]
	in, out := history.Exchange(c.Windows, t)
	came, went := count("+", in, " in", theme.Gain), count(theme.Minus, out, " out", theme.Loss)
	if came.Text != "" && went.Text != "" {
		went.Text = "  " + went.Text
	}
	swap := []draw.Span{came, widget.Plain(listed(history, t, in, width/4)), went, widget.Plain(listed(history, t, out, width/4))}
	switch {
	case c.Changes[t].First:
		swap = []draw.Span{widget.Plain(plain.Count(len(w.Items), "item"))}
	case len(in)+len(out) == 0:
		swap = []draw.Span{widget.Plain(widget.NothingMoves)}
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
	if history.Requests()[t].IsNow() {
		name = "Now: "
	}
	lines = draw.Paragraph(width, slices.Concat([]draw.Span{widget.Plain(name)}, swap, []draw.Span{widget.Plain("   ")}, p.next(c, t))...)
	if u := history.Requests()[t].Recorded; u.Set && u.Value.Total() > 0 {
		lines = append(lines, draw.Paragraph(width, widget.Plain(p.recorded(u.Value, t)))...)
	}
	return lines
}

// compaction returns what a recorded compaction did, what came again after it, and what the policy
// keeps in the same room.
func (p *View) compaction(f *widget.Frame, history *experiment.Requests, c plans.Compaction, width int) []draw.Span {
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
		signs += " " + history.Name(a.Request, a.Item) + " " + a.Sign + ","
	}
	signs = strings.TrimRight(signs, ":,")
	say := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Warn}} }
	short := strings.Replace(head, "A compaction was recorded here", "Compaction", 1)
	return draw.FirstThatFits(width, say(head+again+signs+kept), say(head+again+kept), say(short+again+kept), say(short+again), say(short))
}

// recorded returns what the provider recorded of request t, and what the cache model says.
func (p *View) recorded(u itemset.Prompt, t int) string {
	text := "recorded: " + u.Total().String() + " tok, " + u.CacheRead.String() + " read, " + u.CacheWrite.String() + " written, " + u.Plain.String() + " plain"
	if every, _, _ := p.app.Turns().Course(plans.All); every != nil && every.Windows[t].Tokens > 0 {
		text += "; read " + plain.Percent(float64(u.CacheRead)/float64(u.Total())) + " of it, the model says " +
			plain.Percent(float64(every.Bills[t].Read)/float64(every.Windows[t].Tokens)) + " of everything"
	}
	return text
}

// listed lists the items that were not yet removed at request t, in at most room
// cells.
func listed(history *experiment.Requests, t int, items []int32, room int) string {
	var there []int32
	for _, i := range items {
		if item, ok := history.ItemAt(t, i); ok {
			there = append(there, int32(item))
		}
	}
	if len(there) == 0 && len(items) > 0 {
		return " (removed)"
	}
	return widget.InParentheses(there, room)
}

// broken returns which item breaks the prefix and how much of the prompt is reused.
func (p *View) broken(history *experiment.Requests, t, width int, change turns.Change) []draw.Span {
	if change.First {
		return []draw.Span{{Text: "The first request: nothing is in the cache yet.", Role: theme.Dim}}
	}
	unread := p.unread(t, change)
	if change.Cause == turns.NoBreak {
		return []draw.Span{widget.Plain(widget.Fitting(width, "Nothing broke: 100 % of the previous prompt is kept"+unread+".", "Nothing broke: 100 % is kept"+unread+"."))}
	}
	share := plain.Percent(change.Surviving())
	item := history.Name(t, change.Item) + " " + string(change.Cause)
	if _, ok := history.ItemAt(t, change.Item); !ok && change.Item >= 0 {
		item = "an item was removed"
	}
	var why draw.Span
	if i := p.tooLong(t); i >= 0 && i != change.Item && change.Cause == turns.Left {
		why.Text = ", as " + history.Name(t, i) + " (" + p.tokens(history.Items().Tokens(int(i))) + " tok) does not fit"
		if p.row == plans.SlidingCut {
			why.Text += " into " + widget.Share(p.app.Turns().Low())
		}
	}
	broke := draw.Span{Text: "Broken: " + item, Role: theme.Loss}
	rest := widget.Plain("; " + share + " of the previous prompt is kept (" + p.tokens(change.Survived) + " of " + p.tokens(change.Before) + " tok)" + unread)
	head := []draw.Span{broke, why}
	if room := width - draw.SpansWidth(head) - draw.Width(rest.Text) - 3; room >= 12 && change.Item >= 0 {
		it := history.Items().Loaded(int(change.Item))
		head = append(head, widget.Plain(", "+plain.Line(widget.KindName(it.Kind)+" "+it.Headline(160), min(room, 48))))
	}
	forms := [][]draw.Span{append(head, rest), {broke, why, rest}}
	if why.Text != "" {
		forms = append(forms, []draw.Span{broke, why, widget.Plain("; " + share + " is kept" + unread)}, []draw.Span{broke, rest})
	}
	for _, kept := range [...]string{" of the previous prompt is kept" + unread, " is kept" + unread, " kept" + unread, " is kept"} {
		forms = append(forms, []draw.Span{broke, widget.Plain("; " + share + kept)})
	}
	return draw.FirstThatFits(width, forms...)
}

// tooLong returns the newest item that the sliding window that is drawn has no room for at request t, so that
// it and all before it stay out; -1 if there is none.
func (p *View) tooLong(t int) int32 {
	c, _, _ := p.app.Turns().Course(p.row)
	all, _, _ := p.app.Turns().Course(plans.All)
	if all == nil || p.row != plans.Sliding && p.row != plans.SlidingCut {
		return -1
	}
	there, sent := all.Windows[t].Items, c.Windows[t].Items
	for k, i := len(there)-1, len(sent)-1; k >= 0; k, i = k-1, i-1 {
		if i < 0 || there[k] != sent[i] {
			return there[k]
		}
	}
	return -1
}

// unread says, after what a request keeps of the previous prompt, why nothing of that is read from the cache, or
// how much of an older prompt is; "" if what is kept is read.
func (p *View) unread(t int, change turns.Change) string {
	c, _, _ := p.app.Turns().Course(p.row)
	switch cache := p.app.Turns().Cache(); {
	case c.Bills[t].Read > p.app.Turns().Billing().Fixed.Tokens+change.Survived:
		return ", " + p.tokens(change.Shared) + " of an older prompt"
	case c.Bills[t].Read > 0 || change.Survived == 0:
	case cache.Minimum > model.MaxTokens:
		return ", but there is no cache"
	case change.Survived+p.app.Turns().Billing().Fixed.Tokens < cache.Minimum:
		return ", but nothing is read below " + cache.Minimum.String() + " tokens"
	}
	return ""
}

// next returns the text about the nearest break after request t; nil if there is none.
func (p *View) next(c *turns.Course, t int) []draw.Span {
	k, ok := breakFrom(c, t, 1)
	if !ok {
		return nil
	}
	text := "n: request " + strconv.Itoa(k+1)
	history, _ := p.app.Turns().History()
	if history.Requests()[k].IsNow() {
		text = "n: now"
	}
	if c.Windows[k].Err != nil {
		return []draw.Span{{Text: text + " fails", Role: theme.Dim}}
	}
	return []draw.Span{{Text: text + ", " + history.Name(k, c.Changes[k].Item) + " " + string(c.Changes[k].Cause) + ", " + plain.Percent(c.Changes[k].Surviving()) + " is kept", Role: theme.Dim}}
}
