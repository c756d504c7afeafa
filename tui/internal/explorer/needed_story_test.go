package explorer

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// neededIn is what the header says of needed items, beside the value.
func neededIn(width, in, of int) string {
	if width <= 60 {
		return fmt.Sprintf("needed %d/%d ", in, of)
	}
	if width <= 80 || in == of { // the name and the value come before the percentage
		return fmt.Sprintf("needed %d of %d ", in, of)
	}
	return fmt.Sprintf("needed %d of %d in (%d %%)", in, of, (100*in+of/2)/of)
}

// What is needed is marked with *: it has a glyph, the header counts it, and the
// reason says so, at every size.
func TestNeededItemsAtEverySize(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, agentSession(t), size[0], size[1])
		s.seesNot("recall")
		if header := s.screen()[0]; strings.Contains(header, "needed") {
			t.Errorf("%v: the header is %q before anything is needed", size, header)
		}
		s.press("f15<enter>*f18<enter>*f19<enter>*", neededIn(size[0], 2, 3), "○★19", "needed; out, too large")
		if size[0] == 80 {
			s.sees(" agent •  ● 39 of 65 in   ~ 2 at risk   needed 2 of 3  0.7 % below best  ? help")
		}
		s.do("undo", "undo needed #19", neededIn(size[0], 2, 2))
		s.press("<ctrl+r>*", "not needed #19")
		s.press("uuuu") // and the three marks
		s.seesNot("needed 2 of", "★")
	}
}

func TestNeededItemsAreChosenAndFiltered(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36, func(o *Options) { o.ASCII = true }).after("gvvv*", "needed #0 #1 #2", "needed 3 of 3 in ")
	s.press("<esc>f19<enter>*", "-N19", "recall 100 % -> 75 %")
	s.press("/is:needed<enter>", "4 shown")
	if rows := s.rows(); len(rows) != 4 || rows[3] != 19 {
		t.Errorf("rows %v", rows)
	}
	s.press("*k") // the row goes with its mark, once the cursor has left it
	musttest.Is(t, len(s.rows()), 3, "rows")
	s.sees("not needed #19")
}

// At a budget without result nothing is in, so no share of it is told.
func TestNoFiguresOfWhatIsNeededWithoutAResult(t *testing.T) {
	s := agentAt(t, 120, 36, "jjj*<tab>g<enter>9000<enter><tab>", "no result", "★")
	s.seesNot("needed 1 of", "recall")
	s.press("j*/is:needed<enter>")
	musttest.Is(t, len(s.rows()), 2, "what is marked meanwhile is not found")
}

func TestNeededItemsAreSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	scenario := `{"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":3},"labels":{"0":3,"1":0},"answers":["b"],` +
		`"items":[{"content":"a","tokens":1},{"content":"b","tokens":1},{"content":"c","tokens":1}]}`
	write(t, path, scenario)
	open := func() *story { return begin(t, reopened(t, path), 120, 36) }
	s := open()
	s.sees("needed 1 of 1 in   answered", "needed (grade 3); in")
	s.press("*jj*", "needed 1 of 1 in")
	s.press("w<enter>")
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), `"labels": {"0":0,"1":0,"2":1}`) || !strings.Contains(string(data), `"answers": ["b"]`) {
		t.Errorf("%v: %s", err, data)
	}
	s = open()
	if got := s.m.exp.Setup().Labels; !got.Equal(model.Labels{Grades: map[int]int{0: 0, 1: 0, 2: 1}, Answers: []string{"b"}}) {
		t.Errorf("opened again: %v", got)
	}
	musttest.Is(t, s.m.unsaved(), false, "what was saved is unsaved")
}

