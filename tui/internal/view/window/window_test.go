package window

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/model/randomtest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/widget/widgettest"
)

// windowOf is a window over contents that are all in, each of 10 tokens.
func windowOf(t testing.TB, contents ...string) (*View, *widget.Frame) {
	t.Helper()
	items := make([]model.Item, len(contents))
	for i, c := range contents {
		items[i] = model.Item{Content: c, Tokens: 10, Timestamp: model.Some(time.Unix(int64(i), 0))}
	}
	chat, _ := model.Preset("chat")
	return windowAt(t, items, chat, 10_000_000)
}

// windowAt is the window of what a policy lets in at a budget, without a look for duplicates.
func windowAt(t testing.TB, items []model.Item, policy model.Policy, budget model.Tokens) (*View, *widget.Frame) {
	t.Helper()
	policy.Deduplicate = false
	set := musttest.Of(model.NewSet(items))(t)
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: budget}))(t)
	exp := musttest.Of(experiment.New(set, experiment.Setup{Policy: [2]model.Policy{policy, policy}, Ceiling: budget}.WithBudget(b)))(t)
	f := &widget.Frame{Canvas: &draw.Canvas{}, Exp: exp}
	f.Reset(120, 40, theme.New(theme.NoColor, false))
	widgettest.Compute(t, f)
	p := &View{}
	p.Fit(draw.Rect{W: 60, H: 20}, true, f.Theme())
	p.Arrange(exp, experiment.A)
	return p, f
}

// Between two items that follow each other in the input's order stands what is out between them, once, and
// nothing where one of these is in elsewhere or the best are at both ends.
func TestWhatIsLeftOutStandsInItsPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for round := range 60 {
		items := make([]model.Item, 1+rng.IntN(30))
		for i := range items {
			items[i] = model.Item{Content: "text", Tokens: model.Tokens(rng.IntN(10) - 1), FutureRelevanceHint: model.Some(rng.Float64()), Timestamp: model.Some(time.Unix(int64(i/4*4+rng.IntN(4)), 0))}
		}
		policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
		if round%3 == 0 {
			policy.Placer = model.UShaped
		}
		p, _ := windowAt(t, items, policy, model.Tokens(10+rng.IntN(100)))
		placed := append([]int32{-1}, p.out.Report.Placed()...)
		placed = append(placed, int32(len(items)))
		rows := 0
		for k, last := range placed[1:] {
			first, tokens, out := placed[k]+1, model.Tokens(0), policy.Placer != model.UShaped && placed[k]+1 < last
			for i := first; i < last; i++ {
				tokens += max(0, items[i].Tokens)
				out = out && !p.out.Report.In(int(i))
			}
			n, left := p.gapsTo(k)
			if out {
				musttest.Is(t, *left, gap{k, int(first), int(last - first), tokens}, "before place", k)
				place, row := p.outlined(k + rows)
				musttest.Is(t, place == k && row == left, true, "the row above place", k)
				rows++
			} else {
				musttest.Is(t, left == nil, true, "before place", k)
			}
			musttest.Is(t, n, rows, "up to place", k)
			place, row := p.outlined(k + rows)
			musttest.Is(t, place == k && row == nil, true, "the row of place", k)
		}
		lines := 0
		for at, ok := (anchor{}), p.len() > 0; ok; at, ok = p.next(at) {
			lines++
			if at.piece == 0 && at.line == 0 {
				if _, left := p.gapsTo(at.place); left != nil {
					lines--
				}
			}
		}
		if _, left := p.gapsTo(p.len()); left != nil && p.len() > 0 {
			lines--
		}
		musttest.Is(t, lines, 2*p.len(), "lines that are not about what is left out")
	}
}

func randomContents(rng *rand.Rand) []string {
	contents := make([]string, 1+rng.IntN(12))
	for i := range contents {
		var b strings.Builder
		for range 1 + rng.IntN(30) {
			b.WriteString([]string{"word ", "a\nb\n", "\n\n", "\tindent", "世界", strings.Repeat("x", rng.IntN(300)), "\x1b[31m", "e\u0301 "}[rng.IntN(8)])
		}
		if rng.IntN(6) == 0 {
			b.WriteString(strings.Repeat("a long line of many words and no end ", rng.IntN(1200)))
		}
		if rng.IntN(6) == 0 {
			b.WriteString(strings.Repeat("many short lines\n", rng.IntN(3000)))
		}
		contents[i] = fmt.Sprint("item ", i, " ", b.String())
	}
	return contents
}

