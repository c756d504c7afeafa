package session

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
)

// This file warns of assumptions that may mislead, in the words of the flags.

// Unscored is the warning that no item has a relevance.
const Unscored = "nothing says which of these documents matter: --query TEXT asks a question and scores them; so far kind, size and order decide, by the preset document-qa, whose slicer is knapsack"

// idleKinds returns a warning for each slot that was asked for and holds tokens for a
// kind that no item has, and for each rule that cuts such a kind: it may be misspelt. It
// also returns a warning if pinned items are to be cut and none has a smaller size.
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

// caseNotes are what is to be said of many cases together.
type caseNotes struct {
	mu    sync.Mutex
	cases int
	idle  map[string]int  // how many cases have a warning of idleKinds
	harm  map[string]bool // what is damaged in a source, and true for what was skipped
}

func newCaseNotes() *caseNotes {
	return &caseNotes{idle: map[string]int{}, harm: map[string]bool{}}
}

// maxHarm is how many lines about damage there are at most.
const maxHarm = 20

// Notes returns what was damaged or skipped in the sources, and the warnings of idleKinds that
// hold for every case that was opened; or only what was skipped.
func (c *Choices) Notes(skipped bool) (notes []string) {
	n := c.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, line := range slices.Sorted(maps.Keys(n.harm)) {
		if n.harm[line] || !skipped {
			notes = append(notes, line)
		}
	}
	if more := len(notes) - maxHarm; more > 0 {
		notes = append(notes[:maxHarm], fmt.Sprintf("%s like these", plain.Count(more, "more line")))
	}
	for _, warning := range slices.Sorted(maps.Keys(n.idle)) {
		if n.idle[warning] == n.cases && !skipped {
			notes = append(notes, warning)
		}
	}
	return notes
}

// add adds the warnings of a case.
func (n *caseNotes) add(warnings []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cases++
	for _, warning := range warnings {
		n.idle[warning]++
	}
}

// read adds what was damaged or skipped in what was read: by its reason, as each run of a source
// may tell it again.
func (n *caseNotes) read(l *itemset.Loaded) {
	for _, e := range l.Report.Entries {
		if verb := map[itemset.Outcome]string{itemset.Damaged: "damaged", itemset.Skipped: "skipped"}[e.Outcome]; verb != "" {
			n.mu.Lock()
			n.harm[fmt.Sprintf("%s: %s: %s", l.Name(), verb, e.Reason)] = e.Outcome == itemset.Skipped
			n.mu.Unlock()
		}
	}
}