// What the user has marked goes with its item when the file is loaded again; what
// he has not follows the file.
func TestNeededItemsOfAFileThatChanged(t *testing.T) {
	const items = `{"content":"a","tokens":1},{"content":"b","tokens":1,"relevance":2}`
	s, path := file(t, "items.json", "["+items+"]")
	s.sees("needed 1 of 1 in")
	write(t, path, `[{"content":"c","tokens":1,"relevance":1},`+items+`]`)
	s.do("reload", "needed 2 of 2 in")
	s.press("gj*") // a
	s.sees("needed 3 of 3 in")
	write(t, path, `[`+items+`,{"content":"d","tokens":1,"relevance":1}]`)
	s.do("reload")
	if got := s.m.exp.Setup().Labels; !got.Equal(model.Labels{Grades: map[int]int{0: 1, 1: 2, 2: 1}, Unreachable: 1}) {
		t.Errorf("loaded again: %+v", got)
	}
	s.do("undo")
	if got := s.m.exp.Setup().Labels.Grades; len(got) != 2 || got[1] != 2 || got[2] != 1 {
		t.Errorf("undone: %v", got)
	}
}

func reopened(t *testing.T, path string) *Workspace {
	t.Helper()
	return sessionOf(t, session.Options{Sources: []string{path}})
}

// The curve of recall: #1 of the islands is in from 50, out from 100, and stays
// from 150 on.
func TestCurveOfRecall(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, islands(t, 120), size[0], size[1]).after("7k", "Curve  recall at every budget", "Nothing is marked as needed yet")
		s.do("curve.enough", "=: nothing is marked as needed yet")
		s.press("1j*7", "The needed item stays in with A from 150, with B from 200", "At 120 A has 0 of 1 needed item, B has 0.", "0 of 1, 0 %", "all from", "= all needed")
		s.do("curve.enough", maxTokens+" 120 → 150", "recall 0 % → 100 %", "1 of 1, 100 %", "= all needed")
		s.do("curve.enough", "=: this is the budget from which on all")
	}
}

// What is marked as needed leads to the budget that holds it: the hint names the key, and
// Curve draws the recall until another measure is chosen.
func TestWhatIsNeededLeadsToItsBudget(t *testing.T) {
	for size, s := range agentAtSizes(t, ":mark needed 13 28", "mark 2 items as needed: #13 #28") {
		s.press("<esc>:needed 13, 28<enter>", "needed #13 #28: ", "7 a budget for the needed")
		s.do("view.Curve", "Curve  recall at every budget")
		s.do("curve.enough", neededIn(size[0], 2, 2))
		s.do("view.Items")
		s.seesNot("a budget for the needed")
		s.press("7j1u7") // the measure stays as it was chosen
		s.seesNot("Curve  recall at every budget")
	}
}

// The wanted share of the value is a knob; of what is needed all is wanted.
func TestTheWantedShareIsAKnob(t *testing.T) {
	s := begin(t, islands(t, 120), 120, 36).after("gj*7", "all from")
	s.do("curve.measure", "90 % from")
	s.press(":set wanted % 101", `wanted %: "101" must be 0 to 100 percent`)
	s.press("<backspace><backspace><backspace>0<enter>", "wanted % 90 → 0", "0 % from")
	s.press(":wanted 80", "set wanted % to 80") // whose name has the sign already
	s.seesNot("to 80 %")
	s.press("<esc>")
	s.do("undo", "90 % from")
	musttest.Is(t, s.m.unsaved(), true, "what is marked is saved in no file")
	s.press("1*", "not needed #1")
	musttest.Is(t, s.m.unsaved(), false, "as it was loaded, it is unsaved")
}

// Compare has recall beside value, and says where they disagree.
func TestCompareTellsRecall(t *testing.T) {
	for _, s := range agentAtSizes(t, "") {
		s.do("view.Compare")
		s.seesNot("recall")
		s.press("f32<enter>*") // in under the knapsack alone
		s.do("view.Compare", "recall", "0 %", "100 %▲", "A wins by 4.7 % in value, but B has more", "100 % vs")
		s.press("f15<enter>*2") // in under greedy alone
		s.sees("50 %", "A wins by 4.7 %")
		s.press("f57<enter>*2", "67 %▲", "A wins by 4.7 %, and A has more", "67 % vs")
	}
}