// Read line by line, the window is every content whole, each below the line
// about it; read backwards it is the same.
func TestWindowIsEveryContentInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range randomtest.Rounds(15, 60) {
		contents := randomContents(rng)
		p, _ := windowOf(t, contents...)
		var down []anchor
		got := make([]string, len(contents))
		for at, ok := (anchor{}), true; ok; at, ok = p.next(at) {
			down = append(down, at)
			if at.piece > 0 {
				got[at.place] += p.text.piece(p.key(at.place), p.content(at.place), at.piece-1)[at.line] + "\n"
			}
		}
		for k, i := range p.out.Report.Included {
			content := contents[i]
			if len(content) <= pieceBytes {
				if want := strings.Join(plain.Wrap(content, p.text.width, 1<<20), "\n") + "\n"; got[k] != want {
					t.Fatalf("item %d reads\n%q\nwant\n%q", i, got[k], want)
				}
			}
			squeeze := func(s string) string { return strings.Join(strings.Fields(plain.Text(s)), "") }
			musttest.Is(t, squeeze(got[k]), squeeze(content), "item", i, "is not read whole")
		}
		var up []anchor
		for at, ok := down[len(down)-1], true; ok; at, ok = p.prev(at) {
			up = append(up, at)
		}
		slices.Reverse(up)
		musttest.Is(t, up, down, "upwards the lines are others than downwards")
	}
}

// Scrolling never leaves the text, and the end is reached.
func TestWindowScrolls(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for range 20 {
		p, f := windowOf(t, randomContents(rng)...)
		for range 60 {
			switch rng.IntN(8) {
			case 0, 1:
				p.Move(rng.IntN(60) - 30)
			case 2:
				p.Page(1 - 2*rng.IntN(2))
			case 3:
				p.Item(1 - 2*rng.IntN(2))
			case 4:
				p.Bottom()
				if p.len() > 0 && p.at != p.bottom() && p.at.place != p.len()-1 {
					t.Fatal("the bottom is not the end")
				}
			case 5:
				p.Top()
			case 6, 7:
				p.Fit(draw.Rect{W: 20 + rng.IntN(90), H: 3 + rng.IntN(40)}, rng.IntN(2) == 0, f.Theme())
				p.Arrange(f.Exp, f.Side)
			}
			if p.at.place < 0 || p.at.place >= p.len() || p.at.line < 0 || p.at.line >= max(1, p.height(p.at.place, p.at.piece)) {
				t.Fatalf("the top is %+v of %d items", p.at, p.len())
			}
			p.Draw(f, p.rect, p.boxed, true)
		}
		p.Bottom()
		end, last := p.at, anchor{place: p.len() - 1}
		if p.Move(1000); end.before(p.at) && last.before(p.at) {
			t.Fatalf("below the bottom %+v is %+v", end, p.at)
		}
	}
}

func TestWindowFinds(t *testing.T) {
	p, f := windowOf(t, "first Needle here", "nothing", strings.Repeat("filler line\n", 2000)+"two needles: needle\n"+strings.Repeat("more\n", 50), `a "quoted\ text`)
	seen := func() hit {
		t.Helper()
		experimenttest.Work(t, p)
		if !p.find.found {
			t.Fatalf("not found: %+v", p.find)
		}
		return p.find.hit
	}
	content := p.content(2)
	first, second := strings.Index(content, "needle"), strings.LastIndex(content, "needle")
	p.Find("needle")
	musttest.Is(t, seen(), (hit{0, 6, 12, 1, 7}), "the first")
	for n, want := range []hit{{2, first, first + 6, 2001, 5}, {2, second, second + 6, 2001, 14}, {0, 6, 12, 1, 7}, {2, first, first + 6, 2001, 5}} {
		p.findNext(1)
		musttest.Is(t, seen(), want, "next", n)
		// The line is on the screen, and marked.
		p.Draw(f, p.rect, true, true)
		musttest.Says(t, f.String(), "\x1b[7m", "next", n)
	}
	for n, want := range []hit{{0, 6, 12, 1, 7}, {2, second, second + 6, 2001, 14}} {
		p.findNext(-1)
		musttest.Is(t, seen(), want, "back", n)
	}
	p.Find(`"QUOTED\ `)
	musttest.Is(t, seen().place, 3, "a text with quotes")
	p.Find("haystack")
	experimenttest.Work(t, p)
	if !p.find.none || !strings.Contains(p.title(f), "not in the window") {
		t.Errorf("%+v", p.find)
	}
	p.findNext(1)
	experimenttest.Work(t, p)
	p.Find("")
	if _, needed := p.Job(); needed || p.find.text != "" {
		t.Error("nothing is looked for, and yet there is work")
	}
}

