package pane

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/widget/widgettest"
)

// impact is the line that Impact draws.
func impact(f *widget.Frame, width int, message string) string {
	f.Reset(width, 1, theme.New(theme.NoColor, false))
	r := (draw.Rect{W: width, H: 1})
	if message == "" {
		Impact(f, r, nil)
	} else {
		Message(f, r, message, false)
	}
	return strings.TrimSpace(widgettest.Text(f))
}

// The line says how many items came in and went out, and names them while there
// is room.
func TestImpactSaysWhatAChangeDid(t *testing.T) {
	f := widgettest.Frame(t, 120, false)
	musttest.Is(t, impact(f, 100, ""), "", "before any change it says")
	musttest.Is(t, impact(f, 100, "a message"), "a message", "a message is drawn as")
	now := f.Exp.Setup()
	steps := []struct {
		name string
		next experiment.Setup
	}{{"more", now.WithMax(6000)}, {"less", now.WithMax(2500)}, {"nothing", now.WithMax(2500)}}
	steps[2].next.Slack++
	for _, c := range steps {
		before := f.Out.Report
		musttest.Do(t, f.Exp.Apply(c.next, experiment.Label{Name: c.name}, ""))
		widgettest.Compute(t, f)
		in, out := 0, 0
		var names []string
		for i := range before.Codes {
			switch {
			case f.Out.Report.In(i) && !before.In(i):
				in++
				names = append(names, "#"+strconv.Itoa(i))
			case !f.Out.Report.In(i) && before.In(i):
				out++
			}
		}
		for _, width := range []int{60, 80, 120, 200} {
			got := impact(f, width, "")
			if draw.Width(got) > width || !strings.HasPrefix(got, c.name+": ") {
				t.Errorf("%s in %d cells: %q", c.name, width, got)
			}
			if in+out == 0 {
				musttest.Says(t, got, "no item moves", c.name, "in", width, "cells", "though no item moved")
				continue
			}
			for want, n := range map[string]int{"+" + strconv.Itoa(in) + " in": in, "−" + strconv.Itoa(out) + " out": out} {
				named := n > 0 && strings.Contains(got, want[:1]+" "+strings.Join(names, " ")) // in place of the number
				if (strings.Contains(got, want) || named) != (n > 0) {                         // none is left out
					t.Errorf("%s in %d cells: %q, %q of %d", c.name, width, got, want, n)
				}
			}
			if in > 0 && width == 200 && !slices.ContainsFunc(names, func(s string) bool { return strings.Contains(got, s) }) {
				t.Errorf("%s in %d cells: %q names none of %v", c.name, width, got, names)
			}
		}
		musttest.Is(t, c.name == "nothing", in+out == 0, c.name, in, "in", out, "out")
	}
}

// What does not fit is left out whole: no word of the line is cut.
func TestNoWordOfAnImpactIsCut(t *testing.T) {
	f := widgettest.Frame(t, 120, false)
	im := experiment.Impact{In: []int32{15}, Tokens: 930, Value: 0.3, Risk: 2, RiskWas: 1, Moved: 3, Reordered: true}
	for width := 26; width <= 140; width++ {
		if n := draw.SpansWidth(ImpactSpans(f, im, width)); n > width {
			t.Errorf("in %d cells the line takes %d", width, n)
		}
	}
}

// The rest of a long label gives way to what a view says of a change.
func TestALabelGivesWayToTheEffect(t *testing.T) {
	f := widgettest.Frame(t, 120, false)
	musttest.Do(t, f.Exp.Apply(f.Exp.Setup().WithMax(2500), experiment.Label{Name: "counted 247 items, 732 tok more than estimated"}, ""))
	widgettest.Compute(t, f)
	effect := func(_ *widget.Frame, width int) []draw.Span {
		return draw.FirstThatFits(width, []draw.Span{widget.Plain("A costs 1.14 of sending all")}, []draw.Span{widget.Plain("A costs 1.14")})
	}
	for width := 40; width <= 120; width++ {
		f.Reset(width, 1, theme.New(theme.NoColor, false))
		Impact(f, draw.Rect{W: width, H: 1}, effect)
		if got := widgettest.Text(f); !strings.HasPrefix(got, " counted 247 items") || !strings.Contains(got, "A costs 1.14") {
			t.Errorf("in %d cells: %q", width, got)
		}
	}
}

// A notice that is too long ends after a whole word, and every line fits.
func TestNoticeLinesEndAfterAWord(t *testing.T) {
	const text = "press ]: #15 leaves though the budget grows, is back at the next press and leaves at the third"
	g := theme.New(theme.NoColor, false).Glyphs
	for width := range 120 {
		for most := 1; most <= 3; most++ {
			lines := NoticeLines(g, text, width, most, "esc")
			said := strings.Join(lines, " ")
			if len(lines) > most {
				t.Fatalf("%d lines of at most %d", len(lines), most)
			}
			if whole, cut := strings.CutSuffix(said, " "+g.Ellipsis); width > 30 && said != text && (!cut || !strings.HasPrefix(text, whole+" ")) {
				t.Errorf("%d cells, %d lines: %q", width, most, lines)
			}
		}
	}
	musttest.Is(t, NoticeLines(g, " ", 40, 3, ""), nil, "nothing is drawn as")
}

// A message that two rows do not hold breaks between words, and within a path only.
func TestALongMessageBreaksBetweenWords(t *testing.T) {
	f := widgettest.Frame(t, 1, false)
	long := strings.Repeat("word ", 30)
	path := "not opened: /" + strings.Repeat("folder/", 20)
	for text, want := range map[string]string{long: "word word word word", path: "not opened: /folder/folder/fol"} {
		f.Reset(32, 2, theme.New(theme.NoColor, false))
		if rows := Message(f, draw.Rect{W: 32, H: 2}, text, false); rows != 2 {
			t.Fatalf("%d rows", rows)
		}
		lines := strings.Split(widgettest.Text(f), "\n")
		if got := strings.TrimSpace(lines[0]); !strings.HasPrefix(got, want) || strings.HasPrefix(text, "word") && !strings.HasSuffix(got, "word") {
			t.Errorf("the first row is %q", got)
		}
	}
}
