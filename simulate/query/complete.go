package query

import (
	"strings"

	"cupelscope/model"
)

// Complete returns the completions of the last term of a query, each as a
// whole query: fields, and states and kinds once the term has a colon. It
// returns nil within a quoted text and for an empty term.
func Complete(source string, kinds []model.Kind) []string {
	if strings.Count(source, `"`)%2 == 1 {
		return nil
	}
	start := strings.LastIndexByte(source, ' ') + 1
	for start < len(source) && strings.IndexByte("-!", source[start]) >= 0 {
		start++
	}
	before, term := source[:start], model.FoldASCII(source[start:])
	if term == "" {
		return nil // any term may begin here
	}
	var all []string
	add := func(word string) {
		if len(word) > len(term) && strings.HasPrefix(model.FoldASCII(word), term) {
			all = append(all, before+word)
		}
	}
	if !strings.Contains(term, ":") { // values are offered once their field is there
		for _, field := range []string{"kind:", "is:", "file:"} {
			add(field)
		}
		for _, f := range fields {
			add(f.name)
		}
		return all
	}
	for _, state := range stateNames() {
		add("is:" + state)
	}
	for _, kind := range kinds {
		if word := kind.Short(); !strings.ContainsAny(word, " \t\n\"\\") {
			add("kind:" + word)
		}
	}
	return all
}