// The fixture memory teaches that more value may be less of what is needed, in one
// screen of any size.
func TestMoreValueLessOfWhatIsNeeded(t *testing.T) {
	for _, size := range sizes {
		session := fixture(t, "memory")
		s := begin(t, session, size[0], size[1])
		s.sees(neededIn(max(80, size[0]), 2, 5))
		s.do("view.Compare", "6.48▲", "40 %", "80 %▲", "A wins by 49 % in value, but B has more")
		if size[0] >= 80 {
			s.sees("of what is needed, 80 % vs 40 %: B", "best scores first")
		}
		s.do("view.Curve", "All 5 needed items stay in", "A from 564", "B from 511", "2 of 5, 40 %", "all from", " 564", "At 300 A has 2 of 5 needed items, B has 4.")
		s.do("curve.enough", "300 → 564", "needed 5")
	}
}

// Rows are sorted by what is needed where that is known, the largest grade first.
func TestRowsAreSortedByWhatIsNeeded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	write(t, path, `{"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":3},"labels":{"1":1,"2":3},`+
		`"items":[{"content":"a","tokens":1},{"content":"b","tokens":1},{"content":"c","tokens":1}]}`)
	s := begin(t, reopened(t, path), 120, 36, func(o *Options) { o.Start.Sort = "needed" })
	s.lists(2, 1, 0)
	s.press("g*") // the row goes where it belongs, with its mark
	s.lists(1, 0, 2)
	s.press("sSS")
	musttest.Is(t, s.m.list().SortName(), "input", "sorted by")
	s.press("S1")
	other := begin(t, islands(t, 120), 120, 36)
	for range 8 {
		other.do("items.sort")
		if name := other.m.list().SortName(); name == "needed" {
			t.Error("rows are sorted by what is needed where nothing is")
		}
	}
}

// The load report and the command line tell of labels, and the command line says
// what it cannot have.
func TestLabelsOfAFileAreTold(t *testing.T) {
	dir := t.TempDir()
	path, labels := filepath.Join(dir, "s.json"), filepath.Join(dir, "qrels")
	write(t, path, `{"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":3},"items":[{"content":"a","tokens":1},{"content":"b","tokens":1}]}`)
	write(t, labels, "q 0 #0 2\nq 0 #1 0\nq 0 gone 1\n")
	opened := sessionOf(t, session.Options{Sources: []string{path}, Labels: labels})
	s := begin(t, opened, 320, 36)
	s.sees("--labels: 1 label without an item, left out of recall")
	s.do("report", "needed: 1 item, 1 item judged and not needed, 1 label without an item, left out of recall")
	s.press("<esc>Y", "--labels "+labels)
	s.press("*Y", "but without what is marked as needed (w writes all to a scenario)", "--labels "+labels)
	s.press("uw<enter>Y", "clipboard: cupelscope "+path)
	s.seesNot("--labels " + labels)
}

// What arrives brings its labels, and what was marked stays with its item.
func TestLabelsArriveWithTheirItems(t *testing.T) {
	s, path := followed(t, `{"content":"a","tokens":1}`+"\n"+`{"content":"b","tokens":1}`+"\n")
	s.press("g*", "needed 1 of 1 in")
	extend(t, path, `{"content":"c","tokens":1,"relevance":2}`+"\n")
	s.look("needed 2 of 2 in")
	s.do("undo", "needed 1 of 1 in")
	if got := s.m.exp.Setup().Labels.Grades; len(got) != 1 || got[2] != 2 {
		t.Errorf("the labels are %v", got)
	}
	musttest.Is(t, s.m.unsaved(), false, "what arrived is unsaved")
}

