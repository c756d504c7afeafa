package explorer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// This file reads wishes: what must hold at the budget, as people type it. "At most 30 % tool, at
// least one memory" is two, "keep #15 and no documents" are two others. How they are granted is in
// wishrows.go.

// wish is one thing that must hold: a bound on a kind, or items that must be in or out.
type wish struct {
	kind    model.Kind
	most    bool // at most n, else at least
	percent bool // n is percent of the room, else a number of items
	n       float64
	items   []int  // in place of a kind
	said    string // what the items are; "": their numbers
	out     bool   // the items must be out
}

// String says the wish in the same words however it was typed.
func (w wish) String() string {
	switch {
	case w.items != nil && w.out:
		return cmp.Or(w.said, namesOf(w.items)) + " out"
	case w.items != nil:
		return cmp.Or(w.said, namesOf(w.items)) + " in"
	case !w.percent && w.most && w.n == 0:
		return "no " + w.kind.Noun()
	}
	return w.spoken()
}

// spoken says a bound on a kind in words that settings reads.
func (w wish) spoken() string {
	bound := "at least "
	if w.most {
		bound = "at most "
	}
	if w.percent {
		return bound + strconv.FormatFloat(w.n, 'f', -1, 64) + " % " + w.kind.Noun()
	}
	return bound + plain.Count(int(w.n), w.kind.Noun()+" item")
}

// wishText says wishes that must hold together.
func wishText(wishes []wish) string { return strings.Join(plain.Texts(wishes, wish.String), " and ") }

// boundWords is what a phrase asks of a number.
type boundWords struct {
	most, more bool     // more: the number itself is not meant, as in "more than 2"
	named      bool     // the phrases are also words of the names of knobs
	phrases    []string // how it is said
}

var bounds = [...]boundWords{
	{most: true, phrases: []string{"no more than", "not more than", "at most", "up to", "limited to", "maximum", "<=", "≤"}},
	{phrases: []string{"no less than", "not less than", "no fewer than", "not fewer than", "at least", "minimum", ">=", "≥"}},
	{most: true, more: true, phrases: []string{"less than", "fewer than"}},
	{more: true, phrases: []string{"more than"}},
	{most: true, named: true, phrases: []string{"max", "limit", "cap", "only"}},
	{named: true, phrases: []string{"min", "require"}},
}

// boundAt returns the bound that words begin with, and of how many words it is; 0: they begin with none.
func boundAt(words []string) (boundWords, int) {
	for _, b := range bounds {
		for _, phrase := range b.phrases {
			if said := strings.Fields(phrase); len(said) <= len(words) && slices.EqualFunc(words[:len(said)], said, strings.EqualFold) {
				return b, len(said)
			}
		}
	}
	return boundWords{}, 0
}

// knob returns the word of the knob that sets the bound, for a share of the room or for a number
// of items.
func (b boundWords) knob(share bool) string {
	switch {
	case b.most && share:
		return "max"
	case b.most:
		return "cap"
	case share:
		return "min"
	}
	return "require"
}

// Words of a wish, and words between two wishes.
var (
	keepWords = []string{"keep", "pin", "bring", "get", "put", "include", "with", "have", "fit"}
	dropWords = []string{"drop", "exclude", "remove", "delete", "lose", "without", "no"}
	notWords  = []string{"never", "don't", "not"}
	fillWords = []string{"of", "the", "item", "items", "to", "set", "=", "for", "in", "room", "be", "i", "want", "must", "back", "again", "quota", "share"}
	ageWords  = []string{"last", "latest", "newest", "recent", "old", "older", "oldest", "first"} // of the end, then of the beginning; the first two of these are for half of all
	sizeWords = []string{"largest", "biggest", "longest", "smallest", "shortest"}                 // the last two are of the smallest
	joinWords = []string{"and", "&", "+", "then", "but", "plus"}
)

// clausesOf divides a line at commas and at joinWords.
func clausesOf(words []string) [][]string {
	all := [][]string{nil}
	for _, w := range words {
		bare := strings.TrimRight(w, ",;")
		if bare != "" && !slices.Contains(joinWords, strings.ToLower(bare)) {
			all[len(all)-1] = append(all[len(all)-1], bare)
			if bare == w {
				continue
			}
		}
		all = append(all, nil)
	}
	return slices.DeleteFunc(all, func(c []string) bool { return len(c) == 0 })
}

