package explorer

import (
	"fmt"
	"testing"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
)

// fated returns the first item of A that is as asked.
func (s *story) fated(is func(rep *model.Report, i int) bool) int {
	s.t.Helper()
	rep := s.m.exp.Outcome(experiment.A).Report
	for i := range rep.Items.Len() {
		if is(rep, i) {
			return i
		}
	}
	s.t.Fatal("there is no such item")
	return -1
}

func TestTheSelectedItemStaysSelectedThroughEveryView(t *testing.T) {
	fates := []struct {
		name string
		is   func(rep *model.Report, i int) bool
	}{
		{"in", func(rep *model.Report, i int) bool { return i > 5 && rep.In(i) }},
		{"out", func(rep *model.Report, i int) bool { return i > 5 && rep.Codes[i] == model.BudgetExceeded }},
		{"duplicate", func(rep *model.Report, i int) bool { return rep.Codes[i] == model.Deduplicated }},
	}
	for _, fate := range fates {
		t.Run(fate.name, func(t *testing.T) {
			s := begin(t, sampleSession(t, 60), 120, 36)
			item := s.fated(fate.is)
			stays := func(how string) {
				t.Helper()
				s.do("view.Items")
				s.selects(item)
			}
			s.press(fmt.Sprintf("f#%d<enter>", item))
			stays("found")
			for view := 2; view <= len(s.m.views); view++ {
				s.press(fmt.Sprint(view))
				stays(fmt.Sprintf("view %d and back", view))
			}
			s.press("12345678")
			stays("all views, one after the other")
			s.press("8765432")
			stays("all views, backwards")
			s.press("45[]")
			stays("steps of the budget meanwhile")
		})
	}
}

func TestAnItemThatLeavesTheWindowStaysSelected(t *testing.T) {
	s := begin(t, talk(t, 160), 100, 40).after("4f#4<enter>:120<enter>")
	if got, _ := s.m.selected(); got == 4 {
		t.Fatalf("#4 is in at %v", s.m.budget())
	}
	s.do("view.Items")
	s.selects(4)
}

func TestMovingTheCursorSelectsAnotherItem(t *testing.T) {
	for how, keys := range map[string]string{"a key": "4J", "a jump to where the cursor is": "4f#0<enter>"} {
		s := begin(t, talk(t, 160), 100, 40).after("f#2<enter>" + keys) // #2 is out
		moved, _ := s.m.selected()
		s.do("view.Items")
		if got, _ := s.m.selected(); got != moved || got == 2 {
			t.Errorf("%s: #%d is selected, the cursor was on #%d", how, got, moved)
		}
	}
}

func TestTheWayBackHasTheItemThatWasSelected(t *testing.T) {
	s := begin(t, talk(t, 160), 100, 40).after("f#2<enter>4") // #2 is out: the Window is at the next item that is in
	s.sees("#2 is out, so the model does not read it; shown from #3")
	s.do("window.open") // shows the item at the top of Window
	s.sees(s.tab(1))
	if got, _ := s.m.selected(); got != 3 || !s.m.exp.Outcome(experiment.A).Report.In(3) {
		t.Errorf("enter shows #%d, the Window was at #3", got)
	}
	s.press("<esc>3")
	s.selects(2)
}

// An item that a key takes out of the filter stays under the cursor until the cursor leaves it.
func TestAnItemThatIsPinnedStaysInTheFilterUntilItIsLeft(t *testing.T) {
	for _, view := range []string{"1", "3"} {
		s := agentAt(t, 120, 36, view+"/is:out<enter>")
		rows := func() []int32 { return s.m.spec().List.Rows() }
		out := len(rows())
		s.press("J")
		item, _ := s.m.selected()
		s.do("item.pin")
		if got, _ := s.m.selected(); got != item || !s.m.exp.Items().Pinned(item) {
			t.Fatalf("view %s: #%d was pinned, #%d is selected", view, item, got)
		}
		matching := 0
		rep := s.m.exp.Outcome(experiment.A).Report
		for i := range rep.Items.Len() {
			if !rep.In(i) {
				matching++
			}
		}
		s.sees(map[string]string{"1": fmt.Sprintf("%d shown", matching), "3": fmt.Sprintf("%d of 65 items", matching)}[view])
		s.do("item.pin")
		if got, _ := s.m.selected(); got != item || s.m.exp.Items().Pinned(item) || len(rows()) != out {
			t.Fatalf("view %s: #%d was released, #%d is selected of %d rows, there were %d", view, item, got, len(rows()), out)
		}
		s.press("<space>k")
		for _, i := range rows() {
			if s.m.exp.Outcome(experiment.A).Report.In(int(i)) {
				t.Errorf("view %s: #%d is in, and the cursor has left it", view, i)
			}
		}
	}
}

// The first result points at an item in whatever view a key has shown by then, not in Items alone.
func TestTheFirstResultPointsAtAnItemInTheViewThatIsShown(t *testing.T) {
	s := begin(t, agentSession(t), 60, 16)
	at, _ := s.m.selected()
	for _, view := range []string{"2", "3", "5"} {
		s.press(view + "jj")
		if i, _ := s.m.selected(); i == at {
			t.Fatalf("view %s: the cursor is on #%d already", view, at)
		}
		s.m.first = true
		s.m.pointOut()
		if i, _ := s.m.selected(); i != at {
			t.Errorf("view %s: the cursor is on #%d, want #%d", view, i, at)
		}
	}
}
