package explorer

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// limitsOnly reports whether a kind has a largest share, and no other has one.
func limitsOnly(kind model.Kind, percent float64) func(s *story) bool {
	return func(s *story) bool {
		for _, q := range s.m.exp.Setup().Policy[experiment.A].Quotas {
			if want := (model.Option[float64]{Value: percent, Set: q.Kind == kind}); q.MaxPercent.Set != want.Set || want.Set && q.MaxPercent != want {
				return false
			}
		}
		return len(s.m.exp.Setup().Policy[experiment.A].Quotas) > 0
	}
}

// What is typed is understood, told before it is done, and done.
func TestTypedCommands(t *testing.T) {
	policy := func(s *story, side experiment.Side) model.Policy { return s.m.exp.Setup().Policy[side] }
	for _, c := range []struct {
		name, typed string
		sees        []string // before enter
		after       []string
		holds       func(s *story) bool
	}{
		{"a reserve", "set output reserve 2000", []string{"set " + reserve + " to 2,000", "now 8,000", "enter: +"}, []string{reserve + " 8,000 → 2,000", "u undo"},
			func(s *story) bool { return s.m.exp.Setup().Budget.OutputReserve == 2000 }},
		{"of names that match as well, those that can", "tool 30%", []string{"set tool output min % to 30 %", "set tool output max % to 30 %", "4 lines"}, nil, func(s *story) bool { return s.m.exp.Setup().Policy[0].Quotas != nil }},
		{"a reserve in words", "leave 2k for the answer", []string{"set " + reserve + " to 2k"}, nil,
			func(s *story) bool { return s.m.exp.Setup().Budget.OutputReserve == 2000 }},
		{"a maximum", "max 20k", []string{"set budget to 20k", "−"}, []string{"budget 32,000 → 20,000"},
			func(s *story) bool { return s.m.budget() == 20_000 }},
		{"a margin in percent", margin + " to 10", []string{"set " + margin + " to 10"}, nil,
			func(s *story) bool { return s.m.exp.Setup().Budget.SafetyMargin == 10 }},
		{"held back for a kind", heldFor + "tool 500", []string{"set " + heldFor + "tool output to 500"}, nil,
			func(s *story) bool { return s.m.exp.Setup().Slot(model.ToolOutput) == 500 }},
		{"a slicer", "slicer knapsack", []string{"set slicer to knapsack", "now greedy"}, []string{"slicer greedy → knapsack"},
			func(s *story) bool { return policy(s, experiment.A).Slicer == model.Knapsack }},
		{"the bucket of the side that has one", "knapsack 1", []string{"set bucket of B to 1", "now 100", "enter, on B: +"}, []string{"bucket of B 100 → 1"},
			func(s *story) bool { return policy(s, experiment.B).Bucket() == 1 }},
		{"the window of a model", "gpt-4o", []string{"set budget to 128,000, the window of gpt-4o", "no: it is chosen at the start"}, []string{"budget 32,000 → 128,000"},
			func(s *story) bool { return s.m.budget() == 128_000 }},
		{"two in one line", "reserve 2k and margin 10", []string{"set " + reserve + " to 2k and " + margin + " to 10", "enter: "}, []string{reserve + " 8,000 → 2,000, " + margin + " to 10"},
			func(s *story) bool {
				b := s.m.exp.Setup().Budget
				return b.OutputReserve == 2_000 && b.SafetyMargin == 10
			}},
		{"three in one line", "budget 20k and reserve 2k and margin 10", []string{"set budget to 20k and " + reserve + " to 2k and " + margin + " to 10"}, nil,
			func(s *story) bool {
				b := s.m.exp.Setup().Budget
				return b.MaxTokens == 20_000 && b.OutputReserve == 2_000 && b.SafetyMargin == 10
			}},
		{"two, of which one is made already", reserve + " 8k and margin 10", []string{"set " + reserve + " to 8k and " + margin + " to 10"}, []string{margin + " to 10"},
			func(s *story) bool { return s.m.exp.Setup().Budget.SafetyMargin == 10 }},
		{"a second that cannot be", "reserve 2k and margin 300", []string{", without margin 300: ", "0 to 100"}, []string{reserve + " 8,000 → 2,000"},
			func(s *story) bool { return s.m.exp.Setup().Budget.SafetyMargin == 5 }},
		{"what is cheaper", "cheaper", []string{"the cheapest plan"}, nil, func(s *story) bool { return s.showing() == "Turns" }},
		{"an item by its number alone", "pin 9", []string{"pin 1 item: #9"}, nil, func(s *story) bool { return s.m.exp.Items().Pinned(9) }},
		{"a preset", "preset rag", []string{"set preset to rag"}, nil,
			func(s *story) bool { return policy(s, experiment.A).Name == "rag" }},
		{"a scorer's weight", "recency .9", []string{"set recency", "to .9"}, nil,
			func(s *story) bool { return policy(s, experiment.A).Scorers[0].Weight == .9 }},
		{"a weight by what it is", "recency weight 2", []string{"set recency weight to 2", "now 3"}, []string{"recency weight 3 → 2", "u undo"},
			func(s *story) bool { return policy(s, experiment.A).Scorers[0].Weight == 2 }},
		{"twice a weight", "recency weight double", []string{"set recency weight to 6", "enter: "}, []string{"recency weight 3 → 6"},
			func(s *story) bool { return policy(s, experiment.A).Scorers[0].Weight == 6 }},
		{"half of a reserve", "halve " + reserve, []string{"set " + reserve + " to 4,000"}, nil,
			func(s *story) bool { return s.m.exp.Setup().Budget.OutputReserve == 4000 }},
		{"a share", "set tooloutput max 30", []string{"set tool output max %"}, nil, limitsOnly(model.ToolOutput, 30)},
		{"a share in words", "tool outputs at most 30 %", []string{"set tool output max % to 30 %", "enter: "}, nil, limitsOnly(model.ToolOutput, 30)},
		{"a share, the number first", "at least 5 percent memory", []string{"set memory min % to 5 %"}, nil,
			func(s *story) bool { return policy(s, experiment.A).Quotas[0].MinPercent == model.Some(5.) }},
		{"a count in words", "memory at least 1 item", []string{"set memory require to 1"}, nil,
			func(s *story) bool { return policy(s, experiment.A).CountQuotas[0].Require == 1 }},
		{"a cap in words", "at most 3 tool outputs", []string{"set tool output cap to 3"}, nil,
			func(s *story) bool { return policy(s, experiment.A).CountQuotas[0].Cap == 3 }},
		{"a number alone", "20,000", []string{"set budget to 20,000"}, []string{"budget 32,000 → 20,000"},
			func(s *story) bool { return s.m.budget() == 20_000 }},
		{"a percentage with a space", margin + " 12 %", []string{"set " + margin + " to 12 %"}, nil,
			func(s *story) bool { return s.m.exp.Setup().Budget.SafetyMargin == 12 }},
		{"two slicers", "knapsack vs greedy", []string{"compare A knapsack vs B greedy"}, []string{"Compare  A vs B"},
			func(s *story) bool {
				return policy(s, experiment.A).Slicer == model.Knapsack && policy(s, experiment.B).Slicer == model.Greedy
			}},
		{"a theme", "theme light", nil, []string{"theme light"}, func(s *story) bool { return s.m.theme.Name == theme.Light }},
		{"an export", "export json", []string{"export report as JSON"}, []string{"write the report as JSON to: report.json"}, (*story).typing},
		{"a copy", "copy window", []string{"copy window"}, []string{"sent to the terminal's clipboard: the window's text"}, func(s *story) bool { return !s.typing() }},
		{"a view", "curve", []string{"the Curve view"}, nil, func(s *story) bool { return s.showing() == "Curve" }},
		{"many items", "exclude all ToolOutput over 2,000", []string{"exclude ", "items: kind:tool tok>2,000"}, []string{"exclude "},
			func(s *story) bool { return len(s.m.exp.Setup().Edits.Excluded) > 2 }},
		{"one item", "pin #30", []string{"pin 1 item: #30"}, nil, func(s *story) bool { return s.m.exp.Items().Pinned(30) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, agentSession(t), 120, 36)
			s.types(c.typed)
			s.sees(c.sees...)
			s.press("<enter>", c.after...)
			if !c.holds(s) {
				t.Errorf("%q did not do it:\n%s", c.typed, s.text())
			}
			musttest.Is(t, frameFault(s.m), "")
		})
	}
}

