package explorer

import (
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
)

func TestParseItemEdit(t *testing.T) {
	for _, c := range []struct {
		text string
		want itemEdit
	}{
		{"1200", itemEdit{tokens: true, newTokens: model.Some[model.Tokens](1200)}},
		{"tok 1.2k", itemEdit{tokens: true, newTokens: model.Some[model.Tokens](1200)}},
		{"TOKENS=-3", itemEdit{tokens: true, newTokens: model.Some[model.Tokens](-3)}},
		{"hint .8", itemEdit{hint: true, newHint: model.Some(0.8)}},
		{"hint=-0.5 2k", itemEdit{hint: true, newHint: model.Some(-0.5), tokens: true, newTokens: model.Some[model.Tokens](2000)}},
		{"tok - hint -", itemEdit{tokens: true, hint: true}},
		{"-", itemEdit{tokens: true}},
	} {
		musttest.Is(t, musttest.Of(parseItemEdit(c.text))(t), c.want, c.text)
	}
	for _, c := range []struct{ text, says string }{
		{" ", "type tokens, a hint, or both"},
		{"tok", "tok needs a number"},
		{"tok 1 2", "tok is given twice"},
		{"hint .1 hint .2", "hint is given twice"},
		{"hint nan", "not a number"},
		{"hint x", `"x" is not a number`},
		{"many", "tokens:"},
		{"2e13", "tokens:"},
	} {
		musttest.Says(t, musttest.Refusal(parseItemEdit(c.text)), c.says, c.text)
	}
}

func TestTokensAndHintAreEdited(t *testing.T) {
	s := begin(t, islands(t, 120), 180, 36).after("je", "edit #1 (50 tok, hint 0.1):", "1200 or tok 1.2k sets the tokens")
	s.press("20 hint .9<enter>", "edit #1: + #1  +20 tok")
	stays, _ := s.m.exp.Profile(s.m.side).StaysFrom(1)
	musttest.Is(t, stays, 20)
	s.do("undo", "undo edit #1: − #1")
	s.press("e tok 15<enter>", "tokens of #1 50 → 15: + #1")
	s.press("etok -<enter>", "edit #1: − #1")
	if e := s.m.exp.Setup().Edits; !e.IsZero() {
		t.Errorf("the edit is back at what was loaded, but %+v is left", e)
	}
	s.press("ehint .1<enter>", "already set, nothing to change")
	s.press("e9999999999999999<enter>", "tokens:")
	s.press("<esc>", "cancelled: edit #1")
}

func TestAHintThatNothingReadsSaysSo(t *testing.T) {
	begin(t, sampleSession(t, 60), 180, 36).after("ehint .5<enter>", "no scorer of policy A reads hints: reflexive does (p adds it)")
}

func TestKeysActOnAllThatAreChosen(t *testing.T) {
	s := begin(t, islands(t, 100), 180, 36).after("vv", "2 items chosen, 150 tok")
	s.do("item.stays", maxTokens+" 100 → 150: + #1")
	s.press("=", "=: all of them stay in from here on")
	s.do("item.exclude", "exclude #0 #1: − #0 #1")
	s.do("item.exclude", "restore #0 #1: + #0 #1")
	s.do("item.pin", "pin #0 #1")
	s.press("uetok 30<enter>", "edit #0 #1")
	musttest.Is(t, s.m.exp.Items().Total(), 60, "the set")
	s.press("<esc>", "selection cleared")
	s.press("Gx", "exclude #1")
}

func TestChoosingWhatTheTableShows(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("/kind:tool<enter>V")
	n := 0
	for i := range s.m.exp.Items().Len() {
		if s.m.exp.Items().Loaded(i).Kind.Is(model.ToolOutput) {
			n++
			if !s.m.selection.chosen[i] {
				t.Errorf("#%d is shown, but not chosen", i)
			}
		}
	}
	musttest.Is(t, len(s.m.selection.chosen), n)
	s.do("items.choose all", "no item is chosen")
	s.press("V<esc>")
	if len(s.m.selection.chosen) != 0 || s.m.filter.IsZero() {
		t.Error("esc clears what is chosen first, then of the filter")
	}
}

// A scenario that was written with edits opens as it was.
func TestEditsOfItemsAreWritten(t *testing.T) {
	session := islands(t, 120)
	var written model.Scenario
	session.Save = func(_ string, sc model.Scenario) error { written = sc; return nil }
	begin(t, session, 120, 36).after("je20 hint .9<enter>k<space>w<enter>")
	want := model.Edits{Pinned: map[int]bool{0: true}, Tokens: map[int]model.Tokens{1: 20}, Hints: map[int]float64{1: 0.9}}
	e := experiment.Setup{Edits: want}
	if got := (experiment.Setup{Edits: written.Items.Edits()}); !got.Equal(e) {
		t.Errorf("written %+v, want %+v", got.Edits, want)
	}
}
