package tui

import (
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/tui/experiment"
)

// toRow puts the editor's cursor on the row with that label.
func (s *story) toRow(label string) {
	s.t.Helper()
	s.press("g")
	for range len(s.m.exp.PolicyKnobs(s.m.side, s.m.original)) {
		if k, _ := s.m.knob(); strings.TrimSpace(k.Label) == label {
			return
		}
		s.press("j")
	}
	s.t.Fatalf("the policy editor has no row %q", label)
}

func TestQuotasAreExploredLikeAnySlicer(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 160, 60)
	s.press("p")
	s.toRow("Memory max %")
	s.press("<enter>10<enter>")
	s.sees("Memory max % - → 10", "A greedy + quotas")
	s.press("<esc>/kind:mem<enter>")
	s.sees("Cupel has no answer under quotas; this is exact")
	report := s.m.exp.Outcome(experiment.A).Report
	var memory model.Tokens
	for _, i := range report.Included {
		if report.Items.Loaded(int(i)).Kind == model.Memory {
			memory += report.Items.Tokens(int(i))
		}
	}
	if limit := report.Effective.Target / 10; memory > limit {
		t.Errorf("memories take %v tokens, 10 %% of the room are %v", memory, limit)
	}
	s.press("j}")
	s.sees(maxTokens + " 32,000 →")
	s.press("uu")
	s.seesNot("+ quotas")
	s.sees("ctrl+r redo")
}

func TestQuotasOfBothSortsAreRefusedInWords(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 40)
	s.press("p")
	s.toRow("Memory max %")
	s.press("<enter>10<enter>")
	s.toRow("Memory cap")
	s.press("<enter>2")
	s.sees("a policy has shares of the room or numbers of items")
	s.press("<esc>c")
	s.sees("slicer greedy → knapsack:")
}

// A quota that cannot be set says so before anything is typed, and what frees it.
func TestQuotasOfTheOtherSortSayWhatFreesThem(t *testing.T) {
	for _, size := range []struct{ w, h int }{{120, 36}, {80, 24}} {
		s := begin(t, sampleSession(t, 60), size.w, size.h)
		s.press("p")
		s.toRow("Memory cap")
		s.seesNot("not possible")
		s.toRow("Memory max %")
		s.press("<enter>10<enter>")
		s.toRow("Memory cap")
		s.sees("numbers of items are not possible with shares of the room", "backspace on Mem")
		s.toRow("Memory max %")
		s.press("<backspace>")
		s.toRow("Memory cap")
		s.seesNot("not possible")
		s.press("<enter>2<enter>")
		s.toRow("Message min %")
		s.sees("shares of the room are not possible with numbers of items", "backspace on Mem")
		s.toRow("Memory cap")
		s.press("<backspace>")
		s.toRow("Message min %")
		s.seesNot("not possible")
	}
}

func TestStreamIsExploredLikeAnySlicer(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 40)
	s.press("cc")
	s.sees("A stream", "batch")
	s.press("]")
	s.sees(maxTokens + " 32,000 →")
	s.press("jj")
	s.sees("binary search (Cupel)")
}
func TestCountQuotasTellTheirShortfall(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 160, 60)
	s.press("p")
	s.toRow("Memory require")
	s.press("<enter>500<enter>")
	s.sees("A greedy + counts", "shortfall: Memory requires 500, only")
	s.toRow("scarcity")
	s.press("l")
	s.sees("no result", "Fix: the quotas (p)")
	s.press("u")
	s.toRow("Memory require")
	s.press("<backspace>")
	s.seesNot("shortfall", "+ counts")
}