// What a command would do is what it then does.
func TestThePaletteTellsTheEffectBefore(t *testing.T) {
	for _, typed := range []string{"set output reserve 2000", "max 20k", "slicer knapsack", "exclude #57", "pin #8", "preset rag", "set slack 5000", "max 32048"} {
		s := agentAt(t, 120, 36, ":"+typed)
		_, effect, _ := strings.Cut(s.line("enter: "), "enter: ")
		told := regexp.MustCompile(`[+−-] ?#?[0-9,.]+( #[0-9]+| in| out| tok| value)*`).FindAllString(effect, -1)
		s.press("<enter>")
		if s.sees(told...); len(told) < 3 && !strings.Contains(typed, "slack") {
			t.Errorf("%q told %q", typed, told)
		}
	}
	s := agentAt(t, 120, 36, ":budget 8000<enter>:budget 20k", "enter: 30 items in")
	s.press("<enter>", "30 of 65 in")
}

func TestALineThatCannotRunSaysWhy(t *testing.T) {
	for _, size := range sizes {
		for _, c := range []struct{ typed, why string }{
			{"set output reserve 99k", reserve + " is 99,000, must be 0 to 32,000"},
			{"pin all ToolOutput", plain.Pinned + " items need"},
			{"pin kind:nobody", "no item matches"},
			{"set safety 120", "must be 0 to 100"},
			{"set safety 0.8", "0.8: write 80% (a share) or 0.8%"},
			{"tool outputs max 0.3", "0.3: write 30% (a share) or 0.3%"},
			{"slicer greedy", "already set"},
			{"greedy vs nothing", "is neither a slicer nor a preset"},
			{"redo", "nothing to redo"},
			{"gemma", "it is chosen at the start"},
			{"bucket 0", "must be 1 to 100,000"},
			{"tune", "no: tune needs several cases, such as a BEIR folder"},
			{"memory require 2", "backspace on"},
		} {
			s := begin(t, agentSession(t), size[0], size[1])
			if strings.HasPrefix(c.typed, "memory") {
				s.press(":tooloutput max 30" + alone)
			}
			s.types(c.typed)
			switch { // first stands what comes nearest
			case strings.HasPrefix(c.typed, "memory"):
				s.press("<down><down><down><down>")
			case c.typed == "gemma":
				s.press("<down>")
			}
			s.sees("no", c.why)
		}
	}
}

// A value that is set already is what the user wants: enter closes the palette and says so.
func TestAValueThatIsSetClosesThePalette(t *testing.T) {
	s := begin(t, agentSession(t), 80, 24)
	for _, typed := range []string{"32000", "budget 32k", "slicer greedy"} {
		s.press(":"+typed, "already set")
		s.press("<enter>", "already set, nothing to change")
		if s.typing() {
			t.Errorf("%s leaves the palette open:\n%s", typed, s.text())
		}
	}
	s.press(":output reserve 99k<enter>", "search output reserve 99k") // another number can be typed
}

// What is under one percent can be typed with its sign, and halved.
func TestAPercentageBelowOne(t *testing.T) {
	s := agentAt(t, 120, 36, ":set safety 0.8%<enter>:halve safety<enter>")
	musttest.Is(t, s.m.exp.Setup().Budget.SafetyMargin, .4, "a margin of")
}

// The list is one: ? and : find the same, keys and commands.
func TestHelpAndPaletteAreOneList(t *testing.T) {
	s := begin(t, agentSession(t), 80, 24)
	texts := func() []string {
		var all []string
		for _, c := range s.m.commands() {
			all = append(all, c.Text)
		}
		return all
	}
	all := texts()
	for i := range s.m.keys {
		if a := &s.m.keys[i]; !slices.Contains(all, a.Text) {
			t.Errorf("key %s is not in the list", a.KeyLabel())
		}
	}
	for _, open := range []string{"?", ":"} {
		for word, sees := range map[string]string{
			"legend": "items: in; in, " + plain.AtRisk + "; out", "band": duplicate + ": what it repeats is in", "colour": "leaves, less", "save": "write the scenario", "quit": "quit; asks",
			"export json": "export report as JSON", "theme": "theme light", "grdy": "set slicer to greedy", "split pair": "a call without its result",
		} {
			s.press(open+word, sees)
			s.press("<esc>")
		}
	}
	s.press("?gibberish", "Not understood; try", "12000")
	for _, marks := range []string{"::", ":/(", "? ,"} { // no word at all
		s.press("<esc>"+marks, " lines")
	}
	for typed, first := range map[string]string{"?filt": "filter", "<f1>filter": "filter", "?/filt": "filter", ":filt": "filter", "?cost": "view.8", ":cost": "view.8"} {
		s.press("<esc>" + typed + "<enter>")
		if first == "filter" {
			s.sees("filter:")
		} else {
			s.sees(s.tab(8))
		}
		s.press("<esc><esc>1")
	}
}

// The row under the cursor is told in full, at every size.
func TestTheSelectedCommandIsShownInFull(t *testing.T) {
	for range agentAtSizes(t, "?mouse<esc>?half as many items", "half as many items a row, down to one with its") {
	}
}

func TestTabCompletes(t *testing.T) {
	s := agentAt(t, 120, 36, ":"+reserve+"<tab>", "search set "+reserve)
	s.press("2k<enter>", reserve+" 8,000 → 2,000")
}

