package placer

import (
	"slices"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func TestPlacers(t *testing.T) {
	at := func(second int64) model.Item {
		return model.Item{Content: "x", Timestamp: model.Some(time.Unix(second, 0))}
	}
	none := model.Item{Content: "x"}
	for _, c := range []struct {
		name   string
		placer Placer
		items  []model.Item
		merged []int32 // merged order
		scores []float64
		want   []int32
	}{
		{"by time, undated last, in merged order", Chronological{}, []model.Item{none, at(9), at(1), none}, []int32{3, 1, 0, 2}, []float64{1, 1, 0.5, 0.2}, []int32{2, 1, 3, 0}},
		{"the same instant keeps merged order", Chronological{}, []model.Item{at(5), at(5), at(5)}, []int32{2, 0, 1}, []float64{1, 0.5, 0.2}, []int32{2, 0, 1}},
		{"what is not selected leaves no gap", Chronological{}, []model.Item{at(3), at(2), at(1)}, []int32{0, 2}, []float64{1, 1}, []int32{2, 0}},
		{"best at both ends", UShaped{}, []model.Item{none, none, none, none, none}, []int32{0, 1, 2, 3, 4}, []float64{0.9, 0.8, 0.7, 0.6, 0.5}, []int32{0, 2, 4, 3, 1}},
		{"equal scores keep merged order", UShaped{}, []model.Item{none, none, none, none}, []int32{3, 2, 1, 0}, []float64{1, 1, 1, 1}, []int32{3, 1, 0, 2}},
		{"a score above 1 goes before pinned items", UShaped{}, []model.Item{none, none, none}, []int32{0, 1, 2}, []float64{1, 5, 1}, []int32{1, 2, 0}},
		{"ranks count the selected only", UShaped{}, []model.Item{none, none, none}, []int32{1, 2}, []float64{2, 1}, []int32{1, 2}},
		{"nothing to place", UShaped{}, nil, nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := musttest.Of(model.NewSet(c.items))(t)
			if got := c.placer.Place(&Merged{Set: s, Items: c.merged, Scores: c.scores}); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
