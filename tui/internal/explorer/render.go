package explorer

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/view/trace"
	"cupelscope/tui/internal/widget"
)

// render draws the whole screen. It is called once for each change.
func (m *Model) render() string {
	if m.width <= 0 || m.height <= 0 {
		return "" // the size of the terminal is not known yet
	}
	m.frames++
	m.drawing = true
	defer func() { m.drawing = false }()
	c := &m.canvas
	c.Reset(m.width, m.height, m.theme)
	f := m.frameFor()
	l, notice, role, hint := m.layOut()
	m.drawn.layout = l
	switch {
	case l.Shape == tooSmall:
		m.tooSmall(c)
		return c.String()
	case m.exp == nil && m.typing():
		m.top().Draw(f, draw.Rect{W: m.width, H: m.height - 1}, true, true)
		pane.Hints(f, draw.Rect{Y: m.height - 1, W: m.width, H: 1}, m.hints())
		return c.String()
	case m.exp == nil:
		m.opening(c)
		return c.String()
	}
	pane.Header(f, l.Header)
	pane.Bar(f, l.Bar, l.Legend)
	m.tabs(f, l.Tabs)
	pane.Notice(f, l.Notice, notice, role, hint)
	if m.tour.on && role == theme.Focus { // to be told from the introduction, which stands there before
		f.Mark(l.Notice, theme.Selected)
	}
	switch {
	case !l.Knobs.Empty():
		m.knobs.Draw(f, l.Knobs, m.focus == onKnobs && m.viewOnTop())
	case !l.KnobLine.Empty():
		k, ok := m.focused()
		where := pane.Tab
		if l.Tabs.Empty() {
			where = m.whichView() + "  " + where
		}
		if m.specOf(m.at(screen.Over)).Knob != nil {
			where = "" // keys lead elsewhere
		} else if ok {
			where = draw.Fit("] [ "+widget.CleanName(k.Called()), m.width/3, m.theme.Glyphs)
		}
		m.knobs.DrawLine(f, l.KnobLine, m.focus == onKnobs && m.viewOnTop(), where)
	}
	if !l.Next.Empty() {
		m.next.Draw(f, l.Next, m.budgetSteps())
	}
	boxed := l.Shape == full
	m.at(screen.Over).Draw(f, l.Main, boxed, m.focus == onTable)
	if m.drawn.nothing = !f.Below.Empty(); m.drawn.nothing {
		row := f.Below.Row(trace.DrawLosses(f, f.Below))
		if s := m.budgetSteps()[0]; s.Budget.Set && !row.Empty() {
			f.Spans(row.X+2, row.Y, row.W-2, s.Spans(f, row.W-2)...)
		}
	}
	if !l.Detail.Empty() {
		i, none := m.detailed()
		pane.Detail(f, &m.whatIf, &m.ways, l.Detail, boxed, i, none)
	}
	m.drawn.hinted, m.drawn.hintAt = nil, nil
	if top := m.top(); m.specOf(top).Place == screen.Footer {
		top.Draw(f, draw.Rect{X: l.Impact.X, Y: l.Impact.Y, W: l.Impact.W, H: 2}, false, true)
		return c.String()
	}
	if text := m.messages.line; text == "" {
		pane.Impact(f, l.Impact, m.spec().Effect)
	} else if rows := pane.Message(f, l.Impact, text, m.messages.refused); rows > 1 {
		return c.String() // the hints are back with the next key
	}
	m.drawn.hinted = m.hints()
	m.drawn.hintAt = pane.Hints(f, l.Hints, m.drawn.hinted)
	return c.String()
}

// detailed returns the item that the pane of the detail describes, and what it may show in its place
// or does if there is none.
func (m *Model) detailed() (item int, none func(f *widget.Frame, width, rows int) (string, [][]draw.Span)) {
	if item, ok := m.selected(); ok {
		return item, m.spec().Aside
	}
	if why := m.spec().WhyNone; why != nil {
		return 0, why
	}
	return 0, func(_ *widget.Frame, width, _ int) (string, [][]draw.Span) {
		return "Item", draw.Paragraph(width, draw.Span{Text: "No item is selected.", Role: theme.Dim})
	}
}

