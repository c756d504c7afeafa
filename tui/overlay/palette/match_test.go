package palette

import (
	"slices"
	"testing"
)

func TestMatching(t *testing.T) {
	lines := [][]string{
		wordsOf("set outReserve: tokens kept free for the answer output reserve"),
		wordsOf("set slicer to greedy"),
		wordsOf("export report JSON"),
		wordsOf("held ToolOutput"),
	}
	for _, c := range []struct {
		name, typed string
		want        []int
	}{
		{"whole words before parts", "output", []int{0, 3}},
		{"every word has to match", "set greedy", []int{1}},
		{"in any order", "json export", []int{2}},
		{"letters in order", "grdy", []int{1}},
		{"a beginning", "exp", []int{2}},
		{"upper and lower case alike", "JSON", []int{2}},
		{"letters across words do not match", "sgreedy", nil},
		{"nothing", "zzz", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := matching(c.typed, lines); !slices.Equal(got, c.want) {
				t.Errorf("%q finds %v, want %v", c.typed, got, c.want)
			}
		})
	}
}
