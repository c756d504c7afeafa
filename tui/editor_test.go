package tui

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/simulate/session"
	"cupelscope/tui/experiment"
)

func TestPolicyEditor(t *testing.T) {
	session := sampleSession(t, 60)
	session.SavePolicy, session.LoadPolicy = itemset.WritePolicy, itemset.ReadPolicy
	s := begin(t, session, 120, 40)
	s.press("p")
	s.sees("Policy  A greedy", "Scorers: a weighted mean", "recency", "weight 3", "+ scorer", "x remove")
	s.press("l")
	s.sees("recency weight 3 → weight 3.5")
	s.press("<enter>0")
	s.sees("recency weight is 0, must be a finite number above 0")
	s.press("<enter>")
	s.sees("recency (weight 3.5)")
	s.press("<esc>x")
	s.sees("remove recency")
	s.press("x")
	s.sees("scorers: is required and may not be empty")
	s.press("u")
	s.sees("undo remove recency", "recency")
	for range 60 {
		if k, _ := s.m.knob(); strings.Contains(k.Label, "+ scorer") {
			break
		}
		s.press("j")
	}
	s.press("<enter>reflexx")
	s.sees(`no scorer "reflexx"; known are recency`)
	s.press("<backspace>")
	s.sees("tab reflexive")
	s.press("<tab><enter>")
	s.sees("reflexive", "weight 1")
	path := filepath.Join(t.TempDir(), "p.json")
	s.press("W")
	for range len("policy.json") {
		s.press("<backspace>")
	}
	s.press(path + "<enter>")
	s.sees("policy A written to")
	saved, err := itemset.ReadPolicy(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := saved.Scorers; len(got) != 3 || got[0].Weight != 3.5 || got[2].Type != model.ScoreReflexive {
		t.Errorf("the written policy has the scorers %+v", got)
	}
	s.press("<esc>Bp")
	s.sees("Policy  B")
	s.press("O" + path + "<enter>")
	if got := s.m.exp.Setup().Policy[experiment.B]; len(got.Scorers) != 3 || got.Slicer != model.Greedy {
		t.Errorf("the opened policy is %+v", got)
	}
	s.press("Onot a file<enter>")
	s.sees("no such file")
	s.press("<esc>Orag<enter>")
	s.sees("policy B from rag")
}

func TestQuotaRowsAreValidatedWhileTyping(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 60)
	s.press("p")
	s.toRow("Memory min %")
	s.press("<enter>120")
	s.sees(`Memory min %: "120" must be 0 to 100 percent`)
	s.press("<backspace><backspace>0")
	s.sees("Memory min % (-):")
	s.press("<esc>")
	s.sees("cancelled")
}

func TestAnotherSourceIsOpened(t *testing.T) {
	first := sampleSession(t, 60)
	first.Save = itemset.Saver{}.WriteScenario
	dir := t.TempDir()
	s := begin(t, first, 120, 36, func(o *Options) {
		o.OpenOther = func(ctx context.Context, path string) (*Session, error) {
			return Open(ctx, session.Options{Sources: []string{path}}, session.Input{})
		}
	})
	path := filepath.Join(dir, "first.json")
	s.press("lgjx/mem<enter>w")
	for range len("scenario.json") {
		s.press("<backspace>")
	}
	s.press(path + "<enter>")
	s.sees("written to")
	s.press("l")
	s.press("o" + path + "<enter>")
	s.sees("there are unsaved changes; enter again opens without them")
	s.press("<enter>")
	s.sees("sample.json [scenario]", "‹ 33,000 ›", "filter -", "×  1", "excluded")
	s.press("o" + dir + "/none.json<enter>")
	s.sees("not opened:", "sample.json [scenario]", "‹ 33,000 ›")
	s.press("o") // the path is there again, to be corrected
	s.sees("none.json")
}
