package explorer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

func TestPolicyEditor(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 40)
	s.do("policy.edit", "Policy  A greedy", "Scorers: a score is the mean of these, by weight", "recency", "‹ 3 ›", "75 %", "+ scorer", "x remove")
	s.press("l", "recency weight 3 → 3.5")
	s.press("<enter>0", "recency weight is 0, must be a finite number above 0")
	s.press("<enter>", "recency weight (3.5)")
	s.press("<esc>x", "remove recency")
	s.press("x", "scorers: is required and may not be empty")
	s.press("u", "undo remove recency", "recency")
	for range 60 {
		if k, _ := s.m.knob(); strings.Contains(k.Label, "+ scorer") {
			break
		}
		s.press("j")
	}
	s.press("<enter>reflexx", `no scorer "reflexx"; known are recency`)
	s.press("<backspace>", "tab reflexive")
	s.press("<tab><enter>", "reflexive", "18 %")
	path := filepath.Join(t.TempDir(), "p.json")
	s.press("W<ctrl+u>"+path+"<enter>", "policy A written to")
	saved := musttest.Of(itemset.ReadPolicy(t.Context(), path))(t)
	if got := saved.Scorers; len(got) != 3 || got[0].Weight != 3.5 || got[2].Type != model.ScoreReflexive {
		t.Errorf("the written policy has the scorers %+v", got)
	}
	s.press("<esc>Bp", "Policy  B")
	s.press("O"+path+"<enter>", "policy B from "+path)
	if got := s.m.exp.Setup().Policy[experiment.B]; len(got.Scorers) != 3 || got.Slicer != model.Greedy {
		t.Errorf("the opened policy is %+v", got)
	}
	s.press("Onot a file<enter>", "no such file")
	s.press("O") // to be corrected
	s.press("<ctrl+u>rag<enter>", "policy B from rag")
}

// At 80x24 the section with the cursor is whole, and the other has one line, which names what is
// set there; a click on it leads there.
func TestTheEditorFoldsTheSectionWithoutTheCursor(t *testing.T) {
	s := begin(t, agentSession(t), 80, 24)
	s.do("policy.edit", "Scorers: a score is the mean of these, by weight", "marker", "+ scorer", "Quotas  none set")
	s.clickOn("Quotas", "Scorers  recency 75 %, kind 25 %", "min %", "system prompt", "marker")
	s.seesNot("+ scorer")
	s.toRow("tool output max %")
	s.press("<enter>30<enter>")
	s.press(strings.Repeat("k", 12), "Quotas  tool output max % 30", "+ scorer")
	large := begin(t, agentSession(t), 80, 60)
	large.do("policy.edit", "+ scorer", "Quotas ", "min %")
}

// On a large screen the editor lists the items by score, with what each scorer gives.
func TestTheEditorListsItemsByScore(t *testing.T) {
	s := agentAt(t, 200, 60, "pll")
	o := s.m.exp.Outcome(experiment.A)
	order := slices.Clone(o.Ranking.Scored())
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(o.Report.Scores[b], o.Report.Scores[a]) })
	at := slices.IndexFunc(s.screen(), func(l string) bool { return strings.Contains(l, "Items by score") })
	if at < 0 || !strings.Contains(s.screen()[at], "tok  score   = recency      + kind") {
		t.Fatalf("there is no list:\n%s", s.text())
	}
	for k, i := range order[:20] {
		row := s.screen()[at+1+k]
		for _, part := range o.Ranking.ScorerParts(int(i)) {
			musttest.Says(t, row, widget.Score(part.Weight*part.Score, 5), "row", k, part.Name)
		}
		if want := fmt.Sprintf("#%d ", i); !strings.Contains(row, want) || !strings.Contains(row, widget.Score(o.Report.Scores[i], 5)) {
			t.Errorf("row %d is not %s with %.2f: %s", k, want, o.Report.Scores[i], row)
		}
	}
	s = begin(t, agentSession(t), 200, 60) // nothing moved: below the effect the list goes on
	s.do("policy.edit")
	x, _ := s.find("The next items by score")
	item, all := regexp.MustCompile(`^[│ ]*[●○~≡] #(\d+) `), [2][]string{}
	for _, row := range s.screen()[10:58] {
		for k, half := range [...]string{string([]rune(row)[:x-2]), string([]rune(row)[x-1:])} {
			if found := item.FindStringSubmatch(half); found != nil {
				all[k] = append(all[k], found[1])
			}
		}
	}
	o = s.m.exp.Outcome(experiment.A)
	order = slices.Clone(o.Ranking.Scored())
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(o.Report.Scores[b], o.Report.Scores[a]) })
	for k, i := range slices.Concat(all[0], all[1]) {
		musttest.Is(t, i, strconv.Itoa(int(order[k])), "place", k)
	}
	if len(all[0]) < 20 || len(all[1]) < 20 {
		t.Errorf("%d and %d items are listed:\n%s", len(all[0]), len(all[1]), s.text())
	}
}

