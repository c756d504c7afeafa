package session

import (
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate"
)

func TestSlicerTakesASize(t *testing.T) {
	empty := musttest.Of(model.NewSet(nil))(t)
	for _, c := range []struct {
		o    Options
		want string // the slicer of the policy
		says string // else the error
	}{
		{Options{Slicer: "knapsack:1"}, "knapsack:1", ""},
		{Options{Slicer: "KNAPSACK:1k"}, "knapsack:1000", ""},
		{Options{Slicer: "knapsack"}, "knapsack:100", ""},
		{Options{Slicer: "stream:8"}, "stream:8", ""},
		{Options{Slicer: "knapsack", BucketSize: "7"}, "knapsack:7", ""},
		{Options{Slicer: "knapsack:1", BucketSize: "7"}, "", "both give a size"},
		{Options{Slicer: "greedy:1"}, "", "greedy has no size"},
		{Options{Slicer: "knapsack:0"}, "", "must be at least 1"},
		{Options{Slicer: "knapsack:many"}, "", "not a number of tokens"},
		{Options{Slicer: "best:1"}, "", "known are greedy, knapsack, stream"},
	} {
		asked, err := c.o.overrides(t.Context())
		if err != nil || c.says != "" {
			if err == nil || c.says == "" || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v: %v, want %q", c.o, err, c.says)
			}
			continue
		}
		opening, err := simulate.Open(simulate.Source{Items: empty}, asked)
		if err != nil || opening.Policy.SlicerName() != c.want {
			t.Errorf("%s %s: %s, want %s; %v", c.o.Slicer, c.o.BucketSize, opening.Policy.SlicerName(), c.want, err)
		}
	}
}