// The budget from which on all that matters stays in loses some of it with a token less. That is said there,
// and the same key goes on to where the slack is to spare, and back.
func TestABudgetForWhatMattersHasRoomToSpare(t *testing.T) {
	for _, c := range []struct {
		workspace  *Workspace
		keys, says string
	}{
		{fixture(t, "memory"), "7", "With 1 token less A loses %s."},
		{agentSession(t), ":#15<enter>vjjv", "%s is out with 1 token less"},
	} {
		s := begin(t, c.workspace, 120, 36).after(c.keys)
		matter := s.m.targets()
		if len(matter) < 2 { // none is chosen
			matter = slices.Sorted(maps.Keys(s.m.exp.Setup().Labels.Grades))
		}
		s.press("=")
		from, slack := s.m.budget(), s.m.exp.Setup().Slack
		var lost []int32
		for _, i := range matter {
			if stays, _ := s.m.exp.Profile(s.m.side).StaysFrom(i); stays == from {
				lost = append(lost, int32(i))
			}
		}
		s.sees(fmt.Sprintf(c.says, widget.Indexes(lost, 20)), "= slack to spare")
		s.press("=")
		s.budgetIs(from + slack)
		for _, i := range s.m.exp.Outcome(s.m.side).Lost {
			if slices.Contains(matter, int(i)) {
				t.Errorf("#%d is at risk at %v", i, from+slack)
			}
		}
		s.seesNot("1 token less")
		s.press("=")
		s.budgetIs(from)
	}
}

// A duplicate counts where the item is that it repeats: for the keys that lead to where an
// item is in, and among the items that are chosen.
func TestADuplicateIsInWhereItsTwinIs(t *testing.T) {
	s, _ := file(t, "twins.jsonl", reloadFirst+`{"content": "gamma", "tokens": 60, "futureRelevanceHint": 0.3}`+"\n")
	s.press("V*<esc>")
	if s.m.exp.Outcome(s.m.side).Report.Codes[3] != model.Deduplicated {
		t.Fatal("#3 is no duplicate")
	}
	s.press("V=", "4 items chosen (#0 #1 #2 #3), 4 in (1 "+duplicate+"), ", "needed 4 of 4 in ")
	all := s.m.budget()
	s.press("<esc>")
	s.m.view().Select(3)
	s.press("=[=")
	s.seesNot("in at no budget")
	if stays, _ := s.m.exp.Profile(s.m.side).StaysFrom(2); s.m.budget() != stays || all != stays {
		t.Errorf("= leads to %v, all to %v; #2 stays from %v", s.m.budget(), all, stays)
	}
	s.press("=")
	s.line("=: #2, which #3 repeats, is first in here and stays in")
}

// A duplicate has one answer: wherever a budget is named, it is that of the item that it
// repeats, by its own number, closed and opened.
func TestADuplicateHasOneAnswer(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	first, stays := s.m.exp.Profile(s.m.side).Summary(28).FirstIn.Value, s.m.exp.Profile(s.m.side).Summary(28).StaysFrom.Value
	if first != stays || s.m.exp.Outcome(s.m.side).Report.Survivor(12) != 28 {
		t.Fatal("#12 repeats an item that comes and goes")
	}
	s.press(":12<enter>", "same text as #28", "#28 is next in with "+(first-s.m.budget()).String(), "#28 comes in", "#28 stays in")
	s.seesNot("#12 comes in", "#12 stays in", "never in")
	s.press("<enter>", first.String(), " to have #28 in, the least other change first")
	s.seesNot("never in")
}

// What is needed and cut counts as in, and how much is whole is told beside it; an answer is
// looked for in what is sent.
func TestNeededItemsThatAreCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut.json")
	scenario := `{"items": [{"content": "the harbour and the sea", "kind": "ToolOutput", "tokens": 50, "futureRelevanceHint": 1, "sizes": [{"tokens": 30, "content": "the sea"}]},
		{"content": "a short one", "tokens": 5, "futureRelevanceHint": 1}],
		"policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 40}, "labels": {"0": 1, "1": 1}, "answers": ["harbour"]}`
	musttest.Do(t, os.WriteFile(path, []byte(scenario), 0o600))
	for _, size := range sizes {
		opened := sessionOf(t, session.Options{Sources: []string{path}})
		s := begin(t, opened, size[0], size[1])
		s.sees("needed; in, cut to 30 of 50")
		s.seesNot("verything fits")
		if size[0] > 80 { // a narrower header has no room for it
			s.sees("needed 2 of 2 in (100 %, whole 50 %)")
		}
		musttest.Is(t, s.m.exp.Outcome(experiment.A).Quality.Answered, model.Some(false), "answered at", s.m.budget())
		s.do("budget.next")
		if q := s.m.exp.Outcome(experiment.A).Quality; q.Answered != model.Some(true) || q.WholeRecall.Value != 1 {
			t.Errorf("answered at %v: %+v", s.m.budget(), q)
		}
		if size[0] >= 120 {
			s.sees("everything fits")
			s.press("[7")
			s.until("100 %, whole 50 %", "j")
		}
	}
}