// joined returns clauses as one line again, with "and" between them.
func joined(clauses [][]string) (words []string) {
	for k, c := range clauses {
		if k > 0 {
			words = append(words, joinWords[0])
		}
		words = append(words, c...)
	}
	return words
}

// wishesOf reads a line as wishes about items. It returns nil if any of the line is something else.
func wishesOf(words []string, of *model.Set) []wish {
	var all []wish
	for _, clause := range clausesOf(words) {
		if lowest, highest, ok := shareRange(clause, of); ok {
			all = append(all, slices.DeleteFunc([]wish{highest, lowest}, func(w wish) bool { return !w.most && w.n == 0 })...)
			continue
		}
		w, ok := wishOf(clause, of)
		if last := len(all) - 1; !ok && last >= 0 && all[last].items != nil { // "keep #15 and #16"
			verb := "keep"
			if all[last].out {
				verb = "drop"
			}
			if w, ok = wishOf(append([]string{verb}, clause...), of); ok {
				all[last].items, all[last].said = append(all[last].items, w.items...), ""
				continue
			}
		}
		if !ok {
			return nil
		}
		all = append(all, w)
	}
	return all
}

// shareRange reads "tool 10-30", the least and the largest share of a kind in percent; false: it is none.
func shareRange(words []string, of *model.Set) (lowest, highest wish, ok bool) {
	for i, word := range words {
		from, to, ranges := strings.Cut(strings.TrimSuffix(word, "%"), "-")
		if from = strings.TrimSuffix(from, "%"); !ranges || from == "" || to == "" {
			continue
		}
		bound := func(said, share string) (wish, bool) {
			return wishOf(slices.Concat(words[:i], strings.Fields(said), []string{share + "%"}, words[i+1:]), of)
		}
		lowest, is := bound("at least", from)
		highest, are := bound("at most", to)
		return lowest, highest, is && are && lowest.n <= highest.n && strings.Trim(from+to, "0123456789.") == ""
	}
	return lowest, highest, false
}

// wishOf reads one wish; false: the words are none.
func wishOf(words []string, of *model.Set) (wish, bool) {
	var c clause
	for len(words) > 0 {
		n := c.take(words, of)
		if n == 0 {
			return wish{}, false
		}
		words = words[n:]
	}
	return c.whole(of)
}

// clause is a wish that is being read, and what was said of it so far.
type clause struct {
	wish
	bounded, more     bool   // as in boundWords
	number, all       bool   // n, or "all"
	keeping, dropping bool   // a word of keepWords, of dropWords
	not               bool   // a word of notWords: the other of the two is meant
	age               string // a word of ageWords
	many              bool   // the kind was said in the plural
	any               bool   // "item" was said, which may be of any kind
}

// take reads what words begin with, and returns how many words that is; 0: it is no part of the wish.
func (c *clause) take(words []string, of *model.Set) int {
	if b, n := boundAt(words); n > 0 {
		c.bounded, c.most, c.more = true, b.most, b.more
		return n
	}
	if kind, n := kindAt(words, of.Kinds()); n > 0 {
		if c.kind != "" {
			return 0
		}
		c.kind, c.many = kind, strings.HasSuffix(strings.ToLower(words[n-1]), "s")
		return n
	}
	word := strings.ToLower(words[0])
	switch {
	case c.takeItem(word, of):
	case slices.Contains(keepWords, word):
		c.keeping = true
	case slices.Contains(dropWords, word):
		c.dropping = true
	case slices.Contains(notWords, word):
		c.not = true
	case slices.Contains(ageWords, word), slices.Contains(sizeWords, word):
		c.age = cmp.Or(c.age, word) // "newest first"
	case word == "all", word == "every":
		c.all = true
	case !c.takeNumber(word) && !slices.Contains(fillWords, word):
		return 0
	}
	c.any = c.any || word == "item" || word == "items"
	c.many = c.many || word == "items"
	return 1
}

// takeItem reads "#15".
func (c *clause) takeItem(word string, of *model.Set) bool {
	number, is := strings.CutPrefix(word, "#")
	i, err := strconv.Atoi(number)
	if !is || err != nil || i < 0 || i >= of.Len() {
		return false
	}
	c.items = append(c.items, i)
	return true
}

