package model

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"

	"cupelscope/model/plain"
	"cupelscope/model/relay"
)

// Size is a shorter form of an item. It is not Cupel's. An item in a Set has its
// sizes in falling tokens, all below the tokens of the whole, the note last.
type Size struct {
	Tokens  Tokens // 1 to MaxTokens
	Count   Provenance
	Worth   Option[float64] // share of the item's score, 0 to 1; not set: the share of its tokens. A note is worth 0
	Note    bool            // a line that stands in place of an item that is out
	Label   string          // what the source calls it
	Content string          // the text where the source gives it
	How     How             // the cut that a rule makes; "" where the source gives the size
	To      Tokens          // what the rule asks for; Tokens is what the cut comes to, at most that
}

// Share returns what share of the score of an item of whole tokens the size is worth.
func (z Size) Share(whole Tokens) float64 {
	switch {
	case z.Note:
		return 0
	case z.Worth.Set:
		return z.Worth.Value
	}
	return float64(z.Tokens) / float64(whole)
}

// noteTokens is what a note counts as until it is counted, and where the source counts.
const noteTokens Tokens = 10

// validateSizes reports the first thing that is wrong with the sizes that the source of an
// item gives.
func validateSizes(index int, sizes []Size) error {
	fail := func(k int, format string, args ...any) error {
		return &ItemError{Index: index, Field: fmt.Sprintf("sizes[%d]", k), Reason: fmt.Sprintf(format, args...)}
	}
	if len(sizes) > MaxSizes {
		return fail(MaxSizes, "is one too many: at most %d are allowed", MaxSizes)
	}
	for k, size := range sizes {
		switch {
		case size.Tokens < 1 || size.Tokens > MaxTokens:
			return fail(k, "has %v tokens, must have 1 to %v", size.Tokens, MaxTokens)
		case !(size.Worth.Value >= 0 && size.Worth.Value <= 1):
			return fail(k, "is worth %v, must be 0 to 1", size.Worth.Value)
		case size.Note && size.Worth.Value != 0:
			return fail(k, "is a note and worth %v, must be 0", size.Worth.Value)
		case k > 0 && sizes[k-1].Note:
			return fail(k, "follows the note, which must be the last")
		}
	}
	return nil
}

type sizing struct {
	spans []span // by item: its part of sizes, which others may have too; nil: there are none
	sizes []Size
	known map[sizeKey]sizeCount // the counts of cuts and notes, as far as they are counted
	own   map[int][]Size        // by item: the sizes that its source gives
}

type span struct{ from, to int32 }

// sizeKey is a cut or a note of an item as it was loaded.
type sizeKey struct {
	item int32
	note bool
	how  How
	to   Tokens
	// whole is the tokens of the whole, which the line about what is left out names.
	whole Tokens
}

func keyOf(i int, whole Tokens, size Size) sizeKey {
	return sizeKey{int32(i), size.Note, size.How, size.To, whole}
}

type sizeCount struct {
	tokens Tokens // 0: not even a character fits
	count  Provenance
}

// WithSizes returns the set with the shorter forms that a source gives for its items, by index.
// They replace the forms that the set had. An item has at most MaxSizes, in falling tokens, a
// note last. The error is an *ItemError.
func (s *Set) WithSizes(own map[int][]Size) (*Set, error) {
	next := *s
	next.own = make(map[int][]Size, len(own))
	for _, i := range slices.Sorted(maps.Keys(own)) {
		if !s.has(i) {
			return nil, &ItemError{Index: i, Field: "sizes", Reason: plain.ThereAre(len(s.items))}
		}
		if err := validateSizes(i, own[i]); err != nil {
			return nil, err
		}
		sizes := slices.Clone(own[i])
		for k := range sizes {
			sizes[k].Content, sizes[k].Label = validString(sizes[k].Content), validString(sizes[k].Label)
		}
		next.own[i] = sizes
	}
	next.size()
	next.sum()
	return &next, nil
}

// HasSizes reports whether any item has a size beside the whole.
func (s *Set) HasSizes() bool { return s.spans != nil }

// Sizes returns the sizes of item i beside the whole, nil if it has none. Pinned items
// have none, unless Shrink.Pinned says so. Read only.
func (s *Set) Sizes(i int) []Size {
	if s.spans == nil || s.spans[i] == (span{}) {
		return nil
	}
	of := s.spans[i]
	return s.sizes[of.from:of.to:of.to]
}

// SizeTokens returns the tokens of item i in a size, 0 for the whole.
func (s *Set) SizeTokens(i, size int) Tokens {
	if size == 0 {
		return s.tokens[i]
	}
	return s.Sizes(i)[size-1].Tokens
}

// minTokens returns the tokens of the smallest size of item i that is no note.
func (s *Set) minTokens(i int) Tokens { return s.SizeTokens(i, s.PinnedSize(i)) }

