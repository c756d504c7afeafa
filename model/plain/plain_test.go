package plain

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"cupelscope/model/musttest"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"ascii is kept", "a b~", "a b~"},
		{"newlines of all sorts", "a\r\nb\rc\nd\u2028e\u2029f\u0085g", "a\nb\nc\nd\ne\nf\ng"},
		{"tabs reach the next stop", "a\tb\n\tc\nabcd\te", "a   b\n    c\nabcd    e"},
		{"a tab after a wide character", "漢\tx", "漢  x"},
		{"colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"colour, 8-bit introducer", "\u009b31mred", "red"},
		{"title closed by BEL", "\x1b]0;title\x07x", "x"},
		{"link closed by ST", "\x1b]8;;http://e\x1b\\link\x1b]8;;\x1b\\", "link"},
		{"8-bit OSC and ST", "\u009d0;t\u009cx", "x"},
		{"DCS, APC, PM, SOS", "\x1bPq\x1b\\a\x1b_b\x1b\\c\x1b^d\x1b\\e\x1bXf\x1b\\g", "aceg"},
		{"8-bit DCS", "\u0090q\u009cx", "x"},
		{"an unclosed title hides nothing", "\x1b]0;all of it", "0;all of it"},
		{"a title ends with its line", "\x1b]0;all\nof it\x07", "0;all\nof it"},
		{"two-byte escapes", "\x1bcA\x1b(BC\x1b7D", "ACD"},
		{"an escape at the end", "a\x1b", "a"},
		{"a broken control sequence ends where it breaks", "\x1b[12\x01x", "x"},
		{"controls", "a\x00\x07\x08\x7fb\u0080c", "abc"},
		{"bytes that are no UTF-8", "a\xff\x9bb", "a\uFFFD\uFFFDb"},
		{"bidi controls", "a\u202eb\u2066c\u2069\u200f\u061cd", "abcd"},
		{"zero width", "a\u200bb\u200dc\ufeffd\u2060e\u00adf", "abcdef"},
		{"tag characters", "a\U000E0041\U000E007Fb", "ab"},
		{"emoji with variation selectors", "\u2764\ufe0fx\u2764\ufe0ey", "\u2764x\u2764y"},
		{"a family comes apart", "👨\u200d👩\u200d👧", "👨👩👧"},
		{"skin tone", "👍🏽", "👍"},
		{"a flag is two letters", "🇩🇪", "DE"},
		{"a keycap", "1\ufe0f\u20e3", "1"},
		{"marks are limited", "e\u0301\u0302\u0303\u0304", "e\u0301\u0302"},
		{"a mark on nothing", "\u0301a\n\u0301b \u0301", "a\nb "},
		{"a mark over an escape", "e\x1b[0m\u0301", "e\u0301"},
		{"jamo compose", "\u1112\u1161\u11ab", "한"},
		{"a final closes a syllable", "하\u11ab", "한"},
		{"a jamo alone", "\u1112x\u1161", "\uFFFDx\uFFFD"},
		{"a conjunct comes apart", "क\u094dष", "कष"},
		{"Thai with tone and vowel", "น้ำ", "น\u0e49\u0e4d\u0e32"},
		{"private use, not assigned, noncharacter", "\ue000\U0003fffd\uffff", "\uFFFD\uFFFD\uFFFD"},
		{"hangul filler", "a\u3164b", "ab"},
		{"no-break space", "a\u00a0b", "a b"},
		{"right-to-left text is text", "שלום", "שלום"},
	} {
		t.Run(c.name, func(t *testing.T) {
			musttest.Is(t, Text(c.in), c.want, "Text", c.in)
			check(t, c.in)
		})
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"fits", "abc", 3, "abc"},
		{"cut", "abcd", 3, "ab…"},
		{"no room", "abc", 0, ""},
		{"less than no room", "abc", -1, ""},
		{"one cell", "abc", 1, "…"},
		{"breaks and tabs", "a\r\nb\tc", 9, "a b c"},
		{"wide fits", "漢字", 4, "漢字"},
		{"wide is not halved", "漢字", 3, "漢…"},
		{"wide beside the ellipsis", "a漢字", 3, "a…"},
		{"cut in ASCII after wide", "漢abc", 4, "漢a…"},
		{"the end is exact", "ab漢", 4, "ab漢"},
		{"what is dropped needs no room", "ab\x1b[0m", 2, "ab"},
	} {
		musttest.Is(t, Line(c.in, c.limit), c.want, c.name, "Line", c.in, c.limit)
	}
	musttest.Is(t, Line(strings.Repeat("\u200b", 1<<22)+"x", 5), "…", "a content of invisible characters")
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, in     string
		width, lines int
		want         []string
	}{
		{"words", "the quick brown fox", 10, 9, []string{"the quick", "brown fox"}},
		{"exact", "abc def", 3, 9, []string{"abc", "def"}},
		{"a long word breaks", "abcdefgh", 3, 9, []string{"abc", "def", "gh"}},
		{"a long word after a short one", "a bcdefgh", 4, 9, []string{"a", "bcde", "fgh"}},
		{"spaces at the break vanish", "ab    cd", 3, 9, []string{"ab", "cd"}},
		{"indentation stays", "  ab\n    c", 8, 9, []string{"  ab", "    c"}},
		{"indentation before a long word", "  abcdef", 4, 9, []string{"  ab", "cdef"}},
		{"a number and its percent", "it has 30 % of it", 9, 9, []string{"it has", "30 % of", "it"}},
		{"percent right behind the edge", "it has 30 % of it", 10, 9, []string{"it has", "30 % of it"}},
		{"a number and its tokens", "all 2,400 tokens", 12, 9, []string{"all", "2,400 tokens"}},
		{"too long for a line together", "a 2,400 tokens", 8, 9, []string{"a", "2,400", "tokens"}},
		{"no other place to break", "2,400 tokens", 8, 9, []string{"2,400", "tokens"}},
		{"a number at the end", "the others lose 0.51", 16, 9, []string{"the others", "lose 0.51"}},
		{"percent of no number", "the share % is", 10, 9, []string{"the share", "% is"}},
		{"empty lines", "a\n\nb\n", 4, 9, []string{"a", "", "b"}},
		{"only so many", "a\nb\nc", 4, 2, []string{"a", "b"}},
		{"wide", "漢字仮名", 5, 9, []string{"漢字", "仮名"}},
		{"too wide", "漢x", 1, 9, []string{"·", "x"}},
		{"nothing", "", 4, 9, nil},
		{"no room", "a", 0, 9, nil},
		{"no lines", "a", 4, 0, nil},
	} {
		got := Wrap(c.in, c.width, c.lines)
		if strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) {
			t.Errorf("%s: Wrap(%q, %d, %d) = %q, want %q", c.name, c.in, c.width, c.lines, got, c.want)
		}
	}
}

