package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"cupelscope/model/musttest"
)

// byFours counts a token for each four bytes begun, less one for each line: a count of
// parts that is not the sum of theirs.
func byFours(s string) Tokens {
	if s == "" {
		return 0
	}
	return max(1, Tokens((len(s)+3)/4-strings.Count(s, "\n")/2))
}

func TestCutKeepsWholeLinesOfBothEnds(t *testing.T) {
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("line %02d", i))
	}
	text := strings.Join(lines, "\n")
	whole := byFours(text)
	for _, c := range []struct {
		how        How
		n          Tokens
		head, tail string
	}{
		{HeadTail, 60, "line 00\nline 01\n", "line 98\nline 99"},
		{Head, 60, "line 00\nline 01\n", " tokens left out …"},
		{Tail, 60, "… ", "\nline 98\nline 99"},
	} {
		cut, ok := cut(text, c.how, c.n, whole, byFours)
		if !ok || byFours(cut) > c.n || byFours(cut) < c.n*2/3 {
			t.Errorf("%s: %v tokens of at most %v", c.how, byFours(cut), c.n)
		}
		if !strings.HasPrefix(cut, c.head) || !strings.HasSuffix(cut, c.tail) {
			t.Errorf("%s: %q", c.how, cut)
		}
		at := strings.Index(cut, "… ")
		var left Tokens
		musttest.Of(fmt.Sscanf(cut[at:], "… %d tokens left out …", &left))(t)
		line := leftOut(left)
		head, tail, _ := strings.Cut(cut, line)
		musttest.Is(t, left, whole-byFours(head)-byFours(strings.TrimPrefix(tail, "\n")), c.how, "says")
	}
}

func TestCutOfOneLongLineDividesNoCharacter(t *testing.T) {
	for name, unit := range map[string]string{
		"ASCII": "x", "two bytes": "é", "a mark": "e\u0301", "a family": "👩‍👩‍👧", "a flag": "🇩🇪",
		"a colour": "\x1b[31mr\x1b[0m", "a link": "\x1b]8;;http://a.example/b\x1b\\l\x1b]8;;\x1b\\",
	} {
		text := strings.Repeat(unit, 400)
		for _, how := range hows() {
			for n := Tokens(1); n < 120; n += 7 {
				cut, ok := cut(text, how, n, byFours(text), byFours)
				if !ok {
					if Tokens(len(unit)+3)/4 <= n && len(text)/4 > int(n) && !strings.Contains(unit, "\x1b") {
						t.Errorf("%s, %s to %v: nothing fits", name, how, n)
					}
					continue
				}
				if byFours(cut) > n {
					t.Errorf("%s, %s to %v: %v tokens", name, how, n, byFours(cut))
				}
				checkUnits(t, text, cut)
			}
		}
	}
}

// checkUnits fails if the parts of a cut end within a grapheme or an escape sequence of the
// text.
func checkUnits(t *testing.T, text, cut string) {
	t.Helper()
	if !utf8.ValidString(text) {
		return
	}
	if !utf8.ValidString(cut) {
		t.Fatalf("%q is no UTF-8", cut)
	}
	head := 0
	for head < len(cut) && head < len(text) && cut[head] == text[head] {
		head++
	}
	ends := map[int]bool{0: true, len(text): true}
	for at := 0; at < len(text); {
		if n := escapeLen(text[at:]); n > 0 {
			at += n
		} else {
			at += firstGrapheme(text[at:])
		}
		ends[at] = true
	}
	// The head is the longest common start, or that without what the line shares with it.
	for h := head; h >= 0; h-- {
		if ends[h] && (cut[h:] == "" || strings.HasPrefix(strings.TrimPrefix(cut[h:], "\n"), "… ") || strings.HasSuffix(text, cut[h:])) {
			return
		}
	}
	t.Fatalf("%q of %q ends within a character", cut, text)
}

func firstGrapheme(s string) int {
	c := graphemes.FromString(s)
	c.Next()
	return len(c.Value())
}

// escapeLen is the length of a colour or a link at the start of s.
func escapeLen(s string) int {
	if strings.HasPrefix(s, "\x1b[") {
		if end := strings.IndexByte(s, 'm'); end >= 0 {
			return end + 1
		}
	}
	if strings.HasPrefix(s, "\x1b]") {
		if end := strings.Index(s, "\x1b\\"); end >= 0 {
			return end + 2
		}
	}
	return 0
}

func FuzzCut(f *testing.F) {
	for _, s := range []string{"a\nb\nc", "one long line of words", "\x1b[31mred\x1b[0m\n", "e\u0301\r\n\r\n", "\x80\xff\n", strings.Repeat("x", 999), "\n\n\n\n\n\n\n\n\n"} {
		f.Add(s, 5, uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, n int, how uint8) {
		whole := byFours(text)
		if n < 1 || Tokens(n) >= whole {
			return
		}
		cut, ok := cut(text, hows()[how%3], Tokens(n), whole, byFours)
		if !ok {
			return
		}
		if got := byFours(cut); got < 1 || got > Tokens(n) {
			t.Errorf("%q to %d: %v tokens", text, n, got)
		}
		if utf8.ValidString(text) && !utf8.ValidString(cut) {
			t.Errorf("%q to %d: %q is no UTF-8", text, n, cut)
		}
	})
}