// A content of many megabytes is as quick as a short one: at its end as at its
// beginning only pieces around the screen are wrapped.
func TestWindowLooksAtTheScreenOnly(t *testing.T) {
	p, f := windowOf(t, "before", strings.Repeat("a line of the long item\n", 400_000), strings.Repeat("no line ends here ", 100_000), "after")
	p.Bottom()
	p.Draw(f, p.rect, true, true)
	p.Item(-1)
	p.Item(-1)
	p.Move(-30)
	p.Draw(f, p.rect, true, true)
	p.Select(1)
	p.Page(1)
	p.Draw(f, p.rect, true, true)
	if n := len(p.text.lines); n > 12 {
		t.Errorf("%d pieces were wrapped", n)
	}
	for place := range p.len() {
		content := p.content(place)
		starts := p.text.pieces(p.key(place), content)
		for k, at := range starts {
			end := len(content)
			if k+1 < len(starts) {
				end = starts[k+1]
			}
			if end-at > pieceBytes || end <= at {
				t.Fatalf("piece %d of item %d is %d bytes", k, place, end-at)
			}
		}
	}
}

// The item at the top stays there while others come and go; where it goes, the
// next one takes its place.
func TestWindowFollowsItsItem(t *testing.T) {
	f := widgettest.Frame(t, 80, false)
	p := &View{}
	p.Fit(draw.Rect{W: 60, H: 20}, true, f.Theme())
	p.Arrange(f.Exp, f.Side)
	rng := rand.New(rand.NewPCG(35, 36))
	stayed, left := 0, 0
	for range 60 {
		if p.len() > 0 {
			p.Select(p.item(rng.IntN(p.len())))
		}
		was, had := p.Selected()
		old := p.out
		widgettest.Apply(t, f, f.Exp.Setup().WithMax(model.Tokens(100+rng.IntN(8000))))
		p.Arrange(f.Exp, f.Side)
		is, has := p.Selected()
		switch {
		case !had || !has:
		case f.Out.Report.In(was):
			stayed++
			if is != was {
				t.Fatalf("#%d is in, the top is #%d", was, is)
			}
		default:
			left++
			after := slices.Index(old.Report.Included, int32(is)) > slices.Index(old.Report.Included, int32(was))
			if !after && slices.ContainsFunc(old.Report.Included[slices.Index(old.Report.Included, int32(was)):], func(i int32) bool { return f.Out.Report.In(int(i)) }) {
				t.Fatalf("#%d went out, the top is #%d, which was placed before", was, is)
			}
		}
	}
	if stayed < 10 || left < 3 {
		t.Errorf("the top stayed %d times and left %d times", stayed, left)
	}
}

// No piece ends inside a character, and together they are the content.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		name, content string
		pieces        int
	}{
		{"short", "a", 1}, {"of one piece", strings.Repeat("x", pieceBytes), 1}, {"a byte more", strings.Repeat("x", pieceBytes+1), 2},
		{"wide characters", strings.Repeat("世", pieceBytes), 4}, {"after one byte", "x" + strings.Repeat("\U0001f467", pieceBytes), 5},
		{"lines", strings.Repeat("line\n", pieceBytes), 6}, {"words", strings.Repeat("word ", pieceBytes), 6}, {"no UTF-8", strings.Repeat("\x80", 2*pieceBytes), 3},
	} {
		var w lineCache
		w.reset(40)
		starts := w.pieces(0, c.content)
		musttest.Is(t, len(starts), c.pieces, c.name)
		for k, from := range starts {
			to := len(c.content)
			if k+1 < len(starts) {
				to = starts[k+1]
			}
			if to <= from || to-from > pieceBytes || utf8.ValidString(c.content) && !utf8.ValidString(c.content[from:to]) {
				t.Errorf("%s: piece %d is %d to %d", c.name, k, from, to)
			}
		}
	}
}

func TestWindowHits(t *testing.T) {
	p, f := windowOf(t, "first\nline", "second", "third", "fourth")
	p.Draw(f, p.rect, true, true)
	body := p.body()
	for _, c := range []struct {
		x, y int
		item int // -1: none
	}{
		{body.X, body.Y, 0}, {body.X + 5, body.Y + 2, 0}, {body.X, body.Y + 3, 1}, {body.X, body.Y + 4, 1}, {body.X, body.Y + 8, 3}, {body.X, body.Y + 9, -1},
		{0, 0, -1}, {body.X, body.Y - 1, -1},
	} {
		h := p.Hit(c.x, c.y)
		if h.Item.Set != (c.item >= 0) || h.Item.Set && h.Item.Value != p.item(c.item) {
			t.Errorf("at %d, %d: %+v, want place %d", c.x, c.y, h.Item, c.item)
		}
	}
}