// check holds everything that the package promises about s.
func check(t *testing.T, s string) {
	t.Helper()
	out := Text(s)
	if again := Text(out); again != out {
		t.Fatalf("Text(%q) = %q, again %q", s, out, again)
	}
	for _, line := range strings.Split(out, "\n") {
		clean(t, s, line)
		if w := Width(line); w != displaywidth.String(line) {
			t.Fatalf("Width(%q) = %d, displaywidth %d", line, w, displaywidth.String(line))
		}
	}
	full := Width(s)
	for _, n := range []int{0, 1, 2, 3, 7, full - 1, full, full + 1} {
		line := Line(s, n)
		clean(t, s, line)
		if w := displaywidth.String(line); w > max(n, 0) {
			t.Fatalf("Line(%q, %d) = %q is %d wide", s, n, line, w)
		}
		if again := Line(line, n); again != line {
			t.Fatalf("Line(%q, %d) = %q, again %q", s, n, line, again)
		}
		if n >= full && displaywidth.String(line) != full && len(s) < slackBytes {
			t.Fatalf("Line(%q, %d) = %q is not %d wide", s, n, line, full)
		}
	}
	for _, n := range []int{1, 2, 5, 20} {
		lines := Wrap(s, n, 6)
		if len(lines) > 6 {
			t.Fatalf("Wrap(%q, %d, 6) has %d lines", s, n, len(lines))
		}
		for _, line := range lines {
			clean(t, s, line)
			if w := displaywidth.String(line); w > n {
				t.Fatalf("Wrap(%q, %d): %q is %d wide", s, n, line, w)
			}
		}
	}
}

