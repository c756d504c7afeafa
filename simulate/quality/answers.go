package quality

import (
	"slices"
	"strings"

	"cupelscope/model"
)

// answersIn returns the items of a set that contain one of the answers as whole
// words, ascending. It makes one pass over the contents.
func answersIn(s *model.Set, answers []string) []int {
	if len(answers) == 0 {
		return nil
	}
	wanted := make([]string, len(answers))
	for i, answer := range answers {
		wanted[i] = " " + model.Normalized(answer) + " "
	}
	var all []int
	for i := range s.Len() {
		content := " " + model.Normalized(s.Loaded(i).Content) + " "
		if slices.ContainsFunc(wanted, func(answer string) bool { return strings.Contains(content, answer) }) {
			all = append(all, i)
		}
	}
	return all
}