// The help begins with what one may want to do, nearly all of it in sight at every size, with the key and its effect
// now; below stand the keys of the view that is shown, on the same page where there is room, and those that
// move. Tab leads to them, to what one sees, the marks, all other keys by place, and the words.
func TestTheHelp(t *testing.T) {
	for _, size := range sizes {
		for _, ascii := range []bool{false, true} {
			s := begin(t, agentSession(t), size[0], size[1], func(o *Options) { o.ASCII = ascii })
			s.do("help", "Help  [I want to]", "see what is left out")
			if size[1] >= 36 {
				s.sees("Keys of Items (1)", "sort by the next column", "choose all items")
			} else if size[1] < 24 {
				s.press("<down>")
			}
			for _, c := range tasks {
				s.line(s.m.keyOf(c.action)+" ", strings.FieldsFunc(c.wants, func(r rune) bool { return r == ',' || r == ':' })[0])
			}
			s.line("= ", "46,609: #15 stays in")
			s.press("<tab>", "[Keys]", "Keys of Items (1)", "sort by the next column")
			if s.press("<tab>", "[Screen]", "shows which items fit into a token", "Cupel"); size[1] < 24 {
				s.seesNot("see what is left out")
			}
			s.press("<tab>", duplicate)
			s.seesNot("shows what fits")
			s.press("<esc>?")
			all := s.text()
			for range 60 {
				s.press("<pgdown>")
				all += s.text()
			}
			for _, word := range []string{"strip", "free", "colours", "room", plain.StaysFrom, "split pair", "bucket", duplicate, "#32 comes in", "after the name", "rescored", "estimated"} {
				musttest.Says(t, all, word, size)
			}
			for _, a := range s.m.keys {
				musttest.Says(t, all, a.Keys[0]+" ", a.Keys[0], "is nowhere in the help at", size)
			}
			s.press("<tab>") // from the end back to the beginning
			s.sees("[I want to]", "see what is left out")
			s.press("<esc>") // closes it, as the footer says
			s.seesNot("Help")
		}
	}
}

// In every view the help says below what one may want to do what each of its keys does, one heading above them
// all, and names no key that does something else there; over a view the keys of what is open stand first.
func TestTheHelpSaysTheKeysOfWhatIsShown(t *testing.T) {
	s := begin(t, agentSession(t), 120, 80)
	for v := range s.m.views {
		s.press(fmt.Sprint(v+1, "?"))
		at := func(word string) int {
			_, y := s.find(word)
			return y
		}
		heading, move := at("Keys of "+s.m.nameOf(v)), at("Move ──")
		wants := 0
		for _, task := range tasks {
			if s.m.keys.of(v, s.m.keys.named(task.action).Keys[0]) == nil {
				wants++
			}
		}
		if title := at("─ Help "); heading != title+3+wants {
			t.Errorf("%s: the keys begin at row %d, the help at %d", s.m.nameOf(v), heading, title)
		}
		own := 0
		for _, a := range s.m.keys {
			if a.view == v {
				own++
			}
		}
		if move != heading+own+1 || at("I want to ──") > heading {
			t.Errorf("%s: %d keys between rows %d and %d", s.m.nameOf(v), own, heading, move)
		}
		if takes := s.m.keys.of(v, "j") != nil; takes == strings.Contains(s.text(), "one row down, in the focused pane") {
			t.Errorf("%s: j is its own: %v; the help:\n%s", s.m.nameOf(v), takes, s.text())
		}
		s.press("<esc>")
	}
	s.press("1p?", "Keys of what is open ──", "x              remove what the row stands for", "0 1 2 3 4 5 6  type a value")
	s.press("<esc><esc><enter>?", "Keys of what is open ──", "the item is open")
}

// Whoever asks what a word means is told that first, unless a knob has that name.
func TestWhatAWordMeansIsToldFirst(t *testing.T) {
	for typed, first := range map[string]string{
		"what is cupel": "Cupel: the specification", "cupel": "Cupel: the specification", "what is " + plain.AtRisk + "?": plain.AtRisk + ": lost if", "recall": "needed, recall: what", "what is held": "held: tokens", "held": "set held for memory", "needed": " * ", "plan": " 8 ", "policy": " p ", "edit policy": " p ", "map": " 3 ", "sweep": " s ", "change budget": "set budget", "maxTokens": "set budget", "dark mode": "theme dark", "lock": " space ", "save as": " w ", "html": " Y ", "expensive": " 8 ", "search": " / ", "fit": " = ",
		"<esc>?" + plain.AtRisk: plain.AtRisk + ": lost if", "<esc>?~": "~ in items: in, " + plain.AtRisk, "<esc>?┊": "┊ in strip: ", "/": " / ", "what is slack": "slack", "slack": "set slack", "what is recency?": "recency: a scorer",
	} {
		s := agentAt(t, 120, 36, ":"+typed)
		s.line("▌", first)
	}
	agentAt(t, 80, 24, ":cupel<enter>", "Help", "the specification that cupelscope follows")
}

// A scorer is found by its name, and enter leads to its row of the policy.
func TestThePaletteLeadsToAScorer(t *testing.T) {
	for _, typed := range []string{"recency", "weight", "weights", "newest", "raise the weight of recency", "scorer recency"} {
		for _, s := range agentAtSizes(t, ":"+typed) {
			s.clickOn("set recency weight", "Policy", "▌recency", "‹ 3 ›")
		}
	}
}

// Where no command is meant, what is not understood may be a word of items: a filter finds them, once enter
// is pressed again.
func TestWordsOfItemsLeadToThem(t *testing.T) {
	for size, s := range agentAtSizes(t, ":keep the error log", "filter: error (11 of 65 items)") {
		s.press("<enter>", "\"keep log\" is not understood")
		s.press("<enter>n")
		o := s.m.exp.Outcome(experiment.A)
		n := 0
		for i := range o.Items.Len() {
			if strings.Contains(strings.ToLower(o.Items.Loaded(i).Content), "error") {
				n++
			}
		}
		musttest.Is(t, s.m.filterHere().String(), "error")
		musttest.Is(t, n, 11)
		s.press("<esc>")
		s.held = true // texts are searched in the background, and enter waits for them
		s.press(":keep the error log<enter>", "filter: error ", "filter: log ", "texts are still searched")
		s.release()
		s.line("▌", "filter: error (11 of 65 items)")
		s.press("<esc>:error harbor") // all of them before commands that have one of them
		s.line("▌", "filter: error harbor (")
		s.press("<enter>")
		musttest.Is(t, s.m.filterHere().String(), "error harbor")
		s.press("<esc>:fit snapshot", "filter: snapshot (14 of 65 items)")
		s.press("<esc>:error qwxz") // which no item has
		s.line("▌", "set overflow")
		before := s.m.exp.Setup()
		for _, typed := range []string{"fit qwxz", "keep what error logs of the store there are"} { // no filter by one word of many
			s.press("<esc>:" + typed)
			s.seesNot("filter: ")
			s.press("<down><down><down><down>", "ot understood", "12000: a budget")
		}
		musttest.Is(t, s.m.exp.Setup().Equal(before), true, size, "after a word that no item has, the setup is as before")
	}
}