// The curve says with which policy all that is needed stays in from which budget on, the one
// that needs less first.
func TestTheCurveAnswersWhatHoldsAllThatIsNeeded(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	marked := []int{15, 39, 54}
	for _, i := range marked {
		s.press("f" + strconv.Itoa(i) + "<enter>*")
	}
	s.do("view.Curve")
	text := map[experiment.Side]string{}
	least := map[experiment.Side]model.Tokens{}
	for _, side := range [...]experiment.Side{experiment.A, experiment.B} {
		p := s.m.exp.Profile(side)
		for _, i := range marked {
			stays, ok := p.StaysFrom(i)
			if !ok {
				t.Fatalf("#%d never stays in with %v", i, side)
			}
			least[side] = max(least[side], stays)
		}
		text[side] = "with " + side.String() + " from " + least[side].String()
	}
	first, second := experiment.A, experiment.B
	if least[second] < least[first] {
		first, second = second, first
	}
	s.sees("All 3 needed items stay in " + text[first] + ", " + text[second])
	never := -1
	for i := range s.m.exp.Items().Len() {
		_, a := s.m.exp.Profile(experiment.A).FirstIn(i)
		_, b := s.m.exp.Profile(experiment.B).FirstIn(i)
		if rep := s.m.exp.Outcome(experiment.A).Report; !a && !b && rep.Codes[i] == model.NegativeTokens {
			never = i
		}
	}
	s.press("1f"+strconv.Itoa(never)+"<enter>*7", fmt.Sprintf("No budget holds all 4 needed items; #%d stays out: its token count is %v.", never, s.m.exp.Items().Tokens(never)))
	for _, side := range []experiment.Side{experiment.A, experiment.B} {
		musttest.Says(t, s.curveRow(side), " never ", side)
	}
}

// A needed item that repeats another is in where that is, and where the ceiling alone keeps one out,
// a larger budget may hold it.
func TestANeededItemThatRepeatsAnotherOrIsOutUpToTheCeiling(t *testing.T) {
	s := agentAt(t, 120, 36, ":need 12<enter>7")
	a, _ := s.m.exp.Profile(experiment.A).StaysFrom(28)
	b, _ := s.m.exp.Profile(experiment.B).StaysFrom(28)
	s.sees(fmt.Sprintf("The needed item stays in with A from %v, with B from %v.", a, b), "#12 is in where #28 with the same text is.")
	s.press(":ceiling 40000<enter>", "The needed item stays in with A at no budget up to 40,000, with B at no budget up to 40,000.", "above 40,000")
	s.seesNot("never")
}

// Where no budget holds all that is needed, the items that stay out are named, and from where the
// others stay in.
func TestWhatKeepsAllThatIsNeededOut(t *testing.T) {
	for _, size := range sizes[:2] {
		s := agentAt(t, size[0], size[1], ":8<enter>*:37<enter>*:12<enter>*")
		p := s.m.exp.Profile(experiment.A)
		others, _ := p.StaysFrom(8)
		if repeats, _ := p.StaysFrom(28); repeats > others {
			others = repeats
		}
		s.press("7=", "; #37 stays out: its token count is -1.", "With A all other needed items stay in from "+others.String()+".",
			"=: no budget holds all that is needed: #37 stays out: its token count is -1")
	}
}
