package explorer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
)

// compacted is a session of Claude Code that a compaction took apart: items 0 and
// 1 of the screen are what stayed.
func compacted() string {
	second := 0
	row := func(role, uuid, parent, text, more string) string {
		second++
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%q,"timestamp":"2026-01-02T03:04:%02dZ","message":{"role":%q,"content":%q%s}}`+"\n",
			role, uuid, parent, second, role, strings.Repeat(text+" ", 20), more)
	}
	answer := func(uuid, parent, text string) string {
		return row("assistant", uuid, parent, text, fmt.Sprintf(`,"id":"id-%s","usage":{"input_tokens":10,"cache_read_input_tokens":%d,"cache_creation_input_tokens":30,"output_tokens":20}`, uuid, second*10))
	}
	return row("user", "1", "", "one", "") + answer("2", "1", "two") + row("user", "3", "2", "three", "") + answer("4", "3", "four") +
		`{"type":"system","subtype":"compact_boundary","uuid":"c","timestamp":"2026-01-02T03:05:00Z"}` + "\n" +
		strings.Replace(row("user", "5", "", "summary", ""), `"type"`, `"isCompactSummary":true,"type"`, 1) +
		row("user", "6", "5", "six", "") + answer("7", "6", "seven")
}

// openedLog opens a session of Claude Code, and cuts all that it records into requests
// as the verbs do.
func openedLog(t *testing.T, text string, o session.Options) (*Workspace, *turns.History) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.jsonl")
	write(t, path, text)
	ctx := context.Background()
	o.Sources = []string{path}
	opened := musttest.Of(Open(ctx, o, session.Input{}))(t)
	choices := musttest.Of(o.Choices(t.Context(), session.Input{}))(t)
	loaded := musttest.Of(itemset.Load(ctx, []string{path}, itemset.Options{History: true}))(t)
	all := musttest.Of(choices.OpenCounted(ctx, loaded))(t)
	log := musttest.Of(turns.FromItems(all.Set, all.Messages))(t)
	return opened, log
}

// courseOfA is what policy A sends at the requests of a session, before any edit.
func courseOfA(t *testing.T, opened *Workspace, log *turns.History) *turns.Course {
	t.Helper()
	plans := []turns.Plan{{Strategy: turns.Stateless, Policy: opened.Policy}}
	courses, _, err := turns.Run(context.Background(), log, plans, opened.Budget, turns.Billing{Cache: turns.Caches()[0]}, turns.Options{})
	musttest.Do(t, err)
	return courses[1]
}

// contentsOf are those of some items of a set.
func contentsOf(of *model.Set, items []int32) []string {
	var all []string
	for _, i := range items {
		all = append(all, of.Loaded(int(i)).Content)
	}
	return all
}

// At every request of a compacted session all views show the items that were there
// then, whatever --full says, and what is chosen of them is what Turns shows.
func TestTurnsOfACompactedSession(t *testing.T) {
	for _, full := range []bool{false, true} {
		opened, log := openedLog(t, compacted(), session.Options{Budget: map[string]string{model.FieldMaxTokens: "500"}, Full: full})
		course := courseOfA(t, opened, log)
		s := begin(t, opened, 120, 36).after("8g", "request 1 of 4")
		for k := range course.Windows[:3] {
			r := log.Requests()[k].Recorded.Value
			s.sees(fmt.Sprintf("Request %d", k+1), course.Bills[k].Tokens().String()+" tok")
			s.do("turns.details", fmt.Sprintf("recorded: %v tok, %v read, %v written, %v plain", r.Total(), r.CacheRead, r.CacheWrite, r.Plain))
			s.press("<esc>")
			if c := course.Changes[k]; c.Cause == turns.Left {
				s.sees("Broken: an item was removed, msg one", "−gone")
			}
			s.do("view.Items")
			for _, word := range strings.Fields([]string{"one", "one two three", "summary six"}[k]) {
				s.sees(" " + word + " " + word)
			}
			s.press("8l")
		}
		s.sees("Now, not sent yet")
		s.do("turns.details", "recorded for 3 requests:")
		s.press("<esc>hh1", "at request 2 of 4; esc: back to the end")
		if !full {
			s.sees("Before request 2: 3 items, 3 removed later by a compaction or rewind.")
		}
		s.do("view.Compare", s.tab(2), "three three")
		s.press("345678")
		musttest.Is(t, frameFault(s.m), "")
	}
}

// An edit at a request is one of the item, wherever it stands: it is there at the
// requests that had the item, and nowhere else, and undo finds it from anywhere.
func TestEditsBeforeACompaction(t *testing.T) {
	opened, _ := openedLog(t, compacted(), session.Options{Budget: map[string]string{model.FieldMaxTokens: "500"}})
	s := begin(t, opened, 120, 36).after("8gl1g", "at request 2 of 4", "exclude")
	s.do("item.exclude", "exclude #0")
	if !s.m.exp.Items().Excluded(0) || s.m.exp.Whole().Excluded(0) {
		t.Error("excluded is another item")
	}
	s.press("jj ")                          // "three"
	s.do("view.Turns", "at request 1 of 3") // there is nothing to send at what was request 1
	s.do("turns.back", "h: this is the first request")
	if items := s.m.exp.Items(); items.Len() != 3 || !items.Excluded(0) {
		t.Error("the moment has moved")
	}
	s.press("<esc>")
	if s.m.exp.Whole().Edits().Excluded != nil || s.m.exp.Whole().Edits().Pinned != nil || s.m.unsaved() {
		t.Error("at the end items are edited that are not there")
	}
	requests, err := s.m.turns.History()
	if err != nil || !requests.Items().Excluded(0) || !requests.Items().Pinned(2) || requests.Items().Excluded(4) {
		t.Errorf("in Turns the edits are lost: %v", err)
	}
	s.press("1gx8g") // "summary", which is the fourth of the log
	if requests, err = s.m.turns.History(); err != nil || !requests.Items().Excluded(4) || len(requests.Items().Edits().Excluded) != 2 {
		t.Errorf("an edit at the end: %v", err)
	}
	s.press("uu")
	if items := s.m.exp.Items(); !items.Excluded(0) || items.Pinned(2) {
		t.Error("undo took another edit")
	}
	s.do("undo")
	musttest.Is(t, s.m.exp.Items().Excluded(0), false, "after undo, #0 is excluded")
	s.sees("at request 2 of 4")
	s.press("h1gx") // the only item of request 1
	s.sees("at request 1 of 4", "0 of 1 in")
	s.do("view.Turns", "at request 1 of 3")
	s.do("undo", "at request 2 of 4")
}

// wild is a session of Claude Code with compactions and rewinds at random places.
func wild(rng *rand.Rand) string {
	var text strings.Builder
	second, parent := 0, ""
	var path []string // of the branch
	row := func(role, content, more, flag string) {
		second++
		id := fmt.Sprint("u", second)
		fmt.Fprintf(&text, `{%s"type":%q,"uuid":%q,"parentUuid":%q,"timestamp":"2026-01-02T%02d:%02d:00Z","message":{"role":%q,"content":%q%s}}`+"\n",
			flag, role, id, parent, 3+second/60, second%60, role, content, more)
		parent, path = id, append(path, id)
	}
	words := func(n int) string { return strings.Repeat(fmt.Sprintf("text%d ", n), 5+rng.IntN(40)) }
	for n := range 6 + rng.IntN(20) {
		row("user", words(2*n), "", "")
		if rng.IntN(8) > 0 {
			row("assistant", words(2*n+1), fmt.Sprintf(`,"id":"m%d","usage":{"input_tokens":5,"output_tokens":2}`, n), "")
		}
		switch {
		case rng.IntN(6) == 0:
			fmt.Fprintf(&text, `{"type":"system","subtype":"compact_boundary","uuid":"c%d","timestamp":"2026-01-02T%02d:%02d:00Z"}`+"\n", n, 3+second/60, second%60)
			parent, path = "", nil
			row("user", "summary "+words(100+n), "", `"isCompactSummary":true,`)
		case rng.IntN(5) == 0 && len(path) > 2:
			path = path[:1+rng.IntN(len(path)-1)]
			parent = path[len(path)-1]
		}
	}
	return text.String()
}

// Whatever was compacted and rewound, at each request what is chosen on the screen is
// what the library chooses for that request, also after edits made at any moment.
func TestEveryMomentShowsWhatItsRequestHad(t *testing.T) {
	removed, edits := 0, 0
	for seed := range uint64(15) {
		rng := rand.New(rand.NewPCG(seed, 88))
		opened, log := openedLog(t, wild(rng), session.Options{Budget: map[string]string{"maxTokens": fmt.Sprint(300 + rng.IntN(900))}, Full: rng.IntN(3) == 0})
		s := begin(t, opened, 120, 36).after("8g")
		check := func(log *turns.History) {
			course := courseOfA(t, opened, log)
			s.press("8g")
			for k, w := range course.Windows {
				at, ok := s.m.exp.Moment()
				if !ok {
					break // now
				}
				removed += at.Removed()
				items := s.m.exp.Items()
				var there []int32
				for i := range log.Items().Len() {
					if log.There(log.Requests()[k], i) {
						there = append(there, int32(i))
					}
				}
				every := make([]int32, items.Len())
				for i := range every {
					every[i] = int32(i)
				}
				if got, want := contentsOf(items, every), contentsOf(log.Items(), there); !slices.Equal(got, want) {
					t.Fatalf("seed %d, request %d: the screen has %q, want %q", seed, k+1, got, want)
				}
				if state := s.m.exp.State(experiment.A); (state == experiment.Failed) != (w.Err != nil) {
					t.Fatalf("seed %d, request %d: %v on the screen, want %v", seed, k+1, state, w.Err)
				}
				if w.Err == nil {
					if got, want := contentsOf(items, s.m.exp.Outcome(experiment.A).Report.Included), contentsOf(log.Items(), w.Items); !slices.Equal(got, want) {
						t.Fatalf("seed %d, request %d: the screen sends %q, Turns %q", seed, k+1, got, want)
					}
				}
				s.do("turns.next")
			}
		}
		check(log)
		pinned, excluded := map[string]bool{}, map[string]bool{} // by content, which no two items share
		for range 4 {
			s.press("8g" + strings.Repeat("l", rng.IntN(len(log.Requests()))) + "1g" + strings.Repeat("j", rng.IntN(s.m.exp.Items().Len())))
			item, ok := s.m.selected()
			if !ok {
				continue
			}
			edits++
			content := s.m.exp.Items().Loaded(item).Content
			if rng.IntN(2) == 0 {
				s.do("item.exclude")
				excluded[content] = !excluded[content]
			} else {
				s.do("item.pin")
				pinned[content] = !pinned[content]
			}
			s.do("view.Turns")
			requests := musttest.Of(s.m.turns.History())(t)
			items := requests.Items()
			for i := range items.Len() {
				if c := items.Loaded(i).Content; items.Excluded(i) != excluded[c] || items.Pinned(i) != pinned[c] {
					t.Fatalf("seed %d: %q is excluded %v, pinned %v; want %v, %v", seed, c, items.Excluded(i), items.Pinned(i), excluded[c], pinned[c])
				}
			}
			check(requests.History)
		}
	}
	if removed < 100 || edits < 30 {
		t.Errorf("%d removed items were shown, %d edits made", removed, edits)
	}
}
