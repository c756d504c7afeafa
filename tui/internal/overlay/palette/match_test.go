package palette

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/plain"
	"cupelscope/model/randomtest"
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
	searched := index{lines: []entry{
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
	}}
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
			if got, _ := searched.matching(wordsOf(c.typed), false); !slices.Equal(got, c.want) {
				t.Errorf("%q finds %v, want %v", c.typed, got, c.want)
			}
		})
	}
}

// plainMatching is index.matching without what was found before, and without a rating for a line.
func plainMatching(words []string, lines []entry, sure bool) (found []int, matched int) {
	score, behind, best := make([]int, len(lines)), make([]int, len(lines)), 0
	for i, line := range lines {
		all, clear, certain := 0, 0, true
		for k, w := range words {
			shown := plainMatch(w, line.shown)
			if line.idle && (shown < whole || words[0] != line.first) {
				behind[i] = 1
			}
			s := max(shown, plainMatch(w, line.all[len(line.shown):]))
			if s != noMatch {
				all++
				score[i] += s + max(s-1, shown)
			}
			if s >= begins && len(w) >= minFuzzy {
				clear++
			} else if s < begins || s < whole && k < len(words)-1 {
				certain = false
			}
		}
		if all == len(words) && all > 1 && (inRow(line.all, words) || inRow(telling(line.short), telling(words))) {
			score[i] += 2 * whole * len(words)
		}
		if line.explains {
			behind[i] = 2
		}
		score[i] *= 2
		if line.idle {
			score[i]--
		}
		n := clear
		if all == len(words) && (certain || !sure) {
			n = all
		}
		if n > best {
			found, best = found[:0], n
		}
		if n == best && 2*n >= len(words) {
			found = append(found, i)
		}
	}
	knob := func(i int) int { return plainMatch(words[0], lines[i].knob) / begins }
	short := func(i int) int { return plainMatch(words[0], lines[i].short) / whole }
	slices.SortStableFunc(found, func(a, b int) int {
		return cmp.Or(behind[a]-behind[b], cmp.Compare(score[b], score[a]), knob(b)-knob(a), short(b)-short(a))
	})
	return found, best
}

// plainMatch is Match, a comparison after the other.
func plainMatch(word string, line []string) int {
	best := noMatch
	for _, w := range line {
		switch {
		case w == word:
			best = whole
		case strings.HasPrefix(w, word):
			best = max(best, begins)
		case strings.Contains(w, word):
			best = max(best, within)
		}
	}
	one := strings.TrimSuffix(word, "s")
	switch {
	case best > noMatch, len(word) < minFuzzy:
		return best
	case one != word && one[len(one)-1] != 's' && len(one) >= minFuzzy:
		return plainMatch(one, line)
	case slices.ContainsFunc(line, func(w string) bool { return abbreviates(word, w) }):
		return inOrder
	}
	return noMatch
}

// While a line is typed and taken back letter by letter, as many lines are found in the same order as by
// comparing each word with every line anew.
func TestMatchingIsPlainMatching(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("to tool s es ss re serve max % 12 bud get in #3 grdy e a é set policy")
	text := func(most int) string {
		var b strings.Builder
		for range rng.IntN(most + 1) {
			b.WriteString(syllables[rng.IntN(len(syllables))] + randomtest.Pick(rng, "", "", " ", " ", ": ", "; "))
		}
		return b.String()
	}
	several := 0
	for range randomtest.Rounds(200, 20_000) {
		var searched index
		for range 1 + rng.IntN(12) {
			c := Command{Group: randomtest.Pick(rng, "knob", legendGroup), Text: randomtest.Pick(rng, "", "set ") + text(6), Keys: text(1), Words: text(4), Why: randomtest.Pick(rng, "", "", "no")}
			e := entryOf(c)
			if own := wordsOf(strings.Join([]string{c.Group, c.Text, c.Keys}, " ")); !slices.Equal(e.shown, own) || !slices.Equal(e.all, wordsOf(strings.Join(own, " ")+" "+c.Words)) {
				t.Fatalf("the words of %+v are %q and %q", c, e.shown, e.all)
			}
			searched.lines = append(searched.lines, e)
		}
		line := text(8)
		for n := range 2 * len(line) {
			words := wordsOf(line[:min(n, 2*len(line)-n)])
			if len(words) == 0 {
				continue
			}
			for _, sure := range [...]bool{false, true} {
				got, matched := searched.matching(words, sure)
				want, most := plainMatching(words, searched.lines, sure)
				if matched != most || !slices.Equal(got, want) {
					t.Fatalf("%q finds %v with %d words, want %v with %d, in %+v", words, got, matched, want, most, searched.lines)
				}
				several += min(1, len(got)/2)
			}
		}
	}
	if several < 1000 {
		t.Errorf("only %d lines found several", several)
	}
}