// Numbers of items are whole, however many there are: other columns give way.
func TestTheEditorCountsManyItems(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, sampleSession(t, 20_000), size[0], size[1])
		s.do("policy.edit")
		s.m.editor.ToQuotas()
		all := 0
		for i, items := 0, s.m.exp.Items(); i < items.Len(); i++ {
			if items.Item(i).Kind == model.Document {
				all++
			}
		}
		s.line("document", " "+plain.Thousands(all))
	}
}

// A policy is read in the background, and from a regular file: whatever else is typed, keys
// go on.
func TestAPolicyIsReadBesideTheKeys(t *testing.T) {
	session := sampleSession(t, 60)
	reading := make(chan context.Context, 1)
	session.LoadPolicy = func(ctx context.Context, _ string) (model.Policy, error) {
		reading <- ctx
		<-ctx.Done()
		return model.Policy{}, ctx.Err()
	}
	s := begin(t, session, 80, 24).after("O./x")
	_, read := s.m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	if read == nil {
		t.Fatal("nothing is read")
	}
	answers := make(chan tea.Msg, 1)
	go func() { answers <- read() }()
	ctx := <-reading
	s.sees("opening ./x")
	s.m.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
	if s.m.stop(); ctx.Err() == nil {
		t.Error("the end of the explorer does not end the reading")
	}
	<-answers
}