// takeNumber reads a number of items, also in words, or of percent, and the percent behind it.
func (c *clause) takeNumber(word string) bool {
	bare := strings.TrimSuffix(strings.TrimSuffix(word, "percent"), "%")
	if bare == "" {
		c.percent = true
		return true
	}
	share := bare != word
	bare = strings.ReplaceAll(bare, ",", "") // "1,000"
	n, err := strconv.ParseFloat(bare, 64)
	switch spelled := slices.Index(numbers[:], word); {
	case c.number:
		return false
	case spelled >= 0:
		n = float64(spelled + 1)
	case word == "a", word == "an":
		n = 1
	case strings.Trim(bare, "0123456789.") != "" || err != nil:
		return false
	}
	c.n, c.number, c.percent = n, true, c.percent || share
	return true
}

// whole returns the wish with what goes without saying; false: what was said is none.
func (c clause) whole(of *model.Set) (wish, bool) {
	if c.not {
		c.keeping, c.dropping = c.dropping, c.keeping
	}
	if c.age != "" && !c.ofAge(of) {
		return c.wish, false
	}
	switch {
	case c.items != nil:
		c.out = c.dropping
		return c.wish, c.keeping != c.dropping && c.kind == "" && !c.number && !c.bounded
	case c.kind == "", c.keeping && c.dropping, (c.dropping || c.all) && (c.number || c.bounded || c.percent):
		return c.wish, false
	case c.dropping:
		c.most, c.number = true, true
	case c.all, c.keeping && !c.number && !c.bounded: // "keep the system prompt"
		c.n, c.number = float64(len(ofKind(of, c.kind))), true
	case !c.keeping && !c.bounded:
		c.most = c.percent // "30 % tool" limits it, "one memory" asks for one
	}
	switch {
	case !c.more || c.percent:
	case c.most:
		c.n--
	default:
		c.n++
	}
	inRange := c.n <= maxWished && c.n == float64(int(c.n))
	if c.percent {
		inRange = c.n <= 100
	}
	return c.wish, c.number && c.n >= 0 && inRange
}

// ofAge reads "the last 3 messages", "the oldest message" and "old tool output", which is the older
// half, as a wish for these items; false: it is none. The plural without a number, as in "the
// newest messages", is for five.
func (c *clause) ofAge(of *model.Set) bool {
	all, n, age, size := ofKind(of, c.kind), 1, slices.Index(ageWords, c.age), slices.Index(sizeWords, c.age)
	if c.kind == "" && (c.any || c.number) {
		all = itemsThat(of, func(int) bool { return true })
	}
	if size >= 0 { // the smallest first
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(of.Tokens(a), of.Tokens(b)) })
		age = 4 * (size / 3)
	}
	switch {
	case c.number:
		n = int(c.n)
	case size < 0 && (age == 4 || age == 5):
		n = len(all) / 2
	case c.many, age == 3:
		n = min(5, len(all))
	}
	if n < 1 || n > len(all) || c.number && c.n != float64(n) || c.bounded || c.percent || c.items != nil {
		return false
	}
	c.items, c.said = all[:n], "the first "
	if age < 4 {
		c.items, c.said = all[len(all)-n:], "the last "
	}
	c.said += plain.Count(n, strings.TrimSpace(c.kind.Noun()+" item"))
	if size >= 0 {
		slices.Sort(c.items)
		c.said = ""
	}
	c.kind, c.number = "", false
	return true
}

// maxWished is more items than any set has.
const maxWished = 1 << 23

// itemsThat returns the items of a set for which is returns true.
func itemsThat(of *model.Set, is func(item int) bool) (all []int) {
	for i := range of.Len() {
		if is(i) {
			all = append(all, i)
		}
	}
	return all
}

// ofKind returns the items of a kind.
func ofKind(of *model.Set, kind model.Kind) []int {
	id := kindID(of, kind)
	return itemsThat(of, func(i int) bool { return of.KindID(i) == id })
}

// pinnedOf returns the items of a kind that are pinned.
func pinnedOf(of *model.Set, kind model.Kind) []int {
	return slices.DeleteFunc(ofKind(of, kind), func(i int) bool { return !of.Pinned(i) })
}

// kindID returns the number that a set has for a kind, -1 if it has none.
func kindID(of *model.Set, kind model.Kind) int { return slices.IndexFunc(of.Kinds(), kind.Is) }
