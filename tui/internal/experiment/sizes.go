package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/simulate"
)

// Sizer makes cuts and notes. It is safe for concurrent use.
type Sizer struct {
	// Count counts the sizes of a set whose tokens are not counted yet, see
	// model.Set.UncountedSizes. The error is ctx's or the counter's. It may be
	// nil: they stay what the rules ask for.
	Count func(ctx context.Context, items *model.Set) ([]model.ItemSize, error)
	// Text returns the text of an item in a size, see model.Set.SizeText; it may be nil
	// where no item has sizes.
	Text func(items *model.Set, i, size int) (string, bool)
}

// Counted returns a set with the counts of its cuts and notes, and these. The error comes from Count.
func (s Sizer) Counted(ctx context.Context, items *model.Set) (*model.Set, []model.ItemSize, error) {
	if s.Count == nil || !items.HasSizes() {
		return items, nil, nil
	}
	counts, err := s.Count(ctx, items)
	if err != nil {
		return nil, nil, err
	}
	return items.WithSizeCounts(counts), counts, nil
}

// Uncounted returns the items that are shown and what counts their cuts and notes; false if
// all are counted. Until then a cut counts as what its rule asks for.
func (e *Experiment) Uncounted() (*model.Set, Sizer, bool) {
	return e.items, e.sizer, e.uncounted && e.sizer.Count != nil
}

func (e *Experiment) Sizer() Sizer { return e.sizer }

// Sent returns the text of an item of a report as the model reads it: cut, or the note in
// its place, where the report says so.
func (e *Experiment) Sent(r *model.Report, i int) string {
	size := r.Size(i)
	if size == 0 {
		return r.Items.Loaded(i).Content
	}
	if r.Items != e.sent.of || len(e.sent.texts) > maxSent {
		e.sent = sentTexts{r.Items, map[[2]int]string{}}
	}
	key := [2]int{i, size}
	text, known := e.sent.texts[key]
	if !known {
		text = e.sizer.Sent(r, i)
		e.sent.texts[key] = text
	}
	return text
}

// maxSent is how many texts of cuts are kept, for what is on the screen.
const maxSent = 128

type sentTexts struct {
	of    *model.Set
	texts map[[2]int]string // by item and size
}

// Sent is Experiment.Sent, without memory.
func (s Sizer) Sent(r *model.Report, i int) string {
	size := r.Size(i)
	if size == 0 {
		return r.Items.Loaded(i).Content
	}
	if text, ok := s.Text(r.Items, i, size); ok {
		return text
	}
	return fmt.Sprintf("[the source gives this size of %v tokens without its text]", r.Taken(i))
}

// EstimatesSizes reports whether cuts or notes of the items that are shown are not counted
// yet.
func (e *Experiment) EstimatesSizes() bool { return e.uncounted }

// SizesCounted takes the counts of the cuts and notes of what Uncounted returned, none if
// they could not be counted. This is not a change by the user and cannot be undone.
func (e *Experiment) SizesCounted(of *model.Set, counts []model.ItemSize) {
	switch {
	case of != e.items:
		return
	case len(counts) == 0:
		e.uncounted = false
		return
	case e.numbers.keys != nil: // some of the items are not there at the end
		e.items, e.uncounted = e.items.WithSizeCounts(counts), false
	default:
		e.loaded = e.loaded.WithSizeCounts(counts)
		_ = e.applyEdits() // which fitted these items before
	}
	e.sides[A].pending, e.sides[B].pending = true, true
	e.was, e.changed = model.Option[Setup]{}, [2]bool{true, true}
}

// sizesFit returns an error if items have sizes and a policy does not go together with them, unless
// that was so before.
func (e *Experiment) sizesFit(was *Experiment) error {
	for s, p := range e.setup.Policy {
		err := p.SizesFit()
		if err != nil && e.now.whole.HasSizes() && (!was.now.whole.HasSizes() || was.setup.Policy[s].SizesFit() == nil) {
			return fmt.Errorf("%v: %w", Side(s), err)
		}
	}
	return nil
}

// Resize is an item that is in before and after a change, in other sizes, or that is out
// both times and has its note in the result once.
type Resize struct {
	Item     int32
	From, To model.Tokens // what the result has of the item, be it a note; 0: nothing
}

// Note reports whether it is a note that came or went.
func (r Resize) Note() bool { return r.From == 0 || r.To == 0 }

// Resized returns the items of a report that have another size in another report of the same
// items.
func Resized(before, after *model.Report) []Resize {
	return resized(before, after, sameIndex)
}

// resized returns the items of after that changed their size; index returns where an item
// of before is now.
func resized(before, after *model.Report, index func(i int) (int, bool)) []Resize {
	var all []Resize
	if before.Sizes == nil && after.Sizes == nil {
		return nil
	}
	for i := range before.Codes {
		now, ok := index(i)
		if !ok || before.Size(i) == 0 && after.Size(now) == 0 || before.In(i) != after.In(now) {
			continue
		}
		if r := (Resize{int32(now), before.Taken(i), after.Taken(now)}); r.From != r.To {
			all = append(all, r)
		}
	}
	return all
}