// What nothing is meant by, or words of a sentence alone, is said to be not understood: enter runs nothing,
// but types the example that is chosen, and each does something.
func TestNonsenseIsNotUnderstood(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		before := s.m.exp.Setup()
		for _, typed := range []string{"make it nice", "qwxz", "nice", "make it so much better", "what is the meaning of life", "hello"} {
			s.press(":"+typed, "search "+typed[max(0, len(typed)-40):], "Not understood; try")
			s.press("<enter>", "search 12000")
			if !s.m.exp.Setup().Equal(before) {
				t.Errorf("%v: %q changes the setup", size, typed)
			}
			s.press("<esc>")
		}
		for k := range 3 {
			s := begin(t, agentSession(t), size[0], size[1])
			was := s.text()
			s.press(":qwxz", "3 lines")
			s.press(strings.Repeat("<down>", k) + "<enter>")
			s.seesNot("Not understood", "qwxz", "is not understood", "no: ")
			if s.press("<enter>"); s.text() == was {
				t.Errorf("%v: example %d does nothing", size, k)
			}
			s.press("<esc>")
		}
	}
}

// What was typed and is not understood is never left out in silence: enter says so and runs
// nothing, and the line that the whole name of a knob stands for comes first.
func TestWhatIsTypedIsNotSkipped(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		before := s.m.exp.Setup()
		s.press(":budget abc<enter>", "not a number of tokens: \"abc\"")
		s.press("<esc>:set slicer fast<enter>", "no \"fast\"")
		s.press("<esc>:pin 999<enter>", "no item matches")
		s.press("<esc>:price of pinning 16", "pin 1 item: #16")
		s.press("<esc>:pin -1<enter>", "-1 is not the number of an item")
		s.press("<esc>:choose maxTokens so that nothing important falls out", "mark the item as needed")
		s.press("<esc>:remove the biggest<enter>", "\"biggest\" is not understood")
		if !s.m.exp.Setup().Equal(before) {
			t.Errorf("%v: the setup is %+v", size, s.m.exp.Setup())
		}
		s.press("<enter>")
		musttest.Is(t, s.m.exp.Setup().Equal(before), false, size, "after the second enter, the setup is as before")
		s.seesNot("is not understood")
		s.press("u:budget")
		s.line("▌", "set budget")
		s.press("<enter>12000<enter>", "budget 32,000 → 12,000")
	}
}

// A result that changes while the palette is open is not told an old effect of.
func TestThePaletteIsNotStale(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.held = true
	s.press(":max 20k<backspace><backspace>1k")
	s.release("set budget to 21k", "enter: ")
	before := s.line("enter: ")
	s.press("<esc>:max 21k")
	musttest.Is(t, s.line("enter: "), before, "asked at once")
}

// An effect that is known just when another letter is typed is not shown as the effect of what is
// typed then.
func TestAnEffectThatComesLateIsDropped(t *testing.T) {
	s := agentAt(t, 120, 36, ":max 20")
	s.held = true
	s.press("k", "computing what it changes")
	var known []tea.Msg
	for len(s.queue) > 0 {
		s.queue = append(s.queue[1:], carriedOut(s.queue[0], func(msg tea.Msg) tea.Cmd { known = append(known, msg); return nil })...)
	}
	s.press("<backspace>")
	for _, msg := range known {
		s.update(msg)
	}
	s.seesNot("enter: ")
	s.sees("computing what it changes")
}

// What a newcomer types finds first what does it; what can be run comes before what cannot, but for a line that
// begins with what is typed.
func TestTheWordsOfANewcomerFindTheirCommand(t *testing.T) {
	for typed, first := range map[string]string{
		"less tool output": "set kind tool output to 0.3", "fewer documents": "set kind document to 0.2", "more budget": " ] ", "less budget": " [ ", "bigger budget": " ] ", "less": " [ ", "less tokens": " [ ", "increase the budget": " ] ", "smaller": " [ ", "half the budget": "knob                     set budget to 16,000 ", "least budget": " = ", "smallest budget": " = ", "bring it back": " = ", "cheaper": " 8 ", "cheapest": "draw the plan that costs least", "show costs": " 8 ", "how much does it cost": " 8 ",
		"what is left out": " ! ", "left out": " ! ", "why is #15 out": "read #15 and why it is", "undo": " u ", "undo all": " u ", "quit": " q ", "save": " w ",
		"export json": "report as JSON", "how do I export": " E ", "what if smaller": " [ ", "more room": " ] ", "what if 8k": "set budget to 8k", "make the budget 20k": "set budget to 20k",
		"turn off dedupe": "set dedup to off", "pin this": " space ", "keep this": " space ", "exclude this": " x ", "drop it": " x ", "is #15 in": "read #15 and why it is", "compare greedy and knapsack": "compare A greedy vs B knapsack",
		"memory at least": "set memory min %", "greedy vs knapsack": "A has 39 in, B 37: shows Compare", "load my session": " o ", "settings": " p ", "tour": " t ", "what does value mean": "value: the sum", "copy": " y ", "replay knapsack": "the Replay view",
	} {
		s := agentAt(t, 120, 36, ":"+typed)
		s.line("▌", first, "│")
	}
}

// The heading names a wish, and its ways begin with what becomes of the other items, by which they are told
// apart, where rows are short. The effect stands above what explains it.
func TestWaysToAWishAreToldApart(t *testing.T) {
	for size, s := range agentAtSizes(t, ":at most 30 % tool, at least one memory", "─ Ways to have at most 30 % ", "other kinds get the rest ", "other kinds keep theirs ", "pin #4") {
		shown := strings.Join(s.screen(), "\n")
		if effect, name := strings.Index(shown, "enter: +6 in  −8 out  −2,175 tok"), strings.LastIndex(shown, "other kinds get the rest: "); effect < 0 || name < effect {
			s.t.Errorf("%v: the effect does not stand first:\n%s", size, shown)
		}
		if size[0] > 60 {
			s.line("set at most 30 % tool; at least 1 % mem, 0.1 % mark, 18.4 % msg, 39.7 % doc")
		}
		s.press("<esc>:at most 30 % tool", "─ Ways to have at most 30 % ", "other kinds get the rest ", "other kinds keep theirs ")
	}
	for typed, wish := range map[string][3]string{
		"must keep #15": {"#15 in", "holds already, pin #15"}, "how do I get #32 in": {"#32 in", "pin #32", "+ #32 − #15: "}, "bring #32 in": {"#32 in", "pin #32", "− #15"},
		"remove #15": {"#15 out", "exclude #15", "− #15: "}, "keep #8": {"#8 in", "pin #8", "+ #8 #32 − #15 #57: "},
	} {
		s := agentAt(t, 120, 36, ":"+typed, "Ways to have "+wish[0])
		before := s.recomputed()
		_, named, _ := strings.Cut(strings.ReplaceAll(s.line("▌", wish[1], wish[2]), ":", " "), theme.Minus)
		s.press("<enter>")
		for i, after := 0, s.recomputed(); i < after.Items.Len(); i++ {
			if leaves := before.In(i) && !after.In(i); leaves != strings.Contains(named, itemName(i)+" ") {
				t.Errorf("%q: #%d leaves: %v, the row says %q", typed, i, leaves, named)
			}
		}
	}
}

