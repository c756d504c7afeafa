package explorer

import (
	"strconv"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/widget"
)

// Every cell of the screen belongs to exactly one rectangle, at every size.
func TestArrangeTilesTheScreen(t *testing.T) {
	for w := minWidth; w <= 220; w += 7 {
		for h := minHeight; h <= 80; h++ {
			for _, s := range []showing{{}, {Notice: 1}, {Notice: 3}, {Reader: true}, {Notice: 2, Reader: true}, {Whole: true}, {Notice: 3, Whole: true, Reader: true}, {Knobs: 9}, {Notice: 2, Knobs: 30}, {Rows: 1}, {Rows: 12}} {
				l := arrange(w, h, s)
				covered := make([]int, w*h)
				for _, r := range []draw.Rect{l.Header, l.Bar, l.Legend, l.Tabs, l.Notice, l.Knobs, l.KnobLine, l.Next, l.Main, l.Detail, l.Impact, l.Hints} {
					for y := r.Y; y < r.Y+r.H; y++ {
						for x := r.X; x < r.X+r.W; x++ {
							if x < 0 || y < 0 || x >= w || y >= h {
								t.Fatalf("%dx%d %+v: %+v reaches outside", w, h, s, r)
							}
							covered[y*w+x]++
						}
					}
				}
				for i, n := range covered {
					if n != 1 {
						t.Fatalf("%dx%d %+v: cell %d,%d is covered %d times", w, h, s, i%w, i/w, n)
					}
				}
				if free := l.Knobs.H - 2 - s.Knobs; l.Shape == full && !s.Whole && free > 0 {
					t.Fatalf("%dx%d %+v: %d rows are empty below the knobs", w, h, s, free)
				}
				if l.Main.H < minMain {
					t.Fatalf("%dx%d %+v: only %d rows for the table", w, h, s, l.Main.H)
				}
			}
		}
	}
}

func TestArrangeShapes(t *testing.T) {
	for _, c := range []struct {
		why   string
		w, h  int
		shape Shape
	}{
		{"a terminal of the usual size has strips", 80, 24, compact},
		{"one column less has none", 79, 24, small},
		{"one row less has none", 80, 23, small},
		{"the least", 60, 16, small},
		{"too narrow", 59, 16, tooSmall},
		{"too low", 60, 15, tooSmall},
		{"everything", 110, 30, full},
		{"wide but low", 200, 29, compact},
		{"before the terminal has told its size", 0, 0, tooSmall},
	} {
		musttest.Is(t, arrange(c.w, c.h, showing{}).Shape, c.shape, c.why, c.w, "x", c.h, "is shape")
	}
}

// The first line answers at every size and in every view how many items are in, how many are at risk, and how far
// the value is below the best, before the value itself: the line of the knobs names view and policy.
func TestTheFirstLineIsTheAnswerAtEverySize(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		value := widget.Value(s.m.exp.Outcome(s.m.side).Report.Value)
		for view := range 8 {
			s.press(strconv.Itoa(view + 1))
			for _, part := range []string{" agent ", "● 39 of 65 in ", "~ 2 " + plain.AtRisk + " ", " 0.7 % " + plain.BelowBest + " "} {
				musttest.Says(t, s.screen()[0], part, size, view)
			}
			musttest.Is(t, strings.Contains(s.screen()[0], "value "+value), size[0] >= 80, size, view)
		}
		s.do("view.Items")
		if strings.Contains(s.screen()[0], "  A  ") {
			t.Errorf("%v: a lone A names nothing: %s", size, s.screen()[0])
		}
		s.do("item.pin", "pin #15: no other item moves")
		if size[0] >= 80 {
			s.line("pin #15: ", "rescored", " "+widget.Value(s.m.exp.Outcome(s.m.side).Report.Value)) // why the value of the header falls
		}
	}
}

// A policy that was changed is no longer the preset: the names of policies leave it out, and its knob says so in
// a word.
func TestAChangedPolicyIsNamedByItsSlicer(t *testing.T) {
	for size, s := range agentAtSizes(t, ":set recency 4<enter>") {
		if header := s.screen()[0]; strings.Contains(header, "chat") {
			t.Errorf("%v: the header is %q", size, header)
		}
		if size[0] == 120 {
			s.line("preset ", "chat (changed)")
		}
		s.do("undo")
		s.seesNot("(changed)")
	}
}

// A budget smaller by the slack that has no result does not read as no risk.
func TestTheHeaderSaysThatLessHasNoResult(t *testing.T) {
	for size, s := range agentAtSizes(t, ":11000<enter>") {
		out := s.m.exp.Outcome(s.m.side)
		if out.Report == nil || out.SlackErr == nil {
			t.Fatal("the smaller budget has a result")
		}
		if header := s.screen()[0]; !strings.Contains(header, "~ all "+plain.AtRisk) {
			musttest.Says(t, header, "~ no result with "+out.Setup.Slack.String()+" less", size)
		}
	}
}

// The budgets of a duplicate are named as those of the item that it repeats.
func TestADuplicateHasTheBudgetsOfAnother(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, agentSession(t), size[0], size[1], func(o *Options) { o.Start.Item = "12" })
		s.line("≡ 12 doc", "as #28", "same as #28")
		stays, _ := s.m.exp.Profile(s.m.side).StaysFrom(28)
		s.line("#28 ", "from "+stays.String())
	}
}
