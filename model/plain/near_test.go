package plain

import (
	"slices"
	"testing"
)

func TestSlips(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"minimize", "minimise", 1}, {"MAX", "max", 0}, {"kitten", "sitting", 3}, {"ab", "ba", 2}, {"max-token", "max-tokens", 1},
	} {
		if got := Slips(c.a, c.b); got != c.want || Slips(c.b, c.a) != c.want {
			t.Errorf("from %q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
	known := []string{"sweep", "report", "tokens", "turns"}
	if got := Nearest("turn", known, 2); !slices.Equal(got, []string{"turns", "tokens"}) || known[0] != "sweep" {
		t.Errorf("the nearest are %v of %v", got, known)
	}
	if got := Nearest("turn", known, 9); len(got) != 4 {
		t.Errorf("%v", got)
	}
}
