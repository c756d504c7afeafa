package query

import (
	"slices"
	"testing"

	"cupelscope/model"
)

func TestComplete(t *testing.T) {
	kinds := []model.Kind{model.ToolOutput, "Trace", "two words"}
	for _, c := range []struct {
		why, source string
		want        []string
	}{
		{"a field by its beginning", "k", []string{"kind:"}},
		{"fields that begin alike", "s", []string{"score", "staysFrom"}},
		{"a state", "is:p", []string{"is:pinned"}},
		{"a kind, short where it has a short name", "kind:t", []string{"kind:tool", "kind:Trace"}},
		{"what stands before stays", "tok>5 -is:ou", []string{"tok>5 -is:out"}},
		{"nothing at the start of a term", "is:in ", nil},
		{"nothing in a text", `"is:o`, nil},
		{"nothing more than is there", "is:out", nil},
	} {
		if got := Complete(c.source, kinds); !slices.Equal(got, c.want) {
			t.Errorf("%s: Complete(%q) = %q, want %q", c.why, c.source, got, c.want)
		}
	}
}

// What is offered can be read once its value is there.
func TestWhatIsOfferedParses(t *testing.T) {
	for _, beginning := range []string{"is:", "kind:"} {
		for _, text := range Complete(beginning, []model.Kind{model.Memory, "odd(kind)"}) {
			if _, err := Parse(text); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}