// clean fails if line holds anything that may not reach a terminal, or if two
// ways to measure it disagree.
func clean(t *testing.T, s, line string) {
	t.Helper()
	if !utf8.ValidString(line) {
		t.Fatalf("%q from %q is no UTF-8", line, s)
	}
	sum, marks, first := 0, 0, true
	for _, r := range line {
		if !unicode.IsGraphic(r) || unicode.In(r, unicode.C, unicode.Bidi_Control, unicode.Join_Control, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Zl, unicode.Zp, unicode.Mc, unicode.Me) || unicode.Is(unicode.Regional_Indicator, r) {
			t.Fatalf("%q from %q holds %U", line, s, r)
		}
		w := displaywidth.Rune(r)
		sum += w
		if w == 0 {
			marks++
		} else {
			marks = 0
		}
		if marks > maxMarks || first && w == 0 {
			t.Fatalf("%q from %q: marks at %U", line, s, r)
		}
		first = false
	}
	if a, b, c := displaywidth.String(line), ansi.StringWidth(line), ansi.StringWidthWc(line); a != sum || b != sum || c != sum {
		t.Fatalf("%q from %q: runes add up to %d, displaywidth %d, ansi %d, wcwidth %d", line, s, sum, a, b, c)
	}
}

// Every character on its own, after a letter, before a letter and between
// syllables, so that no cluster rule is overlooked.
func TestEveryCharacter(t *testing.T) {
	musttest.Alone(t)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if 0x20000 <= r && (r < 0xE0000 || r >= 0xF0000) && r%251 != 0 { // one letter like the other, or not assigned
			continue
		}
		in := "a" + string(r) + "क" + string(r) + "\u094dत" + string(r) + "한" + string(r) + string(r) + "❤"
		line := Line(in, 1000)
		clean(t, in, line)
		if again := Line(line, 1000); again != line {
			t.Fatalf("%U: %q, again %q", r, line, again)
		}
	}
}

func TestRandomMixtures(t *testing.T) {
	parts := []string{"a", " ", "\t", "\n", "\r", "\x1b", "[", "]", "0;", "m", "\x07", "\\", "\u009b", "\u009c", "\u0301", "\u0302", "\u200d",
		"\ufe0f", "漢", "👍", "🏽", "🇩", "🇪", "\u1112", "\u1161", "\u11ab", "하", "क", "\u094d", "ष", "\u093f", "ำ", "น", "\xff", "\xe2\x80",
		"\U000E0041", "\u200b", "\u0d4e", "\uff9e", "ｶ", "é", "…", "\u2028", "word"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		var b strings.Builder
		for range 1 + rng.IntN(14) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		check(t, b.String())
	}
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"", "abc\tdef\r\n", "\x1b[31m漢\u0301字\u009b0m", "क\u094dष", "🇩🇪👍🏽", "\xff\xfe", "\u1112\u1161\u11ab"} {
		f.Add(s)
	}
	f.Fuzz(check)
}

// The tail of a text is the end of what Line shows of all of it.
func TestTailIsTheEndOfTheLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	parts := []string{"a", "/", "世", "e\u0301", "\t", "\n", "\x1b[1m", "\u202e", "👍🏽", "\xff", " ", "각"}
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(30) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		limit := 1 + rng.IntN(20)
		whole := Line(b.String(), b.Len())
		got := Tail(b.String(), limit)
		if Width(whole) <= limit {
			if got != whole {
				t.Fatalf("%q in %d cells: %q, want %q", b.String(), limit, got, whole)
			}
			continue
		}
		rest, cut := strings.CutPrefix(got, ellipsis)
		before, is := strings.CutSuffix(whole, rest)
		if !cut || !is || Width(got) > limit {
			t.Fatalf("%q in %d cells: %q, which is not the end of %q", b.String(), limit, got, whole)
		}
		if before != "" { // no cluster more has room
			sc, last := scanner{s: before}, 0
			for sc.next() {
				last = sc.width
			}
			if Width(got)+last <= limit {
				t.Fatalf("%q in %d cells: %q, though %q has room", b.String(), limit, got, before)
			}
		}
	}
}