// introduction returns what was opened, and the keys that lead on, for the line below the header: until
// the first key, where nothing else stands there and there is the room.
func (m *Model) introduction() (text, keys string) {
	if m.messages.intro == nil || m.width < compactWidth || m.height < compactHeight {
		return "", ""
	}
	if status, _, _ := m.status(); status != "" {
		return "", ""
	}
	keys = strings.Join(m.messages.introKeys, "   ")
	return widget.FirstFitting(m.messages.intro, m.width-draw.Width(keys)-4, m.theme.Glyphs), keys
}

// layOut lays out the screen, with the lines of the notice that is up. Why there is no result it says
// only where the header does not.
func (m *Model) layOut() (l layout, notice []string, role theme.Role, hint string) {
	status, role, hint := m.status()
	if role == theme.Error && pane.HeaderSaysWhy(m.frameFor(), m.width) {
		if ways := m.helps(m.exp.Err(m.side)); len(ways) > 0 {
			status = inWidth(ways, m.width-2)
		}
	}
	if text, keys := m.introduction(); text != "" {
		notice, role, hint = []string{text}, theme.Focus, keys
	}
	if status != "" {
		notice = pane.NoticeLines(m.theme.Glyphs, status, m.width, noticeRows, hint)
		scarce := m.width < compactWidth || m.height < compactHeight
		if m.tour.on && role == theme.Focus {
			notice = m.tourLines(hint)
		} else if len(notice) > 1 && hint != "" && scarce { // i shows it in full
			hint, _, _ = strings.Cut(hint, ", ")
			notice = pane.NoticeLines(m.theme.Glyphs, status, m.width, 1, hint)
		}
	}
	return arrange(m.width, m.height, m.showing(len(notice))), notice, role, hint
}

// showing returns what the layout depends on.
func (m *Model) showing(notice int) showing {
	spec, over := m.spec(), m.specOf(m.at(screen.Over))
	rows := 0
	if spec.Rows != nil && m.viewOnTop() {
		rows = spec.Rows()
	}
	failed := m.exp != nil && m.exp.Err(m.side) != nil
	return showing{
		Rows:   rows,
		List:   spec.List != nil,
		NoBar:  failed && pane.Missing(m.exp.Setup().Budget, m.exp.Items().PinnedTokens()) == 0,
		Notice: notice,
		Dense:  (over.Dense && m.height >= compactHeight || m.viewOnTop() && spec.Dense) && m.focus != onKnobs,
		Reader: !m.viewOnTop() || spec.Bare || spec.Pairs() || failed && spec.List == nil,
		Whole:  over.Whole || m.viewOnTop() && spec.Pairs(),
		Knobs:  len(m.knobs.All),
	}
}

// knobRoom returns how many knobs can be shown at once: on one line all, a knob at a time. The lines
// of a notice and the bar, which come and go, fold none.
func (m *Model) knobRoom() int {
	s := m.showing(noticeRows)
	s.Knobs, s.NoBar = m.height, false
	if l := arrange(m.width, m.height, s); !l.Knobs.Empty() {
		return l.Knobs.H - 2 - (roomyNextRows - nextRows)
	}
	return math.MaxInt
}

func (m *Model) frameFor() *widget.Frame {
	f := &widget.Frame{Canvas: &m.canvas, Exp: m.exp, Side: m.side, Chosen: m.selection.chosen, Best: &m.best, Waiting: m.waiting,
		Computing: widget.Computing{Sides: m.outcomes.percent(), Best: m.pool.Percent(&m.best)}}
	if m.exp == nil {
		return f
	}
	state := m.exp.State(m.side)
	f.NoResult = m.exp.Result(m.side) == nil && (state == experiment.Failed || m.exp.Outcome(m.side) != nil)
	f.Out, f.Profiled = m.exp.Listable(m.side)
	f.Old = state == experiment.Pending || f.NoResult && !f.Profiled
	f.Source, f.Unsaved = plain.Tail(m.workspace.Name, 60), m.unsaved()
	if both := plain.Line(m.workspace.Both, 60); both != "" && draw.Width(both) <= m.width/3 {
		f.Source = both
	}
	if path := m.workspace.SavePath; path != "" { // what people look for is their file, not the name in it
		f.Source = plain.Tail(filepath.Base(path), 60)
	}
	f.Typing, f.Typed = "", ""
	if typed := m.specOf(m.top()).Typed; typed != nil {
		f.Typing, f.Typed = typed()
	}
	if arranged := arrange(m.width, m.height, m.showing(0)); arranged.Tabs.Empty() && arranged.KnobLine.Empty() {
		f.View = m.whichView()
	}
	f.First, f.Tip = !m.messages.touched, m.spec().Name == screen.Items
	if text, _ := m.introduction(); text == "" && !m.tour.on {
		f.Intro, f.IntroKeys = m.messages.intro, strings.Join(m.messages.introKeys, "   ")
	}
	f.Following = m.follow.words(m.atRemoved())
	f.Counting, f.Counted = m.count.Running(), m.count.percent
	return f
}