func TestAPolicyOfTheExplorerIsARegularFile(t *testing.T) {
	read, write, err := os.Pipe()
	musttest.Do(t, err)
	defer read.Close()
	defer write.Close()
	for _, path := range []string{os.DevNull, fmt.Sprintf("/dev/fd/%d", read.Fd())} {
		if _, err := os.Stat(path); err != nil {
			t.Skip(err)
		}
		_, err := loadPolicy(t.Context(), path)
		if special, ok := errors.AsType[*itemset.SpecialError](err); !ok || !special.File {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestQuotaRowsAreValidatedWhileTyping(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 60)
	s.do("policy.edit")
	s.toRow("memory min %")
	s.press("<enter>120", `memory min %: "120" must be 0 to 100 percent`)
	s.press("<backspace><backspace>0", "memory min % (none):")
	s.press("<esc>", "cancelled")
}

func TestAnotherSourceIsOpened(t *testing.T) {
	dir := t.TempDir()
	s := begin(t, sampleSession(t, 60), 120, 36)
	path := filepath.Join(dir, "first.json")
	s.press("lgjx/mem<enter>w<ctrl+u>"+path+"<enter>", "written to")
	s.press("lo"+path+"<enter>", "there are unsaved changes; enter again opens without them")
	s.press("<enter>", "first.json", "‹ 33,000 ›", "[1 Items]", "×  1", excluded)
	s.press("o"+dir+"/none.json<enter>", "not opened:", "first.json", "‹ 33,000 ›")
	s.press("o") // the path is there again, to be corrected
	s.sees("none.json")
}

// The editor says of other knobs the nearest value that moves items, and what it moves: one step of the
// knob's own grid nearer, nothing moves.
func TestTheEditorSaysTheNearestValuesOfOtherKnobs(t *testing.T) {
	s := (&story{t: t, ways: true}).begin(agentSession(t), 120, 36)
	s.do("policy.edit", "The nearest values of others that move items")
	before := slices.Clone(s.m.exp.Outcome(experiment.A).Report.Included)
	shown := s.screen()
	s.press("<esc>")
	tried := 0
	for name, field := range map[string]string{"kind weight": "scorers[1].weight", reserve: "outputReserve", "held for memory": "reservedSlots.Memory", "safety margin": "estimationSafetyMarginPercent"} {
		o := s.m.exp.Outcome(experiment.A)
		n, ok := numberOf(o.Ranking.Policy(), o.Report.Budget, field)
		at := slices.IndexFunc(shown, func(l string) bool { return strings.Contains(l, name+" ") && strings.Contains(l, " → ") })
		if !ok || at < 0 {
			t.Fatalf("%s: a number %v, in row %d", name, ok, at)
		}
		_, said, _ := strings.Cut(shown[at], " → ")
		words := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(said, " %", ""), ",", ""))
		value := musttest.Of(strconv.ParseFloat(words[0], 64))(t)
		step := 1 / float64(n.PerUnit)
		if value > n.Value {
			step = -step
		}
		for k, v := range []float64{value, value + step} {
			s.press(":" + name + " " + n.Text(math.Round(v*float64(n.PerUnit))/float64(n.PerUnit)) + "<enter>")
			after := s.m.exp.Outcome(experiment.A).Report.Included
			var moved []string
			for i := range int32(s.m.exp.Items().Len()) {
				if was, is := slices.Contains(before, i), slices.Contains(after, i); was != is {
					moved = append(moved, fmt.Sprint("#", i))
				}
			}
			if k == 1 && len(moved) > 0 {
				t.Errorf("%s: at %v, nearer than %v, %v move", name, v, value, moved)
			}
			if k == 0 {
				for _, item := range moved {
					if !slices.Contains(words, item) {
						t.Errorf("%s: at %v %s moves, the line is %q", name, v, item, said)
					}
				}
				if len(moved) == 0 {
					t.Errorf("%s: at %v nothing moves", name, v)
				}
			}
			s.do("undo")
		}
		tried++
	}
	musttest.Is(t, tried, 4)
	s = begin(t, agentSession(t), 120, 36) // where trying takes too long nothing is said
	s.do("policy.edit")
	s.seesNot("The nearest values of others")
}

// On a tall screen all the room below the effect lists scores, before and now, the largest move first.
func TestTheEditorListsScoresBeforeAndNow(t *testing.T) {
	s := begin(t, agentSession(t), 200, 60)
	before := s.m.exp.Outcome(experiment.A).Report.Scores
	s.press("pll")
	now := s.m.exp.Outcome(experiment.A).Report.Scores
	_, y := s.find("Scores that moved most")
	listed, last := 0, math.Inf(1)
	for _, line := range s.screen()[y+1:] {
		row := regexp.MustCompile(`│ #(\d+) .*  (\S+) → (\S+) │`).FindStringSubmatch(line)
		if row == nil {
			break
		}
		i := musttest.Of(strconv.Atoi(row[1]))(t)
		musttest.Is(t, row[2], widget.Score(before[i], 5), "#", i, "is", before[i], now[i])
		musttest.Is(t, row[3], widget.Score(now[i], 5), "#", i, "is", before[i], now[i])
		by := math.Abs(now[i] - before[i])
		if by > last {
			t.Errorf("#%d moved by %v, the one above by %v", i, by, last)
		}
		last = by
		listed++
	}
	if listed < 25 {
		t.Errorf("%d scores are listed:\n%s", listed, s.text())
	}
}

// What a step would do is asked anew where the setup has no result, whose report is an older one.
func TestTheEditorForeseesNoResult(t *testing.T) {
	s := agentAt(t, 120, 36, "p", "h 2.5  + #32 #54", "l 3.5  moves no item")
	s.press(":3000<enter>", "h 2.5  no result: the output reserve", "l 3.5  no result: the output reserve")
	s.held = true // the last result is there again, but not at once
	s.press("u")
	s.release("h 2.5  + #32 #54", "l 3.5  moves no item")
}
