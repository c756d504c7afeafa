package overlay

import (
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// ReportFacts holds what the report shows and the items themselves do not.
type ReportFacts struct {
	Name, Format string   // the source and its format
	Encoding     string   // the encoding that tokens are counted with, or "" to leave it out
	Notes        []string // what was assumed, a line each; may be empty
	Lines        []string // the lines of the load report; may be empty
}

// Report is the overlay that shows how loading the items went.
type Report struct {
	widget.Scroller
	app   screen.App
	facts ReportFacts
}

func NewReport(app screen.App, facts ReportFacts) *Report { return &Report{app: app, facts: facts} }

func (p *Report) Spec() screen.Spec {
	return screen.Spec{Place: screen.Over, Cursor: p, Hints: p.Hints}
}

func (p *Report) Hints() []screen.Hint {
	return []screen.Hint{{Key: "j/k", Text: "scroll"}, {Key: "esc", Text: "close"}, {Key: "?", Text: "all keys"}}
}

// Draw draws the report over r, from the line that it is scrolled to.
func (p *Report) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	in := f.Overlay(r, "How loading went  esc closes")
	lines := p.lines(in.W - 2)
	first := p.Show(in.H, len(lines))
	for y := 0; y < in.H && first+y < len(lines); y++ {
		f.Text(in.X+1, in.Y+y, in.W-2, lines[first+y], theme.Plain)
	}
	f.OverlayRows(r, in, first, first+in.H, len(lines))
}

func (p *Report) lines(width int) []string {
	items := p.app.Experiment().Items()
	all := []string{
		p.facts.Name + " [" + p.facts.Format + "]",
		fmt.Sprintf("%s, %s, %v of them estimated", plain.Count(items.Len(), "item"), plain.Count(items.Total(), "token"), plain.Thousands(items.Estimates())),
	}
	for _, line := range [...]string{p.provenances(items), labelled(p.app.Experiment().Setup().Labels)} {
		if line != "" {
			all = append(all, line)
		}
	}
	if len(p.facts.Notes) > 0 {
		all = append(append(all, "", "what to know:"), p.facts.Notes...)
	}
	if len(p.facts.Lines) > 0 {
		all = append(all, "", "when it was loaded:")
	}
	all = append(all, p.facts.Lines...)
	for _, t := range plain.Terms() {
		if t.Name == "Cupel" {
			all = append(all, "", t.Name+": "+t.Means+".")
		}
	}
	var lines []string
	for _, s := range all {
		lines = append(lines, plain.Wrap(s, width, 20)...)
	}
	return lines
}

// labelled counts the labels: needed items, other judged items and answers. It
// returns "" if there are none.
func labelled(l model.Labels) string {
	if l.IsZero() && l.Unreachable == 0 {
		return ""
	}
	line := "needed: " + plain.Count(l.NeededCount(), "item")
	if n := len(l.Missed); n > 0 {
		line += ", " + plain.Thousands(n) + " of them not found"
	}
	if judged := len(l.Grades) - len(l.Needed()); judged > 0 {
		line += ", " + plain.Count(judged, "item") + " judged and not needed"
	}
	if n := len(l.Answers); n > 0 {
		line += ", " + plain.Count(n, "answer")
	}
	if l.Unreachable > 0 {
		line += ", " + plain.Count(l.Unreachable, "label") + " without an item, left out of recall"
	}
	return line
}

// provenances returns where the token counts come from. It returns "" if the file
// gives all of them.
func (p *Report) provenances(items *model.Set) string {
	counts := map[model.Provenance]int{}
	for i := range items.Len() {
		counts[items.Count(i)]++
	}
	if counts[model.FromFile] == items.Len() {
		return ""
	}
	var parts []string
	for _, source := range []model.Provenance{model.FromFile, model.FromUsage, model.Exact, model.Estimated, model.Opaque} {
		if counts[source] == 0 {
			continue
		}
		part := plain.Thousands(counts[source]) + " " + source.String()
		if source == model.Estimated {
			part += " by " + widget.Program
		}
		parts = append(parts, part)
	}
	line := "counts: " + strings.Join(parts, ", ")
	if p.facts.Encoding != "" {
		line += "; the encoding is " + p.facts.Encoding
	}
	return line
}