// whichView names the view that is shown behind the keys of all, for where no tab does.
func (m *Model) whichView() string { return fmt.Sprintf("1-%d %s", len(m.views), m.spec().Name) }

// status returns the line of what the user should know: an error before a question, and
// a question before advice.
func (m *Model) status() (string, theme.Role, string) {
	if m.exp == nil {
		return "", theme.Plain, ""
	}
	if err := m.exp.Err(m.side); err != nil {
		text := capital(err.Error()) + "."
		if ways := m.helps(err); len(ways) > 0 {
			text += " " + inWidth(ways, math.MaxInt)
		}
		return text, theme.Error, ""
	}
	if o := m.exp.Outcome(m.side); o != nil && o.Report != nil {
		if s := warnsOf(o.Report); s != "" {
			return s, theme.Warn, ""
		}
	}
	if m.tour.on {
		_, next := m.tourSpeaks()
		if !m.viewOnTop() || m.typing() { // esc closes that first
			return next, theme.Focus, ""
		}
		return next, theme.Focus, "esc ends"
	}
	text, hint := m.messages.notice()
	return text, theme.Warn, hint
}

// warnsOf returns the warnings of a result: an overflow, or too few items of a kind.
func warnsOf(r *model.Report) string {
	var all []string
	if r.Overflow != nil {
		all = append(all, fmt.Sprintf("overflow: the result is %s over the target of %v and was let through (overflow proceed)",
			plain.Count(r.Overflow.TokensOver, "token"), r.Budget.TargetTokens()))
	}
	for _, s := range r.Shortfalls {
		all = append(all, fmt.Sprintf("shortfall: %s requires %d, but there %s only %d", s.Kind.Noun(), s.Required, widget.Verb(s.Satisfied, "is", "are"), s.Satisfied))
	}
	return strings.Join(all, "; ")
}

// opening draws the screen while the source is being loaded, or after that has failed.
func (m *Model) opening(c *draw.Canvas) {
	source := plain.Line(m.load.source, m.width-24)
	if m.load.failed == nil {
		x := 2 + c.Text(2, m.height/2, m.width-4, m.waiting.Spin()+" ", theme.Key)
		c.Text(x, m.height/2, m.width-2-x, "loading "+source+c.Glyphs().Ellipsis, theme.Plain)
		x = 2
		if done := m.load.percent(); done >= 0 {
			x += c.Spans(x, m.height/2+1, m.width-4, append(m.waiting.Bar(20, done), draw.Span{Text: "  "})...)
		}
		c.Text(x, m.height/2+1, m.width-2-x, cmp.Or(m.load.words(), "nothing has been read yet"), theme.Plain)
		c.Text(2, m.height/2+2, m.width-4, "q or esc quits", theme.Dim)
		return
	}
	y := max(1, m.height/2-2)
	why, named := strings.CutPrefix(m.load.failed.Error(), m.load.source+", ") // the title names the source
	if named {
		why = ", " + why
	} else {
		why = ": " + strings.TrimPrefix(why, m.load.source+": ")
	}
	for i, line := range plain.Wrap("Could not open "+source+why, m.width-4, max(1, m.height-y-4)) {
		role := theme.Plain
		if i == 0 {
			role = theme.Error
		}
		c.Text(2, y+i, m.width-4, line, role)
	}
	c.Text(2, m.height-1, m.width-4, m.keyOf("source.open")+" opens another source, q or esc quits", theme.Dim)
}
