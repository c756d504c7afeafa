package draw

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/theme"
)

func textOf(line []Span) string {
	var b strings.Builder
	for _, s := range line {
		b.WriteString(s.Text)
	}
	return b.String()
}

func TestParagraph(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		text  string
		want  []string
	}{
		{"fits", 20, "one two", []string{"one two"}},
		{"exactly", 7, "one two", []string{"one two"}},
		{"breaks between words", 6, "one two", []string{"one", "two"}},
		{"runs of spaces are kept inside a line", 20, "one   two", []string{"one   two"}},
		{"spaces at a break are lost", 5, "one   two", []string{"one", "two"}},
		{"a long word is cut", 3, "abcdefgh", []string{"abc", "def", "gh"}},
		{"a long word begins a line of its own", 4, "ab cdefghij", []string{"ab", "cdef", "ghij"}},
		{"wide characters count twice", 5, "世界世界", []string{"世界", "世界"}},
		{"an indent is kept", 5, "   abcd", []string{"   ab", "cd"}},
		{"nothing", 5, "", nil},
		{"only spaces", 5, "   ", nil},
		{"no width", 0, "text", nil},
	} {
		var got []string
		for _, l := range Paragraph(c.width, Span{Text: c.text}) {
			got = append(got, textOf(l))
		}
		musttest.Is(t, got, c.want, c.name, "Paragraph", c.width, c.text)
	}
}

// A word may change its role within.
func TestParagraphKeepsWordsTogether(t *testing.T) {
	var got []string
	for _, l := range Paragraph(12, Span{"stays from ", theme.Plain}, Span{"1,234", theme.Strong}, Span{"; in", theme.Plain}, Span{" all", theme.Dim}) {
		got = append(got, textOf(l))
	}
	musttest.Is(t, got, []string{"stays from", "1,234; in", "all"})
}

// checkParagraph: no line is wider than the width, and nothing is lost but spaces.
func checkParagraph(t *testing.T, width int, spans []Span) {
	t.Helper()
	type letter struct {
		r    rune
		role theme.Role
	}
	letters := func(spans []Span) (all []letter) {
		for _, s := range spans {
			for _, r := range s.Text {
				if r != ' ' {
					all = append(all, letter{r, s.Role})
				}
			}
		}
		return all
	}
	lines := Paragraph(width, spans...)
	var flat []Span
	for _, l := range lines {
		flat = append(flat, l...)
		if w := SpansWidth(l); w > width {
			// One character wider than the paragraph cannot be helped.
			if text := []rune(strings.TrimSpace(textOf(l))); w > 2 || Width(string(text)) > 2 || width > 1 {
				t.Fatalf("Paragraph(%d, %q) has a line of %d cells: %q", width, spans, w, textOf(l))
			}
		}
	}
	if width < 1 {
		if lines != nil {
			t.Fatalf("Paragraph(%d, %q) = %q", width, spans, lines)
		}
		return
	}
	if got, want := letters(flat), letters(spans); !slices.Equal(got, want) {
		t.Fatalf("Paragraph(%d, %q) = %q: text was lost or changed its role", width, spans, lines)
	}
}

func TestParagraphLosesOnlySpaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	alphabet := []string{" ", " ", "  ", "a", "bc", "defg", "世", "世\u0315", "界e\u0301", "longer-word", "1,234"}
	for range 20_000 {
		spans := make([]Span, rng.IntN(5))
		for i := range spans {
			spans[i].Role = theme.Role(rng.IntN(3))
			for range rng.IntN(8) {
				spans[i].Text += alphabet[rng.IntN(len(alphabet))]
			}
		}
		checkParagraph(t, 1+rng.IntN(24), spans)
	}
}

func FuzzParagraph(f *testing.F) {
	f.Add("one two three", "four", 5)
	f.Add("   indented", "and 世界 wide", 3)
	f.Add("", " ", 1)
	f.Fuzz(func(t *testing.T, a, b string, width int) {
		if width > 1000 {
			width %= 1000
		}
		checkParagraph(t, width, []Span{{plain.Line(a, 500), theme.Plain}, {plain.Line(b, 500), theme.Dim}})
	})
}
