package explorer

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// In the policy editor backspace gives a scorer's row the value that it had at the start, a
// step that is too large goes as far as it can, and an error names the row.
func TestTheRowsOfScorersStepAndGoBack(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		weight := func(want float64) {
			t.Helper()
			musttest.Is(t, s.m.exp.Setup().Policy[s.m.side].Scorers[0].Weight, want, size, "the weight", s.text())
		}
		s.do("policy.edit")
		start := s.m.exp.Setup().Policy[s.m.side].Scorers[0].Weight
		s.press("ll<backspace>")
		s.line("recency weight 4 → 3:")
		weight(start)
		s.press("<backspace>")
		s.line("recency: there is nothing to set back")
		s.press("H")
		s.line("recency weight 3 → 2.5:")
		s.press("H<enter><ctrl+u>-1<enter>")
		s.line("recency weight is -1, must be a finite number above 0")
		s.press("<esc>")
		weight(2)
		s.press("hhhh", "recency: already at its limit")
		weight(.5)
		s.press("jjjH") // the score of Memory, 0.8
		s.line("memory 0.8 → 0:")
		s.press("h", "memory: already at its limit")
		s.press("k<enter>1<enter>") // that of SystemPrompt, which is 1 by default
		s.line("system prompt: already set, nothing to change")
		s.press("<esc><tab>")
		s.m.knobs.Select("scorers")
		s.do("knob.reset")
		weight(start)
		if screen := s.text(); strings.Contains(screen, "invalid policy") {
			t.Errorf("%v: the policy's JSON is spoken of:\n%s", size, screen)
		}
	}
}

// Values before and after a change of scorers are sums of other scores: the difference that is
// shown is by the new ones, or none where the same items are in.
func TestAfterOtherScoresValuesCompareByTheNewOnes(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	gained := func(before, after *model.Report) (gain float64) {
		unscored := func(c model.Code) bool { return c == model.Pinned || c == model.Filtered }
		for i, score := range after.Scores {
			if unscored(before.Codes[i]) || unscored(after.Codes[i]) {
				continue
			}
			if after.In(i) {
				gain += score
			}
			if before.In(i) {
				gain -= score
			}
		}
		return gain
	}
	report := func() *model.Report { return s.m.exp.Outcome(s.m.side).Report }
	old := widget.Value(report().Value)
	s.press("pl")
	s.line("recency weight 3 → 3.5:", "no item moves", " rescored: value "+old+" by the old scores, "+widget.Value(report().Value)+" by the new")
	s.press("<esc><esc>u")
	s.line("undo ", " rescored")
	s.do("budget.next")
	s.line("budget 32,000 → 32,048", " value")
	before := report()
	s.press(":set preset rag<enter>")
	gain, now := gained(before, report()), report().Value
	s.line("preset chat → rag", "by the new scores "+widget.Value(now-gain)+" → "+widget.Value(now)+" ("+widget.SignedValue(gain)+")")

	// A pinned or excluded item has no score, and the others get other ones: the value is the one in the header.
	for _, edit := range []string{"pin 8", "pin 19", "unpin 0", "exclude 41", "exclude 15", "pin 7"} {
		for _, size := range sizes {
			s = begin(t, agentSession(t), size[0], size[1])
			before := report()
			s.press(":" + edit + "<enter>")
			value := widget.Value(report().Value)
			line := s.line(": ", "u undo", "value ", value)
			parts, now := 0.0, report() // what the items that count before or now alone make of the difference
			for i := range now.Codes {
				was, is := before.In(i) && before.Codes[i] != model.Pinned, now.In(i) && now.Codes[i] != model.Pinned
				switch {
				case was && !is:
					parts -= before.Scores[i]
				case is && !was:
					parts += now.Scores[i]
				}
			}
			if size[0] > 100 && strings.Contains(line, "rescored: value") {
				t.Errorf("%s does not tell the parts: %s", edit, line)
			}
			if size[0] > 100 && !strings.Contains(line, plain.Pinned+" items not counted") && !strings.Contains(line, ": "+widget.SignedValue(parts)+" ") {
				t.Errorf("%s: no part of %s in %s", edit, widget.SignedValue(parts), line)
			}
			s.press("u:" + edit)
			s.line("enter: ", "value ", value) // the palette foretells it, and so does the opened item
		}
	}
	s = agentAt(t, 120, 36, ":32<enter><enter>")
	_, told, _ := strings.Cut(strings.TrimRight(s.line(pinsIt), " │"), "; rescored: value ")
	s.press("<esc><space>")
	s.line("pin #32: ", " → "+told+": ", " the others rescored")
	s.press(":3<enter><space>")
	s.line("pin #3: no other item moves", " #3, not counted, ", " the others rescored")
}