func TestTail(t *testing.T) {
	for _, c := range []struct {
		s     string
		limit int
		want  string
	}{
		{"runs/a.jsonl", 40, "runs/a.jsonl"},
		{"runs/a.jsonl", 8, "…a.jsonl"},
		{"世界/a", 5, "…界/a"},
		{"世界/a", 4, "…/a"},
		{"abe\u0301c", 2, "…c"},
		{"abe\u0301c", 3, "…e\u0301c"},
		{"\x1b[2J\u202eabc", 2, "…c"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
		{"", 5, ""},
		{strings.Repeat("folder/", 1000) + "a.jsonl", 8, "…a.jsonl"}, // above 4,096 cells
		{strings.Repeat("世", 1<<20) + "/a.jsonl", 9, "…/a.jsonl"},
		{strings.Repeat("e\u0301", 1<<20), 3, "…e\u0301e\u0301"},
		{strings.Repeat("\x1b[2J", 1<<20) + "abc", 3, "…bc"},
		{strings.Repeat("x", 1<<20), math.MaxInt, strings.Repeat("x", 1<<20)},
	} {
		if got := Tail(c.s, c.limit); got != c.want || Width(got) > c.limit {
			t.Errorf("the last %d cells of %q: %q, want %q", c.limit, c.s, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000", 123456: "123,456", 1234567: "1,234,567",
		math.MaxInt64: "9,223,372,036,854,775,807", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		musttest.Is(t, Thousands(n), want, "Thousands", n)
	}
	for n, want := range map[int]string{0: "0 items", 1: "1 item", 2: "2 items", 2000: "2,000 items", -1: "-1 items"} {
		musttest.Is(t, Count(n, "item"), want, "Count", n)
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{
		0: "0 %", 0.0004: "<0.1 %", 0.0005: "0.1 %", 0.051: "5.1 %", 0.05: "5.0 %", 0.0994: "9.9 %", 0.0996: "10 %", 0.456: "46 %", 0.525: "53 %", 0.99: "99 %", 0.994: "99.4 %", 0.99999: "99.9 %", 1: "100 %", 1.3: "130 %",
	} {
		musttest.Is(t, Percent(share), want, "Percent", share)
	}
	musttest.Is(t, Percent(math.NaN()), "-", "of no number")
}

func TestCompared(t *testing.T) {
	for ratio, want := range map[float64]string{1: "as much as A", 1.0004: "<0.1 % more than A", .956: "4.4 % less than A", 1.125: "13 % more than A", 12.5: "1,150 % more than A", 0: "100 % less than A"} {
		musttest.Is(t, Compared(ratio, "A"), want, "Compared", ratio)
	}
	musttest.Is(t, Compared(1, "")+", "+Compared(.5, ""), "as much, 50 % less", "compared with what the words around it name")
}

func TestSizesAndAges(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1 kB", 49_600: "50 kB", 999_499: "999 kB", 999_500: "1.0 MB", 1_234_567: "1.2 MB", 9_949_999: "9.9 MB", 9_950_000: "10 MB", 1_500_000_000: "1,500 MB"} {
		musttest.Is(t, Bytes(n), want, n, "bytes")
	}
	for d, want := range map[time.Duration]string{-time.Hour: "0 min", 59 * time.Second: "0 min", time.Hour - 1: "59 min", time.Hour: "1 h", 24*time.Hour - 1: "23 h", 24 * time.Hour: "1 d", 24000 * time.Hour: "1,000 d"} {
		musttest.Is(t, Age(d), want, d)
	}
}

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
	musttest.Is(t, len(Nearest("turn", known, 9)), 4)
}
