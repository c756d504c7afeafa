package palette

import (
	"slices"
	"testing"

	"cupelscope/model/plain"
)

// No term is wider than the column of names.
func TestTermsAreShownWhole(t *testing.T) {
	for _, term := range plain.Terms() {
		if len(term.Name) >= nameWidth {
			t.Errorf("%q is cut to %d cells", term.Name, nameWidth-1)
		}
	}
}

func TestMatching(t *testing.T) {
	lines := []entry{
		{shown: wordsOf("set output reserve: tokens kept free for the answer"), all: wordsOf("set output reserve: tokens kept free for the answer output reserve")},
		{shown: wordsOf("set slicer to greedy"), all: wordsOf("set slicer to greedy")},
		{shown: wordsOf("export report JSON"), all: wordsOf("export report JSON write file")},
		{shown: wordsOf("held ToolOutput"), all: wordsOf("held ToolOutput")},
		{shown: wordsOf("set memory max %: limits tokens"), all: wordsOf("set memory max %: limits tokens")},
		{shown: wordsOf("set budget"), all: wordsOf("set budget max tokens")},
		{shown: wordsOf("fill the table"), all: wordsOf("fill the table"), idle: true},
		{shown: wordsOf("fill the list"), all: wordsOf("fill the list")},
		{shown: wordsOf("draw the map over a number"), all: wordsOf("draw the map over a number quota"), idle: true},
		{shown: wordsOf("edit quotas"), all: wordsOf("edit quotas")},
		{shown: wordsOf("next result"), all: wordsOf("next result")},
		{shown: wordsOf("set output reserve"), all: wordsOf("set output reserve"), knob: wordsOf("output reserve")},
		{shown: wordsOf("show and edit policy A"), all: wordsOf("show and edit policy A"), short: wordsOf("show and edit policy A")},
		{shown: wordsOf("list of policies, the policy to edit"), all: wordsOf("list of policies, the policy to edit"), short: wordsOf("list of policies, the policy to edit")},
		{shown: wordsOf("edit the policy"), all: wordsOf("edit the policy"), short: wordsOf("edit the policy")},
		{shown: wordsOf("tables; with a chart beside"), all: wordsOf("tables; with a chart beside"), short: wordsOf("tables")},
		{shown: wordsOf("the chart view"), all: wordsOf("the chart view"), short: wordsOf("the chart view")},
	}
	for _, c := range []struct {
		name, typed string
		want        []int
	}{
		{"whole words before parts", "output", []int{11, 0, 3}},
		{"the most words", "set greedy", []int{1}},
		{"one of two, if none has both", "gibberish greedy", []int{1}},
		{"one of three is not enough", "some gibberish greedy", nil},
		{"of more than one thing", "slicers", []int{1}},
		{"what is shown comes first", "file report", []int{2}},
		{"in any order", "json export", []int{2}},
		{"an abbreviation", "grdy", []int{1}},
		{"an abbreviation without a consonant", "expt", []int{2}},
		{"another word with the letters in order", "mery", nil},
		{"words in a row come first", "max tokens", []int{5, 4}},
		{"a beginning", "exp", []int{2}},
		{"upper and lower case alike", "JSON", []int{2}},
		{"letters across words do not match", "sgreedy", nil},
		{"idle ones are last among equals", "fill", []int{7, 6}},
		{"idle ones that match better are first", "fill table", []int{6}},
		{"an idle one whose word is not shown is behind what matches less", "quota", []int{9, 8}},
		{"a knob that is named so is first among equals", "res", []int{11, 0, 10}},
		{"small words between two count as in a row", "edit policy", []int{12, 14, 13}},
		{"what says the word in short is first among equals", "chart", []int{16, 15}},
		{"nothing", "zzz", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := matching(wordsOf(c.typed), lines, false); !slices.Equal(got, c.want) {
				t.Errorf("%q finds %v, want %v", c.typed, got, c.want)
			}
		})
	}
}