// The last items of a kind, its oldest and its older half are meant by these words, and are in or out after enter.
func TestAWishIsForTheItemsOfAnAge(t *testing.T) {
	for typed, c := range map[string]struct {
		kind     model.Kind
		says     string
		from, to func(n int) int
		in       bool
	}{
		"keep the last 3 messages":       {model.Message, "the last 3 message items in", func(n int) int { return n - 3 }, func(n int) int { return n }, true},
		"drop the oldest message":        {model.Message, "the first 1 message item out", func(int) int { return 0 }, func(int) int { return 1 }, false},
		"keep the newest 5 tool results": {model.ToolOutput, "the last 5 tool output items in", func(n int) int { return n - 5 }, func(n int) int { return n }, true},
		"keep recent tool output":        {model.ToolOutput, "the last 5 tool output items in", func(n int) int { return n - 5 }, func(n int) int { return n }, true},
		"keep the newest tool results":   {model.ToolOutput, "the last 5 tool output items in", func(n int) int { return n - 5 }, func(n int) int { return n }, true},
		"keep tool results newest first": {model.ToolOutput, "the last 5 tool output items in", func(n int) int { return n - 5 }, func(n int) int { return n }, true},
		"drop old tool output":           {model.ToolOutput, "the first 18 tool output items out", func(int) int { return 0 }, func(n int) int { return n / 2 }, false},
	} {
		s := agentAt(t, 120, 36, ":"+typed, "Ways to have "+c.says)
		s.press("<enter>")
		of, rep := ofKind(s.m.exp.Items(), c.kind), s.recomputed()
		for _, i := range of[c.from(len(of)):c.to(len(of))] {
			musttest.Is(t, rep.In(i), c.in, typed, i)
		}
	}
	s := begin(t, agentSession(t), 120, 36)
	for _, line := range []string{"keep the last", "last message", "drop the oldest", "keep the last 999 messages", "keep the last 30 % messages"} {
		musttest.Is(t, len(wishesOf(strings.Fields(line), s.m.exp.Items())), 0, line)
	}
}

// The largest and the smallest items of a kind are meant by these words, and only they are excluded after enter.
func TestAWishIsForTheLargestItems(t *testing.T) {
	for typed, c := range map[string]struct {
		kind     model.Kind
		n        int
		smallest bool
	}{"drop the 3 largest messages": {model.Message, 3, false}, "exclude the biggest tool output": {model.ToolOutput, 1, false}, "drop the 2 shortest tool outputs": {model.ToolOutput, 2, true}} {
		s := agentAt(t, 120, 36, ":"+typed+"<enter>")
		var all, out []model.Tokens
		for _, i := range ofKind(s.m.exp.Items(), c.kind) {
			all = append(all, s.m.exp.Items().Tokens(i))
			if s.m.exp.Items().Excluded(i) {
				out = append(out, s.m.exp.Items().Tokens(i))
			}
		}
		slices.Sort(all)
		slices.Sort(out)
		from := len(all) - c.n
		if c.smallest {
			from = 0
		}
		musttest.Is(t, out, all[from:from+c.n], typed)
	}
}

// Whoever asks to begin again has all as it was opened, budget, policy and items, in one change that undo takes back.
func TestResetTakesAllBack(t *testing.T) {
	for _, typed := range []string{"reset", "start over"} {
		s := agentAt(t, 120, 36, ":"+typed, "(already set)")
		s.press("<esc>")
		for _, change := range []string{"budget.next", "policy.slicer", "item.pin", "item.needed"} {
			s.do(change)
		}
		changed := s.m.exp.Setup()
		s.press(":" + typed + "<enter>")
		if now := s.m.exp.Setup(); !now.Equal(s.m.original) || now.Equal(changed) || s.m.exp.Items().Pinned(15) {
			t.Errorf("%s: the setup is\n%+v", typed, now)
		}
		s.do("undo")
		musttest.Is(t, s.m.exp.Setup().Equal(changed) && s.m.exp.Items().Pinned(15), true, typed, "is undone")
	}
}

// Who has chosen items, or marked them as needed, asks for a way to have all of them in by that word.
func TestAWishIsForTheItemsThatAreMeant(t *testing.T) {
	for _, size := range sizes {
		for _, c := range []struct{ marks, typed string }{
			{":#16<enter>vjv", "have all in"}, {":#16<enter>vjv", "keep the chosen"}, {":#16<enter>*jj*", "have all in"}, {":#16<enter>*jj*", "keep the needed items"}, {":#16<enter>*jj*:#30<enter>v", "keep the needed"},
		} {
			s := agentAt(t, size[0], size[1], c.marks)
			s.press(":"+c.typed, "Ways to have #16 #1")
			s.line("▌", "− #15 #57")
			s.press("<enter>")
			if rep := s.recomputed(); !rep.In(16) || rep.In(15) || s.m.exp.Items().Pinned(30) {
				t.Errorf("%v: %q: #16 is in: %v, #15: %v", size, c.typed, rep.In(16), rep.In(15))
			}
		}
		agentAt(t, size[0], size[1], ":have all in", "Not understood")
	}
}

// A key shows what is out from any view, and all again.
func TestAKeyShowsWhatIsOut(t *testing.T) {
	s := agentAt(t, 120, 36, "8!")
	out := s.m.exp.Outcome(experiment.A).Report.Excluded
	musttest.Is(t, s.showing(), "Items")
	musttest.Is(t, len(s.rows()), len(out))
	s.line("? all keys", "! all items again")
	s.do("filter.out")
	musttest.Is(t, len(s.rows()), s.m.exp.Items().Len())
}

// What ! and D list is listed in Items alone, with the item next to the one that was selected; other views show
// all, or what a filter shows that was typed, which is back when the list ends.
func TestAListOfItemsIsOfItemsAlone(t *testing.T) {
	for _, size := range sizes {
		for _, key := range []string{"!", "]D"} {
			s := agentAt(t, size[0], size[1], "/kind:tool<enter>")
			s.m.goTo(15)
			s.press(key)
			list := s.rows()
			if i, _ := s.m.selected(); key == "!" && i != 16 {
				t.Errorf("%v: #%d is selected after #15", size, i)
			}
			for _, view := range "235" {
				s.press(string(view))
				musttest.Is(t, s.m.filterHere().String(), "kind:tool", size, key, "in view", view)
			}
			s.do("view.Items")
			musttest.Is(t, fmt.Sprint(s.rows()), fmt.Sprint(list), size, key)
			s.press("<esc>")
			musttest.Is(t, s.m.filterHere().String(), "kind:tool", size, key, "before the list")
			s.press("<esc>" + key + "2")
			s.seesNot("filter", "0 shown")
			s.do("view.Items")
			list = s.rows()
			s.press("/<esc>")
			musttest.Is(t, fmt.Sprint(s.rows()), fmt.Sprint(list), size, key, "after / was left")
		}
	}
}

