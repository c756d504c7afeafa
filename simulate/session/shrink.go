package session

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/model/relay"
	"cupelscope/simulate"
)

// shrink puts the rules that were asked for in place of the rules of the source.
func (o *Opened) shrink(asked simulate.Overrides) error {
	edits := o.Set.Edits()
	o.ownShrink = edits.Shrink
	if !asked.Shrink.Set && !asked.ShrinkPinned {
		return nil
	}
	shrink := edits.Shrink
	if asked.Shrink.Set {
		shrink.Rules = asked.Shrink.Value.Rules
	}
	shrink.Pinned = shrink.Pinned || asked.ShrinkPinned
	set, err := o.Set.With(edits.WithShrink(shrink))
	if err != nil {
		return err
	}
	o.take(set)
	return nil
}

// idleSizes returns a warning if items give sizes that are not smaller than the whole or than
// another size: the set leaves these out.
func idleSizes(set *model.Set) []string {
	idle, first := 0, -1
	for i := range set.Len() {
		own := len(set.SizesJSON(i))
		if own <= len(set.Sizes(i)) || set.Pinned(i) && !set.Edits().Shrink.Pinned {
			continue
		}
		idle += own - len(set.Sizes(i))
		if first < 0 {
			first = i
		}
	}
	if idle == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s left out, of #%d the first: not smaller than the whole or than another size of the item", plain.Count(idle, "size"), first)}
}

// shrinkWords returns the flags that lead from the rules of a source to now; false if none
// do, as no flag leaves pinned items whole.
func shrinkWords(now, was model.Shrink) (words []string, ok bool) {
	if now.Equal(was) {
		return nil, true
	}
	rules := model.Shrink{Rules: now.Rules, Pinned: was.Pinned}
	if !rules.Equal(was) {
		for _, rule := range now.Rules {
			words = append(words, "--shrink", rule.String())
		}
		if len(now.Rules) == 0 {
			words = append(words, "--shrink", "off")
		}
	}
	if now.Pinned && !was.Pinned {
		words = append(words, "--shrink-pinned")
	}
	return words, now.Pinned || !was.Pinned
}

// CountSizes counts the cuts and notes of a set that are not counted yet like its texts, on
// all cores, for model.Set.WithSizeCounts. The set must be of the items that were opened.
// The error is ctx's.
func (o *Opened) CountSizes(ctx context.Context, set *model.Set) ([]model.ItemSize, error) {
	pending := set.UncountedSizes()
	count := model.Exact
	if o.Method.StandIn {
		count = model.Estimated
	}
	workers := relay.Workers()
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			for k := w; k < len(pending); k += workers {
				var failed error
				pending[k].Size = set.CountSize(pending[k], count, o.measure(ctx, set, pending[k].Item, &failed)).Size
				if failed != nil {
					return failed
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("counting cuts: %w", err)
	}
	return pending, nil
}

// SizeText returns the text of item i of a set in a size, as CountSizes counted it; false
// where the source does not give it. See model.Set.SizeText.
func (o *Opened) SizeText(set *model.Set, i, size int) (string, bool) {
	var failed error
	text, ok := set.SizeText(i, size, o.measure(context.Background(), set, i, &failed))
	return text, ok && failed == nil
}

// measure returns a function that counts the tokens of texts of an item, and sets failed
// to its first error.
func (o *Opened) measure(ctx context.Context, set *model.Set, item int, failed *error) func(string) model.Tokens {
	var extra model.Tokens
	if o.Method.Overhead > 0 && beginsMessage(set, item) {
		extra = o.Method.Overhead
	}
	return func(text string) model.Tokens {
		n, _, err := o.counter.Count(ctx, text)
		if err != nil && *failed == nil {
			*failed = err
		}
		return n + extra
	}
}
