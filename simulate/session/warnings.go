package session

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// This file warns of assumptions that may mislead, in the words of the flags.

// Unscored is the warning that no item has a relevance.
const Unscored = "no relevance was given with these documents, so they open with the preset document-qa, whose slicer is knapsack: kind, size and order decide; a query scores them (--query TEXT)"

// idleKinds returns a warning for each slot that was asked for and holds tokens for a
// kind that no item has, and for each rule that cuts such a kind: it may be misspelt. So it
// does where pinned items are to be cut and nothing says to what.
func idleKinds(items *model.Set, slots []model.Slot) (warnings []string) {
	for _, slot := range slots {
		if slot.Tokens > 0 && !slices.ContainsFunc(items.Kinds(), slot.Kind.Is) {
			warnings = append(warnings, fmt.Sprintf("no item has the kind %.40q, for which the budget holds %v", string(slot.Kind), plain.Count(int(slot.Tokens), "token")))
		}
	}
	for _, rule := range items.Edits().Shrink.Rules {
		if rule.Kind != model.AnyKind && !slices.ContainsFunc(items.Kinds(), rule.Kind.Is) {
			warnings = append(warnings, fmt.Sprintf("no item has the kind %.40q, for which shrink has a rule", string(rule.Kind)))
		}
	}
	shrink := items.Edits().Shrink
	switch {
	case !shrink.Pinned:
	case len(shrink.Rules) == 0 && !items.HasSizes():
		warnings = append(warnings, "shrink-pinned cuts nothing: there is no rule (--shrink), and no item gives sizes")
	case !cutsPinned(items):
		warnings = append(warnings, "shrink-pinned cuts nothing: no pinned item has a smaller size")
	}
	return warnings
}

func cutsPinned(items *model.Set) bool {
	for i := range items.Len() {
		if items.Pinned(i) && items.PinnedSize(i) > 0 {
			return true
		}
	}
	return false
}

// idleSlots counts over many cases the warnings of idleKinds.
type idleSlots struct {
	mu    sync.Mutex
	cases int
	count map[string]int
}

// IdleSlots returns the warnings of idleKinds that hold for every case that was
// opened.
func (c *Choices) IdleSlots() (warnings []string) {
	c.idle.mu.Lock()
	defer c.idle.mu.Unlock()
	for _, warning := range slices.Sorted(maps.Keys(c.idle.count)) {
		if c.idle.count[warning] == c.idle.cases {
			warnings = append(warnings, warning)
		}
	}
	return warnings
}

func (s *idleSlots) add(warnings []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cases++
	for _, warning := range warnings {
		s.count[warning]++
	}
}
