package model

import (
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

func TestWhatIsNotCupelsIsNamed(t *testing.T) {
	power := NewScorer(ScorePower, begin)
	nested := NewScorer(ScoreComposite, begin)
	nested.Scorers = append(nested.Scorers, Scorer{Type: ScoreScaled, Weight: 1, Inner: &power})
	p := NewPolicy(NewScorer(ScoreRecency, begin), power, nested)
	p.Slicer = Rank
	want := []string{"scorers[1] is power", "scorers[2].scorers[1].innerScorer is power", "slicerType is rank"}
	if got := p.NotCupel(); !slices.Equal(got, want) {
		t.Errorf("not Cupel's: %q, want %q", got, want)
	}
	_, err := p.CupelJSON()
	if err == nil || !strings.Contains(err.Error(), strings.Join(want, ", ")) {
		t.Errorf("written for Cupel: %v", err)
	}
	data := musttest.Of(p.JSON())(t)
	if _, err := ParsePolicy(data); err != nil {
		t.Errorf("our own JSON is not read: %v", err)
	}
	for _, preset := range Presets() {
		if _, err := preset.CupelJSON(); err != nil {
			t.Errorf("%s: %v", preset.Name, err)
		}
	}
	ours := 0
	for _, s := range SlicerTypes() {
		if p := NewPolicy(Scorer{Type: ScoreRecency, Weight: 1}); s.Ours() {
			ours++
			p.Slicer = s
			if _, err := p.CupelJSON(); err == nil {
				t.Errorf("%s is written for Cupel: %v", s, err)
			}
		}
	}
	if ours != 2 {
		t.Errorf("%d slicers of ours", ours)
	}
}