// Without a word typed, the palette begins with what matters here and now, and says
// beside each key what it would do.
func TestThePaletteBeginsWithWhatMattersHere(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		s.do("palette")
		s.line("▌", "]", "32,048: + #32 − #15")
		s.line(" } ", "32,048: #15 leaves")
		s.line(" = ", "46,609: #15 stays")
		effect := "#15, 930 tok"
		if size[0] >= 80 { // else there is no room for the clause
			effect += ": " + noEffect
		}
		s.line(" x ", effect)
		s.press("to the next budget with another")
		s.line("32,048: + #32 − #15") // once
	}
}

// Below what the marked command changes, the rows that the list leaves name the items that it moves, the
// largest first.
func TestThePaletteNamesWhatACommandMoves(t *testing.T) {
	for _, size := range sizes[:2] {
		s := agentAt(t, size[0], size[1], ":12000")
		p := s.m.exp.Profile(s.m.side)
		var out []int32
		for _, i := range s.m.exp.Outcome(s.m.side).Report.Included {
			if _, in := p.SizeAt(int(i), 12000); !in {
				out = append(out, i)
			}
		}
		slices.Sort(out)
		first, named := widget.Largest(s.m.exp.Items(), out, len(out)), 0
		for _, line := range s.screen() {
			if _, row, is := strings.Cut(line, "│ "+theme.Minus+" #"); is {
				if want := strconv.Itoa(int(first[named])) + " "; !strings.HasPrefix(row, want) || !strings.Contains(row, " "+s.m.exp.Items().Tokens(int(first[named])).String()+" │") {
					t.Errorf("%v: row %d is %q, want %s", size, named, row, want)
				}
				named++
			}
		}
		if named < 7 {
			t.Errorf("%v: only %d items are named", size, named)
		}
		s.sees("and " + strconv.Itoa(len(out)-named) + " more")
	}
}

// A row of the list ends with a whole clause, and the lines below it have the whole text.
func TestNoRowOfTheListIsCutWithinAClause(t *testing.T) {
	for _, size := range sizes[:2] {
		s := begin(t, agentSession(t), size[0], size[1])
		cut := map[string]bool{}
		s.do("palette")
		for range len(s.m.commands()) {
			for _, line := range s.screen() {
				line = line[strings.LastIndex(line, "││")+1:] // beside the pane of next changes
				if strings.Contains(line, "…") && !strings.Contains(line, "$ ") {
					cut[line] = true
				}
			}
			s.press("<down>")
		}
		for line := range cut {
			t.Errorf("%v: %q", size, line)
		}
	}
}

// What a key would do is what it then does.
func TestTheForesightOfKeysIsTrue(t *testing.T) {
	for n, before := range []string{"", "]]", "f9<enter>", "f19<enter>", "f0<enter>", "f15<enter><space>", "c", "vvv"} {
		if testing.Short() && n%4 != 1 {
			continue
		}
		for _, key := range []string{"]", "[", "}", "{", "=", "<space>", "x", "l", "h", "L", "H", "c", "C", "<backspace>"} {
			s := agentAt(t, 120, 36, before)
			a := s.m.keys.find(&s.m.screens, strings.Trim(key, "<>"))
			change, err := a.Plan()
			if err != nil {
				continue
			}
			want := change.To()
			s.press(key)
			if now := s.m.exp.Setup(); !now.SameEdits(want) || now.Budget.MaxTokens != want.Budget.MaxTokens || !now.Policy[0].Same(want.Policy[0]) {
				t.Errorf("%q then %s leads to %v, foreseen %v (%s)", before, key, now.Budget.MaxTokens, want.Budget.MaxTokens, change.Effect())
			}
		}
	}
}

// What the palette says that a key of the view leads to is where the key leads.
func TestThePaletteTellsWhereKeysOfAViewLead(t *testing.T) {
	for _, c := range []struct{ max, view, keys string }{{"33000", "2", "M"}, {"33000", "3", "lhLH"}, {"12500", "7", "lhLHnN="}} {
		for _, key := range c.keys {
			name := string(key)
			s := agentAt(t, 120, 36, ":max "+c.max+"<enter><esc>"+c.view)
			var told string
			for _, command := range s.m.commands() {
				if strings.Fields(command.Keys + " -")[0] == name && command.Run != nil && told == "" && command.Plan != nil {
					if told = command.Effect; told == "" || command.Why != "" {
						t.Errorf("%s in %s: effect %q, %q", name, s.showing(), told, command.Why)
					}
				}
			}
			if s.press(name); told == "" {
				t.Fatalf("%s in %s tells no effect", name, s.showing())
			}
			if impact, _ := s.m.exp.Impact(); impact.Label != told {
				t.Errorf("%s in %s does %q, told %q", name, s.showing(), impact.Label, told)
			}
		}
	}
}

// Several items are named by their numbers: in the filter, and in the palette as needed.
func TestSeveralItemsAreNamed(t *testing.T) {
	s := agentAt(t, 120, 36, "/#13 #28<enter>")
	s.lists(13, 28)
	s.press("<esc>/13,28,54<enter>")
	s.lists(13, 28, 54)
	s.press("<esc>:need 13 28<enter>")
	for _, i := range []int{13, 28} {
		if !s.m.exp.Setup().Labels.Needs(i) {
			t.Errorf("#%d is not needed", i)
		}
	}
	s.do("undo")
	musttest.Is(t, s.m.exp.Setup().Labels.Needs(13), false, "after undo, #13 is needed")
}

// "#32" and "go to #32" lead to the item, and "why 32" opens it; a number that no item has is refused.
func TestATypedNumberOfAnItemLeadsToIt(t *testing.T) {
	for line, opens := range map[string]bool{"#32": false, "go to #32": false, "Item #32": false, "why 32": true, "why is #32 out": true, "read 32": true} {
		s := agentAt(t, 80, 24, ":"+line+"<enter>")
		s.selects(32)
		musttest.Is(t, s.m.reading(), opens, line, "opens it")
		s.press("<esc>3:#5<enter>")
		if i, ok := s.m.selected(); !ok || i != 5 || s.m.spec().Name != "Map" {
			t.Errorf("in Map, %q selects %d of %s", line, i, s.m.spec().Name)
		}
		s.press(":#65<enter>", "there are 65 items, numbered from 0")
	}
}