// PinnedSize returns the size in which item i is in while it is pinned: the smallest that
// is no note, else 0, the whole.
func (s *Set) PinnedSize(i int) int {
	n := len(s.Sizes(i))
	if n > 0 && s.Sizes(i)[n-1].Note {
		n--
	}
	return n
}

// size fills the sizes: those of the source, or else those that the rules ask for. It leaves
// out a size that is not smaller than the next larger one. Most items share their sizes with
// other items: a million items with sizes of their own would take 250 MB at every edit.
func (s *Set) size() {
	s.spans, s.sizes = nil, nil
	if len(s.own) == 0 && len(s.edits.Shrink.Rules) == 0 {
		return
	}
	spans, rules := make([]span, len(s.items)), s.rules()
	lists := s.lists(rules)
	var some atomic.Bool
	relay.SpreadEven(len(spans), func(from, to int) {
		any := false
		for i := from; i < to; i++ {
			if s.pinned[i] && !s.edits.Shrink.Pinned || s.alone(i) {
				continue
			}
			list := lists[s.kindOf[i]].given
			if s.byRule(i) {
				list = lists[s.kindOf[i]].estimated
			}
			for list.from < list.to && s.sizes[list.from].Tokens >= s.tokens[i] {
				list.from++
			}
			if list.from < list.to {
				spans[i], any = list, true
			}
		}
		if any {
			some.Store(true)
		}
	})
	if len(s.own)+len(s.known) > 0 && s.sizeAlone(spans, rules) || some.Load() {
		s.spans = spans
	}
}

// sizeList is where the sizes are that a rule asks for of a large item, of which a smaller one has the last
// ones: where the source counts, and where the cuts are not counted yet.
type sizeList struct{ given, estimated span }

// lists appends the lists of all rules to the sizes, and returns them by kind.
func (s *Set) lists(rules []*ShrinkRule) []sizeList {
	made := map[*ShrinkRule]sizeList{}
	lists := make([]sizeList, len(rules))
	for kind, rule := range rules {
		all, is := made[rule]
		if sizes := fitting(rule.asks(nil, MaxTokens+1), MaxTokens+1); !is {
			all.given = s.addSizes(sizes)
			for k := range sizes {
				sizes[k].Count = Estimated
			}
			all.estimated = s.addSizes(sizes)
			made[rule] = all
		}
		lists[kind] = all
	}
	return lists
}

// addSizes adds sizes that items share.
func (s *Set) addSizes(sizes []Size) span {
	s.sizes = append(s.sizes, sizes...)
	return span{int32(len(s.sizes) - len(sizes)), int32(len(s.sizes))}
}

// alone reports whether the sizes of item i may differ from those that the rule asks for.
func (s *Set) alone(i int) bool { return len(s.own[i]) > 0 || len(s.known) > 0 && s.byRule(i) }

// sizeAlone fills the spans of the items of alone. It reports whether any has a size.
func (s *Set) sizeAlone(spans []span, rules []*ShrinkRule) (some bool) {
	recent := make([][MaxSizes + 1]span, len(rules)) // by kind and number of sizes
	var asked []Size
	for i := range s.items {
		if !s.alone(i) {
			continue
		}
		asked = s.asked(asked[:0], i, rules)
		for k := range asked {
			asked[k] = s.counted(i, asked[k])
		}
		sizes := fitting(asked, s.tokens[i])
		of := &recent[s.kindOf[i]][len(sizes)]
		if !slices.Equal(s.sizes[of.from:of.to], sizes) {
			*of = s.addSizes(sizes)
		}
		spans[i], some = *of, some || len(sizes) > 0
	}
	return some
}

// fitting returns the sizes that are smaller than the next larger one, in the memory of sizes; the first one
// is held to whole.
func fitting(sizes []Size, whole Tokens) []Size {
	kept := sizes[:0]
	for _, size := range sizes {
		if 0 < size.Tokens && size.Tokens < whole {
			kept, whole = append(kept, size), size.Tokens
		}
	}
	return kept
}

// rules returns the rule for each kind of the set, one without sizes where there is none.
func (s *Set) rules() []*ShrinkRule {
	rules := make([]*ShrinkRule, len(s.kinds))
	for id, kind := range s.kinds {
		rules[id] = s.edits.Shrink.rule(kind)
	}
	return rules
}

// asked appends the sizes that item i has of its source, else those that the rule for its
// kind asks for.
func (s *Set) asked(dst []Size, i int, rules []*ShrinkRule) []Size {
	if s.pinned[i] && !s.edits.Shrink.Pinned {
		return dst
	}
	if own := s.own[i]; len(own) > 0 {
		return append(dst, own...)
	}
	return rules[s.kindOf[i]].asks(dst, s.tokens[i])
}

// asks appends the sizes that the rule asks for of an item of so many tokens.
func (r *ShrinkRule) asks(dst []Size, whole Tokens) []Size {
	for _, n := range r.To {
		if n < whole {
			dst = append(dst, Size{Tokens: n, How: r.how(), To: n})
		}
	}
	if r.Note && whole > 1 {
		dst = append(dst, Size{Tokens: noteTokens, Note: true})
	}
	return dst
}

