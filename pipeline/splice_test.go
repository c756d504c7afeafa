package pipeline

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"cupelscope/model"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline/scorer"
)

// The ranking of a set of which some items are pinned, released, excluded or restored, or
// have another token count or hint, is the same whether it is made from the ranking before
// or anew.
func TestASplicedRankingIsTheWholeOne(t *testing.T) {
	r := randomtest.Seeded(81, 82)
	alone, spliced, added, removed, resembled := 0, 0, 0, 0, 0
	for round := range 6000 {
		s, err := randomtest.Set(r)
		if err != nil {
			t.Fatal(err)
		}
		if s.Len() == 0 {
			continue
		}
		p := randomtest.Policy(r)
		if round%2 == 0 {
			p.Scorers = []model.Scorer{{Type: model.ScoreReflexive, Weight: 1}, {Type: model.ScoreKind, Weight: 2}}[:1+round/2%2]
		}
		some := func(e model.Edits, most int) *model.Set {
			for range r.IntN(most) {
				switch i := r.IntN(s.Len()); r.IntN(5) {
				case 0, 1:
					e = e.WithPinned(s, r.IntN(2) == 0, i)
				case 2:
					e = e.WithExcluded(r.IntN(2) == 0, i)
				case 3:
					e = e.WithTokens(s, model.Tokens(r.IntN(50)-5), i)
				default:
					e = e.WithHint(s, float64(r.IntN(5))/4, i)
				}
			}
			edited, err := s.With(e)
			if err != nil {
				t.Fatal(err)
			}
			return edited
		}
		before := some(s.Edits(), 12)
		after := some(before.Edits(), 6)
		like := rankOf(t, p, before)
		want := rankOf(t, p, after)
		got, err := want.pipeline.RankLike(context.Background(), like, after)
		if err != nil {
			t.Fatal(err)
		}
		a, b := rankingColumns(got), rankingColumns(want)
		parts := len(a) - s.Len() // of scores, which may be NaN
		if !reflect.DeepEqual(a[:parts], b[:parts]) || fmt.Sprint(a[parts:]) != fmt.Sprint(b[parts:]) {
			t.Fatalf("round %d, policy %+v, from %+v to %+v:\n%v\nwant\n%v", round, p, before.Edits(), after.Edits(), a, b)
		}
		if len(got.deciding) != len(want.deciding) || !reflect.DeepEqual(got.input.KindNames, want.input.KindNames) {
			t.Fatalf("round %d: other columns", round)
		}
		changed, few := want.changedSince(like)
		kept := few && (scorer.Alone(want.pipeline.parts.Scorer) || want.scoredLike(like.ranked, changed))
		switch more := len(want.input.Items) - len(like.input.Items); {
		case kept && p.Deduplicate && want.resembled(changed):
			resembled++
		case kept:
			spliced++
			added += max(0, more)
			removed += max(0, -more)
		}
		if few && scorer.Alone(want.pipeline.parts.Scorer) {
			alone++
		}
	}
	if alone < 500 || spliced < 500 || added < 100 || removed < 100 || resembled < 100 {
		t.Errorf("%d were scored alone and %d spliced, with %d candidates added and %d removed, and %d were not for a duplicate: want more", alone, spliced, added, removed, resembled)
	}
}