// What is typed as in the filter is offered as one, with how many items it shows, and so is
// anything behind "filter"; other lines are none.
func TestAFilterThatIsTypedIsOffered(t *testing.T) {
	for _, size := range sizes {
		for typed, want := range map[string]string{"kind:tool tok>200": "kind:tool tok>200", "filter tool over 2000": "kind:tool tok>2000", "filter store": "store"} {
			s := agentAt(t, size[0], size[1], ":"+strings.NewReplacer(" ", "<space>", "<", "<lt>").Replace(typed))
			q := musttest.Of(query.Parse(want))(t)
			facts, n := widget.FactsOf(s.m.exp.Outcome(experiment.A)), 0
			for i := range s.m.exp.Items().Len() {
				if q.Match(&facts, i) {
					n++
				}
			}
			s.line("▌", "filter: "+want)
			s.sees(fmt.Sprintf("(%d of 65 items)", n))
			if s.press("<enter>"); n == 0 || s.m.filter.String() != q.String() {
				t.Errorf("%v: %q sets the filter %q of %d items", size, typed, s.m.filter.String(), n)
			}
		}
		s := begin(t, agentSession(t), size[0], size[1])
		for _, line := range []string{"budget=9000", "memory at least 2", "store"} {
			musttest.Is(t, s.m.filtering(strings.Fields(line)), nil, line, "is taken for a filter")
		}
		s.press("7:kind:tool", "this view has nothing to filter")
	}
}

// The rows of Curve in the help do what their keys do, at every size.
func TestTheHelpOfCurveDoesWhatItsKeysDo(t *testing.T) {
	for _, size := range sizes {
		for _, c := range []struct{ from, typed, key, row string }{
			{"12000", "next fall", "n", "budget to the next fall"},
			{"33000", "fall before", "N", "budget to the fall before"},
			{"33000", "wanted share", "=", "budget to the wanted"},
		} {
			s := agentAt(t, size[0], size[1], ":max "+c.from+"<enter>7")
			from := s.m.budget()
			s.press(c.key)
			want := s.m.budget()
			if want == from {
				t.Errorf("%v: %s leads nowhere", size, c.key)
			}
			s = agentAt(t, size[0], size[1], ":max "+c.from+"<enter>7?"+c.typed)
			s.line("▌", c.key+" ", c.row)
			s.press("<enter>")
			s.budgetIs(want)
		}
	}
}

// Whoever wants that nothing important falls out finds the key that marks what is needed.
func TestNothingFallsOutLeadsToWhatIsNeeded(t *testing.T) {
	for size, s := range agentAtSizes(t, ":nothing falls out") {
		s.line("▌", "* ", "mark the item as needed")
		item, _ := s.m.selected()
		s.press("<enter>")
		if !s.m.exp.Setup().Labels.Needs(item) {
			t.Errorf("%v: #%d is not marked", size, item)
		}
		want, _ := s.m.exp.Profile(experiment.A).StaysFrom(item)
		for _, typed := range []string{"nothing falls out", "budget that holds", "all needed", "everything needed", "everything I need", "enough for what I need"} {
			s.press(":"+typed, "budget that holds all that is needed")
			s.press("<enter>")
			s.budgetIs(want) // where = in Curve goes
			s.press(":"+typed, setAlready)
			s.press("<down><enter>")
			s.budgetIs(want + s.m.exp.Setup().Slack) // and again
			if s.m.exp.Outcome(experiment.A).Quality.Recall.Value != 1 || slices.Contains(s.m.exp.Outcome(experiment.A).Lost, int32(item)) {
				t.Errorf("%v: #%d is at risk", size, item)
			}
			s.press("uu")
		}
		s.press("7=")
		s.budgetIs(want)
		s.do("curve.enough")
		s.budgetIs(want + s.m.exp.Setup().Slack)
	}
}

// The budget that holds everything has all that compete in, and no smaller one always has.
func TestTheBudgetThatHoldsEverything(t *testing.T) {
	s := agentAt(t, 120, 36, ":everything<enter>")
	p := s.m.exp.Profile(experiment.A)
	all := func(b model.Tokens) bool {
		for i := range s.m.exp.Items().Len() {
			_, competes := p.Ranking().Position(i)
			if _, in := p.SizeAt(i, b); competes && !in {
				return false
			}
		}
		return true
	}
	if b := s.m.budget(); !all(b) || all(b-1) {
		t.Errorf("at %v all are in: %v; at one less: %v", b, all(b), all(b-1))
	}
}

// The palette leads to the nearest budget where more is worse, by whatever words it is asked for, and n goes on
// from there.
func TestThePaletteLeadsToWhereMoreIsWorse(t *testing.T) {
	for _, typed := range []string{"worse", "fall", "falls", "is worse", "fewer items", "less value", "worse budget"} {
		s := agentAt(t, 120, 36, "c:max 21500<enter>:"+typed)
		p := s.m.exp.Profile(experiment.A)
		worse := func(b model.Tokens) bool {
			return p.PointAt(b).Fewer(p.PointAt(b-1)) || p.PointAt(b).Less(p.PointAt(b-1))
		}
		off := model.Tokens(0)
		for !worse(21_500+off) && !worse(21_500-off) {
			off++
		}
		told := "A, from " + (21_500 + off - 1).String()
		if !worse(21_500 + off) {
			told = "A, from " + (21_500 - off - 1).String()
		}
		if typed == "worse" { // its row is the first
			s.sees("one token more gives fewer items or ")
			s.line(told, " value")
		}
		s.clickOn("where more is worse")
		if b := s.m.budget(); s.showing() != "Curve" || max(b-21_500, 21_500-b) != off || !worse(b) {
			t.Fatalf("%q leads to %v in %s, want %v beside 21,500 in Curve", typed, b, s.showing(), off)
		}
		gain := p.PointAt(s.m.budget()).Value - p.PointAt(s.m.budget()-1).Value
		s.sees(fmt.Sprintf("A, from %v to %v: ", s.m.budget()-1, s.m.budget()), widget.SignedValue(gain)+" value; n and N go to others")
		before := s.m.budget()
		if s.do("curve.next fall"); s.m.budget() <= before || !worse(s.m.budget()) {
			t.Errorf("%q and n lead from %v to %v", typed, before, s.m.budget())
		}
	}
	s := begin(t, fixture(t, "nonmonotone"), 120, 36) // where no budget gives less, an item leaves all the same
	s.press("7n", "above ", " A never gets fewer items or less value")
	s.press(":50<enter>7n", "above 50 A never gets fewer items or less value, though #1 leaves at 100")
	s.press(":more is worse<enter>", "never fewer items or less value; A, from 99 to 100: ", "− #1", " value")
	s.budgetIs(100)
	p := s.m.exp.Profile(experiment.A)
	if b := p.Bands(nil, 1); len(b) != 2 || b[0].To != 99 {
		t.Errorf("#1 is in at %v", b)
	}
	begin(t, sampleSession(t, 1), 120, 36).after(":more is worse<enter>", "one token more never takes an item out")
}

