package explorer

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/work"
)

// Counts that come in larger than the estimates move the ceiling along, so
// that an item is not said never to stay because the axis was cut too short.
func TestBetterCountsExtendTheAxis(t *testing.T) {
	session := sampleSession(t, 60)
	session.Ceiling = 60_000
	session.Count = func(_ context.Context, emit func(tokens.Progress)) error {
		emit(tokens.Progress{Recounts: []model.Recount{{Index: 5, Tokens: 40_000, Count: model.Exact}}})
		return nil
	}
	st := &story{t: t, m: New(context.Background(), Options{Open: func(context.Context) (*Workspace, error) { return session, nil }})}
	// The counter and the reader of its batches run side by side, as in Bubble Tea.
	st.run(st.m.startLoad("", st.m.opts.Open, st.m.loaded))
	if end := st.m.exp.Setup().Ceiling; end < 84_000 {
		t.Errorf("the axis ends at %v, not all items fit", end)
	}
	if _, ok := st.m.exp.Profile(experiment.A).StaysFrom(5); !ok {
		t.Error("the item never stays")
	}
	musttest.Is(t, st.m.unsaved(), false, "after counting alone, unsaved")
}

// beginCounting is a session of estimates, and a story that has counted some of
// them and waits for the rest. finish ends the count with an error, or nil.
func beginCounting(t *testing.T) (s *story, finish func(error)) {
	session := sampleSession(t, 60)
	all := make([]model.Recount, session.Items.Len())
	for i := range all {
		all[i] = model.Recount{Index: i, Tokens: session.Items.Tokens(i), Count: model.Estimated}
	}
	session.Items = musttest.Of(session.Items.Counted(all))(t)
	s = begin(t, session, 120, 36)
	finish = s.counting(tokens.Progress{Bytes: 43, BytesAll: 100, Recounts: []model.Recount{{Index: 1, Tokens: 99, Count: model.Exact}}})
	return s, finish
}

// counting begins to count, and counts so much. finish ends the count with an error, or nil.
func (s *story) counting(so tokens.Progress) (finish func(error)) {
	var ends error
	s.m.workspace.Count = func(context.Context, func(tokens.Progress)) error { return ends }
	cmd := s.m.startCount()
	s.m.count.tally.add(so)
	s.send(work.Then(func() tea.Cmd { s.m.takeCounts(); return nil }))
	return func(err error) {
		ends = err
		s.run(cmd)
	}
}

func TestCountingIsSeen(t *testing.T) {
	s, finish := beginCounting(t)
	s.sees("⠋ counting 43 %", "counted 1 item, ", " tok fewer than estimated: + #1")
	s.seesNot("came in", "last step") // as if the user had brought it in
	finish(nil)
	s.do("report", "counts: 1 counted, 59 estimated by cupelscope")
	s.press("<esc>", "≈59 estimated", "tok (estimated by cupelscope)")
	s.press("T", "all that can be counted is counted")
}

// That counts are on their way is said at every size, also beside a long path.
func TestCountingIsSaidWhereRoomIsShort(t *testing.T) {
	for _, name := range []string{"b22.json", strings.Repeat("folder/", 30) + "b22.json"} {
		for _, size := range sizes {
			s, _ := beginCounting(t)
			s.m.workspace.Name = name
			s.m.opts.Source = name
			s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			musttest.Says(t, s.screen()[0], "counting 43 %", size, "the header")
			for _, number := range regexp.MustCompile(`(?:`+plain.Pinned+`|pin|selected|sel|free|room) [^ ]*[0-9]|[^ ]+ tok `).FindAllString(strings.Join(s.screen()[:3], "\n"), -1) {
				musttest.Says(t, number, "≈", size)
			}
		}
	}
}

func TestCountingIsStopped(t *testing.T) {
	for _, key := range []string{"<esc>", "T"} {
		s, finish := beginCounting(t)
		s.press(key, "≈59 estimated", "counting stopped: 59 estimates left as they are; T counts on")
		finish(nil) // comes too late to be heard
		s.sees("≈59 estimated")
		musttest.Is(t, s.m.count.all, false, key, "a count that was stopped is a whole one")
	}
}

func TestAFailureOfCountingIsTold(t *testing.T) {
	s, finish := beginCounting(t)
	finish(errors.New("no ranks"))
	s.sees("counting stopped: no ranks; the estimates stay, T counts again")
}

// While counts come in, each would begin what takes long anew: the side that is
// not shown waits for the last, unless a view shows both.
func TestLongWorkWaitsForTheCounts(t *testing.T) {
	for _, c := range []struct {
		name, keys string
		early      bool // both sides are there before counting ends
	}{
		{"the table shows A", "", false},
		{"Compare shows both", "2", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			session := sampleSession(t, 200)
			fine := session.Policy.Clone()
			fine.Slicer, fine.BucketSize = model.Knapsack, 1
			session.PolicyB = model.Some(fine)
			s := begin(t, session, 120, 36)
			s.held = true
			s.do("item.pin")
			s.step(func() bool { return len(s.queue) == 0 }) // both sides prove to be slow
			s.held = false
			s.press(c.keys)
			finish := s.counting(tokens.Progress{Recounts: []model.Recount{{Index: 1, Tokens: 99, Count: model.Exact}}})
			computed := func(side experiment.Side) bool { return s.m.exp.State(side) == experiment.Current }
			if !computed(experiment.A) || computed(experiment.B) != c.early {
				t.Errorf("while counts come in A is computed: %v, B: %v", computed(experiment.A), computed(experiment.B))
			}
			finish(nil)
			if s.do("view.Compare"); !computed(experiment.B) {
				t.Error("after the last count Compare has no B")
			}
		})
	}
}