func TestShrinkRulesAsTyped(t *testing.T) {
	for text, want := range map[string]string{
		"tool=2000,500,note":          "ToolOutput=2000,500,note",
		"tool 2k 500 note":            "ToolOutput=2000,500,note",
		" ToolOutput = 2000 ":         "ToolOutput=2000",
		"diff-kind=32k,8k":            "diff-kind=32000,8000",
		"*=note":                      "*=note",
		"msg=9,8,7,6,5,4,3,tail,note": "Message=9,8,7,6,5,4,3,tail,note",
		"doc 100 head":                "Document=100,head",
		"doc 100 head-tail":           "Document=100",
		"tool off":                    "ToolOutput=",
	} {
		r, err := ParseShrinkRule(text)
		if err != nil || r.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, r, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                          "is not KIND=SIZE",
		"tool":                      "is not KIND=SIZE",
		"=5":                        "blank",
		"tool=":                     "names no size",
		"tool=0":                    "must be 1 to",
		"tool=500,2000":             "must fall",
		"tool=500,500":              "must fall",
		"tool=five":                 "neither a number",
		"tool=5,head,tail":          "named once",
		"tool=note,note":            "named once",
		"tool=9,8,7,6,5,4,3,2,note": "at most 8",
		"tool=2T":                   "neither a number",
	} {
		musttest.Says(t, musttest.Refusal(ParseShrinkRule(text)), want, text)
	}
	musttest.Says(t, musttest.Refusal(ParseShrink("tool=5", "ToolOutput=6")), "two rules", "two rules for a kind")
	musttest.Fails(t, musttest.Refusal(ParseShrink("tool=off")), "a flag takes a rule off")
}

func FuzzParseShrinkRule(f *testing.F) {
	f.Add("tool=2000,500,tail,note")
	f.Add("* 1 note")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseShrinkRule(text)
		if err != nil || len(r.To) == 0 && !r.Note {
			return
		}
		again, err := ParseShrinkRule(r.String())
		if strings.Contains(string(r.Kind), "=") || r.Kind != Kind(strings.TrimSpace(string(r.Kind))) {
			return
		}
		if err != nil || !(Shrink{Rules: []ShrinkRule{r}}).Equal(Shrink{Rules: []ShrinkRule{again}}) {
			t.Errorf("%q is %v, read again %v, %v", text, r, again, err)
		}
	})
}

func TestSizesOfASet(t *testing.T) {
	text := strings.Repeat("a line of words\n", 100)
	item := func(kind Kind, tokens Tokens, count Provenance) Item {
		return Item{Content: text, Kind: kind, Tokens: tokens, Count: count}
	}
	items := []Item{
		item(ToolOutput, 1301, FromFile), item(Document, 1301, FromFile), item(ToolOutput, 400, Exact),
		item(ToolOutput, 11, FromFile), item(ToolOutput, 9000, FromFile), item(ToolOutput, 70, FromFile),
	}
	items[4].Pinned = true
	set := musttest.Of(NewSet(items))(t)
	set = musttest.Of(set.WithSizes(map[int][]Size{5: {{Tokens: 90}, {Tokens: 60, Worth: Some(0.9)}, {Tokens: 60}, {Tokens: 5, Note: true}}}))(t)
	shrink := musttest.Of(ParseShrink("tool=2000,500,100,note", "*=1300"))(t)
	cut := musttest.Of(set.With(Edits{Shrink: shrink}))(t)
	tokens := func(s *Set, i int) (all []Tokens) {
		for _, size := range s.Sizes(i) {
			all = append(all, size.Tokens)
		}
		return all
	}
	for i, want := range [][]Tokens{{500, 100, 10}, {1300}, {100, 10}, {10}, nil, {60, 5}} {
		musttest.Is(t, tokens(cut, i), want, "item", i, "sizes")
	}
	shrink.Pinned = true
	pinned := musttest.Of(set.With(Edits{Shrink: shrink}))(t)
	if got := pinned.PinnedTokens(); got != 100 || pinned.PinnedSize(4) != 3 {
		t.Errorf("pinned items count as %v", got)
	}
	var counts []ItemSize
	for _, u := range cut.UncountedSizes() {
		counts = append(counts, cut.CountSize(u, Exact, byFours))
	}
	counted := cut.WithSizeCounts(counts)
	if n := len(counts); n != 2 || len(counted.UncountedSizes()) > 0 {
		t.Errorf("%d sizes to count, then %d", n, len(counted.UncountedSizes()))
	}
	for k, size := range counted.Sizes(2) {
		if text, ok := counted.SizeText(2, k+1, byFours); !ok || byFours(text) != size.Tokens || size.Count != Exact {
			t.Errorf("size %d says %v tokens (%s), its text has %v", k+1, size.Tokens, size.Count, byFours(text))
		}
	}
	musttest.Is(t, tokens(counted.Subset([]int32{0, 2}), 1), tokens(counted, 2), "picked")
	musttest.Is(t, tokens(counted.First(3), 2), tokens(counted, 2), "the first ones")
	if without, _ := counted.With(Edits{}); !slices.Equal(tokens(without, 5), []Tokens{60, 5}) || without.Sizes(0) != nil {
		t.Errorf("without rules: %v and %v", tokens(without, 5), tokens(without, 0))
	}
}

