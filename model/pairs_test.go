package model

import (
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

func TestPartners(t *testing.T) {
	items := make([]Item, 7)
	for i := range items {
		items[i] = Item{Content: "text", Tokens: Tokens(i - 1)}
	}
	s := setOf(t, items...).WithPairs(Pair{1, 4}, Pair{4, 5}, Pair{3, 2}, Pair{-1, 2}, Pair{2, 7}, Pair{5, 5}, Pair{0, 6}) // all but the first and the last are wrong
	partners := func(s *Set) (all []int) {
		for i := range s.Len() {
			j, ok := s.Partner(i)
			if !ok {
				j = -1
			}
			all = append(all, j)
		}
		return all
	}
	musttest.Is(t, partners(s), []int{6, 4, -1, -1, 1, -1, 0}, "partners")
	edited := musttest.Of(s.With(Edits{Excluded: map[int]bool{4: true}}))(t)
	if got := partners(edited); !slices.Equal(got, partners(s)) || edited.TakesPart(4) || !edited.TakesPart(1) || s.TakesPart(0) {
		t.Errorf("edited: partners %v", got)
	}
	part := s.FirstExcluding(5, nil)
	musttest.Is(t, partners(part), []int{-1, 4, -1, -1, 1}, "a part: partners")
	musttest.Is(t, s.Pairs(), []Pair{{1, 4}, {0, 6}}, "pairs, by their results")
	musttest.Is(t, part.Pairs(), []Pair{{1, 4}}, "a part: pairs")
	if pair, ok := s.PairOf(6); !ok || pair != (Pair{0, 6}) {
		t.Errorf("the pair of 6 is %v %v", pair, ok)
	}
	if _, ok := s.PairOf(2); ok {
		t.Error("2 has a pair")
	}
	if got := partners(s.WithPairs()); slices.ContainsFunc(got, func(j int) bool { return j >= 0 }) {
		t.Errorf("without pairs: partners %v", got)
	}
}

// Pairs as one item are saved and read, fit no quotas and no stream, and nothing
// is written for Cupel that has them.
func TestKeepPairsInAPolicy(t *testing.T) {
	p := NewPolicy(Scorer{Type: ScoreRecency, Weight: 1})
	if text, err := p.JSON(); err != nil || strings.Contains(string(text), "keepPairs") {
		t.Errorf("%s: %v", text, err)
	}
	p.KeepPairs = true
	text := musttest.Of(p.JSON())(t)
	if again, err := ParsePolicy(text); err != nil || !again.Same(p) || again.Same(NewPolicy(p.Scorers...)) {
		t.Errorf("%s reads as %+v, %v", text, again, err)
	}
	musttest.Says(t, musttest.Refusal(p.CupelJSON()), "keepPairs", "for Cupel")
	for _, c := range []struct {
		field  string
		change func(*Policy)
	}{
		{"quotas", func(p *Policy) { p.Quotas = []Quota{{Kind: Message, MaxPercent: Some(50.0)}} }},
		{"countQuotas", func(p *Policy) { p.CountQuotas = []CountQuota{{Kind: Message, Cap: 1}} }},
		{"slicerType", func(p *Policy) { p.Slicer = Stream }},
	} {
		other := p.Clone()
		c.change(&other)
		refused := musttest.As[*PolicyError](t, other.Validate(), c.field)
		musttest.Is(t, refused.Field, c.field, refused)
		musttest.Says(t, refused.Reason, "cannot be combined with pairs as one item", c.field)
		other.KeepPairs = false
		musttest.Is(t, other.Validate(), nil, c.field, "without pairs")
	}
}