// ResizesAt returns what changes its size between two budgets of a profile, of the given
// items.
func ResizesAt(p *simulate.Profile, items []int32, from, to model.Tokens) []Resize {
	taken := func(i int32, b model.Tokens) model.Tokens {
		if size, ok := p.SizeAt(int(i), b); ok {
			return p.Ranking().Items().SizeTokens(int(i), size)
		}
		return 0
	}
	return resizes(items, from, to, taken)
}

// ResizesOver returns the resizes of items between two stretches of the values of a number.
func ResizesOver(p *simulate.ProfileOver, set *model.Set, items []int32, from, to int) []Resize {
	taken := func(i int32, stretch int) model.Tokens {
		if size := p.SizesOf(int(i))[stretch]; size >= 0 {
			return set.SizeTokens(int(i), size)
		}
		return 0
	}
	return resizes(items, from, to, taken)
}

// resizes returns the resizes of items from one place to another.
func resizes[Place any](items []int32, from, to Place, taken func(i int32, at Place) model.Tokens) (all []Resize) {
	for _, i := range items {
		all = append(all, Resize{i, taken(i, from), taken(i, to)})
	}
	return all
}

// Shrinks reports whether a knob says how items of a kind are cut.
func (id KnobID) Shrinks() bool { return strings.HasPrefix(string(id), shrinkOf) }

const shrinkOf = "shrink " // prefix of one knob a kind

// ShrinkOf returns the knob for how items of a kind are cut.
func ShrinkOf(kind model.Kind) KnobID { return KnobID(shrinkOf + string(kind.Fold())) }

// Shrunk returns the setup with another rule for how items of a kind are cut; see
// model.Shrink.With.
func (s Setup) Shrunk(rule model.ShrinkRule) Setup {
	s.Edits = s.Edits.WithShrink(s.Edits.Shrink.With(rule))
	return s
}

// shrinks returns a knob for each rule by which items are cut now or were at the start, and
// one for all kinds where the source alone gives sizes.
func (k *knobs) shrinks() []Knob {
	var list []Knob
	for _, rule := range slices.Concat(k.now.Edits.Shrink.Rules, k.original.Edits.Shrink.Rules) {
		id := ShrinkOf(rule.Kind)
		if !slices.ContainsFunc(list, func(k Knob) bool { return k.ID == id }) {
			list = append(list, k.shrink(rule.Kind))
		}
	}
	if len(list) == 0 && k.e.now.whole.HasSizes() {
		list = []Knob{k.shrink(model.AnyKind)}
	}
	return list
}

// ShrinkHelp says what the knobs for how items are cut take.
const ShrinkHelp = "sizes in tokens, the largest first, head, tail, note, or off, as in 2000 500 note: what has no room whole is cut (not Cupel's)"

// firstCut is the size that a step gives items that have none.
const firstCut model.Tokens = 500

// shrink returns the knob for how items of a kind are cut. A step changes the smallest size.
func (k *knobs) shrink(kind model.Kind) Knob {
	now := k.now
	rule := now.Rule(kind)
	label := shrinkOf + kind.Noun()
	last := len(rule.To) - 1
	set := func(to []model.Tokens) Setup {
		next := rule
		next.To = to
		return now.Shrunk(next)
	}
	return Knob{
		ID: ShrinkOf(kind), Label: label, Value: rule.Words(), Typed: true, Words: "cut truncate sizes note",
		Help: ShrinkHelp,
		step: func(dir int, big bool) (Setup, error) {
			switch {
			case last < 0 && dir > 0:
				return set([]model.Tokens{firstCut}), nil
			case last < 0 && !rule.Note:
				return now, fmt.Errorf("%s: already off", label)
			case last < 0:
				return now.Shrunk(model.ShrinkRule{Kind: kind}), nil
			}
			limit := model.MaxTokens
			if last > 0 {
				limit = rule.To[last-1] - 1
			}
			next := Stepped(rule.To[last], dir, big, limit)
			switch {
			case next == rule.To[last]:
				return now, fmt.Errorf("%s: %w (below %v)", label, errAtLimit, limit+1)
			case next == 0:
				return set(rule.To[:last:last]), nil
			}
			return set(append(rule.To[:last:last], next)), nil
		},
		parse: func(text string) (Setup, error) {
			rule, err := model.ParseShrinkRule(string(kind) + "=" + text)
			return now.Shrunk(rule), err
		},
		reset: func() Setup { return now.Shrunk(k.original.Rule(kind)) },
	}
}

// Rule returns the rule for how items of a kind are cut, one without sizes if there is none.
func (s Setup) Rule(kind model.Kind) model.ShrinkRule {
	for _, rule := range s.Edits.Shrink.Rules {
		if rule.Kind.Is(kind) {
			return rule
		}
	}
	return model.ShrinkRule{Kind: kind}
}