// The editor says what all changes since it was opened did, not only the newest.
func TestTheEditorTellsTheEffectSinceItWasOpened(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		in := func() string { return strconv.Itoa(len(s.m.exp.Outcome(s.m.side).Report.Included)) }
		before := s.m.exp.Outcome(s.m.side).Report
		s.press("pl", "no item moves")
		if size[0] == 120 {
			s.line("value  ", "rescored")
		}
		was := in()
		s.toRow("tool output max %")
		s.press("30<enter>")
		s.toRow("recency")
		s.press("h")
		if in() == was {
			t.Fatal("the quota lets the same items in")
		}
		if size[0] == 120 {
			s.sees("tool output max % none → 30", "recency weight 3.5 → 3", "What h and l would do")
			came, out := simulate.Diff(before, s.m.exp.Outcome(s.m.side).Report)
			listed := s.text()
			for _, i := range widget.Largest(before.Items, slices.Concat(came, out), 4) {
				sign := map[bool]string{true: theme.Minus, false: "+"}[slices.Contains(out, i)]
				_, after, ok := strings.Cut(listed, "│ "+sign+" "+itemName(int(i))+" ")
				musttest.Is(t, ok, true, itemName(int(i)), "is listed below the larger ones")
				listed = after
			}
			s.sees(was + " → " + in() + " in, ")
		} else {
			s.sees("since opening: " + was + " → " + in() + " in")
		}
		s.press("<esc>p")
		s.seesNot("tool output max % none → 30", "→ "+in()+" in")
		s.press("uuu")
		if size[0] == 120 {
			s.sees("changes of before were undone", "+ #")
		}
	}
}

// The row of a value that is typed shows the text so far, the explanation names the value, what it is
// now and its bounds, and what all changes did to the set stands first, beside the rows or above them.
func TestTheEditorShowsTheValueThatIsTyped(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.do("policy.edit", "‹ 3 ›", "recency weight 3: above 0")
		first := s.screen()[slices.IndexFunc(s.screen(), func(line string) bool { return strings.Contains(line, "Policy  A") })+1]
		musttest.Says(t, first, map[bool]string{true: "no change yet: h l turn the marked row", false: "39 in, 0.7 % " + plain.BelowBest + ", no item moves"}[size[0] == 120], size, "the first line is")
		s.press("45", "‹ 45_ ›", "recency weight (3): 45")
		s.seesNot("‹ 3 ›")
		s.press("<esc>", "‹ 3 ›")
		s.toRow("document min %")
		s.press("7", "‹7_›", "at least this % of the room, 0 to max %; none clears it")
		s.press("<enter>", "‹7›")
		if size[0] >= 80 {
			s.sees("document min % 7: ")
		}
		s.press("/tool") // another line that is typed is no value
		s.seesNot("tool_")
	}
}

// What is changed of a side that had no result when the editor was opened is measured from
// the first result on.
func TestTheEditorBeginsWithAResult(t *testing.T) {
	for size, s := range agentAtSizes(t, ":max 8000<enter>p", "no result") {
		s.press(":max 32000<enter>p", "since there is a result", map[bool]string{true: "no change yet", false: "no item moves"}[size[0] == 120])
	}
}

// A weight shows which share of the mean it has, to an eighth of a cell: 75 % and 78 % had one bar.
func TestWeightsAreShares(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.do("policy.edit")
		s.line("recency", "‹ 3 ›", "75 %")
		s.press("ll")
		s.line("recency", "‹ 4 ›", "80 %")
		s.line("kind ", "20 %")
		if size[0] == 120 {
			s.press("h")
			bar := regexp.MustCompile("[█▏▎▍▌▋▊▉]{2,}")
			at78 := bar.FindString(s.line("recency", "78 %"))
			s.press("h")
			if at75 := bar.FindString(s.line("recency", "75 %")); at75 == at78 || at75 == "" {
				t.Errorf("75 %% and 78 %% have the bars %q and %q", at75, at78)
			}
		}
	}
}

// Only the ratio of weights counts: another weight of the only scorer moves no score, and the
// values compare.
func TestTheWeightOfTheOnlyScorerMovesNothing(t *testing.T) {
	s := begin(t, islands(t, 120), 120, 36).after("pkl")
	im, _ := s.m.exp.Impact()
	if weight := s.m.exp.Setup().Policy[s.m.side].Scorers[0].Weight; weight == 1 || im.Rescored || im.Moved+len(im.In)+len(im.Out) > 0 {
		t.Errorf("weight %v: %+v", weight, im)
	}
}

// Before anything is changed the editor says what to do, and names the items that a step moves.
func TestTheEditorNamesWhatAStepWouldMove(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("policy.edit", "no change yet: h l turn the marked row", "h 2.5  + #32", "l 3.5  moves no item", "h would move")
	_, named, _ := strings.Cut(s.text(), "h would move")
	before := s.m.exp.Outcome(experiment.A).Report
	s.press("h")
	after := s.m.exp.Outcome(experiment.A).Report
	moved := 0
	for i := range before.Items.Len() {
		sign := map[bool]string{true: "+ ", false: theme.Minus + " "}[after.In(i)]
		if before.In(i) == after.In(i) {
			continue
		}
		if moved++; !strings.Contains(named, sign+itemName(i)+" ") {
			t.Errorf("#%d moves, and is not named:\n%s", i, named)
		}
	}
	if moved < 2 || moved != strings.Count(named, "│ + #")+strings.Count(named, "│ "+theme.Minus+" #") {
		t.Errorf("%d items moved, named are:\n%s", moved, named)
	}
}