// A question about a budget leads there, and one about what a session costs to Turns.
func TestAQuestionAtABudgetLeadsThere(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for typed, want := range map[string]model.Tokens{"what fits at 20,000": 20_000, "compare at 16000": 16_000, "what falls out at 12k": 12_000} {
		s.press(":" + typed + "<enter>")
		s.budgetIs(want)
	}
	s.press(":what is "+plain.AtRisk, plain.AtRisk+": lost")
	s.press("<esc>:what does a session cost<enter>")
	musttest.Is(t, s.m.spec().Name, "Turns", "it leads to")
}

// A number alone is a budget and an item: the item comes first where the budget would have no
// result, which it says.
func TestANumberAloneIsAnItemToo(t *testing.T) {
	for size, s := range agentAtSizes(t, ":32", "go to #32", "set budget to 32") {
		if size[0] >= 80 {
			s.sees("no result: pins do not fit")
		}
		s.press("<enter>")
		if i, _ := s.m.selected(); i != 32 || s.m.budget() != 32_000 {
			t.Errorf("#%d is selected at %v", i, s.m.budget())
		}
		s.press(":3200")
		s.seesNot("go to #")
	}
	s := begin(t, islands(t, 120), 80, 24).after(":1", "go to #1")
	s.press("<enter>")
	s.budgetIs(1)
}

// The list is found by the words in which people ask for it, from any view.
func TestTheListIsFoundByTheWordsOfPeople(t *testing.T) {
	for _, line := range []string{"dropped", "what falls out"} {
		s := agentAt(t, 120, 36, "8:"+line+"<enter>")
		rep := s.m.exp.Outcome(experiment.A).Report
		if rows := s.rows(); s.showing() != "Items" || len(rows) != rep.Items.Len()-len(rep.Included) {
			t.Errorf("%q leads to %s with %d rows", line, s.showing(), len(rows))
		}
	}
	for _, line := range []string{"biggest", "largest"} {
		s := agentAt(t, 120, 36, "3:"+line)
		s.clickOn("sort the items by tokens")
		rows, items := s.rows(), s.m.exp.Items()
		if s.showing() != "Items" || !slices.IsSortedFunc(rows, func(a, b int32) int { return cmp.Compare(items.Tokens(int(b)), items.Tokens(int(a))) }) {
			t.Errorf("%q leads to %s with the rows %v", line, s.showing(), rows)
		}
	}
	for line, column := range map[string]widget.Sort{"1:sort score": widget.ByScore, "6:Sort by stays": widget.ByStays, "1:sort tokens": widget.ByTokens} {
		s := agentAt(t, 120, 36, line+"<enter>")
		musttest.Is(t, s.showing(), "Items", line)
		musttest.Is(t, s.m.list().SortedBy(), column, line)
	}
	agentAt(t, 120, 36, "3:sort score").seesNot("sort the items")
	agentAt(t, 120, 36, "1:sort size").seesNot("sort the items by size")
	agentAt(t, 120, 36, "1:sort needed").seesNot("sort the items by needed")
	agentAt(t, 120, 36, "1*:sort needed", "sort the items by needed")
}

// A knob that is named is not passed over for another because it cannot have the value: enter says why it cannot.
func TestANamedKnobIsNotPassedOver(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	before := s.m.exp.Setup()
	s.press(":reserve 50000<enter>", reserve+" is 50,000, must be 0 to 32,000")
	if now := s.m.exp.Setup(); !now.Equal(before) {
		t.Errorf("the budget is %+v", now.Budget)
	}
	s.press("<esc>:reserve 5000<enter>", reserve+" 8,000 → 5,000")
}

// What lies below and above the rows of the palette, the help and the policy editor is counted in
// their frame, at every size.
func TestRowsOutOfSightAreCounted(t *testing.T) {
	count := regexp.MustCompile(`(?:([\d,]+) above)?(?:, )?(?:([\d,]+) below)?( |─)*┘?$`)
	for _, size := range sizes {
		for _, opens := range []string{":", ":set ", "?"} {
			s := agentAt(t, size[0], size[1], opens)
			beyond := func() (above, below int) {
				for _, l := range s.screen() {
					if found := count.FindStringSubmatch(strings.TrimRight(l, " ")); strings.Contains(l, "──") && found != nil && found[1]+found[2] != "" {
						above, _ = strconv.Atoi(strings.ReplaceAll(found[1], ",", ""))
						below, _ = strconv.Atoi(strings.ReplaceAll(found[2], ",", ""))
					}
				}
				return above, below
			}
			above, all := beyond()
			if above != 0 || all == 0 {
				t.Fatalf("%v: %q: %d above, %d below:\n%s", size, opens, above, all, s.text())
			}
			const lines = 3 // what explains a row of the palette may have so many more
			s.press(strings.Repeat("<down>", 40))
			if above, below := beyond(); above == 0 || above+below < all-lines || above+below > all+lines {
				t.Errorf("%v: %q: %d above, %d below, %d were below:\n%s", size, opens, above, below, all, s.text())
			}
		}
	}
}

// Every mark of the golden screens is explained where it is typed in the help: all that is no letter, digit, rule or
// punctuation, nor one of the steps of a plot.
func TestEveryMarkIsExplained(t *testing.T) {
	const known = "─│┌┐└┘┄├┤┼…→≤•" + "▀▄▆▇▉▊▋▍▎▐" // rules and punctuation; steps of a plot
	seen := map[rune]string{}
	for _, name := range musttest.Of(filepath.Glob("testdata/*.golden"))(t) {
		for _, r := range string(musttest.Of(os.ReadFile(name))(t)) {
			if r > '~' && !unicode.IsLetter(r) && !strings.ContainsRune(known, r) && (r < '⠀' || r > '⣿') {
				seen[r] = name
			}
		}
	}
	if len(seen) < 20 {
		t.Fatalf("the golden screens have %d marks", len(seen))
	}
	for mark, name := range seen {
		if len(palette.MarkMeanings(string(mark), theme.New(theme.Dark, false).Glyphs, nil))+len(palette.MarkMeanings(string(mark), theme.New(theme.NoColor, false).Glyphs, nil)) == 0 {
			t.Errorf("%c in %s is not explained", mark, name)
		}
	}
}

// A line that is pasted into the palette, as stories type lines, shows what it shows letter by
// letter, and leads to the same screen.
func TestALineIsTypedAsItIsPasted(t *testing.T) {
	for _, line := range []string{"12000", "#21", "slack 500", "max 9k", "pin all tool over 300", "exclude #4 #5", "greedy vs stream", "why is #8 out",
		"quota 30", "shrink tool 40 tail", "theme none", "kind:tool tok>10", "/data race", "half  the budget ", "zzz qqq", "?", "é世"} {
		var shown [2][]string
		for way := range shown {
			s := agentAt(t, 120, 36, ":")
			s.letters = way == 1
			s.press(line)
			shown[way] = s.screen()
			s.press("<enter>")
			shown[way] = append(shown[way], s.screen()...)
		}
		musttest.Is(t, shown[0], shown[1], line)
	}
}