// byRule reports whether a rule makes the size of an item whose tokens are not given with
// it, so that its text is counted.
func (s *Set) byRule(i int) bool { return len(s.own[i]) == 0 && s.count[i] != FromFile }

// counted returns a size with what is known of its tokens: until it is counted, it counts
// as what was asked for.
func (s *Set) counted(i int, size Size) Size {
	if !s.byRule(i) {
		return size
	}
	size.Count = Estimated
	if known, ok := s.known[keyOf(i, s.tokens[i], size)]; ok {
		size.Tokens = known.tokens
		if s.count[i] == Exact {
			size.Count = known.count
		}
	}
	return size
}

// ItemSize is a size of an item of a set.
type ItemSize struct {
	Item  int
	Whole Tokens // tokens of the whole
	Size  Size
}

// UncountedSizes returns the cuts and notes whose tokens are not counted yet. O(n).
func (s *Set) UncountedSizes() []ItemSize {
	if s.spans == nil {
		return nil
	}
	var all []ItemSize
	var asked []Size
	rules := s.rules()
	for i := range s.items {
		if !s.byRule(i) {
			continue
		}
		asked = s.asked(asked[:0], i, rules)
		for _, size := range asked {
			if _, known := s.known[keyOf(i, s.tokens[i], size)]; !known {
				all = append(all, ItemSize{i, s.tokens[i], size})
			}
		}
	}
	return all
}

// CountSize returns a size of UncountedSizes with its count; 0 tokens if not even a
// character fits. measure returns the tokens of a text of the item, and count is where
// they come from.
func (s *Set) CountSize(u ItemSize, count Provenance, measure func(string) Tokens) ItemSize {
	u.Size.Tokens, u.Size.Count = 0, count
	if text, ok := s.sizeText(u.Item, u.Whole, u.Size, measure); ok {
		u.Size.Tokens = measure(text)
	}
	return u
}

// WithSizeCounts returns the set with counts of CountSize, which must be of this set or of
// one that it was made from by edits or counts.
func (s *Set) WithSizeCounts(counts []ItemSize) *Set {
	if len(counts) == 0 {
		return s
	}
	next := *s
	next.known = maps.Clone(s.known)
	if next.known == nil {
		next.known = make(map[sizeKey]sizeCount, len(counts))
	}
	for _, c := range counts {
		next.known[keyOf(c.Item, c.Whole, c.Size)] = sizeCount{c.Size.Tokens, c.Size.Count}
	}
	next.size()
	next.sum()
	return &next
}

// SizeText returns the text of item i in a size: 0 is the whole. measure returns the
// tokens of a text of the item, as it did when the size was counted; it is not asked where
// the source counts. It returns false where the source gives a size without its text.
func (s *Set) SizeText(i, size int, measure func(string) Tokens) (string, bool) {
	if size == 0 {
		return s.items[i].Content, true
	}
	return s.sizeText(i, s.tokens[i], s.Sizes(i)[size-1], measure)
}

func (s *Set) sizeText(i int, whole Tokens, size Size, measure func(string) Tokens) (string, bool) {
	it := &s.items[i]
	switch {
	case size.Content != "":
		return size.Content, true
	case size.Note:
		return noteOf(it.Kind, whole), true
	case size.How == "": // the source counts, and keeps the text to itself
		return "", false
	case s.count[i] == FromFile: // by its share of the text
		measure = func(part string) Tokens {
			return Tokens(math.Ceil(float64(len(part)) * float64(whole) / float64(len(it.Content))))
		}
	}
	return cut(it.Content, size.How, size.To, whole, measure)
}

// withTexts returns the set without sizes, with other texts and tokens for the items for
// which of returns true. O(n).
func (s *Set) withTexts(of func(i int) (text string, tokens Tokens, ok bool)) *Set {
	next := *s
	next.items, next.counts = slices.Clone(s.items), s.counts.clone()
	next.derived = &derived{items: next.items}
	next.spans, next.sizes = nil, nil
	for i := range next.items {
		if text, tokens, ok := of(i); ok {
			next.items[i].Content, next.tokens[i] = text, tokens
		}
	}
	next.sum()
	return &next
}

// SizeJSON is the JSON form of a size that the source of an item gives.
type SizeJSON struct {
	Tokens  Tokens   `json:"tokens"`
	Content string   `json:"content,omitempty"`
	Label   string   `json:"label,omitempty"`
	Worth   *float64 `json:"worth,omitempty"`
	Note    bool     `json:"note,omitempty"`
}

// SizesJSON returns the sizes that the source of item i gives, nil if it gives none.
func (s *Set) SizesJSON(i int) (all []SizeJSON) {
	for _, size := range s.own[i] {
		all = append(all, SizeJSON{size.Tokens, size.Content, size.Label, size.Worth.pointer(), size.Note})
	}
	return all
}