// Items for which a rule asks for the same sizes share them in memory, and each has its own all the same.
func TestSizesAreShared(t *testing.T) {
	items := make([]Item, 1000)
	for i := range items {
		items[i] = Item{Content: "a", Kind: [...]Kind{Message, ToolOutput}[i%2], Tokens: Tokens(1 + i*7%601)}
	}
	s := musttest.Of(NewSet(items))(t)
	s = musttest.Of(s.With(Edits{Shrink: musttest.Of(ParseShrink("*=400,100,note"))(t)}))(t)
	for i, item := range items {
		want := []Tokens{}
		for _, n := range []Tokens{400, 100, noteTokens} {
			if n < item.Tokens {
				want = append(want, n)
			}
		}
		got := []Tokens{}
		for _, size := range s.Sizes(i) {
			got = append(got, size.Tokens)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("an item of %v tokens has the sizes %v, want %v", item.Tokens, got, want)
		}
	}
	if len(s.sizes) > 2*(1+2+3) {
		t.Errorf("%d sizes are held, of which at most 12 differ", len(s.sizes))
	}
}

// The sizes of items of all provenances, counted or not, pinned or not, under any rules, are
// those that are asked for, one by one.
func TestSizesAreThoseThatAreAskedFor(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	cut, none := 0, 0
	for range 2000 {
		items, own := make([]Item, rng.IntN(12)), map[int][]Size{}
		for i := range items {
			items[i] = Item{Content: strings.Repeat("a word\n", 1+rng.IntN(60)), Kind: []Kind{Message, ToolOutput, Document}[rng.IntN(3)],
				Tokens: Tokens(rng.IntN(60) - 3), Count: []Provenance{FromFile, Exact, Estimated}[rng.IntN(3)], Pinned: rng.IntN(5) == 0}
			if rng.IntN(6) == 0 {
				own[i] = []Size{{Tokens: Tokens(20 + rng.IntN(20))}, {Tokens: Tokens(1 + rng.IntN(30))}, {Tokens: 4, Note: true}}
			}
		}
		s := musttest.Of(NewSet(items))(t)
		if rng.IntN(2) == 0 {
			s = musttest.Of(s.WithSizes(own))(t)
		}
		shrink := Shrink{Pinned: rng.IntN(3) == 0}
		for _, kind := range []Kind{AnyKind, ToolOutput, Document} {
			if n := Tokens(1 + rng.IntN(40)); rng.IntN(2) == 0 {
				shrink.Rules = append(shrink.Rules, ShrinkRule{Kind: kind, To: [][]Tokens{{n}, {50, n}, nil}[rng.IntN(3)], Note: true})
			}
		}
		s = musttest.Of(s.With(Edits{Shrink: shrink}))(t)
		if rng.IntN(2) == 0 {
			var counts []ItemSize
			for _, u := range s.UncountedSizes() {
				if rng.IntN(4) > 0 {
					counts = append(counts, s.CountSize(u, Exact, byFours))
				}
			}
			s = s.WithSizeCounts(counts)
		}
		committed := Tokens(0)
		for i := range items {
			var want []Size
			last := items[i].Tokens
			for _, size := range s.asked(nil, i, s.rules()) {
				if size = s.counted(i, size); 0 < size.Tokens && size.Tokens < last {
					want, last = append(want, size), size.Tokens
				}
			}
			if got := s.Sizes(i); !slices.Equal(got, want) || (got == nil) != (want == nil) {
				t.Fatalf("%+v of %+v under %+v has %+v, want %+v", items[i], s.own[i], shrink, got, want)
			}
			if cut += len(want); want != nil && !s.HasSizes() {
				t.Fatal("a set with sizes has none")
			}
			if items[i].Pinned && items[i].Tokens >= 0 {
				committed += s.minTokens(i)
			}
		}
		musttest.Is(t, s.PinnedTokens(), committed, "tokens of pinned items")
		if !s.HasSizes() {
			none++
		}
	}
	if cut == 0 || none == 0 {
		t.Errorf("%d sizes, %d sets without", cut, none)
	}
}
